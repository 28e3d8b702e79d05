// Panels: the view of a pattern that kernels use.
//
// A panel is up to four adjacent scalar columns of one block column: a w x w triangle on the
// diagonal and a dense array below it that shares one list of row numbers. Groups of width 1 to 4
// are one panel, wider ones several. A kernel for panels of constant width handles mixed group
// widths at full speed.
#ifndef PLI_SPARSE_PANEL_H
#define PLI_SPARSE_PANEL_H

#include "sparse/pattern.h"

enum { PLI_PANEL_WIDTH = 4 };

typedef struct pli_panel {
    int first;          // its first unknown
    int width;          // scalar columns, 1 to PLI_PANEL_WIDTH
    int height;         // leading dimension of the values
    int top;            // offset of entry (0, 0) of the triangle in the values
    int below;          // rows below the triangle
    const int32_t* row; // their numbers
} pli_panel;

// The panel of column group `group` that begins at its column c, a multiple of PLI_PANEL_WIDTH.
static inline pli_panel pli_panel_at(const pli_pattern* pattern, int group, int c) {
    pli_panel panel;
    int end = pattern->group_offset[group + 1] - pattern->group_offset[group];
    panel.first = pattern->group_offset[group] + c;
    panel.width = pli_min_int(PLI_PANEL_WIDTH, end - c);
    panel.height = pattern->column_height[group];
    panel.top = pattern->start[panel.first] + c;
    panel.below = panel.height - c - panel.width;
    panel.row = pattern->row + panel.top + panel.width;
    return panel;
}

// The column at which the last panel of a group of this width begins; -4: it has no panels.
static inline int pli_last_panel(int width) {
    return (width - 1 + PLI_PANEL_WIDTH) / PLI_PANEL_WIDTH * PLI_PANEL_WIDTH - PLI_PANEL_WIDTH;
}

#endif
