// Reads the folder of a run, one frame at a time. The run may still be writing: frames are complete
// files, and those present when the result is opened count.
//
// Bodies may be added, removed or replaced during a run. An epoch is a range of frames with the
// same bodies, vertices and elements; every frame names its epoch. The bodies of a result are those
// of the last frame read. Folders of runs without changes have one epoch.
#ifndef PLI_RESULT_RESULT_H
#define PLI_RESULT_RESULT_H

#include <jansson.h>

#include "pliant/replay.h"
#include "result/result_frame.h"
#include "result/snapshot.h"

// The visible part of a body: the boundary of its tetrahedra and its other triangles (quadratic
// ones as four each); its segments; its vertices without elements. Indices count the body's shown
// vertices from 0.
typedef struct pli_result_body {
    char* name;
    char* word; // the name as letters, digits and '_', unique
    int number; // index in the world
    bool obstacle;
    bool cage;        // the next body is shown instead
    bool ground;      // created from a half-space (pli_result_choice)
    int half_space;   // of this one
    double thickness; // in contact [m]
    double radius;    // of what is shown, around points, segments and sheets [m]
    int first_vertex; // of all its vertices in the world
    int all_vertices; // shown or not
    int vertex_count;
    int32_t* vertices; // world indices of the shown ones, ascending
    int triangle_count;
    int32_t* triangles; // 3 each; of solids counter-clockwise seen from outside
    int segment_count;
    int32_t* segments; // 2 each
    int point_count;
    int32_t* points;
} pli_result_body;

typedef struct pli_result_half_space {
    char* name;
    double plane[6]; // point [m], normal; at the start of the epoch
    int carrier;     // the vertex that the point moves with; -1: at rest
} pli_result_half_space;

// Selection of bodies, applied to every epoch.
typedef struct pli_result_choice {
    // Bodies with one of these names; "cube" also matches its copies "cube 0", "cube 1" ... NULL:
    // all. The names must outlive the result.
    const char* const* names;
    int name_count;
    bool no_cages; // without the bodies that have another body as their skin
    // With an obstacle for each half-space, for programs that have no half-spaces: in space a
    // square of its surface, twice as wide as the extent of some of the frames, clipped by the
    // others; in the plane a strip below its line. Their vertices follow those of the world and
    // have zero fields; a ground with a carrier moves with it and clips no others.
    bool grounds;
} pli_result_choice;

// A field that only this run has, named by an energy.
typedef struct pli_result_own_field {
    char name[64], label[64], unit[24];
} pli_result_own_field;
enum { PLI_RESULT_SHOWN = 24 }; // fields that can be shown, at most

typedef struct pli_result {
    pli_memory* memory;
    char* folder;
    int frame_count;
    // Fields that can be shown: those of pli_field_at, then those of run.json.
    int shown_count;
    pli_field_info shown[PLI_RESULT_SHOWN];
    pli_result_own_field own[PLI_SCALARS_KEPT];
    uint32_t fields;   // bits of `shown`: what the first frame has
    json_t* info;      // run.json; NULL: the folder has none
    char* title;       // "": none
    char* camera;      // of the scene, as JSON; "": none
    int dimension;     // 2: plane scenes
    double gravity[3]; // [m/s^2]
    pli_result_choice choice;
    double low[3], high[3]; // the box around some of the frames, for grounds [m]

    // Of the current epoch.
    int epoch;
    int vertex_count;            // of the world
    int added_count, added_room; // vertices of grounds, and allocated numbers
    double* added;               // their positions [m]
    int body_count, body_capacity;
    pli_result_body* bodies;
    int half_space_count, half_space_room;
    pli_result_half_space* half_spaces;
} pli_result;

// PLI_E_IO: there are no frames, or the first cannot be read; PLI_E_SCENE: it is not a frame of a
// run.
pli_status pli_result_open(pli_result* result, pli_memory* memory, const char* folder,
                           pli_error* error);
void pli_result_close(pli_result* result); // zeroed is valid

// The bodies of a snapshot, without names; the result must have a memory and no bodies yet.
// Tetrahedra of cages are not shown.
pli_status pli_result_add_bodies(pli_result* result, const pli_snapshot* snapshot,
                                 pli_error* error);

// Selects bodies, for the current epoch and later ones. Call once, after opening. PLI_E_ARGUMENT:
// no epoch has a body of one of the names.
pli_status pli_result_choose(pli_result* result, const pli_result_choice* choice, pli_error* error);
// The body with exactly this name, NULL if there is none in the current epoch.
const pli_result_body* pli_result_find(const pli_result* result, const char* name);

// Half-space i for these positions of the world's vertices: point [m], normal.
void pli_result_plane(const pli_result* result, int i, const double* positions, double plane[6]);

// The first frame after frame `first` with another epoch; -1: none.
int pli_result_next_change(const pli_result* result, int first);

// ---- frames

// An array on the points.
typedef struct pli_result_field {
    char name[80];
    int components;
    double* values;
} pli_result_field;
enum { PLI_RESULT_FIELDS = 24 };

// The vertices of the world in one frame, then those of grounds. Zero-initialize it; its arrays are
// kept from frame to frame of an epoch.
typedef struct pli_result_frame {
    pli_memory* memory;
    double time; // [s]
    int vertex_count;
    double* positions; // 3 each [m]
    int field_count;
    pli_result_field fields[PLI_RESULT_FIELDS];
} pli_result_frame;

// Which arrays are read in addition to the positions.
typedef enum pli_result_detail { PLI_POSITIONS, PLI_VELOCITIES, PLI_ALL_FIELDS } pli_result_detail;

// Reads frame i; afterwards the result has the bodies of its epoch. On failure the result is
// unchanged. Positions must be finite, also as floats.
pli_status pli_result_read(pli_result* result, int i, pli_result_detail detail,
                           pli_result_frame* frame, pli_error* error);
void pli_result_frame_free(pli_result_frame* frame); // zeroed is valid
const pli_result_field* pli_result_find_field(const pli_result_frame* frame, const char* name);

// ---- fields

// One array on all vertices of the world. Zero-initialize it; its memory is kept from frame to
// frame.
typedef struct pli_result_values {
    pli_memory* memory;
    int components;
    double* values;
    size_t value_count;
    // of cells: vertices and where those of each end; read once per epoch
    int epoch, cell_count;
    int32_t *connectivity, *ends;
    size_t connectivity_size;
} pli_result_values;
void pli_result_values_free(pli_result_values* values); // zeroed is valid

// Reads the array of this name in frame i, which must be of the current epoch; cell data are
// averaged over the cells of each vertex. PLI_E_ARGUMENT: there is no such array.
pli_status pli_result_read_values(pli_result_values* values, const pli_result* result, int i,
                                  const char* array, pli_error* error);
// Fills `shown`, from the table and run.json, and `fields`, from the first frame.
void pli_result_find_shown(pli_result* result, const pli_frame_file* file);
// Whether the first frame has result->shown[i].
bool pli_result_has_field(const pli_result* result, int i);

// PLI_E_ARGUMENT, with the list of available fields: the first frame has no field with this key,
// which is `length` long.
pli_status pli_result_check_field(const pli_result* result, const char* key, size_t length,
                                  pli_error* error);

// The field with this key; NULL if there is none.
const pli_field_info* pli_result_shown(const pli_result* result, const char* key);

// A value, or the length of a vector.
double pli_result_size(const pli_result_values* values, int vertex);

// ---- convex polygons in space, clipped by planes

// Corners of a square clipped by PLI_POLYGON_CUTS planes: each adds at most one.
enum { PLI_POLYGON_CUTS = 12, PLI_POLYGON_CORNERS = 4 + PLI_POLYGON_CUTS };

typedef struct pli_polygon {
    int count; // 2: a line
    double corner[PLI_POLYGON_CORNERS][3];
} pli_polygon;

// Keeps the part on the free side: (x - point) . normal >= 0.
void pli_polygon_cut(pli_polygon* polygon, const double point[3], const double normal[3]);

// ---- run.json: data that frames do not contain

// Reads folder/run.json. *root NULL: there is no such file.
pli_status pli_run_info_load(pli_memory* memory, const char* folder, json_t** root,
                             pli_error* error);
// The epochs in it, objects with "bodies" and "half_spaces"; a file without epochs is a single
// epoch. NULL: there is none with this number.
int pli_run_info_epoch_count(const json_t* root);
const json_t* pli_run_info_epoch(const json_t* root, int number);

// Writes folder/run.json of a new run; `title` and `camera` (a JSON object) may be NULL.
pli_status pli_run_info_write(const pli_snapshot* snapshot, const char* title, const char* camera,
                              const char* folder, pli_error* error);

// An epoch of a run that is being recorded: the bodies of the snapshot, from this frame and step
// on.
typedef struct pli_run_epoch {
    const pli_snapshot* snapshot;
    int first_frame, first_step;
} pli_run_epoch;
// Adds it to folder/run.json, behind the epochs that begin before its first frame; others are
// removed. A snapshot NULL: only that. *number is the number of the epoch.
pli_status pli_run_info_add_epoch(pli_memory* memory, const char* folder,
                                  const pli_run_epoch* epoch, int* number, pli_error* error);

// ---- internals

// Reads run.json of the result again: title, dimension, gravity. Without that file they stay
// unchanged.
pli_status pli_run_info_read(pli_result* result, pli_error* error);
// Names, thickness and kinds of the bodies and half-spaces of the current epoch.
// PLI_E_SCENE: run.json does not list this epoch.
pli_status pli_run_info_read_epoch(pli_result* result, pli_error* error);
// Whether any epoch has a body with a name that `matches` accepts.
bool pli_run_info_has_body(const pli_result* result,
                           bool (*matches)(const char* body, const char* name), const char* name);

// Loads the bodies of this frame's epoch into `result`; the previous ones are not freed.
pli_status pli_result_load(pli_result* result, const pli_frame_file* file, pli_error* error);
void pli_result_free_bodies(pli_result* result); // and half-spaces
// Adds an obstacle with new vertices, which have no positions yet, and triangles without corners.
pli_status pli_result_add_body(pli_result* result, const char* name, int vertex_count,
                               int triangle_count, pli_result_body** body, pli_error* error);
// Grounds: the bounding box, from some of the frames; their bodies; their positions in a frame.
pli_status pli_result_find_extent(pli_result* result, pli_error* error);
pli_status pli_result_add_grounds(pli_result* result, pli_error* error);
void pli_result_move_grounds(const pli_result* result, pli_result_frame* frame);

#endif
