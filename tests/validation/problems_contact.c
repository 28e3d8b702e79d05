// Contact with a half-space: a bar that hits a wall (C10), an elastic ball (C11), the barrier in
// equilibrium (C13), a block that slides to rest (D1).
#include "validation/impact.h"
#include "validation/problems.h"

#include <stdlib.h>

// ---- bar against a wall

static const double young = 1e6, density = 1000, speed = 0.1; // [Pa], [kg/m^3], [m/s]
static const double height = 0.02;                            // of the strip [m]

// The wall is at x = 0 and is felt from dhat on; the bar begins just there. (newmark rings at the
// wall and may gain energy there; bdf2 does not.)
static pli_status make_impact(trial* t, int cells, double h) {
    pli_world_def def = pli_trial_def(2, "bdf2");
    def.time_step = h;
    def.contact.dhat = 1e-5;
    def.contact.stiffness = 1e6;
    def.solver.tolerance = 1e-8;
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_strip(t, height, cells, 1, false));
    for (int v = 0; v < t->mesh.vertex_count; ++v) t->mesh.positions[3 * v] += def.contact.dhat;
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.density = density;
    body.velocity[0] = -speed;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting settings[2] = {{"young", young}, {"poisson", 0}};
    TRY(pli_world_add_energy(t->world, id, "linear", settings, 2, NULL, &t->error));
    pli_half_space_def wall = pli_default_half_space_def();
    wall.normal[0] = 1;
    wall.normal[1] = 0;
    TRY(pli_world_add_half_space(t->world, &wall, NULL, &t->error));
    return pli_world_prepare(t->world, &t->error);
}

// The wave crosses a cell in two steps. The wall's force is the change of momentum.
pli_status pli_measured_impact(trial* t, int cells, impact* out) {
    const double c = sqrt(young / density), h = 0.5 / (cells * c), duration = 2 / c;
    const double mass = density * height, exact = density * c * speed;
    TRY(make_impact(t, cells, h));
    double before = -speed * mass, first = -1, last = 0, sum = 0;
    int count = 0;
    out->steps = 0;
    for (int n = 1; n * h < 1.5 * duration; ++n) {
        TRY(pli_trial_steps(t, 1));
        double now = 0;
        for (int v = 0; v < t->mesh.vertex_count; ++v)
            now += pli_world_vertex_masses(t->world)[v] * pli_world_velocities(t->world)[3 * v];
        double pressure = (now - before) / h / height, time = n * h;
        before = now;
        if (pressure > 0.5 * exact && first < 0) first = time - h;
        if (pressure > 0.5 * exact) last = time;
        bool middle = time > 0.2 * duration && time < 0.8 * duration;
        sum += middle ? pressure : 0;
        count += middle;
        if (out->time) out->time[out->steps] = time;
        if (out->pressure) out->pressure[out->steps] = pressure;
        out->steps++;
    }
    out->contact_time = last - first;
    out->plateau = sum / count;
    out->rebound = before / mass;
    return PLI_OK;
}

static pli_status run_impact(const problem* row, double cells, trial* t, outcome* out) {
    impact i = {0};
    TRY(pli_measured_impact(t, (int)cells, &i));
    out->computed = row->number[0] == 0   ? i.contact_time
                    : row->number[0] == 1 ? i.plateau
                                          : i.rebound;
    return PLI_OK;
}

#define IMPACT(text, what, value, limit, fine)                                                     \
    {                                                                                              \
        .name = text, .run = run_impact, .number = {what}, .exact = value, .tolerance = limit,     \
        .fine_tolerance = fine, .resolution = {50, 100, 200, 400}, .fast = 2                       \
    }
static const problem impact_rows[] = {
    IMPACT("contact time [s]", 0, 0.0632455532, 1e-2, 5e-3),
    IMPACT("pressure [Pa]", 1, 3162.27766, 1e-3, 1e-3),
    IMPACT("rebound speed [m/s]", 2, 0.1, 2.5e-2, 1e-2),
};

// ---- Hertz

static const double hertz_young = 1e6, hertz_poisson = 0.3; // [Pa], -
static const double block = 3, spot = 0.0707106781186548;   // its side, radius of the contact [m]

// What touches the rigid body: the half-space is touched by the vertices of a curved block; the
// sphere, which is one point of thickness R, by the triangles of a flat one.
typedef enum hertz_kind { BUMP, SPHERE } hertz_kind;

typedef struct hertz {
    hertz_kind kind;
    bool quadratic;
    double radius, indent, dhat; // R, d = spot^2 / R [m]
} hertz;

// A quarter of a block with a paraboloid at its lower end; cells grow away from the tip, which is
// at y = dhat.
static pli_status make_bump(trial* t, const hertz* z, int cells) {
    const double size[3] = {1, 1, 1};
    const int segments[3] = {cells, cells, cells};
    TRY(pli_mesh_add_box(&t->mesh, size, segments, &t->error));
    if (z->quadratic) TRY(pli_mesh_make_quadratic(&t->mesh, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double* x = t->mesh.positions + 3 * v;
        for (int c = 0; c < 3; ++c) x[c] = block * sinh(5.5 * (x[c] + 0.5)) / sinh(5.5);
        double r = fmin(hypot(x[0], x[2]), 0.3); // flat beyond; the contact ends at 0.0707 m
        double bump = z->kind == BUMP ? r * r / (2 * z->radius) : 0;
        x[1] += z->dhat + bump * (1 - x[1] / block);
    }
    return PLI_OK;
}

// The half-space y <= 0, or a sphere whose highest point is the origin.
static pli_status add_rigid(trial* t, const hertz* z) {
    pli_half_space_def ground = pli_default_half_space_def();
    if (z->kind == BUMP) return pli_world_add_half_space(t->world, &ground, NULL, &t->error);
    const double centre[3] = {0, -z->radius, 0};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_status status = pli_mesh_add_vertices(&mesh, 1, centre, NULL, &t->error);
    pli_body_def body = pli_default_body_def();
    body.name = "sphere";
    body.mesh = &mesh;
    body.obstacle = true;
    body.contact_thickness = z->radius;
    if (status == PLI_OK) status = pli_world_add_body(t->world, &body, NULL, &t->error);
    pli_mesh_free(&mesh);
    return status;
}

// The upper end is prescribed.
static unsigned bump_supports(const double X[3]) {
    if (X[1] > block - 1e-9) return 0;
    return (fabs(X[0]) < 1e-12 ? FIX_X : 0) | (fabs(X[2]) < 1e-12 ? FIX_Z : 0);
}

static pli_status push_down(trial* t, pli_body_id id, double each) {
    pli_prescribe_def push = pli_default_prescribe_def();
    int32_t* list = malloc(sizeof *list * (size_t)t->mesh.vertex_count);
    if (!list) return pli_trial_wrong(t, "no memory");
    for (int v = 0; v < t->mesh.vertex_count; ++v)
        if (t->mesh.positions[3 * v + 1] > block - 1e-9) list[push.vertex_count++] = v;
    push.vertices = list;
    push.velocity[1] = -each; // in steps of 1 s
    pli_status status = pli_world_prescribe(t->world, id, &push, NULL, &t->error);
    free(list);
    return status;
}

// `number`: 0 force or 1 radius, quadratic, kind, R. Four times the force on the quarter, in
// equilibrium.
static pli_status run_hertz(const problem* row, double cells, trial* t, outcome* out) {
    enum { STEPS = 4 };
    hertz z = {.kind = (hertz_kind)row->number[2],
               .quadratic = row->number[1] == 1,
               .radius = row->number[3],
               .indent = spot * spot / row->number[3]};
    z.dhat = 2e-3 * z.indent;
    pli_world_def def = pli_trial_def(3, "static");
    def.time_step = 1;
    def.contact.bodies = z.kind == SPHERE;
    def.contact.dhat = z.dhat;
    def.contact.stiffness = 1e7;
    def.solver.tolerance = 1e-8;
    def.solver.gradient_tolerance = 1e-6;
    TRY(pli_trial_world(t, &def));
    TRY(make_bump(t, &z, (int)cells));
    pli_body_id id;
    const material linear = {"linear", hertz_young, hertz_poisson, false};
    TRY(pli_trial_solid(t, &linear, NULL, &id));
    TRY(pli_trial_fix(t, id, bump_supports));
    TRY(push_down(t, id, z.indent / STEPS));
    TRY(add_rigid(t, &z));
    TRY(pli_trial_steps(t, STEPS));
    double force[3], modulus = hertz_young / (1 - hertz_poisson * hertz_poisson), far = 0;
    pli_world_contact_force(t->world, 0, z.kind == BUMP ? -1 : 1, force);
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        const double* x = pli_world_positions(t->world) + 3 * v;
        if (x[1] < z.dhat) far = fmax(far, hypot(x[0], x[2]));
    }
    out->computed = row->number[0] == 0 ? 4 * force[1] : far;
    out->exact = row->number[0] == 0 ? 4.0 / 3 * modulus * spot * z.indent : spot;
    return PLI_OK;
}

// The block ends: 1 to 2 % more force. The radius is known to half a cell. What makes the sphere 4
// to 8 % too stiff is told in the report: flat triangles, mostly.
#define HERTZ(text, what, quadratic, kind, radius, limit, fine, ...)                               \
    {                                                                                              \
        .name = text, .run = run_hertz, .number = {what, quadratic, kind, radius}, .exact = NAN,   \
        .tolerance = limit, .fine_tolerance = fine, .resolution = {__VA_ARGS__}, .fast = 1         \
    }
static const problem hertz_rows[] = {
    HERTZ("force [N]", 0, 1, BUMP, 0.5, 2e-2, 1.5e-2, 4, 6, 8),
    HERTZ("radius of the contact [m]", 1, 1, BUMP, 0.5, 0.15, 0.05, 4, 6, 8),
    HERTZ("force, linear tetrahedra [N]", 0, 0, BUMP, 0.5, 0.4, 0.1, 8, 12, 16),
    HERTZ("force, a / R = 0.028 [N]", 0, 1, BUMP, 12.5, 2e-2, 2.5e-2, 4, 6, 8),
    HERTZ("sphere on a flat block, force [N]", 0, 1, SPHERE, 0.5, 0.08, 0.065, 4, 6, 8),
    HERTZ("sphere, a / R = 0.028, force [N]", 0, 1, SPHERE, 12.5, 0.08, 0.05, 4, 6, 8),
};

// ---- barrier in equilibrium

// 1 kg rests on a half-space: d / dhat. `number`: kappa; `word`: the form.
static pli_status run_equilibrium(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    const double dhat = 1e-3, g = 9.81, area = 1e-4; // [m], [m/s^2], [m^2]
    pli_world_def def = pli_trial_def(3, "backward-euler");
    def.time_step = 1; // long enough to rest at once
    def.gravity[1] = -g;
    def.contact.dhat = dhat;
    def.contact.barrier = row->word;
    def.contact.stiffness = row->number[0];
    TRY(pli_trial_world(t, &def));
    const double at[3] = {0, 0.99 * dhat, 0};
    TRY(pli_mesh_add_vertices(&t->mesh, 1, at, NULL, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.vertex_mass = 1;
    body.contact_area = area;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_half_space_def ground = pli_default_half_space_def();
    TRY(pli_world_add_half_space(t->world, &ground, NULL, &t->error));
    TRY(pli_trial_steps(t, 20));
    out->computed = pli_world_positions(t->world)[1] / dhat;
    if (isnan(out->exact)) out->exact = pli_trial_resting_gap(area * row->number[0], g);
    return PLI_OK;
}

// Given to six digits.
#define EQUILIBRIUM(text, form, kappa, value, limit)                                               \
    {                                                                                              \
        .name = text, .run = run_equilibrium, .word = form, .number = {kappa}, .exact = value,     \
        .tolerance = limit, .resolution = {1}, .fast = 1                                           \
    }
static const problem equilibrium_rows[] = {
    EQUILIBRIUM("ipc, kappa 1e8", "ipc", 1e8, 0.020503, 3e-5),
    EQUILIBRIUM("ipc, kappa 1e10", "ipc", 1e10, 0.782309, 1e-6),
    EQUILIBRIUM("ipc, kappa 1e12", "ipc", 1e12, 0.979644, 1e-6),
    EQUILIBRIUM("area, 1e-4 m^2, kappa 1e4", "area", 1e4, NAN, 1e-8),
    EQUILIBRIUM("area, 1e-4 m^2, kappa 1e5", "area", 1e5, NAN, 1e-8),
    EQUILIBRIUM("area, 1e-4 m^2, kappa 1e6", "area", 1e6, NAN, 1e-8),
};

// ---- a block slides to rest

// A vertex of 1 kg begins at `v` on the ground; its way after all of it is at rest. `number`: v,
// mu, and whether the exact value is that of the discrete scheme.
static pli_status run_stopping(const problem* row, double steps, trial* t, outcome* out) {
    const double h = 1 / steps, v = row->number[0], mu = row->number[1], g = 9.81, dhat = 1e-3;
    pli_world_def def = pli_trial_def(2, "backward-euler");
    def.time_step = h;
    def.gravity[1] = -g;
    def.contact.dhat = dhat;
    def.solver.tolerance = 1e-9;
    def.contact.stiffness = 1e5;
    TRY(pli_trial_world(t, &def));
    const double at[3] = {0, dhat * pli_trial_resting_gap(def.contact.stiffness, g), 0};
    TRY(pli_mesh_add_vertices(&t->mesh, 1, at, NULL, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.vertex_mass = 1;
    body.velocity[0] = v;
    body.contact_area = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = mu;
    TRY(pli_world_add_half_space(t->world, &ground, NULL, &t->error));
    TRY(pli_trial_steps(t, (int)ceil(1.2 * v / (mu * g) * steps) + 20));
    if (!(fabs(pli_world_velocities(t->world)[0]) < 1e-6))
        return pli_trial_wrong(t, "still slides");
    out->computed = pli_world_positions(t->world)[0];
    if (row->number[2] == 0) out->exact = v * v / (2 * mu * g);
    return PLI_OK;
}

// v^2 / (2 mu g) - v h / 2 + O(h^2, eps_v): with v = 1 and h = 1/1600 that is 3.07e-3 less.
#define STOPPING(text, v, mu, limit, fine, ...)                                                    \
    {                                                                                              \
        .name = text, .run = run_stopping, .number = {v, mu}, .exact = NAN, .tolerance = limit,    \
        .fine_tolerance = fine, .resolution = {__VA_ARGS__}, .fast = 2, .order = 1,                \
        .order_tolerance = 0.1                                                                     \
    }
static const problem stopping_rows[] = {
    STOPPING("v = 1 m/s, mu = 0.5", 1, 0.5, 3e-2, 4e-3, 100, 200, 400, 800, 1600),
    STOPPING("v = 3 m/s, mu = 0.2", 3, 0.2, 1e-2, 1e-3, 100, 200, 400, 800, 1600),
};

// Known to 1e-6 m.
#define STOPPED(text, value, steps)                                                                \
    {                                                                                              \
        .name = text, .run = run_stopping, .number = {1, 0.5, 1}, .exact = value,                  \
        .tolerance = 1e-5, .resolution = {steps}, .fast = 1                                        \
    }
static const problem stopped_rows[] = {
    STOPPED("h = 0.01 s", 0.096997, 100),
    STOPPED("h = 0.005 s", 0.099450, 200),
    STOPPED("h = 0.0025 s", 0.100691, 400),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "C10",
     .title = "Elastic bar against a rigid wall",
     .about = "L = 1 m, E = 1e6 Pa, 1000 kg/m^3, nu = 0, 0.1 m/s, linear triangles under bdf2, "
              "two steps per cell and wave. Exact: contact time 2 L / c, pressure rho c v, rebound "
              "with the same speed. Measured: time with more than half the pressure, mean over the "
              "middle of the contact, mean speed afterwards.",
     .quantity = "result",
     .unit = "",
     .axis = "cells along the bar",
     .picture = "impact_error",
     FAMILY(impact_rows)},
    {.section = "C11",
     .title = "Hertz: an elastic ball on a plane",
     .about =
         "E = 1e6 Pa, nu = 0.3, R = 0.5 m, pressed by 0.01 m; a quarter of a block with a "
         "paraboloid, quadratic tetrahedra of small strain, in equilibrium. Exact: F = 4/3 E* "
         "sqrt(R) d^1.5, a = sqrt(R d) for a body without end; that the block is 3 m long "
         "makes 1 to 2 % more force. A rigid sphere on a flat block comes out stiffer. The barrier "
         "is not the reason: other dhat and stiffness change 0.2 %. Flat triangles of the hollow "
         "touch the sphere and hold their vertices off, on the mean by 4.2, 1.7 and 1.1 % of d "
         "with "
         "4, 6 and 8 cells. At a / R = 0.028 (R = 12.5 m, the same contact), where Hertz is more "
         "exact, the sphere is 4.6, 4.1 and 2.0 % stiffer than the paraboloid. At a / R = 0.14 it "
         "gains 1.4 to 2.1 % more: the surface moves inward by 1.5 % of r, which Hertz leaves out "
         "and which makes the sphere seem blunter.",
     .quantity = "result",
     .unit = "",
     .axis = "cells along an edge",
     .picture = "hertz",
     FAMILY(hertz_rows)},
    {.section = "C13",
     .title = "Barrier in equilibrium",
     .about = "1 kg at rest on a half-space, dhat = 1 mm: distance over dhat. Exact: the root of "
              "m g = -kappa b'(d) of the form.",
     .quantity = "d / dhat",
     .unit = "",
     FAMILY(equilibrium_rows)},
    {.section = "D1",
     .title = "Stopping distance",
     .about = "A mass slides to rest on the ground, backward Euler. Exact: v^2 / (2 mu g), which "
              "is missed by v h / 2.",
     .quantity = "way",
     .unit = "m",
     .axis = "steps per second",
     .picture = "stopping",
     FAMILY(stopping_rows)},
    {.section = "D1",
     .title = "Stopping distance of the discrete motion",
     .about = "v = 1 m/s, mu = 0.5. Exact: backward Euler with friction that is smoothed below "
              "1e-3 m/s.",
     .quantity = "way",
     .unit = "m",
     FAMILY(stopped_rows)},
};

const part pli_problems_contact = {"Contact", families, PLI_COUNT(families)};
