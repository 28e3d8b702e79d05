// The surface of a world. A face of a tetrahedron is on the boundary if no other one has the same
// three corners; pairs are found in a hash table over the sorted corners.
#include "app/view_surface.h"

#include <stdlib.h>
#include <string.h>

// Faces of tetrahedra as seen from outside: corners, then the middles of 01, 12, 20 in the
// numbering of PLI_TETRAHEDRON10 (middles of 01 12 20 03 13 23 are 4 to 9).
static const int faces[4][6] = {
    {0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}};
static const int whole[6] = {0, 1, 2, 3, 4, 5}; // of a triangle
// A quadratic triangle as four: the corners and the one between the middles.
static const int quarters[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

typedef struct range {
    const int32_t* elements;
    int first, end, width;
} range;

static range elements_of(const pli_world* world, int body, pli_element_kind kind) {
    return (range){pli_world_elements(world, kind), pli_world_body_element(world, body, kind),
                   pli_world_body_element(world, body + 1, kind), pli_element_size(kind)};
}

// Writes the triangles of one face and returns how many.
static int write_face(const int32_t* element, const int face[6], bool quadratic, uint32_t* out) {
    if (!quadratic) {
        for (int i = 0; i < 3; ++i) out[i] = (uint32_t)element[face[i]];
        return 1;
    }
    for (int i = 0; i < 12; ++i) out[i] = (uint32_t)element[face[quarters[i / 3][i % 3]]];
    return 4;
}

// ---- boundary of tetrahedra

typedef struct corners {
    int32_t v[3]; // ascending
} corners;

static corners sort_corners(const int32_t* element, const int face[6]) {
    corners c = {{element[face[0]], element[face[1]], element[face[2]]}};
    for (int i = 0; i < 3; ++i) {
        int a = i == 1 ? 1 : 0; // compare 01, 12, 01
        if (c.v[a] > c.v[a + 1]) {
            int32_t swap = c.v[a];
            c.v[a] = c.v[a + 1];
            c.v[a + 1] = swap;
        }
    }
    return c;
}

static size_t hash(corners c) {
    uint64_t h = (uint64_t)(uint32_t)c.v[0] * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29) ^ (uint32_t)c.v[1]) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 32) ^ (uint32_t)c.v[2]) * 0x94D049BB133111EBu;
    return (size_t)(h ^ (h >> 31));
}

// Marks the faces (4 per tetrahedron) that only one has. False without memory.
static bool find_boundary(const range* r, bool* outer) {
    size_t count = 4 * (size_t)(r->end - r->first), size = 16;
    while (size < 2 * count) size *= 2;
    uint32_t* table = calloc(size, sizeof *table); // number of the face + 1
    if (!table) return false;
    for (size_t f = 0; f < count; ++f) {
        const int32_t* element = r->elements + ((size_t)r->first + f / 4) * (size_t)r->width;
        corners c = sort_corners(element, faces[f % 4]);
        size_t at = hash(c) & (size - 1);
        outer[f] = true;
        for (; table[at]; at = (at + 1) & (size - 1)) {
            size_t g = table[at] - 1;
            corners d = sort_corners(r->elements + ((size_t)r->first + g / 4) * (size_t)r->width,
                                     faces[g % 4]);
            if (memcmp(&c, &d, sizeof c) == 0) {
                outer[f] = outer[g] = false;
                break;
            }
        }
        if (outer[f]) table[at] = (uint32_t)f + 1;
    }
    free(table);
    return true;
}

static bool add_solid(pli_view_surface* s, const range* r) {
    size_t count = 4 * (size_t)(r->end - r->first);
    if (count == 0) return true;
    bool* outer = malloc(count * sizeof *outer);
    bool quadratic = r->width == 10;
    bool good = outer && find_boundary(r, outer);
    size_t shown = 0;
    for (size_t f = 0; good && f < count; ++f) shown += outer[f];
    size_t need = 3 * ((size_t)s->triangle_count + shown * (quadratic ? 4 : 1));
    uint32_t* triangles = good ? realloc(s->triangles, (need + 1) * sizeof *triangles) : NULL;
    if (triangles) s->triangles = triangles;
    good = triangles != NULL;
    for (size_t f = 0; good && f < count; ++f)
        if (outer[f])
            s->triangle_count +=
                write_face(r->elements + ((size_t)r->first + f / 4) * (size_t)r->width,
                           faces[f % 4], quadratic, s->triangles + 3 * (size_t)s->triangle_count);
    free(outer);
    return good;
}

static bool add_sheet(pli_view_surface* s, const range* r) {
    bool quadratic = r->width == 6;
    size_t need =
        3 * ((size_t)s->triangle_count + (size_t)(r->end - r->first) * (quadratic ? 4 : 1));
    uint32_t* triangles = realloc(s->triangles, (need + 1) * sizeof *triangles);
    if (!triangles) return false;
    s->triangles = triangles;
    for (int e = r->first; e < r->end; ++e)
        s->triangle_count += write_face(r->elements + (size_t)e * (size_t)r->width, whole,
                                        quadratic, s->triangles + 3 * (size_t)s->triangle_count);
    return true;
}

static bool add_segments(pli_view_surface* s, const range* r) {
    size_t need = 2 * ((size_t)s->segment_count + (size_t)(r->end - r->first));
    uint32_t* segments = realloc(s->segments, (need + 1) * sizeof *segments);
    if (!segments) return false;
    s->segments = segments;
    for (int i = 2 * r->first; i < 2 * r->end; ++i)
        s->segments[2 * (size_t)s->segment_count + (size_t)(i - 2 * r->first)] =
            (uint32_t)r->elements[i];
    s->segment_count += r->end - r->first;
    return true;
}

static bool add_body(pli_view_surface* s, const pli_world* world, int body) {
    range solids[2] = {elements_of(world, body, PLI_TETRAHEDRON),
                       elements_of(world, body, PLI_TETRAHEDRON10)};
    range sheets[2] = {elements_of(world, body, PLI_TRIANGLE),
                       elements_of(world, body, PLI_TRIANGLE6)};
    range lines = elements_of(world, body, PLI_SEGMENT);
    bool solid = solids[0].end > solids[0].first || solids[1].end > solids[1].first;
    for (int i = 0; i < 2; ++i)
        if (solid ? !add_solid(s, &solids[i]) : !add_sheet(s, &sheets[i])) return false;
    return add_segments(s, &lines);
}

bool pli_view_surface_init(pli_view_surface* s, const pli_world* world) {
    s->body_count = pli_world_body_count(world);
    s->triangle_ends = calloc((size_t)s->body_count + 1, sizeof *s->triangle_ends);
    s->segment_ends = calloc((size_t)s->body_count + 1, sizeof *s->segment_ends);
    if (!s->triangle_ends || !s->segment_ends) return false;
    for (int b = 0; b < s->body_count; ++b) {
        if (!add_body(s, world, b)) return false;
        s->triangle_ends[b] = s->triangle_count;
        s->segment_ends[b] = s->segment_count;
    }
    return true;
}

void pli_view_surface_free(pli_view_surface* s) {
    free(s->triangles);
    free(s->segments);
    free(s->triangle_ends);
    free(s->segment_ends);
    *s = (pli_view_surface){0};
}
