// Friction in space: a slope (A1), stick and slip (A10), a ramp (D2), a ball that slides and then
// rolls (D3), a box that tips (D4).
#include "validation/problems.h"

static const double g = 9.81;

// Friction is lagged anew until that changes nothing.
static pli_world_def friction_def(double h, double eps_v) {
    pli_world_def def = pli_trial_def(3, "backward-euler");
    def.time_step = h;
    def.contact.dhat = 1e-3;
    def.contact.stiffness = 0;
    def.contact.friction_speed = eps_v;
    def.contact.friction_iterations = 0;
    def.solver.tolerance = 0.01 * eps_v;
    return def;
}

// A box of stiff cells on the ground y = 0, which is a slope: gravity leans towards x.
static pli_status add_box(trial* t, const double size[3], const int cells[3], double mu,
                          pli_body_id* id) {
    TRY(pli_mesh_add_box(&t->mesh, size, cells, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v)
        t->mesh.positions[3 * v + 1] += 0.5 * size[1] + 0.95e-3;
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    TRY(pli_world_add_body(t->world, &body, id, &t->error));
    pli_setting settings[2] = {{"young", 1e9}, {"poisson", 0.3}};
    TRY(pli_world_add_energy(t->world, *id, "neo-hookean", settings, 2, NULL, &t->error));
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = mu;
    return pli_world_add_half_space(t->world, &ground, NULL, &t->error);
}

static void lean(pli_world_def* def, double slope) {
    def->gravity[1] = -g / sqrt(1 + slope * slope);
    def->gravity[0] = -slope * def->gravity[1];
}

static const double one[3] = {1, 1, 1};
static const int cell[3] = {1, 1, 1};

// Momentum along x per mass: positions or velocities.
static double mean_x(const trial* t, const double* values) {
    const double* mass = pli_world_vertex_masses(t->world);
    double sum = 0, all = 0;
    for (int v = 0; v < pli_world_vertex_count(t->world); ++v) {
        sum += mass[v] * values[3 * v];
        all += mass[v];
    }
    return sum / all;
}

// The steps, which must converge, and after each the exact test.
static pli_status safe_steps(trial* t, int count) {
    for (int n = 0; n < count; ++n) {
        TRY(pli_trial_steps(t, 1));
        TRY(pli_world_verify(t->world, &t->error));
    }
    return PLI_OK;
}

// ---- A1: slope of tan = 1/2

enum { SETTLING = 1 }; // [s]

// number[0]: mu. The acceleration, from the way between two times; below the threshold the speed.
static pli_status run_slope(const problem* row, double steps, trial* t, outcome* out) {
    const double mu = row->number[0], h = 1 / steps, eps_v = 1e-5;
    pli_world_def def = friction_def(h, eps_v);
    lean(&def, 0.5);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(add_box(t, one, cell, mu, &id));
    TRY(safe_steps(t, SETTLING * (int)steps));
    double start = mean_x(t, pli_world_positions(t->world));
    double speed = mean_x(t, pli_world_velocities(t->world)), n = 2 * steps;
    TRY(safe_steps(t, (int)n));
    double way = mean_x(t, pli_world_positions(t->world)) - start;
    // Backward Euler goes n h v0 + a h^2 n (n + 1) / 2.
    out->computed =
        mu < 0.5 ? (way - n * h * speed) / (h * h * n * (n + 1) / 2) : way / (n * h) / eps_v;
    out->exact = mu < 0.5 ? g * (0.5 - mu) / sqrt(1.25) : 1 - sqrt(1 - 0.5 / mu);
    return PLI_OK;
}

#define SLOPE(text, mu, limit)                                                                     \
    {                                                                                              \
        .name = text, .run = run_slope, .number = {mu}, .exact = NAN, .tolerance = limit,          \
        .resolution = {40}, .fast = 1                                                              \
    }
static const problem slope_rows[] = {
    SLOPE("mu = 0.4: acceleration [m/s^2]", 0.4, 1e-4),
    SLOPE("mu = 0.49: acceleration [m/s^2]", 0.49, 1e-4),
    SLOPE("mu = 0.51: creeping speed / eps_v", 0.51, 1e-2),
    SLOPE("mu = 1: creeping speed / eps_v", 1, 1e-2),
};

// ---- A10: a mass on a spring whose other end moves on

static const double pulled = 0.1, spring = 100; // [m/s], [N/m]
static const double mu_static = 0.6, mu_kinetic = 0.3;

// It sticks until the spring pulls with mu_s N, slips, and is caught where it pulls with
// (2 mu_k - mu_s) N. With u = (mu_s - mu_k) N / k and omega^2 = k / m the period is
//     2 u / V + 2 (pi - atan(u omega / V)) / omega.
static double stick_slip_period(void) {
    double u = (mu_static - mu_kinetic) * g / spring, omega = sqrt(spring);
    return 2 * u / pulled + 2 * (PLI_PI - atan(u * omega / pulled)) / omega;
}

static pli_status make_stick_slip(trial* t, double h) {
    pli_world_def def = friction_def(h, 1e-4);
    def.gravity[1] = -g;
    def.contact.stiffness = 1e5;
    TRY(pli_trial_world(t, &def));
    const double y = def.contact.dhat * pli_trial_resting_gap(def.contact.stiffness, g);
    const double a[3] = {1, y, 0}, b[3] = {0, y, 0};
    TRY(pli_mesh_add_line(&t->mesh, a, b, 1, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.vertex_mass = 1;
    body.contact_area = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting k = {"stiffness", spring};
    TRY(pli_world_add_energy(t->world, id, "hooke", &k, 1, NULL, &t->error));
    pli_prescribe_def pull = pli_default_prescribe_def();
    const int32_t first[1] = {0};
    pull.vertices = first;
    pull.vertex_count = 1;
    pull.velocity[0] = pulled;
    TRY(pli_world_prescribe(t->world, id, &pull, NULL, &t->error));
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = mu_kinetic;
    ground.friction_static = mu_static;
    return pli_world_add_half_space(t->world, &ground, NULL, &t->error);
}

// Mean time between the beginnings of the second slip and the fourth.
static pli_status run_stick_slip(const problem* row, double steps, trial* t, outcome* out) {
    (void)row;
    double begun[4], h = 1 / steps;
    int slips = 0;
    bool sticks = true;
    TRY(make_stick_slip(t, h));
    for (int n = 1; n < 6 * steps && slips < 4; ++n) {
        TRY(pli_trial_steps(t, 1));
        double speed = pli_world_velocities(t->world)[3];
        if (sticks && speed > 0.01) begun[slips++] = n * h;
        sticks = sticks ? speed <= 0.01 : speed < 1e-4;
    }
    if (slips < 4) return pli_trial_wrong(t, "only %d slips", slips);
    out->computed = (begun[3] - begun[1]) / 2;
    out->exact = stick_slip_period();
    return PLI_OK;
}

static const problem stick_slip_rows[] = {
    {.name = "mu 0.6 and 0.3",
     .run = run_stick_slip,
     .exact = NAN,
     .tolerance = 2e-2,
     .fine_tolerance = 4e-3,
     .resolution = {500, 1000, 2000, 4000},
     .fast = 2},
};

// ---- D2: a horizontal force F pushes a block up a slope

// Acceleration up the slope of tan = 0.1 at F / weight = `force_part`.
static pli_status ramp_acceleration(trial* t, double force_part, double mu, double* a) {
    const double slope = 0.1, h = 0.01, c = 1 / sqrt(1 + slope * slope), s = slope * c;
    pli_world_def def = friction_def(h, 1e-4);
    lean(&def, -slope);
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    pli_body_id id;
    TRY(add_box(t, one, cell, mu, &id));
    pli_load_def force = pli_default_load_def();
    const double weight = 1000 * g;
    force.kind = "force";
    force.value[0] = force_part * weight * c;
    force.value[1] = -force_part * weight * s;
    TRY(pli_world_add_load(t->world, id, &force, NULL, &t->error));
    TRY(safe_steps(t, 40));
    double before = mean_x(t, pli_world_velocities(t->world));
    TRY(safe_steps(t, 20));
    *a = (mean_x(t, pli_world_velocities(t->world)) - before) / (20 * h);
    return PLI_OK;
}

// The acceleration is linear in F: where is it zero?
static pli_status run_ramp(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    double low, high;
    TRY(ramp_acceleration(t, 0.45, row->number[0], &low));
    TRY(ramp_acceleration(t, 0.55, row->number[0], &high));
    out->computed = 0.45 - 0.1 * low / (high - low);
    return PLI_OK;
}

static const problem ramp_rows[] = {
    {.name = "tan 0.1, mu 0.3",
     .run = run_ramp,
     .number = {0.3},
     .exact = 0.4 / 0.97,
     .tolerance = 1e-4,
     .resolution = {1},
     .fast = 1},
    {.name = "tan 0.1, mu 0.2",
     .run = run_ramp,
     .number = {0.2},
     .exact = 0.3 / 0.98,
     .tolerance = 1e-4,
     .resolution = {1},
     .fast = 1},
};

// ---- D3: a ball slides, and rolls in the end

// Way after 0.2 s: it rolls from t = 2 v / (7 mu g) on, 12 v^2 / (49 mu g) from the start.
static pli_status run_ball(const problem* row, double shells, trial* t, outcome* out) {
    const double v = 1, mu = row->number[0], h = 2e-3, radius = 0.1, end = 0.2;
    pli_world_def def = friction_def(h, 1e-2);
    def.scheme = "bdf2";                 // backward Euler slows rotation
    def.contact.friction_iterations = 1; // the weight stays what it is
    def.contact.dhat = 2e-4;
    def.solver.tolerance = 1e-3;
    def.gravity[1] = -g;
    TRY(pli_trial_world(t, &def));
    TRY(pli_mesh_add_ball(&t->mesh, radius, (int)shells, &t->error));
    for (int i = 0; i < t->mesh.vertex_count; ++i)
        t->mesh.positions[3 * i + 1] += radius + 0.95 * def.contact.dhat;
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.kinematics = "polynomial"; // affine: stiff and cheap
    body.order = 1;
    body.velocity[0] = v;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting settings[2] = {{"young", 1e7}, {"poisson", 0.3}};
    TRY(pli_world_add_energy(t->world, id, "neo-hookean", settings, 2, NULL, &t->error));
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = mu;
    TRY(pli_world_add_half_space(t->world, &ground, NULL, &t->error));
    TRY(pli_trial_steps(t, (int)(end / h + 0.5)));
    out->computed = mean_x(t, pli_world_positions(t->world));
    double rolls = 2 * v / (7 * mu * g);
    out->exact = 12 * v * v / (49 * mu * g) + 5.0 / 7 * v * (end - rolls);
    return PLI_OK;
}

#define ROLLING(text, mu, limit, fine)                                                             \
    {                                                                                              \
        .name = text, .run = run_ball, .number = {mu}, .exact = NAN, .tolerance = limit,           \
        .fine_tolerance = fine, .resolution = {3, 4, 6}, .fast = 1                                 \
    }
static const problem ball_rows[] = {
    ROLLING("v 1 m/s, mu 0.2", 0.2, 2e-2, 2e-3),
};

// ---- D4: a box tips over its lower edge if tan > width / height

// Speed of the tipping, of the top against the bottom, after 0.1 s on a slope.
static pli_status tipping(trial* t, double width, double slope, double* rate) {
    const double size[3] = {width, 1, 0.5};
    pli_world_def def = friction_def(2e-3, 1e-4);
    def.contact.dhat = 1e-4;
    lean(&def, slope);
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    pli_body_id id;
    TRY(add_box(t, size, cell, 2, &id));
    TRY(safe_steps(t, 50));
    const double* v = pli_world_velocities(t->world);
    *rate = v[3 * 2] - v[0]; // above the first vertex is that of the upper edge
    return PLI_OK;
}

// The torque about the lower edge is in proportion to cos (tan - width / height).
static pli_status run_tipping(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    const double width = row->number[0], slope[2] = {1.2 * width, 1.4 * width};
    double rate[2];
    for (int i = 0; i < 2; ++i) {
        TRY(tipping(t, width, slope[i], &rate[i]));
        rate[i] *= sqrt(1 + slope[i] * slope[i]);
    }
    out->computed = slope[0] - (slope[1] - slope[0]) * rate[0] / (rate[1] - rate[0]);
    return PLI_OK;
}

#define TIPPING(text, width)                                                                       \
    {                                                                                              \
        .name = text, .run = run_tipping, .number = {width}, .exact = width, .tolerance = 1e-2,    \
        .resolution = {1}, .fast = 1                                                               \
    }
static const problem tipping_rows[] = {
    TIPPING("width / height 0.5", 0.5),
    TIPPING("width / height 0.8", 0.8),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "A1",
     .title = "Slope",
     .about =
         "A cube of 1 m, E = 1e9 Pa, on a slope of tan = 1/2, h = 0.025 s, friction lagged until "
         "that changes nothing. Exact: a = g (sin - mu cos); where it should stick it creeps "
         "with eps_v (1 - sqrt(1 - tan / mu)).",
     .quantity = "result",
     .unit = "",
     FAMILY(slope_rows)},
    {.section = "A10",
     .title = "Stick and slip",
     .about =
         "1 kg on the ground, pulled by a spring of 100 N/m whose other end moves with 0.1 m/s; "
         "backward Euler. Exact: the period, which is missed in proportion to h.",
     .quantity = "period",
     .unit = "s",
     .axis = "steps per second",
     .picture = "stick_slip",
     FAMILY(stick_slip_rows)},
    {.section = "D2",
     .title = "Force up a ramp",
     .about = "The horizontal force that pushes a block up a slope at constant speed, over its "
              "weight. Exact: (tan + mu) / (1 - mu tan).",
     .quantity = "force / weight",
     .unit = "",
     FAMILY(ramp_rows)},
    {.section = "D3",
     .title = "Sliding to rolling",
     .about = "A solid ball of 0.1 m that starts with 1 m/s and without spin, affine, bdf2, h = 2 "
              "ms: its "
              "way after 0.2 s. Exact: rolling begins after 12 v^2 / (49 mu g), with 5/7 v. The "
              "facets of the mesh disturb it.",
     .quantity = "way",
     .unit = "m",
     .axis = "shells of the ball",
     .picture = "rolling",
     FAMILY(ball_rows)},
    {.section = "D4",
     .title = "Tipping",
     .about =
         "The slope at which a box begins to tip over its lower edge, from how fast it tips on "
         "steeper ones. Exact: tan = width / height.",
     .quantity = "tan",
     .unit = "",
     FAMILY(tipping_rows)},
};

const part pli_problems_friction = {"Friction", families, PLI_COUNT(families)};
