// Solving with a block triangle L that lies in a pattern, reciprocals on its diagonal: one column
// group at a time, in place, without its last `outer` rows.
#ifndef PLI_SPARSE_TRIANGLE_H
#define PLI_SPARSE_TRIANGLE_H

#include "sparse/strip.h"

// L y = x, one strip.
static inline void pli_forward_strip(int width, const pli_strip* strip, const double* factor,
                                     double* x) {
    const double* l = factor + strip->top;
    int height = strip->height;
    double own[PLI_STRIP_WIDTH] = {0};
    for (int c = 0; c < width; ++c) own[c] = x[strip->first + c];
    for (int c = 0; c < width; ++c) {
        own[c] *= l[c * height + c];
        for (int r = c + 1; r < width; ++r) own[r] -= l[c * height + r] * own[c];
        x[strip->first + c] = own[c];
    }
    l += width;
    for (int k = 0; k < strip->below; ++k) {
        double sum = 0;
        for (int c = 0; c < width; ++c) sum += l[c * height + k] * own[c];
        x[strip->row[k]] -= sum;
    }
}

// L^T y = x, one strip. The rows that come first were solved last: they are taken at the end, when
// they are likely to be there.
static inline void pli_backward_strip(int width, const pli_strip* strip, const double* factor,
                                      double* x) {
    const double* l = factor + strip->top;
    int height = strip->height;
    double own[PLI_STRIP_WIDTH] = {0};
    for (int c = 0; c < width; ++c) own[c] = x[strip->first + c];
    for (int k = strip->below - 1; k >= 0; --k) {
        double other = x[strip->row[k]];
        for (int c = 0; c < width; ++c) own[c] -= l[c * height + width + k] * other;
    }
    for (int c = width - 1; c >= 0; --c) {
        for (int r = c + 1; r < width; ++r) own[c] -= l[c * height + r] * own[r];
        own[c] *= l[c * height + c];
        x[strip->first + c] = own[c];
    }
}

// Calls one of the two with a constant width.
#define PLI_STRIP_CALL(function, strip, factor, x)                                                 \
    do {                                                                                           \
        if ((strip)->width == 3)                                                                   \
            function(3, strip, factor, x);                                                         \
        else if ((strip)->width == 2)                                                              \
            function(2, strip, factor, x);                                                         \
        else if ((strip)->width == 1)                                                              \
            function(1, strip, factor, x);                                                         \
        else                                                                                       \
            function(4, strip, factor, x);                                                         \
    } while (0)

static inline void pli_forward_group(const pli_pattern* pattern, const double* factor, int group,
                                     int outer, double* x) {
    int width = pattern->group_offset[group + 1] - pattern->group_offset[group];
    for (int c = 0; c < width; c += PLI_STRIP_WIDTH) {
        pli_strip strip = pli_strip_at(pattern, group, c);
        strip.below -= outer;
        PLI_STRIP_CALL(pli_forward_strip, &strip, factor, x);
    }
}

static inline void pli_backward_group(const pli_pattern* pattern, const double* factor, int group,
                                      int outer, double* x) {
    int width = pattern->group_offset[group + 1] - pattern->group_offset[group];
    for (int c = pli_last_strip(width); c >= 0; c -= PLI_STRIP_WIDTH) {
        pli_strip strip = pli_strip_at(pattern, group, c);
        strip.below -= outer;
        PLI_STRIP_CALL(pli_backward_strip, &strip, factor, x);
    }
}

#endif
