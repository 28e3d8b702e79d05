// The contacts of a frame as lines between the closest points.
#include "record/vtu_table.h"

#include <string.h>

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
static void give_offset(const pli_snapshot* s, int64_t i, void* out) {
    int32_t end = (int32_t)(2 * (i + 1));
    (void)s;
    memcpy(out, &end, sizeof end);
}
static void give_type(const pli_snapshot* s, int64_t i, void* out) {
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

static const pli_vtu_column arrays[] = {
    ROW(POINTS, "Points", REAL, 3, end_count, give_end),
    ROW(CELLS, "connectivity", INT32, 1, end_count, give_number),
    ROW(CELLS, "offsets", INT32, 1, line_count, give_offset),
    ROW(CELLS, "types", UINT8, 1, line_count, give_type),
    ROW(CELL_DATA, "body_a", INT32, 1, line_count, give_first),
    ROW(CELL_DATA, "body_b", INT32, 1, line_count, give_second),
    ROW(CELL_DATA, "distance", REAL, 1, line_count, give_distance),
    ROW(CELL_DATA, "normal_force", REAL, 1, line_count, give_force),
    ROW(CELL_DATA, "friction_force", REAL, 3, line_count, give_friction),
};

const pli_vtu_table pli_contact_table = {arrays, sizeof arrays / sizeof *arrays, end_count,
                                         line_count};
