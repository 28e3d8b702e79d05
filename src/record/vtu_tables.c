// The arrays of a frame: the whole state of the bodies.
#include "record/vtu.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "mesh/vtu_xml.h"

// Cell i: isolated vertices first, then segments, triangles, tetrahedra.
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

static const double* positions(const pli_snapshot* s) { return s->positions; }
static const double* velocities(const pli_snapshot* s) { return s->velocities; }
static const double* reactions(const pli_snapshot* s) { return s->reactions; }
static const double* contact_forces(const pli_snapshot* s) { return s->contact_forces; }
static const double* friction_forces(const pli_snapshot* s) { return s->friction_forces; }
static const double* masses(const pli_snapshot* s) { return s->masses; }

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
    memcpy(out, &s->elements[kind][i], sizeof(int32_t));
}
// The end of cell i in the connectivity.
static void give_offset(const pli_snapshot* s, int64_t i, void* out) {
    cell c = find_cell(s, i);
    int64_t end = (c.index + 1) * pli_element_size((pli_element_kind)c.kind);
    for (int kind = 0; kind < c.kind; ++kind)
        end += (int64_t)s->element_count[kind] * pli_element_size((pli_element_kind)kind);
    int32_t number = (int32_t)end;
    memcpy(out, &number, sizeof number);
}
static void give_type(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, &pli_vtk_types[find_cell(s, i).kind], 1);
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
// Tuple i of a field that has an array per kind, or `none` if there is none.
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

static void give_stretch(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, FIELD(s, i, stretches, 3, ones), sizeof(double));
}
static void give_size_ratio(const pli_snapshot* s, int64_t i, void* out) {
    const double* t = FIELD(s, i, stretches, 3, ones);
    double ratio = 1;
    int dimension = pli_element_dimension((pli_element_kind)find_cell(s, i).kind);
    for (int k = 0; k < dimension; ++k) ratio *= t[k];
    memcpy(out, &ratio, sizeof ratio);
}
static void give_radius(const pli_snapshot* s, int64_t i, void* out) {
    double radius = pli_snapshot_radius(s, s->vertex_body[i]);
    memcpy(out, &radius, sizeof radius);
}

static int64_t node_count(const pli_snapshot* s) { return s->node_count; }
static const double* node_values(const pli_snapshot* s) { return s->node_values; }
static void give_node_body(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->node_body + i, sizeof(int32_t));
}
static void give_node_tag(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->node_tag + i, sizeof(int32_t));
}
static void give_node_vertices(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->node_vertices + PLI_NODE_VERTICES * i, PLI_NODE_VERTICES * sizeof(int32_t));
}

static bool has_nodes(const pli_snapshot* s) { return s->node_count > 0; }
static bool has_radius(const pli_snapshot* s) {
    for (int b = 0; b < s->body_count; ++b)
        if (pli_snapshot_radius(s, b) > 0) return true;
    return false;
}
static bool has_velocity(const pli_snapshot* s) { return s->velocities; }
static bool has_rest(const pli_snapshot* s) { return s->rest; }
static bool has_reaction(const pli_snapshot* s) { return s->reactions; }
static bool has_contact(const pli_snapshot* s) { return s->contact_forces; }
static bool has_friction(const pli_snapshot* s) { return s->friction_forces; }
static bool has_mass(const pli_snapshot* s) { return s->masses; }
static bool has_obstacle(const pli_snapshot* s) {
    for (int b = 0; b < s->body_count && s->body_obstacle; ++b)
        if (s->body_obstacle[b]) return true;
    return false;
}

#define TENSOR_NAMES                                                                               \
    " ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\""                           \
    " ComponentName3=\"XY\" ComponentName4=\"YZ\" ComponentName5=\"XZ\""
#define STRETCH_NAMES " ComponentName0=\"1\" ComponentName1=\"2\" ComponentName2=\"3\""

// Constant arrays, always written.
#define FIXED(section_, name_, type_, count_, tuple_, has_)                                        \
    {                                                                                              \
        .section = PLI_VTU_##section_, .name = (name_), .type = PLI_VTU_##type_, .components = 1,  \
        .count = (count_), .tuple = (tuple_), .field = PLI_VTU_ALWAYS, .constant = true,           \
        .has = (has_)                                                                              \
    }
#define POINT_DATA(field_, components_, all_, has_)                                                \
    {                                                                                              \
        .section = PLI_VTU_POINT_DATA, .type = PLI_VTU_REAL, .components = (components_),          \
        .count = point_count, .all = (all_), .field = (field_), .has = (has_)                      \
    }
#define CELL_DATA(field_, components_, tuple_, names_)                                             \
    {                                                                                              \
        .section = PLI_VTU_CELL_DATA, .type = PLI_VTU_REAL, .components = (components_),           \
        .count = cell_count, .tuple = (tuple_), .field = (field_), .component_names = (names_)     \
    }

// What energies show; the snapshot has the names.
#define SCALAR(number)                                                                             \
    {                                                                                              \
        .section = PLI_VTU_POINT_DATA, .type = PLI_VTU_REAL, .components = 1,                      \
        .count = point_count, .scalar = (number), .field = PLI_FRAME_ENERGY_FIELDS                 \
    }
_Static_assert(PLI_SCALARS_KEPT == 12, "a row each below");

static const pli_vtu_column arrays[] = {
    {.section = PLI_VTU_POINTS,
     .name = "Points",
     .type = PLI_VTU_REAL,
     .components = 3,
     .count = point_count,
     .all = positions,
     .field = PLI_VTU_ALWAYS},
    FIXED(CELLS, "connectivity", INT32, corner_count, give_connectivity, NULL),
    FIXED(CELLS, "offsets", INT32, cell_count, give_offset, NULL),
    FIXED(CELLS, "types", UINT8, cell_count, give_type, NULL),
    POINT_DATA(PLI_FRAME_VELOCITY, 3, velocities, has_velocity),
    {.section = PLI_VTU_POINT_DATA,
     .type = PLI_VTU_REAL,
     .components = 3,
     .count = point_count,
     .tuple = give_displacement,
     .field = PLI_FRAME_DISPLACEMENT,
     .has = has_rest},
    POINT_DATA(PLI_FRAME_REACTION, 3, reactions, has_reaction),
    POINT_DATA(PLI_FRAME_CONTACT_FORCE, 3, contact_forces, has_contact),
    POINT_DATA(PLI_FRAME_FRICTION_FORCE, 3, friction_forces, has_friction),
    {.section = PLI_VTU_POINT_DATA,
     .type = PLI_VTU_REAL,
     .components = 1,
     .count = point_count,
     .all = masses,
     .field = PLI_FRAME_MASS,
     .constant = true,
     .has = has_mass},
    FIXED(CELL_DATA, "body", INT32, cell_count, give_body, NULL),
    FIXED(CELL_DATA, "obstacle", UINT8, cell_count, give_obstacle, has_obstacle),
    CELL_DATA(PLI_FRAME_ENERGY, 1, give_energy, NULL),
    CELL_DATA(PLI_FRAME_ENERGY_DENSITY, 1, give_energy_density, NULL),
    CELL_DATA(PLI_FRAME_STRETCHES, 3, give_stretches, STRETCH_NAMES),
    CELL_DATA(PLI_FRAME_STRESS, 6, give_stress, TENSOR_NAMES),
    CELL_DATA(PLI_FRAME_VON_MISES, 1, give_von_mises, NULL),
    CELL_DATA(PLI_FRAME_STRETCH, 1, give_stretch, NULL),
    CELL_DATA(PLI_FRAME_SIZE_RATIO, 1, give_size_ratio, NULL),
    {.section = PLI_VTU_POINT_DATA,
     .name = "radius",
     .type = PLI_VTU_REAL,
     .components = 1,
     .count = point_count,
     .tuple = give_radius,
     .field = PLI_VTU_ALWAYS,
     .constant = true,
     .has = has_radius},
    {.section = PLI_VTU_FIELD_DATA,
     .name = "node_value",
     .type = PLI_VTU_REAL,
     .components = 1,
     .count = node_count,
     .all = node_values,
     .field = PLI_VTU_ALWAYS,
     .has = has_nodes},
    FIXED(FIELD_DATA, "node_body", INT32, node_count, give_node_body, has_nodes),
    FIXED(FIELD_DATA, "node_tag", INT32, node_count, give_node_tag, has_nodes),
    {.section = PLI_VTU_FIELD_DATA,
     .name = "node_vertices",
     .type = PLI_VTU_INT32,
     .components = PLI_NODE_VERTICES,
     .count = node_count,
     .tuple = give_node_vertices,
     .field = PLI_VTU_ALWAYS,
     .constant = true,
     .has = has_nodes},
    SCALAR(1),
    SCALAR(2),
    SCALAR(3),
    SCALAR(4),
    SCALAR(5),
    SCALAR(6),
    SCALAR(7),
    SCALAR(8),
    SCALAR(9),
    SCALAR(10),
    SCALAR(11),
    SCALAR(12),
};
enum { ARRAY_COUNT = sizeof arrays / sizeof *arrays };

const pli_vtu_table pli_frame_table = {arrays, ARRAY_COUNT, point_count, cell_count};

// ---- contacts

// The contacts of a frame as lines between the closest points.

static int64_t line_count(const pli_snapshot* s) { return s->contact_count; }
static int64_t end_count(const pli_snapshot* s) { return 2 * line_count(s); }

static void give_end(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->contacts[i / 2].point[i % 2], 3 * sizeof(double));
}
static void give_number(const pli_snapshot* s, int64_t i, void* out) {
    int32_t number = (int32_t)i;
    (void)s;
    memcpy(out, &number, sizeof number);
}
static void give_line_end(const pli_snapshot* s, int64_t i, void* out) {
    int32_t end = (int32_t)(2 * (i + 1));
    (void)s;
    memcpy(out, &end, sizeof end);
}
static void give_line_type(const pli_snapshot* s, int64_t i, void* out) {
    static const uint8_t line = 3; // VTK_LINE
    (void)s, (void)i;
    memcpy(out, &line, sizeof line);
}

static void give_first(const pli_snapshot* s, int64_t i, void* out) {
    int32_t body = s->contacts[i].body[0];
    memcpy(out, &body, sizeof body);
}
static void give_second(const pli_snapshot* s, int64_t i, void* out) {
    int32_t body = s->contacts[i].body[1];
    memcpy(out, &body, sizeof body);
}
static void give_distance(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, &s->contacts[i].distance, sizeof(double));
}
static void give_force(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, &s->contacts[i].force, sizeof(double));
}
static void give_friction(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->contacts[i].friction, 3 * sizeof(double));
}

#define ROW(section_, name_, type_, components_, count_, tuple_)                                   \
    {                                                                                              \
        .section = PLI_VTU_##section_, .name = (name_), .type = PLI_VTU_##type_,                   \
        .components = (components_), .count = (count_), .tuple = (tuple_), .field = PLI_VTU_ALWAYS \
    }

static const pli_vtu_column contact_arrays[] = {
    ROW(POINTS, "Points", REAL, 3, end_count, give_end),
    ROW(CELLS, "connectivity", INT32, 1, end_count, give_number),
    ROW(CELLS, "offsets", INT32, 1, line_count, give_line_end),
    ROW(CELLS, "types", UINT8, 1, line_count, give_line_type),
    ROW(CELL_DATA, "body_a", INT32, 1, line_count, give_first),
    ROW(CELL_DATA, "body_b", INT32, 1, line_count, give_second),
    ROW(CELL_DATA, "distance", REAL, 1, line_count, give_distance),
    ROW(CELL_DATA, "normal_force", REAL, 1, line_count, give_force),
    ROW(CELL_DATA, "friction_force", REAL, 3, line_count, give_friction),
};

const pli_vtu_table pli_contact_table = {
    contact_arrays, sizeof contact_arrays / sizeof *contact_arrays, end_count, line_count};
