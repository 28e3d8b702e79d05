// Meshes: vertices and elements. A plain struct that owns its arrays.
#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "pliant/base.h"
#include "pliant/energy.h"

#ifdef __cplusplus
extern "C" {
#endif

// A named set of vertices: a physical group, a marker or reference number, a named part of a file,
// or a side of a generated shape. A vertex may be in several groups.
enum { PLI_MESH_NAME_SIZE = 64 };
typedef struct pli_mesh_group {
    char name[PLI_MESH_NAME_SIZE]; // not empty; the number for a group that the file only numbers
    int32_t tag;                   // its number in the file; 0: none
    int dim;                       // of its elements, 1 to 3; 0: a group of vertices or points
    int vertex_count;
    int32_t* vertices; // ascending, each once
    int vertex_capacity;
} pli_mesh_group;

// Members may be read; change them only with the functions below. A function that fails changes
// nothing.
typedef struct pli_mesh {
    int vertex_count;
    double* positions;                         // 3 per vertex [m]
    int element_count[PLI_ELEMENT_KIND_COUNT]; // [PLI_VERTEX] stays 0: every vertex is one
    int32_t* elements[PLI_ELEMENT_KIND_COUNT]; // pli_element_size(kind) vertices per element
    int vertex_capacity;                       // capacity of `positions`
    int element_capacity[PLI_ELEMENT_KIND_COUNT];
    int group_count;
    pli_mesh_group* groups; // no two of the same name and dimension
    int group_capacity;
    struct pli_mesh_source* source; // notes of pli_mesh_read about the file; NULL: none
    const pli_allocator* allocator; // NULL: malloc
} pli_mesh;

// An empty mesh. `allocator` may be NULL; it must outlive the mesh.
PLI_API void pli_mesh_init(pli_mesh* mesh, const pli_allocator* allocator);
PLI_API void pli_mesh_free(pli_mesh* mesh);

// Adds vertices (3 coordinates each) or elements. `*first` (may be NULL) gets the first new number.
PLI_API pli_status pli_mesh_add_vertices(pli_mesh* mesh, int count, const double* positions,
                                         int* first, pli_error* error);
PLI_API pli_status pli_mesh_add_elements(pli_mesh* mesh, pli_element_kind kind, int count,
                                         const int32_t* vertices, pli_error* error);

// Adds vertices, in any order, to the group of this name and dimension, which is created if needed.
// The name must not be empty and is cut to 63 bytes; a tag other than 0 replaces a tag 0.
PLI_API pli_status pli_mesh_add_group(pli_mesh* mesh, const char* name, int32_t tag, int dim,
                                      int count, const int32_t* vertices, pli_error* error);
// Adds vertices, elements and groups of another mesh; groups of the same name and dimension become
// one. If it fails for lack of memory, parts may have been added.
PLI_API pli_status pli_mesh_add_mesh(pli_mesh* mesh, const pli_mesh* other, pli_error* error);

// The number of the group with this name, -1 if there is none. Among groups of the same name the
// one with the largest dimension below that of the mesh is chosen: surfaces of a solid come before
// its edges and points, and parts of the solid itself come last.
PLI_API int pli_mesh_find_group(const pli_mesh* mesh, const char* name);

// ---- shapes; their sides are groups

// A rectangle of nx * ny cells centred at the origin, (nx + 1)(ny + 1) vertices; vertex (i, j) in
// column i and row j has the number i (ny + 1) + j. Groups: left, right (x lowest, highest),
// bottom, top (y).
typedef enum pli_rectangle_pattern {
    PLI_TRIANGLES, // two counter-clockwise triangles per cell, diagonals alternating
    PLI_SPRINGS,   // all sides and both diagonals of each cell as segments
} pli_rectangle_pattern;
PLI_API pli_status pli_mesh_add_rectangle(pli_mesh* mesh, double width, double height, int nx,
                                          int ny, pli_rectangle_pattern pattern, pli_error* error);

// A disk of 6 rings^2 counter-clockwise triangles around the origin. Vertex 0 is the centre; ring k
// = 1 .. rings has 6 k vertices at radius k / rings, counter-clockwise from the x axis. Group: rim.
PLI_API pli_status pli_mesh_add_disk(pli_mesh* mesh, double radius, int rings, pli_error* error);

// A chain of segments from a to b, segments + 1 vertices. Groups: start, end.
PLI_API pli_status pli_mesh_add_line(pli_mesh* mesh, const double a[3], const double b[3],
                                     int segments, pli_error* error);

// A helix of segments around the z axis from (radius, 0, 0) on, right-handed; pitch: rise of a turn.
// Groups: start, end.
PLI_API pli_status pli_mesh_add_helix(pli_mesh* mesh, double radius, double pitch, double turns,
                                      int segments, pli_error* error);
// A closed ring of segments around the z axis.
PLI_API pli_status pli_mesh_add_ring(pli_mesh* mesh, double radius, int segments,
                                     pli_error* error);
// A thread through `count` points (3 numbers each), straight between them or `smooth`; `closed`: back
// to the first. Divided into segments of the same length along it; 0: at the points. Groups of an open
// one: start, end.
PLI_API pli_status pli_mesh_add_polyline(pli_mesh* mesh, int count, const double* points,
                                         bool closed, bool smooth, int segments, pli_error* error);

// Many threads that grow from a surface along its normals.
typedef struct pli_strands {
    int count, segments;
    double length;      // along the normal [m]
    double lift;        // distance of the first vertex from the surface [m]
    double curl, pitch; // radius of a helix about the normal, and its rise per turn [m]; 0: straight
    double axis[3], angle; // only from faces with normals within `angle` [rad] of `axis`; 0: from all
    uint64_t seed;         // of the places, which are random by area
} pli_strands;
// `surface`: its triangles, or the boundary of its tetrahedra. Groups: root (the first two vertices of
// each), tip.
PLI_API pli_status pli_mesh_add_strands(pli_mesh* mesh, const pli_mesh* surface,
                                        const pli_strands* strands, pli_error* error);
// The same where the triangles stand for a round surface: `onto` moves each root, which is on one of
// them, and its unit normal to that surface. NULL: they stay.
typedef void pli_root_fn(const void* context, double root[3], double normal[3]);
PLI_API pli_status pli_mesh_grow_strands(pli_mesh* mesh, const pli_mesh* surface,
                                         const pli_strands* strands, pli_root_fn* onto,
                                         const void* context, pli_error* error);

// ---- surfaces of triangles, counter-clockwise seen from outside

// A tube along x, centred at the origin: segments + 1 rings of 6 `rings` vertices. Its ends are open,
// flat (a disk of `rings` rings, as in pli_mesh_add_disk) or round (half a sphere beyond `length`: a
// capsule). Groups: bottom, top (the rings, disks or half-spheres at the lower and the upper x), side.
typedef enum pli_tube_ends {
    PLI_ENDS_OPEN,
    PLI_ENDS_FLAT,
    PLI_ENDS_ROUND,
} pli_tube_ends;
PLI_API pli_status pli_mesh_add_tube(pli_mesh* mesh, double radius, double length, int rings,
                                     int segments, pli_tube_ends ends, pli_error* error);

// A polygon, x and y of its points counter-clockwise, swept along z from -height / 2 to height / 2; of
// height 0 the polygon itself. It may be concave, and touch itself along a cut that leads to a hole.
// Vertex i is the i-th point of the lower polygon, corners + i of the upper one.
PLI_API pli_status pli_mesh_add_prism(pli_mesh* mesh, int corners, const double* outline,
                                      double height, pli_error* error);

// A sphere around the origin: 12 rings^2 triangles, 6 rings^2 + 2 vertices, with `rings` rings from
// each pole, which are on the x axis, to the equator. Groups: bottom, top (the halves at lower and
// upper x, both with the equator), side (the equator).
PLI_API pli_status pli_mesh_add_sphere(pli_mesh* mesh, double radius, int rings, pli_error* error);

// ---- solids of tetrahedra, all of positive volume, without coincident vertices; all have the
// group surface

// A box of segments[0] * [1] * [2] cells, six tetrahedra each, centred at the origin; vertex
// (i, j, k) has the number (i (segments[1] + 1) + j) (segments[2] + 1) + k. A bar is the same, but
// begins at x = 0. Groups: left, right (x lowest, highest), bottom, top (y), front, back (z).
PLI_API pli_status pli_mesh_add_box(pli_mesh* mesh, const double size[3], const int segments[3],
                                    pli_error* error);
PLI_API pli_status pli_mesh_add_bar(pli_mesh* mesh, const double size[3], const int segments[3],
                                    pli_error* error);

// A ball around the origin: 48 shells^3 tetrahedra, (2 shells + 1)^3 vertices.
PLI_API pli_status pli_mesh_add_ball(pli_mesh* mesh, double radius, int shells, pli_error* error);

// A cylinder along x, centred at the origin: segments + 1 disks of `rings` rings, 18 rings^2
// segments tetrahedra. Groups: bottom, top (the disks at the lower and the upper x), side.
PLI_API pli_status pli_mesh_add_cylinder(pli_mesh* mesh, double radius, double length, int rings,
                                         int segments, pli_error* error);

// A cone along x with its tip at x = -length / 2 and its base at x = length / 2. Layer k from the
// tip has min(k, rings) rings; segments >= rings. Groups: bottom (the base), top (the tip), side.
PLI_API pli_status pli_mesh_add_cone(pli_mesh* mesh, double radius, double length, int rings,
                                     int segments, pli_error* error);

// A torus around the z axis; `radius` is that of the centre line of the tube, `tube` its radius.
PLI_API pli_status pli_mesh_add_torus(pli_mesh* mesh, double radius, double tube, int rings,
                                      int segments, pli_error* error);

// Replaces all triangles and tetrahedra by quadratic ones, with a midpoint vertex on each edge that
// adjacent elements share. Element numbers stay. A midpoint is in the groups that contain its whole
// edge: on elements whose corners are all in the group, or, for groups of a lower dimension than
// the mesh, on its boundary.
PLI_API pli_status pli_mesh_make_quadratic(pli_mesh* mesh, pli_error* error);

// Moves midpoints of quadratic elements onto a curved surface: those of boundary edges with both
// ends in the group, which is on it. `onto` moves a point between the ends onto the surface. Where
// an element would invert, midpoints stay closer to the straight edge.
typedef void pli_onto_fn(const void* context, double x[3]);
PLI_API pli_status pli_mesh_curve(pli_mesh* mesh, const char* group, pli_onto_fn* onto,
                                  const void* context, pli_error* error);
// Moves all midpoints of quadratic elements to the centres of their edges.
PLI_API void pli_mesh_straighten(pli_mesh* mesh);

// Adds tetrahedra that fill the closed surface of the triangles of `surface`, which is another
// mesh: isosurface stuffing. Edges are about `size` long [m]; 0 chooses a size that gives a few
// thousand tetrahedra, smaller where parts are thin. `*used_size` (may be NULL) gets it. All
// dihedral angles are between 10.7 and 164.8 degrees. The vertices of the surface are not kept: the
// boundary follows it to within the size, sharp edges are cut off, parts thinner than the size may
// be lost. A shell inside another is a cavity if its triangles point into it. Small gaps are
// bridged. Groups: surface, and those of `surface` on its triangles. PLI_E_ARGUMENT: the surface is
// open, or the size is too large or too small for it.
PLI_API pli_status pli_mesh_fill(pli_mesh* mesh, const pli_mesh* surface, double size,
                                 double* used_size, pli_error* error);

// Replaces a solid by its surface: the boundary of its tetrahedra and the triangles that are no faces
// of them. Vertices inside and segments are dropped, groups keep their vertices on the surface.
PLI_API pli_status pli_mesh_keep_surface(pli_mesh* mesh, pli_error* error);

// Replaces all elements by the edges of the surface (those of quadratic faces go through their
// midpoints) and the existing segments, each once.
PLI_API pli_status pli_mesh_keep_edges(pli_mesh* mesh, pli_error* error);

// ---- elements

// Length [m], area [m^2] or volume [m^3] of one element at positions x (3 per vertex); 0 for a
// vertex. Triangles in the plane (dim 2) and tetrahedra are signed: positive if counter-clockwise,
// or if the fourth vertex is on the right-handed side of the first three. Curved sides of quadratic
// elements are included.
PLI_API double pli_element_measure(int dim, pli_element_kind kind, const int32_t* vertices,
                                   const double* x);

// Mirrors the element: the sign of its measure changes. Vertices and segments are unchanged.
PLI_API void pli_element_mirror(pli_element_kind kind, int32_t* vertices);

// The dimension of the elements that get mass from density: 3 if there are any, else 2, else none
// (0). `count` has an entry per kind.
PLI_API int pli_mass_dimension(const int count[PLI_ELEMENT_KIND_COUNT]);

// Numbers of segments that are not an edge of a triangle, and of vertices without elements.
PLI_API pli_status pli_mesh_count_loose(const pli_mesh* mesh, int* count, pli_error* error);

// ---- files

// Adds the content of a mesh file: vertices, segments, triangles, tetrahedra, and their quadratic
// forms. Polygons are split into triangles; points are read as vertices; other elements are skipped
// with a note. The file name gives the format: .msh (Gmsh 2.x, 4.0, 4.1), .vtk, .vtu, .mesh
// (Medit), .node or .ele (TetGen; either reads both), .obj, .stl, .ply, .off, .seg, .csv (strands of
// hair: lines "strand, x, y, z" from root to tip; groups root, tip); otherwise the first bytes do. Groups come from physical groups (Gmsh), references (Medit), markers and regions
// (TetGen), integer arrays with at most 64 values, as "array=value" (VTK, VTU), objects and groups
// (OBJ). PLI_E_IO: the file cannot be read. PLI_E_SCENE: its content is invalid; the message gives
// the file and the line and column, or the byte. A file without vertices is invalid.
PLI_API pli_status pli_mesh_read(pli_mesh* mesh, const char* path, pli_error* error);
// Same for a Wavefront OBJ file of any name.
PLI_API pli_status pli_mesh_read_obj(pli_mesh* mesh, const char* path, pli_error* error);
// The texture coordinates of an OBJ file as a mesh in the plane: its vertices are the lines "vt u v",
// its triangles the faces, in their order. PLI_E_SCENE also if a face is no triangle or has a corner
// without texture coordinate.
PLI_API pli_status pli_mesh_read_uv(pli_mesh* mesh, const char* path, pli_error* error);
// True if the name is that of a mesh file.
PLI_API bool pli_mesh_is_file(const char* path);

// Notes of pli_mesh_read: "12 hexahedra skipped". NULL after the last.
PLI_API int pli_mesh_note_count(const pli_mesh* mesh);
PLI_API const char* pli_mesh_note(const pli_mesh* mesh, int i);
// Position of an element (or with PLI_VERTEX a vertex) in its file: "line 12", "byte 4035", or ""
// if unknown. Returns `buffer`.
PLI_API const char* pli_mesh_place(const pli_mesh* mesh, pli_element_kind kind, int index,
                                   char* buffer, size_t size);

// Writes the mesh; the file name gives the format: .vtu (text), .msh (Gmsh 2.2, text), .obj
// (segments and triangles; fails for a solid). Groups are written to .vtu, as arrays "group:NAME"
// of 0 and 1, and to .msh, as physical groups. On failure no file is left.
PLI_API pli_status pli_mesh_write(const pli_mesh* mesh, const char* path, pli_error* error);

// ---- summary and defects

enum { PLI_QUALITY_BINS = 10, PLI_QUALITY_WORST = 5 };
#define PLI_FLAT_QUALITY 1e-3 // elements below it are nearly degenerate

typedef struct pli_mesh_summary {
    double low[3], high[3]; // bounding box of all vertices [m]
    double length;          // of all segments [m]
    double area;            // of all triangles [m^2]
    double volume;          // of all tetrahedra, inverted ones negative [m^3]
    int component_count;    // connected components
    int unreferenced_count; // vertices without elements
    int first_unreferenced; // -1: none

    // Edges of the elements of the largest dimension, from corner to corner [m].
    double shortest_edge, mean_edge, longest_edge;
    int shortest_ends[2]; // the vertices of the shortest one

    // The surface: the boundary of the tetrahedra, or the triangles if there are none.
    int surface_triangles, surface_vertices, surface_edges, surface_components;
    int open_edges;       // with one triangle
    int crowded_edges;    // with three triangles or more
    int turned_edges;     // with two triangles of inconsistent orientation
    int pinched_vertices; // where the surface touches itself at one vertex
    int crowded_faces;    // of tetrahedra: shared by three or more
    int overlapped_faces; // with two tetrahedra on the same side
    // Vertices of the first defect of each kind, -1: none.
    int first_open[2], first_crowded[2], first_turned[2], first_pinched;
    int first_crowded_face[3], first_overlapped_face[3];
    // Vertices - edges + triangles of the surface: for closed ones 2 per component, minus 2 per
    // handle.
    int euler;
    bool closed;     // it encloses a volume
    double enclosed; // that volume; negative: its triangles point inward [m^3]

    // Quality 1 is an equilateral element, 0 a degenerate one: 3 (for triangles 2) times the radius
    // of the inscribed sphere over that of the circumscribed one. For the elements of the largest
    // dimension.
    pli_element_kind quality_kind; // PLI_VERTEX: there are none
    double worst_quality, mean_quality;
    int quality_bins[PLI_QUALITY_BINS]; // elements with quality i / 10 to (i + 1) / 10
    int worst_count;
    int worst[PLI_QUALITY_WORST]; // the worst elements, ascending quality
    double worst_qualities[PLI_QUALITY_WORST];
    // Dihedral angles of tetrahedra, or angles of triangles [degrees], and the elements that have
    // them.
    double smallest_angle, largest_angle;
    int smallest_angle_element, largest_angle_element;
} pli_mesh_summary;

PLI_API pli_status pli_mesh_summarize(const pli_mesh* mesh, pli_mesh_summary* summary,
                                      pli_error* error);

// Number of triangles and tetrahedra with a quality below PLI_FLAT_QUALITY.
PLI_API int pli_mesh_count_flat(const pli_mesh* mesh);

typedef enum pli_defect_kind {
    PLI_DEFECT_INDEX,      // an element names a vertex that does not exist
    PLI_DEFECT_REPEATED,   // an element names a vertex twice
    PLI_DEFECT_DEGENERATE, // length, area or volume is 0, or nearly 0 relative to its edges
    PLI_DEFECT_INVERTED,   // negative: a clockwise triangle in the plane, an inverted tetrahedron
    PLI_DEFECT_PLANE,      // a tetrahedron in a plane problem
    PLI_DEFECT_FLAT, // quality below PLI_FLAT_QUALITY: it can be simulated, but with poor accuracy
    PLI_DEFECT_SAME_PLACE, // two coincident vertices
    PLI_DEFECT_KIND_COUNT,
} pli_defect_kind;

typedef struct pli_defect {
    pli_defect_kind kind;
    pli_element_kind element_kind; // PLI_VERTEX for SAME_PLACE
    int element;                   // its number; for SAME_PLACE the vertex
    int vertex;                    // the vertex in question; for SAME_PLACE the lower one
    double measure;                // length, area or volume [m, m^2, m^3]; for FLAT the quality
} pli_defect;

// True if a mesh with it cannot be simulated.
PLI_API bool pli_defect_is_grave(pli_defect_kind kind);
// "triangle 7 has area -0.5 m^2: its vertices must run counter-clockwise"
PLI_API void pli_defect_text(const pli_defect* defect, char* text, size_t size);

typedef void pli_defect_fn(void* context, const pli_defect* defect);
// Calls `report` for each defect: elements by kind and number (at most one defect each), then
// vertices. In the plane (dim 2) z coordinates are ignored. Fails only without memory.
PLI_API pli_status pli_mesh_check(const pli_mesh* mesh, int dim, pli_defect_fn* report,
                                  void* context, pli_error* error);

// Calls `report` for each defect in words: "tetrahedron 7 (line 30) has volume 0 m^3: ...".
// `grave`: the mesh cannot be simulated; other defects are nearly degenerate elements and
// coincident vertices. In the plane (dim 2) clockwise triangles are defects too.
typedef void pli_mesh_defect_fn(void* context, bool grave, const char* message);
PLI_API pli_status pli_mesh_find_defects(const pli_mesh* mesh, int dim, pli_mesh_defect_fn* report,
                                         void* context, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
