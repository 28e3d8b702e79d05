// What the families of hard scenes share: random choices and the text of a scene, piece by piece.
// One call of a chance per full expression: the order of arguments is the compiler's choice, and a
// seed must give the same scene everywhere.
#ifndef TESTS_NASTY_MAKER_H
#define TESTS_NASTY_MAKER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "nasty/nasty.h"
#include "oracle/random.h"

typedef struct maker {
    pli_random r;
    char* text;
    size_t used;
    int dim;
    int items;   // of the list that is being written
    double top;  // upper end of the column so far [m]
    double dhat; // [m]
} maker;

// A family writes its scene after the name: from "dimension" to the closing brace.
typedef void nasty_family_fn(maker* m);
nasty_family_fn pli_nasty_columns, pli_nasty_settings;
nasty_family_fn pli_nasty_arches, pli_nasty_cards, pli_nasty_gaps, pli_nasty_balls;
nasty_family_fn pli_nasty_boxes, pli_nasty_impacts, pli_nasty_masses, pli_nasty_wedges;
nasty_family_fn pli_nasty_sheets, pli_nasty_spins, pli_nasty_ratios, pli_nasty_squeezes;
nasty_family_fn pli_nasty_frictions, pli_nasty_leaps, pli_nasty_chains, pli_nasty_slivers;

static inline void put(maker* m, const char* format, ...) PLI_PRINTF(2, 3);
static inline void put(maker* m, const char* format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(m->text + m->used, NASTY_TEXT_SIZE - m->used, format, args);
    va_end(args);
    m->used += (size_t)length;
    if (m->used >= NASTY_TEXT_SIZE) m->used = NASTY_TEXT_SIZE - 1; // a test asks for room
}

// ---- chances

static inline double within(maker* m, double low, double high) {
    return pli_random_in(&m->r, low, high);
}

static inline bool chance(maker* m, double part) { return within(m, 0, 1) < part; }

// Uniform in the exponent.
static inline double scale(maker* m, double low, double high) {
    return exp(within(m, log(low), log(high)));
}

static inline int below(maker* m, int n) { return pli_random_below(&m->r, n); }

// low .. high
static inline int count_of(maker* m, int low, int high) { return low + below(m, high - low + 1); }

// Elements along an edge: as many as keep a scene small.
static inline int fineness(maker* m) { return count_of(m, 1, m->dim == 2 ? 6 : 4); }

// ---- vectors

static inline void put_numbers(maker* m, const double v[3]) {
    put(m, "[%.17g, %.17g", v[0], v[1]);
    if (m->dim == 3) put(m, ", %.17g", v[2]);
    put(m, "]");
}

static inline void put_vector(maker* m, const char* key, const double v[3]) {
    put(m, ", \"%s\": ", key);
    put_numbers(m, v);
}

static inline void put_direction(maker* m, const char* key, double size) {
    double v[3];
    for (int i = 0; i < 3; ++i) v[i] = within(m, -size, size);
    put_vector(m, key, v);
}

// ---- parts of a scene

static inline void begin_scene(maker* m, int dim, double h, int steps) {
    m->dim = dim;
    put(m, "\"dimension\": %d,\n \"time\": {\"step\": %.3g, \"steps\": %d},\n", dim, h, steps);
}

static inline void put_gravity(maker* m) {
    put(m, " \"gravity\": [0, -9.81%s],\n", m->dim == 3 ? ", 0" : "");
}

// dhat 0: the default.
static inline void put_contact(maker* m, double dhat, double friction) {
    m->dhat = dhat;
    put(m, " \"contact\": {\"stiffness\": \"auto\"");
    if (dhat > 0) put(m, ", \"dhat\": %.17g", dhat);
    if (friction > 0) put(m, ", \"friction\": %.3g", friction);
    put(m, "},\n");
}

static inline void begin_list(maker* m, const char* name) {
    put(m, " \"%s\": [", name);
    m->items = 0;
}

static inline void begin_item(maker* m) { put(m, "%s\n  {", m->items++ ? "," : ""); }

static inline void end_scene(maker* m) { put(m, "]}\n"); }

static inline void put_half_space(maker* m, const double point[3], const double normal[3],
                                  double friction) {
    begin_item(m);
    put(m, "\"type\": \"half-space\", \"friction\": %.3g", friction);
    put_vector(m, "point", point);
    put_vector(m, "normal", normal);
    put(m, "}");
}

// A half-space below y = height; the list of obstacles begins here.
static inline void put_ground(maker* m, double height, double friction) {
    put(m, "],\n");
    begin_list(m, "obstacles");
    put_half_space(m, (double[3]){0, height, 0}, (double[3]){0, 1, 0}, friction);
}

// A box of neo-Hookean material, in the plane a rectangle.
typedef struct block {
    const char* name; // a number follows
    double size[3], center[3];
    int segments[3];
    double rotate; // about z [degrees]
    double young, poisson, density;
    const char *map_plane, *map_space; // expressions instead of `rotate`; NULL: none
} block;

static inline void put_stuff(maker* m, const block* b) {
    put(m,
        ", \"density\": %.3g,\n   \"energies\": [{\"type\": \"neo-hookean\", \"young\": %.3g, "
        "\"poisson\": %.3g}]",
        b->density, b->young, b->poisson);
}

static inline void put_block_mesh(maker* m, const block* b) {
    put(m, "\"mesh\": {\"type\": \"%s\", \"size\": ", m->dim == 2 ? "rectangle" : "box");
    put_numbers(m, b->size);
    put(m, ", \"segments\": [%d, %d", b->segments[0], b->segments[1]);
    if (m->dim == 3) put(m, ", %d", b->segments[2]);
    put(m, "]}");
}

// Without the closing brace: more keys may follow.
static inline void begin_block(maker* m, const block* b) {
    begin_item(m);
    put(m, "\"name\": \"%s%d\", ", b->name, m->items);
    put_block_mesh(m, b);
    const char* map = m->dim == 2 ? b->map_plane : b->map_space;
    if (map) put(m, ", \"map\": %s", map);
    if (b->rotate != 0) put(m, ", \"rotate\": %.17g", b->rotate);
    put_vector(m, "translate", b->center);
    put_stuff(m, b);
}

static inline void put_block(maker* m, const block* b) {
    begin_block(m, b);
    put(m, "}");
}

#endif
