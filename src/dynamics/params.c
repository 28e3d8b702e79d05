// Parameter rows of the public defs, and what can be done with any rows.
#include "dynamics/params.h"

#include "base/base.h"
#include "base/text.h"
#include "contact/barrier.h"
#include "dynamics/scheme.h"
#include "energy/load.h"
#include "energy/params.h"
#include "minimize/minimize.h"

#include <math.h>
#include <string.h>

// Words with what they mean, as the two functions of a PLI_PARAM_CHOICE.
#define WORDS(words, ...)                                                                          \
    static const char* const words[][2] = {__VA_ARGS__};                                           \
    static const char* words##_name(int i) {                                                       \
        return i < (int)(sizeof words / sizeof *words) ? words[i][0] : NULL;                       \
    }                                                                                              \
    static const char* words##_help(int i) {                                                       \
        return i < (int)(sizeof words / sizeof *words) ? words[i][1] : NULL;                       \
    }
WORDS(failure, {"substep", "halve the step, up to max_substeps times, then stop"},
      {"stop", "the state is as before the step, and the run ends"},
      {"accept", "keep the certified state that was reached"})
WORDS(blocked, {"go-on", "they stay behind, the run goes on"},
      {"fail", "the step has not converged: see on_failure"})
WORDS(control, {"error", "the scheme's estimate of its local error"},
      {"effort", "the number of Newton iterations: for statics and contact"})
WORDS(mass, {"lumped", "each vertex gets its share of the elements around it"},
      {"even", "all vertices the same"},
      {"consistent", "between the vertices of each element: the integral of density N_i N_j"})
WORDS(kinematics, {"free", "every vertex moves by itself"},
      {"polynomial", "displacements are polynomials of the rest position"},
      {"embedded",
       "a skin: vertices move with the tetrahedra of the body before it, which the skin "
       "hides and touches others for; it has no mass of its own"})
WORDS(contact_vertices, {"boundary", "those of the surface"}, {"all", "those inside, too"},
      {"none", "no vertex: the body passes through"})
static const char* barrier_name(int i) {
    return i < PLI_BARRIER_FORM_COUNT ? pli_barrier_forms[i].name : NULL;
}
static const char* barrier_help(int i) {
    return i < PLI_BARRIER_FORM_COUNT ? pli_barrier_forms[i].help : NULL;
}

#define NUMBER(s, field, text, u, lo, hi, value, f, h)                                             \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_NUMBER, .offset = offsetof(s, field), .unit = u,           \
        .min = lo, .max = hi, .default_value = value, .flags = f, .help = h                        \
    }
#define INTEGER(s, field, text, lo, hi, value, h)                                                  \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_INTEGER, .offset = offsetof(s, field), .unit = "",         \
        .min = lo, .max = hi, .default_value = value, .help = h                                    \
    }
#define BOOLEAN(s, field, text, value, h)                                                          \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_BOOL, .offset = offsetof(s, field), .unit = "", .max = 1,  \
        .default_value = value, .help = h                                                          \
    }
#define CHOICE(s, field, text, words, h)                                                           \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_CHOICE, .offset = offsetof(s, field), .unit = "",          \
        .choice = words##_name, .choice_help = words##_help, .help = h                             \
    }
#define VECTOR(s, field, text, u, h)                                                               \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_VECTOR, .offset = offsetof(s, field), .unit = u,           \
        .min = -1e12, .max = 1e12, .help = h                                                       \
    }
#define TABLE(rows)                                                                                \
    { rows, sizeof rows / sizeof *rows }

static const pli_param world_rows[] = {
    INTEGER(pli_world_def, dimension, "dimension", 2, 3, 2,
            "2: everything stays in a plane; 3: space"),
    VECTOR(pli_world_def, gravity, "gravity", "m/s^2", "acceleration of gravity"),
    NUMBER(pli_world_def, thickness, "thickness", "m", 0, 1e12, 1, PLI_PARAM_ABOVE_MIN,
           "out-of-plane depth of plane problems"),
};
const pli_params pli_world_params = TABLE(world_rows);

static const pli_param time_rows[] = {
    NUMBER(pli_world_def, time_step, "step", "s", 0, 1e12, 0.01,
           PLI_PARAM_ABOVE_MIN | PLI_PARAM_AUTO, "time step h; auto: chosen anew for each step"),
    NUMBER(pli_world_def, step_min, "step_min", "s", 0, 1e12, 1e-6, PLI_PARAM_ABOVE_MIN,
           "smallest step with step auto"),
    NUMBER(pli_world_def, step_max, "step_max", "s", 0, 1e12, 0.04, PLI_PARAM_ABOVE_MIN,
           "largest step with step auto"),
    CHOICE(pli_world_def, step_control, "step_control", control, "what step auto goes by"),
    NUMBER(pli_world_def, step_error, "step_error", "m", 0, 1e12, 0,
           PLI_PARAM_ABOVE_MIN | PLI_PARAM_AUTO,
           "allowed error of one step; auto: 1e-4 of the diagonal of the smallest body"),
    INTEGER(pli_world_def, step_effort, "step_effort", 1, 1e6, 8,
            "Newton iterations that step_control effort aims at"),
    CHOICE(pli_world_def, scheme, "scheme", pli_scheme, "time scheme"),
    NUMBER(pli_world_def, newmark_beta, "newmark_beta", "", 0, 1, 0.25, PLI_PARAM_ABOVE_MIN,
           "beta of scheme newmark"),
    NUMBER(pli_world_def, newmark_gamma, "newmark_gamma", "", 0, 1, 0.5, 0,
           "gamma of scheme newmark; above 1/2 it damps"),
};
const pli_params pli_time_params = TABLE(time_rows);

static const pli_param solver_rows[] = {
    CHOICE(pli_solver_def, method, "method", pli_method, "how E is minimized"),
    CHOICE(pli_solver_def, line_search, "line_search", pli_line_search,
           "which step along the direction is taken"),
    CHOICE(pli_solver_def, linear, "linear", pli_linear, "how Newton's equations are solved"),
    CHOICE(pli_solver_def, preconditioner, "preconditioner", pli_preconditioner,
           "preconditioner of pcg"),
    NUMBER(pli_solver_def, tolerance, "tolerance", "m/s", 0, 1e12, 1e-2, PLI_PARAM_ABOVE_MIN,
           "Newton stops when no vertex would be corrected faster than this; with friction see "
           "contact.friction_accuracy"),
    NUMBER(
        pli_solver_def, gradient_tolerance, "gradient_tolerance", "", 0, 1, 1e-4,
        PLI_PARAM_ABOVE_MIN,
        "statics, gradient-descent and l-bfgs stop when the net force is this part of the forces "
        "present; Newton with pcg asks for it, too; Newton in statics also for 1/100 of it as the "
        "part of the stored energy that is left to gain"),
    NUMBER(pli_solver_def, linear_tolerance, "linear_tolerance", "", 0, 1, 0, PLI_PARAM_BELOW_MAX,
           "relative residual at which pcg stops; 0: as exact as Newton's last steps gained"),
    INTEGER(pli_solver_def, max_iterations, "max_iterations", 0, 1e9, 0,
            "directions per minimization; 0: 1000 for Newton in time steps, else 5000"),
    INTEGER(pli_solver_def, max_linear_iterations, "max_linear_iterations", 1, 1e9, 10000,
            "iterations of pcg"),
    BOOLEAN(
        pli_solver_def, blas, "blas", 0,
        "large fronts of the factor by the BLAS: faster on some machines, bits of this machine"),
    CHOICE(pli_solver_def, on_failure, "on_failure", failure,
           "what a step does that did not converge"),
    INTEGER(pli_solver_def, max_substeps, "max_substeps", 0, 30, 8,
            "how often a step may be halved with substep"),
    CHOICE(pli_solver_def, on_blocked, "on_blocked", blocked,
           "what happens when contact holds prescribed vertices back"),
};
const pli_params pli_solver_params = TABLE(solver_rows);

static const pli_param contact_rows[] = {
    BOOLEAN(pli_contact_def, bodies, "bodies", 1, "bodies touch each other and themselves"),
    NUMBER(pli_contact_def, dhat, "dhat", "m", 0, 1e12, 0, 0,
           "distance at which contact forces start; 0: by dhat_relative"),
    NUMBER(pli_contact_def, dhat_relative, "dhat_relative", "", 0, 1, 0, 0,
           "dhat as a part of the diagonal of the box around all bodies that can deform, at t = 0; "
           "0: 1e-3 of the diagonal of the smallest one"),
    CHOICE(pli_contact_def, barrier, "barrier", barrier, "what the contact forces are"),
    NUMBER(pli_contact_def, stiffness, "stiffness", "Pa", 0, 1e18, 1e5,
           PLI_PARAM_ABOVE_MIN | PLI_PARAM_AUTO,
           "kappa of the barrier; with barrier ipc in J/m^4. auto: from the stiffness and mass of "
           "the bodies, raised when contacts come too close"),
    NUMBER(pli_contact_def, friction, "friction", "", 0, 100, 0, 0,
           "friction coefficient between bodies that slide"),
    NUMBER(pli_contact_def, friction_static, "friction_static", "", 0, 100, 0, 0,
           "friction coefficient up to which bodies stick; 0: the same"),
    NUMBER(pli_contact_def, friction_speed, "friction_speed", "m/s", 0, 1e6, 1e-3,
           PLI_PARAM_ABOVE_MIN, "sliding speed below which friction is smoothed"),
    NUMBER(
        pli_contact_def, friction_accuracy, "friction_accuracy", "", 0, 1e6, 0.1,
        PLI_PARAM_ABOVE_MIN,
        "with friction solver.tolerance is at most this part of friction_speed; if it is larger, "
        "what should start to slide may be left at rest"),
    INTEGER(pli_contact_def, friction_iterations, "friction_iterations", 0, 1000, 1,
            "times per step that friction forces are taken anew from the contact forces; 0: until "
            "that changes nothing, at most 100 times"),
};
const pli_params pli_contact_params = TABLE(contact_rows);

static const pli_param body_rows[] = {
    VECTOR(pli_body_def, velocity, "velocity", "m/s", "velocity at the start"),
    NUMBER(pli_body_def, density, "density", "kg/m^3", 0, 1e12, 1000, PLI_PARAM_ABOVE_MIN,
           "mass per volume (area times thickness in the plane)"),
    CHOICE(pli_body_def, mass, "mass", mass, "how the mass of the elements goes to the vertices"),
    NUMBER(pli_body_def, vertex_mass, "vertex_mass", "kg", 0, 1e12, 0, 0,
           "if > 0, mass of every vertex, instead of density"),
    CHOICE(pli_body_def, kinematics, "kinematics", kinematics, "what the body's unknowns are"),
    INTEGER(pli_body_def, order, "order", 1, 3, 1, "order of the polynomial; 1 is an affine body"),
    NUMBER(pli_body_def, mass_damping, "mass_damping", "1/s", 0, 1e12, 0, 0,
           "alpha of Rayleigh damping: rigid motion is slowed too"),
    NUMBER(pli_body_def, stiffness_damping, "stiffness_damping", "s", 0, 1e12, 0, 0,
           "beta of Rayleigh damping: only deformation is slowed"),
    BOOLEAN(pli_body_def, contact_bodies, "contact_bodies", 1,
            "takes part in contact between bodies"),
    BOOLEAN(pli_body_def, contact_self, "contact_self", 1, "touches itself too"),
    NUMBER(pli_body_def, contact_thickness, "contact_thickness", "m", 0, 1e12, 0, 0,
           "its surface is so far around its points, segments and triangles"),
    CHOICE(pli_body_def, contact_vertices, "contact_vertices", contact_vertices,
           "which vertices touch half-spaces"),
    NUMBER(pli_body_def, contact_area, "contact_area", "m^2", 0, 1e12, 0, 0,
           "weight of each vertex and edge in contact; 0: its share of the surface"),
};
const pli_params pli_body_params = TABLE(body_rows);

static const pli_param prescribe_rows[] = {
    VECTOR(pli_prescribe_def, velocity, "velocity", "m/s", "velocity of the target"),
    NUMBER(pli_prescribe_def, travel, "travel", "m", 0, HUGE_VAL, HUGE_VAL, 0,
           "the motion ends after this way; not given: never"),
    NUMBER(pli_prescribe_def, stiffness, "stiffness", "", 0, 1e12, 1e3, PLI_PARAM_ABOVE_MIN,
           "first pull towards the target, in multiples of m/h^2; grows until arrival"),
};
const pli_params pli_prescribe_params = TABLE(prescribe_rows);

static const pli_param load_rows[] = {
    CHOICE(pli_load_def, kind, "kind", pli_load_kind, "what the value is and where it acts"),
    VECTOR(pli_load_def, value, "value", "N or Pa",
           "force [N] or traction [Pa]; of a pressure its first number [Pa]"),
};
const pli_params pli_load_params = TABLE(load_rows);

static const pli_param half_space_rows[] = {
    VECTOR(pli_half_space_def, point, "point", "m", "a point on its surface"),
    VECTOR(pli_half_space_def, normal, "normal", "", "points to the free side; any length"),
    NUMBER(pli_half_space_def, friction, "friction", "", 0, 100, 0, 0,
           "friction coefficient while something slides on it"),
    NUMBER(pli_half_space_def, friction_static, "friction_static", "", 0, 100, 0, 0,
           "friction coefficient up to which it sticks; 0: the same"),
};
const pli_params pli_half_space_params = TABLE(half_space_rows);

const pli_params* pli_object_params(pli_object object) {
    static const pli_params* const tables[] = {
        [PLI_OBJECT_WORLD] = &pli_world_params,   [PLI_OBJECT_TIME] = &pli_time_params,
        [PLI_OBJECT_SOLVER] = &pli_solver_params, [PLI_OBJECT_CONTACT] = &pli_contact_params,
        [PLI_OBJECT_BODY] = &pli_body_params,     [PLI_OBJECT_SUPPORT] = &pli_prescribe_params,
        [PLI_OBJECT_LOAD] = &pli_load_params,     [PLI_OBJECT_HALF_SPACE] = &pli_half_space_params,
    };
    size_t i = (size_t)object;
    return i < sizeof tables / sizeof *tables ? tables[i] : NULL;
}

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

// *word becomes the table's own string, which outlives the caller's.
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
    return pli_fail(error, PLI_E_ARGUMENT, "%s = \"%s\", must be one of %s", row->name,
                    *word ? *word : "", list);
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

pli_world_def pli_default_world_def(void) {
    pli_world_def def = {0};
    pli_params_default(&pli_world_params, &def);
    pli_params_default(&pli_time_params, &def);
    pli_params_default(&pli_solver_params, &def.solver);
    pli_params_default(&pli_contact_params, &def.contact);
    return def;
}

pli_body_def pli_default_body_def(void) {
    pli_body_def def = {.name = "body"};
    pli_params_default(&pli_body_params, &def);
    return def;
}

pli_fix_def pli_default_fix_def(void) { return (pli_fix_def){.axes = {true, true, true}}; }

pli_prescribe_def pli_default_prescribe_def(void) {
    pli_prescribe_def def = {0};
    pli_params_default(&pli_prescribe_params, &def);
    return def;
}

pli_stencils_def pli_default_stencils_def(void) {
    return (pli_stencils_def){.energy = "", .kind = PLI_STENCIL};
}

pli_load_def pli_default_load_def(void) {
    pli_load_def def = {0};
    pli_params_default(&pli_load_params, &def);
    return def;
}

pli_half_space_def pli_default_half_space_def(void) {
    pli_half_space_def def = {.name = ""};
    pli_params_default(&pli_half_space_params, &def);
    def.normal[1] = 1;
    return def;
}
