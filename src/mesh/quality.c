// Mesh checks.
#include "mesh/quality.h"

#include "base/memory.h"
#include "mesh/build.h"

#include <math.h>

#include "base/text.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "mesh/measure.h"
#include "mesh/place.h"

// Length of the longest edge [m].
static double longest_edge(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* x) {
    double longest = 0;
    for (int i = 0; i <= pli_element_dimension(kind); ++i)
        for (int j = 0; j < i; ++j) {
            int32_t ends[2] = {vertices[i], vertices[j]};
            longest = fmax(longest, pli_element_measure(dim, PLI_SEGMENT, ends, x));
        }
    return longest;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; ++i)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// q = 2 r / R with r = 2 A / (a + b + c) and R = a b c / (4 A)
static double triangle_quality(const int32_t* v, const double* x) {
    double area = pli_element_measure(3, PLI_TRIANGLE, v, x), sum = 0, product = 1;
    for (int i = 0; i < 3; ++i) {
        double edge = pli_element_measure(3, PLI_SEGMENT, (int32_t[2]){v[i], v[(i + 1) % 3]}, x);
        sum += edge;
        product *= edge;
    }
    return sum * product > 0 ? 16 * area * area / (sum * product) : 0;
}

// q = 3 r / R with r = 3 V / (sum of the faces' areas) and, u, v, w being the edges at one corner,
// R = | |u|^2 v x w + |v|^2 w x u + |w|^2 u x v | / (12 V)
static double tetrahedron_quality(const int32_t* vertices, const double* x) {
    double e[3][3], n[3], sum[3] = {0}, area = 0;
    double volume = pli_element_measure(3, PLI_TETRAHEDRON, vertices, x);
    for (int i = 0; i < 3; ++i)
        pli_sub(x + 3 * (size_t)vertices[i + 1], x + 3 * (size_t)vertices[0], e[i], 3);
    for (int i = 0; i < 3; ++i) {
        cross(e[(i + 1) % 3], e[(i + 2) % 3], n);
        pli_axpy(pli_dot(e[i], e[i], 3), n, sum, 3);
    }
    for (int i = 0; i < 4; ++i) {
        int32_t face[3] = {vertices[(i + 1) % 4], vertices[(i + 2) % 4], vertices[(i + 3) % 4]};
        area += pli_element_measure(3, PLI_TRIANGLE, face, x);
    }
    double size = area * pli_norm(sum, 3);
    return size > 0 ? 108 * volume * fabs(volume) / size : 0;
}

double pli_element_quality(pli_element_kind kind, const int32_t* vertices, const double* x) {
    int dimension = pli_element_dimension(kind);
    double quality = dimension == 3   ? tetrahedron_quality(vertices, x)
                     : dimension == 2 ? triangle_quality(vertices, x)
                                      : 1;
    return isfinite(quality) ? quality : 0; // too large for the arithmetic: not of any use
}

// The angle between the parts of a and b across e (or, e = 0, between a and b), in degrees.
//     tan = |a' x b'| / a'.b',  a' = a - e (a.e) / (e.e)
static double angle_between(const double a[3], const double b[3], const double e[3]) {
    double p[3], q[3], normal[3], square = pli_dot(e, e, 3);
    for (int i = 0; i < 3; ++i) {
        p[i] = a[i] - (square > 0 ? e[i] * pli_dot(a, e, 3) / square : 0);
        q[i] = b[i] - (square > 0 ? e[i] * pli_dot(b, e, 3) / square : 0);
    }
    cross(p, q, normal);
    return pli_atan2(pli_norm(normal, 3), pli_dot(p, q, 3)) * (180 / 3.14159265358979323846);
}

void pli_element_angles(pli_element_kind kind, const int32_t* v, const double* x,
                        double angles[2]) {
    // Of each edge of a tetrahedron: its ends, and the other corners of the two faces at it.
    static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                    {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    bool solid = pli_element_dimension(kind) == 3;
    angles[0] = 180;
    angles[1] = 0;
    for (int i = 0; i < (solid ? 6 : 3); ++i) {
        double e[3] = {0}, a[3], b[3];
        int at = solid ? edges[i][0] : i;
        const double* start = x + 3 * (size_t)v[at];
        if (solid) pli_sub(x + 3 * (size_t)v[edges[i][1]], start, e, 3);
        pli_sub(x + 3 * (size_t)v[solid ? edges[i][2] : (i + 1) % 3], start, a, 3);
        pli_sub(x + 3 * (size_t)v[solid ? edges[i][3] : (i + 2) % 3], start, b, 3);
        double angle = angle_between(a, b, e);
        angles[0] = fmin(angles[0], angle);
        angles[1] = fmax(angles[1], angle);
    }
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
    defect->kind = PLI_DEFECT_PLANE;
    if (pli_element_dimension(kind) > dim) return true;
    defect->measure = pli_element_measure(dim, kind, v, mesh->positions);
    // Below 1e-12 of a cube (square) of the longest edge, coordinates of 16 digits say nothing
    // about the sign any more.
    double size =
        pli_pow(longest_edge(dim, kind, v, mesh->positions), (double)pli_element_dimension(kind));
    defect->kind = PLI_DEFECT_DEGENERATE;
    if (!(fabs(defect->measure) > 1e-12 * size)) return true;
    defect->kind = PLI_DEFECT_INVERTED;
    if (defect->measure < 0) return true;
    defect->kind = PLI_DEFECT_FLAT;
    defect->measure = pli_element_quality(kind, v, mesh->positions);
    return defect->measure < PLI_FLAT_QUALITY;
}

bool pli_defect_is_grave(pli_defect_kind kind) {
    return kind != PLI_DEFECT_FLAT && kind != PLI_DEFECT_SAME_PLACE;
}

pli_status pli_mesh_check(const pli_mesh* mesh, int dim, pli_defect_fn* report, void* context,
                          pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!report) return pli_fail(error, PLI_E_ARGUMENT, "mesh: report is NULL");
    if (dim != 2 && dim != 3)
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: dimension %d, must be 2 or 3", dim);
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    int count = mesh->vertex_count;
    int32_t* partner = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, partner, count, error));
    PLI_TRY_CLEANUP(status, pli_same_places(&memory, dim, count, mesh->positions, partner, error));
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            pli_defect defect = {.element_kind = (pli_element_kind)kind, .element = e};
            if (find_defect(mesh, dim, &defect)) report(context, &defect);
        }
    for (int v = 0; v < count; ++v)
        if (partner[v] != v)
            report(context, &(pli_defect){.kind = PLI_DEFECT_SAME_PLACE,
                                          .element_kind = PLI_VERTEX,
                                          .element = v,
                                          .vertex = partner[v]});
cleanup:
    PLI_FREE(&memory, partner, count);
    return status;
}

void pli_defect_text(const pli_defect* d, char* text, size_t size) {
    if (size > 0) text[0] = '\0';
    if (!d) return;
    static const char* const measures[] = {"size", "length", "area", "volume"};
    static const char* const units[] = {"", "m", "m^2", "m^3"};
    const char* element = pli_element_word(d->element_kind);
    int dimension = pli_element_dimension(d->element_kind);
    const char *measure = measures[dimension], *unit = units[dimension];
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
                   dimension == 2 ? "its vertices must run counter-clockwise"
                                  : "two of its vertices must be swapped");
        break;
    case PLI_DEFECT_PLANE:
        pli_format(text, size, "%s %d is a solid, which needs a problem in space (dimension 3)",
                   element, d->element);
        break;
    case PLI_DEFECT_FLAT:
        pli_format(text, size,
                   "%s %d is nearly flat, its quality is %.3g: the run gets slow or stops; mesh it "
                   "again",
                   element, d->element, d->measure);
        break;
    case PLI_DEFECT_SAME_PLACE:
        pli_format(text, size, "vertex %d is at the same place as vertex %d", d->element,
                   d->vertex);
        break;
    case PLI_DEFECT_KIND_COUNT:
        break;
    }
}
