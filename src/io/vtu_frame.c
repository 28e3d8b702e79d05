// The arrays of a frame: the whole state of the bodies.
#include "io/vtu_array.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// The cell with number i: vertices that are alone first, then segments, triangles, tetrahedra.
typedef struct cell {
    int kind;
    int64_t index;
} cell;

static cell find_cell(const pli_snapshot* s, int64_t i) {
    cell c = {PLI_VERTEX, i};
    while (c.index >= s->element_count[c.kind]) c.index -= s->element_count[c.kind++];
    return c;
}

static int64_t point_count(const pli_snapshot* s) { return s->vertex_count; }

static int64_t cell_count(const pli_snapshot* s) {
    int64_t count = 0;
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind) count += s->element_count[kind];
    return count;
}

static int64_t corner_count(const pli_snapshot* s) {
    int64_t count = 0;
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        count += (int64_t)s->element_count[kind] * pli_element_size((pli_element_kind)kind);
    return count;
}

static void give_position(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->positions + 3 * i, 3 * sizeof(double));
}
static void give_velocity(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->velocities + 3 * i, 3 * sizeof(double));
}
static void give_reaction(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->reactions + 3 * i, 3 * sizeof(double));
}
static void give_contact_force(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->contact_forces + 3 * i, 3 * sizeof(double));
}
static void give_friction_force(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->friction_forces + 3 * i, 3 * sizeof(double));
}
static void give_mass(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->masses + i, sizeof(double));
}
static void give_displacement(const pli_snapshot* s, int64_t i, void* out) {
    double u[3];
    for (int k = 0; k < 3; ++k) u[k] = s->positions[3 * i + k] - s->rest[3 * i + k];
    memcpy(out, u, sizeof u);
}

static void give_connectivity(const pli_snapshot* s, int64_t i, void* out) {
    int kind = PLI_VERTEX;
    for (int64_t n;
         i >= (n = (int64_t)s->element_count[kind] * pli_element_size((pli_element_kind)kind));
         ++kind)
        i -= n;
    int64_t vertex = s->elements[kind][i];
    memcpy(out, &vertex, sizeof vertex);
}
// Where cell i ends in the connectivity.
static void give_offset(const pli_snapshot* s, int64_t i, void* out) {
    cell c = find_cell(s, i);
    int64_t end = (c.index + 1) * pli_element_size((pli_element_kind)c.kind);
    for (int kind = 0; kind < c.kind; ++kind)
        end += (int64_t)s->element_count[kind] * pli_element_size((pli_element_kind)kind);
    memcpy(out, &end, sizeof end);
}
static void give_type(const pli_snapshot* s, int64_t i, void* out) {
    static const uint8_t types[PLI_ELEMENT_KIND_COUNT] = {1, 3, 5, 10, 22, 24}; // VTK_VERTEX ...
    memcpy(out, &types[find_cell(s, i).kind], 1);
}

static void give_body(const pli_snapshot* s, int64_t i, void* out) {
    cell c = find_cell(s, i);
    int32_t vertex = s->elements[c.kind][c.index * pli_element_size((pli_element_kind)c.kind)];
    memcpy(out, &s->vertex_body[vertex], sizeof(int32_t));
}
static void give_obstacle(const pli_snapshot* s, int64_t i, void* out) {
    int32_t body;
    give_body(s, i, &body);
    uint8_t obstacle = s->body_obstacle[body];
    memcpy(out, &obstacle, sizeof obstacle);
}
// Tuple i of a field that has an array per kind, or where there is none, `none`.
static const double* field_of(const pli_snapshot* s, int64_t i, size_t member, int components,
                              const double* none) {
    cell c = find_cell(s, i);
    double* const* values = (double* const*)(const void*)((const char*)&s->fields[c.kind] + member);
    return *values ? *values + components * c.index : none;
}
#define FIELD(s, i, name, components, none)                                                        \
    field_of(s, i, offsetof(pli_element_fields, name), components, none)

static const double zeros[6] = {0}, ones[3] = {1, 1, 1};

static void give_energy(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, FIELD(s, i, energy, 1, zeros), sizeof(double));
}
static void give_energy_density(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, FIELD(s, i, energy_density, 1, zeros), sizeof(double));
}
static void give_stretches(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, FIELD(s, i, stretches, 3, ones), 3 * sizeof(double));
}
// VTK's order of a symmetric tensor is xx yy zz xy yz xz, ours is xx yy zz yz zx xy.
static void give_stress(const pli_snapshot* s, int64_t i, void* out) {
    const double* t = FIELD(s, i, stress, 6, zeros);
    const double ordered[6] = {t[0], t[1], t[2], t[5], t[3], t[4]};
    memcpy(out, ordered, sizeof ordered);
}
// sqrt(((xx-yy)^2 + (yy-zz)^2 + (zz-xx)^2) / 2 + 3 (yz^2 + zx^2 + xy^2))
static void give_von_mises(const pli_snapshot* s, int64_t i, void* out) {
    const double* t = FIELD(s, i, stress, 6, zeros);
    double a = t[0] - t[1], b = t[1] - t[2], d = t[2] - t[0];
    double shear = t[3] * t[3] + t[4] * t[4] + t[5] * t[5];
    double value = sqrt(0.5 * (a * a + b * b + d * d) + 3 * shear);
    memcpy(out, &value, sizeof value);
}

static bool has_contact(const pli_snapshot* s) { return s->contact_forces; }
static bool has_obstacle(const pli_snapshot* s) {
    for (int b = 0; b < s->body_count && s->body_obstacle; ++b)
        if (s->body_obstacle[b]) return true;
    return false;
}

#define TENSOR_NAMES                                                                               \
    " ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\""                           \
    " ComponentName3=\"XY\" ComponentName4=\"YZ\" ComponentName5=\"XZ\""
#define STRETCH_NAMES " ComponentName0=\"1\" ComponentName1=\"2\" ComponentName2=\"3\""

#define POINT_DATA(name, components, tuple, has)                                                   \
    { PLI_VTU_POINT_DATA, name, PLI_VTU_FLOAT64, components, point_count, tuple, NULL, has }
#define CELL_DATA(name, type, components, tuple, names)                                            \
    { PLI_VTU_CELL_DATA, name, PLI_VTU_##type, components, cell_count, tuple, names, NULL }

enum { SURFACE_ARRAYS = 12 }; // those in front of what is known of elements

static const pli_vtu_array arrays[] = {
    {PLI_VTU_POINTS, "Points", PLI_VTU_FLOAT64, 3, point_count, give_position, NULL, NULL},
    {PLI_VTU_CELLS, "connectivity", PLI_VTU_INT64, 1, corner_count, give_connectivity, NULL, NULL},
    {PLI_VTU_CELLS, "offsets", PLI_VTU_INT64, 1, cell_count, give_offset, NULL, NULL},
    {PLI_VTU_CELLS, "types", PLI_VTU_UINT8, 1, cell_count, give_type, NULL, NULL},
    POINT_DATA("velocity", 3, give_velocity, NULL),
    POINT_DATA("displacement", 3, give_displacement, NULL),
    POINT_DATA("reaction", 3, give_reaction, NULL),
    POINT_DATA("contact_force", 3, give_contact_force, has_contact),
    POINT_DATA("friction_force", 3, give_friction_force, has_contact),
    POINT_DATA("mass", 1, give_mass, NULL),
    CELL_DATA("body", INT32, 1, give_body, NULL),
    {PLI_VTU_CELL_DATA, "obstacle", PLI_VTU_UINT8, 1, cell_count, give_obstacle, NULL,
     has_obstacle},
    CELL_DATA("energy", FLOAT64, 1, give_energy, NULL),
    CELL_DATA("energy_density", FLOAT64, 1, give_energy_density, NULL),
    CELL_DATA("principal_stretches", FLOAT64, 3, give_stretches, STRETCH_NAMES),
    CELL_DATA("stress", FLOAT64, 6, give_stress, TENSOR_NAMES),
    CELL_DATA("von_mises", FLOAT64, 1, give_von_mises, NULL),
};

pli_status pli_vtu_write(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                         const char* name, pli_error* error) {
    static const pli_vtu_grid grid = {arrays, sizeof arrays / sizeof *arrays, point_count,
                                      cell_count};
    return pli_vtu_write_grid(vtu, &grid, snapshot, folder, name, error);
}

pli_status pli_vtu_write_surface(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                                 const char* name, pli_error* error) {
    static const pli_vtu_grid grid = {arrays, SURFACE_ARRAYS, point_count, cell_count};
    return pli_vtu_write_grid(vtu, &grid, snapshot, folder, name, error);
}
