// The visible parts of the bodies of a snapshot: the boundary of tetrahedra, triangles that are no
// faces of them, segments, single vertices.
#include "result/result.h"

#include <string.h>

#include "mesh/skin.h"

// Triangles with vertices of the world.
typedef struct faces {
    pli_memory* memory;
    int count, capacity; // the capacity counts corners
    int32_t* triangles;
} faces;

// ---- collecting

static pli_status reserve(faces* f, int count, pli_error* error) {
    if (count > INT32_MAX / 12 - f->count)
        return pli_fail(error, PLI_E_MEMORY, "%d triangles are too many to draw", count);
    return PLI_GROW(f->memory, f->triangles, f->capacity, 3 * (f->count + count), error);
}

static void add_triangle(faces* f, int32_t a, int32_t b, int32_t c) {
    const int32_t corners[3] = {a, b, c};
    memcpy(f->triangles + 3 * (size_t)f->count++, corners, sizeof corners);
}

static pli_elements elements_of(const pli_snapshot* s) {
    pli_elements all = {.vertex_limit = s->vertex_count};
    memcpy(all.count, s->element_count, sizeof all.count);
    memcpy(all.elements, s->elements, sizeof all.elements);
    return all;
}

// The boundary of the tetrahedra.
static pli_status add_solids(faces* f, const pli_snapshot* s, pli_error* error) {
    pli_elements all = elements_of(s);
    pli_skin skin = {0};
    all.count[PLI_TRIANGLE] = all.count[PLI_TRIANGLE6] = 0;
    PLI_TRY(pli_skin_create(f->memory, &all, 3, false, &skin, error));
    int count = pli_skin_triangle_count(&skin), first = f->count;
    pli_status status = reserve(f, count, error);
    if (status == PLI_OK && count > 0) pli_skin_triangles(&skin, f->triangles + 3 * (size_t)first);
    for (int t = first; t < first + count && status == PLI_OK; ++t) {
        const int32_t* v = f->triangles + 3 * (size_t)t;
        if (!s->body_cage || !s->body_cage[s->vertex_body[v[0]]]) add_triangle(f, v[0], v[1], v[2]);
    }
    pli_skin_free(&skin);
    return status;
}

// Triangles that are no faces of tetrahedra; quadratic ones as four.
static pli_status add_sheets(faces* f, const pli_snapshot* s, pli_element_kind kind,
                             pli_error* error) {
    static const uint8_t whole[1][3] = {{0, 1, 2}};
    bool quadratic = kind == PLI_TRIANGLE6;
    const uint8_t(*parts)[3] = quadratic ? pli_quarters : whole;
    int each = quadratic ? 4 : 1, count = s->element_count[kind];
    pli_elements all = elements_of(s);
    bool* loose;
    if (count == 0) return PLI_OK;
    if (count > INT32_MAX / 4)
        return pli_fail(error, PLI_E_MEMORY, "%d triangles are too many to draw", count);
    PLI_TRY(reserve(f, each * count, error));
    PLI_TRY(PLI_ALLOC(f->memory, loose, count, error));
    pli_status status = pli_mark_loose(f->memory, &all, kind, 3, loose, error);
    for (int e = 0; e < count && status == PLI_OK; ++e) {
        const int32_t* v = s->elements[kind] + (size_t)e * (size_t)pli_element_size(kind);
        for (int p = 0; p < each && loose[e]; ++p)
            add_triangle(f, v[parts[p][0]], v[parts[p][1]], v[parts[p][2]]);
    }
    PLI_FREE(f->memory, loose, count);
    return status;
}

static pli_status collect(faces* f, const pli_snapshot* s, pli_error* error) {
    PLI_TRY(add_solids(f, s, error));
    PLI_TRY(add_sheets(f, s, PLI_TRIANGLE, error));
    return add_sheets(f, s, PLI_TRIANGLE6, error);
}

// ---- parts of bodies

static void count_part(pli_result* r, const pli_snapshot* s, int width, int count,
                       const int32_t* list, size_t member) {
    for (int i = 0; i < count; ++i) {
        pli_result_body* body = &r->bodies[s->vertex_body[list[(size_t)width * (size_t)i]]];
        ++*(int*)(void*)((char*)body + member);
    }
}

static pli_status reserve_parts(pli_result* r, const bool* shown, const pli_snapshot* s,
                                pli_error* error) {
    for (int v = 0; v < s->vertex_count; ++v) {
        pli_result_body* body = &r->bodies[s->vertex_body[v]];
        if (body->all_vertices++ == 0) body->first_vertex = v;
        body->vertex_count += shown[v];
    }
    for (int b = 0; b < r->body_count; ++b) {
        pli_result_body* body = &r->bodies[b];
        PLI_TRY(PLI_ALLOC(r->memory, body->vertices, body->vertex_count, error));
        PLI_TRY(PLI_ALLOC(r->memory, body->triangles, 3 * (size_t)body->triangle_count, error));
        PLI_TRY(PLI_ALLOC(r->memory, body->segments, 2 * (size_t)body->segment_count, error));
        PLI_TRY(PLI_ALLOC(r->memory, body->points, body->point_count, error));
    }
    return PLI_OK;
}

// A list of elements with vertices of the world, and the part of bodies that they become.
typedef struct part {
    int width, count;
    const int32_t* list;
    size_t count_member, list_member;
} part;
enum { PARTS = 3 };

// Copies the lists to their bodies, in local indices. `local` has an entry per vertex.
static void fill_parts(pli_result* r, const pli_snapshot* s, const part parts[PARTS],
                       const bool* shown, int32_t* local) {
    for (int b = 0; b < r->body_count; ++b) {
        pli_result_body* body = &r->bodies[b];
        for (int i = 0, v = body->first_vertex, at = 0; i < body->all_vertices; ++i, ++v) {
            if (!shown[v]) continue;
            local[v] = at;
            body->vertices[at++] = v;
        }
        body->triangle_count = body->segment_count = body->point_count = 0;
    }
    for (int p = 0; p < PARTS; ++p)
        for (int i = 0; i < parts[p].count; ++i) {
            size_t width = (size_t)parts[p].width;
            const int32_t* from = parts[p].list + width * (size_t)i;
            char* body = (char*)&r->bodies[s->vertex_body[*from]];
            int* count = (int*)(void*)(body + parts[p].count_member);
            int32_t* to = *(int32_t**)(void*)(body + parts[p].list_member);
            for (size_t k = 0; k < width; ++k) to[width * (size_t)*count + k] = local[from[k]];
            ++*count;
        }
}

static pli_status divide(pli_result* r, const pli_snapshot* s, const faces* f, pli_error* error) {
    const part parts[PARTS] = {
        {3, f->count, f->triangles, offsetof(pli_result_body, triangle_count),
         offsetof(pli_result_body, triangles)},
        {2, s->element_count[PLI_SEGMENT], s->elements[PLI_SEGMENT],
         offsetof(pli_result_body, segment_count), offsetof(pli_result_body, segments)},
        {1, s->element_count[PLI_VERTEX], s->elements[PLI_VERTEX],
         offsetof(pli_result_body, point_count), offsetof(pli_result_body, points)},
    };
    size_t count = (size_t)s->vertex_count;
    bool* shown = NULL;
    int32_t* local = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(r->memory, shown, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(r->memory, local, count, error));
    for (int p = 0; p < PARTS; ++p) {
        count_part(r, s, parts[p].width, parts[p].count, parts[p].list, parts[p].count_member);
        for (size_t i = 0; i < (size_t)parts[p].width * (size_t)parts[p].count; ++i)
            shown[parts[p].list[i]] = true;
    }
    PLI_TRY_CLEANUP(status, reserve_parts(r, shown, s, error));
    fill_parts(r, s, parts, shown, local);
cleanup:
    PLI_FREE(r->memory, shown, count);
    PLI_FREE(r->memory, local, count);
    return status;
}

pli_status pli_result_add_bodies(pli_result* result, const pli_snapshot* s, pli_error* error) {
    faces f = {.memory = result->memory};
    pli_status status;
    PLI_TRY(PLI_ALLOC(result->memory, result->bodies, s->body_count, error));
    result->body_count = result->body_capacity = s->body_count;
    result->vertex_count = s->vertex_count;
    for (int b = 0; b < s->body_count; ++b) {
        pli_result_body* body = &result->bodies[b];
        body->number = b;
        body->obstacle = s->body_obstacle && s->body_obstacle[b];
        body->thickness = s->body_thickness ? s->body_thickness[b] : 0;
        body->radius = pli_snapshot_radius(s, b);
    }
    PLI_TRY_CLEANUP(status, collect(&f, s, error));
    PLI_TRY_CLEANUP(status, divide(result, s, &f, error));
cleanup:
    PLI_FREE(f.memory, f.triangles, f.capacity);
    return status;
}
