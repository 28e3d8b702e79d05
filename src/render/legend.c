// The legend: bodies grouped into entries, drawn as long as there is room.
#include "render/legend.h"

#include <string.h>

// Bodies that are obstacles or, else, that are not.
typedef struct entry {
    const char* name;
    int length;            // of the name that is shown, in bytes
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

// The first body from b on that is an obstacle or, else, that is none.
static int next_body(const pli_snapshot* s, int b, bool obstacle) {
    while (b < s->body_count && pli_is_obstacle(s, b) != obstacle) ++b;
    return b;
}

// From body b on, those of a kind with the same base; obstacles: all.
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
