// Prepares a world: from what was added to a state that can step.
#include "dynamics/world.h"

#include "base/text.h"
#include "collision/survey.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static void find_mass_diagonal(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    for (int b = 0; b < k->mass_count; ++b) {
        if (k->mass[b].row != k->mass[b].column) continue;
        int width = pli_group_width(k, k->mass[b].row);
        for (int i = 0; i < width; ++i)
            w->mass_diagonal[k->group_offset[k->mass[b].row] + i] =
                k->mass_values[k->mass[b].value + i * (width + 1)];
    }
    pli_constraints_fill_mass(&w->constraints, k, w->mass_diagonal);
    pli_world_fill_node_mass(w, w->mass_diagonal);
}

// Computes unknowns from the given positions and velocities.
static pli_status initial_state(pli_world* w, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    PLI_TRY(pli_history_init(&w->history, &w->memory, k->unknown_count, w->scheme->depth, error));
    if (w->scheme->depth > 2)
        PLI_TRY(
            pli_history_init(&w->coarse, &w->memory, k->unknown_count, w->scheme->depth, error));
    if (w->carry.on) {
        PLI_TRY(pli_carry_histories(w, w->replaced, error));
        pli_copy(w->history.q[0], w->q, k->unknown_count);
        w->acceleration_known = false;
    } else {
        if (k->unknown_count > 0) {
            PLI_TRY(pli_kinematics_fit(k, w->model.positions, true, w->q, error));
            PLI_TRY(pli_kinematics_fit_rates(k, w->model.velocities, w->q, w->v, error));
        }
        pli_world_start_nodes(w, w->q, w->v);
        pli_history_restart(&w->history, 0, w->q, w->v);
    }
    if (w->scheme->accelerates) { // of vertices that are not prescribed
        pli_constraints_hold(&w->constraints, k, true, w->frozen);
        PLI_TRY(pli_mass_solver_create(k, w->frozen, &w->mass_solver, error));
    }
    if (w->scheme->work_size) {
        size_t size = w->scheme->work_size(k->unknown_count);
        PLI_TRY(PLI_ALLOC(&w->memory, w->scheme_work, size, error));
        w->scheme_work_size = size;
    }
    pli_kinematics_positions(k, w->pool, w->q, w->x);
    if (memcmp(w->model.positions, w->x, 3 * sizeof *w->x * (size_t)w->model.vertex_count) != 0)
        w->collision.clear = 0;
    memcpy(w->model.positions, w->x,
           3 * sizeof *w->x * (size_t)w->model.vertex_count); // also on failure
    return PLI_OK;
}

// Rejects schemes that do not certify the end of a step where that could matter.
static pli_status check_scheme(pli_world* w, pli_error* error) {
    if (!w->scheme->refusal) return PLI_OK;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term_ops* ops = w->terms[t].term.ops;
        if (!pli_is_barrier(&w->terms[t]) && !(w->scheme->finish && ops->max_step)) continue;
        return pli_error_place(
            pli_fail(error, PLI_E_ARGUMENT, "scheme \"%s\" cannot be used with \"%s\": %s%s",
                     w->scheme->name, ops->name, w->scheme->refusal,
                     pli_is_barrier(&w->terms[t])
                         ? "; remove the obstacles and set contact.bodies to false"
                         : "; use \"backward-euler\" or \"bdf2\""),
            error, PLI_OBJECT_TIME, -1, "scheme");
    }
    return PLI_OK;
}

static int body_of(const pli_world* w, int vertex) {
    int b = 0;
    while (pli_body_end_vertex(&w->model, b) <= vertex) ++b;
    return b;
}

// Limit of coordinates: far below the overflow of products of distances, where exact tests fail.
static pli_status check_places(const pli_world* w, pli_error* error) {
    static const double far = 1e30; // [m]
    for (int i = 0; i < 3 * w->model.vertex_count; ++i)
        if (!(fabs(w->x[i]) <= far))
            return pli_error_place(pli_fail(error, PLI_E_SCENE,
                                            "vertex %d: %c = %g m, must be within %g m", i / 3,
                                            "xyz"[i % 3], w -> x[i], far),
                                   error, PLI_OBJECT_BODY, body_of(w, i / 3), NULL);
    return PLI_OK;
}

// The energy of a term is infinite: names its first forbidden stencil.
static pli_status refuse_term(const pli_world* w, const pli_world_term* term, pli_error* error) {
    char why[160] = "an element is inverted or degenerate", place[PLI_PLACE_SIZE] = "";
    const char* name = term->body >= 0 ? w->model.bodies[term->body].name : "";
    int stencil = -1;
    if (term->body >= 0 && term->energy >= 0)
        stencil = pli_element_term_forbidden(&term->term, w->x, why, sizeof why);
    if (stencil >= 0) (void)pli_element_term_place(&term->term, stencil, place);
    pli_status status =
        pli_fail(error, PLI_E_SCENE, "%s%s%s invalid state for energy \"%s\": %s%s%s",
                 *name ? "body \"" : "", name, *name ? "\":" : "", term->term.ops->name, place,
                 *place ? ": " : "", why);
    return *name ? pli_error_place(status, error, PLI_OBJECT_BODY, term->body, NULL) : status;
}

pli_status pli_world_check_allowed(pli_world* w, pli_error* error) {
    PLI_TRY(check_places(w, error));
    pli_collision_forget_friction(&w->collision);
    w->solved.known = false;
    PLI_TRY(pli_collision_check_crossings(&w->collision, w->x, error));
    PLI_TRY(pli_collision_check_inside(&w->collision, w->x, error));
    w->collision.clear = 0;
    double alpha = 1;
    PLI_TRY(pli_world_refresh(w, NULL, &alpha, error));
    PLI_TRY(pli_collision_check_gaps(&w->collision, w->x, error));
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    for (int t = 0; t < w->term_count; ++t)
        if (!isfinite(w->term_values[t])) return refuse_term(w, &w->terms[t], error);
    return PLI_OK;
}

// Friction is not damping: in statics it only holds.
static pli_status check_damping(const pli_world* w, pli_error* error) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term_ops* ops = w->terms[t].term.ops;
        if (ops->role == PLI_DISSIPATION && !ops->dynamic)
            PLI_TRY(pli_error_place(pli_scheme_check_damping(w->scheme, ops->name, error), error,
                                    PLI_OBJECT_TIME, -1, "scheme"));
    }
    return PLI_OK;
}

// An explicit scheme solves M a = f for the free vertices only. With a consistent mass it would
// need the acceleration of prescribed neighbours, which a motion does not define.
static pli_status check_mass(const pli_world* w, pli_error* error) {
    bool whole = w->scheme->step || w->scheme->keeps_jumps || w->scheme->accelerates;
    if (whole && pli_constraints_partial(&w->constraints))
        return pli_error_place(
            pli_fail(error, PLI_E_ARGUMENT,
                     "motion prescribed along some axes only cannot be used with "
                     "the scheme \"%s\": use \"backward-euler\" or \"bdf2\"",
                     w->scheme->name),
            error, PLI_OBJECT_TIME, -1, "scheme");
    for (int b = 0; b < w->model.body_count && w->scheme->step; ++b) {
        bool affine = pli_body_is_affine(&w->model.bodies[b].def);
        bool consistent = strcmp(w->model.bodies[b].def.mass, "consistent") == 0;
        if (affine && pli_body_has_prescribed(&w->model, b))
            return pli_error_place(
                pli_fail(error, PLI_E_ARGUMENT,
                         "body \"%s\" is %s: its vertices cannot be prescribed with the explicit "
                         "scheme \"%s\"; use an implicit scheme",
                         w->model.bodies[b].name, w->model.bodies[b].def.kinematics,
                         w->scheme->name),
                error, PLI_OBJECT_BODY, b, "kinematics");
        if (consistent && pli_body_has_prescribed(&w->model, b))
            return pli_error_place(
                pli_fail(error, PLI_E_ARGUMENT,
                         "body \"%s\": mass \"consistent\" cannot be used with prescribed vertices "
                         "and the explicit scheme \"%s\": use \"lumped\" or an implicit scheme",
                         w->model.bodies[b].name, w->scheme->name),
                error, PLI_OBJECT_BODY, b, "mass");
    }
    return PLI_OK;
}

// Friction is resolved only if corrections are well below its smoothing speed. Otherwise a body at
// rest on a slope would never start to slide.
static double newton_tolerance(const pli_world* w) {
    double tolerance = w->model.def.solver.tolerance;
    return w->collision.has_friction ? fmin(tolerance, w->model.def.contact.friction_accuracy *
                                                           w->model.def.contact.friction_speed)
                                     : tolerance;
}

static pli_status build(pli_world* w, pli_error* error) {
    if (w->model.body_count == 0)
        return pli_fail(error, PLI_E_ARGUMENT, "the world has no bodies; add at least one");
    PLI_TRY(pli_world_number_unknowns(w, error));
    PLI_TRY(pli_world_make_terms(w, error));
    PLI_TRY(check_scheme(w, error));
    PLI_TRY(check_damping(w, error));
    PLI_TRY(check_mass(w, error));
    PLI_TRY(pli_world_check_nodes(w, error));
    PLI_TRY(pli_world_make_arrays(w, error));
    PLI_TRY(pli_solved_init(w, error));
    w->worst_vertex = -1;
    PLI_TRY(pli_world_average_terms(w, error));
    PLI_TRY(pli_collision_make_contacts(&w->collision, error));
    find_mass_diagonal(w);
    PLI_TRY(pli_assembly_init(&w->assembly, &w->memory, w->pool, &w->kinematics, w->plain_terms,
                              w->plain_term_count, error));
    w->assembly.multiplies = !w->scheme->step && pli_minimizer_multiplies(&w->model.def.solver);
    PLI_TRY(pli_joints_make(w, error));
    PLI_TRY(pli_measures_check(w, error));
    PLI_TRY(pli_islands_make(w, error));
    pli_solver_def solver = w->model.def.solver;
    if (w->model.joint_count > 0 && strcmp(solver.linear, "auto") == 0)
        solver.linear = pli_multifrontal.name; // equations need a factor
    solver.tolerance = w->tolerance = newton_tolerance(w);
    PLI_TRY(pli_minimizer_create(&w->memory, w->pool, &solver, w->kinematics.unknown_count,
                                 &w->seconds, &w->minimizer, error));
    PLI_TRY(initial_state(w, error));
    PLI_TRY(pli_joints_start(w, error));
    w->h = pli_control_on(w) ? w->next_step : w->model.def.time_step;
    for (int v = 0; v < w->model.vertex_count; ++v)
        w->supported_count += w->model.supports[v].kind != PLI_SUPPORT_NONE;
    if (w->carry.on) PLI_TRY(pli_carry_states(w, w->replaced, error));
    PLI_TRY(pli_world_exempt(w, error));
    PLI_TRY(pli_world_check_allowed(w, error));
    pli_world_choose_stiffness(w);
    PLI_TRY(pli_undo_init(w, error));
    return pli_world_find_contacts(w, error);
}

// ---- preparing again

void pli_world_free_prepared(pli_world* w) {
    pli_memory* m = &w->memory;
    pli_minimizer_destroy(w->minimizer);
    w->minimizer = NULL;
    pli_world_free_arrays(w);
    pli_islands_free(w);
    pli_joints_free(w);
    w->islands = (pli_islands){0};
    pli_history_free(&w->history);
    pli_history_free(&w->coarse);
    w->history = w->coarse = (pli_history){0};
    pli_undo_free(w);
    w->undo = (pli_undo){0};
    pli_mass_solver_destroy(w->mass_solver);
    w->mass_solver = NULL;
    pli_world_free_stencils(w);
    pli_world_free_nodes(w);
    pli_solved_free(w);
    w->solved = (pli_solved){0};
    pli_picker_free(&w->picker);
    pli_grab_free(&w->grab, m);
    w->grab = (pli_grab){0};
    PLI_FREE(m, w->scheme_work, w->scheme_work_size);
    PLI_FREE(m, w->damping, w->damping_capacity);
    w->scheme_work_size = 0;
    w->damping_capacity = w->supported_count = 0;
    pli_assembly_free(&w->assembly);
    w->assembly = (pli_assembly){0};
    pli_kinematics_free(&w->kinematics);
    w->kinematics = (pli_kinematics){0};
    pli_world_free_averages(w);
    w->averaging = (pli_averaging){0};
    for (int t = w->term_count; t-- > 0;) {
        pli_term* term = &w->terms[t].term;
        if (term->ops->destroy && !w->terms[t].contact) term->ops->destroy(term->self);
    }
    pli_measures_free(w);
    PLI_FREE(m, w->terms, w->term_capacity);
    PLI_FREE(m, w->plain_terms, w->plain_term_count);
    w->term_count = w->term_capacity = w->plain_term_count = 0;
    w->prepared = w->failed = false;
}

pli_status pli_world_unprepare(pli_world* w, pli_error* error) {
    if (w->prepared) PLI_TRY(pli_measures_keep(w, error));
    if (w->prepared) PLI_TRY(pli_carry_take(w, error));
    pli_world_free_prepared(w);
    pli_collision_reset(&w->collision);
    return PLI_OK;
}

// The effect of the change on the energy.
static void account_change(pli_world* w) {
    pli_world_account_change(w, w->kinetic - w->carry.kinetic, w->stored - w->carry.stored);
}

pli_status pli_world_not_failed(const pli_world* world, pli_error* error) {
    if (world->lost)
        return pli_fail(error, PLI_E_MEMORY,
                        "there was no memory to undo an edit: the world can only be destroyed");
    if (!world->failed) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "an earlier change could not be prepared: fix the model, or destroy the world");
}

pli_status pli_world_make_ready(pli_world* world, pli_error* error) {
    if (world->prepared) return PLI_OK;
    PLI_TRY(pli_world_not_failed(world, error));
    pli_status status = build(world, error);
    if (status != PLI_OK) {
        world->failed = true;
        return status;
    }
    world->prepared = world->collision.started = true;
    pli_world_evaluate(world);
    pli_world_publish(world);
    world->stored = pli_world_stored(world, world->energy_values);
    if (world->carry.on) account_change(world);
    pli_carry_free(world);
    return PLI_OK;
}

pli_status pli_world_prepare(pli_world* world, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, pli_world_make_ready(world, error));
}

// ---- one call at a time

bool pli_world_is_busy(const pli_world* world) {
    return world && atomic_load_explicit(&world->busy, memory_order_relaxed);
}

pli_status pli_world_enter(pli_world* world, pli_error* error) {
    if (!world) return pli_fail(error, PLI_E_ARGUMENT, "world is NULL");
    if (atomic_exchange(&world->busy, true))
        return pli_fail(error, PLI_E_BUSY,
                        "the world is busy: callbacks and other threads must not call it");
    return PLI_OK;
}

pli_status pli_world_leave(pli_world* world, pli_status status) {
    atomic_store(&world->busy, false);
    return status;
}
