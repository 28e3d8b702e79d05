// The context of a file reader: the scanned file, the mesh it adds to, and the list of groups
// found.
#ifndef PLI_MESH_READER_H
#define PLI_MESH_READER_H

#include "base/collections.h"
#include "mesh/build.h"
#include "mesh/scan.h"

// ---- groups
//
// Rows of (group, vertex), in any order and with repetition. They become groups of the mesh when
// the whole file is read.

enum { PLI_MARKS_LIMIT = 1024 }; // groups; a file that numbers each of its elements has no groups

typedef struct pli_mark {
    int32_t group, vertex;
} pli_mark;

typedef struct pli_marks {
    pli_memory* memory;
    int count, capacity;
    pli_mark* rows;
    int32_t highest; // vertex
    int group_count, group_capacity;
    pli_mesh_group* groups; // names, tags, dimensions; without vertices
    pli_ids numbered;       // dimension and tag -> group
    bool overflow;          // there were more groups than the limit
} pli_marks;

void pli_marks_init(pli_marks* marks, pli_memory* memory);
void pli_marks_free(pli_marks* marks);

// The group with this number, or with this name; created if it does not exist. *group is -1 if
// there are too many, or if the number is 0 or the name is empty, which mean no group.
pli_status pli_marks_number(pli_marks* marks, int dim, int64_t tag, int* group, pli_error* error);
pli_status pli_marks_name(pli_marks* marks, int dim, const char* name, int* group,
                          pli_error* error);

// Adds vertices of the mesh to the group; a group or vertex of -1 is ignored.
pli_status pli_marks_put(pli_marks* marks, int group, int count, const int32_t* vertices,
                         pli_error* error);

// Adds the groups that have vertices to the mesh.
pli_status pli_marks_commit(pli_marks* marks, pli_mesh* mesh, pli_error* error);

// ---- readers
//
// A reader may stop anywhere; on failure pli_mesh_read removes what it added.

enum { PLI_SKIPPED_KINDS = 24 };

typedef struct pli_reader {
    pli_scan scan;
    pli_mesh* mesh;
    pli_memory* memory;
    pli_mesh_source* source; // of the mesh: notes and places
    int first_vertex;        // index in the mesh of the file's vertex 0
    pli_marks marks;         // groups
    struct {
        int triangle, corners; // its first triangle, how many corners it has
    } * polygons;              // with more than three
    int polygon_count, polygon_capacity;
    struct {
        const char* word; // "hexahedra"
        int64_t count;
    } skipped[PLI_SKIPPED_KINDS];
} pli_reader;

// Vertices of this file so far.
int pli_reader_vertices(const pli_reader* reader);

// Adds one vertex, or one element whose vertices are indices of the mesh. `place`: see
// pli_scan_place.
pli_status pli_reader_put_vertex(pli_reader* reader, const double p[3]);
pli_status pli_reader_put_element(pli_reader* reader, pli_element_kind kind,
                                  const int32_t* vertices, int32_t place);

// Reads `count` coordinates (2 or 3; of 2, z is 0) and adds the vertex.
pli_status pli_reader_read_vertex(pli_reader* reader, pli_number_type type, int count);

// The next number of the file, a vertex index counted from `base`, converted to an index of the
// mesh; fails if there is no such vertex.
pli_status pli_reader_read_index(pli_reader* reader, pli_number_type type, int base,
                                 int32_t* vertex);

// A polygon as the fan of triangles at its first corner, which pli_mesh_read checks when all
// vertices are known; a polyline as segments. To be called with each corner in turn: `corners`
// holds the last ones, `count` their number so far.
typedef struct pli_chain {
    pli_element_kind kind; // PLI_TRIANGLE or PLI_SEGMENT
    int32_t place;
    int count;
    int32_t corners[3];
} pli_chain;
pli_status pli_reader_chain(pli_reader* reader, pli_chain* chain, int32_t vertex);

// Counts unsupported elements that were skipped. `word` must outlive the reader.
void pli_reader_skip(pli_reader* reader, const char* word, int64_t count);

// Adds vertices to the group of this number, or to one of marks.groups.
pli_status pli_reader_mark(pli_reader* reader, int dim, int64_t tag, int count,
                           const int32_t* vertices);
pli_status pli_reader_mark_group(pli_reader* reader, int group, int count, const int32_t* vertices);

// A file format: how it is recognized and read.
typedef struct pli_mesh_format {
    const char* extensions; // ".msh .mesh"
    const char* start;      // first bytes of such files; NULL: not characteristic
    bool text;              // zero bytes are invalid
    pli_status (*read)(pli_reader* reader);
} pli_mesh_format;

pli_status pli_read_obj(pli_reader* reader);
pli_status pli_read_obj_texture(pli_reader* reader); // pli_mesh_read_uv
pli_status pli_read_seg(pli_reader* reader);
pli_status pli_read_gmsh(pli_reader* reader);
pli_status pli_read_vtk(pli_reader* reader);
pli_status pli_read_vtu(pli_reader* reader);
pli_status pli_read_medit(pli_reader* reader);
pli_status pli_read_tetgen(pli_reader* reader);
pli_status pli_read_stl(pli_reader* reader);
pli_status pli_read_ply(pli_reader* reader);
pli_status pli_read_off(pli_reader* reader);
pli_status pli_read_strands(pli_reader* reader); // .csv

#endif
