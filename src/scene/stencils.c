// Pairs of vertices of two bodies, or of one, one stencil each.
#include "scene/stencils.h"

#include "math/vec.h"
#include "scene/check.h"

#include <math.h>

// ---- keys

// Energies of two vertices: those of segments, or of stencils of width 2.
static bool has_two_vertices(const pli_energy_type* type) {
    return type->width == 2 || pli_energy_covers(type, 2, PLI_SEGMENT) ||
           pli_energy_covers(type, 3, PLI_SEGMENT);
}

// The i-th of them; NULL after the last.
static const pli_energy_type* energy_at(const pli_catalog* catalog, int i) {
    const pli_energy_type* type;
    for (int k = 0; (type = pli_catalog_energy(catalog, k)); ++k)
        if (has_two_vertices(type) && type->param_count <= PLI_STENCIL_VALUES && i-- == 0) break;
    return type;
}

PLI_CHOICE(pairing_name, "nearest", "order", "along")
static const char* pairing_help(int i) {
    static const char* const texts[] = {
        "each vertex of the first body with the nearest selected vertex of the second, at rest",
        "the selected vertices in the order of their numbers; as many in both bodies",
        "the selected vertices in the order along two boundaries; as many in both"};
    return pairing_name(i) ? texts[i] : NULL;
}

static const pli_param stencil_rows[] = {
    {.name = "pairing",
     .type = PLI_PARAM_CHOICE,
     .offset = offsetof(pli_stencils_data, pairing),
     .unit = "",
     .choice = pairing_name,
     .choice_help = pairing_help,
     .help = "which vertices are connected"},
};
static const pli_part stencil_parts[] = {
    PLI_LIST_OF_OBJECTS(pli_stencils_data, between, "between", &pli_stencil_end_section, 2, 2,
                        PLI_PARAM_REQUIRED, "the two bodies, each with a selection of vertices"),
    PLI_LIST_OF_INTEGERS(pli_stencils_data, pairs, "pairs", 2, 0, 2147483646, 0,
                         "[a, b] each: vertex a of the first body with vertex b of the second, instead "
                         "of selections and pairing"),
};
static const pli_section stencil_keys = {
    .size = sizeof(pli_stencils_data), PLI_ROWS(stencil_rows), PLI_PARTS(stencil_parts)};

bool pli_stencils_variant(const pli_catalog* catalog, int i, pli_section* out) {
    const pli_energy_type* type = energy_at(catalog, i);
    if (!type) return false;
    *out = stencil_keys;
    out->name = type->name;
    out->help = type->help;
    out->packed = (pli_params){type->params, type->param_count};
    return true;
}

// ---- pairs

static pli_status find_body(pli_builder* b, const pli_stencil_end_data* end, const pli_path* at,
                            int* body, pli_error* error) {
    pli_nearest nearest = {.word = end->body};
    char hint[PLI_HINT_SIZE];
    for (*body = 0; *body < b->body_count; ++*body) {
        if (strcmp(b->names[*body], end->body) == 0) return PLI_OK;
        pli_nearest_try(&nearest, b->names[*body]);
    }
    *body = -1;
    return PLI_FIND(b->findings, PLI_KEY(at, "body"), error, "there is no body \"%.60s\"%s",
                    end->body, pli_nearest_hint(&nearest, hint));
}

static int vertex_of(const pli_chosen* chosen, int i) {
    return chosen->vertices ? chosen->vertices[i] : i;
}

// `except`: a vertex that is not meant, -1: none.
static int nearest_of(const pli_shape* shape, const pli_chosen* chosen, const double x[3],
                      int except) {
    double least = HUGE_VAL;
    int best = vertex_of(chosen, 0);
    for (int i = 0; i < chosen->count; ++i) {
        double d[3];
        if (vertex_of(chosen, i) == except) continue;
        pli_sub(&shape->mesh.positions[3 * vertex_of(chosen, i)], x, d, 3);
        if (!(pli_norm(d, 3) < least)) continue;
        least = pli_norm(d, 3);
        best = vertex_of(chosen, i);
    }
    return best;
}

static pli_status pair_vertices(pli_builder* b, const pli_stencils_data* data,
                                const pli_chosen chosen[2], const pli_path* at,
                                pli_stencil_pairs* out, pli_error* error) {
    bool order = strcmp(data->pairing, "order") == 0;
    if (order && chosen[0].count != chosen[1].count)
        return PLI_FIND(b->findings, PLI_KEY(at, "pairing"), error,
                        "the selections have %d and %d vertices, but pairing \"order\" needs as "
                        "many in both: change them or use \"nearest\"",
                        chosen[0].count, chosen[1].count);
    const pli_shape *one = &b->bodies[out->body[0]], *other = &b->bodies[out->body[1]];
    if (strcmp(data->pairing, "along") == 0)
        return pli_pair_along(b, (const pli_shape*[2]){one, other}, chosen, at, out, error);
    PLI_TRY(PLI_TAKE(b->arena, out->vertices, 2 * chosen[0].count, error));
    for (int i = 0; i < chosen[0].count; ++i) {
        int v = vertex_of(&chosen[0], i);
        out->vertices[2 * i] = v;
        out->vertices[2 * i + 1] = order
                                       ? vertex_of(&chosen[1], i)
                                       : nearest_of(other, &chosen[1], &one->mesh.positions[3 * v],
                                                    one == other ? v : -1);
    }
    out->count = chosen[0].count;
    return PLI_OK;
}

// The pairs that the scene lists.
static pli_status take_pairs(pli_builder* b, const pli_stencils_data* data, const pli_path* at,
                             pli_stencil_pairs* out, pli_error* error) {
    const int* listed = data->pairs.items;
    pli_path key = pli_path_key(at, "pairs");
    PLI_TRY(PLI_TAKE(b->arena, out->vertices, 2 * (size_t)data->pairs.count, error));
    for (int i = 0; i < 2 * data->pairs.count; ++i) {
        int limit = b->bodies[out->body[i % 2]].mesh.vertex_count;
        if (listed[i] >= limit)
            return PLI_FIND(b->findings, PLI_INDEX(&key, i / 2), error,
                            "vertex %d of body \"%.60s\", must be 0 to %d", listed[i],
                            b->names[out->body[i % 2]], limit - 1);
        out->vertices[i] = listed[i];
    }
    out->count = data->pairs.count;
    return PLI_OK;
}

// A seam by pairing "nearest" may leave selected vertices of the second body without a stitch.
static pli_status check_stitched(pli_builder* b, const pli_tagged* entry, const pli_chosen* chosen,
                                 const pli_path* at, const pli_stencil_pairs* out,
                                 pli_error* error) {
    const pli_stencils_data* data = entry->data;
    const pli_energy_type* type = energy_at(b->catalog, entry->variant);
    bool* stitched;
    pli_tally bare = {0};
    char numbers[PLI_TALLY_SIZE];
    if (strcmp(type->name, "seam") != 0 || strcmp(data->pairing, "nearest") != 0) return PLI_OK;
    PLI_TRY(PLI_TAKE(b->arena, stitched, b->bodies[out->body[1]].mesh.vertex_count, error));
    for (int i = 0; i < out->count; ++i) stitched[out->vertices[2 * i + 1]] = true;
    for (int i = 0; i < chosen->count; ++i)
        if (!stitched[vertex_of(chosen, i)]) pli_tally_add(&bare, vertex_of(chosen, i));
    if (bare.count == 0) return PLI_OK;
    return PLI_WARN(b->findings, PLI_KEY(at, "pairing"), error,
                    "%d of %d selected vertices of body \"%.60s\" get no stitch, because none of the "
                    "first body has them as its nearest: %s. Use \"along\", list pairs, or select "
                    "fewer",
                    bare.count, chosen->count, b->names[out->body[1]],
                    pli_tally_text(&bare, 0, numbers));
}

// A vertex cannot be connected with itself.
static pli_status check_pairs(pli_builder* b, const pli_path* at, pli_stencil_pairs* out,
                              pli_error* error) {
    for (int i = 0; i < out->count && out->body[0] == out->body[1]; ++i)
        if (out->vertices[2 * i] == out->vertices[2 * i + 1])
            return PLI_FIND(b->findings, PLI_KEY(at, "between"), error,
                            "vertex %d of body \"%.60s\" would be connected with itself: select other "
                            "vertices",
                            out->vertices[2 * i], b->names[out->body[0]]);
    return PLI_OK;
}

static pli_status pair_entry(pli_builder* b, const pli_tagged* entry, const pli_path* at,
                             pli_stencil_pairs* out, pli_error* error) {
    const pli_stencils_data* data = entry->variant >= 0 ? entry->data : NULL;
    int errors = b->findings->error_count;
    if (!data || data->between.count != 2 || pli_findings_error_below(b->findings, at))
        return PLI_OK;
    const pli_stencil_end_data* ends = data->between.items;
    pli_path between = pli_path_key(at, "between");
    pli_chosen chosen[2] = {{0}};
    for (int k = 0; k < 2; ++k) {
        pli_path end = pli_path_index(&between, k);
        PLI_TRY(find_body(b, &ends[k], &end, &out->body[k], error));
        if (out->body[k] < 0) continue;
        const pli_shape* shape = &b->bodies[out->body[k]];
        PLI_TRY(pli_select(b, shape, &ends[k].selection, &end, &chosen[k], error));
    }
    if (b->findings->error_count > errors || chosen[0].count == 0 || chosen[1].count == 0)
        return PLI_OK;
    if (data->pairs.count > 0)
        PLI_TRY(take_pairs(b, data, at, out, error));
    else
        PLI_TRY(pair_vertices(b, data, chosen, at, out, error));
    if (data->pairs.count == 0 && out->count > 0)
        PLI_TRY(check_stitched(b, entry, &chosen[1], at, out, error));
    return check_pairs(b, at, out, error);
}

pli_status pli_stencils_pair(pli_builder* b, pli_error* error) {
    const pli_tagged* entries = b->scene->stencils.items;
    pli_path list = pli_path_key(NULL, "stencils");
    PLI_TRY(PLI_TAKE(b->arena, b->stencils, b->scene->stencils.count, error));
    for (int i = 0; i < b->scene->stencils.count; ++i)
        PLI_TRY(pair_entry(b, &entries[i], PLI_INDEX(&list, i), &b->stencils[i], error));
    return PLI_OK;
}

// ---- the world

pli_status pli_stencils_add(pli_builder* b, pli_world* world, const pli_body_id* ids,
                            pli_error* error) {
    const pli_tagged* entries = b->scene->stencils.items;
    for (int i = 0; i < b->scene->stencils.count; ++i) {
        const pli_energy_type* type = energy_at(b->catalog, entries[i].variant);
        const double* values = entries[i].data;
        const pli_stencil_pairs* pairs = &b->stencils[i];
        pli_setting settings[PLI_STENCIL_VALUES];
        pli_vertex_ref* vertices;
        PLI_TRY(PLI_TAKE(b->arena, vertices, 2 * pairs->count, error));
        for (int k = 0; k < 2 * pairs->count; ++k)
            vertices[k] = (pli_vertex_ref){ids[pairs->body[k % 2]], pairs->vertices[k]};
        for (int k = 0; k < type->param_count; ++k)
            settings[k] = (pli_setting){type->params[k].name, values[k]};
        pli_stencils_def def = pli_default_stencils_def();
        def.energy = type->name;
        def.settings = settings;
        def.setting_count = type->param_count;
        def.kind = type->width == 2 ? PLI_STENCIL : PLI_SEGMENT;
        def.count = pairs->count;
        def.vertices = vertices;
        PLI_TRY(pli_world_add_stencils(world, &def, NULL, error));
    }
    return PLI_OK;
}

bool pli_stencils_connect(const pli_builder* b, int body) {
    for (int i = 0; i < b->scene->stencils.count; ++i)
        if (b->stencils[i].count > 0 &&
            (b->stencils[i].body[0] == body || b->stencils[i].body[1] == body))
            return true;
    return false;
}
