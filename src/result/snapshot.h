// The state of a world as plain arrays: the input of all writers. pli_snapshot_init creates it from
// a world and the two functions below update it; tests fill it by hand.
#ifndef PLI_RESULT_SNAPSHOT_H
#define PLI_RESULT_SNAPSHOT_H

#include "base/memory.h"
#include "pliant/record.h"
#include "pliant/joint.h"
#include "pliant/world.h"

enum { PLI_BODY_CONTACTS_KEPT = 200, PLI_SCALARS_KEPT = 12 };

typedef struct pli_snapshot {
    int dimension;
    double time; // [s]
    int epoch;   // of the result it is written to (result.h)

    // Vertices, 3 entries each unless stated otherwise.
    int vertex_count;
    const double* positions;       // [m]
    const double* velocities;      // [m/s]
    const double* rest;            // [m]
    const double* reactions;       // [N]
    const double* contact_forces;  // [N]; NULL: nothing can touch
    const double* friction_forces; // [N]; likewise
    const double* masses;          // 1 per vertex [kg]
    const int32_t* vertex_body;    // 1 per vertex

    int body_count;
    const char* const* body_names;
    const bool* body_obstacle;    // NULL: none
    const bool* body_cage;        // another body is shown instead; NULL: none
    const double* body_thickness; // in contact, per body [m]; NULL: 0
    const double* body_radius;    // as pictures show it, per body [m]; NULL: the thickness

    // Elements, pli_element_size(kind) vertices each; PLI_VERTEX: the vertices that belong to no
    // other element.
    int element_count[PLI_ELEMENT_KIND_COUNT];
    const int32_t* elements[PLI_ELEMENT_KIND_COUNT];
    pli_element_fields fields[PLI_ELEMENT_KIND_COUNT]; // a NULL array: zero, stretches 1

    // What energies show at vertices, at most PLI_SCALARS_KEPT of it.
    int scalar_count;
    pli_energy_field scalars[PLI_SCALARS_KEPT];
    const double* scalar_values[PLI_SCALARS_KEPT]; // 1 per vertex

    // Unknowns of energies that are no positions.
    int node_count;
    const double* node_values;    // [unit]
    const int32_t* node_body;     // 1 per node, as the following
    const int32_t* node_tag;      // the bits of pli_node_key.tag
    const int32_t* node_vertices; // PLI_NODE_VERTICES per node, -1: none

    // Parts of the energy by name; a name occurs once.
    int energy_count;
    const char* const* energy_names;
    const double* energy_values; // [J]
    double total_energy;         // of the stored energies [J]

    // Half-spaces: point [m] and normal, 6 entries each.
    int half_space_count;
    const double* half_spaces;
    const int32_t* half_space_carriers; // vertices that their points move with, -1: none; NULL: all
    const char* const* half_space_names;

    int contact_count;
    const pli_contact_info* contacts;
    // By pairs of bodies: their count; at most PLI_BODY_CONTACTS_KEPT are stored.
    int body_contact_count;
    const pli_body_contact_info* body_contacts;

    int support_count;
    const pli_support_info* supports;
    int joint_count;
    const pli_joint_info* joints;
    double gravity[3];         // [m/s^2]
    const char* residual_unit; // of steps: "m/s", "1": a relative force; NULL: none

    struct pli_snapshot_store* store; // what pli_snapshot_init allocated; NULL if filled by hand
} pli_snapshot;

// The distance of the shown surface of a body from its points, segments and sheets [m].
static inline double pli_snapshot_radius(const pli_snapshot* s, int body) {
    const double* radius = s->body_radius ? s->body_radius : s->body_thickness;
    return radius ? radius[body] : 0;
}

// Reads bodies and elements, which are constant until the topology of the world changes, and the
// state; the world must be prepared. `fields`: the element fields to compute, bits of
// pli_frame_field.
pli_status pli_snapshot_init(pli_snapshot* snapshot, pli_memory* memory, const pli_world* world,
                             uint32_t fields, pli_error* error);
void pli_snapshot_free(pli_snapshot* snapshot); // zeroed is valid

// Updates time, vertices, half-spaces, contacts and element fields.
void pli_snapshot_read_state(pli_snapshot* snapshot);
// Updates time, energies, supports, joints and contacts by bodies.
void pli_snapshot_read_energies(pli_snapshot* snapshot);

#endif
