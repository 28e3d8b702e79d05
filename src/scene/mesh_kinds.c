// Shapes: rectangle, disk, line, point, solids, inline data, file. To add one: its struct, rows and
// two functions here, and an entry in `kinds`.
#include "scene/mesh_kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec.h"
#include "scene/file_path.h"
#include "scene/rows.h"

// A generator's failure (a bad file, a value it refuses) as a finding at `at`.
#define REPORT(call) pli_finding_from(findings, at, (call), error)

#define PLI_ORDER(S)                                                                               \
    PLI_INTEGER(S, order, "order", 1, 2, 1,                                                        \
                "1: linear elements, 2: quadratic ones with vertices in the middles of edges")

PLI_CHOICE(edges_name, "curved", "straight")

#define PLI_EDGES(S)                                                                               \
    PLI_WORD(S, edges, "edges", edges_name,                                                        \
             "of order 2, on round sides: middles of edges on the round surface, or between ends")

// The last step of shapes with an order.
static pli_status finish(pli_mesh* mesh, int order, pli_status status, pli_error* error) {
    return status == PLI_OK && order == 2 ? pli_mesh_make_quadratic(mesh, error) : status;
}

// The last step of round shapes: with order 2 the edges of a group follow the round surface.
typedef struct rounding {
    int order;
    const char* edges;
    const char* group; // NULL: there is none
    pli_onto_fn* onto;
    const void* data;
} rounding;

static pli_status finish_round(pli_mesh* mesh, const rounding* r, pli_status status,
                               pli_error* error) {
    status = finish(mesh, r->order, status, error);
    bool curved = r->group && r->order == 2 && strcmp(r->edges, "curved") == 0;
    if (status != PLI_OK || !curved) return status;
    return pli_mesh_curve(mesh, r->group, r->onto, r->data, error);
}

// Moves (x, y) to this distance from the origin.
static void scale_to(double radius, double* x, double* y) {
    double r = pli_hypot(*x, *y);
    if (!(r > 0)) return;
    *x *= radius / r;
    *y *= radius / r;
}

// Triangles of order 2 have about as many edges as vertices and triangles together; in space each
// vertex has about seven edges of its own.
static pli_mesh_size with_order(pli_mesh_size size, int order) {
    if (order == 1) return size;
    bool solid = size.elements[PLI_TETRAHEDRON] > 0;
    size.vertices += solid ? 7 * size.vertices : size.vertices + size.elements[PLI_TRIANGLE];
    size.elements[PLI_TRIANGLE6] = size.elements[PLI_TRIANGLE];
    size.elements[PLI_TETRAHEDRON10] = size.elements[PLI_TETRAHEDRON];
    size.elements[PLI_TRIANGLE] = size.elements[PLI_TETRAHEDRON] = 0;
    return size;
}

// ---- rectangle

typedef struct rectangle_data {
    double size[2];
    int segments[2];
    const char* pattern;
    int order;
} rectangle_data;

PLI_CHOICE(pattern_name, "triangles", "springs")

static const pli_param rectangle_rows[] = {
    PLI_WORD(rectangle_data, pattern, "pattern", pattern_name,
             "two triangles per cell, or its sides and diagonals as segments"),
    PLI_ORDER(rectangle_data),
};
static const pli_params rectangle_params = PLI_PARAMS(rectangle_rows);
static const pli_group rectangle_groups[] = {{.params = &rectangle_params}};

static const pli_part rectangle_parts[] = {
    PLI_TWO_NUMBERS(rectangle_data, size, "size", "m", 0, 1e9,
                    PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "width and height"),
    PLI_TWO_INTEGERS(rectangle_data, segments, "segments", 1, 100000, PLI_PARAM_REQUIRED,
                     "cells along x and y"),
};

static pli_mesh_size rectangle_size(const void* data) {
    const rectangle_data* d = data;
    double nx = d->segments[0], ny = d->segments[1];
    pli_mesh_size size = {.vertices = (nx + 1) * (ny + 1)};
    if (strcmp(d->pattern, "springs") == 0)
        size.elements[PLI_SEGMENT] = nx * (ny + 1) + (nx + 1) * ny + 2 * nx * ny;
    else
        size.elements[PLI_TRIANGLE] = 2 * nx * ny;
    return with_order(size, size.elements[PLI_SEGMENT] > 0 ? 1 : d->order);
}

static pli_status rectangle_build(const void* data, const char* folder, const pli_path* at,
                                  pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const rectangle_data* d = data;
    (void)folder;
    pli_rectangle_pattern pattern =
        strcmp(d->pattern, "springs") == 0 ? PLI_SPRINGS : PLI_TRIANGLES;
    pli_status status = pli_mesh_add_rectangle(mesh, d->size[0], d->size[1], d->segments[0],
                                               d->segments[1], pattern, error);
    return REPORT(finish(mesh, d->order, status, error));
}

// ---- disk

typedef struct disk_data {
    double radius;
    int rings;
    int order;
    const char* edges;
} disk_data;

static const pli_param disk_rows[] = {
    PLI_NUMBER(disk_data, radius, "radius", "m", 0, 1e9, 0,
               PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "of the outermost ring"),
    PLI_INTEGER(disk_data, rings, "rings", 1, 10000, 4, "rings of vertices around the centre"),
    PLI_ORDER(disk_data),
    PLI_EDGES(disk_data),
};
static const pli_params disk_params = PLI_PARAMS(disk_rows);
static const pli_group disk_groups[] = {{.params = &disk_params}};

static pli_mesh_size disk_size(const void* data) {
    const disk_data* d = data;
    double rings = d->rings;
    pli_mesh_size size = {.vertices = 1 + 3 * rings * (rings + 1)};
    size.elements[PLI_TRIANGLE] = 6 * rings * rings;
    return with_order(size, d->order);
}

static void onto_disk(const void* data, double x[3]) {
    scale_to(((const disk_data*)data)->radius, &x[0], &x[1]);
}

static pli_status disk_build(const void* data, const char* folder, const pli_path* at,
                             pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const disk_data* d = data;
    (void)folder;
    pli_status status = pli_mesh_add_disk(mesh, d->radius, d->rings, error);
    const rounding r = {d->order, d->edges, "rim", onto_disk, d};
    return REPORT(finish_round(mesh, &r, status, error));
}

// ---- line

typedef struct line_data {
    double from[3], to[3];
    int segments;
} line_data;

static const pli_param line_rows[] = {
    PLI_VECTOR(line_data, from, "from", "m", PLI_PARAM_REQUIRED, "first vertex"),
    PLI_VECTOR(line_data, to, "to", "m", PLI_PARAM_REQUIRED, "last vertex"),
    PLI_INTEGER(line_data, segments, "segments", 1, 10000000, 1, "number of segments"),
};
static const pli_params line_params = PLI_PARAMS(line_rows);
static const pli_group line_groups[] = {{.params = &line_params}};

static pli_mesh_size line_size(const void* data) {
    double segments = ((const line_data*)data)->segments;
    pli_mesh_size size = {.vertices = segments + 1};
    size.elements[PLI_SEGMENT] = segments;
    return size;
}

static pli_status line_build(const void* data, const char* folder, const pli_path* at,
                             pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const line_data* d = data;
    (void)folder;
    return REPORT(pli_mesh_add_line(mesh, d->from, d->to, d->segments, error));
}

// ---- point

static pli_mesh_size point_size(const void* data) {
    (void)data;
    return (pli_mesh_size){.vertices = 1};
}

static pli_status point_build(const void* data, const char* folder, const pli_path* at,
                              pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    (void)data;
    (void)folder;
    return REPORT(pli_mesh_add_vertices(mesh, 1, (const double[3]){0}, NULL, error));
}

// ---- solids

// One struct for all of them; each kind has rows for the fields that it uses.
typedef struct solid_data {
    double size[3];
    int cells[3];
    double radius, length, tube;
    int rings, segments, shells;
    int order;
    const char* edges;
} solid_data;

#define PLI_RADIUS(key, field, help)                                                               \
    PLI_NUMBER(solid_data, field, key, "m", 0, 1e9, 0, PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN,   \
               help)
#define PLI_RINGS                                                                                  \
    PLI_INTEGER(solid_data, rings, "rings", 1, 1000, 3, "rings of vertices in a cross-section")

static const pli_param box_rows[] = {PLI_ORDER(solid_data)};
static const pli_params box_params = PLI_PARAMS(box_rows);
static const pli_group box_groups[] = {{.params = &box_params}};

static const pli_part box_parts[] = {
    PLI_PART(PLI_NUMBER(solid_data, size, "size", "m", 0, 1e9, 0,
                        PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "lengths along x, y and z"),
             PLI_VALUES, 3, 0, 0, NULL),
    PLI_PART(PLI_ROW(PLI_PARAM_INTEGER, solid_data, cells, "segments", "", 1, 10000, 0, NULL,
                     PLI_PARAM_REQUIRED, "cells along x, y and z, six tetrahedra each"),
             PLI_VALUES, 3, 0, 0, NULL),
};

static const pli_param ball_rows[] = {
    PLI_RADIUS("radius", radius, "of the outermost shell"),
    PLI_INTEGER(solid_data, shells, "shells", 1, 1000, 4,
                "shells of vertices around the centre; 48 shells^3 tetrahedra"),
    PLI_ORDER(solid_data),
    PLI_EDGES(solid_data),
};
static const pli_params ball_params = PLI_PARAMS(ball_rows);
static const pli_group ball_groups[] = {{.params = &ball_params}};

static const pli_param round_rows[] = {
    PLI_RADIUS("radius", radius, "of the cross-section; of a cone at its base"),
    PLI_RADIUS("length", length, "along x"),
    PLI_RINGS,
    PLI_INTEGER(solid_data, segments, "segments", 1, 100000, 10,
                "layers along x; a cone needs at least as many as rings"),
    PLI_ORDER(solid_data),
    PLI_EDGES(solid_data),
};
static const pli_params round_params = PLI_PARAMS(round_rows);
static const pli_group round_groups[] = {{.params = &round_params}};

static const pli_param torus_rows[] = {
    PLI_RADIUS("radius", radius, "from the centre to the middle of the tube"),
    PLI_RADIUS("tube", tube, "radius of the tube"),
    PLI_RINGS,
    PLI_INTEGER(solid_data, segments, "segments", 3, 100000, 24, "sections of the tube"),
    PLI_ORDER(solid_data),
    PLI_EDGES(solid_data),
};
static const pli_params torus_params = PLI_PARAMS(torus_rows);
static const pli_group torus_groups[] = {{.params = &torus_params}};

static pli_mesh_size solid_size(double vertices, double tetrahedra, int order) {
    pli_mesh_size size = {.vertices = vertices};
    size.elements[PLI_TETRAHEDRON] = tetrahedra;
    return with_order(size, order);
}

static pli_mesh_size box_size(const void* data) {
    const solid_data* d = data;
    double nx = d->cells[0], ny = d->cells[1], nz = d->cells[2];
    return solid_size((nx + 1) * (ny + 1) * (nz + 1), 6 * nx * ny * nz, d->order);
}

static pli_mesh_size ball_size(const void* data) {
    const solid_data* d = data;
    double n = d->shells;
    return solid_size(pli_pow(2 * n + 1, 3), 48 * n * n * n, d->order);
}

// Also of cones, which are smaller.
static pli_mesh_size round_size(const void* data) {
    const solid_data* d = data;
    double rings = d->rings, layers = d->segments;
    return solid_size((3 * rings * (rings + 1) + 1) * (layers + 1), 18 * rings * rings * layers,
                      d->order);
}

// ---- their round surfaces

static void onto_ball(const void* data, double x[3]) {
    double factor = ((const solid_data*)data)->radius / pli_norm(x, 3);
    for (int k = 0; k < 3; ++k) x[k] *= factor;
}

static void onto_cylinder(const void* data, double x[3]) {
    scale_to(((const solid_data*)data)->radius, &x[1], &x[2]);
}

// Its radius grows from the tip at x = -length / 2.
static void onto_cone(const void* data, double x[3]) {
    const solid_data* d = data;
    scale_to(d->radius * (0.5 + x[0] / d->length), &x[1], &x[2]);
}

static void onto_torus(const void* data, double x[3]) {
    const solid_data* d = data;
    double r = pli_hypot(x[0], x[1]), out = r - d->radius, up = x[2];
    scale_to(d->tube, &out, &up);
    scale_to(d->radius + out, &x[0], &x[1]);
    x[2] = up;
}

// Each solid is built by one call; the group lies on its round surface.
#define PLI_SOLID(kind, group, onto, call)                                                         \
    static pli_status kind##_build(const void* data, const char* folder, const pli_path* at,       \
                                   pli_findings* findings, pli_mesh* mesh, pli_error* error) {     \
        const solid_data* d = data;                                                                \
        const rounding r = {d->order, d->edges, group, onto, d};                                   \
        (void)folder;                                                                              \
        return REPORT(finish_round(mesh, &r, call, error));                                        \
    }

PLI_SOLID(box, NULL, NULL, pli_mesh_add_box(mesh, d->size, d->cells, error))
PLI_SOLID(bar, NULL, NULL, pli_mesh_add_bar(mesh, d->size, d->cells, error))
PLI_SOLID(ball, "surface", onto_ball, pli_mesh_add_ball(mesh, d->radius, d->shells, error))
PLI_SOLID(cylinder, "side", onto_cylinder,
          pli_mesh_add_cylinder(mesh, d->radius, d->length, d->rings, d->segments, error))
PLI_SOLID(cone, "side", onto_cone,
          pli_mesh_add_cone(mesh, d->radius, d->length, d->rings, d->segments, error))
PLI_SOLID(torus, "surface", onto_torus,
          pli_mesh_add_torus(mesh, d->radius, d->tube, d->rings, d->segments, error))

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

// Numbers that are no vertices. The parts after the first hold the elements in the order of kinds.
static pli_status check_indices(const inline_data* d, pli_element_kind kind, const char* key,
                                const pli_path* at, pli_findings* findings, pli_error* error) {
    const int* index = d->elements[kind].items;
    pli_path list = pli_path_key(at, key);
    for (int e = 0; e < d->elements[kind].count; ++e) {
        pli_path element = pli_path_index(&list, e);
        for (int k = 0; k < pli_element_size(kind); ++k) {
            int v = index[e * pli_element_size(kind) + k];
            pli_path entry = pli_path_index(&element, k);
            if (v >= d->vertices.count)
                PLI_TRY(PLI_FIND(findings, &entry, error,
                                 "mesh.%s[%d][%d] = %d, must be a vertex number from 0 to %d", key,
                                 e, k, v, d->vertices.count - 1));
        }
    }
    return PLI_OK;
}

static pli_status inline_build(const void* data, const char* folder, const pli_path* at,
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

PLI_CHOICE(keep_name, "solid", "all")

static const pli_param file_rows[] = {
    PLI_TEXT(file_data, path, "path", PLI_PARAM_REQUIRED,
             "a mesh file (.msh .vtk .vtu .mesh .node .ele .obj .stl .ply .off .seg); relative to "
             "the folder of the scene, or from an environment variable on: $NAME/..."),
    PLI_WORD(file_data, keep, "keep", keep_name,
             "of a file with tetrahedra only these, not the triangles and segments on them, or all "
             "elements"),
    PLI_NUMBER(file_data, fill, "fill", "m", 0, 1e9, NAN, 0,
               "a closed surface is filled with tetrahedra of about this size, as pliant mesh "
               "does; 0: some thousand of them; not given: it stays a surface"),
    PLI_ORDER(file_data),
};
static const pli_params file_params = PLI_PARAMS(file_rows);
static const pli_group file_groups[] = {{.params = &file_params}};

static pli_mesh_size file_size(const void* data) {
    (void)data;
    return (pli_mesh_size){0}; // not known before it is read; bounded by the file's own size
}

// If there are tetrahedra, the triangles and segments on them go.
static void keep_solid(pli_mesh* mesh) {
    if (mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10] == 0) return;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (pli_element_dimension((pli_element_kind)kind) < 3) mesh->element_count[kind] = 0;
}

// The surface becomes the tetrahedra inside it.
static pli_status fill(const file_data* d, pli_mesh* mesh, pli_error* error) {
    pli_mesh solid;
    if (isnan(d->fill)) return PLI_OK;
    if (mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10] > 0)
        return pli_fail(error, PLI_E_ARGUMENT, "%.300s has tetrahedra already: leave out \"fill\"",
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

static pli_status file_build(const void* data, const char* folder, const pli_path* at,
                             pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const file_data* d = data;
    char full[4096];
    pli_path key = pli_path_key(at, "path");
    pli_status status = pli_file_path(folder, d->path, full, sizeof full, error);
    if (status == PLI_OK) status = pli_mesh_read(mesh, full, error);
    if (status == PLI_OK && strcmp(d->keep, "solid") == 0) keep_solid(mesh);
    for (int i = 0; status == PLI_OK && i < pli_mesh_note_count(mesh); ++i)
        PLI_TRY(pli_finding_add(findings, PLI_NOTE, &key, PLI_AT_VALUE, error, "%s: %s", d->path,
                                pli_mesh_note(mesh, i)));
    PLI_TRY(pli_finding_from(findings, &key, status, error));
    if (status != PLI_OK) return PLI_OK;
    key = pli_path_key(at, isnan(d->fill) ? "path" : "fill");
    return pli_finding_from(findings, &key, finish(mesh, d->order, fill(d, mesh, error), error),
                            error);
}

// ---- the table

static const pli_mesh_kind kinds[] = {
    {.section = {.name = "rectangle",
                 .help = "a rectangle of cells centred at the origin",
                 .size = sizeof(rectangle_data),
                 PLI_GROUPS(rectangle_groups),
                 PLI_PARTS(rectangle_parts)},
     .size = rectangle_size,
     .build = rectangle_build},
    {.section = {.name = "disk",
                 .help = "a disk of triangles around the origin",
                 .size = sizeof(disk_data),
                 PLI_GROUPS(disk_groups)},
     .size = disk_size,
     .build = disk_build},
    {.section = {.name = "line",
                 .help = "a chain of segments",
                 .size = sizeof(line_data),
                 PLI_GROUPS(line_groups)},
     .size = line_size,
     .build = line_build},
    {.section = {.name = "point", .help = "one vertex at the origin"},
     .size = point_size,
     .build = point_build},
    {.section = {.name = "box",
                 .help = "a box of tetrahedra centred at the origin",
                 .size = sizeof(solid_data),
                 PLI_GROUPS(box_groups),
                 PLI_PARTS(box_parts)},
     .size = box_size,
     .build = box_build},
    {.section = {.name = "bar",
                 .help = "a box that begins at x = 0, its axis along x",
                 .size = sizeof(solid_data),
                 PLI_GROUPS(box_groups),
                 PLI_PARTS(box_parts)},
     .size = box_size,
     .build = bar_build},
    {.section = {.name = "ball",
                 .help = "a ball of tetrahedra around the origin",
                 .size = sizeof(solid_data),
                 PLI_GROUPS(ball_groups)},
     .size = ball_size,
     .build = ball_build},
    {.section = {.name = "cylinder",
                 .help = "a cylinder along x, centred at the origin",
                 .size = sizeof(solid_data),
                 PLI_GROUPS(round_groups)},
     .size = round_size,
     .build = cylinder_build},
    {.section = {.name = "cone",
                 .help = "a cone along x, centred at the origin, its tip at the lower end",
                 .size = sizeof(solid_data),
                 PLI_GROUPS(round_groups)},
     .size = round_size,
     .build = cone_build},
    {.section = {.name = "torus",
                 .help = "a ring of tetrahedra around the z axis",
                 .size = sizeof(solid_data),
                 PLI_GROUPS(torus_groups)},
     .size = round_size,
     .build = torus_build},
    {.section = {.name = "data",
                 .help = "vertices and elements written in the scene",
                 .size = sizeof(inline_data),
                 PLI_PARTS(inline_parts)},
     .size = inline_size,
     .build = inline_build},
    {.section = {.name = "file",
                 .help = "a mesh file: Gmsh, VTK, Medit, TetGen, OBJ, STL, PLY, OFF",
                 .size = sizeof(file_data),
                 PLI_GROUPS(file_groups)},
     .size = file_size,
     .build = file_build},
};

const pli_mesh_kind* pli_mesh_kind_at(int i) {
    return i >= 0 && (size_t)i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

bool pli_mesh_variant(const pli_catalog* catalog, int i, pli_section* out) {
    (void)catalog;
    const pli_mesh_kind* kind = pli_mesh_kind_at(i);
    if (kind) *out = kind->section;
    return kind != NULL;
}
