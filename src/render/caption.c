// Captions of pictures. Pictures that are too small for text get none.
#include "render/caption.h"

#include <math.h>

#include "base/text.h"
#include "render/svg.h"

enum { LEAST_WIDTH = 240, LEAST_HEIGHT = 160 }; // of a picture with text [px]

void pli_caption_ramp(float ramp[PLI_RAMP_COUNT][3]) {
    static const uint32_t stops[] = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                     0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
    const int last = sizeof stops / sizeof *stops - 1;
    for (int i = 0; i < PLI_RAMP_COUNT; ++i) {
        double at = (double)i * last / (PLI_RAMP_COUNT - 1);
        int k = pli_min_int((int)at, last - 1);
        for (int c = 0; c < 3; ++c) {
            double from = stops[k] >> (16 - 8 * c) & 255u, to = stops[k + 1] >> (16 - 8 * c) & 255u;
            ramp[i][c] = (float)(from + (at - k) * (to - from));
        }
    }
}

static double text_size(const pli_caption* c) {
    return fmax(8, 0.018 * fmin(c->height, 0.75 * c->width));
}

static pli_label label_of(const pli_caption* c, bool strong) {
    return (pli_label){
        .size = text_size(c),
        .ink = {strong ? 28.0F : 84.0F, strong ? 36.0F : 95.0F, strong ? 46.0F : 106.0F},
        .halo = {251, 252, 253}};
}

static bool has_room(const pli_caption* c) {
    return c->width >= LEAST_WIDTH && c->height >= LEAST_HEIGHT;
}

// ---- the time

// "t = 0.240 s", with enough digits to distinguish the pictures.
static void write_time(double time, double step, char text[48]) {
    static const struct {
        double least, factor;
        const char* unit;
    } units[] = {{0.05, 1, "s"}, {5e-5, 1e3, "ms"}, {0, 1e6, "us"}};
    size_t i = 0;
    // the unit follows from the largest digit that changes often, not from the time, so it stays
    // the same
    while (i < 2 && 20 * step < units[i].least) ++i;
    double shown = step > 0 ? step * units[i].factor : 1;
    int digits = (int)fmin(fmax(ceil(-log10(shown) - 1e-9), 0), 6);
    while (digits < 6 && fabs(shown * pow(10, digits) - nearbyint(shown * pow(10, digits))) > 0.01)
        ++digits;
    pli_format(text, 48, "t = %.*f %s", digits, time * units[i].factor, units[i].unit);
}

// ---- the colour bar

// The layout of its parts [px].
typedef struct scale {
    double left, top, width, height, text;
    pli_ticks ticks;
    pli_prefix unit;
    char label[96];
} scale;

static double widest_tick(const pli_caption* c, const scale* s) {
    pli_label label = label_of(c, false);
    char text[PLI_NUMBER_SIZE];
    double width = 0;
    for (int i = 0; i < s->ticks.count; ++i)
        width = fmax(width, pli_label_width(&label, pli_tick_text(&s->ticks, i, text)));
    return width;
}

static scale scale_of(const pli_caption* c) {
    scale s = {.text = text_size(c)};
    pli_label label = label_of(c, false);
    s.unit = pli_prefix_for(fmax(fabs(c->low), fabs(c->high)));
    s.ticks = pli_ticks_for(c->low * s.unit.factor, c->high * s.unit.factor, 5);
    pli_format(s.label, sizeof s.label, "%s [%s%s]", c->field->label, s.unit.text, c->field->unit);
    s.width = 1.3 * s.text;
    s.height = 0.42 * c->height;
    s.top = 0.5 * (c->height - s.height);
    double right = fmax(s.width + s.text + widest_tick(c, &s), pli_label_width(&label, s.label));
    s.left = c->width - 2 * s.text - right;
    return s;
}

double pli_caption_reserve(const pli_caption* c) {
    if (!c->field || !has_room(c)) return 0;
    scale s = scale_of(c);
    double reserve = c->width - s.left + s.text;
    return reserve < 0.4 * c->width ? reserve : 0; // otherwise the scene is below it
}

static void fill_box(const pli_caption* c, unsigned char* rgb, const double box[4],
                     const float* colour) {
    int x[2] = {(int)lrint(fmax(box[0], 0)), (int)lrint(fmin(box[1], c->width))};
    int y[2] = {(int)lrint(fmax(box[2], 0)), (int)lrint(fmin(box[3], c->height))};
    for (int j = y[0]; j < y[1]; ++j)
        for (int i = x[0]; i < x[1]; ++i)
            for (int k = 0; k < 3; ++k)
                rgb[3 * ((size_t)j * (size_t)c->width + (size_t)i) + (size_t)k] =
                    (unsigned char)lrintf(colour[k]);
}

static void draw_scale(const pli_caption* c, unsigned char* rgb) {
    static const float frame[3] = {84, 95, 106};
    const pli_image image = {rgb, c->width, c->height};
    pli_label label = label_of(c, false);
    scale s = scale_of(c);
    double right = s.left + s.width, bottom = s.top + s.height;
    fill_box(c, rgb, (const double[4]){s.left - 1, right + 1, s.top - 1, bottom + 1}, frame);
    for (int j = (int)lrint(s.top); j < (int)lrint(bottom); ++j) {
        int row = (int)((bottom - j - 0.5) / s.height * PLI_RAMP_COUNT);
        row = pli_max_int(0, pli_min_int(row, PLI_RAMP_COUNT - 1));
        fill_box(c, rgb, (const double[4]){s.left, right, j, j + 1}, c->ramp[row]);
    }
    for (int i = 0; i < s.ticks.count; ++i) {
        char text[PLI_NUMBER_SIZE];
        double value = pli_tick_value(&s.ticks, i) / s.unit.factor;
        double y = bottom - (value - c->low) / (c->high - c->low) * s.height;
        fill_box(c, rgb, (const double[4]){right, right + 0.4 * s.text, y - 0.5, y + 0.5}, frame);
        pli_label_draw(&label, &image, right + 0.8 * s.text, y + 0.5 * s.text,
                       pli_tick_text(&s.ticks, i, text));
    }
    pli_label_draw(&label, &image, s.left, s.top - 1.2 * s.text, s.label);
}

void pli_caption_draw(const pli_caption* c, unsigned char* rgb, double time) {
    if (!has_room(c)) return;
    const pli_image image = {rgb, c->width, c->height};
    pli_label strong = label_of(c, true), weak = label_of(c, false);
    double x = 2 * strong.size, y = 3 * strong.size;
    char text[48];
    if (c->title && *c->title) {
        pli_label_draw(&strong, &image, x, y, c->title);
        y += 2 * strong.size;
    }
    write_time(time, c->time_step, text);
    pli_label_draw(&weak, &image, x, y, text);
    if (c->field) draw_scale(c, rgb);
}
