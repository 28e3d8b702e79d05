// Output of a study: the table (terminal, study.md, study.csv) and the charts.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/study.h"
#include "base/file.h"
#include "render/chart.h"

static const char* const outcome_names[] = {
    [PLI_NOT_RUN] = "not run", [PLI_COMPLETE] = "",         [PLI_REFUSED] = "refused",
    [PLI_FAILED] = "failed",   [PLI_BLOWN_UP] = "blown up",
};

// ---- table

const char pli_study_head[] =
    "| scheme                |     h [s] |  steps | error [m] | order |   end [m] | drift [%] | "
    "high [%] | iterations | time [s] | failure  |\n"
    "|-----------------------|----------:|-------:|----------:|------:|----------:|----------:|"
    "---------:|-----------:|---------:|----------|\n";

// A number with `digits` digits ('e': with an exponent, 'f': with decimals); empty if unknown.
static const char* cell(char text[32], char style, int digits, double value) {
    const char format[] = {'%', '.', '*', style, '\0'};
    text[0] = '\0';
    if (isfinite(value)) snprintf(text, 32, format, digits, value);
    return text;
}

// Energies in percent of the scale.
static double part(const pli_study* study, const pli_trial* trial, double energy) {
    if (trial->outcome != PLI_COMPLETE) return NAN;
    return 100 * (energy - trial->energy_start) / study->energy_scale;
}

const char* pli_study_row(const pli_study* study, const pli_trial* t, char row[PLI_ROW_SIZE]) {
    char text[9][32];
    bool ran = t->outcome != PLI_REFUSED && t->outcome != PLI_NOT_RUN;
    snprintf(row, PLI_ROW_SIZE,
             "| %-21.21s | %9s | %6s | %9s | %5s | %9s | %9s | %8s | %10s | %8s | %-8s |\n",
             t->scheme, cell(text[0], 'g', 4, t->h), cell(text[1], 'f', 0, t->steps),
             cell(text[2], 'e', 2, t->error), cell(text[3], 'f', 2, t->order),
             cell(text[4], 'e', 2, t->end_error),
             cell(text[5], 'g', 3, part(study, t, t->energy_end)),
             cell(text[6], 'g', 3, part(study, t, t->energy_high)),
             cell(text[7], 'f', 0, ran ? (double)t->iterations : (double)NAN),
             cell(text[8], 'g', 3, ran ? t->seconds : (double)NAN), outcome_names[t->outcome]);
    return row;
}

const char* pli_trial_text(const pli_trial* trial, char text[96]) {
    snprintf(text, 96, "%s with h = %.4g s (%d steps)", trial->scheme, trial->h, trial->steps);
    return text;
}

// A refused scheme is listed once.
static bool listed(const pli_study* study, int scheme, int size) {
    return size == 0 || pli_study_trial(study, scheme, size)->outcome != PLI_REFUSED;
}

// ---- study.md

void pli_study_remarks(const pli_study* study, const char* heading, FILE* out) {
    for (int s = 0; s < study->scheme_count; ++s)
        for (int i = 0; i < study->size_count; ++i) {
            const pli_trial* t = pli_study_trial(study, s, i);
            const char* name = outcome_names[t->outcome];
            if ((!*name && !*t->remark) || !listed(study, s, i)) continue;
            char text[96], remark[sizeof t->remark];
            bool refused = t->outcome == PLI_REFUSED;
            fprintf(out, "%s- %s: %s%s%s\n", heading, refused ? t->scheme : pli_trial_text(t, text),
                    name, *name && *t->remark ? ", " : "",
                    pli_printable(t->remark, remark, sizeof remark));
            heading = "";
        }
}

static void write_page(const pli_study* study, FILE* out) {
    char text[96], path[1024], row[PLI_ROW_SIZE];
    fprintf(out, "# Study of %s\n\n", study->name);
    fprintf(out, "Scene `%s`, %d vertices, %.6g s.\n",
            pli_printable(study->options->argument, path, sizeof path), study->vertex_count,
            study->duration);
    fprintf(out, "The reference is %s; halving its step changed it by %.2g m.\n",
            pli_trial_text(&study->reference, text), study->reference_error);
    fprintf(out,
            "In it vertices move up to %.3g m, and one part of the energy changes by up to %.4g J: "
            "the scale.\n\n",
            study->motion, study->energy_scale);
    fprintf(out, "%s", pli_study_head);
    for (int s = 0; s < study->scheme_count; ++s)
        for (int i = 0; i < study->size_count; ++i)
            if (listed(study, s, i))
                fprintf(out, "%s", pli_study_row(study, pli_study_trial(study, s, i), row));
    fprintf(out,
            "\n- error: largest distance of any vertex from the reference at %d even times\n"
            "- order: log(e1 / e2) / log(h1 / h2), against the row above; omitted if an error is "
            "below three times that of the reference\n"
            "- end: root mean square over all vertices of that distance at the end\n"
            "- drift, high: stored energy at the end and at its highest, above the start, in "
            "percent of the scale\n"
            "- iterations: directions of the minimizer; Newton solves one linear system for each\n"
            "- time: within steps, without reading and writing\n"
            "- failed: a step did not converge, or gave non-finite numbers; blown up: the "
            "stored energy exceeded the highest of the reference by more than the scale\n",
            study->check_count);
    pli_study_remarks(study, "\n## Problems\n", out);
    fprintf(out, "\n![error over time step](error.svg)\n![energy over time](energy.svg)\n"
                 "![error over cost](cost.svg)\n");
}

// ---- study.csv

static void write_table(const pli_study* study, FILE* out) {
    fprintf(out, "scheme,time_step_s,steps,steps_done,result,error_m,end_error_m,order,"
                 "energy_start_J,energy_end_J,energy_high_J,iterations,not_converged,seconds\n");
    for (int i = 0; i < study->scheme_count * study->size_count; ++i) {
        const pli_trial* t = &study->trials[i];
        char text[3][32];
        const char* result = t->outcome == PLI_COMPLETE ? "complete" : outcome_names[t->outcome];
        fprintf(out, "%s,%.17g,%d,%d,%s,%s,%s,%s,%.9g,%.9g,%.9g,%lld,%d,%.6g\n", t->scheme, t->h,
                t->steps, t->done, result, cell(text[0], 'g', 9, t->error),
                cell(text[1], 'g', 9, t->end_error), cell(text[2], 'f', 4, t->order),
                t->energy_start, t->energy_end, t->energy_high, (long long)t->iterations,
                t->not_converged, t->seconds);
    }
}

// ---- charts

enum { NAME_SIZE = 48, PATH_SIZE = PLI_PATH_SIZE + 16 };

// One series per scheme, with room for its numbers, and one more.
typedef struct plotting {
    pli_series* series;
    double* numbers;
    char (*names)[NAME_SIZE];
    int count, room; // of series; of points in each
} plotting;

static bool begin_plot(plotting* plot, const pli_study* study) {
    size_t count = (size_t)study->scheme_count;
    int samples = PLI_TRIAL_SAMPLES + 1;
    *plot = (plotting){.room = study->size_count > samples ? study->size_count : samples};
    plot->series = calloc(count + 1, sizeof *plot->series);
    plot->numbers = calloc(2 * count * (size_t)plot->room, sizeof *plot->numbers);
    plot->names = calloc(count, sizeof *plot->names);
    return plot->series && plot->numbers && plot->names;
}

static void end_plot(plotting* plot) {
    free(plot->series);
    free(plot->numbers);
    free(plot->names);
}

// The order at the finest sizes that have one.
static double final_order(const pli_study* study, int scheme) {
    double order = NAN;
    for (int i = 0; i < study->size_count; ++i) {
        double here = pli_study_trial(study, scheme, i)->order;
        if (isfinite(here)) order = here;
    }
    return order;
}

// Adds a series. One without points is not in the legend but reserves its colour, so that a scheme
// has the same colour in all charts.
static void add_series(plotting* plot, const char* scheme, const char* more, int points,
                       bool marks) {
    int s = plot->count++;
    const double *x = plot->numbers + 2 * (size_t)s * (size_t)plot->room, *y = x + plot->room;
    bool brackets = *more != '\0';
    snprintf(plot->names[s], NAME_SIZE, "%s%s%s%s", scheme, brackets ? " (" : "", more,
             brackets ? ")" : "");
    plot->series[s] = (pli_series){points > 0 ? plot->names[s] : NULL, points, x, y, marks, false};
}

// The error over h, or over seconds.
static void add_errors(plotting* plot, const pli_study* study, bool over_seconds) {
    for (int s = 0; s < study->scheme_count; ++s) {
        double *x = plot->numbers + 2 * (size_t)s * (size_t)plot->room, *y = x + plot->room;
        bool any = false;
        for (int i = 0; i < study->size_count; ++i) {
            const pli_trial* t = pli_study_trial(study, s, i);
            x[i] = over_seconds ? t->seconds : t->h;
            y[i] = t->error;
            any |= isfinite(t->error);
        }
        char order[32] = "";
        if (!over_seconds) cell(order, 'f', 1, final_order(study, s));
        add_series(plot, study->schemes[s], order, any ? study->size_count : 0, true);
    }
}

// Top of the energy chart: the maximum of all complete runs.
static double energy_top(const pli_study* study) {
    double top = 0.3 * study->energy_scale;
    for (int s = 0; s < study->scheme_count; ++s) {
        const pli_trial* t = pli_study_trial(study, s, 0);
        if (t->outcome == PLI_COMPLETE) top = fmax(top, t->energy_high - t->energy_start);
    }
    return fmax(top, study->reference.energy_high - study->reference.energy_start);
}

// Copies the samples up to the top. Returns their number.
static int cut_samples(const pli_trial* t, double top, double* x, double* y) {
    int i = 0;
    for (; i < t->sample_count && t->energies[i] <= top; ++i) {
        x[i] = t->times[i];
        y[i] = t->energies[i];
    }
    if (i == 0 || i == t->sample_count) return i;
    double way = isfinite(t->energies[i]) ? (top - y[i - 1]) / (t->energies[i] - y[i - 1]) : 0;
    x[i] = x[i - 1] + way * (t->times[i] - x[i - 1]);
    y[i] = top;
    return i + 1;
}

// The energy over time of each scheme at the largest step, and of the reference.
static void add_energies(plotting* plot, const pli_study* study) {
    double top = energy_top(study);
    for (int s = 0; s < study->scheme_count; ++s) {
        const pli_trial* t = pli_study_trial(study, s, 0);
        double* x = plot->numbers + 2 * (size_t)s * (size_t)plot->room;
        int count = cut_samples(t, top, x, x + plot->room);
        add_series(plot, study->schemes[s], outcome_names[t->outcome], count, false);
    }
    const pli_trial* r = &study->reference;
    plot->series[plot->count++] =
        (pli_series){"reference", r->sample_count, r->times, r->energies, false, true};
}

static bool written(pli_status status, const pli_error* error) {
    if (status != PLI_OK) pli_complain("%s", error->message);
    return status == PLI_OK;
}

static void path_of(const pli_study* study, const char* name, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/%s", study->folder, name);
}

typedef struct picture {
    const char* file;
    bool energies, over_seconds; // energies, or errors over seconds or step size
    const char *title, *x_label, *y_label;
} picture;

static const picture pictures[] = {
    {"error.svg", false, false, "error over step size (order)", "time step [s]", "error [m]"},
    {"energy.svg", true, false, "energy", "time [s]", "stored energy, from the start [J]"},
    {"cost.svg", false, true, "error over cost", "time within steps [s]", "error [m]"},
};

static bool write_picture(const pli_study* study, const picture* p) {
    plotting plot;
    bool good = begin_plot(&plot, study);
    if (good) {
        if (p->energies)
            add_energies(&plot, study);
        else
            add_errors(&plot, study, p->over_seconds);
        char title[PLI_SHOWN_SIZE + 80], path[PATH_SIZE];
        int n = snprintf(title, sizeof title, "%s: %s", study->name, p->title);
        if (p->energies)
            snprintf(title + n, sizeof title - (size_t)n, " with h = %.4g s", study->trials->h);
        pli_chart_def def = pli_default_chart_def();
        def.title = title;
        def.x_label = p->x_label;
        def.y_label = p->y_label;
        def.log_x = def.log_y = !p->energies;
        def.series = plot.series;
        def.series_count = plot.count;
        def.width = 760;
        pli_error error = {0};
        path_of(study, p->file, path);
        good = written(pli_chart_write(&def, path, &error), &error);
    } else {
        pli_complain("out of memory");
    }
    end_plot(&plot);
    return good;
}

// ---- all

typedef void write_fn(const pli_study* study, FILE* out);

static bool write_text(const pli_study* study, const char* name, write_fn* write) {
    char path[PATH_SIZE];
    char* text = NULL;
    size_t size = 0;
    pli_error error = {0};
    FILE* out = open_memstream(&text, &size);
    if (out) write(study, out);
    bool good = out && fclose(out) == 0;
    if (!good) pli_complain("out of memory");
    path_of(study, name, path);
    good = good && written(pli_write_text(path, text, &error), &error);
    free(text);
    return good;
}

bool pli_study_write(const pli_study* study) {
    bool good = write_text(study, "study.md", write_page);
    good = write_text(study, "study.csv", write_table) && good;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; ++i)
        good = write_picture(study, &pictures[i]) && good;
    return good;
}
