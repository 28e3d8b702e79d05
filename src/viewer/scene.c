// The messages `scene`, `parameters` and `topology`.
#include "viewer/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/viewer.h"

// ---- parameters

static const char axis_names[] = "xyz";

// "mat: young", "contact friction", "gravity y"
static void write_label(const pli_scene_parameter* p, int component, char label[240]) {
    if (*p->body)
        snprintf(label, 240, "%s: %s", p->body, p->row->name);
    else
        snprintf(label, 240, "%s", p->path);
    for (char* c = label; *c; ++c)
        if (*c == '_' || (*c == '.' && !*p->body)) *c = ' ';
    size_t used = strlen(label);
    if (component >= 0) snprintf(label + used, 240 - used, " %c", axis_names[component]);
}

static json_t* choices_of(const pli_param* row) {
    json_t* list = json_array();
    for (int i = 0; row->choice && row->choice(i); ++i)
        json_array_append_new(list, json_string(row->choice(i)));
    return list;
}

// Values chosen by the world are shown as chosen.
static double value_of(const pli_world* world, const pli_scene_parameter* p, int component) {
    double value = p->value[component < 0 ? 0 : component];
    if (value > 0 || !(p->row->flags & PLI_PARAM_AUTO)) return value;
    if (strcmp(p->path, "contact.dhat") == 0) return pli_world_dhat(world);
    if (strcmp(p->path, "contact.stiffness") == 0) return pli_world_contact_stiffness(world);
    return value;
}

static json_t* parameter_of(const pli_world* world, const pli_scene_parameter* p, int component) {
    static const char* const types[] = {
        [PLI_PARAM_NUMBER] = "number",   [PLI_PARAM_VECTOR] = "number",
        [PLI_PARAM_INTEGER] = "integer", [PLI_PARAM_BOOL] = "boolean",
        [PLI_PARAM_CHOICE] = "choice",   [PLI_PARAM_TEXT] = "text"};
    char path[PLI_VIEW_PATH_SIZE + 16], label[240];
    write_label(p, component, label);
    snprintf(path, sizeof path, component >= 0 ? "%s[%d]" : "%s", p->path, component);
    double value = value_of(world, p, component);
    json_t* out = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:o, s:o}", "path", path, "label",
                            pli_json_text(label), "body", pli_json_text(p->body), "unit",
                            p->row->unit, "help", p->row->help, "type", types[p->row->type], "min",
                            pli_json_number(p->row->min), "max", pli_json_number(p->row->max));
    json_t* shown = p->row->type == PLI_PARAM_CHOICE    ? json_string(p->word)
                    : p->row->type == PLI_PARAM_BOOL    ? json_boolean(value != 0)
                    : p->row->type == PLI_PARAM_INTEGER ? json_integer((json_int_t)value)
                                                        : pli_json_number(value);
    json_object_set_new(out, "value", shown);
    if (p->row->type == PLI_PARAM_CHOICE) json_object_set_new(out, "choices", choices_of(p->row));
    return out;
}

static json_t* parameters_of(pli_scene* scene) {
    const pli_world* world = pli_scene_world(scene);
    json_t* list = json_array();
    for (int i = 0; i < pli_scene_parameter_count(scene); ++i) {
        const pli_scene_parameter* p = pli_scene_parameter_at(scene, i);
        bool is_vector = p->row->type == PLI_PARAM_VECTOR;
        int first = is_vector ? 0 : -1, end = is_vector ? pli_world_dimension(world) : 0;
        for (int c = first; c < end; ++c) json_array_append_new(list, parameter_of(world, p, c));
    }
    return list;
}

const pli_scene_parameter* pli_view_find_parameter(const pli_scene* scene, const char* path,
                                                   int* component) {
    for (int i = 0; i < pli_scene_parameter_count(scene); ++i) {
        const pli_scene_parameter* p = pli_scene_parameter_at(scene, i);
        size_t length = strlen(p->path);
        *component = -1;
        if (p->row->type != PLI_PARAM_VECTOR) {
            if (strcmp(p->path, path) == 0) return p;
            continue;
        }
        const char* index = path + length;
        bool same = strncmp(p->path, path, length) == 0;
        if (!same || index[0] != '[' || index[1] < '0' || index[1] > '2' ||
            strcmp(index + 2, "]") != 0)
            continue;
        *component = index[1] - '0';
        return p;
    }
    return NULL;
}

// ---- the scene

static json_t* span(int first, int end) { return json_pack("[i, i]", first, end); }

// A body: its name and ranges in the lists of all.
static json_t* body_of(const pli_view_surface* s, int b, const pli_replay_body* body,
                       double radius) {
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "name", pli_json_text(body->name),
                     "vertices", span(body->first_vertex, body->end_vertex), "triangles",
                     span(b > 0 ? s->triangle_ends[b - 1] : 0, s->triangle_ends[b]), "segments",
                     span(b > 0 ? s->segment_ends[b - 1] : 0, s->segment_ends[b]), "obstacle",
                     (int)body->obstacle, "thickness", pli_json_number(body->thickness), "radius",
                     pli_json_number(radius));
}

static json_t* bodies_of(const pli_world* world, const pli_view_surface* s) {
    json_t* list = json_array();
    for (int b = 0; b < s->body_count; ++b) {
        pli_replay_body body = {.name = pli_world_body_name(world, b),
                                .first_vertex = pli_world_body_vertex(world, b),
                                .end_vertex = pli_world_body_vertex(world, b + 1),
                                .obstacle = pli_world_body_is_obstacle(world, b),
                                .thickness = pli_world_body_thickness(world, b)};
        json_array_append_new(list, body_of(s, b, &body, pli_world_body_radius(world, b)));
    }
    return list;
}

static json_t* half_space_of(const char* name, const double point[3], const double normal[3],
                             int carrier) {
    json_t* out = json_pack("{s:o, s:o, s:o}", "name", pli_json_text(name), "point",
                            pli_json_vector(point), "normal", pli_json_vector(normal));
    if (carrier >= 0) json_object_set_new(out, "carrier", json_integer(carrier));
    return out;
}

static json_t* half_spaces_of(const pli_world* world) {
    json_t* list = json_array();
    for (int i = 0; i < pli_world_half_space_count(world); ++i) {
        double point[3], normal[3];
        pli_world_half_space(world, i, point, normal);
        json_array_append_new(list, half_space_of(pli_world_half_space_name(world, i), point,
                                                  normal, pli_world_half_space_carrier(world, i)));
    }
    return list;
}

static json_t* fields_of(const pli_view_model* model) {
    json_t* list = json_array();
    for (int i = 0; i < model->field_count; ++i) {
        const pli_view_field* f = &model->fields[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:i}", "key", f->key, "label", f->label,
                                        "unit", f->unit, "components", f->components));
    }
    return list;
}

static json_t* energies_of(const pli_world* world) {
    json_t* list = json_array();
    for (int i = 0; i < pli_world_energy_count(world) && i < PLI_VIEW_ENERGIES; ++i)
        json_array_append_new(list, pli_json_text(pli_world_energy_name(world, i)));
    return list;
}

// The camera of the scene, or null.
static json_t* camera_of(const char* text) {
    json_error_t wrong;
    json_t* camera = *text ? json_loads(text, 0, &wrong) : NULL;
    return camera ? camera : json_null();
}

static json_t* scene_of(pli_scene* scene, const pli_view_model* model,
                        const pli_view_surface* surface) {
    const pli_world* world = pli_scene_world(scene);
    const pli_run_def* run = pli_scene_run(scene);
    const pli_scene_summary* s = pli_scene_summarize(scene);
    double gravity[3], h = pli_world_time_step(world);
    pli_world_gravity(world, gravity);
    return json_pack(
        "{s:s, s:I, s:o, s:o, s:i, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:[o, o], s:o}",
        "type", "scene", "epoch", (json_int_t)pli_world_topology_epoch(world), "name",
        pli_json_text(run->name), "description", pli_json_text(run->description), "dimension",
        pli_world_dimension(world), "gravity", pli_json_vector(gravity), "time_step",
        pli_json_number(h), "steps", run->duration > 0 ? 0 : run->steps, "duration",
        pli_json_number(run->duration > 0 ? run->duration : run->steps * h), "bodies",
        bodies_of(world, surface), "half_spaces", half_spaces_of(world), "fields", fields_of(model),
        "parameters", parameters_of(scene), "energies", energies_of(world), "box",
        pli_json_vector(s->low), pli_json_vector(s->high), "camera", camera_of(run->camera));
}

// `solids`: bytes of pli_view_solids behind it.
static bool write_topology(pli_view_model* model, const pli_view_surface* s, size_t solids) {
    size_t triangles = 12 * (size_t)s->triangle_count, segments = 8 * (size_t)s->segment_count;
    model->topology_size = PLI_VIEW_HEADER + triangles + segments + solids;
    model->topology = malloc(model->topology_size);
    if (!model->topology) return false;
    pli_view_write_header(model->topology,
                          &(pli_view_header){.kind = PLI_VIEW_TOPOLOGY,
                                             .flags = solids > 0 ? PLI_VIEW_SOLIDS : 0,
                                             .count = (uint32_t)s->triangle_count,
                                             .extra = (uint32_t)s->segment_count});
    unsigned char* out = model->topology + PLI_VIEW_HEADER;
    if (triangles > 0) memcpy(out, s->triangles, triangles);
    if (segments > 0) memcpy(out + triangles, s->segments, segments);
    return true;
}

// Masses and tetrahedra, for cuts and momenta: u32 number of tetrahedra, f32 per vertex, u32 x 4
// corners.
static size_t solids_size(const pli_world* world) {
    size_t count = 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        if (pli_element_dimension((pli_element_kind)k) == 3)
            count += (size_t)pli_world_element_count(world, (pli_element_kind)k);
    return 4 + 4 * (size_t)pli_world_vertex_count(world) + 16 * count;
}

static void write_solids(const pli_world* world, unsigned char* out, size_t size) {
    int vertices = pli_world_vertex_count(world);
    const double* masses = pli_world_vertex_masses(world);
    uint32_t count = (uint32_t)((size - 4 - 4 * (size_t)vertices) / 16);
    memcpy(out, &count, 4);
    out += 4;
    for (int v = 0; v < vertices; ++v, out += 4) {
        float mass = (float)masses[v];
        memcpy(out, &mass, 4);
    }
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        const int32_t* elements = pli_world_elements(world, kind);
        if (pli_element_dimension(kind) != 3) continue;
        for (int e = 0; e < pli_world_element_count(world, kind);
             ++e, out += 16) // corners come first
            memcpy(out, elements + (size_t)e * (size_t)pli_element_size(kind), 16);
    }
}

pli_view_model* pli_view_model_of(pli_scene* scene, const pli_view_surface* surface,
                                  uint32_t generation) {
    pli_view_model* model = calloc(1, sizeof *model);
    if (!model) return NULL;
    const pli_world* world = pli_scene_world(scene);
    model->generation = generation;
    model->vertex_count = pli_world_vertex_count(world);
    for (pli_view_field field; model->field_count < PLI_VIEW_FIELDS; model->field_count++) {
        field = pli_view_field_at(world, model->field_count);
        if (!field.key) break;
        model->fields[model->field_count] = field;
    }
    size_t solids = solids_size(world);
    if (write_topology(model, surface, solids)) {
        write_solids(world, model->topology + model->topology_size - solids, solids);
        model->scene = pli_json_dump(scene_of(scene, model, surface));
        model->parameters = pli_json_dump(
            json_pack("{s:s, s:o}", "type", "parameters", "parameters", parameters_of(scene)));
    }
    if (model->scene && model->parameters) return model;
    pli_view_model_destroy(model);
    return NULL;
}

// ---- results

static json_t* replayed_bodies(const pli_replay* result, const pli_view_surface* s) {
    json_t* list = json_array();
    for (int b = 0; b < s->body_count; ++b) {
        pli_replay_body body = pli_replay_body_at(result, b);
        json_array_append_new(list, body_of(s, b, &body, pli_replay_body_radius(result, b)));
    }
    return list;
}

static json_t* replayed_half_spaces(const pli_replay* result) {
    json_t* list = json_array();
    for (int i = 0; i < pli_replay_half_space_count(result); ++i) {
        pli_replay_half_space h = pli_replay_half_space_at(result, i);
        json_array_append_new(list, half_space_of(h.name, h.point, h.normal,
                                                  pli_replay_half_space_carrier(result, i)));
    }
    return list;
}

static json_t* names_of(const char* const* names, int count) {
    json_t* list = json_array();
    for (int i = 0; i < count; ++i) json_array_append_new(list, pli_json_text(names[i]));
    return list;
}

// Around the current frame.
static void find_box(const pli_replay* result, double low[3], double high[3]) {
    const double* x = pli_replay_positions(result);
    int count = pli_replay_vertex_count(result);
    for (int c = 0; c < 3; ++c) {
        low[c] = high[c] = count > 0 ? x[c] : 0;
        for (int v = 1; v < count; ++v) {
            low[c] = fmin(low[c], x[3 * v + c]);
            high[c] = fmax(high[c], x[3 * v + c]);
        }
    }
}

bool pli_view_describe_result(pli_view_model* model, const pli_replay* result,
                              const char* const* energies, int energy_count) {
    pli_view_surface surface = {0};
    double gravity[3], low[3], high[3];
    pli_replay_gravity(result, gravity);
    find_box(result, low, high);
    model->vertex_count = pli_replay_vertex_count(result);
    if (pli_view_surface_of_result(&surface, result) && write_topology(model, &surface, 0))
        model->scene = pli_json_dump(json_pack(
            "{s:s, s:i, s:o, s:s, s:i, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:[], s:o, s:[o, o], "
            "s:o}",
            "type", "scene", "epoch", pli_replay_epoch(result), "name",
            pli_json_text(pli_replay_title(result)), "description", "", "dimension",
            pli_replay_dimension(result), "gravity", pli_json_vector(gravity), "time_step", 0,
            "steps", 0, "duration", 0, "bodies", replayed_bodies(result, &surface), "half_spaces",
            replayed_half_spaces(result), "fields", fields_of(model), "parameters", "energies",
            names_of(energies, energy_count), "box", pli_json_vector(low), pli_json_vector(high),
            "camera", camera_of(pli_replay_camera(result))));
    model->parameters = pli_json_dump(json_pack("{s:s, s:[]}", "type", "parameters", "parameters"));
    pli_view_surface_free(&surface);
    return model->scene && model->parameters;
}

// ---- other text messages

// Text messages of the server. Numbers that JSON cannot represent are null.

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
