// The data of a report: sums over all steps, and a bounded sample of them for plots.
#ifndef PLI_REPORT_REPORT_H
#define PLI_REPORT_REPORT_H

#include <jansson.h>

#include "base/sampler.h"
#include "pliant/report.h"

enum {
    PLI_REPORT_ENERGIES = 24,
    PLI_REPORT_NAME_SIZE = 64,
    PLI_REPORT_PHASES = 8,
    PLI_REPORT_FLOWS = 9,
    PLI_REPORT_TROUBLES = 10,
    PLI_REPORT_SAMPLES = 4000, // at most
    PLI_REPORT_FORCES = 40,    // supports, and pairs of bodies
};

// Numbers of a step that are plotted; energies follow them.
typedef enum pli_report_column {
    PLI_REPORT_TIME,       // [s]
    PLI_REPORT_ITERATIONS, // this and the following: pli_step_info
    PLI_REPORT_RESIDUAL,
    PLI_REPORT_SECONDS,
    PLI_REPORT_CONTACTS,
    PLI_REPORT_TOTAL, // energy [J]
    PLI_REPORT_COLUMNS
} pli_report_column;
enum { PLI_REPORT_WIDTH = PLI_REPORT_COLUMNS + PLI_REPORT_ENERGIES };

// A step that did not converge.
typedef struct pli_report_trouble {
    int step;
    double time; // [s]
    char reason[96], remedy[256];
} pli_report_trouble;

// A support (its body and kind) or two bodies in contact, in the order of the first step with them.
typedef struct pli_report_force {
    char a[PLI_REPORT_NAME_SIZE], b[PLI_REPORT_NAME_SIZE];
    int last_step;              // with it
    double force[3], torque[3]; // then; on the body, of contacts on `a` with friction [N], [N m]
    double most, most_time;     // the largest force and when [N], [s]
} pli_report_force;
typedef struct pli_report_forces {
    int count;
    bool missed; // there were more
    pli_report_force rows[PLI_REPORT_FORCES];
} pli_report_forces;

// The largest von Mises stress of the last frame, as vertices show it; value 0: not recorded.
typedef struct pli_report_stress {
    double value, time, at[3]; // [Pa], [s], [m]
    char body[PLI_REPORT_NAME_SIZE];
} pli_report_stress;

typedef struct pli_report_data {
    pli_memory* memory;
    json_t* info; // run.json; NULL: there is none
    int steps;    // records
    double time;  // at the end [s]
    int64_t iterations;
    int most_iterations, divided, blocked, not_converged, most_contacts;
    double min_distance; // of all contacts, if there were any [m]
    double seconds;      // within steps
    double phases[PLI_REPORT_PHASES];
    double flows[PLI_REPORT_FLOWS]; // balance of energy over all steps [J]
    int energy_count;
    char energies[PLI_REPORT_ENERGIES][PLI_REPORT_NAME_SIZE]; // from the first record
    pli_sampler samples;                                      // PLI_REPORT_WIDTH doubles each
    int trouble_count;
    pli_report_trouble troubles[PLI_REPORT_TROUBLES]; // the first ones
    int last_step;
    pli_report_forces supports, contacts;
    pli_report_stress stress;
} pli_report_data;

void pli_report_take_forces(pli_report_data* data, const json_t* record);
pli_status pli_report_find_stress(pli_report_data* data, const char* folder, pli_error* error);

// Keys of "seconds" and of "balance", with their labels.
typedef struct pli_report_name {
    const char *key, *text;
} pli_report_name;
extern const pli_report_name pli_report_phases[PLI_REPORT_PHASES];
extern const pli_report_name pli_report_flows[PLI_REPORT_FLOWS];

// info->path is a label for progress; info->cancelled: not everything was read.
pli_status pli_report_read(pli_report_data* data, pli_memory* memory, const pli_report_def* def,
                           pli_report_info* info, pli_error* error);
void pli_report_free(pli_report_data* data); // zeroed is valid

#endif
