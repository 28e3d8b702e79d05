// The state of a world: everything that a step starts from, as one table of blocks.
//
// Each block is written and read by the code that owns it. The table serves saving and restoring
// (checkpoints), undoing a failed step, undoing an interrupted step with the same bits afterwards,
// and starting from another state. Everything that is in no block is a function of the state:
// contact pairs at the start of a step, candidates of the search, numbers of the preconditioners.
// Friction is lagged again in each step.
#include "dynamics/world.h"

#include "math/vec.h"

#include <float.h>
#include <string.h>

// Options for reading a block.
typedef struct reading {
    int version;      // version of the block when it was written
    bool same_scheme; // histories can be used completely
} reading;

// ---- identity of the world

static void save_head(pli_world* w, pli_pack* out) {
    pli_pack_int(out, w->model.def.dimension);
    pli_pack_int(out, w->model.vertex_count);
    pli_pack_int(out, w->kinematics.unknown_count);
    pli_pack_text(out, w->scheme->name);
    pli_pack_long(out, pli_kinematics_hash(&w->kinematics));
}

// Since version 2: which unknowns move which vertices.
static pli_status read_head(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)error;
    int n = w->kinematics.unknown_count;
    size_t length;
    (void)pli_unpack_int(in, w->model.def.dimension, w->model.def.dimension, "dimension");
    (void)pli_unpack_int(in, w->model.vertex_count, w->model.vertex_count, "number of vertices");
    (void)pli_unpack_int(in, n, n, "number of unknowns");
    const char* scheme = pli_unpack_text(in, 64, &length, "scheme");
    how->same_scheme =
        strlen(w->scheme->name) == length && memcmp(w->scheme->name, scheme, length) == 0;
    if (how->version > 1 && pli_unpack_long(in) != pli_kinematics_hash(&w->kinematics))
        pli_unpack_fail(in, "supports or kinematics of bodies differ: its unknowns are not "
                            "those of this world");
    return PLI_OK;
}

// ---- scalar state of the world

enum { BALANCE_PARTS = 10 };

static void save_step(pli_world* w, pli_pack* out) {
    pli_pack_number(out, w->time);
    pli_pack_int(out, w->step);
    pli_pack_number(out, w->next_step);
    pli_pack_number(out, w->h);
    pli_pack_int(out, w->acceleration_known);
    pli_pack_number(out, w->stored);
    const pli_balance* b = &w->balance;
    pli_pack_numbers(out,
                     (double[BALANCE_PARTS]){b->kinetic, b->potential, b->dissipated, b->numerical,
                                             b->work_prescribed, b->work_loads, b->residual,
                                             b->stiffening, b->changes, b->inelastic},
                     BALANCE_PARTS);
    const pli_balance* next = &w->pending;
    pli_pack_numbers(out, (double[3]){next->kinetic, next->potential, next->changes}, 3);
}

// Since version 2: stiffening; 3: changes; 4: inelastic.
static pli_status read_step(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)error;
    double b[BALANCE_PARTS] = {0}, pending[3] = {0};
    double time = pli_unpack_number(in, -DBL_MAX, DBL_MAX, "time");
    int step = pli_unpack_int(in, 0, INT32_MAX, "steps done");
    double next_step = pli_unpack_number(in, 0, DBL_MAX, "next step");
    double h = pli_unpack_number(in, 0, DBL_MAX, "step");
    bool known = pli_unpack_int(in, 0, 1, "acceleration known");
    double stored = pli_unpack_number(in, -DBL_MAX, DBL_MAX, "stored energy");
    pli_unpack_numbers(in, b, (size_t)how->version + 6, "part of the balance");
    if (how->version > 2) pli_unpack_numbers(in, pending, 3, "part of the balance");
    if (!in->apply || !pli_unpack_good(in)) return PLI_OK;
    w->time = time;
    w->step = step;
    w->next_step = next_step;
    w->h = h;
    w->acceleration_known = known && how->same_scheme;
    w->stored = stored;
    w->pending =
        (pli_balance){.kinetic = pending[0], .potential = pending[1], .changes = pending[2]};
    w->balance = (pli_balance){.kinetic = b[0],
                               .potential = b[1],
                               .dissipated = b[2],
                               .numerical = b[3],
                               .work_prescribed = b[4],
                               .work_loads = b[5],
                               .residual = b[6],
                               .stiffening = b[7],
                               .changes = b[8],
                               .inelastic = b[9]};
    return PLI_OK;
}

// States at full steps matter only until there are enough of them.
static void save_history(pli_world* w, pli_pack* out) {
    pli_history_save(&w->history, out);
    pli_pack_int(out, pli_world_is_starting(w));
    if (pli_world_is_starting(w)) pli_history_save(&w->coarse, out);
}

static pli_status read_history(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)error;
    pli_history_restore(&w->history, 1, !how->same_scheme, in);
    bool starting = pli_unpack_int(in, 0, 1, "start of a scheme");
    if (starting && how->same_scheme && w->coarse.depth > 0)
        pli_history_restore(&w->coarse, 0, false, in);
    else if (starting)
        in->at = in->end; // of another scheme
    else if (in->apply)
        w->coarse.count = how->same_scheme ? w->coarse.depth : 0;
    return PLI_OK;
}

static void restart_history(pli_world* w) {
    pli_history_restart(&w->history, w->time, w->q, w->v);
    w->coarse.count = 0;
    w->acceleration_known = false;
}

// ---- state of the parts of the world

static void save_constraints(pli_world* w, pli_pack* out) {
    for (int i = 0; i < PLI_CONSTRAINT_KINDS; ++i) {
        const pli_constraint* c = &w->constraints.kind[i];
        if (!c->ops->save) continue;
        size_t place = pli_pack_open(out, c->ops->section, c->ops->version);
        c->ops->save(c->self, out);
        pli_pack_close(out, place);
    }
}

static pli_status read_constraints(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)how;
    (void)error;
    for (int i = 0; i < PLI_CONSTRAINT_KINDS; ++i) {
        const pli_constraint* c = &w->constraints.kind[i];
        if (!c->ops->save) continue;
        int version = c->ops->version;
        pli_unpack from = pli_unpack_enter(in, c->ops->section, &version);
        c->ops->read(c->self, version, &from);
        pli_unpack_leave(in, &from);
    }
    return PLI_OK;
}

static void restart_constraints(pli_world* w) { pli_constraints_restart(&w->constraints, w->x); }

static void save_contact(pli_world* w, pli_pack* out) {
    pli_collision_save_stiffness(&w->collision, out);
    pli_collision_save_exempt(&w->collision, out);
}

static pli_status read_contact(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)how;
    pli_collision_restore_stiffness(&w->collision, in);
    return pli_collision_restore_exempt(&w->collision, in, error);
}

static void restart_contact(pli_world* w) { w->collision.gap[0] = w->collision.gap[1] = HUGE_VAL; }

static void save_grab(pli_world* w, pli_pack* out) { pli_grab_save(&w->grab, out); }

static pli_status read_grab(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)how;
    if (w->model.def.interactive)
        PLI_TRY(pli_grab_restore(w, in, error));
    else if (pli_unpack_good(in))
        in->at = in->end; // grabbing is not possible in this world
    return PLI_OK;
}

// ---- state declared by terms

static void save_terms(pli_world* w, pli_pack* out) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        size_t size = 0;
        const void* initial;
        if (!term->ops->state) continue;
        const void* state = term->ops->state(term->self, &size, &initial);
        pli_pack_text(out, term->ops->name);
        pli_pack_long(out, size);
        pli_pack_numbers(out, state, size / sizeof(double));
    }
}

static pli_status read_terms(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)how;
    (void)error;
    for (int t = 0; t < w->term_count && pli_unpack_good(in); ++t) {
        const pli_term* term = &w->terms[t].term;
        size_t size = 0, length;
        const void* initial;
        if (!term->ops->state) continue;
        void* state = term->ops->state(term->self, &size, &initial);
        const char *own = term->ops->name,
                   *name = pli_unpack_text(in, PLI_ENERGY_NAME_SIZE, &length, "energy with state");
        uint64_t written = pli_unpack_long(in);
        if (pli_unpack_good(in) &&
            (written != size || strlen(own) != length || memcmp(own, name, length) != 0))
            pli_unpack_fail(in,
                            "the state of energy \"%.*s\" has %llu bytes; this world has energy "
                            "\"%s\" with %zu",
                            (int)length, name, (unsigned long long)written, own, size);
        const void* bytes = pli_unpack_bytes(in, size);
        if (!in->apply || !bytes) continue;
        memcpy(state, bytes, size);
        if (term->ops->between) term->ops->between(term->self, true);
    }
    return PLI_OK;
}

static void restart_terms(pli_world* w) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        size_t size;
        const void* initial;
        if (!term->ops->state) continue;
        void* state = term->ops->state(term->self, &size, &initial);
        if (size > 0) memcpy(state, initial, size);
    }
}

static bool has_state(const pli_world* w) {
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].term.ops->state) return true;
    return false;
}

// ---- energies of the newest state; some belong to the step that led to it

static void save_energies(pli_world* w, pli_pack* out) {
    pli_pack_int(out, w->term_count);
    for (int t = 0; t < w->term_count; ++t) pli_pack_text(out, w->plain_terms[t].ops->name);
    pli_pack_numbers(out, w->energy_values, (size_t)w->term_count);
}

// After the state was published. If the terms differ, the published values stay.
static pli_status read_energies(pli_world* w, reading* how, pli_unpack* in, pli_error* error) {
    (void)how;
    (void)error;
    bool same = true;
    int count = pli_unpack_int(in, 0, INT32_MAX, "terms");
    for (int t = 0; t < count && pli_unpack_good(in); ++t) {
        size_t length;
        const char* text = pli_unpack_text(in, PLI_ENERGY_NAME_SIZE, &length, "name of an energy");
        const char* name = t < w->term_count ? w->plain_terms[t].ops->name : "";
        same = same && strlen(name) == length && memcmp(name, text, length) == 0;
    }
    if (same && count == w->term_count)
        pli_unpack_numbers(in, w->energy_values, (size_t)count, "energy");
    else
        (void)pli_unpack_bytes(in, (size_t)count * sizeof(double));
    if (in->apply && !(same && count == w->term_count))
        w->stored = pli_world_stored(w, w->energy_values);
    return PLI_OK;
}

// ---- the table

typedef struct block {
    uint32_t name; // of its section; 0: it reads and writes its own sections
    int version;
    bool undo; // restored if a step fails
    void (*save)(pli_world* w, pli_pack* out);
    // Checks the bytes, and applies them if `in->apply` is set.
    pli_status (*read)(pli_world* w, reading* how, pli_unpack* in, pli_error* error);
    // A new state begins: w->q, v, x, time. NULL: nothing to do.
    void (*restart)(pli_world* w);
    bool (*wanted)(const pli_world* w); // NULL: always
} block;

// clang-format off
static const block blocks[] = {
    {PLI_SECTION('w', 'r', 'l', 'd'), 2, false, save_head, read_head, NULL, NULL},
    {PLI_SECTION('s', 't', 'e', 'p'), 4, true, save_step, read_step, NULL, NULL},
    {PLI_SECTION('h', 'i', 's', 't'), 1, true, save_history, read_history, restart_history, NULL},
    {0, 0, true, save_constraints, read_constraints, restart_constraints, NULL},
    {PLI_SECTION('c', 'o', 'n', 't'), 1, true, save_contact, read_contact, restart_contact, NULL},
    {PLI_SECTION('h', 'a', 'n', 'd'), 1, false, save_grab, read_grab, NULL, NULL},
    {PLI_SECTION('t', 'e', 'r', 'm'), 1, true, save_terms, read_terms, restart_terms, has_state},
};
static const block energies = {PLI_SECTION('e', 'n', 'r', 'g'), 1, true, save_energies, read_energies, NULL, NULL};
// clang-format on
enum { BLOCK_COUNT = sizeof blocks / sizeof *blocks };

static void save_block(pli_world* w, const block* b, pli_pack* out) {
    if (b->wanted && !b->wanted(w)) return;
    if (b->name == 0) {
        b->save(w, out);
        return;
    }
    size_t place = pli_pack_open(out, b->name, b->version);
    b->save(w, out);
    pli_pack_close(out, place);
}

static pli_status read_block(pli_world* w, const block* b, reading* how, pli_unpack* in,
                             pli_error* error) {
    if (b->wanted && !b->wanted(w)) return PLI_OK;
    if (b->name == 0) return b->read(w, how, in, error);
    how->version = b->version;
    pli_unpack from = pli_unpack_enter(in, b->name, &how->version);
    PLI_TRY(b->read(w, how, &from, error));
    pli_unpack_leave(in, &from);
    return PLI_OK;
}

void pli_state_restart(pli_world* w) {
    for (int i = 0; i < BLOCK_COUNT; ++i)
        if (blocks[i].restart) blocks[i].restart(w);
}

// ---- the model, if it has changed since it was first prepared

static const uint32_t MODEL = PLI_SECTION('m', 'o', 'd', 'l');
enum { MODEL_VERSION = 4 }; // since 2: joints; 3: their measures; 4: measured mass of bodies

// What is chosen once, at the first state, and places, from which the model is prepared again.
// Unknowns count from the places at which the world was last prepared: its origins.
static void save_places(const pli_world* w, pli_pack* out) {
    size_t n = 3 * (size_t)w->model.vertex_count;
    pli_pack_long(out, w->revision);
    pli_pack_long(out, w->topology);
    pli_pack_number(out, w->collision.dhat);
    pli_pack_number(out, w->collision.stiffness);
    pli_pack_number(out, w->collision.largest_stiffness);
    pli_pack_number(out, w->allowed_error);
    for (int v = 0; v < w->model.vertex_count; ++v)
        pli_pack_numbers(out, w->kinematics.vertices[v].x0, 3);
    pli_collision_save_exempt(&w->collision, out);
    pli_pack_numbers(out, w->model.positions, n);
    pli_pack_numbers(out, w->model.velocities, n);
}

static void save_model(pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, MODEL, MODEL_VERSION);
    pli_world_pack_model(w, out);
    save_places(w, out);
    pli_pack_close(out, place);
}

// `origins` gets where the origins are.
static pli_status read_places(pli_world* w, pli_unpack* in, pli_unpack* origins, pli_error* error) {
    size_t n = 3 * (size_t)w->model.vertex_count;
    w->revision = pli_unpack_long(in);
    uint64_t topology = pli_unpack_long(in), own = w->topology;
    w->topology = topology > own ? topology : own + (own > 0); // readers see that it is another one
    w->collision.dhat = pli_unpack_number(in, 0, DBL_MAX, "dhat");
    w->collision.stiffness = pli_unpack_number(in, 0, DBL_MAX, "stiffness of contact");
    w->collision.largest_stiffness = pli_unpack_number(in, 0, DBL_MAX, "stiffness of contact");
    w->allowed_error = pli_unpack_number(in, 0, DBL_MAX, "allowed error");
    *origins = *in;
    (void)pli_unpack_bytes(in, n * sizeof(double));
    PLI_TRY(pli_collision_restore_exempt(&w->collision, in, error));
    pli_unpack_numbers(in, w->model.positions, n, "position");
    pli_unpack_numbers(in, w->model.velocities, n, "velocity");
    return PLI_OK;
}

// Of a world that is prepared: its unknowns count as those that were written.
static void read_origins(pli_world* w, pli_unpack* in) {
    for (int v = 0; v < w->model.vertex_count; ++v)
        pli_unpack_numbers(in, w->kinematics.vertices[v].x0, 3, "origin");
}

// Whether a world with the model that was written has made the same choices at its first state, and
// has the same origins.
static bool has_same_choices(const pli_world* w, pli_unpack in) {
    (void)pli_unpack_long(&in);
    (void)pli_unpack_long(&in);
    bool same = pli_unpack_number(&in, 0, DBL_MAX, "dhat") == w->collision.dhat;
    (void)pli_unpack_number(&in, 0, DBL_MAX, "stiffness of contact");
    same = pli_unpack_number(&in, 0, DBL_MAX, "stiffness of contact") ==
               w->collision.largest_stiffness &&
           same;
    same = pli_unpack_number(&in, 0, DBL_MAX, "allowed error") == w->allowed_error && same;
    for (int v = 0; v < w->model.vertex_count && same; ++v) {
        double x0[3] = {0};
        pli_unpack_numbers(&in, x0, 3, "origin");
        same = memcmp(x0, w->kinematics.vertices[v].x0, sizeof x0) == 0;
    }
    return same && pli_unpack_good(&in);
}

// Whether this world is prepared from the model that was written; then it is passed over.
static pli_status has_same_model(pli_world* w, pli_unpack* in, bool* same, pli_error* error) {
    pli_pack own;
    if (!w->prepared) return PLI_OK;
    pli_pack_init(&own, &w->memory);
    pli_world_pack_model(w, &own);
    pli_status status = pli_pack_end(&own, error);
    size_t left = (size_t)(in->end - in->at);
    *same = status == PLI_OK && left > own.size && memcmp(in->at, own.bytes, own.size) == 0;
    if (*same) {
        pli_unpack places = *in;
        places.at += own.size;
        *same = has_same_choices(w, places);
        uint64_t revision = pli_unpack_long(&places), topology = pli_unpack_long(&places);
        if (*same && revision > w->revision) w->revision = revision;
        if (*same && topology > w->topology) w->topology = topology;
    }
    pli_pack_free(&own);
    return status;
}

// Replaces the model by the written one. Nothing changes until it has been read completely.
static pli_status replace_model(pli_world* w, const pli_world* of, int version, pli_unpack* in,
                                pli_error* error) {
    pli_model model = {.memory = &w->memory,
                       .pool = w->pool,
                       .generation = w->model.generation,
                       .def = w->model.def};
    pli_pins pins;
    pli_pins_init(&pins, &w->memory, model.def.dimension);
    pli_status status = pli_world_read_model(of, &model, &pins, version, in, error);
    if (status == PLI_OK && !pli_unpack_good(in)) status = PLI_E_SCENE;
    if (status != PLI_OK) {
        pli_pins_free(&pins);
        pli_model_free(&model);
        return pli_unpack_good(in) ? status : pli_unpack_end(in, error);
    }
    pli_world_free_prepared(w);
    pli_carry_free(w);
    pli_collision_free(&w->collision);
    pli_pins_free(&w->pins);
    pli_model_free(&w->model);
    w->model = model;
    w->pins = pins;
    pli_collision_init(&w->collision, &w->model);
    w->collision.started = true;
    return PLI_OK;
}

static pli_status read_model(pli_world* w, const pli_world* of, pli_unpack* in, pli_error* error) {
    if (!pli_unpack_is_next(in, MODEL)) return PLI_OK;
    int version = MODEL_VERSION;
    bool same = false;
    pli_unpack from = pli_unpack_enter(in, MODEL, &version);
    from.apply = true;
    if (pli_unpack_good(in)) PLI_TRY(has_same_model(w, &from, &same, error));
    if (!pli_unpack_good(in) || same) return PLI_OK; // its places come with the state
    PLI_TRY(replace_model(w, of, version, &from, error));
    pli_unpack origins;
    pli_status status = read_places(w, &from, &origins, error);
    pli_unpack_leave(in, &from);
    if (status == PLI_OK && !pli_unpack_good(in)) status = pli_unpack_end(in, error);
    w->failed = status != PLI_OK;
    if (status == PLI_OK) status = pli_world_make_ready(w, error);
    if (status == PLI_OK) read_origins(w, &origins);
    return status;
}

// ---- saving and restoring

// Data that can only change the last bits: the pattern of the matrix and the state of its solver.
static void save_pattern(pli_world* w, pli_pack* out) { pli_assembly_save(&w->assembly, out); }

static void save_solver(pli_world* w, pli_pack* out) {
    pli_problem problem = pli_world_problem(w);
    pli_minimizer_save(w->minimizer, &problem, out);
}

pli_status pli_world_write_state(pli_world* world, bool with_model, pli_write_bytes_fn* write,
                                 void* context, pli_error* error) {
    PLI_TRY(pli_world_make_ready(world, error));
    if (!write) return pli_fail(error, PLI_E_ARGUMENT, "save: write is NULL");
    pli_pack out;
    pli_pack_init(&out, &world->memory);
    if (with_model) save_model(world, &out);
    for (int i = 0; i < BLOCK_COUNT; ++i) save_block(world, &blocks[i], &out);
    save_pattern(world, &out);
    save_block(world, &energies, &out);
    save_solver(world, &out);
    pli_status status = pli_pack_end(&out, error);
    if (status == PLI_OK && !write(context, out.bytes, out.size))
        status =
            pli_fail(error, PLI_E_IO, "the state could not be written: the write callback failed");
    pli_pack_free(&out);
    return status;
}

pli_status pli_world_save(pli_world* world, pli_write_bytes_fn* write, void* context,
                          pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    bool changed = world->revision > 0; // a world created in the same way has another model
    return pli_world_leave(world, pli_world_write_state(world, changed, write, context, error));
}

// Recomputes contact pairs, energies and everything published from the restored state.
static pli_status publish(pli_world* w, pli_error* error) {
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    PLI_TRY(pli_world_check_allowed(w, error));
    memset(w->accelerations, 0, 3 * sizeof *w->accelerations * (size_t)w->model.vertex_count);
    w->worst_vertex = -1;
    PLI_TRY(pli_world_find_contacts(w, error));
    pli_world_evaluate(w);
    pli_world_publish(w);
    return PLI_OK;
}

// All sections; without `in->apply` they are only checked.
static pli_status read_all(pli_world* w, pli_unpack* in, pli_error* error) {
    reading how = {.version = 1};
    pli_problem problem = pli_world_problem(w);
    for (int i = 0; i < BLOCK_COUNT; ++i) PLI_TRY(read_block(w, &blocks[i], &how, in, error));
    PLI_TRY(pli_assembly_restore(&w->assembly, in, error));
    uint64_t epoch = w->assembly.pattern_epoch;
    if (in->apply && pli_unpack_good(in)) PLI_TRY(publish(w, error));
    PLI_TRY(read_block(w, &energies, &how, in, error));
    bool same = w->assembly.pattern_epoch == epoch;
    PLI_TRY(pli_minimizer_restore(w->minimizer, &problem, same, in, error));
    return pli_unpack_end(in, error);
}

pli_status pli_world_read_state(pli_world* world, const pli_world* of, const void* bytes,
                                size_t size, pli_error* error) {
    if (!bytes) return pli_fail(error, PLI_E_ARGUMENT, "restore: bytes is NULL");
    pli_unpack check = pli_unpack_from(bytes, size), in;
    PLI_TRY(read_model(world, of, &check, error));
    PLI_TRY(pli_world_make_ready(world, error));
    in = check;
    PLI_TRY(read_all(world, &check, error));
    in.apply = true;
    pli_status status = read_all(world, &in, error);
    if (status != PLI_OK) {
        world->prepared = false;
        world->failed = true;
    }
    return status;
}

pli_status pli_world_restore(pli_world* world, const void* bytes, size_t size, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, pli_world_read_state(world, world, bytes, size, error));
}

// ---- undoing a step

static void start_over(pli_pack* pack) {
    pack->size = 0;
    pack->status = PLI_OK;
}

static pli_status pack_state(pli_world* w, pli_pack* out, pli_error* error) {
    start_over(out);
    for (int i = 0; i < BLOCK_COUNT; ++i)
        if (blocks[i].undo) save_block(w, &blocks[i], out);
    save_block(w, &energies, out);
    return pli_pack_end(out, error);
}

// Space for the largest state: with the full history, twice while a scheme of high order starts.
pli_status pli_undo_init(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    pli_pack_init(&u->state, &w->memory);
    pli_pack_init(&u->solver, &w->memory);
    pli_pack_init(&u->present, &w->memory);
    PLI_TRY(pack_state(w, &u->state, error));
    size_t states = (size_t)w->history.depth + (size_t)w->coarse.depth;
    size_t more = states * (2 * (size_t)w->history.n + 1) * sizeof(double);
    return pli_pack_reserve(&u->state, u->state.size + more, error);
}

void pli_undo_free(pli_world* w) {
    pli_undo* u = &w->undo;
    if (!u->state.memory) return;
    pli_pack_free(&u->state);
    pli_pack_free(&u->solver);
    pli_pack_free(&u->present);
}

static pli_status pack_solver(pli_world* w, pli_pack* out, size_t* split, pli_error* error) {
    start_over(out);
    save_pattern(w, out);
    *split = out->size;
    save_solver(w, out);
    return pli_pack_end(out, error);
}

pli_status pli_undo_keep(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    PLI_TRY(pack_state(w, &u->state, error));
    if (w->cancel) PLI_TRY(pack_solver(w, &u->solver, &u->split, error));
    pli_assembly_keep(&w->assembly);
    u->time = w->time;
    return PLI_OK;
}

pli_status pli_undo_go_back(pli_world* w, pli_error* error) {
    reading how = {.same_scheme = true};
    pli_unpack in = pli_unpack_from(w->undo.state.bytes, w->undo.state.size);
    in.apply = true;
    pli_collision_forget_friction(&w->collision); // friction is not part of the state
    w->solved.known = false;
    for (int i = 0; i < BLOCK_COUNT; ++i)
        if (blocks[i].undo) PLI_TRY(read_block(w, &blocks[i], &how, &in, error));
    PLI_TRY(read_block(w, &energies, &how, &in, error));
    pli_assembly_go_back(&w->assembly);
    return pli_unpack_end(&in, error);
}

// Unchanged data are kept: rebuilding a pattern or an analysis is slow.
pli_status pli_undo_solver(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    pli_problem problem = pli_world_problem(w);
    size_t split;
    PLI_TRY(pli_world_refresh_start(w, error));
    PLI_TRY(pack_solver(w, &u->present, &split, error));
    bool same = split == u->split && memcmp(u->present.bytes, u->solver.bytes, split) == 0;
    if (same && u->present.size == u->solver.size &&
        memcmp(u->present.bytes, u->solver.bytes, u->solver.size) == 0)
        return PLI_OK;
    pli_unpack in = pli_unpack_from(u->solver.bytes, u->solver.size);
    in.apply = true;
    if (same) {
        in.at += split;
    } else {
        PLI_TRY(pli_assembly_restore(&w->assembly, &in, error));
        uint64_t epoch = w->assembly.pattern_epoch;
        PLI_TRY(pli_world_refresh_start(w, error));
        same = w->assembly.pattern_epoch == epoch;
    }
    PLI_TRY(pli_minimizer_restore(w->minimizer, &problem, same, &in, error));
    return pli_unpack_end(&in, error);
}
