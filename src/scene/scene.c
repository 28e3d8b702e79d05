// The scene object: text -> JSON -> structs -> shapes -> world, with findings on the way.
#include "pliant/scene.h"

#include "base/def.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"
#include "scene/check.h"
#include "scene/constants.h"
#include "scene/include.h"
#include "scene/reader.h"
#include "scene/scene.h"
#include "scene/source.h"
#include "scene/tables.h"

void pli_scene_def_init(pli_scene_def* out) {
    const pli_scene_def def = {0};
    PLI_GIVE_DEF(def, out);
}

typedef pli_scene_loader loader;

static pli_status check_def(const pli_scene_def* def, pli_error* error) {
    if (!def->path && !def->text)
        return pli_fail(error, PLI_E_ARGUMENT, "scene: neither path nor text is given");
    if (def->override_count < 0 || (def->override_count > 0 && !def->overrides))
        return pli_fail(error, PLI_E_ARGUMENT, "scene: override_count = %d, but %s",
                        def->override_count,
                        def->override_count < 0 ? "must be >= 0" : "overrides is NULL");
    for (int i = 0; i < def->override_count; ++i)
        if (!def->overrides[i])
            return pli_fail(error, PLI_E_ARGUMENT, "scene: override %d is NULL", i);
    return pli_energy_types_check(def->energy_types, def->energy_type_count, error);
}

static pli_status apply_overrides(pli_scene* scene, loader* w, pli_error* error) {
    int count = w->def->override_count;
    PLI_TRY(PLI_TAKE(&scene->kept, scene->overridden, count, error));
    PLI_TRY(PLI_TAKE(&scene->kept, scene->overrides, count, error));
    scene->override_count = scene->override_room = count;
    for (int i = 0; i < count; ++i) {
        PLI_TRY(pli_arena_text(&scene->kept, w->def->overrides[i], &scene->overrides[i], error));
        char path[sizeof(((pli_finding*)0)->path)] = "";
        pli_error bad = {0};
        pli_status status =
            pli_override_apply(w->root, w->def->overrides[i], path, sizeof path, &bad);
        if (status == PLI_E_MEMORY) return pli_fail(error, status, "%s", bad.message);
        if (status != PLI_OK)
            PLI_TRY(PLI_FIND(&scene->findings, NULL, error, "%s", bad.message));
        else
            PLI_TRY(pli_arena_text(&scene->kept, path, &scene->overridden[i], error));
    }
    return PLI_OK;
}

// Fills w->data and its findings; `dimension` is the length of vectors.
static pli_status read_data(pli_scene* scene, loader* w, int dimension, pli_error* error) {
    PLI_TRY(PLI_TAKE(&w->arena, w->data, 1, error));
    pli_scene_reader reader = {.arena = &w->arena,
                               .kept = &scene->kept,
                               .findings = &scene->findings,
                               .catalog = &w->catalog,
                               .dimension = dimension};
    PLI_TRY(pli_read_constants(&reader, w->root, &reader.constants, error));
    return pli_read_section(&reader, &pli_scene_section, w->root, NULL, w->data, error);
}

static bool says_dimension(const loader* w) {
    return json_object_get(w->root, "dimension") != NULL;
}

// One error, at the place of an example.
static pli_status report_dimension(pli_scene* scene, const pli_finding* example, pli_error* error) {
    PLI_TRY(PLI_FIND(&scene->findings, PLI_KEY(NULL, "dimension"), error,
                     "\"dimension\": 3 is missing, so the scene is two-dimensional, but %s",
                     example->message));
    pli_finding* f = &scene->findings.items[scene->findings.count - 1];
    memcpy(f->path, example->path, sizeof f->path);
    f->line = example->line;
    f->file = example->file;
    f->column = example->column;
    f->overridden = example->overridden;
    return PLI_OK;
}

// Whether a finding is among those from `first` on.
static bool is_found(const pli_findings* findings, int first, const pli_finding* one) {
    for (int i = first; i < findings->count; ++i)
        if (strcmp(findings->items[i].message, one->message) == 0) return true;
    return false;
}

// A scene without "dimension" is two-dimensional. If it has fewer errors in three dimensions, the
// missing key is the one error to report, and everything is read in three dimensions.
static pli_status read_without_dimension(pli_scene* scene, loader* w, pli_error* error) {
    pli_findings* findings = &scene->findings;
    pli_findings before = *findings;
    PLI_TRY(read_data(scene, w, 2, error));
    int flat = findings->error_count;
    if (flat == before.error_count || findings->count == before.count) return PLI_OK;
    int found = findings->count - before.count;
    pli_finding* plane;
    PLI_TRY(PLI_TAKE(&w->arena, plane, found, error));
    memcpy(plane, findings->items + before.count, sizeof *plane * (size_t)found);
    pli_findings_go_back(findings, &before);
    PLI_TRY(read_data(scene, w, 3, error));
    if (findings->error_count < flat && findings->count < PLI_FINDING_LIMIT) {
        int i = 0;
        while (i + 1 < found && is_found(findings, before.count, &plane[i])) ++i;
        w->data->world.dimension = 3;
        return report_dimension(scene, &plane[i], error);
    }
    pli_findings_go_back(findings, &before);
    return read_data(scene, w, 2, error);
}

static pli_status read_scene(pli_scene* scene, loader* w, pli_error* error) {
    PLI_TRY(pli_material_complete(w->root, error));
    if (json_is_string(json_object_get(w->root, "dimension"))) {
        PLI_TRY(PLI_FIND(&scene->findings, PLI_KEY(NULL, "dimension"), error,
                         "dimension is a text, must be the number 2 or 3"));
        json_object_del(w->root, "dimension"); // vectors are read before their rows
    }
    double dimension = json_number_value(json_object_get(w->root, "dimension"));
    if (says_dimension(w))
        PLI_TRY(read_data(scene, w, dimension == 3 ? 3 : 2, error));
    else
        PLI_TRY(read_without_dimension(scene, w, error));
    PLI_TRY(pli_apply_analysis(w->root, w->data, &scene->findings, error));
    w->data->world.end_time = w->data->duration;
    return pli_parameters_collect(&scene->parameters, &w->catalog, w->data, error);
}

// Reports tetrahedra in a scene without "dimension". *flat: there are none.
static pli_status check_solids(pli_scene* scene, const loader* w, bool* flat, pli_error* error) {
    const pli_builder* b = &w->builder;
    *flat = true;
    bool meant = says_dimension(w) || w->data->world.dimension == 3;
    for (int i = 0; i < b->body_count && !meant && *flat; ++i) {
        const pli_shape* shape = &b->bodies[i];
        if (shape->obstacle || !shape->sound || pli_mass_dimension(shape->mesh.element_count) < 3)
            continue;
        *flat = false;
        pli_path list, at = pli_body_path(b, i, &list);
        PLI_TRY(PLI_FIND(&scene->findings, PLI_KEY(&at, "mesh"), error,
                         "the mesh has tetrahedra, but the scene is two-dimensional: add "
                         "\"dimension\": 3"));
    }
    return PLI_OK;
}

// See the rows of `time`.
static int step_count(const pli_scene_data* data) {
    if (data->steps > 0) return data->steps;
    if (data->world.time_step == 0) return PLI_MOST_STEPS; // the duration ends it
    if (data->duration <= 0) return 100;
    return (int)fmin(pli_steps_of_duration(data), PLI_MOST_STEPS); // more is an error
}

static uint32_t field_bits(const pli_list* names) {
    uint32_t bits = 0;
    for (int i = 0; i < names->count; ++i) {
        const char* name = ((const char* const*)names->items)[i];
        const char* known;
        if (!name) continue; // an unknown word: there is a finding
        if (strcmp(name, "all") == 0) bits = PLI_FRAME_ALL_FIELDS;
        for (int k = 0; (known = pli_frame_field_name(k)); ++k)
            if (strcmp(name, known) == 0) bits |= 1u << k;
    }
    if (bits >> PLI_FRAME_STRESS & 1) bits |= 1u << PLI_FRAME_VON_MISES; // which pictures show
    if (bits >> PLI_FRAME_STRETCHES & 1)
        bits |= 1u << PLI_FRAME_STRETCH | 1u << PLI_FRAME_SIZE_RATIO;
    return bits ? bits : PLI_FRAME_DEFAULT_FIELDS;
}

static void set_output(pli_run_def* run, const pli_output_data* output) {
    run->frame_every = output->frame_every > 0 ? output->frame_every : output->every;
    run->fields = field_bits(&output->fields);
    run->double_precision = strcmp(output->precision, "double") == 0;
    run->compress = strcmp(output->compression, "small") == 0;
    run->preview_frames = output->preview_frames;
    run->checkpoint_every = output->checkpoint_every;
    run->checkpoint_interval = output->checkpoint_interval;
}

static void set_end(pli_run_def* run, const pli_scene_data* data) {
    run->steps = step_count(data);
    run->duration = data->world.time_step == 0 ? data->duration : 0;
}

// The scene's own name, or that of its file without folder and ending.
static pli_status set_run(pli_scene* scene, const pli_scene_data* data, pli_error* error) {
    char base[256];
    const char* slash = strrchr(scene->path, '/');
    snprintf(base, sizeof base, "%s", slash ? slash + 1 : scene->path);
    char* dot = strrchr(base, '.');
    if (dot && dot != base) *dot = '\0';
    const char* name = data && data->name[0] ? data->name : base;
    scene->run = (pli_run_def){.size = sizeof scene->run, .frame_every = 1};
    PLI_TRY(pli_arena_text(&scene->kept, name, &scene->run.name, error));
    PLI_TRY(pli_arena_text(&scene->kept, data ? data->description : "", &scene->run.description,
                           error));
    if (!data) return PLI_OK;
    set_end(&scene->run, data);
    set_output(&scene->run, &data->output);
    return PLI_OK;
}

static void summarize(pli_scene* scene) {
    pli_scene_summary* s = &scene->summary;
    const pli_world* world = scene->world;
    s->obstacle_count = pli_world_half_space_count(world);
    for (int b = 0; b < pli_world_body_count(world); ++b)
        *(pli_world_body_is_obstacle(world, b) ? &s->obstacle_count : &s->body_count) += 1;
    s->vertex_count = pli_world_vertex_count(world);
    s->unknown_count = pli_world_unknown_count(world);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        s->element_count[k] = pli_world_element_count(world, (pli_element_kind)k);
    const double *x = pli_world_positions(world), *mass = pli_world_vertex_masses(world);
    pli_bounding_box(s->vertex_count, x, s->low, s->high);
    for (int v = 0; v < s->vertex_count; ++v) s->mass += mass[v];
}

static pli_status note_copies(pli_scene* scene, const pli_builder* b, pli_error* error) {
    PLI_TRY(PLI_TAKE(&scene->kept, scene->first_copy, b->body_count, error));
    scene->body_count = b->body_count;
    for (int i = 0; i < b->body_count; ++i) scene->first_copy[i] = i - b->bodies[i].copy;
    return PLI_OK;
}

static pli_status note_bodies(pli_scene* scene, const pli_builder* b, pli_error* error) {
    PLI_TRY(PLI_TAKE(&scene->kept, scene->bodies, scene->body_count, error));
    for (int i = 0; i < scene->body_count; ++i) {
        pli_built_body* body = &scene->bodies[i];
        const pli_shape* shape = &b->bodies[i];
        PLI_TRY(pli_arena_text(&scene->kept, shape->name, &body->name, error));
        body->body = shape->obstacle ? -1 : shape->body;
        body->vertex_count = shape->mesh.vertex_count;
        body->hash = b->added.hashes[i];
    }
    scene->added = b->added;
    return pli_events_list(scene, b, error);
}

// Positions of the sound bodies at t = 0.
static pli_status check_start(pli_scene* scene, loader* w, const pli_world_def* def,
                              pli_error* error) {
    PLI_TRY(pli_initial_create(&w->builder, def, &scene->initial, error));
    return pli_check_contact(&w->builder, &scene->initial, error);
}

// Prepares the world, if there are no errors. If the initial state is kept, there is no other
// world.
static pli_status finish_world(pli_scene* scene, loader* w, pli_error* error) {
    if (w->keep_initial) return PLI_OK;
    if (scene->initial.whole && scene->findings.error_count == 0) {
        PLI_TRY(pli_prepare_world(&w->builder, scene->initial.world, error));
        if (scene->findings.error_count == 0)
            scene->world = pli_initial_take_world(&scene->initial);
    }
    if (scene->initial.crossing_count == 0) pli_initial_free(&scene->initial);
    if (!scene->world) return PLI_OK;
    summarize(scene);
    PLI_TRY(note_copies(scene, &w->builder, error));
    PLI_TRY(note_bodies(scene, &w->builder, error));
    return pli_check_dhat(&w->builder, scene->world, error);
}

static pli_status build_scene(pli_scene* scene, loader* w, pli_error* error) {
    w->builder = (pli_builder){.memory = &scene->memory,
                               .arena = &w->arena,
                               .kept = &scene->kept,
                               .findings = &scene->findings,
                               .catalog = &w->catalog,
                               .scene = w->data,
                               .folder = w->folder,
                               .allocator = w->def->allocator};
    int errors = scene->findings.error_count;
    PLI_TRY(pli_check_memory(&w->builder, error));
    if (scene->findings.error_count > errors) return PLI_OK;
    scene->findings.settled = scene->findings.count;
    PLI_TRY(pli_shapes_build(&w->builder, error));
    bool flat;
    PLI_TRY(check_solids(scene, w, &flat, error));
    if (!flat) return PLI_OK;
    for (int i = 0; i < w->builder.body_count; ++i) PLI_TRY(pli_check_body(&w->builder, i, error));
    scene->findings.settled = 0;
    PLI_TRY(pli_check_scene(&w->builder, error));
    pli_world_def def = w->data->world;
    def.thread_count = w->def->thread_count;
    def.interactive = w->def->interactive;
    def.energy_types = w->def->energy_types;
    def.energy_type_count = w->def->energy_type_count;
    def.allocator = w->def->allocator;
    PLI_TRY(check_start(scene, w, &def, error));
    return finish_world(scene, w, error);
}

// "a/b" of "a/b/scene.json".
static pli_status take_folder(loader* w, const char* path, pli_error* error) {
    const char* slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    char* folder;
    PLI_TRY(PLI_TAKE(&w->arena, folder, length + 1, error));
    memcpy(folder, path, length);
    w->folder = folder;
    return PLI_OK;
}

// A newer format is not read further.
static pli_status check_format(pli_scene* scene, loader* w, pli_error* error) {
    const json_t* version = json_object_get(w->root, "version");
    if (!json_is_integer(version) || json_integer_value(version) <= PLI_SCENE_FORMAT) return PLI_OK;
    long long given = (long long)json_integer_value(version);
    json_decref(w->root);
    w->root = NULL;
    return PLI_FIND(
        &scene->findings, PLI_KEY(NULL, "version"), error,
        "version = %lld of the scene format, but pliant %s reads up to %d: use a newer pliant",
        given, pli_version(), PLI_SCENE_FORMAT);
}

static pli_status load(pli_scene* scene, loader* w, pli_error* error) {
    pli_findings_init(&scene->findings, &scene->memory);
    const char* path = w->def->path ? w->def->path : "scene";
    PLI_TRY(pli_arena_text(&scene->kept, path, &scene->path, error));
    PLI_TRY(take_folder(w, path, error));
    if (w->def->text) {
        w->text_size = strlen(w->def->text) + 1;
        PLI_TRY(PLI_ALLOC(&scene->memory, w->text, w->text_size, error));
        memcpy(w->text, w->def->text, w->text_size);
    } else {
        PLI_TRY(pli_source_read(&scene->memory, path, &w->text, &w->text_size, error));
    }
    pli_source_clean(w->text);
    scene->findings.source.text = w->text;
    PLI_TRY(pli_source_parse(&scene->findings, w->text_size - 1, &w->root, error));
    if (!w->root) return PLI_OK;
    PLI_TRY(pli_include_all(&scene->findings, &scene->kept, scene->path, w->folder, w->root, error));
    PLI_TRY(pli_material_complete(w->root, error)); // so that overrides apply to it
    PLI_TRY(apply_overrides(scene, w, error));
    PLI_TRY(pli_json_write(w->root, &scene->text, error));
    scene->findings.overridden = (pli_overridden){scene->override_count, scene->overridden};
    return check_format(scene, w, error);
}

static void free_loader(pli_scene* scene, loader* w) {
    if (!w) return;
    pli_shapes_free(&w->builder);
    pli_arena_free(&w->arena);
    json_decref(w->root);
    if (w->text) PLI_FREE(&scene->memory, w->text, w->text_size);
    PLI_FREE(&scene->memory, w, 1);
}

// The energies of the user; reading again needs them.
static pli_status keep_catalog(pli_scene* scene, loader* w, pli_error* error) {
    int count = w->def->energy_type_count;
    const pli_energy_type** types;
    PLI_TRY(PLI_TAKE(&scene->kept, types, count, error));
    for (int i = 0; i < count; ++i) types[i] = w->def->energy_types[i];
    w->catalog = scene->catalog = (pli_catalog){types, count};
    return PLI_OK;
}

static pli_status make_scene(pli_scene* scene, loader* w, pli_error* error) {
    pli_arena_init(&w->arena, &scene->memory);
    pli_arena_init(&scene->kept, &scene->memory);
    PLI_TRY(keep_catalog(scene, w, error));
    PLI_TRY(load(scene, w, error));
    if (w->root) {
        PLI_TRY(read_scene(scene, w, error));
        PLI_TRY(build_scene(scene, w, error));
    }
    PLI_TRY(set_run(scene, w->data, error));
    return pli_findings_finish(&scene->findings, error);
}

// ---- reading again

// The first error of the settings as they are now.
static pli_status check_trial(pli_scene_trial* t, pli_error* error) {
    pli_findings* findings = &t->read.findings;
    pli_builder builder = {
        .findings = findings, .catalog = &t->loader.catalog, .scene = t->loader.data};
    PLI_TRY(pli_check_settings(&builder, error));
    int i = 0;
    while (i < findings->count && findings->items[i].severity != PLI_ERROR) ++i;
    if (i == findings->count) return PLI_OK;
    return pli_fail(error, PLI_E_SCENE, "%s", findings->items[i].message);
}

pli_status pli_scene_try(pli_scene* scene, const char* override, pli_scene_trial* t,
                         pli_error* error) {
    pli_memory* memory = &scene->memory;
    char path[sizeof(((pli_finding*)0)->path)] = "";
    *t = (pli_scene_trial){.loader.catalog = scene->catalog};
    pli_arena_init(&t->loader.arena, memory);
    pli_arena_init(&t->read.kept, memory);
    pli_findings_init(&t->read.findings, memory);
    t->read.text.memory = t->read.parameters.memory = memory;
    t->read.findings.source.text = scene->text.bytes;
    PLI_TRY(
        pli_source_parse(&t->read.findings, (size_t)scene->text.length, &t->loader.root, error));
    if (override) PLI_TRY(pli_override_apply(t->loader.root, override, path, sizeof path, error));
    PLI_TRY(pli_json_write(t->loader.root, &t->read.text, error));
    PLI_TRY(read_scene(&t->read, &t->loader, error));
    return check_trial(t, error);
}

void pli_scene_keep(pli_scene* scene, pli_scene_trial* t) {
    pli_text text = scene->text;
    pli_parameters parameters = scene->parameters;
    scene->text = t->read.text;
    scene->parameters = t->read.parameters;
    t->read.text = text;
    t->read.parameters = parameters;
    set_end(&scene->run, t->loader.data);
}

void pli_scene_trial_free(pli_scene_trial* t) {
    pli_arena_free(&t->loader.arena);
    pli_arena_free(&t->read.kept);
    pli_findings_free(&t->read.findings);
    pli_text_free(&t->read.text);
    pli_parameters_free(&t->read.parameters);
    json_decref(t->loader.root);
}

pli_status pli_scene_create(const pli_scene_def* def, pli_scene** out, pli_error* error) {
    pli_scene_def own;
    PLI_TRY(PLI_TAKE_DEF(scene, def, &own, error));
    return pli_scene_open(&own, false, out, error);
}

pli_status pli_scene_open(const pli_scene_def* def, bool keep_initial, pli_scene** out,
                          pli_error* error) {
    pli_error unused = {0};
    if (!error) error = &unused;
    if (!out) return pli_fail(error, PLI_E_ARGUMENT, "scene: the result is NULL");
    PLI_TRY(check_def(def, error));
    pli_memory memory;
    pli_memory_init(&memory, def->allocator);
    pli_scene* scene;
    PLI_TRY(PLI_ALLOC(&memory, scene, 1, error));
    scene->memory = memory;
    scene->text.memory = scene->parameters.memory = &scene->memory;
    pli_status status = PLI_ALLOC(&scene->memory, scene->loader, 1, error);
    if (status == PLI_OK) {
        *scene->loader = (loader){.def = def, .keep_initial = keep_initial};
        status = make_scene(scene, scene->loader, error);
    }
    pli_findings_drop_sources(&scene->findings);
    if (status != PLI_OK) {
        pli_scene_destroy(scene);
        return status;
    }
    if (!pli_events_need_loader(scene)) {
        free_loader(scene, scene->loader);
        scene->loader = NULL;
    }
    *out = scene;
    return PLI_OK;
}

void pli_scene_destroy(pli_scene* scene) {
    if (!scene || (scene->world && pli_world_is_busy(scene->world))) return;
    pli_world_destroy(scene->world);
    free_loader(scene, scene->loader);
    pli_initial_free(&scene->initial);
    pli_arena_free(&scene->kept);
    pli_findings_free(&scene->findings);
    pli_text_free(&scene->text);
    pli_parameters_free(&scene->parameters);
    pli_memory last = scene->memory; // the scene is freed through a copy of its counters
    PLI_FREE(&last, scene, 1);
}

int pli_scene_finding_count(const pli_scene* scene) { return scene ? scene->findings.count : 0; }

const pli_finding* pli_scene_finding(const pli_scene* scene, int i) {
    return scene && i >= 0 && i < scene->findings.count ? &scene->findings.items[i] : NULL;
}

int pli_scene_error_count(const pli_scene* scene) {
    return scene ? scene->findings.error_count : 0;
}

const char* pli_scene_finding_text(const pli_scene* scene, int i, char* buffer, size_t size) {
    static const char* const words[] = {
        [PLI_NOTE] = "note: ", [PLI_WARNING] = "warning: ", [PLI_ERROR] = ""};
    const pli_finding* f = pli_scene_finding(scene, i);
    if (size > 0) buffer[0] = '\0';
    if (!f) return buffer;
    const char* word = words[f->severity];
    if (f->overridden)
        snprintf(buffer, size, "--set %s: %s%s", f->path, word, f->message);
    else if (f->line > 0)
        snprintf(buffer, size, "%s:%d:%d: %s%s", f->file ? f->file : scene->path, f->line, f->column, word, f->message);
    else
        snprintf(buffer, size, "%s: %s%s", scene->path, word, f->message);
    return size > 0 ? pli_printable(buffer, buffer, size) : buffer;
}

pli_world* pli_scene_world(pli_scene* scene) { return scene ? scene->world : NULL; }

pli_initial* pli_scene_initial(pli_scene* scene) { return &scene->initial; }

int pli_scene_crossing_count(const pli_scene* scene) {
    return scene ? scene->initial.kept_count : 0;
}

const pli_crossing_info* pli_scene_crossings(const pli_scene* scene) {
    return scene ? scene->initial.crossings : NULL;
}

const pli_world* pli_scene_crossed_world(const pli_scene* scene) {
    return scene && scene->initial.kept_count > 0 ? scene->initial.world : NULL;
}

int pli_scene_parameter_count(const pli_scene* scene) {
    return scene ? scene->parameters.count : 0;
}

const pli_scene_parameter* pli_scene_parameter_at(const pli_scene* scene, int i) {
    return scene && i >= 0 && i < scene->parameters.count ? &scene->parameters.items[i] : NULL;
}

const pli_run_def* pli_scene_run(const pli_scene* scene) { return scene ? &scene->run : NULL; }

const pli_scene_summary* pli_scene_summarize(const pli_scene* scene) {
    return scene ? &scene->summary : NULL;
}

int pli_scene_first_copy(const pli_scene* scene, int body) {
    return scene && body >= 0 && body < scene->body_count ? scene->first_copy[body] : body;
}

int pli_scene_built_count(const pli_scene* scene) { return scene->body_count; }

const pli_built_body* pli_scene_built_body(const pli_scene* scene, int i) {
    return &scene->bodies[i];
}

const char* pli_scene_text(const pli_scene* scene) {
    return scene && scene->text.bytes ? scene->text.bytes : "";
}

const char* pli_scene_path(const pli_scene* scene) { return scene ? scene->path : ""; }

int pli_scene_override_count(const pli_scene* scene) { return scene ? scene->override_count : 0; }

const char* pli_scene_override(const pli_scene* scene, int i) {
    return scene && i >= 0 && i < scene->override_count ? scene->overrides[i] : NULL;
}

pli_status pli_scene_compare(const pli_scene* scene, const char* text, pli_difference_fn* found,
                             void* context, int* count, pli_error* error) {
    if (!scene || !text || !found || !count)
        return pli_fail(error, PLI_E_ARGUMENT, "compare: scene, text, found or count is NULL");
    return pli_compare_texts(text, pli_scene_text(scene), found, context, count, error);
}
