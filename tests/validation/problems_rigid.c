// Affine and rigid bodies: free rotation, slopes, rolling, collisions, the modulus of an affine
// body.
#include "validation/problems.h"

#include <string.h>

static const double g = 9.81; // [m/s^2]

// A body of the trial's mesh.
static pli_status add_body(trial* t, const char* kinematics, const double* velocities,
                           pli_body_id* id) {
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.kinematics = kinematics;
    body.velocities = velocities;
    return pli_world_add_body(t->world, &body, id, &t->error);
}

// A box with spin about its centre, in free flight.
static pli_status add_spinning_box(trial* t, const double size[3], const double spin[3], double h,
                                   const char* scheme) {
    const int cells[3] = {1, 1, 1};
    pli_world_def def = pli_trial_def(3, scheme);
    def.time_step = h;
    TRY(pli_trial_world(t, &def));
    TRY(pli_mesh_add_box(&t->mesh, size, cells, &t->error));
    TRY(pli_trial_room(t));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        const double* x = t->mesh.positions + 3 * v;
        t->room[3 * v] = spin[1] * x[2] - spin[2] * x[1];
        t->room[3 * v + 1] = spin[2] * x[0] - spin[0] * x[2];
        t->room[3 * v + 2] = spin[0] * x[1] - spin[1] * x[0];
    }
    pli_body_id id;
    TRY(add_body(t, "rigid", t->room, &id));
    return pli_world_prepare(t->world, &t->error);
}

static double length_of(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

// ---- free rotation

static const double box[3] = {0.1, 0.2, 0.3};

// |L| after a second, over that of the rigid box.
static pli_status run_spin(const problem* row, double steps, trial* t, outcome* out) {
    const double spin[3] = {3, 4, 2}, mass = 1000 * box[0] * box[1] * box[2];
    double L[3];
    for (int a = 0; a < 3; ++a) {
        double b = box[(a + 1) % 3], c = box[(a + 2) % 3];
        L[a] = mass / 12 * (b * b + c * c) * spin[a];
    }
    TRY(add_spinning_box(t, box, spin, 1 / steps, row->word));
    TRY(pli_trial_steps(t, (int)steps));
    out->computed = length_of(pli_world_body_summary(t->world, 0, NULL).angular);
    out->exact = length_of(L);
    return PLI_OK;
}

static const problem spin_rows[] = {
    {.name = "implicit midpoint",
     .run = run_spin,
     .word = "implicit-midpoint",
     .exact = NAN,
     .tolerance = 1e-6,
     .resolution = {200, 400},
     .fast = 1},
};

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

// 4 K(k) / n of the motion about the intermediate axis, Landau and Lifshitz, Mechanics, section 37,
// I[0] < I[1] < I[2].
static double flip_period(const double I[3], const double w[3]) {
    double twice = 0, square = 0, one = I[0], three = I[2];
    for (int a = 0; a < 3; ++a) {
        twice += I[a] * w[a] * w[a];
        square += I[a] * I[a] * w[a] * w[a];
    }
    if (square < twice * I[1]) one = I[2], three = I[0];
    double n = sqrt((three - I[1]) * (square - twice * one) / (one * I[1] * three));
    double k =
        sqrt((I[1] - one) * (twice * three - square) / ((three - I[1]) * (square - twice * one)));
    return 4 * elliptic(k) / n;
}

// Where L . e changes its sign, e the intermediate axis of the body.
static pli_status run_flip(const problem* row, double steps, trial* t, outcome* out) {
    (void)row;
    const double size[3] = {0.3, 0.2, 0.1}, spin[3] = {0.3, 10, 0.1};
    double I[3], h = 1 / steps, before = 0, first = NAN;
    for (int a = 0; a < 3; ++a) {
        double b = size[(a + 1) % 3], c = size[(a + 2) % 3];
        I[a] = (b * b + c * c) / 12; // the smallest about x, the largest about z
    }
    TRY(add_spinning_box(t, size, spin, h, "implicit-midpoint"));
    int low = 0, high = 0;
    for (int v = 0; v < 8; ++v) { // two ends of an edge along y
        const double *x = t->mesh.positions + 3 * v, *o = t->mesh.positions;
        if (x[0] == o[0] && x[2] == o[2] && x[1] > o[1]) high = v;
    }
    out->exact = flip_period(I, spin);
    for (int n = 1; n * h < 3 * out->exact; ++n) {
        TRY(pli_trial_steps(t, 1));
        pli_body_summary s = pli_world_body_summary(t->world, 0, NULL);
        const double* x = pli_world_positions(t->world);
        double along = 0;
        for (int c = 0; c < 3; ++c) along += s.angular[c] * (x[3 * high + c] - x[3 * low + c]);
        if (n > 1 && along * before < 0) {
            double time = h * (n - along / (along - before));
            if (!isnan(first)) {
                out->computed = 2 * (time - first);
                return PLI_OK;
            }
            first = time;
        }
        before = along;
    }
    return pli_trial_wrong(t, "the body did not turn over twice");
}

static const problem flip_rows[] = {
    {.name = "box 3 : 2 : 1",
     .run = run_flip,
     .exact = NAN,
     .tolerance = 1e-2,
     .fine_tolerance = 1e-3,
     .resolution = {200, 400, 800},
     .fast = 1},
};

// ---- slopes

// On y = 0 with gravity leaning towards x.
static pli_world_def slope_def(double h, double tangent, double eps_v) {
    pli_world_def def = pli_trial_def(3, "backward-euler");
    double c = 1 / sqrt(1 + tangent * tangent);
    def.time_step = h;
    def.gravity[0] = g * c * tangent;
    def.gravity[1] = -g * c;
    def.contact.dhat = 1e-3;
    def.contact.friction_speed = eps_v;
    def.contact.friction_iterations = 0;
    def.solver.tolerance = 0.01 * eps_v;
    return def;
}

// A rigid body of the trial's mesh, moved up.
static pli_status add_on_ground(trial* t, double mu, double height, const pli_body_def* given) {
    pli_body_def body = *given;
    body.mesh = &t->mesh;
    body.kinematics = "rigid";
    for (int i = 0; i < t->mesh.vertex_count; ++i) t->mesh.positions[3 * i + 1] += height;
    TRY(pli_world_add_body(t->world, &body, NULL, &t->error));
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = mu;
    return pli_world_add_half_space(t->world, &ground, NULL, &t->error);
}

// Acceleration down the slope; or, where it sticks, speed over eps_v.
static pli_status run_slope(const problem* row, double steps, trial* t, outcome* out) {
    const double mu = row->number[0], eps_v = 1e-4, h = 1 / steps, size[3] = {0.3, 0.1, 0.2};
    const int cells[3] = {2, 1, 2}, n = (int)steps / 2;
    pli_world_def def = slope_def(h, 0.5, eps_v);
    pli_body_def body = pli_default_body_def();
    TRY(pli_trial_world(t, &def));
    TRY(pli_mesh_add_box(&t->mesh, size, cells, &t->error));
    TRY(add_on_ground(t, mu, 0.5 * size[1] + 9e-4, &body));
    TRY(pli_trial_steps(t, n)); // until it has settled
    pli_body_summary start = pli_world_body_summary(t->world, 0, NULL);
    TRY(pli_trial_steps(t, n));
    pli_body_summary end = pli_world_body_summary(t->world, 0, NULL);
    out->computed = mu < 0.5 ? (end.velocity[0] - start.velocity[0]) / (n * h)
                             : (end.centre[0] - start.centre[0]) / (n * h) / eps_v;
    out->exact = mu < 0.5 ? g * (0.5 - mu) / sqrt(1.25) : 1 - sqrt(1 - 0.5 / mu);
    return PLI_OK;
}

static const problem slope_rows[] = {
    {.name = "mu 0.49: slides",
     .run = run_slope,
     .number = {0.49},
     .exact = NAN,
     .tolerance = 1e-2,
     .resolution = {200},
     .fast = 1},
    {.name = "mu 0.505: creeps, over eps_v",
     .run = run_slope,
     .number = {0.505},
     .exact = NAN,
     .tolerance = 1e-2,
     .resolution = {200},
     .fast = 1},
};

// ---- rolling

// Shapes that roll along x, of this radius.
typedef struct roller {
    const char* name;
    double inertia; // over m r^2
    pli_status (*make)(trial* t, double radius, int resolution, pli_body_def* body);
} roller;

static pli_status make_ball(trial* t, double radius, int resolution, pli_body_def* body) {
    (void)body;
    return pli_mesh_add_ball(&t->mesh, radius, resolution, &t->error);
}

// The axis of tubes is x, that of rolling z.
static pli_status make_tube(trial* t, double radius, int resolution, pli_tube_ends ends) {
    TRY(pli_mesh_add_tube(&t->mesh, radius, radius, resolution, 1, ends, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double *x = t->mesh.positions + 3 * v, along = x[0];
        x[0] = x[1], x[1] = x[2], x[2] = along;
    }
    return PLI_OK;
}
static pli_status make_cylinder(trial* t, double radius, int resolution, pli_body_def* body) {
    (void)body;
    return make_tube(t, radius, resolution, PLI_ENDS_FLAT);
}
static pli_status make_hoop(trial* t, double radius, int resolution, pli_body_def* body) {
    body->thickness = 0.01 * radius;
    return make_tube(t, radius, resolution, PLI_ENDS_OPEN);
}

static const roller rollers[] = {
    {"ball", 0.4, make_ball}, {"cylinder", 0.5, make_cylinder}, {"hoop", 1, make_hoop}};

// A body of inertia c m r^2 goes a t^2 / 2 with a = g sin / (1 + c).
static pli_status run_rolling(const problem* row, double resolution, trial* t, outcome* out) {
    const double tangent = row->number[0], h = 1e-3, radius = 0.1, end = 0.4;
    pli_world_def def = slope_def(h, tangent, 1e-3);
    const roller* r = rollers;
    while (strcmp(r->name, row->word) != 0) ++r;
    def.scheme = "bdf2"; // backward Euler slows rotation
    def.contact.friction_iterations = 1;
    def.solver.tolerance = 1e-4;
    TRY(pli_trial_world(t, &def));
    pli_body_def body = pli_default_body_def();
    TRY(r->make(t, radius, (int)resolution, &body));
    TRY(add_on_ground(t, 0.5, radius + 9e-4, &body));
    TRY(pli_world_prepare(t->world, &t->error));
    double start = pli_world_body_summary(t->world, 0, NULL).centre[0];
    TRY(pli_trial_steps(t, (int)(end / h + 0.5)));
    double way = pli_world_body_summary(t->world, 0, NULL).centre[0] - start;
    out->computed = 2 * way / (end * end);
    out->exact = g * tangent / sqrt(1 + tangent * tangent) / (1 + r->inertia);
    return PLI_OK;
}

#define ROLLS(word_, ...)                                                                          \
    {                                                                                              \
        .name = word_ ", tan 0.3, mu 0.5", .run = run_rolling, .word = word_, .number = {0.3},     \
        .exact = NAN, .tolerance = 1e-2, .resolution = {__VA_ARGS__}, .fast = 1                    \
    }
static const problem rolling_rows[] = {
    ROLLS("ball", 8, 12),
    ROLLS("cylinder", 12, 16),
    ROLLS("hoop", 12, 16),
};

// ---- a plate that leans

// A plate in the plane leans against a smooth wall. Its weight W at the middle and the push H of
// the wall balance about the foot: H = W dx / dy, so it stands if mu is at least dx / dy of the
// places where they act. Above that the foot creeps with 1 - sqrt(1 - dx / dy / mu) of
// friction_speed; with less friction it slides.
static pli_status run_leaning(const problem* row, double steps, trial* t, outcome* out) {
    const double eps_v = 1e-4, h = 1 / steps, length = 1, width = 0.04, gap = 9e-4;
    const double angle = 0.5, s = sin(angle), c = cos(angle); // from the vertical
    const int n = (int)steps / 4;
    pli_world_def def = slope_def(h, 0, eps_v);
    def.dimension = 2;
    TRY(pli_trial_world(t, &def));
    TRY(pli_mesh_add_rectangle(&t->mesh, width, length, 1, 1, PLI_TRIANGLES, &t->error));
    double low[2] = {0, HUGE_VAL}, high[2] = {-HUGE_VAL, 0};
    for (int v = 0; v < t->mesh.vertex_count; ++v) { // its head leans towards x
        double *x = t->mesh.positions + 3 * v, y = c * x[1] - s * x[0];
        x[0] = c * x[0] + s * x[1];
        x[1] = y;
        if (y < low[1]) low[0] = x[0], low[1] = y;
        if (x[0] > high[0]) high[0] = x[0], high[1] = y;
    }
    double critical = -low[0] / (high[1] - low[1]), mu = critical * row->number[0];
    pli_body_def body = pli_default_body_def();
    TRY(add_on_ground(t, mu, gap - low[1], &body));
    pli_half_space_def wall = pli_default_half_space_def();
    wall.point[0] = high[0] + gap;
    wall.normal[0] = -1, wall.normal[1] = 0;
    TRY(pli_world_add_half_space(t->world, &wall, NULL, &t->error));
    TRY(pli_trial_steps(t, n)); // until it has settled
    double start = pli_world_body_summary(t->world, 0, NULL).low[0];
    TRY(pli_trial_steps(t, n));
    double speed = (start - pli_world_body_summary(t->world, 0, NULL).low[0]) / (n * h);
    bool stands = row->number[0] >= 1;
    out->computed = stands ? speed / eps_v : speed > 100 * eps_v;
    out->exact = stands ? 1 - sqrt(1 - 1 / row->number[0]) : 1;
    return PLI_OK;
}

static const problem leaning_rows[] = {
    {.name = "2 % above: creeps, over eps_v",
     .run = run_leaning,
     .number = {1.02},
     .exact = NAN,
     .tolerance = 2e-2,
     .resolution = {200},
     .fast = 1},
    {.name = "2 % below: 1 if it falls",
     .run = run_leaning,
     .number = {0.98},
     .exact = NAN,
     .tolerance = 1e-12,
     .resolution = {200},
     .fast = 1},
};

// ---- collisions

// The change of the momentum of two boxes that collide off their centres, over that of one.
static pli_status run_collision(const problem* row, double steps, trial* t, outcome* out) {
    const double size[3] = {0.1, 0.1, 0.1}, speed = 2;
    const int cells[3] = {1, 1, 1};
    pli_world_def def = pli_trial_def(3, row->word);
    def.time_step = 1 / steps;
    def.contact.bodies = true;
    def.contact.dhat = 1e-3;
    def.solver.tolerance = 1e-8;
    TRY(pli_trial_world(t, &def));
    for (int b = 0; b < 2; ++b) {
        TRY(pli_trial_empty_mesh(t));
        TRY(pli_mesh_add_box(&t->mesh, size, cells, &t->error));
        TRY(pli_trial_room(t));
        for (int v = 0; v < t->mesh.vertex_count; ++v) {
            t->mesh.positions[3 * v] += 0.12 * b;
            t->mesh.positions[3 * v + 1] += 0.06 * b;
            t->mesh.positions[3 * v + 2] += 0.03 * b;
            t->room[3 * v] = b == 0 ? speed : 0;
            t->room[3 * v + 1] = t->room[3 * v + 2] = 0;
        }
        pli_body_id id;
        TRY(add_body(t, "rigid", t->room, &id));
    }
    TRY(pli_trial_steps(t, (int)(0.1 * steps)));
    pli_body_summary all = pli_world_body_summary(t->world, -1, NULL);
    if (!(pli_world_body_summary(t->world, 1, NULL).velocity[0] > 0.1))
        return pli_trial_wrong(t, "the boxes did not collide");
    out->computed = all.momentum[0];
    out->exact = speed; // 1 kg
    out->error = length_of((double[3]){all.momentum[0] - speed, all.momentum[1], all.momentum[2]});
    return PLI_OK;
}

static const problem collision_rows[] = {
    {.name = "backward Euler",
     .run = run_collision,
     .word = "backward-euler",
     .exact = NAN,
     .tolerance = 1e-6, // what the net forces that Newton leaves add up to
     .resolution = {200},
     .fast = 1},
    {.name = "newmark",
     .run = run_collision,
     .word = "newmark",
     .exact = NAN,
     .tolerance = 1e-6,
     .resolution = {1000},
     .fast = 1},
};

// ---- the modulus of an affine body

// A bar pulled at both ends: stress over strain, over kappa.
static pli_status run_modulus(const problem* row, double resolution, trial* t, outcome* out) {
    (void)row;
    (void)resolution;
    const double size[3] = {1, 0.1, 0.1}, force = 1e4;
    const int cells[3] = {4, 1, 1};
    pli_world_def def = pli_trial_def(3, "static");
    TRY(pli_trial_world(t, &def));
    TRY(pli_mesh_add_box(&t->mesh, size, cells, &t->error));
    pli_body_id id;
    TRY(add_body(t, "affine", NULL, &id));
    double kappa = pli_default_body_def().affine_stiffness;
    for (int side = -1; side <= 1; side += 2) {
        int32_t ends[8];
        pli_load_def load = pli_default_load_def();
        load.vertices = ends;
        for (int32_t v = 0; v < t->mesh.vertex_count; ++v)
            if (side * t->mesh.positions[3 * v] > 0.49) ends[load.vertex_count++] = v;
        load.kind = "force";
        load.value[0] = side * force;
        TRY(pli_world_add_load(t->world, id, &load, NULL, &t->error));
    }
    TRY(pli_trial_steps(t, 1));
    pli_body_summary s = pli_world_body_summary(t->world, 0, NULL);
    double strain = (s.high[0] - s.low[0]) / size[0] - 1;
    out->computed = force / (size[1] * size[2]) / strain / kappa;
    return PLI_OK;
}

static const problem modulus_rows[] = {
    {.name = "bar under tension",
     .run = run_modulus,
     .exact = 8,
     .tolerance = 1e-2,
     .resolution = {1},
     .fast = 1},
};

#define FAMILY(list) .rows = list, .count = PLI_COUNT(list)
static const family families[] = {
    {.section = "E1",
     .title = "Angular momentum of a free body",
     .about = "A rigid box of 0.1 x 0.2 x 0.3 m that spins freely for a second. Exact: that of the "
              "rigid box, constant.",
     .quantity = "|L|",
     .unit = "kg m^2/s",
     .axis = "steps per second",
     FAMILY(spin_rows)},
    {.section = "E2",
     .title = "Turning about the intermediate axis",
     .about = "A rigid box spins about its intermediate axis, 2 degrees off, and turns over again "
              "and again (Dzhanibekov). Exact: the period 4 K(k) / n of Euler's equations, by "
              "Jacobi's elliptic functions.",
     .quantity = "period",
     .unit = "s",
     .axis = "steps per second",
     FAMILY(flip_rows)},
    {.section = "E3",
     .title = "Rigid block on a slope",
     .about = "A rigid block on a slope of tan = 0.5, backward Euler. Exact: g (sin - mu cos), or "
              "where it sticks the creep 1 - sqrt(1 - tan / mu) of the smoothed friction, over "
              "friction_speed.",
     .quantity = "acceleration, or speed / eps_v",
     .unit = "",
     .axis = "steps per second",
     FAMILY(slope_rows)},
    {.section = "E4",
     .title = "Rolling down a slope",
     .about =
         "A rigid ball, a ball that is one vertex with a radius, a cylinder and a hoop of 0.1 m "
         "roll down a slope, bdf2, h = 1 ms: acceleration over 0.4 s. Exact: 5/7, 5/7, 2/3 and "
         "1/2 of g sin. The facets of the meshes disturb it.",
     .quantity = "acceleration",
     .unit = "m/s^2",
     .axis = "shells of the ball, rings of the others",
     FAMILY(rolling_rows)},
    {.section = "E5",
     .title = "Momentum of a collision",
     .about = "A rigid box of 1 kg hits another off its centre with 2 m/s. Exact: the momentum "
              "stays; the error is its change, as a vector [kg m/s].",
     .quantity = "momentum",
     .unit = "kg m/s",
     .axis = "steps per second",
     FAMILY(collision_rows)},
    {.section = "E6",
     .title = "Modulus of an affine body",
     .about = "An affine bar pulled at both ends, statics: Young's modulus over kappa. Exact: 8.",
     .quantity = "E / kappa",
     .unit = "",
     FAMILY(modulus_rows)},
    {.section = "E7",
     .title = "A plate that leans against a wall",
     .about =
         "A rigid plate in the plane leans against a smooth wall, 0.5 rad from the vertical. It "
         "needs the friction dx / dy of the places where weight and wall act about its foot. "
         "Exact: with 2 % more it stands, and creeps as on a slope; with 2 % less it falls.",
     .quantity = "speed / eps_v, or 1 if it falls",
     .unit = "",
     .axis = "steps per second",
     FAMILY(leaning_rows)},
};

const part pli_problems_rigid = {"Affine and rigid bodies", families, PLI_COUNT(families)};
