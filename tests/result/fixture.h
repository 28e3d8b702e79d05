// A snapshot with every kind of element, and a folder to write it to. Include it first.
#ifndef PLI_TESTS_RESULT_FIXTURE_H
#define PLI_TESTS_RESULT_FIXTURE_H

#include "base/folder.h"

#include "result/snapshot.h"

// Three bodies: a tetrahedron with a triangle on it, a pair of segments, a loose vertex.
enum { MIXED_VERTICES = 9 };

typedef struct mixed_scene {
    double positions[3 * MIXED_VERTICES], velocities[3 * MIXED_VERTICES];
    double rest[3 * MIXED_VERTICES], reactions[3 * MIXED_VERTICES], masses[MIXED_VERTICES];
    double segment_energy[2], triangle_energy[1], tetrahedron_energy[1];
    double segment_stress[12], triangle_stress[6], tetrahedron_stress[6];
    double tetrahedron_density[1], tetrahedron_stretches[3];
    double energy_values[4], half_spaces[6];
    pli_snapshot snapshot;
} mixed_scene;

// What touch_mixed adds.
typedef struct mixed_contacts {
    double forces[3 * MIXED_VERTICES], friction[3 * MIXED_VERTICES];
    pli_contact_info list[2];
    pli_body_contact_info pairs[2];
} mixed_contacts;

static inline void fill_mixed(mixed_scene* m) {
    static const int32_t bodies[MIXED_VERTICES] = {0, 0, 0, 0, 0, 1, 1, 1, 2};
    static const char* const body_names[] = {"solid", "rope", "mass"};
    static const int32_t loose[] = {8}, segments[] = {5, 6, 6, 7}, triangles[] = {1, 2, 4},
                         tetrahedra[] = {0, 1, 2, 3};
    static const pli_support_info supports[] = {
        {0, "fixed", 2, {0, 0.5, 0}, {0, 9.81, 1e-3}, {1, 2, -3}, 0},
        {2, "prescribed", 1, {7, 8, 9}, {0, 0, 0}, {0, 0, 0}, 1},
    };
    static const char* const energy_names[] = {"kinetic", "spring", "gravity", "unused"};
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 3 * MIXED_VERTICES; ++i) {
        m->rest[i] = (i * 7 % 11) / 3.0;
        m->positions[i] = m->rest[i] + 0.1 * i;
        m->velocities[i] = -1.0 / (i + 1);
        m->reactions[i] = i % 3 == 1 ? 9.81 * i : 0;
    }
    for (int i = 0; i < MIXED_VERTICES; ++i) m->masses[i] = 0.5 + i;
    for (int i = 0; i < 6; ++i) {
        m->triangle_stress[i] = 100 + i;
        m->tetrahedron_stress[i] = -200 * i;
        m->segment_stress[i] = m->segment_stress[6 + i] = i == 0 ? 3.5 : 0;
    }
    m->segment_energy[0] = 0.25;
    m->segment_energy[1] = 1e-300;
    m->triangle_energy[0] = 2;
    m->tetrahedron_energy[0] = 1.0 / 3;
    m->tetrahedron_density[0] = 7.5;
    for (int i = 0; i < 3; ++i) m->tetrahedron_stretches[i] = 1.5 - 0.5 * i;
    m->energy_values[0] = 1.5;
    m->energy_values[1] = 0.1;
    m->energy_values[2] = -3;
    m->half_spaces[1] = 2; // ground just below all vertices
    m->half_spaces[4] = 1;
    m->snapshot = (pli_snapshot){
        .dimension = 2,
        .time = 0.125,
        .vertex_count = MIXED_VERTICES,
        .positions = m->positions,
        .velocities = m->velocities,
        .rest = m->rest,
        .reactions = m->reactions,
        .masses = m->masses,
        .vertex_body = bodies,
        .body_count = 3,
        .body_names = body_names,
        .element_count = {1, 2, 1, 1},
        .elements = {loose, segments, triangles, tetrahedra},
        .fields = {[PLI_SEGMENT] = {.energy = m->segment_energy, .stress = m->segment_stress},
                   [PLI_TRIANGLE] = {.energy = m->triangle_energy, .stress = m->triangle_stress},
                   [PLI_TETRAHEDRON] = {m->tetrahedron_energy, m->tetrahedron_density,
                                        m->tetrahedron_stress, m->tetrahedron_stretches}},
        .energy_count = 4,
        .energy_names = energy_names,
        .energy_values = m->energy_values,
        .total_energy = m->energy_values[0] + m->energy_values[1] + m->energy_values[2],
        .half_space_count = 1,
        .half_spaces = m->half_spaces,
        .support_count = 2,
        .supports = supports,
    };
}

// The mass touches the solid and the ground.
static inline void touch_mixed(mixed_scene* m, mixed_contacts* c) {
    static const char* const half_space_names[] = {"ground"};
    memset(c, 0, sizeof *c);
    for (int i = 0; i < 3 * MIXED_VERTICES; ++i) {
        c->forces[i] = 0.5 * i;
        c->friction[i] = -0.25 * i;
    }
    c->list[0] = (pli_contact_info){.body = {2, -1},
                                    .vertex_count = {1, 0},
                                    .vertices = {{8}},
                                    .point = {{1, 2, 3}, {1, 1.5, 3}},
                                    .normal = {0, 1, 0},
                                    .distance = 0.5,
                                    .force = 7,
                                    .friction = {1, 0, -1}};
    c->list[1] = (pli_contact_info){.body = {2, 0},
                                    .vertex_count = {1, 3},
                                    .vertices = {{8}, {1, 2, 4}},
                                    .point = {{1, 2, 3}, {1, 2, 2.75}},
                                    .normal = {0, 0, 1},
                                    .distance = 0.25,
                                    .force = 11};
    c->pairs[0] = (pli_body_contact_info){
        .body = {0, 2}, .count = 1, .min_distance = 0.25, .force = {0, 0, -11}};
    c->pairs[1] = (pli_body_contact_info){.body = {2, -1},
                                          .count = 1,
                                          .min_distance = 0.5,
                                          .force = {0, 7, 0},
                                          .friction = {1, 0, -1}};
    m->snapshot.contact_forces = c->forces;
    m->snapshot.friction_forces = c->friction;
    m->snapshot.contact_count = 2;
    m->snapshot.contacts = c->list;
    m->snapshot.body_contact_count = 2;
    m->snapshot.body_contacts = c->pairs;
    m->snapshot.half_space_names = half_space_names;
}

#endif
