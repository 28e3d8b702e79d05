// The arrays of a prepared world as one table: the same rows allocate and free them.
#include "dynamics/world.h"

#include <stddef.h>

typedef struct array {
    size_t field; // offset of the pointer in the world
    size_t element_size;
    int entity;
    int per_entity; // elements
} array;

#define ARRAY(field, entity, per_entity)                                                           \
    { offsetof(pli_world, field), sizeof *((pli_world*)NULL)->field, entity, per_entity }

static const array arrays[] = {
    ARRAY(x, PLI_PER_VERTEX, 3),
    ARRAY(dx, PLI_PER_VERTEX, 3),
    ARRAY(gx, PLI_PER_VERTEX, 3),
    ARRAY(x_n, PLI_PER_VERTEX, 3),
    ARRAY(x_still, PLI_PER_VERTEX, 3),
    ARRAY(reactions, PLI_PER_VERTEX, 3),
    ARRAY(accelerations, PLI_PER_VERTEX, 3),
    ARRAY(load, PLI_PER_VERTEX, 1),
    ARRAY(residuals, PLI_PER_POINT, 1),
    ARRAY(behind, PLI_PER_VERTEX, 1),
    ARRAY(ends, PLI_PER_VERTEX, 3 * PLI_MAX_CORRECTIONS),
    ARRAY(q, PLI_PER_UNKNOWN, 1),
    ARRAY(v, PLI_PER_UNKNOWN, 1),
    ARRAY(a, PLI_PER_UNKNOWN, 1),
    ARRAY(scratch, PLI_PER_UNKNOWN, 1),
    ARRAY(force, PLI_PER_UNKNOWN, 1),
    ARRAY(product, PLI_PER_UNKNOWN, 1),
    ARRAY(mass_diagonal, PLI_PER_UNKNOWN, 1),
    ARRAY(aim.q_hat, PLI_PER_UNKNOWN, 1),
    ARRAY(aim.v_base, PLI_PER_UNKNOWN, 1),
    ARRAY(frozen, PLI_PER_GROUP, 1),
    ARRAY(term_values, PLI_PER_TERM, 1),
    ARRAY(term_works, PLI_PER_TERM, 1),
    ARRAY(energy_values, PLI_PER_TERM, 1),
    ARRAY(frame_positions, PLI_PER_FRAME_POINT, 3),
    ARRAY(frame_velocities, PLI_PER_FRAME_POINT, 3),
};
enum { ARRAY_COUNT = sizeof arrays / sizeof *arrays };

static size_t length_of(const pli_world* w, const array* row) {
    return (size_t)row->per_entity * (size_t)w->array_counts[row->entity];
}

pli_status pli_world_make_arrays(pli_world* w, pli_error* error) {
    w->array_counts[PLI_PER_POINT] = w->model.vertex_count;
    w->array_counts[PLI_PER_VERTEX] = w->kinematics.vertex_count;
    w->array_counts[PLI_PER_UNKNOWN] = w->kinematics.unknown_count;
    w->array_counts[PLI_PER_GROUP] = w->kinematics.group_count;
    w->array_counts[PLI_PER_TERM] = w->term_count;
    w->array_counts[PLI_PER_FRAME_POINT] =
        w->kinematics.point_count - w->kinematics.mesh_point_count;
    for (int i = 0; i < ARRAY_COUNT; ++i)
        PLI_TRY(pli_resize(&w->memory, (char*)w + arrays[i].field, arrays[i].element_size, 0,
                           length_of(w, &arrays[i]), error));
    return PLI_OK;
}

void pli_world_free_arrays(pli_world* w) {
    for (int i = 0; i < ARRAY_COUNT; ++i)
        (void)pli_resize(&w->memory, (char*)w + arrays[i].field, arrays[i].element_size,
                         length_of(w, &arrays[i]), 0, NULL);
}
