// Nasty scenes: valid, small, and made to be hard. A seed gives the text of a scene (generate.c);
// it runs as people's scenes do, with all that must hold asked after every step (watch.c):
//   - the step has an answer: it is kept, or the reason says why not,
//   - no surfaces intersect, by the exact test,
//   - no element of a material that forbids it is inside out,
//   - positions and energies are finite,
//   - E never rises in a minimization (tests/torture/energy.c).
#ifndef TESTS_NASTY_NASTY_H
#define TESTS_NASTY_NASTY_H

#include "pliant/pliant.h"

enum { NASTY_TEXT_SIZE = 16384 };

// Writes the scene of this seed.
void pli_nasty_text(uint64_t seed, char text[NASTY_TEXT_SIZE]);

// How a run ended.
typedef enum nasty_end {
    NASTY_CONVERGED, // every step
    NASTY_STOPPED,   // a step was not kept: `reason`
    NASTY_REFUSED,   // before the first step: `message`
    NASTY_VIOLATED,  // something does not hold: `message`
} nasty_end;

typedef struct nasty_run {
    nasty_end end;
    pli_reason reason; // of the last step
    char message[480];
    int body_count, vertex_count, steps, iterations, most_iterations, blocked;
    double min_distance, rise;
} nasty_run;

// Runs the scene for all of its steps, or at most so many.
void pli_nasty_run(const char* text, int most_steps, nasty_run* run);

#endif
