// Changing a world between steps.
//
// Bodies, supports, energies, stencils, loads, obstacles, half-spaces and rules can be added
// (pliant/world.h) and removed at any time between steps, also in a prepared world. The state of all
// that stays is kept: positions, velocities, the history of the time scheme, the state of energies,
// prescribed motion, the stiffness of contact. The next pli_world_prepare or pli_world_step rebuilds
// what is derived from the model. If that fails (a new body intersects another, say), the world is not
// lost: change what is wrong and go on.
//
// Parameters (gravity, loads, materials, friction, targets) change at once, without rebuilding.
//
// What a change does to the energy is `changes` in pli_world_balance. A saved state
// (pli_world_save) holds the changed model too, so a world that was made as this one was at first can
// be restored from it. Readers' numbers (pli_world_body_name(world, 3)) are dense and move up when
// something is removed; ids stay valid and are never used again.
#ifndef PLIANT_CHANGE_H
#define PLIANT_CHANGE_H

#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- ids and numbers

// The number that reading functions take, -1: removed, or of another world.
PLI_API int pli_world_body_number(const pli_world* world, pli_body_id id);
PLI_API int pli_world_support_number(const pli_world* world, pli_support_id id);
PLI_API int pli_world_load_number(const pli_world* world, pli_load_id id);
PLI_API int pli_world_half_space_number(const pli_world* world, pli_half_space_id id);
// The id of a number; generation 0 if it is out of range.
PLI_API pli_body_id pli_world_body_id(const pli_world* world, int body);
PLI_API pli_support_id pli_world_support_id(const pli_world* world, int support);
PLI_API pli_load_id pli_world_load_id(const pli_world* world, int load);
PLI_API pli_half_space_id pli_world_half_space_id(const pli_world* world, int half_space);
// Of the energies that were added, pli_world_add_energy and pli_world_add_stencils, in this order.
PLI_API int pli_world_added_energy_count(const pli_world* world);
PLI_API pli_energy_id pli_world_energy_id(const pli_world* world, int energy);

// ---- removing

// With its supports, loads and energies, listed stencils that have one of its vertices, and
// half-spaces that it carries. A body in which another is embedded is refused.
PLI_API pli_status pli_world_remove_body(pli_world* world, pli_body_id id, pli_error* error);
PLI_API pli_status pli_world_remove_support(pli_world* world, pli_support_id id, pli_error* error);
PLI_API pli_status pli_world_remove_energy(pli_world* world, pli_energy_id id, pli_error* error);
PLI_API pli_status pli_world_remove_load(pli_world* world, pli_load_id id, pli_error* error);
PLI_API pli_status pli_world_remove_half_space(pli_world* world, pli_half_space_id id,
                                               pli_error* error);
PLI_API pli_status pli_world_remove_contact_rule(pli_world* world, pli_rule_id id,
                                                 pli_error* error);

// ---- parameters, from the next step on

PLI_API pli_status pli_world_set_gravity(pli_world* world, const double gravity[3],
                                         pli_error* error); // [m/s^2]
// Parameters of an energy by name; those that are not given stay.
PLI_API pli_status pli_world_set_energy(pli_world* world, pli_energy_id id,
                                        const pli_setting* settings, int setting_count,
                                        pli_error* error);
// For energies that take a vector by time and place (pli_energy_type.input): `field` gives it, at the
// time of the forces of a step and at the mean of the vertices of each stencil when the step begins.
// It replaces the parameters of the same meaning; NULL: these again. `context` outlives the world.
PLI_API pli_status pli_world_set_energy_field(pli_world* world, pli_energy_id id,
                                              pli_field_fn* field, void* context,
                                              pli_error* error);
// The value that a parameter of an energy has now; false: there is no such energy or parameter, or it has
// no value (it was not given and has no default).
PLI_API bool pli_world_energy_setting(const pli_world* world, pli_energy_id id, const char* name,
                                      double* value);
// The type of an energy; NULL: there is no such energy.
PLI_API const pli_energy_type* pli_world_energy_type(const pli_world* world, pli_energy_id id);
// The value of a load that is given as a constant [N] or [Pa].
PLI_API pli_status pli_world_set_load(pli_world* world, pli_load_id id, const double value[3],
                                      pli_error* error);
// Friction between bodies where no rule says otherwise; of a half-space. static 0: the same.
PLI_API pli_status pli_world_set_friction(pli_world* world, double friction,
                                          double friction_static, pli_error* error);
PLI_API pli_status pli_world_set_half_space_friction(pli_world* world, pli_half_space_id id,
                                                     double friction, double friction_static,
                                                     pli_error* error);
// Where the vertices of a prescribed motion are to be at the end of the next step and of those after
// it: their places when the motion was added, and this offset [m]. It replaces what the motion was
// given as (a velocity, keys, a field).
PLI_API pli_status pli_world_set_target(pli_world* world, pli_support_id id,
                                        const double offset[3], pli_error* error);
// kappa of the barriers [Pa] or [J/m^4], from now on as given; > 0.
PLI_API pli_status pli_world_set_contact_stiffness(pli_world* world, double stiffness,
                                                   pli_error* error);
// The size of steps from now on [s]; > 0. Refused for schemes of order 3 and more, which need steps of
// one size.
PLI_API pli_status pli_world_set_time_step(pli_world* world, double time_step, pli_error* error);
// Velocities of all vertices of a body [m/s], 3 each or (each false) one for all.
PLI_API pli_status pli_world_set_velocities(pli_world* world, pli_body_id id,
                                            const double* velocities, bool each,
                                            pli_error* error);

// The unknowns of a body from now on: "free", "affine" or "rigid". Its centre of mass, linear and angular
// momentum stay; places of vertices stay if it becomes free, otherwise they become the nearest that an
// affine body can take, and of a rigid one without strain. Refused for bodies with supports or joints,
// for modes, cages and obstacles, and for closed surfaces without thickness. If the result is not
// allowed (intersections), nothing changes. The energy that deformation had is in `changes` of the
// balance.
PLI_API pli_status pli_world_set_kinematics(pli_world* world, pli_body_id id, const char* kinematics,
                                            pli_error* error);

// ---- another mesh

// How the new vertices and elements of a body come from the present ones, numbers within the body.
// Place and velocity of new vertex i are the sums of weight * those of `from` over its entries
// start[i] .. start[i + 1] - 1, whose weights sum up to 1. A vertex without entries is new to the body: an
// emitted particle, say.
typedef struct pli_transfer {
    const int32_t* start; // vertex count of the new mesh + 1
    const int32_t* from;
    const double* weight;
    // Of vertices without entries, 3 for each vertex of the new mesh: places [m], NULL: those of the mesh;
    // velocities [m/s], NULL: 0.
    const double *positions, *velocities;
    // Of each kind: which present element a new one is part of, -1: none; NULL: none of this kind,
    // unless it has the same vertices. Energies take the state of that element.
    const int32_t* element_from[PLI_ELEMENT_KIND_COUNT];
} pli_transfer;

// What replacing a mesh has changed.
typedef struct pli_edit_info {
    // Of the body before and after [kg], [N s], about the origin [N m s].
    double mass[2], momentum[2][3], angular_momentum[2][3];
    double kinetic[2], potential[2];                        // of the world [J]
} pli_edit_info;

// Replaces the mesh of a body: mesh->positions are its rest shape. Supports and loads hold the new
// vertices all of whose sources they hold (none without sources); energies, density and contact settings stay. Masses are
// those of the new mesh. If the result is not allowed (intersections, inverted elements), nothing
// changes; if memory runs out and does not suffice to undo it either, the world can only be destroyed. `transfer` NULL: the mesh has the same vertices, and only elements or the rest shape are
// others. `info` may be NULL.
PLI_API pli_status pli_world_edit(pli_world* world, pli_body_id id, const pli_mesh* mesh,
                                  const pli_transfer* transfer, pli_edit_info* info,
                                  pli_error* error);

// ---- copies

// A world with the same model and state, which goes on with the same bits. Callbacks and their
// contexts are shared.
PLI_API pli_status pli_world_clone(pli_world* world, pli_world** copy, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
