// Findings that need the shapes: bad elements, vertices without mass, penetration at t = 0,
// energies without elements, and other reasons why a world would fail later. Each problem is
// reported once per body, with the first numbers and the count. All fail only without memory.
#ifndef PLI_SCENE_CHECK_H
#define PLI_SCENE_CHECK_H

#include "scene/build.h"
#include "scene/shape.h"

// A single body: elements, masses, energies, unknowns, speed.
pli_status pli_check_body(pli_builder* builder, int body, pli_error* error);

// What concerns sheets and threads alone; the elements have no errors.
pli_status pli_check_thin(pli_builder* builder, const pli_shape* shape, const pli_path* at,
                          pli_error* error);

// What concerns solids that keep their volume or flow.
pli_status pli_check_flow(pli_builder* builder, const pli_shape* shape, const pli_path* at,
                          pli_error* error);

// Everything else except contact: names and motions of bodies, obstacles, time.
pli_status pli_check_scene(pli_builder* builder, pli_error* error);

// The keys `appears` and `vanishes`; after stencils have been paired.
pli_status pli_check_events(pli_builder* builder, pli_error* error);

// The part of it that needs no shapes: the world's def, time, gravity.
pli_status pli_check_settings(pli_builder* builder, pli_error* error);

// Bodies that touch, cross or contain each other at t = 0, with parts and position: some of the
// crossings and the count of the others.
pli_status pli_check_contact(pli_builder* builder, pli_initial* initial, pli_error* error);

// Parts of the prepared world that are closer than dhat: of bodies that repel themselves at rest,
// and of bodies with contact forces at t = 0.
pli_status pli_check_dhat(pli_builder* builder, pli_world* world, pli_error* error);

// Whether the scheme has no inertia; whether it allows damping.
bool pli_is_static(const pli_builder* builder);
bool pli_can_dissipate(const pli_builder* builder);

// Number of steps in time.duration, at least 1; may exceed PLI_MOST_STEPS.
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
