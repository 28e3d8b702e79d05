// Output of a sweep: the table (terminal, sweep.csv) and a chart of each measure.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/sweep.h"
#include "base/file.h"
#include "render/chart.h"

static const char* column(const pli_sweep* sweep, int i) {
    int a = sweep->axis_count;
    return i < a ? sweep->axes[i].key : sweep->options->measures[i - a];
}

static const char* cell(const pli_sweep* sweep, int run, int i, char text[32]) {
    int a = sweep->axis_count;
    if (i < a) return pli_sweep_value(sweep, i, run);
    double value = sweep->runs[run].measures[i - a];
    text[0] = '\0';
    if (isfinite(value)) snprintf(text, 32, "%.6g", value);
    return text;
}

// ---- terminal

static int width_of(const pli_sweep* sweep, int i) {
    size_t width = strlen(column(sweep, i));
    char text[32];
    for (int r = 0; r < sweep->run_count; ++r) {
        size_t length = strlen(cell(sweep, r, i, text));
        if (length > width) width = length;
    }
    return (int)width;
}

void pli_sweep_print(const pli_sweep* sweep) {
    int columns = sweep->axis_count + sweep->options->measure_count;
    char shown[PLI_SWEEP_KEY + 96], text[32];
    for (int i = 0; i < columns; ++i)
        printf("%s%*s", i > 0 ? "  " : "", width_of(sweep, i),
               pli_printable(column(sweep, i), shown, sizeof shown));
    printf("\n");
    for (int r = 0; r < sweep->run_count; ++r) {
        for (int i = 0; i < columns; ++i)
            printf("%s%*s", i > 0 ? "  " : "", width_of(sweep, i),
                   pli_printable(cell(sweep, r, i, text), shown, sizeof shown));
        printf("%s%s\n", *sweep->runs[r].remark ? "  " : "", sweep->runs[r].remark);
    }
}

// ---- sweep.csv

// As RFC 4180 wants it: in quotes where needed.
static void write_cell(FILE* out, const char* text, bool last) {
    if (strpbrk(text, ",\"\r\n")) {
        fputc('"', out);
        for (; *text; ++text) fputs(*text == '"' ? "\"\"" : (const char[2]){*text, '\0'}, out);
        fputc('"', out);
    } else {
        fputs(text, out);
    }
    fputc(last ? '\n' : ',', out);
}

static void write_table(const pli_sweep* sweep, FILE* out) {
    int columns = sweep->axis_count + sweep->options->measure_count;
    for (int i = 0; i < columns; ++i) write_cell(out, column(sweep, i), false);
    fputs("folder,problem\n", out);
    for (int r = 0; r < sweep->run_count; ++r) {
        const pli_sweep_run* run = &sweep->runs[r];
        for (int i = 0; i < columns; ++i) {
            char number[PLI_NUMBER_SIZE] = "", text[32];
            double value =
                i < sweep->axis_count ? (double)NAN : run->measures[i - sweep->axis_count];
            if (isfinite(value)) pli_format_double(value, number);
            write_cell(out, *number ? number : cell(sweep, r, i, text), false);
        }
        write_cell(out, run->name, false);
        write_cell(out, run->started ? run->remark : "not run", true);
    }
}

static bool written(pli_status status, const pli_error* error) {
    return status == PLI_OK || pli_complain("%s", error->message);
}

static bool write_csv(const pli_sweep* sweep) {
    char path[PLI_PATH_SIZE + 16];
    char* text = NULL;
    size_t size = 0;
    pli_error error = {0};
    FILE* out = open_memstream(&text, &size);
    if (out) write_table(sweep, out);
    bool good = out && fclose(out) == 0;
    if (!good) pli_complain("out of memory");
    snprintf(path, sizeof path, "%s/sweep.csv", sweep->folder);
    good = good && written(pli_write_text(path, text, &error), &error);
    free(text);
    return good;
}

// ---- charts

// The values of the first axis as numbers; false: some are words.
static bool first_numbers(const pli_sweep* sweep, double* x) {
    for (int i = 0; i < sweep->axes[0].count; ++i) {
        char* end;
        x[i] = strtod(sweep->axes[0].values[i], &end);
        if (*end || !isfinite(x[i])) return false;
    }
    return true;
}

enum { CURVE_NAME = 96, CURVES_MOST = 12 };

// "density = 500, young = 1e4": the values of the other axes in a run.
static void name_curve(const pli_sweep* sweep, int run, char name[CURVE_NAME]) {
    name[0] = '\0';
    for (int a = 1; a < sweep->axis_count; ++a) {
        size_t used = strlen(name);
        pli_format(name + used, CURVE_NAME - used, "%s%s = %s", a > 1 ? ", " : "",
                   pli_sweep_last_name(sweep->axes[a].key), pli_sweep_value(sweep, a, run));
    }
}

// Runs of one curve are `curves` apart.
static bool write_chart(const pli_sweep* sweep, int measure, const double* x, double* y) {
    int points = sweep->axes[0].count, curves = sweep->run_count / points;
    pli_series series[CURVES_MOST];
    char names[CURVES_MOST][CURVE_NAME], path[PLI_PATH_SIZE + 32];
    for (int c = 0; c < curves && c < CURVES_MOST; ++c) {
        double* values = y + (ptrdiff_t)c * points;
        for (int i = 0; i < points; ++i) values[i] = sweep->runs[i * curves + c].measures[measure];
        name_curve(sweep, c, names[c]);
        series[c] =
            (pli_series){.name = names[c], .count = points, .x = x, .y = values, .marks = true};
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = sweep->name;
    def.x_label = sweep->axes[0].key;
    def.y_label = sweep->options->measures[measure];
    def.series = series;
    def.series_count = curves < CURVES_MOST ? curves : CURVES_MOST;
    char number[16] = "";
    pli_error error = {0};
    if (measure > 0) snprintf(number, sizeof number, "-%d", measure + 1);
    snprintf(path, sizeof path, "%s/sweep%s.svg", sweep->folder, number);
    return written(pli_chart_write(&def, path, &error), &error);
}

static bool write_charts(const pli_sweep* sweep) {
    size_t count = (size_t)sweep->axes[0].count;
    double* x = malloc((count + (size_t)sweep->run_count) * sizeof *x);
    if (!x) return pli_complain("out of memory");
    bool good = true;
    if (first_numbers(sweep, x))
        for (int m = 0; m < sweep->options->measure_count; ++m)
            good = write_chart(sweep, m, x, x + count) && good;
    else if (!sweep->options->quiet)
        printf("no chart: the values of %s are not numbers\n", sweep->axes[0].key);
    free(x);
    return good;
}

bool pli_sweep_write(const pli_sweep* sweep) {
    bool good = write_csv(sweep);
    return write_charts(sweep) && good;
}
