// What time schemes do to rigid bodies: the angular momentum and the energy of a box that spins
// freely about a skew axis, and the restitution of impacts on a half-space. Results, not times.
//
//     pliant_bench_spin [--turns N]
#include "pliant/pliant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "implicit-midpoint",
                                      "averaged-vector-field"};
enum { WITH_CONTACT = 3 }; // the first of them
static const double pi = 3.14159265358979323846;

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// A rigid box about the origin with velocities v + w x X; NULL, with an error, if a scheme refuses.
static pli_world* make_box(const char* scheme, double h, const double v[3], const double w[3],
                           pli_error* error) {
    static const double size[3] = {0.2, 0.3, 0.5};
    const int count[3] = {1, 1, 1};
    double velocities[24];
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.time_step = h;
    def.scheme = scheme;
    def.solver.tolerance = 1e-8;
    def.contact.bodies = false;
    def.thread_count = 1;
    pli_world* world = NULL;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    bool ok = pli_world_create(&def, &world, error) == PLI_OK &&
              pli_mesh_add_box(&mesh, size, count, error) == PLI_OK;
    for (int i = 0; i < mesh.vertex_count && ok; ++i) {
        const double* x = mesh.positions + 3 * i;
        double* u = velocities + 3 * i;
        u[0] = v[0] + w[1] * x[2] - w[2] * x[1];
        u[1] = v[1] + w[2] * x[0] - w[0] * x[2];
        u[2] = v[2] + w[0] * x[1] - w[1] * x[0];
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = "rigid";
    body.velocities = velocities;
    ok = ok && pli_world_add_body(world, &body, NULL, error) == PLI_OK;
    pli_mesh_free(&mesh);
    if (ok) return world;
    pli_world_destroy(world);
    return NULL;
}

static bool run(pli_world* world, int steps, pli_error* error) {
    bool ok = true;
    for (int i = 0; i < steps && ok; ++i) {
        pli_step_info info;
        ok = pli_world_step(world, &info, error) == PLI_OK && info.kept;
    }
    return ok;
}

// ---- spin

static void spin_row(const char* scheme, double h, int turns) {
    static const double rest[3];
    const double spin[3] = {2 * pi * 0.96, 2 * pi * 0.24,
                            2 * pi * 0.14}; // [rad/s]: a turn a second
    pli_error error = PLI_NO_ERROR;
    pli_world* world = make_box(scheme, h, rest, spin, &error);
    if (!world || pli_world_prepare(world, &error) != PLI_OK) {
        printf("%-22s %7g   %s\n", scheme, h, error.message);
        pli_world_destroy(world);
        return;
    }
    pli_body_summary start = pli_world_body_summary(world, 0, NULL);
    printf("%-22s %7g", scheme, h);
    for (int part = 0, done = 0; part < 2; ++part) {
        int all = (int)lround((part == 0 ? 1 : turns) / h);
        bool ok = run(world, all - done, &error);
        done = all;
        pli_body_summary now = pli_world_body_summary(world, 0, NULL);
        if (ok)
            printf("  %9.6f %9.6f", norm(now.angular) / norm(start.angular),
                   now.kinetic / start.kinetic);
        else
            printf("  %9s %9s", "stopped", "");
    }
    printf("\n");
    pli_world_destroy(world);
}

// ---- impacts

// The speed after an impact at 1 m/s over that before, once the body is clear again; < 0: it stays.
static void impact_row(const char* scheme, double h, bool flat) {
    static const double none[3];
    const double down[3] = {0, -1, 0};
    pli_error error = PLI_NO_ERROR;
    pli_world* world = make_box(scheme, h, down, none, &error);
    pli_half_space_def ground = pli_default_half_space_def();
    ground.normal[0] = flat ? 0 : 0.25; // the corner first: the rest goes into spin
    ground.normal[1] = 1;
    ground.normal[2] = flat ? 0 : 0.1;
    double low = flat ? 0.15 : (0.25 * 0.1 + 0.15 + 0.1 * 0.25) / 1.0;
    ground.point[1] = -low - 0.02;
    bool ok = world && pli_world_add_half_space(world, &ground, NULL, &error) == PLI_OK &&
              run(world, (int)lround(0.1 / h), &error);
    if (ok) {
        pli_body_summary now = pli_world_body_summary(world, 0, NULL);
        double before = 0.5 * now.mass;
        printf("%-22s %7g %-7s %9.4f  %9.4f\n", scheme, h, flat ? "face" : "corner",
               now.velocity[1], now.kinetic / before);
    } else {
        printf("%-22s %7g   %s\n", scheme, h, error.message[0] ? error.message : "stopped");
    }
    pli_world_destroy(world);
}

int main(int argc, char** argv) {
    int turns = argc > 2 && strcmp(argv[1], "--turns") == 0 ? atoi(argv[2]) : 10;
    printf("# A free rigid box spins about a skew axis, one turn a second.\n");
    printf("# scheme               step [s]   angular momentum and energy left after 1 and %d s\n",
           turns);
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; ++s)
        for (double h = 0.01; h > 5e-4; h /= 10) spin_row(schemes[s], h, turns);
    printf("# A rigid box meets a frictionless half-space at 1 m/s, without gravity.\n");
    printf("# scheme               step [s] first   velocity [m/s], energy left\n");
    for (int s = 0; s < WITH_CONTACT; ++s)
        for (int flat = 1; flat >= 0; --flat)
            for (double h = 0.01; h > 5e-5; h /= 10) impact_row(schemes[s], h, flat);
    return 0;
}
