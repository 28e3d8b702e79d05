// From what the scene says about a body to vertices and numbers of vertices.
#include "scene/shape.h"

#include "math/vec.h"
#include "mesh/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/field.h"
#include "scene/mesh_kinds.h"
#include "scene/select.h"
#include "scene/start.h"

pli_path pli_body_path(const pli_builder* builder, int i, pli_path* list) {
    const pli_shape_of_body* shape = &builder->bodies[i];
    *list = pli_path_key(NULL, "bodies");
    pli_path path = pli_path_index(list, shape->body);
    path.label = "body";
    if (shape->data->def.name[0] || shape->data->repeat) path.name = shape->name;
    return path;
}

double pli_copy_count(const pli_body_data* data) {
    const pli_repeat_data* repeat = data->repeat;
    return repeat ? (double)repeat->count[0] * repeat->count[1] * repeat->count[2] : 1;
}

// ---- placement

// x <- R S x + t; a mirrored shape keeps its elements' orientation.
static void place(const pli_body_data* d, pli_mesh* mesh) {
    double turn[3];
    for (int c = 0; c < 3; ++c) turn[c] = d->rotate[c] * (3.14159265358979323846 / 180);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double *x = &mesh->positions[3 * v], y[3];
        for (int c = 0; c < 3; ++c) y[c] = d->scale[c] * x[c];
        pli_rotate(turn, y, x);
        for (int c = 0; c < 3; ++c) x[c] += d->translate[c];
    }
    if (d->scale[0] * d->scale[1] * d->scale[2] >= 0) return;
    for (int kind = PLI_TRIANGLE; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e)
            pli_element_mirror(kind, &mesh->elements[kind][e * pli_element_size(kind)]);
}

void pli_bounding_box(int count, const double* x, double low[3], double high[3]) {
    for (int c = 0; c < 3; ++c) low[c] = HUGE_VAL, high[c] = -HUGE_VAL;
    for (int v = 0; v < count; ++v)
        for (int c = 0; c < 3; ++c) {
            low[c] = fmin(low[c], x[3 * v + c]);
            high[c] = fmax(high[c], x[3 * v + c]);
        }
}

static pli_status check_finite(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                               pli_error* error) {
    for (int i = 0; i < 3 * shape->mesh.vertex_count; ++i)
        if (!isfinite(shape->mesh.positions[i]) || fabs(shape->initial[i]) > 1e15)
            return PLI_FIND(b->findings, at, error,
                            "vertex %d is too far away for the arithmetic; check the mesh, scale "
                            "and translate",
                            i / 3);
    return PLI_OK;
}

// ---- selections

// One list of a body: which vertices each of its entries acts on.
typedef struct selected_list {
    const char* key;
    int count;
    const pli_selection* (*at)(const pli_body_data*, int i); // NULL: the entry could not be read
    pli_chosen** chosen;
} selected_list;

static const pli_selection* fix_selection(const pli_body_data* d, int i) {
    return &((const pli_fix_data*)d->fix.items)[i].selection;
}
static const pli_selection* prescribe_selection(const pli_body_data* d, int i) {
    return &((const pli_prescribe_data*)d->prescribe.items)[i].selection;
}
static const pli_selection* load_selection(const pli_body_data* d, int i) {
    const pli_tagged* load = &((const pli_tagged*)d->loads.items)[i];
    return load->variant >= 0 ? &((const pli_load_data*)load->data)->selection : NULL;
}

static pli_status select_all(pli_builder* b, pli_shape_of_body* shape, const pli_path* at,
                             pli_error* error) {
    const pli_body_data* d = shape->data;
    const selected_list lists[] = {
        {"fix", d->fix.count, fix_selection, &shape->fix},
        {"prescribe", d->prescribe.count, prescribe_selection, &shape->prescribe},
        {"loads", d->loads.count, load_selection, &shape->loads},
    };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        pli_path list = pli_path_key(at, lists[k].key);
        PLI_TRY(PLI_TAKE(b->arena, *lists[k].chosen, lists[k].count, error));
        for (int i = 0; i < lists[k].count; ++i) {
            pli_path entry = pli_path_index(&list, i);
            const pli_selection* selection = lists[k].at(d, i);
            if (selection)
                PLI_TRY(pli_select(b, shape, selection, &entry, &(*lists[k].chosen)[i], error));
        }
    }
    return PLI_OK;
}

// ---- all bodies

static pli_status check_scales(pli_builder* b, const pli_body_data* d, const pli_path* at,
                               pli_error* error) {
    for (int c = 0; c < b->scene->world.dimension; ++c) {
        pli_path scale = pli_path_key(at, "scale"), stretch = pli_path_key(at, "stretch");
        if (d->scale[c] == 0)
            PLI_TRY(
                PLI_FIND(b->findings, &scale, error, "scale in %c is 0, must not be", "xyz"[c]));
        if (d->stretch[c] == 0)
            PLI_TRY(PLI_FIND(b->findings, &stretch, error, "stretch in %c is 0, must not be",
                             "xyz"[c]));
    }
    return PLI_OK;
}

// Whether what places the body was read without errors.
static bool is_placed(const pli_builder* b, const pli_path* at) {
    static const char* const keys[] = {"scale",   "rotate",  "translate",
                                       "stretch", "initial", "scramble"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        pli_path key = pli_path_key(at, keys[i]);
        if (pli_findings_error_below(b->findings, &key)) return false;
    }
    return true;
}

// Goes as far as what was read without errors allows, so that all is found at once.
static pli_status build_shape(pli_builder* b, pli_shape_of_body* shape, const pli_path* at,
                              pli_error* error) {
    const pli_body_data* d = shape->data;
    pli_path key = pli_path_key(at, "mesh");
    PLI_TRY(check_scales(b, d, at, error));
    if (d->mesh.variant < 0) return PLI_OK;
    const pli_mesh_kind* kind = pli_mesh_kind_at(d->mesh.variant);
    bool whole = !pli_findings_error_below(b->findings, &key);
    if (!whole && !(kind->size(d->mesh.data).vertices > 0)) return PLI_OK;
    int errors = b->findings->error_count;
    PLI_TRY(kind->build(d->mesh.data, b->folder, &key, b->findings, &shape->mesh, error));
    if (!whole || b->findings->error_count > errors) return PLI_OK;
    if (shape->mesh.vertex_count == 0)
        return PLI_FIND(b->findings, &key, error, "the mesh has no vertices");
    place(d, &shape->mesh);
    shape->sound = b->findings->error_count == errors && is_placed(b, at);
    PLI_TRY(select_all(b, shape, at, error));
    errors = b->findings->error_count;
    PLI_TRY(pli_set_start(b, shape, at, error));
    if (b->findings->error_count == errors) PLI_TRY(check_finite(b, shape, at, error));
    shape->sound &= b->findings->error_count == errors;
    return PLI_OK;
}

// ---- copies

// Everything is the first one's but the place.
static pli_status copy_shape(pli_builder* b, const pli_shape_of_body* first,
                             pli_shape_of_body* shape, pli_error* error) {
    shape->sound = first->sound;
    if (!first->sound) return PLI_OK;
    shape->mesh = first->mesh;
    shape->velocities = first->velocities;
    shape->fix = first->fix;
    shape->prescribe = first->prescribe;
    shape->loads = first->loads;
    int count = 3 * first->mesh.vertex_count;
    PLI_TRY(PLI_TAKE(b->arena, shape->mesh.positions, count, error));
    PLI_TRY(PLI_TAKE(b->arena, shape->initial, count, error));
    for (int i = 0; i < count; ++i) {
        shape->mesh.positions[i] = first->mesh.positions[i] + shape->shift[i % 3];
        shape->initial[i] = first->initial[i] + shape->shift[i % 3];
    }
    return PLI_OK;
}

// The last axis runs fastest.
static void set_shift(pli_shape_of_body* shape) {
    const pli_repeat_data* repeat = shape->data->repeat;
    for (int c = 2, rest = shape->copy; repeat && c >= 0; --c) {
        shape->shift[c] = rest % repeat->count[c] * repeat->spacing[c];
        rest /= repeat->count[c];
    }
}

static pli_status name_body(pli_builder* b, int i, pli_error* error) {
    pli_shape_of_body* shape = &b->bodies[i];
    const char* given = shape->data->def.name;
    b->names[i] = shape->name = given;
    if (given[0] && !shape->data->repeat) return PLI_OK;
    size_t room = strlen(given) + 32;
    char* name;
    PLI_TRY(PLI_TAKE(b->arena, name, room, error));
    int n =
        given[0] ? snprintf(name, room, "%s", given) : snprintf(name, room, "body %d", shape->body);
    if (shape->data->repeat) snprintf(name + n, room - (size_t)n, " %d", shape->copy);
    b->names[i] = shape->name = name;
    return PLI_OK;
}

// Counts the bodies of the world; 0 with a finding if there are too many.
static pli_status count_bodies(pli_builder* b, int* count, pli_error* error) {
    const pli_body_data* data = b->scene->bodies.items;
    double sum = 0;
    for (int i = 0; i < b->scene->bodies.count; ++i) {
        sum += pli_copy_count(&data[i]);
        pli_path list = pli_path_key(NULL, "bodies"), body = pli_path_index(&list, i),
                 repeat = pli_path_key(&body, "repeat"), key = pli_path_key(&repeat, "count");
        *count = 0;
        if (sum > PLI_MOST_BODIES)
            return PLI_FIND(b->findings, &key, error, "bodies[%d].repeat makes more than %d bodies",
                            i, PLI_MOST_BODIES);
    }
    *count = (int)sum;
    return PLI_OK;
}

pli_status pli_shapes_build(pli_builder* b, pli_error* error) {
    const pli_body_data* data = b->scene->bodies.items;
    int count;
    PLI_TRY(count_bodies(b, &count, error));
    PLI_TRY(PLI_TAKE(b->arena, b->bodies, count, error));
    PLI_TRY(PLI_TAKE(b->arena, b->names, count, error));
    for (int i = 0, body = 0, copy = 0; i < count; ++i) {
        pli_shape_of_body* shape = &b->bodies[i];
        *shape = (pli_shape_of_body){.data = &data[body], .body = body, .copy = copy};
        pli_mesh_init(&shape->mesh, b->allocator);
        b->body_count = i + 1;
        set_shift(shape);
        PLI_TRY(name_body(b, i, error));
        pli_path list, path = pli_body_path(b, i, &list);
        PLI_TRY(copy == 0 ? build_shape(b, shape, &path, error)
                          : copy_shape(b, shape - copy, shape, error));
        bool last = copy + 1 == (int)pli_copy_count(&data[body]);
        body += last;
        copy = last ? 0 : copy + 1;
    }
    return PLI_OK;
}

void pli_shapes_free(pli_builder* b) {
    for (int i = 0; i < b->body_count; ++i)
        if (b->bodies[i].copy == 0) pli_mesh_free(&b->bodies[i].mesh);
}
