// Checks of how plane bodies lie to each other at the start. They cost little beside preparing a
// world, and they say more than it can: which bodies, in the numbers of the scene.
#include "scene/check.h"

#include "base/text.h"
#include "contact/intersect.h"
#include "math/predicates.h"
#include "mesh/measure.h"
#include "mesh/topology.h"

#include <math.h>
#include <string.h>

// All bodies of triangles that take part in contact, one after the other.
typedef struct crowd {
    int body_count;
    int32_t* bodies;         // their numbers in the scene
    int32_t* first_vertex;   // body_count + 1
    int32_t* first_triangle; // body_count + 1
    double* x;               // at t = 0, 3 per vertex [m]
    int32_t* triangles;      // 3 each
    int32_t* part;           // per vertex: towards the one that stands for all that hang together;
                             // -1: in no triangle
    double* boxes;           // low and high corner of each body, 6 numbers [m]
} crowd;

static bool takes_part(const pli_builder* b, int body) {
    const pli_shape_of_body* shape = &b->bodies[body];
    return shape->sound && shape->data->def.contact_bodies &&
           shape->mesh.element_count[PLI_TRIANGLE] > 0;
}

static pli_status gather(pli_builder* b, crowd* c, pli_error* error) {
    PLI_TRY(PLI_TAKE(b->arena, c->bodies, b->body_count, error));
    PLI_TRY(PLI_TAKE(b->arena, c->first_vertex, b->body_count + 1, error));
    PLI_TRY(PLI_TAKE(b->arena, c->first_triangle, b->body_count + 1, error));
    PLI_TRY(PLI_TAKE(b->arena, c->boxes, 6 * b->body_count, error));
    int64_t vertices = 0, triangles = 0;
    for (int i = 0; i < b->body_count; ++i) {
        if (!takes_part(b, i)) continue;
        vertices += b->bodies[i].mesh.vertex_count;
        triangles += b->bodies[i].mesh.element_count[PLI_TRIANGLE];
        if (vertices > INT32_MAX / 3 || triangles > INT32_MAX / 6)
            return pli_fail(error, PLI_E_MEMORY, "more than %d vertices", INT32_MAX / 3);
        c->bodies[c->body_count++] = i;
        c->first_vertex[c->body_count] = (int32_t)vertices;
        c->first_triangle[c->body_count] = (int32_t)triangles;
    }
    PLI_TRY(PLI_TAKE(b->arena, c->x, 3 * vertices, error));
    PLI_TRY(PLI_TAKE(b->arena, c->part, vertices, error));
    PLI_TRY(PLI_TAKE(b->arena, c->triangles, 3 * triangles, error));
    for (int i = 0; i < c->body_count; ++i) {
        const pli_shape_of_body* shape = &b->bodies[c->bodies[i]];
        int first = c->first_vertex[i], count = shape->mesh.vertex_count;
        memcpy(c->x + 3 * first, shape->initial, 3 * sizeof(double) * (size_t)count);
        pli_bounding_box(count, shape->initial, c->boxes + 6 * i, c->boxes + 6 * i + 3);
        int32_t* out = c->triangles + 3 * c->first_triangle[i];
        for (int k = 0; k < 3 * shape->mesh.element_count[PLI_TRIANGLE]; ++k)
            out[k] = first + shape->mesh.elements[PLI_TRIANGLE][k];
    }
    return PLI_OK;
}

static int body_of(const crowd* c, int32_t vertex) {
    int low = 0, high = c->body_count; // first_vertex[low] <= vertex < first_vertex[high]
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (c->first_vertex[middle] <= vertex)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// ---- edges that cross, vertices that touch

// `its edge 3-4` or `edge 3-4 of body "b"`; a vertex if there is only one number.
static void name_part(const pli_builder* b, const crowd* c, const int32_t* vertices, int count,
                      bool own, char text[120]) {
    int body = body_of(c, vertices[0]), first = c->first_vertex[body];
    char numbers[40];
    if (count == 2)
        pli_format(numbers, sizeof numbers, "edge %d-%d", vertices[0] - first, vertices[1] - first);
    else
        pli_format(numbers, sizeof numbers, "vertex %d", vertices[0] - first);
    if (own)
        pli_format(text, 120, "its %s", numbers);
    else
        pli_format(text, 120, "%s of body \"%.40s\"", numbers, b->names[c->bodies[body]]);
}

static pli_status report(pli_builder* b, const crowd* c, const pli_intersection* found,
                         pli_error* error) {
    bool cross = found->kind == PLI_EDGES_CROSS;
    const int32_t *one = found->vertices, *other = found->vertices + (cross ? 2 : 1);
    int body = body_of(c, one[0]);
    char first[120], second[120], place[120];
    name_part(b, c, one, cross ? 2 : 1, true, first);
    name_part(b, c, other, 2, body_of(c, other[0]) == body, second);
    pli_format(place, sizeof place, "(%.9g, %.9g)", found->point[0], found->point[1]);
    pli_path list, at = pli_body_path(b, c->bodies[body], &list);
    return PLI_FIND(b->findings, &at, error, "at t = 0, %s %s %s at %s: move one of them", first,
                    cross ? "crosses" : "touches", second, place);
}

static pli_status check_edges(pli_builder* b, const crowd* c, bool* apart, pli_error* error) {
    int vertices = c->first_vertex[c->body_count];
    pli_boundary boundary = {0};
    pli_intersection found = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status,
                    pli_boundary_create(b->memory, vertices, c->first_triangle[c->body_count],
                                        c->triangles, &boundary, error));
    pli_view view = {.dim = 2, .vertex_count = vertices, .x = c->x};
    pli_primitives points = {boundary.vertex_count, 1, boundary.vertices};
    pli_primitives edges = {boundary.segment_count, 2, boundary.segments};
    PLI_TRY_CLEANUP(status,
                    pli_find_intersection(b->memory, &view, &points, &edges, &found, error));
    *apart = found.kind == PLI_NO_INTERSECTION;
    if (!*apart) status = report(b, c, &found, error);
cleanup:
    pli_boundary_free(&boundary);
    return status;
}

// ---- one inside the other

static int32_t part_of(const crowd* c, int32_t vertex) {
    while (c->part[vertex] != vertex) vertex = c->part[vertex] = c->part[c->part[vertex]];
    return vertex;
}

static void find_parts(crowd* c) {
    int corners = 3 * c->first_triangle[c->body_count];
    for (int v = 0; v < c->first_vertex[c->body_count]; ++v) c->part[v] = -1;
    for (int i = 0; i < corners; ++i) c->part[c->triangles[i]] = c->triangles[i];
    for (int i = 0; i < corners; ++i) {
        int32_t one = part_of(c, c->triangles[i / 3 * 3]), other = part_of(c, c->triangles[i]);
        c->part[other] = one;
    }
}

// In the closed triangle: nothing lies on an outline here, so an edge is one between triangles.
static bool is_inside(const crowd* c, const double* p, const int32_t* corners) {
    const double* x[3];
    for (int k = 0; k < 3; ++k) x[k] = c->x + 3 * corners[k];
    int turn = pli_orient2d(x[0], x[1], x[2]);
    for (int k = 0; k < 3; ++k)
        if (turn * pli_orient2d(x[k], x[(k + 1) % 3], p) < 0) return false;
    return turn != 0;
}

// A triangle of `body` around the vertex, or -1; triangles that hang together with it do not count.
static int find_triangle(const crowd* c, int32_t vertex, int body) {
    const double *p = c->x + 3 * vertex, *box = c->boxes + 6 * body;
    if (p[0] < box[0] || p[1] < box[1] || p[0] > box[3] || p[1] > box[4]) return -1;
    for (int t = c->first_triangle[body]; t < c->first_triangle[body + 1]; ++t) {
        const int32_t* corners = c->triangles + 3 * t;
        if (is_inside(c, p, corners) && part_of(c, corners[0]) != part_of(c, vertex)) return t;
    }
    return -1;
}

static pli_status report_inside(pli_builder* b, const crowd* c, int32_t vertex, int body,
                                int triangle, pli_error* error) {
    int own = body_of(c, vertex);
    pli_path list, at = pli_body_path(b, c->bodies[own], &list);
    char other[80] = "another part of it";
    if (body != own) pli_format(other, sizeof other, "body \"%.40s\"", b->names[c->bodies[body]]);
    return PLI_FIND(b->findings, &at, error,
                    "at t = 0, it lies inside %s: its vertex %d is in triangle %d; move one of "
                    "them",
                    other, vertex - c->first_vertex[own], triangle - c->first_triangle[body]);
}

// Outlines that do not cross: a part lies inside another with all its vertices or with none, so
// the one that stands for it is enough.
static pli_status check_inside(pli_builder* b, crowd* c, pli_error* error) {
    find_parts(c);
    for (int32_t v = 0; v < c->first_vertex[c->body_count]; ++v) {
        int triangle = -1;
        for (int i = 0; c->part[v] == v && i < c->body_count && triangle < 0; ++i) {
            triangle = find_triangle(c, v, i);
            if (triangle >= 0) PLI_TRY(report_inside(b, c, v, i, triangle, error));
        }
    }
    return PLI_OK;
}

pli_status pli_check_contact(pli_builder* b, pli_error* error) {
    const pli_world_def* world = &b->scene->world;
    if (world->dimension != 2 || !world->contact.bodies) return PLI_OK;
    crowd c = {0};
    bool apart = false;
    PLI_TRY(gather(b, &c, error));
    if (c.body_count == 0) return PLI_OK;
    PLI_TRY(check_edges(b, &c, &apart, error));
    return apart ? check_inside(b, &c, error) : PLI_OK;
}

// ---- distances at rest

// Bodies whose edges are shorter than dhat repel themselves at rest.
static pli_status check_shortest(pli_builder* b, int body, double dhat, pli_error* error) {
    const pli_mesh* mesh = &b->bodies[body].mesh;
    double shortest = HUGE_VAL;
    for (int i = 0; i < mesh->element_count[PLI_TRIANGLE] * 3; ++i) {
        const int32_t* corner = &mesh->elements[PLI_TRIANGLE][i / 3 * 3];
        int32_t edge[2] = {corner[i % 3], corner[(i + 1) % 3]};
        shortest = fmin(shortest, pli_element_measure(b->scene->world.dimension, PLI_SEGMENT, edge,
                                                      mesh->positions));
    }
    if (shortest > dhat) return PLI_OK;
    char length[PLI_NUMBER_SIZE], limit[PLI_NUMBER_SIZE];
    pli_format(length, sizeof length, "%.3g", shortest);
    pli_format(limit, sizeof limit, "%.3g", dhat);
    pli_path list, at = pli_body_path(b, body, &list);
    return pli_finding_add(b->findings, PLI_WARNING, &at, PLI_AT_VALUE, error,
                           "its shortest edge (%s m) is not longer than contact.dhat (%s m), so it "
                           "repels itself at rest; make dhat smaller",
                           length, limit);
}

pli_status pli_check_dhat(pli_builder* b, const pli_world* world, pli_error* error) {
    if (!b->scene->world.contact.bodies) return PLI_OK;
    for (int i = 0; i < b->body_count; ++i)
        if (b->bodies[i].data->def.contact_bodies)
            PLI_TRY(check_shortest(b, i, pli_world_dhat(world), error));
    return PLI_OK;
}
