// Rods of the problems: see rods.h.
#include "validation/rods.h"

#include <stdlib.h>

rod_spec pli_rod_default(int edges) {
    return (rod_spec){.edges = edges,
                      .length = 1,
                      .start = CLAMPED,
                      .end = FREE,
                      .axial = 1e7,
                      .bending1 = 1,
                      .bending2 = 1,
                      .torsion = 1,
                      .weight = 1};
}

static bool is_clamp(int end) { return end == CLAMPED || end == GUIDED; }

typedef struct line {
    double first, step;
} line;

static void on_line(const void* context, int i, double x[3]) {
    const line* at = context;
    x[0] = at->first + i * at->step;
    x[1] = x[2] = 0;
}

pli_status pli_rod_curve(trial* t, int points, bool closed, curve_fn* curve, const void* context) {
    TRY(pli_trial_empty_mesh(t));
    for (int i = 0; i < points; ++i) {
        double x[3];
        curve(context, i, x);
        TRY(pli_mesh_add_vertices(&t->mesh, 1, x, NULL, &t->error));
    }
    for (int i = 0; i < (closed ? points : points - 1); ++i) {
        const int32_t segment[2] = {i, (i + 1) % points};
        TRY(pli_mesh_add_elements(&t->mesh, PLI_SEGMENT, 1, segment, &t->error));
    }
    return PLI_OK;
}

static pli_status hold(trial* t, pli_body_id id, int how, int last, int next) {
    const int32_t vertices[2] = {last, next};
    pli_fix_def fix = pli_default_fix_def();
    if (how == FREE) return PLI_OK;
    fix.vertices = vertices;
    fix.vertex_count = is_clamp(how) ? 2 : 1;
    fix.clamped = is_clamp(how);
    fix.axes[0] = how == PINNED || how == CLAMPED;
    return pli_world_fix(t->world, id, &fix, NULL, &t->error);
}

pli_status pli_rod_of_mesh(trial* t, const rod_spec* s, pli_body_id* id) {
    pli_body_def def = pli_default_body_def();
    int count = t->mesh.vertex_count;
    def.mesh = &t->mesh;
    def.density = 1;
    def.cross_section = s->weight;
    TRY(pli_world_add_body(t->world, &def, id, &t->error));
    bool aimed = s->normal[0] != 0 || s->normal[1] != 0 || s->normal[2] != 0;
    pli_setting settings[] = {
        {"axial", s->axial},        {"bending1", s->bending1},  {"bending2", s->bending2},
        {"torsion", s->torsion},    {"straight", s->straight},  {"twist", s->twist},
        {"normal_x", s->normal[0]}, {"normal_y", s->normal[1]}, {"normal_z", s->normal[2]}};
    if (s->twist == 0) settings[5] = settings[4];
    TRY(pli_world_add_energy(t->world, *id, "rod", settings, aimed ? 9 : 6, NULL, &t->error));
    TRY(hold(t, *id, s->start, 0, 1));
    return hold(t, *id, s->end, count - 1, count - 2);
}

pli_status pli_rod_straight(trial* t, const pli_world_def* def, const rod_spec* s,
                            pli_body_id* id) {
    double halves = 0.5 * (is_clamp(s->start) + is_clamp(s->end));
    line at = {.step = s->length / (s->edges - halves)};
    at.first = is_clamp(s->start) ? -0.5 * at.step : 0;
    TRY(pli_trial_world(t, def));
    TRY(pli_rod_curve(t, s->edges + 1, false, on_line, &at));
    return pli_rod_of_mesh(t, s, id);
}

pli_status pli_rod_pull(trial* t, pli_body_id id, const double force[3]) {
    const int32_t last = t->mesh.vertex_count - 1;
    pli_load_def load = pli_default_load_def();
    load.vertices = &last;
    load.vertex_count = 1;
    memcpy(load.value, force, sizeof load.value);
    return pli_world_add_load(t->world, id, &load, NULL, &t->error);
}

// ---- eigenvalues

static void add_sparse(const pli_sparse* matrix, double factor, double* out, int n) {
    for (int j = 0; j < n; ++j)
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k)
            out[(size_t)matrix->row[k] * (size_t)n + (size_t)j] += factor * matrix->value[k];
}

// Negative pivots of the lower triangle: by Sylvester's law, negative eigenvalues.
static int count_negatives(double* A, int n) {
    int count = 0;
    for (int j = 0; j < n; ++j) {
        double* row = A + (size_t)j * (size_t)n;
        count += row[j] < 0;
        for (int i = j + 1; i < n; ++i) {
            double* other = A + (size_t)i * (size_t)n;
            double factor = other[j] / row[j];
            if (factor == 0) continue;
            for (int k = j + 1; k <= i; ++k)
                other[k] -= factor * A[(size_t)k * (size_t)n + (size_t)j];
        }
    }
    return count;
}

pli_status pli_rod_negatives(trial* t, double shift, double square, int* count) {
    pli_sparse K = {0}, M = {0};
    pli_status status = pli_world_prepare(t->world, &t->error);
    if (status == PLI_OK) status = pli_world_hessian(t->world, PLI_OF_POTENTIAL, &K, &t->error);
    if (status == PLI_OK) status = pli_world_mass_matrix(t->world, &M, &t->error);
    int n = K.column_count;
    double* A = status == PLI_OK ? calloc((size_t)n * (size_t)n, sizeof *A) : NULL;
    if (A) {
        add_sparse(&K, 1, A, n);
        add_sparse(&M, -square, A, n);
        for (int i = 0; i < n; ++i) A[(size_t)i * (size_t)(n + 1)] += shift;
        *count = count_negatives(A, n);
    } else if (status == PLI_OK) {
        status = pli_trial_wrong(t, "no memory");
    }
    free(A);
    pli_sparse_free(&K);
    pli_sparse_free(&M);
    return status;
}

pli_status pli_rod_threshold(trial* t, count_fn* count, const void* context, double low,
                             double high, double* value) {
    int first, now;
    TRY(count(t, context, low, &first));
    TRY(count(t, context, high, &now));
    if (now <= first)
        return pli_trial_wrong(t, "%d eigenvalues are negative at %.6g and at %.6g", now, low,
                               high);
    while (high - low > 1e-6 * high) {
        double middle = 0.5 * (low + high);
        TRY(count(t, context, middle, &now));
        *(now > first ? &high : &low) = middle;
    }
    *value = 0.5 * (low + high);
    return PLI_OK;
}
