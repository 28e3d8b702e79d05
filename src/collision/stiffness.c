// The stiffness of contact when the world chooses it ("contact.stiffness": "auto").
//
// At the start, form with area: a tenth of the bodies' own modulus as the step sees it. With K the
// mean of a vertex' diagonal in the matrix, inertia included, and A its share of the surface,
// K / sqrt(A) is about Young's modulus plus density (size of a cell / h)^2; pressures beyond a
// tenth of it would deform the body by more than a tenth. Over the free vertices of its surface
//     kappa = (sum K) / (10 sum sqrt(A)),
// and of all bodies the softest counts: where it touches a harder one, it is it that gives way.
// Form without area [Li20]: with b in squared distances, m the mean mass of a vertex and l the
// diagonal of the bodies that can deform at t = 0,
//     kappa_min = 1e11 m / (4 d0 b''(d0)),  d0 = (1e-8 l)^2,
//     kappa = -(gB . gE) / |gB|^2, kept in kappa_min .. 100 kappa_min,
// gB the gradient of all barriers at kappa = 1, gE of all else and of inertia.
//
// Later: raised, up to 100 times the first value (of the hardest body), before a step whose start
// has a pair closer than a hundredth of dhat that is closer than the closest one a step earlier.
// Between steps only, so that E is compared at one stiffness; with the last two distances it is
// part of the state. With kappa the energy B of the barriers grows in the same proportion, out of
// nothing, so it is doubled at most and adds no more than a hundredth of the energy present, of
// motion, deformation and contact: kappa' / kappa = min(2, 1 + 0.01 (K + P) / B). The balance of
// the step shows it as `stiffening`.
#include "dynamics/world.h"

#include "math/vec.h"

#include <float.h>

static const double LARGEST_GROWTH = 100, SMALL_GAP = 0.01;

// Of the energy present: what raising the stiffness once may add.
static const double ENERGY_SHARE = 0.01;

static bool is_chosen(const pli_world* w) { return w->model.def.contact.stiffness == 0; }

void pli_world_set_stiffness(pli_world* w, double stiffness) {
    w->stiffness = stiffness;
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].barrier) pli_barrier_set_stiffness(&w->terms[t].term, stiffness);
}

// ---- form with area

double pli_world_vertex_stiffness(const pli_world* w, int vertex) {
    const pli_pattern* pattern = &w->assembly.pattern;
    int group = w->kinematics.vertices[vertex].identity_group, dim = w->model.def.dimension;
    int at = pattern->block_value[pattern->block_start[group]];
    double trace = 0;
    for (int i = 0; i < dim; ++i)
        trace += w->assembly.values[at + i * (pattern->column_height[group] + 1)];
    return trace / dim;
}

// (sum K) / (10 sum sqrt(A)) of a body; 0 if none of its surface moves freely.
static double body_stiffness(const pli_world* w, int body) {
    double stiffness = 0, length = 0;
    for (int v = w->model.bodies[body].first_vertex; v < pli_body_end_vertex(&w->model, body);
         ++v) {
        bool moves = w->model.supports[v].kind == PLI_SUPPORT_NONE &&
                     w->kinematics.vertices[v].identity_group >= 0;
        if (!moves || !w->collision.outer[v]) continue;
        stiffness += pli_world_vertex_stiffness(w, v);
        length += sqrt(w->collision.area[v]);
    }
    return length > 0 ? 0.1 * stiffness / length : 0;
}

// Of the softest body; *hardest is that of the hardest. 0 if there is none.
static double stiffness_by_area(pli_world* w, double* hardest) {
    double inertia = w->scheme->statics ? 0 : 1 / (w->h * w->h), softest = HUGE_VAL;
    pli_world_set_stiffness(w, 0); // contacts that are there already must not count
    pli_assembly_evaluate(&w->assembly, w->x, &(pli_hessian_wish){.project = true});
    pli_assembly_matrix(&w->assembly, inertia, NULL);
    *hardest = 0;
    for (int b = 0; b < w->model.body_count; ++b) {
        double kappa = body_stiffness(w, b);
        if (!(kappa > 0) || !isfinite(kappa)) continue;
        softest = fmin(softest, kappa);
        *hardest = fmax(*hardest, kappa);
    }
    return isfinite(softest) ? softest : 0;
}

// ---- form without area

// 3 per vertex: the gradient of all terms at a stiffness, in w->gx.
static void find_gradient(pli_world* w, double stiffness) {
    pli_world_set_stiffness(w, stiffness);
    pli_assembly_evaluate(&w->assembly, w->x, NULL);
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
}

// -(gB . gE) / |gB|^2; 0 without contacts.
static double balance_of_forces(pli_world* w) {
    int n = 3 * w->model.vertex_count;
    double *barriers = w->dx, *inertia = w->reactions; // not in use yet
    find_gradient(w, 1);
    pli_copy(w->gx, barriers, n);
    find_gradient(w, 2);
    for (int i = 0; i < n; ++i) barriers[i] = w->gx[i] - barriers[i];
    // All else: what is left of the gradient, and the inertia of moving on with the velocity.
    pli_vertex_mass_multiply(&w->kinematics, w->model.velocities, inertia);
    double work = 0, square = pli_dot(barriers, barriers, n);
    double rate = w->scheme->statics ? 0 : 1 / w->h;
    for (int i = 0; i < n; ++i)
        work += barriers[i] * (w->gx[i] - 2 * barriers[i] - rate * inertia[i]);
    for (int i = 0; i < n; ++i) inertia[i] = 0;
    return square > 0 ? -work / square : 0;
}

static double stiffness_of_ipc(pli_world* w) {
    double length = pli_model_diagonal(&w->model, 0, w->model.body_count),
           d0 = 1e-16 * length * length;
    double curvature = pli_barrier_clamped_log(d0, w->dhat * w->dhat).second;
    double least = 1e11 * pli_model_mean_mass(&w->model) / (4 * d0 * curvature);
    if (!(least > 0) || !isfinite(least)) return 0;
    return fmax(least, fmin(balance_of_forces(w), LARGEST_GROWTH * least));
}

// ---- when

void pli_world_choose_stiffness(pli_world* w) {
    static const double otherwise = 1e5; // nothing moves freely, or all is in one place
    w->gap[0] = w->gap[1] = HUGE_VAL;
    if (!is_chosen(w)) return;
    bool by_area = pli_barrier_form_of(w->model.def.contact.barrier) == &pli_barrier_forms[0];
    double hardest = 0, kappa = by_area ? stiffness_by_area(w, &hardest) : stiffness_of_ipc(w);
    pli_world_set_stiffness(w, kappa > 0 ? kappa : otherwise);
    w->largest_stiffness = LARGEST_GROWTH * fmax(w->stiffness, hardest);
}

void pli_world_note_gap(pli_world* w, double gap) {
    w->gap[1] = w->gap[0];
    w->gap[0] = gap;
}

// min(2, 1 + share (K + P) / B) of the present state. Potentials that are linear, like gravity,
// have no zero of their own and do not count.
static double allowed_growth(const pli_world* w) {
    double barriers = 0, present = w->kinetic;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term_ops* ops = w->terms[t].term.ops;
        if (ops->role != PLI_POTENTIAL || ops->linear) continue;
        present += fabs(w->energy_values[t]);
        if (w->terms[t].barrier) barriers += w->energy_values[t];
    }
    return barriers > 0 ? fmin(2, 1 + ENERGY_SHARE * present / barriers) : 2;
}

void pli_world_adapt_stiffness(pli_world* w, pli_balance* balance) {
    bool close = w->gap[0] < SMALL_GAP * w->dhat && w->gap[0] < w->gap[1];
    if (!is_chosen(w) || !close || w->stiffness >= w->largest_stiffness) return;
    double before = w->stiffness, added = 0;
    pli_world_set_stiffness(w, fmin(allowed_growth(w) * before, w->largest_stiffness));
    for (int t = 0; t < w->term_count; ++t) {
        if (!w->terms[t].barrier) continue;
        double more = (w->stiffness / before - 1) * w->energy_values[t];
        w->energy_values[t] += more;
        added += more;
    }
    w->stored += added;
    balance->stiffening += added;
    balance->potential += added;
}

void pli_world_save_stiffness(const pli_world* w, pli_pack* out) {
    pli_pack_number(out, w->stiffness);
    pli_pack_number(out, w->gap[0]);
    pli_pack_number(out, w->gap[1]);
}

// One that is given stays as it is given.
void pli_world_restore_stiffness(pli_world* w, pli_unpack* in) {
    double stiffness = pli_unpack_number(in, 0, DBL_MAX, "stiffness of contact");
    double now = pli_unpack_number(in, 0, HUGE_VAL, "smallest distance");
    double before = pli_unpack_number(in, 0, HUGE_VAL, "smallest distance a step before");
    if (!in->apply || !pli_unpack_good(in)) return;
    if (is_chosen(w)) pli_world_set_stiffness(w, stiffness);
    w->gap[0] = now;
    w->gap[1] = before;
}

double pli_world_contact_stiffness(const pli_world* world) { return world ? world->stiffness : 0; }
