// Time schemes (part B): spectral radius, order, y' = -15 y, circular motion, free fall, periods
// and the invariant of symplectic Euler.
#include "validation/problems.h"
#include "validation/schemes.h"

#define ALL_SCHEMES(ROW)                                                                           \
    ROW("forward-euler"), ROW("symplectic-euler"), ROW("leapfrog"), ROW("rk4"),                    \
        ROW("exponential"), ROW("backward-euler"), ROW("newmark"), ROW("implicit-midpoint"),       \
        ROW("averaged-vector-field"), ROW("bdf2"), ROW("bdf3"), ROW("bdf4"), ROW("bdf5"),          \
        ROW("bdf6")

// ---- spectral radius at z = 0.1, 0.5, 2.5, 10 and 1; shown at 1

static pli_status run_radius(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    static const double sizes[] = {0.1, 0.5, 2.5, 10, 1};
    double worst = 0;
    for (int i = 0; i < PLI_COUNT(sizes); ++i) {
        out->exact = pli_formula_radius(row->word, sizes[i]);
        TRY(pli_measured_radius(t, row->word, sizes[i], &out->computed));
        worst = fmax(worst, fabs(out->computed / out->exact - 1));
    }
    out->error = worst;
    return PLI_OK;
}

// A root of a matrix that is known to rounding; of bdf, what is left of the smaller roots.
#define RADIUS(s)                                                                                  \
    {                                                                                              \
        .name = s, .run = run_radius, .word = s, .exact = NAN, .tolerance = 1e-10,                 \
        .resolution = {1}, .fast = 1                                                               \
    }
static const problem radius_rows[] = {ALL_SCHEMES(RADIUS)};

// ---- period of the oscillator at z = 0.5, over the true one: z / angle of a step

static double trapezoid_angle(double z) { return 2 * atan(z / 2); }
static double symplectic_angle(double z) { return acos(1 - z * z / 2); }

static pli_status run_angle(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    double A[4], z = 0.5;
    TRY(pli_measured_matrix(t, row->word, z, A));
    double det = A[0] * A[3] - A[1] * A[2];
    out->computed = z / acos(0.5 * (A[0] + A[3]) / sqrt(det));
    out->exact = z / (strcmp(row->word, "backward-euler") == 0     ? atan(z)
                      : strcmp(row->word, "symplectic-euler") == 0 ? symplectic_angle(z)
                      : strcmp(row->word, "leapfrog") == 0         ? symplectic_angle(z)
                                                                   : trapezoid_angle(z));
    return PLI_OK;
}

#define ANGLE(s)                                                                                   \
    {                                                                                              \
        .name = s, .run = run_angle, .word = s, .exact = NAN, .tolerance = 1e-10,                  \
        .resolution = {1}, .fast = 1                                                               \
    }
static const problem angle_rows[] = {
    ANGLE("newmark"),        ANGLE("implicit-midpoint"), ANGLE("averaged-vector-field"),
    ANGLE("backward-euler"), ANGLE("symplectic-euler"),  ANGLE("leapfrog")};

// ---- order: error of (x, v / omega) at t = 1 with omega = 2

static pli_status run_order(const problem* row, double steps, trial* t, outcome* out) {
    TRY(pli_trial_oscillator(
        t, &(oscillator){.scheme = row->word, .omega = 2, .h = 1 / steps, .x = {1}, .v = {0.5}}));
    TRY(pli_trial_steps(t, (int)steps));
    out->exact = cos(2) + 0.25 * sin(2);
    double v = -2 * sin(2) + 0.5 * cos(2);
    out->computed = pli_world_positions(t->world)[0];
    out->error = hypot(out->computed - out->exact, (pli_world_velocities(t->world)[0] - v) / 2);
    return PLI_OK;
}

// The exponential scheme is exact for linear forces, so it swings on a spring that is not: a mass
// on a soft spring under gravity, against rk4 with 4000 steps.
static pli_status swing(trial* t, const char* scheme, int steps, double x[2]) {
    pli_world_def def = pli_trial_def(2, scheme);
    def.time_step = 1.0 / steps;
    def.gravity[1] = -9.81;
    def.thread_count = 1;
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0};
    TRY(pli_mesh_add_line(&t->mesh, a, b, 1, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting k = {"stiffness", 20};
    TRY(pli_world_add_energy(t->world, id, "spring", &k, 1, NULL, &t->error));
    TRY(pli_trial_fix(t, id, pli_fix_all_at_x_0));
    TRY(pli_trial_steps(t, steps));
    memcpy(x, pli_world_positions(t->world) + 3, 2 * sizeof(double));
    return PLI_OK;
}

static pli_status run_swing_order(const problem* row, double steps, trial* t, outcome* out) {
    double exact[2], x[2];
    TRY(swing(t, "rk4", 4000, exact));
    TRY(swing(t, row->word, (int)steps, x));
    out->computed = x[0];
    out->exact = exact[0];
    out->error = hypot(x[0] - exact[0], x[1] - exact[1]);
    return PLI_OK;
}

// Slopes within 0.1. bdf4 and higher meet the rounding of their tiny first steps, 1e-10, soon, bdf5
// and bdf6 before the slope has settled: 0.2 and 0.4.
#define ORDER(s, p, near, limit, ...)                                                              \
    {                                                                                              \
        .name = s, .run = run_order, .word = s, .exact = NAN, .tolerance = limit,                  \
        .resolution = {__VA_ARGS__}, .fast = 2, .order = p, .order_tolerance = near                \
    }
static const problem order_rows[] = {
    ORDER("forward-euler", 1, 0.1, 5e-3, 640, 1280, 2560, 5120),
    ORDER("symplectic-euler", 1, 0.1, 5e-3, 640, 1280, 2560, 5120),
    ORDER("backward-euler", 1, 0.1, 5e-3, 640, 1280, 2560, 5120),
    ORDER("leapfrog", 2, 0.1, 1e-3, 80, 160, 320, 640, 1280),
    ORDER("newmark", 2, 0.1, 1e-3, 80, 160, 320, 640, 1280),
    ORDER("implicit-midpoint", 2, 0.1, 1e-3, 80, 160, 320, 640, 1280),
    ORDER("averaged-vector-field", 2, 0.1, 1e-3, 80, 160, 320, 640, 1280),
    ORDER("bdf2", 2, 0.1, 1e-3, 320, 640, 1280),
    ORDER("bdf3", 3, 0.1, 1e-5, 160, 320, 640),
    ORDER("bdf4", 4, 0.1, 1e-6, 80, 160),
    ORDER("bdf5", 5, 0.2, 1e-6, 40, 80),
    ORDER("bdf6", 6, 0.4, 1e-6, 20, 40),
    ORDER("rk4", 4, 0.1, 1e-6, 40, 80, 160, 320),
    {.name = "exponential (not linear)",
     .run = run_swing_order,
     .word = "exponential",
     .exact = NAN,
     .tolerance = 1e-3,
     .resolution = {160, 320, 640, 1280},
     .fast = 2,
     .order = 2,
     .order_tolerance = 0.1},
};

// ---- y' = -15 y

// What the world can say of it: a mass in a drag, v' = -alpha v; a massless vertex on a spring in a
// drag, x' = -(k / alpha m) x, which is quasi-static; and for explicit schemes, which have no drag
// here, the way up a hill x'' = 225 x that ends on its top, x = e^(-15 t).
typedef enum decay { DRAG, FLOW, HILL } decay;

static void hill_eval(const pli_batch* in, pli_local* out) {
    const int n = in->dim;
    for (int i = 0; i < in->count; ++i)
        for (int c = 0; c < n; ++c) {
            double x = in->x[3 * in->vertices[i] + c];
            if (in->want & PLI_VALUE) out->e[i] -= 0.5 * 225 * x * x;
            if (in->want & PLI_GRADIENT) out->g[i * n + c] -= 225 * x;
            if (in->want & PLI_HESSIAN && !in->project) out->H[(i * n + c) * n + c] -= 225;
        }
}

static const pli_energy_type hill = {.abi = PLI_ENERGY_ABI,
                                     .name = "hill",
                                     .help = "-(225/2) x^2",
                                     .dims = 1u << 2,
                                     .data_size = {[PLI_VERTEX] = sizeof(double)},
                                     .eval = hill_eval};

static pli_status make_decay(trial* t, const char* scheme, decay kind, double h) {
    static const pli_energy_type* const types[] = {&hill};
    pli_world_def def = pli_trial_def(2, scheme);
    def.time_step = h;
    def.thread_count = 1;
    def.energy_types = types;
    def.energy_type_count = 1;
    def.solver.gradient_tolerance = 1e-14; // of the flow: as exact as the others
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    const double rest[3] = {0}, initial[3] = {kind == DRAG ? 0 : 1, 0, 0};
    TRY(pli_mesh_add_vertices(&t->mesh, 1, rest, NULL, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.initial = initial;
    body.velocity[0] = kind == DRAG ? 1 : kind == HILL ? -15 : 0;
    body.vertex_mass = 1;
    body.mass_damping = kind == DRAG ? 15 : kind == FLOW ? 2 : 0;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting k = {"stiffness", 30};
    if (kind == FLOW) return pli_world_add_energy(t->world, id, "anchor", &k, 1, NULL, &t->error);
    if (kind == HILL) return pli_world_add_energy(t->world, id, "hill", NULL, 0, NULL, &t->error);
    return PLI_OK;
}

// Factor of the second step; bdf2 begins with backward Euler.
static double decay_factor(const char* scheme, double h) {
    double s = 15 * h, euler = 1 / (1 + s);
    const struct {
        const char* scheme;
        double factor;
    } rows[] = {{"forward-euler", 1 - s},
                {"rk4", 1 - s + s * s / 2 - s * s * s / 6 + s * s * s * s / 24},
                {"exponential", exp(-s)},
                {"backward-euler", euler},
                {"quasi-static", euler},
                {"newmark", (1 - s / 2) / (1 + s / 2)},
                {"implicit-midpoint", (1 - s / 2) / (1 + s / 2)},
                {"averaged-vector-field", (1 - s / 2) / (1 + s / 2)},
                {"bdf2", (2 - 0.5 / euler) / (1.5 + s)}};
    for (int i = 0; i < PLI_COUNT(rows); ++i)
        if (strcmp(rows[i].scheme, scheme) == 0) return rows[i].factor;
    return NAN;
}

static pli_status run_decay(const problem* row, double steps, trial* t, outcome* out) {
    decay kind = (decay)row->number[0];
    TRY(make_decay(t, row->word, kind, 1 / steps));
    TRY(pli_trial_steps(t, 1));
    double first =
        kind == DRAG ? pli_world_velocities(t->world)[0] : pli_world_positions(t->world)[0];
    TRY(pli_trial_steps(t, 1));
    double y = kind == DRAG ? pli_world_velocities(t->world)[0] : pli_world_positions(t->world)[0];
    out->computed = y / first;
    out->exact = decay_factor(row->word, 1 / steps);
    return PLI_OK;
}

// Two steps of rounding; on the hill the way down grows by 1 + 15 h = 4.75.
#define DECAY(text, s, kind, steps)                                                                \
    {                                                                                              \
        .name = text, .run = run_decay, .word = s, .number = {kind}, .exact = NAN,                 \
        .tolerance = 1e-12, .resolution = {steps}, .fast = 1                                       \
    }
#define DECAYS(text, s, kind)                                                                      \
    DECAY(text ", h = 1/4", s, kind, 4), DECAY(text ", h = 1/8", s, kind, 8)
static const problem decay_rows[] = {
    DECAYS("forward-euler, up a hill", "forward-euler", HILL),
    DECAYS("rk4, up a hill", "rk4", HILL),
    DECAYS("exponential, up a hill", "exponential", HILL),
    DECAYS("backward-euler, drag", "backward-euler", DRAG),
    DECAYS("quasi-static, spring in a drag", "quasi-static", FLOW),
    DECAYS("newmark (trapezoid), drag", "newmark", DRAG),
    DECAYS("implicit-midpoint, drag", "implicit-midpoint", DRAG),
    DECAYS("averaged-vector-field, drag", "averaged-vector-field", DRAG),
    DECAYS("bdf2, drag, second step", "bdf2", DRAG),
};

// ---- uniform circular motion from radius 1 with z = 0.3

enum { CIRCLE_STEPS = 100 };

// Radius after all steps by the powers of the step matrix, applied to x = 1, v = i omega.
static double circle_radius(const char* scheme, double z) {
    double A[4], x[2] = {1, 0}, v[2] = {0, 1};
    pli_formula_matrix(scheme, z, A);
    for (int n = 0; n < CIRCLE_STEPS; ++n)
        for (int c = 0; c < 2; ++c) {
            double before = x[c];
            x[c] = A[0] * before + A[1] * v[c];
            v[c] = A[2] * before + A[3] * v[c];
        }
    return hypot(x[0], x[1]);
}

static pli_status run_circle(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    const double z = 0.3;
    TRY(pli_trial_oscillator(
        t, &(oscillator){.scheme = row->word, .omega = 1, .h = z, .x = {1, 0}, .v = {0, 1}}));
    TRY(pli_trial_steps(t, CIRCLE_STEPS - 1));
    const double* x = pli_world_positions(t->world);
    double before = hypot(x[0], x[1]);
    TRY(pli_trial_steps(t, 1));
    x = pli_world_positions(t->world);
    bool several = pli_bdf_steps(row->word) > 0; // how they began is of no interest
    out->computed = hypot(x[0], x[1]) / (several ? before : 1);
    out->exact = several ? pli_formula_radius(row->word, z) : circle_radius(row->word, z);
    return PLI_OK;
}

#define CIRCLE(s)                                                                                  \
    {                                                                                              \
        .name = s, .run = run_circle, .word = s, .exact = NAN, .tolerance = 1e-9,                  \
        .resolution = {1}, .fast = 1                                                               \
    }
static const problem circle_rows[] = {ALL_SCHEMES(CIRCLE)};

// ---- free fall for 1 s: 100 steps of 0.01 s

static pli_status run_fall(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    const double h = 0.01;
    const int n = 100;
    pli_world_def def = pli_trial_def(2, row->word);
    def.time_step = h;
    def.gravity[1] = -9.81;
    def.thread_count = 1;
    TRY(pli_trial_world(t, &def));
    const double rest[3] = {0};
    TRY(pli_mesh_add_vertices(&t->mesh, 1, rest, NULL, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    TRY(pli_trial_steps(t, n));
    out->computed = pli_world_positions(t->world)[1];
    // bdf2 begins with backward Euler: one recurrence for x, with v = g t exactly
    double x[2] = {0, -9.81 * h * h};
    for (int i = 2; i <= n; ++i) {
        double next = (2 * x[1] - 0.5 * x[0] - 9.81 * h * h * i) / 1.5;
        x[0] = x[1];
        x[1] = next;
    }
    out->exact =
        strcmp(row->word, "bdf2") == 0 ? x[1] : -0.5 * 9.81 * h * h * n * (n + row->number[0]);
    return PLI_OK;
}

// x = -g h^2 n (n + s) / 2. bdf3 and higher begin with tiny steps: they are off by g / 2 times the
// square of the first, (h / 2^(k + 8))^2, and carry its rounding.
#define FALL(text, s, shift, limit)                                                                \
    {                                                                                              \
        .name = text, .run = run_fall, .word = s, .number = {shift}, .exact = NAN,                 \
        .tolerance = limit, .resolution = {1}, .fast = 1                                           \
    }
static const problem fall_rows[] = {
    FALL("forward-euler", "forward-euler", -1, 1e-12),
    FALL("symplectic-euler", "symplectic-euler", 1, 1e-12),
    FALL("backward-euler", "backward-euler", 1, 1e-12),
    FALL("leapfrog", "leapfrog", 0, 1e-12),
    FALL("rk4", "rk4", 0, 1e-12),
    FALL("exponential", "exponential", 0, 1e-12),
    FALL("newmark", "newmark", 0, 1e-12),
    FALL("implicit-midpoint", "implicit-midpoint", 0, 1e-12),
    FALL("averaged-vector-field", "averaged-vector-field", 0, 1e-12),
    FALL("bdf2, begun by backward Euler", "bdf2", 0, 1e-12),
    FALL("bdf3", "bdf3", 0, 1e-9),
    FALL("bdf4", "bdf4", 0, 1e-9),
    FALL("bdf5", "bdf5", 0, 1e-9),
    FALL("bdf6", "bdf6", 0, 1e-9),
};

// ---- v^2 + omega^2 x^2 - h omega^2 x v under symplectic Euler

static pli_status run_invariant(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    const double h = 0.3, w2 = 4;
    TRY(pli_trial_oscillator(
        t, &(oscillator){.scheme = row->word, .omega = 2, .h = h, .x = {1}, .v = {0.5}}));
    out->exact = 0.25 + w2 - h * w2 * 0.5;
    double worst = 0;
    for (int n = 0; n < 50; ++n) {
        TRY(pli_trial_steps(t, 1));
        double x = pli_world_positions(t->world)[0], v = pli_world_velocities(t->world)[0];
        out->computed = v * v + w2 * x * x - h * w2 * x * v;
        worst = fmax(worst, fabs(out->computed / out->exact - 1));
    }
    out->error = worst;
    return PLI_OK;
}

static const problem invariant_rows[] = {{.name = "symplectic-euler, h omega = 0.6, 50 steps",
                                          .run = run_invariant,
                                          .word = "symplectic-euler",
                                          .exact = NAN,
                                          .tolerance = 1e-12,
                                          .resolution = {1},
                                          .fast = 1}};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "B",
     .title = "Spectral radius",
     .about = "Largest eigenvalue of one step of x'' = -omega^2 x, measured from steps of a world, "
              "against the formula of the scheme. The number shown is at omega h = 1, the error is "
              "the worst of omega h = 0.1, 0.5, 1, 2.5 and 10. For bdf2 to bdf6 the formula is the "
              "largest root of the characteristic polynomial.",
     .quantity = "radius",
     .unit = "",
     FAMILY(radius_rows)},
    {.section = "B",
     .title = "Order of the schemes",
     .about = "Position at t = 1 s of an oscillator with omega = 2 / s; the error is the distance "
              "in the plane of position and velocity / omega. The exponential scheme is exact "
              "there, so its row is a mass on a soft spring under gravity, against rk4 with 4000 "
              "steps.",
     .quantity = "x(1 s)",
     .unit = "m",
     .axis = "steps per second",
     .picture = "order",
     FAMILY(order_rows)},
    {.section = "B",
     .title = "y' = -15 y",
     .about = "Factor of one step. A world says this equation in three ways: a mass in a drag, v' "
              "= -15 v; a spring in a drag without inertia (quasi-static); and for explicit "
              "schemes the way up a hill x'' = 225 x that ends on its top.",
     .quantity = "factor",
     .unit = "",
     FAMILY(decay_rows)},
    {.section = "B",
     .title = "Circular motion",
     .about = "Radius after 100 steps with omega h = 0.3, from radius 1, against powers of the "
              "step matrix; for bdf2 to bdf6 the factor of the last step, against the largest "
              "root.",
     .quantity = "radius",
     .unit = "m",
     FAMILY(circle_rows)},
    {.section = "B",
     .title = "Period of the oscillator",
     .about = "Period over the true period at omega h = 0.5: omega h / angle of a step, which is 2 "
              "atan(z/2), atan(z) and acos(1 - z^2/2) with z = omega h.",
     .quantity = "ratio",
     .unit = "",
     FAMILY(angle_rows)},
    {.section = "B",
     .title = "Free fall",
     .about = "Fall after 100 steps of 0.01 s against the exact discrete formula -g h^2 n (n + s) "
              "/ 2: s = 1 for backward and symplectic Euler, -1 for forward Euler, 0 (the true "
              "fall) for the others.",
     .quantity = "y(1 s)",
     .unit = "m",
     FAMILY(fall_rows)},
    {.section = "B",
     .title = "Invariant of symplectic Euler",
     .about = "v^2 + omega^2 x^2 - h omega^2 x v stays as it is, to rounding.",
     .quantity = "invariant",
     .unit = "m^2/s^2",
     FAMILY(invariant_rows)},
};

const part pli_problems_schemes = {"Time schemes", families, PLI_COUNT(families)};
