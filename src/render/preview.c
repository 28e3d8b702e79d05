// preview.svg: collects data during the run, then writes the page with strip, legend and plot.
#include "render/preview.h"

#include <math.h>
#include <string.h>

#include "base/pack.h"
#include "render/strip.h"

enum {
    MAX_SAMPLES = 2000,
    // More pictures than wanted are stored, so that the final choice is nearly uniform in time;
    // fewer of them if they are large.
    MIN_STORED = 2,
    MAX_STORED = 16,
    STORE_BYTES = 64 << 20,
    PAGE_WIDTH = 1200, // [px], this and the following
    MARGIN = 36,
    LEGEND_SIZE = 13,
    TITLE_SIZE = 21,
};

void pli_preview_init(pli_preview* preview, pli_memory* memory, const pli_snapshot* snapshot,
                      int frames) {
    PLI_ASSERT(frames >= 1 && frames <= PLI_PREVIEW_MAX_FRAMES);
    *preview = (pli_preview){.memory = memory,
                             .frames = frames,
                             .dim = snapshot->dimension,
                             .camera = pli_camera_for(snapshot->dimension, snapshot->gravity),
                             .vertex_count = snapshot->vertex_count,
                             .vertex_body = snapshot->vertex_body,
                             .body_radius = snapshot->body_radius ? snapshot->body_radius
                                                                  : snapshot->body_thickness,
                             .half_space_count = snapshot->half_space_count,
                             .energy_count = snapshot->energy_count};
    (void)pli_shot_read(NULL, &preview->shot, NULL); // the default
    preview->energy_hash = PLI_HASH_START;
    for (int i = 0; i < snapshot->energy_count; ++i)
        preview->energy_hash = pli_hash(preview->energy_hash, snapshot->energy_names[i],
                                        strlen(snapshot->energy_names[i]) + 1);
    size_t points = 2 * (size_t)preview->half_space_count + (size_t)preview->vertex_count;
    size_t floats = (size_t)preview->dim * points;
    size_t size =
        (sizeof(pli_preview_frame) + floats * sizeof(float) + 7) / 8 * 8; // doubles stay aligned
    size_t stored = STORE_BYTES / size / (size_t)frames;
    int per_frame = stored > MAX_STORED ? MAX_STORED : pli_max_int((int)stored, MIN_STORED);
    pli_sampler_init(&preview->pictures, memory, size, pli_max_int(per_frame * frames, 3));
    pli_sampler_init(&preview->samples, memory,
                     (2 + (size_t)preview->energy_count) * sizeof(double), MAX_SAMPLES);
    // Floats have about 7 digits: positions are stored relative to the bodies, wherever these are.
    double sum[3] = {0};
    for (int v = 0; v < preview->vertex_count; ++v)
        for (int k = 0; k < 3; ++k) sum[k] += snapshot->positions[3 * v + k];
    for (int k = 0; k < 3; ++k) {
        double mean = sum[k] / pli_max_int(1, preview->vertex_count);
        preview->origin[k] = isfinite(mean) ? mean : 0;
    }
}

void pli_preview_set_shot(pli_preview* preview, const pli_snapshot* snapshot,
                          const pli_shot* shot) {
    pli_camera_place place;
    preview->shot = *shot;
    pli_view_point at = pli_shot_at(shot, 0);
    if (pli_camera_place_of(NULL, &place, NULL) == PLI_OK)
        preview->camera = pli_camera_toward(snapshot->dimension, snapshot->gravity, &at, place);
}

void pli_preview_free(pli_preview* preview) {
    pli_sampler_free(&preview->pictures);
    pli_sampler_free(&preview->samples);
}

void pli_preview_change(pli_preview* preview, const pli_snapshot* snapshot) {
    pli_preview old = *preview;
    pli_preview_init(preview, old.memory, snapshot, old.frames);
    preview->single = old.single;
    pli_preview_set_shot(preview, snapshot, &old.shot);
    if (preview->energy_hash == old.energy_hash) {
        preview->samples = old.samples;
        old.samples = (pli_sampler){0};
    }
    pli_preview_free(&old);
}

// A vector in camera coordinates; returns the position after it.
static float* store(const pli_preview* preview, const double vector[3], float* out) {
    double seen[3];
    pli_camera_see(&preview->camera, vector, seen);
    for (int k = 0; k < preview->dim; ++k) *out++ = (float)seen[k];
    return out;
}

static float* store_place(const pli_preview* preview, const double place[3], float* out) {
    double from[3];
    for (int k = 0; k < 3; ++k) {
        double x = preview->single ? (double)(float)place[k] : place[k];
        from[k] = x - preview->origin[k];
    }
    if (preview->dim == 2) from[2] = 0; // may have any value
    return store(preview, from, out);
}

pli_status pli_preview_add_picture(pli_preview* preview, const pli_snapshot* snapshot,
                                   pli_error* error) {
    void* record;
    PLI_TRY(pli_sampler_add(&preview->pictures, &record, error));
    pli_preview_frame* picture = record;
    picture->time = snapshot->time;
    float* out = picture->values;
    for (int i = 0; i < preview->half_space_count; ++i) {
        const double* plane = snapshot->half_spaces + 6 * i;
        out = store_place(preview, plane, out);
        out = store(preview, plane + 3, out);
    }
    pli_preview_set_vertices(preview, preview->pictures.count - 1, snapshot->positions);
    return PLI_OK;
}

void pli_preview_set_vertices(pli_preview* preview, int i, const double* positions) {
    const pli_preview_frame* picture = pli_preview_frame_at(preview, i);
    float* out = (float*)(uintptr_t)pli_preview_positions(preview, picture);
    for (int v = 0; v < preview->vertex_count; ++v)
        out = store_place(preview, positions + 3 * (size_t)v, out);
}

pli_status pli_preview_add_sample(pli_preview* preview, const pli_snapshot* snapshot,
                                  pli_error* error) {
    void* record;
    PLI_TRY(pli_sampler_add(&preview->samples, &record, error));
    double* sample = record;
    sample[0] = snapshot->time;
    for (int i = 0; i < preview->energy_count; ++i) sample[1 + i] = snapshot->energy_values[i];
    sample[1 + preview->energy_count] = snapshot->total_energy;
    return PLI_OK;
}

// A bar with its length in the pictures and that length as text, right-aligned at `right`.
static void write_scale_bar(pli_file* file, const pli_film_strip* strip, pli_point right) {
    const double longest = 240; // [px]
    double range = fmin(strip->high.x - strip->low.x, longest / strip->scale);
    pli_ticks ticks = pli_ticks_for(0, range, 4);
    pli_prefix prefix = pli_prefix_for(ticks.step);
    char number[PLI_NUMBER_SIZE], text[PLI_NUMBER_SIZE + 8];
    pli_format(number, sizeof number, "%.3g", ticks.step * prefix.factor);
    pli_format(text, sizeof text, "%s %sm", number, prefix.text);
    double end = right.x - pli_svg_text_width(text, LEGEND_SIZE, 40) - 8;
    double start = end - ticks.step * strip->scale;
    pli_pen pen = pli_pen_begin(file, "fill=\"none\" stroke=\"" PLI_INK "\" stroke-width=\"1.4\"");
    for (int i = 0; i < 2; ++i) { // end marks
        pli_pen_to(&pen, i ? end : start, right.y - 8.5);
        pli_pen_to(&pen, i ? end : start, right.y - 0.5);
        pli_pen_lift(&pen);
    }
    pli_pen_to(&pen, start, right.y - 4.5);
    pli_pen_to(&pen, end, right.y - 4.5);
    pli_pen_end(&pen);
    pli_svg_text(file, right, (pli_text_style){LEGEND_SIZE, "end", PLI_GREY, false, 40}, text);
}

// Title, then bodies and scale bar. They share a row if there is no title or only one body.
static void write_header(pli_file* file, const pli_snapshot* s, const pli_film_strip* strip,
                         const char* title, double bottom) {
    enum { BAR_ROOM = 300 };
    double right = PAGE_WIDTH - MARGIN, last_row = bottom - 18;
    if (*title)
        pli_svg_text(file, (pli_point){MARGIN, MARGIN + TITLE_SIZE - 4},
                     (pli_text_style){TITLE_SIZE, "start", PLI_INK, true, 60}, title);
    if (s->body_count > 1)
        pli_legend_write(file, s, (pli_point){MARGIN, last_row}, right - BAR_ROOM, LEGEND_SIZE);
    write_scale_bar(file, strip, (pli_point){right, last_row});
}

static pli_status write_page(pli_file* file, const pli_preview* preview, const pli_snapshot* s,
                             const char* title, pli_error* error) {
    enum { SECOND_ROW = 28, BETWEEN = 22 };
    pli_film_strip strip;
    PLI_TRY(pli_strip_layout(preview, s, PAGE_WIDTH - 2 * MARGIN, &strip, error));
    pli_plot plot = pli_plot_layout(preview, s, PAGE_WIDTH - 2 * MARGIN);
    pli_prefix unit = pli_prefix_for(fabs(plot.end));
    double strip_top = MARGIN + TITLE_SIZE + 14 + (*title && s->body_count > 1 ? SECOND_ROW : 0);
    double plot_top = strip_top + strip.height + BETWEEN;
    double height = plot_top + plot.height + MARGIN - 16;
    pli_svg_begin(file, PAGE_WIDTH, (int)lround(height), title);
    write_header(file, s, &strip, title, strip_top);
    pli_scenery scenery;
    PLI_TRY(pli_scenery_init(&scenery, preview, s, &strip, error));
    pli_status status = pli_strip_write(file, preview, s, &scenery, &strip,
                                        (pli_point){MARGIN, strip_top}, unit, error);
    pli_scenery_free(&scenery);
    pli_plot_write(file, preview, s, &plot, (pli_point){MARGIN, plot_top}, unit);
    pli_svg_end(file);
    return status;
}

pli_status pli_preview_write(const pli_preview* preview, const pli_snapshot* snapshot,
                             const char* title, const char* folder, pli_error* error) {
    if (preview->pictures.count == 0) return PLI_OK;
    pli_file file;
    PLI_TRY(pli_file_create(&file, folder, "preview.svg", error));
    pli_status status = write_page(&file, preview, snapshot, title ? title : "", error);
    if (status == PLI_OK) return pli_file_commit(&file, error);
    pli_file_abandon(&file);
    return status;
}

// ---- the legend of bodies

// The legend: bodies grouped into entries, drawn as long as there is room.

// Bodies that are obstacles, or those that are not.
typedef struct entry {
    const char* name;
    int length;            // of the shown name, in bytes
    int first, count, end; // the next entry may begin at `end`
    bool obstacles;
} entry;

// Bytes of a name before the blank and the number at its end; all if there are none.
static int base_length(const char* name) {
    size_t all = strlen(name), end = all;
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') end--;
    return (int)(end == all || end < 2 || name[end - 1] != ' ' ? all : end - 1);
}

static bool same_base(const char* one, const char* other) {
    int length = base_length(one);
    return length < (int)strlen(one) && length == base_length(other) &&
           length < (int)strlen(other) && strncmp(one, other, (size_t)length) == 0;
}

// The first body from b on that is an obstacle, or that is not.
static int next_body(const pli_snapshot* s, int b, bool obstacle) {
    while (b < s->body_count && pli_is_obstacle(s, b) != obstacle) ++b;
    return b;
}

// From body b on, bodies of a kind with the same base name; obstacles: all.
static entry gather(const pli_snapshot* s, int b, bool obstacles) {
    entry e = {s->body_names[b], 0, b, 1, 0, obstacles};
    bool common = true;
    while ((b = next_body(s, b + 1, obstacles)) < s->body_count) {
        bool same = same_base(e.name, s->body_names[b]);
        if (!same && !obstacles) break;
        common = common && same;
        e.count++;
    }
    e.end = b;
    if (!common) e.name = "obstacles";
    e.length = e.count > 1 ? base_length(e.name) : (int)strlen(e.name);
    return e;
}

enum { SIDE = 11, APART = 5, NAME_CHARS = 24 }; // of squares [px]; of names

static int square_count(const entry* e) {
    return e->obstacles ? 1 : pli_min_int(e->count, PLI_COLOUR_COUNT);
}

static void write_entry(pli_file* file, const pli_snapshot* s, const entry* e, pli_point at) {
    int side = SIDE, b = e->first;
    for (int i = 0; i < square_count(e); ++i, b = next_body(s, b + 1, e->obstacles)) {
        const pli_colour* colour = pli_body_colour(s, b);
        PLI_FILE_PRINT(file,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"2\" "
                       "fill=\"%s\" stroke=\"%s\"/>\n",
                       at.x + APART * i, at.y - side + 1, side, side, colour->fill, colour->edge);
    }
}

void pli_legend_write(pli_file* file, const pli_snapshot* s, pli_point at, double right, int size) {
    enum { ROOM_FOR_MORE = 90 };
    pli_text_style style = {size, "start", PLI_GREY, false, NAME_CHARS};
    int shown = 0;
    for (int turn = 0; turn < 2; ++turn) { // bodies, then obstacles
        entry e;
        for (int b = next_body(s, 0, turn == 1); b < s->body_count; b = e.end) {
            e = gather(s, b, turn == 1);
            char name[4 * NAME_CHARS + 8]; // 4 bytes a character at most, and one more is cut
            pli_format(name, sizeof name, "%.*s", pli_min_int(e.length, (int)sizeof name - 1),
                       e.name);
            double text = SIDE + APART * (square_count(&e) - 1) + 6;
            double width = text + pli_svg_text_width(name, size, NAME_CHARS) + 16;
            double room = shown + e.count < s->body_count ? ROOM_FOR_MORE : 0;
            if (at.x + width + room > right) {
                pli_format(name, sizeof name, "+ %d more", s->body_count - shown);
                pli_svg_text(file, at, style, name);
                return;
            }
            write_entry(file, s, &e, at);
            pli_svg_text(file, (pli_point){at.x + text, at.y}, style, name);
            at.x += width;
            shown += e.count;
        }
    }
}
