// The families of hard scenes: one row each, and which scene of a run belongs to which.
#include "nasty/maker.h"

#include <string.h>

// Shares are parts of hundred; a family without a share runs only when it is asked for.
static const struct {
    const char* name;
    int share;
    nasty_family_fn* write;
} rows[] = {
    {"arches", 10, pli_nasty_arches},      // stiff stones that turn
    {"cards", 10, pli_nasty_cards},        // stiff cards that turn
    {"gaps", 12, pli_nasty_gaps},          // aligned blocks, 1 nm to 1 mm apart
    {"balls", 7, pli_nasty_balls},         // many small soft bodies on a sphere
    {"boxes", 8, pli_nasty_boxes},         // fast bodies in a closed box
    {"impacts", 8, pli_nasty_impacts},     // one block is shot at another
    {"masses", 5, pli_nasty_masses},       // heavy on light
    {"wedges", 4, pli_nasty_wedges},       // driven between two blocks
    {"sheets", 7, pli_nasty_sheets},       // thin solids that fold and pile up
    {"spins", 4, pli_nasty_spins},         // fast rotation in contact
    {"ratios", 4, pli_nasty_ratios},       // soft on stiff
    {"squeezes", 4, pli_nasty_squeezes},   // prescribed plates
    {"frictions", 5, pli_nasty_frictions}, // high coefficients, small sliding speeds
    {"leaps", 3, pli_nasty_leaps},         // large steps, dhat from tiny to large
    {"chains", 2, pli_nasty_chains},       // rings
    {"slivers", 3, pli_nasty_slivers},     // elements as thin as 1e-5 of their length
    {"columns", 4, pli_nasty_columns},     // anything on anything, default solver settings
    {"settings", 0, pli_nasty_settings},   // the same with solver settings of all kinds
};
enum { FAMILIES = sizeof rows / sizeof *rows, PARTS = 100 };

const char* pli_nasty_family(int i) { return i >= 0 && i < FAMILIES ? rows[i].name : NULL; }

int pli_nasty_find_family(const char* name) {
    for (int i = 0; i < FAMILIES; ++i)
        if (strcmp(rows[i].name, name) == 0) return i;
    return -1;
}

int pli_nasty_family_of(uint64_t seed) {
    int part = (int)(seed * 37 % PARTS); // mixes families; each has its share of any 100 in a row
    for (int i = 0; i < FAMILIES; ++i)
        if ((part -= rows[i].share) < 0) return i;
    return FAMILIES - 1;
}

// Neighbouring seeds become far ones: the finalizer of SplitMix64.
static uint64_t mix(uint64_t seed) {
    uint64_t bits = seed * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

void pli_nasty_text(int family, uint64_t seed, char text[NASTY_TEXT_SIZE]) {
    maker m = {.r = {mix(seed)}, .text = text};
    put(&m, "{\"name\": \"%s %llu\", ", rows[family].name, (unsigned long long)seed);
    rows[family].write(&m);
}
