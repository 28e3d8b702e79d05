// The pairs are those of a pair set without motion; their distances are computed here.
#include "contact/near.h"

#include "contact/ccd.h"
#include "contact/closest.h"
#include "contact/distance.h"
#include "math/vec.h"

static const pli_pair_kind plane_kind = {pli_ccd_point_edge, pli_point_edge_clearance};

// The first closest point is sum c_i x_i over the vertices of the first side, the second is minus
// that over the others: the midpoint is half of the difference.
static void put_point(int dim, int first, int width, const double* const* x, const double* c,
                      pli_near* out) {
    for (int k = 0; k < 3; ++k) out->point[k] = 0;
    for (int i = 0; i < width; ++i)
        pli_axpy(i < first ? 0.5 * c[i] : -0.5 * c[i], x[i], out->point, dim);
}

static void measure(const pli_space_pair* row, int dim, const double* const* x, pli_near* out) {
    int width = out->width[0] + out->width[1];
    if (row) {
        pli_closest pair;
        row->closest(x, &pair);
        out->distance = pair.distance;
        pli_copy(pair.normal, out->normal, 3);
        put_point(dim, out->width[0], width, x, pair.c, out);
    } else {
        pli_point_edge pair;
        pli_point_edge_closest(dim, x[0], x[1], x[2], &pair);
        out->distance = pair.distance;
        for (int k = 0; k < 3; ++k) out->normal[k] = k < dim ? pair.normal[k] : 0;
        put_point(dim, out->width[0], width, x, pair.c, out);
    }
    out->resolution = pli_ccd_resolution(dim, width, x, NULL);
}

static void report_all(const pli_pair_set* set, const pli_space_pair* row, const pli_view* view,
                       pli_near_fn* found, void* context) {
    int width = set->a.width + set->b.width;
    for (int i = 0; i < set->count; ++i) {
        const int32_t* v = set->vertices + (size_t)i * (size_t)width;
        pli_near near = {.width = {set->a.width, set->b.width}};
        const double* x[4];
        for (int k = 0; k < width; ++k) {
            near.vertices[k] = v[k];
            x[k] = view->x + 3 * (size_t)v[k];
        }
        measure(row, set->dim, x, &near);
        near.distance -= pli_pair_offset(set, &set->pairs[i]);
        if (near.distance < set->dhat) found(context, &near);
    }
}

pli_status pli_find_near(pli_memory* memory, const pli_view* view, const pli_near_def* def,
                         pli_near_fn* found, void* context, pli_error* error) {
    const pli_primitives *a = def->a, *b = def->b ? def->b : def->a;
    if (a->count == 0 || b->count == 0) return PLI_OK;
    const pli_space_pair* row = view->dim == 3 ? pli_space_pair_of(a->width, b->width) : NULL;
    PLI_ASSERT(row || (view->dim == 2 && a->width == 1 && b->width == 2));
    pli_pair_set_def pairs = {.kind = row ? &row->kind : &plane_kind,
                              .filter = def->filter,
                              .dim = view->dim,
                              .vertex_count = view->vertex_count,
                              .dhat = def->reach,
                              .a_count = a->count,
                              .b_count = b->count,
                              .a_width = a->width,
                              .b_width = b->width,
                              .a_vertices = a->vertices,
                              .b_vertices = b->vertices,
                              .symmetric = !def->b,
                              .offset = def->radius};
    pli_pair_set set;
    PLI_TRY(pli_pair_set_init(&set, memory, &pairs, error));
    pli_status status = pli_pair_set_refresh(&set, view, NULL, NULL, error);
    if (status == PLI_OK) report_all(&set, row, view, found, context);
    pli_pair_set_free(&set);
    return status;
}
