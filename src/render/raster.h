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
    float halo[3]; // around the strokes, so that the text is read over anything
} pli_label;

double pli_label_width(const pli_label* label, const char* text); // [px]
// The first letter begins at x, the line stands on y. What is outside of the picture is left out;
// letters of other alphabets are small boxes.
void pli_label_draw(const pli_label* label, const pli_image* image, double x, double y,
                    const char* text);

enum { PLI_RAMP_COUNT = 256 };
enum { PLI_RASTER_MOST = 4096 }; // width and height of a picture [px]

// One sample of a layer.
typedef struct pli_sample {
    float z; // -HUGE_VALF: nothing is there
    uint8_t rgb[3];
    uint8_t kind; // of what was painted last; 0: nothing
} pli_sample;

// The picture, and a layer over it that pli_raster_merge blends in.
enum { PLI_RASTER_LAYERS = 2 };
typedef struct pli_raster {
    pli_memory* memory;
    int width, height; // [px]
    pli_sample* samples[PLI_RASTER_LAYERS];
    int layer; // that is painted on
} pli_raster;

// How something is painted: brightness 0 to 1 goes from `dark` to `light`, each 0 to 255.
typedef struct pli_paint {
    float dark[3], light[3];
    // Colours of values from 0 to 1, PLI_RAMP_COUNT of them, instead of the two above; NULL: none.
    // What has no value (NaN) is grey.
    const float (*ramp)[3];
    float dim;    // these colours are multiplied by it
    float value;  // of balls and rods, which have one
    float alpha;  // opacity; below 1 each kind is painted once per sample
    uint8_t kind; // free to choose, not 0
    bool flat;    // depth is neither asked nor changed
} pli_paint;

typedef struct pli_corner {
    double at[3]; // [px]
    double lit;   // 0 to 1
    double value; // of the ramp, if there is one
} pli_corner;

// width, height: 1 to PLI_RASTER_MOST.
pli_status pli_raster_init(pli_raster* raster, pli_memory* memory, int width, int height,
                           pli_error* error);
void pli_raster_free(pli_raster* raster); // zeroed is fine

// All of the picture gets this colour. The layer over it is empty at first and after each merge.
void pli_raster_clear(pli_raster* raster, const float rgb[3]);

// What is not finite is left out. At the same depth the later one is seen.
void pli_raster_triangle(pli_raster* raster, const pli_corner corners[3], const pli_paint* paint);
// With round ends, `width` wide, moved by `lift` towards the viewer; all in pixels.
void pli_raster_line(pli_raster* raster, const pli_corner ends[2], double width, double lift,
                     const pli_paint* paint);
// Shaded by the light of all pictures.
void pli_raster_ball(pli_raster* raster, const double at[3], double radius, const pli_paint* paint);
// Without ends: a ball at each makes them round.
void pli_raster_rod(pli_raster* raster, const double from[3], const double to[3], double radius,
                    const pli_paint* paint);

// Lays layer 1 on the picture where it is nearer; over samples of `kind` only by `alpha`. The layer
// is empty afterwards.
void pli_raster_merge(pli_raster* raster, uint8_t kind, double alpha);

// The picture as 8-bit red, green, blue, row by row from the top: means of four samples.
void pli_raster_read(const pli_raster* raster, unsigned char* rgb);

// ---- the light of all pictures [Lambert: brightness by the cosine between normal and light], from
// the upper left on the viewer's side; some of it reaches around

// 0 dark to 1 bright for a unit normal as the camera sees it (right, up, towards the viewer). The
// side that is seen counts; `sheet`: if that is the back, it is darker.
static inline double pli_lit(const double n[3], int sheet) {
    static const double light[3] = {-0.42, 0.69, 0.59};
    const double ambient = 0.18, wrap = 0.4, behind = 0.75;
    double side = n[2] < 0 ? -1 : 1;
    double cosine = side * (n[0] * light[0] + n[1] * light[1] + n[2] * light[2]);
    double lit = ambient + (1 - ambient) * fmax(0, (cosine + wrap) / (1 + wrap));
    if (side < 0 && sheet) lit *= behind;
    return fmin(lit, 1);
}

// ---- pictures as PNG files

// Writes all of a PNG; width, height >= 1. What the disk has against it is found when the file is
// committed.
pli_status pli_png_write(pli_file* file, pli_memory* memory, const pli_image* image,
                         pli_error* error);
// The same as base64, for an address "data:image/png;base64,".
pli_status pli_png_write_text(pli_file* file, pli_memory* memory, const pli_image* image,
                              pli_error* error);

#endif
