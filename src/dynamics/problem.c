// The function that a step minimizes: E(q) = inertia/2 |q - q_hat|^2_M + sum of terms.
#include "dynamics/world.h"

#include "base/base.h"
#include "kinematics/rigid.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

// Rounding unit of a position relative to its magnitude.
static const double RESOLUTION = 16 * DBL_EPSILON;

// Constraints count as blocked after this many certified steps, each shorter than this fraction of
// its direction, or this many in total (fewer if they have retreated before), in which they did not
// arrive: the body in front of them is being squeezed flat, or out.
static const double SHORT_STEP = 1e-2;
enum { MAX_SHORT_STEPS = 20, MAX_UNARRIVED_STEPS = 300, MAX_UNARRIVED_STEPS_AGAIN = 60 };

pli_view pli_world_view(const pli_world* w) {
    return (pli_view){.dim = w->model.def.dimension,
                      .vertex_count = w->model.vertex_count,
                      .x = w->x,
                      .pool = w->pool};
}

pli_status pli_world_refresh(pli_world* w, const double* p, double* alpha, pli_error* error) {
    pli_view view = pli_world_view(w);
    PLI_TRY(pli_pool_check(w->pool, error));
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->refresh) PLI_TRY(term->ops->refresh(term->self, &view, p, alpha, error));
    }
    return pli_assembly_update(&w->assembly, error);
}

// inertia/2 |q - q_hat|^2_M; leaves inertia M (q - q_hat) in `force` if requested.
static double inertia_energy(pli_world* w, const double* q, double* force) {
    int n = w->kinematics.unknown_count;
    pli_sub(q, w->aim.q_hat, w->scratch, n);
    double* product = force ? force : w->force;
    pli_mass_multiply(&w->kinematics, w->scratch, product);
    double e = 0.5 * w->aim.inertia * pli_dot(w->scratch, product, n);
    if (force)
        for (int i = 0; i < n; ++i) force[i] *= w->aim.inertia;
    return e;
}

// Unknowns of constraints that have arrived become identity rows for the rest of the step.
static pli_status problem_update(void* self, const double* q, pli_error* error) {
    (void)error;
    pli_world* w = self;
    if (pli_constraints_count(&w->constraints) == 0) return PLI_OK;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_constraints_arrive(&w->constraints, w->x, w->arrival);
    pli_constraints_hold(&w->constraints, &w->kinematics, false, w->frozen);
    pli_joints_hold(w);
    return PLI_OK;
}

static pli_status problem_value(void* self, const double* q, double* e, double* size,
                                pli_error* error) {
    (void)error;
    pli_world* w = self;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    *e = *size = inertia_energy(w, q, NULL);
    for (int t = 0; t < w->term_count; ++t) {
        *e += w->term_values[t];
        *size += fabs(w->term_values[t]);
    }
    return PLI_OK;
}

// Sum of all nonlinear potentials: linear ones, like gravity, have no natural zero.
// The part of E stored by deformation, at w->x.
static double stored_energy(pli_world* w) {
    double sum = 0;
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term_ops* ops = w->plain_terms[t].ops;
        if (ops->role == PLI_POTENTIAL && !ops->linear) sum += fabs(w->term_values[t]);
    }
    return sum;
}

static pli_status problem_stored(void* self, const double* q, double* energy, pli_error* error) {
    (void)error;
    pli_world* w = self;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    *energy = stored_energy(w);
    return PLI_OK;
}

static pli_status problem_derivatives(void* self, const double* q, const pli_hessian_wish* wish,
                                      double* g, double* load, pli_error* error) {
    pli_world* w = self;
    const pli_kinematics* k = &w->kinematics;
    double start = pli_now();
    if (wish) PLI_TRY(pli_assembly_trim(&w->assembly, error));
    pli_kinematics_positions(k, w->pool, q, w->x);
    pli_assembly_evaluate(&w->assembly, w->x, wish);
    double evaluated = pli_now();
    *(wish ? &w->seconds.hessian : &w->seconds.gradient) += evaluated - start;
    pli_assembly_gradient(&w->assembly, w->gx, load ? w->load : NULL);
    if (load) pli_world_scale_loads(w);
    pli_kinematics_pull(k, w->pool, w->gx, g);
    inertia_energy(w, q, w->force);
    pli_axpy(1, w->force, g, k->unknown_count);
    if (load) *load = pli_norm(w->load, k->vertex_count) + pli_norm(w->force, k->unknown_count);
    for (int i = 0; i < k->group_count; ++i)
        if (w->frozen[i])
            memset(g + k->group_offset[i], 0, sizeof *g * (size_t)pli_group_width(k, i));
    if (wish)
        pli_islands_settle(w, wish->settle,
                           g); // else g holds all forces, also for the balance test
    double gathered = pli_now();
    w->seconds.gradient += gathered - evaluated;
    if (wish) pli_assembly_matrix(&w->assembly, w->aim.inertia, w->frozen);
    w->seconds.assembly += pli_now() - gathered;
    return PLI_OK;
}

static const uint8_t* problem_changed(void* self) {
    const pli_world* w = self;
    return w->assembly.changed;
}

static void problem_matrix(void* self, const pli_pattern** pattern, double** values,
                           uint64_t* epoch) {
    pli_world* w = self;
    *pattern = &w->assembly.pattern;
    *values = w->assembly.values;
    *epoch = w->assembly.pattern_epoch;
}

static const pli_low_rank* problem_low_rank(void* self) {
    const pli_world* w = self;
    return &w->assembly.low_rank;
}

// Cheap bounds first (inversion, half-spaces); then contact, whose candidate sets are smaller for a
// shorter segment.
static pli_status problem_segment(void* self, const double* q, const double* p, double* alpha,
                                  pli_error* error) {
    pli_world* w = self;
    double start = pli_now();
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_kinematics_directions(&w->kinematics, w->pool, p, w->dx);
    pli_view view = pli_world_view(w);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->plain_terms[t];
        if (term->ops->max_step)
            *alpha = fmin(*alpha, term->ops->max_step(term->self, &view, w->dx));
    }
    pli_status status = pli_world_refresh(w, w->dx, alpha, error);
    bool unarrived = !pli_constraints_arrived(&w->constraints);
    w->short_steps += unarrived && *alpha < SHORT_STEP;
    w->unarrived_steps += unarrived;
    w->seconds.collision += pli_now() - start;
    return status;
}

static void problem_rest(void* self, double* p) {
    const pli_world* w = self;
    pli_islands_rest(&w->islands, p);
}

static pli_status problem_shorten(void* self, const double* q, double* p, double* least,
                                  double* free, pli_error* error) {
    pli_world* w = self;
    double start = pli_now();
    *least = *free = 1;
    if (!pli_islands_on(w)) return PLI_OK;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_kinematics_directions(&w->kinematics, w->pool, p, w->dx);
    pli_status status = pli_islands_shorten(w, p, least, free, error);
    w->seconds.collision += pli_now() - start;
    return status;
}

static int problem_islands(void* self, const int32_t** of) {
    pli_world* w = self;
    *of = w->islands.unknown_island;
    if (!pli_islands_on(w)) return 1;
    pli_islands_find(w, true);
    return pli_islands_spread(w);
}

// Inertia of part i: masses are not shared between parts.
static pli_status problem_island_values(void* self, const double* q, double* e, double* size,
                                        pli_error* error) {
    pli_world* w = self;
    pli_islands* at = &w->islands;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    (void)inertia_energy(w, q, NULL); // leaves q - q_hat in scratch and its product in force
    for (int i = 0; i < at->part_count; ++i) at->value[i] = at->size[i] = 0;
    for (int i = 0; i < at->unknown_count; ++i)
        at->value[at->unknown_part[i]] += 0.5 * w->aim.inertia * w->scratch[i] * w->force[i];
    for (int i = 0; i < at->part_count; ++i) at->size[i] = fabs(at->value[i]);
    PLI_TRY(
        pli_assembly_part_values(&w->assembly, w->x, at->vertex_part, at->value, at->size, error));
    for (int i = 0; i < at->part_count; ++i)
        if (at->root[i] == i) e[at->number[i]] = size[at->number[i]] = 0;
    for (int i = 0; i < at->part_count; ++i) {
        e[at->number[i]] += at->value[i];
        size[at->number[i]] += at->size[i];
    }
    return PLI_OK;
}

static bool problem_blocked(void* self) {
    const pli_world* w = self;
    if (!pli_collision_is_near(&w->collision)) return false;
    int most = pli_constraints_behind(&w->constraints) > 0 ? MAX_UNARRIVED_STEPS_AGAIN
                                                           : MAX_UNARRIVED_STEPS;
    return w->short_steps >= MAX_SHORT_STEPS || w->unarrived_steps >= most;
}

// Node i has a residual of `left` metres (or newtons): it is shown at the point that represents it,
// if that point has less itself. Returns that point.
static int note_node(pli_world* w, int i, double left) {
    int point = pli_world_node_point(w, i);
    w->residuals[point] = fmax(w->residuals[point], left);
    return point;
}

// Corrections of nodes, same as for points: returns the maximum with `largest`.
static double node_speed(pli_world* w, double largest) {
    pli_islands* islands = &w->islands;
    for (int i = 0; i < w->nodes.count; ++i) {
        int v = w->nodes.first + i;
        double moved = fabs(w->dx[3 * (size_t)v]) - RESOLUTION * fabs(w->x[3 * (size_t)v]);
        moved = fmax(0, moved * pli_world_node_weight(w, i));
        int point = note_node(w, i, moved / w->h);
        if (islands->vertex_part[v] >= 0) {
            double* speed = &islands->speed[islands->vertex_part[v]];
            *speed = fmax(*speed, moved / w->h);
        }
        if (!(moved > largest)) continue;
        largest = moved;
        w->worst_vertex = point;
    }
    return largest;
}

// |W p|_inf / h. A tolerance below rounding is met when rounding is. A constrained vertex that has
// not arrived has a weight above 1: it must come as close to its target as required, so that a
// remaining distance means that contact blocks it, not that the minimizer stopped early.
static double problem_speed(void* self, const double* p) {
    pli_world* w = self;
    pli_kinematics_directions(&w->kinematics, w->pool, p, w->dx);
    double largest = 0, *weight = w->residuals;
    pli_islands* islands = &w->islands;
    for (int v = 0; v < w->model.vertex_count; ++v) weight[v] = 1;
    pli_constraints_weigh(&w->constraints, w->tolerance * w->h, w->arrival, weight);
    for (int i = 0; i < islands->part_count; ++i) islands->speed[i] = 0;
    for (int v = 0; v < w->model.vertex_count; ++v) {
        double rounding = RESOLUTION * pli_norm(w->x + 3 * (size_t)v, 3);
        double moved = pli_norm(w->dx + 3 * (size_t)v, 3) - rounding;
        moved = fmax(0, moved * weight[v]);
        w->residuals[v] = moved / w->h;
        if (islands->vertex_part[v] >= 0) {
            double* speed = &islands->speed[islands->vertex_part[v]];
            *speed = fmax(*speed, w->residuals[v]);
        }
        if (!(moved > largest)) continue;
        largest = moved;
        w->worst_vertex = v;
    }
    return node_speed(w, largest) / w->h;
}

// The net force on vertices: W g, which is g itself at free vertices.
static void problem_report_force(void* self, const double* g) {
    pli_world* w = self;
    pli_kinematics_directions(&w->kinematics, w->pool, g, w->dx);
    w->worst_vertex = -1;
    for (int v = 0; v < w->model.vertex_count; ++v) {
        w->residuals[v] = pli_norm(w->dx + 3 * (size_t)v, 3);
        if (w->residuals[v] > (w->worst_vertex < 0 ? 0 : w->residuals[w->worst_vertex]))
            w->worst_vertex = v;
    }
    for (int i = 0; i < w->nodes.count; ++i) {
        int unknown = pli_world_node_unknown(w, i);
        int point = note_node(w, i, unknown >= 0 ? fabs(g[unknown]) : 0);
        if (w->residuals[point] > (w->worst_vertex < 0 ? 0 : w->residuals[w->worst_vertex]))
            w->worst_vertex = point;
    }
}

// The largest change of dE/dq if every coordinate is moved by the fraction `part` of the magnitude
// of its position, up or down by the bits of its number (an arbitrary pattern). w->scratch holds
// dE/dq at q.
static double moved_force(pli_world* w, const double* q, double part) {
    const pli_kinematics* k = &w->kinematics;
    pli_kinematics_positions(k, w->pool, q, w->x);
    for (int v = 0; v < w->model.vertex_count; ++v) {
        double* x = w->x + 3 * (size_t)v;
        double size = part * pli_norm(x, 3);
        uint32_t bits = (uint32_t)v * 2654435769u >> 29;
        for (int c = 0; c < k->dim; ++c) x[c] += bits >> c & 1 ? size : -size;
    }
    for (int v = k->point_count; v < k->vertex_count; ++v)
        w->x[3 * (size_t)v] *= v & 1 ? 1 + part : 1 - part;
    pli_assembly_evaluate(&w->assembly, w->x, NULL);
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
    pli_kinematics_pull(k, w->pool, w->gx, w->force);
    pli_axpy(-1, w->scratch, w->force, k->unknown_count);
    return pli_largest(w->force, k->unknown_count);
}

// A change that does not grow with the distance is a kink of E (an inverted element whose nearest
// rotation is not unique), where forces are large and meaningful: the result is 0.
static pli_status problem_rounding(void* self, const double* q, pli_rounding* out,
                                   pli_error* error) {
    (void)error;
    pli_world* w = self;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    double stored = stored_energy(w);
    pli_assembly_evaluate(&w->assembly, w->x, NULL);
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
    pli_kinematics_pull(&w->kinematics, w->pool, w->gx, w->scratch);
    double eightfold = moved_force(w, q, 8 * RESOLUTION), once = moved_force(w, q, RESOLUTION);
    out->force = eightfold > 4 * once ? once : 0;
    out->energy = fabs(stored_energy(w) - stored);
    return PLI_OK;
}

// The pull of constraints that have not arrived is not a physical force: a step that ends so is
// blocked, not converged.
static pli_unbalanced problem_unbalanced(void* self, const double* g) {
    pli_world* w = self;
    return pli_constraints_arrived(&w->constraints) ? pli_world_unbalanced(w, g)
                                                    : (pli_unbalanced){0};
}

static pli_status problem_correct(void* self, const double* q, const double* p, double alpha,
                                  int round, const pli_hessian_wish* wish, pli_error* error) {
    (void)error;
    pli_world* w = self;
    const pli_kinematics* k = &w->kinematics;
    const double* ends[PLI_MAX_CORRECTIONS];
    size_t size = 3 * (size_t)k->vertex_count;
    for (int i = 0; i < PLI_MAX_CORRECTIONS; ++i) ends[i] = w->ends + (size_t)i * size;
    double start = pli_now();
    for (int i = 0; i < k->unknown_count; ++i) w->scratch[i] = q[i] + alpha * p[i];
    pli_kinematics_positions(k, w->pool, w->scratch, w->ends + (size_t)round * size);
    pli_kinematics_positions(k, w->pool, q, w->x);
    pli_assembly_evaluate(&w->assembly, w->x, wish);
    pli_assembly_correct(&w->assembly, w->x, ends, round + 1, wish->project);
    double evaluated = pli_now();
    pli_assembly_matrix(&w->assembly, w->aim.inertia, w->frozen);
    w->seconds.hessian += evaluated - start;
    w->seconds.assembly += pli_now() - evaluated;
    return PLI_OK;
}

static void problem_metric(void* self, const double* g, double* z) {
    pli_world* w = self;
    double scale = w->aim.inertia > 0 ? w->aim.inertia : 1 / (w->h * w->h);
    for (int i = 0; i < w->kinematics.unknown_count; ++i)
        z[i] = g[i] / (scale * w->mass_diagonal[i]);
}

static int problem_rigid(void* self, double* modes) {
    const pli_world* w = self;
    return pli_rigid_motions(&w->kinematics, w->x, modes);
}

static void problem_gaps(void* self, const double* q, double* gaps, double* rounding) {
    pli_world* w = self;
    pli_kinematics_positions(&w->kinematics, w->pool, q, w->x);
    pli_joints_gaps(w, gaps, rounding);
}

static const pli_problem_ops problem_ops = {.update = problem_update,
                                            .value = problem_value,
                                            .stored = problem_stored,
                                            .derivatives = problem_derivatives,
                                            .matrix = problem_matrix,
                                            .low_rank = problem_low_rank,
                                            .changed = problem_changed,
                                            .segment = problem_segment,
                                            .rest = problem_rest,
                                            .shorten = problem_shorten,
                                            .islands = problem_islands,
                                            .island_values = problem_island_values,
                                            .correct = problem_correct,
                                            .speed = problem_speed,
                                            .unbalanced = problem_unbalanced,
                                            .report_force = problem_report_force,
                                            .rounding = problem_rounding,
                                            .rigid = problem_rigid,
                                            .blocked = problem_blocked,
                                            .gaps = problem_gaps,
                                            .metric = problem_metric};

pli_problem pli_world_problem(pli_world* w) {
    const pli_equations* equations = &w->joints.equations;
    return (pli_problem){.ops = &problem_ops,
                         .self = w,
                         .equations = equations->count > 0 ? equations : NULL,
                         .unknown_count = w->kinematics.unknown_count,
                         .by_force = w->scheme->statics};
}
