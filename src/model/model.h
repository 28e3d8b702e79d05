// The model: what was added to a world. Steps never change it.
//
// Vertices and elements of all bodies are in one list each, body after body. `positions` and
// `velocities` are those that readers see: as given at first, then of the newest state.
#ifndef PLI_MODEL_MODEL_H
#define PLI_MODEL_MODEL_H

#include "base/parallel.h"
#include "mesh/skin.h"
#include "pliant/world.h"

typedef struct pli_body {
    char* name;
    int first_vertex;
    int first_element[PLI_ELEMENT_KIND_COUNT];
    pli_body_def def; // words point to the parameter tables, not to the caller's memory
    double* modes;    // copy of def.modes or NULL
    char** tags;      // def.tag_count copies of def.tags
} pli_body;

// How a vertex is held.
typedef enum pli_support_kind {
    PLI_SUPPORT_NONE,
    PLI_SUPPORT_AXES,     // `axes` cannot move
    PLI_SUPPORT_INCLINED, // slides on the plane with `normal`
    PLI_SUPPORT_PRESCRIBED,
} pli_support_kind;

typedef struct pli_support {
    pli_support_kind kind;
    bool axes[3];
    double normal[3]; // of length 1
    int32_t pin;
    int32_t set;         // the support set that holds it
    int32_t axis_set[3]; // of an axis that is fixed: the first set that did so
} pli_support;

// What one call of pli_world_fix or pli_world_prescribe made.
typedef struct pli_support_set {
    pli_support_kind kind;
    int body;
    bool each; // prescribed: each vertex has offsets of its own
} pli_support_set;

// An energy of a body, or over stencils that the caller has listed.
typedef struct pli_body_energy {
    const pli_energy_type* type;
    double* params;
    int body;              // -1: listed
    pli_element_kind kind; // of listed stencils
    int stencil_count, entry_count;
    int32_t* vertices; // of listed stencils, world numbers; entry_count of them
} pli_body_energy;

// A load on a body.
typedef struct pli_body_load {
    int body;
    pli_load_def def; // its vertices are not used
    int vertex_count;
    int32_t* vertices; // world numbers
    pli_skin skin;     // the faces with all corners among them, if the kind acts on faces
} pli_body_load;

typedef struct pli_model {
    pli_memory* memory;
    pli_pool* pool;
    uint32_t generation; // of the ids of its bodies
    pli_world_def def;
    // Each array grows by itself: it has its own capacity, in numbers.
    int body_count, body_capacity;
    pli_body* bodies;
    int vertex_count;
    int rest_capacity, position_capacity, velocity_capacity, mass_capacity, support_capacity;
    double *rest, *positions, *velocities; // 3 per vertex [m], [m], [m/s]
    double* masses;                        // 1 per vertex [kg]
    pli_support* supports;                 // 1 per vertex
    int support_set_count, support_set_capacity;
    pli_support_set* support_sets;
    int element_count[PLI_ELEMENT_KIND_COUNT], element_capacity[PLI_ELEMENT_KIND_COUNT];
    int32_t* elements[PLI_ELEMENT_KIND_COUNT]; // world numbers of vertices
    int energy_count, energy_capacity;
    pli_body_energy* energies;
    int load_count, load_capacity;
    pli_body_load* loads;
    int half_space_count, half_space_capacity;
    pli_half_space_def* half_spaces; // their names are copies
    int rule_count, rule_capacity;
    pli_contact_rule_def* rule_defs; // their words are copies
} pli_model;

static inline int pli_body_end_vertex(const pli_model* model, int body) {
    return body + 1 < model->body_count ? model->bodies[body + 1].first_vertex
                                        : model->vertex_count;
}

static inline int pli_body_end_element(const pli_model* model, int body, pli_element_kind kind) {
    if (kind == PLI_VERTEX) return pli_body_end_vertex(model, body);
    return body + 1 < model->body_count ? model->bodies[body + 1].first_element[kind]
                                        : model->element_count[kind];
}

static inline int pli_body_element_count(const pli_model* model, int body, pli_element_kind kind) {
    return pli_body_end_element(model, body, kind) - model->bodies[body].first_element[kind];
}

// Embedded bodies move with the tetrahedra of the body before them, their cage, which then touches
// nothing itself.
bool pli_body_is_embedded(const pli_body_def* def);
bool pli_body_is_cage(const pli_model* model, int body);

void pli_model_free(pli_model* model);

// Adding: see the functions of the same names in pliant/world.h. On failure nothing is added.
// bodies.c
pli_status pli_model_add_body(pli_model* model, const pli_body_def* def, pli_body_id* id,
                              pli_error* error);
pli_status pli_model_find_body(const pli_model* model, pli_body_id id, pli_body** body,
                               pli_error* error);
// PLI_E_ARGUMENT if it is an obstacle, which takes no `what`.
pli_status pli_can_deform(const pli_body* body, const char* what, pli_error* error);
void pli_model_free_bodies(pli_model* model);
// supports.c
pli_status pli_model_add_fixed(pli_model* model, pli_body_id id, const pli_fix_def* def,
                               pli_error* error);
// Checks a prescribed motion and makes room for it; its words and numbers become those that are
// used, *count is the number of its vertices. The support, of vertices with pins first_pin and on,
// is then added without fail.
pli_status pli_model_check_prescribe(pli_model* model, pli_body_id id, pli_prescribe_def* def,
                                     int* count, pli_error* error);
void pli_model_add_prescribed(pli_model* model, int body, const pli_prescribe_def* def, int count,
                              int first_pin);
// The i-th vertex of a checked selection (NULL: all of the body) in world numbers.
int pli_model_selected(const pli_model* model, int body, const int32_t* vertices, int i);
// energies.c
pli_status pli_model_add_energy(pli_model* model, pli_body_id id, const char* name,
                                const pli_setting* settings, int setting_count, pli_error* error);
pli_status pli_model_add_stencils(pli_model* model, const pli_stencils_def* def, pli_error* error);
void pli_model_free_energies(pli_model* model);
pli_status pli_model_add_load(pli_model* model, pli_body_id id, const pli_load_def* def,
                              pli_error* error);
void pli_model_free_loads(pli_model* model);
// relations.c; static friction must be 0 or at least the other.
pli_status pli_model_add_half_space(pli_model* model, const pli_half_space_def* def,
                                    pli_error* error);
pli_status pli_model_add_contact_rule(pli_model* model, const pli_contact_rule_def* def,
                                      pli_error* error);
pli_status pli_check_friction(double friction, double friction_static, const char* what,
                              pli_error* error);
void pli_model_free_relations(pli_model* model);

// Whether the motion of some of its vertices is prescribed.
bool pli_body_has_prescribed(const pli_model* model, int body);

// The elements of a body, -1: of all bodies. The surface of a body, which the caller frees.
pli_elements pli_model_elements(const pli_model* model, int body);
pli_status pli_model_skin(const pli_model* model, int body, int dim, pli_skin* skin,
                          pli_error* error);
// Triangles of the surface of a body in space, sheets included; quadratic faces are cut into four.
// 3 vertices each go to `out` (NULL: they are only counted). A cage has none: its skin has them.
pli_status pli_model_skin_triangles(const pli_model* model, int body, int32_t* out, int* count,
                                    pli_error* error);

// Diagonal of the box around those of the bodies first .. end - 1 that can deform, at the present
// positions; 0 if there are none [m].
double pli_model_diagonal(const pli_model* model, int first, int end);
// The same of the smallest body that has one; 1 m if there are only points.
double pli_model_smallest_diagonal(const pli_model* model);
// Mean mass of a vertex of all bodies that can deform; 1 if there are none [kg].
double pli_model_mean_mass(const pli_model* model);

#endif
