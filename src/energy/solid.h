// Elastic solids: the code that all materials share. A material is one law (solid_law.h) and a few
// lines that define its energy type. Elements, quadrature, plane strain and plane stress,
// projection and the loops over elements are here and in solid_element.h, solid_point.h,
// solid_sheet.h and solid_kernels.h.
//
//     P = sum over points q of w_q Psi(F_q),   F = dx/dX    [J]
//
// Linear and quadratic triangles in the plane, linear and quadratic tetrahedra in space. In the
// plane F_zz = 1 (plane strain) or such that P_zz = 0 (plane stress).
//
// Linear triangles in space are membranes: each is evaluated in its own plane, where F is the 2x2
// part Q^T F of the 3x2 dx/dX. With plane_stress = 1 P_zz = 0; otherwise F_zz = 1 with lambda
// 2 lam mu / (lam + 2 mu), which has no stress across the sheet at small strains.
#ifndef PLI_ENERGY_SOLID_H
#define PLI_ENERGY_SOLID_H

#include "pliant/energy.h"

// The header of an element's record. It is followed, for each quadrature point, by the weight w_q
// [m^3] and dF/dx of all vertices but the first, dim numbers each [1/m] (they sum to 0 over all
// vertices).
typedef struct pli_solid {
    double mu, lam;      // Lame parameters [Pa]
    double plane_stress; // 1: yes
} pli_solid;

enum {
    PLI_SOLID_HEAD = sizeof(pli_solid) / sizeof(double),
    PLI_SOLID_MAX_POINTS = 4,
};

// Count of numbers that follow a record's header, for an element with these vertices and points.
#define PLI_SOLID_POINT(dim, width) (1 + ((width)-1) * (dim))
#define PLI_SOLID_SIZE(dim, width, points) (PLI_SOLID_HEAD + (points)*PLI_SOLID_POINT(dim, width))

// `data_size` of all solids.
#define PLI_SOLID_SIZES                                                                            \
    {                                                                                              \
        [PLI_TRIANGLE] = sizeof(double) * PLI_SOLID_SIZE(2, 3, 1),                                 \
        [PLI_TRIANGLE6] = sizeof(double) * PLI_SOLID_SIZE(2, 6, 3),                                \
        [PLI_TETRAHEDRON] = sizeof(double) * PLI_SOLID_SIZE(3, 4, 1),                              \
        [PLI_TETRAHEDRON10] = sizeof(double) * PLI_SOLID_SIZE(3, 10, 4)                            \
    }

// Solids with memory (solid_flow.h): their constants follow the points of a record. Their state
// has, for each point and each branch with memory, F_p^-1 (in the plane with its zz) and scalars.
enum {
    PLI_FLOW_BRANCHES = 4, // at most, the one without memory included
    PLI_FLOW_SCALARS = 3,  // the second is the energy dissipated so far [J/m^3]
    PLI_FLOW_CONSTANTS = 16,
};
#define PLI_FLOW_STATE(dim) (((dim) == 2 ? 5 : 9) + PLI_FLOW_SCALARS)
#define PLI_FLOW_SIZES(constants)                                                                  \
    {                                                                                              \
        [PLI_TRIANGLE] = sizeof(double) * (PLI_SOLID_SIZE(2, 3, 1) + (constants)),                 \
        [PLI_TRIANGLE6] = sizeof(double) * (PLI_SOLID_SIZE(2, 6, 3) + (constants)),                \
        [PLI_TETRAHEDRON] = sizeof(double) * (PLI_SOLID_SIZE(3, 4, 1) + (constants)),              \
        [PLI_TETRAHEDRON10] = sizeof(double) * (PLI_SOLID_SIZE(3, 10, 4) + (constants))            \
    }
#define PLI_FLOW_STATES(branches)                                                                  \
    {                                                                                              \
        [PLI_TRIANGLE] = sizeof(double) * PLI_FLOW_STATE(2) * (branches),                          \
        [PLI_TRIANGLE6] = sizeof(double) * PLI_FLOW_STATE(2) * 3 * (branches),                     \
        [PLI_TETRAHEDRON] = sizeof(double) * PLI_FLOW_STATE(3) * (branches),                       \
        [PLI_TETRAHEDRON10] = sizeof(double) * PLI_FLOW_STATE(3) * 4 * (branches)                  \
    }

// Rows of elastic constants. Each is absent (NaN) unless given: either young and poisson (with
// defaults if none or only one of them is given) or the Lame parameters.
#define PLI_ROW_YOUNG                                                                              \
    {                                                                                              \
        .name = "young", .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = NAN,            \
        .flags = PLI_PARAM_ABOVE_MIN,                                                              \
        .help = "Young's modulus, stress per small strain; 1e5 if no constant is given"            \
    }
#define PLI_ROW_POISSON(lowest, lowest_flag)                                                       \
    {                                                                                              \
        .name = "poisson", .unit = "", .min = lowest, .max = 0.5, .default_value = NAN,            \
        .flags = (lowest_flag) | PLI_PARAM_BELOW_MAX,                                              \
        .help = "Poisson's ratio, near 0.5 the material keeps its volume; 0.4 if not given"        \
    }
#define PLI_ROW_MU                                                                                 \
    {                                                                                              \
        .name = "lame_mu", .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = NAN,          \
        .flags = PLI_PARAM_ABOVE_MIN, .help = "shear modulus mu, instead of young and poisson"     \
    }
#define PLI_ROW_LAMBDA(lowest)                                                                     \
    {                                                                                              \
        .name = "lame_lambda", .unit = "Pa", .min = lowest, .max = HUGE_VAL, .default_value = NAN, \
        .help = "Lame's lambda, instead of young and poisson; > -2/3 mu"                           \
    }
#define PLI_ROW_PLANE_STRESS                                                                       \
    {                                                                                              \
        .name = "plane_stress", .unit = "", .min = 0, .max = 1, .default_value = 0,                \
        .help = "1: no stress across the plane (thin sheets), if it is the body's only solid "     \
                "energy; 0: no strain across it, for triangles in space: no stress at small "      \
                "strains, the plane law with lambda 2 lam mu / (lam + 2 mu)"                       \
    }

// The five rows of most materials, and their order.
enum { PLI_YOUNG, PLI_POISSON, PLI_MU, PLI_LAMBDA, PLI_PLANE_STRESS };
#define PLI_SOLID_ROWS(lowest_poisson, lowest_flag, lowest_lambda)                                 \
    {                                                                                              \
        PLI_ROW_YOUNG, PLI_ROW_POISSON(lowest_poisson, lowest_flag), PLI_ROW_MU,                   \
            PLI_ROW_LAMBDA(lowest_lambda), PLI_ROW_PLANE_STRESS                                    \
    }

// Elastic constants as given (NaN: not given) [Pa, -, Pa, Pa], and plane stress (1).
typedef struct pli_elastic {
    double young, poisson, mu, lam, plane_stress;
} pli_elastic;

// From parameters that begin with the five rows.
pli_elastic pli_solid_rows(const double* params);

// Fails if both pairs are mixed, one half of the Lame pair is missing, lam <= -2/3 mu, or
// plane_stress is not 0 or 1. A material without a row for mu (lam) passes 1 (0) for it if the
// other one is given.
pli_status pli_solid_check_given(const pli_elastic* given, pli_error* error);

// Lame parameters of constants that were checked.
pli_solid pli_solid_constants(const pli_elastic* given);

// Fills the record. Also fails if the element is inverted or degenerate at a quadrature point, or
// for plane stress in tetrahedra.
pli_status pli_solid_prepare_given(const pli_elastic* given, const pli_element* element, void* data,
                                   pli_error* error);

// `check` and `prepare` of materials with the five rows.
pli_status pli_solid_check(const double* params, pli_error* error);
pli_status pli_solid_prepare(const double* params, const pli_element* element, void* data,
                             pli_error* error);

// `max_step` of materials that forbid J <= 0: no J at a point falls below a tenth of its value.
double pli_solid_max_step(const pli_batch* in, const double* p);

// ---- materials with memory

// What `constants` numbers follow the points of a record.
double pli_flow_max_step(const pli_batch* in, const double* p, int constants);
// Fills the record but its constants, and returns the place of these.
pli_status pli_flow_prepare(const pli_elastic* given, const pli_element* element, void* data,
                            double** constants, pli_error* error);
// No flow yet.
void pli_flow_init(const pli_element* element, int branches, void* state);
// What each element has dissipated [J].
void pli_flow_spent(const pli_batch* in, int constants, int branches, double* out);

// What they show: those that do not yield only the first.
enum { PLI_FLOW_FIELDS = 3 };
extern const pli_energy_field pli_flow_fields[PLI_FLOW_FIELDS];

// ---- evaluation

// The laws: number and name. laws.h includes them and makes their table.
#define PLI_LAWS(X)                                                                                \
    X(ARAP, arap)                                                                                  \
    X(FIXED_COROTATED, fixed_corotated)                                                            \
    X(LINEAR, linear)                                                                              \
    X(NEO_HOOKEAN, neo_hookean)                                                                    \
    X(ST_VENANT_KIRCHHOFF, st_venant_kirchhoff)                                                    \
    X(STABLE_NEO_HOOKEAN, stable_neo_hookean)                                                      \
    X(VOLUME, volume)                                                                              \
    X(VON_MISES, von_mises)                                                                        \
    X(VISCOELASTIC, viscoelastic)                                                                  \
    X(FOAM, foam)

#define PLI_LAW_NUMBER(NUMBER, name) PLI_LAW_##NUMBER,
typedef enum pli_law_number { PLI_LAWS(PLI_LAW_NUMBER) PLI_LAW_COUNT } pli_law_number;

// One set of kernels per instruction set. All do the same operations, so results are bit-identical.
typedef struct pli_solid_kernels {
    const char* name;
    int lanes; // elements evaluated at once
    void (*eval)(pli_law_number law, const pli_batch* in, pli_local* out);
    void (*blocks)(pli_law_number law, const pli_batch* in, const uint64_t* turned, pli_local* out);
    // `stress` (6 per element) and `across` (1 per element) may be NULL.
    void (*fields)(pli_law_number law, const pli_batch* in, double* stress, double* across);
    // Of laws with memory: `commit` and `show` of pli_energy_type, the latter with `count` fields.
    void (*commit)(pli_law_number law, const pli_batch* in, double* state);
    void (*show)(pli_law_number law, const pli_batch* in, int count, double* out);
} pli_solid_kernels;

// The sets that this machine can run, best first; NULL after the last.
const pli_solid_kernels* pli_solid_kernels_at(int i);

extern const pli_solid_kernels pli_solid_baseline, pli_solid_avx2, pli_solid_avx512;

// ---- the common fields of every material's row, from the number of its law, its `params` and
// (PLI_SOLID_GIVEN) the `constants` computed from their values

#define PLI_SOLID_FUNCTIONS(law)                                                                   \
    static void eval(const pli_batch* in, pli_local* out) {                                        \
        pli_solid_kernels_at(0)->eval(law, in, out);                                               \
    }                                                                                              \
    static void blocks(const pli_batch* in, const uint64_t* turned, pli_local* out) {              \
        pli_solid_kernels_at(0)->blocks(law, in, turned, out);                                     \
    }                                                                                              \
    static void stress(const pli_batch* in, double* out) {                                         \
        pli_solid_kernels_at(0)->fields(law, in, out, NULL);                                       \
    }                                                                                              \
    static void across(const pli_batch* in, double* out) {                                         \
        pli_solid_kernels_at(0)->fields(law, in, NULL, out);                                       \
    }

#define PLI_SOLID_GIVEN                                                                            \
    static pli_status check(const double* values, pli_error* error) {                              \
        pli_elastic given = constants(values);                                                     \
        return pli_solid_check_given(&given, error);                                               \
    }                                                                                              \
    static pli_status prepare(const double* values, const pli_element* element, void* data,        \
                              pli_error* error) {                                                  \
        pli_elastic given = constants(values);                                                     \
        return pli_solid_prepare_given(&given, element, data, error);                              \
    }

#define PLI_SOLID_FIELDS                                                                           \
    .abi = PLI_ENERGY_ABI, .internal = true, .dims = 1u << 2 | 1u << 3, .params = params,          \
    .param_count = sizeof params / sizeof *params, .data_size = PLI_SOLID_SIZES, .solid = true,    \
    .eval = eval, .blocks = blocks, .stress = stress, .across = across

// Of materials with memory, from the numbers of constants, branches and fields of their law.
#define PLI_FLOW_FUNCTIONS(law, constants, branches, shown)                                        \
    PLI_SOLID_FUNCTIONS(law)                                                                       \
    static double max_step(const pli_batch* in, const double* p) {                                 \
        return pli_flow_max_step(in, p, constants);                                                \
    }                                                                                              \
    static void init(const double* values, const pli_element* element, const void* data,           \
                     void* state) {                                                                \
        (void)values, (void)data;                                                                  \
        pli_flow_init(element, branches, state);                                                   \
    }                                                                                              \
    static void commit(const pli_batch* in, void* state) {                                         \
        pli_solid_kernels_at(0)->commit(law, in, state);                                           \
    }                                                                                              \
    static void spent(const pli_batch* in, double* out) {                                          \
        pli_flow_spent(in, constants, branches, out);                                              \
    }                                                                                              \
    static void show(const pli_batch* in, double* out) {                                           \
        pli_solid_kernels_at(0)->show(law, in, shown, out);                                        \
    }

#define PLI_FLOW_TABLE(constants, branches, shown)                                                 \
    .abi = PLI_ENERGY_ABI, .dims = 1u << 2 | 1u << 3, .params = params,                            \
    .param_count = sizeof params / sizeof *params, .data_size = PLI_FLOW_SIZES(constants),         \
    .solid = true, .sheet = true, .eval = eval, .blocks = blocks, .stress = stress,                \
    .across = across, .max_step = max_step, .state_sizes = PLI_FLOW_STATES(branches),              \
    .init = init, .commit = commit, .spent = spent, .fields = pli_flow_fields,                     \
    .field_count = shown, .show = show

// Of materials that are also membranes: the law must not depend on rotations.
#define PLI_SHEET_FIELDS PLI_SOLID_FIELDS, .sheet = true

#endif
