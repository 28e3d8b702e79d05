// Strips: the kernels' view of a pattern.
//
// A strip is up to four adjacent scalar columns of one block column, a w x w triangle on the
// diagonal and a dense array below it that shares one list of row numbers. Groups of width 1 to 4
// are one strip, wider ones several. A kernel written for a strip of constant width handles mixed
// group widths at the speed of its own.
#ifndef PLI_SPARSE_STRIP_H
#define PLI_SPARSE_STRIP_H

#include "sparse/pattern.h"

enum { PLI_STRIP_WIDTH = 4 };

typedef struct pli_strip {
    int first;          // its first unknown
    int width;          // scalar columns, 1 to PLI_STRIP_WIDTH
    int height;         // leading dimension of the values
    int top;            // where entry (0, 0) of the triangle is in the values
    int below;          // rows under the triangle
    const int32_t* row; // their numbers
} pli_strip;

// The strip of column group `group` that begins at its column c, a multiple of PLI_STRIP_WIDTH.
static inline pli_strip pli_strip_at(const pli_pattern* pattern, int group, int c) {
    pli_strip strip;
    int end = pattern->group_offset[group + 1] - pattern->group_offset[group];
    strip.first = pattern->group_offset[group] + c;
    strip.width = pli_min_int(PLI_STRIP_WIDTH, end - c);
    strip.height = pattern->column_height[group];
    strip.top = pattern->start[strip.first] + c;
    strip.below = strip.height - c - strip.width;
    strip.row = pattern->row + strip.top + strip.width;
    return strip;
}

// The column at which the last strip of a group of this width begins; -4 if it has none.
static inline int pli_last_strip(int width) {
    return (width - 1 + PLI_STRIP_WIDTH) / PLI_STRIP_WIDTH * PLI_STRIP_WIDTH - PLI_STRIP_WIDTH;
}

#endif
