// Loads. Stencils are vertices (forces) or surface faces (tractions, pressure), with quadrature
// points at which the value is sampled. A load kind defines how a sampled load is evaluated.
#include "energy/load.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "energy/mid_edge.h"
#include "math/small.h"
#include "math/vec.h"

typedef struct point {
    double weight;   // share of the force, or area at rest [m^2]
    double place[3]; // at rest [m]
    double value[3]; // force [N], traction or pressure [Pa] at the time of the present step
} point;

typedef struct load load;

typedef struct load_kind {
    const char *name, *help;
    bool faces, edges;
    bool follows; // the force depends on x: has a Hessian, and is lagged unless it acts on edges
    void (*set)(load* l, const double* x,
                int stencil); // after sampling: `force` from values (and x)
    void (*eval)(const void* self, int first, const pli_batch* in, pli_local* out);
} load_kind;

struct load {
    pli_term_ops ops;
    pli_memory* memory;
    const load_kind* kind;
    const char* body;
    pli_field_fn* field; // NULL: constant
    void* context;
    int dim, count, point_count; // stencils; points of each
    double section;              // thickness in the plane [m], 1 in space
    double weight[6];            // of the rule, sum 1
    double shape[6][3][PLI_FACE_MAX];
    double origin[3];  // of the cones under pressure [m]
    int32_t* vertices; // count * ops.width
    point* points;     // count * point_count
    double* force; // count * ops.width * dim: dead force, or -c of pressure [N]; of edges first X
};

static const int32_t* stencil(const load* l, int i) {
    return l->vertices + (size_t)i * (size_t)l->ops.width;
}

static double* force_of(const load* l, int i) {
    return l->force + (size_t)i * (size_t)(l->ops.width * l->dim);
}

// ---- dead loads

// f_v = sum_q w_q N_v value_q
static void set_dead(load* l, const double* x, int i) {
    (void)x;
    double* force = force_of(l, i);
    memset(force, 0, sizeof *force * (size_t)(l->ops.width * l->dim));
    for (int q = 0; q < l->point_count; ++q) {
        const point* p = &l->points[i * l->point_count + q];
        for (int v = 0; v < l->ops.width; ++v)
            pli_axpy(p->weight * l->shape[q][0][v], p->value, force + v * l->dim, l->dim);
    }
}

// E = -f . x
static void eval_dead(const void* self, int first, const pli_batch* in, pli_local* out) {
    const load* l = self;
    int dim = in->dim, n = in->width * dim;
    for (int i = 0; i < in->count; ++i) {
        const double* force = force_of(l, first + i);
        for (int v = 0; v < in->width; ++v) {
            const double* x = in->x + 3 * (size_t)in->vertices[i * in->width + v];
            if (in->want & PLI_VALUE) out->e[i] -= pli_dot(force + v * dim, x, dim);
        }
        if (in->want & PLI_GRADIENT) pli_axpy(-1, force, out->g + (size_t)i * (size_t)n, n);
    }
}

// ---- pressure

// u_a = sum_v shape_a,v (x_v - origin): position and tangents at a point.
static void place_and_tangents(const load* l, int q, const int32_t* vertices, const double* x,
                               double u[3][3]) {
    memset(u, 0, 9 * sizeof(double));
    for (int v = 0; v < l->ops.width; ++v) {
        double d[3];
        pli_sub(x + 3 * (size_t)vertices[v], l->origin, d, l->dim);
        for (int a = 0; a < l->dim; ++a) pli_axpy(l->shape[q][a][v], d, u[a], l->dim);
    }
}

// The cone over a face has the volume sum_q w_q det(u_0, u_1, u_2) / 6, in the plane the area sum_q
// w_q det(u_0, u_1) / 2. Returns p times the factor of the determinant at one point.
static double cone_scale(const load* l, int i, int q) {
    double p = l->points[i * l->point_count + q].value[0];
    return p * l->weight[q] * l->section / (l->dim == 2 ? 2 : 6);
}

// Cofactors: d det / d u_a. Returns det.
static double cofactors(int dim, double u[3][3], double cofactor[3][3]) {
    if (dim == 2) {
        const double rows[2][2] = {{u[1][1], -u[1][0]}, {-u[0][1], u[0][0]}};
        for (int a = 0; a < 2; ++a) memcpy(cofactor[a], rows[a], sizeof rows[a]);
    } else {
        for (int a = 0; a < 3; ++a) pli_cross3(u[(a + 1) % 3], u[(a + 2) % 3], cofactor[a]);
    }
    return pli_dot(u[0], cofactor[0], dim);
}

// g_v += s sum_a shape_a,v cofactor_a
static void add_cone_gradient(const load* l, int q, double s, double cofactor[3][3], double* g) {
    for (int v = 0; v < l->ops.width; ++v)
        for (int a = 0; a < l->dim; ++a)
            pli_axpy(s * l->shape[q][a][v], cofactor[a], g + v * l->dim, l->dim);
}

// For (a, b, c) in cyclic order d cofactor_a,i / d u_b,j = e_ijk u_c,k, and minus that for (b, a).
// In the plane there is one pair and no index k: e_ij.
static void add_cone_hessian(const load* l, int q, double s, double u[3][3], double* H) {
    int dim = l->dim, width = l->ops.width, n = width * dim;
    for (int a = 0; a < (dim == 2 ? 1 : 3); ++a) {
        const double *A = l->shape[q][a], *B = l->shape[q][(a + 1) % 3], *w = u[(a + 2) % 3];
        for (int v = 0; v < width; ++v)
            for (int r = 0; r < width; ++r) {
                double f = s * (A[v] * B[r] - B[v] * A[r]);
                double* block = H + v * dim * n + r * dim;
                for (int k = dim == 2 ? 2 : 0; k < 3; ++k) {
                    int i = (k + 1) % 3, j = (k + 2) % 3;
                    double value = f * (dim == 2 ? 1 : w[k]);
                    block[i * n + j] += value;
                    block[j * n + i] -= value;
                }
            }
    }
}

// -c_v = (gradient of p V) - sum_q p w_q N_v n_q, with the area vector n_q: the excess of the
// potential's force at x.
static void set_pressure(load* l, const double* x, int i) {
    double* force = force_of(l, i);
    memset(force, 0, sizeof *force * (size_t)(l->ops.width * l->dim));
    for (int q = 0; q < l->point_count; ++q) {
        double u[3][3], cofactor[3][3], normal[3];
        place_and_tangents(l, q, stencil(l, i), x, u);
        cofactors(l->dim, u, cofactor);
        add_cone_gradient(l, q, cone_scale(l, i, q), cofactor, force);
        pli_face_normal(l->dim, u[1], u[2], normal);
        double p = l->points[i * l->point_count + q].value[0] * l->weight[q] * l->section;
        for (int v = 0; v < l->ops.width; ++v)
            pli_axpy(-p * l->shape[q][0][v], normal, force + v * l->dim, l->dim);
    }
}

static void eval_pressure(const void* self, int first, const pli_batch* in, pli_local* out) {
    const load* l = self;
    int dim = in->dim, n = in->width * dim;
    for (int i = 0; i < in->count; ++i) {
        const int32_t* vertices = in->vertices + (size_t)i * (size_t)in->width;
        const double* force = force_of(l, first + i);
        double g[3 * PLI_FACE_MAX] = {0}, H[9 * PLI_FACE_MAX * PLI_FACE_MAX] = {0}, e = 0;
        for (int q = 0; q < l->point_count; ++q) {
            double u[3][3], cofactor[3][3], s = cone_scale(l, first + i, q);
            place_and_tangents(l, q, vertices, in->x, u);
            e += s * cofactors(dim, u, cofactor);
            add_cone_gradient(l, q, s, cofactor, g);
            if (in->want & PLI_HESSIAN) add_cone_hessian(l, q, s, u, H);
        }
        for (int v = 0; v < in->width; ++v) {
            double d[3];
            pli_sub(in->x + 3 * (size_t)vertices[v], l->origin, d, dim);
            e -= pli_dot(force + v * dim, d, dim);
        }
        if (in->want & PLI_VALUE) out->e[i] += e;
        pli_axpy(-1, force, g, n);
        if (in->want & PLI_GRADIENT) pli_axpy(1, g, out->g + (size_t)i * (size_t)n, n);
        if (!(in->want & PLI_HESSIAN)) continue;
        if (in->project) pli_project_psd(n, H);
        pli_axpy(1, H, out->H + (size_t)i * (size_t)(n * n), n * n);
    }
}

// ---- moments

// The fold between the triangle of an edge and the direction X x t, as of clamped edges
// (mid_edge.c).
static bool open_fold(const int32_t* v, const double* x, const double X[3], pli_fold* f) {
    double places[PLI_FOLD_SIZE];
    for (int a = 0; a < 3; ++a) pli_copy(x + 3 * (size_t)v[a], places + 3 * a, 3);
    for (int r = 0; r < 3; ++r) places[9 + r] = places[3 + r] + X[r];
    return pli_fold_open(places, f);
}

// X = t x n, as long as the edge: the angle is 0 now.
static void set_moment(load* l, const double* x, int i) {
    const int32_t* v = stencil(l, i);
    double t[3], d[3], n[3], *X = force_of(l, i);
    pli_sub(x + 3 * (size_t)v[2], x + 3 * (size_t)v[1], t, 3);
    pli_sub(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], d, 3);
    pli_cross3(t, d, n);
    pli_cross3(t, n, X);
    double length = pli_norm(t, 3), size = pli_norm(X, 3);
    for (int r = 0; r < 3 && size > 0; ++r) X[r] *= length / size;
}

// The angle of the normal about the edge, against the moment: s phi - fold.
static void eval_moment(const void* self, int first, const pli_batch* in, pli_local* out) {
    enum { WIDTH = 4, SIZE = 3 * WIDTH };
    static const int place[PLI_FOLD_WIDTH] = {0, 1, 2, 1};
    const load* l = self;
    for (int i = 0; i < in->count; ++i) {
        const int32_t* v = in->vertices + (size_t)i * WIDTH;
        const point* p = &l->points[first + i];
        double M = p->weight * p->value[0], sign = v[1] < v[2] ? 1 : -1, g[PLI_FOLD_SIZE];
        double H[81] = {0};
        pli_fold f;
        if (!open_fold(v, in->x, force_of(l, first + i), &f)) continue;
        if (in->want & PLI_VALUE)
            out->e[i] += M * (sign * in->x[3 * (size_t)v[3]] - pli_fold_angle(&f));
        if (in->want & PLI_GRADIENT) {
            pli_fold_gradient(&f, g);
            for (int a = 0; a < PLI_FOLD_WIDTH; ++a)
                pli_axpy(-M, g + 3 * a, out->g + (size_t)i * SIZE + 3 * place[a], 3);
            out->g[(size_t)i * SIZE + 9] += M * sign;
        }
        if (!(in->want & PLI_HESSIAN)) continue;
        for (int c = 0; c < PLI_FOLD_SIZE; ++c) {
            double d[PLI_FOLD_SIZE] = {0}, column[PLI_FOLD_SIZE];
            int at = 3 * place[c / 3] + c % 3;
            d[c] = 1;
            pli_fold_curvature(&f, d, column);
            for (int r = 0; r < PLI_FOLD_SIZE; ++r) { // the mean with the transpose
                int row = 3 * place[r / 3] + r % 3;
                H[row * 9 + at] -= 0.5 * M * column[r];
                H[at * 9 + row] -= 0.5 * M * column[r];
            }
        }
        if (in->project) pli_project_psd(9, H);
        for (int r = 0; r < 9; ++r)
            pli_axpy(1, H + 9 * r, out->H + ((size_t)i * SIZE + (size_t)r) * SIZE, 9);
    }
}

// ---- kinds

static const load_kind kinds[] = {
    {"force", "[N] in total, divided evenly among the vertices", .set = set_dead,
     .eval = eval_dead},
    {"traction", "[Pa] per area of the surface at rest, keeps its direction", .faces = true,
     .set = set_dead, .eval = eval_dead},
    {"pressure", "[Pa] against the surface wherever it has moved to; positive pushes inward",
     .faces = true, .follows = true, .set = set_pressure, .eval = eval_pressure},
    {"moment",
     "[N] per length of free edges of shells, about each edge wherever it has moved to; positive "
     "raises its outer side to the side of the normal",
     .edges = true, .follows = true, .set = set_moment, .eval = eval_moment},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

const char* pli_load_kind_name(int i) { return i < KIND_COUNT ? kinds[i].name : NULL; }
const char* pli_load_kind_help(int i) { return i < KIND_COUNT ? kinds[i].help : NULL; }

static const load_kind* find_kind(const char* name) {
    for (int i = 0; i < KIND_COUNT; ++i)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

bool pli_load_on_faces(const char* kind) { return find_kind(kind)->faces; }
bool pli_load_on_edges(const char* kind) { return find_kind(kind)->edges; }

// ---- the term

static int count_of(const void* self) { return ((const load*)self)->count; }
static const int32_t* vertices_of(const void* self) { return ((const load*)self)->vertices; }

static pli_status sample(load* l, double time, pli_error* error) {
    for (int i = 0; l->field && i < l->count * l->point_count; ++i) {
        point* p = &l->points[i];
        double value[3] = {0};
        l->field(l->context, time, p->place, value);
        if (l->dim == 2) value[2] = 0;
        if (!isfinite(value[0] + value[1] + value[2]))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "body \"%s\": %s at t = %g s and (%g, %g, %g) is (%g, %g, %g), must be "
                            "finite",
                            l->body, l->kind->name, time, p->place[0], p->place[1], p->place[2],
                            value[0], value[1], value[2]);
        memcpy(p->value, value, sizeof value);
    }
    return PLI_OK;
}

static void set_all(load* l, const double* x) {
    for (int i = 0; i < l->count; ++i) l->kind->set(l, x, i);
}

// Pressure cones start from the mean of the vertices of the faces.
static void set_origin(load* l, const double* x) {
    int entries = l->count * l->ops.width;
    memset(l->origin, 0, sizeof l->origin);
    for (int i = 0; i < entries; ++i)
        pli_axpy(1.0 / entries, x + 3 * (size_t)l->vertices[i], l->origin, l->dim);
}

static pli_status begin_step(void* self, const pli_step* step, pli_error* error) {
    load* l = self;
    PLI_TRY(sample(l, step->force_time, error));
    if (l->kind->follows && l->kind->faces) set_origin(l, step->x_n);
    if (l->field || l->kind->follows) set_all(l, step->x_n);
    return PLI_OK;
}

static pli_status lag(void* self, const pli_view* view, pli_error* error) {
    (void)error;
    set_all(self, view->x);
    return PLI_OK;
}

static void destroy(void* self) {
    load* l = self;
    if (!l) return;
    pli_memory* memory = l->memory;
    PLI_FREE(memory, l->vertices, l->count * l->ops.width);
    PLI_FREE(memory, l->points, l->count * l->point_count);
    PLI_FREE(memory, l->force, l->count * l->ops.width * l->dim);
    PLI_FREE(memory, l, 1);
}

// Weights and positions of the quadrature points of a face. A vertex has one point.
static void prepare_points(load* l, const pli_load_source* source, int i) {
    for (int q = 0; q < l->point_count; ++q) {
        point* p = &l->points[i * l->point_count + q];
        double u[3][3] = {{0}}, normal[3];
        for (int v = 0; v < (l->kind->edges ? 3 : l->ops.width); ++v) // a node has no place
            for (int a = 0; a < (l->kind->faces ? l->dim : 1); ++a)
                pli_axpy(l->shape[q][a][v], source->rest + 3 * (size_t)stencil(l, i)[v], u[a], 3);
        memcpy(p->place, u[0], sizeof p->place);
        memcpy(p->value, source->def.value, sizeof p->value);
        p->weight = 1.0 / l->count;
        if (l->kind->edges) {
            pli_sub(source->rest + 3 * (size_t)stencil(l, i)[2],
                    source->rest + 3 * (size_t)stencil(l, i)[1], normal, 3);
            p->weight = pli_norm(normal, 3);
        }
        if (!l->kind->faces) continue;
        pli_face_normal(l->dim, u[1], u[2], normal);
        p->weight = l->weight[q] * pli_norm(normal, 3) * l->section;
    }
}

// One point for constant loads; otherwise enough points to integrate linear variation exactly.
static void set_rule(load* l, bool quadratic) {
    l->point_count = 1;
    l->weight[0] = l->shape[0][0][0] = 1;
    if (l->kind->edges) pli_copy((const double[3]){0, 0.5, 0.5}, l->shape[0][0], 3);
    if (!l->kind->faces) return;
    const pli_face_rule* rule = pli_face_rule_of(l->dim, quadratic || l->field);
    l->point_count = rule->count;
    for (int q = 0; q < rule->count; ++q) {
        l->weight[q] = rule->weight[q];
        pli_face_shape(l->dim, quadratic, rule->at[q], l->shape[q]);
    }
}

static int stencil_count(const load_kind* kind, const pli_load_source* source, bool quadratic) {
    if (kind->edges) return source->edge_count;
    return kind->faces ? source->skin->count[quadratic] : source->vertex_count;
}

// A term over `count` stencils of `width` vertices.
static pli_status create(pli_memory* memory, const pli_load_source* source, bool quadratic,
                         pli_term* term, pli_error* error) {
    const load_kind* kind = find_kind(source->def.kind);
    int width = kind->faces ? pli_face_width(source->dim, quadratic) : kind->edges ? 4 : 1;
    int count = stencil_count(kind, source, quadratic);
    const int32_t* vertices = kind->faces   ? source->skin->faces[quadratic]
                              : kind->edges ? source->edges
                                            : source->vertices;
    load* l = NULL;
    PLI_TRY(PLI_ALLOC(memory, l, 1, error));
    *l = (load){.memory = memory,
                .kind = kind,
                .body = source->body,
                .field = source->def.field,
                .context = source->def.context,
                .dim = source->dim,
                .section = source->dim == 2 ? source->thickness : 1};
    l->ops = (pli_term_ops){.name = kind->name,
                            .width = width,
                            .linear = !kind->follows,
                            .role = PLI_LOAD,
                            .count = count_of,
                            .vertices = vertices_of,
                            .eval = kind->eval,
                            .begin_step = begin_step,
                            .lag = kind->follows && kind->faces ? lag : NULL,
                            .destroy = destroy};
    set_rule(l, quadratic);
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, l->vertices, count * width, error));
    l->count = count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, l->points, count * l->point_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, l->force, count * width * l->dim, error));
    memcpy(l->vertices, vertices, sizeof *vertices * (size_t)(count * width));
    for (int i = 0; i < count; ++i) prepare_points(l, source, i);
    if (kind->follows && kind->faces) set_origin(l, source->rest);
    set_all(l, source->rest);
    *term = (pli_term){.ops = &l->ops, .self = l};
    return PLI_OK;
cleanup:
    destroy(l);
    return status;
}

void pli_load_set_value(const pli_term* term, const double value[3], const double* x) {
    load* l = term->self;
    for (int i = 0; i < l->count * l->point_count; ++i)
        memcpy(l->points[i].value, value, sizeof l->points[i].value);
    set_all(l, x);
}

// ---- edges of moments

// The stencil of edge e, if its ends are listed and it has one triangle.
static bool edge_at(const pli_edge_search* search, const pli_sides* edges, int e,
                    const bool* listed, int32_t out[4]) {
    const int32_t* all = search->triangles.elements[PLI_TRIANGLE];
    int use = edges->uses[edges->start[e]], triangle = use / 3;
    if (pli_side_uses(edges, e) != 1) return false;
    out[0] = all[3 * triangle + (use + 2) % 3];
    out[1] = all[use];
    out[2] = all[3 * triangle + (use + 1) % 3];
    pli_node_key key = {.tag = PLI_EDGE_TAG, .vertex_count = 2};
    key.vertices[0] = out[1] < out[2] ? out[1] : out[2];
    key.vertices[1] = out[1] < out[2] ? out[2] : out[1];
    int node = pli_nodes_find(search->nodes, search->body, &key);
    bool free = node >= 0 && !search->nodes->list[node].def.follows;
    out[3] = free ? search->nodes->first + node : -1;
    return listed[out[1]] && listed[out[2]];
}

pli_status pli_load_edges(pli_memory* memory, const pli_edge_search* search, pli_edge_list* out,
                          pli_error* error) {
    pli_sides edges = {0};
    bool* listed = NULL;
    int limit = search->triangles.vertex_limit, without = 0;
    *out = (pli_edge_list){0};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(memory, &search->triangles, PLI_EDGES, &edges, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, listed, limit, error));
    for (int i = 0; i < search->vertex_count; ++i) listed[search->vertices[i]] = true;
    for (int e = 0; e < edges.count; ++e) {
        int32_t at[4];
        if (!edge_at(search, &edges, e, listed, at)) continue;
        PLI_TRY_CLEANUP(status,
                        PLI_GROW(memory, out->edges, out->capacity, 4 * (out->count + 1), error));
        memcpy(out->edges + 4 * (size_t)out->count++, at, sizeof at);
        without += at[3] < 0;
    }
    if (out->count == 0)
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "no edge at the boundary of the sheet has both ends among the listed "
                          "vertices: select at least two neighbours");
    else if (without > 0)
        status =
            pli_fail(error, PLI_E_ARGUMENT,
                     "%d of %d edges cannot turn: a moment needs \"shell\" or \"bending\", and "
                     "edges that are not clamped",
                     without, out->count);
cleanup:
    PLI_FREE(memory, listed, limit);
    pli_sides_free(&edges);
    if (status != PLI_OK) {
        PLI_FREE(memory, out->edges, out->capacity);
        *out = (pli_edge_list){0};
    }
    return status;
}

pli_status pli_load_terms(pli_memory* memory, const pli_load_source* source, pli_term terms[2],
                          int* term_count, pli_error* error) {
    const load_kind* kind = find_kind(source->def.kind);
    *term_count = 0;
    for (int quadratic = 0; quadratic < (kind->faces ? 2 : 1); ++quadratic) {
        if (stencil_count(kind, source, quadratic) == 0) continue;
        pli_status status = create(memory, source, quadratic, &terms[*term_count], error);
        if (status != PLI_OK) {
            while (*term_count > 0) destroy(terms[--*term_count].self);
            return status;
        }
        ++*term_count;
    }
    return PLI_OK;
}
