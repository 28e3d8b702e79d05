// Prescribed motion: paths, targets, and blocked pins. See prescribe.h.
#include "dynamics/prescribe.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

// Linear between keys, constant before the first and after the last. `slot`: index of the offset
// within a key.
static void key_offset(const pli_motion* motion, int slot, double time, double out[3]) {
    int last = motion->key_count - 1, i = 0, high = last;
    while (i < high) { // the last key not after `time`, or the first
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

// Offset from the start at a time. By velocity: along its line, continued from the traveled
// distance (so that a blocked pin does not rush afterwards, and errors of single steps do not add
// up), `since` the start of the step, at most `travel`; *traveled is that distance.
static void find_offset(const pli_pins* pins, int i, double time, double since, double offset[3],
                        double* traveled) {
    const pli_pin* pin = &pins->pins[i];
    const pli_motion* motion = &pins->motions[pin->motion];
    offset[0] = offset[1] = offset[2] = 0;
    *traveled = pin->traveled;
    if (motion->field) {
        motion->field(motion->context, time, pin->start, offset);
    } else if (motion->key_count > 0) {
        key_offset(motion, motion->width > 1 ? i - motion->first : 0, time, offset);
    } else {
        double speed = pli_norm(motion->velocity, 3);
        *traveled = fmax(pin->traveled, fmin(motion->travel, pin->traveled + since * speed));
        if (speed > 0) pli_axpy(*traveled / speed, motion->velocity, offset, 3);
    }
    pli_motion_mask(motion, offset);
}

void pli_pin_bend(const pli_pins* pins, int i, double time, double h, double bend[3]) {
    double at[3][3], traveled;
    for (int k = 0; k < 3; ++k)
        find_offset(pins, i, time + 0.5 * k * h, 0.5 * k * h, at[k], &traveled);
    for (int c = 0; c < 3; ++c)
        bend[c] = 4 * ((at[2][c] - at[1][c]) - (at[1][c] - at[0][c])) / (h * h);
}

// ---- clocks

double pli_motion_time(const pli_motion* motion, const pli_step* step, double part) {
    if (!motion->clocked) return step->time - (1 - part) * step->h;
    part *= motion->part;
    return part == 1 ? motion->goal : motion->begin + part * (motion->goal - motion->begin);
}

static int end_of(const pli_pins* pins, int m) {
    int i = pins->motions[m].first;
    while (i < pins->count && pins->pins[i].motion == m) ++i;
    return i;
}

// True if the pins of a motion move in different directions.
static bool pins_differ(const pli_pins* pins, int m, const pli_step* step) {
    const pli_motion* motion = &pins->motions[m];
    if (!pli_motion_has_path(motion) || (!motion->field && motion->width == 1)) return false;
    int end = end_of(pins, m);
    for (int k = 0; k < 3; ++k) {
        double first[3], offset[3], time = step->time - 0.5 * k * step->h, traveled;
        if (motion->first < end) find_offset(pins, motion->first, time, 0, first, &traveled);
        for (int i = motion->first + 1; i < end; ++i) {
            find_offset(pins, i, time, 0, offset, &traveled);
            if (memcmp(first, offset, sizeof first) != 0) return true;
        }
    }
    return false;
}

// The largest distance of pins of motion m from x_n, or from their path at the time *from, to their
// path at `time`. A sample of the pins is enough, because they move together.
static double distance_at(const pli_pins* pins, int m, const pli_step* step, double time,
                          const double* from) {
    enum { SOME = 64 };
    int first = pins->motions[m].first, end = end_of(pins, m), stride = (end - first) / SOME + 1;
    double most = 0, traveled;
    for (int i = first; i < end; i += stride) {
        const pli_pin* pin = &pins->pins[i];
        double offset[3], other[3];
        find_offset(pins, i, time, 0, offset, &traveled);
        if (from)
            find_offset(pins, i, *from, 0, other, &traveled);
        else
            pli_sub(step->x_n + 3 * (size_t)pin->vertex, pin->start, other, 3);
        pli_sub(offset, other, other, 3);
        pli_motion_mask(&pins->motions[m], other);
        most = fmax(most, pli_norm(other, pins->dim));
    }
    return most;
}

// Does the path of a delayed motion return to its position within the present step? *time: when.
static bool comes_back(const pli_pins* pins, int m, const pli_step* step, double* time) {
    enum { SAMPLES = 16, DIVISIONS = 16 };
    static const double near = 0.02; // fraction of the path of the step
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
    motion->begin = start - motion->delay;
    motion->goal = fmin(motion->due, motion->begin + 2 * step->h);
    motion->clocked = motion->delay > 0 || (motion->part < 1 && pins_differ(pins, m, step));
    double time;
    if (motion->delay > 0 && comes_back(pins, m, step, &time)) {
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
    double offset[3], d[3], time = pli_motion_time(motion, step, part);
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
    pli_motion_mask(motion, d);
    pin->way = pli_norm(d, 3);
    return PLI_OK;
}

pli_status pli_pins_retarget(void* self, const pli_step* step, double from, double part,
                             pli_error* error) {
    pli_pins* pins = self;
    pins->stage[0] = from;
    pins->stage[1] = part;
    for (int i = 0; i < pins->motion_count; ++i) {
        pins->motions[i].farthest = 0;
        pins->motions[i].weak_growths = 0;
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

// The angle by which the path of a pin turns in the step [rad], from chords between samples.
static double turn_of(const pli_pins* pins, int pin, const pli_step* step) {
    enum { SAMPLES = 8 };
    double last[3] = {0}, chord[3] = {0}, turn = 0, traveled;
    for (int i = 0; i <= SAMPLES; ++i) {
        double offset[3], way[3], part = (double)i / SAMPLES;
        double time = pli_motion_time(&pins->motions[pins->pins[pin].motion], step, part);
        find_offset(pins, pin, time, part * step->h, offset, &traveled);
        pli_sub(offset, last, way, 3);
        double product = pli_norm(way, 3) * pli_norm(chord, 3);
        if (i > 1 && product > 0)
            turn += pli_acos(fmax(-1, fmin(1, pli_dot(way, chord, 3) / product)));
        if (i > 0 && pli_norm(way, 3) > 0) memcpy(chord, way, sizeof chord);
        memcpy(last, offset, sizeof last);
    }
    return turn * SAMPLES / (SAMPLES - 1); // there is one chord more than angles
}

int pli_pins_stages(const void* self, const pli_step* step) {
    const pli_pins* pins = self;
    static const double eighth_turn = 0.7853981633974483;
    enum { MOST = 32 };
    double turn = 0;
    for (int i = 0; i < pins->count; ++i) {
        const pli_motion* motion = &pins->motions[pins->pins[i].motion];
        bool straight = motion->part < 1 && !motion->clocked;
        if (pli_motion_has_path(motion) && !straight) turn = fmax(turn, turn_of(pins, i, step));
    }
    return turn < MOST * eighth_turn ? pli_max_int(1, (int)ceil(turn / eighth_turn - 1e-9)) : MOST;
}

// Does a blocked motion now move in the opposite direction?
static bool turns_back(const pli_pins* pins, int m, const pli_step* step) {
    const pli_motion* motion = &pins->motions[m];
    if (motion->first >= pins->count || pins->pins[motion->first].motion != m)
        return false; // it does not move
    const pli_pin* pin = &pins->pins[motion->first];
    double offset[3], way[3], traveled;
    find_offset(pins, motion->first, step->time, step->h, offset, &traveled);
    for (int c = 0; c < 3; ++c)
        way[c] = pin->start[c] + offset[c] - step->x_n[3 * (size_t)pin->vertex + (size_t)c];
    pli_motion_mask(motion, way);
    return pli_dot(way, motion->held, pins->dim) <= 0;
}

pli_status pli_pins_begin_step(void* self, const pli_step* step, pli_error* error) {
    pli_pins* pins = self;
    pins->inertia = step->inertia;
    for (int i = 0; i < pins->motion_count; ++i) {
        pli_motion* motion = &pins->motions[i];
        motion->stiffness = motion->kept;
        bool back = motion->delay == 0 && motion->next_part < 1 && turns_back(pins, i, step);
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
    return pli_pins_retarget(pins, step, 0, 1, error);
}

// ---- arrival

static double remaining(const pli_pins* pins, const pli_pin* pin, const double* x) {
    double d[3];
    pli_sub(x + 3 * (size_t)pin->vertex, pin->target, d, pins->dim);
    pli_motion_mask(&pins->motions[pin->motion], d);
    return pli_norm(d, pins->dim);
}

// Small relative to the tolerance and to the path of the pin in the step, but not below the
// rounding unit of its position.
static double arrival_distance(const pli_pins* pins, const pli_pin* pin, double distance) {
    static const double partial = 1e-3; // pins that are never frozen must be closer by this factor
    double size = pli_norm(pin->target, pins->dim);
    if (pins->motions[pin->motion].partial) distance *= partial;
    if (pin->way > 1e-9 * size) distance = fmin(distance, 1e-3 * pin->way);
    return fmax(distance, 8 * DBL_EPSILON * size);
}

int pli_pins_arrive(void* self, const double* x, double distance) {
    pli_pins* pins = self;
    int missing = 0;
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        if (!pin->arrived ||
            pins->motions[pin->motion].partial) // partial ones may have moved away again
            pin->arrived = remaining(pins, pin, x) <= arrival_distance(pins, pin, distance);
        missing += !pin->arrived;
    }
    return missing;
}

bool pli_pins_arrived(const void* self) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i)
        if (!pins->pins[i].arrived) return false;
    return true;
}

void pli_pins_weigh(const void* self, double correction, double distance, double* weight) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        const pli_pin* pin = &pins->pins[i];
        if (pin->arrived) continue;
        double* at = &weight[pin->vertex];
        *at = fmax(*at, correction / arrival_distance(pins, pin, distance));
    }
}

// Against elastic forces the remaining distance is proportional to 1/k, once k is large enough. If
// k grew three times in a row and the distance shrank by less than a third each time, a barrier
// blocks the pin, and a stiffer pull would only squeeze it.
bool pli_pins_stiffen(void* self, const double* x, double distance) {
    pli_pins* pins = self;
    bool stiffer = false;
    for (int m = 0; m < pins->motion_count; ++m) {
        pli_motion* motion = &pins->motions[m];
        double farthest = 0, excess = 0; // in units of the arrival distance
        for (int i = 0; i < pins->count; ++i) {
            const pli_pin* pin = &pins->pins[i];
            if (pin->motion != m || pin->arrived) continue;
            double left = remaining(pins, pin, x);
            farthest = fmax(farthest, left);
            excess = fmax(excess, left / arrival_distance(pins, pin, distance));
        }
        bool helped = motion->farthest == 0 || farthest < 0.67 * motion->farthest;
        motion->weak_growths = helped ? 0 : motion->weak_growths + 1;
        if (farthest == 0 || motion->weak_growths == 3 ||
            motion->stiffness >= PLI_PIN_MAX_STIFFNESS)
            continue;
        double growth = fmax(2, fmin(helped ? 100 : 10, 2 * excess));
        motion->farthest = farthest;
        motion->stiffness = fmin(PLI_PIN_MAX_STIFFNESS, motion->stiffness * growth);
        stiffer = true;
    }
    return stiffer;
}

// ---- blocked pins

// The fraction of the straight line from a position to its target that pin i has traveled, 1: all.
static double progress(const pli_pins* pins, int i, const double* from, const double* x) {
    const pli_pin* pin = &pins->pins[i];
    double way[3], come[3];
    pli_sub(pin->target, from, way, pins->dim);
    pli_motion_mask(&pins->motions[pin->motion], way);
    pli_sub(x + 3 * (size_t)pin->vertex, from, come, pins->dim);
    double square = pli_dot(way, way, pins->dim);
    return square > 0 ? pli_dot(come, way, pins->dim) / square : 1;
}

void pli_pins_retreat(void* self, const pli_step* step, const double* x, bool stay) {
    pli_pins* pins = self;
    static const double room = 0.8;    // margin to the obstacle
    static const double little = 0.01; // a smaller fraction of its path is not tried
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
        if (motion->clocked) // fraction of its time
            least = pins->stage[0] + least_of_stage * (pins->stage[1] - pins->stage[0]);
        const pli_pin* lead = &pins->pins[motion->first];
        pli_sub(lead->target, step->x_n + 3 * (size_t)lead->vertex, motion->held, 3);
        pli_motion_mask(motion, motion->held);
        motion->part *= room * least;
        if (stay || motion->part < little) motion->part = 0;
        motion->stiffness = motion->given;
    }
}

int pli_pins_behind(const void* self) {
    const pli_pins* pins = self;
    int count = 0;
    for (int i = 0; i < pins->count; ++i) count += pins->motions[pins->pins[i].motion].part < 1;
    return count;
}

void pli_pins_mark_behind(const void* self, uint8_t* behind) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        const pli_pin* pin = &pins->pins[i];
        behind[pin->vertex] = pins->motions[pin->motion].part < 1 || !pin->arrived;
    }
}
