// The page of a report: HTML that is also XML, with charts as inline SVG. The film strip is an
// <img>, so that nothing in its file can act on the page.
#define _POSIX_C_SOURCE 200809L // access
#include "report/report.h"
#include "result/result.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/def.h"
#include "base/file.h"
#include "render/axes.h"

enum { PICTURE_LIMIT = 256 << 20, BODIES_SHOWN = 40, CHART_WIDTH = 560, CHART_HEIGHT = 320 };

void pli_report_def_init(pli_report_def* out) {
    const pli_report_def def = {0};
    PLI_GIVE_DEF(def, out);
}

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;color:#1f2933;background:#fff;margin:2em auto;"
    "max-width:1180px;padding:0 1em}\n"
    "h1{margin-bottom:0}h2{margin-top:1.6em;font-size:1.2em}\n"
    ".said{color:#5f6b7a;margin-top:.2em}\n"
    ".row{display:flex;flex-wrap:wrap;gap:1em 2.5em;align-items:flex-start}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26em),1fr));"
    "gap:1em 1.5em;align-items:start}\n"
    "img,svg{max-width:100%;height:auto}.plots svg{width:100%}\n"
    "table{border-collapse:collapse}th,td{padding:.2em .9em .2em 0;text-align:left;"
    "border-bottom:1px solid #dfe3e8;font-weight:normal;overflow-wrap:anywhere}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}thead "
    "th{color:#5f6b7a}\n"
    "@page{size:A4;margin:14mm}@media print{body{margin:0;font-size:11px;max-width:none}"
    "h2{break-after:avoid}img,svg,tr,.row div{break-inside:avoid}.plots{grid-template-columns:1fr "
    "1fr}}\n";

typedef struct page {
    pli_file* file;
    const pli_report_data* data;
    double* columns; // of all samples, concatenated
} page;

// ---- pieces

static void heading(page* p, const char* text) {
    pli_file_text(p->file, "<h2>");
    pli_file_xml(p->file, text);
    pli_file_text(p->file, "</h2>\n");
}

static void cell(page* p, const char* text) {
    pli_file_text(p->file, "<td>");
    pli_file_xml(p->file, text);
    pli_file_text(p->file, "</td>");
}

static void number_cell(page* p, const char* format, double value) {
    char text[64];
    pli_file_text(p->file, "<td class=\"n\">");
    pli_format(text, sizeof text, "%.6g", value);
    PLI_FILE_PRINT(p->file, format, text);
    pli_file_text(p->file, "</td>");
}

// A row of two cells; the second is formatted by printf.
#define FACT(p, name, ...)                                                                         \
    do {                                                                                           \
        char fact_text[256];                                                                       \
        pli_format(fact_text, sizeof fact_text, __VA_ARGS__);                                      \
        write_fact((p), (name), fact_text);                                                        \
    } while (0)

static void write_fact(page* p, const char* name, const char* text) {
    pli_file_text(p->file, "<tr>");
    cell(p, name);
    cell(p, text);
    pli_file_text(p->file, "</tr>\n");
}

// ---- facts

static const char* title_of(const pli_report_data* d, const char* folder) {
    const char* title = json_string_value(json_object_get(d->info, "title"));
    return title && *title ? title : folder;
}

static void write_head(page* p, const char* folder) {
    pli_file_text(p->file, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
                           "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
    pli_file_xml(p->file, title_of(p->data, folder));
    pli_file_text(p->file, "</title>\n<style>\n");
    pli_file_text(p->file, style);
    pli_file_text(p->file, "</style></head>\n<body>\n<h1>");
    pli_file_xml(p->file, title_of(p->data, folder));
    pli_file_text(p->file, "</h1>\n<p class=\"said\">");
    const char* version = json_string_value(json_object_get(p->data->info, "pliant"));
    if (version) {
        pli_file_text(p->file, "Pliant ");
        pli_file_xml(p->file, version);
        pli_file_text(p->file, ", ");
    }
    pli_file_text(p->file, "folder ");
    pli_file_xml(p->file, folder);
    pli_file_text(p->file, "</p>\n");
}

// preview.svg, if there is one.
static pli_status write_picture(page* p, const char* folder, pli_error* error) {
    char path[PLI_PATH_SIZE + 16];
    char* text = NULL;
    size_t size = 0;
    pli_format(path, sizeof path, "%s/preview.svg", folder);
    if (access(path, F_OK) != 0) return PLI_OK;
    PLI_TRY(pli_read_file(p->data->memory, path, PICTURE_LIMIT, &text, &size, error));
    pli_file_text(p->file, "<p><img alt=\"The run in pictures, and its energies\" "
                           "src=\"data:image/svg+xml;base64,");
    pli_base64 out = {.file = p->file};
    pli_base64_write(&out, text, size - 1);
    pli_base64_end(&out);
    pli_file_text(p->file, "\"/></p>\n");
    PLI_FREE(p->data->memory, text, size);
    return PLI_OK;
}

static void write_summary(page* p) {
    const pli_report_data* d = p->data;
    heading(p, "The run");
    pli_file_text(p->file, "<table><tbody>\n");
    if (d->info) {
        int last = pli_run_info_epoch_count(d->info) - 1;
        char changes[64] = "";
        if (last > 0) pli_format(changes, sizeof changes, "; they changed %d times", last);
        FACT(p, "bodies", "%zu%s, in %lld dimensions%s",
             json_array_size(json_object_get(pli_run_info_epoch(d->info, last), "bodies")),
             last > 0 ? " at the end" : "",
             (long long)json_integer_value(json_object_get(d->info, "dimension")), changes);
    }
    FACT(p, "steps", "%d, t = %.6g s", d->steps, d->time);
    FACT(p, "iterations", "%lld, %.2f per step, at most %d", (long long)d->iterations,
         d->steps > 0 ? (double)d->iterations / d->steps : 0.0, d->most_iterations);
    if (d->divided > 0) FACT(p, "divided", "%d steps", d->divided);
    if (d->not_converged > 0) FACT(p, "not converged", "%d steps", d->not_converged);
    if (d->blocked > 0)
        FACT(p, "blocked", "%d steps, in which prescribed vertices did not reach their targets",
             d->blocked);
    if (d->most_contacts > 0)
        FACT(p, "contacts", "at most %d at the end of a step, smallest distance %.3g m",
             d->most_contacts, d->min_distance);
    else
        FACT(p, "contacts", "none at the end of any step");
    FACT(p, "time within steps", "%.3f s, %.3g ms per step", d->seconds,
         d->steps > 0 ? 1e3 * d->seconds / d->steps : 0.0);
    pli_file_text(p->file, "</tbody></table>\n");
}

// ---- what was asked

static void write_vector(page* p, const double v[3], bool there) {
    for (int k = 0; k < 3; ++k)
        if (there)
            number_cell(p, "%s", fabs(v[k]) < 1e-9 ? 0 : v[k]);
        else
            cell(p, "");
}

// `torques`: of supports. Pairs that have parted have no force at the end.
static void write_forces(page* p, const char* title, const pli_report_forces* list,
                         const char* names, bool torques) {
    if (list->count == 0) return;
    pli_file_text(p->file, "<div>\n");
    heading(p, title);
    PLI_FILE_PRINT(
        p->file,
        "<table><thead><tr>%s<th class=\"n\" colspan=\"3\">force at the end [N]</th>%s"
        "<th class=\"n\">largest [N]</th><th class=\"n\">at [s]</th></tr></thead><tbody>\n",
        names, torques ? "<th class=\"n\" colspan=\"3\">torque at the end [N m]</th>" : "");
    for (int i = 0; i < list->count; ++i) {
        const pli_report_force* row = &list->rows[i];
        bool there = row->last_step == p->data->last_step;
        pli_file_text(p->file, "<tr>");
        cell(p, row->a);
        cell(p, row->b);
        write_vector(p, row->force, there);
        if (torques) write_vector(p, row->torque, there);
        number_cell(p, "%s", row->most);
        number_cell(p, "%s", row->most_time);
        pli_file_text(p->file, "</tr>\n");
    }
    pli_file_text(p->file, "</tbody></table>\n");
    if (list->missed) pli_file_text(p->file, "<p class=\"said\">and more</p>\n");
    pli_file_text(p->file, "</div>\n");
}

static void write_asked(page* p) {
    const pli_report_data* d = p->data;
    const pli_report_stress* s = &d->stress;
    pli_file_text(p->file, "<div class=\"row\">\n");
    write_forces(p, "Supports", &d->supports, "<th>body</th><th>kind</th>", true);
    write_forces(p, "Contact between bodies", &d->contacts, "<th>on</th><th>by</th>", false);
    pli_file_text(p->file, "</div>\n");
    if (!(s->value > 0)) return;
    heading(p, "Stress");
    pli_file_text(p->file, "<table><tbody>\n");
    FACT(p, "largest von Mises stress", "%.4g Pa, in %s at (%.4g, %.4g, %.4g) m, t = %.6g s",
         s->value, s->body, s->at[0], s->at[1], s->at[2], s->time);
    pli_file_text(p->file, "</tbody></table>\n");
}

static void write_troubles(page* p) {
    const pli_report_data* d = p->data;
    int all = d->not_converged + d->blocked;
    if (all == 0) return;
    heading(p, "Steps that did not converge");
    pli_file_text(p->file, "<table><thead><tr><th class=\"n\">step</th><th class=\"n\">time [s]"
                           "</th><th>reason</th><th>what helps</th></tr></thead><tbody>\n");
    for (int i = 0; i < d->trouble_count; ++i) {
        const pli_report_trouble* t = &d->troubles[i];
        pli_file_text(p->file, "<tr>");
        number_cell(p, "%s", t->step);
        number_cell(p, "%s", t->time);
        cell(p, t->reason);
        cell(p, t->remedy);
        pli_file_text(p->file, "</tr>\n");
    }
    pli_file_text(p->file, "</tbody></table>\n");
    if (all > d->trouble_count)
        PLI_FILE_PRINT(p->file, "<p class=\"said\">and %d more</p>\n", all - d->trouble_count);
}

// ---- tables

static void write_phases(page* p) {
    const pli_report_data* d = p->data;
    double rest = d->seconds, all = d->seconds > 0 ? d->seconds : 1;
    pli_file_text(p->file, "<div>\n");
    heading(p, "Time");
    pli_file_text(p->file, "<table><thead><tr><th>part</th><th class=\"n\">[s]</th><th class=\"n\">"
                           "[%]</th></tr></thead><tbody>\n");
    for (int i = 0; i <= PLI_REPORT_PHASES; ++i) {
        double value = i < PLI_REPORT_PHASES ? d->phases[i] : rest;
        rest -= value;
        if (!(value > 0)) continue;
        pli_file_text(p->file, "<tr>");
        cell(p, i < PLI_REPORT_PHASES ? pli_report_phases[i].text : "rest of steps");
        PLI_FILE_PRINT(p->file, "<td class=\"n\">%.3f</td><td class=\"n\">%.1f</td></tr>\n", value,
                       100 * value / all);
    }
    pli_file_text(p->file, "</tbody></table></div>\n");
}

static const double* sample(const page* p, int i) { return pli_sampler_get(&p->data->samples, i); }

static void write_energy(page* p, const char* name, int column) {
    double start = sample(p, 0)[column], end = sample(p, p->data->samples.count - 1)[column];
    pli_file_text(p->file, "<tr>");
    cell(p, name);
    number_cell(p, "%s", start);
    number_cell(p, "%s", end);
    number_cell(p, "%s", end - start);
    pli_file_text(p->file, "</tr>\n");
}

static void write_energies(page* p) {
    const pli_report_data* d = p->data;
    if (d->samples.count == 0) return;
    pli_file_text(p->file, "<div>\n");
    heading(p, "Energies [J]");
    pli_file_text(p->file, "<table><thead><tr><th></th><th class=\"n\">after the first step</th>"
                           "<th class=\"n\">at the end</th><th class=\"n\">change</th></tr></thead>"
                           "<tbody>\n");
    for (int i = 0; i < d->energy_count; ++i)
        write_energy(p, d->energies[i], PLI_REPORT_COLUMNS + i);
    write_energy(p, "total", PLI_REPORT_TOTAL);
    pli_file_text(p->file, "</tbody></table></div>\n<div>\n");
    heading(p, "Where the energy of all steps went [J]");
    pli_file_text(p->file, "<table><tbody>\n");
    for (int i = 0; i < PLI_REPORT_FLOWS; ++i) {
        pli_file_text(p->file, "<tr>");
        cell(p, pli_report_flows[i].text);
        number_cell(p, "%s", d->flows[i]);
        pli_file_text(p->file, "</tr>\n");
    }
    pli_file_text(p->file, "</tbody></table></div>\n");
}

static void write_body(page* p, const json_t* body) {
    const json_t* span = json_object_get(body, "vertices");
    const char* name = json_string_value(json_object_get(body, "name"));
    pli_file_text(p->file, "<tr>");
    cell(p, name ? name : "");
    number_cell(p, "%s",
                json_number_value(json_array_get(span, 1)) -
                    json_number_value(json_array_get(span, 0)));
    cell(p, json_is_true(json_object_get(body, "obstacle")) ? "obstacle" : "");
    pli_file_text(p->file, "</tr>\n");
}

// The bodies of an epoch.
static void write_epoch(page* p, const json_t* epoch) {
    const json_t* bodies = json_object_get(epoch, "bodies");
    long long step = json_integer_value(json_object_get(epoch, "first_step"));
    size_t count = json_array_size(bodies);
    char title[64] = "Bodies";
    if (count == 0) return;
    if (step > 0) pli_format(title, sizeof title, "Bodies from step %lld on", step);
    pli_file_text(p->file, "<div>\n");
    heading(p, title);
    pli_file_text(p->file, "<table><thead><tr><th>name</th><th class=\"n\">vertices</th><th></th>"
                           "</tr></thead><tbody>\n");
    for (size_t i = 0; i < count && i < BODIES_SHOWN; ++i) write_body(p, json_array_get(bodies, i));
    pli_file_text(p->file, "</tbody></table>\n");
    if (count > BODIES_SHOWN)
        PLI_FILE_PRINT(p->file, "<p class=\"said\">and %zu more</p>\n", count - BODIES_SHOWN);
    pli_file_text(p->file, "</div>\n");
}

// The first epochs and the last one.
static void write_bodies(page* p) {
    enum { SHOWN = 4 };
    int count = pli_run_info_epoch_count(p->data->info);
    for (int i = 0; i < count; ++i)
        if (i < SHOWN - 1 || i == count - 1) write_epoch(p, pli_run_info_epoch(p->data->info, i));
}

// ---- plots

static const double* column(const page* p, int i) {
    return p->columns + (size_t)i * (size_t)p->data->samples.count;
}

static bool is_zero(const page* p, int i) {
    for (int k = 0; k < p->data->samples.count; ++k)
        if (column(p, i)[k] != 0) return false;
    return true;
}

static pli_series series_of(const page* p, int i, const char* name) {
    return (pli_series){
        .name = name, .count = p->data->samples.count, .x = column(p, 0), .y = column(p, i)};
}

static pli_status write_chart(page* p, const pli_chart_def* what, const pli_series* series,
                              int count, pli_error* error) {
    pli_chart_def def = *what;
    def.x_label = "Time [s]";
    def.series = series;
    def.series_count = count;
    def.width = CHART_WIDTH;
    def.height = CHART_HEIGHT;
    return pli_chart_embed(&def, p->file, error);
}

static pli_status write_energy_chart(page* p, pli_error* error) {
    const pli_report_data* d = p->data;
    pli_series series[PLI_REPORT_ENERGIES + 1];
    int count = 0;
    for (int i = 0; i < d->energy_count; ++i)
        if (!is_zero(p, PLI_REPORT_COLUMNS + i))
            series[count++] = series_of(p, PLI_REPORT_COLUMNS + i, d->energies[i]);
    series[count] = series_of(p, PLI_REPORT_TOTAL, "total");
    series[count++].dashed = true;
    return write_chart(p, &(pli_chart_def){.title = "Energies", .y_label = "Energy [J]"}, series,
                       count, error);
}

// From run.json: it depends on analysis and minimizer, and older runs do not record it.
static const char* residual_label(const json_t* info) {
    const char* unit = json_string_value(json_object_get(info, "residual_unit"));
    if (unit && strcmp(unit, "m/s") == 0) return "Residual [m/s], at the end of a step";
    if (unit && strcmp(unit, "1") == 0) return "Residual (relative force), at the end of a step";
    return "Residual, at the end of a step";
}

static pli_status write_plots(page* p, pli_error* error) {
    const struct {
        pli_report_column column;
        pli_chart_def chart;
    } rows[] = {
        {PLI_REPORT_ITERATIONS, {.title = "Iterations per step", .y_label = "Iterations"}},
        {PLI_REPORT_RESIDUAL,
         {.title = "Residual", .y_label = residual_label(p->data->info), .log_y = true}},
        {PLI_REPORT_SECONDS, {.title = "Time per step", .y_label = "Time [s]"}},
        {PLI_REPORT_CONTACTS, {.title = "Contacts", .y_label = "Contacts at the end of a step"}},
    };
    const pli_sampler* samples = &p->data->samples;
    if (samples->count == 0) return PLI_OK;
    heading(p, "Plots");
    pli_file_text(p->file, "<div class=\"plots\">\n");
    PLI_TRY(write_energy_chart(p, error));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (is_zero(p, (int)rows[i].column)) continue;
        pli_series series = series_of(p, (int)rows[i].column, NULL);
        PLI_TRY(write_chart(p, &rows[i].chart, &series, 1, error));
    }
    pli_file_text(p->file, "</div>\n");
    if (samples->stride > 1)
        PLI_FILE_PRINT(p->file, "<p class=\"said\">The plots show one step in %lld.</p>\n",
                       (long long)samples->stride);
    return PLI_OK;
}

// ---- the page

static pli_status write_page(page* p, const char* folder, pli_error* error) {
    const pli_sampler* samples = &p->data->samples;
    size_t count = (size_t)samples->count;
    write_head(p, folder);
    write_asked(p);
    heading(p, "Pictures");
    PLI_TRY(write_picture(p, folder, error));
    write_summary(p);
    write_troubles(p);
    PLI_TRY(PLI_ALLOC(p->data->memory, p->columns, count * PLI_REPORT_WIDTH, error));
    for (size_t i = 0; i < count; ++i)
        for (size_t c = 0; c < PLI_REPORT_WIDTH; ++c)
            p->columns[c * count + i] = sample(p, (int)i)[c];
    pli_status status = write_plots(p, error);
    if (p->columns) PLI_FREE(p->data->memory, p->columns, count * PLI_REPORT_WIDTH);
    pli_file_text(p->file, "<div class=\"row\">\n");
    write_phases(p);
    write_energies(p);
    write_bodies(p);
    pli_file_text(p->file, "</div>\n</body></html>\n");
    return status;
}

static pli_status write_file(const pli_report_data* data, const char* folder, pli_report_info* info,
                             pli_error* error) {
    pli_file file;
    page p = {.file = &file, .data = data};
    PLI_TRY(pli_file_create(&file, "", info->path, error));
    pli_status status = write_page(&p, folder, error);
    if (status != PLI_OK) {
        pli_file_abandon(&file);
        return status;
    }
    PLI_TRY(pli_file_commit(&file, error));
    info->bytes = file.size;
    info->step_count = data->steps;
    return PLI_OK;
}

pli_status pli_report(const pli_report_def* given, pli_report_info* info, pli_error* error) {
    pli_report_def taken;
    PLI_TRY(PLI_TAKE_DEF(report, given, &taken, error));
    const pli_report_def* def = &taken;
    if (!def->folder || !*def->folder)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "report: folder is NULL or empty, must be the folder of a run");
    pli_report_info own = {0};
    int n = def->out ? pli_format(own.path, sizeof own.path, "%s", def->out)
                     : pli_format(own.path, sizeof own.path, "%s/report.html", def->folder);
    if (n <= 0 || n >= (int)sizeof own.path)
        return pli_fail(error, PLI_E_ARGUMENT, "report: out is %s",
                        n <= 0 ? "empty, must be a path" : "too long");
    pli_memory memory;
    pli_report_data data;
    pli_memory_init(&memory, def->allocator);
    pli_status status = pli_report_read(&data, &memory, def, &own, error);
    if (status == PLI_OK && !own.cancelled) status = write_file(&data, def->folder, &own, error);
    pli_report_free(&data);
    if (status == PLI_OK && info) *info = own;
    return status;
}
