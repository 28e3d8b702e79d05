// Reads a result folder frame by frame, for programs that show it. The run may still be in progress.
#ifndef PLIANT_REPLAY_H
#define PLIANT_REPLAY_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_replay pli_replay;

// The visible part of a body: the boundary of its tetrahedra, other triangles, and segments. Vertices
// are numbered as in the world.
typedef struct pli_replay_body {
    const char* name;
    int first_vertex, end_vertex;
    bool obstacle;
    double thickness; // in contact [m]
    int triangle_count, segment_count;
} pli_replay_body;

typedef struct pli_replay_half_space {
    const char* name;
    double point[3], normal[3]; // [m]
} pli_replay_half_space;

// PLI_E_IO: there are no frames, or one cannot be read; PLI_E_SCENE: it is not a frame of Pliant.
// The first frame is read. `allocator` may be NULL.
PLI_API pli_status pli_replay_open(const char* folder, const pli_allocator* allocator,
                                   pli_replay** replay, pli_error* error);
PLI_API void pli_replay_close(pli_replay* replay); // NULL is allowed

// The run. For folders of an earlier version, which have no run.json: "", 2 or 3 by the positions,
// 0.
PLI_API const char* pli_replay_title(const pli_replay* replay);
PLI_API const char* pli_replay_camera(const pli_replay* replay); // JSON, as in pli_run_def; "": none
PLI_API int pli_replay_dimension(const pli_replay* replay);
PLI_API void pli_replay_gravity(const pli_replay* replay, double gravity[3]); // [m/s^2]
// Bodies may change during a run: an epoch is a range of frames with the same bodies, vertices and
// elements. Vertices, bodies and half-spaces are those of the epoch of the frame read last; from 0.
PLI_API int pli_replay_epoch(const pli_replay* replay);
PLI_API int pli_replay_vertex_count(const pli_replay* replay);
PLI_API int pli_replay_body_count(const pli_replay* replay);
PLI_API pli_replay_body pli_replay_body_at(const pli_replay* replay, int i); // name NULL: none
// As pli_world_body_radius: of what is shown around its points, segments and sheets [m].
PLI_API double pli_replay_body_radius(const pli_replay* replay, int i);
// Writes 3 (or 2) vertices for each triangle (or segment) of a body.
PLI_API void pli_replay_triangles(const pli_replay* replay, int body, int32_t* out);
PLI_API void pli_replay_segments(const pli_replay* replay, int body, int32_t* out);
PLI_API int pli_replay_half_space_count(const pli_replay* replay);
// In the frame read last.
PLI_API pli_replay_half_space pli_replay_half_space_at(const pli_replay* replay, int i);
// The vertex that its point moves with; -1: it does not move, or there is none.
PLI_API int pli_replay_half_space_carrier(const pli_replay* replay, int i);

// Current number of frames; reads the folder.
PLI_API int pli_replay_frame_count(pli_replay* replay);
// Reads a frame; on failure the previous one stays.
PLI_API pli_status pli_replay_read(pli_replay* replay, int frame, pli_error* error);
// Of the frame read last; pointers are valid until the next one is read.
PLI_API double pli_replay_time(const pli_replay* replay);             // [s]
PLI_API const double* pli_replay_positions(const pli_replay* replay); // 3 per vertex [m]
// An array of the frame, per vertex: "velocity", "contact_force", ... Arrays per element
// ("von_mises", "energy_density") are averaged over the elements at a vertex. NULL: no such array;
// *components is unchanged.
PLI_API const double* pli_replay_field(pli_replay* replay, const char* name, int* components);

// Fields for display: key is the short name, array the name in frames.
typedef struct pli_field_info {
    const char *key, *array, *label, *unit;
    int components; // 1, or 3: a vector
} pli_field_info;
PLI_API pli_field_info pli_field_at(int i); // key NULL after the last

// Those of this folder: of pli_field_at those that the first frame has, and what energies of the run
// show (pli_energy_type.fields). Texts are valid until the replay is closed.
PLI_API pli_field_info pli_replay_field_at(const pli_replay* replay, int i); // key NULL after the last

// Nodes of the frame: the unknowns of energies that are no positions (pli_world_node). None if the
// energies have none.
typedef struct pli_replay_nodes {
    int count;
    const double* values;    // 1 each [unit]
    const int32_t* bodies;   // 1 each
    const uint32_t* tags;    // 1 each: the tag of the key
    const int32_t* vertices; // PLI_NODE_VERTICES each, those of the key; -1: none
} pli_replay_nodes;
PLI_API pli_replay_nodes pli_replay_nodes_now(pli_replay* replay); // until the next call

// Contacts of the frame: pairs closer than dhat. None if the run did not record them.
typedef struct pli_replay_contacts {
    int count;
    const double* points; // 6 each: the two closest points [m]
    const double* forces; // 1 each: along the normal [N]
} pli_replay_contacts;
PLI_API pli_replay_contacts pli_replay_contacts_now(pli_replay* replay); // until the next call

#ifdef __cplusplus
}
#endif

#endif
