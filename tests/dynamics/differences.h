// Finite differences of the public derivatives of a world, from the values and forces of its terms.
#ifndef TESTS_DYNAMICS_DIFFERENCES_H
#define TESTS_DYNAMICS_DIFFERENCES_H

#include "dynamics/world.h"
#include "dynamics/worlds.h"
#include "pliant/derivatives.h"

#include <stdlib.h>

// P of the present state, or E of the last step, as a function of q: terms are evaluated one by
// one, W and M are the public ones.
typedef struct differences {
    pli_world* w;
    pli_derivative_of of;
    int n, v3; // unknowns; coordinates of points and nodes
    pli_sparse map, mass;
    double *q, *x, *gx, *moved;
} differences;

static inline double* room(int count) { return calloc((size_t)count + 1, sizeof(double)); }

static inline differences differences_of(pli_world* w, pli_derivative_of of) {
    differences d = {.w = w, .of = of, .n = pli_world_unknown_count(w)};
    d.v3 = 3 * (pli_world_vertex_count(w) + pli_world_node_count(w));
    ASSERT_OK(pli_world_map(w, &d.map, &error));
    assert_true(d.map.row_count == d.v3 && d.map.column_count == d.n && !d.map.symmetric);
    ASSERT_OK(pli_world_mass_matrix(w, &d.mass, &error));
    d.q = room(d.n);
    d.moved = room(d.n);
    d.x = room(d.v3);
    d.gx = room(d.v3);
    ASSERT_OK(pli_world_unknowns(w, d.q, NULL, &error));
    if (of == PLI_OF_STEP) memcpy(d.q, w->solved.q, sizeof *d.q * (size_t)d.n);
    return d;
}

static inline void differences_free(differences* d) {
    pli_sparse_free(&d->map);
    pli_sparse_free(&d->mass);
    free(d->q);
    free(d->moved);
    free(d->x);
    free(d->gx);
}

// x(q): from the present positions by W times the way from the present unknowns.
static inline void place(differences* d, const double* q) {
    const double* now = d->w->history.q[0];
    int points = pli_world_vertex_count(d->w);
    memset(d->x, 0, sizeof *d->x * (size_t)d->v3);
    memcpy(d->x, pli_world_positions(d->w), 3 * sizeof *d->x * (size_t)points);
    for (int i = 0; i < pli_world_node_count(d->w); ++i)
        d->x[3 * (points + i)] = pli_world_node_values(d->w)[i];
    for (int j = 0; j < d->n; ++j)
        for (int i = d->map.start[j]; i < d->map.start[j + 1]; ++i)
            d->x[d->map.row[i]] += d->map.value[i] * (q[j] - now[j]);
}

static inline bool counts(const differences* d, int t) {
    pli_role role = d->w->terms[t].term.ops->role;
    if (d->of == PLI_OF_STEP) return strcmp(d->w->terms[t].term.ops->name, "prescribed") != 0;
    return role == PLI_POTENTIAL || role == PLI_LOAD;
}

// Energy of all terms at d->x; their forces go to d->gx.
static inline double sum_terms(differences* d) {
    pli_world* w = d->w;
    double sum = 0;
    int dim = pli_world_dimension(w);
    memset(d->gx, 0, sizeof *d->gx * (size_t)d->v3);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = d->of == PLI_OF_STEP ? &w->plain_terms[t] : &w->terms[t].term;
        if (!counts(d, t)) continue;
        bool within = d->of == PLI_OF_STEP && term->ops->between; // the time of the step counts
        if (within) term->ops->between(term->self, false);
        for (int s = 0; s < term->ops->count(term->self); ++s) {
            int width = (int)(pli_term_vertex(term, s + 1) - pli_term_vertex(term, s));
            const int32_t* v = term->ops->vertices(term->self) + pli_term_vertex(term, s);
            double e = 0, *g = room(width * dim);
            pli_batch batch = {.dim = dim,
                               .count = 1,
                               .width = term->ops->width,
                               .start = term->ops->start ? term->ops->start(term->self) + s : NULL,
                               .vertices = v,
                               .x = d->x,
                               .want = PLI_VALUE | PLI_GRADIENT};
            term->ops->eval(term->self, s, &batch, &(pli_local){.e = &e, .g = g});
            sum += e;
            for (int i = 0; i < width * dim; ++i)
                if (v[i / dim] >= 0) d->gx[3 * v[i / dim] + i % dim] += g[i];
            free(g);
        }
        if (within) term->ops->between(term->self, true);
    }
    return sum;
}

static inline void multiply_mass(const pli_sparse* m, const double* x, double* y) {
    for (int j = 0; j < m->column_count; ++j) y[j] = 0;
    for (int j = 0; j < m->column_count; ++j)
        for (int i = m->start[j]; i < m->start[j + 1]; ++i) {
            y[m->row[i]] += m->value[i] * x[j];
            if (m->row[i] != j) y[j] += m->value[i] * x[m->row[i]];
        }
}

// The value at q; its gradient goes to g. E of a step is that with averages, states and x_n of
// the step.
static inline double value_at(differences* d, const double* q, double* g) {
    pli_world* w = d->w;
    const double* x_n = w->averaging.x_n;
    place(d, q);
    if (d->of == PLI_OF_STEP && w->scheme->averages) {
        w->averaging.on = true;
        w->averaging.x_n = w->solved.x_n;
    }
    double e = sum_terms(d);
    w->averaging.on = false;
    w->averaging.x_n = x_n;
    memset(g, 0, sizeof *g * (size_t)d->n);
    if (d->of == PLI_OF_STEP) {
        double inertia = w->aim.inertia;
        for (int i = 0; i < d->n; ++i) d->moved[i] = q[i] - w->aim.q_hat[i];
        multiply_mass(&d->mass, d->moved, g);
        for (int i = 0; i < d->n; ++i) {
            e += 0.5 * inertia * d->moved[i] * g[i];
            g[i] *= inertia;
        }
    }
    for (int j = 0; j < d->n; ++j)
        for (int i = d->map.start[j]; i < d->map.start[j + 1]; ++i)
            g[j] += d->map.value[i] * d->gx[d->map.row[i]];
    return e;
}

static inline void check_order(const pli_sparse* h) {
    assert_true(h->symmetric && h->row_count == h->column_count && h->start[0] == 0);
    for (int j = 0; j < h->column_count; ++j) {
        assert_true(h->start[j] < h->start[j + 1] && h->row[h->start[j]] == j); // the diagonal
        for (int i = h->start[j] + 1; i < h->start[j + 1]; ++i)
            assert_true(h->row[i] > h->row[i - 1]);
    }
    assert_int_equal(h->start[h->column_count], h->count);
}

// The lower triangle as a dense matrix, column by column, both halves filled.
static inline double* dense_of(const pli_sparse* h) {
    int n = h->column_count;
    double* out = room(n * n);
    for (int j = 0; j < n; ++j)
        for (int i = h->start[j]; i < h->start[j + 1]; ++i)
            out[j * n + h->row[i]] = out[h->row[i] * n + j] = h->value[i];
    return out;
}

// Gradient and Hessian against central differences with `step`; errors relative to the largest
// entry. Returns that of the Hessian [N/m].
static inline double check_differences(pli_world* w, pli_derivative_of of, double step,
                                       double tolerance) {
    differences d = differences_of(w, of);
    int n = d.n, points3 = 3 * pli_world_vertex_count(w);
    double *g = room(n), *up = room(n), *down = room(n), *given = room(n), *onto = room(d.v3);
    pli_sparse h;
    ASSERT_OK(pli_world_gradient(w, of, onto, given, &error));
    ASSERT_OK(pli_world_hessian(w, of, &h, &error));
    check_order(&h);
    double* H = dense_of(&h);
    value_at(&d, d.q, g);
    double force = 0, stiffness = 0, size = 0;
    for (int i = 0; i < d.v3; ++i) size = fmax(size, fabs(d.gx[i]));
    for (int i = 0; i < points3; ++i) ASSERT_NEAR(onto[i], d.gx[i], 1e-11 * size); // rounding of x
    for (int i = points3; i < d.v3; ++i) assert_true(onto[i] == 0); // of points alone
    for (int i = 0; i < n; ++i) force = fmax(force, fabs(g[i]));
    for (int i = 0; i < n * n; ++i) stiffness = fmax(stiffness, fabs(H[i]));
    for (int j = 0; j < n; ++j) {
        double q = d.q[j];
        d.q[j] = q + step;
        double e_up = value_at(&d, d.q, up);
        d.q[j] = q - step;
        double e_down = value_at(&d, d.q, down);
        d.q[j] = q;
        // Rounding of values, and of positions some metres from the origin, over the step.
        double rounding = 1e-13 * (fabs(e_up) + fabs(e_down)) + 1e-15 * stiffness;
        ASSERT_NEAR((e_up - e_down) / (2 * step), given[j],
                    1e-6 * fmax(force, stiffness * step) + rounding / step);
        ASSERT_NEAR(given[j], g[j], 1e-11 * (force + size));
        for (int i = 0; i < n; ++i)
            ASSERT_NEAR((up[i] - down[i]) / (2 * step), H[j * n + i], tolerance * stiffness);
    }
    pli_sparse_free(&h);
    differences_free(&d);
    free(H), free(g), free(up), free(down), free(given), free(onto);
    return stiffness;
}

static const double STEP = 1e-6, TOLERANCE = 1e-6;

static inline pli_world_def def_of(int dim) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dim;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-8;
    def.thread_count = 1;
    return def;
}

static inline void advance(pli_world* world) {
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_true(info.kept);
}

// States of energies as they were before the step, against those that were noted.
static inline void put_states_back(pli_world* world) {
    double* noted = world->solved.state;
    for (int t = 0; t < world->term_count; ++t) {
        const pli_term* term = &world->terms[t].term;
        size_t size;
        const void* initial;
        if (!term->ops->state) continue;
        double* state = term->ops->state(term->self, &size, &initial);
        memcpy(state, noted, size);
        noted += size / sizeof(double);
    }
}

// dE/dq of a step that converged is 0 where nothing is prescribed. 1e-4: of the largest force of
// inertia or of an element that the tolerance of the solver leaves.
static inline void check_stationary(pli_world* world) {
    int n = pli_world_unknown_count(world);
    double *g = room(n), *gx = room(3 * pli_world_vertex_count(world)), size = 0;
    uint8_t* held = calloc((size_t)n + 1, 1);
    ASSERT_OK(pli_world_gradient(world, PLI_OF_STEP, gx, g, &error));
    ASSERT_OK(pli_world_held_unknowns(world, held, &error));
    for (int i = 0; i < 3 * pli_world_vertex_count(world); ++i) size = fmax(size, fabs(gx[i]));
    for (int i = 0; i < n; ++i)
        if (!held[i]) ASSERT_NEAR(g[i], 0, 1e-4 * size);
    free(g), free(gx), free(held);
}

// There is no last step; P is there.
static inline void refuse_step(pli_world* world) {
    pli_sparse h = {0};
    pli_step_rule rule;
    assert_int_equal(pli_world_hessian(world, PLI_OF_STEP, &h, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no last step"));
    assert_int_equal(pli_world_gradient(world, PLI_OF_STEP, NULL, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_step_rule(world, &rule, &error), PLI_E_ARGUMENT);
    ASSERT_OK(pli_world_hessian(world, PLI_OF_POTENTIAL, &h, &error));
    pli_sparse_free(&h);
}

// ---- a call changes nothing

typedef struct bytes {
    size_t size;
    unsigned char* at;
} bytes;

static inline bool keep_bytes(void* context, const void* data, size_t size) {
    bytes* b = context;
    b->at = realloc(b->at, b->size + size);
    memcpy(b->at + b->size, data, size);
    b->size += size;
    return true;
}

static inline void ask_everything(pli_world* world) {
    pli_sparse m = {0};
    double* g = room(pli_world_unknown_count(world) + 3 * pli_world_vertex_count(world));
    for (int of = 0; of < PLI_DERIVATIVE_COUNT; ++of) {
        (void)pli_world_gradient(world, (pli_derivative_of)of, NULL, g, &error);
        (void)pli_world_hessian(world, (pli_derivative_of)of, &m, &error);
        pli_sparse_free(&m);
    }
    ASSERT_OK(pli_world_map(world, &m, &error));
    pli_sparse_free(&m);
    ASSERT_OK(pli_world_mass_matrix(world, &m, &error));
    pli_sparse_free(&m);
    free(g);
}

// Two worlds step side by side; one is asked before each step. Positions, velocities and the whole
// saved state, with what the solver has learned, stay equal to the last bit.
static inline void compare_runs(pli_world* asked, pli_world* other, int steps) {
    for (int i = 0; i < steps; ++i) {
        ask_everything(asked);
        advance(asked);
        advance(other);
        size_t size = 3 * sizeof(double) * (size_t)pli_world_vertex_count(asked);
        assert_memory_equal(pli_world_positions(asked), pli_world_positions(other), size);
        assert_memory_equal(pli_world_velocities(asked), pli_world_velocities(other), size);
    }
    bytes a = {0}, b = {0};
    ask_everything(asked);
    ASSERT_OK(pli_world_save(asked, keep_bytes, &a, &error));
    ASSERT_OK(pli_world_save(other, keep_bytes, &b, &error));
    assert_true(a.size == b.size && memcmp(a.at, b.at, a.size) == 0);
    free(a.at);
    free(b.at);
    pli_world_destroy(asked);
    pli_world_destroy(other);
}

#endif
