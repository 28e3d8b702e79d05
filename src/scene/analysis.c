// Kinds of analysis, one row each.
#include "scene/analysis.h"

#include <string.h>

enum { LOAD_STEPS = 10 };                     // if none are given
static const double LARGEST_LOAD_STEP = 0.25; // that step auto takes if none is given

static const struct analysis {
    const char* name;
    const char* help;
    const char* scheme; // that it sets; NULL: any
    bool load_steps;    // t goes from 0 to 1
} analyses[] = {
    {"dynamic", "motion in time, by time.scheme", NULL, false},
    {"static",
     "equilibrium: t goes from 0 to 1 in time.steps load steps (10 if not given; or time.step "
     "auto), so that offsets and loads written with t grow",
     "static", true},
    {"quasi-static", "equilibrium at each time, with friction and viscosity", "quasi-static",
     false},
};

static const struct analysis* at(int i) {
    return i >= 0 && (size_t)i < sizeof analyses / sizeof *analyses ? &analyses[i] : NULL;
}

const char* pli_analysis_name(int i) { return at(i) ? at(i)->name : NULL; }
const char* pli_analysis_help(int i) { return at(i) ? at(i)->help : NULL; }

static pli_status check_scheme(const struct analysis* a, const json_t* time, pli_findings* findings,
                               const pli_path* list, pli_error* error) {
    const char* scheme = json_string_value(json_object_get(time, "scheme"));
    pli_path key = pli_path_key(list, "scheme");
    if (!scheme || strcmp(scheme, a->scheme) == 0) return PLI_OK;
    return PLI_FIND(findings, &key, error,
                    "time.scheme = \"%.40s\", but analysis is \"%s\": leave one of them out",
                    scheme, a->name);
}

pli_status pli_apply_analysis(const json_t* root, pli_scene_data* data, pli_findings* findings,
                              pli_error* error) {
    const struct analysis* a = analyses;
    while (strcmp(a->name, data->analysis) != 0) ++a;
    if (!a->scheme) return PLI_OK;
    const json_t* time = json_object_get(root, "time");
    pli_path list = pli_path_key(NULL, "time");
    PLI_TRY(check_scheme(a, time, findings, &list, error));
    data->world.scheme = a->scheme;
    if (!a->load_steps) return PLI_OK;
    bool chosen = data->world.time_step == 0; // "auto"
    static const char* const unused[] = {"step", "duration"};
    for (size_t i = chosen ? 1 : 0; i < sizeof unused / sizeof *unused; ++i) {
        pli_path key = pli_path_key(&list, unused[i]);
        if (json_object_get(time, unused[i]))
            PLI_TRY(
                PLI_FIND(findings, &key, error,
                         "time.%s is given, but in a %s analysis t goes from 0 to 1 in time.steps "
                         "load steps: leave it out",
                         unused[i], a->name));
    }
    data->duration = chosen ? 1 : 0;
    if (chosen) {
        if (!json_object_get(time, "step_control")) data->world.step_control = "effort";
        if (!json_object_get(time, "step_max")) data->world.step_max = LARGEST_LOAD_STEP;
        return PLI_OK;
    }
    if (data->steps <= 0) data->steps = LOAD_STEPS;
    data->world.time_step = 1.0 / data->steps;
    return PLI_OK;
}
