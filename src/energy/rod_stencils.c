// Corners of rods, the node of each segment, and its angle at the start.
//
// Threads run through vertices with two segments. Along each one the material director of its first
// segment is transported in parallel; the angle of a segment is that of this director against the
// gauge of its edge (pli_rod_gauge). So straight and plane threads have no twist at rest, and a
// closed one has what its holonomy leaves in the corner where it closes.
#include "energy/rod.h"

#include "base/memory.h"
#include "energy/stencils.h"
#include "math/elementary.h"
#include "mesh/topology.h"

// Where two segments are taken as straight: sine of the angle.
static const double straight = 1e-6;

typedef struct finder {
    const pli_body_view* body;
    const pli_rod_params* params;
    pli_sides segments; // their vertices ascend: an edge as pli_rod_frame has it
    pli_stars stars;
    double* director; // 3 per segment: material
    int32_t* node;    // per segment; -1: none
    double* length;   // per segment [m]
    int32_t* corners; // corners at each segment
    double inertia;   // per length [kg m]
} finder;

static int degree(const finder* f, int32_t vertex) {
    return f->stars.start[vertex + 1] - f->stars.start[vertex];
}

static int32_t other_end(const finder* f, int segment, int32_t vertex) {
    const int32_t* ends = f->segments.vertices + 2 * (size_t)segment;
    return ends[0] == vertex ? ends[1] : ends[0];
}

// Unit vector along a segment, away from a vertex.
static void tangent(const finder* f, int segment, int32_t from, double t[3]) {
    const double* rest = f->body->rest;
    pli_sub(rest + 3 * (size_t)other_end(f, segment, from), rest + 3 * (size_t)from, t, 3);
    double length = pli_norm(t, 3);
    for (int c = 0; c < 3; ++c) t[c] /= length;
}

// The segment after `segment` in its thread, beyond the vertex; -1: it ends there.
static int next_segment(const finder* f, int segment, int32_t vertex) {
    const int32_t* at = f->stars.sides + f->stars.start[vertex];
    return degree(f, vertex) != 2 ? -1 : at[0] == segment ? at[1] : at[0];
}

// Makes `u` normal to the unit vector t and of length 1; false: it is along t.
static bool make_normal(const double t[3], double u[3]) {
    double before = pli_norm(u, 3);
    pli_axpy(-pli_dot(u, t, 3), t, u, 3);
    double length = pli_norm(u, 3);
    for (int c = 0; c < 3 && length > 0; ++c) u[c] /= length;
    return length > straight * before;
}

// The director of the first segment of a thread: the given normal, else towards the centre of the
// first curve of the thread, else the gauge of a straight thread.
static pli_status first_director(const finder* f, int first, int32_t from, double u[3],
                                 pli_error* error) {
    double t[3], before[3], normal[3];
    tangent(f, first, from, t);
    if (pli_rod_normal(f->body->params, normal)) {
        pli_copy(normal, u, 3);
        if (make_normal(t, u)) return PLI_OK;
        return pli_fail(error, PLI_E_ARGUMENT,
                        "normal (%g, %g, %g) is along the segment of the vertices %d and %d, where "
                        "a thread begins: choose a direction across it",
                        normal[0], normal[1], normal[2], (int)from - f->body->first_vertex,
                        (int)other_end(f, first, from) - f->body->first_vertex);
    }
    pli_copy(t, before, 3);
    int32_t vertex = other_end(f, first, from);
    for (int s = next_segment(f, first, vertex); s >= 0 && s != first;) {
        tangent(f, s, vertex, u);
        pli_axpy(-pli_dot(u, before, 3), before, u, 3);
        if (pli_norm(u, 3) > straight && make_normal(t, u)) return PLI_OK;
        tangent(f, s, vertex, before);
        vertex = other_end(f, s, vertex);
        s = next_segment(f, s, vertex);
    }
    const int32_t* ends = f->segments.vertices + 2 * (size_t)first;
    tangent(f, first, ends[0], t);
    pli_rod_gauge(t, u);
    return PLI_OK;
}

static bool is_known(const finder* f, int segment) {
    const double* u = f->director + 3 * (size_t)segment;
    return u[0] != 0 || u[1] != 0 || u[2] != 0;
}

// Directors of the thread that begins with a segment at a vertex.
static pli_status walk(finder* f, int first, int32_t from, pli_error* error) {
    double u[3], t[3], next[3], moved[3];
    PLI_TRY(first_director(f, first, from, u, error));
    tangent(f, first, from, t);
    for (int s = first;;) {
        pli_copy(u, f->director + 3 * (size_t)s, 3);
        from = other_end(f, s, from);
        s = next_segment(f, s, from);
        if (s < 0 || is_known(f, s)) return PLI_OK;
        tangent(f, s, from, next);
        if (1 + pli_dot(t, next, 3) < straight * straight)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "the segments at vertex %d fold back on each other at rest: move a "
                            "vertex",
                            (int)from - f->body->first_vertex);
        pli_rod_transport(t, next, u, moved);
        (void)make_normal(next, moved);
        pli_copy(moved, u, 3);
        pli_copy(next, t, 3);
    }
}

// Threads from their ends, then closed ones.
static pli_status find_directors(finder* f, pli_error* error) {
    for (int pass = 0; pass < 2; ++pass)
        for (int s = 0; s < f->segments.count; ++s)
            for (int end = 0; end < 2 && !is_known(f, s); ++end) {
                int32_t from = f->segments.vertices[2 * (size_t)s + (size_t)end];
                if (pass == 1 || degree(f, from) != 2) PLI_TRY(walk(f, s, from, error));
            }
    return PLI_OK;
}

// ---- segments

static pli_status measure(finder* f, pli_error* error) {
    double total = 0, mass = 0;
    int first = f->body->first_vertex;
    for (int s = 0; s < f->segments.count; ++s) {
        const int32_t* ends = f->segments.vertices + 2 * (size_t)s;
        double e[3];
        pli_sub(f->body->rest + 3 * (size_t)ends[1], f->body->rest + 3 * (size_t)ends[0], e, 3);
        f->length[s] = pli_norm(e, 3);
        total += f->length[s];
        if (!(f->length[s] > 0))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "the segment of the vertices %d and %d has no length at rest: remove "
                            "it or move a vertex",
                            (int)ends[0] - first, (int)ends[1] - first);
        if (pli_side_uses(&f->segments, s) > 1)
            return pli_fail(
                error, PLI_E_ARGUMENT, "%d segments join the vertices %d and %d: keep one",
                pli_side_uses(&f->segments, s), (int)ends[0] - first, (int)ends[1] - first);
    }
    for (int v = 0; v < f->body->vertex_count && f->body->mass; ++v)
        if (degree(f, first + v) > 0) mass += f->body->mass[first + v];
    pli_rod_section section = pli_rod_section_of(f->body->params);
    f->inertia = f->params->inertia;
    if (isnan(f->inertia)) // rho (I1 + I2), with the mass per length rho A
        f->inertia = mass / total * (section.EI[0] + section.EI[1]) / section.EA;
    return PLI_OK;
}

// The node of a segment.
static pli_status ask_angle(finder* f, pli_stencil_sink* sink, int s, pli_error* error) {
    const int32_t* ends = f->segments.vertices + 2 * (size_t)s;
    const double* m = f->director + 3 * (size_t)s;
    double t[3], u[3], v[3];
    tangent(f, s, ends[0], t);
    pli_rod_gauge(t, u);
    pli_cross3(t, u, v);
    pli_node_key key = {.tag = PLI_ROD_TAG, .vertex_count = 2, .vertices = {ends[0], ends[1]}};
    pli_node_def def = pli_default_node_def();
    def.value = pli_atan2(pli_dot(m, v, 3), pli_dot(m, u, 3));
    def.mass = f->inertia * f->length[s];
    def.scale = f->length[s];
    if (f->body->held && f->body->held[ends[0]] & f->body->held[ends[1]] & PLI_HELD_CLAMPED) {
        def.follows = (f->body->held[ends[0]] | f->body->held[ends[1]]) & PLI_HELD_PRESCRIBED;
        def.fixed = !def.follows;
    }
    return pli_sink_node(sink, &key, &def, &f->node[s], error);
}

// ---- corners

// Calls for each pair of segments that the rod joins at a vertex: two, or all pairs of a welded
// branch. `sink`: NULL: counts corners of segments.
static pli_status join(finder* f, int32_t vertex, pli_stencil_sink* sink, pli_error* error) {
    int count = degree(f, vertex);
    const int32_t* at = f->stars.sides + f->stars.start[vertex];
    if (count != 2 && f->params->welded == 0) return PLI_OK;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j) {
            int32_t corner[5] = {other_end(f, at[i], vertex), vertex, other_end(f, at[j], vertex),
                                 f->node[at[i]], f->node[at[j]]};
            f->corners[at[i]]++;
            f->corners[at[j]]++;
            if (sink) PLI_TRY(pli_sink_stencil(sink, corner, error));
        }
    return PLI_OK;
}

static pli_status sink_corners(finder* f, pli_stencil_sink* sink, pli_error* error) {
    int first = f->body->first_vertex, end = first + f->body->vertex_count;
    for (int32_t v = first; v < end; ++v) PLI_TRY(join(f, v, NULL, error));
    for (int s = 0; s < f->segments.count; ++s)
        if (f->corners[s] > 0) PLI_TRY(ask_angle(f, sink, s, error));
    for (int32_t v = first; v < end; ++v) PLI_TRY(join(f, v, sink, error));
    return PLI_OK;
}

pli_status pli_rod_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    pli_elements all = {.vertex_limit = body->first_vertex + body->vertex_count};
    all.count[PLI_SEGMENT] = body->element_count[PLI_SEGMENT];
    all.elements[PLI_SEGMENT] = body->elements[PLI_SEGMENT];
    finder f = {.body = body, .params = (const pli_rod_params*)body->params};
    pli_memory* m = sink->memory;
    pli_status status;
    int count = all.count[PLI_SEGMENT];
    PLI_TRY_CLEANUP(status, pli_sides_create(m, &all, PLI_SEGMENTS, &f.segments, error));
    PLI_TRY_CLEANUP(status, pli_stars_create(m, &all, &f.segments, &f.stars, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, f.director, 3 * (size_t)count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, f.length, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, f.node, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, f.corners, count, error));
    PLI_TRY_CLEANUP(status, measure(&f, error));
    PLI_TRY_CLEANUP(status, find_directors(&f, error));
    PLI_TRY_CLEANUP(status, sink_corners(&f, sink, error));
cleanup:
    PLI_FREE(m, f.corners, count);
    PLI_FREE(m, f.node, count);
    PLI_FREE(m, f.length, count);
    PLI_FREE(m, f.director, 3 * (size_t)count);
    pli_stars_free(&f.stars);
    pli_sides_free(&f.segments);
    return status;
}
