// Parameter rows: see params.h.
#include "model/params.h"

#include "base/def.h"
#include "base/text.h"
#include "contact/barrier.h"
#include "energy/load.h"
#include "energy/params.h"
#include "minimize/minimize.h"
#include "model/rows.h"
#include "sparse/preconditioner.h"

#include <math.h>
#include <string.h>

PLI_WORDS(failure, {"substep", "halve the step, up to max_substeps times, then stop"},
          {"stop", "restore the state before the step and end the run"},
          {"accept", "keep the certified state that was reached"})
PLI_WORDS(blocked, {"go-on", "the vertices lag behind, the run continues"},
          {"fail", "the step fails: see on_failure"})
PLI_WORDS(mass, {"lumped", "each vertex gets its share of the elements around it"},
          {"even", "the same for all vertices"},
          {"consistent", "between the vertices of each element: the integral of density N_i N_j"})
PLI_WORDS(kinematics, {"free", "every vertex moves independently"},
          {"polynomial", "displacements are polynomials of the rest position"},
          {"affine", "x = p + A X, with a stiffness that keeps A a rotation; supports are allowed"},
          {"rigid", "as affine, with the stiffness chosen for allowed_strain"},
          {"embedded", "a skin: vertices move with the tetrahedra of the body before it; the skin "
                       "takes over its contact and display and has no mass"})
PLI_WORDS(contact_vertices, {"boundary", "surface vertices"}, {"all", "also inner vertices"},
          {"none", "no vertex: the body passes through"})

static const char* barrier_name(int i) {
    return i < PLI_BARRIER_FORM_COUNT ? pli_barrier_forms[i].name : NULL;
}
static const char* barrier_help(int i) {
    return i < PLI_BARRIER_FORM_COUNT ? pli_barrier_forms[i].help : NULL;
}

static const pli_param world_rows[] = {
    PLI_INTEGER_ROW(pli_world_def, dimension, "dimension", 2, 3, 2,
                    "2: everything stays in a plane; 3: space"),
    PLI_VECTOR_ROW(pli_world_def, gravity, "gravity", "m/s^2", "acceleration of gravity"),
    PLI_NUMBER_ROW(pli_world_def, thickness, "thickness", "m", 0, 1e12, 1, PLI_PARAM_ABOVE_MIN,
                   "out-of-plane depth of plane problems"),
};
const pli_params pli_world_params = PLI_TABLE(world_rows);

static const pli_param solver_rows[] = {
    PLI_CHOICE_ROW(pli_solver_def, method, "method", pli_method, "how E is minimized"),
    PLI_CHOICE_ROW(pli_solver_def, line_search, "line_search", pli_line_search,
                   "how the step length along a direction is chosen"),
    {.name = "linear",
     .type = PLI_PARAM_CHOICE,
     .offset = offsetof(pli_solver_def, linear),
     .unit = "",
     .choice = pli_linear_name,
     .choice_help = pli_linear_help,
     .choice_absent = pli_linear_absent,
     .help = "how Newton's equations are solved"},
    PLI_CHOICE_ROW(pli_solver_def, preconditioner, "preconditioner", pli_preconditioner,
                   "preconditioner of pcg"),
    PLI_NUMBER_ROW(pli_solver_def, tolerance, "tolerance", "m/s", 0, 1e12, 1e-2,
                   PLI_PARAM_ABOVE_MIN,
                   "Newton stops when no vertex correction is faster than this; with friction see "
                   "contact.friction_accuracy"),
    PLI_NUMBER_ROW(pli_solver_def, gradient_tolerance, "gradient_tolerance", "", 0, 1, 1e-4,
                   PLI_PARAM_ABOVE_MIN,
                   "statics, gradient-descent and l-bfgs stop when the net force is this fraction "
                   "of the forces "
                   "present; Newton with pcg also requires it; Newton in statics also requires "
                   "that at most 1/100 of it, as a "
                   "fraction of the stored energy, is left to gain"),
    PLI_NUMBER_ROW(
        pli_solver_def, linear_tolerance, "linear_tolerance", "", 0, 1, 0, PLI_PARAM_BELOW_MAX,
        "relative residual at which pcg stops; 0: adapted to the progress of Newton's method"),
    PLI_INTEGER_ROW(pli_solver_def, max_iterations, "max_iterations", 0, 1e9, 0,
                    "directions per minimization; 0: 1000 for Newton in time steps, else 5000"),
    PLI_INTEGER_ROW(pli_solver_def, max_linear_iterations, "max_linear_iterations", 1, 1e9, 10000,
                    "iterations of pcg"),
    PLI_BOOL_ROW(pli_solver_def, blas, "blas", 0,
                 "factorize large fronts with the BLAS: faster on some machines, results differ "
                 "between machines"),
    PLI_CHOICE_ROW(pli_solver_def, on_failure, "on_failure", failure,
                   "what to do if a step does not converge"),
    PLI_INTEGER_ROW(pli_solver_def, max_substeps, "max_substeps", 0, 30, 8,
                    "how often substep may halve a step"),
    PLI_CHOICE_ROW(pli_solver_def, on_blocked, "on_blocked", blocked,
                   "what to do if contact blocks prescribed vertices"),
    PLI_INTEGER_ROW(pli_solver_def, dense_equations, "dense_equations", 0, 1e6, 100,
                    "most equations of joints that are solved by a dense complement; more are "
                    "added to the sparse matrix, which is linear along chains"),
};
const pli_params pli_solver_params = PLI_TABLE(solver_rows);

static const pli_param contact_rows[] = {
    PLI_BOOL_ROW(pli_contact_def, bodies, "bodies", 1, "contact between bodies and self-contact"),
    PLI_NUMBER_ROW(pli_contact_def, dhat, "dhat", "m", 0, 1e12, 0, 0,
                   "distance at which contact forces start; 0: by dhat_relative"),
    PLI_NUMBER_ROW(
        pli_contact_def, dhat_relative, "dhat_relative", "", 0, 1, 0, 0,
        "dhat as a fraction of the bounding box diagonal of all deformable bodies at t = 0; "
        "0: 1e-3 of the diagonal of the smallest one"),
    PLI_CHOICE_ROW(pli_contact_def, barrier, "barrier", barrier, "contact potential"),
    PLI_NUMBER_ROW(
        pli_contact_def, stiffness, "stiffness", "Pa", 0, 1e18, 1e5,
        PLI_PARAM_ABOVE_MIN | PLI_PARAM_AUTO,
        "kappa of the barrier; with barrier ipc in J/m^4. auto: from the stiffness and mass of "
        "the bodies, raised when contacts come too close"),
    PLI_NUMBER_ROW(pli_contact_def, friction, "friction", "", 0, 100, 0, 0,
                   "friction coefficient of sliding bodies"),
    PLI_NUMBER_ROW(pli_contact_def, friction_static, "friction_static", "", 0, 100, 0, 0,
                   "friction coefficient up to which bodies stick; 0: equal to friction"),
    PLI_NUMBER_ROW(pli_contact_def, friction_speed, "friction_speed", "m/s", 0, 1e6, 1e-3,
                   PLI_PARAM_ABOVE_MIN, "sliding speed below which friction is smoothed"),
    PLI_NUMBER_ROW(pli_contact_def, friction_accuracy, "friction_accuracy", "", 0, 1e6, 0.1,
                   PLI_PARAM_ABOVE_MIN,
                   "with friction solver.tolerance is at most this fraction of friction_speed; if "
                   "it is larger, "
                   "bodies that should start to slide may stay at rest"),
    PLI_INTEGER_ROW(pli_contact_def, friction_iterations, "friction_iterations", 0, 1000, 1,
                    "times per step that friction is updated from the contact forces; 0: until "
                    "it no longer changes, at most 100 times"),
};
const pli_params pli_contact_params = PLI_TABLE(contact_rows);

static const pli_param body_rows[] = {
    PLI_VECTOR_ROW(pli_body_def, velocity, "velocity", "m/s", "initial velocity"),
    PLI_NUMBER_ROW(pli_body_def, density, "density", "kg/m^3", 0, 1e12, 1000, PLI_PARAM_ABOVE_MIN,
                   "mass per volume (area times thickness in the plane and of sheets)"),
    PLI_CHOICE_ROW(pli_body_def, mass, "mass", mass, "how element mass is distributed to vertices"),
    PLI_NUMBER_ROW(pli_body_def, vertex_mass, "vertex_mass", "kg", 0, 1e12, 0, 0,
                   "mass of every vertex if > 0; replaces density"),
    PLI_CHOICE_ROW(pli_body_def, kinematics, "kinematics", kinematics, "unknowns of the body"),
    PLI_INTEGER_ROW(pli_body_def, order, "order", 1, 3, 1,
                    "order of the polynomial; 1 is an affine body"),
    PLI_NUMBER_ROW(pli_body_def, mass_damping, "mass_damping", "1/s", 0, 1e12, 0, 0,
                   "alpha of Rayleigh damping: damps rigid motion too"),
    PLI_NUMBER_ROW(pli_body_def, stiffness_damping, "stiffness_damping", "s", 0, 1e12, 0, 0,
                   "beta of Rayleigh damping: damps deformation only"),
    PLI_BOOL_ROW(pli_body_def, contact_bodies, "contact_bodies", 1,
                 "takes part in contact between bodies"),
    PLI_BOOL_ROW(pli_body_def, contact_self, "contact_self", 1, "self-contact of the body"),
    PLI_NUMBER_ROW(pli_body_def, contact_thickness, "contact_thickness", "m", 0, 1e12, 0, 0,
                   "offset of the contact surface from its points, segments and triangles: half of "
                   "a sheet's thickness. Neighbours of one surface, d0 apart at rest, keep at most "
                   "(d0 - dhat) / 2"),
    PLI_CHOICE_ROW(pli_body_def, contact_vertices, "contact_vertices", contact_vertices,
                   "vertices in contact with half-spaces"),
    PLI_NUMBER_ROW(pli_body_def, contact_area, "contact_area", "m^2", 0, 1e12, 0, 0,
                   "weight of each vertex and edge in contact; 0: its share of the surface"),
    PLI_NUMBER_ROW(pli_body_def, rest_scale, "rest_scale", "", 0, 1e6, 1, PLI_PARAM_ABOVE_MIN,
                   "factor of the rest lengths of triangles in space; below 1: under tension"),
    PLI_NUMBER_ROW(pli_body_def, thickness, "thickness", "m", 0, 1e12, 0, 0,
                   "thickness of triangles in space, for mass and energies; 0: that of an energy of "
                   "the body, else that of the scene"),
    PLI_NUMBER_ROW(pli_body_def, cross_section, "cross_section", "m^2", 0, 1e12, 0, 0,
                   "cross-section of segments, for mass; 0: that of an energy of the body"),
    PLI_NUMBER_ROW(pli_body_def, affine_stiffness, "affine_stiffness", "Pa", 0, 1e15, 1e8, 0,
                   "kappa of an affine body: it strains like a solid with Young's modulus 8 kappa"),
    PLI_NUMBER_ROW(pli_body_def, allowed_strain, "allowed_strain", "", 0, 1, 1e-3,
                   PLI_PARAM_ABOVE_MIN,
                   "strain that a rigid body may have: its stiffness is chosen for it and raised "
                   "if it is exceeded"),
};
const pli_params pli_body_params = PLI_TABLE(body_rows);

static const pli_param prescribe_rows[] = {
    PLI_VECTOR_ROW(pli_prescribe_def, velocity, "velocity", "m/s", "velocity of the target"),
    PLI_NUMBER_ROW(pli_prescribe_def, travel, "travel", "m", 0, HUGE_VAL, HUGE_VAL, 0,
                   "path length at which the motion ends; not given: never"),
    PLI_NUMBER_ROW(
        pli_prescribe_def, stiffness, "stiffness", "", 0, 1e12, 1e3, PLI_PARAM_ABOVE_MIN,
        "initial stiffness of the pull to the target, in multiples of m/h^2; grows until arrival"),
};
const pli_params pli_prescribe_params = PLI_TABLE(prescribe_rows);

static const pli_param load_rows[] = {
    PLI_CHOICE_ROW(pli_load_def, kind, "kind", pli_load_kind,
                   "meaning of the value and where it acts"),
    PLI_VECTOR_ROW(pli_load_def, value, "value", "N or Pa",
                   "force [N] or traction [Pa]; for a pressure only the first number is used [Pa]"),
};
const pli_params pli_load_params = PLI_TABLE(load_rows);

static const pli_param half_space_rows[] = {
    PLI_VECTOR_ROW(pli_half_space_def, point, "point", "m", "a point on its surface"),
    PLI_VECTOR_ROW(pli_half_space_def, normal, "normal", "", "points to the free side; any length"),
    PLI_NUMBER_ROW(pli_half_space_def, friction, "friction", "", 0, 100, 0, 0,
                   "friction coefficient of sliding bodies"),
    PLI_NUMBER_ROW(pli_half_space_def, friction_static, "friction_static", "", 0, 100, 0, 0,
                   "friction coefficient up to which bodies stick; 0: equal to friction"),
};
const pli_params pli_half_space_params = PLI_TABLE(half_space_rows);

// ---- generic rows

void pli_params_default(const pli_params* params, void* out) {
    for (int i = 0; params && out && i < params->count; ++i) {
        const pli_param* row = &params->rows[i];
        char* field = (char*)out + row->offset;
        int integer = row->type == PLI_PARAM_INTEGER ? (int)row->default_value : 0;
        bool boolean = row->default_value != 0;
        const char* text = row->choice ? row->choice(0) : NULL;
        double vector[3] = {row->default_value, row->default_value, row->default_value};
        switch (row->type) {
        case PLI_PARAM_NUMBER:
            memcpy(field, &row->default_value, sizeof(double));
            break;
        case PLI_PARAM_INTEGER:
            memcpy(field, &integer, sizeof integer);
            break;
        case PLI_PARAM_BOOL:
            memcpy(field, &boolean, sizeof boolean);
            break;
        case PLI_PARAM_CHOICE:
        case PLI_PARAM_TEXT:
            memcpy(field, &text, sizeof text);
            break;
        case PLI_PARAM_VECTOR:
            memcpy(field, vector, sizeof vector);
            break;
        }
    }
}

// *word becomes the string of the table, which outlives the caller's.
static pli_status check_choice(const pli_param* row, const char** word, pli_error* error) {
    char list[200] = "";
    for (int i = 0; row->choice(i); ++i) {
        if (*word && strcmp(*word, row->choice(i)) == 0) {
            *word = row->choice(i);
            return PLI_OK;
        }
        size_t used = strlen(list);
        pli_format(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "", row->choice(i));
    }
    const char* given = *word ? *word : "";
    const char* absent = row->choice_absent ? row->choice_absent(given) : NULL;
    if (absent) return pli_fail(error, PLI_E_ARGUMENT, "%s = \"%s\": %s", row->name, given, absent);
    return pli_fail(error, PLI_E_ARGUMENT, "%s = \"%s\", must be one of %s", row->name, given,
                    list);
}

static pli_status check_row(const pli_param* row, void* values, pli_error* error) {
    char* field = (char*)values + row->offset;
    double numbers[3] = {0};
    int integer;
    const char* word;
    switch (row->type) {
    case PLI_PARAM_NUMBER:
        memcpy(numbers, field, sizeof(double));
        if (numbers[0] == HUGE_VAL && row->max == HUGE_VAL) return PLI_OK; // "never"
        if (numbers[0] == 0 && row->flags & PLI_PARAM_AUTO) return PLI_OK;
        return pli_param_check_number(row, numbers[0], error);
    case PLI_PARAM_INTEGER:
        memcpy(&integer, field, sizeof integer);
        return pli_param_check_number(row, integer, error);
    case PLI_PARAM_VECTOR:
        memcpy(numbers, field, sizeof numbers);
        for (int c = 0; c < 3; ++c) PLI_TRY(pli_param_check_number(row, numbers[c], error));
        return PLI_OK;
    case PLI_PARAM_CHOICE:
        memcpy(&word, field, sizeof word);
        PLI_TRY(check_choice(row, &word, error));
        memcpy(field, &word, sizeof word);
        return PLI_OK;
    case PLI_PARAM_BOOL:
    case PLI_PARAM_TEXT:
        break;
    }
    return PLI_OK;
}

pli_status pli_params_check(const pli_params* params, void* values, const char* what,
                            pli_error* error) {
    for (int i = 0; i < params->count; ++i) {
        pli_status status = check_row(&params->rows[i], values, error);
        if (status == PLI_OK) continue;
        pli_error_prefix(error, "%s", what);
        return pli_error_key(status, error, params->rows[i].name);
    }
    return PLI_OK;
}

// ---- defaults

void pli_body_def_init(pli_body_def* out) {
    pli_body_def def = {.name = "body"};
    pli_params_default(&pli_body_params, &def);
    PLI_GIVE_DEF(def, out);
}

void pli_fix_def_init(pli_fix_def* out) {
    const pli_fix_def def = {.axes = {true, true, true}};
    PLI_GIVE_DEF(def, out);
}

void pli_prescribe_def_init(pli_prescribe_def* out) {
    pli_prescribe_def def = {0};
    pli_params_default(&pli_prescribe_params, &def);
    PLI_GIVE_DEF(def, out);
}

void pli_stencils_def_init(pli_stencils_def* out) {
    const pli_stencils_def def = {.energy = "", .kind = PLI_STENCIL};
    PLI_GIVE_DEF(def, out);
}

void pli_load_def_init(pli_load_def* out) {
    pli_load_def def = {0};
    pli_params_default(&pli_load_params, &def);
    PLI_GIVE_DEF(def, out);
}

void pli_half_space_def_init(pli_half_space_def* out) {
    pli_half_space_def def = {.name = ""};
    pli_params_default(&pli_half_space_params, &def);
    def.normal[1] = 1;
    PLI_GIVE_DEF(def, out);
}
