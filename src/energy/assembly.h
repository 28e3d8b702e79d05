// From terms to one value, one gradient and one matrix. Loops, threads, sums and scatter are here;
// terms do not know about them.
//
// All stencils of all terms are evaluated in chunks, in parallel. Each writes to its own place in a
// buffer. Of the symmetric local Hessians only the blocks that the matrix stores are written. Then
// every vertex (for the gradient) and every matrix block (for the Hessian) gathers its
// contributions in a fixed order: term by term, stencil by stencil, mapped ones last. This needs no
// atomics and no colouring, and gives the same bits for any number of threads.
//
// Between iterations of a step, Hessians of elements that hardly changed may be kept (kept.h). Then
// only the matrix columns that changed are gathered. Between steps either all Hessians are kept or
// none. So the kept Hessians follow from the positions at which they were evaluated: the reference,
// which is saved with the state.
//
// Terms with fixed stencils and terms whose stencils change (contact) have separate gather lists,
// so a change of contacts costs work in proportion to the contacts. The matrix pattern is kept as
// long as it covers all blocks that are needed.
//
// Terms with wide stencils (assembly_wide.c) share chunks, gradients and sums with the others.
// Their Hessians are factors on vertices, which become rows over unknowns (sparse/low_rank.h). The
// rows are expanded into the matrix if the solver factorizes it, and stay beside it if the solver
// only multiplies.
#ifndef PLI_ENERGY_ASSEMBLY_H
#define PLI_ENERGY_ASSEMBLY_H

#include "base/pack.h"
#include "energy/kept.h"
#include "energy/term.h"
#include "kinematics/kinematics.h"
#include "sparse/low_rank.h"
#include "sparse/pattern.h"

// Stencils that are evaluated together; their energies are summed first.
enum { PLI_ASSEMBLY_CHUNK = 64 };

// A stencil with a vertex that is not simply free or fixed: its local matrix is W^T H W over the
// distinct groups that drive its vertices.
typedef struct pli_mapped {
    int32_t term, stencil;
    int32_t group_start, group_count; // in `mapped_groups`
    int32_t width;                    // scalars of all its groups
    int32_t hessian;                  // where its width x width matrix is in the buffer; if
                                      // `scalar`: its dim x dim blocks (i, j <= i) of groups
    int32_t weights;                  // where its W, local rows x width, is in `mapped_weights`; if
                                      // `scalar`: vertices x groups, one number each
    bool scalar;                      // each vertex is a sum of groups times numbers (affine bodies)
    bool adds; // adds to the matrix of an earlier stencil of its chunk, which has the same groups
} pli_mapped;

// Where the stencils of one term are.
typedef struct pli_term_layout {
    int count, width; // stencils, vertices per stencil
    int chunk_start;  // first chunk
    int gradient;     // first entry in the gradient buffer
    int hessian;      // first entry in the Hessian buffer; -1: the term has no Hessian
    int packed;       // entries per stencil there: dim x dim blocks of the pairs i >= j
    // Of wide stencils, else NULL: see pli_term_ops; the first one's block of the low-rank part;
    // its first vertex in `wide_places`; the first entry of its factors.
    const int32_t* start;
    int block, place;
    size_t factor;
    int mapped_start; // its mapped stencils, ordered by stencil
    int mapped_end;
    uint64_t epoch;
    pli_kept kept;
} pli_term_layout;

// Gathering prefetches this many contributions ahead.
enum { PLI_GATHER_AHEAD = 24 };

// Contributions sorted by destination: those of destination d are [start[d], start[d + 1]).
// PLI_GATHER_AHEAD zero entries follow the last one.
typedef struct pli_gather {
    int destination_count, destination_capacity, count;
    size_t capacity;
    int32_t* start;
    struct pli_source {
        int32_t at;     // in the buffer
        int32_t stride; // leading dimension of the block
    } * source;
} pli_gather;

// Where the Hessians in the buffer were evaluated, if all were at the same positions.
typedef struct pli_reference {
    bool known, project;
    double inertia; // of the matrix built from them
    double* x;      // 3 per vertex
} pli_reference;

typedef struct pli_assembly {
    pli_memory* memory;
    pli_pool* pool;
    const pli_kinematics* kinematics;
    const pli_term* terms; // all terms with fixed stencils before all dynamic ones
    int term_count, fixed_term_count;
    pli_term_layout* layout; // per term
    int chunk_count, chunk_capacity;
    double* chunk_values;
    size_t gradient_capacity, hessian_capacity, value_capacity;
    double *gradients, *hessians; // buffers of all stencils
    int mapped_count, mapped_capacity, mapped_group_count, mapped_group_capacity;
    pli_mapped* mapped;
    int32_t* mapped_groups;
    int mapped_weight_capacity;
    double* mapped_weights; // constant between layouts
    // [0]: terms with fixed stencils, [1]: dynamic terms
    pli_gather vertex_gather[2], block_gather[2];
    pli_pattern pattern;
    // Work space for pattern changes: new pairs and their pattern; block of each slot; new number
    // of each block; blocks that stay; the next start of block_gather[0].
    int pair_count, pair_capacity, slot_count, spare_capacity;
    pli_pair* pairs;
    pli_pattern added;
    int32_t *places, *moved, *spare_start;
    uint8_t* keep;
    size_t place_capacity, moved_capacity, keep_capacity;
    uint64_t pattern_epoch; // increases with each new pattern
    bool may_trim;          // stencils have changed since the last trim
    double* values;         // of the matrix
    // Pairs of groups that equations couple, in the pattern without a contribution. Set before the
    // first update; owned by the caller.
    int coupled_count;
    const pli_pair* coupled;
    // Wide stencils: the solver needs products alone; all are expanded, global ones too (both set
    // before the first update); the rows over unknowns; factors on vertices; per vertex of each
    // stencil where its own group is in the rows.
    bool multiplies, expands;
    pli_low_rank low_rank;
    size_t factor_capacity;
    double* factors;
    int place_count;
    int32_t* wide_places;
    int32_t* mass_start; // per group: its first mass block as a column
    double* share;       // per vertex: see pli_kept_note
    // Per group: its column was gathered again for the last matrix (after an evaluation: a fixed
    // stencil at it was evaluated again); its column had stencils that change; its row and column
    // are the identity.
    uint8_t *changed, *dynamic, *frozen;
    double inertia;      // in `values`
    bool keeps_hessians; // the buffer holds the Hessians of all fixed terms
    bool gathered;       // `values` match the buffer
    bool keeps_values;   // `values` matched the buffer before the last evaluation
    bool laid_out;
    // Arguments of pli_assembly_hold. Of the last Hessians: they were projected; those of parts at
    // rest were held. Chunk values and stencil energies are available for holding.
    const int32_t* part;
    const uint8_t* still;
    bool projected, held, values_hold, energies_hold;
    double* energies; // per stencil, chunk by chunk
    size_t energy_capacity;
    pli_reference reference, last; // `last`: of pli_assembly_keep
    bool stale;                    // the Hessians of the reference are not in the buffer
    bool whole;                    // the last request was `whole`
    bool updated;                  // columns were gathered since the last whole matrix
} pli_assembly;

// `terms` and `kinematics` (finished) must outlive the assembly. Fixed-stencil terms come first.
pli_status pli_assembly_init(pli_assembly* a, pli_memory* memory, pli_pool* pool,
                             const pli_kinematics* kinematics, const pli_term* terms,
                             int term_count, pli_error* error);
void pli_assembly_free(pli_assembly* a);

// Updates layout, gather lists and pattern to the terms' stencils. Cheap if no epoch changed. Call
// it after a refresh or lag and before any function below.
pli_status pli_assembly_update(pli_assembly* a, pli_error* error);

// After update, before a matrix: gives up blocks that no stencil needs any more, if they are many. A
// long direction may pass many surfaces that its step never reaches.
pli_status pli_assembly_trim(pli_assembly* a, pli_error* error);

// Saves the pattern blocks that terms with fixed stencils do not need, which earlier stencils left.
// They allow the pattern, and so the elimination order, to be rebuilt exactly. The update after a
// restore adds the rest. Also saves the reference, if the next step may keep its Hessians.
void pli_assembly_save(const pli_assembly* a, pli_pack* out);
pli_status pli_assembly_restore(pli_assembly* a, pli_unpack* in, pli_error* error);

// Call `keep` when a step begins, `go_back` if it failed: the next starts with the same reference.
void pli_assembly_keep(pli_assembly* a);
void pli_assembly_go_back(pli_assembly* a);

// The next update rebuilds everything, as if there had never been other stencils.
void pli_assembly_forget(pli_assembly* a);
// Parameters of terms have changed: no Hessian or value is kept; the pattern stays.
void pli_assembly_forget_hessians(pli_assembly* a);

// Parts of the problem at rest need not be evaluated again: `part` of each vertex (-1: it never
// moves), flags `still` of parts. They must be where they were when derivatives were last
// evaluated. Call it with each change of the flags, which are not copied; NULL: nothing is at rest.
// Stencils that change are always evaluated.
void pli_assembly_hold(pli_assembly* a, const int32_t* part, const uint8_t* still);

// Adds to `values` the energy of each part at x [J], and to `sizes` the sum of the absolute values
// of its stencils' energies; `part` as in pli_assembly_hold. A stencil belongs to the part of its
// first vertex that moves.
pli_status pli_assembly_part_values(pli_assembly* a, const double* x, const int32_t* part,
                                    double* values, double* sizes, pli_error* error);

// Energy of each term at x (3 per vertex) into term_values [J]; HUGE_VAL where forbidden.
void pli_assembly_values(pli_assembly* a, const double* x, double* term_values);

// Evaluates all stencils: gradients, and Hessians unless `wish` is NULL, into the buffers.
void pli_assembly_evaluate(pli_assembly* a, const double* x, const pli_hessian_wish* wish);

// After evaluate: dE/dx on vertices, 3 per vertex [N]. `load` (may be NULL) gets, per vertex, the
// sum of the magnitudes of all contributions, before cancellation [N].
void pli_assembly_gradient(pli_assembly* a, double* gx, double* load);

// After evaluate: the largest single force at each vertex [N].
void pli_assembly_largest(pli_assembly* a, double* largest);

// The mean of the diagonal of the last matrix at a vertex that moves freely [N/m].
double pli_assembly_vertex_stiffness(const pli_assembly* a, int vertex);

// After evaluate: dE_t/dx . dx of each term t [J], for a motion of the vertices (3 per vertex) [m].
void pli_assembly_work(pli_assembly* a, const double* dx, double* work);

// After evaluate with Hessian at x: updates Hessians from points y (3 per vertex) at which E
// differed from the quadratic model. If the forces of a stencil at y differ from the prediction by
//     e = g(y) - g(x) - H (y - x),  e . (y - x) > 0,
// its Hessian becomes H + e e^T / (e . (y - x)), which predicts them (SR1, stencil by stencil
// [Griewank82]). A contact that y would close or a friction force that y would reverse gets its
// stiffness along the step. Applies only to terms without `blocks`: contact and friction.
void pli_assembly_correct(pli_assembly* a, const double* x, const double* const* y, int count,
                          bool project);

// After evaluate with Hessian: a->values and a->low_rank are inertia * M + sum of W^T H W, with
// identity rows and columns for groups whose `frozen` flag (may be NULL) is set.
void pli_assembly_matrix(pli_assembly* a, double inertia, const uint8_t* frozen);

// After matrix, of an assembly that expands: adds to a->values what the factors of wide stencils
// leave out of the exact Hessian at x.
pli_status pli_assembly_add_curvature(pli_assembly* a, const double* x, pli_error* error);

#endif
