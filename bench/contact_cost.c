// Points against triangles and edges against edges, in sets of our own over the world's surface;
// barriers by the world's terms.
#include "contact_cost.h"

#include "contact/closest.h"
#include "contact/pair_search.h"

#include <math.h>

#include "measure.h"

enum { REPEATS = 9, CHUNK = 64 };

// ---- barriers

static double evaluate_barriers(const pli_world* w) {
    static double e[CHUNK], g[12 * CHUNK], H[144 * CHUNK];
    double start = bench_thread_cpu();
    for (int t = 0; t < w->collision.term_count; ++t) {
        const pli_term* term = &w->collision.terms[t].barrier;
        if (w->collision.terms[t].half_space >= 0) continue;
        int count = term->ops->count(term->self), width = term->ops->width;
        for (int first = 0; first < count; first += CHUNK) {
            pli_batch in = {.dim = 3, .width = width, .x = w->x, .project = true};
            in.count = count - first < CHUNK ? count - first : CHUNK;
            in.vertices = term->ops->vertices(term->self) + (size_t)first * (size_t)width;
            in.want = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN;
            pli_local out = {.e = e, .g = g, .H = H};
            term->ops->eval(term->self, first, &in, &out);
        }
    }
    return bench_thread_cpu() - start;
}

static double active_pairs(const pli_world* w) {
    double sum = 0;
    for (int t = 0; t < w->collision.term_count; ++t) {
        int count;
        double distance;
        if (w->collision.terms[t].half_space >= 0) continue;
        pli_barrier_contacts(&w->collision.terms[t].barrier, w->x, &count, &distance);
        sum += count;
    }
    return sum;
}

// ---- sets

enum { SET_COUNT = 2 };

static pli_status make_set(pli_world* w, const pli_primitives* a, const pli_primitives* b,
                           pli_pair_set* set, pli_error* error) {
    const pli_surfaces* c = &w->collision.surfaces;
    pli_pair_set_def def = {.kind = &pli_space_pair_of(a->width, b->width)->kind,
                            .filter = &c->filter,
                            .dim = 3,
                            .vertex_count = w->model.vertex_count,
                            .dhat = w->collision.dhat,
                            .a_count = a->count,
                            .a_width = a->width,
                            .a_vertices = a->vertices,
                            .b_count = b->count,
                            .b_width = b->width,
                            .b_vertices = b->vertices,
                            .symmetric = a == b,
                            .offset = c->thick ? c->radius : NULL};
    return pli_pair_set_init(set, &w->memory, &def, error);
}

// Time of a refresh along p, with a search or without.
static pli_status time_refresh(pli_world* w, pli_pair_set* set, const double* p, bool search,
                               double* seconds, pli_error* error) {
    pli_view view = pli_world_view(w);
    double alpha = 1, start = bench_thread_cpu();
    if (search) pli_pair_set_forget(set);
    PLI_TRY(pli_pair_set_refresh(set, &view, p, &alpha, error));
    *seconds = bench_thread_cpu() - start;
    return PLI_OK;
}

// Time of CCD for all pairs of the set.
static double time_ccd(const pli_world* w, const pli_pair_set* set, const double* p) {
    int width = set->a.width + set->b.width;
    volatile double least = 1;
    double start = bench_thread_cpu();
    for (int i = 0; i < set->count; ++i) {
        const double *x[4], *by[4];
        for (int k = 0; k < width; ++k) {
            x[k] = w->x + 3 * (size_t)set->vertices[i * width + k];
            by[k] = p + 3 * (size_t)set->vertices[i * width + k];
        }
        least = fmin(least, set->kind->ccd(3, x, by, 1, pli_pair_offset(set, &set->pairs[i])));
    }
    return bench_thread_cpu() - start;
}

// Time of the first bounds of the distances of all candidates.
static double time_bounds(const pli_world* w, pli_pair_set* set, const double* p) {
    pli_sweep sweep = {.set = set, .x = w->x, .p = p, .start = w->x, .to = 1};
    const pli_box_pairs* candidates = &set->candidates.pairs;
    volatile float sum = 0;
    double start = bench_thread_cpu();
    for (int i = 0; i < candidates->count; ++i)
        sum = sum + (float)pli_sweep_clearance(&sweep, &candidates->pairs[i]);
    return bench_thread_cpu() - start;
}

static pli_status measure_sets(pli_world* w, pli_pair_set* sets, const double* p,
                               bench_contact_cost* cost, pli_error* error) {
    double with[REPEATS] = {0}, without[REPEATS] = {0}, ccd[REPEATS] = {0};
    double bounds[REPEATS] = {0}, seconds;
    for (int i = 0; i < REPEATS; ++i)
        for (int k = 0; k < SET_COUNT; ++k) {
            PLI_TRY(time_refresh(w, &sets[k], p, true, &seconds, error));
            with[i] += seconds;
            PLI_TRY(time_refresh(w, &sets[k], p, false, &seconds, error));
            without[i] += seconds;
            ccd[i] += time_ccd(w, &sets[k], p);
            bounds[i] += time_bounds(w, &sets[k], p);
        }
    cost->refresh = bench_median(without, REPEATS);
    cost->ccd = bench_median(ccd, REPEATS);
    cost->bounds = bench_median(bounds, REPEATS);
    cost->search = bench_median(with, REPEATS) - cost->refresh - cost->bounds;
    for (int k = 0; k < SET_COUNT; ++k) {
        cost->candidates += sets[k].candidates.pairs.count;
        cost->near += sets[k].count;
    }
    return PLI_OK;
}

// Halves p until the candidates of a search hold for it once more.
static pli_status shorten(pli_world* w, pli_pair_set* sets, double* p, pli_error* error) {
    for (bool held = false; !held;) {
        held = true;
        for (int k = 0; k < SET_COUNT; ++k) {
            double seconds;
            PLI_TRY(time_refresh(w, &sets[k], p, true, &seconds, error));
            int64_t searches = sets[k].search_count;
            PLI_TRY(time_refresh(w, &sets[k], p, false, &seconds, error));
            held = held && sets[k].search_count == searches;
        }
        for (int i = 0; !held && i < 3 * w->model.vertex_count; ++i) p[i] *= 0.5;
    }
    return PLI_OK;
}

bool bench_contact_cost_of(pli_world* w, double* p, bench_contact_cost* cost, pli_error* error) {
    pli_surfaces* c = &w->collision.surfaces;
    pli_pair_set sets[SET_COUNT] = {0};
    double times[REPEATS];
    *cost = (bench_contact_cost){0};
    bool done = make_set(w, &c->points, &c->triangles, &sets[0], error) == PLI_OK &&
                make_set(w, &c->edges, &c->edges, &sets[1], error) == PLI_OK &&
                shorten(w, sets, p, error) == PLI_OK &&
                measure_sets(w, sets, p, cost, error) == PLI_OK;
    if (done) {
        cost->active = active_pairs(w);
        for (int i = 0; i < REPEATS; ++i) times[i] = evaluate_barriers(w);
        cost->barrier = bench_median(times, REPEATS);
    }
    for (int k = 0; k < SET_COUNT; ++k)
        if (sets[k].memory) pli_pair_set_free(&sets[k]);
    return done;
}
