// See strands.h. On obstacles that are round (points and segments with a thickness) roots are
// exactly on the round surface, and strands grow along its normals.
#include "scene/strands.h"

#include "base/text.h"
#include "math/vec.h"
#include "scene/source.h"

#include <math.h>

typedef pli_strands_data strands_data;

static const pli_param strands_rows[] = {
    PLI_TEXT(
        strands_data, path, "path", 0,
        "the surface: a mesh file, relative to the folder of the scene; or give body or radius"),
    PLI_TEXT(strands_data, body, "body", 0,
             "the surface: that of a body or an obstacle of the scene, where it is at t = 0"),
    PLI_NUMBER(strands_data, radius, "radius", "m", 0, 1e9, NAN, PLI_PARAM_ABOVE_MIN,
               "of a ball around the origin from which they grow, instead of path and body"),
    PLI_INTEGER(strands_data, strands.count, "count", 1, 10000000, 100, "number of strands"),
    PLI_NUMBER(strands_data, strands.length, "length", "m", 0, 1e9, 0,
               PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "along the normal of the surface"),
    PLI_INTEGER(strands_data, strands.segments, "segments", 1, 100000, 10, "of each strand"),
    PLI_NUMBER(strands_data, strands.lift, "lift", "m", 0, 1e9, 0, 0,
               "distance of the first vertices from the surface"),
    PLI_NUMBER(strands_data, strands.curl, "curl", "m", 0, 1e9, 0, 0,
               "radius of a helix about the normal; 0: straight"),
    PLI_NUMBER(strands_data, strands.pitch, "pitch", "m", 0, 1e9, 0, 0,
               "rise of a turn of the curl"),
    PLI_VECTOR(strands_data, strands.axis, "axis", "", 0,
               "they grow only where the normal is within angle of it; 0 0 0: everywhere"),
    PLI_NUMBER(strands_data, angle, "angle", "degrees", 0, 180, 90, 0, "from axis"),
    PLI_INTEGER(strands_data, seed, "seed", 0, 2147483647, 1, "of the places of their roots"),
};
static const pli_part strands_parts[] = {
    PLI_ONE_FORMULA(strands_data, where, "where", "", PLI_OF_PLACE, 0,
                    "they grow only from triangles of the surface at whose centres it is true: "
                    "\"y > 0 && z < 0.1\""),
};
const pli_section pli_strands_section = {
    .name = "strands",
    .help = "threads that grow from a surface along its normals: hair",
    .size = sizeof(strands_data),
    PLI_ROWS(strands_rows),
    PLI_PARTS(strands_parts)};

pli_mesh_size pli_strands_size(const void* data) {
    const pli_strands* s = &((const strands_data*)data)->strands;
    double count = s->count, segments = s->segments;
    return (pli_mesh_size){.vertices = count * (segments + 1),
                           .elements[PLI_SEGMENT] = count * segments};
}

// Drops the triangles where nothing grows.
static pli_status keep_where(const strands_data* d, pli_mesh* surface, pli_error* error) {
    int kept = 0;
    if (d->where.count == 0) return PLI_OK;
    PLI_TRY(pli_mesh_keep_surface(surface, error));
    for (int t = 0; t < surface->element_count[PLI_TRIANGLE]; ++t) {
        int32_t* v = surface->elements[PLI_TRIANGLE] + 3 * (size_t)t;
        double at[4] = {0};
        for (int i = 0; i < 9; ++i)
            at[1 + i % 3] += surface->positions[3 * (size_t)v[i / 3] + (size_t)(i % 3)] / 3;
        double value = pli_expression_value(&d->where, at);
        if (value != 0 && !isnan(value))
            memmove(surface->elements[PLI_TRIANGLE] + 3 * (size_t)kept++, v, 3 * sizeof *v);
    }
    surface->element_count[PLI_TRIANGLE] = kept;
    if (kept > 0) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "strands: where is true for no triangle of the surface");
}

static pli_status grow(const strands_data* d, pli_mesh* surface, pli_root_fn* onto,
                       const void* context, pli_mesh* mesh, pli_error* error) {
    pli_strands strands = d->strands;
    strands.angle = d->angle * 0.017453292519943295;
    strands.seed = (uint64_t)d->seed;
    PLI_TRY(keep_where(d, surface, error));
    return pli_mesh_grow_strands(mesh, surface, &strands, onto, context, error);
}

// ---- a ball or a file

static pli_status make_surface(const strands_data* d, const char* folder, pli_mesh* surface,
                               pli_error* error) {
    enum { SHELLS = 8 };
    char full[4096];
    bool file = d->path && d->path[0];
    if (file == !isnan(d->radius))
        return pli_fail(error, PLI_E_ARGUMENT, "strands: %s of path, body and radius, must be one",
                        file ? "several" : "none");
    if (!file) return pli_mesh_add_ball(surface, d->radius, SHELLS, error);
    PLI_TRY(pli_file_path(folder, d->path, full, sizeof full, error));
    return pli_mesh_read(surface, full, error);
}

pli_status pli_strands_read(const void* data, const char* folder, const pli_path* at,
                            pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const strands_data* d = data;
    pli_mesh surface;
    pli_mesh_init(&surface, mesh->allocator);
    pli_status status = make_surface(d, folder, &surface, error);
    if (status == PLI_OK) status = grow(d, &surface, NULL, NULL, mesh, error);
    pli_mesh_free(&surface);
    return pli_finding_from(findings, at, status, error);
}

// ---- a body

bool pli_shape_depends(const pli_body_data* data) {
    const pli_strands_data* strands = pli_mesh_strands(&data->mesh);
    const pli_prescribe_data* motions = data->prescribe.items;
    bool follows = false;
    for (int i = 0; i < data->prescribe.count; ++i)
        follows = follows || (motions[i].with && motions[i].with[0]);
    return follows || (strands && strands->body && strands->body[0]);
}

// The round surface around points and segments.
typedef struct skeleton {
    const pli_mesh* mesh; // its segments; without, its points
    const double* x;
    double radius;
} skeleton;

// The nearest place of segment i, or point i.
static void nearest_on(const skeleton* s, int i, const double p[3], double out[3]) {
    const int32_t* ends = s->mesh->elements[PLI_SEGMENT] + 2 * (size_t)i;
    bool point = s->mesh->element_count[PLI_SEGMENT] == 0;
    const double *a = s->x + 3 * (size_t)(point ? i : ends[0]),
                 *b = point ? a : s->x + 3 * (size_t)ends[1];
    double d[3], r[3];
    pli_sub(b, a, d, 3);
    pli_sub(p, a, r, 3);
    double square = pli_dot(d, d, 3);
    double t = square > 0 ? fmin(1, fmax(0, pli_dot(r, d, 3) / square)) : 0;
    for (int c = 0; c < 3; ++c) out[c] = a[c] + t * d[c];
}

static void onto_skeleton(const void* context, double root[3], double normal[3]) {
    const skeleton* s = context;
    int segments = s->mesh->element_count[PLI_SEGMENT];
    double least = HUGE_VAL, base[3] = {0};
    for (int i = 0; i < (segments > 0 ? segments : s->mesh->vertex_count); ++i) {
        double at[3], d[3];
        nearest_on(s, i, root, at);
        pli_sub(root, at, d, 3);
        if (!(pli_norm(d, 3) < least)) continue;
        least = pli_norm(d, 3);
        pli_copy(at, base, 3);
    }
    pli_sub(root, base, normal, 3);
    for (int c = 0; c < 3; ++c) normal[c] /= least;
    for (int c = 0; c < 3; ++c) root[c] = base[c] + s->radius * normal[c];
}

// Thick sheets and solids: on the surface at their thickness.
static void onto_thickness(const void* context, double root[3], double normal[3]) {
    for (int c = 0; c < 3; ++c) root[c] += *(const double*)context * normal[c];
}

// A capsule of triangles around segment i, or a sphere around point i.
static pli_status add_round(const skeleton* s, int i, pli_mesh* out, pli_error* error) {
    enum { RINGS = 8 };
    int first = out->vertex_count;
    double along[3] = {1, 0, 0}, middle[3], length = 0;
    if (s->mesh->element_count[PLI_SEGMENT] > 0) {
        const int32_t* v = s->mesh->elements[PLI_SEGMENT] + 2 * (size_t)i;
        pli_sub(s->x + 3 * (size_t)v[1], s->x + 3 * (size_t)v[0], along, 3);
        length = pli_norm(along, 3);
        for (int c = 0; c < 3; ++c)
            middle[c] =
                0.5 * (s->x[3 * (size_t)v[0] + (size_t)c] + s->x[3 * (size_t)v[1] + (size_t)c]);
    } else {
        pli_copy(s->x + 3 * (size_t)i, middle, 3);
    }
    int layers = (int)fmin(200, ceil(length / s->radius * RINGS) + 1);
    if (length > 0)
        PLI_TRY(pli_mesh_add_tube(out, s->radius, length, RINGS, layers, PLI_ENDS_ROUND, error));
    else
        PLI_TRY(pli_mesh_add_sphere(out, s->radius, RINGS, error));
    // Turns x to `along`: a rotation of half a turn about the line halfway between them.
    double half[3] = {length > 0 ? along[0] / length + 1 : 2, along[1], along[2]};
    if (length > 0) half[1] /= length, half[2] /= length;
    if (!(pli_norm(half, 3) > 1e-6)) half[0] = 0, half[1] = 1, half[2] = 0;
    double square = pli_dot(half, half, 3);
    for (int v = first; v < out->vertex_count; ++v) {
        double* x = out->positions + 3 * (size_t)v;
        double part = 2 * pli_dot(half, x, 3) / square;
        for (int c = 0; c < 3; ++c) x[c] = middle[c] + part * half[c] - x[c];
    }
    return PLI_OK;
}

static pli_status copy_surface(const pli_shape* on, pli_mesh* out, pli_error* error) {
    const pli_mesh* mesh = &on->mesh;
    PLI_TRY(pli_mesh_add_vertices(out, mesh->vertex_count, on->initial, NULL, error));
    for (int k = PLI_TRIANGLE; k < PLI_ELEMENT_KIND_COUNT; ++k)
        if (mesh->element_count[k] > 0)
            PLI_TRY(pli_mesh_add_elements(out, (pli_element_kind)k, mesh->element_count[k],
                                          mesh->elements[k], error));
    return PLI_OK;
}

static pli_status grow_on(const strands_data* d, const pli_shape* on, pli_mesh* surface,
                          pli_mesh* mesh, pli_error* error) {
    double radius = on->data->def.contact_thickness;
    const skeleton round = {&on->mesh, on->initial, radius};
    int segments = on->mesh.element_count[PLI_SEGMENT], faces = 0;
    for (int k = PLI_TRIANGLE; k < PLI_ELEMENT_KIND_COUNT; ++k) faces += on->mesh.element_count[k];
    if (faces == 0 && !(radius > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "strands: body \"%.60s\" has no surface", on->name);
    if (faces > 0) {
        PLI_TRY(copy_surface(on, surface, error));
        return grow(d, surface, onto_thickness, &radius, mesh, error);
    }
    for (int i = 0; i < (segments > 0 ? segments : on->mesh.vertex_count); ++i)
        PLI_TRY(add_round(&round, i, surface, error));
    return grow(d, surface, onto_skeleton, &round, mesh, error);
}

pli_status pli_strands_grow(pli_builder* b, const pli_strands_data* d, const pli_path* at,
                            pli_mesh* mesh, pli_error* error) {
    pli_nearest nearest = {.word = d->body};
    char hint[PLI_HINT_SIZE];
    const pli_shape* on = NULL;
    for (int i = 0; i < b->body_count && !on; ++i) {
        pli_nearest_try(&nearest, b->names[i]);
        if (strcmp(b->names[i], d->body) == 0) on = &b->bodies[i];
    }
    if (!on)
        return PLI_FIND(b->findings, PLI_KEY(at, "body"), error, "there is no body \"%.60s\"%s",
                        d->body, pli_nearest_hint(&nearest, hint));
    if (pli_mesh_strands(&on->data->mesh))
        return PLI_FIND(b->findings, PLI_KEY(at, "body"), error,
                        "body \"%.60s\" has strands itself: hair grows on a surface", d->body);
    if (!on->sound) return PLI_OK; // reported there
    pli_mesh surface;
    pli_mesh_init(&surface, b->allocator);
    pli_status status = grow_on(d, on, &surface, mesh, error);
    pli_mesh_free(&surface);
    return pli_finding_from(b->findings, at, status, error);
}
