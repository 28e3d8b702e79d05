// Cook's membrane (C8) and torsion (C9).
#include "validation/problems.h"

// ---- Cook's membrane: corners (0,0) (48,44) (48,60) (0,44), left edge fixed, shear on the right

// `number`: y of the vertex at x = 48, quadratic, plane stress, force.
static pli_status run_membrane(const problem* row, double cells, trial* t, outcome* out) {
    const int n = (int)cells;
    bool quadratic = row->number[1] > 0, plane_stress = row->number[2] > 0;
    double y = row->number[0], force = row->number[3];
    TRY(pli_mesh_add_rectangle(&t->mesh, 1, 1, n, n, PLI_TRIANGLES, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double* X = t->mesh.positions + 3 * v;
        double s = X[0] + 0.5, up = X[1] + 0.5;
        X[0] = 48 * s;
        X[1] = 44 * s + up * (44 - 28 * s);
    }
    if (quadratic) TRY(pli_mesh_make_quadratic(&t->mesh, &t->error));
    pli_world_def def = pli_trial_def(2, "static");
    def.thickness = 1;
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    const material m = {"linear", plane_stress ? 1 : 70, 1.0 / 3, plane_stress};
    TRY(pli_trial_solid(t, &m, NULL, &id));
    TRY(pli_trial_end_shear(t, id, 48, force / 16));
    TRY(pli_trial_fix(t, id, pli_fix_all_at_x_0));
    TRY(pli_trial_steps(t, 1));
    double held = pli_trial_held(t, 1);
    if (!(fabs(held + force) <= 1e-8 * force))
        return pli_trial_wrong(t, "the support holds %.12g N of %g N", held, force);
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        const double* X = t->mesh.positions + 3 * v;
        if (hypot(X[0] - 48, X[1] - y) < 1e-9)
            out->computed = pli_world_positions(t->world)[3 * v + 1] - y;
    }
    return PLI_OK;
}

// Exact to 1e-4 of the middle and 1e-3 of the corner, from meshes of 64 x 64 biquadratic cells.
#define MEMBRANE(text, y, quadratic, stress, value, limit, fine, ...)                              \
    {                                                                                              \
        .name = text, .run = run_membrane, .number = {y, quadratic, stress, stress ? 1 : 100},     \
        .exact = value, .tolerance = limit, .fine_tolerance = fine, .resolution = {__VA_ARGS__},   \
        .fast = 2, .from_below = true                                                              \
    }
static const problem membrane_rows[] = {
    MEMBRANE("stress, middle, quadratic", 52, 1, 1, 23.967, 2e-3, 5e-4, 8, 16, 32, 64),
    MEMBRANE("stress, middle, linear", 52, 0, 1, 23.967, 2e-2, 2e-3, 16, 32, 64, 128),
    MEMBRANE("stress, corner, quadratic", 60, 1, 1, 25.19, 1e-2, 2e-3, 8, 16, 32, 64),
    MEMBRANE("strain, middle, quadratic", 52, 1, 0, 30.749, 5e-3, 1e-3, 8, 16, 32, 64),
    MEMBRANE("strain, middle, linear", 52, 0, 0, 30.749, 2e-2, 2e-3, 16, 32, 64, 128),
    MEMBRANE("strain, corner, quadratic", 60, 1, 0, 32.30, 1e-2, 3e-3, 8, 16, 32, 64),
};

// ---- torsion

static double radius_of(const double X[3]) { return hypot(X[1], X[2]); }

// A cylinder along x about the origin; quadratic elements follow its round surface. Middles of
// edges that join two rim vertices lie at radius (1 - 0.14 / rings^2) and go to 1; all others are
// below 1 - 1/(2 rings) + that.
static pli_status make_cylinder(trial* t, double radius, double length, int rings, int segments) {
    TRY(pli_trial_empty_mesh(t));
    TRY(pli_mesh_add_cylinder(&t->mesh, radius, length, rings, segments, &t->error));
    TRY(pli_mesh_make_quadratic(&t->mesh, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double* X = t->mesh.positions + 3 * v;
        double r = radius_of(X);
        if (r < radius * (1 - 0.25 / rings)) continue;
        X[1] *= radius / r;
        X[2] *= radius / r;
    }
    return PLI_OK;
}

// Torque about x and force along x of the supports at the end x = `place` on the body [N m], [N].
static void end_forces(const trial* t, double place, double* torque, double* force) {
    const double *X = t->mesh.positions, *x = pli_world_positions(t->world),
                 *f = pli_world_reactions(t->world);
    *torque = *force = 0;
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        if (fabs(X[3 * v] - place) > 1e-9) continue;
        *torque += x[3 * v + 1] * f[3 * v + 2] - x[3 * v + 2] * f[3 * v + 1];
        *force += f[3 * v];
    }
}

static const double bar_length = 0.2; // [m]

// Both ends of a bar from x = 0 are held across; they may warp, so that only the centre of one is
// held along.
static unsigned fix_ends_across(const double X[3]) {
    bool low = fabs(X[0]) < 1e-9, high = fabs(X[0] - bar_length) < 1e-9;
    if (!low && !high) return 0;
    return FIX_Y | FIX_Z | (low && radius_of(X) < 1e-9 ? FIX_X : 0);
}

static pli_status make_twisted_bar(trial* t, double side, bool round, int cells) {
    if (round) {
        TRY(make_cylinder(t, side / 2, bar_length, cells, 4));
        for (int v = 0; v < t->mesh.vertex_count; ++v) t->mesh.positions[3 * v] += bar_length / 2;
    } else {
        TRY(pli_trial_bar(t, side, 4, cells, true));
        for (int v = 0; v < t->mesh.vertex_count; ++v) t->mesh.positions[3 * v] *= bar_length;
    }
    return PLI_OK;
}

// T = G J theta / L; J = 0.140577 a^4 of a square, pi r^4 / 2 of a circle. Small twist: linear
// material. `number[0]`: round.
static pli_status run_small_torsion(const problem* row, double cells, trial* t, outcome* out) {
    const material m = {"linear", 1e6, 0.3, false};
    const double side = 0.1, twist = 5e-3; // [rad/m]
    bool round = row->number[0] > 0;
    TRY(make_twisted_bar(t, side, round, (int)cells));
    pli_world_def def = pli_trial_def(3, "static");
    def.solver.gradient_tolerance = 1e-9; // strains of 1e-4: rounding reaches 1e-10
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_room(t));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        const double* X = t->mesh.positions + 3 * v;
        t->room[3 * v + 1] -= twist * X[0] * X[2];
        t->room[3 * v + 2] += twist * X[0] * X[1];
    }
    pli_body_id id;
    TRY(pli_trial_solid(t, &m, t->room, &id));
    TRY(pli_trial_fix(t, id, fix_ends_across));
    TRY(pli_trial_steps(t, 1));
    double J = round ? PLI_PI * pow(side / 2, 4) / 2 : 0.140577 * pow(side, 4), force;
    end_forces(t, bar_length, &out->computed, &force);
    out->exact = shear_modulus(&m) * J * twist;
    return PLI_OK;
}

static const double cylinder_length = 0.01; // [m]

static unsigned fix_cylinder_ends(const double X[3]) {
    return fabs(fabs(X[0]) - cylinder_length / 2) < 1e-9 ? FIX_ALL : 0;
}

// Rivlin's torsion of an incompressible neo-Hookean cylinder that keeps its length: torque (pi/2)
// mu tau a^4, axial force -(pi/4) mu tau^2 a^4. Plane sections stay plane, so a short piece will
// do. The volume gives way by about mu / K, 2e-3 with nu = 0.499. `number`: 0 torque, 1 force; nu.
static pli_status run_large_torsion(const problem* row, double rings, trial* t, outcome* out) {
    const double mu = 1e5, poisson = row->number[1], radius = 0.02, tau = 2 * PLI_PI;
    TRY(make_cylinder(t, radius, cylinder_length, (int)rings, (int)(rings + 1) / 2));
    pli_world_def def = pli_trial_def(3, "static");
    def.solver.gradient_tolerance = 1e-8; // stiff against changes of volume
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_room(t));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        const double* X = t->mesh.positions + 3 * v;
        double c = cos(tau * X[0]), s = sin(tau * X[0]);
        t->room[3 * v + 1] = c * X[1] - s * X[2];
        t->room[3 * v + 2] = s * X[1] + c * X[2];
    }
    pli_body_id id;
    const material m = {"neo-hookean", 2 * mu * (1 + poisson), poisson, false};
    TRY(pli_trial_solid(t, &m, t->room, &id));
    TRY(pli_trial_fix(t, id, fix_cylinder_ends));
    TRY(pli_trial_steps(t, 1));
    double torque, force;
    end_forces(t, cylinder_length / 2, &torque, &force);
    double a4 = pow(radius, 4);
    out->computed = row->number[0] > 0 ? force : torque;
    out->exact =
        row->number[0] > 0 ? -PLI_PI / 4 * mu * tau * tau * a4 : PLI_PI / 2 * mu * tau * a4;
    return PLI_OK;
}

// The axial force is small, of second order in the twist, and only comes right where the volume is
// kept everywhere: it needs finer elements than the torque.
static const problem torsion_rows[] = {
    {.name = "square, small [N m]",
     .run = run_small_torsion,
     .number = {0},
     .exact = NAN,
     .tolerance = 5e-3,
     .fine_tolerance = 5e-4,
     .resolution = {2, 4, 6, 8},
     .fast = 2},
    {.name = "round, small [N m]",
     .run = run_small_torsion,
     .number = {1},
     .exact = NAN,
     .tolerance = 2e-3,
     .fine_tolerance = 2e-4,
     .resolution = {1, 2, 4, 6},
     .fast = 2,
     .order = 3,
     .order_tolerance = 0.3},
    {.name = "round, torque [N m]",
     .run = run_large_torsion,
     .number = {0, 0.499},
     .exact = NAN,
     .tolerance = 2e-3,
     .fine_tolerance = 5e-4,
     .resolution = {2, 4, 6, 8},
     .fast = 2},
    {.name = "round, axial force [N]",
     .run = run_large_torsion,
     .number = {1, 0.4999},
     .exact = NAN,
     .tolerance = 0.1,
     .fine_tolerance = 3e-2,
     .resolution = {4, 6, 8, 10},
     .fast = 2},
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "C8",
     .title = "Cook's membrane",
     .about = "Corners (0,0) (48,44) (48,60) (0,44), left edge clamped, uniform shear on the right "
              "edge, nu = 1/3, triangles. Plane stress: E = 1, force 1; plane strain: E = 70, "
              "force 100. "
              "Vertical displacement at the middle (48,52) and the corner (48,60).",
     .quantity = "rise",
     .unit = "m",
     .axis = "cells along an edge",
     .picture = "membrane",
     .ratio = true,
     FAMILY(membrane_rows)},
    {.section = "C9",
     .title = "Torsion",
     .about =
         "Small: T = G J theta / L with J = 0.140577 a^4 and pi r^4 / 2, ends free to warp. "
         "Large, 2 pi / m: Rivlin's incompressible neo-Hookean cylinder, torque (pi/2) mu tau a^4, "
         "axial force -(pi/4) mu tau^2 a^4; nu = 0.499 and 0.4999. Quadratic tetrahedra that "
         "follow the "
         "round surface.",
     .quantity = "torque or force",
     .unit = "",
     .axis = "cells across or rings",
     .picture = "torsion",
     FAMILY(torsion_rows)},
};

const part pli_problems_shapes = {"Membrane and torsion", families, PLI_COUNT(families)};
