// The mass as a sparse matrix with its Cholesky factor (our own: results of a BLAS depend on the
// machine), and the fit of unknowns to positions.
#include "kinematics/mass.h"

#include "kinematics/frame.h"
#include "sparse/linear.h"

#include <math.h>
#include <string.h>

struct pli_mass_solver {
    pli_memory* memory;
    pli_pattern pattern;
    double* values;
    void* factor;
    int massless_count;
    int32_t* massless; // unknowns of nodes without mass
};

static bool is_node(const pli_kinematics* k, int group) {
    return k->driven[k->driven_start[group]].vertex >= k->point_count;
}

// Nodes are not coupled.
static bool is_massless_node(const pli_kinematics* k, const pli_mass_block* block) {
    return is_node(k, block->row) && k->mass_values[block->value] == 0;
}

static pli_status find_massless_nodes(const pli_kinematics* k, pli_mass_solver* s,
                                      pli_error* error) {
    int count = 0;
    for (int b = 0; b < k->mass_count; ++b) count += is_massless_node(k, &k->mass[b]);
    if (count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(s->memory, s->massless, count, error));
    for (int b = 0; b < k->mass_count; ++b)
        if (is_massless_node(k, &k->mass[b]))
            s->massless[s->massless_count++] = k->group_offset[k->mass[b].row];
    return PLI_OK;
}

static pli_status build_pattern(const pli_kinematics* k, int pair_count, const pli_pair* pairs,
                                pli_pattern* pattern, pli_error* error) {
    pli_memory* m = k->memory;
    int count = k->mass_count + pair_count;
    pli_pair* all;
    PLI_TRY(PLI_ALLOC(m, all, count, error));
    for (int b = 0; b < k->mass_count; ++b)
        all[b] = (pli_pair){.row = k->mass[b].row, .column = k->mass[b].column};
    for (int i = 0; i < pair_count; ++i) all[k->mass_count + i] = pairs[i];
    pli_status status =
        pli_pattern_build(pattern, k->group_count, k->group_offset, count, all, error);
    PLI_FREE(m, all, count);
    return status;
}

pli_status pli_mass_matrix(const pli_kinematics* k, const uint8_t* held, int pair_count,
                           const pli_pair* pairs, pli_pattern* pattern, double** values,
                           pli_error* error) {
    PLI_TRY(build_pattern(k, pair_count, pairs, pattern, error));
    PLI_TRY(PLI_ALLOC(k->memory, *values, pattern->value_count, error));
    for (int b = 0; b < k->mass_count; ++b) {
        int row = k->mass[b].row, column = k->mass[b].column, rows = pli_group_width(k, row);
        double* out = *values + pattern->block_value[pli_pattern_find(pattern, row, column)];
        const double* in = k->mass_values + k->mass[b].value;
        bool identity = (held && (held[row] || held[column])) || is_massless_node(k, &k->mass[b]);
        for (int c = 0; c < pli_group_width(k, column); ++c, out += pattern->column_height[column])
            for (int r = 0; r < rows; ++r)
                out[r] = identity ? (double)(row == column && r == c) : in[c * rows + r];
    }
    return PLI_OK;
}

pli_status pli_mass_indefinite(pli_error* error) {
    return pli_fail(error, PLI_E_ARGUMENT,
                    "the mass on the unknowns is not positive definite: a body has vertices "
                    "without mass, or fewer vertices than its unknowns need");
}

pli_status pli_mass_solver_create(const pli_kinematics* k, const uint8_t* held,
                                  pli_mass_solver** out, pli_error* error) {
    pli_mass_solver* s;
    PLI_TRY(PLI_ALLOC(k->memory, s, 1, error));
    s->memory = k->memory;
    pli_pattern_init(&s->pattern, k->memory);
    pli_linear_def def = {0};
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    pli_status status;
    PLI_TRY_CLEANUP(status, find_massless_nodes(k, s, error));
    PLI_TRY_CLEANUP(status, pli_mass_matrix(k, held, 0, NULL, &s->pattern, &s->values, error));
    PLI_TRY_CLEANUP(status, pli_multifrontal.create(k->memory, NULL, &def, &s->factor, error));
    PLI_TRY_CLEANUP(status, pli_multifrontal.analyze(s->factor, &s->pattern, error));
    PLI_TRY_CLEANUP(status,
                    pli_multifrontal.factorize(s->factor, s->values, NULL, &verdict, error));
    if (verdict != PLI_LINEAR_OK) {
        status = pli_mass_indefinite(error);
        goto cleanup;
    }
    *out = s;
    return PLI_OK;
cleanup:
    pli_mass_solver_destroy(s);
    return status;
}

void pli_mass_solver_destroy(pli_mass_solver* s) {
    if (!s) return;
    pli_memory* m = s->memory;
    if (s->factor) pli_multifrontal.destroy(s->factor);
    PLI_FREE(m, s->massless, s->massless_count);
    PLI_FREE(m, s->values, s->pattern.value_count);
    pli_pattern_free(&s->pattern);
    PLI_FREE(m, s, 1);
}

pli_status pli_mass_solve(pli_mass_solver* s, const double* b, double* x, pli_error* error) {
    pli_linear_verdict verdict;     // the factor exists: can only report that x is not finite
    const double tolerance = 1e-15; // ignored
    PLI_TRY(pli_multifrontal.solve(s->factor, b, tolerance, x, &verdict, error));
    for (int i = 0; i < s->massless_count; ++i) x[s->massless[i]] = 0;
    return PLI_OK;
}

// The part of x (or x - x0) that the vertex can follow by itself: all of it if it is free, the part
// along its directions if it slides, nothing if it is fixed. Other vertices follow as well as their
// groups allow.
static void reachable(const pli_kinematics* k, int v, const double* x, bool with_x0,
                      double out[3]) {
    const pli_vertex_map* map = &k->vertices[v];
    double d[3] = {0};
    bool moves = map->identity_group >= 0 || map->entry_end > map->entry_start;
    for (int c = 0; c < k->dim && moves; ++c) d[c] = x[c] - (with_x0 ? map->x0[c] : 0);
    memcpy(out, d, sizeof d);
    if (!map->slides) return;
    const pli_map_entry* entry = &k->entries[map->entry_start];
    int width = pli_group_width(k, entry->group);
    const double* w = k->weights + entry->weights;
    for (int c = 0; c < k->dim; ++c) {
        out[c] = 0;
        for (int i = 0; i < width; ++i)
            for (int e = 0; e < k->dim; ++e) out[c] += w[c * width + i] * w[e * width + i] * d[e];
    }
}

// Marks the groups of the controls of frames, which are fitted by themselves.
static void hold_frames(const pli_kinematics* k, uint8_t* held) {
    for (int f = 0; f < k->frame_count; ++f)
        for (int i = 0; i <= k->dim; ++i) {
            const pli_vertex_map* map = &k->vertices[k->frames[f].control[i]];
            if (map->identity_group >= 0) held[map->identity_group] = 1;
            for (int e = map->entry_start; e < map->entry_end; ++e) held[k->entries[e].group] = 1;
        }
}

// Free vertices without mass, and nodes: their values are known, and the matrix has an identity
// there.
static void find_massless(const pli_kinematics* k, uint8_t* held) {
    for (int b = 0; b < k->mass_count; ++b) {
        int group = k->mass[b].row;
        held[group] = held[group] || is_node(k, group) ||
                      (group == k->mass[b].column && k->mass_values[k->mass[b].value] == 0 &&
                       k->driven[k->driven_start[group]].entry < 0);
    }
}

static pli_status check_finite(const pli_kinematics* k, const double* q, pli_error* error) {
    for (int i = 0; i < k->unknown_count; ++i)
        if (!isfinite(q[i]))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "positions or velocities are too large: unknown %d overflows", i);
    return PLI_OK;
}

// W^T M W q = W^T M d
pli_status pli_kinematics_fit(const pli_kinematics* k, const double* x, bool with_x0, double* q,
                              pli_error* error) {
    pli_memory* m = k->memory;
    pli_mass_solver* solver = NULL;
    double *d = NULL, *weighted = NULL, *rhs = NULL, *fitted = NULL;
    uint8_t* held = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, held, k->group_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, d, 3 * k->vertex_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, weighted, 3 * k->vertex_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, rhs, k->unknown_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, fitted, k->unknown_count, error));
    for (int v = 0; v < k->mesh_point_count; ++v) reachable(k, v, x + 3 * v, with_x0, d + 3 * v);
    pli_vertex_mass_multiply(k, d, weighted);
    pli_kinematics_pull(k, NULL, weighted, rhs);
    find_massless(k, held);
    hold_frames(k, held);
    PLI_TRY_CLEANUP(status, pli_mass_solver_create(k, held, &solver, error));
    PLI_TRY_CLEANUP(status, pli_mass_solve(solver, rhs, fitted, error));
    for (int v = 0; v < k->mesh_point_count; ++v) { // exact where it can be
        int group = k->vertices[v].identity_group;
        for (int c = 0; group >= 0 && c < k->dim; ++c)
            fitted[k->group_offset[group] + c] = x[3 * v + c];
    }
    for (int v = k->point_count; v < k->vertex_count; ++v) {
        int unknown = pli_kinematics_node_unknown(k, v);
        if (unknown >= 0) fitted[unknown] = q[unknown];
    }
    pli_frames_fit(k, x, with_x0 ? NULL : fitted, fitted);
    PLI_TRY_CLEANUP(status, check_finite(k, fitted, error));
    memcpy(q, fitted, sizeof *q * (size_t)k->unknown_count);
cleanup:
    pli_mass_solver_destroy(solver);
    PLI_FREE(m, fitted, k->unknown_count);
    PLI_FREE(m, rhs, k->unknown_count);
    PLI_FREE(m, weighted, 3 * k->vertex_count);
    PLI_FREE(m, d, 3 * k->vertex_count);
    PLI_FREE(m, held, k->group_count);
    return status;
}

pli_status pli_kinematics_fit_rates(const pli_kinematics* k, const double* x, const double* q,
                                    double* v, pli_error* error) {
    PLI_TRY(pli_kinematics_fit(k, x, false, v, error));
    pli_frames_fit(k, x, q, v);
    return PLI_OK;
}
