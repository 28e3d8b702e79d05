// Measures of joints: making them, steps, reading. See measures.h.
#include "dynamics/measures.h"

#include "dynamics/world.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// The stiffness of what holds a measure, relative to that of inertia: each minimization leaves
// about this part of what it was off.
static const double HOLD = 1e3;
// Raised by this factor if a minimization leaves more than SLOW of it.
static const double RAISE = 10, SLOW = 0.1, MOST_GAIN = 1e9;
// Where limits begin to act: part of the size, angle, and of the range between both limits.
static const double NEAR_LENGTH = 1e-3, NEAR_ANGLE = 0.01, NEAR_RANGE = 0.1;
static const double TOLERANCE = 1e-5, ANGLE_TOLERANCE = 1e-3;

// ---- making them

static const pli_joint* owner_of(const pli_world* w, const pli_joint* joint,
                                 const pli_joint_piece* piece) {
    if (piece->owner < 0) return joint;
    return &w->model.joints[pli_slots_number(&w->model, PLI_SLOT_JOINT, piece->owner)];
}

static pli_status add_weight(pli_world_measure* m, pli_measure_arrow* to, int32_t vertex,
                             double weight, pli_error* error) {
    int i = 0;
    if (weight == 0) return PLI_OK;
    while (i < m->vertex_count && m->vertices[i] != vertex) ++i;
    if (i == PLI_MEASURE_WIDTH)
        return pli_error_key(
            pli_fail(error, PLI_E_ARGUMENT,
                     "it depends on more than %d vertices: choose fewer on deformable bodies, or "
                     "weld a small rigid body there",
                     PLI_MEASURE_WIDTH),
            error, "between");
    m->vertices[i] = vertex;
    m->vertex_count += i == m->vertex_count;
    to->weight[i] += weight;
    return PLI_OK;
}

static void find_world_place(const pli_joint* joint, int side, int point, double time,
                             double x[3]) {
    const double* at = joint->points + 3 * (size_t)point;
    double moved[3] = {0};
    if (side != PLI_WORLD_SIDE && joint->def.motion)
        joint->def.motion(joint->def.context, time, at, moved);
    for (int c = 0; c < 3; ++c) x[c] = at[c] + moved[c];
}

static bool in_world(const pli_joint* joint, int side) {
    return side == PLI_WORLD_SIDE || joint->side[side].body < 0;
}

static pli_status add_end(pli_world* w, pli_world_measure* m, const pli_joint* joint, int s,
                          int point, double factor, pli_measure_arrow* to, pli_error* error) {
    if (in_world(joint, s)) return PLI_OK;
    const pli_joint_side* side = &joint->side[s];
    if (side->vertex_count > 0) {
        int first = w->model.bodies[side->body].first_vertex;
        for (int i = 0; i < side->vertex_count; ++i)
            PLI_TRY(add_weight(m, to, first + side->vertices[i],
                               factor * side->weights[point * side->vertex_count + i], error));
        return PLI_OK;
    }
    const pli_body_frame* frame = pli_world_frame(w, side->body);
    int dim = w->kinematics.dim;
    double y[3], origin = 1;
    pli_body_frame_place(frame, dim, side->places + 3 * point, y);
    for (int c = 0; c < dim; ++c) {
        origin -= y[c];
        PLI_TRY(add_weight(m, to, frame->first + 1 + c, factor * y[c], error));
    }
    return add_weight(m, to, frame->first, factor * origin, error);
}

static int arrows_of(pli_piece_kind kind) {
    return kind == PLI_PIECE_DISTANCE ? 1 : kind == PLI_PIECE_DOT ? 2 : 4;
}

// What the world's sides of its arrows contribute at a time.
static void find_fixed(pli_world* w, const pli_world_measure* m, double time) {
    const pli_joint* joint = &w->model.joints[m->joint];
    for (int p = 0; p < m->count; ++p) {
        const pli_joint_piece* from = &joint->pieces[joint->measures[m->number].first + p];
        const pli_joint* owner = owner_of(w, joint, from);
        for (int k = 0; k < arrows_of(from->kind); ++k) {
            const pli_joint_arrow* a = &from->arrow[k];
            double* fixed = w->measures.pieces[m->first + p].arrow[k].fixed;
            for (int c = 0; c < 3; ++c) fixed[c] = 0;
            for (int e = 0; e < 2; ++e) {
                double x[3];
                if (!in_world(owner, a->side[e])) continue;
                find_world_place(owner, a->side[e], a->point[e], time, x);
                pli_axpy(e == 0 ? a->scale : -a->scale, x, fixed, w->kinematics.dim);
            }
        }
    }
}

static pli_status add_piece(pli_world* w, pli_world_measure* m, const pli_joint* joint,
                            const pli_joint_piece* from, pli_error* error) {
    pli_measures* all = &w->measures;
    pli_measure_piece* piece = &all->pieces[all->piece_count++];
    const pli_joint* owner = owner_of(w, joint, from);
    *piece = (pli_measure_piece){
        .kind = from->kind, .weight = from->weight, .lever = from->lever, .state = -1};
    for (int k = 0; k < arrows_of(from->kind); ++k)
        for (int e = 0; e < 2; ++e)
            PLI_TRY(add_end(w, m, owner, from->arrow[k].side[e], from->arrow[k].point[e],
                            e == 0 ? from->arrow[k].scale : -from->arrow[k].scale, &piece->arrow[k],
                            error));
    m->count++;
    return PLI_OK;
}

static void set_limits(pli_world_measure* m, const pli_joint* joint,
                       const pli_joint_measure* from) {
    m->low = -HUGE_VAL, m->high = HUGE_VAL;
    if (from->free < 0) return;
    const pli_joint_freedom* f = &joint->def.freedom[from->free];
    m->low = f->low, m->high = f->high;
    m->range = from->angle ? NEAR_ANGLE : NEAR_LENGTH * joint->size;
    if (isfinite(f->high - f->low)) m->range = fmin(m->range, NEAR_RANGE * (f->high - f->low));
}

static pli_status add_measure(pli_world* w, int number, int i, pli_error* error) {
    pli_measures* all = &w->measures;
    const pli_joint* joint = &w->model.joints[number];
    const pli_joint_measure* from = &joint->measures[i];
    pli_world_measure* m = &all->list[all->count++];
    *m = (pli_world_measure){.joint = number, .number = i, .first = all->piece_count};
    m->offset = from->offset;
    m->tolerance = from->angle ? joint->def.angle_tolerance : joint->def.tolerance;
    if (m->tolerance == 0) m->tolerance = from->angle ? ANGLE_TOLERANCE : TOLERANCE * joint->size;
    memset(m->vertices, -1, sizeof m->vertices);
    set_limits(m, joint, from);
    for (int p = from->first; p < from->first + from->count; ++p)
        PLI_TRY(add_piece(w, m, joint, &joint->pieces[p], error));
    all->moving = all->moving || joint->def.motion;
    find_fixed(w, m, w->time);
    return PLI_OK;
}

// ---- state

// Numbers in the state of a joint.
static int states_of(const pli_joint* joint) {
    return PLI_JOINT_STATES + PLI_MEASURE_STATES * joint->measure_count + joint->piece_count;
}

static void place_state(pli_measures* all, const pli_model* model) {
    int at = 0, next = 0;
    for (int i = 0; i < model->joint_count; ++i) {
        const pli_joint* joint = &model->joints[i];
        all->joint_state[i] = at;
        for (int k = 0; k < joint->measure_count; ++k, ++next) {
            pli_world_measure* m = &all->list[next];
            m->state = at + PLI_JOINT_STATES + PLI_MEASURE_STATES * k;
            for (int p = 0; p < m->count; ++p)
                if (all->pieces[m->first + p].kind == PLI_PIECE_ANGLE)
                    all->pieces[m->first + p].state = at + PLI_JOINT_STATES +
                                                      PLI_MEASURE_STATES * joint->measure_count +
                                                      joint->measures[k].first + p;
        }
        at += states_of(joint);
    }
    all->joint_state[model->joint_count] = at;
}

// The angle of a new gear begins where that of its joint is.
static double known_angle(const pli_world* w, const pli_joint* joint, int piece) {
    const pli_joint_piece* from = &joint->pieces[piece];
    const pli_joint* owner = owner_of(w, joint, from);
    int number = from->owner < 0 ? piece : from->number;
    if (!owner->kept) return 0;
    return owner->kept[PLI_JOINT_STATES + PLI_MEASURE_STATES * owner->measure_count + number];
}

static const pli_joint_freedom* freedom_of(const pli_world* w, const pli_world_measure* m) {
    const pli_joint* joint = &w->model.joints[m->joint];
    int free = joint->measures[m->number].free;
    return free < 0 ? NULL : &joint->def.freedom[free];
}

// What springs store is there before the first step.
static void start_springs(pli_world* w, double* state) {
    for (int i = 0; i < w->measures.count; ++i) {
        const pli_world_measure* m = &w->measures.list[i];
        const pli_joint_freedom* f = freedom_of(w, m);
        pli_measure_state* s = (pli_measure_state*)(void*)(state + m->state);
        if (f) s->spring[0] = f->stiffness, s->spring[1] = f->rest;
    }
}

static void start_state(pli_world* w) {
    pli_measures* all = &w->measures;
    start_springs(w, all->state);
    start_springs(w, all->initial);
    for (int i = 0; i < w->model.joint_count; ++i) {
        const pli_joint* joint = &w->model.joints[i];
        double* state = all->state + all->joint_state[i];
        size_t count = (size_t)states_of(joint);
        if (joint->kept && joint->kept_count == count) {
            memcpy(state, joint->kept, count * sizeof *state);
            continue;
        }
        for (int p = 0; p < joint->piece_count; ++p)
            state[PLI_JOINT_STATES + PLI_MEASURE_STATES * joint->measure_count + p] =
                known_angle(w, joint, p);
    }
}

pli_status pli_measures_keep(pli_world* w, pli_error* error) {
    pli_measures* all = &w->measures;
    for (int i = 0; i < all->joint_count; ++i) {
        pli_joint* joint = &w->model.joints[i];
        size_t count = (size_t)states_of(joint);
        if (joint->kept && joint->kept_count != count) {
            PLI_FREE(&w->memory, joint->kept, joint->kept_count);
            joint->kept = NULL;
        }
        if (!joint->kept) PLI_TRY(PLI_ALLOC(&w->memory, joint->kept, count, error));
        joint->kept_count = count;
        memcpy(joint->kept, all->state + all->joint_state[i], count * sizeof *joint->kept);
    }
    return PLI_OK;
}

// ---- terms

static bool has_motor(const pli_joint_freedom* f) { return strcmp(f->motor, "none") != 0; }

static bool takes_part(const pli_world* w, const pli_world_measure* m, pli_measure_class which) {
    const pli_joint_freedom* f = freedom_of(w, m);
    if (!f) return which == PLI_MEASURE_HOLDS;
    switch (which) {
    case PLI_MEASURE_HOLDS:
        return has_motor(f);
    case PLI_MEASURE_STORES:
        return f->stiffness > 0 || isfinite(f->low) || isfinite(f->high);
    default:
        return f->friction > 0 || f->damping > 0;
    }
}

static pli_status add_term(pli_world* w, pli_measure_class which, pli_error* error) {
    pli_measures* all = &w->measures;
    pli_measure_term* term = &all->term[which];
    *term = (pli_measure_term){.all = all, .which = which};
    PLI_TRY(PLI_ALLOC(&w->memory, term->list, all->count, error));
    PLI_TRY(PLI_ALLOC(&w->memory, term->vertices, PLI_MEASURE_WIDTH * all->count, error));
    for (int i = 0; i < all->count; ++i) {
        if (!takes_part(w, &all->list[i], which)) continue;
        memcpy(term->vertices + PLI_MEASURE_WIDTH * term->count, all->list[i].vertices,
               sizeof all->list[i].vertices);
        term->list[term->count++] = i;
    }
    if (term->count == 0 && which != PLI_MEASURE_HOLDS) return PLI_OK; // that has the state
    PLI_TRY(pli_world_reserve_terms(w, 1, error));
    pli_world_add_term(w, pli_measure_make_term(term));
    return PLI_OK;
}

static bool is_needed(const pli_world* w) {
    for (int i = 0; i < w->model.joint_count; ++i) {
        const pli_joint* joint = &w->model.joints[i];
        if (joint->measure_count > 0 || isfinite(joint->def.break_force) ||
            isfinite(joint->def.break_torque))
            return true;
    }
    return false;
}

pli_status pli_measures_make(pli_world* w, pli_error* error) {
    pli_measures* all = &w->measures;
    int measures = 0, pieces = 0, states = 0, joints = w->model.joint_count;
    if (!is_needed(w)) return PLI_OK;
    for (int i = 0; i < joints; ++i) {
        measures += w->model.joints[i].measure_count;
        pieces += w->model.joints[i].piece_count;
        states += states_of(&w->model.joints[i]);
    }
    all->dim = w->kinematics.dim;
    all->joint_count = joints;
    all->state_count = states;
    all->unknown_count = w->kinematics.unknown_count;
    all->room[0] = measures, all->room[1] = pieces;
    PLI_TRY(PLI_ALLOC(&w->memory, all->list, measures, error));
    PLI_TRY(PLI_ALLOC(&w->memory, all->pieces, pieces, error));
    PLI_TRY(PLI_ALLOC(&w->memory, all->joint_state, joints + 1, error));
    PLI_TRY(PLI_ALLOC(&w->memory, all->state, states, error));
    PLI_TRY(PLI_ALLOC(&w->memory, all->initial, states, error));
    PLI_TRY(PLI_ALLOC(&w->memory, all->along, all->unknown_count, error));
    for (int i = 0; i < joints; ++i)
        for (int k = 0; k < w->model.joints[i].measure_count; ++k) {
            pli_status status = add_measure(w, i, k, error);
            if (status == PLI_OK) continue;
            pli_error_prefix(error, "joint \"%.60s\"", w->model.joints[i].name);
            return pli_error_place(status, error, PLI_OBJECT_JOINT, i, "between");
        }
    place_state(all, &w->model);
    start_state(w);
    for (int i = 0; i < PLI_MEASURE_CLASSES; ++i) PLI_TRY(add_term(w, (pli_measure_class)i, error));
    return PLI_OK;
}

void pli_measures_free(pli_world* w) {
    pli_measures* all = &w->measures;
    pli_memory* m = &w->memory;
    for (int i = 0; i < PLI_MEASURE_CLASSES; ++i) {
        pli_measure_term* term = &all->term[i];
        if (term->list) PLI_FREE(m, term->list, all->room[0]);
        if (term->vertices) PLI_FREE(m, term->vertices, PLI_MEASURE_WIDTH * all->room[0]);
    }
    if (all->list) PLI_FREE(m, all->list, all->room[0]);
    if (all->pieces) PLI_FREE(m, all->pieces, all->room[1]);
    if (all->joint_state) PLI_FREE(m, all->joint_state, all->joint_count + 1);
    if (all->state) PLI_FREE(m, all->state, all->state_count);
    if (all->initial) PLI_FREE(m, all->initial, all->state_count);
    if (all->along) PLI_FREE(m, all->along, all->unknown_count);
    *all = (pli_measures){0};
}

// Whether a motor follows its target exactly.
static bool is_exact(const pli_joint_freedom* f) {
    if (!f) return true;
    if (!has_motor(f) || strcmp(f->motor, "force") == 0) return false;
    return strcmp(f->motor, "velocity") == 0 || f->motor_stiffness + f->motor_damping == 0;
}

pli_status pli_measures_check(const pli_world* w, pli_error* error) {
    const pli_measures* all = &w->measures;
    const pli_scheme* scheme = w->scheme;
    for (int i = 0; i < all->count; ++i) {
        const pli_world_measure* m = &all->list[i];
        bool acts = false;
        for (int c = 0; c < PLI_MEASURE_CLASSES; ++c)
            acts |= takes_part(w, m, (pli_measure_class)c);
        if (!acts || !(scheme->keeps_jumps || scheme->averages || scheme->middle)) continue;
        return pli_error_place(
            pli_fail(
                error, PLI_E_ARGUMENT,
                "joint \"%s\" cannot be kept by the scheme \"%s\", under which its force would "
                "ring: use \"bdf2\" or \"backward-euler\"",
                w->model.joints[m->joint].name, scheme->name),
            error, PLI_OBJECT_TIME, -1, "scheme");
    }
    return PLI_OK;
}

// ---- steps

// Adds the gradient at a vertex to the unknowns that move it; or returns the sum of their squares
// over the mass, and clears them.
static double spread(pli_world* w, int vertex, const double g[3], bool collect) {
    const pli_kinematics* k = &w->kinematics;
    const pli_vertex_map* map = &k->vertices[vertex];
    double *along = w->measures.along, sum = 0;
    for (int e = map->entry_start - 1; e < map->entry_end; ++e) {
        bool own = e < map->entry_start;
        int group = own ? map->identity_group : k->entries[e].group;
        for (int c = 0; group >= 0 && c < pli_group_width(k, group); ++c) {
            int at = k->group_offset[group] + c;
            for (int r = 0; r < k->dim && !collect; ++r)
                along[at] += g[r] * (own ? r == c : pli_entry_weight(k, &k->entries[e], r, c));
            if (!collect) continue;
            if (w->mass_diagonal[at] > 0) sum += along[at] * along[at] / w->mass_diagonal[at];
            along[at] = 0;
        }
    }
    return sum;
}

// The stiffness of inertia against a motion along c: 1 / (g M^-1 g) / (c h^2).
static double inertia_of(pli_world* w, const pli_world_measure* m, const double* gradient) {
    static const double STATIC = 1e4; // [1/s^2]
    double sum = 0;
    for (int i = 0; i < m->vertex_count; ++i)
        (void)spread(w, m->vertices[i], gradient + 3 * i, false);
    for (int i = 0; i < m->vertex_count; ++i) sum += spread(w, m->vertices[i], NULL, true);
    double inertia = w->scheme->statics ? STATIC : w->aim.inertia;
    return sum > 0 ? inertia / sum : inertia;
}

// Where c would be if the scheme's velocity of it were 0 at the end.
static double find_still(pli_world* w, const pli_world_measure* m) {
    if (!(w->present.velocity_rate > 0)) return m->at_start;
    return pli_measure_value(&w->measures, m, w->x_still, false, NULL);
}

static double target_of(const pli_world* w, const pli_joint_freedom* f) {
    double out[3] = {f->target, 0, 0}, at[3] = {0};
    if (f->target_of) f->target_of(f->target_context, w->present.time, at, out);
    return out[0];
}

static void aim_motor(const pli_world* w, pli_world_measure* m, const pli_joint_freedom* f,
                      double still, pli_measure_state* s) {
    double target = target_of(w, f), rate = w->present.velocity_rate, h = w->h;
    s->hold.low = -f->cap, s->hold.high = f->cap;
    if (strcmp(f->motor, "force") == 0) {
        target = fmin(fmax(target, -f->cap), f->cap);
        s->hold =
            (pli_holder){.target = m->at_start, .lambda = -target, .low = -target, .high = -target};
    } else if (strcmp(f->motor, "velocity") == 0) {
        double speed = f->delay > 0 ? s->rate + (target - s->rate) * h / (h + f->delay) : target;
        s->hold.target = rate > 0 ? still + speed / rate : m->at_start + speed * h;
    } else if (m->exact) {
        s->hold.target = (f->delay * m->at_start + h * target) / (f->delay + h);
    } else {
        double damping = f->motor_damping * rate;
        double k = f->motor_stiffness + damping;
        s->hold.k = k, s->hold.lambda = 0;
        s->hold.target = k > 0 ? (f->motor_stiffness * target + damping * still) / k : 0;
    }
}

static void begin_measure(pli_world* w, pli_world_measure* m) {
    pli_measures* all = &w->measures;
    pli_measure_state* s = pli_measure_state_of(all, m);
    const pli_joint_freedom* f = freedom_of(w, m);
    const pli_joint_measure* from = &w->model.joints[m->joint].measures[m->number];
    double g[3 * PLI_MEASURE_WIDTH];
    m->at_start = pli_measure_value(all, m, w->x_n, true, g);
    m->stiffness = inertia_of(w, m, g);
    m->last = HUGE_VAL;
    m->exact = is_exact(f);
    double still = find_still(w, m), force = s->force, rate = w->present.velocity_rate;
    double slip = pli_holder_force(&s->friction, m->at_start);
    if (m->exact) {
        s->gain = fmax(1, s->gain / RAISE);
        s->hold = (pli_holder){.k = HOLD * s->gain * m->stiffness,
                               .lambda = force,
                               .low = from->most ? 0 : -HUGE_VAL,
                               .high = HUGE_VAL};
    }
    if (!f) return;
    if (m->barrier == 0) m->barrier = m->stiffness;
    if (has_motor(f)) aim_motor(w, m, f, still, s);
    s->spring[0] = f->stiffness, s->spring[1] = f->rest;
    s->damper[0] = f->damping * rate, s->damper[1] = still;
    s->friction = (pli_holder){still, HOLD * m->stiffness, slip, -f->friction, f->friction};
}

void pli_measures_begin(pli_world* w) {
    pli_measures* all = &w->measures;
    for (int i = 0; i < all->count; ++i) {
        if (all->moving) find_fixed(w, &all->list[i], w->present.time - w->h);
        begin_measure(w, &all->list[i]);
        if (all->moving) find_fixed(w, &all->list[i], w->present.time);
    }
}

// The part of e that its force, within its range, does not explain.
static double miss_of(const pli_holder* h, double c) {
    double e = c - h->target, force = h->lambda + h->k * e;
    return h->k > 0 && force > h->low && force < h->high ? fabs(e) : 0;
}

// Of what is held; of friction, whose force follows at once.
static bool tighten(pli_world_measure* m, pli_holder* h, double c, double* gain) {
    double miss = miss_of(h, c);
    if (miss <= m->tolerance) return false;
    h->lambda = pli_holder_force(h, c);
    if (gain && miss > SLOW * m->last && *gain < MOST_GAIN) *gain *= RAISE, h->k *= RAISE;
    if (gain) m->last = miss;
    return true;
}

bool pli_measures_tighten(pli_world* w) {
    pli_measures* all = &w->measures;
    bool any = false;
    for (int i = 0; i < all->count; ++i) {
        pli_world_measure* m = &all->list[i];
        pli_measure_state* s = pli_measure_state_of(all, m);
        if (pli_measure_is_off(all, m)) continue;
        double c = pli_measure_value(all, m, w->x, false, NULL);
        if (m->exact && takes_part(w, m, PLI_MEASURE_HOLDS))
            any |= tighten(m, &s->hold, c, &s->gain);
        if (takes_part(w, m, PLI_MEASURE_LOSES)) any |= tighten(m, &s->friction, c, NULL);
    }
    return any;
}

void pli_measures_end(pli_world* w) {
    pli_measures* all = &w->measures;
    if (all->count == 0) return;
    for (int i = 0; i < all->count; ++i) {
        pli_world_measure* m = &all->list[i];
        pli_measure_state* s = pli_measure_state_of(all, m);
        double c = pli_measure_value(all, m, w->x_n, true, NULL);
        s->rate = w->scheme->still ? 0 : (c - m->at_start) / w->h;
        if (w->present.velocity_rate > 0) s->rate = w->present.velocity_rate * (c - s->damper[1]);
        s->force = takes_part(w, m, PLI_MEASURE_HOLDS) ? pli_holder_force(&s->hold, c) : 0;
        if (freedom_of(w, m))
            all->state[all->joint_state[m->joint] + PLI_JOINT_WORK] -= s->force * (c - m->at_start);
    }
}

// ---- reading

bool pli_joint_is_broken(const pli_world* w, int joint) {
    const pli_measures* all = &w->measures;
    return joint < all->joint_count && all->state[all->joint_state[joint] + PLI_JOINT_BROKEN] != 0;
}

static const double* published(const pli_world* w, int vertex) {
    int points = w->model.vertex_count;
    return vertex < points ? w->model.positions + 3 * (size_t)vertex
                           : w->frame_positions + 3 * (size_t)(vertex - points);
}

// Whether a vertex of a measure belongs to the first side of its joint.
static bool on_first_side(const pli_world* w, const pli_joint* joint, int32_t vertex) {
    const pli_joint_side* side = &joint->side[0];
    if (side->body < 0) return false;
    if (side->vertex_count == 0) {
        const pli_body_frame* frame = pli_world_frame(w, side->body);
        return vertex >= frame->first && vertex <= frame->first + w->kinematics.dim;
    }
    return vertex >= w->model.bodies[side->body].first_vertex &&
           vertex < pli_body_end_vertex(&w->model, side->body);
}

// Force and torque of what acts on a measure; without a body on the first side, the reverse of
// those on the second.
static void add_forces(const pli_world* w, const pli_world_measure* m, double force,
                       const double* g, pli_joint_info* info) {
    const pli_joint* joint = &w->model.joints[m->joint];
    bool reverse = joint->side[0].body < 0;
    for (int i = 0; i < m->vertex_count; ++i) {
        double f[3], arm[3], moment[3];
        if (!reverse && !on_first_side(w, joint, m->vertices[i])) continue;
        for (int c = 0; c < 3; ++c) f[c] = (reverse ? 1 : -1) * force * g[3 * i + c];
        pli_sub(published(w, m->vertices[i]), info->place, arm, 3);
        pli_cross3(arm, f, moment);
        pli_axpy(1, f, info->force, 3);
        pli_axpy(1, moment, info->torque, 3);
    }
}

// c at published positions and its gradient.
static double read_value(const pli_world* w, const pli_world_measure* m, double* g) {
    pli_measures* all = (pli_measures*)(uintptr_t)&w->measures; // nothing is kept
    double x[3 * PLI_MEASURE_WIDTH];
    pli_world_measure local = *m;
    for (int i = 0; i < m->vertex_count; ++i) {
        memcpy(x + 3 * i, published(w, m->vertices[i]), 3 * sizeof *x);
        local.vertices[i] = i;
    }
    return pli_measure_value(all, &local, x, false, g);
}

double pli_joint_break(pli_world* w, int joint) {
    pli_measures* all = &w->measures;
    double sum = 0, act[3];
    for (int i = 0; i < all->count; ++i) {
        const pli_world_measure* m = &all->list[i];
        if (m->joint == joint && takes_part(w, m, PLI_MEASURE_STORES) &&
            pli_measure_act(all, m, PLI_MEASURE_STORES, read_value(w, m, NULL), act))
            sum += act[0];
    }
    all->state[all->joint_state[joint] + PLI_JOINT_BROKEN] = 1;
    return sum;
}

static void read_measure(const pli_world* w, const pli_world_measure* m, pli_joint_info* info) {
    const pli_measures* all = &w->measures;
    const pli_measure_state* s = pli_measure_state_of(all, m);
    const pli_joint_measure* from = &w->model.joints[m->joint].measures[m->number];
    double g[3 * PLI_MEASURE_WIDTH], force = 0, c = read_value(w, m, g);
    for (int k = 0; k < PLI_MEASURE_CLASSES; ++k) {
        double act[3];
        if (takes_part(w, m, (pli_measure_class)k) &&
            pli_measure_act(all, m, (pli_measure_class)k, c, act))
            force += act[1];
    }
    add_forces(w, m, force, g, info);
    if (from->free >= 0) {
        info->value[from->free] = c;
        info->rate[from->free] = s->rate;
        info->motor[from->free] = -s->force;
    }
    if (m->exact && takes_part(w, m, PLI_MEASURE_HOLDS) && !info->broken)
        info->off = fmax(info->off, miss_of(&s->hold, c) / m->tolerance);
}

void pli_measures_read(const pli_world* w, int joint, pli_joint_info* info) {
    const pli_measures* all = &w->measures;
    for (int i = 0; i < PLI_JOINT_VALUE_COUNT; ++i) info->value[i] = info->rate[i] = NAN;
    if (joint >= all->joint_count) return;
    info->broken = pli_joint_is_broken(w, joint);
    info->work = all->state[all->joint_state[joint] + PLI_JOINT_WORK];
    for (int i = 0; i < all->count; ++i)
        if (all->list[i].joint == joint) read_measure(w, &all->list[i], info);
}
