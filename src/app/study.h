// pliant study: one scene with several time schemes and step sizes, compared with one reference.
#ifndef PLI_APP_STUDY_H
#define PLI_APP_STUDY_H

#include <stdio.h>

#include "app/app.h"

typedef enum pli_outcome {
    PLI_NOT_RUN,  // the study was interrupted before or in it
    PLI_COMPLETE, // reached the end
    PLI_REFUSED,  // the scheme cannot run this scene
    PLI_FAILED,   // a step did not converge or gave non-finite numbers
    PLI_BLOWN_UP, // more energy than pli_study.energy_limit
} pli_outcome;

enum { PLI_TRIAL_SAMPLES = 600, PLI_CHECKS_MOST = 20 };

// One run. Errors are NAN where they are not known.
typedef struct pli_trial {
    const char* scheme;
    int steps; // planned
    double h;  // [s]
    pli_outcome outcome;
    char remark[400]; // the problem; "": none
    int done;         // steps
    int64_t iterations;
    int not_converged;                            // steps accepted anyway
    double seconds;                               // in steps
    double error;                                 // largest of any vertex at any check [m]
    double end_error;                             // root mean square over vertices at the end [m]
    double order;                                 // against the next larger step
    double energy_start, energy_end, energy_high; // stored energy [J]
    int sample_count;
    double times[PLI_TRIAL_SAMPLES + 1], energies[PLI_TRIAL_SAMPLES + 1]; // [s], [J] from the start
} pli_trial;

typedef struct pli_study {
    const pli_options* options;
    char name[PLI_SHOWN_SIZE]; // of the scene
    char folder[PLI_PATH_SIZE];
    double duration; // [s]
    int scheme_count, size_count;
    const char** schemes;
    int* steps;        // per size, the fewest first
    pli_trial* trials; // sizes of the first scheme, then of the second, ...
    // The reference: its state at check_count even times, the last of them the end.
    pli_trial reference;
    double reference_error; // change when its step was halved [m]
    int check_count, vertex_count;
    double* checks;      // 3 per vertex and check [m]
    double motion;       // largest displacement of a vertex at the checks [m]
    double energy_scale; // largest change of one part of the energy [J]
    double energy_limit; // above it: blown up [J]
    bool has_reference;
} pli_study;

static inline pli_trial* pli_study_trial(const pli_study* study, int scheme, int size) {
    return &study->trials[scheme * study->size_count + size];
}

// Runs a trial and compares it with the reference; `records`: it becomes the reference instead.
// False, with a message, if it could not be tried: no memory, no file.
bool pli_trial_run(pli_study* study, pli_trial* trial, bool records);

// The table in the terminal and in study.md.
extern const char pli_study_head[];
enum { PLI_ROW_SIZE = 256 };
const char* pli_study_row(const pli_study* study, const pli_trial* trial, char row[PLI_ROW_SIZE]);
// "rk4 with h = 0.0005 s (2000 steps)"
const char* pli_trial_text(const pli_trial* trial, char text[96]);

// Prints a line for each run that was rejected, failed or did not converge in all steps; before the
// first, the heading.
void pli_study_remarks(const pli_study* study, const char* heading, FILE* out);

// study.md, study.csv and the charts. On failure prints why and returns false.
bool pli_study_write(const pli_study* study);

#endif
