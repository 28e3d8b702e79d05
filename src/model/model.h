// The model: everything that was added to a world. Steps never change it.
//
// Vertices and elements of all bodies are in one list each, body after body. `positions` and
// `velocities` are those that readers get: initially as given, then those of the newest state.
#ifndef PLI_MODEL_MODEL_H
#define PLI_MODEL_MODEL_H

#include "base/parallel.h"
#include "kinematics/moments.h"
#include "mesh/measure.h"
#include "mesh/skin.h"
#include "pliant/world.h"

// Handles that stay valid while objects are added and removed: each object has its own slot
// forever, and the slot holds its current number (-1: removed).
typedef enum pli_slot_kind {
    PLI_SLOT_BODY,
    PLI_SLOT_SUPPORT,
    PLI_SLOT_ENERGY,
    PLI_SLOT_LOAD,
    PLI_SLOT_HALF_SPACE,
    PLI_SLOT_RULE,
    PLI_SLOT_JOINT,
    PLI_SLOT_KIND_COUNT
} pli_slot_kind;

typedef struct pli_slots {
    int count, capacity;
    int32_t* number; // per slot
} pli_slots;

typedef struct pli_body {
    char* name;
    int32_t slot;
    int first_vertex;
    int first_element[PLI_ELEMENT_KIND_COUNT];
    pli_body_def def; // strings point to the parameter tables, not to the caller's memory
    double* modes;    // copy of def.modes or NULL
    double* pattern;  // def.pattern: 6 numbers per triangle, with rest_scale, or NULL
    char** tags;      // def.tag_count copies of def.tags
    bool closed;      // affine: triangles only, in space, a closed surface
    // Contact settings of a cage before a body was embedded in it.
    bool own_contact_bodies;
    const char* own_contact_vertices;
} pli_body;

// How a vertex is supported.
typedef enum pli_support_kind {
    PLI_SUPPORT_NONE,
    PLI_SUPPORT_AXES,     // `axes` are fixed
    PLI_SUPPORT_INCLINED, // slides on the plane with `normal`
    PLI_SUPPORT_PRESCRIBED,
} pli_support_kind;

typedef struct pli_support {
    pli_support_kind kind;
    bool axes[3], clamped, no_contact;
    double normal[3];    // of length 1
    int32_t set;         // the support set of the vertex
    int32_t axis_set[3]; // per fixed axis: the first set that fixed it
} pli_support;

// Created by one call of pli_world_fix or pli_world_prescribe.
typedef struct pli_support_set {
    pli_support_kind kind;
    int32_t slot;
    int body;
    bool each;      // prescribed: each vertex has its own offsets
    int32_t motion; // prescribed: number of its motion
    bool axes[3], clamped, no_contact;
    double normal[3]; // of length 1, if inclined
    int vertex_count;
    int32_t* vertices; // world numbers
} pli_support_set;

// An energy of a body, or on stencils listed by the caller.
typedef struct pli_body_energy {
    const pli_energy_type* type;
    int32_t slot;
    double* params;
    int body;              // -1: listed
    pli_element_kind kind; // of listed stencils
    int stencil_count, entry_count, entry_capacity;
    int32_t* vertices;   // of listed stencils, world numbers; entry_count of them
    pli_field_fn* field; // of the input of the type; NULL: none
    void* context;       // of `field`
} pli_body_energy;

// A load on a body.
typedef struct pli_body_load {
    int32_t slot;
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
    bool trial;          // adding checks an object, and adds nothing
    pli_world_def def;
    // Each array grows separately: it has its own capacity, in numbers.
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
    pli_half_space_def* half_spaces; // with copies of their names
    int rule_count, rule_capacity;
    pli_contact_rule_def* rule_defs; // with copies of their strings
    int joint_count, joint_capacity;
    struct pli_joint* joints;             // joints.h
    pli_slots slots[PLI_SLOT_KIND_COUNT]; // of half-spaces and rules: in the order of numbers
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

// Embedded bodies move with the tetrahedra of the body before them, their cage. The cage itself
// then has no contact.
bool pli_body_is_embedded(const pli_body_def* def);
// Affine and rigid bodies: 12 unknowns (6 in the plane), see kinematics/frame.h.
bool pli_body_is_affine(const pli_body_def* def);
// An energy of a rigid body that its motion does not change is not evaluated.
bool pli_energy_is_idle(const pli_model* model, const pli_body_energy* energy);
bool pli_body_is_cage(const pli_model* model, int body);

void pli_model_free(pli_model* model);

// slots.c: handles. Reserve one slot, so that adding cannot fail; create the slot of the object
// that gets `number`; the object of a slot (-1: removed or never existed); the slot of an object;
// remove an object, which decreases the numbers of the later ones by one.
pli_status pli_slots_reserve(pli_model* model, pli_slot_kind kind, pli_error* error);
int32_t pli_slots_add(pli_model* model, pli_slot_kind kind, int number);
int pli_slots_number(const pli_model* model, pli_slot_kind kind, int32_t slot);
int32_t pli_slots_find(const pli_model* model, pli_slot_kind kind, int number);
void pli_slots_remove(pli_model* model, pli_slot_kind kind, int number);
void pli_slots_free(pli_model* model);

// Adding: see the functions of the same names in pliant/world.h. Defs are complete (base/def.h). On
// failure nothing is added.
// bodies.c
pli_status pli_model_add_body(pli_model* model, const pli_body_def* def, pli_body_id* id,
                              pli_error* error);
pli_status pli_model_find_body(const pli_model* model, pli_body_id id, pli_body** body,
                               pli_error* error);
// PLI_E_ARGUMENT if it is an obstacle, which cannot have `what`.
pli_status pli_can_deform(const pli_body* body, const char* what, pli_error* error);
pli_status pli_check_mesh(const pli_mesh* mesh, pli_error* error);
// Reserves space for more vertices and for the elements of a mesh.
pli_status pli_model_reserve_vertices(pli_model* model, int count, pli_error* error);
pli_status pli_model_reserve_elements(pli_model* model, const pli_mesh* mesh, pli_error* error);
void pli_body_free(pli_model* model, int body); // frees what it owns
void pli_model_free_bodies(pli_model* model);
// pattern.c
// The flat rest shape of the triangles of a sheet, if the def has one or rest_scale is not 1:
// allocates *pattern and puts it into the def, with rest_scale 1.
pli_status pli_pattern_make(pli_model* model, pli_body_def* def, double** pattern,
                            pli_error* error);
// weigh.c
// The thickness of its triangles in space (dimension 2) [m], or the cross-section of its segments
// (1) [m^2]: its own, or that of an energy of the body; 0: not known. `body` < 0: it is not in the
// model yet.
double pli_own_section(const pli_model* model, int body, const pli_body_def* def, int dimension);
// Factor from the measure of elements of this dimension to a volume: its own section, or
// the world's thickness of triangles.
double pli_volume_factor(const pli_model* model, int body, const pli_body_def* def, int dimension);
// The elements that give the body its mass; returns their count.
int pli_body_lumps(const pli_model* model, int body, const pli_body_def* def,
                   const pli_elements* all, const double* x, pli_lump lumps[PLI_ELEMENT_KIND_COUNT]);
// Whether density, vertex_mass or total_mass can give the body its mass.
pli_status pli_body_check_mass(const pli_model* model, const pli_body_def* def,
                               const pli_mesh* mesh, pli_error* error);
// Whether an affine body is a closed surface of triangles, and so a solid unless it has a thickness.
pli_status pli_body_find_closed(const pli_model* model, const pli_body_def* def,
                                const pli_mesh* mesh, bool* closed, pli_error* error);
// Masses of the vertices of a mesh, by the def of its body.
pli_status pli_body_weigh(const pli_model* model, int body, const pli_body_def* def,
                          const pli_mesh* mesh, bool closed, double* mass, pli_error* error);
// Of an affine body.
void pli_body_moments(const pli_model* model, int body, pli_moments* moments);
void pli_model_weigh(pli_model* model, int body); // again, after its energies changed
// supports.c
pli_status pli_model_add_fixed(pli_model* model, pli_body_id id, const pli_fix_def* def,
                               pli_error* error);
// Checks a prescribed motion and reserves space for it. Its words and numbers are replaced by the
// effective ones. *set is its support with its vertex list, which the caller frees or adds; adding
// cannot fail. Its pins follow those of all earlier motions.
pli_status pli_model_check_prescribe(pli_model* model, pli_body_id id, pli_prescribe_def* def,
                                     pli_support_set* set, pli_error* error);
void pli_model_add_prescribed(pli_model* model, pli_support_set* set, int32_t motion);
void pli_support_set_free(pli_memory* memory, pli_support_set* set);
// energies.c
pli_status pli_model_add_energy(pli_model* model, pli_body_id id, const char* name,
                                const pli_setting* settings, int setting_count, pli_error* error);
pli_status pli_model_add_stencils(pli_model* model, const pli_stencils_def* def, pli_error* error);
// NULL: no built-in or user-defined type has this name.
const pli_energy_type* pli_model_energy_type(const pli_model* model, const char* name);
// Parameters that are not given are unchanged; on failure all are.
pli_status pli_model_set_energy(pli_model* model, int energy, const pli_setting* settings,
                                int setting_count, pli_error* error);
void pli_body_energy_free(pli_memory* memory, pli_body_energy* energy);
void pli_model_free_energies(pli_model* model);
pli_status pli_model_add_load(pli_model* model, pli_body_id id, const pli_load_def* def,
                              pli_error* error);
// Recomputes the faces of a load whose vertices or mesh changed.
pli_status pli_model_find_faces(pli_model* model, pli_body_load* load, pli_error* error);
void pli_body_load_free(pli_memory* memory, pli_body_load* load);
void pli_model_free_loads(pli_model* model);
// relations.c. Static friction must be 0 or at least the sliding friction.
pli_status pli_model_add_half_space(pli_model* model, const pli_half_space_def* def,
                                    pli_error* error);
pli_status pli_model_add_contact_rule(pli_model* model, const pli_contact_rule_def* def,
                                      pli_error* error);
pli_status pli_check_friction(double friction, double friction_static, const char* what,
                              pli_error* error);
void pli_model_free_relations(pli_model* model);

// Removing, by number. Later numbers decrease; handles do not change.
// remove.c: removes a body with its supports, loads, energies, the listed stencils that contain one
// of its vertices, and the half-spaces attached to it. Fails for a cage while a body is embedded in
// it.
pli_status pli_model_check_remove_body(const pli_model* model, int body, pli_error* error);
void pli_model_remove_body(pli_model* model, int body);
void pli_model_remove_support(pli_model* model, int set);
void pli_model_remove_energy(pli_model* model, int energy);
void pli_model_remove_load(pli_model* model, int load);
void pli_model_remove_half_space(pli_model* model, int half_space);
void pli_model_remove_rule(pli_model* model, int rule);
// replace.c: replaces the mesh of a body, at rest. Its supports and loads then have no vertices of
// it. In listed stencils vertex v of the body becomes child[v] (-1: the stencil is dropped). The
// caller sets positions and velocities. Space must have been reserved; the mesh and `mass` (1 per
// vertex) are copied.
void pli_model_replace_mesh(pli_model* model, int body, const pli_mesh* mesh, const double* mass,
                            const int32_t* child);
// Listed stencil i of an energy has a vertex v of `first` .. `end` - 1 without a child,
// child[v - first] < 0; `child` NULL: none has one.
bool pli_stencil_is_lost(const pli_body_energy* energy, int i, int first, int end,
                         const int32_t* child);
// The supports of all vertices from the support sets.
void pli_model_hold_vertices(pli_model* model);

// The vertex that a half-space moves with; -1: it does not move.
int pli_model_carrier(const pli_model* model, int half_space);

// True if the motion of some of its vertices is prescribed.
bool pli_body_has_prescribed(const pli_model* model, int body);

// The elements of a body, -1: of all bodies. The surface of a body; the caller frees it.
pli_elements pli_model_elements(const pli_model* model, int body);
pli_status pli_model_skin(const pli_model* model, int body, int dim, pli_skin* skin,
                          pli_error* error);
// Surface triangles of a body in space, including sheets; quadratic faces are split into four.
// Writes 3 vertices each to `out` (NULL: only counts). A cage has none: its skin has them.
pli_status pli_model_skin_triangles(const pli_model* model, int body, int32_t* out, int* count,
                                    pli_error* error);

// Diagonal of the bounding box of the deformable bodies among first .. end - 1, at the present
// positions; 0 if there are none [m].
double pli_model_diagonal(const pli_model* model, int first, int end);
// Same for the smallest body with an extent; 1 m if there are only points.
double pli_model_smallest_diagonal(const pli_model* model);
// Same for one body, at rest.
double pli_model_rest_diagonal(const pli_model* model, int body);
// Mean vertex mass of all deformable bodies; 1 if there are none [kg].
double pli_model_mean_mass(const pli_model* model);

#endif
