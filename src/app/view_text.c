// Text messages of the server. Numbers that JSON cannot say are null.
#include "app/view.h"

#include <jansson.h>

#include <math.h>
#include <string.h>

static json_t* number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

// A text of any bytes: jansson refuses what is not UTF-8.
static json_t* text(const char* value) {
    char printable[2048];
    return json_string(pli_printable(value, printable, sizeof printable));
}

// The message as text; takes `root`.
static char* finish(json_t* root) {
    if (!root) return NULL;
    char* out = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    return out;
}

char* pli_view_hello(pli_view_mode mode, bool gallery) {
    static const char* const modes[] = {
        [PLI_VIEW_GALLERY] = "gallery", [PLI_VIEW_LIVE] = "live", [PLI_VIEW_REPLAY] = "replay"};
    return finish(json_pack("{s:s, s:i, s:s, s:b, s:s}", "type", "hello", "version", 1, "mode",
                            modes[mode], "gallery", gallery, "pliant", pli_version()));
}

static json_t* phases(const pli_phase_times* t) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "total", number(t->total),
                     "gradient", number(t->gradient), "hessian", number(t->hessian), "assembly",
                     number(t->assembly), "symbolic", number(t->symbolic), "numeric",
                     number(t->numeric), "solve", number(t->solve), "collision",
                     number(t->collision), "line_search", number(t->line_search));
}

char* pli_view_stats_text(const pli_view_stats* stats) {
    const pli_step_info* i = &stats->info;
    json_t* energies = json_array();
    for (int k = 0; k < stats->energy_count; ++k)
        json_array_append_new(energies, number(stats->energies[k]));
    return finish(json_pack(
        "{s:s, s:i, s:o, s:o, s:i, s:i, s:o, s:s, s:i, s:o, s:i, s:o, s:o, s:o}", "type", "stats",
        "step", i->step, "time", number(i->time), "time_step", number(i->time_step), "substeps",
        i->substeps, "iterations", i->iterations, "residual", number(i->residual), "reason",
        pli_reason_text(i->reason), "contacts", i->contact_count, "min_distance",
        number(i->min_distance), "blocked", i->blocked, "seconds", phases(&i->seconds), "energies",
        energies, "total", number(stats->total)));
}

char* pli_view_status_text(const pli_view_status* s, int clients) {
    return finish(json_pack("{s:s, s:b, s:i, s:o, s:i, s:i, s:o, s:i, s:i}", "type", "state",
                            "playing", s->playing, "step", s->step, "time", number(s->time),
                            "frame", s->frame, "frames", s->frames, "rate", number(s->rate),
                            "clients", clients, "grabbed", s->grabbed));
}

char* pli_view_stop_text(const pli_view_stop* stop) {
    const pli_view_where* w = &stop->where;
    json_t* vertices = json_array();
    for (int i = 0; i < w->vertex_count; ++i)
        json_array_append_new(vertices, json_integer(w->vertices[i]));
    json_t* where = json_pack("{s:i, s:[o, o, o], s:o, s:o}", "vertex", w->vertex, "point",
                              number(w->point[0]), number(w->point[1]), number(w->point[2]), "body",
                              text(w->body), "vertices", vertices);
    return finish(json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "type", "stop", "over", stop->over,
                            "reason", text(stop->reason), "remedy", text(stop->remedy), "message",
                            text(stop->message), "where", where));
}

char* pli_view_error_text(const char* message) {
    return finish(json_pack("{s:s, s:o}", "type", "error", "message", text(message)));
}
