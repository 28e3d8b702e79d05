// What motion keeps and how long it takes (part B): momentum, angular momentum, energy, the spin
// that backward Euler eats, pendulums, and scenes that are turned as a whole.
#include "validation/motion.h"
#include "validation/problems.h"
#include "validation/schemes.h"

// ---- a square that turns, drifts and wobbles

enum { CELLS = 3, SQUARE_VERTICES = (CELLS + 1) * (CELLS + 1) };

// Of springs (`energy` "spring" or "hooke") or triangles; about 1 kg per vertex.
static pli_status make_wobbling(trial* t, const pli_world_def* def, const char* energy) {
    bool springs = strcmp(energy, "spring") == 0 || strcmp(energy, "hooke") == 0;
    TRY(pli_trial_world(t, def));
    TRY(pli_trial_empty_mesh(t));
    TRY(pli_mesh_add_rectangle(&t->mesh, 1, 1, CELLS, CELLS, springs ? PLI_SPRINGS : PLI_TRIANGLES,
                               &t->error));
    double velocities[3 * SQUARE_VERTICES] = {0};
    for (int v = 0; v < SQUARE_VERTICES; ++v) {
        const double* X = t->mesh.positions + 3 * v;
        velocities[3 * v] = 0.3 - 2 * X[1] + 0.2 * sin(3.0 * v);
        velocities[3 * v + 1] = -0.1 + 2 * X[0] + 0.2 * cos(5.0 * v);
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.velocities = velocities;
    body.density = 16;
    if (springs) body.vertex_mass = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting stiffness = {springs ? "stiffness" : "young", 500};
    TRY(pli_world_add_energy(t->world, id, energy, &stiffness, 1, NULL, &t->error));
    return pli_world_prepare(t->world, &t->error);
}

// p = sum m v and L = sum m x cross v, as p[0], p[1], L.
static void momentum(const pli_world* world, double out[3]) {
    const double *x = pli_world_positions(world), *u = pli_world_velocities(world),
                 *mass = pli_world_vertex_masses(world);
    out[0] = out[1] = out[2] = 0;
    for (int v = 0; v < pli_world_vertex_count(world); ++v) {
        for (int c = 0; c < 2; ++c) out[c] += mass[v] * u[3 * v + c];
        out[2] += mass[v] * (x[3 * v] * u[3 * v + 1] - x[3 * v + 1] * u[3 * v]);
    }
}

static bool is_explicit(const char* scheme) {
    static const char* const names[] = {"forward-euler", "symplectic-euler", "leapfrog", "rk4",
                                        "exponential"};
    for (int i = 0; i < PLI_COUNT(names); ++i)
        if (strcmp(names[i], scheme) == 0) return true;
    return false;
}

// Momentum and angular momentum before and after a run of 100 steps (25 of bdf3 and higher, which
// gain energy), and the largest change of momentum on the way.
typedef struct drift {
    double first[3], last[3], worst; // [kg m/s], [kg m^2/s]
} drift;

static pli_status find_drift(trial* t, const char* scheme, const char* energy, drift* d) {
    pli_world_def def = pli_trial_def(2, scheme);
    bool history = pli_bdf_steps(scheme) > 2;
    def.time_step = is_explicit(scheme) ? 0.002 : 0.02; // stable: omega is 60 / s at most
    def.thread_count = 1;
    if (history || strcmp(energy, "neo-hookean") == 0)
        def.solver.tolerance = 1e-8; // what rounding lets them reach
    TRY(make_wobbling(t, &def, energy));
    momentum(t->world, d->first);
    d->worst = 0;
    for (int n = 0; n < (history ? 25 : 100); ++n) {
        TRY(pli_trial_steps(t, 1));
        momentum(t->world, d->last);
        d->worst = fmax(d->worst, hypot(d->last[0] - d->first[0], d->last[1] - d->first[1]));
    }
    return PLI_OK;
}

static pli_status run_momentum(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    static const char* const energies[] = {"neo-hookean", "hooke", "spring"};
    // the midpoint and the averaged vector field refuse energies that forbid states
    bool refuses = strcmp(row->word, "implicit-midpoint") == 0 ||
                   strcmp(row->word, "averaged-vector-field") == 0;
    double worst = 0;
    for (int e = refuses; e < 3; ++e) {
        drift d;
        TRY(find_drift(t, row->word, energies[e], &d));
        out->exact = hypot(d.first[0], d.first[1]);
        out->computed = hypot(d.last[0], d.last[1]);
        worst = fmax(worst, d.worst / out->exact);
    }
    out->error = worst;
    return PLI_OK;
}

// Newton's directions keep momentum whatever the solver's tolerance: rounding is left. bdf3 and
// higher start with tiny steps h and know speeds to rounding / h only.
#define MOMENTUM(s, limit)                                                                         \
    {                                                                                              \
        .name = s, .run = run_momentum, .word = s, .exact = NAN, .tolerance = limit,               \
        .resolution = {1}, .fast = 1                                                               \
    }
static const problem momentum_rows[] = {
    MOMENTUM("forward-euler", 1e-11), MOMENTUM("symplectic-euler", 1e-11),
    MOMENTUM("leapfrog", 1e-11),      MOMENTUM("rk4", 1e-11),
    MOMENTUM("exponential", 1e-11),   MOMENTUM("backward-euler", 1e-11),
    MOMENTUM("newmark", 1e-11),       MOMENTUM("implicit-midpoint", 1e-11),
    MOMENTUM("bdf2", 1e-11),          MOMENTUM("bdf3", 1e-8),
    MOMENTUM("bdf4", 1e-8),           MOMENTUM("bdf5", 1e-8),
    MOMENTUM("bdf6", 1e-8),           MOMENTUM("averaged-vector-field", 1e-11),
};

static pli_status run_spin(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    static const char* const energies[] = {"hooke", "spring"};
    double worst = 0;
    for (int e = 0; e < 2; ++e) {
        drift d;
        TRY(find_drift(t, "backward-euler", energies[e], &d));
        if (!(d.first[2] - d.last[2] > 0.1))
            return pli_trial_wrong(t, "backward Euler should lose angular momentum here");
        TRY(find_drift(t, row->word, energies[e], &d));
        out->exact = d.first[2];
        out->computed = d.last[2];
        worst = fmax(worst, fabs(out->computed / out->exact - 1));
    }
    out->error = worst;
    return PLI_OK;
}

// 100 steps, of the midpoint solved to 1e-11 m/s.
#define SPIN(s)                                                                                    \
    {                                                                                              \
        .name = s, .run = run_spin, .word = s, .exact = NAN, .tolerance = 1e-10,                   \
        .resolution = {1}, .fast = 1                                                               \
    }
static const problem spin_rows[] = {SPIN("implicit-midpoint"), SPIN("symplectic-euler"),
                                    SPIN("leapfrog")};

// ---- a chain of linear springs that moves along itself

enum { LINKS = 12 };

static pli_status make_chain(trial* t, const char* scheme, double h) {
    pli_world_def def = pli_trial_def(2, scheme);
    def.time_step = h;
    def.thread_count = 1;
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    const double a[3] = {0, 0, 0}, b[3] = {LINKS, 0, 0};
    TRY(pli_mesh_add_line(&t->mesh, a, b, LINKS, &t->error));
    double initial[3 * (LINKS + 1)], velocities[3 * (LINKS + 1)] = {0};
    memcpy(initial, t->mesh.positions, sizeof initial);
    for (int v = 0; v <= LINKS; ++v) {
        initial[3 * v] += 0.05 * sin(2.0 * v);
        velocities[3 * v] = 0.3 * cos(3.0 * v);
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.initial = initial;
    body.velocities = velocities;
    body.vertex_mass = 0.5;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting k = {"stiffness", 40};
    TRY(pli_world_add_energy(t->world, id, "hooke", &k, 1, NULL, &t->error));
    return pli_world_prepare(t->world, &t->error);
}

// Steps up to half a period of the stiffest mode: omega = 2 sqrt(k / m) = 17.9 / s. `number[0]`: it
// must not rise at all and must fall below a half, instead of staying.
static pli_status run_energy(const problem* row, double steps, trial* t, outcome* out) {
    TRY(make_chain(t, row->word, 1 / steps));
    double first = pli_trial_stored(t), before = first, change = 0, rise = 0;
    for (int n = 0; n < 500; ++n) {
        TRY(pli_trial_steps(t, 1));
        out->computed = pli_trial_stored(t);
        change = fmax(change, fabs(out->computed - first));
        rise = fmax(rise, out->computed - before);
        before = out->computed;
    }
    out->exact = first;
    out->error = (row->number[0] > 0 ? rise : change) / first;
    if (row->number[0] == 0) return PLI_OK;
    if (!(before < 0.5 * first)) return pli_trial_wrong(t, "no half of the energy is lost");
    out->computed = rise;
    out->exact = 0;
    return PLI_OK;
}

// 1e-11 m/s, 500 times; a rise may be rounding.
#define ENERGY(text, s, monotone, limit, steps)                                                    \
    {                                                                                              \
        .name = text, .run = run_energy, .word = s, .number = {monotone}, .exact = NAN,            \
        .tolerance = limit, .resolution = {steps}, .fast = 1                                       \
    }
#define ENERGIES(s, monotone, limit)                                                               \
    ENERGY(s ", h = 0.18 s", s, monotone, limit, 1 / 0.18),                                        \
        ENERGY(s ", h = 0.05 s", s, monotone, limit, 20),                                          \
        ENERGY(s ", h = 0.01 s", s, monotone, limit, 100)
static const problem energy_rows[] = {ENERGIES("newmark", 0, 1e-9),
                                      ENERGIES("implicit-midpoint", 0, 1e-9),
                                      ENERGIES("averaged-vector-field", 0, 1e-9)};
static const problem monotone_rows[] = {ENERGIES("backward-euler", 1, 1e-12)};

// ---- free rotation under backward Euler: two masses on a rod, and a stiff cube

pli_status pli_trial_dumbbell(trial* t, double h, double omega) {
    pli_world_def def = pli_trial_def(2, "backward-euler");
    def.time_step = h;
    def.solver.tolerance = 1e-9; // what rounding of the stiff rod lets it reach
    def.thread_count = 1;
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    const double a[3] = {-1, 0, 0}, b[3] = {1, 0, 0};
    TRY(pli_mesh_add_line(&t->mesh, a, b, 1, &t->error));
    double angle = h * omega, u = (1 - cos(angle)) / h, v = sin(angle) / h;
    const double velocities[6] = {-u, -v, 0, u, v, 0};
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.velocities = velocities;
    body.vertex_mass = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting k = {"stiffness", 1e9}; // gets longer by 4e-8
    return pli_world_add_energy(t->world, id, "hooke", &k, 1, NULL, &t->error);
}

// A cube of side 1 m and E = 1e12 Pa in space, which turned about z in the step before.
static pli_status make_spinning_cube(trial* t, double h, double omega) {
    pli_world_def def = pli_trial_def(3, "backward-euler");
    def.time_step = h;
    def.solver.tolerance = 1e-9; // what rounding of stiff forces lets it reach
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    const double size[3] = {1, 1, 1};
    const int segments[3] = {2, 2, 2};
    TRY(pli_mesh_add_box(&t->mesh, size, segments, &t->error));
    TRY(pli_trial_room(t));
    double angle = h * omega, u = (1 - cos(angle)) / h, w = sin(angle) / h;
    for (int v = 0; v < t->mesh.vertex_count; ++v) { // (x - R(-angle) x) / h
        const double* X = t->mesh.positions + 3 * v;
        t->room[3 * v] = u * X[0] - w * X[1];
        t->room[3 * v + 1] = w * X[0] + u * X[1];
        t->room[3 * v + 2] = 0;
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.velocities = t->room;
    body.mass = "even"; // as symmetric as the cube: z is a principal axis
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting settings[2] = {{"young", 1e12}, {"poisson", 0.3}};
    return pli_world_add_energy(t->world, id, "fixed-corotated", settings, 2, NULL, &t->error);
}

// Angle of the last vertex, which is a corner of the cube or an end of the rod.
static double angle_now(const trial* t) {
    const double* x = pli_world_positions(t->world) + 3 * (pli_world_vertex_count(t->world) - 1);
    return atan2(x[1], x[0]);
}

// D' = atan(sin D / (2 - cos D)) for the angle D of a step. `number`: seconds, cube.
static pli_status run_decay(const problem* row, double steps, trial* t, outcome* out) {
    const double h = 1 / steps, omega = 2 * PLI_PI;
    bool cube = row->number[1] > 0;
    TRY(cube ? make_spinning_cube(t, h, omega) : pli_trial_dumbbell(t, h, omega));
    TRY(pli_world_prepare(t->world, &t->error));
    double expected = h * omega, before = angle_now(t), worst = 0;
    for (int n = 0; n < (int)lround(row->number[0] * steps); ++n) {
        TRY(pli_trial_steps(t, 1));
        double angle = angle_now(t), turned = remainder(angle - before, 2 * PLI_PI);
        expected = atan(sin(expected) / (2 - cos(expected)));
        worst = fmax(worst, fabs(turned / expected - 1));
        before = angle;
        out->computed = turned / h;
    }
    out->exact = expected / h;
    out->error = worst;
    return PLI_OK;
}

// The rod and the cube are not quite stiff: they stretch by (omega h)^2-times 1e-8.
static const problem decay_rows[] = {
    {.name = "rod, after 1 s (4.69608)",
     .run = run_decay,
     .number = {1},
     .exact = NAN,
     .tolerance = 1e-6,
     .resolution = {100},
     .fast = 1},
    {.name = "rod, after 10 s (2.10638)",
     .run = run_decay,
     .number = {10},
     .exact = NAN,
     .tolerance = 1e-6,
     .resolution = {100},
     .fast = 1},
    {.name = "stiff cube, after 1 s",
     .run = run_decay,
     .number = {1, 1},
     .exact = NAN,
     .tolerance = 1e-6,
     .resolution = {100},
     .fast = 1},
};

// ---- pendulum: a mass on a stiff rod of 1 m, from rest at `number[0]` degrees

// T = 4 sqrt(L / g) K(k), k = sin(angle / 2); K = pi / (2 M(1, k')) by the arithmetic-geometric
// mean M, k' = cos(angle / 2).
static double pendulum_period(double angle) {
    double a = 1, b = cos(angle / 2);
    for (int i = 0; i < 8; ++i) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * PLI_PI / a / sqrt(9.81);
}

// The time between two passes of the middle from right to left.
static pli_status run_pendulum(const problem* row, double steps, trial* t, outcome* out) {
    double h = 1 / steps, angle = row->number[0] * PLI_PI / 180;
    pli_world_def def = pli_trial_def(2, row->word);
    def.time_step = h;
    def.gravity[1] = -9.81;
    def.solver.tolerance = 1e-9;
    def.thread_count = 1;
    TRY(pli_trial_world(t, &def));
    const double origin[3] = {0}, end[3] = {sin(angle), -cos(angle), 0};
    TRY(pli_mesh_add_line(&t->mesh, origin, end, 1, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting k = {"stiffness", 1e8}; // longer by up to 3e-7 at 90 degrees
    TRY(pli_world_add_energy(t->world, id, "hooke", &k, 1, NULL, &t->error));
    TRY(pli_trial_fix(t, id, pli_fix_all_at_x_0));
    double before = end[0], passes[2] = {0};
    int count = 0;
    for (int n = 1; n <= 3.5 * steps && count < 2; ++n) {
        TRY(pli_trial_steps(t, 1));
        double now = pli_world_positions(t->world)[3];
        if (before >= 0 && now < 0) passes[count++] = (n - 1 + before / (before - now)) * h;
        before = now;
    }
    if (count < 2) return pli_trial_wrong(t, "it does not swing");
    out->computed = passes[1] - passes[0];
    out->exact = pendulum_period(angle);
    return PLI_OK;
}

// (omega h)^2 / 12 of the trapezoid is 5e-6 at 400 steps per second; bdf2 loses four times that and
// some amplitude.
#define PENDULUM(s, degrees)                                                                       \
    {                                                                                              \
        .name = s ", " #degrees " degrees", .run = run_pendulum, .word = s, .number = {degrees},   \
        .exact = NAN, .tolerance = 1e-4, .fine_tolerance = 2e-5, .resolution = {200, 400, 800},    \
        .fast = 2, .order = 2, .order_tolerance = 0.1                                              \
    }
#define PENDULUMS(s) PENDULUM(s, 10), PENDULUM(s, 60), PENDULUM(s, 90)
static const problem pendulum_rows[] = {PENDULUMS("newmark"), PENDULUMS("bdf2"),
                                        PENDULUMS("implicit-midpoint")};

// ---- a scene that is turned as a whole moves as before, turned

// R = a turn by 1 rad about (1, 2, 3) / |.|, by Rodrigues' formula.
static void turn(const double x[3], bool turned, double out[3]) {
    memcpy(out, x, 3 * sizeof *out);
    if (!turned) return;
    const double k[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)}, c = cos(1), s = sin(1);
    double along = (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]) * (1 - c);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        out[i] = c * x[i] + s * (k[j] * x[l] - k[l] * x[j]) + along * k[i];
    }
}

// A bar clamped at one end swings under gravity and a push for 20 steps of 0.02 s.
static pli_status swing_bar(trial* t, const char* type, bool turned) {
    pli_world_def def = pli_trial_def(3, "backward-euler");
    const double gravity[3] = {1, -9.81, 2};
    def.time_step = 0.02;
    def.solver.tolerance = 1e-10;
    turn(gravity, turned, def.gravity);
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_bar(t, 0.2, 5, 1, false));
    pli_fix_def fix = pli_default_fix_def();
    static const int32_t clamped[4] = {0, 1, 2, 3}; // at x = 0
    fix.vertices = clamped;
    fix.vertex_count = 4;
    TRY(pli_trial_room(t));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double* X = t->mesh.positions + 3 * v;
        const double push[3] = {0, X[0], 3 * X[0] * X[0]}, rest[3] = {X[0], X[1], X[2]};
        turn(push, turned, t->room + 3 * v);
        turn(rest, turned, X);
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.velocities = t->room;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting settings[2] = {{"young", 1e5}, {"poisson", 0.3}};
    TRY(pli_world_add_energy(t->world, id, type, settings, 2, NULL, &t->error));
    TRY(pli_world_fix(t->world, id, &fix, NULL, &t->error));
    return pli_trial_steps(t, 20);
}

static pli_status run_turned(const problem* row, double resolution, trial* t, outcome* out) {
    (void)resolution;
    enum { VERTICES = 24 };
    double first[3 * VERTICES], expected[3];
    TRY(swing_bar(t, row->word, false));
    if (pli_world_vertex_count(t->world) != VERTICES) return pli_trial_wrong(t, "another mesh");
    memcpy(first, pli_world_positions(t->world), sizeof first);
    double moved = 0, worst = 0;
    for (int i = 0; i < 3 * VERTICES; ++i)
        moved = fmax(moved, fabs(first[i] - pli_world_rest_positions(t->world)[i]));
    if (!(moved > 0.2)) return pli_trial_wrong(t, "it moves by %g m only", moved);
    TRY(swing_bar(t, row->word, true));
    for (int v = 0; v < VERTICES; ++v) {
        turn(first + 3 * v, true, expected);
        for (int c = 0; c < 3; ++c)
            worst = fmax(worst, fabs(pli_world_positions(t->world)[3 * v + c] - expected[c]));
    }
    out->computed = worst;
    out->exact = 0;
    return PLI_OK;
}

// 20 steps solved to 1e-10 m/s.
#define TURNED(type)                                                                               \
    {                                                                                              \
        .name = type, .run = run_turned, .word = type, .exact = 0, .tolerance = 1e-9,              \
        .resolution = {1}, .fast = 1                                                               \
    }
static const problem turned_rows[] = {TURNED("neo-hookean"), TURNED("stable-neo-hookean"),
                                      TURNED("fixed-corotated"), TURNED("st-venant-kirchhoff")};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "B",
     .title = "Linear momentum",
     .about = "A free square that drifts, turns and wobbles, of springs, Hooke's springs and "
              "neo-Hookean triangles (not with the midpoint, which refuses them). Shown: momentum "
              "after 100 steps; error: its largest change.",
     .quantity = "momentum",
     .unit = "kg m/s",
     FAMILY(momentum_rows)},
    {.section = "B",
     .title = "Angular momentum",
     .about = "The same square of springs. Backward Euler must lose some.",
     .quantity = "angular momentum",
     .unit = "kg m^2/s",
     FAMILY(spin_rows)},
    {.section = "B",
     .title = "Energy of a linear chain",
     .about = "Twelve linear springs in a line, 500 steps up to half a period of the stiffest "
              "mode: the energy stays. Error: its largest change.",
     .quantity = "energy",
     .unit = "J",
     FAMILY(energy_rows)},
    {.section = "B",
     .title = "Energy under backward Euler",
     .about = "The same chain: the energy never rises, and more than half of it is lost.",
     .quantity = "largest rise in a step",
     .unit = "J",
     FAMILY(monotone_rows)},
    {.section = "B",
     .title = "Free rotation under backward Euler",
     .about = "Two masses on a stiff rod, and a stiff cube of tetrahedra in space, at first 2 pi / "
              "s, h = 0.01 s. The angle D of a step obeys D' = atan(sin D / (2 - cos D)): about "
              "omega / sqrt(1 + 2 h omega^2 t). Error: the worst of all steps.",
     .quantity = "omega",
     .unit = "1/s",
     FAMILY(decay_rows)},
    {.section = "B",
     .title = "Pendulum",
     .about = "A mass on a stiff rod of 1 m, from rest. Exact: 4 sqrt(L / g) K(sin(angle / 2)).",
     .quantity = "period",
     .unit = "s",
     .axis = "steps per second",
     .picture = "pendulum",
     FAMILY(pendulum_rows)},
    {.section = "C12",
     .title = "Rotation of the whole scene",
     .about = "A swinging bar, and the same scene turned by 1 rad about (1, 2, 3), gravity, start "
              "and support included: the result must be the turned result.",
     .quantity = "largest distance",
     .unit = "m",
     FAMILY(turned_rows)},
};

const part pli_problems_motion = {"Motion", families, PLI_COUNT(families)};
