// Runs every problem with a known answer at all its resolutions, writes README.md with a table per
// family and the pictures, and ends with how many are within tolerance. usage: pliant_validate
// FOLDER [SECTION]; exit code 1 if a problem fails, 2 if the report cannot be written. With
// a section ("H3", or "H" for all that begin with it) the report has no others.
#include "render/chart.h"
#include "validation/report/report.h"

#include <stdio.h>
#include <stdlib.h>

static const part* const parts[] = {
    &pli_problems_schemes, &pli_problems_motion, &pli_problems_materials, &pli_problems_bars,
    &pli_problems_shapes,  &pli_problems_plates, &pli_problems_sze,       &pli_problems_shells,
    &pli_problems_modes,   &pli_problems_rods,   &pli_problems_contact,   &pli_problems_friction,
    &pli_problems_rigid,   &pli_problems_joints};

enum { MAX_ROWS = 32, PATH_SIZE = 1024 };

typedef struct report {
    const char* folder;
    FILE* file;
    int passed, count;
} report;

// What rounding leaves is not the same on every machine: it is not shown.
static const char* error_text(double error, char buffer[32]) {
    if (error < 1e-12)
        snprintf(buffer, 32, "< 1e-12");
    else
        snprintf(buffer, 32, "%.2g", error);
    return buffer;
}

static void write_row(const report* r, const family* f, const problem* row, const verdict* v) {
    char text[32];
    if (v->count == 0) {
        fprintf(r->file, "| %s | - | - | - | - |%s%s | **no**: %s |\n", row->name,
                f->axis ? " - | - | - |" : "", f->curves ? " - | - |" : "", v->message);
        return;
    }
    const outcome* last = &v->at[v->count - 1];
    bool tiny = fabs(last->computed) < 1e-9 && last->exact == 0;
    fprintf(r->file, "| %s | ", row->name);
    if (tiny)
        fprintf(r->file, "%s", error_text(fabs(last->computed), text));
    else
        fprintf(r->file, "%.7g", last->computed);
    fprintf(r->file, " | %.7g | %s | %.2g |", last->exact, error_text(last->error, text),
            v->tolerance);
    if (f->axis) {
        fprintf(r->file, " %g | ", row->resolution[v->count - 1]);
        for (int i = 0; i < v->count - 1; ++i)
            fprintf(r->file, "%s%s", i ? ", " : "", error_text(v->at[i].error, text));
        if (row->order > 0)
            fprintf(r->file, " | %.2f (%g) |", v->order, row->order);
        else
            fprintf(r->file, " | - |");
    }
    if (f->curves)
        fprintf(r->file, " %s |", error_text(last->largest, text)),
            fprintf(r->file, " %s |", error_text(last->mean, text));
    fprintf(r->file, v->pass ? " yes |\n" : " **no**: %s |\n", v->message);
}

// Error, or computed over exact, of all rows of the family over the resolution.
static pli_status draw_family(const family* f, const verdict* v, const char* path,
                              pli_error* error) {
    double y[MAX_ROWS][PLI_RESOLUTIONS];
    pli_series series[MAX_ROWS + 1] = {0};
    for (int i = 0; i < f->count; ++i) {
        for (int k = 0; k < v[i].count; ++k)
            y[i][k] = f->ratio ? v[i].at[k].computed / v[i].at[k].exact : v[i].at[k].error;
        series[i] = (pli_series){.name = f->rows[i].name,
                                 .count = v[i].count,
                                 .x = f->rows[i].resolution,
                                 .y = y[i],
                                 .marks = true};
    }
    double ends[2] = {HUGE_VAL, 0}, one[2] = {1, 1};
    for (int i = 0; i < f->count; ++i)
        for (int k = 0; k < v[i].count; ++k) {
            ends[0] = fmin(ends[0], f->rows[i].resolution[k]);
            ends[1] = fmax(ends[1], f->rows[i].resolution[k]);
        }
    series[f->count] =
        (pli_series){.name = "exact", .count = 2, .x = ends, .y = one, .dashed = true};
    pli_chart_def def = pli_default_chart_def();
    def.title = f->title;
    def.x_label = f->axis;
    def.y_label = f->ratio ? "computed / exact" : "error";
    def.log_x = true;
    def.log_y = !f->ratio;
    def.series = series;
    def.series_count = f->count + f->ratio;
    return pli_chart_write(&def, path, error);
}

// A curve with dots beside its reference.
static pli_status draw_track(const char* title, const track* k, const char* path,
                             pli_error* error) {
    pli_series series[2 * PLI_TRACK_LINES] = {0};
    for (int l = 0; l < k->lines; ++l) {
        series[l] = (pli_series){
            .name = k->names[l], .count = k->count, .x = k->x, .y = k->y[l], .marks = true};
        series[k->lines + l] = (pli_series){.name = l == 0 ? "reference" : "",
                                            .count = k->count,
                                            .x = k->x,
                                            .y = k->exact[l],
                                            .dashed = true};
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = title;
    def.x_label = k->x_label;
    def.y_label = k->y_label;
    def.series = series;
    def.series_count = 2 * k->lines;
    return pli_chart_write(&def, path, error);
}

// One for each row with a curve, at its finest resolution.
static pli_status draw_tracks(const report* r, const family* f, const verdict* v, char* path,
                              pli_error* error) {
    for (int i = 0; i < f->count; ++i) {
        const problem* row = &f->rows[i];
        const track* k = v[i].count > 0 ? &v[i].at[v[i].count - 1].curve : NULL;
        char title[128];
        if (!row->picture || !k || k->count == 0) continue;
        snprintf(title, sizeof title, "%s: %s", f->title, row->name);
        snprintf(path, PATH_SIZE, "%s/%s.svg", r->folder, row->picture);
        TRY(draw_track(title, k, path, error));
        fprintf(r->file, "\n![%s](%s.svg)\n", title, row->picture);
    }
    return PLI_OK;
}

static pli_status write_pictures(const report* r, const family* f, const verdict* v) {
    char path[PATH_SIZE];
    trial t;
    pli_trial_init(&t);
    pli_status status = PLI_OK;
    if (f->picture) {
        snprintf(path, sizeof path, "%s/%s.svg", r->folder, f->picture);
        status = draw_family(f, v, path, &t.error);
        fprintf(r->file, "\n![%s](%s.svg)\n", f->title, f->picture);
    }
    if (status == PLI_OK) status = draw_tracks(r, f, v, path, &t.error);
    for (int i = 0; i < pli_curve_count && status == PLI_OK; ++i) {
        const curve* c = &pli_curves[i];
        if (strcmp(c->family, f->title) != 0) continue;
        snprintf(path, sizeof path, "%s/%s.svg", r->folder, c->picture);
        status = c->draw(c, path, &t);
        fprintf(r->file, "\n![%s](%s.svg)\n", c->caption, c->picture);
    }
    if (status != PLI_OK) fprintf(stderr, "pliant_validate: %s: %s\n", path, t.error.message);
    pli_trial_close(&t);
    return status;
}

static pli_status write_family(report* r, const family* f) {
    verdict* v = calloc((size_t)f->count, sizeof *v);
    if (!v || f->count > MAX_ROWS) return free(v), PLI_E_MEMORY;
    fprintf(r->file, "\n### %s: %s\n\n%s\n\n", f->section, f->title, f->about);
    fprintf(r->file, "| problem | %s%s%s%s | %s | error | tolerance |%s%s within |\n", f->quantity,
            f->unit[0] ? " [" : "", f->unit, f->unit[0] ? "]" : "",
            f->curves ? "reference" : "exact",
            f->axis ? " finest | errors before | order (expected) |" : "",
            f->curves ? " largest deviation | mean |" : "");
    fprintf(r->file, "|---|---|---|---|---|%s%s---|\n", f->axis ? "---|---|---|" : "",
            f->curves ? "---|---|" : "");
    int passed = 0;
    for (int i = 0; i < f->count; ++i) {
        pli_problem_judge(&f->rows[i], pli_problem_resolutions(&f->rows[i]), &v[i]);
        write_row(r, f, &f->rows[i], &v[i]);
        if (!v[i].pass) printf("    %s: %s\n", f->rows[i].name, v[i].message);
        passed += v[i].pass;
    }
    if (f->axis) fprintf(r->file, "\nResolution: %s.\n", f->axis);
    pli_status status = write_pictures(r, f, v);
    printf("%-4s %-36s %d of %d\n", f->section, f->title, passed, f->count);
    fflush(stdout);
    r->passed += passed;
    r->count += f->count;
    free(v);
    return status;
}

static const char head[] =
    "# Validation\n\n"
    "Problems with known answers, as `make validate` computes them; this page and its pictures are "
    "written by that command. The tests run the same table (`tests/validation/`) at coarser "
    "resolutions.\n\n"
    "*error*: relative to the exact value (absolute where that is 0), unless the text says "
    "otherwise; errors below 1e-12 are rounding. *order*: the slope of the error between the two "
    "finest resolutions, with the expected one in parentheses. The tolerance holds at the finest "
    "resolution.\n";

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3)
        return fprintf(stderr, "usage: pliant_validate FOLDER [SECTION]\n"), 2;
    const char* section = argc == 3 ? argv[2] : "";
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/README.md", argv[1]);
    report r = {.folder = argv[1], .file = fopen(path, "w")};
    if (!r.file) return fprintf(stderr, "pliant_validate: cannot write %s\n", path), 2;
    fputs(head, r.file);
    pli_status status = PLI_OK;
    for (int p = 0; p < PLI_COUNT(parts) && status == PLI_OK; ++p) {
        fprintf(r.file, "\n## %s\n", parts[p]->title);
        for (int i = 0; i < parts[p]->count && status == PLI_OK; ++i)
            if (strncmp(parts[p]->families[i].section, section, strlen(section)) == 0)
                status = write_family(&r, &parts[p]->families[i]);
    }
    fprintf(r.file, "\n**%d of %d problems within tolerance.**\n", r.passed, r.count);
    bool written = fclose(r.file) == 0 && status == PLI_OK;
    printf("%d of %d problems within tolerance\n", r.passed, r.count);
    return !written ? 2 : r.passed < r.count;
}
