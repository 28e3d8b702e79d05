// Worlds, bodies and supports as many problems use them.
#include "validation/trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void pli_trial_init(trial* t) {
    *t = (trial){0};
    pli_mesh_init(&t->mesh, NULL);
}

void pli_trial_close(trial* t) {
    pli_world_destroy(t->world);
    pli_mesh_free(&t->mesh);
    free(t->room);
    t->world = NULL;
    t->room = NULL;
}

pli_status pli_trial_wrong(trial* t, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->error.message, sizeof t->error.message, format, arguments);
    va_end(arguments);
    return t->error.status = PLI_E_ARGUMENT;
}

pli_world_def pli_trial_def(int dim, const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dim;
    def.scheme = scheme;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-11;
    def.solver.gradient_tolerance = 1e-11;
    def.thread_count = 2;
    return def;
}

pli_status pli_trial_world(trial* t, const pli_world_def* def) {
    pli_world_destroy(t->world);
    t->world = NULL;
    return pli_world_create(def, &t->world, &t->error);
}

pli_status pli_trial_empty_mesh(trial* t) {
    pli_mesh_free(&t->mesh);
    pli_mesh_init(&t->mesh, NULL);
    return PLI_OK;
}

pli_status pli_trial_room(trial* t) {
    size_t count = 3 * (size_t)t->mesh.vertex_count;
    double* room = realloc(t->room, (count + 1) * sizeof *room);
    if (!room) return pli_trial_wrong(t, "no memory");
    memcpy(room, t->mesh.positions, count * sizeof *room);
    t->room = room;
    return PLI_OK;
}

pli_status pli_trial_steps(trial* t, int count) {
    for (int n = 0; n < count; ++n) {
        pli_step_info info;
        TRY(pli_world_step(t->world, &info, &t->error));
        if (info.reason != PLI_CONVERGED)
            return pli_trial_wrong(t, "step %d: %s, residual %.3g", info.step,
                                   pli_reason_text(info.reason), info.residual);
    }
    return PLI_OK;
}

pli_status pli_trial_solid(trial* t, const material* m, const double* initial, pli_body_id* id) {
    pli_body_def def = pli_default_body_def();
    def.mesh = &t->mesh;
    def.initial = initial;
    def.density = 1000;
    TRY(pli_world_add_body(t->world, &def, id, &t->error));
    pli_setting settings[3] = {
        {"young", m->young}, {"poisson", m->poisson}, {"plane_stress", m->plane_stress}};
    return pli_world_add_energy(t->world, *id, m->type, settings, m->plane_stress ? 3 : 2, NULL,
                                &t->error);
}

// A vertex takes part in one support only, so vertices are gathered by their axes.
pli_status pli_trial_fix(trial* t, pli_body_id id, support_fn* axes) {
    int count = t->mesh.vertex_count, all = 0;
    int32_t* list = malloc(sizeof *list * ((size_t)count + 1));
    if (!list) return pli_trial_wrong(t, "no memory");
    pli_status status = PLI_OK;
    for (unsigned mask = 1; mask <= FIX_ALL && status == PLI_OK; ++mask) {
        pli_fix_def fix = {.size = sizeof fix,
                           .vertices = list,
                           .axes = {mask & FIX_X, mask & FIX_Y, mask & FIX_Z}};
        for (int v = 0; v < count; ++v)
            if (axes(t->mesh.positions + 3 * v) == mask) list[fix.vertex_count++] = v;
        if (fix.vertex_count > 0) status = pli_world_fix(t->world, id, &fix, NULL, &t->error);
        all += fix.vertex_count;
    }
    free(list);
    if (status == PLI_OK && all == 0) return pli_trial_wrong(t, "no vertex is fixed");
    return status;
}

pli_status pli_trial_end_shear(trial* t, pli_body_id id, double place, double traction) {
    pli_load_def load = pli_default_load_def();
    int32_t* list = malloc(sizeof *list * ((size_t)t->mesh.vertex_count + 1));
    if (!list) return pli_trial_wrong(t, "no memory");
    load.kind = "traction";
    load.value[1] = traction;
    load.vertices = list;
    for (int v = 0; v < t->mesh.vertex_count; ++v)
        if (fabs(t->mesh.positions[3 * v] - place) < 1e-9) list[load.vertex_count++] = v;
    pli_status status = pli_world_add_load(t->world, id, &load, NULL, &t->error);
    free(list);
    return status;
}

unsigned pli_fix_all_at_x_0(const double X[3]) { return fabs(X[0]) < 1e-9 ? FIX_ALL : 0; }

double pli_trial_mean(const trial* t, double place, int axis) {
    const double *x = pli_world_positions(t->world), *X = pli_world_rest_positions(t->world);
    double sum = 0;
    int count = 0;
    for (int v = 0; v < pli_world_vertex_count(t->world); ++v) {
        if (fabs(X[3 * v] - place) > 1e-9) continue;
        sum += x[3 * v + axis] - X[3 * v + axis];
        count++;
    }
    return sum / count;
}

double pli_trial_held(const trial* t, int axis) {
    const double* forces = pli_world_reactions(t->world);
    double sum = 0;
    for (int v = 0; v < pli_world_vertex_count(t->world); ++v) sum += forces[3 * v + axis];
    return sum;
}

double pli_trial_stored(const trial* t) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(t->world); ++i)
        if (pli_world_energy_stored(t->world, i)) sum += pli_world_energy_value(t->world, i);
    return sum;
}

double pli_trial_resting_gap(double stiffness, double weight) {
    double low = 1e-9, high = 1;
    for (int i = 0; i < 200; ++i) {
        double s = 0.5 * (low + high), push = -0.5 * stiffness * (log(s) + (s - 1) / s);
        *(push > weight ? &low : &high) = s;
    }
    return 0.5 * (low + high);
}

// Stresses of all elements of the kind the body is made of; to be freed.
static pli_status stresses(trial* t, double** stress, int* count) {
    int kind = PLI_TRIANGLE;
    while (kind < PLI_TETRAHEDRON10 && t->mesh.element_count[kind] == 0) ++kind;
    *count = pli_world_element_count(t->world, (pli_element_kind)kind);
    *stress = calloc(6 * (size_t)*count + 1, sizeof **stress);
    if (!*stress || *count == 0) return pli_trial_wrong(t, "no elements, or no memory");
    pli_element_fields fields = {.stress = *stress};
    pli_world_element_fields(t->world, (pli_element_kind)kind, &fields);
    return PLI_OK;
}

pli_status pli_trial_stress_away(trial* t, const double expected[6], double* away) {
    double* stress;
    int count;
    TRY(stresses(t, &stress, &count));
    *away = 0;
    for (int i = 0; i < 6 * count; ++i) *away = fmax(*away, fabs(stress[i] - expected[i % 6]));
    free(stress);
    return PLI_OK;
}

pli_status pli_trial_first_stress(trial* t, double out[6]) {
    double* stress;
    int count;
    TRY(stresses(t, &stress, &count));
    memcpy(out, stress, 6 * sizeof *out);
    free(stress);
    return PLI_OK;
}

pli_status pli_trial_bar(trial* t, double side, int along, int across, bool quadratic) {
    TRY(pli_trial_empty_mesh(t));
    const double size[3] = {1, side, side};
    const int segments[3] = {along, across, across};
    TRY(pli_mesh_add_bar(&t->mesh, size, segments, &t->error));
    return quadratic ? pli_mesh_make_quadratic(&t->mesh, &t->error) : PLI_OK;
}

pli_status pli_trial_strip(trial* t, double height, int along, int across, bool quadratic) {
    TRY(pli_trial_empty_mesh(t));
    TRY(pli_mesh_add_rectangle(&t->mesh, 1, height, along, across, PLI_TRIANGLES, &t->error));
    for (int v = 0; v < t->mesh.vertex_count; ++v) t->mesh.positions[3 * v] += 0.5;
    return quadratic ? pli_mesh_make_quadratic(&t->mesh, &t->error) : PLI_OK;
}
