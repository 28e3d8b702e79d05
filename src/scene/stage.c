// Puts bodies on the stage.
#include "scene/stage.h"

#include "pliant/survey.h"
#include "scene/build.h"
#include "scene/contact_rules.h"
#include "scene/obstacle_kinds.h"

// Whether where the body is decides which of its vertices something acts on.
static bool selects_by_place(const pli_selection* s) {
    return s->box.count > 0 || s->sphere || s->plane || s->where.count > 0;
}

static bool is_of_place(const pli_formulas* f) {
    return (f->part[0].uses | f->part[1].uses | f->part[2].uses) & PLI_OF_PLACE;
}

static bool is_held(const pli_body_data* data) {
    const pli_tagged* loads = data->loads.items;
    bool held = data->def.obstacle || data->fix.count > 0 || data->prescribe.count > 0 ||
                data->initial.given || is_of_place(&data->velocity);
    for (int i = 0; i < data->loads.count; ++i) {
        const pli_load_data* load = loads[i].variant >= 0 ? loads[i].data : NULL;
        held |= load && (selects_by_place(&load->selection) || is_of_place(&load->value));
    }
    return held;
}

// Only what contact needs: the rest of the body may have errors.
static pli_status add_body(pli_stage* stage, const pli_shape_of_body* shape, pli_body_id* id,
                           pli_error* error) {
    const pli_body_def* given = &shape->data->def;
    pli_body_def def = pli_default_body_def();
    def.name = shape->name;
    def.mesh = &shape->mesh;
    def.initial = shape->initial;
    def.vertex_mass = 1; // whatever it is made of
    def.contact_bodies = given->contact_bodies;
    def.contact_self = given->contact_self;
    def.contact_thickness = given->contact_thickness;
    def.contact_vertices = given->contact_vertices;
    def.tags = given->tags;
    def.tag_count = given->tag_count;
    def.obstacle = given->obstacle;
    return pli_world_add_body(stage->world, &def, id, error);
}

// Obstacles have numbers behind those of the bodies.
static int crew_of(const pli_builder* b, int i) {
    const pli_shape_of_body* shape = &b->bodies[i];
    return shape->obstacle ? b->scene->bodies.count + i : shape->body;
}

static void note_body(pli_stage* stage, const pli_builder* b, int i) {
    const pli_body_data* data = b->bodies[i].data;
    stage->bodies[stage->body_count++] =
        (pli_stage_body){.shape = i,
                         .body = crew_of(b, i),
                         .passes = strcmp(data->def.contact_vertices, "none") == 0,
                         .held = is_held(data)};
}

// ids: per body of the builder.
static pli_status add_bodies(pli_stage* stage, pli_builder* b, pli_body_id* ids, pli_error* error) {
    for (int i = 0; i < b->body_count; ++i) {
        const pli_shape_of_body* shape = &b->bodies[i];
        pli_path list, at = pli_body_path(b, i, &list), repeat = pli_path_key(&at, "repeat");
        bool misplaced = shape->copy > 0 && pli_findings_error_below(b->findings, &repeat);
        if (!shape->sound || misplaced) continue;
        PLI_TRY(add_body(stage, shape, &ids[i], error));
        note_body(stage, b, i);
    }
    return PLI_OK;
}

// Those that are right and whose carrier is there.
static pli_status add_half_spaces(pli_stage* stage, pli_builder* b, const pli_body_id* ids,
                                  pli_error* error) {
    const pli_tagged* obstacles = b->scene->obstacles.items;
    pli_obstacle_bodies bodies = {b->body_count, b->names};
    pli_path list = pli_path_key(NULL, "obstacles");
    for (int i = 0; i < b->scene->obstacles.count; ++i) {
        const pli_obstacle_kind* kind = pli_obstacle_kind_at(obstacles[i].variant);
        pli_path at = pli_path_index(&list, i);
        if (!kind || !kind->half_space || pli_findings_error_below(b->findings, &at)) continue;
        int carrier = kind->half_space->carrier(obstacles[i].data, &bodies);
        if (carrier >= 0 && !b->bodies[carrier].sound) continue;
        PLI_TRY(kind->half_space->add(obstacles[i].data, carrier >= 0 ? &ids[carrier] : NULL,
                                      stage->world, error));
    }
    return PLI_OK;
}

static pli_status find_crossings(pli_stage* stage, pli_error* error) {
    pli_world* world = stage->world;
    PLI_TRY(pli_survey_crossings(world, NULL, 0, NULL, &stage->crossing_count, error));
    if (stage->crossing_count == 0) return PLI_OK;
    int kept = pli_min_int(stage->crossing_count, PLI_CROSSINGS_KEPT), count;
    PLI_TRY(PLI_ALLOC(stage->memory, stage->crossings, kept, error));
    stage->kept_count = kept;
    return pli_survey_crossings(world, NULL, kept, stage->crossings, &count, error);
}

// The world of a scene that has errors: the bodies that are sound, contact, and nothing else.
static pli_status fill_for_looking(pli_stage* stage, pli_builder* b, const pli_world_def* def,
                                   pli_error* error) {
    pli_world_def plain = pli_default_world_def();
    plain.dimension = def->dimension;
    plain.contact = def->contact;
    plain.contact.friction = plain.contact.friction_static = 0;
    plain.thread_count = def->thread_count;
    plain.allocator = def->allocator;
    PLI_TRY(pli_world_create(&plain, &stage->world, error));
    pli_body_id* ids;
    PLI_TRY(PLI_TAKE(b->arena, ids, b->body_count, error));
    PLI_TRY(add_bodies(stage, b, ids, error));
    PLI_TRY(add_half_spaces(stage, b, ids, error));
    PLI_TRY(pli_add_rules(b, stage->world, error));
    return find_crossings(stage, error);
}

// The world of the scene, if it has no errors and the world finds none.
static pli_status fill_whole(pli_stage* stage, pli_builder* b, const pli_world_def* def,
                             pli_error* error) {
    if (b->findings->error_count > 0) return PLI_OK;
    PLI_TRY(pli_world_from_scene(b, def, &stage->world, error));
    stage->whole = stage->world != NULL;
    for (int i = 0; i < b->body_count && stage->whole; ++i) note_body(stage, b, i);
    return stage->whole ? find_crossings(stage, error) : PLI_OK;
}

pli_status pli_stage_create(pli_builder* b, const pli_world_def* def, pli_stage* stage,
                            pli_error* error) {
    *stage = (pli_stage){.memory = b->memory};
    pli_error refusal = {0};
    PLI_TRY(PLI_ALLOC(b->memory, stage->bodies, b->body_count, error));
    stage->room = b->body_count;
    pli_status status = fill_whole(stage, b, def, &refusal);
    if (status == PLI_OK && !stage->whole) status = fill_for_looking(stage, b, def, &refusal);
    if (status != PLI_OK) pli_stage_free(stage);
    return status == PLI_E_MEMORY ? pli_fail(error, status, "%s", refusal.message) : PLI_OK;
}

pli_world* pli_stage_take_world(pli_stage* stage) {
    pli_world* world = stage->world;
    stage->world = NULL;
    pli_stage_free(stage);
    return world;
}

void pli_stage_free(pli_stage* stage) {
    pli_world_destroy(stage->world);
    if (stage->memory) {
        PLI_FREE(stage->memory, stage->bodies, stage->room);
        PLI_FREE(stage->memory, stage->crossings, stage->kept_count);
    }
    *stage = (pli_stage){0};
}
