// From what the scene says about a body to vertices and numbers of vertices.
#include "scene/shape.h"

#include "math/vec.h"
#include "mesh/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/mesh_kinds.h"

pli_path pli_body_path(const pli_builder* builder, int body, pli_path* list) {
    *list = pli_path_key(NULL, "bodies");
    pli_path path = pli_path_index(list, body);
    const pli_body_data* data = &((const pli_body_data*)builder->scene->bodies.items)[body];
    path.label = "body";
    if (data->def.name[0]) path.name = data->def.name;
    return path;
}

// ---- placement

// x <- R S x + t with the rotation R about z; a mirrored shape keeps its elements' orientation.
static void place(const pli_body_data* d, pli_mesh* mesh) {
    const double angle = d->rotate * (3.14159265358979323846 / 180);
    const double c = d->rotate == 0 ? 1 : cos(angle), s = d->rotate == 0 ? 0 : sin(angle);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double* x = &mesh->positions[3 * v];
        double y[3] = {d->scale[0] * x[0], d->scale[1] * x[1], d->scale[2] * x[2]};
        x[0] = c * y[0] - s * y[1] + d->translate[0];
        x[1] = s * y[0] + c * y[1] + d->translate[1];
        x[2] = y[2] + d->translate[2];
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

// At t = 0, with r = x_rest - centre: x = centre + stretch r, v = velocity + spin z x r.
static pli_status set_state(pli_builder* b, pli_shape_of_body* shape, pli_error* error) {
    const pli_body_data* d = shape->data;
    PLI_TRY(PLI_TAKE(b->arena, shape->initial, 3 * shape->mesh.vertex_count, error));
    PLI_TRY(PLI_TAKE(b->arena, shape->velocities, 3 * shape->mesh.vertex_count, error));
    double low[3], high[3];
    pli_bounding_box(shape->mesh.vertex_count, shape->mesh.positions, low, high);
    for (int v = 0; v < shape->mesh.vertex_count; ++v) {
        double r[3];
        for (int c = 0; c < 3; ++c) {
            double centre = 0.5 * (low[c] + high[c]);
            r[c] = shape->mesh.positions[3 * v + c] - centre;
            shape->initial[3 * v + c] = d->stretch[c] == 1 ? shape->mesh.positions[3 * v + c]
                                                           : centre + d->stretch[c] * r[c];
        }
        double turning[3] = {-d->spin * r[1], d->spin * r[0], 0};
        for (int c = 0; c < 3; ++c) shape->velocities[3 * v + c] = d->def.velocity[c] + turning[c];
    }
    return PLI_OK;
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

static pli_status select_numbers(pli_builder* b, const pli_shape_of_body* shape,
                                 const pli_selection* selection, const pli_path* at,
                                 pli_chosen* chosen, pli_error* error) {
    const int* numbers = selection->vertices.items;
    pli_path list = pli_path_key(at, "vertices");
    bool* seen;
    PLI_TRY(PLI_TAKE(b->arena, seen, shape->mesh.vertex_count, error));
    for (int i = 0; i < selection->vertices.count; ++i) {
        pli_path entry = pli_path_index(&list, i);
        if (numbers[i] >= shape->mesh.vertex_count) {
            PLI_TRY(PLI_FIND(b->findings, &entry, error,
                             "vertex %d does not exist, must be from 0 to %d", numbers[i],
                             shape->mesh.vertex_count - 1));
            continue;
        }
        if (seen[numbers[i]])
            PLI_TRY(PLI_FIND(b->findings, &entry, error, "vertex %d is listed twice", numbers[i]));
        seen[numbers[i]] = true;
    }
    *chosen = (pli_chosen){selection->vertices.count, (const int32_t*)numbers};
    return PLI_OK;
}

static bool inside(const double* x, const double* low, const double* high, int dim, double slack) {
    for (int c = 0; c < dim; ++c)
        if (x[c] < low[c] - slack || x[c] > high[c] + slack) return false;
    return true;
}

// Vertices on the box's surface count as inside; rounding must not decide, hence the slack.
static pli_status select_box(pli_builder* b, const pli_shape_of_body* shape,
                             const pli_selection* selection, const pli_path* at, pli_chosen* chosen,
                             pli_error* error) {
    const double *low = selection->box.items, *high = low + 3;
    const int dim = b->scene->world.dimension;
    pli_path key = pli_path_key(at, "box");
    for (int c = 0; c < dim; ++c)
        if (low[c] > high[c])
            return PLI_FIND(b->findings, &key, error,
                            "box: the first corner must not be above the second in %c", "xyz"[c]);
    double first[3], last[3], diagonal[3];
    pli_bounding_box(shape->mesh.vertex_count, shape->mesh.positions, first, last);
    pli_sub(last, first, diagonal, 3);
    double slack = 1e-9 * pli_norm(diagonal, 3);
    int32_t* vertices;
    PLI_TRY(PLI_TAKE(b->arena, vertices, shape->mesh.vertex_count, error));
    int count = 0;
    for (int v = 0; v < shape->mesh.vertex_count; ++v)
        if (inside(&shape->mesh.positions[3 * v], low, high, dim, slack)) vertices[count++] = v;
    if (count == 0)
        return PLI_FIND(b->findings, &key, error, "box: no vertex of the body is inside");
    *chosen = (pli_chosen){count, vertices};
    return PLI_OK;
}

static pli_status select_vertices(pli_builder* b, const pli_shape_of_body* shape,
                                  const pli_selection* selection, const pli_path* at,
                                  pli_chosen* chosen, pli_error* error) {
    if (selection->vertices.count > 0 && selection->box.count > 0)
        return PLI_FIND(b->findings, at, error, "vertices and box are both given, must be one");
    if (selection->vertices.count > 0)
        return select_numbers(b, shape, selection, at, chosen, error);
    if (selection->box.count > 0)
        return shape->sound ? select_box(b, shape, selection, at, chosen, error) : PLI_OK;
    *chosen = (pli_chosen){shape->mesh.vertex_count, NULL};
    return PLI_OK;
}

static pli_status select_all(pli_builder* b, pli_shape_of_body* shape, const pli_path* at,
                             pli_error* error) {
    const pli_fix_data* fix = shape->data->fix.items;
    const pli_prescribe_data* prescribe = shape->data->prescribe.items;
    pli_path fixes = pli_path_key(at, "fix"), motions = pli_path_key(at, "prescribe");
    PLI_TRY(PLI_TAKE(b->arena, shape->fix, shape->data->fix.count, error));
    PLI_TRY(PLI_TAKE(b->arena, shape->prescribe, shape->data->prescribe.count, error));
    for (int i = 0; i < shape->data->fix.count; ++i) {
        pli_path entry = pli_path_index(&fixes, i);
        PLI_TRY(select_vertices(b, shape, &fix[i].selection, &entry, &shape->fix[i], error));
    }
    for (int i = 0; i < shape->data->prescribe.count; ++i) {
        pli_path entry = pli_path_index(&motions, i);
        PLI_TRY(select_vertices(b, shape, &prescribe[i].selection, &entry, &shape->prescribe[i],
                                error));
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
    static const char* const keys[] = {"scale", "rotate", "translate", "stretch"};
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
    PLI_TRY(set_state(b, shape, error));
    PLI_TRY(check_finite(b, shape, at, error));
    shape->sound = b->findings->error_count == errors && is_placed(b, at);
    return select_all(b, shape, at, error);
}

static pli_status name_body(pli_builder* b, int i, pli_error* error) {
    char number[32];
    const char* given = b->bodies[i].data->def.name;
    b->names[i] = b->bodies[i].name = given;
    if (given[0]) return PLI_OK;
    int n = snprintf(number, sizeof number, "body %d", i);
    char* copy;
    PLI_TRY(PLI_TAKE(b->arena, copy, n + 1, error));
    memcpy(copy, number, (size_t)n + 1);
    b->names[i] = b->bodies[i].name = copy;
    return PLI_OK;
}

pli_status pli_shapes_build(pli_builder* b, pli_error* error) {
    int count = b->scene->bodies.count;
    const pli_body_data* data = b->scene->bodies.items;
    PLI_TRY(PLI_TAKE(b->arena, b->bodies, count, error));
    PLI_TRY(PLI_TAKE(b->arena, b->names, count, error));
    b->body_count = count;
    for (int i = 0; i < count; ++i) {
        pli_path list, path = pli_body_path(b, i, &list);
        b->bodies[i].data = &data[i];
        pli_mesh_init(&b->bodies[i].mesh, b->allocator);
        PLI_TRY(name_body(b, i, error));
        PLI_TRY(build_shape(b, &b->bodies[i], &path, error));
    }
    return PLI_OK;
}

void pli_shapes_free(pli_builder* b) {
    for (int i = 0; i < b->body_count; ++i) pli_mesh_free(&b->bodies[i].mesh);
}
