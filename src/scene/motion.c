// What may be combined: velocity with travel; velocity with spin, center and until; or keys alone;
// or offset alone; or a sequence alone. Anything else is an error that names the two.
#include "scene/motion.h"

#include "base/text.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

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
static bool has_sequence(const pli_prescribe_data* d) { return d->sequence != NULL; }

static bool is_partial(const pli_builder* b, const pli_prescribe_data* d) {
    int count = 0;
    for (int c = 0; c < b->scene->world.dimension; ++c) count += d->axes[c];
    return count > 0 && count < b->scene->world.dimension; // 0: of obstacles
}

pli_path pli_motion_path(const pli_shape_of_body* shape, const pli_path* at, int i,
                         pli_path* list) {
    *list = pli_path_key(at, shape->obstacle ? "motion" : "prescribe");
    return shape->obstacle ? *list : pli_path_index(list, i);
}

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
    {"velocity", "keys", moves, has_keys},
    {"velocity", "offset", moves, has_offset},
    {"spin", "keys", turns, has_keys},
    {"spin", "offset", turns, has_offset},
    {"spin", "travel", turns, travels},
    {"until", "keys", ends, has_keys},
    {"until", "offset", ends, has_offset},
    {"until", "travel", ends, travels},
    {"offset", "keys", has_offset, has_keys},
    {"sequence", "velocity", has_sequence, moves},
    {"sequence", "spin", has_sequence, turns},
    {"sequence", "until", has_sequence, ends},
    {"sequence", "keys", has_sequence, has_keys},
    {"sequence", "offset", has_sequence, has_offset},
};

static pli_status check_keys(pli_builder* b, const pli_prescribe_data* motion, const pli_path* at,
                             pli_error* error) {
    const pli_legend_data* keys = motion->keys.items;
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
    pli_path travel = pli_path_key(at, "travel"), axes = pli_path_key(at, "axes");
    for (int c = 0; c < 3; ++c)
        if (motion->def.velocity[c] != 0 && is_partial(b, motion) && !motion->axes[c])
            PLI_TRY(PLI_FIND(b->findings, &axes, error,
                             "velocity has a part along %c, but axes leaves %c free", 'x' + c,
                             'x' + c));
    if (travels(motion) && !moves(motion))
        PLI_TRY(pli_finding_add(b->findings, PLI_WARNING, &travel, PLI_AT_VALUE, error,
                                "travel is not used, because velocity is not given"));
    if (has_center(motion) && !turns(motion))
        PLI_TRY(pli_finding_add(b->findings, PLI_WARNING, &center, PLI_AT_VALUE, error,
                                "center is not used, because spin is not given"));
    return PLI_OK;
}

// Place of the k-th chosen vertex at t = 0 in a sequence, less where it starts.
static void sequence_at_start(const pli_motion_keys* keys, int k, int width, double out[3]) {
    int i = 0;
    while (i + 1 < keys->count && keys->times[i + 1] <= 0) ++i;
    const double *one = keys->offsets + 3 * ((size_t)i * (size_t)width + (size_t)k), *other = one;
    double part = 0;
    if (keys->times[i] < 0 && i + 1 < keys->count) {
        part = -keys->times[i] / (keys->times[i + 1] - keys->times[i]);
        other += 3 * (size_t)width;
    }
    for (int c = 0; c < 3; ++c) out[c] = (1 - part) * one[c] + part * other[c];
}

// The displacement at t = 0 of the k-th chosen vertex, which is v. Keys start at 0 or later, and
// before the first it holds.
static void offset_at_start(const pli_shape_of_body* shape, int i, int k, int v, double out[3]) {
    const pli_prescribe_data* motion =
        &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    if (has_sequence(motion))
        sequence_at_start(&shape->sequences[i], k, shape->prescribe[i].count, out);
    else if (has_keys(motion))
        pli_copy(((const pli_legend_data*)motion->keys.items)->offset, out, 3);
    else
        pli_formulas_value(&motion->offset, 0, &shape->initial[3 * v], out);
}

// The key that gives the positions at t = 0; `entry` and `list` are filled as the nodes above it.
static const char* jump_path(const pli_prescribe_data* motion, const pli_path* at, pli_path* list,
                             pli_path* entry, pli_path* out) {
    *out = pli_path_key(at, has_sequence(motion) ? "sequence" : "offset");
    if (has_sequence(motion))
        return motion->sequence->from < 0 ? "the way to the files" : "the way to the first file";
    if (has_offset(motion)) return "offset";
    *list = pli_path_key(at, "keys");
    *entry = pli_path_index(list, 0);
    *out = pli_path_key(entry, "offset");
    const pli_legend_data* first = motion->keys.items;
    return first->time > 0 ? "keys[0].offset, which also holds before its time," : "keys[0].offset";
}

// Displacement from the start should be none at t = 0; in statics there is no jump to fear.
static pli_status check_jump(pli_builder* b, const pli_shape_of_body* shape, int i,
                             const pli_path* at, pli_error* error) {
    const pli_prescribe_data* motion =
        &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    const pli_chosen* chosen = &shape->prescribe[i];
    bool given = has_sequence(motion) ? shape->sequences[i].count > 0
                                      : has_offset(motion) || has_keys(motion);
    if (!given || strstr(b->scene->world.scheme, "static")) return PLI_OK;
    double worst = 0, low[3], high[3], size[3];
    pli_bounding_box(shape->mesh.vertex_count, shape->initial, low, high);
    pli_sub(high, low, size, 3);
    for (int k = 0; k < chosen->count; ++k) {
        double offset[3];
        int v = chosen->vertices ? chosen->vertices[k] : k;
        offset_at_start(shape, i, k, v, offset);
        worst = fmax(worst, pli_norm(offset, b->scene->world.dimension));
    }
    if (!(worst > 1e-9 * pli_norm(size, 3)) || !isfinite(worst)) return PLI_OK;
    char length[32];
    pli_path list, entry, key;
    const char* what = jump_path(motion, at, &list, &entry, &key);
    pli_format(length, sizeof length, "%.3g", worst);
    return pli_finding_add(b->findings, PLI_WARNING, &key, PLI_AT_VALUE, error,
                           "%s is up to %s m at t = 0, where it should be 0: the vertices jump "
                           "there in the first step",
                           what, length);
}

pli_status pli_check_motions(pli_builder* b, const pli_shape_of_body* shape, const pli_path* at,
                             pli_error* error) {
    const pli_prescribe_data* motions = shape->data->prescribe.items;
    const pli_tagged* loads = shape->data->loads.items;
    pli_path motion_list, load_list = pli_path_key(at, "loads");
    for (int i = 0; i < shape->data->prescribe.count; ++i) {
        pli_path entry = pli_motion_path(shape, at, i, &motion_list);
        pli_path offset = pli_path_key(&entry, "offset");
        PLI_TRY(check_keys(b, &motions[i], &entry, error));
        if (shape->sound)
            PLI_TRY(pli_formulas_check(b, &motions[i].offset, false, &shape->prescribe[i],
                                       shape->initial, &offset, error));
        if (shape->sound) PLI_TRY(check_jump(b, shape, i, &entry, error));
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
