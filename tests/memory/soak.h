// Soak runs: very many steps of scenes that never come to rest, and what must stay as it was. Run
// short by test_soak.c and in full, 100,000 steps, by `make soak`.
#ifndef TESTS_MEMORY_SOAK_H
#define TESTS_MEMORY_SOAK_H

#include "pliant/pliant.h"

typedef struct soak_case {
    const char* scene; // in tests/memory/scenes
    bool contact;      // what holds contacts may still grow in the first half
    // Stored energy above the start, in multiples of what falling once through the scene's height
    // gives off, and the part of it below the start: a driven run stays far below the first, a
    // conserving one within both.
    double high, low;
} soak_case;

typedef struct soak_report {
    int steps, contacts; // most at the end of a step
    int not_converged;
    size_t bytes[2];         // of all that was made, at the middle of the run and at its end
    double resident[2];      // of the process, likewise [bytes]
    int64_t calls;           // of the allocator by steps of the second half
    double energy[2];        // lowest and highest stored, less the start [J]
    double scale;            // m g times the height of the scene at the start [J]
    double unbalanced;       // largest |residual| of a step's balance [J]
    double sum;              // of all residuals [J]
    double dissipated, work; // friction and scheme; prescribed motion [J]
} soak_report;

const soak_case* soak_at(int i); // NULL after the last

// Runs `steps` steps and writes statistics and frames into `folder`, if that is not NULL. `tell`
// (may be NULL) is called a hundred times.
pli_status soak_run(const soak_case* c, int steps, const char* folder,
                    void (*tell)(const soak_report* report), soak_report* report, pli_error* error);

// What is wrong with the report; NULL: nothing.
const char* soak_verdict(const soak_case* c, const soak_report* report, char text[256]);

#endif
