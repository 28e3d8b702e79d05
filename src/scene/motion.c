// Prescribed motion: fields that a world evaluates, keyframes from files, and checks. Fields
// allocate nothing when they are evaluated; their contexts live as long as the scene.
#include "scene/motion.h"

#include "base/text.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "scene/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- vectors as functions of time and position

// With the axis k = turn / |turn|, a = |turn|, and r = p + q, p along k:
// p + q cos a + (k x q) sin a. A rotation about z does not change the bits of z.
void pli_rotate(const double turn[3], const double r[3], double out[3]) {
    double angle = pli_norm(turn, 3), c = pli_cos(angle), s = pli_sin(angle), k[3], side[3];
    if (angle == 0) {
        pli_copy(r, out, 3);
        return;
    }
    for (int i = 0; i < 3; ++i) k[i] = turn[i] / angle;
    double along = pli_dot(k, r, 3);
    pli_cross3(k, r, side);
    for (int i = 0; i < 3; ++i) {
        double p = along * k[i], q = r[i] - p;
        out[i] = p + c * q + s * side[i];
    }
}

void pli_formulas_value(const pli_formulas* formulas, double time, const double place[3],
                        double out[3]) {
    const double variables[PLI_VARIABLE_COUNT] = {time, place[0], place[1], place[2]};
    for (int c = 0; c < 3; ++c) out[c] = pli_expression_value(&formulas->part[c], variables);
}

pli_status pli_formulas_check(pli_builder* b, const pli_formulas* formulas, bool single,
                              const pli_chosen* chosen, const double* x, const pli_path* at,
                              pli_error* error) {
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < chosen->count; ++i) {
            int v = chosen->vertices ? chosen->vertices[i] : i;
            const double variables[] = {0, x[3 * v], x[3 * v + 1], x[3 * v + 2]};
            double value = pli_expression_value(&formulas->part[c], variables);
            if (isfinite(value)) continue;
            return PLI_FIND(b->findings, single ? at : PLI_INDEX(at, c), error,
                            "%s: the expression is %s at vertex %d at t = 0, must be finite",
                            at->key, isnan(value) ? "not a number" : "infinite", v);
        }
    return PLI_OK;
}

// ---- formulas

typedef struct formula_field {
    pli_formulas formulas;
    double shift[3];              // [m]
    pli_instruction constants[3]; // of values that were set
} formula_field;

static void formula_at(void* context, double time, const double place[3], double out[3]) {
    const formula_field* f = context;
    double first[3];
    pli_sub(place, f->shift, first, 3);
    pli_formulas_value(&f->formulas, time, first, out);
}

pli_status pli_formula_field(pli_arena* kept, const pli_formulas* formulas, const double shift[3],
                             pli_field_fn** field, void** context, pli_error* error) {
    formula_field* f;
    PLI_TRY(PLI_TAKE(kept, f, 1, error));
    f->formulas = *formulas;
    pli_copy(shift, f->shift, 3);
    *field = formula_at;
    *context = f;
    return PLI_OK;
}

void pli_formula_field_set(void* context, const double value[3]) {
    formula_field* f = context;
    for (int c = 0; c < 3; ++c) {
        f->constants[c] = (pli_instruction){.variable = -1, .number = value[c]};
        f->formulas.part[c] = (pli_expression){.count = 1, .code = &f->constants[c]};
    }
}

// ---- rigid motion

static void rigid_at(void* context, double time, const double place[3], double out[3]) {
    const pli_rigid_motion* m = context;
    double s = fmax(fmin(time, m->until) - m->from, 0), r[3], turn[3], turned[3], by = s;
    pli_sub(place, m->center, r, 3);
    if (m->angle.count > 0)
        by = pli_expression_value(&m->angle, (double[PLI_VARIABLE_COUNT]){fmin(time, m->until)}) /
             pli_norm(m->spin, 3);
    for (int c = 0; c < 3; ++c) turn[c] = m->spin[c] * by;
    pli_rotate(turn, r, turned);
    for (int c = 0; c < 3; ++c) out[c] = m->velocity[c] * s + (turned[c] - r[c]);
}

pli_status pli_rigid_field(pli_arena* kept, const pli_rigid_motion* motion, pli_field_fn** field,
                           void** context, pli_error* error) {
    pli_rigid_motion* m;
    PLI_TRY(PLI_TAKE(kept, m, 1, error));
    *m = *motion;
    *field = rigid_at;
    *context = m;
    return PLI_OK;
}

// ---- motion by mesh files

enum { MOST_FILES = 100000, PATH_SIZE = 4096 };

// "a_%03d.obj": the place of the number and its minimum of digits; false: no such place, or
// several.
static bool find_number(const char* pattern, size_t* start, size_t* end, int* digits) {
    const char* sign = strchr(pattern, '%');
    if (!sign || strchr(sign + 1, '%')) return false;
    const char* at = sign + 1;
    bool zero = *at == '0';
    *digits = 0;
    at += zero;
    if (*at >= '1' && *at <= '9') *digits = *at++ - '0';
    *start = (size_t)(sign - pattern);
    *end = (size_t)(at + 1 - pattern);
    return *at == 'd' && (zero || *digits == 0);
}

// Number of files; 0 with a finding if first and last are invalid.
static pli_status count_files(pli_builder* b, const pli_sequence_data* s, const pli_path* at,
                              int* count, pli_error* error) {
    const char* const* files = s->files.items;
    pli_path list = pli_path_key(at, "files");
    size_t start, end;
    int digits;
    *count = 0;
    if (s->files.count == 0) return PLI_OK; // reported when it was read
    if (s->last < 0) {
        for (int i = 0; i < s->files.count; ++i) {
            if (!files[i][0])
                return PLI_FIND(b->findings, PLI_INDEX(&list, i), error, "files[%d] is empty", i);
        }
        *count = s->files.count;
        return PLI_OK;
    }
    if (s->files.count != 1 || !find_number(files[0], &start, &end, &digits))
        return PLI_FIND(b->findings, &list, error,
                        "with first and last, files must be one pattern with %%d or %%03d in place "
                        "of the number");
    if (s->last < s->first || s->last - s->first >= MOST_FILES)
        return PLI_FIND(b->findings, PLI_KEY(at, "last"), error,
                        "last = %d, must be at least %d (first) and give at most %d files", s->last,
                        s->first, MOST_FILES);
    *count = s->last - s->first + 1;
    return PLI_OK;
}

// The k-th file, as written in the scene.
static void name_file(const pli_sequence_data* s, int k, char* text, size_t size) {
    const char* const* files = s->files.items;
    size_t start, end;
    int digits;
    if (s->last < 0) {
        pli_format(text, size, "%s", files[k]);
        return;
    }
    find_number(files[0], &start, &end, &digits);
    pli_format(text, size, "%.*s%0*d%s", (int)start, files[0], digits, s->first + k,
               files[0] + end);
}

// Positions of one file, placed; `mesh` is freed by the caller.
static pli_status read_positions(pli_builder* b, const pli_shape* shape, const char* file,
                                 pli_mesh* mesh, pli_error* error) {
    char full[PATH_SIZE];
    PLI_TRY(pli_file_path(b->folder, file, full, sizeof full, error));
    PLI_TRY(pli_mesh_read(mesh, full, error));
    if (mesh->vertex_count != shape->mesh.vertex_count)
        return pli_fail(error, PLI_E_SCENE, "%.300s has %d vertices, but the mesh has %d", file,
                        mesh->vertex_count, shape->mesh.vertex_count);
    pli_place_positions(shape->data, b->scene->world.dimension, mesh);
    for (int i = 0; i < 3 * mesh->vertex_count; ++i)
        if (!isfinite(mesh->positions[i]))
            return pli_fail(error, PLI_E_SCENE, "%.300s: the position of vertex %d is not finite",
                            file, i / 3);
    return PLI_OK;
}

// One keyframe: offsets of the chosen vertices from their positions at t = 0.
static pli_status read_key(pli_builder* b, const pli_shape* shape, const char* file,
                           const pli_chosen* chosen, double* offsets, pli_error* error) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, b->allocator);
    pli_status status = read_positions(b, shape, file, &mesh, error);
    for (int i = 0; status == PLI_OK && i < chosen->count; ++i) {
        int v = chosen->vertices ? chosen->vertices[i] : i;
        for (int c = 0; c < 3; ++c)
            offsets[3 * i + c] = mesh.positions[3 * v + c] - shape->initial[3 * v + c];
    }
    pli_mesh_free(&mesh);
    return status;
}

pli_status pli_sequence_read(pli_builder* b, const pli_shape* shape, int i, const pli_path* at,
                             pli_motion_keys* out, pli_error* error) {
    const pli_prescribe_data* motion =
        &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    const pli_sequence_data* s = motion->sequence;
    const pli_chosen* chosen = &shape->prescribe[i];
    pli_path sequence = pli_path_key(at, "sequence");
    pli_motion_keys keys = {0};
    *out = keys;
    if (!s || pli_findings_error_below(b->findings, &sequence)) return PLI_OK;
    PLI_TRY(count_files(b, s, &sequence, &keys.count, error));
    if (keys.count == 0) return PLI_OK;
    PLI_TRY(PLI_TAKE(b->arena, keys.times, keys.count, error));
    PLI_TRY(
        PLI_TAKE(b->arena, keys.offsets, 3 * (size_t)keys.count * (size_t)chosen->count, error));
    for (int k = 0; k < keys.count; ++k) {
        char file[PATH_SIZE];
        name_file(s, k, file, sizeof file);
        keys.times[k] = s->from + k * s->interval;
        pli_status status = read_key(b, shape, file, chosen,
                                     keys.offsets + 3 * (size_t)k * (size_t)chosen->count, error);
        if (status != PLI_OK)
            return pli_finding_from(b->findings, PLI_KEY(&sequence, "files"), status, error);
    }
    *out = keys;
    return PLI_OK;
}

// ---- motions

static bool moves(const pli_prescribe_data* d) {
    return d->def.velocity[0] != 0 || d->def.velocity[1] != 0 || d->def.velocity[2] != 0;
}
static bool turns(const pli_prescribe_data* d) {
    return d->spin[0] != 0 || d->spin[1] != 0 || d->spin[2] != 0;
}
static bool starts(const pli_prescribe_data* d) { return d->from > 0; }
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

pli_path pli_motion_path(const pli_shape* shape, const pli_path* at, int i, pli_path* list) {
    *list = pli_path_key(at, shape->obstacle ? "motion" : "prescribe");
    return shape->obstacle ? *list : pli_path_index(list, i);
}

bool pli_is_rigid(const pli_prescribe_data* data) {
    return turns(data) || starts(data) || ends(data);
}

pli_rigid_motion pli_rigid_motion_of(const pli_shape* shape, const pli_prescribe_data* data,
                                     const pli_chosen* chosen) {
    double from = fmax(shape->data->appears, data->from);
    pli_rigid_motion motion = {
        .from = fmin(from, data->until), .until = data->until, .angle = data->angle};
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

// ---- motion of an obstacle

static bool has_motion(const pli_prescribe_data* d) {
    return moves(d) || turns(d) || has_keys(d) || has_offset(d) || has_sequence(d);
}

// The obstacle of this name; NULL with a finding.
static pli_status find_obstacle(pli_builder* b, const char* name, const pli_path* key,
                                const pli_shape** out, pli_error* error) {
    pli_nearest nearest = {.word = name};
    char hint[PLI_HINT_SIZE];
    *out = NULL;
    for (int i = 0; i < b->body_count; ++i) {
        if (!b->bodies[i].obstacle) continue;
        pli_nearest_try(&nearest, b->names[i]);
        if (strcmp(b->names[i], name) == 0) *out = &b->bodies[i];
    }
    if (*out) return PLI_OK;
    return PLI_FIND(b->findings, key, error, "there is no obstacle \"%.60s\"%s", name,
                    pli_nearest_hint(&nearest, hint));
}

static pli_status join(pli_builder* b, pli_prescribe_data* own, const pli_path* key,
                       pli_error* error) {
    const pli_shape* other;
    PLI_TRY(find_obstacle(b, own->with, key, &other, error));
    if (!other || !other->sound) return PLI_OK;
    const pli_prescribe_data* theirs = other->data->prescribe.items;
    if (has_motion(own))
        return PLI_FIND(b->findings, key, error,
                        "with and another motion are both given: omit one");
    if (other->data->prescribe.count == 0) return PLI_OK; // at rest
    if (has_sequence(theirs))
        return PLI_FIND(b->findings, key, error,
                        "obstacle \"%.60s\" moves by files, which have its own vertices only: give "
                        "its motion by keys, offset, velocity or spin",
                        own->with);
    pli_prescribe_data joined = *theirs;
    joined.selection = own->selection;
    memcpy(joined.axes, own->axes, sizeof joined.axes);
    joined.clamped = own->clamped;
    joined.no_contact = own->no_contact;
    joined.with = own->with;
    if (pli_is_rigid(theirs)) {
        pli_rigid_motion rigid = pli_rigid_motion_of(other, theirs, &other->prescribe[0]);
        memcpy(joined.center, rigid.center, sizeof joined.center);
    }
    *own = joined;
    return PLI_OK;
}

pli_status pli_motions_join(pli_builder* b, pli_shape* shape, const pli_path* at,
                            pli_error* error) {
    int count = shape->data->prescribe.count;
    pli_body_data* data;
    pli_prescribe_data* motions;
    pli_path list = pli_path_key(at, "prescribe");
    PLI_TRY(PLI_TAKE(b->arena, data, 1, error));
    PLI_TRY(PLI_TAKE(b->arena, motions, count, error));
    *data = *shape->data;
    if (count > 0) memcpy(motions, data->prescribe.items, sizeof *motions * (size_t)count);
    for (int i = 0; i < count; ++i)
        if (motions[i].with && motions[i].with[0])
            PLI_TRY(join(b, &motions[i], PLI_KEY(PLI_INDEX(&list, i), "with"), error));
    data->prescribe.items = motions;
    shape->data = data;
    return PLI_OK;
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
    {"from", "keys", starts, has_keys},
    {"from", "offset", starts, has_offset},
    {"from", "travel", starts, travels},
    {"sequence", "from", has_sequence, starts},
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
    const pli_keyframe_data* keys = motion->keys.items;
    for (int i = 1; i < motion->keys.count; ++i) {
        if (!(keys[i].time > keys[i - 1].time))
            PLI_TRY(PLI_FIND(b->findings, PLI_KEY(PLI_INDEX(PLI_KEY(at, "keys"), i), "time"), error,
                             "keys[%d].time must be later than keys[%d].time", i, i - 1));
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        if (pairs[i].given(motion) && pairs[i].other_given(motion))
            PLI_TRY(PLI_FIND(b->findings, PLI_KEY(at, pairs[i].key), error,
                             "%s and %s are both given: omit one", pairs[i].key, pairs[i].other));
    }
    for (int c = 0; c < 3; ++c)
        if (motion->def.velocity[c] != 0 && is_partial(b, motion) && !motion->axes[c])
            PLI_TRY(PLI_FIND(b->findings, PLI_KEY(at, "axes"), error,
                             "velocity has a component along %c, but axes does not contain \"%c\"",
                             'x' + c, 'x' + c));
    if (travels(motion) && !moves(motion))
        PLI_TRY(PLI_WARN(b->findings, PLI_KEY(at, "travel"), error,
                         "travel is not used, because velocity is not given"));
    if (motion->angle.count > 0 && !turns(motion))
        PLI_TRY(PLI_FIND(b->findings, PLI_KEY(at, "angle"), error,
                         "angle needs spin for its axis: give spin"));
    if (starts(motion) && !moves(motion) && !turns(motion) && !has_keys(motion) &&
        !has_offset(motion) && !has_sequence(motion))
        PLI_TRY(PLI_WARN(b->findings, PLI_KEY(at, "from"), error,
                         "from is not used, because velocity and spin are not given"));
    if (has_center(motion) && !turns(motion))
        PLI_TRY(PLI_WARN(b->findings, PLI_KEY(at, "center"), error,
                         "center is not used, because spin is not given"));
    return PLI_OK;
}

// Position of the k-th chosen vertex at t = 0 in a sequence, minus its initial position.
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
// the first also holds before its time.
static void offset_at_start(const pli_shape* shape, int i, int k, int v, double out[3]) {
    const pli_prescribe_data* motion =
        &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    if (has_sequence(motion))
        sequence_at_start(&shape->sequences[i], k, shape->prescribe[i].count, out);
    else if (has_keys(motion))
        pli_copy(((const pli_keyframe_data*)motion->keys.items)->offset, out, 3);
    else
        pli_formulas_value(&motion->offset, shape->data->appears, &shape->initial[3 * v], out);
}

// The key that gives the positions at t = 0; `entry` and `list` become the nodes above it.
static const char* jump_path(const pli_prescribe_data* motion, const pli_path* at, pli_path* list,
                             pli_path* entry, pli_path* out) {
    *out = pli_path_key(at, has_sequence(motion) ? "sequence" : "offset");
    if (has_sequence(motion))
        return motion->sequence->from < 0 ? "the distance to the files"
                                          : "the distance to the first file";
    if (has_offset(motion)) return "offset";
    *list = pli_path_key(at, "keys");
    *entry = pli_path_index(list, 0);
    *out = pli_path_key(entry, "offset");
    const pli_keyframe_data* first = motion->keys.items;
    return first->time > 0 ? "keys[0].offset, which also holds before its time," : "keys[0].offset";
}

// The displacement should be 0 at t = 0, or when the body appears (of keys and files this is not
// checked then); in statics a jump does no harm.
static pli_status check_jump(pli_builder* b, const pli_shape* shape, int i, const pli_path* at,
                             pli_error* error) {
    const pli_prescribe_data* motion =
        &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    const pli_chosen* chosen = &shape->prescribe[i];
    bool given = has_sequence(motion) ? shape->sequences[i].count > 0
                                      : has_offset(motion) || has_keys(motion);
    if (pli_is_late(shape)) given = has_offset(motion);
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
    return PLI_WARN(b->findings, &key, error,
                    "%s is up to %s m %s, but should be 0: the vertices jump in the first step",
                    what, length, pli_is_late(shape) ? "when the body appears" : "at t = 0");
}

pli_status pli_check_motions(pli_builder* b, const pli_shape* shape, const pli_path* at,
                             pli_error* error) {
    const pli_prescribe_data* motions = shape->data->prescribe.items;
    const pli_tagged* loads = shape->data->loads.items;
    pli_path motion_list;
    for (int i = 0; i < shape->data->prescribe.count; ++i) {
        pli_path entry = pli_motion_path(shape, at, i, &motion_list);
        PLI_TRY(check_keys(b, &motions[i], &entry, error));
        if (shape->sound)
            PLI_TRY(pli_formulas_check(b, &motions[i].offset, false, &shape->prescribe[i],
                                       shape->initial, PLI_KEY(&entry, "offset"), error));
        if (shape->sound) PLI_TRY(check_jump(b, shape, i, &entry, error));
    }
    for (int i = 0; i < shape->data->loads.count; ++i) {
        if (!shape->sound || loads[i].variant < 0) continue;
        const pli_load_data* data = loads[i].data;
        PLI_TRY(pli_formulas_check(b, &data->value, !data->value.given, &shape->loads[i],
                                   shape->mesh.positions,
                                   PLI_KEY(PLI_INDEX(PLI_KEY(at, "loads"), i), "value"), error));
    }
    return PLI_OK;
}
