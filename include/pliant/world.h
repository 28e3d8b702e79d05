// The world: bodies, supports, obstacles, and the step that minimizes
//
//     E(x) = 1/(2 c h^2) |x - x_hat|^2_M + P(x) + D(x)    [J]
//
// Fill a def (start from pli_default_*_def), add objects, step, read: docs/API.md has an example.
// Between steps the world can change (pliant/change.h). A world may be used by one thread at a time; two worlds
// are independent. A callback (an energy, a field, an allocator, a writer of bytes) may read its world,
// but not change it: PLI_E_BUSY, and destroying does nothing. (An allocator must not read a world that
// is being destroyed.) If the world is NULL, calls fail or return 0.
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include "pliant/base.h"
#include "pliant/energy.h"
#include "pliant/mesh.h"
#include "pliant/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_world pli_world;

// Handle to a body.
typedef struct pli_body_id {
    int32_t index;
    uint32_t generation; // identifies the world, others refuse the handle; 0: no body
} pli_body_id;
// The same for supports, energies (and listed stencils), loads, half-spaces and contact rules.
typedef struct pli_support_id {
    int32_t index;
    uint32_t generation;
} pli_support_id;
typedef struct pli_energy_id {
    int32_t index;
    uint32_t generation;
} pli_energy_id;
typedef struct pli_load_id {
    int32_t index;
    uint32_t generation;
} pli_load_id;
typedef struct pli_half_space_id {
    int32_t index;
    uint32_t generation;
} pli_half_space_id;
typedef struct pli_rule_id {
    int32_t index;
    uint32_t generation;
} pli_rule_id;

// How E is minimized. The words are listed by `pliant help solver`.
typedef struct pli_solver_def {
    size_t size; // set by pli_default_world_def()
    const char* method;        // "projected-newton", "newton", "gradient-descent", "l-bfgs"
    const char* line_search;   // "backtracking", "armijo", "none"
    const char* linear;        // "multifrontal", "pcg", "auto"; "cholesky" where CHOLMOD is linked
    const char* preconditioner; // of pcg: "incomplete-cholesky", "block-jacobi", "multilevel"
    double tolerance;          // Newton stops when no vertex would still move faster than this [m/s]
    double gradient_tolerance; // statics and others stop when the net force is below this part of the forces
                               // present; Newton in statics when it would also gain no more than 1/100 of
                               // it of the stored energy
    double linear_tolerance;   // relative residual at which pcg stops; 0: chosen for each direction
    int max_iterations;        // per minimization; 0: 1000 for Newton in time steps, else 5000
    int max_linear_iterations; // of pcg
    bool blas;                 // BLAS for large fronts: faster on some machines, but the last bits
                               // depend on the machine
    const char* on_failure;    // "substep", "stop", "accept"
    int max_substeps;          // a step is halved at most this often with "substep"
    const char* on_blocked;    // "go-on": prescribed vertices blocked by contact stay behind;
                               // "fail": the step counts as not converged
    int dense_equations;       // with more equations of joints than this, time and memory grow with
                               // their number instead of its square
} pli_solver_def;

// Contact by barriers: forces start at distance dhat and grow without bound as it goes to zero.
typedef struct pli_contact_def {
    size_t size; // set by pli_default_world_def()
    bool bodies;            // bodies touch each other and themselves
    double dhat;            // distance at which forces start [m]; 0: by dhat_relative
    double dhat_relative;   // dhat as a part of the diagonal of the box around all bodies that can
                            // deform, at t = 0; 0: 1e-3 of the diagonal of the smallest one
    const char* barrier;    // "area": weighted by the surface, "ipc": without area [Li20]
    double stiffness;       // kappa of the barrier [Pa]; with "ipc" [J/m^4]; 0: chosen and adapted
    double friction;        // kinetic coefficient between bodies
    double friction_static; // static coefficient; 0: the same
    double friction_speed;  // below this sliding speed friction is smoothed [m/s]
    double friction_accuracy; // Newton's tolerance with friction is at most this part of that speed
    int friction_iterations; // updates of the lagged friction forces within a step; 0: until they no
                             // longer change, at most 100
} pli_contact_def;

typedef struct pli_world_def {
    size_t size; // set by pli_default_world_def()
    int dimension;     // 2: everything stays in the plane z = const; 3
    double time_step;  // h [s]; 0: chosen for each step by the members below
    double step_min, step_max;  // bounds of h [s]
    const char* step_control;   // "error": by the scheme's local error; "effort": by Newton iterations
    double step_error;          // allowed local error [m]; 0: 1e-4 of the smallest body's size
    int step_effort;            // Newton iterations to aim at
    double end_time;            // chosen steps end here at the latest [s]; 0: no end
    const char* scheme; // "backward-euler", "bdf2", ...: pliant help time
    double newmark_beta, newmark_gamma; // of scheme "newmark"
    double gravity[3]; // [m/s^2]
    double thickness;  // out-of-plane depth of plane problems [m]
    pli_solver_def solver;
    pli_contact_def contact;
    bool interactive;  // vertices may be grabbed: pli_world_grab
    int thread_count;                            // 0: all processors; results do not depend on it
    const pli_energy_type* const* energy_types;  // your own, beside the built-in ones; may be NULL
    int energy_type_count;
    const pli_allocator* allocator; // NULL: malloc; must outlive the world
} pli_world_def;

// A body: a mesh with mass and unknowns.
typedef struct pli_body_def {
    size_t size; // set by pli_default_body_def()
    const char* name;        // copied
    const pli_mesh* mesh;    // the shape at rest; copied
    const double* initial;   // positions at t = 0, 3 per vertex [m]; NULL: at rest
    const double* velocities; // at t = 0, 3 per vertex [m/s]; NULL: `velocity` for all
    double velocity[3];      // [m/s]
    double density;          // [kg/m^3]; segments also need a cross_section, points need
                             // vertex_mass instead
    const char* mass;        // "lumped": by adjacent elements; "even": total mass / vertex count;
                             // "consistent": also between the vertices of each element, from density
    double vertex_mass;      // [kg] if > 0, of every vertex, instead of density
    const char* kinematics;  // "free": each vertex; "polynomial": x = rest + polynomial of rest;
                             // "embedded": with the tetrahedra of the body added just before it,
                             // which then touches nothing itself; no mass of its own;
                             // "affine": x = p + A X, kept a rotation by affine_stiffness; "rigid":
                             // the same with a stiffness chosen for allowed_strain
    int order;               // of the polynomial, 1 (affine) to 3
    const double* modes;     // not NULL: x = rest + sum q_j mode_j instead; mode after mode, 3 per
                             // vertex; copied
    int mode_count;
    double mass_damping;     // dissipates 1/2 alpha v M v [1/s]
    double stiffness_damping; // dissipates 1/2 beta v K v, with the stiffness of its energies [s]
    bool contact_bodies;     // takes part in contact between bodies
    bool contact_self;       // touches itself too
    double contact_thickness; // distance of its surface from its points, segments and triangles
                              // [m]; neighbours of one surface, d0 apart at rest, keep at most
                              // (d0 - dhat) / 2
    const char* contact_vertices; // against half-spaces: "boundary", "all", "none"; "none" of an
                                  // obstacle: vertices of no element touch nothing either
    double contact_area;     // weight of each vertex and edge in contact [m^2]; 0: from the surface
    const char* const* tags; // words by which contact rules name it, beside its name; copied
    int tag_count;
    bool obstacle; // others touch it, but it never deforms: it needs neither mass nor energies, vertices
                   // that are not prescribed are fixed, and it touches neither itself nor obstacles
    void* user;    // yours, never read by the library: pli_world_body_user
    double thickness; // of triangles in space [m]; 0: that of an energy of the body, else that of the
                      // world. Density gives a triangle the mass density * area * thickness
    double cross_section; // of segments [m^2]; 0: that of an energy of the body. Density gives the
                          // segments of a body without triangles and tetrahedra their mass by it
    // Flat rest shape of the triangles of a sheet in space, 6 numbers for each: x and y of its corners
    // [m], triangles that are neighbours in the mesh need not be neighbours here. Mass, membranes and
    // stretches use it. Copied. NULL: each triangle as it is in the mesh, in its own plane.
    const double* pattern;
    double rest_scale; // > 0: lengths of the rest shape of a sheet are multiplied by it; below 1 the
                       // sheet is under tension
    // Of an "affine" body: kappa of its energy kappa V |A A^T - I|^2 [Pa]. It strains like a solid
    // with Young's modulus 8 kappa and Poisson's ratio 0.
    double affine_stiffness;
    double allowed_strain; // of a "rigid" body, above 0: kappa is chosen for the weight, speed and
                           // spin at the start, and raised between steps if strains exceed it
} pli_body_def;

// Contact between certain bodies (or half-spaces), instead of pli_contact_def. Where several rules
// apply, each value comes from the last one that sets it.
typedef struct pli_contact_rule_def {
    size_t size; // set by pli_default_contact_rule_def()
    const char* between[2];  // a name or a tag each; "": all
    bool pass;               // no contact between them
    bool allow_initial;      // they may intersect at t = 0, and do not touch until they are apart
    double friction;         // kinetic coefficient; < 0: not set
    double friction_static;  // static coefficient; < 0: not set; 0: as `friction`
} pli_contact_rule_def;

// A vector as a function of time [s] and position [m]: a force, a motion. Called by one thread, any
// number of times; the same arguments must give the same result.
typedef void pli_field_fn(void* context, double time, const double place[3], double out[3]);

// Supports: the listed vertices cannot move along some directions. Several supports along axes may
// share a vertex, as at the corner of a quarter model: all their axes are fixed. A vertex that is
// prescribed or slides on a plane can have no other support.
typedef struct pli_fix_def {
    size_t size; // set by pli_default_fix_def()
    const int32_t* vertices; // numbers within the body, each once; NULL: all
    int vertex_count;
    bool axes[3];     // fixed axes
    double normal[3]; // not zero: slides on the plane (in 2D: line) with this normal; axes unused
    bool clamped; // edges of shells and rods with both ends clamped keep their slope and do not turn
    bool no_contact; // points, segments and triangles with all vertices in it touch nothing: parts that
                     // are inside or on what holds them, as the roots of hair
} pli_fix_def;

// Prescribed motion: the listed vertices are pulled to a moving target and held there once they arrive.
// Contact may block them: they never pass through anything.
typedef struct pli_prescribe_def {
    size_t size; // set by pli_default_prescribe_def()
    const int32_t* vertices; // numbers within the body, each once; NULL: all
    int vertex_count;
    double velocity[3]; // [m/s]
    double travel;      // stops after this distance [m]; HUGE_VAL: never
    const double* times; // key times [s], increasing; if set, `offsets` replace velocity and travel
    const double* offsets; // 3 per key: displacement from the start [m], linear between keys; copied
    bool per_vertex;       // `offsets` has, for each key, 3 for each of the vertices
    int key_count;
    pli_field_fn* field; // not NULL: displacement from the start [m], by time and position at t = 0;
    void* context;       // replaces all above; `context` must outlive the world
    double stiffness; // initial penalty, in multiples of the vertex' inertia m / h^2
    bool free[3]; // axes along which they are not prescribed; only with schemes that neither are
                  // explicit nor balance forces in the middle of a step, and not of obstacles
    uint8_t unused[5]; // 0
    bool clamped; // edges of shells and rods with both ends in it move with it: the angles of rods follow
                  // a `field` that turns, by how it moves a place beside the edge
    bool no_contact; // as in pli_fix_def
} pli_prescribe_def;

// External forces on a body: -f(t) . x in E. They do work; no energy is stored.
typedef struct pli_load_def {
    size_t size; // set by pli_default_load_def()
    const char* kind;        // "force": total [N], distributed evenly over the vertices;
                             // "traction": per area of the surface at rest [Pa];
                             // "pressure": normal to the deformed surface [Pa];
                             // "moment": about free edges of shells, per length at rest [N]. It
                             // follows the edge, and raises its outer side to that of the normal
    const int32_t* vertices; // numbers within the body, each once; NULL: all. Tractions and pressure
    int vertex_count;        // act on the faces of the surface (in 2D: edges) with all corners listed,
                             // moments on the edges of one triangle with both ends listed
    double value[3];         // force or traction; of a pressure or moment value[0]
    pli_field_fn* field;     // not NULL: instead of `value`, at a time and a place at rest
    void* context;           // of `field`; outlives the world
} pli_load_def;

// A vertex of a body.
typedef struct pli_vertex_ref {
    pli_body_id body;
    int32_t vertex; // number within the body
} pli_vertex_ref;

// Stencils of an energy over vertices of any bodies: springs between bodies, seams.
typedef struct pli_stencils_def {
    size_t size; // set by pli_default_stencils_def()
    const char* energy; // name of an energy type
    const pli_setting* settings; // override defaults of its parameter table
    int setting_count;
    // What each stencil is to the energy: an element of this kind, or PLI_STENCIL: a stencil of the
    // type's own width; if it has none but is defined on one kind of element, such an element.
    pli_element_kind kind;
    int count; // stencils
    const pli_vertex_ref* vertices; // of all stencils; copied
} pli_stencils_def;

// A flat obstacle: all points x with (x - point) . normal >= 0 are free.
typedef struct pli_half_space_def {
    size_t size; // set by pli_default_half_space_def()
    const char* name;  // by which contact rules and results name it; "": "half-space 0", ...; copied
    double point[3];   // [m]
    double normal[3];  // need not have length 1
    double friction;   // kinetic coefficient
    double friction_static; // static coefficient; 0: the same
    pli_body_id carrier; // generation > 0: `point` moves with this body's first vertex
} pli_half_space_def;

// Why a minimization ended.
typedef enum pli_reason {
    PLI_CONVERGED,
    PLI_ITERATION_CAP,       // max_iterations were not enough
    PLI_LINE_SEARCH_STALLED, // no step length along the direction decreases E
    PLI_INDEFINITE,          // the matrix is not positive definite, the direction would not descend
    PLI_OUT_OF_DOMAIN,       // E is infinite at the start of the step
    PLI_LINEAR_STALLED,      // pcg did not reach its tolerance
    PLI_DIVERGED,            // an explicit step left numbers that are not finite, or "exponential"
                             // did not find its end
    PLI_BLOCKED,             // prescribed vertices did not arrive: contact or stiffness blocks them
    PLI_INTERRUPTED,         // the callback of pli_world_set_cancel ended it
    PLI_UNBALANCED,          // corrections are slower than the tolerance, but forces do not balance
    PLI_ROUNDING,            // the same, but positions cannot resolve more: the step is kept
} pli_reason;

typedef struct pli_phase_times { // [s], of this step
    double gradient, hessian, assembly, symbolic, numeric, solve, collision, line_search, total;
} pli_phase_times;

// Where the energy of a step went [J]. With the changes of kinetic and of stored potential energy
//     kinetic + potential + dissipated + numerical - work_prescribed - work_loads - stiffening
//         - changes = residual
// up to rounding, and `residual` is what the minimizer left over: (net force) . (motion).
typedef struct pli_balance {
    double kinetic, potential; // change
    double dissipated;         // by friction, viscosity, damping
    double numerical;          // by the time scheme, from its own formula: (M a) . dx - (M dv) . v_mean
                               // + grad P . dx - dP; for backward Euler 1/2 |dv|^2_M + grad P . dx - dP
    double work_prescribed;    // done on the bodies by prescribed vertices
    double work_loads;         // done on the bodies by loads
    double stiffening;         // put into barriers by raising the stiffness of contact that the world
                               // chooses: at most 1 % of the kinetic and stored energy in each step
    double changes;            // put in by changes of the world between steps: bodies that came or went,
                               // other meshes, parameters; of a step: since the step before
    double residual;
} pli_balance;

typedef struct pli_step_info {
    pli_reason reason;   // of the last minimization
    const char* remedy;  // advice in words; "" if converged
    bool kept;           // the world has the new state; false: it is as before the step, except for
                         // matrix pattern and solver memory, which can change the last bits
    bool no_progress;    // not kept although on_failure is "accept": the minimizer took no step, so
                         // there is nothing to accept
    int step;            // number of this step, from 1
    double time;         // at its end [s]
    double time_step;    // smallest h tried [s]
    int substeps;        // 1 unless the step was divided
    int rejected;        // attempts that the control of the step size gave up
    int iterations;      // directions computed
    int linear_iterations; // of pcg
    int lag_passes;      // times friction was lagged
    int blocked;         // prescribed vertices that have not arrived
    double residual;     // Newton: speed of the last correction [m/s]; statics, others: relative net force
    double unbalanced;   // Newton: largest net force or torque on a body, as a part of the largest single
                         // force on it (times its half diagonal); at most 1e-3 if converged
    int worst_vertex;    // where that correction is largest; -1: not known
    double min_step;     // smallest accepted fraction of a direction
    int contact_count;   // pairs closer than dhat at the end
    double min_distance; // of those pairs [m]; HUGE_VAL if none
    pli_balance balance; // of this step
    int unknown_count;
    int64_t factor_nonzeros; // of the last factor; with pcg, of the preconditioner
    int symbolic_count;  // symbolic analyses: patterns of the matrix that were new
    pli_phase_times seconds;
} pli_step_info;

PLI_API void pli_world_def_init(pli_world_def* def);
static inline pli_world_def pli_default_world_def(void) {
    pli_world_def def;
    def.size = sizeof def;
    def.solver.size = sizeof def.solver;
    def.contact.size = sizeof def.contact;
    pli_world_def_init(&def);
    return def;
}
PLI_API void pli_body_def_init(pli_body_def* def);
PLI_DEFAULT_DEF(body)
PLI_API void pli_fix_def_init(pli_fix_def* def); // all axes
PLI_DEFAULT_DEF(fix)
PLI_API void pli_prescribe_def_init(pli_prescribe_def* def);
PLI_DEFAULT_DEF(prescribe)
PLI_API void pli_load_def_init(pli_load_def* def); // a force of 0 on all vertices
PLI_DEFAULT_DEF(load)
PLI_API void pli_stencils_def_init(pli_stencils_def* def); // no energy, no stencils
PLI_DEFAULT_DEF(stencils)
PLI_API void pli_half_space_def_init(pli_half_space_def* def); // ground at 0, normal +y
PLI_DEFAULT_DEF(half_space)
PLI_API void pli_contact_rule_def_init(pli_contact_rule_def* def); // between all, and says nothing
PLI_DEFAULT_DEF(contact_rule)

// Checks whether a world can be created with this def: its parameters and their combination.
PLI_API pli_status pli_world_def_check(const pli_world_def* def, pli_error* error);
PLI_API pli_status pli_world_create(const pli_world_def* def, pli_world** world, pli_error* error);
// NULL is fine. Other worlds refuse the handles of a destroyed one.
PLI_API void pli_world_destroy(pli_world* world);
// Whether a call is in progress, so that others are refused.
PLI_API bool pli_world_is_busy(const pli_world* world);

// Adding. `id` gets the handle of what was added and may be NULL. A world that is prepared is prepared
// again before its next step, with its state: see pliant/change.h.
PLI_API pli_status pli_world_add_body(pli_world* world, const pli_body_def* def, pli_body_id* id,
                                      pli_error* error);
// Adds an energy to a body: on all elements that it is defined on, or on the stencils that it derives
// from the mesh. `settings` override defaults of its parameter table.
// A solid with plane_stress must be the body's only solid potential. On the triangles of a body in
// space without tetrahedra solids are membranes: see `thickness` of the body.
PLI_API pli_status pli_world_add_energy(pli_world* world, pli_body_id body, const char* type,
                                        const pli_setting* settings, int setting_count,
                                        pli_energy_id* id, pli_error* error);
PLI_API pli_status pli_world_add_stencils(pli_world* world, const pli_stencils_def* def,
                                          pli_energy_id* id, pli_error* error);
PLI_API pli_status pli_world_fix(pli_world* world, pli_body_id body, const pli_fix_def* def,
                                 pli_support_id* id, pli_error* error);
PLI_API pli_status pli_world_prescribe(pli_world* world, pli_body_id body,
                                       const pli_prescribe_def* def, pli_support_id* id,
                                       pli_error* error);
PLI_API pli_status pli_world_add_load(pli_world* world, pli_body_id body, const pli_load_def* def,
                                      pli_load_id* id, pli_error* error);
PLI_API pli_status pli_world_add_half_space(pli_world* world, const pli_half_space_def* def,
                                            pli_half_space_id* id, pli_error* error);
PLI_API pli_status pli_world_add_contact_rule(pli_world* world, const pli_contact_rule_def* def,
                                              pli_rule_id* id, pli_error* error);

// Numbers the unknowns and builds all tables from what was added. The first step does it if you do not,
// and each step after a change. Fails if a moving vertex has no mass, an element is degenerate or
// inverted, or the present state penetrates: surfaces intersect, or a body lies inside the elements of
// another that it may touch. Then the world can be changed and prepared again.
PLI_API pli_status pli_world_prepare(pli_world* world, pli_error* error);

// Predicts the memory of a prepared world before its first step [bytes]. Without contact the peak is
// right within a few percent; with contact it is a lower bound, because close pairs take memory and
// fill the matrix. Takes as long as a symbolic analysis; the world does not change.
typedef struct pli_memory_prediction {
    size_t world;  // what it has now
    size_t solver; // what the linear solver will take
    size_t peak;
    bool contact; // things can touch
} pli_memory_prediction;
PLI_API pli_status pli_world_predict_memory(pli_world* world, pli_memory_prediction* prediction,
                                            pli_error* error);

// Called many times within a step, also by several threads at once: true cancels the step. It must not
// call the world.
typedef bool pli_cancel_fn(void* context);
// A cancelled step ends soon with the reason PLI_INTERRUPTED, and the world is bit-identical to the one
// before the step: it can be saved, or the step repeated. NULL: no callback (the default). `context`
// must outlive all steps. METIS orderings and CHOLMOD cannot be cancelled while they run.
PLI_API pli_status pli_world_set_cancel(pli_world* world, pli_cancel_fn* cancel, void* context,
                                        pli_error* error);

// One time step. PLI_OK also when it did not converge: read info->reason and info->kept.
PLI_API pli_status pli_world_step(pli_world* world, pli_step_info* info, pli_error* error);

// ---- interaction, between steps

// Pulls a vertex towards a target by a spring, 1/2 k |x - target|^2 in E, from the next step until it is
// released; call again for another target or vertex. k [N/m]; 0: chosen such that the body arrives
// within about 0.1 s. Needs pli_world_def.interactive; a vertex that cannot move is refused.
PLI_API pli_status pli_world_grab(pli_world* world, int vertex, const double target[3], double k,
                                  pli_error* error);
// Pulls a whole body: each of its vertices that can move, from where it is when this is first called, by
// `move`. The springs together are as stiff as k, shared by mass, so that the body keeps its shape and,
// softly, its direction. Again for another `move`.
PLI_API pli_status pli_world_grab_body(pli_world* world, int body, const double move[3], double k,
                                       pli_error* error);
PLI_API void pli_world_release(pli_world* world);

// Sets positions and velocities: 3 per vertex; fixed vertices stay. The state must be free of
// intersections, of bodies inside others and of inversions, otherwise nothing changes. Schemes restart.
typedef struct pli_world_state {
    double time; // [s]
    int step;    // steps done
    const double *positions, *velocities; // [m], [m/s]; NULL: as they are, 0
    // 1 per node; fixed ones stay. NULL: those of the start, or as they are if `positions` is NULL; 0
    const double *node_values, *node_rates; // [unit], [unit/s]
} pli_world_state;
PLI_API pli_status pli_world_set_state(pli_world* world, const pli_world_state* state,
                                       pli_error* error);

// ---- saving

// Writes the complete state as bytes, in a versioned format, between steps. A world that was created in
// the same way and restores them continues bit-identically. Prepares the world if needed. `write` is
// called with pieces; if it returns false the call fails with PLI_E_IO.
typedef bool pli_write_bytes_fn(void* context, const void* bytes, size_t size);
PLI_API pli_status pli_world_save(pli_world* world, pli_write_bytes_fn* write, void* context,
                                  pli_error* error);
// Restores a saved state. The number of unknowns must be the same; if something else differs (scheme,
// energies, solvers) the world restarts from positions and velocities. Results of a step (reactions,
// friction, residuals) are available after the next step. PLI_E_SCENE: the bytes are no state of such a
// world, and nothing has changed; or the state penetrates or has inverted elements here. After that, after
// PLI_E_MEMORY, and if bytes with a changed model (pliant/change.h) are damaged behind it, the world can
// only be destroyed. Untrusted bytes are safe.
PLI_API pli_status pli_world_restore(pli_world* world, const void* bytes, size_t size,
                                     pli_error* error);

// The time schemes: name and description, NULL after the last.
PLI_API const char* pli_scheme_name(int i);
PLI_API const char* pli_scheme_help(int i);
PLI_API bool pli_scheme_statics(int i); // without inertia: each step ends in equilibrium
PLI_API bool pli_scheme_dissipates(int i); // false: nothing moves, damping cannot be used

// "converged", "iteration cap", ...
PLI_API const char* pli_reason_text(pli_reason reason);

// ---- reading
// Pointers stay valid until the next step; arrays have 3 entries per vertex. An index out of range (of a
// body, kind, support, energy or half-space) gives 0, false, "" or NULL.
PLI_API int pli_world_dimension(const pli_world* world);
PLI_API double pli_world_time(const pli_world* world);
PLI_API double pli_world_time_step(const pli_world* world); // of the def [s]
PLI_API void pli_world_gravity(const pli_world* world, double gravity[3]); // [m/s^2]
PLI_API int pli_world_step_count(const pli_world* world);
PLI_API int pli_world_vertex_count(const pli_world* world);
// Grows whenever bodies, vertices or elements change.
PLI_API uint64_t pli_world_topology_epoch(const pli_world* world);
PLI_API int pli_world_unknown_count(const pli_world* world); // after prepare
PLI_API const double* pli_world_positions(const pli_world* world);  // [m]
PLI_API const double* pli_world_velocities(const pli_world* world); // [m/s]
PLI_API const double* pli_world_rest_positions(const pli_world* world); // [m]
PLI_API const double* pli_world_reactions(const pli_world* world);  // forces of supports on vertices [N];
                                                                    // NULL before prepare
// Residual of the minimizer at each vertex in the last step, also if it failed; 1 per vertex.
// In "m/s" the speed of the last correction: the largest is pli_step_info.residual. In "N" (statics,
// methods other than Newton's) the net force. NULL: no step was minimized yet, or the scheme is explicit.
PLI_API const double* pli_world_residuals(const pli_world* world);
PLI_API const char* pli_world_residual_unit(const pli_world* world); // "" before prepare, and explicit
// Nodes: the scalar unknowns that energies have beside the vertices (pli_sink_node), in the order of
// asking; after prepare. In residuals the first vertex of its key (or of its body) stands for a node,
// by its scale, if its own is smaller.
typedef struct pli_node_info {
    int body;         // -1: there is none
    int vertex;       // its number in stencils
    pli_node_key key; // vertices sorted
    pli_node_def def;
    double value, rate; // [unit], [unit/s]
    double reaction;    // what keeps a fixed node at its value [J/unit]; 0 if it is free
} pli_node_info;
PLI_API int pli_world_node_count(const pli_world* world);
// 1 per node [unit], [unit/s]; NULL: there is none.
PLI_API const double* pli_world_node_values(const pli_world* world);
PLI_API const double* pli_world_node_rates(const pli_world* world);
PLI_API pli_node_info pli_world_node(const pli_world* world, int i);
// Supports: one for each call of pli_world_fix and pli_world_prescribe, in this order. If several share
// a vertex, each axis and its reaction belong to the first that fixed it, so that the forces of all
// supports add up to all reactions.
typedef struct pli_support_info {
    int body;
    const char* kind; // "fixed": along axes, "sliding": on a plane, "prescribed"; "" if there is none
    int vertex_count; // that it holds along an axis at least
    double centre[3]; // mean of the present positions of its vertices [m]
    double force[3];  // of the support on the body, the sum of the reactions [N]; 0 before prepare
    double torque[3]; // of the reactions about `centre` [N m]
    int blocked;      // prescribed vertices of it that did not arrive in the last step kept
} pli_support_info;
PLI_API int pli_world_support_count(const pli_world* world);
PLI_API pli_support_info pli_world_support(const pli_world* world, int i);
// 1 per vertex, with the body's mass as their sum [kg]; lumped ones if the mass is consistent.
PLI_API const double* pli_world_vertex_masses(const pli_world* world);
PLI_API int pli_world_body_count(const pli_world* world);
PLI_API const char* pli_world_body_name(const pli_world* world, int body);
PLI_API bool pli_world_body_is_obstacle(const pli_world* world, int body);
// The pointer of pli_body_def.user, or the one that was set last; it can be set at any time. A saved
// state does not hold it.
PLI_API void* pli_world_body_user(const pli_world* world, int body);
PLI_API pli_status pli_world_set_body_user(pli_world* world, pli_body_id body, void* user,
                                           pli_error* error);
// Whether the next body is embedded in it: that one is shown and touched instead.
PLI_API bool pli_world_body_is_cage(const pli_world* world, int body);
PLI_API double pli_world_body_thickness(const pli_world* world, int body); // in contact [m]
// The distance at which pictures show its surface from its points, segments and sheets [m]: the
// thickness in contact; if that is 0, the radius of a circle with the cross-section of its segments,
// or half the thickness of its triangles in space; 0: none of these is given.
PLI_API double pli_world_body_radius(const pli_world* world, int body);
// Vertices of body b are [pli_world_body_vertex(b), pli_world_body_vertex(b + 1)).
PLI_API int pli_world_body_vertex(const pli_world* world, int body);
// Hash of what never changes of a body: rest shape, elements, masses, supported and loaded vertices,
// given offsets of prescribed ones. 0: no such body.
PLI_API uint64_t pli_world_body_hash(const pli_world* world, int body);
// Elements of all bodies, in world vertex numbers; those of body b are
// [pli_world_body_element(b, kind), pli_world_body_element(b + 1, kind)). Vertices are no elements
// here: PLI_VERTEX has count 0 and no list.
PLI_API int pli_world_element_count(const pli_world* world, pli_element_kind kind);
PLI_API const int32_t* pli_world_elements(const pli_world* world, pli_element_kind kind);
PLI_API int pli_world_body_element(const pli_world* world, int body, pli_element_kind kind);
// The surface of a body: the boundary of its tetrahedra, counter-clockwise seen from outside, and
// triangles that are no faces of them; quadratic faces as four flat triangles. Writes 3 world vertices
// each unless `out` is NULL; *count gets their number.
PLI_API pli_status pli_world_body_triangles(pli_world* world, int body, int32_t* out, int* count,
                                            pli_error* error);
// Fields of each element. Energies and stresses are sums over all its potentials; stretches are the
// singular values of the deformation gradient at its centre.
typedef struct pli_element_fields {
    double* energy;         // 1 per element [J]
    double* energy_density; // 1 per element: energy per volume at rest [J/m^3]; 0 for segments
    double* stress;         // 6 per element: Cauchy stress xx yy zz yz zx xy [Pa]
    double* stretches;      // 3 per element: as many as it has dimensions, the largest first, the last
                            // of them negative if it is inverted; then 1. Of triangles the third
                            // is out of plane: 1, or F_zz with plane_stress
} pli_element_fields;
// Fills the arrays that are not NULL, for all elements of this kind. PLI_VERTEX: nothing is written;
// energies over vertices show in pli_world_energy_value alone.
PLI_API void pli_world_element_fields(const pli_world* world, pli_element_kind kind,
                                      const pli_element_fields* fields);
// Scalars that the energies of the world show (pli_energy_type.fields), each name once; after prepare.
// pli_world_field: name NULL after the last. pli_world_field_values writes, for each vertex, the mean
// over its stencils and their number, 0 and 0 where there is none.
PLI_API int pli_world_field_count(const pli_world* world);
PLI_API pli_energy_field pli_world_field(const pli_world* world, int i);
PLI_API void pli_world_field_values(const pli_world* world, int i, double* values, int32_t* shares);
// Parts of the energy at the present state: "kinetic", then one per term, e.g. "spring", "gravity".
PLI_API int pli_world_energy_count(const pli_world* world);
PLI_API const char* pli_world_energy_name(const pli_world* world, int i);
PLI_API double pli_world_energy_value(const pli_world* world, int i); // [J]
// False for parts that belong to a step and not to a state: friction, the pull on prescribed vertices.
PLI_API bool pli_world_energy_stored(const pli_world* world, int i);
// The sum of the balances of all steps, and of changes since the last one.
PLI_API pli_balance pli_world_balance(const pli_world* world);

// ---- queries at the present state

// Sums over one body: of the mass that its kinematics move, lumped or consistent.
typedef struct pli_body_summary {
    double mass;        // [kg]; 0 before prepare, of obstacles and of embedded bodies
    double centre[3];   // of mass [m]; 0 without mass
    double velocity[3]; // of the centre of mass [m/s]
    double momentum[3]; // [kg m/s]; motion counts for nothing in statics
    double angular[3];  // angular momentum [kg m^2/s]
    double inertia[9];  // tensor of inertia about the same point, row by row [kg m^2]
    double kinetic;     // energy [J]
    double volume;      // of tetrahedra, in the plane of triangles times thickness [m^3]
    double low[3], high[3]; // corners of the box around its vertices, larger by its contact thickness,
                            // in the plane along x and y [m]; 0 if there are none
} pli_body_summary;
// body -1: all bodies together. `angular` and `inertia` are about the point `about` [m]; NULL: about
// the centre of mass.
PLI_API pli_body_summary pli_world_body_summary(const pli_world* world, int body,
                                                const double about[3]);

// A point of a surface that a query found. Surfaces are those of all bodies and obstacles, whether
// they touch anything or not (a cage has none: its skin is there instead): in space triangles as
// pli_world_body_triangles has them, in the plane outlines; segments and vertices that belong to
// nothing larger; each with the contact thickness of its body around it; and half-spaces.
typedef struct pli_hit {
    int body;          // -1 - i: half-space i
    int vertex_count;  // of the part: 3 a triangle, 2 a segment or edge, 1 a vertex, 0 a half-space
    int vertices[3];   // world numbers; -1 for the rest
    int triangle;      // number among those of pli_world_body_triangles; -1: not a triangle
    double weights[3]; // barycentric coordinates, of sum 1; of a thick part of the point inside it
    double point[3];   // on the surface [m]
    double normal[3];  // unit: of triangles and outlines as they are oriented, outward for solids;
                       // else away from the part; 0 if there is none
    double distance;   // [m]
} pli_hit;
// The first surface that a ray meets, from either side, not farther than max_distance (HUGE_VAL: no
// limit); *found is false if there is none. `direction` need not have length 1. A ray that starts
// within a thickness or a half-space meets it at distance 0. What has neither area nor thickness (a
// vertex; in space also a segment) is never met. A ray through a common edge meets a surface exactly
// once or more, never between two triangles. Queries share a tree of boxes until the state changes.
// PLI_E_ARGUMENT if the world is not prepared.
PLI_API pli_status pli_world_cast_ray(pli_world* world, const double origin[3],
                                      const double direction[3], double max_distance, pli_hit* hit,
                                      bool* found, pli_error* error);
// The point of all surfaces that is closest to `place`, not farther than max_distance. Within a
// thickness or a half-space the distance is negative: how deep; inside a body without thickness it is
// that to its surface, and positive.
PLI_API pli_status pli_world_closest_point(pli_world* world, const double place[3],
                                           double max_distance, pli_hit* hit, bool* found,
                                           pli_error* error);

// Verifies that the present state does not penetrate, by tests that are independent of the collision
// detection of steps: PLI_E_SCENE with bodies, vertices and place if surfaces cross (by exact
// predicates), a body lies inside another, or two parts are closer than their thickness.
PLI_API pli_status pli_world_verify(pli_world* world, pli_error* error);
// Two surfaces that intersect: vertices, edges or triangles.
typedef struct pli_crossing_info {
    int body[2];
    int vertex_count[2]; // of each part, 1 to 3
    int vertices[2][3];  // numbers within the bodies; -1 for the rest
    double point[3];     // where [m]
    double distance;     // 0: they cross; else they do not, but are only so far apart, less their
                         // thickness [m]: too little for the arithmetic, or overlapping
} pli_crossing_info;
// All crossings at the present state, by the same exact test; if there are none, all pairs that are too
// close. At most `room` are written; *count is their number. Also for a world that could not be prepared
// because it intersects.
PLI_API pli_status pli_world_crossings(pli_world* world, int room, pli_crossing_info* crossings,
                                       int* count, pli_error* error);

// Contacts: pairs closer than dhat at the present state.
typedef struct pli_contact_info {
    int body[2];         // the second is -1 - i if it is half-space i
    int vertex_count[2]; // of each part, 1 to 3; 0 for a half-space
    int vertices[2][3];  // world numbers
    double point[2][3];  // the closest points [m]
    double normal[3];    // unit, from the second to the first
    double distance;     // between the surfaces [m]
    double force;        // on the first, along the normal [N]
    double friction[3];  // on the first, in the last step [N]
} pli_contact_info;
PLI_API int pli_world_contact_count(const pli_world* world);
PLI_API const pli_contact_info* pli_world_contacts(const pli_world* world); // NULL if there are none
// Sums over the contacts of two bodies, on the first of them: in order of the bodies. Friction is
// that of the last step, also of pairs that have come apart in it.
typedef struct pli_body_contact_info {
    int body[2];         // the second is larger, or the same, or -1 - i: half-space i
    int count;           // contacts; 0: none any more
    double min_distance; // [m]; HUGE_VAL if there are none any more
    double force[3];     // normal forces [N]; 0 of a body with itself
    double friction[3];  // [N]; 0 of a body with itself
} pli_body_contact_info;
PLI_API int pli_world_body_contact_count(const pli_world* world);
PLI_API pli_body_contact_info pli_world_body_contact(const pli_world* world, int i);
// Per vertex [N], 3 each: contact forces without friction; friction. NULL before prepare, and if
// nothing can touch.
PLI_API const double* pli_world_contact_forces(const pli_world* world);
PLI_API const double* pli_world_friction_forces(const pli_world* world);
// The force of contact on `body` by `other`, at the present state and without friction [N]; other -1:
// by all half-spaces.
PLI_API void pli_world_contact_force(const pli_world* world, int body, int other, double force[3]);
PLI_API double pli_world_dhat(const pli_world* world); // distance at which contact forces start [m];
                                                       // after prepare
// kappa of the barriers, given or as it has been adapted [Pa] or [J/m^4]; after prepare.
PLI_API double pli_world_contact_stiffness(const pli_world* world);
PLI_API int pli_world_half_space_count(const pli_world* world);
PLI_API const char* pli_world_half_space_name(const pli_world* world, int i);
// Where it is now.
PLI_API void pli_world_half_space(const pli_world* world, int i, double point[3], double normal[3]);
// The vertex that its point moves with; -1: it stands still, or there is none.
PLI_API int pli_world_half_space_carrier(const pli_world* world, int i);
// Bytes now; with what CHOLMOD, where it is linked, takes from malloc, as far as it tells.
PLI_API size_t pli_world_memory(const pli_world* world);
PLI_API size_t pli_world_memory_peak(const pli_world* world); // bytes
// Number of calls to the allocator since creation (to see that steps make none after warm-up).
PLI_API int64_t pli_world_memory_calls(const pli_world* world);

#ifdef __cplusplus
}
#endif

#endif
