// Text messages of the server. Numbers that JSON cannot say are null.
#include <stdio.h>

#include "viewer/json.h"
#include "viewer/viewer.h"

char* pli_view_hello(pli_view_mode mode, bool gallery) {
    static const char* const modes[] = {
        [PLI_VIEW_GALLERY] = "gallery", [PLI_VIEW_LIVE] = "live", [PLI_VIEW_REPLAY] = "replay"};
    return pli_json_dump(json_pack("{s:s, s:i, s:s, s:b, s:s}", "type", "hello", "version", 1,
                                   "mode", modes[mode], "gallery", gallery, "pliant",
                                   pli_version()));
}

static json_t* phases(const pli_phase_times* t) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "total",
                     pli_json_number(t->total), "gradient", pli_json_number(t->gradient), "hessian",
                     pli_json_number(t->hessian), "assembly", pli_json_number(t->assembly),
                     "symbolic", pli_json_number(t->symbolic), "numeric",
                     pli_json_number(t->numeric), "solve", pli_json_number(t->solve), "collision",
                     pli_json_number(t->collision), "line_search", pli_json_number(t->line_search));
}

char* pli_view_stats_text(const pli_view_stats* stats) {
    const pli_step_info* i = &stats->info;
    json_t* energies = json_array();
    for (int k = 0; k < stats->energy_count; ++k)
        json_array_append_new(energies, pli_json_number(stats->energies[k]));
    return pli_json_dump(json_pack(
        "{s:s, s:i, s:o, s:o, s:i, s:i, s:o, s:s, s:i, s:o, s:i, s:o, s:o, s:o}", "type", "stats",
        "step", i->step, "time", pli_json_number(i->time), "time_step",
        pli_json_number(i->time_step), "substeps", i->substeps, "iterations", i->iterations,
        "residual", pli_json_number(i->residual), "reason", pli_reason_text(i->reason), "contacts",
        i->contact_count, "min_distance", pli_json_number(i->min_distance), "blocked", i->blocked,
        "seconds", phases(&i->seconds), "energies", energies, "total",
        pli_json_number(stats->total)));
}

char* pli_view_status_text(const pli_view_status* s, int clients) {
    return pli_json_dump(json_pack(
        "{s:s, s:b, s:i, s:o, s:i, s:i, s:o, s:i, s:i}", "type", "state", "playing", s->playing,
        "step", s->step, "time", pli_json_number(s->time), "frame", s->frame, "frames", s->frames,
        "rate", pli_json_number(s->rate), "clients", clients, "grabbed", s->grabbed));
}

pli_view_stop pli_view_failure(const pli_step_info* info, const char* unit) {
    pli_view_stop stop = {.where.vertex = -1};
    const char* reason = pli_reason_text(info->reason);
    snprintf(stop.reason, sizeof stop.reason, "%s", reason);
    snprintf(stop.remedy, sizeof stop.remedy, "%s", info->remedy);
    snprintf(stop.message, sizeof stop.message,
             "step %d did not converge: %s; residual %.3g%s%s after %d iterations, time step %.3g "
             "s. The state before it is kept.",
             info->step, reason, info->residual, *unit ? " " : "", unit, info->iterations,
             info->time_step);
    return stop;
}

static json_t* where_of(const pli_view_where* w) {
    json_t* vertices = json_array();
    for (int i = 0; i < w->vertex_count; ++i)
        json_array_append_new(vertices, json_integer(w->vertices[i]));
    json_t* pair =
        *w->other ? json_pack("[o, o]", pli_json_vector(w->pair[0]), pli_json_vector(w->pair[1]))
                  : NULL;
    return json_pack("{s:i, s:o, s:o, s:o, s:o?, s:o}", "vertex", w->vertex, "point",
                     pli_json_vector(w->point), "body", pli_json_text(w->body), "other",
                     pli_json_text(w->other), "pair", pair, "vertices", vertices);
}

char* pli_view_stop_text(const pli_view_stop* stop) {
    return pli_json_dump(json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "type", "stop", "over",
                                   stop->over, "reason", pli_json_text(stop->reason), "remedy",
                                   pli_json_text(stop->remedy), "message",
                                   pli_json_text(stop->message), "where", where_of(&stop->where)));
}

char* pli_view_error_text(const char* message) {
    return pli_json_dump(
        json_pack("{s:s, s:o}", "type", "error", "message", pli_json_text(message)));
}
