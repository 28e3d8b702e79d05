// Findings that need the shapes: bad elements, vertices without mass, a start that penetrates,
// energies that find nothing to lie over, and what else would stop a world later. Each problem is
// reported once per body, with the first numbers and the count. All fail only without memory.
#ifndef PLI_SCENE_CHECK_H
#define PLI_SCENE_CHECK_H

#include "scene/build.h"
#include "scene/shape.h"

// A body by itself: its elements, masses, energies, unknowns and speed.
pli_status pli_check_body(pli_builder* builder, int body, pli_error* error);

// Everything else but contact: names and motions of bodies, obstacles, time.
pli_status pli_check_scene(pli_builder* builder, pli_error* error);

// Bodies that touch each other, cross or lie inside each other at t = 0, with parts and place: some
// of the crossings and the count of the others.
pli_status pli_check_contact(pli_builder* builder, pli_initial* initial, pli_error* error);

// Parts of the prepared world that are closer than dhat: of bodies that therefore repel themselves
// at rest, and of bodies between which forces act from the start.
pli_status pli_check_dhat(pli_builder* builder, pli_world* world, pli_error* error);

// Of the scheme: it has no inertia; damping can be used with it.
bool pli_is_static(const pli_builder* builder);
bool pli_can_dissipate(const pli_builder* builder);

// Number of steps that time.duration takes, at least 1; it may be more than is allowed.
enum { PLI_MOST_STEPS = 1000000000 };
double pli_steps_of_duration(const pli_scene_data* data);

// Numbers for a message: "3, 7, 12 and 40 more".
enum { PLI_TALLY_SHOWN = 8 };
typedef struct pli_tally {
    int count;
    int first[PLI_TALLY_SHOWN];
} pli_tally;

void pli_tally_add(pli_tally* tally, int number);
#define PLI_TALLY_SIZE 160
// From the i-th on.
const char* pli_tally_text(const pli_tally* tally, int from, char text[PLI_TALLY_SIZE]);

#endif
