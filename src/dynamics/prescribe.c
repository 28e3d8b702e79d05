// Prescribed motion: motions and pins, their term of E, unknowns, forces and state. See
// prescribe.h.
#include "dynamics/prescribe.h"

#include "base/pack.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

void pli_pins_init(pli_pins* pins, pli_memory* memory, int dim) {
    *pins = (pli_pins){.memory = memory, .dim = dim};
}

static size_t offset_count(const pli_motion* motion) {
    return 3 * (size_t)motion->key_count * (size_t)motion->width;
}

void pli_motion_free_keys(pli_memory* m, pli_motion* motion) {
    PLI_FREE(m, motion->times, motion->key_count);
    PLI_FREE(m, motion->offsets, offset_count(motion));
}

void pli_pins_free(void* self) {
    pli_pins* pins = self;
    pli_memory* m = pins->memory;
    if (!m) return;
    for (int i = 0; i < pins->motion_count; ++i) pli_motion_free_keys(m, &pins->motions[i]);
    PLI_FREE(m, pins->motions, pins->motion_capacity);
    PLI_FREE(m, pins->pins, pins->capacity);
    PLI_FREE(m, pins->vertices, pins->vertex_capacity);
    *pins = (pli_pins){0};
}

// `width`: offsets per key.
pli_status pli_motion_check_keys(const pli_prescribe_def* def, int width, pli_error* error) {
    for (int i = 0; i < def->key_count; ++i) {
        bool finite = isfinite(def->times[i]);
        const double* offsets = def->offsets + 3 * (size_t)width * (size_t)i;
        for (int c = 0; c < 3 * width; ++c) finite = finite && isfinite(offsets[c]);
        if (!finite)
            return pli_error_key(
                pli_fail(error, PLI_E_ARGUMENT, "prescribed motion: key %d is not finite", i),
                error, "times");
        if (i > 0 && !(def->times[i] > def->times[i - 1]))
            return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                          "prescribed motion: time of key %d = %g s, must be > %g "
                                          "s, the time of the previous key",
                                          i, def->times[i], def->times[i - 1]),
                                 error, "times");
    }
    return PLI_OK;
}

pli_status pli_pins_add_motion(pli_pins* pins, const pli_prescribe_def* def, int count,
                               int32_t* out, pli_error* error) {
    pli_memory* m = pins->memory;
    int width = def->per_vertex ? count : 1;
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
    pli_motion_mask(&motion, motion.velocity);
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
    *pin = (pli_pin){.vertex = vertex, .motion = motion, .mass = mass, .massless = mass == 0};
    memcpy(pin->start, start, sizeof pin->start);
    memcpy(pin->end, start, sizeof pin->end);
    memcpy(pin->target, start, sizeof pin->target);
}

static uint64_t motion_hash(const pli_motion* motion, uint64_t hash) {
    if (motion->key_count == 0) return hash;
    hash = pli_hash(hash, motion->times, sizeof(double) * (size_t)motion->key_count);
    return pli_hash(hash, motion->offsets, sizeof(double) * offset_count(motion));
}

static uint64_t pins_hash(const void* self, int first, int end, uint64_t hash) {
    const pli_pins* pins = self;
    for (int m = 0; m < pins->motion_count; ++m) {
        int pin = pins->motions[m].first;
        if (pin >= pins->count) continue;
        int vertex = pins->pins[pin].vertex;
        if (vertex >= first && vertex < end) hash = motion_hash(&pins->motions[m], hash);
    }
    return hash;
}

// ---- the term

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
        pli_motion_mask(motion, d);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * k * pli_dot(d, d, dim);
        if (in->want & PLI_GRADIENT) pli_axpy(k, d, out->g + i * dim, dim);
        if (in->want & PLI_HESSIAN)
            for (int c = 0; c < dim; ++c)
                out->H[i * dim * dim + c * (dim + 1)] += motion->free[c] ? 0 : k;
    }
}

// Vertices of obstacles are pulled as if they had the mass `mass`.
static pli_status pins_term(void* self, double mass, pli_term* term, pli_error* error) {
    static const pli_term_ops ops = {.name = "prescribed",
                                     .width = 1,
                                     .role = PLI_PULL,
                                     .count = pins_count,
                                     .vertices = pins_vertices,
                                     .eval = pins_eval,
                                     .begin_step = pli_pins_begin_step};
    pli_pins* pins = self;
    PLI_TRY(PLI_GROW(pins->memory, pins->vertices, pins->vertex_capacity, pins->count, error));
    for (int i = 0; i < pins->count; ++i) {
        pins->vertices[i] = pins->pins[i].vertex;
        if (pins->pins[i].massless) pins->pins[i].mass = mass;
    }
    *term = (pli_term){.ops = &ops, .self = pins};
    return PLI_OK;
}

// ---- unknowns

static int group_of(const pli_pins* pins, const pli_kinematics* k, int i) {
    return k->vertices[pins->pins[i].vertex].identity_group;
}

int pli_pin_unknown(const pli_pins* pins, const pli_kinematics* k, int i) {
    return k->group_offset[group_of(pins, k, i)];
}

static bool pins_partial(const void* self) {
    const pli_pins* pins = self;
    for (int m = 0; m < pins->motion_count; ++m)
        if (pins->motions[m].partial) return true;
    return false;
}

static void pins_hold(const void* self, const pli_kinematics* k, bool all, uint8_t* frozen) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        const pli_pin* pin = &pins->pins[i];
        frozen[group_of(pins, k, i)] = all || (pin->arrived && !pins->motions[pin->motion].partial);
    }
}

static void pins_clear(const void* self, const pli_kinematics* k, double* values) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i)
        memset(values + pli_pin_unknown(pins, k, i), 0, sizeof *values * (size_t)k->dim);
}

static void pins_fill_mass(const void* self, const pli_kinematics* k, double* diagonal) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        double* at = diagonal + pli_pin_unknown(pins, k, i);
        for (int c = 0; c < k->dim && at[c] == 0; ++c) at[c] = pins->pins[i].mass;
    }
}

// ---- forces

static void pins_reaction(const void* self, const double* x, double* force) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        const pli_pin* pin = &pins->pins[i];
        const pli_motion* motion = &pins->motions[pin->motion];
        double k = motion->stiffness * pin->mass * pins->inertia;
        const double* at = x + 3 * (size_t)pin->vertex;
        double* f = force + 3 * (size_t)pin->vertex;
        for (int c = 0; c < pins->dim; ++c)
            f[c] = motion->free[c] ? 0 : f[c] - k * (at[c] - pin->target[c]);
    }
}

static double pins_take_work(const void* self, const pli_kinematics* k, const double* dq,
                             double* g) {
    const pli_pins* pins = self;
    double work = 0;
    for (int i = 0; i < pins->count; ++i) {
        int at = pli_pin_unknown(pins, k, i);
        const bool* free = pins->motions[pins->pins[i].motion].free;
        for (int c = 0; c < k->dim; ++c) {
            if (free[c]) continue;
            work += g[at + c] * dq[at + c];
            g[at + c] = 0;
        }
    }
    return work;
}

static void pins_add_work(const void* self, const pli_kinematics* k, double factor, const double* g,
                          const double* dq, double* work) {
    const pli_pins* pins = self;
    for (int i = 0; i < pins->count; ++i) {
        int at = pli_pin_unknown(pins, k, i);
        *work += factor * pli_dot(g + at, dq + at, k->dim);
    }
}

// ---- state

static void pins_restart(void* self, const double* x) {
    pli_pins* pins = self;
    for (int i = 0; i < pins->motion_count; ++i) {
        pins->motions[i].next_part = 1;
        pins->motions[i].delay = 0;
    }
    for (int i = 0; i < pins->count; ++i) {
        pli_pin* pin = &pins->pins[i];
        const double* velocity = pins->motions[pin->motion].velocity;
        double come[3], speed = pli_norm(velocity, 3);
        pli_sub(x + 3 * (size_t)pin->vertex, pin->start, come, 3);
        pin->traveled = speed > 0 ? fmax(0, pli_dot(come, velocity, 3) / speed) : 0;
        memcpy(pin->end, x + 3 * (size_t)pin->vertex, sizeof pin->end);
        pin->moved = false;
    }
}

static void pins_save(const void* self, pli_pack* out) {
    const pli_pins* pins = self;
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
        pli_pack_number(out, pin->traveled);
        pli_pack_numbers(out, pin->end, 3);
        pli_pack_numbers(out, pin->was.place, 3);
        pli_pack_numbers(out, pin->was.rate, 3);
        pli_pack_numbers(out, pin->was.older, 3);
    }
    pli_pack_numbers(out, pins->size, 2);
    for (int i = 0; i < pins->motion_count; ++i) pli_pack_number(out, pins->motions[i].delay);
}

// Since version 2: positions and step sizes instead of rates only; since 3: motions may be delayed.
static void pins_read(void* self, int version, pli_unpack* in) {
    pli_pins* pins = self;
    (void)pli_unpack_int(in, pins->motion_count, pins->motion_count, "motions");
    (void)pli_unpack_int(in, pins->count, pins->count, "prescribed vertices");
    for (int i = 0; i < pins->motion_count && pli_unpack_good(in); ++i) {
        pli_motion* motion = &pins->motions[i];
        double kept = pli_unpack_number(in, 0, PLI_PIN_MAX_STIFFNESS, "stiffness of a motion");
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
        double traveled = pli_unpack_number(in, 0, DBL_MAX, "way");
        pli_unpack_numbers(in, pin->end, 3, "place");
        if (version > 1) pli_unpack_numbers(in, pin->was.place, 3, "place");
        pli_unpack_numbers(in, pin->was.rate, 3, "velocity");
        pli_unpack_numbers(in, pin->was.older, 3, "velocity");
        if (!in->apply) continue;
        pin->moved = flags & 1 && version > 1;
        pin->arrived = flags >> 1;
        pin->traveled = traveled;
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
        double delay = version > 2 ? pli_unpack_number(in, 0, DBL_MAX, "delay of a motion") : 0;
        if (in->apply) pins->motions[i].delay = pli_motion_has_path(&pins->motions[i]) ? delay : 0;
    }
}

pli_constraint pli_pins_constraint(pli_pins* pins) {
    static const pli_constraint_ops ops = {.count = pins_count,
                                           .term = pins_term,
                                           .free = pli_pins_free,
                                           .hash = pins_hash,
                                           .partial = pins_partial,
                                           .fill_mass = pins_fill_mass,
                                           .stages = pli_pins_stages,
                                           .retarget = pli_pins_retarget,
                                           .aim = pli_pins_aim,
                                           .predict = pli_pins_predict,
                                           .arrive = pli_pins_arrive,
                                           .arrived = pli_pins_arrived,
                                           .hold = pins_hold,
                                           .weigh = pli_pins_weigh,
                                           .stiffen = pli_pins_stiffen,
                                           .retreat = pli_pins_retreat,
                                           .behind = pli_pins_behind,
                                           .finish = pli_pins_finish,
                                           .commit = pli_pins_commit,
                                           .mark_behind = pli_pins_mark_behind,
                                           .reaction = pins_reaction,
                                           .take_work = pins_take_work,
                                           .add_work = pins_add_work,
                                           .clear = pins_clear,
                                           .bend = pli_pins_bend,
                                           .guide = pli_pins_guide,
                                           .place = pli_pins_place,
                                           .accelerate = pli_pins_accelerate,
                                           .section = PLI_SECTION('p', 'i', 'n', 's'),
                                           .version = 3,
                                           .save = pins_save,
                                           .read = pins_read,
                                           .restart = pins_restart};
    return (pli_constraint){.ops = &ops, .self = pins};
}
