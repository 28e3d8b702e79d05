// Frames of affine bodies: see frame.h. With homogeneous places Y = (1, y) and those of the
// controls as columns of P, the weights are w = P^-1 Y.
#include "kinematics/frame.h"

#include "math/small.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static const double APART = 1e-4;  // of the length: closer places count as dependent
static const double SPREAD = 1e-6; // of the largest: smaller extents of a body count as flat

void pli_body_frame_place(const pli_body_frame* frame, int dim, const double* rest, double y[3]) {
    for (int c = 0; c < 3; ++c) y[c] = c < dim ? (rest[c] - frame->origin[c]) / frame->length : 0;
}

// ---- independent places

// The distance of a place from the span of those chosen: |d - sum of (d . e) e| with d from the
// first of them and e an orthonormal basis.
static double distance_from(const double* place, const double* first, double (*basis)[3], int count,
                            double left[3]) {
    pli_sub(place, first, left, 3);
    for (int pass = 0; pass < 2; ++pass) // the second time for rounding
        for (int i = 0; i < count; ++i) pli_axpy(-pli_dot(left, basis[i], 3), basis[i], left, 3);
    return pli_norm(left, 3);
}

// The place farthest from the mean: the first one.
static int32_t farthest_place(int count, const double* places) {
    double mean[3] = {0}, left[3], most = -1;
    int32_t best = 0;
    for (int i = 0; i < count; ++i) pli_axpy(1.0 / count, places + 3 * (size_t)i, mean, 3);
    for (int i = 0; i < count; ++i) {
        double far = distance_from(places + 3 * (size_t)i, mean, NULL, 0, left);
        if (far > most) most = far, best = i;
    }
    return best;
}

int pli_independent_places(int dim, int count, const double* places, double length, int known,
                           int32_t chosen[PLI_FRAME_MAX]) {
    double basis[3][3], left[3];
    if (count == 0) return 0;
    if (known == 0) chosen[0] = farthest_place(count, places);
    const double* first = places + 3 * (size_t)chosen[0];
    for (int n = 1; n <= dim; ++n) {
        double most = APART * length;
        int32_t best = n < known ? chosen[n] : -1;
        for (int i = 0; i < count && n >= known; ++i) {
            double far = distance_from(places + 3 * (size_t)i, first, basis, n - 1, left);
            if (far > most) most = far, best = i;
        }
        if (best < 0) return n;
        chosen[n] = best;
        double far = distance_from(places + 3 * (size_t)best, first, basis, n - 1, left);
        for (int c = 0; c < 3; ++c) basis[n - 1][c] = left[c] / far;
    }
    return dim + 1;
}

// ---- weights

// A x = b with partial pivoting; false: singular.
static bool solve(int n, double* A, double* b, int columns) {
    for (int j = 0; j < n; ++j) {
        int pivot = j;
        for (int i = j + 1; i < n; ++i)
            if (fabs(A[i * n + j]) > fabs(A[pivot * n + j])) pivot = i;
        if (A[pivot * n + j] == 0) return false;
        for (int c = 0; c < n && pivot != j; ++c) {
            double t = A[j * n + c];
            A[j * n + c] = A[pivot * n + c], A[pivot * n + c] = t;
        }
        for (int c = 0; c < columns && pivot != j; ++c) {
            double t = b[j * columns + c];
            b[j * columns + c] = b[pivot * columns + c], b[pivot * columns + c] = t;
        }
        for (int i = 0; i < n; ++i) {
            double f = i == j ? 0 : A[i * n + j] / A[j * n + j];
            if (f == 0) continue;
            pli_axpy(-f, A + j * n, A + i * n, n);
            pli_axpy(-f, b + j * columns, b + i * columns, columns);
        }
    }
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < columns; ++c) b[i * columns + c] /= A[i * n + i];
    return true;
}

void pli_body_frame_set_controls(pli_body_frame* frame, int dim,
                                 double control_y[PLI_FRAME_MAX][3]) {
    int n = dim + 1;
    double P[PLI_FRAME_MAX * PLI_FRAME_MAX];
    for (int k = 0; k < n; ++k)
        for (int r = 0; r < n; ++r) {
            P[r * n + k] = r == 0 ? 1 : control_y[k][r - 1];
            frame->inverse[r * n + k] = r == k;
        }
    bool independent = solve(n, P, frame->inverse, n);
    PLI_ASSERT(independent);
    (void)independent;
}

void pli_body_frame_weights(const pli_body_frame* frame, int dim, const double* y, double* w) {
    int n = dim + 1;
    for (int k = 0; k < n; ++k)
        w[k] = frame->inverse[k * n] + pli_dot(frame->inverse + k * n + 1, y, dim);
}

// ---- building

pli_status pli_kinematics_add_frame(pli_kinematics* k, const pli_body_frame* frame, const double* x,
                                    pli_error* error) {
    PLI_TRY(PLI_GROW(k->memory, k->frames, k->frame_capacity, k->frame_count + 1, error));
    pli_body_frame* added = &k->frames[k->frame_count];
    *added = *frame;
    added->first = k->vertex_count;
    int places = frame->first_vertex, count = (frame->end_vertex - places) * k->dim;
    PLI_TRY(PLI_GROW(k->memory, k->weights, k->weight_capacity, (int64_t)k->weight_count + count,
                     error));
    added->places = k->weight_count;
    k->weight_count += count;
    int mesh = k->mesh_point_count;
    PLI_TRY(pli_kinematics_add_vertices(k, k->dim + 1, x, error));
    k->mesh_point_count = mesh;
    k->frame_count++;
    return PLI_OK;
}

// Vertex v blends the controls, however these move; those without unknowns contribute to x0.
static pli_status blend(pli_kinematics* k, const pli_body_frame* frame, int v, const double* w,
                        pli_error* error) {
    double x0[3] = {0}, blocks[PLI_FRAME_MAX][9];
    pli_blend blends[PLI_FRAME_MAX];
    int count = 0;
    for (int i = 0; i <= k->dim; ++i) {
        const pli_vertex_map* map = &k->vertices[frame->control[i]];
        pli_axpy(w[i], map->x0, x0, 3);
        if (map->identity_group >= 0) {
            blocks[count][0] = w[i];
            blends[count] = (pli_blend){map->identity_group, blocks[count], true};
            count++;
        } else if (map->entry_end > map->entry_start) {
            const pli_map_entry* entry = &k->entries[map->entry_start];
            int size = k->dim * pli_group_width(k, entry->group);
            for (int j = 0; j < size; ++j) blocks[count][j] = w[i] * k->weights[entry->weights + j];
            blends[count] = (pli_blend){entry->group, blocks[count], false};
            count++;
        }
    }
    if (k->dim == 2) x0[2] = k->vertices[v].x0[2];
    return pli_kinematics_set_blend(k, v, x0, count, blends, error);
}

static bool is_control(const pli_kinematics* k, const pli_body_frame* frame, int v) {
    for (int i = 0; i <= k->dim; ++i)
        if (frame->control[i] == v) return true;
    return false;
}

bool pli_body_frame_moves(const pli_kinematics* k, const pli_body_frame* frame) {
    for (int i = 0; i <= k->dim; ++i) {
        const pli_vertex_map* map = &k->vertices[frame->control[i]];
        if (map->identity_group >= 0 || map->entry_end > map->entry_start) return true;
    }
    return false;
}

pli_status pli_kinematics_carry(pli_kinematics* k, int number, const double* rest,
                                pli_error* error) {
    const pli_body_frame* frame = &k->frames[number];
    bool moves = pli_body_frame_moves(k, frame);
    double y[3], w[PLI_FRAME_MAX];
    for (int v = frame->first_vertex; v < frame->end_vertex; ++v, rest += 3) {
        pli_body_frame_place(frame, k->dim, rest, y);
        pli_copy(y, k->weights + frame->places + (v - frame->first_vertex) * k->dim, k->dim);
        if (is_control(k, frame, v) || !moves) continue;
        pli_body_frame_weights(frame, k->dim, y, w);
        PLI_TRY(blend(k, frame, v, w, error));
    }
    for (int i = 0; i <= k->dim && moves; ++i) {
        if (is_control(k, frame, frame->first + i)) continue;
        pli_body_frame_own_place(i, y);
        pli_body_frame_weights(frame, k->dim, y, w);
        PLI_TRY(blend(k, frame, frame->first + i, w, error));
    }
    return PLI_OK;
}

// T = 1/2 m |f_0'|^2 + 1/2 sum of S_kl / length^2 (f_k' - f_0') . (f_l' - f_0')
pli_status pli_kinematics_add_moments(pli_kinematics* k, int number, const pli_moments* moments,
                                      pli_error* error) {
    const pli_body_frame* frame = &k->frames[number];
    int n = k->dim + 1, first = frame->first;
    double G[PLI_FRAME_MAX][PLI_FRAME_MAX] = {{moments->mass}};
    for (int r = 1; r < n; ++r)
        for (int c = 1; c < n; ++c) {
            double s = moments->second[3 * (r - 1) + c - 1] / (frame->length * frame->length);
            G[r][c] += s;
            G[r][0] -= s;
            G[0][c] -= s;
            G[0][0] += s;
        }
    for (int r = 0; r < n; ++r)
        for (int c = 0; c <= r; ++c)
            PLI_TRY(pli_kinematics_add_mass(k, first + r, first + c, G[r][c], error));
    return PLI_OK;
}

// ---- fitting

// x = t + A y, A row by row; V: the columns are directions of y, those that the points do not span
// first.
typedef struct affine_fit {
    int flat; // directions not spanned
    double A[9], t[3], V[9];
} affine_fit;

static void fit_points(const pli_kinematics* k, const pli_body_frame* frame, const double* x,
                       affine_fit* fit) {
    int d = k->dim, count = frame->end_vertex - frame->first_vertex;
    const double* places = k->weights + frame->places;
    double C[9] = {0}, B[9] = {0}, values[3], my[3] = {0}, mx[3] = {0};
    x += 3 * (size_t)frame->first_vertex;
    for (int i = 0; i < count; ++i) {
        pli_axpy(1.0 / count, places + i * d, my, d);
        pli_axpy(1.0 / count, x + 3 * (size_t)i, mx, d);
    }
    for (int i = 0; i < count; ++i)
        for (int r = 0; r < d; ++r)
            for (int c = 0; c < d; ++c) {
                double y = places[i * d + c] - my[c];
                C[r * d + c] += (places[i * d + r] - my[r]) * y;
                B[r * d + c] += (x[3 * (size_t)i + (size_t)r] - mx[r]) * y;
            }
    *fit = (affine_fit){0};
    pli_eigen_symmetric(d, C, values, fit->V);
    double least = values[d - 1] * SPREAD * SPREAD;
    while (fit->flat < d && !(values[fit->flat] > least)) fit->flat++;
    for (int i = fit->flat; i < d; ++i)
        for (int r = 0; r < d; ++r) {
            double a = 0;
            for (int c = 0; c < d; ++c) a += B[r * d + c] * fit->V[c * d + i];
            for (int c = 0; c < d; ++c) fit->A[r * d + c] += a / values[i] * fit->V[c * d + i];
        }
    for (int r = 0; r < d; ++r) fit->t[r] = mx[r];
    for (int r = 0; r < d; ++r) fit->t[r] -= pli_dot(fit->A + r * d, my, d);
    if (fit->flat > 0) // of the spanned directions only: the mean belongs to all of A
        for (int r = 0; r < d; ++r) fit->t[r] = mx[r];
}

static void column_of(const double* M, int d, int i, double out[3]) {
    for (int c = 0; c < 3; ++c) out[c] = c < d ? M[c * d + i] : 0;
}

// A v of direction i.
static void image_of(const affine_fit* fit, int d, int i, double out[3]) {
    double v[3];
    column_of(fit->V, d, i, v);
    for (int r = 0; r < 3; ++r) out[r] = r < d ? pli_dot(fit->A + r * d, v, d) : 0;
}

static void add_image(affine_fit* fit, int d, int i, const double image[3]) {
    for (int r = 0; r < d; ++r)
        for (int c = 0; c < d; ++c) fit->A[r * d + c] += image[r] * fit->V[c * d + i];
}

// out = R v for the smallest rotation R from the unit vector a to the unit vector b.
static void turn_along(const double a[3], const double b[3], const double v[3], double out[3]) {
    double axis[3], once[3], twice[3], cosine = pli_dot(a, b, 3);
    pli_cross3(a, b, axis);
    pli_cross3(axis, v, once);
    pli_cross3(axis, once, twice);
    for (int c = 0; c < 3; ++c) out[c] = v[c] + once[c];
    if (cosine > -1 + 1e-12) {
        pli_axpy(1 / (1 + cosine), twice, out, 3);
        return;
    }
    // Opposite: half a turn about any axis normal to a; v is normal to a as well.
    double normal[3] = {0};
    int least = fabs(a[0]) < fabs(a[1]) ? 0 : 1;
    if (fabs(a[2]) < fabs(a[least])) least = 2;
    normal[least] = 1;
    pli_axpy(-a[least], a, normal, 3);
    double along = pli_dot(normal, v, 3) / pli_dot(normal, normal, 3);
    for (int c = 0; c < 3; ++c) out[c] = 2 * along * normal[c] - v[c];
}

// The directions that the points do not span follow by a rotation, without strain.
static void complete_places(int d, double length, affine_fit* fit) {
    double a[3], b[3], n[3], v[3], u[3], image[3];
    if (fit->flat == 1 && d == 3) {
        image_of(fit, d, 1, a), image_of(fit, d, 2, b), pli_cross3(a, b, n);
        column_of(fit->V, d, 1, u), column_of(fit->V, d, 2, v), pli_cross3(u, v, image);
        column_of(fit->V, d, 0, v);
        double sign = pli_dot(image, v, 3) > 0 ? 1 : -1, size = pli_norm(n, 3);
        for (int c = 0; c < 3; ++c) image[c] = size > 0 ? sign * length * n[c] / size : 0;
        add_image(fit, d, 0, image);
        return;
    }
    bool line = fit->flat == d - 1;
    column_of(fit->V, d, d - 1, u);
    if (line) image_of(fit, d, d - 1, a);
    double size = line ? pli_norm(a, 3) : 0;
    for (int c = 0; c < 3; ++c) a[c] = size > 0 ? a[c] / size : u[c];
    for (int i = 0; i < fit->flat; ++i) {
        column_of(fit->V, d, i, v);
        turn_along(u, a, v, image);
        for (int c = 0; c < 3; ++c) image[c] *= length;
        add_image(fit, d, i, image);
    }
}

// The angular velocity of the spanned directions, a' = w x a; none about a line.
static void find_spin(int d, const affine_fit* rates, const double* now, double spin[3]) {
    double K[9] = {0}, scale = 0;
    spin[0] = spin[1] = spin[2] = 0;
    for (int i = rates->flat; i < d; ++i) {
        double v[3], a[3] = {0}, rate[3], moment[3];
        column_of(rates->V, d, i, v);
        for (int r = 0; r < d; ++r) a[r] = pli_dot(now + r * d, v, d);
        image_of(rates, d, i, rate);
        pli_cross3(a, rate, moment);
        pli_axpy(1, moment, spin, 3);
        scale += pli_dot(a, a, 3);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                K[3 * r + c] += (r == c ? pli_dot(a, a, 3) : 0) - a[r] * a[c];
        for (int r = 0; r < 3 && rates->flat == 2; ++r) // one direction: K a = 0, w . a = 0
            for (int c = 0; c < 3; ++c) K[3 * r + c] += a[r] * a[c];
    }
    if (!(scale > 0) || !solve(3, K, spin, 1)) spin[0] = spin[1] = spin[2] = 0;
}

static void complete_rates(int d, const double* now, affine_fit* rates) {
    double spin[3], v[3], a[3] = {0}, image[3];
    if (rates->flat == d) return; // a point
    find_spin(d, rates, now, spin);
    for (int i = 0; i < rates->flat; ++i) {
        column_of(rates->V, d, i, v);
        for (int r = 0; r < d; ++r) a[r] = pli_dot(now + r * d, v, d);
        pli_cross3(spin, a, image);
        add_image(rates, d, i, image);
    }
}

// How own point 0 .. dim, or any place, is at unknowns q: length times A, and the mean of the
// points.
static void own_point(const pli_kinematics* k, int v, const double* q, double x[3]) {
    const pli_vertex_map* map = &k->vertices[v];
    memcpy(x, map->x0, sizeof map->x0);
    if (map->identity_group >= 0) pli_copy(q + k->group_offset[map->identity_group], x, k->dim);
    for (int e = map->entry_start; e < map->entry_end; ++e)
        for (int r = 0; r < k->dim; ++r)
            for (int c = 0; c < pli_group_width(k, k->entries[e].group); ++c)
                x[r] += pli_entry_weight(k, &k->entries[e], r, c) *
                        q[k->group_offset[k->entries[e].group] + c];
}

static void scaled_gradient(const pli_kinematics* k, const pli_body_frame* frame, const double* q,
                            double* A) {
    double origin[3], x[3];
    own_point(k, frame->first, q, origin);
    for (int c = 0; c < k->dim; ++c) {
        own_point(k, frame->first + 1 + c, q, x);
        for (int r = 0; r < k->dim; ++r) A[r * k->dim + c] = x[r] - origin[r];
    }
}

// The unknowns of a control that is to be at x (or to have the velocity x).
static void put_control(const pli_kinematics* k, int v, const double x[3], bool rate, double* q) {
    const pli_vertex_map* map = &k->vertices[v];
    if (map->identity_group >= 0) pli_copy(x, q + k->group_offset[map->identity_group], k->dim);
    for (int e = map->entry_start; e < map->entry_end; ++e) {
        double* out = q + k->group_offset[k->entries[e].group];
        for (int c = 0; c < pli_group_width(k, k->entries[e].group); ++c) {
            out[c] = 0;
            for (int r = 0; r < k->dim; ++r)
                out[c] +=
                    pli_entry_weight(k, &k->entries[e], r, c) * (x[r] - (rate ? 0 : map->x0[r]));
        }
    }
}

// x = t + A y of the points of a body at x, or their rates at the unknowns `at`.
static affine_fit fit_body(const pli_kinematics* k, const pli_body_frame* frame, const double* x,
                           const double* at) {
    int d = k->dim, count = frame->end_vertex - frame->first_vertex;
    affine_fit fit;
    double now[9], mean[3] = {0};
    fit_points(k, frame, x, &fit);
    if (fit.flat == 0) return fit;
    if (at) {
        scaled_gradient(k, frame, at, now);
        complete_rates(d, now, &fit);
    } else {
        complete_places(d, frame->length, &fit);
    }
    for (int i = 0; i < count; ++i)
        pli_axpy(1.0 / count, k->weights + frame->places + i * d, mean, d);
    for (int r = 0; r < d; ++r) fit.t[r] -= pli_dot(fit.A + r * d, mean, d);
    return fit;
}

static void place_own(const affine_fit* fit, int d, int i, double place[3]) {
    double y[3];
    pli_body_frame_own_place(i, y);
    for (int r = 0; r < 3; ++r) place[r] = r < d ? fit->t[r] + pli_dot(fit->A + r * d, y, d) : 0;
}

static void fit_frame(const pli_kinematics* k, const pli_body_frame* frame, const double* x,
                      const double* at, double* q) {
    affine_fit fit = fit_body(k, frame, x, at);
    for (int i = 0; i <= k->dim; ++i) {
        int v = frame->control[i];
        double place[3];
        if (v < k->mesh_point_count)
            memcpy(place, x + 3 * (size_t)v, sizeof place);
        else
            place_own(&fit, k->dim, v - frame->first, place);
        put_control(k, v, place, at != NULL, q);
    }
}

void pli_body_frame_locate(const pli_kinematics* k, const pli_body_frame* frame, const double* x,
                           double own[PLI_FRAME_MAX][3]) {
    affine_fit fit = fit_body(k, frame, x, NULL);
    for (int i = 0; i <= k->dim; ++i) {
        place_own(&fit, k->dim, i, own[i]);
        if (k->dim == 2) own[i][2] = x[3 * (size_t)frame->first_vertex + 2];
    }
}

void pli_frames_fit(const pli_kinematics* k, const double* x, const double* at, double* q) {
    for (int i = 0; i < k->frame_count; ++i) fit_frame(k, &k->frames[i], x, at, q);
}

void pli_body_frame_gradient(const pli_kinematics* k, const pli_body_frame* frame, const double* x,
                             double* A) {
    const double* own = x + 3 * (size_t)frame->first;
    for (int r = 0; r < k->dim; ++r)
        for (int c = 0; c < k->dim; ++c)
            A[r * k->dim + c] = (own[3 * (c + 1) + r] - own[r]) / frame->length;
}
