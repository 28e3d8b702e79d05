// Internals of the world: the model, what prepare builds from it, and the evolving state.
#ifndef PLI_DYNAMICS_WORLD_H
#define PLI_DYNAMICS_WORLD_H

#include <stdatomic.h>

#include "base/parallel.h"
#include "collision/collision.h"
#include "collision/picking.h"
#include "dynamics/carry.h"
#include "dynamics/grab.h"
#include "dynamics/islands.h"
#include "dynamics/joints.h"
#include "dynamics/measures.h"
#include "dynamics/prescribe.h"
#include "dynamics/turn.h"
#include "dynamics/scheme.h"
#include "energy/assembly.h"
#include "energy/averaged.h"
#include "energy/element_term.h"
#include "energy/orthogonality.h"
#include "energy/stencils.h"
#include "kinematics/frame.h"
#include "kinematics/kinematics.h"
#include "kinematics/mass.h"
#include "mesh/measure.h"
#include "mesh/skin.h"
#include "minimize/minimize.h"
#include "model/joints.h"
#include "model/model.h"
#include "pliant/world.h"

// A term and what the world needs to know about it.
typedef struct pli_world_term {
    pli_term term;
    int energy, load;         // of the model, or -1
    int body;                 // that the energy belongs to, or -1
    pli_element_kind element; // of an energy
    bool gravity;
    bool rigidity;            // of affine bodies
    bool contact;             // a barrier, or its friction: it belongs to the collision
} pli_world_term;

// Entities that the arrays of a world have elements for.
enum {
    PLI_PER_POINT,
    PLI_PER_VERTEX, // points and nodes
    PLI_PER_UNKNOWN,
    PLI_PER_GROUP,
    PLI_PER_TERM,
    PLI_PER_FRAME_POINT,
    PLI_ARRAY_ENTITY_COUNT
};

// The start of the present step.
typedef struct pli_undo {
    double time;    // [s]
    pli_pack state; // restored if a step fails
    // If steps may be interrupted, the data that the last bits also depend on: the pattern of the
    // matrix and, from `split` on, its solver; the same after a step, for comparison.
    pli_pack solver, present;
    size_t split;
} pli_undo;

// Where the last accepted step minimized E, and what its end has overwritten since: for derivatives
// of E (derivatives.c).
typedef struct pli_solved {
    bool known;
    double* q;     // unknowns: the end of the step, or its midpoint
    double* x_n;   // positions at its start, 3 per vertex [m]; NULL unless the scheme averages
    double* state; // of energies, at its start
    size_t state_count;
} pli_solved;

struct pli_world {
    pli_memory memory;
    atomic_bool busy; // a call is running, see pli_world_enter
    pli_pool* pool;
    pli_cancel_fn* cancel; // of pli_world_set_cancel; NULL: none
    void* cancel_context;
    pli_model model; // what was added
    const pli_scheme* scheme;
    pli_scheme_def scheme_def;

    pli_pins pins;               // prescribed motion
    pli_turns turns;             // angles that follow it
    pli_constraints constraints; // among them the pins
    pli_grab grab;               // of interactive worlds
    pli_collision collision;     // contact; part of it evolves

    // Built by prepare from model and state; freed and rebuilt when the model changes.
    bool prepared, failed; // failed: the model could not be prepared, until it is changed
    bool lost;             // there was no memory to undo an edit: it can only be destroyed
    int term_count, term_capacity;
    pli_world_term* terms; // fixed stencils first
    pli_term* plain_terms; // same without the world's data, for the assembly
    int plain_term_count;
    pli_averaging averaging; // of plain_terms that are averages of terms
    pli_nodes nodes;         // vertices of the kinematics after the points
    pli_stencil_sink* found; // per energy of the model, until its terms are built
    int found_count;
    pli_kinematics kinematics;
    pli_joints joints;
    pli_measures measures; // of joints that are not equations on unknowns
    pli_assembly assembly;
    pli_minimizer* minimizer;
    char* scheme_work; // scratch of an explicit scheme
    size_t scheme_work_size;
    double* damping; // matrix of scheme "exponential", in the pattern of the assembly [N s/m]
    int damping_capacity;
    pli_mass_solver* mass_solver; // NULL unless the scheme needs accelerations
    double allowed_error;         // of the step size control [m]

    // The evolving state: with the state of constraints and collision, everything that a step
    // starts from.
    pli_history history;     // [0] is the present state
    pli_history coarse;      // states at full steps while a scheme of high order starts
    bool acceleration_known; // history.a is that of the present state
    double time;             // [s]
    int step;                // steps done
    double next_step;        // size that the control chose for the next step [s]
    uint64_t revision;       // changes of the model since it was first prepared
    uint64_t topology;       // those of bodies and meshes among them
    pli_carry carry;         // the state while the prepared data are rebuilt
    const pli_carry_map* replaced; // the mesh that is being replaced, or NULL
    const pli_conversion* conversion; // the body whose kinematics is changing, or NULL

    // The present step (arrays.c). Vertex arrays: 3 per vertex of the kinematics, including nodes
    // (1 for `load`); unknown arrays: 1 per unknown. Reactions and residuals: points only.
    int array_counts[PLI_ARRAY_ENTITY_COUNT]; // as they were allocated
    double tolerance;  // of Newton's method: that of the solver, smaller with friction [m/s]
    double h, arrival; // arrival: distance at which constraints have arrived [m]
    pli_step present;  // as passed to terms
    bool rounded;      // a minimization has reached rounding: PLI_ROUNDING
    // Certified steps of the minimizer while constraints have not arrived: short ones since the
    // minimization began, all since their pull was stiffened. See problem.c.
    int short_steps, unarrived_steps;
    pli_aim aim;
    double *x, *dx, *gx, *x_n, *x_still, *load, *reactions, *accelerations;
    double *q, *v, *a; // its end
    pli_undo undo;     // its start
    pli_solved solved; // the last one kept
    double *scratch, *force, *product, *mass_diagonal;
    uint8_t* frozen;                  // per group
    double *term_values, *term_works; // per term, of the present step
    double* residuals;                // per vertex, of the last minimization
    uint8_t* behind;                  // per vertex: constrained, and not where it should be
    double* ends;                     // positions that correct the matrix: see problem.c
    int worst_vertex;                 // where the residual is largest; -1: nowhere
    double *frame_positions, *frame_velocities; // of the frames' own points at the newest state
    double* node_values;              // of nodes at the newest state: values, rates, reactions
    double* body_forces;              // per body the largest single force, including nodes [N]
    pli_islands islands;
    double kinetic;        // at the present state
    double* energy_values; // per term, at the present state
    double stored;         // potential energy of the newest state in the history
    pli_balance balance;   // of all steps
    pli_balance pending;   // of changes since the last step: added to the next one
    pli_phase_times seconds;
    int supported_count;

    // For queries (query.c): the surfaces, in a tree of the state with this number.
    uint64_t published; // states that readers have seen
    pli_picker picker;
    uint64_t picked;
};

// Guards of every public function that changes a world or allocates in it: callbacks (energies,
// fields, allocators, writers) that call one get PLI_E_BUSY. Enter also fails for NULL; leave
// returns `status`. Internal code calls functions without a guard.
pli_status pli_world_enter(pli_world* world, pli_error* error);
pli_status pli_world_leave(pli_world* world, pli_status status);

// pli_world_prepare without a guard.
pli_status pli_world_make_ready(pli_world* world, pli_error* error);
// Enters a world that is about to change (world.c).
pli_status pli_world_open(pli_world* world, pli_error* error);
// Frees everything that prepare built. The state of a prepared world is carried over to the next
// prepare. On failure nothing has changed.
pli_status pli_world_unprepare(pli_world* world, pli_error* error);
void pli_world_free_prepared(pli_world* world);

pli_status pli_world_not_failed(const pli_world* world, pli_error* error);

// arrays.c: the arrays of the present step, sized by the counts of the model, kinematics and terms.
// If creating them fails, the caller must still free them.
pli_status pli_world_make_arrays(pli_world* world, pli_error* error);
void pli_world_free_arrays(pli_world* world);

// Parts of pli_world_prepare: the unknowns, from bodies, supports and nodes (unknowns.c); the
// terms, from energies, gravity, loads, constraints and contact (terms.c).
pli_status pli_world_number_unknowns(pli_world* world, pli_error* error);
// nodes.c: energies find their stencils and request nodes; the stencils are kept in world->found.
pli_status pli_world_find_stencils(pli_world* world, pli_error* error);
void pli_world_find_held(const pli_world* world, uint8_t* held); // PLI_HELD_*, per point
void pli_world_free_stencils(pli_world* world);
// Adds to `error` the body, or the listed stencils, on which energy i of the model failed.
pli_status pli_world_name_energy(const pli_world* world, int i, pli_status status,
                                 pli_error* error);
// Adds the nodes as vertices of the kinematics.
pli_status pli_world_add_nodes(pli_world* world, pli_error* error);
void pli_world_free_nodes(pli_world* world);
// Checks that the scheme can move them.
pli_status pli_world_check_nodes(const pli_world* world, pli_error* error);
int pli_world_node_unknown(const pli_world* world, int i); // -1: it is fixed
// Nodes without mass get that of a point in the diagonal of the mass, for methods that divide by
// it.
void pli_world_fill_node_mass(const pli_world* world, double* diagonal);
// Initial unknowns and velocities as given by energies; or as given here (NULL: values in q are
// unchanged, rates are 0).
void pli_world_start_nodes(const pli_world* world, double* q, double* v);
void pli_world_place_nodes(const pli_world* world, const double* values, const double* rates,
                           double* q, double* v);
// After a step of an oscillating scheme: massless nodes continue with their mean velocity of the
// step.
void pli_world_rest_massless(pli_world* world);
// Metres per unit of a correction of node i in the stopping test; the point that represents node i
// where residuals are shown; loads of nodes as forces [N].
double pli_world_node_weight(const pli_world* world, int i);
int pli_world_node_point(const pli_world* world, int i);
void pli_world_scale_loads(pli_world* world);
void pli_world_publish_nodes(pli_world* world); // part of pli_world_publish

// The sources of a body's consistent mass, one per element kind; returns their number, 0 if its
// mass is not consistent (unknowns.c).
int pli_body_consistent_mass(const pli_world* world, int body,
                             pli_lump sources[PLI_ELEMENT_KIND_COUNT]);
pli_status pli_world_make_terms(pli_world* world, pli_error* error);
// With a scheme that averages forces, terms with forces become averages of themselves (terms.c).
pli_status pli_world_average_terms(pli_world* world, pli_error* error);
void pli_world_free_averages(pli_world* world);
// Parameters of an energy, or gravity, have changed in the model: prepares its records again, all
// or none. *done is false if gravity appears or disappears (terms.c).
pli_status pli_world_prepare_energy(pli_world* world, int energy, pli_error* error);
pli_status pli_world_prepare_gravity(pli_world* world, bool* done, pli_error* error);
// For builders of terms: reserves space, so that adding cannot fail.
pli_status pli_world_reserve_terms(pli_world* world, int more, pli_error* error);
pli_world_term* pli_world_add_term(pli_world* world, pli_term term);

// contact.c: the collision in steps. Barriers and friction become terms of E.
pli_status pli_world_add_contact(pli_world* world, pli_error* error);
// The stiffness of barriers: initially, with valid pairs at world->x, and when bodies were added,
// which never lowers it; before a step.
void pli_world_choose_stiffness(pli_world* world);
void pli_world_adapt_stiffness(pli_world* world, pli_balance* balance);
// Bodies that may intersect when they are added, and do so at world->x, become exempt; those that
// are separated at the newest state have contact from now on.
pli_status pli_world_exempt(pli_world* world, pli_error* error);
pli_status pli_world_end_exemptions(pli_world* world, pli_error* error);
// Reserves space for the contacts of the newest state, whose pairs must be valid.
pli_status pli_world_find_contacts(pli_world* world, pli_error* error);
static inline bool pli_is_barrier(const pli_world_term* term) {
    return term->contact && term->term.ops->role == PLI_POTENTIAL;
}

// Directions in which a supported vertex can still move, orthonormal, 3 each; returns their count.
int pli_support_directions(const pli_support* support, int dim, double out[9]);

// affine.c: affine bodies and their frames (kinematics/frame.h). Adds the frames' own points; gives a
// body its unknowns; adds its mass; the term that keeps it rigid, with its damping.
pli_status pli_world_add_frames(pli_world* world, pli_error* error);
pli_status pli_world_carry_affine(pli_world* world, int body, pli_error* error);
pli_status pli_world_weigh_frames(pli_world* world, pli_error* error);
pli_status pli_world_add_rigidity(pli_world* world, pli_error* error);
// NULL: the body is not affine; the world has no affine bodies.
const pli_body_frame* pli_world_frame(const pli_world* world, int body);
const pli_term* pli_world_rigidity(const pli_world* world);
// Before a step: stiffens rigid bodies whose strain is above the allowed one.
void pli_world_adapt_rigidity(pli_world* world, pli_balance* balance);
// Reactions of held vertices of affine bodies, before their free directions are left out: of the
// controls, which carry what acts anywhere on the body. `inertia`: M a on points.
void pli_world_carry_reactions(pli_world* world, const double* inertia);
// Per body the modulus that resists its strain and inertia within a step of size h (0: statics), for
// the stiffness of contact [Pa]; 0: the body is not affine or cannot move.
double pli_world_affine_modulus(const pli_world* world, int body, double h);

// embed.c: unknowns of a body that moves with the tetrahedra of its cage.
pli_status pli_world_add_embedded(pli_world* world, int body, pli_error* error);

// impact.c: the fraction of the barrier force that acts over a step; subtracts the contribution of
// contact at q (whose stencils must be valid) from the accelerations `a` of the unknowns.
double pli_world_contact_share(const pli_world* world);
pli_status pli_world_leave_contact(pli_world* world, const double* q, double* a, pli_error* error);
// Reduces the contact forces in gx, the gradient at world->x, to the fraction that acts.
void pli_world_weaken_contact(pli_world* world);
// After pli_world_account: same for gx, the work of prescribed vertices, and accelerations of
// vertices; removes contact from world->a, from which the next step starts.
pli_status pli_world_end_contact(pli_world* world, pli_balance* balance, pli_error* error);

// prepare.c: checks that the state world->x is valid, without intersections and inverted elements.
// Leaves the contact pairs of world->x.
pli_status pli_world_check_allowed(pli_world* world, pli_error* error);

// Evaluates energies of the newest state and the forces that act: world->term_values, x, gx.
void pli_world_evaluate(pli_world* world);
// Publishes positions, velocities, reactions, energies and contacts of the newest state, from what
// was evaluated last and what pli_world_find_contacts has found.
void pli_world_publish(pli_world* world);

// The balance of the step from the newest state of the history to world->q, v, a. Leaves energies
// of its end in term_values, and in x and gx forces where the scheme balances them.
pli_balance pli_world_account(pli_world* world);
// After pli_world_account: energies update their state at the end of the step.
void pli_world_commit(pli_world* world, pli_balance* balance);
void pli_balance_add(pli_balance* sum, const pli_balance* part);
// A change between steps has added this energy [J].
void pli_world_account_change(pli_world* world, double kinetic, double potential);
// Sum over all terms that store energy.
double pli_world_stored(const pli_world* world, const double* term_values);

// Updates all stencils to be valid on world->x .. world->x + *alpha p (3 per vertex; NULL: only at
// the point), shortens *alpha to the certified part, and updates the assembly.
pli_status pli_world_refresh(pli_world* world, const double* p, double* alpha, pli_error* error);

// control.c: adaptive step size. `size`: of the smallest body [m].
bool pli_control_on(const pli_world* world);
// Checks that the world can use adaptive steps with this def.
pli_status pli_control_check(const pli_world_def* def, pli_error* error);
void pli_control_start(pli_world* world, double size);
double pli_control_size(const pli_world* world); // of the next step [s]
// After a failed attempt of size h: false if it cannot be shorter.
bool pli_control_shorten(pli_world* world, double h);
// After a converged attempt: is it accurate enough? Chooses the next size in either case.
bool pli_control_judge(pli_world* world, double h, int iterations);

// step.c: starts a step of size h from the newest state of the history: computes the scheme's
// target, informs the terms, and finds valid pairs at its x.
pli_status pli_world_begin(pli_world* world, double h, pli_error* error);
// Constraints have new targets: updates the scheme's target for them.
void pli_world_aim_constraints(pli_world* world);

// model_state.c: the model as bytes; a model and its prescribed motion, both empty, from bytes.
// Callbacks are those of world->model.
void pli_world_pack_model(const pli_world* world, pli_pack* out);
pli_status pli_world_read_model(const pli_world* world, pli_model* model, pli_pins* pins,
                                int version, pli_unpack* in, pli_error* error);

// state.c: pli_world_save and pli_world_restore without a guard. `with_model`: the bytes contain
// the model, whose callbacks are then those of `of`.
pli_status pli_world_write_state(pli_world* world, bool with_model, pli_write_bytes_fn* write,
                                 void* context, pli_error* error);
pli_status pli_world_read_state(pli_world* world, const pli_world* of, const void* bytes,
                                size_t size, pli_error* error);
// state.c: stores the start of a step; undoes a failed step. pli_world_refresh restores the pairs
// of the barriers.
pli_status pli_undo_init(pli_world* world, pli_error* error);
void pli_undo_free(pli_world* world);
pli_status pli_undo_keep(pli_world* world, pli_error* error);
pli_status pli_undo_go_back(pli_world* world, pli_error* error);
// After the state was restored: restores what can only change the last bits, if steps may be
// interrupted.
pli_status pli_undo_solver(pli_world* world, pli_error* error);
// derivatives.c: stores what a step minimized, once it is accepted and before its state is
// committed.
pli_status pli_solved_init(pli_world* world, pli_error* error);
void pli_solved_free(pli_world* world);
void pli_solved_note(pli_world* world);
// A new state begins, with world->q, v, x and time: everything that depends on earlier ones is
// dropped.
void pli_state_restart(pli_world* world);
// Updates contact pairs to the newest state (step.c).
pli_status pli_world_refresh_start(pli_world* world, pli_error* error);

// forces.c: the largest net force or torque on a body, relative to the largest single force on it;
// for a node the force on itself, in newtons by its scale, relative to the largest on its body.
// `g`: the last evaluated dE/dq; world->x and force (of inertia) belong to it.
pli_unbalanced pli_world_unbalanced(pli_world* world, const double* g);
// Same for each part of the islands.
void pli_world_part_shares(pli_world* world, const double* g, double* shares);

pli_view pli_world_view(const pli_world* world); // of world->x
pli_problem pli_world_problem(pli_world* world);
// The present step, for constraints.
static inline pli_drive pli_world_drive(const pli_world* w) {
    return (pli_drive){
        .kinematics = &w->kinematics, .h = w->h, .v_n = w->history.v[0], .mean = w->scheme->mean};
}

// Explicit schemes: the acceleration of the present state; one step of size world->h.
pli_status pli_world_find_acceleration(pli_world* world, pli_error* error);
pli_status pli_world_advance_explicit(pli_world* world, pli_step_info* info, pli_error* error);

// True while a scheme of high order starts: it has too few states at full steps.
static inline bool pli_world_is_starting(const pli_world* world) {
    return world->history.depth > 2 && world->coarse.count < world->history.depth;
}

#endif
