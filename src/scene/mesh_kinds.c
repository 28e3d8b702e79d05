// Generated shapes, inline data, files. To add one: its rows and functions here, and an entry in
// `kinds`.
#include "scene/mesh_kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec.h"
#include "scene/mesh_parts.h"
#include "scene/source.h"
#include "scene/strands.h"

// ---- generated shapes

// One struct for all of them; each kind has rows for the fields that it uses.
typedef struct shape_data {
    double size[3];
    int cells[3];
    const char* pattern;
    double from[3], to[3];
    double radius, length, tube, pitch, turns;
    int rings, segments, shells;
    int order; // 0: the kind has no order
    const char* edges;
    const char* ends;
    bool surface;
} shape_data;

PLI_CHOICE(pattern_name, "triangles", "springs")
PLI_CHOICE(edges_name, "curved", "straight")
PLI_CHOICE(ends_name, "open", "flat", "round") // as pli_tube_ends

#define ORDER(S)                                                                                   \
    PLI_INTEGER(S, order, "order", 1, 2, 1,                                                        \
                "1: linear elements; 2: quadratic elements, with a vertex on each edge")
#define EDGES                                                                                      \
    PLI_WORD(shape_data, edges, "edges", edges_name,                                               \
             "order 2: midpoints of edges lie on the round surface, or edges are straight")
#define SURFACE                                                                                    \
    PLI_FLAG(shape_data, surface, "surface",                                                       \
             "only the triangles of its surface, without the inside")
#define LENGTH(field, key, help)                                                                   \
    PLI_NUMBER(shape_data, field, key, "m", 0, 1e9, 0, PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN,   \
               help)
#define SIZE(width, help) PLI_PART(LENGTH(size, "size", help), PLI_VALUES, width, 0, 0, NULL)
#define CELLS(width, most, help)                                                                   \
    PLI_PART(PLI_ROW(PLI_PARAM_INTEGER, shape_data, cells, "segments", "", 1, most, 0, NULL,       \
                     PLI_PARAM_REQUIRED, help),                                                    \
             PLI_VALUES, width, 0, 0, NULL)

static const pli_param rectangle_rows[] = {
    PLI_WORD(shape_data, pattern, "pattern", pattern_name,
             "two triangles per cell, or its sides and diagonals as segments"),
    ORDER(shape_data),
};
static const pli_part rectangle_parts[] = {
    SIZE(2, "width and height"),
    CELLS(2, 100000, "cells along x and y"),
};

static const pli_param disk_rows[] = {
    LENGTH(radius, "radius", "of the outermost ring"),
    PLI_INTEGER(shape_data, rings, "rings", 1, 10000, 4, "rings of vertices around the centre"),
    ORDER(shape_data),
    EDGES,
};

static const pli_param line_rows[] = {
    PLI_VECTOR(shape_data, from, "from", "m", PLI_PARAM_REQUIRED, "first vertex"),
    PLI_VECTOR(shape_data, to, "to", "m", PLI_PARAM_REQUIRED, "last vertex"),
    PLI_INTEGER(shape_data, segments, "segments", 1, 10000000, 1, "number of segments"),
};

static const pli_param helix_rows[] = {
    LENGTH(radius, "radius", "from the z axis to the thread"),
    PLI_NUMBER(shape_data, pitch, "pitch", "m", -1e9, 1e9, 0, PLI_PARAM_REQUIRED,
               "rise of a turn; negative: left-handed"),
    PLI_NUMBER(shape_data, turns, "turns", "", 0, 1e6, 0, PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN,
               "number of turns"),
    PLI_INTEGER(shape_data, segments, "segments", 1, 10000000, 100, "number of segments"),
};

static const pli_param ring_rows[] = {
    LENGTH(radius, "radius", "from the z axis to the thread"),
    PLI_INTEGER(shape_data, segments, "segments", 3, 10000000, 60, "number of segments"),
};

static const pli_param box_rows[] = {ORDER(shape_data), SURFACE};
static const pli_part box_parts[] = {
    SIZE(3, "lengths along x, y and z"),
    CELLS(3, 10000, "cells along x, y and z, six tetrahedra each"),
};

static const pli_param ball_rows[] = {
    LENGTH(radius, "radius", "of the outermost shell"),
    PLI_INTEGER(shape_data, shells, "shells", 1, 1000, 4,
                "shells of vertices around the centre; 48 shells^3 tetrahedra"),
    ORDER(shape_data),
    EDGES,
    SURFACE,
};

#define RINGS                                                                                      \
    PLI_INTEGER(shape_data, rings, "rings", 1, 1000, 3, "rings of vertices in a cross-section")

static const pli_param round_rows[] = {
    LENGTH(radius, "radius", "of the cross-section; of a cone at its base"),
    LENGTH(length, "length", "along x"),
    RINGS,
    PLI_INTEGER(shape_data, segments, "segments", 1, 100000, 10,
                "layers along x; a cone needs at least as many as rings"),
    ORDER(shape_data),
    EDGES,
    SURFACE,
};

static const pli_param torus_rows[] = {
    LENGTH(radius, "radius", "from the centre to the middle of the tube"),
    LENGTH(tube, "tube", "radius of the tube"),
    RINGS,
    PLI_INTEGER(shape_data, segments, "segments", 3, 100000, 24, "sections of the tube"),
    ORDER(shape_data),
    EDGES,
    SURFACE,
};

#define AROUND(help) PLI_INTEGER(shape_data, rings, "rings", 1, 10000, 4, help)

static const pli_param sphere_rows[] = {
    LENGTH(radius, "radius", "of the sphere"),
    AROUND("rings of vertices from each pole to the equator; 12 rings^2 triangles"),
};

#define TUBE_ROWS(length_help)                                                                     \
    LENGTH(radius, "radius", "from the x axis to the surface"),                                    \
        LENGTH(length, "length", length_help), AROUND("6 rings vertices around the axis"),         \
        PLI_INTEGER(shape_data, segments, "segments", 1, 100000, 10, "layers of cells along x")

static const pli_param tube_rows[] = {
    TUBE_ROWS("along x"),
    PLI_WORD(shape_data, ends, "ends", ends_name,
             "open; flat: closed by disks; round: closed by half-spheres beyond length"),
};

static const pli_param capsule_rows[] = {
    TUBE_ROWS("along x, between the centres of its round ends"),
};

// ---- their sizes, of linear elements

static bool has_springs(const shape_data* d) { return strcmp(d->pattern, "springs") == 0; }

static pli_mesh_size rectangle_size(const void* data) {
    const shape_data* d = data;
    double nx = d->cells[0], ny = d->cells[1];
    pli_mesh_size size = {.vertices = (nx + 1) * (ny + 1)};
    if (has_springs(d))
        size.elements[PLI_SEGMENT] = nx * (ny + 1) + (nx + 1) * ny + 2 * nx * ny;
    else
        size.elements[PLI_TRIANGLE] = 2 * nx * ny;
    return size;
}

static pli_mesh_size disk_size(const void* data) {
    double rings = ((const shape_data*)data)->rings;
    return (pli_mesh_size){.vertices = 1 + 3 * rings * (rings + 1),
                           .elements[PLI_TRIANGLE] = 6 * rings * rings};
}

static pli_mesh_size line_size(const void* data) {
    double segments = ((const shape_data*)data)->segments;
    return (pli_mesh_size){.vertices = segments + 1, .elements[PLI_SEGMENT] = segments};
}

static pli_mesh_size ring_size(const void* data) {
    double segments = ((const shape_data*)data)->segments;
    return (pli_mesh_size){.vertices = segments, .elements[PLI_SEGMENT] = segments};
}

static pli_mesh_size point_size(const void* data) {
    (void)data;
    return (pli_mesh_size){.vertices = 1};
}

static pli_mesh_size box_size(const void* data) {
    const shape_data* d = data;
    double nx = d->cells[0], ny = d->cells[1], nz = d->cells[2];
    return (pli_mesh_size){.vertices = (nx + 1) * (ny + 1) * (nz + 1),
                           .elements[PLI_TETRAHEDRON] = 6 * nx * ny * nz};
}

static pli_mesh_size ball_size(const void* data) {
    double n = ((const shape_data*)data)->shells;
    return (pli_mesh_size){.vertices = pli_pow(2 * n + 1, 3),
                           .elements[PLI_TETRAHEDRON] = 48 * n * n * n};
}

// Also of cones, which are smaller.
static pli_mesh_size round_size(const void* data) {
    const shape_data* d = data;
    double rings = d->rings, layers = d->segments;
    return (pli_mesh_size){.vertices = (3 * rings * (rings + 1) + 1) * (layers + 1),
                           .elements[PLI_TETRAHEDRON] = 18 * rings * rings * layers};
}

static pli_mesh_size sphere_size(const void* data) {
    double rings = ((const shape_data*)data)->rings;
    return (pli_mesh_size){.vertices = 6 * rings * rings + 2,
                           .elements[PLI_TRIANGLE] = 12 * rings * rings};
}

static pli_mesh_size tube_of(const shape_data* d, bool closed) {
    double rings = d->rings, segments = d->segments, caps = closed ? 2 : 0;
    return (pli_mesh_size){
        .vertices = 6 * rings * (segments + 1) + caps * (1 + 3 * rings * (rings - 1)),
        .elements[PLI_TRIANGLE] = 12 * rings * segments + caps * 6 * rings * rings};
}
static pli_tube_ends ends_of(const shape_data* d) {
    int i = 0;
    while (strcmp(ends_name(i), d->ends) != 0) ++i;
    return (pli_tube_ends)i;
}
static pli_mesh_size tube_size(const void* data) {
    return tube_of(data, ends_of(data) != PLI_ENDS_OPEN);
}
static pli_mesh_size capsule_size(const void* data) { return tube_of(data, true); }

// Of a solid with n vertices and t tetrahedra, about: 6 n^(2/3) vertices, twice as many triangles.
static pli_mesh_size surface_size(pli_mesh_size size) {
    double vertices = fmin(size.vertices, 6 * pli_pow(size.vertices, 2.0 / 3));
    return (pli_mesh_size){.vertices = vertices, .elements[PLI_TRIANGLE] = 2 * vertices};
}

// Quadratic triangles have about as many edges as vertices and triangles together; in 3D each
// vertex has about seven edges.
static pli_mesh_size quadratic_size(pli_mesh_size size) {
    bool solid = size.elements[PLI_TETRAHEDRON] > 0;
    size.vertices += solid ? 7 * size.vertices : size.vertices + size.elements[PLI_TRIANGLE];
    size.elements[PLI_TRIANGLE6] = size.elements[PLI_TRIANGLE];
    size.elements[PLI_TETRAHEDRON10] = size.elements[PLI_TETRAHEDRON];
    size.elements[PLI_TRIANGLE] = size.elements[PLI_TETRAHEDRON] = 0;
    return size;
}

// ---- their meshes

static pli_status make_rectangle(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_rectangle(mesh, d->size[0], d->size[1], d->cells[0], d->cells[1],
                                  has_springs(d) ? PLI_SPRINGS : PLI_TRIANGLES, error);
}
static pli_status make_disk(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_disk(mesh, d->radius, d->rings, error);
}
static pli_status make_line(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_line(mesh, d->from, d->to, d->segments, error);
}
static pli_status make_helix(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_helix(mesh, d->radius, d->pitch, d->turns, d->segments, error);
}
static pli_status make_ring(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_ring(mesh, d->radius, d->segments, error);
}
static pli_status make_point(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    (void)d;
    return pli_mesh_add_vertices(mesh, 1, (const double[3]){0}, NULL, error);
}
static pli_status make_box(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_box(mesh, d->size, d->cells, error);
}
static pli_status make_bar(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_bar(mesh, d->size, d->cells, error);
}
static pli_status make_ball(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_ball(mesh, d->radius, d->shells, error);
}
static pli_status make_cylinder(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_cylinder(mesh, d->radius, d->length, d->rings, d->segments, error);
}
static pli_status make_cone(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_cone(mesh, d->radius, d->length, d->rings, d->segments, error);
}
static pli_status make_torus(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_torus(mesh, d->radius, d->tube, d->rings, d->segments, error);
}

static pli_status make_sphere(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_sphere(mesh, d->radius, d->rings, error);
}
static pli_status make_tube(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_tube(mesh, d->radius, d->length, d->rings, d->segments, ends_of(d), error);
}
static pli_status make_capsule(const shape_data* d, pli_mesh* mesh, pli_error* error) {
    return pli_mesh_add_tube(mesh, d->radius, d->length, d->rings, d->segments, PLI_ENDS_ROUND,
                             error);
}

// ---- their round surfaces: a point moves onto them

// Moves (x, y) to this distance from the origin.
static void scale_to(double radius, double* x, double* y) {
    double r = pli_hypot(*x, *y);
    if (!(r > 0)) return;
    *x *= radius / r;
    *y *= radius / r;
}

static void onto_disk(const void* data, double x[3]) {
    scale_to(((const shape_data*)data)->radius, &x[0], &x[1]);
}

static void onto_ball(const void* data, double x[3]) {
    double factor = ((const shape_data*)data)->radius / pli_norm(x, 3);
    for (int k = 0; k < 3; ++k) x[k] *= factor;
}

static void onto_cylinder(const void* data, double x[3]) {
    scale_to(((const shape_data*)data)->radius, &x[1], &x[2]);
}

// Its radius grows from the tip at x = -length / 2.
static void onto_cone(const void* data, double x[3]) {
    const shape_data* d = data;
    scale_to(d->radius * (0.5 + x[0] / d->length), &x[1], &x[2]);
}

static void onto_torus(const void* data, double x[3]) {
    const shape_data* d = data;
    double r = pli_hypot(x[0], x[1]), out = r - d->radius, up = x[2];
    scale_to(d->tube, &out, &up);
    scale_to(d->radius + out, &x[0], &x[1]);
    x[2] = up;
}

// ---- inline data

typedef struct inline_data {
    pli_list vertices;                         // double[3]
    pli_list elements[PLI_ELEMENT_KIND_COUNT]; // int, pli_element_size each
} inline_data;

static const pli_part inline_parts[] = {
    PLI_LIST_OF_VECTORS(inline_data, vertices, "vertices", "m", 1, 50000000, PLI_PARAM_REQUIRED,
                        "positions"),
    PLI_LIST_OF_INTEGERS(inline_data, elements[PLI_SEGMENT], "segments", 2, 0, 2147483646, 0,
                         "[a, b] each, numbers of vertices from 0"),
    PLI_LIST_OF_INTEGERS(inline_data, elements[PLI_TRIANGLE], "triangles", 3, 0, 2147483646, 0,
                         "[a, b, c] each, counter-clockwise"),
    PLI_LIST_OF_INTEGERS(inline_data, elements[PLI_TETRAHEDRON], "tetrahedra", 4, 0, 2147483646, 0,
                         "[a, b, c, d] each; seen from d, a b c run counter-clockwise"),
};

static pli_mesh_size inline_size(const void* data) {
    const inline_data* d = data;
    pli_mesh_size size = {.vertices = d->vertices.count};
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k) size.elements[k] = d->elements[k].count;
    return size;
}

// Vertex numbers that are out of range.
static pli_status check_indices(const inline_data* d, pli_element_kind kind, const char* key,
                                const pli_path* at, pli_findings* findings, pli_error* error) {
    const int* index = d->elements[kind].items;
    for (int e = 0; e < d->elements[kind].count; ++e) {
        for (int k = 0; k < pli_element_size(kind); ++k) {
            int v = index[e * pli_element_size(kind) + k];
            if (v >= d->vertices.count)
                PLI_TRY(PLI_FIND(findings, PLI_INDEX(PLI_INDEX(PLI_KEY(at, key), e), k), error,
                                 "mesh.%s[%d][%d] = %d, must be a vertex number from 0 to %d", key,
                                 e, k, v, d->vertices.count - 1));
        }
    }
    return PLI_OK;
}

// A failure of `call` (a bad file, a refused value) as a finding at `at`.
#define REPORT(call) pli_finding_from(findings, at, (call), error)

static pli_status read_inline(const void* data, const char* folder, const pli_path* at,
                              pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const inline_data* d = data;
    static const struct {
        pli_element_kind kind;
        const char* key;
    } lists[] = {
        {PLI_SEGMENT, "segments"}, {PLI_TRIANGLE, "triangles"}, {PLI_TETRAHEDRON, "tetrahedra"}};
    (void)folder;
    int before = findings->error_count;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        PLI_TRY(check_indices(d, lists[i].kind, lists[i].key, at, findings, error));
    if (findings->error_count > before) return PLI_OK;
    PLI_TRY(REPORT(pli_mesh_add_vertices(mesh, d->vertices.count, d->vertices.items, NULL, error)));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        const pli_list* list = &d->elements[lists[i].kind];
        if (list->count > 0)
            PLI_TRY(REPORT(pli_mesh_add_elements(mesh, lists[i].kind, list->count,
                                                 (const int32_t*)list->items, error)));
    }
    return PLI_OK;
}

// ---- file

typedef struct file_data {
    const char* path;
    const char* keep;
    double fill; // [m]; NaN: not given
    int order;
} file_data;

PLI_CHOICE(keep_name, "solid", "all", "surface")

static const pli_param file_rows[] = {
    PLI_TEXT(
        file_data, path, "path", PLI_PARAM_REQUIRED,
        "a mesh file (.msh .vtk .vtu .mesh .node .ele .obj .stl .ply .off .seg .csv); relative to "
        "the folder of the scene, or to an environment variable: $NAME/..."),
    PLI_WORD(file_data, keep, "keep", keep_name,
             "solid: if the file has tetrahedra, only these; all: also its triangles and segments; "
             "surface: the triangles of its surface"),
    PLI_NUMBER(file_data, fill, "fill", "m", 0, 1e9, NAN, 0,
               "fills a closed surface with tetrahedra of about this size, like pliant mesh; 0: a "
               "few thousand tetrahedra; not given: not filled"),
    ORDER(file_data),
};

// Drops triangles and segments if there are tetrahedra.
static void keep_solid(pli_mesh* mesh) {
    if (mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10] == 0) return;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (pli_element_dimension((pli_element_kind)kind) < 3) mesh->element_count[kind] = 0;
}

// Replaces the surface by the tetrahedra inside it.
static pli_status fill(const file_data* d, pli_mesh* mesh, pli_error* error) {
    pli_mesh solid;
    if (isnan(d->fill)) return PLI_OK;
    if (mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10] > 0)
        return pli_fail(error, PLI_E_ARGUMENT, "%.300s already has tetrahedra: omit \"fill\"",
                        d->path);
    pli_mesh_init(&solid, mesh->allocator);
    pli_status status = pli_mesh_fill(&solid, mesh, d->fill, NULL, error);
    if (status != PLI_OK) {
        pli_mesh_free(&solid);
        pli_error_prefix(error, "%.300s", d->path);
        return status;
    }
    pli_mesh_free(mesh);
    *mesh = solid;
    return PLI_OK;
}

static pli_status read_mesh_file(const void* data, const char* folder, const pli_path* at,
                                 pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const file_data* d = data;
    char full[4096];
    pli_path key = pli_path_key(at, "path");
    pli_status status = pli_file_path(folder, d->path, full, sizeof full, error);
    if (status == PLI_OK) status = pli_mesh_read(mesh, full, error);
    if (status == PLI_OK && strcmp(d->keep, "solid") == 0) keep_solid(mesh);
    for (int i = 0; status == PLI_OK && i < pli_mesh_note_count(mesh); ++i)
        PLI_TRY(PLI_TELL(findings, &key, error, "%s: %s", d->path, pli_mesh_note(mesh, i)));
    PLI_TRY(pli_finding_from(findings, &key, status, error));
    if (status != PLI_OK) return PLI_OK;
    key = pli_path_key(at, isnan(d->fill) ? "path" : "fill");
    status = fill(d, mesh, error);
    if (status == PLI_OK && strcmp(d->keep, "surface") == 0)
        status = pli_mesh_keep_surface(mesh, error);
    if (status == PLI_OK && d->order == 2) status = pli_mesh_make_quadratic(mesh, error);
    return pli_finding_from(findings, &key, status, error);
}

// ---- polyline

typedef struct polyline_data {
    pli_list points; // double[3]
    bool closed, smooth;
    int segments;
    double spacing; // [m]; 0: not given
} polyline_data;

static const pli_param polyline_rows[] = {
    PLI_FLAG(polyline_data, closed, "closed", "back to the first point"),
    PLI_FLAG(polyline_data, smooth, "smooth", "a smooth curve through the points"),
    PLI_INTEGER(polyline_data, segments, "segments", 0, 10000000, 0,
                "number of segments, of the same length; 0: by spacing, or one between points"),
    PLI_NUMBER(polyline_data, spacing, "spacing", "m", 0, 1e9, 0, 0,
               "length of the segments if their number is not given"),
};
enum { MOST_SEGMENTS = 10000000 };

static const pli_part polyline_parts[] = {
    PLI_LIST_OF_VECTORS(polyline_data, points, "points", "m", 2, 10000000, PLI_PARAM_REQUIRED,
                        "on the thread"),
};

// By the lengths between the points, so about right for a smooth curve.
static double polyline_segments(const polyline_data* d) {
    const double* x = d->points.items;
    double length = 0;
    if (d->segments > 0 || d->spacing == 0) return d->segments;
    for (int i = 0; i < (d->closed ? d->points.count : d->points.count - 1); ++i) {
        double e[3];
        pli_sub(x + 3 * (size_t)((i + 1) % d->points.count), x + 3 * (size_t)i, e, 3);
        length += pli_norm(e, 3);
    }
    return fmax(d->closed ? 3 : 1, ceil(length / d->spacing));
}

static pli_mesh_size polyline_size(const void* data) {
    const polyline_data* d = data;
    double given = polyline_segments(d), count = given > 0 ? given : d->points.count;
    return (pli_mesh_size){.vertices = count + 1, .elements[PLI_SEGMENT] = count};
}

static pli_status read_polyline(const void* data, const char* folder, const pli_path* at,
                                pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const polyline_data* d = data;
    double count = polyline_segments(d);
    char text[PLI_NUMBER_SIZE];
    (void)folder;
    pli_format(text, sizeof text, "%.3g", count);
    if (!(count <= MOST_SEGMENTS))
        return PLI_FIND(findings, PLI_KEY(at, "spacing"), error,
                        "spacing gives %s segments, must be at most %d: use a larger spacing", text,
                        MOST_SEGMENTS);
    return REPORT(pli_mesh_add_polyline(mesh, d->points.count, d->points.items, d->closed,
                                        d->smooth, (int)count, error));
}

// ---- the table

typedef struct mesh_kind {
    pli_section section;
    pli_mesh_size (*size)(const void* data); // NULL: not known before the file is read
    // A generated shape; NULL: see `read`.
    pli_status (*make)(const shape_data* data, pli_mesh* mesh, pli_error* error);
    // Its round surface, which quadratic elements follow: a group and how a point gets onto it.
    const char* round_group; // NULL: none
    pli_onto_fn* onto;
    pli_status (*read)(const void* data, const char* folder, const pli_path* at,
                       pli_findings* findings, pli_mesh* mesh, pli_error* error);
    const pli_section* outside; // the section, of a kind with a file of its own; NULL: `section`
} mesh_kind;

#define SHAPE(name_, help_, ...)                                                                   \
    .section = {.name = (name_), .help = (help_), .size = sizeof(shape_data), __VA_ARGS__}

static const mesh_kind kinds[] = {
    {SHAPE("rectangle", "a rectangle of cells centred at the origin", PLI_ROWS(rectangle_rows),
           PLI_PARTS(rectangle_parts)),
     rectangle_size, make_rectangle, NULL, NULL, NULL},
    {SHAPE("disk", "a disk of triangles around the origin", PLI_ROWS(disk_rows)), disk_size,
     make_disk, "rim", onto_disk, NULL},
    {SHAPE("line", "a chain of segments", PLI_ROWS(line_rows)), line_size, make_line, NULL, NULL,
     NULL},
    {SHAPE("helix", "a helix of segments around the z axis, from (radius, 0, 0) on",
           PLI_ROWS(helix_rows)),
     line_size, make_helix, NULL, NULL, NULL},
    {SHAPE("ring", "a closed ring of segments around the z axis", PLI_ROWS(ring_rows)), ring_size,
     make_ring, NULL, NULL, NULL},
    {SHAPE("point", "one vertex at the origin", ), point_size, make_point, NULL, NULL, NULL},
    {SHAPE("box", "a box of tetrahedra centred at the origin", PLI_ROWS(box_rows),
           PLI_PARTS(box_parts)),
     box_size, make_box, NULL, NULL, NULL},
    {SHAPE("bar", "a box that begins at x = 0, its axis along x", PLI_ROWS(box_rows),
           PLI_PARTS(box_parts)),
     box_size, make_bar, NULL, NULL, NULL},
    {SHAPE("ball", "a ball of tetrahedra around the origin", PLI_ROWS(ball_rows)), ball_size,
     make_ball, "surface", onto_ball, NULL},
    {SHAPE("cylinder", "a cylinder along x, centred at the origin", PLI_ROWS(round_rows)),
     round_size, make_cylinder, "side", onto_cylinder, NULL},
    {SHAPE("cone", "a cone along x, centred at the origin, its tip at the lower end",
           PLI_ROWS(round_rows)),
     round_size, make_cone, "side", onto_cone, NULL},
    {SHAPE("torus", "a ring of tetrahedra around the z axis", PLI_ROWS(torus_rows)), round_size,
     make_torus, "surface", onto_torus, NULL},
    {SHAPE("sphere", "a closed surface of triangles around the origin", PLI_ROWS(sphere_rows)),
     sphere_size, make_sphere, NULL, NULL, NULL},
    {SHAPE("tube", "a surface of triangles around the x axis, open or closed", PLI_ROWS(tube_rows)),
     tube_size, make_tube, NULL, NULL, NULL},
    {SHAPE("capsule", "a closed surface of triangles: a tube along x with round ends",
           PLI_ROWS(capsule_rows)),
     capsule_size, make_capsule, NULL, NULL, NULL},
    {.section = {.name = "data",
                 .help = "vertices and elements listed in the scene",
                 .size = sizeof(inline_data),
                 PLI_PARTS(inline_parts)},
     .size = inline_size,
     .read = read_inline},
    {.section = {.name = "polyline",
                 .help = "a thread of segments through points",
                 .size = sizeof(polyline_data),
                 PLI_ROWS(polyline_rows),
                 PLI_PARTS(polyline_parts)},
     .size = polyline_size,
     .read = read_polyline},
    {.outside = &pli_prism_section, .size = pli_prism_size, .read = pli_prism_read},
    {.section = {.name = "file",
                 .help =
                     "a mesh file: Gmsh, VTK, Medit, TetGen, OBJ, STL, PLY, OFF, strands as CSV",
                 .size = sizeof(file_data),
                 PLI_ROWS(file_rows)},
     .read = read_mesh_file},
    // those that parts cannot be
    {.outside = &pli_strands_section, .size = pli_strands_size, .read = pli_strands_read},
    {.outside = &pli_parts_section, .size = pli_parts_size, .read = pli_parts_read},
};

static const mesh_kind* kind_at(int i) { return i >= 0 && i < PLI_COUNT(kinds) ? &kinds[i] : NULL; }

bool pli_mesh_variant(const pli_catalog* catalog, int i, pli_section* out) {
    (void)catalog;
    if (kind_at(i)) *out = kinds[i].outside ? *kinds[i].outside : kinds[i].section;
    return kind_at(i) != NULL;
}

bool pli_mesh_is_simple(int i) {
    return kind_at(i) && kinds[i].read != pli_strands_read && kinds[i].read != pli_parts_read;
}

const pli_strands_data* pli_mesh_strands(const pli_tagged* mesh) {
    const mesh_kind* kind = kind_at(mesh->variant);
    return kind && kind->read == pli_strands_read ? mesh->data : NULL;
}

const char* pli_mesh_file_path(const pli_tagged* mesh) {
    const mesh_kind* kind = kind_at(mesh->variant);
    return kind && kind->read == read_mesh_file ? ((const file_data*)mesh->data)->path : NULL;
}

pli_mesh_size pli_mesh_expected_size(const pli_tagged* mesh) {
    const mesh_kind* kind = kind_at(mesh->variant);
    if (!kind || !kind->size) return (pli_mesh_size){0};
    pli_mesh_size size = kind->size(mesh->data);
    if (kind->make && ((const shape_data*)mesh->data)->surface) size = surface_size(size);
    bool quadratic = kind->make && ((const shape_data*)mesh->data)->order == 2;
    return quadratic && size.elements[PLI_SEGMENT] == 0 ? quadratic_size(size) : size;
}

static pli_status make_shape(const mesh_kind* kind, const shape_data* d, pli_mesh* mesh,
                             pli_error* error) {
    PLI_TRY(kind->make(d, mesh, error));
    if (d->surface) PLI_TRY(pli_mesh_keep_surface(mesh, error));
    if (d->order != 2) return PLI_OK;
    PLI_TRY(pli_mesh_make_quadratic(mesh, error));
    if (!kind->round_group || strcmp(d->edges, "curved") != 0) return PLI_OK;
    return pli_mesh_curve(mesh, kind->round_group, kind->onto, d, error);
}

pli_status pli_mesh_build(const pli_tagged* data, const char* folder, const pli_path* at,
                          pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const mesh_kind* kind = kind_at(data->variant);
    if (kind->read) return kind->read(data->data, folder, at, findings, mesh, error);
    return REPORT(make_shape(kind, data->data, mesh, error));
}
