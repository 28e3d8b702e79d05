// What rigid bodies and joints cost as their number grows, on one thread in CPU seconds:
//
//     pliant_bench_stiff [--full]
//
// joints: a chain of hinged boxes, per link and direction, and the peak memory of the world per
// link. heap: side^3 boxes, turned at random, fall onto a plane with friction; per body and step.
// Lines at the end compare with the smallest size.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "pliant/pliant.h"

typedef struct reading {
    double seconds, memory; // CPU of the steps [s]; peak of the world [bytes]
    int directions, steps, contacts;
} reading;

static void fail(const pli_error* error) {
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

static pli_world* create(double tolerance, bool contact) {
    pli_error error = PLI_NO_ERROR;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.time_step = 0.01;
    def.gravity[2] = -9.81;
    def.thread_count = 1;
    def.solver.tolerance = tolerance;
    def.contact.bodies = contact;
    def.contact.dhat = 1e-3;
    def.contact.friction = contact ? 0.5 : 0;
    def.contact.friction_accuracy = 1e6;
    pli_world* world = NULL;
    if (pli_world_create(&def, &world, &error) != PLI_OK) fail(&error);
    return world;
}

// A rigid box at a place, turned by the columns of R.
static pli_body_id add_box(pli_world* world, const double size[3], const double at[3],
                           const double R[9]) {
    const int count[3] = {1, 1, 1};
    pli_error error = PLI_NO_ERROR;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_add_box(&mesh, size, count, &error) != PLI_OK) fail(&error);
    for (int v = 0; v < mesh.vertex_count; ++v) {
        double x[3] = {mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]};
        for (int r = 0; r < 3; ++r)
            mesh.positions[3 * v + r] =
                at[r] + R[3 * r] * x[0] + R[3 * r + 1] * x[1] + R[3 * r + 2] * x[2];
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = "rigid";
    pli_body_id id;
    if (pli_world_add_body(world, &body, &id, &error) != PLI_OK) fail(&error);
    pli_mesh_free(&mesh);
    return id;
}

static reading run(pli_world* world, int steps) {
    pli_error error = PLI_NO_ERROR;
    reading out = {.steps = steps};
    if (pli_world_prepare(world, &error) != PLI_OK) fail(&error);
    double start = bench_thread_cpu();
    for (int i = 0; i < steps; ++i) {
        pli_step_info info;
        if (pli_world_step(world, &info, &error) != PLI_OK) fail(&error);
        out.directions += info.iterations;
        out.contacts = info.contact_count;
    }
    out.seconds = bench_thread_cpu() - start;
    out.memory = (double)pli_world_memory_peak(world);
    pli_world_destroy(world);
    return out;
}

// ---- chains

static reading run_chain(int links) {
    static const double size[3] = {0.09, 0.02, 0.02}, upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    pli_error error = PLI_NO_ERROR;
    pli_world* world = create(1e-2, false);
    pli_body_id last = {0};
    for (int i = 0; i < links; ++i) {
        const double at[3] = {0.1 * i + 0.05, 0, 0};
        pli_joint_def joint = pli_default_joint_def();
        joint.type = "hinge";
        joint.ends[0].body = last; // of the first the world
        joint.ends[1].body = last = add_box(world, size, at, upright);
        joint.at[0] = 0.1 * i;
        joint.axis[1] = i % 2 == 0 ? 1 : 0.6;
        joint.axis[2] = i % 2 == 0 ? 0 : 0.8;
        if (pli_world_add_joint(world, &joint, NULL, &error) != PLI_OK) fail(&error);
    }
    return run(world, 10);
}

static void chains(void) {
    static const int links[] = {125, 250, 500, 1000, 2000};
    double first = 0, x[5], y[5];
    printf("# hinged links   directions   ms per direction   us per link and direction   kB per "
           "link\n");
    for (int i = 0; i < 5; ++i) {
        reading r = run_chain(links[i]);
        double each = r.seconds / r.directions;
        printf("# %12d %12d %18.2f %27.2f %13.2f\n", links[i], r.directions, 1e3 * each,
               1e6 * each / links[i], r.memory / links[i] / 1e3);
        if (i == 0) first = each / links[i];
        x[i] = links[i];
        y[i] = each;
        if (i == 4) printf("ratio chain_2000 chain_125 %.2f\n", each / links[i] / first);
    }
    printf("growth chain %.2f\n", bench_fit_exponent(5, x, y));
}

// ---- heaps

static double draw(uint32_t* seed) { // in [-1, 1]
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 2147483648.0 - 1;
}

// A rotation from a random quaternion.
static void turn(uint32_t* seed, double R[9]) {
    double q[4], size = 0;
    for (int i = 0; i < 4; ++i) q[i] = draw(seed), size += q[i] * q[i];
    for (int i = 0; i < 4; ++i) q[i] /= sqrt(size);
    double w = q[0], a = q[1], b = q[2], c = q[3];
    const double full[9] = {
        1 - 2 * (b * b + c * c), 2 * (a * b - w * c),     2 * (a * c + w * b),
        2 * (a * b + w * c),     1 - 2 * (a * a + c * c), 2 * (b * c - w * a),
        2 * (a * c - w * b),     2 * (b * c + w * a),     1 - 2 * (a * a + b * b)};
    memcpy(R, full, sizeof full);
}

// Columns of five boxes, so that heaps of all sizes are equally high.
static reading run_heap(int columns, int steps) {
    static const double size[3] = {0.1, 0.1, 0.1};
    pli_error error = PLI_NO_ERROR;
    pli_world* world = create(1e-3, true);
    uint32_t seed = 1;
    int side = (int)ceil(sqrt(columns));
    for (int i = 0; i < 5 * columns; ++i) {
        const double at[3] = {0.18 * (i / 5 % side), 0.18 * (i / 5 / side), 0.1 + 0.18 * (i % 5)};
        double R[9];
        turn(&seed, R);
        (void)add_box(world, size, at, R);
    }
    pli_half_space_def ground = pli_default_half_space_def();
    ground.normal[0] = ground.normal[1] = 0;
    ground.normal[2] = 1;
    ground.friction = 0.5;
    if (pli_world_add_half_space(world, &ground, NULL, &error) != PLI_OK) fail(&error);
    return run(world, steps);
}

static void heaps(bool full) {
    static const int columns[] = {25, 200, 2000};
    static const char* const limits[] = {"1", "1.5", "2"};
    double first = 0;
    printf("# bodies in a heap   directions   contacts   us per body and step   us per body and "
           "direction   MB\n");
    for (int i = 0; i < (full ? 3 : 2); ++i) {
        reading r = run_heap(columns[i], 40);
        double bodies = 5.0 * columns[i], each = r.seconds / bodies / r.steps;
        printf("# %16.0f %12d %10d %22.1f %27.2f %4.0f\n", bodies, r.directions, r.contacts,
               1e6 * each, 1e6 * r.seconds / bodies / r.directions, r.memory / 1e6);
        if (i == 0) first = each;
        if (i > 0) printf("ratio heap_%.0f heap_125 %.2f %s\n", bodies, each / first, limits[i]);
    }
}

int main(int argc, char** argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    chains();
    heaps(argc > 1 && strcmp(argv[1], "--full") == 0);
    return 0;
}
