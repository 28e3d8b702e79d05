// With F = A, c = kappa V, C = F^T F - I, and F = U diag(s) V^T,
//
//     e = c |C|^2,   de/dF = 4 c F C,
//     d2e/dF_ik dF_jl = 4 c ((F F^T)_ij d_kl + F_il F_jk + d_ij C_kl)
//
// Eigenvectors of the Hessian, p < q: u_p v_p^T with 4 c (3 s_p^2 - 1), (u_p v_q^T +- u_q v_p^T) /
// sqrt 2 with 4 c (s_p^2 +- s_p s_q + s_q^2 - 1): the stretches do not couple, as e is a sum over
// them [Lan22, Smith19]. Small strains: e = 4 c |strain|^2, the solid with Young's modulus 8 kappa
// and Poisson's ratio 0.
#include "energy/orthogonality.h"

#include "base/memory.h"
#include "math/small.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

typedef struct orthogonality {
    pli_memory* memory;
    int dim, count;
    pli_rigidity* bodies;
    int32_t* vertices; // count * (dim + 1)
    double* kappa;     // per body at present, then at the start [Pa]
    pli_term_ops ops, damping;
} orthogonality;

static int count_of(const void* self) { return ((const orthogonality*)self)->count; }

static const int32_t* vertices_of(const void* self) {
    return ((const orthogonality*)self)->vertices;
}

// F (row by row) and C of the frame with these points.
static void find_strain(int dim, double length, const int32_t* v, const double* x, double* F,
                        double* C) {
    const double* origin = x + 3 * (size_t)v[0];
    for (int k = 0; k < dim; ++k)
        for (int r = 0; r < dim; ++r)
            F[r * dim + k] = (x[3 * (size_t)v[k + 1] + (size_t)r] - origin[r]) / length;
    for (int k = 0; k < dim; ++k)
        for (int l = 0; l < dim; ++l) {
            C[k * dim + l] = k == l ? -1 : 0;
            for (int r = 0; r < dim; ++r) C[k * dim + l] += F[r * dim + k] * F[r * dim + l];
        }
}

static void add_gradient(int dim, double scale, const double* F, const double* C, double* g) {
    for (int r = 0; r < dim; ++r)
        for (int k = 0; k < dim; ++k) {
            double p = 0;
            for (int l = 0; l < dim; ++l) p += F[r * dim + l] * C[l * dim + k];
            g[(k + 1) * dim + r] += scale * p;
            g[r] -= scale * p;
        }
}

// D: dim^2 x dim^2 over F, column k of F after column; in units of 4 c.
static void find_hessian(int dim, const double* F, const double* C, double* D) {
    int n = dim * dim;
    double B[9] = {0};
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) B[i * dim + j] = pli_dot(F + i * dim, F + j * dim, dim);
    for (int k = 0; k < dim; ++k)
        for (int i = 0; i < dim; ++i)
            for (int l = 0; l < dim; ++l)
                for (int j = 0; j < dim; ++j)
                    D[(k * dim + i) * n + l * dim + j] = (k == l ? B[i * dim + j] : 0) +
                                                         F[i * dim + l] * F[j * dim + k] +
                                                         (i == j ? C[k * dim + l] : 0);
}

// D += size m m^T with m = a u_p v_q^T + b u_q v_p^T.
static void add_mode(int dim, const double* U, const double* V, int p, int q, double a, double b,
                     double size, double* D) {
    int n = dim * dim;
    double m[9];
    for (int k = 0; k < dim; ++k)
        for (int i = 0; i < dim; ++i)
            m[k * dim + i] =
                a * U[i * dim + p] * V[k * dim + q] + b * U[i * dim + q] * V[k * dim + p];
    for (int i = 0; i < n; ++i) pli_axpy(size * m[i], m, D + i * n, n);
}

// Removes negative eigenvalues.
static void project(int dim, const double* F, double* D) {
    double U[9], V[9], s[3];
    if (dim == 3)
        pli_svd3(F, U, s, V);
    else
        pli_svd2(F, U, s, V);
    for (int p = 0; p < dim; ++p) {
        double stretch = 3 * s[p] * s[p] - 1;
        if (stretch < 0) add_mode(dim, U, V, p, p, 1, 0, -stretch, D);
        for (int q = p + 1; q < dim; ++q)
            for (int sign = -1; sign <= 1; sign += 2) {
                double value = s[p] * s[p] + sign * s[p] * s[q] + s[q] * s[q] - 1;
                if (value < 0) add_mode(dim, U, V, p, q, sqrt(0.5), sign * sqrt(0.5), -value, D);
            }
    }
}

// From dF to points: F_k = (f_k - f_0) / length.
static void add_points(int dim, double scale, const double* D, double* H) {
    int n = dim * dim, size = dim * (dim + 1);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            double d = scale * D[a * n + b];
            H[(a + dim) * size + b + dim] += d;
            H[(a % dim) * size + b + dim] -= d;
            H[(a + dim) * size + b % dim] -= d;
            H[(a % dim) * size + b % dim] += d;
        }
}

static void add_hessian(int dim, double scale, const double* F, const double* C, bool projected,
                        double* H) {
    double D[81];
    find_hessian(dim, F, C, D);
    if (projected) project(dim, F, D);
    add_points(dim, scale, D, H);
}

static void eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const orthogonality* o = self;
    int dim = o->dim, size = dim * (dim + 1);
    for (int i = 0; i < in->count; ++i) {
        const pli_rigidity* body = &o->bodies[first + i];
        double F[9], C[9], c = o->kappa[first + i] * body->volume, l = body->length;
        find_strain(dim, l, in->vertices + i * (dim + 1), in->x, F, C);
        if (in->want & PLI_VALUE) out->e[i] += c * pli_dot(C, C, dim * dim);
        if (in->want & PLI_GRADIENT) add_gradient(dim, 4 * c / l, F, C, out->g + i * size);
        if (in->want & PLI_HESSIAN)
            add_hessian(dim, 4 * c / (l * l), F, C, in->project,
                        out->H + (size_t)(i * size * size));
    }
}

// ---- damping

// alpha times the mass of the frame: see frame.c.
static void add_mass(int dim, const pli_rigidity* body, double* H) {
    int n = dim * dim, size = dim * (dim + 1);
    double D[81];
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            D[a * n + b] = a % dim == b % dim ? body->second[3 * (a / dim) + b / dim] : 0;
    add_points(dim, body->mass_damping / (body->length * body->length), D, H);
    for (int r = 0; r < dim; ++r) H[r * size + r] += body->mass_damping * body->mass;
}

static void eval_damping(const void* self, int first, const pli_batch* in, pli_local* out) {
    const orthogonality* o = self;
    int dim = o->dim, size = dim * (dim + 1);
    for (int i = 0; i < in->count; ++i) {
        const pli_rigidity* body = &o->bodies[first + i];
        double F[9], C[9], *H = out->H + (size_t)(i * size * size);
        double c = o->kappa[first + i] * body->volume, l = body->length;
        find_strain(dim, l, in->vertices + i * (dim + 1), in->x, F, C);
        add_mass(dim, body, H);
        add_hessian(dim, 4 * c * body->stiffness_damping / (l * l), F, C, in->project, H);
    }
}

static void* state_of(void* self, size_t* size, const void** initial) {
    const orthogonality* o = self;
    *size = sizeof *o->kappa * (size_t)o->count;
    *initial = o->kappa + o->count;
    return o->kappa;
}

static void destroy(void* self) {
    orthogonality* o = self;
    pli_memory* memory = o->memory;
    PLI_FREE(memory, o->kappa, 2 * (size_t)o->count);
    PLI_FREE(memory, o->vertices, (size_t)o->count * (size_t)(o->dim + 1));
    PLI_FREE(memory, o->bodies, o->count);
    PLI_FREE(memory, o, 1);
}

pli_status pli_orthogonality_create(pli_memory* memory, int dim, const pli_rigidity* bodies,
                                    int count, pli_term* term, pli_error* error) {
    orthogonality* o;
    PLI_TRY(PLI_ALLOC(memory, o, 1, error));
    *o = (orthogonality){.memory = memory, .dim = dim, .count = count};
    o->ops = (pli_term_ops){.name = "orthogonality",
                            .width = dim + 1,
                            .role = PLI_POTENTIAL,
                            .count = count_of,
                            .vertices = vertices_of,
                            .eval = eval,
                            .state = state_of,
                            .destroy = destroy};
    o->damping = o->ops;
    o->damping.eval = eval_damping;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, o->bodies, count, error));
    PLI_TRY_CLEANUP(status,
                    PLI_ALLOC(memory, o->vertices, (size_t)count * (size_t)(dim + 1), error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, o->kappa, 2 * (size_t)count, error));
    for (int i = 0; i < count; ++i) {
        o->bodies[i] = bodies[i];
        o->kappa[i] = o->kappa[count + i] = bodies[i].kappa;
        memcpy(o->vertices + (size_t)i * (size_t)(dim + 1), bodies[i].vertices,
               sizeof(int32_t) * (size_t)(dim + 1));
    }
    *term = (pli_term){.ops = &o->ops, .self = o};
    return PLI_OK;
cleanup:
    destroy(o);
    return status;
}

const pli_rigidity* pli_orthogonality_bodies(const pli_term* term, int* count) {
    const orthogonality* o = term->self;
    *count = o->count;
    return o->bodies;
}

double* pli_orthogonality_kappa(const pli_term* term) {
    return ((const orthogonality*)term->self)->kappa;
}

pli_term pli_orthogonality_damping(const pli_term* term) {
    orthogonality* o = term->self;
    return (pli_term){.ops = &o->damping, .self = o};
}

double pli_body_frame_strain(int dim, const double* A) {
    double C[9], values[3];
    for (int k = 0; k < dim; ++k)
        for (int l = 0; l < dim; ++l) {
            C[k * dim + l] = k == l ? -0.5 : 0;
            for (int r = 0; r < dim; ++r) C[k * dim + l] += 0.5 * A[r * dim + k] * A[r * dim + l];
        }
    pli_eigen_symmetric(dim, C, values, NULL);
    return fmax(fabs(values[0]), fabs(values[dim - 1]));
}
