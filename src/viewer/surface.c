// What is drawn of a world or a result: surfaces, counted first and then collected body by body,
// and fields over vertices.
#include "viewer/scene.h"

#include <math.h>
#include <stdlib.h>

// Allocates the arrays counted by *_ends.
static bool make_room(pli_view_surface* s) {
    int last = s->body_count - 1;
    s->triangle_count = last >= 0 ? s->triangle_ends[last] : 0;
    s->segment_count = last >= 0 ? s->segment_ends[last] : 0;
    s->triangles = malloc((3 * (size_t)s->triangle_count + 1) * sizeof *s->triangles);
    s->segments = malloc((2 * (size_t)s->segment_count + 1) * sizeof *s->segments);
    return s->triangles && s->segments;
}

static bool make_ends(pli_view_surface* s, int body_count) {
    s->body_count = body_count;
    s->triangle_ends = calloc((size_t)body_count + 1, sizeof *s->triangle_ends);
    s->segment_ends = calloc((size_t)body_count + 1, sizeof *s->segment_ends);
    return s->triangle_ends && s->segment_ends;
}

// Start of the body's entries, with `width` each.
static int32_t* place_of(int32_t* list, const int* ends, int body, size_t width) {
    return list + (body > 0 ? width * (size_t)ends[body - 1] : 0);
}

bool pli_view_surface_of_world(pli_view_surface* s, pli_world* world) {
    pli_error error = {0};
    if (!make_ends(s, pli_world_body_count(world))) return false;
    for (int b = 0, count = 0, all = 0; b < s->body_count; ++b) {
        if (pli_world_body_triangles(world, b, NULL, &count, &error) != PLI_OK) return false;
        s->triangle_ends[b] = all += count;
        s->segment_ends[b] = pli_world_body_element(world, b + 1, PLI_SEGMENT);
    }
    if (!make_room(s)) return false;
    for (int b = 0, count; b < s->body_count; ++b)
        if (pli_world_body_triangles(world, b, place_of(s->triangles, s->triangle_ends, b, 3),
                                     &count, &error) != PLI_OK)
            return false;
    const int32_t* segments = pli_world_elements(world, PLI_SEGMENT);
    for (int i = 0; i < 2 * s->segment_count; ++i) s->segments[i] = segments[i];
    return true;
}

bool pli_view_surface_of_result(pli_view_surface* s, const pli_replay* result) {
    if (!make_ends(s, pli_replay_body_count(result))) return false;
    for (int b = 0, triangles = 0, segments = 0; b < s->body_count; ++b) {
        pli_replay_body body = pli_replay_body_at(result, b);
        s->triangle_ends[b] = triangles += body.triangle_count;
        s->segment_ends[b] = segments += body.segment_count;
    }
    if (!make_room(s)) return false;
    for (int b = 0; b < s->body_count; ++b) {
        pli_replay_triangles(result, b, place_of(s->triangles, s->triangle_ends, b, 3));
        pli_replay_segments(result, b, place_of(s->segments, s->segment_ends, b, 2));
    }
    return true;
}

void pli_view_surface_free(pli_view_surface* s) {
    free(s->triangles);
    free(s->segments);
    free(s->triangle_ends);
    free(s->segment_ends);
    *s = (pli_view_surface){0};
}

// ---- fields

// Fields, one row each, and behind them what the energies of the world show. Element data are
// averaged over the elements of each vertex.

// ---- per vertex

static const double* velocities(const pli_world* w) { return pli_world_velocities(w); }
static const double* contact_forces(const pli_world* w) { return pli_world_contact_forces(w); }
static const double* friction_forces(const pli_world* w) { return pli_world_friction_forces(w); }
static const double* reactions(const pli_world* w) { return pli_world_reactions(w); }

static const double* residuals(const pli_world* w) { return pli_world_residuals(w); }

// ---- per element

// von Mises: sqrt(1/2 ((a - b)^2 + (b - c)^2 + (c - a)^2) + 3 (d^2 + e^2 + f^2)), where a b c d e f
// = xx yy zz yz zx xy
static double von_mises(const double* s, int dimension) {
    (void)dimension;
    double ab = s[0] - s[1], bc = s[1] - s[2], ca = s[2] - s[0];
    return sqrt(0.5 * (ab * ab + bc * bc + ca * ca) +
                3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}
static double pressure(const double* s, int dimension) {
    (void)dimension;
    return -(s[0] + s[1] + s[2]) / 3;
}
static double itself(const double* value, int dimension) {
    (void)dimension;
    return *value;
}
static double product(const double* value, int dimension) {
    double all = 1;
    for (int k = 0; k < dimension; ++k) all *= value[k];
    return all;
}

static pli_element_fields into_stress(double* to) { return (pli_element_fields){.stress = to}; }
static pli_element_fields into_density(double* to) {
    return (pli_element_fields){.energy_density = to};
}
static pli_element_fields into_stretch(double* to) { return (pli_element_fields){.stretches = to}; }

static const struct row {
    pli_view_field field;
    // `components` per vertex; NULL: from elements, or the displacement; a NULL result counts as 0
    const double* (*numbers)(const pli_world* world);
    int width; // numbers per element; 0: none
    pli_element_fields (*into)(double* to);
    double (*scalar)(const double* value, int dimension); // of the element
} rows[] = {
    {.field = {"velocity", "Velocity", "m/s", 3}, .numbers = velocities},
    {.field = {"displacement", "Displacement", "m", 3}},
    {.field = {"stress", "Stress (von Mises)", "Pa", 1}, NULL, 6, into_stress, von_mises},
    {.field = {"pressure", "Pressure", "Pa", 1}, NULL, 6, into_stress, pressure},
    {.field = {"energy_density", "Energy density", "J/m^3", 1}, NULL, 1, into_density, itself},
    {.field = {"stretch", "Largest stretch", "", 1}, NULL, 3, into_stretch, itself},
    {.field = {"size_ratio", "Length, area or volume relative to rest", "", 1},
     NULL,
     3,
     into_stretch,
     product},
    {.field = {"contact_force", "Contact force", "N", 3}, .numbers = contact_forces},
    {.field = {"friction_force", "Friction force", "N", 3}, .numbers = friction_forces},
    {.field = {"reaction", "Force of supports", "N", 3}, .numbers = reactions},
    {.field = {"residual", "Residual", NULL, 1}, .numbers = residuals},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

pli_view_field pli_view_field_at(const pli_world* world, int i) {
    if (i >= ROW_COUNT) { // what energies show
        pli_energy_field own = pli_world_field(world, i - ROW_COUNT);
        return (pli_view_field){own.name, own.label, own.unit, 1};
    }
    if (i < 0) return (pli_view_field){0};
    pli_view_field field = rows[i].field;
    if (!field.unit) field.unit = pli_world_residual_unit(world);
    return field;
}

void pli_view_scratch_free(pli_view_scratch* scratch) {
    free(scratch->element);
    free(scratch->shares);
    *scratch = (pli_view_scratch){0};
}

static bool reserve_scratch(const pli_world* world, pli_view_scratch* s) {
    size_t most = 1;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        size_t need = 6 * (size_t)pli_world_element_count(world, (pli_element_kind)k);
        if (need > most) most = need;
    }
    int vertices = pli_world_vertex_count(world);
    if ((size_t)vertices > most) most = (size_t)vertices;
    if (s->element && s->element_room >= most && s->vertex_room >= vertices) return true;
    pli_view_scratch_free(s);
    s->element = malloc(most * sizeof *s->element);
    s->shares = malloc(((size_t)vertices + 1) * sizeof *s->shares);
    if (!s->element || !s->shares) {
        pli_view_scratch_free(s);
        return false;
    }
    s->element_room = most;
    s->vertex_room = vertices;
    return true;
}

static void add_kind(const pli_world* world, pli_element_kind kind, const struct row* row,
                     pli_view_scratch* s, float* out) {
    int count = pli_world_element_count(world, kind), size = pli_element_size(kind);
    int dimension = pli_element_dimension(kind);
    if (count == 0) return;
    pli_element_fields fields = row->into(s->element);
    pli_world_element_fields(world, kind, &fields);
    const int32_t* elements = pli_world_elements(world, kind);
    for (int e = 0; e < count; ++e) {
        float value = (float)row->scalar(s->element + (size_t)e * (size_t)row->width, dimension);
        for (int i = 0; i < size; ++i) {
            int32_t v = elements[(size_t)e * (size_t)size + (size_t)i];
            out[v] += value;
            s->shares[v]++;
        }
    }
}

static bool read_elements(const pli_world* world, const struct row* row, pli_view_scratch* s,
                          float* out) {
    if (!reserve_scratch(world, s)) return false;
    int count = pli_world_vertex_count(world);
    for (int v = 0; v < count; ++v) {
        out[v] = 0;
        s->shares[v] = 0;
    }
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        add_kind(world, (pli_element_kind)k, row, s, out);
    for (int v = 0; v < count; ++v)
        if (s->shares[v] > 1) out[v] /= (float)s->shares[v];
    return true;
}

static bool read_own(const pli_world* world, int i, pli_view_scratch* s, float* out) {
    if (!reserve_scratch(world, s)) return false;
    pli_world_field_values(world, i, s->element, s->shares);
    for (int v = 0; v < pli_world_vertex_count(world); ++v) out[v] = (float)s->element[v];
    return true;
}

bool pli_view_field_read(const pli_world* world, int i, pli_view_scratch* scratch, float* out) {
    if (i >= ROW_COUNT) return read_own(world, i - ROW_COUNT, scratch, out);
    const struct row* row = &rows[i];
    if (row->into) return read_elements(world, row, scratch, out);
    int count = row->field.components * pli_world_vertex_count(world);
    if (row->numbers) {
        const double* from = row->numbers(world);
        for (int k = 0; k < count; ++k) out[k] = from ? (float)from[k] : 0;
        return true;
    }
    const double *x = pli_world_positions(world), *rest = pli_world_rest_positions(world);
    for (int k = 0; k < count; ++k) out[k] = (float)(x[k] - rest[k]);
    return true;
}
