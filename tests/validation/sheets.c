// Plates and shells: see sheets.h.
#include "validation/sheets.h"

#include <stdlib.h>

double pli_sheet_stiffness(const sheet* s) {
    return s->young * pow(s->thickness, 3) / (12 * (1 - s->poisson * s->poisson));
}

// In -1 .. 1, always the same.
static double noise(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / (double)(1u << 30) - 1;
}

static double apart(const double* positions, int32_t a, int32_t b) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += pow(positions[3 * a + c] - positions[3 * b + c], 2);
    return sum;
}

static void cut(const double* X, sheet_mesh kind, int i, int j, int32_t a, int nx, int32_t out[6]) {
    int32_t b = a + 1, d = a + nx + 1, e = d + 1;
    const int32_t up[6] = {a, b, e, a, e, d}, down[6] = {a, b, d, b, e, d};
    bool first = kind == ONE_DIAGONAL || (kind == UNION_JACK && (i + j) % 2 == 0) ||
                 (kind == RANDOM && apart(X, a, e) < apart(X, b, d));
    memcpy(out, first ? up : down, sizeof up);
}

pli_status pli_sheet_mesh(trial* t, sheet_mesh kind, int nx, int ny, shape_fn* shape) {
    int vertices = (nx + 1) * (ny + 1), cells = nx * ny;
    double* X = calloc(3 * (size_t)vertices, sizeof *X);
    int32_t* triangles = calloc(6 * (size_t)cells, sizeof *triangles);
    uint64_t random = 1;
    pli_status status = X && triangles ? PLI_OK : pli_trial_wrong(t, "no memory");
    for (int i = 0; i < vertices && status == PLI_OK; ++i) {
        int a = i % (nx + 1), b = i / (nx + 1);
        bool inner = kind == RANDOM && a > 0 && b > 0 && a < nx && b < ny;
        double u = inner ? 0.3 * noise(&random) : 0, v = inner ? 0.3 * noise(&random) : 0;
        shape((a + u) / nx, (b + v) / ny, X + 3 * i);
    }
    for (int c = 0; c < cells && status == PLI_OK; ++c)
        cut(X, kind, c % nx, c / nx, (int32_t)(c / nx * (nx + 1) + c % nx), nx, triangles + 6 * c);
    if (status == PLI_OK) status = pli_trial_empty_mesh(t);
    if (status == PLI_OK) status = pli_mesh_add_vertices(&t->mesh, vertices, X, NULL, &t->error);
    if (status == PLI_OK)
        status = pli_mesh_add_elements(&t->mesh, PLI_TRIANGLE, 2 * cells, triangles, &t->error);
    free(triangles);
    free(X);
    return status;
}

static pli_status fix(trial* t, pli_body_id id, support_fn* supports) {
    int count = t->mesh.vertex_count;
    int32_t* list = malloc(sizeof *list * ((size_t)count + 1));
    pli_status status = list ? PLI_OK : pli_trial_wrong(t, "no memory");
    for (unsigned mask = 1; mask < 16 && status == PLI_OK; ++mask) {
        pli_fix_def def = pli_default_fix_def();
        for (int c = 0; c < 3; ++c) def.axes[c] = mask >> c & 1;
        def.clamped = mask & FIX_CLAMPED;
        def.vertices = list;
        for (int v = 0; v < count; ++v)
            if (supports(t->mesh.positions + 3 * v) == mask) list[def.vertex_count++] = v;
        if (def.vertex_count > 0) status = pli_world_fix(t->world, id, &def, NULL, &t->error);
    }
    free(list);
    return status;
}

pli_status pli_sheet_body(trial* t, const sheet* s, const double* initial, support_fn* supports,
                          pli_body_id* id) {
    pli_body_def def = pli_default_body_def();
    def.mesh = &t->mesh;
    def.initial = initial;
    def.density = s->density;
    TRY(pli_world_add_body(t->world, &def, id, &t->error));
    const pli_setting settings[3] = {
        {"young", s->young}, {"poisson", s->poisson}, {"thickness", s->thickness}};
    TRY(pli_world_add_energy(t->world, *id, s->type ? s->type : "shell", settings, 3, NULL,
                             &t->error));
    return supports ? fix(t, *id, supports) : PLI_OK;
}

int pli_sheet_nearest(const trial* t, const double place[3]) {
    int best = 0;
    double least = HUGE_VAL;
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        double square = 0;
        for (int c = 0; c < 3; ++c) square += pow(t->mesh.positions[3 * v + c] - place[c], 2);
        if (square < least) best = v;
        least = fmin(least, square);
    }
    return best;
}

void pli_sheet_moved(const trial* t, const double place[3], double u[3]) {
    int v = pli_sheet_nearest(t, place);
    for (int c = 0; c < 3; ++c)
        u[c] = pli_world_positions(t->world)[3 * v + c] - t->mesh.positions[3 * v + c];
}

// Without a context of its own: the value is the force at time 1.
static void grows(void* context, double time, const double place[3], double out[3]) {
    const double* force = context;
    (void)place;
    for (int c = 0; c < 3; ++c) out[c] = force[c] * fmin(time, 1);
}

pli_status pli_sheet_force(trial* t, pli_body_id id, const double place[3], const double force[3]) {
    pli_load_def load = pli_default_load_def();
    int32_t vertex = (int32_t)pli_sheet_nearest(t, place);
    load.vertices = &vertex;
    load.vertex_count = 1;
    load.field = grows;
    load.context = (void*)(uintptr_t)force; // lives as long as the trial
    return pli_world_add_load(t->world, id, &load, NULL, &t->error);
}

pli_world_def pli_sheet_static_def(int steps) {
    pli_world_def def = pli_trial_def(3, "static");
    def.time_step = 1.0 / steps;
    def.solver.gradient_tolerance = 1e-6;
    def.solver.max_iterations = 1000;
    return def;
}

// ---- shapes of several problems

static bool at(double a, double b) { return fabs(a - b) < 1e-6; }

static const double degree = PLI_PI / 180;

void pli_shape_hemisphere(double u, double v, double X[3]) {
    double a = 90 * degree * u, b = 72 * degree * v;
    X[0] = 10 * cos(b) * cos(a), X[1] = 10 * cos(b) * sin(a), X[2] = 10 * sin(b);
}

unsigned pli_hemisphere_supports(const double X[3]) {
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[1], 0) ? FIX_Y | FIX_CLAMPED : 0u) |
           (at(X[0], 10) ? FIX_Z : 0u);
}

void pli_shape_pinched(double u, double v, double X[3]) {
    X[0] = 100 * sin(90 * degree * u), X[1] = 100 * v, X[2] = 100 * cos(90 * degree * u);
}

unsigned pli_pinched_supports(const double X[3]) {
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[2], 0) ? FIX_Z | FIX_CLAMPED : 0u) |
           (at(X[1], 0) ? FIX_X | FIX_Z : 0u) | (at(X[1], 100) ? FIX_Y | FIX_CLAMPED : 0u);
}
