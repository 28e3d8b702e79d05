// A world that only answers questions: every reading function that the recorder calls, over a plain
// struct. Defined in the test program, these symbols come before those of the library.
#ifndef PLI_TESTS_RECORD_FAKE_WORLD_H
#define PLI_TESTS_RECORD_FAKE_WORLD_H

#include "pliant/joint.h"
#include "pliant/world.h"
#include "record/recorder.h"

#include <string.h>

// Two bodies: a triangle with a segment beside it, and a single vertex that carries a half-space.
// The second can be removed and added again.
enum { FAKE_VERTICES = 6, FAKE_PARTS = 4 };

struct pli_world {
    int dimension;
    bool prepared, alone; // alone: there is no second body
    uint64_t topology;
    double time, energies[FAKE_PARTS];
    double positions[3 * FAKE_VERTICES], rest[3 * FAKE_VERTICES], zero[3 * FAKE_VERTICES];
    double masses[FAKE_VERTICES];
    bool touches; // it has contact terms
    int contact_count;
    pli_contact_info contacts[2];
};

static inline pli_world make_fake_world(void) {
    pli_world w = {.dimension = 2, .prepared = true, .energies = {1, 2, 3, 4}};
    const double rest[3 * FAKE_VERTICES] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0, 1, 2, 0};
    memcpy(w.rest, rest, sizeof rest);
    memcpy(w.positions, rest, sizeof rest);
    for (int i = 0; i < FAKE_VERTICES; ++i) w.masses[i] = 1;
    return w;
}

// A world like this cannot be restored: the library has more than it needs for that.
pli_status pli_recorder_continue(pli_recorder* recorder, const pli_checkpoint* checkpoint,
                                 pli_error* error) {
    (void)recorder, (void)checkpoint, (void)error;
    return PLI_E_ARGUMENT;
}

int pli_world_dimension(const pli_world* w) { return w->dimension; }
double pli_world_time(const pli_world* w) { return w->time; }
int pli_world_step_count(const pli_world* w) { return (int)(4 * w->time + 0.5); }
int pli_world_vertex_count(const pli_world* w) { return FAKE_VERTICES - w->alone; }
uint64_t pli_world_topology_epoch(const pli_world* w) { return w->topology; }
const double* pli_world_positions(const pli_world* w) { return w->positions; }
const double* pli_world_velocities(const pli_world* w) { return w->zero; }
const double* pli_world_rest_positions(const pli_world* w) { return w->rest; }
const double* pli_world_reactions(const pli_world* w) { return w->prepared ? w->zero : NULL; }
const double* pli_world_vertex_masses(const pli_world* w) { return w->masses; }
int pli_world_body_count(const pli_world* w) { return 2 - w->alone; }
double pli_world_body_radius(const pli_world* world, int body) {
    return pli_world_body_thickness(world, body);
}
int pli_world_field_count(const pli_world* world) { return (void)world, 0; }
pli_energy_field pli_world_field(const pli_world* world, int i) {
    return (void)world, (void)i, (pli_energy_field){0};
}
void pli_world_field_values(const pli_world* world, int i, double* values, int32_t* shares) {
    (void)world, (void)i, (void)values, (void)shares;
}
int pli_world_node_count(const pli_world* world) { return (void)world, 0; }
const double* pli_world_node_values(const pli_world* world) { return (void)world, NULL; }
pli_node_info pli_world_node(const pli_world* world, int i) {
    return (void)world, (void)i, (pli_node_info){.body = -1};
}
bool pli_world_body_is_cage(const pli_world* w, int body) {
    (void)w;
    (void)body;
    return false;
}
bool pli_world_body_is_obstacle(const pli_world* w, int body) {
    (void)w;
    return body == 1;
}
double pli_world_body_thickness(const pli_world* w, int body) {
    (void)w;
    return body == 1 ? 0.125 : 0;
}
const char* pli_world_body_name(const pli_world* w, int body) {
    (void)w;
    return body == 0 ? "mat" : "ceiling";
}
int pli_world_body_vertex(const pli_world* w, int body) {
    static const int first[] = {0, 5, FAKE_VERTICES};
    (void)w;
    return first[body];
}
int pli_world_element_count(const pli_world* w, pli_element_kind kind) {
    static const int counts[PLI_ELEMENT_KIND_COUNT] = {0, 1, 1};
    (void)w;
    return counts[kind];
}
const int32_t* pli_world_elements(const pli_world* w, pli_element_kind kind) {
    static const int32_t segment[] = {3, 4}, triangle[] = {0, 1, 2};
    static const int32_t* const elements[PLI_ELEMENT_KIND_COUNT] = {NULL, segment, triangle};
    (void)w;
    return elements[kind];
}
void pli_world_element_fields(const pli_world* w, pli_element_kind kind,
                              const pli_element_fields* fields) {
    (void)w;
    fields->energy[0] = 10 * (double)kind;
    fields->energy_density[0] = 20 * (double)kind;
    for (int i = 0; i < 6; ++i) fields->stress[i] = i;
    for (int i = 0; i < 3; ++i) fields->stretches[i] = 2 - i;
}
const char* pli_world_residual_unit(const pli_world* w) {
    (void)w;
    return "m/s";
}
void pli_world_gravity(const pli_world* w, double gravity[3]) {
    (void)w;
    gravity[0] = gravity[2] = 0;
    gravity[1] = -9.81;
}
int pli_world_support_count(const pli_world* w) { return !w->alone; }
pli_support_info pli_world_support(const pli_world* w, int i) {
    (void)i;
    return (pli_support_info){
        .body = 1, .kind = "prescribed", .vertex_count = 1, .force = {0, w->time, 0}};
}
int pli_world_energy_count(const pli_world* w) {
    (void)w;
    return FAKE_PARTS;
}
const char* pli_world_energy_name(const pli_world* w, int i) {
    static const char* const names[] = {"kinetic", "spring", "gravity", "friction"};
    (void)w;
    return names[i];
}
double pli_world_energy_value(const pli_world* w, int i) { return w->energies[i]; }
bool pli_world_energy_stored(const pli_world* w, int i) {
    (void)w;
    return i < 3;
}
int pli_world_half_space_count(const pli_world* w) {
    (void)w;
    return 1;
}
void pli_world_half_space(const pli_world* w, int i, double point[3], double normal[3]) {
    (void)i;
    memcpy(point, w->positions + 15, 3 * sizeof(double));
    normal[0] = normal[2] = 0;
    normal[1] = -1;
}
int pli_world_half_space_carrier(const pli_world* w, int i) {
    (void)w, (void)i;
    return -1;
}
const char* pli_world_half_space_name(const pli_world* w, int i) {
    (void)w;
    (void)i;
    return "slab";
}
int pli_world_joint_count(const pli_world* w) {
    (void)w;
    return 0;
}
bool pli_world_joint(const pli_world* w, int i, pli_joint_info* info) {
    (void)w, (void)i, (void)info;
    return false;
}
int pli_world_contact_count(const pli_world* w) { return w->contact_count; }
const pli_contact_info* pli_world_contacts(const pli_world* w) {
    return w->contact_count > 0 ? w->contacts : NULL;
}
int pli_world_body_contact_count(const pli_world* w) { return w->contact_count; }
// Of each contact one.
pli_body_contact_info pli_world_body_contact(const pli_world* w, int i) {
    const pli_contact_info* contact = &w->contacts[i];
    return (pli_body_contact_info){.body = {contact->body[0], contact->body[1]},
                                   .count = 1,
                                   .min_distance = contact->distance,
                                   .force = {0, contact->force, 0},
                                   .friction = {contact->friction[0], 0, 0}};
}
const double* pli_world_contact_forces(const pli_world* w) { return w->touches ? w->zero : NULL; }
const double* pli_world_friction_forces(const pli_world* w) { return w->touches ? w->zero : NULL; }
const char* pli_reason_text(pli_reason reason) {
    return reason == PLI_CONVERGED ? "converged" : "not converged";
}

#endif
