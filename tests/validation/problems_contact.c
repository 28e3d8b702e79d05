// Contact with a half-space: a bar that hits a wall (C10), a block that slides to rest (D1).
#include "validation/impact.h"
#include "validation/problems.h"

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
    TRY(pli_world_add_energy(t->world, id, "linear", settings, 2, &t->error));
    pli_half_space_def wall = pli_default_half_space_def();
    wall.normal[0] = 1;
    wall.normal[1] = 0;
    TRY(pli_world_add_half_space(t->world, &wall, &t->error));
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

// ---- a block slides to rest

// Where the barrier A kappa (dhat / 2) (s - 1) ln s carries `weight`: s = d / dhat.
static double resting_gap(double stiffness, double weight) {
    double low = 1e-9, high = 1;
    for (int i = 0; i < 200; ++i) {
        double s = 0.5 * (low + high), push = -0.5 * stiffness * (log(s) + (s - 1) / s);
        *(push > weight ? &low : &high) = s;
    }
    return 0.5 * (low + high);
}

// A vertex of 1 kg begins at `v` on the ground; its way after all of it is at rest. `number`: v,
// mu, and whether the exact value is that of the discrete scheme.
static pli_status run_stopping(const problem* row, double steps, trial* t, outcome* out) {
    const double h = 1 / steps, v = row->number[0], mu = row->number[1], g = 9.81, dhat = 1e-3;
    pli_world_def def = pli_trial_def(2, "backward-euler");
    def.time_step = h;
    def.gravity[1] = -g;
    def.contact.dhat = dhat;
    def.solver.tolerance = 1e-9;
    TRY(pli_trial_world(t, &def));
    const double at[3] = {0, dhat * resting_gap(def.contact.stiffness, g), 0};
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
    TRY(pli_world_add_half_space(t->world, &ground, &t->error));
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
