// The flat rest shape of the triangles of a sheet: as the caller gives it, or each triangle in its own
// plane, scaled by rest_scale.
#include "model/model.h"

#include "math/vec.h"

#include <math.h>

// A triangle of the mesh in its own plane, the first edge along the first axis.
static void flatten(const pli_mesh* mesh, int triangle, double out[6]) {
    const int32_t* v = mesh->elements[PLI_TRIANGLE] + 3 * (size_t)triangle;
    double d1[3], d2[3], n[3];
    pli_sub(mesh->positions + 3 * (size_t)v[1], mesh->positions + 3 * (size_t)v[0], d1, 3);
    pli_sub(mesh->positions + 3 * (size_t)v[2], mesh->positions + 3 * (size_t)v[0], d2, 3);
    pli_cross3(d1, d2, n);
    double length = pli_norm(d1, 3), over = length > 0 ? 1 / length : 0;
    out[0] = out[1] = out[3] = 0;
    out[2] = length;
    out[4] = pli_dot(d1, d2, 3) * over;
    out[5] = pli_norm(n, 3) * over;
}

static pli_status check_triangle(const double p[6], int triangle, pli_error* error) {
    for (int i = 0; i < 6; ++i)
        if (!isfinite(p[i]))
            return pli_fail(error, PLI_E_ARGUMENT, "pattern of triangle %d: coordinate %d is %g",
                            triangle, i, p[i]);
    if (!(pli_pattern_area(p) > 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "pattern of triangle %d: its area is 0, must be > 0", triangle);
    return PLI_OK;
}

pli_status pli_pattern_make(pli_model* model, pli_body_def* def, double** pattern,
                            pli_error* error) {
    const pli_mesh* mesh = def->mesh;
    int count = mesh->element_count[PLI_TRIANGLE];
    const char* key = def->pattern ? "pattern" : "rest_scale";
    if (!def->pattern && def->rest_scale == 1) return PLI_OK;
    if (model->def.dimension != 3 || count == 0 || pli_mass_dimension(mesh->element_count) != 2)
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "%s is for sheets: triangles in space without tetrahedra", key),
                             error, key);
    double* made;
    PLI_TRY(PLI_ALLOC(model->memory, made, 6 * (size_t)count, error));
    pli_status status = PLI_OK;
    for (int t = 0; t < count && status == PLI_OK; ++t) {
        double* p = made + 6 * (size_t)t;
        if (!def->pattern) flatten(mesh, t, p);
        for (int i = 0; i < 6; ++i)
            p[i] = def->rest_scale * (def->pattern ? def->pattern[6 * (size_t)t + (size_t)i] : p[i]);
        status = pli_error_key(check_triangle(p, t, error), error, key);
    }
    if (status != PLI_OK) {
        PLI_FREE(model->memory, made, 6 * (size_t)count);
        return status;
    }
    def->pattern = *pattern = made;
    def->rest_scale = 1;
    return PLI_OK;
}
