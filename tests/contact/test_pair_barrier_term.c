// Barriers between pairs in space: contract for every kind, form and thickness, known numbers, the
// pressure of a flat contact, friction on them.
#include "contact/contact.h"

#include <stdlib.h>

#include "contact/support.h"
#include "oracle/contract.h"
#include "oracle/near.h"
#include "oracle/random.h"

static const double dhat = 0.01;

// Kinds of pairs: widths of the two sides.
static const int widths[4][2] = {{1, 3}, {2, 2}, {1, 2}, {1, 1}};
enum { TRIANGLE, EDGES, SEGMENT, POINTS };

typedef struct pair_def {
    int kind;
    int form;
    double stiffness;
    double radius; // of every vertex [m]
} pair_def;

// One pair of the kind: its vertices are 0, 1, ...
static pli_term single_pair(pli_memory* memory, const pair_def* def, double* x) {
    static const int32_t numbers[4] = {0, 1, 2, 3};
    static const double weights[2] = {0.3, 0.5}, lengths[2] = {0.8, 1.1};
    int a_width = widths[def->kind][0], b_width = widths[def->kind][1];
    double radius[4];
    for (int i = 0; i < 4; ++i) radius[i] = def->radius;
    pli_barrier_def barrier = {.dim = 3,
                               .vertex_count = a_width + b_width,
                               .form = &pli_barrier_forms[def->form],
                               .dhat = dhat,
                               .stiffness = def->stiffness,
                               .radius = def->radius > 0 ? radius : NULL};
    pli_side a = {.count = 1, .width = a_width, .vertices = numbers, .weight = weights};
    pli_side b = {.count = 1, .width = b_width, .vertices = numbers + a_width};
    a.rest = lengths;
    b.rest = lengths + 1;
    pli_term term;
    pli_error error = {0};
    ASSERT_OK(pli_pair_barrier_create(memory, &barrier, &a, &b, &term, &error));
    assert_int_equal(term.ops->count(term.self), 0); // nothing before the first refresh
    pli_view view = {.dim = 3, .vertex_count = a_width + b_width, .x = x};
    ASSERT_OK(term.ops->refresh(term.self, &view, NULL, NULL, &error));
    assert_int_equal(term.ops->count(term.self), 1);
    return term;
}

// A pair at distance d, the closest points inside, on an edge or at a corner, as `where` says, and
// turned at random.
static void place(pli_random* random, int kind, int where, double d, double angle, double* x) {
    static const double corners[3][3] = {{-0.4, 0, -0.3}, {0.6, 0, -0.2}, {0, 0, 0.7}};
    static const double beside[3][3] = {{0, 0, 0}, {0.1, 0, -0.6}, {1, 0, -0.3}};
    double out[12] = {0}, q[9], r[3];
    if (kind == TRIANGLE) {
        for (int k = 0; k < 9; ++k) out[3 + k] = corners[k / 3][k % 3];
        for (int k = 0; k < 3; ++k) out[k] = beside[where][k];
        // Beside the triangle: as far as d from its side or corner, half up.
        double foot[3][3] = {{0, 0, 0}, {0.1, 0, -0.25}, {0.6, 0, -0.2}}, w[3], length = 0;
        for (int k = 0; k < 3; ++k) w[k] = out[k] - foot[where][k];
        if (where == 1) { // perpendicular to the side 0-1
            w[0] = 0.1;
            w[2] = -1;
        }
        w[1] = where == 0 ? 1 : 0.7;
        for (int k = 0; k < 3; ++k) length += w[k] * w[k];
        for (int k = 0; k < 3; ++k) out[k] = foot[where][k] + d * w[k] / sqrt(length);
    } else if (kind == EDGES) {
        // An end is closest if the second edge begins beyond the crossing, by as much as moves it
        // half of d aside (but not beyond the first edge).
        double c = cos(angle), s = sin(angle), aside = where == 0 ? 0 : fmin(0.3 * s, 0.5 * d);
        double shift = where == 0 ? 0 : 0.5 + aside / s, up = sqrt(d * d - aside * aside);
        double ends[12] = {-0.5, 0, 0, 0.5, 0, 0, -0.5 * c, up, -0.5 * s, 0.5 * c, up, 0.5 * s};
        memcpy(out, ends, sizeof ends);
        for (int i = 2; i < 4; ++i) {
            out[3 * i] += (where == 2 ? -1 : 1) * c * shift;
            out[3 * i + 2] += (where == 2 ? -1 : 1) * s * shift;
        }
    } else {
        double r0 = where == 0 ? 0.3 : where == 1 ? -0.6 * d : 1 + 0.6 * d;
        out[0] = kind == POINTS ? 0 : r0;
        out[1] = kind == POINTS || where == 0 ? d : 0.8 * d;
        out[6] = 1;
    }
    for (int k = 0; k < 9; ++k) q[k] = pli_random_in(random, -1, 1);
    // Orthonormal rows by Gram-Schmidt.
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < i; ++j) {
            double dot = 0;
            for (int k = 0; k < 3; ++k) dot += q[3 * i + k] * q[3 * j + k];
            for (int k = 0; k < 3; ++k) q[3 * i + k] -= dot * q[3 * j + k];
        }
        double norm =
            sqrt(q[3 * i] * q[3 * i] + q[3 * i + 1] * q[3 * i + 1] + q[3 * i + 2] * q[3 * i + 2]);
        for (int k = 0; k < 3; ++k) q[3 * i + k] /= norm;
        r[i] = pli_random_in(random, -0.3, 0.3);
    }
    for (int v = 0; v < 4; ++v)
        for (int i = 0; i < 3; ++i) {
            x[3 * v + i] = r[i];
            for (int k = 0; k < 3; ++k) x[3 * v + i] += q[3 * i + k] * out[3 * v + k];
        }
}

static void test_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {1};
    const double shares[4] = {0.03, 0.2, 0.6, 0.95};
    const double angles[4] = {1.2, 0.4, 0.02, 0.008}; // the last two where the mollifier acts
    for (int trial = 0; trial < 384; ++trial) {
        int kind = trial % 4, where = trial / 4 % 3;
        pair_def def = {.kind = kind, .form = trial / 12 % 2, .radius = trial / 24 % 2 * 0.004};
        def.stiffness = def.form == 0 ? 1e5 : 1e10;
        double gap = dhat * shares[trial / 48 % 4], d = gap + 2 * def.radius, x[12];
        place(&random, kind, where, d, angles[trial / 96], x);
        pli_term term = single_pair(&memory, &def, x);
        pli_contract contract = {
            .dim = 3,
            .vertex_count = term.ops->width,
            .x = x,
            .step = gap / 200,          // differences of 4th order: truncation below 1e-8
            .gradient_tolerance = 1e-6, // of nearly parallel edges: their distance turns by as much
            .hessian_tolerance = 1e-5,  // as the angle, so differences lose two digits
            .internal = true,
            .objective = true,
            .clamp_tolerance = -1, // in closed form, and above the Hessian
        };
        pli_check_contract(&term, &contract);
        term.ops->destroy(term.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// Two points in the plane, whose third coordinates do not count.
static void test_points_in_the_plane(void** state) {
    (void)state;
    static const int32_t numbers[2] = {0, 1};
    static const double weight = 0.3;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {2};
    pli_error error = {0};
    for (int trial = 0; trial < 40; ++trial) {
        double radius[2] = {trial / 2 % 2 * 0.004, trial / 2 % 2 * 0.007};
        double gap = dhat * pli_random_in(&random, 0.05, 0.95), d = gap + radius[0] + radius[1];
        double angle = pli_random_in(&random, 0, 6.28);
        double x[6] = {0.1, -0.2, 7, 0.1 + d * cos(angle), -0.2 + d * sin(angle), -5};
        pli_barrier_def def = {.dim = 2,
                               .vertex_count = 2,
                               .form = &pli_barrier_forms[trial % 2],
                               .dhat = dhat,
                               .stiffness = trial % 2 ? 1e10 : 1e5,
                               .radius = radius};
        pli_side a = {.count = 1, .width = 1, .vertices = numbers, .weight = &weight};
        pli_side b = {.count = 1, .width = 1, .vertices = numbers + 1};
        pli_term term;
        ASSERT_OK(pli_pair_barrier_create(&memory, &def, &a, &b, &term, &error));
        pli_view view = {.dim = 2, .vertex_count = 2, .x = x};
        ASSERT_OK(term.ops->refresh(term.self, &view, NULL, NULL, &error));
        assert_int_equal(term.ops->count(term.self), 1);
        pli_contract contract = {.dim = 2,
                                 .vertex_count = 2,
                                 .x = x,
                                 .step = gap / 200,
                                 .gradient_tolerance = 1e-6,
                                 .hessian_tolerance = 1e-5,
                                 .internal = true,
                                 .objective = true,
                                 .clamp_tolerance = 1e-10};
        pli_check_contract(&term, &contract);
        term.ops->destroy(term.self);
    }
    assert_int_equal(memory.bytes, 0);
}

// Known numbers of the form without area: b(1e-8, 1e-6) = 4.5135272992869283e-12 m^4 and the force
// 2.1425647393651284e-6 N at kappa = 100 J/m^4.
static void test_point_over_triangle(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double x[12] = {0, 1e-4, 0, -1, 0, 1, 1, 0, 1, 0, 0, -1}, e = 0, g[12] = {0};
    static const int32_t numbers[4] = {0, 1, 2, 3};
    pli_barrier_def def = {
        .dim = 3, .vertex_count = 4, .form = &pli_barrier_forms[1], .dhat = 1e-3, .stiffness = 100};
    double weight = 7; // does not count
    pli_side a = {.count = 1, .width = 1, .vertices = numbers, .weight = &weight};
    pli_side b = {.count = 1, .width = 3, .vertices = numbers + 1};
    pli_term term;
    pli_error error = {0};
    ASSERT_OK(pli_pair_barrier_create(&memory, &def, &a, &b, &term, &error));
    pli_view view = {.dim = 3, .vertex_count = 4, .x = x};
    ASSERT_OK(term.ops->refresh(term.self, &view, NULL, NULL, &error));
    pli_batch in = {.dim = 3,
                    .count = 1,
                    .width = 4,
                    .vertices = numbers,
                    .x = x,
                    .want = PLI_VALUE | PLI_GRADIENT};
    term.ops->eval(term.self, 0, &in, &(pli_local){.e = &e, .g = g});
    ASSERT_NEAR(e, 100 * 4.5135272992869283e-12, 1e-24);
    ASSERT_NEAR(-g[1], 2.1425647393651284e-6, 1e-19);
    pli_barrier_set_stiffness(&term, 200);
    e = 0;
    in.want = PLI_VALUE;
    term.ops->eval(term.self, 0, &in, &(pli_local){.e = &e});
    ASSERT_NEAR(e, 200 * 4.5135272992869283e-12, 1e-24);
    term.ops->destroy(term.self);
    assert_int_equal(memory.bytes, 0);
}

// ---- the pressure of a flat contact

// A square of side `size` in the plane y = height, n x n cells of two triangles with shifted inner
// vertices, turned by `angle`.
typedef struct sheet {
    int vertex_count, triangle_count, edge_count;
    int32_t *points, *triangles, *edges;
    double *x, *point_area, *edge_area, *length;
} sheet;

static void make_sheet(pli_random* random, int n, double size, double height, double angle,
                       int first, sheet* s) {
    int side = n + 1, count = side * side;
    *s = (sheet){.vertex_count = count, .triangle_count = 2 * n * n};
    s->x = calloc((size_t)(3 * count), sizeof *s->x);
    s->points = calloc((size_t)count, sizeof *s->points);
    s->triangles = calloc((size_t)(6 * n * n), sizeof *s->triangles);
    s->edges = calloc((size_t)(6 * side * side), sizeof *s->edges);
    s->point_area = calloc((size_t)count, sizeof *s->point_area);
    s->edge_area = calloc((size_t)(3 * side * side), sizeof *s->edge_area);
    s->length = calloc((size_t)(3 * side * side), sizeof *s->length);
    for (int v = 0; v < count; ++v) {
        bool inner = v % side > 0 && v % side < n && v / side > 0 && v / side < n;
        double u = v % side + (inner ? pli_random_in(random, -0.2, 0.2) : 0);
        double w = v / side + (inner ? pli_random_in(random, -0.2, 0.2) : 0);
        u = size * (u / n - 0.5);
        w = size * (w / n - 0.5);
        s->x[3 * v] = cos(angle) * u - sin(angle) * w;
        s->x[3 * v + 1] = height;
        s->x[3 * v + 2] = sin(angle) * u + cos(angle) * w;
        s->points[v] = first + v;
    }
    for (int c = 0; c < 2 * n * n; ++c) {
        int at = c / 2 % n + c / 2 / n * side;
        int32_t t[3] = {at, c % 2 ? at + side + 1 : at + 1, c % 2 ? at + side : at + side + 1};
        double *a = s->x + 3 * t[0], *b = s->x + 3 * t[1], *d = s->x + 3 * t[2];
        double area = 0.5 * fabs((b[0] - a[0]) * (d[2] - a[2]) - (b[2] - a[2]) * (d[0] - a[0]));
        for (int k = 0; k < 3; ++k) {
            s->triangles[3 * c + k] = first + t[k];
            s->point_area[t[k]] += area / 3;
            int32_t low = t[k] < t[(k + 1) % 3] ? t[k] : t[(k + 1) % 3];
            int32_t high = t[k] < t[(k + 1) % 3] ? t[(k + 1) % 3] : t[k];
            int e = 0;
            while (e < s->edge_count &&
                   (s->edges[2 * e] != first + low || s->edges[2 * e + 1] != first + high))
                ++e;
            if (e == s->edge_count) {
                s->edges[2 * e] = first + low;
                s->edges[2 * e + 1] = first + high;
                s->length[e] =
                    hypot(s->x[3 * low] - s->x[3 * high], s->x[3 * low + 2] - s->x[3 * high + 2]);
                s->edge_count++;
            }
            s->edge_area[e] += area / 3;
        }
    }
}

static void free_sheet(sheet* s) {
    free(s->x);
    free(s->points);
    free(s->triangles);
    free(s->edges);
    free(s->point_area);
    free(s->edge_area);
    free(s->length);
}

// Upward force of a barrier on the vertices from `first` on.
static double lift(pli_term* term, const double* x, int first) {
    int width = term->ops->width;
    double sum = 0;
    for (int i = 0; i < term->ops->count(term->self); ++i) {
        double g[12] = {0};
        const int32_t* v = term->ops->vertices(term->self) + i * width;
        pli_batch in = {
            .dim = 3, .count = 1, .width = width, .vertices = v, .x = x, .want = PLI_GRADIENT};
        term->ops->eval(term->self, i, &in, &(pli_local){.g = g});
        for (int k = 0; k < width; ++k)
            if (v[k] >= first) sum -= g[3 * k + 1];
    }
    return sum;
}

// Forces between a small square of n cells above the middle of a larger one of m cells: of points
// of both against triangles, and of edges.
static void flat_forces(pli_random* random, int n, int m, double angle, double gap,
                        double force[2]) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    sheet up, low;
    pli_error error = {0};
    make_sheet(random, m, 2, 0, 0, 0, &low);
    make_sheet(random, n, 1, gap, angle, low.vertex_count, &up);
    int count = low.vertex_count + up.vertex_count, edge_count = low.edge_count + up.edge_count;
    double* x = calloc((size_t)(3 * count), sizeof *x);
    memcpy(x, low.x, sizeof *x * (size_t)(3 * low.vertex_count));
    memcpy(x + 3 * low.vertex_count, up.x, sizeof *x * (size_t)(3 * up.vertex_count));
    pli_view view = {.dim = 3, .vertex_count = count, .x = x};
    pli_barrier_def def = {.dim = 3, .vertex_count = count, .dhat = 1e-3, .stiffness = 1e5};
    const sheet* sheets[2] = {&low, &up};
    force[0] = force[1] = 0;
    for (int i = 0; i < 2; ++i) {
        const sheet *a = sheets[i], *b = sheets[1 - i];
        double* half = calloc((size_t)a->vertex_count, sizeof *half);
        for (int v = 0; v < a->vertex_count; ++v) half[v] = 0.5 * a->point_area[v];
        pli_side points = {
            .count = a->vertex_count, .width = 1, .vertices = a->points, .weight = half};
        pli_side triangles = {.count = b->triangle_count, .width = 3, .vertices = b->triangles};
        pli_term term;
        ASSERT_OK(pli_pair_barrier_create(&memory, &def, &points, &triangles, &term, &error));
        ASSERT_OK(term.ops->refresh(term.self, &view, NULL, NULL, &error));
        force[0] += lift(&term, x, low.vertex_count);
        term.ops->destroy(term.self);
        free(half);
    }
    int32_t* edges = calloc((size_t)(2 * edge_count), sizeof *edges);
    double *width = calloc((size_t)edge_count, sizeof *width),
           *length = calloc((size_t)edge_count, sizeof *length);
    for (int i = 0, e = 0; i < 2; ++i)
        for (int k = 0; k < sheets[i]->edge_count; ++k, ++e) {
            edges[2 * e] = sheets[i]->edges[2 * k];
            edges[2 * e + 1] = sheets[i]->edges[2 * k + 1];
            length[e] = sheets[i]->length[k];
            width[e] = sqrt(acos(0)) * sheets[i]->edge_area[k] / length[e];
        }
    pli_side all = {.count = edge_count, .width = 2, .vertices = edges, .weight = width};
    all.rest = length;
    pli_term term;
    ASSERT_OK(pli_pair_barrier_create(&memory, &def, &all, NULL, &term, &error));
    ASSERT_OK(term.ops->refresh(term.self, &view, NULL, NULL, &error));
    force[1] = lift(&term, x, low.vertex_count);
    term.ops->destroy(term.self);
    assert_int_equal(memory.bytes, 0);
    free(edges);
    free(width);
    free(length);
    free(x);
    free_sheet(&low);
    free_sheet(&up);
}

// Points against triangles and edges against edges each carry half of the nominal pressure, which
// is that of the plane's formula: p = (kappa/8) (ln s + 1 - 1/s) 2 d / dhat, s = (d/dhat)^2.
static void test_flat_pressure(void** state) {
    (void)state;
    pli_random random = {5};
    const double gap = 5e-4, s = 0.25;
    double nominal = -1e5 / 8 * (log(s) + 1 - 1 / s) * 2 * 0.5;
    const int cells[3][2] = {{6, 9}, {12, 11}, {9, 22}};
    for (int i = 0; i < 3; ++i) {
        double mean[2] = {0};
        for (int turn = 0; turn < 8; ++turn) {
            double force[2];
            flat_forces(&random, cells[i][0], cells[i][1], 0.1 + turn * 0.196, gap, force);
            for (int k = 0; k < 2; ++k) mean[k] += force[k] / 8;
        }
        print_message("    %2d x %2d cells: points %.3f, edges %.3f of the nominal pressure\n",
                      cells[i][0], cells[i][1], mean[0] / nominal, mean[1] / nominal);
        // Samples of an area by points and crossings: within 10 % in the mean of 8 directions.
        ASSERT_NEAR(mean[0], 0.5 * nominal, 0.05 * nominal);
        ASSERT_NEAR(mean[1], 0.5 * nominal, 0.05 * nominal);
    }
}

// ---- friction, arguments, memory

static void test_friction_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {9};
    for (int trial = 0; trial < 24; ++trial) {
        pair_def def = {.kind = trial % 4, .stiffness = 1e5, .radius = trial / 12 * 0.004};
        double x[12], x_n[12];
        place(&random, def.kind, trial / 4 % 3, 0.3 * dhat + 2 * def.radius, 0.8, x);
        pli_term barrier = single_pair(&memory, &def, x), term;
        pli_error error = {0};
        ASSERT_OK(pli_friction_create(&memory, &barrier,
                                      &(pli_friction_def){.coefficient = 0.4, .speed = 0.01}, &term,
                                      &error));
        for (int k = 0; k < 12; ++k) x_n[k] = x[k] + pli_random_in(&random, -1e-4, 1e-4);
        pli_step step = {.h = 0.02, .x_n = x_n};
        pli_view view = {.dim = 3, .vertex_count = term.ops->width, .x = x};
        ASSERT_OK(term.ops->begin_step(term.self, &step, &error));
        ASSERT_OK(term.ops->lag(term.self, &view, &error));
        assert_int_equal(term.ops->count(term.self), 1);
        pli_contract contract = {.dim = 3,
                                 .vertex_count = term.ops->width,
                                 .x = x,
                                 .step = 1e-7,
                                 .gradient_tolerance = 1e-6, // eps_v h = 2e-4 m: truncation
                                 .hessian_tolerance = 1e-5,
                                 .clamp_tolerance = 1e-10};
        pli_check_contract(&term, &contract);
        term.ops->destroy(term.self);
        barrier.ops->destroy(barrier.self);
    }
    assert_int_equal(memory.bytes, 0);
}

static void test_bad_arguments(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    static const int32_t numbers[6] = {0, 1, 2, 3, 4, 5};
    static const double lengths[2] = {1, 1}, zero[2] = {1, 0};
    for (int i = 0; i < 4; ++i) {
        pli_barrier_def def = {.dim = 3, .vertex_count = 6, .dhat = 0.1, .stiffness = 1};
        pli_side a = {.count = 2, .width = 2, .vertices = numbers, .rest = lengths};
        pli_side b = {.count = 2, .width = 3, .vertices = numbers};
        const pli_side* other = NULL;
        if (i == 0) a.rest = NULL;
        if (i == 1) a.rest = zero;
        if (i == 2) other = &b; // edges against triangles are no kind of pair
        if (i == 3) def.stiffness = 0;
        pli_term term = {0};
        pli_error error = {0};
        assert_int_equal(pli_pair_barrier_create(&memory, &def, &a, other, &term, &error),
                         PLI_E_ARGUMENT);
        assert_true(error.message[0] != 0);
        assert_null(term.self);
        assert_int_equal(memory.bytes, 0);
    }
}

static void test_out_of_memory(void** state) {
    (void)state;
    static const int32_t edges[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const double lengths[4] = {1, 1, 1, 1}, radius[8] = {0};
    double x[24] = {0};
    for (int i = 0; i < 24; ++i) x[i] = (i * i % 7) + 0.1 * i;
    pli_view view = {.dim = 3, .vertex_count = 8, .x = x};
    bool done = false;
    for (int n = 0; !done; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_barrier_def def = {
            .dim = 3, .vertex_count = 8, .dhat = 10, .stiffness = 1, .radius = radius};
        pli_side a = {.count = 4, .width = 2, .vertices = edges, .weight = lengths};
        a.rest = lengths;
        pli_term term = {0};
        pli_error error = {0};
        pli_status status = pli_pair_barrier_create(&memory, &def, &a, NULL, &term, &error);
        if (status == PLI_OK) {
            status = term.ops->refresh(term.self, &view, NULL, NULL, &error);
            if (status == PLI_OK) assert_int_equal(term.ops->count(term.self), 6);
            term.ops->destroy(term.self);
        }
        assert_int_equal(memory.bytes, 0);
        done = status == PLI_OK;
        if (!done) assert_int_equal(status, PLI_E_MEMORY);
        if (done) assert_true(n > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_points_in_the_plane),
        cmocka_unit_test(test_point_over_triangle),
        cmocka_unit_test(test_flat_pressure),
        cmocka_unit_test(test_friction_contract),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
