// Binary messages of the server, written into memory of the caller.
#ifndef PLI_VIEWER_FRAME_H
#define PLI_VIEWER_FRAME_H

#include "viewer/viewer.h"

// Reserves all arrays of a frame for the vertices and fields of the model. False: out of memory.
bool pli_view_frame_fit(pli_view_frame* frame, const pli_view_model* model, pli_view_want want);

// Reserves `count` contacts (at most PLI_VIEW_CONTACTS), PLI_VIEW_CONTACT_NUMBERS each; NULL: out
// of memory.
float* pli_view_frame_contacts(pli_view_frame* frame, int count);

// Copies positions, 3 per vertex: the only work of the solver's thread for a frame.
void pli_view_frame_place(pli_view_frame* frame, const double* positions);

// When each vertex moved last, for the server. Zero-initialize it.
typedef struct pli_view_track {
    int vertex_count;
    float* last;       // positions of the previous frame
    uint32_t* changed; // per vertex: sequence of the last frame in which it moved
} pli_view_track;
// Compares a new frame with the previous one. False: out of memory, nothing is known.
bool pli_view_track_note(pli_view_track* track, const pli_view_frame* frame);
void pli_view_track_free(pli_view_track* track);

// Upper bounds of the message sizes in bytes.
size_t pli_view_positions_size(const pli_view_frame* frame);
size_t pli_view_field_size(const pli_view_frame* frame, int components);
size_t pli_view_contacts_size(const pli_view_frame* frame);

// Each returns the bytes written. `base` is the sequence that the browser has; 0: none. If less
// than half of the vertices have moved since, only those are written.
size_t pli_view_write_positions(const pli_view_frame* frame, const pli_view_track* track,
                                uint32_t base, unsigned char* out);
size_t pli_view_write_field(const pli_view_frame* frame, int field, int components,
                            unsigned char* out);
size_t pli_view_write_contacts(const pli_view_frame* frame, unsigned char* out);
size_t pli_view_write_where(const pli_view_where* where, unsigned char* out);

#endif
