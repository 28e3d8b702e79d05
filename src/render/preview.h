// preview.svg: a film strip of a run above its energies over time. The data are collected during
// the run in bounded memory: positions as floats relative to an origin; both pictures and energies
// are sampled (sampler.h).
#ifndef PLI_RENDER_PREVIEW_H
#define PLI_RENDER_PREVIEW_H

#include "base/sampler.h"
#include "render/camera.h"
#include "render/canvas.h"
#include "result/snapshot.h"

enum { PLI_PREVIEW_MAX_FRAMES = 60 };

typedef struct pli_preview {
    pli_memory* memory;
    int frames;  // pictures wanted
    bool single; // positions come from frames in single precision
    int dim;     // numbers per stored point: right, up, and in space towards the viewer
    int vertex_count, half_space_count, energy_count;
    uint64_t energy_hash;       // of the names of the energies
    const int32_t* vertex_body; // of the snapshot it was created from, which must outlive it
    const double* body_radius;  // likewise; NULL: 0
    pli_shot shot;              // of the scene; the camera is that of its start
    pli_camera camera;
    double origin[3];     // of the stored positions [m]
    pli_sampler pictures; // pli_preview_frame records
    pli_sampler samples;  // time [s], then the energies [J], as doubles
} pli_preview;

// One stored picture; the numbers follow it in memory.
typedef struct pli_preview_frame {
    double time;    // [s]
    float values[]; // half-spaces: point and normal; then the vertices: `dim` numbers each, as the
                    // camera sees them, points from the origin [m]
} pli_preview_frame;

// frames: 1 to PLI_PREVIEW_MAX_FRAMES.
void pli_preview_init(pli_preview* preview, pli_memory* memory, const pli_snapshot* snapshot,
                      int frames);
// Before the first picture: how the scene wants to be seen.
void pli_preview_set_shot(pli_preview* preview, const pli_snapshot* snapshot, const pli_shot* shot);
void pli_preview_free(pli_preview* preview); // zeroed is valid
// For a snapshot with other bodies, which replaces the previous one: the film strip restarts;
// energies too if their names differ.
void pli_preview_change(pli_preview* preview, const pli_snapshot* snapshot);

pli_status pli_preview_add_picture(pli_preview* preview, const pli_snapshot* snapshot,
                                   pli_error* error);
// The vertices of picture i, 3 numbers each [m].
void pli_preview_set_vertices(pli_preview* preview, int i, const double* positions);
pli_status pli_preview_add_sample(pli_preview* preview, const pli_snapshot* snapshot,
                                  pli_error* error);

// Writes folder/preview.svg, complete or not at all. Elements, bodies and names are read from the
// snapshot; `title` may be NULL. Without any picture nothing is written.
pli_status pli_preview_write(const pli_preview* preview, const pli_snapshot* snapshot,
                             const char* title, const char* folder, pli_error* error);

static inline const pli_preview_frame* pli_preview_frame_at(const pli_preview* preview, int i) {
    return (const pli_preview_frame*)pli_sampler_get(&preview->pictures, i);
}
static inline const float* pli_preview_positions(const pli_preview* preview,
                                                 const pli_preview_frame* picture) {
    return picture->values + 2 * (size_t)preview->dim * (size_t)preview->half_space_count;
}
// The radius shown around a vertex [m].
static inline double pli_preview_margin(const pli_preview* preview, int vertex) {
    return preview->body_radius ? preview->body_radius[preview->vertex_body[vertex]] : 0;
}
static inline const double* pli_preview_sample(const pli_preview* preview, int i) {
    return (const double*)pli_sampler_get(&preview->samples, i);
}

// ---- the legend of bodies

// One row of coloured squares with names, from `at` to `right`; "+ n more" when it is full. Bodies
// "stone 1", "stone 2", ... share one entry "stone" with the colours of all; obstacles share one
// entry at the end, by name if they have a common one. `size`: font size [px].
void pli_legend_write(pli_file* file, const pli_snapshot* snapshot, pli_point at, double right,
                      int size);

#endif
