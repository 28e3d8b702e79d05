// A software rasterizer: triangles, lines, balls and rods with a depth buffer and four samples per
// pixel. Coordinates are pixels, x to the right, y downward, z towards the viewer. The same calls
// give the same bits.
#ifndef PLI_RENDER_RASTER_H
#define PLI_RENDER_RASTER_H

#include "base/file.h"
#include "base/memory.h"
#include <math.h>

// Text in raster pictures: printable ASCII drawn as strokes of any size.
// 8-bit red, green, blue, row by row from the top.
typedef struct pli_image {
    unsigned char* rgb;
    int width, height; // [px]
} pli_image;

typedef struct pli_label {
    double size;   // height of capitals [px]
    float ink[3];  // 0 to 255
    float halo[3]; // around the strokes, so that the text is readable on any background
} pli_label;

double pli_label_width(const pli_label* label, const char* text); // [px]
// The first letter begins at x, the baseline is y. Parts outside of the picture are clipped;
// letters other than ASCII are drawn as small boxes.
void pli_label_draw(const pli_label* label, const pli_image* image, double x, double y,
                    const char* text);

enum { PLI_RAMP_COUNT = 256 };
enum { PLI_RASTER_MOST = 4096 }; // width and height of a picture [px]

// One sample of a layer.
typedef struct pli_sample {
    float z; // -HUGE_VALF: empty
    uint8_t rgb[3];
    uint8_t kind; // of the last paint; 0: none
} pli_sample;

// The picture, and a layer over it that pli_raster_merge blends in.
enum { PLI_RASTER_LAYERS = 2 };
typedef struct pli_raster {
    pli_memory* memory;
    int width, height; // [px]
    pli_sample* samples[PLI_RASTER_LAYERS];
    int layer; // layer to paint on
} pli_raster;

// Paint: brightness 0 to 1 is mapped from `dark` to `light`, each 0 to 255.
typedef struct pli_paint {
    float dark[3], light[3];
    // Colours of values from 0 to 1, PLI_RAMP_COUNT of them, instead of the two above; NULL: none.
    // NaN (no value) is grey.
    const float (*ramp)[3];
    float dim;    // these colours are multiplied by it
    float alpha;  // opacity; below 1 each kind is painted once per sample
    uint8_t kind; // arbitrary, not 0
    bool flat;    // depth is neither tested nor written
} pli_paint;

typedef struct pli_corner {
    double at[3]; // [px]
    double lit;   // 0 to 1
    double value; // of the ramp, if there is one
} pli_corner;

// width, height: 1 to PLI_RASTER_MOST.
pli_status pli_raster_init(pli_raster* raster, pli_memory* memory, int width, int height,
                           pli_error* error);
void pli_raster_free(pli_raster* raster); // zeroed is valid

// Fills the whole picture with this colour. The layer above is empty at first and after each merge.
void pli_raster_clear(pli_raster* raster, const float rgb[3]);

// Shapes with coordinates that are not finite are skipped. At equal depth the later one is visible.
void pli_raster_triangle(pli_raster* raster, const pli_corner corners[3], const pli_paint* paint);
// With round ends, `width` wide, moved by `lift` towards the viewer; all in pixels.
void pli_raster_line(pli_raster* raster, const pli_corner ends[2], double width, double lift,
                     const pli_paint* paint);

// A point of a thread. Threads are rods with a ball at each of their points, and shaded as if they
// were bent smoothly: normals are across `along`, which varies linearly over a rod.
typedef struct pli_joint {
    double at[3];    // [px]
    double along[3]; // direction of the thread in camera coordinates; 0: that of the rod, or a ball
    double value;    // of the ramp, if there is one
} pli_joint;
// Shaded by the common light.
void pli_raster_ball(pli_raster* raster, const pli_joint* at, double radius,
                     const pli_paint* paint);
// Without ends: a ball at each end makes them round.
void pli_raster_rod(pli_raster* raster, const pli_joint ends[2], double radius,
                    const pli_paint* paint);

// The first sample of a pixel of the picture; and samples of a pixel that are of `kind`, times
// `part`.
const pli_sample* pli_raster_sample(const pli_raster* raster, int i, int j);
void pli_raster_darken(pli_raster* raster, int i, int j, uint8_t kind, float part);

// Blends layer 1 onto the picture where it is nearer; over samples of `kind` only by `alpha`. The
// layer is empty afterwards.
void pli_raster_merge(pli_raster* raster, uint8_t kind, double alpha);

// The picture as 8-bit red, green, blue, row by row from the top: means of four samples.
void pli_raster_read(const pli_raster* raster, unsigned char* rgb);

// ---- the common light [Lambert: brightness by the cosine between normal and light], from the
// upper left on the viewer's side; some of it wraps around

// 0 dark to 1 bright for a unit normal in camera coordinates (right, up, towards the viewer). The
// visible side counts; `sheet`: the back side is darker.
static inline double pli_lit(const double n[3], int sheet) {
    static const double light[3] = {-0.42, 0.69, 0.59};
    const double ambient = 0.18, wrap = 0.4, behind = 0.75;
    double side = n[2] < 0 ? -1 : 1;
    double cosine = side * (n[0] * light[0] + n[1] * light[1] + n[2] * light[2]);
    double lit = ambient + (1 - ambient) * fmax(0, (cosine + wrap) / (1 + wrap));
    if (side < 0 && sheet) lit *= behind;
    return fmin(lit, 1);
}

// Of a thread without width in the direction `along`: at the normal towards light and viewer.
static inline double pli_lit_thread(const double along[3]) {
    static const double towards[3] = {-0.42, 0.69, 1.59};
    double square = along[0] * along[0] + along[1] * along[1] + along[2] * along[2], dot = 0, n[3];
    for (int k = 0; k < 3; ++k) dot += towards[k] * along[k];
    for (int k = 0; k < 3; ++k) n[k] = towards[k] - (square > 0 ? dot / square : 0) * along[k];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; ++k) n[k] = length > 0 ? n[k] / length : k == 2;
    return pli_lit(n, 0);
}

// ---- pictures as PNG files

// Writes a complete PNG; width, height >= 1. Write errors are reported when the file is committed.
pli_status pli_png_write(pli_file* file, pli_memory* memory, const pli_image* image,
                         pli_error* error);
// The same as base64, for a "data:image/png;base64," URL.
pli_status pli_png_write_text(pli_file* file, pli_memory* memory, const pli_image* image,
                              pli_error* error);

#endif
