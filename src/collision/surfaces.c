// See surfaces.h.
//
// Shares: in the plane a vertex has half of the adjacent boundary segments; in space a point has a
// third of the adjacent triangles and an edge a third of its triangles, so that both sum up to the
// area of the surface. A segment without triangles represents a strip as wide as its thickness (10
// dhat without thickness), half of it for each end; an isolated point represents a square of that
// width.
#include "collision/surfaces.h"

#include "contact/mollifier.h"
#include "math/vec.h"
#include "mesh/topology.h"

#include <string.h>

static void free_list(pli_memory* memory, pli_primitives* list) {
    PLI_FREE(memory, list->vertices, list->count * list->width);
    list->count = 0;
}

void pli_surfaces_free(pli_surfaces* to) {
    pli_memory* m = to->memory;
    if (!m) return;
    PLI_FREE(m, to->crossed.vertices, to->crossed.capacity);
    PLI_FREE(m, to->edge_area, to->edges.count);
    PLI_FREE(m, to->edge_rest, to->edges.count);
    pli_primitives* lists[4] = {&to->points, &to->edges, &to->triangles, &to->loose_points};
    for (int i = 0; i < 4; ++i) free_list(m, lists[i]);
    PLI_FREE(m, to->body, to->vertex_count);
    PLI_FREE(m, to->outer, to->vertex_count);
    PLI_FREE(m, to->area, to->vertex_count);
    PLI_FREE(m, to->radius, to->vertex_count);
    PLI_FREE(m, to->part, to->vertex_count);
    PLI_FREE(m, to->self, to->body_count);
    PLI_FREE(m, to->extent, to->vertex_count);
    *to = (pli_surfaces){0};
}

static pli_status make_list(pli_memory* memory, pli_primitives* list, int count, int width,
                            pli_error* error) {
    PLI_TRY(PLI_ALLOC(memory, list->vertices, (size_t)count * (size_t)width, error));
    list->count = count;
    list->width = width;
    return PLI_OK;
}

static bool touches_bodies(const pli_model* model, int body) {
    return model->def.contact.bodies && model->bodies[body].def.contact_bodies;
}

static int elements_in_all(const pli_model* model, int body) {
    int sum = 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        sum += pli_body_element_count(model, body, (pli_element_kind)k);
    return sum;
}

// Per segment of the world: whether it is no edge of a tetrahedron (in the plane: of a triangle).
static pli_status mark_segments(const pli_model* model, bool* loose, pli_error* error) {
    for (int b = 0; b < model->body_count; ++b) {
        pli_elements all = pli_model_elements(model, b);
        PLI_TRY(pli_mark_loose(model->memory, &all, PLI_SEGMENT, model->def.dimension,
                               loose + model->bodies[b].first_element[PLI_SEGMENT], error));
    }
    return PLI_OK;
}

// Vertices without elements are isolated points: extent 1, 0 for all others.
static void mark_points(const pli_model* model, uint8_t* extent) {
    for (int b = 0; b < model->body_count; ++b) {
        const pli_body_def* def = &model->bodies[b].def;
        bool hidden = def->obstacle && strcmp(def->contact_vertices, "none") == 0 &&
                      elements_in_all(model, b) > 0;
        for (int v = model->bodies[b].first_vertex; v < pli_body_end_vertex(model, b); ++v)
            extent[v] = !hidden;
    }
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        size_t size = (size_t)pli_element_size((pli_element_kind)k);
        for (size_t i = 0; i < size * (size_t)model->element_count[k]; ++i)
            extent[model->elements[k][i]] = 0;
    }
}

// ---- the plane

// Weights A of the vertices in contact. Default: half the boundary adjacent to the vertex; for
// interior vertices the mean of that over the body's boundary; or the mean length of its segments;
// or (single points) 10 dhat; each times thickness.
static void plane_areas(const pli_model* model, const double* lengths, pli_surfaces* to) {
    double* areas = to->area;
    for (int b = 0; b < model->body_count; ++b) {
        const pli_body* body = &model->bodies[b];
        double sum = 0;
        int count = 0;
        for (int v = body->first_vertex; v < pli_body_end_vertex(model, b); ++v) {
            sum += lengths[v];
            count += lengths[v] > 0;
        }
        int end = pli_body_end_element(model, b, PLI_SEGMENT);
        for (int s = body->first_element[PLI_SEGMENT]; s < end && sum == 0; ++s) {
            const int32_t* ends = model->elements[PLI_SEGMENT] + 2 * s;
            double d[3];
            pli_sub(model->rest + 3 * ends[0], model->rest + 3 * ends[1], d, 3);
            areas[body->first_vertex] += pli_norm(d, 3);
            count++;
        }
        if (sum == 0) sum = areas[body->first_vertex];
        double mean = sum > 0 ? sum / count : to->width;
        for (int v = body->first_vertex; v < pli_body_end_vertex(model, b); ++v) {
            double length = lengths[v] > 0 ? lengths[v] : mean;
            areas[v] =
                body->def.contact_area > 0 ? body->def.contact_area : length * model->def.thickness;
        }
    }
}

// Copies the primitives of bodies that touch each other; returns their count.
static int take_touching(const pli_model* model, const int32_t* body, const int32_t* from,
                         int count, int width, int32_t* to) {
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (touches_bodies(model, body[from[i * width]]))
            memcpy(to + width * kept++, from + width * i, sizeof *to * (size_t)width);
    return kept;
}

// Segments that are no edges of triangles belong to the surface of a body, and so do isolated
// points.
static bool is_thin(const pli_model* model, int body, const bool* loose, int segment) {
    return touches_bodies(model, body) && loose[segment];
}

// Of obstacles: half of such segments adjacent to each vertex; deformable bodies have the mean of
// their segments instead (plane_areas). Ends belong to the surface whatever the length.
static void add_thin_lengths(const pli_model* model, const bool* loose, double* lengths,
                             uint8_t* extent) {
    for (int b = 0; b < model->body_count; ++b) {
        int end = pli_body_end_element(model, b, PLI_SEGMENT);
        for (int s = model->bodies[b].first_element[PLI_SEGMENT]; s < end; ++s) {
            if (!is_thin(model, b, loose, s)) continue;
            const int32_t* v = model->elements[PLI_SEGMENT] + 2 * (size_t)s;
            double half = 0.5 * pli_element_measure(2, PLI_SEGMENT, v, model->rest);
            for (int k = 0; k < 2; ++k) {
                if (model->bodies[b].def.obstacle) lengths[v[k]] += half;
                if (extent[v[k]] < 2) extent[v[k]] = 2;
            }
        }
    }
}

// An isolated point that carries a half-space: the half-space has contact in its place.
static bool is_carrier(const pli_model* model, int v) {
    for (int i = 0; i < model->half_space_count; ++i)
        if (pli_model_carrier(model, i) == v) return true;
    return false;
}

static bool is_thin_point(const pli_model* model, const pli_surfaces* to, int v) {
    return to->extent[v] == 2 || (to->extent[v] == 1 && !is_carrier(model, v));
}

// Appends them to the existing lists; *point_count and *edge_count grow. The lists may be NULL.
static void add_thin_parts(const pli_model* model, const bool* loose, pli_surfaces* to,
                           int* point_count, int* edge_count) {
    for (int b = 0; b < model->body_count; ++b) {
        if (!touches_bodies(model, b)) continue;
        for (int v = model->bodies[b].first_vertex; v < pli_body_end_vertex(model, b); ++v) {
            if (!is_thin_point(model, to, v)) continue; // interior, or already listed
            if (to->points.vertices) to->points.vertices[*point_count] = v;
            ++*point_count;
        }
        int end = pli_body_end_element(model, b, PLI_SEGMENT);
        for (int s = model->bodies[b].first_element[PLI_SEGMENT]; s < end; ++s) {
            if (!is_thin(model, b, loose, s)) continue;
            if (to->edges.vertices)
                memcpy(to->edges.vertices + 2 * (size_t)*edge_count,
                       model->elements[PLI_SEGMENT] + 2 * (size_t)s, 2 * sizeof(int32_t));
            ++*edge_count;
        }
    }
}

static pli_status list_loose_points(pli_surfaces* to, pli_error* error) {
    int count = 0;
    for (int i = 0; i < to->points.count; ++i) count += to->extent[to->points.vertices[i]] == 1;
    PLI_TRY(make_list(to->memory, &to->loose_points, count, 1, error));
    count = 0;
    for (int i = 0; i < to->points.count; ++i)
        if (to->extent[to->points.vertices[i]] == 1)
            to->loose_points.vertices[count++] = to->points.vertices[i];
    return PLI_OK;
}

// Half-spaces act on all vertices except those inside triangles.
static void mark_outer(const pli_model* model, pli_surfaces* to) {
    static const pli_element_kind kinds[2] = {PLI_TRIANGLE, PLI_TRIANGLE6};
    for (int v = 0; v < to->vertex_count; ++v) to->outer[v] = 1;
    for (int k = 0; k < 2; ++k) {
        size_t size = (size_t)pli_element_size(kinds[k]);
        for (size_t i = 0; i < size * (size_t)model->element_count[kinds[k]]; ++i) {
            int32_t v = model->elements[kinds[k]][i];
            to->outer[v] = to->extent[v] > 2;
        }
    }
}

// Segments of the boundary of triangles and their vertices, ascending.
typedef struct boundary {
    int segment_count, vertex_count;
    int32_t *segments, *vertices;
} boundary;

static pli_status find_boundary(const pli_model* model, pli_surfaces* to, boundary* out,
                                pli_error* error) {
    pli_elements all = pli_model_elements(model, -1);
    PLI_TRY(pli_boundary_segments(to->memory, &all, &out->segments, &out->segment_count, error));
    for (int i = 0; i < 2 * out->segment_count; ++i) to->extent[out->segments[i]] = 3;
    int count = 0;
    for (int v = 0; v < to->vertex_count; ++v) count += to->extent[v] == 3;
    PLI_TRY(PLI_ALLOC(to->memory, out->vertices, count, error));
    for (int v = 0; v < to->vertex_count; ++v)
        if (to->extent[v] == 3) out->vertices[out->vertex_count++] = v;
    return PLI_OK;
}

// lengths[v] += half the length of each boundary segment at v [m].
static void add_boundary_lengths(const pli_model* model, const boundary* of, double* lengths) {
    for (int i = 0; i < of->segment_count; ++i) {
        const int32_t* v = of->segments + 2 * (size_t)i;
        double half = 0.5 * pli_element_measure(2, PLI_SEGMENT, v, model->rest);
        for (int k = 0; k < 2; ++k) lengths[v[k]] += half;
    }
}

static pli_status make_plane(const pli_model* model, pli_surfaces* to, pli_error* error) {
    pli_memory* m = to->memory;
    boundary outline = {0};
    double* lengths = NULL;
    bool* loose = NULL;
    pli_status status;
    mark_points(model, to->extent);
    PLI_TRY_CLEANUP(status, find_boundary(model, to, &outline, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, lengths, to->vertex_count, error));
    add_boundary_lengths(model, &outline, lengths);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, loose, model->element_count[PLI_SEGMENT], error));
    PLI_TRY_CLEANUP(status, mark_segments(model, loose, error));
    mark_outer(model, to);
    add_thin_lengths(model, loose, lengths, to->extent);
    plane_areas(model, lengths, to);
    int points =
        take_touching(model, to->body, outline.vertices, outline.vertex_count, 1, outline.vertices);
    int edges = take_touching(model, to->body, outline.segments, outline.segment_count, 2,
                              outline.segments);
    int all_points = points, all_edges = edges;
    add_thin_parts(model, loose, to, &all_points, &all_edges);
    PLI_TRY_CLEANUP(status, make_list(m, &to->points, all_points, 1, error));
    PLI_TRY_CLEANUP(status, make_list(m, &to->edges, all_edges, 2, error));
    for (int i = 0; i < points; ++i) to->points.vertices[i] = outline.vertices[i];
    for (int i = 0; i < 2 * edges; ++i) to->edges.vertices[i] = outline.segments[i];
    to->loose_edge = edges;
    add_thin_parts(model, loose, to, &points, &edges);
    PLI_TRY_CLEANUP(status, list_loose_points(to, error));
    PLI_TRY_CLEANUP(status, pli_surfaces_find_crossed(to, 2, model->rest, error));
cleanup:
    PLI_FREE(m, loose, model->element_count[PLI_SEGMENT]);
    PLI_FREE(m, lengths, to->vertex_count);
    PLI_FREE(m, outline.segments, 2 * (size_t)outline.segment_count);
    PLI_FREE(m, outline.vertices, outline.vertex_count);
    return status;
}

// ---- space: triangles

// The triangles of all bodies; those of bodies that touch each other come first.
typedef struct triangles {
    int count, touching;
    int32_t* vertices;
} triangles;

static pli_status gather_triangles(const pli_model* model, triangles* out, pli_error* error) {
    for (int b = 0; b < model->body_count; ++b) {
        int count;
        PLI_TRY(pli_model_skin_triangles(model, b, NULL, &count, error));
        out->count += count;
        if (touches_bodies(model, b)) out->touching += count;
    }
    PLI_TRY(PLI_ALLOC(model->memory, out->vertices, 3 * (size_t)out->count, error));
    int at[2] = {out->touching, 0}; // of bodies that do not touch, and of bodies that do
    for (int b = 0; b < model->body_count; ++b) {
        int count, *to = &at[touches_bodies(model, b)];
        PLI_TRY(pli_model_skin_triangles(model, b, out->vertices + 3 * (size_t)*to, &count, error));
        *to += count;
    }
    return PLI_OK;
}

static double triangle_area(const double* x, const int32_t* v) {
    return pli_element_measure(3, PLI_TRIANGLE, v, x);
}

static double edge_length(const double* x, const int32_t* v) {
    return pli_element_measure(3, PLI_SEGMENT, v, x);
}

// ---- space: edges

// Width of parts without triangles.
static double thin_width(const pli_model* model, const pli_surfaces* to, int body) {
    double thickness = model->bodies[body].def.contact_thickness;
    return thickness > 0 ? 2 * thickness : to->width;
}

// Segments that are no edge of a tetrahedron or triangle, each once, as sorted pairs. `rows` has
// room for all segments.
static pli_status loose_segments(const pli_model* model, const bool* loose, const pli_sides* known,
                                 int32_t* rows, int* count, pli_error* error) {
    pli_elements all = pli_model_elements(model, -1);
    pli_sides segments = {0};
    *count = 0;
    PLI_TRY(pli_sides_create(known->memory, &all, PLI_SEGMENTS, &segments, error));
    for (int s = 0; s < segments.count; ++s) {
        const int32_t* v = segments.vertices + 2 * (size_t)s;
        if (!loose[segments.uses[segments.start[s]]] || pli_sides_find(known, v) >= 0) continue;
        memcpy(rows + 2 * (size_t)(*count)++, v, 2 * sizeof *v);
    }
    pli_sides_free(&segments);
    return PLI_OK;
}

// Shares of edges and of points: a third of each triangle; the full strip, half of it.
static void add_edge_shares(const pli_model* model, pli_surfaces* to, const pli_sides* edges,
                            const triangles* all) {
    for (int e = 0; e < to->edges.count; ++e) {
        const int32_t* v = to->edges.vertices + 2 * (size_t)e;
        double given = model->bodies[to->body[v[0]]].def.contact_area;
        to->edge_rest[e] = edge_length(model->rest, v);
        int uses = e < to->loose_edge ? pli_min_int(pli_side_uses(edges, e), 2) : 0;
        for (int k = 0; k < uses; ++k) {
            int t = edges->uses[edges->start[e] + k] / 3;
            to->edge_area[e] += triangle_area(model->rest, all->vertices + 3 * (size_t)t) / 3;
        }
        if (e >= to->loose_edge)
            to->edge_area[e] = thin_width(model, to, to->body[v[0]]) * to->edge_rest[e];
        if (given > 0) to->edge_area[e] = given;
    }
}

static pli_status make_edges(const pli_model* model, pli_surfaces* to, const triangles* all,
                             const bool* loose_marks, pli_error* error) {
    pli_memory* m = to->memory;
    pli_elements touching_triangles =
        pli_elements_of_triangles(to->vertex_count, all->touching, all->vertices);
    pli_sides edges = {0};
    int room = model->element_count[PLI_SEGMENT], loose = 0;
    int32_t* rows = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(m, &touching_triangles, PLI_EDGES, &edges, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, rows, 2 * (size_t)room, error));
    PLI_TRY_CLEANUP(status, loose_segments(model, loose_marks, &edges, rows, &loose, error));
    int touching = take_touching(model, to->body, rows, loose, 2, rows);
    to->loose_edge = edges.count;
    PLI_TRY_CLEANUP(status, make_list(m, &to->edges, edges.count + touching, 2, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, to->edge_area, to->edges.count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, to->edge_rest, to->edges.count, error));
    if (edges.count > 0)
        memcpy(to->edges.vertices, edges.vertices, 2 * sizeof *rows * (size_t)edges.count);
    if (touching > 0)
        memcpy(to->edges.vertices + 2 * edges.count, rows, 2 * sizeof *rows * (size_t)touching);
    add_edge_shares(model, to, &edges, all);
    status = pli_surfaces_drop_flat(to, model, &edges, all->vertices, all->touching, error);
cleanup:
    PLI_FREE(m, rows, 2 * (size_t)room);
    pli_sides_free(&edges);
    return status;
}

// ---- space: points

// The edges of all triangles, 6 directed ones per triangle: from each corner both ways.
static void directed_edge(const triangles* all, int i, int32_t ends[2]) {
    static const int corners[6][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 0}, {2, 0}, {2, 1}};
    const int32_t* v = all->vertices + 3 * (size_t)(i / 6);
    for (int k = 0; k < 2; ++k) ends[k] = v[corners[i % 6][k]];
}

static void edge_vector(const double* x, int32_t from, int32_t to, double out[3]) {
    pli_sub(x + 3 * (size_t)to, x + 3 * (size_t)from, out, 3);
}

// Per vertex of a triangle, its farthest neighbour.
static void find_farthest(const double* x, const triangles* all, int32_t* farthest) {
    for (int i = 0; i < 3 * all->count; ++i) farthest[all->vertices[i]] = all->vertices[i];
    for (int i = 0; i < 6 * all->count; ++i) {
        int32_t v[2];
        double known[3], next[3];
        directed_edge(all, i, v);
        edge_vector(x, v[0], farthest[v[0]], known);
        edge_vector(x, v[0], v[1], next);
        if (pli_dot(next, next, 3) > pli_dot(known, known, 3)) farthest[v[0]] = v[1];
    }
}

// A surface has edges in two directions at each vertex. Where all edges of a vertex are almost
// parallel, as in a triangle with almost no area, the vertex is the end of a segment: the edge-edge
// terms fade out for objects along it.
static pli_status mark_triangles(const pli_model* model, const triangles* all, pli_surfaces* to,
                                 pli_error* error) {
    int32_t* farthest = NULL;
    PLI_TRY(PLI_ALLOC(to->memory, farthest, to->vertex_count, error));
    find_farthest(model->rest, all, farthest);
    for (int i = 0; i < 6 * all->count; ++i) {
        int32_t v[2];
        double longest[3], next[3];
        directed_edge(all, i, v);
        edge_vector(model->rest, v[0], farthest[v[0]], longest);
        edge_vector(model->rest, v[0], v[1], next);
        uint8_t extent = pli_almost_parallel(longest, next) ? 2 : 3;
        if (to->extent[v[0]] < extent) to->extent[v[0]] = extent;
    }
    PLI_FREE(to->memory, farthest, to->vertex_count);
    return PLI_OK;
}

// Shares of vertices in the surfaces of all bodies, and which of them are ends of segments: a part
// without area or length, which obstacles may have, adds nothing to the share of its vertices.
static void add_point_shares(const pli_model* model, const triangles* all, const bool* loose,
                             pli_surfaces* to) {
    double* area = to->area;
    for (int t = 0; t < all->count; ++t) {
        const int32_t* v = all->vertices + 3 * (size_t)t;
        double third = triangle_area(model->rest, v) / 3;
        for (int k = 0; k < 3; ++k) area[v[k]] += third;
    }
    for (int s = 0; s < model->element_count[PLI_SEGMENT]; ++s) {
        const int32_t* v = model->elements[PLI_SEGMENT] + 2 * (size_t)s;
        if (!loose[s]) continue;
        double half = 0.5 * thin_width(model, to, to->body[v[0]]) * edge_length(model->rest, v);
        for (int k = 0; k < 2; ++k) {
            area[v[k]] += half;
            if (to->extent[v[k]] < 2) to->extent[v[k]] = 2;
        }
    }
}

// Vertices without a share get the body's mean, or (no elements at all) a square; contact_area of
// the body overrides both.
static void finish_areas(const pli_model* model, pli_surfaces* to) {
    for (int b = 0; b < model->body_count; ++b) {
        const pli_body* body = &model->bodies[b];
        int end = pli_body_end_vertex(model, b), count = 0;
        double sum = 0, width = thin_width(model, to, b);
        for (int v = body->first_vertex; v < end; ++v) {
            sum += to->area[v];
            count += to->area[v] > 0;
        }
        double mean = count > 0 ? sum / count : width * width;
        for (int v = body->first_vertex; v < end; ++v) {
            to->outer[v] = to->extent[v] > 0;
            if (!(to->area[v] > 0)) to->area[v] = mean;
            if (body->def.contact_area > 0) to->area[v] = body->def.contact_area;
        }
    }
}

static pli_status make_points(const pli_model* model, pli_surfaces* to, pli_error* error) {
    int count = 0;
    for (int v = 0; v < to->vertex_count; ++v)
        count += to->outer[v] && touches_bodies(model, to->body[v]);
    PLI_TRY(make_list(to->memory, &to->points, count, 1, error));
    count = 0;
    for (int v = 0; v < to->vertex_count; ++v)
        if (to->outer[v] && touches_bodies(model, to->body[v])) to->points.vertices[count++] = v;
    return list_loose_points(to, error);
}

static pli_status make_space(const pli_model* model, pli_surfaces* to, pli_error* error) {
    triangles all = {0};
    bool* loose = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(to->memory, loose, model->element_count[PLI_SEGMENT], error));
    PLI_TRY_CLEANUP(status, mark_segments(model, loose, error));
    PLI_TRY_CLEANUP(status, gather_triangles(model, &all, error));
    mark_points(model, to->extent);
    PLI_TRY_CLEANUP(status, mark_triangles(model, &all, to, error));
    add_point_shares(model, &all, loose, to);
    finish_areas(model, to);
    PLI_TRY_CLEANUP(status, make_edges(model, to, &all, loose, error));
    PLI_TRY_CLEANUP(status, make_points(model, to, error));
    PLI_TRY_CLEANUP(status, pli_surfaces_find_crossed(to, 3, model->rest, error));
    PLI_TRY_CLEANUP(status, make_list(to->memory, &to->triangles, all.touching, 3, error));
    if (all.touching > 0)
        memcpy(to->triangles.vertices, all.vertices, 3 * sizeof(int32_t) * (size_t)all.touching);
cleanup:
    PLI_FREE(to->memory, loose, model->element_count[PLI_SEGMENT]);
    PLI_FREE(to->memory, all.vertices, 3 * (size_t)all.count);
    return status;
}

// ---- parts without contact

// Whether all vertices of a primitive are held by supports without contact.
static bool is_hidden(const pli_model* model, const int32_t* vertices, int width) {
    for (int k = 0; k < width; ++k)
        if (!model->supports[vertices[k]].no_contact) return false;
    return true;
}

// The primitives of a list that are not; on failure `kept` holds nothing.
static pli_status keep_visible(const pli_model* model, pli_memory* m, const pli_primitives* list,
                               pli_primitives* kept, pli_error* error) {
    int count = 0, width = list->width;
    const int32_t* v = list->vertices;
    for (int i = 0; i < list->count; ++i) count += !is_hidden(model, v + i * width, width);
    PLI_TRY(make_list(m, kept, count, width, error));
    int32_t* to = kept->vertices;
    for (int i = 0; i < list->count; ++i, v += width)
        if (!is_hidden(model, v, width)) {
            memcpy(to, v, sizeof *v * (size_t)width);
            to += width;
        }
    return PLI_OK;
}

static pli_status hide_in(const pli_model* model, pli_memory* m, pli_primitives* list,
                          pli_error* error) {
    pli_primitives kept = {0};
    PLI_TRY(keep_visible(model, m, list, &kept, error));
    free_list(m, list);
    *list = kept;
    return PLI_OK;
}

// Edges of bodies in space have areas and lengths.
static pli_status hide_edges(const pli_model* model, pli_surfaces* to, pli_error* error) {
    pli_memory* m = to->memory;
    pli_primitives kept = {0};
    double *area = NULL, *rest = NULL;
    int next = 0, before = to->edges.count, first_loose = 0;
    for (int e = 0; e < to->loose_edge; ++e)
        first_loose += !is_hidden(model, to->edges.vertices + 2 * (size_t)e, 2);
    to->loose_edge = first_loose;
    if (!to->edge_area) return hide_in(model, m, &to->edges, error);
    pli_status status;
    PLI_TRY_CLEANUP(status, keep_visible(model, m, &to->edges, &kept, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, area, kept.count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, rest, kept.count, error));
    for (int e = 0; e < before; ++e) {
        if (is_hidden(model, to->edges.vertices + 2 * (size_t)e, 2)) continue;
        area[next] = to->edge_area[e];
        rest[next++] = to->edge_rest[e];
    }
    PLI_FREE(m, to->edge_area, before);
    PLI_FREE(m, to->edge_rest, before);
    free_list(m, &to->edges);
    to->edges = kept;
    to->edge_area = area;
    to->edge_rest = rest;
    return PLI_OK;
cleanup:
    PLI_FREE(m, area, kept.count);
    free_list(m, &kept);
    return status;
}

static pli_status hide_parts(const pli_model* model, pli_surfaces* to, pli_error* error) {
    bool any = false;
    for (int i = 0; i < model->support_set_count; ++i) any |= model->support_sets[i].no_contact;
    if (!any) return PLI_OK;
    PLI_TRY(hide_in(model, to->memory, &to->points, error));
    PLI_TRY(hide_in(model, to->memory, &to->loose_points, error));
    PLI_TRY(hide_in(model, to->memory, &to->triangles, error));
    PLI_TRY(hide_edges(model, to, error));
    for (int v = 0; v < to->vertex_count; ++v)
        to->outer[v] = to->outer[v] && !model->supports[v].no_contact;
    return PLI_OK;
}

// Connected parts, for neighbours at rest.
static pli_status make_parts(const pli_model* model, pli_surfaces* to, double dhat,
                             pli_error* error) {
    bool needed = false;
    for (int b = 0; b < model->body_count; ++b)
        needed = needed || (to->self[b] && model->bodies[b].def.contact_thickness > 0);
    if (!needed) return PLI_OK;
    PLI_TRY(PLI_ALLOC(to->memory, to->part, to->vertex_count, error));
    pli_elements all = pli_model_elements(model, -1);
    pli_find_components(&all, to->part);
    for (int v = 0; v < to->vertex_count; ++v)
        if (to->part[v] < 0) to->part[v] = v;
    to->rest = (pli_rest){.x = model->rest, .part = to->part, .dhat = dhat};
    return PLI_OK;
}

pli_status pli_surfaces_init(pli_surfaces* to, const pli_model* model, double dhat,
                             pli_error* error) {
    pli_memory* m = model->memory;
    *to = (pli_surfaces){.memory = m,
                         .vertex_count = model->vertex_count,
                         .body_count = model->body_count,
                         .width = 10 * dhat};
    PLI_TRY(PLI_ALLOC(m, to->body, to->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, to->outer, to->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, to->area, to->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, to->radius, to->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, to->self, to->body_count, error));
    PLI_TRY(PLI_ALLOC(m, to->extent, to->vertex_count, error));
    for (int b = 0; b < model->body_count; ++b) {
        const pli_body_def* def = &model->bodies[b].def;
        to->self[b] = def->contact_self && !def->obstacle && !pli_body_is_affine(def);
        to->thick = to->thick || def->contact_thickness > 0;
        for (int v = model->bodies[b].first_vertex; v < pli_body_end_vertex(model, b); ++v) {
            to->body[v] = b;
            to->radius[v] = def->contact_thickness;
        }
    }
    to->filter = (pli_filter){.body = to->body, .self = to->self};
    PLI_TRY(make_parts(model, to, dhat, error));
    PLI_TRY((model->def.dimension == 2 ? make_plane : make_space)(model, to, error));
    return hide_parts(model, to, error);
}
