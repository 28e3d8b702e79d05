// Exact derivatives at the present state: see pliant/derivatives.h.
//
// An assembly of its own evaluates the terms that are asked for. It shares the terms and the
// kinematics with the world, both of which are only read, and nothing else: no kept Hessian, no
// secant correction, no island and no pattern of the solver can get into a result, and nothing of
// a call can get into the next step.
//
// E of a step can be differentiated after the step because terms keep what `begin_step` and `lag`
// told them. What the end of a step overwrites is noted before (pli_solved): the unknowns where E
// was minimized, the positions that averages start from, and the state of energies.
#include "dynamics/world.h"

#include "math/vec.h"
#include "pliant/derivatives.h"

#include <string.h>

// ---- sparse matrices

typedef struct store {
    pli_memory memory;
    int column_count, count;
    int32_t *start, *row;
    double* value;
} store;

static void store_free(store* s) {
    if (!s) return;
    pli_memory memory = s->memory; // the store itself is freed through a copy of its own counters
    PLI_FREE(&memory, s->start, s->start ? s->column_count + 1 : 0);
    PLI_FREE(&memory, s->row, s->row ? s->count : 0);
    PLI_FREE(&memory, s->value, s->value ? s->count : 0);
    PLI_FREE(&memory, s, 1);
}

void pli_sparse_free(pli_sparse* matrix) {
    if (!matrix) return;
    store_free(matrix->store);
    *matrix = (pli_sparse){0};
}

static pli_status store_create(const pli_world* w, int column_count, int count, store** out,
                               pli_error* error) {
    pli_memory memory;
    pli_memory_init(&memory, w->model.def.allocator);
    store* s;
    pli_status status;
    PLI_TRY(PLI_ALLOC(&memory, s, 1, error));
    *s = (store){.memory = memory, .column_count = column_count, .count = count};
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&s->memory, s->start, column_count + 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&s->memory, s->row, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&s->memory, s->value, count, error));
    *out = s;
    return PLI_OK;
cleanup:
    store_free(s);
    return status;
}

static pli_sparse matrix_of(store* s, int row_count, bool symmetric) {
    return (pli_sparse){.row_count = row_count,
                        .column_count = s->column_count,
                        .count = s->count,
                        .symmetric = symmetric,
                        .start = s->start,
                        .row = s->row,
                        .value = s->value,
                        .store = s};
}

// The lower triangle of a matrix in a block pattern, whose diagonal blocks are full.
static pli_status take_triangle(const pli_world* w, const pli_pattern* p, const double* values,
                                pli_sparse* out, pli_error* error) {
    int n = p->unknown_count, count = 0;
    store* s;
    for (int j = 0; j < n; ++j)
        for (int32_t i = p->start[j]; i < p->start[j + 1]; ++i) count += p->row[i] >= j;
    PLI_TRY(store_create(w, n, count, &s, error));
    count = 0;
    for (int j = 0; j < n; ++j) {
        for (int32_t i = p->start[j]; i < p->start[j + 1]; ++i) {
            if (p->row[i] < j) continue;
            s->row[count] = p->row[i];
            s->value[count++] = values[i];
        }
        s->start[j + 1] = count;
    }
    *out = matrix_of(s, n, true);
    return PLI_OK;
}

// ---- the last step

static pli_status check_step(const pli_world* w, pli_error* error) {
    if (w->scheme->step)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "scheme \"%s\" is explicit: its steps minimize nothing", w->scheme->name);
    if (!w->solved.known)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "there is no last step: make one that is kept, after preparing the world "
                        "or setting its state");
    return PLI_OK;
}

static size_t state_count(const pli_world* w) {
    size_t sum = 0;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        size_t size = 0;
        const void* initial;
        if (term->ops->state) (void)term->ops->state(term->self, &size, &initial);
        sum += size / sizeof(double);
    }
    return sum;
}

pli_status pli_solved_init(pli_world* w, pli_error* error) {
    pli_solved* s = &w->solved;
    if (w->scheme->step) return PLI_OK;
    PLI_TRY(PLI_ALLOC(&w->memory, s->q, w->kinematics.unknown_count, error));
    if (w->scheme->averages)
        PLI_TRY(PLI_ALLOC(&w->memory, s->x_n, 3 * (size_t)w->kinematics.vertex_count, error));
    PLI_TRY(PLI_ALLOC(&w->memory, s->state, state_count(w), error));
    s->state_count = state_count(w);
    return PLI_OK;
}

void pli_solved_free(pli_world* w) {
    pli_solved* s = &w->solved;
    PLI_FREE(&w->memory, s->q, s->q ? w->kinematics.unknown_count : 0);
    PLI_FREE(&w->memory, s->x_n, s->x_n ? 3 * (size_t)w->kinematics.vertex_count : 0);
    PLI_FREE(&w->memory, s->state, s->state_count);
}

static void swap(double* a, double* b, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

// States of energies and those noted change places. `between`: those in use are then again those
// after the step.
static void swap_states(pli_world* w, bool between) {
    double* noted = w->solved.state;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        size_t size = 0;
        const void* initial;
        if (!term->ops->state) continue;
        double* state = term->ops->state(term->self, &size, &initial);
        swap(state, noted, size / sizeof(double));
        if (term->ops->between) term->ops->between(term->self, between);
        noted += size / sizeof(double);
    }
}

void pli_solved_note(pli_world* w) {
    pli_solved* s = &w->solved;
    double* state = s->state;
    if (w->scheme->step) return;
    for (int i = 0; i < w->history.n; ++i)
        s->q[i] = w->scheme->middle ? 0.5 * (w->history.q[0][i] + w->q[i]) : w->q[i];
    if (s->x_n) pli_copy(w->x_n, s->x_n, 3 * w->kinematics.vertex_count);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        size_t size = 0;
        const void* initial;
        if (!term->ops->state) continue;
        const void* from = term->ops->state(term->self, &size, &initial);
        if (size > 0) memcpy(state, from, size);
        state += size / sizeof(double);
    }
    s->known = true;
}

// ---- evaluation

// What is differentiated where: terms, an assembly over them, positions.
typedef struct study {
    pli_world* w;
    pli_derivative_of of;
    const double* q;
    pli_term* terms;
    int term_count;
    pli_assembly assembly;
    double *x, *gx, *force, *moved; // force: inertia M (q - q_hat); both on unknowns
} study;

static bool takes_part(const study* s, int t) {
    const pli_term* term = &s->w->terms[t].term;
    pli_role role = term->ops->role;
    if (s->of == PLI_OF_POTENTIAL) return role == PLI_POTENTIAL || role == PLI_LOAD;
    return term->self != &s->w->pins;
}

static void study_free(study* s) {
    pli_memory* m = &s->w->memory;
    size_t v3 = 3 * (size_t)s->w->kinematics.vertex_count,
           n = (size_t)s->w->kinematics.unknown_count;
    pli_assembly_free(&s->assembly);
    PLI_FREE(m, s->terms, s->terms ? s->w->term_count : 0);
    PLI_FREE(m, s->x, s->x ? v3 : 0);
    PLI_FREE(m, s->gx, s->gx ? v3 : 0);
    PLI_FREE(m, s->force, s->force ? n : 0);
    PLI_FREE(m, s->moved, s->moved ? n : 0);
}

// `expands`: there is to be a matrix, which then has wide stencils, too.
static pli_status study_init(study* s, pli_world* w, pli_derivative_of of, bool expands,
                             pli_error* error) {
    pli_memory* m = &w->memory;
    size_t v3 = 3 * (size_t)w->kinematics.vertex_count, n = (size_t)w->kinematics.unknown_count;
    *s = (study){.w = w, .of = of, .q = of == PLI_OF_STEP ? w->solved.q : w->history.q[0]};
    PLI_TRY(PLI_ALLOC(m, s->terms, w->term_count, error));
    PLI_TRY(PLI_ALLOC(m, s->x, v3, error));
    PLI_TRY(PLI_ALLOC(m, s->gx, v3, error));
    PLI_TRY(PLI_ALLOC(m, s->force, n, error));
    PLI_TRY(PLI_ALLOC(m, s->moved, n, error));
    for (int t = 0; t < w->term_count; ++t)
        if (takes_part(s, t))
            s->terms[s->term_count++] = of == PLI_OF_STEP ? w->plain_terms[t] : w->terms[t].term;
    PLI_TRY(pli_assembly_init(&s->assembly, m, w->pool, &w->kinematics, s->terms, s->term_count,
                              error));
    s->assembly.expands = expands;
    return pli_assembly_update(&s->assembly, error);
}

// Evaluates with the averages, states and start of the step, and puts back what the world has.
// `inertia`: makes the matrix, too; NULL: gradients alone.
static pli_status evaluate(study* s, const double* inertia, pli_error* error) {
    pli_world* w = s->w;
    bool step = s->of == PLI_OF_STEP;
    const double* x_n = w->averaging.x_n;
    const pli_hessian_wish exact = {.project = false};
    pli_status status = PLI_OK;
    pli_kinematics_positions(&w->kinematics, w->pool, s->q, s->x);
    if (step) swap_states(w, false);
    if (step && w->scheme->averages) {
        w->averaging.on = true;
        w->averaging.x_n = w->solved.x_n;
    }
    pli_assembly_evaluate(&s->assembly, s->x, inertia ? &exact : NULL);
    if (inertia) {
        pli_assembly_matrix(&s->assembly, *inertia, NULL);
        status = pli_assembly_add_curvature(&s->assembly, s->x, error);
    }
    w->averaging.on = false;
    w->averaging.x_n = x_n;
    if (step) swap_states(w, true);
    return status;
}

static pli_status find_gradient(study* s, double* on_vertices, double* on_unknowns,
                                pli_error* error) {
    pli_world* w = s->w;
    const pli_kinematics* k = &w->kinematics;
    int n = k->unknown_count;
    PLI_TRY(evaluate(s, NULL, error));
    pli_assembly_gradient(&s->assembly, s->gx, NULL);
    if (on_vertices) pli_copy(s->gx, on_vertices, 3 * k->mesh_point_count);
    if (!on_unknowns) return PLI_OK;
    pli_kinematics_pull(k, w->pool, s->gx, on_unknowns);
    if (s->of != PLI_OF_STEP) return PLI_OK;
    pli_sub(s->q, w->aim.q_hat, s->moved, n);
    pli_mass_multiply(k, s->moved, s->force);
    pli_axpy(w->aim.inertia, s->force, on_unknowns, n);
    return PLI_OK;
}

// ---- the calls

static pli_status check_ready(const pli_world* w, pli_error* error) {
    PLI_TRY(pli_world_not_failed(w, error));
    if (!w->prepared)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the world is not prepared: call pli_world_prepare first");
    return PLI_OK;
}

static pli_status check_of(const pli_world* w, pli_derivative_of of, pli_error* error) {
    PLI_TRY(check_ready(w, error));
    if ((int)of < 0 || of >= PLI_DERIVATIVE_COUNT)
        return pli_fail(error, PLI_E_ARGUMENT, "derivative of %d: there is no such function",
                        (int)of);
    return of == PLI_OF_STEP ? check_step(w, error) : PLI_OK;
}

pli_status pli_world_step_rule(pli_world* world, pli_step_rule* rule, pli_error* error) {
    if (!rule) return pli_fail(error, PLI_E_ARGUMENT, "step rule: the result is NULL");
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = check_of(world, PLI_OF_STEP, error);
    if (status == PLI_OK)
        *rule = (pli_step_rule){.time_step = world->present.h,
                                .inertia = world->aim.inertia,
                                .velocity_rate = world->aim.rate,
                                .share = world->present.share};
    return pli_world_leave(world, status);
}

pli_status pli_world_unknowns(pli_world* world, double* q, double* v, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = check_ready(world, error);
    if (status == PLI_OK && q) pli_copy(world->history.q[0], q, world->history.n);
    if (status == PLI_OK && v) pli_copy(world->history.v[0], v, world->history.n);
    return pli_world_leave(world, status);
}

static void find_held(const pli_world* w, uint8_t* held) {
    const pli_kinematics* k = &w->kinematics;
    for (int i = 0; i < k->unknown_count; ++i) held[i] = 0;
    for (int i = 0; i < w->pins.count; ++i) {
        const pli_pin* pin = &w->pins.pins[i];
        int at = k->group_offset[k->vertices[pin->vertex].identity_group];
        for (int c = 0; c < k->dim; ++c) held[at + c] = !w->pins.motions[pin->motion].free[c];
    }
}

pli_status pli_world_held_unknowns(pli_world* world, uint8_t* held, pli_error* error) {
    if (!held) return pli_fail(error, PLI_E_ARGUMENT, "held unknowns: the result is NULL");
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = check_ready(world, error);
    if (status == PLI_OK) find_held(world, held);
    return pli_world_leave(world, status);
}

// Column c of a group: its entries, by vertex, as `driven` has them; those that are 0 are left out.
// Returns their number; `s` NULL: they are only counted.
static int map_column(const pli_kinematics* k, int group, int c, store* s, int at) {
    int count = 0;
    for (int d = k->driven_start[group]; d < k->driven_start[group + 1]; ++d) {
        const pli_driven* driven = &k->driven[d];
        for (int r = 0; r < k->dim; ++r) {
            double weight = r == c;
            if (driven->entry >= 0) weight = pli_entry_weight(k, &k->entries[driven->entry], r, c);
            if (weight == 0) continue;
            if (s) {
                s->row[at + count] = 3 * driven->vertex + r;
                s->value[at + count] = weight;
            }
            count++;
        }
    }
    return count;
}

static pli_status make_map(const pli_world* w, pli_sparse* out, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    int64_t count = 0;
    store* s;
    for (int g = 0; g < k->group_count; ++g)
        for (int c = 0; c < pli_group_width(k, g); ++c) count += map_column(k, g, c, NULL, 0);
    if (count > INT32_MAX)
        return pli_fail(error, PLI_E_MEMORY, "the map has more than 2^31 entries");
    PLI_TRY(store_create(w, k->unknown_count, (int)count, &s, error));
    for (int g = 0, j = 0; g < k->group_count; ++g)
        for (int c = 0; c < pli_group_width(k, g); ++c, ++j)
            s->start[j + 1] = s->start[j] + map_column(k, g, c, s, s->start[j]);
    *out = matrix_of(s, 3 * k->vertex_count, false);
    return PLI_OK;
}

pli_status pli_world_map(pli_world* world, pli_sparse* map, pli_error* error) {
    if (!map) return pli_fail(error, PLI_E_ARGUMENT, "map: the result is NULL");
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = check_ready(world, error);
    if (status == PLI_OK) status = make_map(world, map, error);
    return pli_world_leave(world, status);
}

// `inertia` M and the Hessian of the terms.
static pli_status make_matrix(study* s, double inertia, pli_sparse* out, pli_error* error) {
    PLI_TRY(evaluate(s, &inertia, error));
    return take_triangle(s->w, &s->assembly.pattern, s->assembly.values, out, error);
}

static pli_status make_mass(pli_world* w, pli_sparse* out, pli_error* error) {
    pli_assembly assembly = {0};
    pli_status status =
        pli_assembly_init(&assembly, &w->memory, w->pool, &w->kinematics, NULL, 0, error);
    if (status == PLI_OK) status = pli_assembly_update(&assembly, error);
    if (status == PLI_OK) {
        pli_assembly_evaluate(&assembly, w->model.positions, &(pli_hessian_wish){0});
        pli_assembly_matrix(&assembly, 1, NULL);
        status = take_triangle(w, &assembly.pattern, assembly.values, out, error);
    }
    pli_assembly_free(&assembly);
    return status;
}

pli_status pli_world_mass_matrix(pli_world* world, pli_sparse* mass, pli_error* error) {
    if (!mass) return pli_fail(error, PLI_E_ARGUMENT, "mass matrix: the result is NULL");
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = check_ready(world, error);
    if (status == PLI_OK) status = make_mass(world, mass, error);
    return pli_world_leave(world, status);
}

static pli_status gradient(pli_world* w, pli_derivative_of of, double* on_vertices,
                           double* on_unknowns, pli_error* error) {
    study s;
    PLI_TRY(check_of(w, of, error));
    pli_status status = study_init(&s, w, of, false, error);
    if (status == PLI_OK) status = find_gradient(&s, on_vertices, on_unknowns, error);
    study_free(&s);
    return status;
}

pli_status pli_world_gradient(pli_world* world, pli_derivative_of of, double* on_vertices,
                              double* on_unknowns, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, gradient(world, of, on_vertices, on_unknowns, error));
}

static pli_status hessian(pli_world* w, pli_derivative_of of, pli_sparse* out, pli_error* error) {
    study s;
    PLI_TRY(check_of(w, of, error));
    pli_status status = study_init(&s, w, of, true, error);
    double inertia = of == PLI_OF_STEP ? w->aim.inertia : 0;
    if (status == PLI_OK) status = make_matrix(&s, inertia, out, error);
    study_free(&s);
    return status;
}

pli_status pli_world_hessian(pli_world* world, pli_derivative_of of, pli_sparse* matrix,
                             pli_error* error) {
    if (!matrix) return pli_fail(error, PLI_E_ARGUMENT, "Hessian: the result is NULL");
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, hessian(world, of, matrix, error));
}
