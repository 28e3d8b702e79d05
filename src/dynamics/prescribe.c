// Prescribed motion: see prescribe.h.
#include "dynamics/prescribe.h"

#include "base/pack.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

// In a penalty the way that remains is proportional to 1/k. Beyond this k its rounding would show.
static const double MAX_STIFFNESS = 1e14;

void pli_pins_init(pli_pins* pins, pli_memory* memory, int dim) {
    *pins = (pli_pins){.memory = memory, .dim = dim};
}

static size_t offset_count(const pli_motion* motion) {
    return 3 * (size_t)motion->key_count * (size_t)motion->width;
}

void pli_pins_free(pli_pins* pins) {
    pli_memory* m = pins->memory;
    if (!m) return;
    for (int i = 0; i < pins->motion_count; ++i) {
        pli_motion* motion = &pins->motions[i];
        PLI_FREE(m, motion->times, motion->key_count);
        PLI_FREE(m, motion->offsets, offset_count(motion));
    }
    PLI_FREE(m, pins->motions, pins->motion_capacity);
    PLI_FREE(m, pins->pins, pins->capacity);
    PLI_FREE(m, pins->vertices, pins->vertices_count);
    *pins = (pli_pins){0};
}

// Only what is along prescribed axes counts.
static void mask(const pli_motion* motion, double d[3]) {
    for (int c = 0; c < 3 && motion->partial; ++c)
        if (motion->free[c]) d[c] = 0;
}

// `width`: offsets per key.
static pli_status check_keys(const pli_prescribe_def* def, int width, pli_error* error) {
    for (int i = 0; i < def->key_count; ++i) {
        bool finite = isfinite(def->times[i]);
        const double* offsets = def->offsets + 3 * (size_t)width * (size_t)i;
        for (int c = 0; c < 3 * width; ++c) finite = finite && isfinite(offsets[c]);
        if (!finite)
            return pli_error_key(
                pli_fail(error, PLI_E_ARGUMENT, "prescribed motion: key %d is not finite", i),
                error, "times");
        if (i > 0 && !(def->times[i] > def->times[i - 1]))
            return pli_error_key(
                pli_fail(error, PLI_E_ARGUMENT,
                         "prescribed motion: time of key %d = %g s, must be > %g s, the one before",
                         i, def->times[i], def->times[i - 1]),
                error, "times");
    }
    return PLI_OK;
}

pli_status pli_pins_add_motion(pli_pins* pins, const pli_prescribe_def* def, int count,
                               int32_t* out, pli_error* error) {
    pli_memory* m = pins->memory;
    int width = def->per_vertex ? count : 1;
    PLI_TRY(check_keys(def, width, error));
    PLI_TRY(PLI_GROW(m, pins->motions, pins->motion_capacity, pins->motion_count + 1, error));
    pli_motion motion = {.travel = def->travel,
                         .first = pins->count,
                         .width = width,
                         .field = def->field,
                         .context = def->context,
                         .stiffness = def->stiffness,
                         .given = def->stiffness,
                         .part = 1,
                         .next_part = 1,
                         .kept = def->stiffness};
    memcpy(motion.velocity, def->velocity, sizeof motion.velocity);
    for (int c = 0; c < pins->dim; ++c) {
        motion.free[c] = def->free[c];
        motion.partial = motion.partial || def->free[c];
    }
    mask(&motion, motion.velocity);
    if (def->key_count > 0) {
        motion.key_count = def->key_count;
        PLI_TRY(PLI_ALLOC(m, motion.times, def->key_count, error));
        pli_status status = PLI_ALLOC(m, motion.offsets, offset_count(&motion), error);
        if (status != PLI_OK) {
            PLI_FREE(m, motion.times, def->key_count);
            return status;
        }
        memcpy(motion.times, def->times, sizeof(double) * (size_t)def->key_count);
        memcpy(motion.offsets, def->offsets, sizeof(double) * offset_count(&motion));
    }
    *out = pins->motion_count;
    pins->motions[pins->motion_count++] = motion;
    return PLI_OK;
}

pli_status pli_pins_reserve(pli_pins* pins, int count, pli_error* error) {
    return PLI_GROW(pins->memory, pins->pins, pins->capacity, pins->count + count, error);
}

void pli_pins_add(pli_pins* pins, int vertex, int motion, const double start[3], double mass) {
    PLI_ASSERT(pins->count < pins->capacity);
    pli_pin* pin = &pins->pins[pins->count++];
    *pin = (pli_pin){.vertex = vertex, .motion = motion, .mass = mass};
    memcpy(pin->start, start, sizeof pin->start);
    memcpy(pin->end, start, sizeof pin->end);
    memcpy(pin->target, start, sizeof pin->target);
}

// Linear between keys, constant before the first and after the last. `slot`: which of the offsets
// of a key.
static void key_offset(const pli_motion* motion, int slot, double time, double out[3]) {
    int last = motion->key_count - 1, i = 0, high = last;
    while (i < high) { // the last key that is not after `time`, or the first
        int middle = (i + high + 1) / 2;
        if (motion->times[middle] <= time)
            i = middle;
        else
            high = middle - 1;
    }
    double s = 0;
    if (i < last && time > motion->times[i])
        s = (time - motion->times[i]) / (motion->times[i + 1] - motion->times[i]);
    int next = pli_min_int(i + 1, last);
    size_t stride = 3 * (size_t)motion->width;
    const double* from = motion->offsets + stride * (size_t)i + 3 * slot;
    const double* to = motion->offsets + stride * (size_t)next + 3 * slot;
    for (int c = 0; c < 3; ++c) out[c] = (1 - s) * from[c] + s * to[c];
}

// Offset from the start at a time. By velocity: along its line, on from the way it has come (so
// that a pin that was held back does not rush afterwards, and what single steps miss does not add
// up), `since` the start of the step, at most `travel`; *gone is that way.
static void find_offset(const pli_pins* pins, int i, double time, double since, double offset[3],
                        double* gone) {
    const pli_pin* pin = &pins->pins[i];
    const pli_motion* motion = &pins->motions[pin->motion];
    offset[0] = offset[1] = offset[2] = 0;
    *gone = pin->gone;
    if (motion->field) {
        motion->field(motion->context, time, pin->start, offset);
    } else if (motion->key_count > 0) {
        key_offset(motion, motion->width > 1 ? i - motion->first : 0, time, offset);
    } else {
        double speed = pli_norm(motion->velocity, 3);
        *gone = fmax(pin->gone, fmin(motion->travel, pin->gone + since * speed));
        if (speed > 0) pli_axpy(*gone / speed, motion->velocity, offset, 3);
    }
    mask(motion, offset);
}

// ---- clocks

// The time whose place a motion should have after `part` of the step.
static double time_of(const pli_motion* motion, const pli_step* step, double part) {
    if (!motion->clocked) return step->time - (1 - part) * step->h;
    part *= motion->part;
    return part == 1 ? motion->goal : motion->begin + part * (motion->goal - motion->begin);
}

static bool has_path(const pli_motion* motion) { return motion->field || motion->key_count > 0; }

static int end_of(const pli_pins* pins, int m) {
    int i = pins->motions[m].first;
    while (i < pins->count && pins->pins[i].motion == m) ++i;
    return i;
}

// Do the pins of a motion go different ways?
static bool pins_differ(const pli_pins* pins, int m, const pli_step* step) {
    const pli_motion* motion = &pins->motions[m];
    if (!has_path(motion) || (!motion->field && motion->width == 1)) return false;
    int end = end_of(pins, m);
    for (int k = 0; k < 3; ++k) {
        double first[3], offset[3], time = step->time - 0.5 * k * step->h, gone;
        if (motion->first < end) find_offset(pins, motion->first, time, 0, first, &gone);
        for (int i = motion->first + 1; i < end; ++i) {
            find_offset(pins, i, time, 0, offset, &gone);
            if (memcmp(first, offset, sizeof first) != 0) return true;
        }
    }
    return false;
}

// How far pins of motion m would go, at most, from where they are at x_n, or should be at the time
// *from, to where they should be at a time. Some are enough of those that go together.
static double distance_at(const pli_pins* pins, int m, const pli_step* step, double time,
                          const double* from) {
    enum { SOME = 64 };
    int first = pins->motions[m].first, end = end_of(pins, m), stride = (end - first) / SOME + 1;
    double most = 0, gone;
    for (int i = first; i < end; i += stride) {
        const pli_pin* pin = &pins->pins[i];
        double offset[3], other[3];
        find_offset(pins, i, time, 0, offset, &gone);
        if (from)
            find_offset(pins, i, *from, 0, other, &gone);
        else
            pli_sub(step->x_n + 3 * (size_t)pin->vertex, pin->start, other, 3);
        pli_sub(offset, other, other, 3);
        mask(&pins->motions[m], other);
        most = fmax(most, pli_norm(other, pins->dim));
    }
    return most;
}

// Does the path of a motion that is late come to where it is, within the present step? *time: when.
static bool comes_back(const pli_pins* pins, int m, const pli_step* step, double* time) {
    enum { SAMPLES = 16, DIVISIONS = 16 };
    static const double near = 0.02; // of the way of the step
    double part = step->h / SAMPLES, first = step->time - step->h, best = HUGE_VAL, way = 0;
    int at = 0;
    for (int k = 0; k <= SAMPLES; ++k) {
        double now = first + k * part, before = first + (k - 1) * part;
        double distance = distance_at(pins, m, step, now, NULL);
        if (k > 0) way += distance_at(pins, m, step, now, &before);
        if (distance < best) at = k;
        best = fmin(best, distance);
    }
    double low = first + pli_max_int(at - 1, 0) * part;
    double high = first + pli_min_int(at + 1, SAMPLES) * part;
    for (int k = 0; k < DIVISIONS; ++k) {
        double third = (high - low) / 3;
        if (distance_at(pins, m, step, low + third, NULL) <
            distance_at(pins, m, step, high - third, NULL))
            high -= third;
        else
            low += third;
    }
    *time = fmin(0.5 * (low + high), step->time);
    return distance_at(pins, m, step, *time, NULL) < near * way;
}

static void set_clock(pli_pins* pins, int m, const pli_step* step) {
    pli_motion* motion = &pins->motions[m];
    double start = step->time - step->h;
    motion->due = step->time;
    motion->begin = start - motion->late;
    motion->goal = fmin(motion->due, motion->begin + 2 * step->h);
    motion->clocked = motion->late > 0 || (motion->part < 1 && pins_differ(pins, m, step));
    double time;
    if (motion->late > 0 && comes_back(pins, m, step, &time)) {
        motion->begin = time;
        motion->goal = motion->due;
        motion->part = 1;
    }
}

// ---- targets

static pli_status set_target(pli_pins* pins, int i, const pli_step* step, double part,
                             pli_error* error) {
    pli_pin* pin = &pins->pins[i];
    const pli_motion* motion = &pins->motions[pin->motion];
    const double* x_n = step->x_n + 3 * (size_t)pin->vertex;
    double offset[3], d[3], time = time_of(motion, step, part);
    find_offset(pins, i, time, part * step->h, offset, &pin->next);
    if (!isfinite(offset[0] + offset[1] + offset[2]))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "prescribed motion: at t = %g s the offset of the vertex that started at "
                        "(%g, %g, %g) is (%g, %g, %g)",
                        time, pin->start[0], pin->start[1], pin->start[2], offset[0], offset[1],
                        offset[2]);
    double own = motion->part;
    bool straight = own < 1 && (!motion->clocked || own == 0);
    for (int c = 0; c < 3; ++c) pin->end[c] = pin->start[c] + offset[c];
    for (int c = 0; c < 3 && straight; ++c) pin->end[c] = x_n[c] + own * (pin->end[c] - x_n[c]);
    for (int c = 0; c < 3; ++c)
        pin->target[c] =
            step->share == 1 ? pin->end[c] : x_n[c] + step->share * (pin->end[c] - x_n[c]);
    pli_sub(pin->end, pin->last, d, 3);
    mask(motion, d);
    pin->way = pli_norm(d, 3);
    return PLI_OK;
}

pli_status pli_pins_aim(pli_pins* pins, const pli_step* step, double from, double part,
                        pli_error* error) {
    pins->stage[0] = from;
    pins->stage[1] = part;
    for (int i = 0; i < pins->motion_count; ++i) {
        pins->motions[i].farthest = 0;
        pins->motions[i].poor = 0;
    }
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        const double* x_n = step->x_n + 3 * (size_t)pin->vertex;
        memcpy(pin->base, from > 0 ? pin->target : x_n, sizeof pin->base);
        PLI_TRY(set_target(pins, i, step, part, error));
        pin->arrived = false;
    }
    return PLI_OK;
}

// ---- stages

// How far the path of a pin turns in the step [rad], seen through the chords between samples.
static double turn_of(const pli_pins* pins, int pin, const pli_step* step) {
    enum { SAMPLES = 8 };
    double last[3] = {0}, chord[3] = {0}, turn = 0, gone;
    for (int i = 0; i <= SAMPLES; ++i) {
        double offset[3], way[3], part = (double)i / SAMPLES;
        double time = time_of(&pins->motions[pins->pins[pin].motion], step, part);
        find_offset(pins, pin, time, part * step->h, offset, &gone);
        pli_sub(offset, last, way, 3);
        double product = pli_norm(way, 3) * pli_norm(chord, 3);
        if (i > 1 && product > 0)
            turn += pli_acos(fmax(-1, fmin(1, pli_dot(way, chord, 3) / product)));
        if (i > 0 && pli_norm(way, 3) > 0) memcpy(chord, way, sizeof chord);
        memcpy(last, offset, sizeof last);
    }
    return turn * SAMPLES / (SAMPLES - 1); // there is a chord more than there are angles
}

int pli_pins_stages(const pli_pins* pins, const pli_step* step) {
    static const double eighth_turn = 0.7853981633974483;
    enum { MOST = 32 };
    double turn = 0;
    for (int i = 0; i < pins->count; ++i) {
        const pli_motion* motion = &pins->motions[pins->pins[i].motion];
        bool straight = motion->part < 1 && !motion->clocked;
        if (has_path(motion) && !straight) turn = fmax(turn, turn_of(pins, i, step));
    }
    return turn < MOST * eighth_turn ? pli_max_int(1, (int)ceil(turn / eighth_turn - 1e-9)) : MOST;
}

// Does a motion that was held back now go the other way?
static bool turns_back(const pli_pins* pins, int m, const pli_step* step) {
    const pli_motion* motion = &pins->motions[m];
    if (motion->first >= pins->count || pins->pins[motion->first].motion != m)
        return false; // it moves nothing
    const pli_pin* pin = &pins->pins[motion->first];
    double offset[3], way[3], gone;
    find_offset(pins, motion->first, step->time, step->h, offset, &gone);
    for (int c = 0; c < 3; ++c)
        way[c] = pin->start[c] + offset[c] - step->x_n[3 * (size_t)pin->vertex + (size_t)c];
    mask(motion, way);
    return pli_dot(way, motion->held, pins->dim) <= 0;
}

static pli_status pins_begin_step(void* self, const pli_step* step, pli_error* error) {
    pli_pins* pins = self;
    pins->inertia = step->inertia;
    for (int i = 0; i < pins->motion_count; ++i) {
        pli_motion* motion = &pins->motions[i];
        motion->stiffness = motion->kept;
        bool back = motion->late == 0 && motion->next_part < 1 && turns_back(pins, i, step);
        motion->part = back ? 1 : motion->next_part;
        set_clock(pins, i, step);
    }
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        const double* x_n = step->x_n + 3 * (size_t)pin->vertex;
        memcpy(pin->last, pin->end, sizeof pin->last);
        memcpy(pin->from, pin->moved ? pin->was.place : x_n, sizeof pin->from);
        if (!pin->moved) pli_pin_bend(pins, i, step->time - step->h, step->h, pin->bend);
    }
    return pli_pins_aim(pins, step, 0, 1, error);
}

static int pins_count(const void* self) { return ((const pli_pins*)self)->count; }

static const int32_t* pins_vertices(const void* self) { return ((const pli_pins*)self)->vertices; }

static void pins_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const pli_pins* pins = self;
    int dim = in->dim;
    for (int i = 0; i < in->count; ++i) {
        const pli_pin* pin = &pins->pins[first + i];
        const pli_motion* motion = &pins->motions[pin->motion];
        double k = motion->stiffness * pin->mass * pins->inertia, d[3];
        pli_sub(in->x + 3 * (size_t)pin->vertex, pin->target, d, dim);
        mask(motion, d);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * k * pli_dot(d, d, dim);
        if (in->want & PLI_GRADIENT) pli_axpy(k, d, out->g + i * dim, dim);
        if (in->want & PLI_HESSIAN)
            for (int c = 0; c < dim; ++c)
                out->H[i * dim * dim + c * (dim + 1)] += motion->free[c] ? 0 : k;
    }
}

pli_status pli_pins_term(pli_pins* pins, pli_term* term, pli_error* error) {
    static const pli_term_ops ops = {.name = "prescribed",
                                     .width = 1,
                                     .role = PLI_PULL,
                                     .count = pins_count,
                                     .vertices = pins_vertices,
                                     .eval = pins_eval,
                                     .begin_step = pins_begin_step};
    PLI_TRY(PLI_ALLOC(pins->memory, pins->vertices, pins->count, error));
    pins->vertices_count = pins->count;
    for (int i = 0; i < pins->count; ++i) pins->vertices[i] = pins->pins[i].vertex;
    *term = (pli_term){.ops = &ops, .self = pins};
    return PLI_OK;
}

static double remaining(const pli_pins* pins, const pli_pin* pin, const double* x) {
    double d[3];
    pli_sub(x + 3 * (size_t)pin->vertex, pin->target, d, pins->dim);
    mask(&pins->motions[pin->motion], d);
    return pli_norm(d, pins->dim);
}

// A pin must come near its target compared with the tolerance and with the way it has to go; nearer
// than its position can resolve is not asked for.
double pli_pin_arrival(const pli_pins* pins, const pli_pin* pin, double distance) {
    static const double partial = 1e-3; // what is never frozen must be held so much nearer
    double size = pli_norm(pin->target, pins->dim);
    if (pins->motions[pin->motion].partial) distance *= partial;
    if (pin->way > 1e-9 * size) distance = fmin(distance, 1e-3 * pin->way);
    return fmax(distance, 8 * DBL_EPSILON * size);
}

int pli_pins_arrive(pli_pins* pins, const double* x, double distance) {
    int missing = 0;
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        if (!pin->arrived || pins->motions[pin->motion].partial) // which may have left again
            pin->arrived = remaining(pins, pin, x) <= pli_pin_arrival(pins, pin, distance);
        missing += !pin->arrived;
    }
    return missing;
}

bool pli_pins_all_arrived(const pli_pins* pins) {
    for (int i = 0; i < pins->count; ++i)
        if (!pins->pins[i].arrived) return false;
    return true;
}

// Against elastic forces what remains is proportional to 1/k, once k is large enough. If k grew
// three times in a row and less than a third of the way was gained each time, a barrier is in the
// way, and pulling on would only squeeze it.
bool pli_pins_stiffen(pli_pins* pins, const double* x, double distance) {
    bool stiffer = false;
    for (int m = 0; m < pins->motion_count; ++m) {
        pli_motion* motion = &pins->motions[m];
        double farthest = 0, excess = 0; // in units of what is asked for
        for (int i = 0; i < pins->count; ++i) {
            const pli_pin* pin = &pins->pins[i];
            if (pin->motion != m || pin->arrived) continue;
            double left = remaining(pins, pin, x);
            farthest = fmax(farthest, left);
            excess = fmax(excess, left / pli_pin_arrival(pins, pin, distance));
        }
        bool helped = motion->farthest == 0 || farthest < 0.67 * motion->farthest;
        motion->poor = helped ? 0 : motion->poor + 1;
        if (farthest == 0 || motion->poor == 3 || motion->stiffness >= MAX_STIFFNESS) continue;
        double growth = fmax(2, fmin(helped ? 100 : 10, 2 * excess));
        motion->farthest = farthest;
        motion->stiffness = fmin(MAX_STIFFNESS, motion->stiffness * growth);
        stiffer = true;
    }
    return stiffer;
}

// How far pin i has come on the straight way from a place to its target, 1 being all of it.
static double progress(const pli_pins* pins, int i, const double* from, const double* x) {
    const pli_pin* pin = &pins->pins[i];
    double way[3], come[3];
    pli_sub(pin->target, from, way, pins->dim);
    mask(&pins->motions[pin->motion], way);
    pli_sub(x + 3 * (size_t)pin->vertex, from, come, pins->dim);
    double square = pli_dot(way, way, pins->dim);
    return square > 0 ? pli_dot(come, way, pins->dim) / square : 1;
}

void pli_pins_hold_back(pli_pins* pins, const pli_step* step, const double* x, bool stay) {
    static const double room = 0.8;    // that it can come so far again without being pressed
    static const double little = 0.01; // less than that of its way is not worth a try
    for (int m = 0; m < pins->motion_count; ++m) {
        pli_motion* motion = &pins->motions[m];
        double least = 1, least_of_stage = 1;
        bool blocked = false;
        for (int i = 0; i < pins->count; ++i) {
            const pli_pin* pin = &pins->pins[i];
            if (pin->motion != m) continue;
            blocked = blocked || !pin->arrived;
            least = fmin(least, progress(pins, i, step->x_n + 3 * (size_t)pin->vertex, x));
            least_of_stage = fmin(least_of_stage, progress(pins, i, pin->base, x));
        }
        if (!blocked) continue;
        motion->clocked = motion->clocked || pins_differ(pins, m, step);
        if (motion->clocked) // of its time
            least = pins->stage[0] + least_of_stage * (pins->stage[1] - pins->stage[0]);
        const pli_pin* lead = &pins->pins[motion->first];
        pli_sub(lead->target, step->x_n + 3 * (size_t)lead->vertex, motion->held, 3);
        mask(motion, motion->held);
        motion->part *= room * least;
        if (stay || motion->part < little) motion->part = 0;
        motion->stiffness = motion->given;
    }
}

// ---- velocity and acceleration

void pli_pin_bend(const pli_pins* pins, int i, double time, double h, double bend[3]) {
    double at[3][3], gone;
    for (int k = 0; k < 3; ++k) find_offset(pins, i, time + 0.5 * k * h, 0.5 * k * h, at[k], &gone);
    for (int c = 0; c < 3; ++c)
        bend[c] = 4 * ((at[2][c] - at[1][c]) - (at[1][c] - at[0][c])) / (h * h);
}

// The two mean velocities before the present step, whose own is `mean`, with the sizes of these
// steps: what is not known goes on as the path bends.
static void find_past(const pli_pins* pins, const pli_pin* pin, double h, const double* mean,
                      double rate[2][3], double size[2]) {
    bool bent = pins->motions[pin->motion].part == 1;
    for (int c = 0; c < 3; ++c) {
        double change = bent ? h * pin->bend[c] : 0;
        rate[0][c] = pin->moved ? pin->was.rate[c] : mean[c] - change;
        rate[1][c] = pin->moved ? pin->was.older[c] : mean[c] - 2 * change;
    }
    for (int k = 0; k < 2; ++k) size[k] = pin->moved ? pins->size[k] : h;
}

// The polynomial of degree 3 through the last four places has the divided differences mean, second
// and third; the velocity leaves the last one out.
void pli_pin_find_rates(const pli_pins* pins, int i, double h, const double* end, const double* v_n,
                        pli_pin_rates* out) {
    const pli_pin* pin = &pins->pins[i];
    double rate[2][3], size[2];
    *out = (pli_pin_rates){0};
    for (int c = 0; c < pins->dim; ++c) out->mean[c] = (end[c] - pin->from[c]) / h;
    find_past(pins, pin, h, out->mean, rate, size);
    for (int c = 0; c < pins->dim; ++c) {
        double second = (out->mean[c] - rate[0][c]) / (h + size[0]);
        double before = (rate[0][c] - rate[1][c]) / (size[0] + size[1]);
        double third = (second - before) / (h + size[0] + size[1]);
        out->velocity[c] = out->mean[c] + h * second;
        out->acceleration[c] = 2 * second + 2 * (2 * h + size[0]) * third;
        if (!pin->moved) out->jump[c] = (out->mean[c] - h * second - v_n[c]) / h;
    }
}

const double* pli_pin_place(const pli_pins* pins, int i, const double* x) {
    return pins->pins[i].arrived ? pins->pins[i].end : x;
}

static void note_places(pli_pins* pins, double h, const double* x) {
    double rate[2][3], size[2] = {0};
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        const double* place = pli_pin_place(pins, i, x + 3 * (size_t)pin->vertex);
        double mean[3];
        for (int c = 0; c < 3; ++c) mean[c] = (place[c] - pin->from[c]) / h;
        find_past(pins, pin, h, mean, rate, size);
        memcpy(pin->was.place, place, sizeof pin->was.place);
        memcpy(pin->was.older, rate[0], sizeof pin->was.older);
        memcpy(pin->was.rate, mean, sizeof pin->was.rate);
        pin->moved = true;
    }
    pins->size[1] = size[0];
    pins->size[0] = h;
}

void pli_pins_commit(pli_pins* pins, double h, const double* x) {
    note_places(pins, h, x);
    for (int m = 0; m < pins->motion_count; ++m) {
        pli_motion* motion = &pins->motions[m];
        bool blocked = false;
        double speed = pli_norm(motion->velocity, 3);
        for (int i = 0; i < pins->count; ++i) {
            pli_pin* pin = &pins->pins[i];
            if (pin->motion != m) continue;
            double come[3];
            pli_sub(x + 3 * (size_t)pin->vertex, pin->start, come, 3);
            blocked = blocked || !pin->arrived || motion->part < 1;
            if (pin->arrived && motion->part == 1)
                pin->gone = pin->next;
            else if (speed > 0)
                pin->gone = fmax(0, pli_dot(come, motion->velocity, 3) / speed);
        }
        motion->kept = blocked ? motion->given : motion->stiffness;
        motion->next_part = fmin(1, fmax(0.02, 2 * motion->part)); // free again, it speeds up again
        double part = motion->part, reached = part == 1 ? motion->goal : motion->begin;
        if (part < 1) reached += part * (motion->goal - motion->begin);
        motion->late = motion->clocked ? fmax(0, motion->due - reached) : 0;
    }
}

bool pli_pin_is_behind(const pli_pins* pins, int i) {
    return pins->motions[pins->pins[i].motion].part < 1 || !pins->pins[i].arrived;
}

int pli_pins_behind(const pli_pins* pins) {
    int count = 0;
    for (int i = 0; i < pins->count; ++i) count += pins->motions[pins->pins[i].motion].part < 1;
    return count;
}

void pli_pins_move(pli_pins* pins, const double* x) {
    for (int i = 0; i < pins->motion_count; ++i) {
        pins->motions[i].next_part = 1;
        pins->motions[i].late = 0;
    }
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        const double* velocity = pins->motions[pin->motion].velocity;
        double come[3], speed = pli_norm(velocity, 3);
        pli_sub(x + 3 * (size_t)pin->vertex, pin->start, come, 3);
        pin->gone = speed > 0 ? fmax(0, pli_dot(come, velocity, 3) / speed) : 0;
        memcpy(pin->end, x + 3 * (size_t)pin->vertex, sizeof pin->end);
        pin->moved = false;
    }
}

uint64_t pli_motion_hash(const pli_motion* motion, uint64_t hash) {
    if (motion->key_count == 0) return hash;
    hash = pli_hash(hash, motion->times, sizeof(double) * (size_t)motion->key_count);
    return pli_hash(hash, motion->offsets, sizeof(double) * offset_count(motion));
}

void pli_pins_write(const pli_pins* pins, pli_pack* out) {
    pli_pack_int(out, pins->motion_count);
    pli_pack_int(out, pins->count);
    for (int i = 0; i < pins->motion_count; ++i) {
        const pli_motion* motion = &pins->motions[i];
        pli_pack_numbers(out, (double[3]){motion->kept, motion->part, motion->next_part}, 3);
        pli_pack_numbers(out, motion->held, 3);
    }
    for (int i = 0; i < pins->count; ++i) {
        const pli_pin* pin = &pins->pins[i];
        pli_pack_int(out, pin->moved | pin->arrived << 1);
        pli_pack_number(out, pin->gone);
        pli_pack_numbers(out, pin->end, 3);
        pli_pack_numbers(out, pin->was.place, 3);
        pli_pack_numbers(out, pin->was.rate, 3);
        pli_pack_numbers(out, pin->was.older, 3);
    }
    pli_pack_numbers(out, pins->size, 2);
    for (int i = 0; i < pins->motion_count; ++i) pli_pack_number(out, pins->motions[i].late);
}

void pli_pins_read(pli_pins* pins, int version, pli_unpack* in) {
    (void)pli_unpack_int(in, pins->motion_count, pins->motion_count, "motions");
    (void)pli_unpack_int(in, pins->count, pins->count, "prescribed vertices");
    for (int i = 0; i < pins->motion_count && pli_unpack_good(in); ++i) {
        pli_motion* motion = &pins->motions[i];
        double kept = pli_unpack_number(in, 0, MAX_STIFFNESS, "stiffness of a motion");
        double part = pli_unpack_number(in, 0, 1, "part of the way");
        double next = pli_unpack_number(in, 0, 1, "next part of the way");
        pli_unpack_numbers(in, motion->held, 3, "place");
        if (!in->apply) continue;
        motion->kept = motion->stiffness = kept;
        motion->part = part;
        motion->next_part = next;
    }
    for (int i = 0; i < pins->count && pli_unpack_good(in); ++i) {
        pli_pin* pin = &pins->pins[i];
        int flags = pli_unpack_int(in, 0, 3, "marks of a prescribed vertex");
        double gone = pli_unpack_number(in, 0, DBL_MAX, "way");
        pli_unpack_numbers(in, pin->end, 3, "place");
        if (version > 1) pli_unpack_numbers(in, pin->was.place, 3, "place");
        pli_unpack_numbers(in, pin->was.rate, 3, "velocity");
        pli_unpack_numbers(in, pin->was.older, 3, "velocity");
        if (!in->apply) continue;
        pin->moved = flags & 1 && version > 1;
        pin->arrived = flags >> 1;
        pin->gone = gone;
    }
    if (version > 1) {
        double newest = pli_unpack_number(in, 0, DBL_MAX, "size of a step");
        double older = pli_unpack_number(in, 0, DBL_MAX, "size of a step");
        for (int i = 0; i < pins->count && in->apply && !(newest > 0 && older > 0); ++i)
            pins->pins[i].moved = false;
        if (in->apply) pins->size[0] = newest;
        if (in->apply) pins->size[1] = older;
    }
    for (int i = 0; i < pins->motion_count && pli_unpack_good(in); ++i) {
        double late = version > 2 ? pli_unpack_number(in, 0, DBL_MAX, "delay of a motion") : 0;
        if (in->apply) pins->motions[i].late = has_path(&pins->motions[i]) ? late : 0;
    }
}
