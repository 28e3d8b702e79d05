// The contact stiffness if it is not specified: "contact.stiffness": "auto", or not given in worlds
// with thin bodies. (Not given in other worlds: 1e5 Pa.)
//
// At the start, form with area: 1/10 of the effective modulus of the bodies within a step. With K
// the mean diagonal entry of a vertex in the matrix, inertia included, and A its share of the
// surface, K / sqrt(A) is about Young's modulus plus density (cell size / h)^2; pressures beyond
// 1/10 of it would deform the body by more than 1/10. Over the free vertices of its surface
//     kappa = (sum K) / (10 sum sqrt(A)),
// and the value of the softest body is used: where it touches a stiffer one, it deforms. The
// modulus of an affine body is known. A thin body resists across by bending and inertia alone, many
// orders of magnitude less than along: the stiffness along makes contact a hard wall, at which
// Newton's method takes a direction for nearly each contact that begins or ends, that across lets
// it close far below dhat. With the extreme eigenvalues k0, k1 of the 3x3 diagonal entry, K = 20
// sqrt(k0 k1): measured on hair, noodles and cloth, where 1/5 and 5 times of it take about as many
// directions. In statics, without inertia, k0 may be 0, and K = k1. Form without area [Li20]: with
// b in squared distances, m the mean mass of a vertex and l the diagonal of the deformable bodies
// at t = 0,
//     kappa_min = 1e11 m / (4 d0 b''(d0)),  d0 = (1e-8 l)^2,
//     kappa = -(gB . gE) / |gB|^2, clamped to kappa_min .. 100 kappa_min,
// gB the gradient of all barriers at kappa = 1, gE that of all other terms and of inertia.
//
// Later it is increased, up to 100 times the first value (of the stiffest body), before a step that
// starts with a pair closer than dhat / 100 that is also closer than the closest pair one step
// earlier. It changes between steps only, so that E is compared at fixed stiffness; with the last
// two distances it is part of the state. The energy B of the barriers grows in proportion to kappa,
// which adds energy to the system. The factor is therefore at most 2 and adds at most 1 % of the
// energy present (kinetic, elastic and contact): kappa' / kappa = min(2, 1 + 0.01 (K + P) / B). The
// energy balance of the step lists it as `stiffening`.
#include "collision/collision.h"

#include "math/vec.h"
#include "mesh/topology.h"

#include <float.h>

static const double LARGEST_GROWTH = 100, SMALL_GAP = 0.01;

// Of thin bodies: see above.
static const double THIN = 20;

// Fraction of the energy present that one increase of the stiffness may add.
static const double ENERGY_SHARE = 0.01;

// True for threads, and for sheets in space: they resist far less across than along.
static bool is_thin(const pli_model* model, int body) {
    pli_elements all = pli_model_elements(model, body);
    int most = 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        if (all.count[k] > 0) most = pli_max_int(most, pli_element_dimension((pli_element_kind)k));
    return most > 0 && most < model->def.dimension;
}

// True if a body that can deform by itself is thin.
static bool has_thin(const pli_model* model) {
    for (int b = 0; b < model->body_count; ++b) {
        const pli_body_def* def = &model->bodies[b].def;
        bool free = !def->obstacle && !pli_body_is_affine(def) && !pli_body_is_embedded(def);
        if (free && is_thin(model, b)) return true;
    }
    return false;
}

static bool is_given(const pli_collision* c) { return c->model->def.contact.stiffness > 0; }

static bool is_chosen(const pli_collision* c) {
    return c->model->def.contact.stiffness == 0 || (!is_given(c) && has_thin(c->model));
}

void pli_collision_set_stiffness(pli_collision* c, double stiffness) {
    c->stiffness = stiffness;
    for (int t = 0; t < c->term_count; ++t)
        pli_barrier_set_stiffness(&c->terms[t].barrier, stiffness);
}

// ---- form with area

// K of a vertex.
static double vertex_stiffness(const pli_assembly* assembly, int v, bool thin, bool statics) {
    if (!thin) return pli_assembly_vertex_stiffness(assembly, v);
    double range[2];
    pli_assembly_vertex_range(assembly, v, range);
    return statics ? range[1] : THIN * sqrt(fmax(0, range[0]) * range[1]);
}

// (sum K) / (10 sum sqrt(A)) of a body; 0 if its surface has no free vertices.
static double body_stiffness(const pli_collision* c, const pli_assembly* assembly, int body,
                             bool statics) {
    const pli_model* model = c->model;
    double stiffness = 0, length = 0;
    bool thin = is_thin(model, body);
    for (int v = model->bodies[body].first_vertex; v < pli_body_end_vertex(model, body); ++v) {
        bool moves = model->supports[v].kind == PLI_SUPPORT_NONE &&
                     assembly->kinematics->vertices[v].identity_group >= 0;
        if (!moves || !c->surfaces.outer[v]) continue;
        stiffness += vertex_stiffness(assembly, v, thin, statics);
        length += sqrt(c->surfaces.area[v]);
    }
    return length > 0 ? 0.1 * stiffness / length : 0;
}

// The value of the softest body; *hardest is that of the stiffest. 0 if there is none.
static double stiffness_by_area(pli_collision* c, const pli_stiffness_source* at, double* hardest) {
    double inertia = at->h > 0 ? 1 / (at->h * at->h) : 0, softest = HUGE_VAL;
    pli_collision_set_stiffness(c, 0); // existing contacts must not count
    pli_assembly_evaluate(at->assembly, at->x, &(pli_hessian_wish){.project = true});
    pli_assembly_matrix(at->assembly, inertia, NULL);
    *hardest = 0;
    for (int b = 0; b < c->model->body_count; ++b) {
        double modulus = at->modulus ? at->modulus(at->context, b, at->h) : 0;
        double kappa = modulus > 0 ? 0.1 * modulus : body_stiffness(c, at->assembly, b, at->h == 0);
        if (!(kappa > 0) || !isfinite(kappa)) continue;
        softest = fmin(softest, kappa);
        *hardest = fmax(*hardest, kappa);
    }
    return isfinite(softest) ? softest : 0;
}

// ---- form without area

// The gradient of all terms at a stiffness.
static void find_gradient(pli_collision* c, const pli_stiffness_source* at, double stiffness) {
    pli_collision_set_stiffness(c, stiffness);
    pli_assembly_evaluate(at->assembly, at->x, NULL);
    pli_assembly_gradient(at->assembly, at->gradient, NULL);
}

// -(gB . gE) / |gB|^2; 0 without contacts.
static double balance_of_forces(pli_collision* c, const pli_stiffness_source* at) {
    int n = 3 * c->model->vertex_count;
    double *gradient = at->gradient, *barriers = at->scratch[0], *inertia = at->scratch[1];
    find_gradient(c, at, 1);
    pli_copy(gradient, barriers, n);
    find_gradient(c, at, 2);
    for (int i = 0; i < n; ++i) barriers[i] = gradient[i] - barriers[i];
    // All other terms: the rest of the gradient, and inertia at the predicted motion.
    pli_vertex_mass_multiply(at->assembly->kinematics, at->velocities, inertia);
    double work = 0, square = pli_dot(barriers, barriers, n);
    double rate = at->h > 0 ? 1 / at->h : 0;
    for (int i = 0; i < n; ++i)
        work += barriers[i] * (gradient[i] - 2 * barriers[i] - rate * inertia[i]);
    return square > 0 ? -work / square : 0;
}

static double stiffness_of_ipc(pli_collision* c, const pli_stiffness_source* at) {
    double length = pli_model_diagonal(c->model, 0, c->model->body_count),
           d0 = 1e-16 * length * length;
    double curvature = pli_barrier_clamped_log(d0, c->dhat * c->dhat).second;
    double least = 1e11 * pli_model_mean_mass(c->model) / (4 * d0 * curvature);
    if (!(least > 0) || !isfinite(least)) return 0;
    return fmax(least, fmin(balance_of_forces(c, at), LARGEST_GROWTH * least));
}

// ---- updates

void pli_collision_choose_stiffness(pli_collision* c, const pli_stiffness_source* at) {
    static const double otherwise = 1e5; // no free vertices, or all bodies in one point
    c->gap[0] = c->gap[1] = HUGE_VAL;
    if (is_given(c)) return;
    if (!is_chosen(c)) {
        pli_collision_set_stiffness(c, otherwise);
        return;
    }
    bool by_area = pli_barrier_form_of(c->model->def.contact.barrier) == &pli_barrier_forms[0];
    double hardest = 0;
    double kappa = by_area ? stiffness_by_area(c, at, &hardest) : stiffness_of_ipc(c, at);
    pli_collision_set_stiffness(c, kappa > 0 ? kappa : otherwise);
    c->largest_stiffness = LARGEST_GROWTH * fmax(c->stiffness, hardest);
}

void pli_collision_note_gap(pli_collision* c, double gap) {
    c->gap[1] = c->gap[0];
    c->gap[0] = gap;
}

double pli_collision_adapt_stiffness(pli_collision* c, double present, double barriers) {
    bool close = c->gap[0] < SMALL_GAP * c->dhat && c->gap[0] < c->gap[1];
    if (!is_chosen(c) || !close || c->stiffness >= c->largest_stiffness) return 1;
    double growth = barriers > 0 ? fmin(2, 1 + ENERGY_SHARE * present / barriers) : 2;
    double before = c->stiffness;
    pli_collision_set_stiffness(c, fmin(growth * before, c->largest_stiffness));
    return c->stiffness / before;
}

void pli_collision_save_stiffness(const pli_collision* c, pli_pack* out) {
    pli_pack_number(out, c->stiffness);
    pli_pack_number(out, c->gap[0]);
    pli_pack_number(out, c->gap[1]);
}

// A specified value stays unchanged.
void pli_collision_restore_stiffness(pli_collision* c, pli_unpack* in) {
    double stiffness = pli_unpack_number(in, 0, DBL_MAX, "stiffness of contact");
    double now = pli_unpack_number(in, 0, HUGE_VAL, "smallest distance");
    double before = pli_unpack_number(in, 0, HUGE_VAL, "smallest distance a step before");
    if (!in->apply || !pli_unpack_good(in)) return;
    if (!is_given(c)) pli_collision_set_stiffness(c, stiffness);
    c->gap[0] = now;
    c->gap[1] = before;
}
