// Boxes that overlap, from the tree, and distances by closest points: nothing of the steps' pairs
// and certificates is used, so that the two check each other.
#include "contact/near.h"

#include "contact/ccd.h"
#include "contact/closest.h"
#include "contact/distance.h"
#include "math/vec.h"
#include "spatial/broad_phase.h"

#include <float.h>

typedef struct search {
    const pli_near_def* def;
    const pli_view* view;
    const pli_primitives *a, *b;
    const pli_space_pair* row;
    pli_box* boxes[2]; // b NULL: the second is not used
    double margin;     // of all boxes, for rounding [m]
} search;

// The first closest point is sum c_i x_i over the vertices of the first side, the second is minus
// that over the others: the midpoint is half of the difference.
static void put_point(int dim, int first, int width, const double* const* x, const double* c,
                      pli_near* out) {
    for (int k = 0; k < 3; ++k) out->point[k] = 0;
    for (int i = 0; i < width; ++i)
        pli_axpy(i < first ? 0.5 * c[i] : -0.5 * c[i], x[i], out->point, dim);
}

static void measure_space(const search* s, const double* const* x, pli_near* out) {
    pli_closest pair;
    s->row->closest(x, &pair);
    out->distance = pair.distance;
    pli_copy(pair.normal, out->normal, 3);
    put_point(3, out->width[0], out->width[0] + out->width[1], x, pair.c, out);
}

// Two points: an edge of zero length.
static void measure_plane(const double* const* x, pli_near* out) {
    pli_point_edge pair;
    int width = out->width[0] + out->width[1];
    pli_point_edge_closest(2, x[0], x[1], x[width - 1], &pair);
    out->distance = pair.distance;
    for (int k = 0; k < 3; ++k) out->normal[k] = k < 2 ? pair.normal[k] : 0;
    put_point(2, out->width[0], width, x, pair.c, out);
}

static double thickness_of(const search* s, const int32_t* vertices, int width) {
    double most = 0;
    for (int i = 0; i < width && s->def->radius; ++i)
        most = fmax(most, s->def->radius[vertices[i]]);
    return most;
}

static void measure(const search* s, int i, int j, pli_near* out) {
    const int32_t* v[2] = {s->a->vertices + i * s->a->width, s->b->vertices + j * s->b->width};
    const double* x[4];
    int width = s->a->width + s->b->width, dim = s->view->dim;
    *out = (pli_near){.width = {s->a->width, s->b->width}};
    for (int k = 0; k < width; ++k) {
        out->vertices[k] = k < s->a->width ? v[0][k] : v[1][k - s->a->width];
        x[k] = s->view->x + 3 * (size_t)out->vertices[k];
    }
    if (dim == 3)
        measure_space(s, x, out);
    else
        measure_plane(x, out);
    out->resolution = pli_ccd_resolution(dim, width, x, NULL);
    double whole = thickness_of(s, v[0], s->a->width) + thickness_of(s, v[1], s->b->width);
    out->distance -= pli_offset_between(s->def->rest, &s->row->kind, dim, v, out->width, whole);
}

// The distance of two boxes that were enlarged by `more` together.
static double box_distance(const pli_box* a, const pli_box* b, int dim, double more) {
    double sum = 0;
    for (int k = 0; k < dim; ++k) {
        double gap = fmax(a->min[k] - b->max[k], b->min[k] - a->max[k]) + more;
        if (gap > 0) sum += gap * gap;
    }
    return sqrt(sum);
}

// Neighbours at rest have large boxes and small offsets: most are ruled out by both.
static bool may_be_near(const search* s, int i, int j) {
    const int32_t* v[2] = {s->a->vertices + i * s->a->width, s->b->vertices + j * s->b->width};
    double whole = thickness_of(s, v[0], s->a->width) + thickness_of(s, v[1], s->b->width);
    double bound = pli_offset_bound(s->def->rest, s->view->dim, v, whole);
    if (!(bound < whole)) return true;
    double more = s->def->reach + whole + s->margin;
    const pli_box *a = &s->boxes[0][i], *b = &s->boxes[s->def->b ? 1 : 0][j];
    return box_distance(a, b, s->view->dim, more) <= s->def->reach + bound + s->margin;
}

static bool is_near(const void* context, int i, int j) {
    const search* s = context;
    const int32_t *a = s->a->vertices + i * s->a->width, *b = s->b->vertices + j * s->b->width;
    if (!pli_primitives_may_touch(s->def->filter, s->a->width, a, s->b->width, b)) return false;
    if (s->def->rest && !may_be_near(s, i, j)) return false;
    pli_near pair;
    measure(s, i, j, &pair);
    return pair.distance < s->def->reach;
}

static pli_status put_box(const search* s, const int32_t* v, int width, pli_box* out,
                          pli_error* error) {
    *out = (pli_box){{0}, {0}};
    for (int k = 0; k < s->view->dim; ++k)
        for (int j = 0; j < width; ++j) {
            double x = s->view->x[3 * (size_t)v[j] + (size_t)k];
            if (!isfinite(x))
                return pli_fail(error, PLI_E_ARGUMENT,
                                "contact: vertex %d: position %g, must be finite", (int)v[j], x);
            out->min[k] = j == 0 ? x : fmin(out->min[k], x);
            out->max[k] = j == 0 ? x : fmax(out->max[k], x);
        }
    return PLI_OK;
}

// A margin above the rounding of any position.
static void choose_margin(search* s, const pli_box* boxes, int count) {
    double size = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            size = fmax(size, fmax(fabs(boxes[i].min[k]), fabs(boxes[i].max[k])));
    s->margin = fmax(s->margin, 256 * DBL_EPSILON * size);
}

// By half of the reach and of the margin, and by the thickness.
static void enlarge_boxes(const search* s, const pli_primitives* list, pli_box* boxes) {
    for (int i = 0; i < list->count; ++i) {
        double more = 0.5 * (s->def->reach + s->margin) +
                      thickness_of(s, list->vertices + i * list->width, list->width);
        for (int k = 0; k < s->view->dim; ++k) {
            boxes[i].min[k] -= more;
            boxes[i].max[k] += more;
        }
    }
}

static pli_status make_boxes(search* s, pli_memory* memory, pli_error* error) {
    const pli_primitives* lists[2] = {s->a, s->b};
    int sides = s->def->b ? 2 : 1;
    for (int side = 0; side < sides; ++side) {
        const pli_primitives* list = lists[side];
        PLI_TRY(PLI_ALLOC(memory, s->boxes[side], list->count, error));
        for (int i = 0; i < list->count; ++i)
            PLI_TRY(put_box(s, list->vertices + i * list->width, list->width, &s->boxes[side][i],
                            error));
        choose_margin(s, s->boxes[side], list->count);
    }
    for (int side = 0; side < sides; ++side) enlarge_boxes(s, lists[side], s->boxes[side]);
    return PLI_OK;
}

static pli_status find_pairs(const search* s, pli_bvh* tree, pli_box_pairs* pairs,
                             pli_error* error) {
    const pli_box* b_boxes = s->boxes[s->def->b ? 1 : 0];
    PLI_TRY(pli_bvh_build(tree, s->view->pool, s->b->count, b_boxes, error));
    pli_box_query query = {.count = s->a->count,
                           .boxes = s->boxes[0],
                           .keep = is_near,
                           .context = s,
                           .max_pairs = INT32_MAX,
                           .same = !s->def->b};
    return pli_bvh_query(tree, s->view->pool, &query, pairs, error);
}

pli_status pli_find_near(pli_memory* memory, const pli_view* view, const pli_near_def* def,
                         pli_near_fn* found, void* context, pli_error* error) {
    search s = {.def = def, .view = view, .a = def->a, .b = def->b ? def->b : def->a};
    if (s.a->count == 0 || s.b->count == 0) return PLI_OK;
    s.row = pli_space_pair_of(s.a->width, s.b->width);
    PLI_ASSERT(s.row && (view->dim == 3 || s.a->width + s.b->width <= 3));
    pli_bvh tree;
    pli_box_pairs pairs;
    pli_bvh_init(&tree, memory);
    pli_box_pairs_init(&pairs, memory);
    pli_status status;
    PLI_TRY_CLEANUP(status, make_boxes(&s, memory, error));
    PLI_TRY_CLEANUP(status, find_pairs(&s, &tree, &pairs, error));
    for (int i = 0; i < pairs.count; ++i) {
        pli_near near;
        measure(&s, pairs.pairs[i].query, pairs.pairs[i].primitive, &near);
        found(context, &near);
    }
cleanup:
    PLI_FREE(memory, s.boxes[0], s.a->count);
    PLI_FREE(memory, s.boxes[1], s.b->count);
    pli_box_pairs_free(&pairs);
    pli_bvh_free(&tree);
    return status;
}
