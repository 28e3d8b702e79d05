// Shapes: rectangle, disk, line, point, inline data, file. To add one: its struct, rows and two
// functions here, and an entry in `kinds`.
#include "scene/mesh_kinds.h"

#include <stdio.h>
#include <string.h>

#include "scene/rows.h"

// A generator's failure (a bad file, a value it refuses) as a finding at `at`.
#define REPORT(call) pli_finding_from(findings, at, (call), error)

// ---- rectangle

typedef struct rectangle_data {
    double size[2];
    int segments[2];
    const char* pattern;
} rectangle_data;

PLI_CHOICE(pattern_name, "triangles", "springs")

static const pli_param rectangle_rows[] = {
    PLI_WORD(rectangle_data, pattern, "pattern", pattern_name,
             "two triangles per cell, or its sides and diagonals as segments"),
};
static const pli_params rectangle_params = PLI_PARAMS(rectangle_rows);
static const pli_group rectangle_groups[] = {{&rectangle_params, 0}};

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
    return size;
}

static pli_status rectangle_build(const void* data, const char* folder, const pli_path* at,
                                  pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const rectangle_data* d = data;
    (void)folder;
    pli_rectangle_pattern pattern =
        strcmp(d->pattern, "springs") == 0 ? PLI_SPRINGS : PLI_TRIANGLES;
    return REPORT(pli_mesh_add_rectangle(mesh, d->size[0], d->size[1], d->segments[0],
                                         d->segments[1], pattern, error));
}

// ---- disk

typedef struct disk_data {
    double radius;
    int rings;
} disk_data;

static const pli_param disk_rows[] = {
    PLI_NUMBER(disk_data, radius, "radius", "m", 0, 1e9, 0,
               PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "of the outermost ring"),
    PLI_INTEGER(disk_data, rings, "rings", 1, 10000, 4, "rings of vertices around the centre"),
};
static const pli_params disk_params = PLI_PARAMS(disk_rows);
static const pli_group disk_groups[] = {{&disk_params, 0}};

static pli_mesh_size disk_size(const void* data) {
    double rings = ((const disk_data*)data)->rings;
    pli_mesh_size size = {.vertices = 1 + 3 * rings * (rings + 1)};
    size.elements[PLI_TRIANGLE] = 6 * rings * rings;
    return size;
}

static pli_status disk_build(const void* data, const char* folder, const pli_path* at,
                             pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const disk_data* d = data;
    (void)folder;
    return REPORT(pli_mesh_add_disk(mesh, d->radius, d->rings, error));
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
static const pli_group line_groups[] = {{&line_params, 0}};

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
};

static pli_mesh_size inline_size(const void* data) {
    const inline_data* d = data;
    pli_mesh_size size = {.vertices = d->vertices.count};
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k) size.elements[k] = d->elements[k].count;
    return size;
}

// Numbers that are no vertices. The parts after the first hold the elements in the order of kinds.
static pli_status check_indices(const inline_data* d, int kind, const char* key, const pli_path* at,
                                pli_findings* findings, pli_error* error) {
    const int* index = d->elements[kind].items;
    pli_path list = pli_path_key(at, key);
    for (int e = 0; e < d->elements[kind].count; ++e) {
        pli_path element = pli_path_index(&list, e);
        for (int k = 0; k <= kind; ++k) {
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
    } lists[] = {{PLI_SEGMENT, "segments"}, {PLI_TRIANGLE, "triangles"}};
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
} file_data;

static const pli_param file_rows[] = {
    PLI_TEXT(file_data, path, "path", PLI_PARAM_REQUIRED,
             "a Wavefront OBJ file; relative to the folder of the scene"),
};
static const pli_params file_params = PLI_PARAMS(file_rows);
static const pli_group file_groups[] = {{&file_params, 0}};

static pli_mesh_size file_size(const void* data) {
    (void)data;
    return (pli_mesh_size){0}; // not known before it is read; bounded by the file's own size
}

static pli_status file_build(const void* data, const char* folder, const pli_path* at,
                             pli_findings* findings, pli_mesh* mesh, pli_error* error) {
    const char* path = ((const file_data*)data)->path;
    char full[4096];
    bool relative = path[0] != '/' && folder[0] != '\0';
    int n =
        snprintf(full, sizeof full, "%s%s%s", relative ? folder : "", relative ? "/" : "", path);
    pli_path key = pli_path_key(at, "path");
    if (n < 0 || (size_t)n >= sizeof full)
        return PLI_FIND(findings, &key, error, "mesh.path has %d characters, must have fewer", n);
    pli_status status = pli_mesh_read_obj(mesh, full, error);
    return pli_finding_from(findings, &key, status, error);
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
    {.section = {.name = "data",
                 .help = "vertices and elements written in the scene",
                 .size = sizeof(inline_data),
                 PLI_PARTS(inline_parts)},
     .size = inline_size,
     .build = inline_build},
    {.section = {.name = "file",
                 .help = "a mesh file: v, f and l lines of Wavefront OBJ",
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
