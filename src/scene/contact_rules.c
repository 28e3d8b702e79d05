// Names and rules, checked and added. Entries that could not be read have no names (NULL) and are
// skipped: the reader has reported them.
#include "scene/contact_rules.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/findings.h"
#include "scene/obstacle_kinds.h"
#include "scene/tables.h"

// ---- names of bodies

pli_status pli_add_body_tags(pli_arena* arena, int number, pli_body_data* body, pli_error* error) {
    enum { MOST = 3 };
    int count = body->def.tag_count;
    const char** tags;
    PLI_TRY(PLI_TAKE(arena, tags, count + MOST, error));
    for (int i = 0; i < count; ++i) tags[i] = body->def.tags[i];
    if (body->repeat && body->def.name[0]) {
        tags[count++] = body->def.name;
    } else if (body->repeat) {
        char* name;
        PLI_TRY(PLI_TAKE(arena, name, 32, error));
        snprintf(name, 32, body->def.obstacle ? "obstacle %d" : "body %d", number);
        tags[count++] = name;
    }
    if (body->contact_group && body->contact_group[0]) tags[count++] = body->contact_group;
    const char* none = pli_material_name(0);
    if (body->material && strcmp(body->material, none) != 0) tags[count++] = body->material;
    body->def.tags = tags;
    body->def.tag_count = count;
    return PLI_OK;
}

// ---- all names

// Each name in the scene, sorted, and whether only half-spaces have it.
typedef struct known_name {
    const char* text;
    bool half_space;
} known_name;

typedef struct name_list {
    int count;
    known_name* names;
} name_list;

// Bodies before half-spaces.
static int compare_names(const void* a, const void* b) {
    const known_name *one = a, *other = b;
    int order = strcmp(one->text, other->text);
    return order != 0 ? order : (int)one->half_space - (int)other->half_space;
}

static int compare_to_name(const void* text, const void* entry) {
    return strcmp(text, ((const known_name*)entry)->text);
}

static const known_name* find_name(const name_list* v, const char* text) {
    if (v->count == 0) return NULL;
    return bsearch(text, v->names, (size_t)v->count, sizeof *v->names, compare_to_name);
}

// The name of the i-th obstacle, which is the `number`-th half-space; NULL: it is none.
static const char* half_space_name(const pli_builder* b, int i, int number, char unnamed[32]) {
    const pli_half_space_data* half_space = pli_half_space_at(b->scene, i);
    if (!half_space) return NULL;
    snprintf(unnamed, 32, "half-space %d", number);
    return half_space->def.name && half_space->def.name[0] ? half_space->def.name : unnamed;
}

static pli_status add_half_spaces(pli_builder* b, name_list* v, pli_error* error) {
    for (int i = 0, number = 0; i < b->scene->obstacles.count; ++i) {
        char* unnamed;
        PLI_TRY(PLI_TAKE(b->arena, unnamed, 32, error));
        const char* name = half_space_name(b, i, number, unnamed);
        number += name != NULL;
        if (name) v->names[v->count++] = (known_name){name, true};
    }
    return PLI_OK;
}

static pli_status list_names(pli_builder* b, name_list* v, pli_error* error) {
    int room = b->scene->obstacles.count;
    for (int i = 0; i < b->body_count; ++i)
        room += 1 + (b->bodies[i].copy == 0 ? b->bodies[i].data->def.tag_count : 0);
    PLI_TRY(PLI_TAKE(b->arena, v->names, room, error));
    for (int i = 0; i < b->body_count; ++i) {
        const pli_body_def* def = &b->bodies[i].data->def;
        v->names[v->count++] = (known_name){b->names[i], false};
        for (int k = 0; b->bodies[i].copy == 0 && k < def->tag_count; ++k)
            v->names[v->count++] = (known_name){def->tags[k], false};
    }
    PLI_TRY(add_half_spaces(b, v, error));
    int kept = 0;
    if (v->count > 0) qsort(v->names, (size_t)v->count, sizeof *v->names, compare_names);
    for (int i = 0; i < v->count; ++i)
        if (i == 0 || strcmp(v->names[i].text, v->names[kept - 1].text) != 0)
            v->names[kept++] = v->names[i];
    v->count = kept;
    return PLI_OK;
}

// ---- checks

static const char all[] = "*";

static pli_status check_name(pli_builder* b, const name_list* v, const char* text,
                             const pli_path* at, bool bodies, pli_error* error) {
    if (!text || strcmp(text, all) == 0) return PLI_OK;
    char path[160], hint[PLI_HINT_SIZE];
    pli_path_text(at, NULL, path, sizeof path);
    const known_name* found = find_name(v, text);
    if (found && !(bodies && found->half_space)) return PLI_OK;
    if (found)
        return PLI_FIND(b->findings, at, error,
                        "%s = \"%.60s\" is a half-space: bodies must not start inside one", path,
                        text);
    pli_nearest nearest = {.word = text};
    for (int i = 0; i < v->count; ++i) pli_nearest_try(&nearest, v->names[i].text);
    return PLI_FIND(b->findings, at, error,
                    "%s = \"%.60s\" is not the name, contact_group or material of a body, nor the "
                    "name of an obstacle%s",
                    path, text, pli_nearest_hint(&nearest, hint));
}

// A list of pairs of names.
static pli_status check_pairs(pli_builder* b, const name_list* v, const char* key,
                              const pli_list* list, bool bodies, pli_error* error) {
    const char* const* words = list->items;
    for (int i = 0; i < 2 * list->count; ++i) {
        PLI_TRY(
            check_name(b, v, words[i],
                       PLI_INDEX(PLI_INDEX(PLI_KEY(PLI_KEY(NULL, "contact"), key), i / 2), i % 2),
                       bodies, error));
    }
    return PLI_OK;
}

static bool static_fits(double friction, double friction_static) {
    return friction_static == 0 || friction_static >= friction;
}

static pli_status check_static(pli_builder* b, double friction, double friction_static,
                               const pli_path* at, pli_error* error) {
    if (static_fits(friction, friction_static)) return PLI_OK;
    char path[160], text[160];
    pli_path key = pli_path_key(at, "friction_static");
    pli_path_text(&key, NULL, path, sizeof path);
    pli_format(text, sizeof text, "%g, must be at least friction = %g, or 0 for equal to friction",
               friction_static, friction);
    return PLI_FIND(b->findings, &key, error, "%s = %s", path, text);
}

static pli_status check_friction(pli_builder* b, const name_list* v, pli_error* error) {
    const pli_friction_pair_data* pairs = b->scene->friction_pairs.items;
    for (int i = 0; i < b->scene->friction_pairs.count; ++i) {
        pli_path entry = pli_path_index(PLI_KEY(PLI_KEY(NULL, "contact"), "friction_pairs"), i);
        PLI_TRY(check_static(b, pairs[i].friction, pairs[i].friction_static, &entry, error));
        for (int k = 0; k < 2; ++k) {
            PLI_TRY(check_name(b, v, pairs[i].between[k], PLI_INDEX(PLI_KEY(&entry, "between"), k),
                               false, error));
        }
    }
    return PLI_OK;
}

pli_status pli_check_rules(pli_builder* b, pli_error* error) {
    name_list v = {0};
    PLI_TRY(list_names(b, &v, error));
    PLI_TRY(check_pairs(b, &v, "exclude", &b->scene->exclude, false, error));
    PLI_TRY(check_pairs(b, &v, "allow_initial", &b->scene->allow_initial, true, error));
    return check_friction(b, &v, error);
}

// ---- excluded pairs

static bool has_name(const pli_builder* b, int body, const char* text) {
    const pli_body_def* def = &b->bodies[body].data->def;
    if (strcmp(text, all) == 0 || strcmp(text, b->names[body]) == 0) return true;
    for (int i = 0; i < def->tag_count; ++i)
        if (strcmp(text, def->tags[i]) == 0) return true;
    return false;
}

bool pli_is_excluded(const pli_builder* b, int body, int obstacle) {
    const char* const* words = b->scene->exclude.items;
    char unnamed[32];
    int number = 0;
    for (int i = 0; i < obstacle; ++i) number += pli_half_space_at(b->scene, i) != NULL;
    const char* half_space = half_space_name(b, obstacle, number, unnamed);
    for (int i = 0; i < 2 * b->scene->exclude.count; ++i) {
        const char *one = words[i], *other = words[i ^ 1];
        if (!one || !other) continue;
        bool meant = strcmp(one, all) == 0 || strcmp(one, half_space) == 0;
        if (meant && has_name(b, body, other)) return true;
    }
    return false;
}

// ---- adding

static pli_status add_rule(pli_builder* b, pli_world* world, const char* const words[2],
                           pli_contact_rule_def* rule, pli_error* error) {
    if (!words[0] || !words[1]) return PLI_OK;
    for (int k = 0; k < 2; ++k) rule->between[k] = strcmp(words[k], all) == 0 ? "" : words[k];
    pli_status status = pli_world_add_contact_rule(world, rule, NULL, error);
    return pli_finding_from(b->findings, PLI_KEY(NULL, "contact"), status, error);
}

// One rule for each pair of names.
static pli_status add_pairs(pli_builder* b, pli_world* world, const pli_list* pairs,
                            pli_contact_rule_def rule, pli_error* error) {
    const char* const* words = pairs->items;
    for (int i = 0; i < pairs->count; ++i) PLI_TRY(add_rule(b, world, words + 2 * i, &rule, error));
    return PLI_OK;
}

pli_status pli_add_rules(pli_builder* b, pli_world* world, pli_error* error) {
    const pli_scene_data* scene = b->scene;
    pli_contact_rule_def pass = pli_default_contact_rule_def(), initial = pass;
    pass.pass = initial.allow_initial = true;
    PLI_TRY(add_pairs(b, world, &scene->exclude, pass, error));
    PLI_TRY(add_pairs(b, world, &scene->allow_initial, initial, error));
    const pli_friction_pair_data* pairs = scene->friction_pairs.items;
    for (int i = 0; i < scene->friction_pairs.count; ++i) {
        pli_contact_rule_def rule = pli_default_contact_rule_def();
        if (!static_fits(pairs[i].friction, pairs[i].friction_static)) continue; // reported
        rule.friction = pairs[i].friction;
        rule.friction_static = pairs[i].friction_static;
        PLI_TRY(add_rule(b, world, pairs[i].between, &rule, error));
    }
    return PLI_OK;
}
