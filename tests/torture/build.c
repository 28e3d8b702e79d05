// Worlds of the rows: meshes that are made, turned, moved and added one by one.
#include "torture/torture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

pli_world_def pli_torture_def(double h) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.time_step = h;
    def.gravity[1] = -9.81;
    def.contact.stiffness = 0;
    def.thread_count = 2;
    return def;
}

// ---- the mesh that is being made

pli_status pli_bout_box(bout* b, double x, double y, double z, int nx, int ny, int nz) {
    const double size[3] = {x, y, z};
    const int segments[3] = {nx, ny, nz};
    return pli_mesh_add_box(&b->t.mesh, size, segments, &b->t.error);
}

pli_status pli_bout_sheet(bout* b, double size, int cells) {
    TRY(pli_mesh_add_rectangle(&b->t.mesh, size, size, cells, cells, PLI_TRIANGLES, &b->t.error));
    pli_bout_turn(b, -90, 0, 0);
    return PLI_OK;
}

pli_status pli_bout_file(bout* b, const char* name) {
    const char* folder = getenv("PLIANT_DATA");
#ifdef PLIANT_DATA
    if (!folder) folder = PLIANT_DATA;
#endif
    char path[1000];
    snprintf(path, sizeof path, "%s/meshes/%s", folder ? folder : ".", name);
    b->skipped = access(path, R_OK) != 0;
    if (b->skipped) return pli_trial_wrong(&b->t, "%s is not there", path);
    return pli_mesh_read(&b->t.mesh, path, &b->t.error);
}

void pli_bout_scale(bout* b, double x, double y, double z) {
    const double by[3] = {x, y, z};
    for (int i = 0; i < 3 * b->t.mesh.vertex_count; ++i) b->t.mesh.positions[i] *= by[i % 3];
}

static void turn_about(pli_mesh* mesh, int axis, double degrees) {
    double c = cos(degrees * PLI_PI / 180), s = sin(degrees * PLI_PI / 180);
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double *x = mesh->positions + 3 * v, p = x[j], q = x[k];
        x[j] = c * p - s * q;
        x[k] = s * p + c * q;
    }
}

void pli_bout_turn(bout* b, double x, double y, double z) {
    const double degrees[3] = {x, y, z};
    for (int axis = 2; axis >= 0; --axis)
        if (degrees[axis] != 0) turn_about(&b->t.mesh, axis, degrees[axis]);
}

void pli_bout_move(bout* b, double x, double y, double z) {
    const double by[3] = {x, y, z};
    for (int i = 0; i < 3 * b->t.mesh.vertex_count; ++i) b->t.mesh.positions[i] += by[i % 3];
}

int32_t* pli_bout_between(const bout* b, int axis, double low, double high, int* count) {
    int32_t* list = malloc(sizeof *list * ((size_t)b->t.mesh.vertex_count + 1));
    *count = 0;
    for (int v = 0; list && v < b->t.mesh.vertex_count; ++v) {
        double x = b->t.mesh.positions[3 * v + axis];
        if (low <= x && x <= high) list[(*count)++] = v;
    }
    return list;
}

// ---- bodies

pli_status pli_bout_add(bout* b, const char* name, const stuff* s, pli_body_id* id) {
    pli_body_def def = pli_default_body_def();
    pli_body_id local;
    if (!id) id = &local;
    def.name = name;
    def.mesh = &b->t.mesh;
    memcpy(def.velocity, s->velocity, sizeof def.velocity);
    if (s->density > 0) def.density = s->density;
    def.obstacle = s->young == 0;
    TRY(pli_world_add_body(b->t.world, &def, id, &b->t.error));
    b->body_count++;
    TRY(pli_trial_empty_mesh(&b->t));
    if (s->young == 0) return PLI_OK;
    pli_setting settings[2] = {{"young", s->young}, {"poisson", s->poisson}};
    return pli_world_add_energy(b->t.world, *id, s->energy ? s->energy : "neo-hookean", settings, 2,
                                NULL, &b->t.error);
}

pli_status pli_bout_ground(bout* b, double y, double friction) {
    pli_half_space_def ground = pli_default_half_space_def();
    ground.point[1] = y;
    ground.friction = friction;
    return pli_world_add_half_space(b->t.world, &ground, NULL, &b->t.error);
}

// ---- reading

void pli_bout_mean(const bout* b, int body, const double* values, double out[3]) {
    const double* mass = pli_world_vertex_masses(b->t.world);
    double sum = 0;
    out[0] = out[1] = out[2] = 0;
    for (int v = pli_world_body_vertex(b->t.world, body);
         v < pli_world_body_vertex(b->t.world, body + 1); ++v) {
        for (int c = 0; c < 3; ++c) out[c] += mass[v] * values[3 * v + c];
        sum += mass[v];
    }
    for (int c = 0; c < 3; ++c) out[c] /= sum;
}

double pli_bout_lowest(const bout* b, int body, int axis) {
    double low = HUGE_VAL;
    for (int v = pli_world_body_vertex(b->t.world, body);
         v < pli_world_body_vertex(b->t.world, body + 1); ++v)
        low = fmin(low, pli_world_positions(b->t.world)[3 * v + axis]);
    return low;
}

double pli_bout_highest(const bout* b, int body, int axis) {
    double high = -HUGE_VAL;
    for (int v = pli_world_body_vertex(b->t.world, body);
         v < pli_world_body_vertex(b->t.world, body + 1); ++v)
        high = fmax(high, pli_world_positions(b->t.world)[3 * v + axis]);
    return high;
}

double pli_bout_mass(const bout* b, int body) {
    double sum = 0;
    for (int v = pli_world_body_vertex(b->t.world, body);
         v < pli_world_body_vertex(b->t.world, body + 1); ++v)
        sum += pli_world_vertex_masses(b->t.world)[v];
    return sum;
}

double pli_bout_speed(const bout* b, int body) {
    double fastest = 0;
    for (int v = pli_world_body_vertex(b->t.world, body);
         v < pli_world_body_vertex(b->t.world, body + 1); ++v) {
        const double* u = pli_world_velocities(b->t.world) + 3 * v;
        fastest = fmax(fastest, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
    return fastest;
}
