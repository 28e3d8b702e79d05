// Solves with a block triangle L stored in a pattern, reciprocals on its diagonal: one column
// group at a time, in place, without its last `outer` rows.
#ifndef PLI_SPARSE_TRIANGLE_H
#define PLI_SPARSE_TRIANGLE_H

#include "sparse/panel.h"

// L y = x, one panel.
static inline void pli_forward_panel(int width, const pli_panel* panel, const double* factor,
                                     double* x) {
    const double* l = factor + panel->top;
    int height = panel->height;
    double own[PLI_PANEL_WIDTH] = {0};
    for (int c = 0; c < width; ++c) own[c] = x[panel->first + c];
    for (int c = 0; c < width; ++c) {
        own[c] *= l[c * height + c];
        for (int r = c + 1; r < width; ++r) own[r] -= l[c * height + r] * own[c];
        x[panel->first + c] = own[c];
    }
    l += width;
    for (int k = 0; k < panel->below; ++k) {
        double sum = 0;
        for (int c = 0; c < width; ++c) sum += l[c * height + k] * own[c];
        x[panel->row[k]] -= sum;
    }
}

// L^T y = x, one panel. The rows that come first were solved last: they are used at the end, when
// they are likely to be available.
static inline void pli_backward_panel(int width, const pli_panel* panel, const double* factor,
                                      double* x) {
    const double* l = factor + panel->top;
    int height = panel->height;
    double own[PLI_PANEL_WIDTH] = {0};
    for (int c = 0; c < width; ++c) own[c] = x[panel->first + c];
    for (int k = panel->below - 1; k >= 0; --k) {
        double other = x[panel->row[k]];
        for (int c = 0; c < width; ++c) own[c] -= l[c * height + width + k] * other;
    }
    for (int c = width - 1; c >= 0; --c) {
        for (int r = c + 1; r < width; ++r) own[c] -= l[c * height + r] * own[r];
        own[c] *= l[c * height + c];
        x[panel->first + c] = own[c];
    }
}

// Calls one of the two with a constant width.
#define PLI_PANEL_CALL(function, panel, factor, x)                                                 \
    do {                                                                                           \
        if ((panel)->width == 3)                                                                   \
            function(3, panel, factor, x);                                                         \
        else if ((panel)->width == 2)                                                              \
            function(2, panel, factor, x);                                                         \
        else if ((panel)->width == 1)                                                              \
            function(1, panel, factor, x);                                                         \
        else                                                                                       \
            function(4, panel, factor, x);                                                         \
    } while (0)

static inline void pli_forward_group(const pli_pattern* pattern, const double* factor, int group,
                                     int outer, double* x) {
    int width = pattern->group_offset[group + 1] - pattern->group_offset[group];
    for (int c = 0; c < width; c += PLI_PANEL_WIDTH) {
        pli_panel panel = pli_panel_at(pattern, group, c);
        panel.below -= outer;
        PLI_PANEL_CALL(pli_forward_panel, &panel, factor, x);
    }
}

static inline void pli_backward_group(const pli_pattern* pattern, const double* factor, int group,
                                      int outer, double* x) {
    int width = pattern->group_offset[group + 1] - pattern->group_offset[group];
    for (int c = pli_last_panel(width); c >= 0; c -= PLI_PANEL_WIDTH) {
        pli_panel panel = pli_panel_at(pattern, group, c);
        panel.below -= outer;
        PLI_PANEL_CALL(pli_backward_panel, &panel, factor, x);
    }
}

#endif
