// Hard scenes: valid, small, and made to be hard. A family and a seed give the text of a scene
// (families.c); it runs as people's scenes do, with all that must hold asked after every step
// (watch.c):
//   - the step has an answer: it is kept, or the reason says why not,
//   - no surfaces intersect, by the exact test,
//   - no element of a material that forbids it is inverted,
//   - positions and energies are finite,
//   - E never rises in a minimization (tests/torture/energy.c), where the program is built so.
// Only public headers are used, so that the same files measure older and newer libraries.
#ifndef TESTS_NASTY_NASTY_H
#define TESTS_NASTY_NASTY_H

#include "pliant/pliant.h"

enum { NASTY_TEXT_SIZE = 32768, NASTY_STEPS = 64 };

// Names of the families; NULL after the last. Number of a name, -1: none.
const char* pli_nasty_family(int i);
int pli_nasty_find_family(const char* name);
// The family of a scene when all run: each has its share of any hundred seeds in a row.
int pli_nasty_family_of(uint64_t seed);

// Writes the scene.
void pli_nasty_text(int family, uint64_t seed, char text[NASTY_TEXT_SIZE]);

// How a run ended.
typedef enum nasty_end {
    NASTY_CONVERGED, // every step
    NASTY_STOPPED,   // a step was not kept: `reason`
    NASTY_SLOW,      // the limit of processor time was reached
    NASTY_REFUSED,   // before the first step: `message`
    NASTY_VIOLATED,  // something does not hold: `message`
    NASTY_CRASHED,   // the process ended by a signal: `message`
    NASTY_END_COUNT,
} nasty_end;

const char* pli_nasty_end_text(nasty_end end); // "converged"

typedef struct nasty_run {
    nasty_end end;
    char reason[48];   // of the last step, in words
    char message[480]; // what stopped it, with the remedy that the library gives
    int body_count, vertex_count;
    int steps_asked, steps;                       // to do; done and kept
    int iterations;                               // of all steps, also of the last one that failed
    int step_count, step_iterations[NASTY_STEPS]; // of each step that ended
    int unconverged; // steps that were kept though they had not converged
    int halved;      // steps with more than one substep
    int rejected;    // attempts that the control of the step size gave up
    int blocked;     // steps in which prescribed motion did not arrive
    int crossings;   // pairs that intersect, the most at one time
    int inverted;    // elements, the most at one time
    double seconds;  // of processor time, in steps alone
    // The largest |balance.residual| of a step, and that of the sum, over the largest energies
    // that were there so far.
    double ledger, ledger_sum;
    double residual; // the largest of steps kept [m/s]; in statics relative net force
    double min_distance, rise;
} nasty_run;

typedef struct nasty_limits {
    double seconds;       // of processor time in steps, then the process ends; 0: none
    double (*rise)(void); // largest rise of E since the last call; NULL: not watched
} nasty_limits;

// Runs the scene for all of its steps. `run` is up to date after each step, so that another process
// can read it when this one is ended.
void pli_nasty_run(const char* text, const nasty_limits* limits, nasty_run* run);

#endif
