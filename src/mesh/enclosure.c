// Inside or outside of a surface: by an exact ray, or by solid angles where the surface has gaps.
#include "mesh/enclosure.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/predicates.h"
#include "math/vec.h"
#include "mesh/build.h"
#include "mesh/topology.h"

static const double* corner(const pli_enclosure* e, int32_t triangle, int k) {
    return e->x + 3 * (size_t)e->triangles[3 * (size_t)triangle + (size_t)k];
}

// ---- the exact ray

// The point of a query is p + (s, s^2, s^3) with s > 0 infinitesimal. Sign of the area of a, b, p
// in the plane.
static int side_of(const double* a, const double* b, const double* p) {
    int sign = pli_orient2d(a, b, p);
    if (sign) return sign;
    if (a[1] != b[1]) return a[1] > b[1] ? 1 : -1;
    return a[0] < b[0] ? 1 : a[0] > b[0] ? -1 : 0;
}

// Sign of the component `axis` of the triangle's normal.
static int normal_sign(const double* a, const double* b, const double* c, int axis) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return pli_orient2d((double[2]){a[u], a[v]}, (double[2]){b[u], b[v]}, (double[2]){c[u], c[v]});
}

// Whether p is below the plane of a triangle whose normal has a z component of sign `up`. In the
// plane the height above p + (s, s^2, s^3) is -nx/nz s - ny/nz s^2 - s^3.
static bool is_below(const double* a, const double* b, const double* c, int up, const double* p) {
    int sign = up * pli_orient3d(a, b, c, p);
    if (sign) return sign > 0;
    sign = -up * normal_sign(a, b, c, 0);
    if (!sign) sign = -up * normal_sign(a, b, c, 1);
    return sign > 0;
}

typedef struct column {
    const pli_enclosure* e;
    double x, y;
    int count;
    const double* z;
    int32_t* change; // of the winding number from point i to point i - 1
} column;

// Counts a triangle above the column: it winds once around all points below it.
static bool cross_column(void* context, int32_t triangle) {
    const column* q = context;
    const double *a = corner(q->e, triangle, 0), *b = corner(q->e, triangle, 1),
                 *c = corner(q->e, triangle, 2);
    double p[3] = {q->x, q->y, 0};
    int up = pli_orient2d(a, b, c);
    if (up == 0 || side_of(a, b, p) != up || side_of(b, c, p) != up || side_of(c, a, p) != up)
        return true;
    int low = 0, high = q->count; // points 0 .. low - 1 are below it, high .. are not
    while (low < high) {
        int middle = low + (high - low) / 2;
        p[2] = q->z[middle];
        if (is_below(a, b, c, up, p))
            low = middle + 1;
        else
            high = middle;
    }
    q->change[low] += q->e->mode == PLI_BY_PARITY ? 1 : up;
    return true;
}

static void column_by_ray(const pli_enclosure* e, double x, double y, int count, const double* z,
                          int32_t* winding, bool* inside) {
    memset(winding, 0, ((size_t)count + 1) * sizeof *winding);
    column q = {e, x, y, count, z, winding};
    pli_tree_visit(&e->tree, (double[3]){x, y, z[0]}, (double[3]){x, y, HUGE_VAL}, cross_column,
                   &q);
    int32_t sum = winding[count];
    for (int i = count - 1; i >= 0; --i) {
        inside[i] = e->mode == PLI_BY_PARITY ? sum & 1 : sum != 0;
        sum += winding[i];
    }
}

// ---- solid angles

// Solid angle of a triangle seen from p [van Oosterom and Strackee 1983]:
//     tan(omega / 2) = det(a, b, c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
static double solid_angle(const pli_enclosure* e, int32_t triangle, const double* p) {
    double r[3][3], length[3], normal[3];
    for (int i = 0; i < 3; ++i) {
        pli_sub(corner(e, triangle, i), p, r[i], 3);
        length[i] = pli_norm(r[i], 3);
    }
    pli_cross3(r[1], r[2], normal);
    return 2 *
           pli_atan2(pli_dot(r[0], normal, 3),
                     length[0] * length[1] * length[2] + pli_dot(r[0], r[1], 3) * length[2] +
                         pli_dot(r[1], r[2], 3) * length[0] + pli_dot(r[2], r[0], 3) * length[1]);
}

// The winding number; a distant node is approximated by the dipole of its vector area [Barill18].
static double winding_number(const pli_enclosure* e, const double* p) {
    const double whole = 12.566370614359172, far = 2.5; // 4 pi; distance over radius
    double sum = 0;
    for (int i = 0; i < e->tree.node_count;) {
        const pli_tree_node* node = &e->tree.nodes[i];
        const double* dipole = e->dipoles + 7 * (size_t)i;
        double r[3];
        pli_sub(dipole, p, r, 3);
        double distance = pli_norm(r, 3);
        if (distance > far * dipole[6]) {
            sum += pli_dot(r, dipole + 3, 3) / (distance * distance * distance);
            i = node->skip;
            continue;
        }
        bool leaf = node->skip == i + 1;
        for (int k = node->first; leaf && k < node->end; ++k)
            sum += solid_angle(e, e->tree.items[k], p);
        ++i;
    }
    return sum / whole;
}

static void set_dipole(const pli_enclosure* e, const pli_tree_node* node, double dipole[7]) {
    for (int k = 0; k < 3; ++k) dipole[k] = 0.5 * (node->low[k] + node->high[k]);
    double diagonal[3];
    pli_sub(node->high, node->low, diagonal, 3);
    dipole[6] = 0.5 * pli_norm(diagonal, 3);
    for (int i = node->first; i < node->end; ++i) {
        const double* a = corner(e, e->tree.items[i], 0);
        double u[3], v[3], n[3];
        pli_sub(corner(e, e->tree.items[i], 1), a, u, 3);
        pli_sub(corner(e, e->tree.items[i], 2), a, v, 3);
        pli_cross3(u, v, n);
        pli_axpy(0.5, n, dipole + 3, 3);
    }
}

// ---- queries

void pli_enclosure_column(const pli_enclosure* e, double x, double y, int count, const double* z,
                          int32_t* winding, bool* inside) {
    if (count <= 0) return;
    if (e->mode != PLI_BY_ANGLE) {
        column_by_ray(e, x, y, count, z, winding, inside);
        return;
    }
    for (int i = 0; i < count; ++i)
        inside[i] = fabs(winding_number(e, (double[3]){x, y, z[i]})) > 0.5;
}

bool pli_enclosure_has(const pli_enclosure* e, const double p[3]) {
    int32_t winding[2];
    bool inside;
    pli_enclosure_column(e, p[0], p[1], 1, p + 2, winding, &inside);
    return inside;
}

enum { MAX_HITS = 64 };

typedef struct segment {
    const pli_enclosure* e;
    const double *from, *to;
    int count;
    double t[MAX_HITS];
    int32_t triangle[MAX_HITS];
} segment;

static double volume_of(const double* a, const double* b, const double* c, const double* d) {
    double u[3], v[3], w[3], n[3];
    pli_sub(a, d, u, 3);
    pli_sub(b, d, v, 3);
    pli_sub(c, d, w, 3);
    pli_cross3(v, w, n);
    return fabs(pli_dot(u, n, 3));
}

// Stores the places where the segment meets the triangle, sorted.
static bool hit(void* context, int32_t triangle) {
    segment* s = context;
    const double *a = corner(s->e, triangle, 0), *b = corner(s->e, triangle, 1),
                 *c = corner(s->e, triangle, 2), *p = s->from, *q = s->to;
    if (pli_orient3d(a, b, c, p) * pli_orient3d(a, b, c, q) > 0) return true;
    int side[3] = {pli_orient3d(p, q, a, b), pli_orient3d(p, q, b, c), pli_orient3d(p, q, c, a)};
    bool left = side[0] >= 0 && side[1] >= 0 && side[2] >= 0;
    bool right = side[0] <= 0 && side[1] <= 0 && side[2] <= 0;
    double before = volume_of(a, b, c, p), behind = volume_of(a, b, c, q);
    if (!(left || right) || !(before + behind > 0)) return true; // or coplanar with it
    int at = s->count;
    double t = before / (before + behind);
    while (at > 0 && t < s->t[at - 1]) --at;
    if (at == MAX_HITS) return true;
    if (s->count < MAX_HITS) s->count++;
    for (int i = s->count - 1; i > at; --i) {
        s->t[i] = s->t[i - 1];
        s->triangle[i] = s->triangle[i - 1];
    }
    s->t[at] = t;
    s->triangle[at] = triangle;
    return true;
}

static bool has_at(const segment* s, double t) {
    double p[3];
    for (int k = 0; k < 3; ++k) p[k] = (1 - t) * s->from[k] + t * s->to[k];
    return pli_enclosure_has(s->e, p);
}

double pli_enclosure_leave(const pli_enclosure* e, const double from[3], const double to[3],
                           int32_t* triangle) {
    segment s = {.e = e, .from = from, .to = to};
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = fmin(from[k], to[k]), high[k] = fmax(from[k], to[k]);
    pli_tree_visit(&e->tree, low, high, hit, &s);
    // Surfaces inside the volume, where parts overlap, are crossed too: only leaving the volume
    // counts.
    for (int i = 0; i < s.count; ++i) {
        double next = i + 1 < s.count ? s.t[i + 1] : 1;
        if (i + 1 < s.count && (next - s.t[i] < 1e-9 || has_at(&s, 0.5 * (s.t[i] + next))))
            continue;
        *triangle = s.triangle[i];
        return s.t[i];
    }
    *triangle = -1;
    double inside = 0, outside = 1;
    for (int i = 0; i < 32; ++i) { // a gap
        double middle = 0.5 * (inside + outside);
        *(has_at(&s, middle) ? &inside : &outside) = middle;
    }
    return 0.5 * (inside + outside);
}

double pli_enclosure_volume(const pli_enclosure* e) {
    double sum = 0;
    for (int t = 0; t < e->triangle_count; ++t) {
        double a[3], b[3], c[3], n[3]; // from the corner of the box, for small rounding
        pli_sub(corner(e, t, 0), e->low, a, 3);
        pli_sub(corner(e, t, 1), e->low, b, 3);
        pli_sub(corner(e, t, 2), e->low, c, 3);
        pli_cross3(b, c, n);
        sum += pli_dot(a, n, 3) / 6;
    }
    return fabs(sum);
}

// ---- building

// The triangles with coincident vertices merged.
static pli_status gather_triangles(const pli_mesh* surface, pli_enclosure* e, pli_error* error) {
    int plain = surface->element_count[PLI_TRIANGLE],
        quadratic = surface->element_count[PLI_TRIANGLE6];
    int32_t *partner, *out;
    if ((int64_t)plain + 4 * (int64_t)quadratic > INT32_MAX / 8)
        return pli_fail(error, PLI_E_ARGUMENT, "the surface has too many triangles");
    int count = plain + 4 * quadratic;
    PLI_TRY(PLI_ALLOC(e->memory, e->triangles, 3 * (size_t)count, error));
    e->triangle_count = count;
    PLI_TRY(PLI_ALLOC(e->memory, partner, surface->vertex_count, error));
    pli_status status =
        pli_same_places(e->memory, 3, surface->vertex_count, surface->positions, partner, error);
    out = e->triangles;
    for (int i = 0; status == PLI_OK && i < 3 * plain; ++i)
        *out++ = partner[surface->elements[PLI_TRIANGLE][i]];
    for (int i = 0; status == PLI_OK && i < 12 * quadratic; ++i)
        *out++ =
            partner[surface->elements[PLI_TRIANGLE6][i / 12 * 6 + pli_quarters[i / 3 % 4][i % 3]]];
    PLI_FREE(e->memory, partner, surface->vertex_count);
    return status;
}

// The triangles at each edge decide which count is exact.
static pli_status choose_mode(int vertex_count, pli_enclosure* e, pli_error* error) {
    pli_elements all = pli_elements_of_triangles(vertex_count, e->triangle_count, e->triangles);
    pli_sides edges = {0};
    int odd = 0, turned = 0;
    PLI_TRY(pli_sides_create(e->memory, &all, PLI_EDGES, &edges, error));
    for (int i = 0; i < edges.count; ++i) {
        const int32_t* ends = edges.vertices + 2 * (size_t)i;
        int sum = 0;
        if (ends[0] == ends[1]) continue;
        for (int k = edges.start[i]; k < edges.start[i + 1]; ++k)
            sum += e->triangles[edges.uses[k]] == ends[0] ? 1 : -1;
        odd += pli_side_uses(&edges, i) % 2;
        turned += sum != 0;
    }
    pli_sides_free(&edges);
    e->open_edges = odd;
    e->mode = turned == 0 ? PLI_BY_WINDING : odd == 0 ? PLI_BY_PARITY : PLI_BY_ANGLE;
    return PLI_OK;
}

static pli_status build_tree(pli_enclosure* e, pli_error* error) {
    double* boxes;
    int count = e->triangle_count;
    PLI_TRY(PLI_ALLOC(e->memory, boxes, 6 * (size_t)count, error));
    for (int t = 0; t < count; ++t)
        for (int k = 0; k < 3; ++k) {
            double a = corner(e, t, 0)[k], b = corner(e, t, 1)[k], c = corner(e, t, 2)[k];
            boxes[6 * (size_t)t + (size_t)k] = fmin(a, fmin(b, c));
            boxes[6 * (size_t)t + 3 + (size_t)k] = fmax(a, fmax(b, c));
        }
    pli_status status = pli_tree_create(e->memory, count, boxes, &e->tree, error);
    PLI_FREE(e->memory, boxes, 6 * (size_t)count);
    if (status != PLI_OK) return status;
    memcpy(e->low, e->tree.nodes[0].low, sizeof e->low);
    memcpy(e->high, e->tree.nodes[0].high, sizeof e->high);
    if (e->mode != PLI_BY_ANGLE) return PLI_OK;
    PLI_TRY(PLI_ALLOC(e->memory, e->dipoles, 7 * (size_t)e->tree.node_count, error));
    for (int i = 0; i < e->tree.node_count; ++i)
        set_dipole(e, &e->tree.nodes[i], e->dipoles + 7 * (size_t)i);
    return PLI_OK;
}

// Whether the surface is closed except for small gaps: each point of a grid around it is classified
// as inside, outside, or undecided.
static pli_status check_gaps(const pli_enclosure* e, pli_error* error) {
    enum { GRID = 24 };
    double diagonal[3], margin;
    int inside = 0, doubtful = 0;
    if (e->mode != PLI_BY_ANGLE) return PLI_OK;
    pli_sub(e->high, e->low, diagonal, 3);
    margin = 0.05 * pli_norm(diagonal, 3);
    for (int i = 0; i < GRID * GRID * GRID; ++i) {
        const int cell[3] = {i / (GRID * GRID), i / GRID % GRID, i % GRID};
        double p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = e->low[k] - margin + (diagonal[k] + 2 * margin) * (cell[k] + 0.5) / GRID;
        double w = fabs(winding_number(e, p));
        inside += w > 0.5;
        doubtful += w > 0.25 && w < 0.75;
    }
    if (100 * doubtful <= inside) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "the surface is open: %d edges have one triangle, and the gaps are too large "
                    "to tell inside from outside; close them in the program it comes from",
                    e->open_edges);
}

pli_status pli_enclosure_create(pli_memory* memory, const pli_mesh* surface, pli_enclosure* e,
                                pli_error* error) {
    *e = (pli_enclosure){.memory = memory, .x = surface->positions};
    pli_status status = gather_triangles(surface, e, error);
    if (status == PLI_OK && e->triangle_count == 0)
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "no triangles: the surface must be closed and made of triangles");
    if (status == PLI_OK) status = choose_mode(surface->vertex_count, e, error);
    if (status == PLI_OK) status = build_tree(e, error);
    if (status == PLI_OK) status = check_gaps(e, error);
    if (status != PLI_OK) pli_enclosure_free(e);
    return status;
}

void pli_enclosure_free(pli_enclosure* e) {
    if (!e->memory) return;
    PLI_FREE(e->memory, e->dipoles, 7 * (size_t)e->tree.node_count);
    pli_tree_free(&e->tree);
    PLI_FREE(e->memory, e->triangles, 3 * (size_t)e->triangle_count);
    *e = (pli_enclosure){0};
}
