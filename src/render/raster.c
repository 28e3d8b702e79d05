// The rasterizer. Each quarter of a pixel has a sample at its centre; a shape covers it if that
// point is inside or on its border, so neighbouring triangles leave no gap.
#include "render/raster.h"

#include <math.h>
#include <string.h>

enum { SUB = 2 }; // samples per pixel in each direction

static inline uint8_t to_byte(float value) {
    return (uint8_t)lrintf(value < 0 ? 0 : value > 255 ? 255 : value);
}

// The first row, then copies of it.
static void clear_layer(pli_raster* r, int layer, pli_sample sample) {
    size_t across = (size_t)SUB * (size_t)r->width;
    pli_sample* samples = r->samples[layer];
    for (size_t i = 0; i < across; ++i) samples[i] = sample;
    for (int j = 1; j < SUB * r->height; ++j)
        memcpy(samples + (size_t)j * across, samples, across * sizeof *samples);
}

pli_status pli_raster_init(pli_raster* raster, pli_memory* memory, int width, int height,
                           pli_error* error) {
    PLI_ASSERT(width >= 1 && height >= 1 && width <= PLI_RASTER_MOST && height <= PLI_RASTER_MOST);
    *raster = (pli_raster){.memory = memory, .width = width, .height = height};
    size_t count = (size_t)SUB * SUB * (size_t)width * (size_t)height;
    for (int i = 0; i < PLI_RASTER_LAYERS; ++i) {
        pli_status status = PLI_ALLOC(memory, raster->samples[i], count, error);
        if (status == PLI_OK) continue;
        pli_raster_free(raster);
        return status;
    }
    clear_layer(raster, 1, (pli_sample){.z = -HUGE_VALF});
    return PLI_OK;
}

void pli_raster_free(pli_raster* raster) {
    size_t count = (size_t)SUB * SUB * (size_t)raster->width * (size_t)raster->height;
    for (int i = 0; i < PLI_RASTER_LAYERS && raster->memory; ++i)
        PLI_FREE(raster->memory, raster->samples[i], count);
    *raster = (pli_raster){0};
}

void pli_raster_clear(pli_raster* r, const float rgb[3]) {
    pli_sample sample = {.z = -HUGE_VALF};
    for (int k = 0; k < 3; ++k) sample.rgb[k] = to_byte(rgb[k]);
    clear_layer(r, 0, sample);
    r->layer = 0;
}

// ---- samples

// A fragment of a shape at a sample: depth, brightness and value.
typedef struct spot {
    float z, lit, value;
} spot;

// Shading of a ramp is weak, so that its colours stay distinguishable.
static inline float colour_of(const pli_paint* paint, const spot* at, int k) {
    const float grey = 140, shade = 0.6F, light = 0.42F;
    if (!paint->ramp) return paint->dark[k] + at->lit * (paint->light[k] - paint->dark[k]);
    float place = (PLI_RAMP_COUNT - 1) * at->value;
    int row = place > 0 ? (int)fminf(place + 0.5F, PLI_RAMP_COUNT - 1) : 0;
    return paint->dim * (shade + light * at->lit) * (isnan(at->value) ? grey : paint->ramp[row][k]);
}

// Whether a shape at depth z changes the sample.
static inline bool is_seen(const pli_sample* sample, float z, const pli_paint* paint) {
    if (!paint->flat && z < sample->z) return false;
    return paint->alpha >= 1 || sample->kind != paint->kind;
}

// Colour and kind of a sample as one word.
static inline uint32_t word_of(const pli_sample* sample) {
    uint32_t word;
    memcpy(&word, sample->rgb, sizeof word);
    return word;
}
static inline void set_word(pli_sample* sample, uint32_t word) {
    memcpy(sample->rgb, &word, sizeof word);
}
_Static_assert(offsetof(pli_sample, kind) == offsetof(pli_sample, rgb) + 3, "one word");

// Whether all of a shape has the colour of brightness `lit`: it varies by less than `range`, which
// changes no colour by a quarter of a step.
static bool has_one_colour(const pli_paint* paint, double range) {
    float most = 0;
    for (int k = 0; k < 3; ++k) {
        float d = paint->light[k] - paint->dark[k];
        most = d > most ? d : -d > most ? -d : most;
    }
    return !paint->ramp && range * (double)most < 0.25;
}

// A shape of one colour. Below an opacity of 1 the last blend is kept: neighbours are often equal.
typedef struct pot {
    const pli_paint* paint;
    float colour[3];
    uint32_t word;         // of the colour, opaque
    uint32_t below, above; // the last blend
} pot;

static uint32_t blend(const pot* p, uint32_t below) {
    pli_sample sample;
    set_word(&sample, below);
    for (int k = 0; k < 3; ++k) {
        float from = (float)sample.rgb[k];
        sample.rgb[k] = to_byte(from + p->paint->alpha * (p->colour[k] - from));
    }
    sample.kind = p->paint->kind;
    return word_of(&sample);
}

static pot pot_of(const pli_paint* paint, double lit) {
    const spot at = {0, (float)lit, 0};
    pot p = {.paint = paint};
    pli_sample sample = {.kind = paint->kind};
    for (int k = 0; k < 3; ++k) {
        p.colour[k] = colour_of(paint, &at, k);
        sample.rgb[k] = to_byte(p.colour[k]);
    }
    p.word = p.below = p.above = word_of(&sample); // which is never seen below an opacity of 1
    return p;
}

static inline void pour(pli_sample* sample, float z, pot* p) {
    if (!is_seen(sample, z, p->paint)) return;
    if (!p->paint->flat) sample->z = z;
    if (p->paint->alpha >= 1) {
        set_word(sample, p->word);
        return;
    }
    uint32_t below = word_of(sample);
    if (below != p->below) {
        p->below = below;
        p->above = blend(p, below);
    }
    set_word(sample, p->above);
}

static inline void put(pli_sample* sample, const spot* at, const pli_paint* paint) {
    if (!is_seen(sample, at->z, paint)) return;
    for (int k = 0; k < 3; ++k) {
        float colour = colour_of(paint, at, k), below = (float)sample->rgb[k];
        sample->rgb[k] =
            to_byte(paint->alpha >= 1 ? colour : below + paint->alpha * (colour - below));
    }
    if (!paint->flat) sample->z = at->z;
    sample->kind = paint->kind;
}

// Samples within [low, high] along one axis, at most `count`.
typedef struct range {
    int first, last;
} range;

static range samples_in(double low, double high, int count) {
    double first = ceil(SUB * low - 0.5), last = floor(SUB * high - 0.5);
    range r = {0, -1};
    if (!(first < count) || !(last >= 0)) return r; // empty, or not finite
    r.first = first > 0 ? (int)first : 0;
    r.last = last < count - 1 ? (int)last : count - 1;
    return r;
}

static pli_sample* row_of(const pli_raster* r, int row) {
    return r->samples[r->layer] + (size_t)row * (size_t)(SUB * r->width);
}
static range columns_in(const pli_raster* r, double low, double high) {
    return samples_in(low, high, SUB * r->width);
}
static range rows_in(const pli_raster* r, double low, double high) {
    return samples_in(low, high, SUB * r->height);
}
static double place_of(int sample) { return (sample + 0.5) / SUB; } // [px]

// ---- triangles

static double cross(const double a[3], const double b[3], double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

// Roundoff of weights where two triangles meet.
static const double EDGE = -1e-12;

// What is linear over a triangle: origin + x right + y down.
typedef struct plane {
    double origin, right, down;
} plane;

typedef struct linear_triangle {
    plane weight[3], z, lit, value;
    double inverse[3]; // 1 / weight.right
} linear_triangle;

static double at_row(const plane* p, double y) { return p->origin + p->down * y; }

static plane mix(const plane weight[3], double a, double b, double c) {
    return (plane){
        weight[0].origin * a + weight[1].origin * b + weight[2].origin * c,
        weight[0].right * a + weight[1].right * b + weight[2].right * c,
        weight[0].down * a + weight[1].down * b + weight[2].down * c,
    };
}

// Weights of the corners at (x, y): w_k = cross(side opposite of k, (x, y)) / twice the area.
// `coloured`: brightness and value are needed.
static linear_triangle linear_of(const pli_corner c[3], double area, bool coloured) {
    linear_triangle t = {0};
    for (int k = 0; k < 3; ++k) {
        const double *a = c[(k + 1) % 3].at, *b = c[(k + 2) % 3].at;
        t.weight[k] =
            (plane){cross(a, b, 0, 0) / area, -(b[1] - a[1]) / area, (b[0] - a[0]) / area};
        t.inverse[k] = 1 / t.weight[k].right;
    }
    t.z = mix(t.weight, c[0].at[2], c[1].at[2], c[2].at[2]);
    if (!coloured) return t;
    t.lit = mix(t.weight, c[0].lit, c[1].lit, c[2].lit);
    t.value = mix(t.weight, c[0].value, c[1].value, c[2].value);
    return t;
}

// Columns of a row in which all weights are at least EDGE, and up to three samples more at each
// end. `start`: the weights at x = 0.
static range span_of(range columns, const linear_triangle* t, const double start[3]) {
    double low = place_of(columns.first), high = place_of(columns.last);
    for (int k = 0; k < 3; ++k) {
        double x = (EDGE - start[k]) * t->inverse[k];
        if (t->weight[k].right > 0 && x > low) low = x;
        if (t->weight[k].right < 0 && x < high) high = x;
        if (t->weight[k].right == 0 && start[k] < EDGE) high = low - 2;
    }
    if (!(low <= high + 1)) return (range){0, -1};
    int first = (int)(SUB * low) - 1, last = (int)(SUB * high) + 2;
    return (range){first > columns.first ? first : columns.first,
                   last < columns.last ? last : columns.last};
}

// Samples of a row inside the triangle: those of the span without the ones at its ends that are
// not.
static range inside_of(range span, const linear_triangle* t, const double start[3]) {
    for (int end = 0; end < 2; ++end)
        for (; span.first <= span.last; end ? --span.last : ++span.first) {
            double x = place_of(end ? span.last : span.first);
            if (start[0] + t->weight[0].right * x >= EDGE &&
                start[1] + t->weight[1].right * x >= EDGE &&
                start[2] + t->weight[2].right * x >= EDGE)
                break;
        }
    return span;
}

// `colour`: the one colour of the triangle; NULL: it has several.
static void fill_row(pli_sample* samples, range columns, const linear_triangle* t, double y,
                     const pli_paint* paint, pot* colour) {
    double start[3], z0 = at_row(&t->z, y), lit = at_row(&t->lit, y), value = at_row(&t->value, y);
    for (int k = 0; k < 3; ++k) start[k] = at_row(&t->weight[k], y);
    range span = inside_of(span_of(columns, t, start), t, start);
    if (colour && paint->flat && paint->alpha >= 1) {
        for (int i = span.first; i <= span.last; ++i) set_word(&samples[i], colour->word);
        return;
    }
    for (int i = span.first; i <= span.last; ++i) {
        double x = place_of(i);
        float z = (float)(z0 + t->z.right * x);
        if (colour) {
            pour(&samples[i], z, colour);
        } else if (is_seen(&samples[i], z, paint)) {
            const spot at = {z, (float)(lit + t->lit.right * x),
                             (float)(value + t->value.right * x)};
            put(&samples[i], &at, paint);
        }
    }
}

static void fill_triangle(pli_raster* r, const pli_corner c[3], double area,
                          const pli_paint* paint) {
    double x[3] = {c[0].at[0], c[1].at[0], c[2].at[0]};
    double y[3] = {c[0].at[1], c[1].at[1], c[2].at[1]};
    range rows = rows_in(r, fmin(y[0], fmin(y[1], y[2])), fmax(y[0], fmax(y[1], y[2])));
    range columns = columns_in(r, fmin(x[0], fmin(x[1], x[2])), fmax(x[0], fmax(x[1], x[2])));
    if (rows.first > rows.last || columns.first > columns.last) return;
    double dark = fmin(c[0].lit, fmin(c[1].lit, c[2].lit));
    double bright = fmax(c[0].lit, fmax(c[1].lit, c[2].lit));
    bool one = has_one_colour(paint, bright - dark);
    linear_triangle t = linear_of(c, area, !one);
    pot colour = one ? pot_of(paint, 0.5 * (dark + bright)) : (pot){0};
    for (int j = rows.first; j <= rows.last; ++j)
        fill_row(row_of(r, j), columns, &t, place_of(j), paint, one ? &colour : NULL);
}

void pli_raster_triangle(pli_raster* r, const pli_corner c[3], const pli_paint* paint) {
    double area = cross(c[0].at, c[1].at, c[2].at[0], c[2].at[1]), sum = 0;
    for (int k = 0; k < 3; ++k) sum += c[k].at[2] + c[k].lit;
    if (area != 0 && isfinite(area) && isfinite(sum)) fill_triangle(r, c, area, paint);
}

// ---- lines

// Along a row, points (x, y) that are at most `radius` from the line through `a` in the direction
// (dx, dy) of length 1: |(x - ax) dy - (y - ay) dx| <= radius.
static void narrow(const double a[3], double dx, double dy, double radius, double y, double* low,
                   double* high) {
    if (fabs(dy) < 1e-9) return;
    double middle = a[0] + (y - a[1]) * dx / dy, half = radius / fabs(dy);
    *low = fmax(*low, middle - half);
    *high = fmin(*high, middle + half);
}

void pli_raster_line(pli_raster* r, const pli_corner ends[2], double width, double lift,
                     const pli_paint* paint) {
    const double *a = ends[0].at, *b = ends[1].at, radius = width / 2;
    double x = b[0] - a[0], y = b[1] - a[1], length = hypot(x, y);
    if (!isfinite(length) || !isfinite(a[2] + b[2])) return;
    double dx = length > 0 ? x / length : 1, dy = length > 0 ? y / length : 0;
    bool one = has_one_colour(paint, fabs(ends[1].lit - ends[0].lit));
    pot colour = one ? pot_of(paint, ends[0].lit) : (pot){0};
    range rows = rows_in(r, fmin(a[1], b[1]) - radius, fmax(a[1], b[1]) + radius);
    for (int j = rows.first; j <= rows.last; ++j) {
        double py = place_of(j);
        double low = fmin(a[0], b[0]) - radius, high = fmax(a[0], b[0]) + radius;
        if (length > 0) narrow(a, dx, dy, radius, py, &low, &high);
        range columns = columns_in(r, low, high);
        pli_sample* row = row_of(r, j);
        for (int i = columns.first; i <= columns.last; ++i) {
            double px = place_of(i) - a[0], along = px * dx + (py - a[1]) * dy;
            double near = along < 0 ? 0 : along > length ? length : along;
            double qx = px - near * dx, qy = py - a[1] - near * dy;
            if (qx * qx + qy * qy > radius * radius) continue;
            double t = length > 0 ? near / length : 0;
            float z = (float)(a[2] + t * (b[2] - a[2]) + lift);
            const spot at = {z, (float)(ends[0].lit + t * (ends[1].lit - ends[0].lit)),
                             (float)(ends[0].value + t * (ends[1].value - ends[0].value))};
            if (one)
                pour(&row[i], z, &colour);
            else
                put(&row[i], &at, paint);
        }
    }
}

// ---- balls and rods

// Brightness at the normal n, or at the normal across `along` that is next to it.
static float lit_across(const double n[3], const double along[3]) {
    double square = along[0] * along[0] + along[1] * along[1] + along[2] * along[2];
    if (!(square > 0)) return (float)pli_lit(n, false);
    double dot = (n[0] * along[0] + n[1] * along[1] + n[2] * along[2]) / square;
    double m[3] = {n[0] - dot * along[0], n[1] - dot * along[1], n[2] - dot * along[2]};
    double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    if (!(length > 0)) return (float)pli_lit(n, false);
    for (int k = 0; k < 3; ++k) m[k] /= length;
    if (m[2] < 0) m[2] = 0; // it is the visible side
    return (float)pli_lit(m, false);
}

// Without perspective the ball is a disc, with the depth z + sqrt(radius^2 - d^2) at the distance d
// from its centre.
void pli_raster_ball(pli_raster* r, const pli_joint* joint, double radius, const pli_paint* paint) {
    const double* at = joint->at;
    if (!(radius > 0) || !isfinite(at[0] + at[1] + at[2])) return;
    range rows = rows_in(r, at[1] - radius, at[1] + radius);
    range columns = columns_in(r, at[0] - radius, at[0] + radius);
    for (int j = rows.first; j <= rows.last; ++j) {
        pli_sample* row = row_of(r, j);
        for (int i = columns.first; i <= columns.last; ++i) {
            double x = (place_of(i) - at[0]) / radius, y = (place_of(j) - at[1]) / radius;
            double rest = 1 - x * x - y * y;
            if (rest < 0) continue;
            const double n[3] = {x, -y, sqrt(rest)}; // y is downward on the page
            spot here = {(float)(at[2] + radius * n[2]), 0, (float)joint->value};
            if (!is_seen(&row[i], here.z, paint)) continue;
            here.lit = lit_across(n, joint->along);
            put(&row[i], &here, paint);
        }
    }
}

// The axis has the direction d = (s e, d_z) with the unit vector e on the page. p is perpendicular
// to it on the page, and m = (-d_z e, s) points to the viewer. At the distance v = radius sin(f)
// from the axis on the page the normal is sin(f) p + cos(f) m, and the place u along e is that of
// the axis at
//     t = (u + radius cos(f) d_z) / s,  with the depth  a_z + t d_z + radius cos(f) s
typedef struct rod_axis {
    const pli_joint* ends;
    double along[2][3]; // of the ends, in camera coordinates
    double length, s, dz, ex, ey, radius;
} rod_axis;

static bool find_axis(const pli_joint ends[2], double radius, rod_axis* rod) {
    const double *a = ends[0].at, *b = ends[1].at;
    double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double s = hypot(d[0], d[1]) / length;
    if (!(radius > 0) || !isfinite(length) || !(s > 1e-6)) return false;
    *rod = (rod_axis){
        ends, {{0}}, length, s, d[2] / length, d[0] / (s * length), d[1] / (s * length), radius};
    for (int k = 0; k < 2; ++k) {
        const double own[3] = {d[0] / length, -d[1] / length, d[2] / length}, *t = ends[k].along;
        bool given = t[0] != 0 || t[1] != 0 || t[2] != 0;
        // The ends may name opposite directions of the thread.
        double sign = given && t[0] * own[0] + t[1] * own[1] + t[2] * own[2] < 0 ? -1 : 1;
        for (int c = 0; c < 3; ++c) rod->along[k][c] = given ? sign * t[c] : own[c];
    }
    return true;
}

// Paints the sample at (px, py) from the first end, if the rod is visible there.
static void paint_rod(const rod_axis* rod, double px, double py, pli_sample* sample,
                      const pli_paint* paint) {
    double u = px * rod->ex + py * rod->ey, sine = (py * rod->ex - px * rod->ey) / rod->radius;
    if (fabs(sine) > 1) return;
    double cosine = sqrt(1 - sine * sine), t = (u + rod->radius * cosine * rod->dz) / rod->s;
    if (t < 0 || t > rod->length) return;
    spot at = {.z = (float)(rod->ends[0].at[2] + t * rod->dz + rod->radius * cosine * rod->s)};
    if (!is_seen(sample, at.z, paint)) return;
    const double n[3] = {-sine * rod->ey - cosine * rod->dz * rod->ex,
                         -(sine * rod->ex - cosine * rod->dz * rod->ey), cosine * rod->s};
    double part = t / rod->length, along[3];
    for (int c = 0; c < 3; ++c) along[c] = (1 - part) * rod->along[0][c] + part * rod->along[1][c];
    at.lit = lit_across(n, along);
    at.value = (float)((1 - part) * rod->ends[0].value + part * rod->ends[1].value);
    put(sample, &at, paint);
}

void pli_raster_rod(pli_raster* r, const pli_joint ends[2], double radius, const pli_paint* paint) {
    const double *a = ends[0].at, *b = ends[1].at;
    rod_axis rod;
    if (!find_axis(ends, radius, &rod)) return;
    range rows = rows_in(r, fmin(a[1], b[1]) - radius, fmax(a[1], b[1]) + radius);
    for (int j = rows.first; j <= rows.last; ++j) {
        double low = fmin(a[0], b[0]) - radius, high = fmax(a[0], b[0]) + radius;
        narrow(a, rod.ex, rod.ey, radius, place_of(j), &low, &high);
        range columns = columns_in(r, low, high);
        pli_sample* row = row_of(r, j);
        for (int i = columns.first; i <= columns.last; ++i)
            paint_rod(&rod, place_of(i) - a[0], place_of(j) - a[1], &row[i], paint);
    }
}

// ---- the picture

void pli_raster_merge(pli_raster* r, uint8_t kind, double alpha) {
    size_t count = (size_t)SUB * SUB * (size_t)r->width * (size_t)r->height;
    for (size_t i = 0; i < count; ++i) {
        pli_sample *below = &r->samples[0][i], *above = &r->samples[1][i];
        if (above->kind == 0) continue;
        if (above->z > below->z) {
            float part = below->kind == kind ? (float)alpha : 1;
            for (int k = 0; k < 3; ++k) {
                float from = (float)below->rgb[k], to = (float)above->rgb[k];
                below->rgb[k] = to_byte(from + part * (to - from));
            }
            below->z = above->z;
            below->kind = above->kind;
        }
        *above = (pli_sample){.z = -HUGE_VALF};
    }
}

static size_t first_sample(const pli_raster* r, int i, int j) {
    return (size_t)SUB * ((size_t)j * (size_t)SUB * (size_t)r->width + (size_t)i);
}

const pli_sample* pli_raster_sample(const pli_raster* r, int i, int j) {
    return r->samples[0] + first_sample(r, i, j);
}

void pli_raster_darken(pli_raster* r, int i, int j, uint8_t kind, float part) {
    for (int k = 0; k < SUB * SUB; ++k) {
        pli_sample* sample = r->samples[0] + first_sample(r, i, j) +
                             (size_t)(k / SUB) * (size_t)SUB * (size_t)r->width + (size_t)(k % SUB);
        for (int c = 0; c < 3 && sample->kind == kind; ++c)
            sample->rgb[c] = to_byte(part * (float)sample->rgb[c]);
    }
}

void pli_raster_read(const pli_raster* r, unsigned char* rgb) {
    size_t across = (size_t)SUB * (size_t)r->width;
    for (int j = 0; j < r->height; ++j)
        for (int i = 0; i < r->width; ++i) {
            const pli_sample* s = r->samples[0] + (size_t)(SUB * j) * across + (size_t)(SUB * i);
            uint32_t one = word_of(s), other = one ^ word_of(s + 1);
            other |= (one ^ word_of(s + across)) | (one ^ word_of(s + across + 1));
            if (other == 0) { // most of a picture
                memcpy(rgb, s[0].rgb, 3);
                rgb += 3;
                continue;
            }
            for (int k = 0; k < 3; ++k) {
                int sum = s[0].rgb[k] + s[1].rgb[k] + s[across].rgb[k] + s[across + 1].rgb[k];
                *rgb++ = (unsigned char)((sum + 2) / 4);
            }
        }
}
