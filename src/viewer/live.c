// A scene that is simulated while it is looked at. A changed parameter is set in the running world
// (pli_scene_set_parameter). Where that is not possible, another scene with one more override is
// built and takes over the state; if that fails, everything stays as it was.
#define _POSIX_C_SOURCE 200809L // st_mtim
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "viewer/frame.h"
#include "viewer/scene.h"

enum { OVERRIDE_SIZE = 320, CHANGES_MAX = 256 };

// A parameter that was changed.
typedef struct change {
    char path[PLI_VIEW_PATH_SIZE];
    char text[OVERRIDE_SIZE]; // the override
    int number;               // of the parameter
    double value[3];          // of all but words
} change;

typedef struct live {
    const pli_view_setup* setup;
    char* path;            // of the scene
    struct timespec saved; // when its file was
    off_t size;            // and how large it was [bytes]
    pli_scene* scene;
    int change_count;
    change changes[CHANGES_MAX];
    int grabbed;      // vertex; -1: none
    uint64_t epoch;   // of the world when it was grabbed
    bool body;        // and with it all of its body
    double start[3];  // where the vertex was then [m]
    double target[3]; // where it is pulled to [m]
    bool has_info;    // of a step, not yet asked for
    pli_step_info info;
    pli_view_scratch scratch;
    bool has_surface; // finding it takes longer than setting a parameter
    uint64_t surface_epoch;
    pli_view_surface surface;
} live;

// ---- making the scene

// The scene with the changes, the last of which may be replaced by `trial` (NULL: none).
static bool create(const live* l, const change* trial, pli_scene** out,
                   char why[PLI_VIEW_WHY_SIZE]) {
    const char** overrides =
        calloc((size_t)(l->setup->scene.override_count + l->change_count) + 2, sizeof *overrides);
    if (!overrides) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "out of memory");
        return false;
    }
    int count = 0;
    for (; count < l->setup->scene.override_count; ++count)
        overrides[count] = l->setup->scene.overrides[count];
    for (int i = 0; i < l->change_count; ++i) overrides[count++] = l->changes[i].text;
    if (trial) overrides[count++] = trial->text;
    pli_scene_def def = l->setup->scene;
    def.path = l->path;
    def.overrides = overrides;
    def.override_count = count;
    def.interactive = true;
    pli_error error = {0};
    pli_scene* scene = NULL;
    pli_status status = pli_scene_create(&def, &scene, &error);
    free(overrides);
    if (status != PLI_OK) {
        pli_printable(error.message, why, PLI_VIEW_WHY_SIZE);
        return false;
    }
    int at = 0;
    while (at < pli_scene_finding_count(scene) &&
           pli_scene_finding(scene, at)->severity != PLI_ERROR)
        ++at;
    if (at < pli_scene_finding_count(scene)) {
        if (pli_scene_finding(scene, at)->overridden)
            pli_printable(pli_scene_finding(scene, at)->message, why, PLI_VIEW_WHY_SIZE);
        else
            pli_scene_finding_text(scene, at, why, PLI_VIEW_WHY_SIZE);
        pli_scene_destroy(scene);
        return false;
    }
    (void)pli_world_set_cancel(pli_scene_world(scene), l->setup->interrupted, NULL, NULL);
    *out = scene;
    return true;
}

static void replace_scene(live* l, pli_scene* scene) {
    pli_scene_destroy(l->scene);
    l->scene = scene;
    l->has_surface = false;
}

static bool restart(live* l, char why[PLI_VIEW_WHY_SIZE]) {
    pli_scene* scene;
    if (!create(l, NULL, &scene, why)) return false;
    replace_scene(l, scene);
    l->grabbed = -1;
    return true;
}

// ---- by hand

static int body_of(const pli_world* world, int vertex) {
    int body = 0;
    while (pli_world_body_vertex(world, body + 1) <= vertex) ++body;
    return body;
}

// A change of bodies has released the vertex, and its number may mean another one.
static void check_grab(live* l) {
    if (pli_world_topology_epoch(pli_scene_world(l->scene)) != l->epoch) l->grabbed = -1;
}

// Pulls what is grabbed to another place.
static bool drag(live* l, const double target[3], char why[PLI_VIEW_WHY_SIZE]) {
    pli_world* world = pli_scene_world(l->scene);
    pli_error error = {0};
    pli_status status;
    if (l->body) {
        double move[3];
        for (int i = 0; i < 3; ++i) move[i] = target[i] - l->start[i];
        status = pli_world_grab_body(world, body_of(world, l->grabbed), move, 0, &error);
    } else {
        status = pli_world_grab(world, l->grabbed, target, 0, &error);
    }
    if (status != PLI_OK) pli_printable(error.message, why, PLI_VIEW_WHY_SIZE);
    memcpy(l->target, target, sizeof l->target);
    return status == PLI_OK;
}

static void release(live* l) {
    pli_world_release(pli_scene_world(l->scene));
    l->grabbed = -1;
}

static bool grab(live* l, int vertex, bool body, const double target[3],
                 char why[PLI_VIEW_WHY_SIZE]) {
    pli_world* world = pli_scene_world(l->scene);
    release(l);
    if (vertex < 0 || vertex >= pli_world_vertex_count(world)) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "grab: there is no vertex %d", vertex);
        return false;
    }
    l->grabbed = vertex;
    l->epoch = pli_world_topology_epoch(world);
    l->body = body;
    memcpy(l->start, pli_world_positions(world) + 3 * (size_t)vertex, sizeof l->start);
    if (drag(l, target, why)) return true;
    l->grabbed = -1;
    return false;
}

// ---- parameters

// The override for one parameter; of a vector the other components keep their values.
static bool write_change(const live* l, const pli_view_request* request, change* out,
                         char why[PLI_VIEW_WHY_SIZE]) {
    int component;
    const pli_scene_parameter* p = pli_view_find_parameter(l->scene, request->path, &component);
    if (!p) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "set: there is no parameter \"%.100s\"", request->path);
        return false;
    }
    const pli_view_value* value = &request->value;
    bool word = p->row->type == PLI_PARAM_CHOICE, flag = p->row->type == PLI_PARAM_BOOL;
    bool right = word   ? value->type == PLI_VIEW_WORD && !strpbrk(value->word, "\"\\")
                 : flag ? value->type == PLI_VIEW_BOOL
                        : value->type == PLI_VIEW_NUMBER;
    if (!right) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "set: %.100s must be %s", request->path,
                 word   ? "a word"
                 : flag ? "true or false"
                        : "a number");
        return false;
    }
    snprintf(out->path, sizeof out->path, "%s", p->path);
    out->number = (int)(p - pli_scene_parameter_at(l->scene, 0));
    memcpy(out->value, p->value, sizeof out->value);
    if (!word) out->value[component < 0 ? 0 : component] = flag ? value->flag : value->number;
    const double* v = out->value;
    if (word)
        snprintf(out->text, sizeof out->text, "%s=\"%s\"", p->path, value->word);
    else if (flag)
        snprintf(out->text, sizeof out->text, "%s=%s", p->path, value->flag ? "true" : "false");
    else if (component < 0)
        snprintf(out->text, sizeof out->text, "%s=%.17g", p->path, v[0]);
    else
        snprintf(out->text, sizeof out->text,
                 pli_world_dimension(pli_scene_world(l->scene)) == 3 ? "%s=[%.17g,%.17g,%.17g]"
                                                                     : "%s=[%.17g,%.17g]",
                 p->path, v[0], v[1], v[2]);
    return true;
}

static void remember(live* l, const change* new) {
    int at = 0;
    while (at < l->change_count && strcmp(l->changes[at].path, new->path) != 0) ++at;
    l->changes[at] = *new;
    if (at == l->change_count) l->change_count++;
}

// Takes the state over from one world to the other.
static bool carry(const pli_world* from, pli_world* to, char why[PLI_VIEW_WHY_SIZE]) {
    pli_world_state state = {.time = pli_world_time(from),
                             .step = pli_world_step_count(from),
                             .positions = pli_world_positions(from),
                             .velocities = pli_world_velocities(from)};
    pli_error error = {0};
    pli_status status = pli_world_prepare(to, &error);
    if (pli_world_node_count(to) == pli_world_node_count(from)) {
        state.node_values = pli_world_node_values(from);
        state.node_rates = pli_world_node_rates(from);
    }
    if (status == PLI_OK) status = pli_world_set_state(to, &state, &error);
    if (status == PLI_OK) return true;
    pli_printable(error.message, why, PLI_VIEW_WHY_SIZE);
    return false;
}

// Another scene with the change, which takes over the state.
static bool rebuild(live* l, const change* new, char why[PLI_VIEW_WHY_SIZE]) {
    pli_scene* scene;
    if (!create(l, new, &scene, why)) return false;
    pli_world *old = pli_scene_world(l->scene), *world = pli_scene_world(scene);
    pli_error error = {0};
    bool good = pli_scene_update(scene, pli_world_time(old), NULL, &error) == PLI_OK;
    if (!good) pli_printable(error.message, why, PLI_VIEW_WHY_SIZE);
    if (!good || (pli_world_step_count(old) > 0 && !carry(old, world, why))) {
        pli_scene_destroy(scene);
        return false;
    }
    replace_scene(l, scene);
    return true;
}

static bool set(live* l, const pli_view_request* request, char why[PLI_VIEW_WHY_SIZE]) {
    change new = {0};
    bool applied = false;
    pli_error error = {0};
    if (!write_change(l, request, &new, why)) return false;
    if (l->change_count == CHANGES_MAX) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "set: too many parameters have been changed");
        return false;
    }
    check_grab(l);
    if (pli_scene_set_parameter(l->scene, new.number, new.value, &applied, &error) != PLI_OK) {
        pli_printable(error.message, why, PLI_VIEW_WHY_SIZE);
        return false;
    }
    if (!applied && !rebuild(l, &new, why)) return false;
    remember(l, &new);
    char unused[PLI_VIEW_WHY_SIZE];
    // Preparing the world again releases it.
    if (l->grabbed >= 0) grab(l, l->grabbed, l->body, l->target, unused);
    return true;
}

// ---- requests

static bool handle(void* self, const pli_view_request* request, char why[PLI_VIEW_WHY_SIZE]) {
    live* l = self;
    switch (request->kind) {
    case PLI_VIEW_RESTART:
        return restart(l, why);
    case PLI_VIEW_SET:
        return set(l, request, why);
    case PLI_VIEW_GRAB:
        return grab(l, request->vertex, request->body, request->target, why);
    case PLI_VIEW_DRAG: // after a release: too late, and no harm
        check_grab(l);
        return l->grabbed < 0 || drag(l, request->target, why);
    case PLI_VIEW_RELEASE:
        release(l);
        return true;
    default:
        snprintf(why, PLI_VIEW_WHY_SIZE, "a scene that is simulated cannot do that");
        return false;
    }
}

// ---- steps

static void mark(pli_view_where* where, int32_t vertex) {
    for (int i = 0; i < where->vertex_count; ++i)
        if (where->vertices[i] == (uint32_t)vertex) return;
    if (where->vertex_count < PLI_VIEW_HIGHLIGHT)
        where->vertices[where->vertex_count++] = (uint32_t)vertex;
}

// All vertices of the elements around one.
static void mark_around(const pli_world* world, int vertex, pli_view_where* where) {
    mark(where, vertex);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        const int32_t* elements = pli_world_elements(world, kind);
        int size = pli_element_size(kind), count = pli_world_element_count(world, kind);
        for (int e = 0; e < count; ++e) {
            const int32_t* element = elements + (size_t)e * (size_t)size;
            bool has = false;
            for (int i = 0; i < size; ++i) has |= element[i] == vertex;
            for (int i = 0; has && i < size; ++i) mark(where, element[i]);
        }
    }
}

static const char* name_of(const pli_world* world, int body) {
    return body >= 0 ? pli_world_body_name(world, body)
                     : pli_world_half_space_name(world, -1 - body);
}

// The side of a contact that the vertex is on; -1: it takes no part.
static int side_of(const pli_contact_info* contact, int vertex) {
    for (int i = 0; i < 6; ++i)
        if (i % 3 < contact->vertex_count[i / 3] && contact->vertices[i / 3][i % 3] == vertex)
            return i / 3;
    return -1;
}

// The nearest contact that the vertex takes part in, if any: both sides of it.
static void mark_pair(const pli_world* world, int vertex, pli_view_where* where) {
    const pli_contact_info *contacts = pli_world_contacts(world), *nearest = NULL;
    for (int c = 0; c < pli_world_contact_count(world); ++c)
        if (side_of(&contacts[c], vertex) >= 0 &&
            (!nearest || contacts[c].distance < nearest->distance))
            nearest = &contacts[c];
    if (!nearest) return;
    for (int i = 0; i < 6; ++i)
        if (i % 3 < nearest->vertex_count[i / 3]) mark(where, nearest->vertices[i / 3][i % 3]);
    int other = nearest->body[1 - side_of(nearest, vertex)];
    snprintf(where->other, sizeof where->other, "%s", name_of(world, other));
    memcpy(where->pair, nearest->point, sizeof where->pair);
}

// What crosses, if anything does.
static void mark_crossings(pli_world* world, pli_view_where* where) {
    enum { ROOM = 16 };
    pli_crossing_info crossings[ROOM];
    pli_error error = {0};
    int count = 0;
    if (pli_world_crossings(world, ROOM, crossings, &count, &error) != PLI_OK) return;
    for (int c = 0; c < count && c < ROOM; ++c)
        for (int i = 0; i < 6 && crossings[c].distance == 0; ++i) {
            int side = i / 3, body = crossings[c].body[side];
            if (body < 0 || i % 3 >= crossings[c].vertex_count[side]) continue;
            mark(where, crossings[c].vertices[side][i % 3] + pli_world_body_vertex(world, body));
        }
}

static void find_place(pli_world* world, int vertex, pli_view_where* where) {
    *where = (pli_view_where){.vertex = -1};
    mark_crossings(world, where);
    if (vertex < 0 || vertex >= pli_world_vertex_count(world)) return;
    where->vertex = vertex;
    memcpy(where->point, pli_world_positions(world) + 3 * vertex, sizeof where->point);
    snprintf(where->body, sizeof where->body, "%s",
             pli_world_body_name(world, body_of(world, vertex)));
    mark_around(world, vertex, where);
    mark_pair(world, vertex, where);
}

static bool stats_of(void* self, pli_view_stats* stats) {
    live* l = self;
    const pli_world* world = pli_scene_world(l->scene);
    if (!l->has_info) return false;
    l->has_info = false;
    *stats = (pli_view_stats){.info = l->info};
    for (int i = 0; i < pli_world_energy_count(world); ++i) {
        double value = pli_world_energy_value(world, i);
        if (i < PLI_VIEW_ENERGIES) stats->energies[stats->energy_count++] = value;
        if (pli_world_energy_stored(world, i)) stats->total += value;
    }
    return true;
}

static bool is_over(void* self) {
    const live* l = self;
    const pli_run_def* run = pli_scene_run(l->scene);
    const pli_world* world = pli_scene_world(l->scene);
    if (run->duration > 0) return pli_world_time(world) >= run->duration;
    return pli_world_step_count(world) >= run->steps;
}

// Bodies appear and vanish after a step.
static pli_status change_bodies(live* l, pli_error* error) {
    pli_world* world = pli_scene_world(l->scene);
    int count = 0;
    pli_status status = pli_scene_update(l->scene, pli_world_time(world), &count, error);
    return status == PLI_OK && count > 0 ? pli_world_prepare(world, error) : status;
}

static pli_view_outcome advance(void* self, pli_view_stop* stop) {
    live* l = self;
    pli_world* world = pli_scene_world(l->scene);
    if (pli_scene_run(l->scene)->duration > 0 && is_over(l)) { // its steps cannot go beyond
        *stop = pli_view_end();
        return PLI_VIEW_STOPPED;
    }
    pli_step_info info = {.worst_vertex = -1};
    pli_error error = {0};
    pli_status status = pli_world_step(world, &info, &error);
    l->has_info = status == PLI_OK;
    l->info = info;
    if (status == PLI_OK && info.kept) status = change_bodies(l, &error);
    if (status == PLI_OK && info.kept) return PLI_VIEW_WENT_ON;
    bool by_speed = strcmp(pli_world_residual_unit(world), "m/s") == 0; // else it is relative
    *stop = status == PLI_OK ? pli_view_failure(&info, by_speed ? "m/s" : "")
                             : (pli_view_stop){.where.vertex = -1};
    if (status != PLI_OK) {
        snprintf(stop->reason, sizeof stop->reason, "%s", pli_status_text(status));
        snprintf(stop->message, sizeof stop->message, "%s", error.message);
    }
    find_place(world, info.worst_vertex, &stop->where);
    return PLI_VIEW_STOPPED;
}

// ---- showing

static void status_of(void* self, pli_view_status* status) {
    live* l = self;
    check_grab(l);
    const pli_world* world = pli_scene_world(l->scene);
    status->step = pli_world_step_count(world);
    status->time = pli_world_time(world);
    status->grabbed = l->grabbed;
    status->frame = status->step;
    status->frames = 0;
}

// Both closest points, the force, both bodies: -1 - i is half-space i.
static bool fill_contacts(const pli_world* world, pli_view_frame* out) {
    const pli_contact_info* from = pli_world_contacts(world);
    float* to = pli_view_frame_contacts(out, pli_world_contact_count(world));
    for (int c = 0; to && c < out->contact_count; ++c, to += PLI_VIEW_CONTACT_NUMBERS) {
        for (int i = 0; i < 6; ++i) to[i] = (float)from[c].point[i / 3][i % 3];
        to[6] = (float)from[c].force;
        for (int k = 0; k < 2; ++k) to[7 + k] = (float)from[c].body[k];
    }
    return to != NULL;
}

static const double* fill(void* self, pli_view_want want, pli_view_frame* out) {
    live* l = self;
    const pli_world* world = pli_scene_world(l->scene);
    out->step = (uint32_t)pli_world_step_count(world);
    out->time = pli_world_time(world);
    out->has = (pli_view_want){0};
    for (int i = 0; i < PLI_VIEW_FIELDS; ++i)
        if ((want.fields >> i & 1u) && out->fields[i] &&
            pli_view_field_read(world, i, &l->scratch, out->fields[i]))
            out->has.fields |= 1u << i;
    out->has.contacts = want.contacts && fill_contacts(world, out);
    return pli_world_positions(world);
}

static uint64_t epoch_of(void* self) {
    return pli_world_topology_epoch(pli_scene_world(((live*)self)->scene));
}

static pli_view_model* model_of(void* self, uint32_t generation) {
    live* l = self;
    if (!l->has_surface || l->surface_epoch != epoch_of(l)) {
        pli_view_surface_free(&l->surface);
        l->surface = (pli_view_surface){0};
        l->has_surface = pli_view_surface_of_world(&l->surface, pli_scene_world(l->scene));
        l->surface_epoch = epoch_of(l);
    }
    return l->has_surface ? pli_view_model_of(l->scene, &l->surface, generation) : NULL;
}

// ---- the file

// Whether it has been saved since the last look.
static bool is_saved(live* l) {
    struct stat now;
    if (l->setup->scene.text || stat(l->path, &now) != 0) return false;
    bool same = now.st_mtim.tv_sec == l->saved.tv_sec && now.st_mtim.tv_nsec == l->saved.tv_nsec &&
                now.st_size == l->size;
    l->saved = now.st_mtim;
    l->size = now.st_size;
    return !same;
}

// Changes by sliders are given up: the file counts.
static pli_view_change refresh(void* self, char why[PLI_VIEW_WHY_SIZE]) {
    live* l = self;
    int changes = l->change_count;
    if (!is_saved(l)) return PLI_VIEW_UNCHANGED;
    l->change_count = 0;
    if (restart(l, why)) return PLI_VIEW_RELOADED;
    l->change_count = changes;
    return PLI_VIEW_INVALID;
}

static void destroy(void* self) {
    live* l = self;
    pli_scene_destroy(l->scene);
    pli_view_scratch_free(&l->scratch);
    pli_view_surface_free(&l->surface);
    free(l->path);
    free(l);
}

static const pli_view_source_ops ops = {.mode = PLI_VIEW_LIVE,
                                        .advance = advance,
                                        .stats = stats_of,
                                        .handle = handle,
                                        .status = status_of,
                                        .fill = fill,
                                        .is_over = is_over,
                                        .model = model_of,
                                        .epoch = epoch_of,
                                        .refresh = refresh,
                                        .destroy = destroy};

bool pli_view_live_open(const pli_view_setup* setup, const char* path, pli_view_source* source,
                        char why[PLI_VIEW_WHY_SIZE]) {
    live* l = calloc(1, sizeof *l);
    char* copy = malloc(strlen(path) + 1);
    if (!l || !copy) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "out of memory");
        free(l);
        free(copy);
        return false;
    }
    l->setup = setup;
    l->path = strcpy(copy, path);
    l->grabbed = -1;
    if (!create(l, NULL, &l->scene, why)) {
        destroy(l);
        return false;
    }
    (void)is_saved(l); // from here on
    double h = pli_world_time_step(pli_scene_world(l->scene));
    *source = (pli_view_source){.ops = &ops, .self = l, .rate = h > 0 ? 1 / h : 0};
    return true;
}
