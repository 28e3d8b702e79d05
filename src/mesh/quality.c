// Mesh checks.
#include "mesh/quality.h"

#include <math.h>

#include "base/text.h"
#include "mesh/measure.h"

// Length of the longest edge [m].
static double longest_edge(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* x) {
    double longest = 0;
    for (int i = 0; i <= (int)kind; ++i)
        for (int j = 0; j < i; ++j) {
            int32_t ends[2] = {vertices[i], vertices[j]};
            longest = fmax(longest, pli_element_measure(dim, PLI_SEGMENT, ends, x));
        }
    return longest;
}

// Fills `defect` and returns true if the element has one.
static bool find_defect(const pli_mesh* mesh, int dim, pli_defect* defect) {
    pli_element_kind kind = defect->element_kind;
    int width = pli_element_size(kind);
    const int32_t* v = mesh->elements[kind] + (size_t)defect->element * (size_t)width;
    for (int i = 0; i < width; ++i) {
        defect->vertex = v[i];
        defect->kind = PLI_DEFECT_INDEX;
        if (v[i] < 0 || v[i] >= mesh->vertex_count) return true;
        defect->kind = PLI_DEFECT_REPEATED;
        for (int j = 0; j < i; ++j)
            if (v[i] == v[j]) return true;
    }
    defect->vertex = v[0];
    defect->measure = pli_element_measure(dim, kind, v, mesh->positions);
    // Below 1e-12 of a cube (square) of the longest edge, coordinates of 16 digits say nothing
    // about the sign any more.
    double size = pow(longest_edge(dim, kind, v, mesh->positions), (double)kind);
    defect->kind = PLI_DEFECT_DEGENERATE;
    if (!(fabs(defect->measure) > 1e-12 * size)) return true;
    defect->kind = PLI_DEFECT_INVERTED;
    return defect->measure < 0;
}

typedef struct place_order {
    const double* x;
    int dim;
} place_order;

// By coordinates, then by number.
static bool before(const place_order* order, int32_t a, int32_t b) {
    const double *p = order->x + 3 * (size_t)a, *q = order->x + 3 * (size_t)b;
    for (int i = 0; i < order->dim; ++i)
        if (p[i] != q[i]) return p[i] < q[i];
    return a < b;
}

static void sift_down(const place_order* order, int32_t* heap, int root, int count) {
    int32_t value = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(order, heap[child], heap[child + 1])) ++child;
        if (!before(order, value, heap[child])) break;
        heap[root] = heap[child];
    }
    heap[root] = value;
}

// Heap sort: in place, so the user's allocator sees all memory.
static void sort_by_place(const place_order* order, int32_t* numbers, int count) {
    for (int i = count / 2 - 1; i >= 0; --i) sift_down(order, numbers, i, count);
    for (int end = count - 1; end > 0; --end) {
        int32_t last = numbers[end];
        numbers[end] = numbers[0];
        numbers[0] = last;
        sift_down(order, numbers, 0, end);
    }
}

// Vertices at one place are neighbours after sorting, the lowest number first. partner[v] becomes
// that number for the others, and v itself where there is nothing to report.
static void find_partners(const place_order* order, const int32_t* sorted, int32_t* partner,
                          int count) {
    for (int i = 0; i < count; ++i) {
        int32_t v = sorted[i];
        partner[v] = v;
        if (i == 0) continue;
        const double *p = order->x + 3 * (size_t)v, *q = order->x + 3 * (size_t)sorted[i - 1];
        bool same = p[0] == q[0] && p[1] == q[1] && (order->dim == 2 || p[2] == q[2]);
        if (same) partner[v] = partner[sorted[i - 1]];
    }
}

pli_status pli_mesh_check(pli_memory* memory, const pli_mesh* mesh, int dim, pli_defect_fn* report,
                          void* context, pli_error* error) {
    int count = mesh->vertex_count;
    int32_t *sorted = NULL, *partner = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, sorted, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, partner, count, error));
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            pli_defect defect = {.element_kind = (pli_element_kind)kind, .element = e};
            if (find_defect(mesh, dim, &defect)) report(context, &defect);
        }
    place_order order = {mesh->positions, dim};
    for (int v = 0; v < count; ++v) sorted[v] = v;
    sort_by_place(&order, sorted, count);
    find_partners(&order, sorted, partner, count);
    for (int v = 0; v < count; ++v)
        if (partner[v] != v)
            report(context, &(pli_defect){.kind = PLI_DEFECT_SAME_PLACE,
                                          .element_kind = PLI_VERTEX,
                                          .element = v,
                                          .vertex = partner[v]});
cleanup:
    PLI_FREE(memory, sorted, count);
    PLI_FREE(memory, partner, count);
    return status;
}

void pli_defect_text(const pli_defect* d, char* text, size_t size) {
    static const char* const measures[] = {"size", "length", "area", "volume"};
    static const char* const units[] = {"", "m", "m^2", "m^3"};
    const char* element = pli_element_word(d->element_kind);
    const char *measure = measures[d->element_kind], *unit = units[d->element_kind];
    switch (d->kind) {
    case PLI_DEFECT_INDEX:
        pli_format(text, size, "%s %d names vertex %d, which does not exist", element, d->element,
                   d->vertex);
        break;
    case PLI_DEFECT_REPEATED:
        pli_format(text, size, "%s %d names vertex %d twice", element, d->element, d->vertex);
        break;
    case PLI_DEFECT_DEGENERATE:
        pli_format(text, size, "%s %d has %s %g %s: its vertices must not fall together", element,
                   d->element, measure, d->measure, unit);
        break;
    case PLI_DEFECT_INVERTED:
        pli_format(text, size, "%s %d has %s %g %s: %s", element, d->element, measure, d->measure,
                   unit,
                   d->element_kind == PLI_TRIANGLE ? "its vertices must run counter-clockwise"
                                                   : "two of its vertices must be swapped");
        break;
    case PLI_DEFECT_SAME_PLACE:
        pli_format(text, size, "vertex %d is at the same place as vertex %d", d->element,
                   d->vertex);
        break;
    }
}
