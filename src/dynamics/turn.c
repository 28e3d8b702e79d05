// Nodes that follow prescribed motion: see turn.h.
#include "dynamics/turn.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <string.h>

void pli_turns_init(pli_turns* turns, pli_memory* memory, const pli_nodes* nodes,
                    const pli_pins* pins) {
    *turns = (pli_turns){.memory = memory, .nodes = nodes, .pins = pins};
}

void pli_turns_free(void* self) {
    pli_turns* turns = self;
    if (!turns->memory) return;
    PLI_FREE(turns->memory, turns->list, turns->capacity);
    PLI_FREE(turns->memory, turns->vertices, turns->capacity);
    turns->count = turns->capacity = 0;
}

// ---- set-up

static int pin_of(const pli_pins* pins, int32_t vertex) {
    for (int i = 0; i < pins->count; ++i)
        if (pins->pins[i].vertex == vertex) return i;
    return -1;
}

// Only a field can turn an edge about itself, and only one that moves both ends along all axes.
static bool is_turned(const pli_pins* pins, const int at[2]) {
    if (at[0] < 0 || at[1] < 0 || pins->pins[at[0]].motion != pins->pins[at[1]].motion)
        return false;
    const pli_motion* motion = &pins->motions[pins->pins[at[0]].motion];
    return motion->field && !motion->partial;
}

// As far from the first end as the second one is, along the axis most normal to the edge.
static void set_beside(const pli_pins* pins, pli_turn* turn) {
    const double *a = pins->pins[turn->pins[0]].start, *b = pins->pins[turn->pins[1]].start;
    double t[3];
    int axis = 0;
    pli_sub(b, a, t, 3);
    for (int c = 1; c < 3; ++c)
        if (fabs(t[c]) < fabs(t[axis])) axis = c;
    pli_copy(a, turn->beside, 3);
    turn->beside[axis] += pli_norm(t, 3);
}

pli_status pli_turns_find(pli_turns* turns, pli_error* error) {
    const pli_nodes* nodes = turns->nodes;
    int count = 0;
    pli_turns_free(turns);
    for (int i = 0; i < nodes->count; ++i) count += nodes->list[i].def.follows;
    if (count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(turns->memory, turns->list, count, error));
    pli_status status = PLI_ALLOC(turns->memory, turns->vertices, count, error);
    turns->capacity = count;
    if (status != PLI_OK) {
        PLI_FREE(turns->memory, turns->list, count);
        turns->capacity = 0;
        return status;
    }
    for (int i = 0; i < nodes->count; ++i) {
        const pli_node* node = &nodes->list[i];
        if (!node->def.follows) continue;
        pli_turn turn = {.vertex = nodes->first + i,
                         .node = i,
                         .pins = {pin_of(turns->pins, node->key.vertices[0]),
                                  pin_of(turns->pins, node->key.vertices[1])}};
        if (is_turned(turns->pins, turn.pins))
            set_beside(turns->pins, &turn);
        else
            turn.pins[0] = turn.pins[1] = -1;
        turns->vertices[turns->count] = turn.vertex;
        turns->list[turns->count++] = turn;
    }
    return PLI_OK;
}

// ---- targets

static void place_at(const pli_motion* motion, double time, const double start[3], double out[3]) {
    double offset[3] = {0};
    motion->field(motion->context, time, start, offset);
    for (int c = 0; c < 3; ++c) out[c] = start[c] + offset[c];
}

// Tangent of the edge and a unit vector normal to it, which the motion carries. False: it has none.
static bool frame_at(const pli_turns* turns, const pli_turn* turn, double time, double t[3],
                     double u[3]) {
    const pli_pin* pins = turns->pins->pins;
    const pli_motion* motion = &turns->pins->motions[pins[turn->pins[0]].motion];
    double a[3], b[3], beside[3];
    place_at(motion, time, pins[turn->pins[0]].start, a);
    place_at(motion, time, pins[turn->pins[1]].start, b);
    place_at(motion, time, turn->beside, beside);
    pli_sub(b, a, t, 3);
    pli_sub(beside, a, u, 3);
    double length = pli_norm(t, 3);
    for (int c = 0; c < 3; ++c) t[c] /= length;
    pli_axpy(-pli_dot(t, u, 3), t, u, 3);
    double across = pli_norm(u, 3);
    for (int c = 0; c < 3; ++c) u[c] /= across;
    return length > 0 && across > 0 && isfinite(length) && isfinite(across);
}

// The angle about `to` from the director u, transported from `from` to `to`, to the director `now`.
static double angle_between(const double* from, const double* to, const double* u,
                            const double* now) {
    double near = 1 + pli_dot(from, to, 3), moved[3], cross[3];
    double s = near > 0 ? pli_dot(to, u, 3) / near : 0;
    for (int c = 0; c < 3; ++c) moved[c] = u[c] - s * (from[c] + to[c]);
    pli_cross3(moved, now, cross);
    return pli_atan2(pli_dot(cross, to, 3), pli_dot(moved, now, 3));
}

// The angle about t from the director across x t to u.
static double angle_across(const double* across, const double* t, const double* u) {
    double from[3], cross[3];
    pli_cross3(across, t, from);
    pli_cross3(from, u, cross);
    return pli_atan2(pli_dot(cross, t, 3), pli_dot(from, u, 3));
}

// The angle by which the motion turns the edge about itself in the fraction `part` of the step:
// whole turns are counted by the way there.
static double turned(const pli_turns* turns, const pli_turn* turn, const pli_step* step,
                     double part) {
    enum { SAMPLES = 16 };
    static const double two_pi = 6.283185307179586;
    double t[3], u[3], to[3], now[3], angle = 0;
    if (turn->pins[0] < 0) return 0;
    const pli_motion* motion = &turns->pins->motions[turns->pins->pins[turn->pins[0]].motion];
    if (!motion->field) return 0; // another target was set
    if (!frame_at(turns, turn, pli_motion_time(motion, step, 0), t, u)) return 0;
    const double* across = turns->nodes->list[turn->node].def.across;
    bool fixed = pli_norm(across, 3) > 0;
    double start = fixed ? angle_across(across, t, u) : 0;
    for (int i = 1; i <= SAMPLES; ++i) {
        double time = pli_motion_time(motion, step, part * i / SAMPLES);
        if (!frame_at(turns, turn, time, to, now)) return angle;
        double next = fixed ? angle_across(across, to, now) - start : angle_between(t, to, u, now);
        angle = next + two_pi * floor((angle - next) / two_pi + 0.5);
    }
    return angle;
}

static pli_status turns_retarget(void* self, const pli_step* step, double from, double to,
                                 pli_error* error) {
    pli_turns* turns = self;
    (void)from;
    (void)error;
    for (int i = 0; i < turns->count; ++i) {
        pli_turn* turn = &turns->list[i];
        double angle = turned(turns, turn, step, to);
        turn->before = step->x_n[3 * (size_t)turn->vertex];
        turn->end = turn->before + angle;
        turn->target = turn->before + step->share * angle;
    }
    return PLI_OK;
}

static pli_status turns_begin_step(void* self, const pli_step* step, pli_error* error) {
    return turns_retarget(self, step, 0, 1, error);
}

// At most a quarter of a turn in each.
static int turns_stages(const void* self, const pli_step* step) {
    const pli_turns* turns = self;
    static const double quarter = 1.5707963267948966;
    enum { MOST = 32 };
    double most = 0;
    for (int i = 0; i < turns->count; ++i)
        most = fmax(most, fabs(turned(turns, &turns->list[i], step, 1)));
    return most < MOST * quarter ? pli_max_int(1, (int)ceil(most / quarter - 1e-9)) : MOST;
}

// ---- unknowns

static int group_of(const pli_kinematics* k, const pli_turn* turn) {
    return k->entries[k->vertices[turn->vertex].entry_start].group;
}

static int unknown_of(const pli_kinematics* k, const pli_turn* turn) {
    return k->group_offset[group_of(k, turn)];
}

static double unknown_at(const pli_turns* turns, const pli_turn* turn, double value) {
    const pli_node_def* def = &turns->nodes->list[turn->node].def;
    return def->scale * (value - def->value);
}

static void turns_jump(const void* self, const pli_kinematics* k, double* q) {
    const pli_turns* turns = self;
    for (int i = 0; i < turns->count; ++i)
        q[unknown_of(k, &turns->list[i])] =
            unknown_at(turns, &turns->list[i], turns->list[i].target);
}

static bool turns_predict(const void* self, const pli_kinematics* k, double* q) {
    turns_jump(self, k, q);
    return true;
}

static void turns_hold(const void* self, const pli_kinematics* k, bool all, uint8_t* frozen) {
    const pli_turns* turns = self;
    (void)all;
    for (int i = 0; i < turns->count; ++i) frozen[group_of(k, &turns->list[i])] = 1;
}

static void turns_clear(const void* self, const pli_kinematics* k, double* values) {
    const pli_turns* turns = self;
    for (int i = 0; i < turns->count; ++i) values[unknown_of(k, &turns->list[i])] = 0;
}

// Mean rates of the step; accelerations of the motion are not known.
static void turns_finish(const void* self, const pli_drive* drive, const double* q, double* v,
                         double* a) {
    const pli_turns* turns = self;
    (void)q;
    for (int i = 0; i < turns->count; ++i) {
        const pli_turn* turn = &turns->list[i];
        int at = unknown_of(drive->kinematics, turn);
        double moved = unknown_at(turns, turn, turn->end) - unknown_at(turns, turn, turn->before);
        v[at] = moved / drive->h;
        if (a) a[at] = 0;
    }
}

static void turns_place(void* self, const pli_drive* drive, double* q, double* v) {
    turns_jump(self, drive->kinematics, q);
    turns_finish(self, drive, q, v, NULL);
}

static void turns_accelerate(const void* self, const pli_kinematics* k, double* a) {
    turns_clear(self, k, a);
}

// ---- work

static double turns_take_work(const void* self, const pli_kinematics* k, const double* dq,
                              double* g) {
    const pli_turns* turns = self;
    double work = 0;
    for (int i = 0; i < turns->count; ++i) {
        int at = unknown_of(k, &turns->list[i]);
        work += g[at] * dq[at];
        g[at] = 0;
    }
    return work;
}

static void turns_add_work(const void* self, const pli_kinematics* k, double factor,
                           const double* g, const double* dq, double* work) {
    const pli_turns* turns = self;
    for (int i = 0; i < turns->count; ++i) {
        int at = unknown_of(k, &turns->list[i]);
        *work += factor * g[at] * dq[at];
    }
}

// ---- the term: it pulls nothing, and learns when a step begins

static int turns_count(const void* self) { return ((const pli_turns*)self)->count; }

static const int32_t* turns_vertices(const void* self) {
    return ((const pli_turns*)self)->vertices;
}

static void turns_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    (void)self;
    (void)first;
    (void)in;
    (void)out;
}

static pli_status turns_term(void* self, double mass, pli_term* term, pli_error* error) {
    static const pli_term_ops ops = {.name = "turned",
                                     .width = 1,
                                     .role = PLI_PULL,
                                     .linear = true,
                                     .count = turns_count,
                                     .vertices = turns_vertices,
                                     .eval = turns_eval,
                                     .begin_step = turns_begin_step};
    (void)mass;
    (void)error;
    *term = (pli_term){.ops = &ops, .self = self};
    return PLI_OK;
}

pli_constraint pli_turns_constraint(pli_turns* turns) {
    static const pli_constraint_ops ops = {.count = turns_count,
                                           .term = turns_term,
                                           .free = pli_turns_free,
                                           .stages = turns_stages,
                                           .retarget = turns_retarget,
                                           .jump = turns_jump,
                                           .predict = turns_predict,
                                           .hold = turns_hold,
                                           .finish = turns_finish,
                                           .take_work = turns_take_work,
                                           .add_work = turns_add_work,
                                           .clear = turns_clear,
                                           .place = turns_place,
                                           .accelerate = turns_accelerate};
    return (pli_constraint){.ops = &ops, .self = turns};
}
