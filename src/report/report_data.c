// Reads stats.jsonl and run.json for a report. Each step is read once and added to the sums; memory
// does not grow with their number.
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "pliant/world.h"
#include "result/result.h"
#include "result/stats_reader.h"

const pli_report_name pli_report_phases[PLI_REPORT_PHASES] = {
    {"gradient", "gradient"},        {"hessian", "hessian"},         {"assembly", "assembly"},
    {"symbolic", "symbolic factor"}, {"numeric", "numeric factor"},  {"solve", "solve"},
    {"collision", "collision"},      {"line_search", "line search"},
};

const pli_report_name pli_report_flows[PLI_REPORT_FLOWS] = {
    {"kinetic", "into motion"},
    {"potential", "into stored energy"},
    {"dissipated", "dissipated by energies of the scene"},
    {"numerical", "dissipated by the time scheme"},
    {"work_prescribed", "work of prescribed motion"},
    {"work_loads", "work of loads"},
    {"stiffening", "added by stiffer contact"},
    {"changes", "added by changes of the world"},
    {"residual", "residual of the minimizer"},
};

// 0 if missing.
static double number(const json_t* object, const char* key) {
    return json_number_value(json_object_get(object, key));
}

// As a count; 0 if it is not one, in a damaged file.
static int whole(double value) { return value > 0 && value < 2e9 ? (int)value : 0; }

static void take_energies(pli_report_data* d, json_t* energies, double* row) {
    const char* name;
    json_t* value;
    if (d->steps == 0) {
        json_object_foreach(energies, name, value) {
            if (d->energy_count < PLI_REPORT_ENERGIES)
                pli_format(d->energies[d->energy_count++], PLI_REPORT_NAME_SIZE, "%s", name);
        }
    }
    for (int i = 0; i < PLI_REPORT_ENERGIES; ++i)
        row[PLI_REPORT_COLUMNS + i] = i < d->energy_count ? number(energies, d->energies[i]) : 0;
}

static void take_reason(pli_report_data* d, const json_t* record) {
    const char* reason = json_string_value(json_object_get(record, "reason"));
    if (!reason || strcmp(reason, pli_reason_text(PLI_CONVERGED)) == 0) return;
    bool blocked = strcmp(reason, pli_reason_text(PLI_BLOCKED)) == 0;
    *(blocked ? &d->blocked : &d->not_converged) += 1;
    if (d->trouble_count == PLI_REPORT_TROUBLES) return;
    const char* remedy = json_string_value(json_object_get(record, "remedy"));
    pli_report_trouble* t = &d->troubles[d->trouble_count++];
    t->step = whole(number(record, "step"));
    t->time = number(record, "time");
    pli_format(t->reason, sizeof t->reason, "%s", reason);
    pli_format(t->remedy, sizeof t->remedy, "%s", remedy ? remedy : "");
}

static void take_sums(pli_report_data* d, const json_t* record, const double* row) {
    const json_t* seconds = json_object_get(record, "seconds");
    const json_t* balance = json_object_get(record, "balance");
    int iterations = whole(row[PLI_REPORT_ITERATIONS]), contacts = whole(row[PLI_REPORT_CONTACTS]);
    double distance = number(record, "min_distance");
    d->time = row[PLI_REPORT_TIME];
    d->iterations += iterations;
    d->most_iterations = pli_max_int(d->most_iterations, iterations);
    d->divided += number(record, "substeps") > 1;
    if (contacts > 0)
        d->min_distance = d->most_contacts > 0 ? fmin(d->min_distance, distance) : distance;
    d->most_contacts = pli_max_int(d->most_contacts, contacts);
    d->seconds += row[PLI_REPORT_SECONDS];
    for (int i = 0; i < PLI_REPORT_PHASES; ++i)
        d->phases[i] += number(seconds, pli_report_phases[i].key);
    for (int i = 0; i < PLI_REPORT_FLOWS; ++i)
        d->flows[i] += number(balance, pli_report_flows[i].key);
}

static pli_status take_record(pli_report_data* d, const json_t* record, pli_error* error) {
    void* slot;
    PLI_TRY(pli_sampler_add(&d->samples, &slot, error));
    double* row = slot;
    row[PLI_REPORT_TIME] = number(record, "time");
    row[PLI_REPORT_ITERATIONS] = number(record, "iterations");
    row[PLI_REPORT_RESIDUAL] = number(record, "residual");
    row[PLI_REPORT_SECONDS] = number(json_object_get(record, "seconds"), "total");
    row[PLI_REPORT_CONTACTS] = number(record, "contact_count");
    row[PLI_REPORT_TOTAL] = number(record, "total");
    take_energies(d, json_object_get(record, "energies"), row);
    take_sums(d, record, row);
    take_reason(d, record);
    pli_report_take_forces(d, record);
    d->last_step = whole(number(record, "step"));
    d->steps++;
    return PLI_OK;
}

// Reports the progress of reading from time to time.
static bool go_on(const pli_stats_reader* lines, const pli_report_def* def, pli_report_info* info) {
    enum { EVERY = 256 };
    if (!def->progress || lines->number % EVERY != 0 || lines->size <= 0) return true;
    pli_export_progress now = {.done = fmin((double)lines->given / (double)lines->size, 1),
                               .path = info->path};
    info->cancelled = !def->progress(def->context, &now);
    return !info->cancelled;
}

static pli_status read_records(pli_report_data* d, const pli_report_def* def, pli_report_info* info,
                               pli_error* error) {
    pli_stats_reader lines;
    json_t* record = NULL;
    PLI_TRY(pli_stats_reader_open(&lines, d->memory, def->folder, error));
    pli_status status = pli_stats_reader_record(&lines, &record, error);
    while (status == PLI_OK && record && go_on(&lines, def, info)) {
        status = take_record(d, record, error);
        json_decref(record);
        record = NULL;
        if (status == PLI_OK) status = pli_stats_reader_record(&lines, &record, error);
    }
    json_decref(record);
    pli_stats_reader_close(&lines);
    return status;
}

pli_status pli_report_read(pli_report_data* d, pli_memory* memory, const pli_report_def* def,
                           pli_report_info* info, pli_error* error) {
    *d = (pli_report_data){.memory = memory};
    pli_sampler_init(&d->samples, memory, PLI_REPORT_WIDTH * sizeof(double), PLI_REPORT_SAMPLES);
    PLI_TRY(read_records(d, def, info, error));
    PLI_TRY(pli_report_find_stress(d, def->folder, error));
    return pli_run_info_load(memory, def->folder, &d->info, error);
}

void pli_report_free(pli_report_data* d) {
    pli_sampler_free(&d->samples);
    json_decref(d->info);
}
