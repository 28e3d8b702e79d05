// Joints between rigid bodies: pendulums, a double pendulum, a four-bar linkage.
#include "validation/problems.h"

static const double g = 9.81, width = 0.06; // [m/s^2], [m]

// A rigid bar between two places of the plane.
static pli_status add_bar(trial* t, const double a[2], const double b[2], double strain,
                          pli_body_id* id) {
    double along[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(along[0], along[1]);
    TRY(pli_trial_empty_mesh(t));
    TRY(pli_mesh_add_rectangle(&t->mesh, length, width, 4, 1, PLI_TRIANGLES, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double *x = t->mesh.positions + 3 * v, u = x[0] / length, w = x[1] / length;
        x[0] = 0.5 * (a[0] + b[0]) + u * along[0] - w * along[1];
        x[1] = 0.5 * (a[1] + b[1]) + u * along[1] + w * along[0];
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.kinematics = "rigid";
    body.allowed_strain = strain;
    return pli_world_add_body(t->world, &body, id, &t->error);
}

static pli_status add_joint(trial* t, const char* type, pli_body_id a, const pli_body_id* b,
                            const double at[2], pli_field_fn* motion) {
    pli_joint_def def = pli_default_joint_def();
    def.type = type;
    def.ends[0].body = a;
    if (b) def.ends[1].body = *b;
    def.at[0] = at[0], def.at[1] = at[1];
    def.motion = motion;
    return pli_world_add_joint(t->world, &def, NULL, &t->error);
}

static pli_status start(trial* t, const char* scheme, double steps, double gravity) {
    pli_world_def def = pli_trial_def(2, scheme);
    def.time_step = 1 / steps;
    def.gravity[1] = -gravity;
    def.solver.tolerance = 1e-9;
    return pli_trial_world(t, &def);
}

// ---- physical pendulum

// Complete elliptic integral by the arithmetic-geometric mean.
static double elliptic(double k) {
    double a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 40; ++i) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return PLI_PI / (2 * a);
}

// Twice the time between two passages below the pivot.
static pli_status run_pendulum(const problem* row, double steps, trial* t, outcome* out) {
    double angle = row->number[0] * PLI_PI / 180, h = 1 / steps, before = 0, first = NAN;
    const double pivot[2] = {0, 0}, end[2] = {sin(angle), -cos(angle)};
    double inertia = (1 + width * width) / 12 + 0.25; // over the mass, about the pivot
    pli_body_id bar;
    TRY(start(t, row->word, steps, g));
    TRY(add_bar(t, pivot, end, 1e-5, &bar));
    TRY(add_joint(t, "hinge", bar, NULL, pivot, NULL));
    out->exact = 4 * elliptic(sin(angle / 2)) * sqrt(inertia / (g * 0.5));
    for (int n = 1; n * h < 2 * out->exact; ++n) {
        TRY(pli_trial_steps(t, 1));
        double x = pli_world_body_summary(t->world, 0, NULL).centre[0];
        if (n > 1 && x * before < 0) {
            double time = h * (n - x / (x - before));
            if (!isnan(first)) {
                out->computed = 2 * (time - first);
                return PLI_OK;
            }
            first = time;
        }
        before = x;
    }
    return pli_trial_wrong(t, "it does not swing");
}

#define PENDULUM(name_, scheme, angle)                                                             \
    {                                                                                              \
        .name = name_, .run = run_pendulum, .word = scheme, .number = {angle}, .exact = NAN,       \
        .tolerance = 1e-3, .resolution = {200, 400}, .fast = 1                                     \
    }
static const problem pendulum_rows[] = {
    PENDULUM("10 degrees, bdf2", "bdf2", 10),
    PENDULUM("30 degrees, bdf2", "bdf2", 30),
    PENDULUM("90 degrees, bdf2", "bdf2", 90),
    PENDULUM("150 degrees, bdf2", "bdf2", 150),
    PENDULUM("10 degrees, implicit midpoint", "implicit-midpoint", 10),
};

// ---- double pendulum

// Accelerations of two equal bars of length 1 and mass 1, angles from the vertical.
static void accelerate(const double s[4], double out[4]) {
    double I = (1 + width * width) / 12, d = s[0] - s[1], M11 = I + 0.25 + 1, M22 = I + 0.25,
           M12 = 0.5 * cos(d);
    double f1 = -0.5 * sin(d) * s[3] * s[3] - 1.5 * g * sin(s[0]);
    double f2 = 0.5 * sin(d) * s[2] * s[2] - 0.5 * g * sin(s[1]), det = M11 * M22 - M12 * M12;
    out[0] = s[2], out[1] = s[3];
    out[2] = (M22 * f1 - M12 * f2) / det;
    out[3] = (M11 * f2 - M12 * f1) / det;
}

static void integrate(double s[4], double duration, int steps) {
    static const double ahead[4] = {0, 0.5, 0.5, 1}, share[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double h = duration / steps;
    for (int n = 0; n < steps; ++n) {
        double k[4] = {0}, sum[4] = {0}, at[4];
        for (int stage = 0; stage < 4; ++stage) {
            for (int i = 0; i < 4; ++i) at[i] = s[i] + ahead[stage] * h * k[i];
            accelerate(at, k);
            for (int i = 0; i < 4; ++i) sum[i] += share[stage] * k[i];
        }
        for (int i = 0; i < 4; ++i) s[i] += h * sum[i];
    }
}

// Both bars start at rest, level and upright. The error is how far the centre of the second is off
// after 2 s, over a length.
static pli_status run_double(const problem* row, double steps, trial* t, outcome* out) {
    const double pivot[2] = {0, 0}, elbow[2] = {1, 0}, top[2] = {1, -1};
    double s[4] = {PLI_PI / 2, 0, 0, 0};
    pli_body_id upper, lower;
    TRY(start(t, row->word, steps, g));
    TRY(add_bar(t, pivot, elbow, 1e-6, &upper));
    TRY(add_bar(t, elbow, top, 1e-6, &lower));
    TRY(add_joint(t, "hinge", upper, NULL, pivot, NULL));
    TRY(add_joint(t, "hinge", upper, &lower, elbow, NULL));
    TRY(pli_trial_steps(t, (int)(2 * steps)));
    integrate(s, 2, 20000);
    pli_body_summary at = pli_world_body_summary(t->world, 1, NULL);
    double x = sin(s[0]) + 0.5 * sin(s[1]), y = -cos(s[0]) - 0.5 * cos(s[1]);
    out->computed = at.centre[0];
    out->exact = x;
    out->error = hypot(at.centre[0] - x, at.centre[1] - y);
    return PLI_OK;
}

static const problem double_rows[] = {
    {.name = "bdf2",
     .run = run_double,
     .word = "bdf2",
     .exact = NAN,
     .tolerance = 1e-3,
     .resolution = {1000, 2000},
     .fast = 1},
};

// ---- four-bar linkage

static const double crank = 0.3, coupler = 0.9, rocker = 0.6, speed = 2; // [m], [rad/s]

static void turn(void* context, double time, const double place[3], double out[3]) {
    (void)context;
    double c = cos(speed * time), s = sin(speed * time);
    out[0] = c * place[0] - s * place[1] - place[0];
    out[1] = s * place[0] + c * place[1] - place[1];
    out[2] = 0;
}

// Where coupler and rocker meet: the upper intersection of two circles.
static void find_tip(double angle, double B[2], double C[2]) {
    B[0] = crank * cos(angle), B[1] = crank * sin(angle);
    double d[2] = {1 - B[0], -B[1]}, r = hypot(d[0], d[1]);
    double along = (coupler * coupler - rocker * rocker + r * r) / (2 * r);
    double across = sqrt(coupler * coupler - along * along);
    C[0] = B[0] + (along * d[0] - across * d[1]) / r;
    C[1] = B[1] + (along * d[1] + across * d[0]) / r;
}

// The crank is driven by a weld with the world that turns. The largest error over a turn, over the
// shortest link.
static pli_status run_four_bar(const problem* row, double steps, trial* t, outcome* out) {
    const double A[2] = {0, 0}, D[2] = {1, 0};
    double B[2], C[2];
    pli_body_id bars[3];
    find_tip(0, B, C);
    TRY(start(t, row->word, steps, g));
    TRY(add_bar(t, A, B, 1e-6, &bars[0]));
    TRY(add_bar(t, B, C, 1e-6, &bars[1]));
    TRY(add_bar(t, C, D, 1e-6, &bars[2]));
    TRY(add_joint(t, "weld", bars[0], NULL, A, turn));
    TRY(add_joint(t, "hinge", bars[0], &bars[1], B, NULL));
    TRY(add_joint(t, "hinge", bars[1], &bars[2], C, NULL));
    TRY(add_joint(t, "hinge", bars[2], NULL, D, NULL));
    out->error = 0;
    int count = (int)(steps * 2 * PLI_PI / speed) + 1;
    for (int n = 1; n <= count; ++n) {
        TRY(pli_trial_steps(t, 1));
        pli_joint_info info;
        if (!pli_world_joint(t->world, 2, &info)) return pli_trial_wrong(t, "no joint");
        find_tip(speed * pli_world_time(t->world), B, C);
        out->error = fmax(out->error, hypot(info.place[0] - C[0], info.place[1] - C[1]) / crank);
        out->computed = info.place[0];
        out->exact = C[0];
    }
    return PLI_OK;
}

static const problem four_bar_rows[] = {
    {.name = "bdf2",
     .run = run_four_bar,
     .word = "bdf2",
     .exact = NAN,
     .tolerance = 1e-4,
     .resolution = {100, 400},
     .fast = 1},
};

#define FAMILY(list) .rows = list, .count = PLI_COUNT(list)
static const family families[] = {
    {.section = "J1",
     .title = "Period of a physical pendulum",
     .about = "A rigid bar of 1 m on a hinge, from rest at an angle. Exact: 4 K(sin(angle / 2)) "
              "sqrt(I / (m g d)).",
     .quantity = "period",
     .unit = "s",
     .axis = "steps per second",
     FAMILY(pendulum_rows)},
    {.section = "J2",
     .title = "Double pendulum",
     .about = "Two rigid bars of 1 m, from rest with the upper one level; x of the centre of the "
              "lower one after 2 s. Exact: Lagrange's equations by RK4. The error is the distance "
              "over 1 m.",
     .quantity = "x",
     .unit = "m",
     .axis = "steps per second",
     FAMILY(double_rows)},
    {.section = "J3",
     .title = "Four-bar linkage",
     .about = "A crank of 0.3 m turns at 2 rad/s and drives a coupler of 0.9 m and a rocker of 0.6 "
              "m; where these meet. Exact: two circles. The error is the largest over a turn, over "
              "the crank.",
     .quantity = "x",
     .unit = "m",
     .axis = "steps per second",
     FAMILY(four_bar_rows)},
};

const part pli_problems_joints = {"Joints", families, PLI_COUNT(families)};
