// Crossings as a VTK unstructured grid, as text: these files are small. Every crossing has separate
// points: those of its two parts, then the place.
#include "pliant/record.h"

#include "mesh/vtu_xml.h"

// Cell i of 3 per crossing: side 0, side 1, the place.
typedef struct cell {
    const pli_crossing_info* crossing;
    int pair, side;
    int width;
} cell;

static cell cell_at(const pli_crossing_info* crossings, int i) {
    const pli_crossing_info* c = &crossings[i / 3];
    int side = i % 3;
    return (cell){c, i / 3, side, side < 2 ? c->vertex_count[side] : 1};
}

typedef struct writer {
    const pli_world* world;
    const pli_crossing_info* crossings;
    int cell_count;
    pli_file* file;
} writer;

static void write_position(const writer* w, const cell* c, int i) {
    const double* x = c->crossing->point;
    if (c->side < 2) {
        int vertex = pli_world_body_vertex(w->world, c->crossing->body[c->side]) +
                     c->crossing->vertices[c->side][i];
        x = pli_world_positions(w->world) + 3 * (size_t)vertex;
    }
    for (int k = 0; k < 3; ++k) {
        pli_file_number(w->file, x[k]);
        pli_file_text(w->file, k < 2 ? " " : "\n");
    }
}

static void write_vertex(const writer* w, const cell* c, int i) {
    PLI_FILE_PRINT(w->file, "%d\n", c->side < 2 ? c->crossing->vertices[c->side][i] : -1);
}

static void write_type(const writer* w, const cell* c) {
    PLI_FILE_PRINT(w->file, "%d\n", pli_vtk_types[c->width - 1]); // vertex, segment, triangle
}
static void write_pair(const writer* w, const cell* c) { PLI_FILE_PRINT(w->file, "%d\n", c->pair); }
static void write_side(const writer* w, const cell* c) { PLI_FILE_PRINT(w->file, "%d\n", c->side); }
static void write_body(const writer* w, const cell* c) {
    PLI_FILE_PRINT(w->file, "%d\n", c->side < 2 ? c->crossing->body[c->side] : -1);
}
static void write_distance(const writer* w, const cell* c) {
    pli_file_number(w->file, c->crossing->distance);
    pli_file_text(w->file, "\n");
}

static void begin_array(const writer* w, const char* type, const char* name, int components) {
    pli_vtu_xml_text_array(w->file, &(pli_vtu_xml_array){type, name, components, NULL});
}

static void end_array(const writer* w) { pli_vtu_xml_close(w->file, "DataArray"); }

static void write_points(const writer* w, const char* type, const char* name, int components,
                         void (*write)(const writer*, const cell*, int)) {
    begin_array(w, type, name, components);
    for (int i = 0; i < w->cell_count; ++i) {
        cell c = cell_at(w->crossings, i);
        for (int k = 0; k < c.width; ++k) write(w, &c, k);
    }
    end_array(w);
}

static void write_cells(const writer* w, const char* type, const char* name,
                        void (*write)(const writer*, const cell*)) {
    begin_array(w, type, name, 1);
    for (int i = 0; i < w->cell_count; ++i) {
        cell c = cell_at(w->crossings, i);
        write(w, &c);
    }
    end_array(w);
}

// Points are numbered as the cells come, so that connectivity and offsets count.
static void write_topology(const writer* w, int point_count) {
    begin_array(w, "Int32", "connectivity", 1);
    for (int i = 0; i < point_count; ++i) PLI_FILE_PRINT(w->file, "%d\n", i);
    end_array(w);
    begin_array(w, "Int32", "offsets", 1);
    for (int i = 0, end = 0; i < w->cell_count; ++i) {
        end += cell_at(w->crossings, i).width;
        PLI_FILE_PRINT(w->file, "%d\n", end);
    }
    end_array(w);
    write_cells(w, "UInt8", "types", write_type);
}

static void write_all(const writer* w) {
    int point_count = 0;
    for (int i = 0; i < w->cell_count; ++i) point_count += cell_at(w->crossings, i).width;
    pli_vtu_xml_begin(w->file, "");
    pli_vtu_xml_piece(w->file, point_count, w->cell_count);
    pli_vtu_xml_open(w->file, "Points");
    write_points(w, "Float64", "Points", 3, write_position);
    pli_vtu_xml_close(w->file, "Points");
    pli_vtu_xml_open(w->file, "Cells");
    write_topology(w, point_count);
    pli_vtu_xml_close(w->file, "Cells");
    pli_vtu_xml_open(w->file, "PointData");
    write_points(w, "Int32", "vertex", 1, write_vertex);
    pli_vtu_xml_close(w->file, "PointData");
    pli_vtu_xml_open(w->file, "CellData");
    write_cells(w, "Int32", "pair", write_pair);
    write_cells(w, "Int32", "side", write_side);
    write_cells(w, "Int32", "body", write_body);
    write_cells(w, "Float64", "distance", write_distance);
    pli_vtu_xml_close(w->file, "CellData");
    pli_vtu_xml_end_piece(w->file);
    pli_vtu_xml_end(w->file);
}

// Whether one part of a crossing is a vertex, an edge or a triangle of a body of this world.
static bool is_part(const pli_world* world, const pli_crossing_info* c, int side) {
    int body = c->body[side], count = c->vertex_count[side];
    if (body < 0 || body >= pli_world_body_count(world) || count < 1 || count > 3) return false;
    int size = pli_world_body_vertex(world, body + 1) - pli_world_body_vertex(world, body);
    for (int k = 0; k < count; ++k)
        if (c->vertices[side][k] < 0 || c->vertices[side][k] >= size) return false;
    return true;
}

pli_status pli_write_crossings(const pli_world* world, const pli_crossing_info* crossings,
                               int count, const char* path, pli_error* error) {
    if (!world || !path || count < 0 || count > INT32_MAX / 9 || (count > 0 && !crossings))
        return pli_fail(error, PLI_E_ARGUMENT, "crossings: %s",
                        !world      ? "world is NULL"
                        : !path     ? "path is NULL"
                        : count < 0 ? "count must be >= 0"
                                    : "crossings is NULL or count is too large");
    for (int i = 0; i < count; ++i)
        if (!is_part(world, &crossings[i], 0) || !is_part(world, &crossings[i], 1))
            return pli_fail(error, PLI_E_ARGUMENT, "crossing %d does not belong to this world", i);
    pli_file file;
    PLI_TRY(pli_file_create(&file, "", path, error));
    writer w = {world, crossings, 3 * count, &file};
    write_all(&w);
    return pli_file_commit(&file, error);
}
