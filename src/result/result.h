// Reads the folder of a run: the visible surface of each body once, the frames one at a time. The
// run may still be writing: frames are complete files, and those present when the result is opened
// count.
#ifndef PLI_RESULT_RESULT_H
#define PLI_RESULT_RESULT_H

#include "result/snapshot.h"

// A body as it is shown: the boundary of its tetrahedra, the triangles beside them
// (quadratic ones as four each); its segments; its vertices without elements. Parts count the
// body's shown vertices from 0.
typedef struct pli_result_body {
    char* name;
    char* word; // the name as letters, digits and '_', not alike for any two bodies
    int number; // in the world
    bool obstacle;
    bool cage;        // the next body is shown instead
    bool ground;      // made of a half-space (result_ground.h)
    int half_space;   // of this one
    double thickness; // in contact [m]
    int first_vertex; // of all its vertices in the world
    int all_vertices; // shown or not
    int vertex_count;
    int32_t* vertices; // world numbers of the shown ones, ascending
    int triangle_count;
    int32_t* triangles; // 3 each; of solids counter-clockwise seen from outside
    int segment_count;
    int32_t* segments; // 2 each
    int point_count;
    int32_t* points;
} pli_result_body;

typedef struct pli_result_half_space {
    char* name;
    double plane[6]; // point [m], normal; at t = 0
    int carrier;     // the vertex that the point moves with; -1: it stands still
} pli_result_half_space;

typedef struct pli_result {
    pli_memory* memory;
    char* folder;
    char* title; // "": none
    int frame_count;
    uint32_t fields;  // bits of pli_field_at: what the first frame has
    int vertex_count; // of the world
    int added_count,
        added_room; // vertices behind those of the world, and numbers they have room for
    double* added;  // their positions [m]
    int body_count;
    pli_result_body* bodies;
    int body_capacity;
    int dimension;     // 2: plane scenes
    double gravity[3]; // [m/s^2]
    int half_space_count, half_space_room;
    pli_result_half_space* half_spaces;
} pli_result;

// PLI_E_IO: there are no frames, or the first cannot be read; PLI_E_SCENE: it is no frame of ours.
pli_status pli_result_open(pli_result* result, pli_memory* memory, const char* folder,
                           pli_error* error);
void pli_result_close(pli_result* result); // zeroed is fine

// The bodies of a snapshot, without names; the result must have a memory and no bodies yet. Of
// cages no tetrahedra are shown.
pli_status pli_result_add_bodies(pli_result* result, const pli_snapshot* snapshot,
                                 pli_error* error);

// Keeps the bodies with one of these names; "cube" stands for its copies "cube 0", "cube 1" ...
// too. PLI_E_ARGUMENT: no body has one of the names.
pli_status pli_result_keep(pli_result* result, const char* const* names, int count,
                           pli_error* error);
// Drops the bodies of which another one is the skin.
void pli_result_drop_cages(pli_result* result);
// Adds an obstacle of new vertices, which have no places yet, and triangles without corners.
pli_status pli_result_add_body(pli_result* result, const char* name, int vertex_count,
                               int triangle_count, pli_result_body** body, pli_error* error);
// The body with exactly this name, NULL if there is none.
const pli_result_body* pli_result_find(const pli_result* result, const char* name);

// Half-space i where the vertices of the world are at these places: point [m], normal.
void pli_result_plane(const pli_result* result, int i, const double* positions, double plane[6]);

// ---- frames

// An array on the points.
typedef struct pli_result_field {
    char name[80];
    int components;
    double* values;
} pli_result_field;
enum { PLI_RESULT_FIELDS = 16 };

// The vertices of the world in one frame, then those that were added. Zero-initialize it; its
// arrays are kept from frame to frame.
typedef struct pli_result_frame {
    pli_memory* memory;
    double time; // [s]
    int vertex_count;
    double* positions; // 3 each [m]
    int field_count;
    pli_result_field fields[PLI_RESULT_FIELDS];
} pli_result_frame;

// Which of the arrays are read beside the positions.
typedef enum pli_result_detail { PLI_POSITIONS, PLI_VELOCITIES, PLI_ALL_FIELDS } pli_result_detail;

// Reads frame i. Positions must be finite, also as floats.
pli_status pli_result_read(const pli_result* result, int i, pli_result_detail detail,
                           pli_result_frame* frame, pli_error* error);
void pli_result_frame_free(pli_result_frame* frame); // zeroed is fine
const pli_result_field* pli_result_find_field(const pli_result_frame* frame, const char* name);

#endif
