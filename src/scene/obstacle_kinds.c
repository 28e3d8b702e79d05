// Obstacles: half-space. To add one: its struct, rows and functions here, and an entry in `kinds`.
#include "scene/obstacle_kinds.h"

#include "math/vec.h"

#include <string.h>

#include "scene/rows.h"
#include "scene/words.h"

typedef struct half_space_data {
    pli_half_space_def def;
    const char* carrier; // name of a body; "": none
} half_space_data;

static const pli_param carrier_rows[] = {
    PLI_TEXT(half_space_data, carrier, "carrier", 0,
             "name of a body: the surface goes through its first vertex and moves with it, and "
             "point is not used"),
};
static const pli_params carrier_params = PLI_PARAMS(carrier_rows);

static const pli_group half_space_groups[] = {
    {&pli_half_space_params, offsetof(half_space_data, def)},
    {&carrier_params, 0},
};

static void half_space_init(void* data) {
    ((half_space_data*)data)->def = pli_default_half_space_def();
}

static int half_space_carrier(const void* data, const pli_obstacle_bodies* bodies) {
    const half_space_data* d = data;
    for (int i = 0; d->carrier[0] && i < bodies->count; ++i)
        if (strcmp(bodies->names[i], d->carrier) == 0) return i;
    return -1;
}

static pli_status half_space_check(const void* data, const pli_obstacle_bodies* bodies,
                                   const pli_path* at, pli_findings* findings, pli_error* error) {
    const half_space_data* d = data;
    char path[160];
    if (pli_norm(d->def.normal, 3) == 0) {
        pli_path key = pli_path_key(at, "normal");
        pli_path_text(&key, NULL, path, sizeof path);
        PLI_TRY(PLI_FIND(findings, &key, error, "%s is zero, must have a direction", path));
    }
    if (d->carrier[0] && half_space_carrier(data, bodies) < 0) {
        pli_path key = pli_path_key(at, "carrier");
        char hint[PLI_HINT_SIZE];
        pli_nearest nearest = {.word = d->carrier};
        for (int i = 0; i < bodies->count; ++i) pli_nearest_try(&nearest, bodies->names[i]);
        pli_path_text(&key, NULL, path, sizeof path);
        PLI_TRY(PLI_FIND(findings, &key, error, "%s = \"%.60s\": there is no such body%s", path,
                         d->carrier, pli_nearest_hint(&nearest, hint)));
    }
    return PLI_OK;
}

// (x - point) . normal / |normal|
static double half_space_distance(const void* data, const double* origin, const double* x) {
    const half_space_data* d = data;
    double r[3];
    pli_sub(x, origin ? origin : d->def.point, r, 3);
    return pli_dot(r, d->def.normal, 3) / pli_norm(d->def.normal, 3);
}

static pli_status half_space_add(const void* data, const pli_body_id* carrier, pli_world* world,
                                 pli_error* error) {
    pli_half_space_def def = ((const half_space_data*)data)->def;
    if (carrier) def.carrier = *carrier;
    return pli_world_add_half_space(world, &def, error);
}

static const pli_obstacle_kind kinds[] = {
    {.section = {.name = "half-space",
                 .help = "all points x with (x - point) . normal >= 0 are free",
                 .size = sizeof(half_space_data),
                 PLI_GROUPS(half_space_groups),
                 .init = half_space_init},
     .check = half_space_check,
     .carrier = half_space_carrier,
     .distance = half_space_distance,
     .add = half_space_add},
};

const pli_obstacle_kind* pli_obstacle_kind_at(int i) {
    return i >= 0 && (size_t)i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

bool pli_obstacle_variant(const pli_catalog* catalog, int i, pli_section* out) {
    (void)catalog;
    const pli_obstacle_kind* kind = pli_obstacle_kind_at(i);
    if (kind) *out = kind->section;
    return kind != NULL;
}
