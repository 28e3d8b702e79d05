// A scene whose bodies are moved apart: its JSON with other translations, read again and checked.
#include "scene/separate.h"

#include "base/def.h"
#include "base/text.h"
#include "scene/include.h"
#include "scene/scene.h"
#include "scene/source.h"

#include <string.h>

struct pli_separation {
    pli_memory memory;
    char reason[480];
    pli_arena arena; // of the moves
    int move_count;
    pli_body_move* moves;
    pli_text text;
};

static bool has_moved(const pli_unit* unit) {
    return unit->way[0] != 0 || unit->way[1] != 0 || unit->way[2] != 0;
}

// Adds the displacement of a body to its "translate", which may be absent and in 2D has two or
// three numbers.
static pli_status shift(json_t* body, const double way[3], int dim, pli_error* error) {
    const json_t* old = json_object_get(body, "translate");
    size_t count = old ? json_array_size(old) : (size_t)dim;
    json_t* list = json_array();
    bool good = list != NULL;
    for (size_t k = 0; k < count && k < 3 && good; ++k) {
        const json_t* value = json_array_get(old, k);
        json_t* moved = json_is_string(value)
                            ? json_sprintf("(%s) + %.17g", json_string_value(value), way[k])
                            : json_real(json_number_value(value) + way[k]);
        good = json_array_append_new(list, moved) == 0;
    }
    good = json_object_set(body, "translate", list) == 0 && good;
    json_decref(list);
    return good ? PLI_OK : pli_fail(error, PLI_E_MEMORY, "out of memory: a JSON list");
}

static pli_status apply(json_t* root, const pli_scene_def* def, const pli_push* push,
                        pli_error* error) {
    char path[sizeof(((pli_finding*)0)->path)];
    for (int i = 0; i < def->override_count; ++i)
        PLI_TRY(pli_override_apply(root, def->overrides[i], path, sizeof path, error));
    json_t* bodies = json_object_get(root, "bodies");
    for (int i = 0; i < push->unit_count; ++i)
        if (has_moved(&push->units[i]))
            PLI_TRY(shift(json_array_get(bodies, (size_t)i), push->units[i].way,
                          pli_world_dimension(push->initial->world), error));
    return PLI_OK;
}

// Its problems are known already.
static pli_status include(pli_separation* s, const pli_scene_def* def, json_t* root,
                          pli_error* error) {
    pli_findings findings;
    pli_findings_init(&findings, &s->memory);
    const char* path = def->path ? def->path : "scene";
    const char* slash = strrchr(path, '/');
    char folder[4096];
    pli_format(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + (slash == path) : 0,
               path);
    pli_status status = pli_include_all(&findings, &s->arena, path, folder, root, error);
    pli_findings_free(&findings);
    return status;
}

// The scene's text, from its file if it was not given.
static pli_status write_scene(pli_separation* s, const pli_scene_def* def, const pli_push* push,
                              pli_error* error) {
    char* read = NULL;
    size_t size = 0;
    pli_status status = PLI_OK;
    if (def->text) {
        size = strlen(def->text) + 1;
        PLI_TRY(PLI_ALLOC(&s->memory, read, size, error));
        memcpy(read, def->text, size);
    } else {
        PLI_TRY(pli_source_read(&s->memory, def->path, &read, &size, error));
    }
    pli_source_clean(read);
    json_error_t bad;
    json_t* root = json_loads(read, 0, &bad);
    if (!root) // it was read before: no memory, or the file has changed
        status = pli_fail(error, PLI_E_SCENE, "cannot read the scene again: %s", bad.text);
    if (status == PLI_OK) status = include(s, def, root, error);
    if (status == PLI_OK) status = apply(root, def, push, error);
    if (status == PLI_OK) status = pli_json_write(root, &s->text, error);
    json_decref(root);
    PLI_FREE(&s->memory, read, size);
    return status;
}

// The result must have no errors; otherwise the first of them is the reason.
static pli_status verify(pli_separation* s, const pli_scene_def* def, pli_error* error) {
    pli_scene_def again = *def;
    again.text = s->text.bytes;
    again.overrides = NULL;
    again.override_count = 0;
    pli_scene* scene;
    PLI_TRY(pli_scene_create(&again, &scene, error));
    for (int i = 0; i < pli_scene_finding_count(scene) && !s->reason[0]; ++i) {
        const pli_finding* f = pli_scene_finding(scene, i);
        if (f->severity == PLI_ERROR)
            pli_format(s->reason, sizeof s->reason, "the separated scene has errors: %.400s",
                       f->message);
    }
    pli_scene_destroy(scene);
    return PLI_OK;
}

static pli_status keep_moves(pli_separation* s, const pli_push* push, pli_error* error) {
    PLI_TRY(PLI_TAKE(&s->arena, s->moves, push->unit_count, error));
    for (int i = 0; i < push->unit_count; ++i) {
        const pli_unit* unit = &push->units[i];
        if (!has_moved(unit)) continue;
        pli_body_move* move = &s->moves[s->move_count++];
        PLI_TRY(pli_arena_text(&s->arena, unit->name, &move->name, error));
        memcpy(move->way, unit->way, sizeof move->way);
    }
    return PLI_OK;
}

static pli_status separate(pli_separation* s, const pli_scene_def* def, pli_scene* scene,
                           pli_error* error) {
    pli_initial* initial = pli_scene_initial(scene);
    int others = pli_scene_error_count(scene) - initial->error_count, units = 0;
    if (others > 0 || !initial->world)
        return pli_fail(error, PLI_E_SCENE, "the scene has other errors: correct them first");
    for (int b = 0; b < initial->body_count; ++b)
        units = pli_max_int(units, initial->bodies[b].body + 1);
    pli_push push;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_push_apart(&s->memory, initial, units, &push, error));
    memcpy(s->reason, push.reason, sizeof s->reason);
    if (s->reason[0]) goto cleanup;
    PLI_TRY_CLEANUP(status, keep_moves(s, &push, error));
    PLI_TRY_CLEANUP(status, write_scene(s, def, &push, error));
    PLI_TRY_CLEANUP(status, verify(s, def, error));
cleanup:
    pli_push_free(&push);
    return status;
}

pli_status pli_scene_separate(const pli_scene_def* def, pli_separation** out, pli_error* error) {
    pli_error unused = {0};
    if (!error) error = &unused;
    if (!out) return pli_fail(error, PLI_E_ARGUMENT, "separation: the result is NULL");
    pli_scene_def own;
    PLI_TRY(PLI_TAKE_DEF(scene, def, &own, error));
    pli_scene* scene = NULL;
    pli_separation* s = NULL;
    PLI_TRY(pli_scene_open(&own, true, &scene, error));
    pli_memory memory;
    pli_memory_init(&memory, own.allocator);
    pli_status status = PLI_ALLOC(&memory, s, 1, error);
    if (status == PLI_OK) {
        s->memory = memory;
        s->text.memory = &s->memory;
        pli_arena_init(&s->arena, &s->memory);
        status = separate(s, &own, scene, error);
    }
    pli_scene_destroy(scene);
    if (status != PLI_OK)
        pli_separation_destroy(s);
    else
        *out = s;
    return status;
}

void pli_separation_destroy(pli_separation* s) {
    if (!s) return;
    pli_arena_free(&s->arena);
    pli_text_free(&s->text);
    pli_memory last = s->memory; // it is freed through a copy of its counters
    PLI_FREE(&last, s, 1);
}

const char* pli_separation_reason(const pli_separation* s) { return s ? s->reason : ""; }

int pli_separation_move_count(const pli_separation* s) { return s ? s->move_count : 0; }

pli_body_move pli_separation_move(const pli_separation* s, int i) {
    return s && i >= 0 && i < s->move_count ? s->moves[i] : (pli_body_move){0};
}

const char* pli_separation_text(const pli_separation* s) {
    return !s || s->reason[0] || !s->text.bytes ? "" : s->text.bytes;
}
