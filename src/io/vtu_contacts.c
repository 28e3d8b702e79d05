// The contacts of a frame as lines between the closest points.
#include "io/vtu_array.h"

#include <string.h>

static int64_t line_count(const pli_snapshot* s) { return s->contact_count; }
static int64_t end_count(const pli_snapshot* s) { return 2 * line_count(s); }

static void give_end(const pli_snapshot* s, int64_t i, void* out) {
    memcpy(out, s->contacts[i / 2].point[i % 2], 3 * sizeof(double));
}
static void give_number(const pli_snapshot* s, int64_t i, void* out) {
    (void)s;
    memcpy(out, &i, sizeof i);
}
static void give_offset(const pli_snapshot* s, int64_t i, void* out) {
    int64_t end = 2 * (i + 1);
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

static const pli_vtu_array arrays[] = {
    {PLI_VTU_POINTS, "Points", PLI_VTU_FLOAT64, 3, end_count, give_end, NULL, NULL},
    {PLI_VTU_CELLS, "connectivity", PLI_VTU_INT64, 1, end_count, give_number, NULL, NULL},
    {PLI_VTU_CELLS, "offsets", PLI_VTU_INT64, 1, line_count, give_offset, NULL, NULL},
    {PLI_VTU_CELLS, "types", PLI_VTU_UINT8, 1, line_count, give_type, NULL, NULL},
    {PLI_VTU_CELL_DATA, "body_a", PLI_VTU_INT32, 1, line_count, give_first, NULL, NULL},
    {PLI_VTU_CELL_DATA, "body_b", PLI_VTU_INT32, 1, line_count, give_second, NULL, NULL},
    {PLI_VTU_CELL_DATA, "distance", PLI_VTU_FLOAT64, 1, line_count, give_distance, NULL, NULL},
    {PLI_VTU_CELL_DATA, "normal_force", PLI_VTU_FLOAT64, 1, line_count, give_force, NULL, NULL},
    {PLI_VTU_CELL_DATA, "friction_force", PLI_VTU_FLOAT64, 3, line_count, give_friction, NULL,
     NULL},
};

pli_status pli_vtu_write_contacts(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                                  const char* name, pli_error* error) {
    static const pli_vtu_grid grid = {arrays, sizeof arrays / sizeof *arrays, end_count,
                                      line_count};
    return pli_vtu_write_grid(vtu, &grid, snapshot, folder, name, error);
}
