// Prescribed motion on unknowns: what the rest of the world asks of pins. A vertex with a
// prescribed motion moves freely as far as kinematics knows, so it has a group of dim unknowns of
// its own.
#include "dynamics/prescribe.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

static int group_of(const pli_pins* pins, const pli_kinematics* k, int i) {
    return k->vertices[pins->pins[i].vertex].identity_group;
}

static int unknown_of(const pli_pins* pins, const pli_kinematics* k, int i) {
    return k->group_offset[group_of(pins, k, i)];
}

bool pli_pins_partial(const pli_pins* pins) {
    for (int m = 0; m < pins->motion_count; ++m)
        if (pins->motions[m].partial) return true;
    return false;
}

uint64_t pli_pins_hash(const pli_pins* pins, int first, int end, uint64_t hash) {
    for (int m = 0; m < pins->motion_count; ++m) {
        int pin = pins->motions[m].first;
        if (pin >= pins->count) continue;
        int vertex = pins->pins[pin].vertex;
        if (vertex >= first && vertex < end) hash = pli_motion_hash(&pins->motions[m], hash);
    }
    return hash;
}

// ---- identity rows

void pli_pins_hold(const pli_pins* pins, const pli_kinematics* k, bool all, uint8_t* frozen) {
    for (int i = 0; i < pins->count; ++i) {
        const pli_pin* pin = &pins->pins[i];
        frozen[group_of(pins, k, i)] = all || (pin->arrived && !pins->motions[pin->motion].partial);
    }
}

void pli_pins_clear(const pli_pins* pins, const pli_kinematics* k, double* values) {
    for (int i = 0; i < pins->count; ++i)
        memset(values + unknown_of(pins, k, i), 0, sizeof *values * (size_t)k->dim);
}

void pli_pins_fill_mass(const pli_pins* pins, const pli_kinematics* k, double* diagonal) {
    for (int i = 0; i < pins->count; ++i) {
        double* at = diagonal + unknown_of(pins, k, i);
        for (int c = 0; c < k->dim && at[c] == 0; ++c) at[c] = pins->pins[i].mass;
    }
}

double pli_pin_lack(const pli_pins* pins, int i, double distance) {
    const pli_pin* pin = &pins->pins[i];
    return pin->arrived ? HUGE_VAL : pli_pin_arrival(pins, pin, distance);
}

// ---- forces

void pli_pin_reaction(const pli_pins* pins, int i, const double* x, double* force) {
    const pli_pin* pin = &pins->pins[i];
    const pli_motion* motion = &pins->motions[pin->motion];
    double k = motion->stiffness * pin->mass * pins->inertia;
    for (int c = 0; c < pins->dim; ++c)
        force[c] = motion->free[c] ? 0 : force[c] - k * (x[c] - pin->target[c]);
}

double pli_pins_take_work(const pli_pins* pins, const pli_kinematics* k, const double* dq,
                          double* g) {
    double work = 0;
    for (int i = 0; i < pins->count; ++i) {
        int at = unknown_of(pins, k, i);
        const bool* free = pins->motions[pins->pins[i].motion].free;
        for (int c = 0; c < k->dim; ++c) {
            if (free[c]) continue;
            work += g[at + c] * dq[at + c];
            g[at + c] = 0;
        }
    }
    return work;
}

void pli_pins_add_work(const pli_pins* pins, const pli_kinematics* k, double factor,
                       const double* g, const double* dq, double* work) {
    for (int i = 0; i < pins->count; ++i) {
        int at = unknown_of(pins, k, i);
        *work += factor * pli_dot(g + at, dq + at, k->dim);
    }
}

// ---- rates

void pli_pins_bend(pli_pins* pins, double time, double h) {
    for (int i = 0; i < pins->count; ++i) pli_pin_bend(pins, i, time, h, pins->pins[i].aimed);
}

// Of pin i, which goes to its target: `aimed` takes it evenly from one velocity to the next.
static void guide(pli_pins* pins, int i, double h, const double* v_n, pli_pin_rates* rates) {
    pli_pin* pin = &pins->pins[i];
    pli_pin_find_rates(pins, i, h, pin->target, v_n, rates);
    for (int c = 0; c < pins->dim; ++c) pin->aimed[c] = (rates->velocity[c] - v_n[c]) / h;
}

void pli_pins_guide(pli_pins* pins, const pli_kinematics* k, double h, const double* v_n) {
    pli_pin_rates rates;
    for (int i = 0; i < pins->count; ++i) guide(pins, i, h, v_n + unknown_of(pins, k, i), &rates);
}

void pli_pins_place(pli_pins* pins, const pli_kinematics* k, double h, const double* v_n, double* q,
                    double* v) {
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        int at = unknown_of(pins, k, i);
        pli_pin_rates rates;
        guide(pins, i, h, v_n + at, &rates);
        pli_copy(pin->target, q + at, k->dim);
        pli_copy(rates.velocity, v + at, k->dim);
        for (int c = 0; c < k->dim; ++c) pin->aimed[c] = rates.acceleration[c] + rates.jump[c];
    }
}

void pli_pins_accelerate(const pli_pins* pins, const pli_kinematics* k, double* a) {
    for (int i = 0; i < pins->count; ++i)
        pli_copy(pins->pins[i].aimed, a + unknown_of(pins, k, i), k->dim);
}

void pli_pins_accelerate_vertices(const pli_pins* pins, double* a) {
    for (int i = 0; i < pins->count; ++i)
        pli_copy(pins->pins[i].aimed, a + 3 * (size_t)pins->pins[i].vertex, pins->dim);
}
