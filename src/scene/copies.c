// Copies of a body: `repeat`. They share all but places and velocities with the first.
#include "scene/shape.h"

#include "math/vec.h"
#include "scene/motion.h"

#include <string.h>

static bool is_along(const pli_repeat_data* repeat) { return repeat->count[1] == 0; }

double pli_copy_count(const pli_body_data* data) {
    const pli_repeat_data* repeat = data->repeat;
    if (!repeat) return 1;
    if (is_along(repeat)) return repeat->count[0];
    return (double)repeat->count[0] * repeat->count[1] * repeat->count[2];
}

// Supports and loads are given along the axes of space, by functions of the place in the first
// copy.
pli_status pli_check_copies(pli_builder* b, const pli_body_data* data, const pli_path* at,
                            pli_error* error) {
    const pli_repeat_data* repeat = data->repeat;
    if (!repeat || !(pli_norm(repeat->rotate, 3) > 0)) return PLI_OK;
    pli_path list = pli_path_key(at, "repeat"), key = pli_path_key(&list, "rotate");
    if (!is_along(repeat))
        return PLI_FIND(b->findings, &key, error,
                        "repeat.rotate needs one number as count, for example \"count\": %d",
                        repeat->count[0]);
    if (data->fix.count + data->prescribe.count + data->loads.count == 0) return PLI_OK;
    return PLI_FIND(b->findings, &key, error,
                    "repeat.rotate does not rotate fix, prescribe, loads or motion: omit it, or "
                    "list the bodies one by one");
}

// Along each axis the last one is the fastest.
void pli_shape_set_copy(pli_shape* shape) {
    const pli_repeat_data* repeat = shape->data->repeat;
    if (!repeat) return;
    for (int c = 0; c < 3; ++c)
        shape->turn[c] = shape->copy * repeat->rotate[c] * (3.14159265358979323846 / 180);
    for (int c = 0; is_along(repeat) && c < 3; ++c)
        shape->shift[c] = shape->copy * repeat->spacing[c];
    for (int c = 2, rest = shape->copy; !is_along(repeat) && c >= 0; --c) {
        shape->shift[c] = rest % repeat->count[c] * repeat->spacing[c];
        rest /= repeat->count[c];
    }
}

// out: vectors of the first copy, rotated about `center`.
static void rotate_all(const pli_shape* shape, const double center[3], int count, const double* in,
                       double* out) {
    for (int i = 0; i < count; ++i) {
        double arm[3];
        pli_sub(in + 3 * i, center, arm, 3);
        pli_rotate(shape->turn, arm, out + 3 * i);
        for (int c = 0; c < 3; ++c) out[3 * i + c] += center[c];
    }
}

// Bits of copies that are not rotated do not depend on `center`.
static void place_all(const pli_shape* shape, const double* in, double* out) {
    int count = shape->mesh.vertex_count;
    if (pli_norm(shape->turn, 3) > 0)
        rotate_all(shape, shape->data->repeat->center, count, in, out);
    else
        memcpy(out, in, 3 * sizeof *out * (size_t)count);
    for (int i = 0; i < 3 * count; ++i) out[i] += shape->shift[i % 3];
}

void pli_place_inertia(const pli_shape* shape, pli_body_def* def) {
    const pli_body_data* d = shape->data;
    const double* center = d->repeat ? d->repeat->center : d->translate; // any, without a turn
    double turn[3], I[3][3], half[3][3], x[3];
    if (def->total_mass == 0) return;
    for (int c = 0; c < 3; ++c) turn[c] = d->rotate[c] * (3.14159265358979323846 / 180);
    pli_rotate(turn, def->center_of_mass, x);
    for (int c = 0; c < 3; ++c) x[c] += d->translate[c] - center[c];
    pli_rotate(shape->turn, x, def->center_of_mass);
    for (int c = 0; c < 3; ++c) def->center_of_mass[c] += center[c] + shape->shift[c];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            I[r][c] = r == c ? def->inertia[r] : def->inertia_products[r + c - 1];
    for (int pass = 0; pass < 2; ++pass) { // R I R^T: the rows of I, then those of the transpose
        for (int r = 0; r < 3; ++r) {
            pli_rotate(turn, I[r], x);
            pli_rotate(shape->turn, x, half[r]);
        }
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) I[r][c] = half[c][r];
    }
    for (int r = 0; r < 3; ++r) def->inertia[r] = I[r][r];
    for (int k = 0; k < 3; ++k) def->inertia_products[k] = I[k / 2][k / 2 + 1 + (k == 1)];
}

pli_status pli_shape_copy(pli_builder* b, const pli_shape* first, pli_shape* shape,
                          pli_error* error) {
    const double origin[3] = {0, 0, 0};
    shape->sound = first->sound;
    if (!first->sound) return PLI_OK;
    shape->mesh = first->mesh;
    shape->velocities = first->velocities;
    shape->pattern = first->pattern;
    shape->fix = first->fix;
    shape->prescribe = first->prescribe;
    shape->sequences = first->sequences;
    shape->loads = first->loads;
    int count = first->mesh.vertex_count;
    PLI_TRY(PLI_TAKE(b->arena, shape->mesh.positions, 3 * count, error));
    PLI_TRY(PLI_TAKE(b->arena, shape->initial, 3 * count, error));
    place_all(shape, first->mesh.positions, shape->mesh.positions);
    place_all(shape, first->initial, shape->initial);
    if (!(pli_norm(shape->turn, 3) > 0)) return PLI_OK;
    PLI_TRY(PLI_TAKE(b->arena, shape->velocities, 3 * count, error));
    rotate_all(shape, origin, count, first->velocities, shape->velocities);
    return PLI_OK;
}
