// pliant sweep: one scene with other values, one run and one folder each, and a table of measures.
#ifndef PLI_APP_SWEEP_H
#define PLI_APP_SWEEP_H

#include <stdio.h>
#include <sys/types.h>

#include "app/app.h"

enum { PLI_SWEEP_AXES = 8, PLI_SWEEP_VALUE = 64, PLI_SWEEP_KEY = 160 };

// A key that takes several values.
typedef struct pli_sweep_axis {
    char key[PLI_SWEEP_KEY]; // as overrides write it
    int count;
    char (*values)[PLI_SWEEP_VALUE]; // as overrides write them
} pli_sweep_axis;

typedef struct pli_sweep_run {
    char name[256];     // of its folder
    pid_t process;      // 0: not running
    FILE* messages;     // what it prints to stderr
    bool started, done; // done: it reached its end
    char remark[400];   // why not, or why a measure has no value; "": nothing to say
    double measures[PLI_MEASURES_MOST];
} pli_sweep_run;

typedef struct pli_sweep {
    const pli_options* options;
    char name[PLI_SHOWN_SIZE]; // of the scene
    char folder[PLI_PATH_SIZE];
    int axis_count, fixed_count;
    pli_sweep_axis axes[PLI_SWEEP_AXES];
    const char** fixed; // overrides of all runs
    int run_count;
    pli_sweep_run* runs; // the last axis varies fastest
} pli_sweep;

// The value of an axis in a run.
const char* pli_sweep_value(const pli_sweep* sweep, int axis, int run);

// The last name of a key: "contact.friction" -> "friction".
const char* pli_sweep_last_name(const char* key);

// The table in the terminal.
void pli_sweep_print(const pli_sweep* sweep);
// sweep.csv, and a chart of each measure over the first axis. On failure prints why and returns
// false.
bool pli_sweep_write(const pli_sweep* sweep);

#endif
