// Prescribed motion: velocities and accelerations of pins, as differences of their positions. See
// prescribe.h.
#include "dynamics/prescribe.h"

#include "math/vec.h"

#include <string.h>

// The prediction of a pin may miss its target by this fraction of its path.
static const double STEADY = 0.1;

// At the end of a step.
typedef struct pin_rates {
    double mean[3];         // velocity over the step [m/s]
    double velocity[3];     // [m/s]
    double acceleration[3]; // [m/s^2]
    double jump[3];         // acceleration over the step from a different velocity [m/s^2]
} pin_rates;

// The two mean velocities before the present step, whose own is `mean`, with the sizes of these
// steps. If unknown, they follow from the second derivative of the path.
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

// Rates of pin i in a step of size h to `end` (3), by differences of its last positions over steps
// of any size, with an error of order 2; v_n is its velocity at the start of the step. In its first
// step no earlier positions are known: the path itself gives the curvature, and a v_n that does not
// match it is a jump.
//
// The polynomial of degree 3 through the last four positions has the divided differences mean,
// second and third; the velocity omits the last one.
static void find_rates(const pli_pins* pins, int i, double h, const double* end, const double* v_n,
                       pin_rates* out) {
    const pli_pin* pin = &pins->pins[i];
    double rate[2][3], size[2];
    *out = (pin_rates){0};
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

// The position of pin i used for rates, if it is at x: its target, if it has arrived.
static const double* place_of(const pli_pins* pins, int i, const double* x) {
    return pins->pins[i].arrived ? pins->pins[i].end : x;
}

// ---- implicit schemes

// Rates of pin i if it ends at `end`, and its acceleration `a` where the scheme balances forces.
static pin_rates scheme_rates(const pli_pins* pins, int i, const pli_drive* drive,
                              const double* end, double* a) {
    const double* v_n = drive->v_n + pli_pin_unknown(pins, drive->kinematics, i);
    pin_rates rates;
    find_rates(pins, i, drive->h, end, v_n, &rates);
    for (int c = 0; c < pins->dim; ++c)
        a[c] = drive->mean ? (rates.velocity[c] - v_n[c]) / drive->h
                           : rates.acceleration[c] + rates.jump[c];
    return rates;
}

void pli_pins_aim(void* self, const pli_drive* drive, pli_aim* aim) {
    pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        int at = pli_pin_unknown(pins, drive->kinematics, i);
        pin_rates rates = scheme_rates(pins, i, drive, pin->end, pin->aimed);
        const double* v = drive->mean ? rates.mean : rates.velocity;
        for (int c = 0; c < pins->dim; ++c) {
            double moved = pin->aimed[c] / aim->inertia;
            aim->q_hat[at + c] = pin->target[c] - moved;
            aim->v_base[at + c] = v[c] - aim->rate * moved;
        }
    }
}

void pli_pins_finish(const void* self, const pli_drive* drive, const double* q, double* v,
                     double* a) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        int at = pli_pin_unknown(pins, drive->kinematics, i);
        pin_rates rates = scheme_rates(pins, i, drive, place_of(pins, i, q + at), a + at);
        pli_copy(rates.velocity, v + at, pins->dim);
    }
}

bool pli_pins_predict(const void* self, const pli_kinematics* k, double* q) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        const pli_pin* pin = &pins->pins[i];
        const bool* free = pins->motions[pin->motion].free;
        double* at = q + pli_pin_unknown(pins, k, i);
        for (int c = 0; c < pins->dim; ++c) {
            if (free[c]) continue;
            if (fabs(pin->target[c] - at[c]) > STEADY * pin->way) return false;
            at[c] = pin->target[c];
        }
    }
    return true;
}

// ---- explicit schemes

void pli_pins_bend(void* self, double time, double h) {
    pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) pli_pin_bend(pins, i, time, h, pins->pins[i].aimed);
}

// For pin i, which moves to its target: `aimed` takes it from one velocity to the next, constant
// over the step.
static void guide(pli_pins* pins, int i, double h, const double* v_n, pin_rates* rates) {
    pli_pin* pin = &pins->pins[i];
    find_rates(pins, i, h, pin->target, v_n, rates);
    for (int c = 0; c < pins->dim; ++c) pin->aimed[c] = (rates->velocity[c] - v_n[c]) / h;
}

void pli_pins_guide(void* self, const pli_drive* drive) {
    pli_pins* pins = self;
    pin_rates rates;
    for (int i = 0; i < pins->count; ++i)
        guide(pins, i, drive->h, drive->v_n + pli_pin_unknown(pins, drive->kinematics, i), &rates);
}

void pli_pins_place(void* self, const pli_drive* drive, double* q, double* v) {
    pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        int at = pli_pin_unknown(pins, drive->kinematics, i);
        pin_rates rates;
        guide(pins, i, drive->h, drive->v_n + at, &rates);
        pli_copy(pin->target, q + at, pins->dim);
        pli_copy(rates.velocity, v + at, pins->dim);
        for (int c = 0; c < pins->dim; ++c) pin->aimed[c] = rates.acceleration[c] + rates.jump[c];
    }
}

void pli_pins_accelerate(const void* self, const pli_kinematics* k, double* a) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i)
        pli_copy(pins->pins[i].aimed, a + pli_pin_unknown(pins, k, i), k->dim);
}

// ---- the end of a step

static void note_places(pli_pins* pins, double h, const double* x) {
    double rate[2][3], size[2] = {0};
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        const double* place = place_of(pins, i, x + 3 * (size_t)pin->vertex);
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

void pli_pins_commit(void* self, double h, const double* x) {
    pli_pins* pins = self;
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
                pin->traveled = pin->next;
            else if (speed > 0)
                pin->traveled = fmax(0, pli_dot(come, motion->velocity, 3) / speed);
        }
        motion->kept = blocked ? motion->given : motion->stiffness;
        motion->next_part =
            fmin(1, fmax(0.02, 2 * motion->part)); // it speeds up again when it is free
        double part = motion->part, reached = part == 1 ? motion->goal : motion->begin;
        if (part < 1) reached += part * (motion->goal - motion->begin);
        motion->delay = motion->clocked ? fmax(0, motion->due - reached) : 0;
    }
}
