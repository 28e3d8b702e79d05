// What may be combined: velocity with travel; velocity with spin, center and until; or keys alone;
// or offset alone. Anything else is an error that names the two.
#include "scene/motion.h"

#include <math.h>

static bool moves(const pli_prescribe_data* d) {
    return d->def.velocity[0] != 0 || d->def.velocity[1] != 0 || d->def.velocity[2] != 0;
}
static bool turns(const pli_prescribe_data* d) {
    return d->spin[0] != 0 || d->spin[1] != 0 || d->spin[2] != 0;
}
static bool ends(const pli_prescribe_data* d) { return d->until < HUGE_VAL; }
static bool travels(const pli_prescribe_data* d) { return d->def.travel < HUGE_VAL; }
static bool has_center(const pli_prescribe_data* d) { return !isnan(d->center[0]); }
static bool has_keys(const pli_prescribe_data* d) { return d->keys.count > 0; }
static bool has_offset(const pli_prescribe_data* d) { return d->offset.given; }

bool pli_is_rigid(const pli_prescribe_data* data) { return turns(data) || ends(data); }

pli_rigid_motion pli_rigid_motion_of(const pli_shape_of_body* shape, const pli_prescribe_data* data,
                                     const pli_chosen* chosen) {
    pli_rigid_motion motion = {.until = data->until};
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < chosen->count; ++i) {
        int v = chosen->vertices ? chosen->vertices[i] : i;
        for (int c = 0; c < 3; ++c) {
            low[c] = fmin(low[c], shape->initial[3 * v + c]);
            high[c] = fmax(high[c], shape->initial[3 * v + c]);
        }
    }
    for (int c = 0; c < 3; ++c) {
        motion.velocity[c] = data->def.velocity[c];
        motion.spin[c] = data->spin[c];
        motion.center[c] =
            isnan(data->center[c]) ? 0.5 * (low[c] + high[c]) : data->center[c] + shape->shift[c];
    }
    return motion;
}

// Keys that cannot both be given; the finding is at the first.
static const struct pair {
    const char *key, *other;
    bool (*given)(const pli_prescribe_data*);
    bool (*other_given)(const pli_prescribe_data*);
} pairs[] = {
    {"velocity", "keys", moves, has_keys},    {"velocity", "offset", moves, has_offset},
    {"spin", "keys", turns, has_keys},        {"spin", "offset", turns, has_offset},
    {"spin", "travel", turns, travels},       {"until", "keys", ends, has_keys},
    {"until", "offset", ends, has_offset},    {"until", "travel", ends, travels},
    {"offset", "keys", has_offset, has_keys},
};

static pli_status check_keys(pli_builder* b, const pli_prescribe_data* motion, const pli_path* at,
                             pli_error* error) {
    const pli_key_data* keys = motion->keys.items;
    pli_path list = pli_path_key(at, "keys"), center = pli_path_key(at, "center");
    for (int i = 1; i < motion->keys.count; ++i) {
        pli_path entry = pli_path_index(&list, i), key = pli_path_key(&entry, "time");
        if (!(keys[i].time > keys[i - 1].time))
            PLI_TRY(PLI_FIND(b->findings, &key, error,
                             "keys[%d].time must be later than that of the key before", i));
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        pli_path key = pli_path_key(at, pairs[i].key);
        if (pairs[i].given(motion) && pairs[i].other_given(motion))
            PLI_TRY(PLI_FIND(b->findings, &key, error, "%s and %s are both given, must be one",
                             pairs[i].key, pairs[i].other));
    }
    if (has_center(motion) && !turns(motion))
        PLI_TRY(pli_finding_add(b->findings, PLI_WARNING, &center, PLI_AT_VALUE, error,
                                "center is not used, because spin is not given"));
    return PLI_OK;
}

pli_status pli_check_motions(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                             pli_error* error) {
    const pli_prescribe_data* motions = shape->data->prescribe.items;
    const pli_tagged* loads = shape->data->loads.items;
    pli_path motion_list = pli_path_key(at, "prescribe"), load_list = pli_path_key(at, "loads");
    for (int i = 0; i < shape->data->prescribe.count; ++i) {
        pli_path entry = pli_path_index(&motion_list, i), offset = pli_path_key(&entry, "offset");
        PLI_TRY(check_keys(b, &motions[i], &entry, error));
        if (shape->sound)
            PLI_TRY(pli_formulas_check(b, &motions[i].offset, false, &shape->prescribe[i],
                                       shape->initial, &offset, error));
    }
    for (int i = 0; i < shape->data->loads.count; ++i) {
        pli_path entry = pli_path_index(&load_list, i), value = pli_path_key(&entry, "value");
        if (!shape->sound || loads[i].variant < 0) continue;
        const pli_load_data* data = loads[i].data;
        PLI_TRY(pli_formulas_check(b, &data->value, !data->value.given, &shape->loads[i],
                                   shape->mesh.positions, &value, error));
    }
    return PLI_OK;
}
