// The report of `pliant check` on a mesh: sizes, surface, quality, defects.
#include "mesh/measure.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "mesh/build.h"
#include "mesh/topology.h"

static void add_sizes(const pli_mesh* mesh, pli_mesh_summary* s) {
    double* totals[] = {NULL, &s->length, &s->area, &s->volume};
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            size_t width = (size_t)pli_element_size((pli_element_kind)kind);
            *totals[pli_element_dimension((pli_element_kind)kind)] +=
                pli_element_measure(3, (pli_element_kind)kind,
                                    mesh->elements[kind] + width * (size_t)e, mesh->positions);
        }
    for (int i = 0; i < 3; ++i) {
        s->low[i] = s->high[i] = mesh->vertex_count ? mesh->positions[i] : 0;
        for (int v = 1; v < mesh->vertex_count; ++v) {
            s->low[i] = fmin(s->low[i], mesh->positions[3 * (size_t)v + (size_t)i]);
            s->high[i] = fmax(s->high[i], mesh->positions[3 * (size_t)v + (size_t)i]);
        }
    }
}

// ---- surface

// The volume between the triangles and the first vertex of the list.
static double enclosed_volume(int count, const int32_t* triangles, const double* x) {
    double sum = 0;
    for (int t = 0; t < count; ++t) {
        const int32_t* c = triangles + 3 * (size_t)t;
        sum += pli_element_measure(3, PLI_TETRAHEDRON, (int32_t[4]){triangles[0], c[0], c[1], c[2]},
                                   x);
    }
    return sum;
}

static pli_status add_surface(pli_memory* memory, const pli_mesh* mesh, int count,
                              const int32_t* triangles, pli_mesh_summary* s, pli_error* error) {
    pli_surface_report r;
    bool* seen;
    PLI_TRY(pli_surface_inspect(memory, mesh->vertex_count, count, triangles, &r, error));
    PLI_TRY(PLI_ALLOC(memory, seen, mesh->vertex_count, error));
    for (int i = 0; i < 3 * count; ++i) {
        s->surface_vertices += !seen[triangles[i]];
        seen[triangles[i]] = true;
    }
    PLI_FREE(memory, seen, mesh->vertex_count);
    s->surface_triangles = count;
    s->surface_edges = r.edge_count;
    s->surface_components = r.component_count;
    s->open_edges = r.open_edges;
    s->crowded_edges = r.crowded_edges;
    s->turned_edges = r.turned_edges;
    s->pinched_vertices = r.pinched_vertices;
    memcpy(s->first_open, r.first_open, sizeof s->first_open);
    memcpy(s->first_crowded, r.first_crowded, sizeof s->first_crowded);
    memcpy(s->first_turned, r.first_turned, sizeof s->first_turned);
    s->first_pinched = r.first_pinched;
    s->euler = s->surface_vertices - r.edge_count + count;
    s->closed = count > 0 && r.open_edges + r.crowded_edges + r.turned_edges == 0;
    if (s->closed) s->enclosed = enclosed_volume(count, triangles, mesh->positions);
    return PLI_OK;
}

static void put_corners(const int32_t* v, int32_t* triangles, int* count) {
    memcpy(triangles + 3 * (size_t)(*count)++, v, 3 * sizeof *v);
}

// Whether the two tetrahedra at a face are on the same side: both have its corners in the same
// order.
static bool is_overlapped(const pli_elements* all, const int32_t uses[2]) {
    bool odd[2];
    for (int k = 0; k < 2; ++k) {
        pli_element_side side = pli_side_at(all, PLI_FACES, uses[k]);
        odd[k] = (side.v[0] > side.v[1]) ^ (side.v[0] > side.v[2]) ^ (side.v[1] > side.v[2]);
    }
    return odd[0] == odd[1];
}

static void count_face(int* count, int first[3], const int32_t* face) {
    if ((*count)++ == 0)
        for (int i = 0; i < 3; ++i) first[i] = face[i];
}

// The boundary of the tetrahedra, or the triangles if there are none, by their corners. `triangles`
// has room for them.
static int find_triangles(const pli_elements* all, const pli_sides* faces, int32_t* triangles,
                          pli_mesh_summary* s) {
    static const pli_element_kind kinds[2] = {PLI_TRIANGLE, PLI_TRIANGLE6};
    int count = 0;
    for (int i = 0; i < faces->count; ++i) {
        const int32_t *v = faces->vertices + 3 * (size_t)i, *uses = faces->uses + faces->start[i];
        int use = pli_side_uses(faces, i);
        if (use == 1) put_corners(pli_side_at(all, PLI_FACES, uses[0]).v, triangles, &count);
        if (use > 2) count_face(&s->crowded_faces, s->first_crowded_face, v);
        if (use == 2 && is_overlapped(all, uses))
            count_face(&s->overlapped_faces, s->first_overlapped_face, v);
    }
    for (int k = 0; k < 2 && faces->use_count == 0; ++k)
        for (int e = 0; e < all->count[kinds[k]]; ++e)
            put_corners(all->elements[kinds[k]] + (size_t)pli_element_size(kinds[k]) * (size_t)e,
                        triangles, &count);
    return count;
}

static pli_status find_surface(pli_memory* memory, const pli_mesh* mesh, pli_mesh_summary* s,
                               pli_error* error) {
    pli_elements all = pli_elements_of(mesh);
    pli_sides faces = {0};
    int32_t* triangles = NULL;
    size_t room = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(memory, &all, PLI_FACES, &faces, error));
    room = 3 * ((size_t)faces.count + (size_t)all.count[PLI_TRIANGLE] +
                (size_t)all.count[PLI_TRIANGLE6]);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, triangles, room, error));
    int count = find_triangles(&all, &faces, triangles, s);
    status = add_surface(memory, mesh, count, triangles, s, error);
cleanup:
    pli_sides_free(&faces);
    PLI_FREE(memory, triangles, room);
    return status;
}

// ---- quality

static void keep_worst(pli_mesh_summary* s, int element, double quality) {
    int at = s->worst_count;
    while (at > 0 && quality < s->worst_qualities[at - 1]) --at;
    if (at == PLI_QUALITY_WORST) return;
    if (s->worst_count < PLI_QUALITY_WORST) s->worst_count++;
    for (int i = s->worst_count - 1; i > at; --i) {
        s->worst[i] = s->worst[i - 1];
        s->worst_qualities[i] = s->worst_qualities[i - 1];
    }
    s->worst[at] = element;
    s->worst_qualities[at] = quality;
}

static void keep_angles(pli_mesh_summary* s, int element, const int32_t* v, const double* x) {
    double angles[2];
    pli_element_angles(s->quality_kind, v, x, angles);
    if (angles[0] < s->smallest_angle || element == 0) {
        s->smallest_angle = angles[0];
        s->smallest_angle_element = element;
    }
    if (angles[1] > s->largest_angle || element == 0) {
        s->largest_angle = angles[1];
        s->largest_angle_element = element;
    }
}

static void measure_quality(const pli_mesh* mesh, pli_mesh_summary* s) {
    static const pli_element_kind order[] = {PLI_TETRAHEDRON, PLI_TETRAHEDRON10, PLI_TRIANGLE,
                                             PLI_TRIANGLE6};
    for (int i = 3; i >= 0; --i)
        if (mesh->element_count[order[i]] > 0) s->quality_kind = order[i];
    int count = s->quality_kind == PLI_VERTEX ? 0 : mesh->element_count[s->quality_kind];
    size_t width = (size_t)pli_element_size(s->quality_kind);
    for (int e = 0; e < count; ++e) {
        const int32_t* v = mesh->elements[s->quality_kind] + width * (size_t)e;
        double q = pli_element_quality(s->quality_kind, v, mesh->positions);
        int bin = (int)floor(q * PLI_QUALITY_BINS);
        s->quality_bins[pli_max_int(0, pli_min_int(bin, PLI_QUALITY_BINS - 1))]++;
        s->mean_quality += q / count;
        keep_worst(s, e, q);
        keep_angles(s, e, v, mesh->positions);
    }
    if (count > 0) s->worst_quality = s->worst_qualities[0];
}

// Of the elements of the largest dimension; an edge counts as often as they have it.
static void measure_edges(const pli_mesh* mesh, pli_mesh_summary* s) {
    double sum = 0;
    int64_t count = 0;
    int dimension = pli_max_int(1, pli_mass_dimension(mesh->element_count));
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        if (pli_element_dimension((pli_element_kind)kind) != dimension) continue;
        size_t width = (size_t)pli_element_size((pli_element_kind)kind);
        int corners = pli_element_dimension((pli_element_kind)kind) + 1;
        for (int e = 0; e < mesh->element_count[kind]; ++e)
            for (int i = 1; i < corners; ++i)
                for (int j = 0; j < i; ++j) {
                    const int32_t* v = mesh->elements[kind] + width * (size_t)e;
                    int32_t ends[2] = {v[j], v[i]};
                    double length = pli_element_measure(3, PLI_SEGMENT, ends, mesh->positions);
                    if (count == 0 || length < s->shortest_edge) {
                        s->shortest_edge = length;
                        memcpy(s->shortest_ends, ends, sizeof ends);
                    }
                    s->longest_edge = fmax(s->longest_edge, length);
                    sum += length;
                    ++count;
                }
    }
    if (count > 0) s->mean_edge = sum / (double)count;
}

pli_status pli_mesh_summarize(const pli_mesh* mesh, pli_mesh_summary* summary, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!summary) return pli_fail(error, PLI_E_ARGUMENT, "mesh: the summary is NULL");
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    pli_elements all = pli_elements_of(mesh);
    pli_mesh_summary s = {.first_unreferenced = -1,
                          .shortest_ends = {-1, -1},
                          .first_crowded_face = {-1, -1, -1},
                          .first_overlapped_face = {-1, -1, -1}};
    int32_t* root = NULL;
    pli_status status;
    add_sizes(mesh, &s);
    measure_quality(mesh, &s);
    measure_edges(mesh, &s);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, root, mesh->vertex_count, error));
    pli_find_components(&all, root);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        s.component_count += root[v] == v;
        if (root[v] < 0 && s.unreferenced_count++ == 0) s.first_unreferenced = v;
    }
    PLI_TRY_CLEANUP(status, find_surface(&memory, mesh, &s, error));
    *summary = s;
cleanup:
    PLI_FREE(&memory, root, mesh->vertex_count);
    return status;
}

int pli_mesh_count_flat(const pli_mesh* mesh) {
    int count = 0;
    for (int kind = PLI_TRIANGLE; mesh && kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            size_t width = (size_t)pli_element_size((pli_element_kind)kind);
            count += pli_element_quality((pli_element_kind)kind,
                                         mesh->elements[kind] + width * (size_t)e,
                                         mesh->positions) < PLI_FLAT_QUALITY;
        }
    return count;
}

// ---- defects

typedef struct teller {
    const pli_mesh* mesh;
    pli_mesh_defect_fn* report;
    void* context;
} teller;

// " (line 12)", or nothing.
static const char* bracketed_place(const pli_mesh* mesh, pli_element_kind kind, int index,
                                   char out[40]) {
    char place[32];
    pli_mesh_place(mesh, kind, index, place, sizeof place);
    pli_format(out, 40, place[0] ? " (%s)" : "%s", place);
    return out;
}

// Adds the positions in the file after the numbers.
static void tell(void* context, const pli_defect* defect) {
    const teller* t = context;
    char text[200], message[280], place[40], other[40];
    pli_defect_text(defect, text, sizeof text);
    bool vertex = defect->kind == PLI_DEFECT_SAME_PLACE;
    int head = pli_format(message, sizeof message, "%s %d", pli_element_word(defect->element_kind),
                          defect->element);
    pli_format(message, sizeof message, "%s %d%s%s%s", pli_element_word(defect->element_kind),
               defect->element,
               bracketed_place(t->mesh, defect->element_kind, defect->element, place), text + head,
               vertex ? bracketed_place(t->mesh, PLI_VERTEX, defect->vertex, other) : "");
    t->report(t->context, pli_defect_is_grave(defect->kind), message);
}

pli_status pli_mesh_find_defects(const pli_mesh* mesh, int dim, pli_mesh_defect_fn* report,
                                 void* context, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!report) return pli_fail(error, PLI_E_ARGUMENT, "mesh: report is NULL");
    teller t = {mesh, report, context};
    return pli_mesh_check(mesh, dim, tell, &t, error);
}

// ---- elements

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
    return isfinite(quality) ? quality : 0; // overflow: useless anyway
}

// The angle between the components of a and b perpendicular to e (or, e = 0, between a and b), in
// degrees.
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
    // For each edge of a tetrahedron: its ends, and the other corners of the two adjacent faces.
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
    // Below 1e-12 of a cube (square) of the longest edge, the sign is lost in
    // the rounding of 16 digits.
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
