// Averages another term over two points between start and end of a step: see averaged.h.
#include "energy/averaged.h"

#include "math/vec.h"

#include <string.h>

typedef struct averaged {
    pli_memory* memory;
    pli_term_ops ops;
    pli_term inner;
    const pli_averaging* averaging;
} averaged;

// Gauss points on 0 .. 1, each of weight 1/2: 1/2 -+ sqrt(3) / 6.
static const double points[2] = {0.21132486540518711775, 0.78867513459481288225};
static const double WEIGHT = 0.5;

// Stencils that are evaluated together.
enum { RUN = 8, RUN_VERTICES = RUN * PLI_STENCIL_MAX };

static int count_of(const void* self) {
    const averaged* a = self;
    return a->inner.ops->count(a->inner.self);
}

static const int32_t* vertices_of(const void* self) {
    const averaged* a = self;
    return a->inner.ops->vertices(a->inner.self);
}

// Adds the part of a run of stencils, numbered from 0, at the point s.
static void eval_point(const averaged* a, int first, const pli_batch* in, double s,
                       pli_local* out) {
    double x[3 * RUN_VERTICES], e[RUN] = {0}, g[RUN * PLI_LOCAL_MAX] = {0};
    double H[RUN * PLI_LOCAL_MAX * PLI_LOCAL_MAX];
    int32_t numbers[RUN_VERTICES];
    int size = in->width * in->dim, entries = in->count * size * size;
    for (int i = 0; i < in->count * in->width; ++i) {
        size_t at = 3 * (size_t)(in->vertices[i] < 0 ? 0 : in->vertices[i]);
        const double *start = a->averaging->x_n + at, *end = in->x + at;
        for (int c = 0; c < 3; ++c) x[3 * i + c] = start[c] + s * (end[c] - start[c]);
        numbers[i] = in->vertices[i] < 0 ? -1 : i;
    }
    pli_batch batch = *in;
    batch.vertices = numbers;
    batch.x = x;
    if (in->want & PLI_HESSIAN) memset(H, 0, sizeof *H * (size_t)entries);
    a->inner.ops->eval(a->inner.self, first, &batch, &(pli_local){.e = e, .g = g, .H = H});
    if (in->want & PLI_VALUE) pli_axpy(WEIGHT / s, e, out->e, in->count);
    if (in->want & PLI_GRADIENT) pli_axpy(WEIGHT, g, out->g, in->count * size);
    if (in->want & PLI_HESSIAN) pli_axpy(WEIGHT * s, H, out->H, entries);
}

static void eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const averaged* a = self;
    if (!a->averaging->on) {
        a->inner.ops->eval(a->inner.self, first, in, out);
        return;
    }
    size_t size = (size_t)in->width * (size_t)in->dim;
    for (int start = 0; start < in->count; start += RUN) {
        size_t at = (size_t)start;
        pli_batch run = *in;
        run.count = in->count - start < RUN ? in->count - start : RUN;
        run.vertices += at * (size_t)in->width;
        pli_local local = {.e = out->e ? out->e + at : NULL,
                           .g = out->g ? out->g + at * size : NULL,
                           .H = out->H ? out->H + at * size * size : NULL};
        for (int p = 0; p < 2; ++p) eval_point(a, first + start, &run, points[p], &local);
    }
}

// Lagged quantities are frozen in the middle of the step, which gives order 2.
static pli_status lag(void* self, const pli_view* view, pli_error* error) {
    averaged* a = self;
    const pli_averaging* at = a->averaging;
    for (int i = 0; i < 3 * at->vertex_count; ++i) at->middle[i] = 0.5 * (at->x_n[i] + view->x[i]);
    pli_view middle = *view;
    middle.x = at->middle;
    return a->inner.ops->lag(a->inner.self, &middle, error);
}

static pli_status begin_step(void* self, const pli_step* step, pli_error* error) {
    averaged* a = self;
    return a->inner.ops->begin_step(a->inner.self, step, error);
}

static void destroy(void* self) {
    averaged* a = self;
    PLI_FREE(a->memory, a, 1);
}

bool pli_averages(const pli_term* inner) {
    pli_role role = inner->ops->role;
    return !inner->ops->linear && (role == PLI_POTENTIAL || role == PLI_LOAD);
}

pli_status pli_averaged_term_create(pli_memory* memory, const pli_averaging* averaging,
                                    const pli_term* inner, pli_term* term, pli_error* error) {
    PLI_ASSERT(!inner->ops->dynamic && !inner->ops->max_step && !inner->ops->refresh);
    averaged* a = NULL;
    PLI_TRY(PLI_ALLOC(memory, a, 1, error));
    *a = (averaged){.memory = memory, .inner = *inner, .averaging = averaging};
    a->ops = (pli_term_ops){.name = inner->ops->name,
                            .width = inner->ops->width,
                            .role = inner->ops->role,
                            .count = count_of,
                            .vertices = vertices_of,
                            .eval = eval,
                            .lag = inner->ops->lag ? lag : NULL,
                            .begin_step = inner->ops->begin_step ? begin_step : NULL,
                            .destroy = destroy};
    *term = (pli_term){.ops = &a->ops, .self = a};
    return PLI_OK;
}
