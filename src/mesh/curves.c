// Threads of segments: helices, polylines, rings, and strands that grow from a surface.
#include "mesh/build.h"

#include "math/elementary.h"
#include "math/vec.h"
#include "mesh/skin.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

static void put_chain(pli_mesh* mesh, int first, int segments, int count) {
    for (int i = 0; i < segments; ++i) {
        const int32_t ends[2] = {first + i, first + (i + 1) % count};
        pli_mesh_put_element(mesh, PLI_SEGMENT, ends);
    }
}

// Room for a thread of points; an open one gets the groups start and end.
static pli_status reserve_thread(pli_mesh* mesh, int64_t points, bool closed,
                                 pli_group_plan ends[2], pli_error* error) {
    PLI_TRY(pli_mesh_reserve_vertices(mesh, points, error));
    PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_SEGMENT, closed ? points : points - 1, error));
    ends[0] = (pli_group_plan){"start", 0, 1, 0};
    ends[1] = (pli_group_plan){"end", 0, 1, 0};
    return closed ? PLI_OK : pli_mesh_reserve_groups(mesh, ends, 2, error);
}

pli_status pli_mesh_add_helix(pli_mesh* mesh, double radius, double pitch, double turns,
                              int segments, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_check_size("helix", "radius", radius, error));
    PLI_TRY(pli_check_size("helix", "turns", turns, error));
    PLI_TRY(pli_check_cells("helix", "segments", segments, error));
    if (!isfinite(pitch))
        return pli_fail(error, PLI_E_ARGUMENT, "helix: pitch = %g m, must be finite", pitch);
    if (segments < 3 * turns)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "helix: segments = %d, must be at least 3 for each of the %g turns",
                        segments, turns);
    pli_group_plan ends[2];
    PLI_TRY(reserve_thread(mesh, (int64_t)segments + 1, false, ends, error));
    int first = mesh->vertex_count;
    for (int i = 0; i <= segments; ++i) {
        double s = turns * i / segments, angle = two_pi * s;
        pli_mesh_put_vertex(mesh, radius * pli_cos(angle), radius * pli_sin(angle), pitch * s);
        pli_mesh_put_on_sides(mesh, ends, 2, (const bool[]){i == 0, i == segments});
    }
    put_chain(mesh, first, segments, segments + 1);
    return PLI_OK;
}

pli_status pli_mesh_add_ring(pli_mesh* mesh, double radius, int segments, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_check_size("ring", "radius", radius, error));
    if (segments < 3)
        return pli_fail(error, PLI_E_ARGUMENT, "ring: segments = %d, must be >= 3", segments);
    pli_group_plan ends[2];
    PLI_TRY(reserve_thread(mesh, segments, true, ends, error));
    int first = mesh->vertex_count;
    for (int i = 0; i < segments; ++i) {
        double angle = two_pi * i / segments;
        pli_mesh_put_vertex(mesh, radius * pli_cos(angle), radius * pli_sin(angle), 0);
    }
    put_chain(mesh, first, segments, segments);
    return PLI_OK;
}

// ---- polylines

typedef struct path {
    int count;
    const double* points; // 3 each
    bool closed, smooth;
} path;

static const double* point_of(const path* p, int i) {
    int last = p->count - 1;
    if (p->closed) i = (i % p->count + p->count) % p->count;
    return p->points + 3 * (size_t)(i < 0 ? 0 : i > last ? last : i);
}

// At s in [0, spans]: straight, or the curve of Catmull and Rom through the points.
static void place_on(const path* p, double s, double x[3]) {
    int spans = p->closed ? p->count : p->count - 1, i = (int)floor(s);
    if (i >= spans) i = spans - 1;
    double t = s - i;
    const double *a = point_of(p, i - 1), *b = point_of(p, i), *c = point_of(p, i + 1),
                 *d = point_of(p, i + 2);
    for (int k = 0; k < 3; ++k) {
        x[k] = (1 - t) * b[k] + t * c[k];
        if (!p->smooth) continue;
        double slope = 0.5 * (c[k] - a[k]), end = 0.5 * (d[k] - b[k]), rise = c[k] - b[k];
        x[k] = b[k] + t * (slope + t * (3 * rise - 2 * slope - end + t * (slope + end - 2 * rise)));
    }
}

enum { SAMPLES = 64 }; // per span, for lengths

static double length_between(const path* p, int sample) {
    double a[3], b[3];
    place_on(p, (double)sample / SAMPLES, a);
    place_on(p, (double)(sample + 1) / SAMPLES, b);
    pli_sub(b, a, b, 3);
    return pli_norm(b, 3);
}

// Puts points at equal distances along the path.
static void put_even(pli_mesh* mesh, const path* p, int segments, double length,
                     const pli_group_plan ends[2]) {
    int spans = p->closed ? p->count : p->count - 1, sample = 0, points = segments + !p->closed;
    double done = 0, part = length_between(p, 0);
    for (int i = 0; i < points; ++i) {
        double x[3], at = length * i / segments;
        while (sample < spans * SAMPLES - 1 && done + part < at) {
            done += part;
            part = length_between(p, ++sample);
        }
        double s = (sample + (part > 0 ? fmin((at - done) / part, 1) : 0)) / SAMPLES;
        place_on(p, i == segments ? spans : s, x);
        pli_mesh_put_vertex(mesh, x[0], x[1], x[2]);
        if (!p->closed) pli_mesh_put_on_sides(mesh, ends, 2, (const bool[]){i == 0, i == segments});
    }
}

static pli_status check_points(const path* p, pli_error* error) {
    int least = p->closed ? 3 : 2;
    if (!p->points || p->count < least)
        return pli_fail(error, PLI_E_ARGUMENT, "polyline: %d points, must be at least %d", p->count,
                        least);
    for (int i = 0; i < (p->closed ? p->count : p->count - 1); ++i) {
        double d[3];
        pli_sub(point_of(p, i + 1), point_of(p, i), d, 3);
        if (!(pli_norm(d, 3) > 0) || !isfinite(pli_norm(d, 3)))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "polyline: the points %d and %d are %s: remove one or move it", i,
                            (i + 1) % p->count, pli_norm(d, 3) > 0 ? "not finite" : "the same");
    }
    return PLI_OK;
}

pli_status pli_mesh_add_polyline(pli_mesh* mesh, int count, const double* points, bool closed,
                                 bool smooth, int segments, pli_error* error) {
    const path p = {count, points, closed, smooth};
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(check_points(&p, error));
    int spans = closed ? count : count - 1, first = mesh->vertex_count;
    if (segments < 0 || (closed && segments > 0 && segments < 3) || count > INT32_MAX / SAMPLES)
        return pli_fail(error, PLI_E_ARGUMENT, "polyline: segments = %d, must be >= %d, or 0",
                        segments, closed ? 3 : 1);
    int made = segments > 0 ? segments : spans;
    pli_group_plan ends[2];
    PLI_TRY(reserve_thread(mesh, (int64_t)made + !closed, closed, ends, error));
    double length = 0;
    for (int i = 0; i < spans * SAMPLES && segments > 0; ++i) length += length_between(&p, i);
    if (segments > 0) put_even(mesh, &p, segments, length, ends);
    for (int i = 0; i < count && segments == 0; ++i) {
        pli_mesh_put_vertex(mesh, points[3 * i], points[3 * i + 1], points[3 * i + 2]);
        if (!closed) pli_mesh_put_on_sides(mesh, ends, 2, (const bool[]){i == 0, i == count - 1});
    }
    put_chain(mesh, first, made, made + !closed);
    return PLI_OK;
}

// ---- strands

// A number in [0, 1), the same on every machine.
static double random_part(uint64_t* seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Corners of a triangle; returns its unit normal and area.
static double triangle_of(const double* x, const int32_t* v, double n[3]) {
    double a[3], b[3];
    pli_sub(x + 3 * (size_t)v[1], x + 3 * (size_t)v[0], a, 3);
    pli_sub(x + 3 * (size_t)v[2], x + 3 * (size_t)v[0], b, 3);
    pli_cross3(a, b, n);
    double area = pli_norm(n, 3);
    for (int c = 0; c < 3 && area > 0; ++c) n[c] /= area;
    return 0.5 * area;
}

// Whether strands grow from a face with this normal.
static bool grows(const pli_strands* s, const double n[3]) {
    double length = pli_norm(s->axis, 3);
    return length == 0 || pli_dot(n, s->axis, 3) >= pli_cos(s->angle) * length;
}

// sums[i]: area of the faces up to i from which strands grow.
static double sum_areas(const pli_strands* s, const double* x, int count, const int32_t* faces,
                        double* sums) {
    double total = 0, n[3];
    for (int i = 0; i < count; ++i) {
        double area = triangle_of(x, faces + 3 * (size_t)i, n);
        if (area > 0 && grows(s, n)) total += area;
        sums[i] = total;
    }
    return total;
}

// A place on the face, and its normal.
static void choose_root(const double* x, const int32_t* v, uint64_t* seed, double root[3],
                        double n[3]) {
    double a = sqrt(random_part(seed)), b = random_part(seed);
    (void)triangle_of(x, v, n);
    for (int c = 0; c < 3; ++c)
        root[c] = (1 - a) * x[3 * (size_t)v[0] + (size_t)c] +
                  a * (1 - b) * x[3 * (size_t)v[1] + (size_t)c] +
                  a * b * x[3 * (size_t)v[2] + (size_t)c];
}

// Along the normal; with curl a helix about it.
static void put_strand(pli_mesh* mesh, const pli_strands* s, const double root[3],
                       const double n[3], double phase, const pli_group_plan groups[2]) {
    double u[3], v[3];
    int axis = 0, first = mesh->vertex_count;
    for (int c = 1; c < 3; ++c)
        if (fabs(n[c]) < fabs(n[axis])) axis = c;
    for (int c = 0; c < 3; ++c) u[c] = (c == axis ? 1 : 0) - n[axis] * n[c];
    double size = pli_norm(u, 3);
    for (int c = 0; c < 3; ++c) u[c] /= size;
    pli_cross3(n, u, v);
    for (int i = 0; i <= s->segments; ++i) {
        double along = s->length * i / s->segments, x[3], a[2] = {0};
        double angle = phase + (s->pitch > 0 ? two_pi * along / s->pitch : 0);
        if (s->curl > 0) a[0] = s->curl * (pli_cos(angle) - pli_cos(phase));
        if (s->curl > 0) a[1] = s->curl * (pli_sin(angle) - pli_sin(phase));
        for (int c = 0; c < 3; ++c)
            x[c] = root[c] + (s->lift + along) * n[c] + a[0] * u[c] + a[1] * v[c];
        pli_mesh_put_vertex(mesh, x[0], x[1], x[2]);
        pli_mesh_put_on_sides(mesh, groups, 2, (const bool[]){i < 2, i == s->segments});
    }
    put_chain(mesh, first, s->segments, s->segments + 1);
}

static pli_status check_strands(const pli_strands* s, pli_error* error) {
    PLI_TRY(pli_check_size("strands", "length", s->length, error));
    PLI_TRY(pli_check_cells("strands", "segments", s->segments, error));
    PLI_TRY(pli_check_cells("strands", "count", s->count, error));
    if (s->curl > 0 && !(s->pitch > 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "strands: pitch = %g m, must be > 0: the length of one turn of the curl",
                        s->pitch);
    if (s->curl > 0 && s->segments * s->pitch < 3 * s->length)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "strands: segments = %d, must be at least 3 for each of the %g turns of "
                        "the curl",
                        s->segments, s->length / s->pitch);
    return PLI_OK;
}

typedef struct faces_of {
    const double* x;
    int count;
    const int32_t* faces;
    pli_root_fn* onto; // NULL: roots stay on the faces
    const void* context;
} faces_of;

// With room for the sums of areas of the faces.
static pli_status put_strands(pli_mesh* mesh, const pli_strands* s, const faces_of* from,
                              double* sums, pli_error* error) {
    const double* x = from->x;
    const int32_t* faces = from->faces;
    int count = from->count;
    int64_t points = (int64_t)s->count * (s->segments + 1);
    pli_group_plan groups[2] = {{"root", 0, 2 * (int64_t)s->count, 0}, {"tip", 0, s->count, 0}};
    double total = sum_areas(s, x, count, faces, sums);
    uint64_t seed = s->seed;
    if (!(total > 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "strands: no face of the surface has a normal within angle of axis");
    PLI_TRY(pli_mesh_reserve_vertices(mesh, points, error));
    PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_SEGMENT, points - s->count, error));
    PLI_TRY(pli_mesh_reserve_groups(mesh, groups, 2, error));
    for (int i = 0; i < s->count; ++i) {
        double at = total * ((i + random_part(&seed)) / s->count), root[3], n[3];
        int low = 0, high = count - 1;
        while (low < high) { // the first face whose sum is above `at`
            int middle = (low + high) / 2;
            if (sums[middle] > at)
                high = middle;
            else
                low = middle + 1;
        }
        choose_root(x, faces + 3 * (size_t)low, &seed, root, n);
        if (from->onto) from->onto(from->context, root, n);
        put_strand(mesh, s, root, n, two_pi * random_part(&seed), groups);
    }
    return PLI_OK;
}

pli_status pli_mesh_add_strands(pli_mesh* mesh, const pli_mesh* surface, const pli_strands* s,
                                pli_error* error) {
    return pli_mesh_grow_strands(mesh, surface, s, NULL, NULL, error);
}

pli_status pli_mesh_grow_strands(pli_mesh* mesh, const pli_mesh* surface, const pli_strands* s,
                                 pli_root_fn* onto, const void* context, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_mesh_need(surface, error));
    if (!s) return pli_fail(error, PLI_E_ARGUMENT, "strands: NULL");
    PLI_TRY(check_strands(s, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    pli_elements all = pli_elements_of(surface);
    pli_skin skin = {0};
    int32_t* faces = NULL;
    double* sums = NULL;
    int count = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_skin_create(&memory, &all, 3, true, &skin, error));
    count = pli_skin_triangle_count(&skin);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, faces, 3 * (size_t)count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, sums, count, error));
    pli_skin_triangles(&skin, faces);
    const faces_of from = {surface->positions, count, faces, onto, context};
    PLI_TRY_CLEANUP(status, put_strands(mesh, s, &from, sums, error));
cleanup:
    PLI_FREE(&memory, sums, count);
    PLI_FREE(&memory, faces, 3 * (size_t)count);
    pli_skin_free(&skin);
    return status;
}
