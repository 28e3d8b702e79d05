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
} pli_report_data;

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
