// Positions and velocities at t = 0. Without any of the keys the start is exactly at rest:
// positions are those of the mesh, bit for bit, and velocities are 0.
#include "scene/start.h"

#include "math/vec.h"

#include <math.h>
#include <stdint.h>

#include "scene/field.h"

const char* pli_start_key(const pli_body_data* data) {
    if (data->scramble > 0) return "scramble";
    return data->initial.given ? "initial" : "stretch";
}

// x = centre + stretch (x_rest - centre), or what the formulas say.
static void place_at_start(const pli_shape_of_body* shape, const double centre[3], int dim) {
    const pli_body_data* d = shape->data;
    for (int v = 0; v < shape->mesh.vertex_count; ++v) {
        const double* rest = &shape->mesh.positions[3 * v];
        double* x = &shape->initial[3 * v];
        for (int c = 0; c < 3; ++c)
            x[c] = d->stretch[c] == 1 ? rest[c] : centre[c] + d->stretch[c] * (rest[c] - centre[c]);
        if (!d->initial.given) continue;
        double given[3];
        pli_formulas_value(&d->initial, 0, rest, given);
        pli_copy(given, x, dim);
    }
}

// Uniform in [-1, 1], a function of the number alone [Steele14].
static double random_of(uint64_t number) {
    uint64_t z = (number + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1; // 53 bits over 2^52
}

static void mark(const pli_chosen* chosen, bool* marks) {
    for (int i = 0; i < chosen->count; ++i)
        marks[chosen->vertices ? chosen->vertices[i] : i] = true;
}

static pli_status scramble(pli_builder* b, const pli_shape_of_body* shape, pli_error* error) {
    const pli_body_data* d = shape->data;
    bool* held;
    PLI_TRY(PLI_TAKE(b->arena, held, shape->mesh.vertex_count, error));
    for (int i = 0; i < d->fix.count; ++i) mark(&shape->fix[i], held);
    for (int i = 0; i < d->prescribe.count; ++i) mark(&shape->prescribe[i], held);
    for (int v = 0; v < shape->mesh.vertex_count; ++v)
        for (int c = 0; !held[v] && c < b->scene->world.dimension; ++c)
            shape->initial[3 * v + c] += d->scramble * random_of(3 * (uint64_t)v + (uint64_t)c);
    return PLI_OK;
}

static void find_centre(int vertex_count, const double* x, double centre[3]) {
    double low[3], high[3];
    pli_bounding_box(vertex_count, x, low, high);
    for (int c = 0; c < 3; ++c) centre[c] = 0.5 * (low[c] + high[c]);
}

// v = velocity(x_rest) + spin x (x - centre), of the places that initial or stretch give: with arms
// at rest a deformed body would not turn but be sheared.
static void set_velocities(const pli_shape_of_body* shape) {
    const pli_body_data* d = shape->data;
    double centre[3];
    find_centre(shape->mesh.vertex_count, shape->initial, centre);
    for (int v = 0; v < shape->mesh.vertex_count; ++v) {
        double r[3], turning[3], given[3];
        pli_sub(&shape->initial[3 * v], centre, r, 3);
        pli_cross3(d->spin, r, turning);
        pli_formulas_value(&d->velocity, 0, &shape->mesh.positions[3 * v], given);
        for (int c = 0; c < 3; ++c) shape->velocities[3 * v + c] = given[c] + turning[c];
    }
}

static pli_status check_keys(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                             pli_error* error) {
    const pli_body_data* d = shape->data;
    const pli_chosen all = {shape->mesh.vertex_count, NULL};
    const double* x = shape->mesh.positions;
    pli_path initial = pli_path_key(at, "initial"), velocity = pli_path_key(at, "velocity");
    bool stretched = false;
    for (int c = 0; c < 3; ++c) stretched |= d->stretch[c] != 1;
    if (stretched && d->initial.given)
        PLI_TRY(PLI_FIND(b->findings, &initial, error,
                         "initial and stretch are both given, must be one"));
    PLI_TRY(pli_formulas_check(b, &d->initial, false, &all, x, &initial, error));
    return pli_formulas_check(b, &d->velocity, false, &all, x, &velocity, error);
}

pli_status pli_set_start(pli_builder* b, pli_shape_of_body* shape, const pli_path* at,
                         pli_error* error) {
    PLI_TRY(PLI_TAKE(b->arena, shape->initial, 3 * shape->mesh.vertex_count, error));
    PLI_TRY(PLI_TAKE(b->arena, shape->velocities, 3 * shape->mesh.vertex_count, error));
    double centre[3];
    find_centre(shape->mesh.vertex_count, shape->mesh.positions, centre);
    PLI_TRY(check_keys(b, shape, at, error));
    place_at_start(shape, centre, b->scene->world.dimension);
    set_velocities(shape);
    return shape->data->scramble > 0 ? scramble(b, shape, error) : PLI_OK;
}
