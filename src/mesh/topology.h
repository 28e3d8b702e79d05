// Topology of elements, linear and quadratic: their sides (edges and faces) with the elements at
// each, and derived data: boundary, hinges, corners, vertex stars, components, defects of a
// surface. Results depend only on the elements: sides are sorted by their vertices.
#ifndef PLI_MESH_TOPOLOGY_H
#define PLI_MESH_TOPOLOGY_H

#include "base/memory.h"
#include "pliant/mesh.h"

// Elements of one body or mesh: of each kind `count` with pli_element_size vertices each.
typedef struct pli_elements {
    int vertex_limit; // vertex indices are below it
    int count[PLI_ELEMENT_KIND_COUNT];
    const int32_t* elements[PLI_ELEMENT_KIND_COUNT];
} pli_elements;

pli_elements pli_elements_of(const pli_mesh* mesh);
// Linear triangles only.
pli_elements pli_elements_of_triangles(int vertex_limit, int count, const int32_t* triangles);

// The four flat triangles of a triangle or face with midside nodes.
extern const uint8_t pli_quarters[4][3];

// ---- sides

typedef enum pli_side_kind {
    PLI_SEGMENTS,            // the segments themselves
    PLI_EDGES,               // of triangles, from corner to corner
    PLI_SPLIT_EDGES,         // of triangles; an edge with a middle node is two
    PLI_FACES,               // of tetrahedra, by their corners
    PLI_LINKS,               // of all elements: edges, split at midside nodes; those of a
                             // tetrahedron once for each of its two faces
    PLI_TRIANGLE_EDGE_PARTS, // what a segment on a triangle may match: edges, halves of edges, and
                             // the edges between midside nodes
    PLI_SOLID_EDGE_PARTS,    // the same for the faces of tetrahedra
    PLI_SOLID_FACE_PARTS,    // what a triangle on a tetrahedron may match: faces and their quarters
    PLI_SIDE_KIND_COUNT,
} pli_side_kind;

enum { PLI_FACE_MAX = 6 }; // vertices of a quadratic face in space

// Vertices of a side: 2 or 3; midside nodes do not count.
int pli_side_width(pli_side_kind kind);

// A side as oriented in its element. A face is counter-clockwise when seen from outside; an edge of
// a counter-clockwise triangle has the outside to its right.
typedef struct pli_element_side {
    pli_element_kind kind; // of the element
    int element;
    int32_t v[PLI_FACE_MAX]; // for PLI_EDGES and PLI_FACES of quadratic elements the midside nodes
                             // follow: 01, or 01 12 20
} pli_element_side;

// Sides of all elements, those of linear elements first, are numbered in the order of the elements.
// This is number i.
pli_element_side pli_side_at(const pli_elements* elements, pli_side_kind kind, int i);

// The distinct sides and their uses: the numbers of the sides with these vertices.
typedef struct pli_sides {
    pli_memory* memory;
    int width;
    int count;
    int32_t* vertices; // width per side, ascending; sides are sorted by them
    int32_t* start;    // count + 1 indices into `uses`
    int use_count;
    int32_t* uses; // ascending for each side
} pli_sides;

// Zero-initialize or free `sides` before.
pli_status pli_sides_create(pli_memory* memory, const pli_elements* elements, pli_side_kind kind,
                            pli_sides* sides, pli_error* error);
void pli_sides_free(pli_sides* sides);

// The side with these vertices, in any order; -1: none.
int pli_sides_find(const pli_sides* sides, const int32_t* vertices);

static inline int pli_side_uses(const pli_sides* sides, int side) {
    return sides->start[side + 1] - sides->start[side];
}

// ---- boundary

// The edges of one triangle, split at midside nodes, 2 vertices each: directed as in the triangle,
// sorted by the first, then the second vertex. The caller frees 2 * *count entries.
pli_status pli_boundary_segments(pli_memory* memory, const pli_elements* elements,
                                 int32_t** segments, int* count, pli_error* error);

// loose[i]: element i of this kind (segments, triangles of both kinds) is not part of an element of
// dimension `of` (2 triangles, 3 tetrahedra). Mesh files list faces and edges of solids as separate
// elements; the loose ones are sheets and threads. Quadratic triangles are compared by their
// corners.
pli_status pli_mark_loose(pli_memory* memory, const pli_elements* elements, pli_element_kind kind,
                          int of, bool* loose, pli_error* error);

// ---- stencils

// Whether the edge (of PLI_EDGES) has exactly two triangles with different apexes at it: apex, the
// two ends of the edge, the other apex; the first triangle is apex, end, end.
bool pli_hinge_at(const pli_elements* elements, const pli_sides* edges, int edge, int32_t hinge[4]);

// The edges at each vertex.
typedef struct pli_stars {
    pli_memory* memory;
    int vertex_count;
    int32_t* start; // vertex_count + 1 indices into `sides`
    int32_t* sides; // sides of width 2 with the vertex, ascending
} pli_stars;

// Zero-initialize or free `stars` before.
pli_status pli_stars_create(pli_memory* memory, const pli_elements* elements,
                            const pli_sides* edges, pli_stars* stars, pli_error* error);
void pli_stars_free(pli_stars* stars);

// The other end of the i-th edge in `stars->sides`, which is at the vertex.
static inline int32_t pli_star_neighbor(const pli_stars* stars, const pli_sides* edges,
                                        int32_t vertex, int i) {
    const int32_t* ends = edges->vertices + 2 * (size_t)stars->sides[i];
    return ends[0] == vertex ? ends[1] : ends[0];
}

// Whether exactly two segments (of PLI_SEGMENTS), to different vertices, meet at the vertex: the
// other end of the first one, the vertex, that of the second.
bool pli_corner_at(const pli_sides* segments, const pli_stars* stars, int32_t vertex,
                   int32_t corner[3]);

// ---- components

// root[v]: the lowest vertex that elements connect with v; -1: v belongs to no element. One entry
// for each vertex below the limit.
void pli_find_components(const pli_elements* elements, int32_t* root);

// ---- defects of a surface

typedef struct pli_surface_report {
    int edge_count;
    int open_edges;       // with one triangle
    int crowded_edges;    // with three or more
    int turned_edges;     // with two triangles of opposite orientations
    int pinched_vertices; // whose triangles form more than one fan
    int component_count;  // of triangles connected by edges
    int first_open[2];    // vertices of the first of each, -1: none
    int first_crowded[2];
    int first_turned[2];
    int first_pinched;
} pli_surface_report;

// A surface encloses a volume if it has triangles and no open, crowded or turned edges.
pli_status pli_surface_inspect(pli_memory* memory, int vertex_limit, int triangle_count,
                               const int32_t* triangles, pli_surface_report* report,
                               pli_error* error);

#endif
