// The surfaces of all bodies, for contact.
//
// Shares: in the plane a vertex has half of the boundary segments around it; in space a point has a
// third of the triangles around it and an edge a third of the triangles at it, so that both sum up
// to the area of the surface. A segment of no triangle stands for a strip as wide as it is thick
// (10 dhat if it has no thickness), half of it for each end; a point by itself for a square of that
// width.
#include "dynamics/collision.h"

#include "contact/mollifier.h"
#include "dynamics/world.h"
#include "math/vec.h"
#include "mesh/loose.h"
#include "mesh/measure.h"
#include "mesh/sort.h"
#include "mesh/surface.h"
#include "mesh/topology.h"

#include <string.h>

static void free_list(pli_memory* memory, pli_primitives* list) {
    PLI_FREE(memory, list->vertices, list->count * list->width);
    list->count = 0;
}

void pli_collision_free(pli_collision* c) {
    pli_memory* m = c->memory;
    if (!m) return;
    PLI_FREE(m, c->crossed.vertices, c->crossed.capacity);
    PLI_FREE(m, c->edge_area, c->edges.count);
    PLI_FREE(m, c->edge_rest, c->edges.count);
    pli_primitives* lists[4] = {&c->points, &c->edges, &c->triangles, &c->loose_points};
    for (int i = 0; i < 4; ++i) free_list(m, lists[i]);
    PLI_FREE(m, c->body, c->vertex_count);
    PLI_FREE(m, c->outer, c->vertex_count);
    PLI_FREE(m, c->area, c->vertex_count);
    PLI_FREE(m, c->radius, c->vertex_count);
    PLI_FREE(m, c->self, c->body_count);
    PLI_FREE(m, c->extent, c->vertex_count);
    *c = (pli_collision){0};
}

static pli_status make_list(pli_memory* memory, pli_primitives* list, int count, int width,
                            pli_error* error) {
    PLI_TRY(PLI_ALLOC(memory, list->vertices, (size_t)count * (size_t)width, error));
    list->count = count;
    list->width = width;
    return PLI_OK;
}

static bool touches_bodies(const pli_world* w, int body) {
    return w->model.def.contact.bodies && w->model.bodies[body].def.contact_bodies;
}

static int element_count(const pli_world* w, int body, pli_element_kind kind) {
    return pli_body_end_element(&w->model, body, kind) - w->model.bodies[body].first_element[kind];
}

static int elements_in_all(const pli_world* w, int body) {
    int sum = 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        sum += element_count(w, body, (pli_element_kind)k);
    return sum;
}

// Per segment of the world: it is no edge of a tetrahedron, in the plane of a triangle.
static pli_status mark_segments(const pli_world* w, pli_memory* m, bool* loose, pli_error* error) {
    for (int b = 0; b < w->model.body_count; ++b) {
        pli_skin_source source = pli_model_skin_source(&w->model, b, w->model.def.dimension);
        PLI_TRY(pli_mark_loose(m, &source, PLI_SEGMENT, w->model.def.dimension,
                               loose + w->model.bodies[b].first_element[PLI_SEGMENT], error));
    }
    return PLI_OK;
}

// Vertices of no element are points by themselves: extent 1, 0 for all others.
static void mark_points(const pli_world* w, uint8_t* extent) {
    for (int b = 0; b < w->model.body_count; ++b) {
        const pli_body_def* def = &w->model.bodies[b].def;
        bool hidden = def->obstacle && strcmp(def->contact_vertices, "none") == 0 &&
                      elements_in_all(w, b) > 0;
        for (int v = w->model.bodies[b].first_vertex; v < pli_body_end_vertex(&w->model, b); ++v)
            extent[v] = !hidden;
    }
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        size_t size = (size_t)pli_element_size((pli_element_kind)k);
        for (size_t i = 0; i < size * (size_t)w->model.element_count[k]; ++i)
            extent[w->model.elements[k][i]] = 0;
    }
}

// ---- the plane

// Weights A of the vertices in contact. Where a body does not say: half the boundary around the
// vertex, or the mean of that over the body's boundary for vertices inside, or the mean length of
// its segments, or (single points) 10 dhat; each times thickness.
static void plane_areas(const pli_world* world, const double* lengths, double* areas) {
    for (int b = 0; b < world->model.body_count; ++b) {
        const pli_body* body = &world->model.bodies[b];
        double sum = 0;
        int count = 0;
        for (int v = body->first_vertex; v < pli_body_end_vertex(&world->model, b); ++v) {
            sum += lengths[v];
            count += lengths[v] > 0;
        }
        int end = pli_body_end_element(&world->model, b, PLI_SEGMENT);
        for (int s = body->first_element[PLI_SEGMENT]; s < end && sum == 0; ++s) {
            const int32_t* ends = world->model.elements[PLI_SEGMENT] + 2 * s;
            double d[3];
            pli_sub(world->model.rest + 3 * ends[0], world->model.rest + 3 * ends[1], d, 3);
            areas[body->first_vertex] += pli_norm(d, 3);
            count++;
        }
        if (sum == 0) sum = areas[body->first_vertex];
        double mean = sum > 0 ? sum / count : 10 * world->dhat;
        for (int v = body->first_vertex; v < pli_body_end_vertex(&world->model, b); ++v) {
            double length = lengths[v] > 0 ? lengths[v] : mean;
            areas[v] = body->def.contact_area > 0 ? body->def.contact_area
                                                  : length * world->model.def.thickness;
        }
    }
}

// Copies the primitives of bodies that touch each other; returns their count.
static int take_touching(const pli_world* w, const int32_t* body, const int32_t* from, int count,
                         int width, int32_t* to) {
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (touches_bodies(w, body[from[i * width]]))
            memcpy(to + width * kept++, from + width * i, sizeof *to * (size_t)width);
    return kept;
}

// Segments of obstacles that are no edges of triangles are part of their surface, and so are points
// by themselves.
static bool is_thin(const pli_world* w, int body, const bool* loose, int segment) {
    return w->model.bodies[body].def.obstacle && touches_bodies(w, body) && loose[segment];
}

// Half of such segments around each vertex; their ends belong to the surface whatever the length.
static void add_thin_lengths(const pli_world* w, const bool* loose, double* lengths,
                             uint8_t* extent) {
    for (int b = 0; b < w->model.body_count; ++b) {
        int end = pli_body_end_element(&w->model, b, PLI_SEGMENT);
        for (int s = w->model.bodies[b].first_element[PLI_SEGMENT]; s < end; ++s) {
            if (!is_thin(w, b, loose, s)) continue;
            const int32_t* v = w->model.elements[PLI_SEGMENT] + 2 * (size_t)s;
            double half = 0.5 * pli_element_measure(2, PLI_SEGMENT, v, w->model.rest);
            for (int k = 0; k < 2; ++k) {
                lengths[v[k]] += half;
                if (extent[v[k]] < 2) extent[v[k]] = 2;
            }
        }
    }
}

// Appends them to the lists that are there already; *point_count and *edge_count grow. The lists
// may be NULL.
static void add_thin_parts(const pli_world* w, const bool* loose, pli_collision* c,
                           int* point_count, int* edge_count) {
    for (int b = 0; b < w->model.body_count; ++b) {
        if (!w->model.bodies[b].def.obstacle || !touches_bodies(w, b)) continue;
        for (int v = w->model.bodies[b].first_vertex; v < pli_body_end_vertex(&w->model, b); ++v) {
            if (c->extent[v] == 0 || c->extent[v] > 2) continue; // inside, or there already
            if (c->points.vertices) c->points.vertices[*point_count] = v;
            ++*point_count;
        }
        int end = pli_body_end_element(&w->model, b, PLI_SEGMENT);
        for (int s = w->model.bodies[b].first_element[PLI_SEGMENT]; s < end; ++s) {
            if (!is_thin(w, b, loose, s)) continue;
            if (c->edges.vertices)
                memcpy(c->edges.vertices + 2 * (size_t)*edge_count,
                       w->model.elements[PLI_SEGMENT] + 2 * (size_t)s, 2 * sizeof(int32_t));
            ++*edge_count;
        }
    }
}

// Half-spaces hold all but the inside of triangles.
static void mark_outer(const pli_world* w, pli_collision* c) {
    static const pli_element_kind kinds[2] = {PLI_TRIANGLE, PLI_TRIANGLE6};
    for (int v = 0; v < c->vertex_count; ++v) c->outer[v] = 1;
    for (int k = 0; k < 2; ++k) {
        size_t size = (size_t)pli_element_size(kinds[k]);
        for (size_t i = 0; i < size * (size_t)w->model.element_count[kinds[k]]; ++i) {
            int32_t v = w->model.elements[kinds[k]][i];
            c->outer[v] = c->extent[v] > 2;
        }
    }
}

static pli_status make_plane(pli_world* w, pli_collision* c, pli_error* error) {
    pli_memory* m = c->memory;
    pli_faces faces = {.triangle_count = w->model.element_count[PLI_TRIANGLE],
                       .quadratic_count = w->model.element_count[PLI_TRIANGLE6],
                       .triangles = w->model.elements[PLI_TRIANGLE],
                       .quadratics = w->model.elements[PLI_TRIANGLE6]};
    pli_boundary boundary = {0};
    double* lengths = NULL;
    bool* loose = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_boundary_of_faces(m, c->vertex_count, &faces, &boundary, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, lengths, c->vertex_count, error));
    pli_boundary_lengths(&boundary, 2, w->model.rest, lengths);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, loose, w->model.element_count[PLI_SEGMENT], error));
    PLI_TRY_CLEANUP(status, mark_segments(w, m, loose, error));
    mark_points(w, c->extent);
    for (int i = 0; i < boundary.vertex_count; ++i) c->extent[boundary.vertices[i]] = 3;
    mark_outer(w, c);
    add_thin_lengths(w, loose, lengths, c->extent);
    plane_areas(w, lengths, c->area);
    int points =
        take_touching(w, c->body, boundary.vertices, boundary.vertex_count, 1, boundary.vertices);
    int edges =
        take_touching(w, c->body, boundary.segments, boundary.segment_count, 2, boundary.segments);
    int all_points = points, all_edges = edges;
    add_thin_parts(w, loose, c, &all_points, &all_edges);
    PLI_TRY_CLEANUP(status, make_list(m, &c->points, all_points, 1, error));
    PLI_TRY_CLEANUP(status, make_list(m, &c->edges, all_edges, 2, error));
    for (int i = 0; i < points; ++i) c->points.vertices[i] = boundary.vertices[i];
    for (int i = 0; i < 2 * edges; ++i) c->edges.vertices[i] = boundary.segments[i];
    add_thin_parts(w, loose, c, &points, &edges);
cleanup:
    PLI_FREE(m, loose, w->model.element_count[PLI_SEGMENT]);
    PLI_FREE(m, lengths, c->vertex_count);
    pli_boundary_free(&boundary);
    return status;
}

// ---- space: triangles

// The four flat triangles of a face with middles 01 12 20.
static const int quarters[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

pli_status pli_world_skin_triangles(pli_world* world, int body, int32_t* out, int* count,
                                    pli_error* error) {
    pli_skin skin = {0};
    if (body < 0 || body >= world->model.body_count)
        return pli_fail(error, PLI_E_ARGUMENT, "body %d, must be 0 to %d", body,
                        world->model.body_count - 1);
    *count = 0;
    if (pli_body_is_cage(&world->model, body)) return PLI_OK; // its skin is another body
    pli_skin_source source = pli_model_skin_source(&world->model, body, 3);
    source.sheets = true;
    PLI_TRY(pli_skin_create(&world->memory, &source, &skin, error));
    *count = skin.count[0] + 4 * skin.count[1];
    if (out && skin.count[0] > 0)
        memcpy(out, skin.faces[0], 3 * sizeof *out * (size_t)skin.count[0]);
    for (int i = 0; out && i < 12 * skin.count[1]; ++i)
        out[3 * skin.count[0] + i] = skin.faces[1][6 * (i / 12) + quarters[i / 3 % 4][i % 3]];
    pli_skin_free(&skin);
    return PLI_OK;
}

pli_status pli_world_body_triangles(pli_world* world, int body, int32_t* out, int* count,
                                    pli_error* error) {
    if (!count) return pli_fail(error, PLI_E_ARGUMENT, "body triangles: count is NULL");
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, pli_world_skin_triangles(world, body, out, count, error));
}

// The triangles of all bodies; those of bodies that touch each other come first.
typedef struct triangles {
    int count, touching;
    int32_t* vertices;
} triangles;

static pli_status gather_triangles(pli_world* w, pli_memory* m, triangles* out, pli_error* error) {
    for (int b = 0; b < w->model.body_count; ++b) {
        int count;
        PLI_TRY(pli_world_skin_triangles(w, b, NULL, &count, error));
        out->count += count;
        if (touches_bodies(w, b)) out->touching += count;
    }
    PLI_TRY(PLI_ALLOC(m, out->vertices, 3 * (size_t)out->count, error));
    int at[2] = {out->touching, 0}; // of bodies that do not touch, and do
    for (int b = 0; b < w->model.body_count; ++b) {
        int count, *to = &at[touches_bodies(w, b)];
        PLI_TRY(pli_world_skin_triangles(w, b, out->vertices + 3 * (size_t)*to, &count, error));
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

// Width of what has no triangles.
static double thin_width(const pli_world* w, int body) {
    double thickness = w->model.bodies[body].def.contact_thickness;
    return thickness > 0 ? 2 * thickness : 10 * w->dhat;
}

static bool has_edge(const int32_t* edges, int count, int32_t v0, int32_t v1) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const int32_t* e = edges + 2 * (size_t)middle;
        if (e[0] < v0 || (e[0] == v0 && e[1] < v1))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && edges[2 * (size_t)low] == v0 && edges[2 * (size_t)low + 1] == v1;
}

// Segments that are no edge of a tetrahedron or triangle, each once, as sorted pairs.
static pli_status loose_segments(pli_world* w, const bool* loose, const pli_edges* known,
                                 int32_t* rows, int* count, pli_error* error) {
    pli_memory* m = known->memory;
    *count = 0;
    for (int s = 0; s < w->model.element_count[PLI_SEGMENT]; ++s) {
        const int32_t* v = w->model.elements[PLI_SEGMENT] + 2 * (size_t)s;
        int32_t low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
        if (!loose[s] || has_edge(known->vertices, known->count, low, high)) continue;
        rows[2 * *count] = low;
        rows[2 * (*count)++ + 1] = high;
    }
    PLI_TRY(pli_sort_rows(m, rows, *count, 2, 2, w->model.vertex_count, error));
    int kept = 0;
    for (int i = 0; i < *count; ++i) {
        bool again = kept > 0 && memcmp(rows + 2 * (kept - 1), rows + 2 * i, 2 * sizeof *rows) == 0;
        if (!again) memmove(rows + 2 * kept++, rows + 2 * i, 2 * sizeof *rows);
    }
    *count = kept;
    return PLI_OK;
}

// Shares of edges and of points: a third of each triangle; all of a strip, half of it.
static void add_edge_shares(const pli_world* w, pli_collision* c, const pli_edges* edges,
                            const triangles* all) {
    for (int e = 0; e < c->edges.count; ++e) {
        const int32_t* v = c->edges.vertices + 2 * (size_t)e;
        double given = w->model.bodies[c->body[v[0]]].def.contact_area;
        c->edge_rest[e] = edge_length(w->model.rest, v);
        for (int k = 0; k < 2 && e < c->loose_edge; ++k) {
            int t = edges->triangles[2 * e + k];
            if (t >= 0) c->edge_area[e] += triangle_area(w->model.rest, all->vertices + 3 * t) / 3;
        }
        if (e >= c->loose_edge) c->edge_area[e] = thin_width(w, c->body[v[0]]) * c->edge_rest[e];
        if (given > 0) c->edge_area[e] = given;
    }
}

static pli_status make_edges(pli_world* w, pli_collision* c, const triangles* all,
                             const bool* loose_marks, pli_error* error) {
    pli_memory* m = c->memory;
    pli_edges edges = {0};
    int room = w->model.element_count[PLI_SEGMENT], loose = 0;
    int32_t* rows = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(
        status, pli_edges_create(m, c->vertex_count, all->touching, all->vertices, &edges, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, rows, 2 * (size_t)room, error));
    PLI_TRY_CLEANUP(status, loose_segments(w, loose_marks, &edges, rows, &loose, error));
    int touching = take_touching(w, c->body, rows, loose, 2, rows);
    c->loose_edge = edges.count;
    PLI_TRY_CLEANUP(status, make_list(m, &c->edges, edges.count + touching, 2, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, c->edge_area, c->edges.count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, c->edge_rest, c->edges.count, error));
    if (edges.count > 0)
        memcpy(c->edges.vertices, edges.vertices, 2 * sizeof *rows * (size_t)edges.count);
    if (touching > 0)
        memcpy(c->edges.vertices + 2 * edges.count, rows, 2 * sizeof *rows * (size_t)touching);
    add_edge_shares(w, c, &edges, all);
cleanup:
    PLI_FREE(m, rows, 2 * (size_t)room);
    pli_edges_free(&edges);
    return status;
}

// ---- space: points

// The ends of one of the edges of all triangles, 6 for each triangle: from each corner both ways.
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

// What has an area has edges in two directions at each vertex. Where all edges of a vertex are
// almost parallel, as in a triangle with next to no area, it is the end of a segment: the terms
// between edges fade away for what lies along it.
static pli_status mark_triangles(const pli_world* w, const triangles* all, pli_collision* c,
                                 pli_error* error) {
    int32_t* farthest = NULL;
    PLI_TRY(PLI_ALLOC(c->memory, farthest, c->vertex_count, error));
    find_farthest(w->model.rest, all, farthest);
    for (int i = 0; i < 6 * all->count; ++i) {
        int32_t v[2];
        double longest[3], next[3];
        directed_edge(all, i, v);
        edge_vector(w->model.rest, v[0], farthest[v[0]], longest);
        edge_vector(w->model.rest, v[0], v[1], next);
        uint8_t extent = pli_almost_parallel(longest, next) ? 2 : 3;
        if (c->extent[v[0]] < extent) c->extent[v[0]] = extent;
    }
    PLI_FREE(c->memory, farthest, c->vertex_count);
    return PLI_OK;
}

// Shares of vertices in the surfaces of all bodies, and which of them are ends of segments: a part
// without area or length, as obstacles may have, adds nothing to the share of its vertices.
static void add_point_shares(const pli_world* w, const triangles* all, const bool* loose,
                             pli_collision* c) {
    double* area = c->area;
    for (int t = 0; t < all->count; ++t) {
        const int32_t* v = all->vertices + 3 * (size_t)t;
        double third = triangle_area(w->model.rest, v) / 3;
        for (int k = 0; k < 3; ++k) area[v[k]] += third;
    }
    for (int s = 0; s < w->model.element_count[PLI_SEGMENT]; ++s) {
        const int32_t* v = w->model.elements[PLI_SEGMENT] + 2 * (size_t)s;
        if (!loose[s]) continue;
        double half = 0.5 * thin_width(w, c->body[v[0]]) * edge_length(w->model.rest, v);
        for (int k = 0; k < 2; ++k) {
            area[v[k]] += half;
            if (c->extent[v[k]] < 2) c->extent[v[k]] = 2;
        }
    }
}

// Vertices without a share get the body's mean, or (no elements at all) a square; what the body
// says goes before all.
static void finish_areas(const pli_world* w, pli_collision* c) {
    for (int b = 0; b < w->model.body_count; ++b) {
        const pli_body* body = &w->model.bodies[b];
        int end = pli_body_end_vertex(&w->model, b), count = 0;
        double sum = 0, width = thin_width(w, b);
        for (int v = body->first_vertex; v < end; ++v) {
            sum += c->area[v];
            count += c->area[v] > 0;
        }
        double mean = count > 0 ? sum / count : width * width;
        for (int v = body->first_vertex; v < end; ++v) {
            c->outer[v] = c->extent[v] > 0;
            if (!(c->area[v] > 0)) c->area[v] = mean;
            if (body->def.contact_area > 0) c->area[v] = body->def.contact_area;
        }
    }
}

static pli_status make_points(pli_world* w, pli_collision* c, pli_error* error) {
    int counts[2] = {0}; // all, loose
    for (int pass = 0; pass < 2; ++pass) {
        counts[0] = counts[1] = 0;
        for (int v = 0; v < c->vertex_count; ++v) {
            if (!c->outer[v] || !touches_bodies(w, c->body[v])) continue;
            bool loose = c->extent[v] == 1;
            if (pass == 1) c->points.vertices[counts[0]] = v;
            if (pass == 1 && loose) c->loose_points.vertices[counts[1]] = v;
            counts[0]++;
            counts[1] += loose;
        }
        if (pass == 1) break;
        PLI_TRY(make_list(c->memory, &c->points, counts[0], 1, error));
        PLI_TRY(make_list(c->memory, &c->loose_points, counts[1], 1, error));
    }
    return PLI_OK;
}

static pli_status make_space(pli_world* w, pli_collision* c, pli_error* error) {
    triangles all = {0};
    bool* loose = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status,
                    PLI_ALLOC(c->memory, loose, w->model.element_count[PLI_SEGMENT], error));
    PLI_TRY_CLEANUP(status, mark_segments(w, c->memory, loose, error));
    PLI_TRY_CLEANUP(status, gather_triangles(w, c->memory, &all, error));
    mark_points(w, c->extent);
    PLI_TRY_CLEANUP(status, mark_triangles(w, &all, c, error));
    add_point_shares(w, &all, loose, c);
    finish_areas(w, c);
    PLI_TRY_CLEANUP(status, make_points(w, c, error));
    PLI_TRY_CLEANUP(status, make_edges(w, c, &all, loose, error));
    PLI_TRY_CLEANUP(status, pli_collision_find_crossed(w, c, error));
    PLI_TRY_CLEANUP(status, make_list(c->memory, &c->triangles, all.touching, 3, error));
    if (all.touching > 0)
        memcpy(c->triangles.vertices, all.vertices, 3 * sizeof(int32_t) * (size_t)all.touching);
cleanup:
    PLI_FREE(c->memory, loose, w->model.element_count[PLI_SEGMENT]);
    PLI_FREE(c->memory, all.vertices, 3 * (size_t)all.count);
    return status;
}

pli_status pli_world_make_collision(pli_world* w, pli_error* error) {
    pli_collision* c = &w->collision;
    pli_memory* m = &w->memory;
    *c = (pli_collision){
        .memory = m, .vertex_count = w->model.vertex_count, .body_count = w->model.body_count};
    PLI_TRY(PLI_ALLOC(m, c->body, c->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, c->outer, c->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, c->area, c->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, c->radius, c->vertex_count, error));
    PLI_TRY(PLI_ALLOC(m, c->self, c->body_count, error));
    PLI_TRY(PLI_ALLOC(m, c->extent, c->vertex_count, error));
    for (int b = 0; b < w->model.body_count; ++b) {
        const pli_body_def* def = &w->model.bodies[b].def;
        c->self[b] = def->contact_self && !def->obstacle;
        c->thick = c->thick || def->contact_thickness > 0;
        for (int v = w->model.bodies[b].first_vertex; v < pli_body_end_vertex(&w->model, b); ++v) {
            c->body[v] = b;
            c->radius[v] = def->contact_thickness;
        }
    }
    c->filter = (pli_filter){.body = c->body, .self = c->self};
    return (w->model.def.dimension == 2 ? make_plane : make_space)(w, c, error);
}
