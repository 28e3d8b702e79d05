// What the tests of plates, shells and other thin bodies share: a patch of triangles, or a thread
// of segments, with its nodes, as one term over all its stencils.
#ifndef TESTS_ENERGY_PLATE_FIXTURE_H
#define TESTS_ENERGY_PLATE_FIXTURE_H

#include "energy/fixture.h"
#include "energy/fold.h"
#include "energy/stencils.h"

enum { PLATE_POINTS = 400, PLATE_VERTICES = 1600, PLATE_CELLS = 400 };

typedef struct plate {
    pli_memory memory;
    int points, vertices, triangle_count; // vertices: points and nodes
    double rest[3 * PLATE_VERTICES];
    uint8_t held[PLATE_VERTICES];
    int32_t triangles[6 * PLATE_CELLS];
    int32_t segments[2 * PLATE_CELLS]; // of a thread
    int segment_count;
    pli_nodes nodes;
    pli_term term;
} plate;

// A grid of nx x ny cells over [0, length] x [0, 1] in the plane z = 0, each cut in two; inner
// vertices are displaced by up to `jitter` cells.
static inline void plate_grid(plate* p, int nx, int ny, double length, double jitter) {
    pli_random r = {7};
    memset(p, 0, sizeof *p);
    pli_memory_init(&p->memory, NULL);
    p->points = (nx + 1) * (ny + 1);
    assert_true(p->points <= PLATE_POINTS);
    for (int i = 0; i < p->points; ++i) {
        int a = i % (nx + 1), b = i / (nx + 1);
        bool inner = a > 0 && a < nx && b > 0 && b < ny;
        double u = inner ? pli_random_in(&r, -jitter, jitter) : 0;
        double v = inner ? pli_random_in(&r, -jitter, jitter) : 0;
        p->rest[3 * i] = length * (a + u) / nx;
        p->rest[3 * i + 1] = (b + v) / ny;
    }
    for (int c = 0; c < nx * ny; ++c) {
        int a = c / nx * (nx + 1) + c % nx, b = a + 1, d = a + nx + 1, e = d + 1;
        const int32_t one[6] = {a, b, e, a, e, d}, two[6] = {a, b, d, b, e, d};
        memcpy(p->triangles + 6 * c, pli_random_in(&r, 0, 1) < 0.5 ? one : two, sizeof one);
    }
    p->triangle_count = 2 * nx * ny;
}

// A thread of segments along x, 0.25 long each.
static inline void plate_thread(plate* p, int segments) {
    memset(p, 0, sizeof *p);
    pli_memory_init(&p->memory, NULL);
    p->points = segments + 1;
    p->segment_count = segments;
    assert_true(p->points <= PLATE_POINTS);
    for (int i = 0; i < p->points; ++i) p->rest[3 * i] = 0.25 * i;
    for (int i = 0; i < 2 * segments; ++i) p->segments[i] = (i + 1) / 2;
}

static inline pli_domain plate_domain(const plate* p) {
    bool thread = p->segment_count > 0;
    return (pli_domain){.dim = 3,
                        .kind = thread ? PLI_SEGMENT : PLI_TRIANGLE,
                        .element_count = thread ? p->segment_count : p->triangle_count,
                        .vertices = thread ? p->segments : p->triangles,
                        .rest = p->rest,
                        .thickness = 1,
                        .held = p->held};
}

// A term with one stencil per element.
static inline void plate_make_elements(plate* p, const char* type, const double* params) {
    pli_domain domain = plate_domain(p);
    pli_nodes_init(&p->nodes, &p->memory, p->points);
    p->vertices = p->points;
    p->term = make_term(&p->memory, type, params, &domain);
}

// Finds stencils and nodes and makes the term; one stencil per element if the type finds none.
static inline void plate_make(plate* p, const char* type, const double* params) {
    if (!find_type(type)->stencils) {
        plate_make_elements(p, type, params);
        return;
    }
    pli_body_view view = {
        .dim = 3, .vertex_count = p->points, .rest = p->rest, .params = params, .held = p->held};
    view.element_count[PLI_TRIANGLE] = p->triangle_count;
    view.elements[PLI_TRIANGLE] = p->triangles;
    view.element_count[PLI_SEGMENT] = p->segment_count;
    view.elements[PLI_SEGMENT] = p->segments;
    pli_nodes_init(&p->nodes, &p->memory, p->points);
    pli_asker asker = {.nodes = &p->nodes};
    pli_stencil_sink sink;
    pli_error error = {0};
    if (pli_find_stencils(&p->memory, find_type(type), &view, &asker, &sink, &error) != PLI_OK)
        fail_msg("%s", error.message);
    p->vertices = p->points + p->nodes.count;
    assert_true(p->vertices <= PLATE_VERTICES);
    pli_domain domain = plate_domain(p);
    domain.kind = PLI_STENCIL;
    domain.element_count = sink.count;
    domain.vertices = sink.vertices;
    p->term = make_term(&p->memory, type, params, &domain);
    pli_sink_free(&sink);
}

// The rest state, disturbed at random by up to `size` in each component.
static inline void plate_disturb(const plate* p, double size, double* x, pli_random* r) {
    memset(x, 0, 3 * sizeof *x * (size_t)p->vertices);
    memcpy(x, p->rest, 3 * sizeof *x * (size_t)p->points);
    for (int v = 0; v < p->vertices; ++v)
        for (int c = 0; c < (v < p->points ? 3 : 1); ++c)
            x[3 * v + c] += pli_random_in(r, -size, size);
}

static inline void plate_free(plate* p) {
    p->term.ops->destroy(p->term.self);
    pli_nodes_free(&p->nodes);
    assert_int_equal(p->memory.bytes, 0);
}

// Adds value and, if they are not NULL, gradient (3 per vertex) and Hessian of all stencils.
static inline double plate_eval(const plate* p, const double* x, bool project, double* g,
                                double* H) {
    int width = p->term.ops->width, n = 3 * width, all = 3 * p->vertices;
    double sum = 0;
    static double local_g[PLI_LOCAL_MAX], local_H[PLI_LOCAL_MAX * PLI_LOCAL_MAX];
    for (int i = 0; i < p->triangle_count; ++i) {
        const int32_t* v = p->term.ops->vertices(p->term.self) + i * width;
        double e = 0;
        pli_batch in = {.dim = 3,
                        .count = 1,
                        .width = width,
                        .vertices = v,
                        .x = x,
                        .want = PLI_VALUE | (g ? PLI_GRADIENT : 0u) | (H ? PLI_HESSIAN : 0u),
                        .project = project};
        memset(local_g, 0, sizeof local_g);
        memset(local_H, 0, sizeof local_H);
        p->term.ops->eval(p->term.self, i, &in, &(pli_local){.e = &e, .g = local_g, .H = local_H});
        sum += e;
        for (int a = 0; a < n; ++a) {
            if (v[a / 3] < 0) continue;
            int row = 3 * v[a / 3] + a % 3;
            if (g) g[row] += local_g[a];
            for (int b = 0; b < n && H; ++b)
                if (v[b / 3] >= 0) H[row * all + 3 * v[b / 3] + b % 3] += local_H[a * n + b];
        }
    }
    return sum;
}

// What the plate shows at a point.
static inline double plate_shown(const plate* p, const char* name, const double* x, int point) {
    return shown_at(&p->term, name, x, p->points, p->nodes.count, point);
}

// Sets the nodes such that the normals at the middles of edges are those of a surface: `normal`
// gives them by the rest position. The points of x are on the surface.
typedef void normal_fn(const double X[3], double n[3]);
static inline void plate_set_nodes(const plate* p, normal_fn* normal, double* x) {
    int width = p->term.ops->width;
    for (int i = 0; i < p->triangle_count; ++i) {
        const int32_t* v = p->term.ops->vertices(p->term.self) + i * width;
        for (int k = 0; k < 3; ++k) {
            if (v[6 + k] < 0) continue;
            int32_t a = v[(k + 1) % 3], b = v[(k + 2) % 3];
            double places[12], X[3], n[3], cross[3];
            for (int r = 0; r < 3; ++r) {
                X[r] = 0.5 * (p->rest[3 * a + r] + p->rest[3 * b + r]);
                places[r] = x[3 * v[k] + r];
                places[3 + r] = x[3 * a + r];
                places[6 + r] = x[3 * b + r];
                places[9 + r] = x[3 * v[3 + k] + r];
            }
            normal(X, n);
            pli_fold f;
            assert_true(pli_fold_open(places, &f));
            pli_cross3(f.n[0], n, cross);
            double alpha = atan2(pli_dot(cross, f.e, 3), pli_dot(f.n[0], n, 3));
            x[3 * v[6 + k]] = (a < b ? 1 : -1) * (alpha - 0.5 * pli_fold_angle(&f));
        }
    }
}

#endif
