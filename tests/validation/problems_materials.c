// Homogeneous states (C1 to C3): the patch test, uniaxial stress, simple shear.
#include "validation/materials.h"
#include "validation/problems.h"

// ---- patch test: with all of the boundary at F X the inside is at F X, too

static bool on_boundary(const double X[3]) {
    return fabs(X[0]) > 0.5 - 1e-9 || fabs(X[1]) > 0.5 - 1e-9 || fabs(X[2]) > 0.5 - 1e-9;
}

static unsigned fix_boundary(const double X[3]) { return on_boundary(X) ? FIX_ALL : 0; }

// F = [[1.1, 0.2, 0], [0, 0.9, 0.1], [0, 0, 1.05]]
static void apply_patch_map(const double X[3], int dim, double x[3]) {
    x[0] = 1.1 * X[0] + 0.2 * X[1];
    x[1] = 0.9 * X[1] + (dim == 3 ? 0.1 * X[2] : 0);
    x[2] = dim == 3 ? 1.05 * X[2] : X[2];
}

// A square or cube of side 1 about the origin in which no two elements are alike: the vertices
// inside are moved, up to an eighth of a cell.
static pli_status make_uneven(trial* t, int dim, int cells, bool quadratic) {
    const double size[3] = {1, 1, 1};
    const int n[3] = {cells, cells, cells};
    TRY(pli_trial_empty_mesh(t));
    if (dim == 2)
        TRY(pli_mesh_add_rectangle(&t->mesh, 1, 1, cells, cells, PLI_TRIANGLES, &t->error));
    else
        TRY(pli_mesh_add_box(&t->mesh, size, n, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v)
        for (int c = 0; c < dim && !on_boundary(t->mesh.positions + 3 * v); ++c)
            t->mesh.positions[3 * v + c] += 0.12 / cells * sin(7.0 * v + 3.0 * c);
    return quadratic ? pli_mesh_make_quadratic(&t->mesh, &t->error) : PLI_OK;
}

static pli_status run_patch(const problem* row, double cells, trial* t, outcome* out) {
    const int dim = (int)row->number[0];
    const double young = 1e5;
    TRY(make_uneven(t, dim, (int)cells, row->number[1] > 0));
    TRY(pli_trial_room(t));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        const double* X = t->mesh.positions + 3 * v;
        apply_patch_map(X, dim, t->room + 3 * v);
        for (int c = 0; c < dim && !on_boundary(X); ++c)
            t->room[3 * v + c] += 0.045 / cells * cos(5.0 * v + 2.0 * c); // not the answer
    }
    pli_world_def def = pli_trial_def(dim, "static");
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_trial_solid(t, &(material){row->word, young, 0.3, false}, t->room, &id));
    TRY(pli_trial_fix(t, id, fix_boundary));
    TRY(pli_trial_steps(t, 1));
    out->computed = 0;
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double x[3];
        apply_patch_map(t->mesh.positions + 3 * v, dim, x);
        for (int c = 0; c < 3; ++c)
            out->computed =
                fmax(out->computed, fabs(pli_world_positions(t->world)[3 * v + c] - x[c]));
    }
    // the same stress everywhere; positions to 1e-9, of cells 1/3
    double first[6], away;
    TRY(pli_trial_first_stress(t, first));
    TRY(pli_trial_stress_away(t, first, &away));
    if (!(away <= 1e-8 * young && fabs(first[0]) > 0.01 * young))
        return pli_trial_wrong(t, "stresses differ by %g Pa", away);
    return PLI_OK;
}

#define PATCH(text, type, dim, quadratic)                                                          \
    {                                                                                              \
        .name = type ", " text, .run = run_patch, .word = type, .number = {dim, quadratic},        \
        .exact = 0, .tolerance = 1e-9, .resolution = {3, 5}, .fast = 1                             \
    }
#define PATCHES(type)                                                                              \
    PATCH("triangles", type, 2, 0), PATCH("quadratic triangles", type, 2, 1),                      \
        PATCH("tetrahedra", type, 3, 0), PATCH("quadratic tetrahedra", type, 3, 1)
static const problem patch_rows[] = {PATCHES("linear"), PATCHES("neo-hookean"),
                                     PATCHES("stable-neo-hookean"), PATCHES("fixed-corotated"),
                                     PATCHES("st-venant-kirchhoff")};

// ---- uniaxial stress

// Neo-Hookean: s^2 = (lam/mu) W0((mu/lam) e^(mu/lam) / l), W0 Lambert's function, and
// P = mu (l - 1/l) + lam ln J / l.
static uniaxial neo_hookean_uniaxial(double mu, double lam, double l) {
    double a = mu / lam, aim = a * exp(a) / l, w = log1p(aim);
    for (int i = 0; i < 40; ++i) w -= (w * exp(w) - aim) / (exp(w) * (1 + w));
    double side = sqrt(w / a);
    return (uniaxial){mu * (l - 1 / l) + lam * log(l * side * side) / l, side};
}

// Fixed corotated: 2 mu (s - 1) + lam (l s^2 - 1) l s = 0 and P = 2 mu (l - 1) + lam (J - 1) s^2.
static uniaxial fixed_corotated_uniaxial(double mu, double lam, double l) {
    double s = 1 / sqrt(l);
    for (int i = 0; i < 60; ++i)
        s -= (2 * mu * (s - 1) + lam * (l * s * s - 1) * l * s) /
             (2 * mu + lam * l * (3 * l * s * s - 1));
    return (uniaxial){2 * mu * (l - 1) + lam * (l * s * s - 1) * s * s, s};
}

// St. Venant-Kirchhoff: P = l E (l^2 - 1) / 2, s^2 = 1 - nu (l^2 - 1).
static uniaxial st_venant_uniaxial(double mu, double lam, double l) {
    double young = mu * (3 * lam + 2 * mu) / (lam + mu), poisson = lam / (2 * (lam + mu));
    return (uniaxial){l * young * (l * l - 1) / 2, sqrt(1 - poisson * (l * l - 1))};
}

uniaxial pli_formula_uniaxial(const material* m, double l) {
    double mu = shear_modulus(m), lam = lame_lambda(m);
    return strcmp(m->type, "neo-hookean") == 0       ? neo_hookean_uniaxial(mu, lam, l)
           : strcmp(m->type, "fixed-corotated") == 0 ? fixed_corotated_uniaxial(mu, lam, l)
                                                     : st_venant_uniaxial(mu, lam, l);
}

// Rollers on the three faces at -1/2, and the face x = 1/2 held along x.
static unsigned fix_rollers(const double X[3]) {
    return (fabs(X[0]) > 0.5 - 1e-9 ? FIX_X : 0) | (X[1] < -0.5 + 1e-9 ? FIX_Y : 0) |
           (X[2] < -0.5 + 1e-9 ? FIX_Z : 0);
}

pli_status pli_measured_uniaxial(trial* t, const material* m, double l, int cells, uniaxial* u) {
    pli_world_def def = pli_trial_def(3, "static");
    TRY(pli_trial_world(t, &def));
    TRY(make_uneven(t, 3, cells, false));
    TRY(pli_trial_room(t));
    double guess = pow(l, -0.3); // to the sides; not the answer
    for (int v = 0; v < t->mesh.vertex_count; ++v)
        for (int c = 0; c < 3; ++c)
            t->room[3 * v + c] = (t->room[3 * v + c] + 0.5) * (c == 0 ? l : guess) - 0.5;
    pli_body_id id;
    TRY(pli_trial_solid(t, m, t->room, &id));
    TRY(pli_trial_fix(t, id, fix_rollers));
    TRY(pli_trial_steps(t, 1));
    const double *X = t->mesh.positions, *x = pli_world_positions(t->world),
                 *force = pli_world_reactions(t->world);
    *u = (uniaxial){0, 0};
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        if (X[3 * v] > 0.5 - 1e-9) u->stress += force[3 * v]; // of the area 1
        if (X[3 * v + 1] > 0.5 - 1e-9) u->side = fmax(u->side, x[3 * v + 1] + 0.5);
    }
    return PLI_OK;
}

static pli_status run_uniaxial(const problem* row, double cells, trial* t, outcome* out) {
    const material m = {row->word, 1e5, 0.4, false};
    uniaxial u, exact = pli_formula_uniaxial(&m, row->number[0]);
    TRY(pli_measured_uniaxial(t, &m, row->number[0], (int)cells, &u));
    out->computed = u.stress;
    out->exact = exact.stress;
    out->error = fmax(fabs(u.stress / exact.stress - 1), fabs(u.side / exact.side - 1));
    return PLI_OK;
}

#define UNIAXIAL(type, l)                                                                          \
    {                                                                                              \
        .name = type ", stretch " #l, .run = run_uniaxial, .word = type, .number = {l},            \
        .exact = NAN, .tolerance = 1e-8, .resolution = {2, 4}, .fast = 1                           \
    }
#define UNIAXIALS(type)                                                                            \
    UNIAXIAL(type, 0.5), UNIAXIAL(type, 0.8), UNIAXIAL(type, 1.1), UNIAXIAL(type, 1.5)
static const problem uniaxial_rows[] = {
    UNIAXIALS("neo-hookean"), UNIAXIAL("neo-hookean", 2), UNIAXIALS("fixed-corotated"),
    UNIAXIAL("fixed-corotated", 2),
    // of no width at 1.87; unstable when pressed below sqrt(1/3)
    UNIAXIAL("st-venant-kirchhoff", 0.8), UNIAXIAL("st-venant-kirchhoff", 1.1),
    UNIAXIAL("st-venant-kirchhoff", 1.5)};

// ---- simple shear F = I + g e1 e2^T

typedef struct shear_state {
    double stress[6]; // Cauchy, xx yy zz yz zx xy [Pa]
    double density;   // [J/m^3]
} shear_state;

// Neo-Hookean: J = 1, sigma = mu (B - I), Psi = mu g^2 / 2.
static shear_state neo_hookean_shear(double mu, double lam, double g) {
    (void)lam;
    return (shear_state){{mu * g * g, 0, 0, 0, 0, mu * g}, 0.5 * mu * g * g};
}

// Fixed corotated: sigma = 2 mu (B - V), V = sqrt(B) = (B + I) / sqrt(4 + g^2) in the plane, B =
// [[1 + g^2, g], [g, 1]]; stretches sqrt(1 + g^2/4) +- g/2, Psi = mu ((s1 - 1)^2 + (s2 - 1)^2).
static shear_state fixed_corotated_shear(double mu, double lam, double g) {
    (void)lam;
    double root = sqrt(4 + g * g), s1 = 0.5 * (root + g), s2 = 0.5 * (root - g);
    return (shear_state){{2 * mu * (1 + g * g - (2 + g * g) / root), 2 * mu * (1 - 2 / root), 0, 0,
                          0, 2 * mu * (g - g / root)},
                         mu * ((s1 - 1) * (s1 - 1) + (s2 - 1) * (s2 - 1))};
}

// St. Venant-Kirchhoff: E = 1/2 [[0, g], [g, g^2]], S = 2 mu E + lam tr E I, sigma = F S F^T.
static shear_state st_venant_shear(double mu, double lam, double g) {
    double tr = 0.5 * g * g, s11 = lam * tr, s12 = mu * g, s22 = mu * g * g + lam * tr,
           s33 = lam * tr;
    return (shear_state){{s11 + 2 * g * s12 + g * g * s22, s22, s33, 0, 0, s12 + g * s22},
                         mu * (0.5 * g * g + 0.25 * g * g * g * g) + 0.5 * lam * tr * tr};
}

static pli_status run_shear(const problem* row, double cells, trial* t, outcome* out) {
    const double g = row->number[0];
    const material m = {row->word, 1e5, 0.4, false};
    double mu = shear_modulus(&m), lam = lame_lambda(&m);
    shear_state exact = strcmp(m.type, "neo-hookean") == 0       ? neo_hookean_shear(mu, lam, g)
                        : strcmp(m.type, "fixed-corotated") == 0 ? fixed_corotated_shear(mu, lam, g)
                                                                 : st_venant_shear(mu, lam, g);
    TRY(make_uneven(t, 3, (int)cells, false));
    TRY(pli_trial_room(t));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double* x = t->room + 3 * v;
        x[0] += g * x[1];
        if (!on_boundary(t->mesh.positions + 3 * v)) x[2] += 0.02 * sin(4.0 * v); // not the answer
    }
    pli_world_def def = pli_trial_def(3, "static");
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_trial_solid(t, &m, t->room, &id));
    TRY(pli_trial_fix(t, id, fix_boundary));
    TRY(pli_trial_steps(t, 1));
    double away, stress[6];
    TRY(pli_trial_stress_away(t, exact.stress, &away));
    TRY(pli_trial_first_stress(t, stress));
    out->computed = stress[5];
    out->exact = exact.stress[5];
    // of all stresses, in parts of the shear stress, and of the energy
    out->error = fmax(away / out->exact, fabs(pli_trial_stored(t) / exact.density - 1));
    return PLI_OK;
}

#define SHEAR(type, g)                                                                             \
    {                                                                                              \
        .name = type ", shear " #g, .run = run_shear, .word = type, .number = {g}, .exact = NAN,   \
        .tolerance = 1e-8, .resolution = {3, 5}, .fast = 1                                         \
    }
static const problem shear_rows[] = {
    SHEAR("neo-hookean", 0.2),   SHEAR("neo-hookean", 1),           SHEAR("fixed-corotated", 0.2),
    SHEAR("fixed-corotated", 1), SHEAR("st-venant-kirchhoff", 0.2), SHEAR("st-venant-kirchhoff", 1),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "C1",
     .title = "Patch test",
     .about = "All of the boundary of an uneven mesh is moved to F X with F = [[1.1, 0.2, 0], [0, "
              "0.9, 0.1], [0, 0, 1.05]]; the inside must follow, and the stress be the same in all "
              "elements (1e-8 E).",
     .quantity = "largest distance",
     .unit = "m",
     .axis = "cells along an edge",
     FAMILY(patch_rows)},
    {.section = "C2",
     .title = "Uniaxial stress",
     .about = "A cube on rollers, E = 1e5 Pa, nu = 0.4, stretched; force per area at rest and "
              "stretch to the sides in closed form. Error: the worse of both.",
     .quantity = "P",
     .unit = "Pa",
     .axis = "cells along an edge",
     FAMILY(uniaxial_rows)},
    {.section = "C3",
     .title = "Simple shear",
     .about = "F = I + g e1 e2^T, E = 1e5 Pa, nu = 0.4; all six Cauchy stresses (normal ones "
              "included: Poynting's effect) and the energy in closed form. Shown: shear stress; "
              "error: the worst of all, in parts of it.",
     .quantity = "sigma_xy",
     .unit = "Pa",
     .axis = "cells along an edge",
     FAMILY(shear_rows)},
};

const part pli_problems_materials = {"Materials", families, PLI_COUNT(families)};
