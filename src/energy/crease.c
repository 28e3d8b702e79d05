// The rest of a hinge: see crease.h.
#include "energy/crease.h"

#include <math.h>

#include "base/base.h"

pli_status pli_crease_check(const double* params, pli_error* error) {
    double flat = params[PLI_CREASE_FLAT];
    if (flat != 0 && flat != 1)
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "flat = %g, must be 0 or 1", flat),
                             error, "flat");
    bool warp = !isnan(params[PLI_CREASE_WARP_STIFFNESS]),
         weft = !isnan(params[PLI_CREASE_WEFT_STIFFNESS]);
    if (warp == weft) return PLI_OK;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                  "%s is missing: give stiffness_warp and stiffness_weft, or "
                                  "stiffness alone",
                                  warp ? "stiffness_weft" : "stiffness_warp"),
                         error, warp ? "stiffness_warp" : "stiffness_weft");
}

// One triangle of the hinge, its apex first.
static pli_element triangle_of(const pli_element* hinge, int t, int32_t vertices[3]) {
    const int32_t* v = hinge->vertices;
    pli_element out = *hinge;
    for (int k = 0; k < 3; ++k) vertices[k] = t == 0 ? v[k] : v[3 - k];
    out.vertices = vertices;
    out.vertex_count = 3;
    if (hinge->pattern) out.pattern = hinge->pattern + 6 * t;
    return out;
}

static pli_status find_stiffness(const double* params, const pli_element* element, double* k,
                                 pli_error* error) {
    double along = params[PLI_CREASE_WARP_STIFFNESS], across = params[PLI_CREASE_WEFT_STIFFNESS];
    *k = isnan(along) ? params[PLI_CREASE_STIFFNESS] : along;
    if (isnan(along) || along == across) return PLI_OK;
    double square = 0; // c^2, mean of both triangles
    for (int t = 0; t < 2; ++t) {
        int32_t vertices[3];
        pli_element triangle = triangle_of(element, t, vertices);
        double Dm[4], det;
        PLI_TRY(pli_sheet_edges(&triangle, params + PLI_CREASE_WARP, Dm, &det, error));
        double x = Dm[1] - Dm[0], y = Dm[3] - Dm[2]; // along the edge
        square += 0.5 * y * y / (x * x + y * y);
    }
    double root = sqrt(along) * square + sqrt(across) * (1 - square);
    *k = root * root;
    return PLI_OK;
}

// Whether the edge has the same places in the patterns of both triangles, with these on its two
// sides: then the sheet was cut flat there.
static bool is_joined(const double* p) {
    const double *a = p + 2, *b = p + 4; // the edge in the first; in the second 4, 2 beyond 6
    double e[2], scale = 0, gap = 0, side[2];
    for (int c = 0; c < 2; ++c) {
        e[c] = b[c] - a[c];
        scale = fmax(scale, fabs(e[c]));
        gap = fmax(gap, fmax(fabs(p[10 + c] - a[c]), fabs(p[8 + c] - b[c])));
    }
    for (int t = 0; t < 2; ++t) side[t] = e[0] * (p[6 * t + 1] - a[1]) - e[1] * (p[6 * t] - a[0]);
    return gap <= 1e-6 * scale && side[0] * side[1] < 0; // coordinates of files have six digits
}

// The hinge unfolded in its patterns, the edge along x: where the lengths of the edge differ, their
// mean, with the areas kept.
static bool unfold(const double* p, double x[PLI_FOLD_SIZE]) {
    double length[2], along[2], height[2];
    for (int t = 0; t < 2; ++t) {
        const double *apex = p + 6 * t, *a = p + (t == 0 ? 2 : 10), *b = p + (t == 0 ? 4 : 8);
        double e[2] = {b[0] - a[0], b[1] - a[1]}, d[2] = {apex[0] - a[0], apex[1] - a[1]};
        length[t] = pli_hypot(e[0], e[1]);
        if (!(length[t] > 0)) return false;
        along[t] = (d[0] * e[0] + d[1] * e[1]) / (length[t] * length[t]);
        height[t] = fabs(d[0] * e[1] - d[1] * e[0]);
    }
    double mean = 0.5 * (length[0] + length[1]);
    for (int i = 0; i < PLI_FOLD_SIZE; ++i) x[i] = 0;
    x[6] = mean;
    for (int t = 0; t < 2; ++t) {
        x[9 * t] = along[t] * mean;
        x[9 * t + 1] = (t == 0 ? 1 : -1) * height[t] / mean;
    }
    return true;
}

pli_status pli_crease_prepare(const double* params, const pli_element* element, pli_crease* out,
                              pli_error* error) {
    double x[PLI_FOLD_SIZE];
    const double* pattern = element->pattern;
    for (int a = 0; a < PLI_FOLD_WIDTH; ++a)
        pli_copy(element->rest + 3 * (size_t)element->vertices[a], x + 3 * a, 3);
    bool open = pli_fold_open(x, &out->fold);
    bool flat = params[PLI_CREASE_FLAT] != 0 || (pattern && is_joined(pattern));
    out->angle = flat || !open ? 0 : pli_fold_angle(&out->fold);
    if (pattern) open = unfold(pattern, x) && pli_fold_open(x, &out->fold);
    if (!open) return pli_fail(error, PLI_E_ARGUMENT, "one of its triangles has no area at rest");
    return find_stiffness(params, element, &out->stiffness, error);
}
