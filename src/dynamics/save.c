// The state of a world as bytes: what a step starts from, and what rounding depends on.
//
// Each module writes what it keeps beside the code that keeps it; here are the order of the
// sections and the world's own numbers. What is not written is a function of the state: contact
// pairs at the start of a step, Newton's memory, candidates of the search, numbers of the
// preconditioners.
#include "dynamics/world.h"

#include "math/vec.h"

#include <float.h>
#include <string.h>

#define WORLD_SECTION PLI_SECTION('w', 'r', 'l', 'd')
#define STEP_SECTION PLI_SECTION('s', 't', 'e', 'p')
#define HISTORY_SECTION PLI_SECTION('h', 'i', 's', 't')
#define PINS_SECTION PLI_SECTION('p', 'i', 'n', 's')
#define CONTACT_SECTION PLI_SECTION('c', 'o', 'n', 't')
#define HAND_SECTION PLI_SECTION('h', 'a', 'n', 'd')
#define ENERGY_SECTION PLI_SECTION('e', 'n', 'r', 'g')

enum { WORLD_VERSION = 2 }; // 2: which unknowns move which vertices

// ---- who the state is of

static void save_head(const pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, WORLD_SECTION, WORLD_VERSION);
    pli_pack_int(out, w->model.def.dimension);
    pli_pack_int(out, w->model.vertex_count);
    pli_pack_int(out, w->kinematics.unknown_count);
    pli_pack_text(out, w->scheme->name);
    pli_pack_long(out, pli_kinematics_hash(&w->kinematics));
    pli_pack_close(out, place);
}

// *same_scheme: histories can be used as a whole.
static void read_head(const pli_world* w, pli_unpack* in, bool* same_scheme) {
    int version = WORLD_VERSION, n = w->kinematics.unknown_count;
    size_t length;
    pli_unpack from = pli_unpack_enter(in, WORLD_SECTION, &version);
    (void)pli_unpack_int(&from, w->model.def.dimension, w->model.def.dimension, "dimension");
    (void)pli_unpack_int(&from, w->model.vertex_count, w->model.vertex_count, "number of vertices");
    (void)pli_unpack_int(&from, n, n, "number of unknowns");
    const char* scheme = pli_unpack_text(&from, 64, &length, "scheme");
    *same_scheme =
        strlen(w->scheme->name) == length && memcmp(w->scheme->name, scheme, length) == 0;
    if (version > 1 && pli_unpack_long(&from) != pli_kinematics_hash(&w->kinematics))
        pli_unpack_fail(&from, "other vertices are held, or bodies move in another way: its "
                               "unknowns are not those of this world");
    pli_unpack_leave(in, &from);
}

// ---- the world's own numbers

// Version 1 has no stiffening.
enum { STEP_VERSION = 2, BALANCE_PARTS = 8 };

static void save_step(const pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, STEP_SECTION, STEP_VERSION);
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
                                             b->stiffening},
                     BALANCE_PARTS);
    pli_pack_close(out, place);
}

static void read_step(pli_world* w, pli_unpack* in, bool same_scheme) {
    int version = STEP_VERSION;
    double b[BALANCE_PARTS] = {0};
    pli_unpack from = pli_unpack_enter(in, STEP_SECTION, &version);
    double time = pli_unpack_number(&from, -DBL_MAX, DBL_MAX, "time");
    int step = pli_unpack_int(&from, 0, INT32_MAX, "steps done");
    double next_step = pli_unpack_number(&from, 0, DBL_MAX, "next step");
    double h = pli_unpack_number(&from, 0, DBL_MAX, "step");
    bool known = pli_unpack_int(&from, 0, 1, "acceleration known");
    double stored = pli_unpack_number(&from, -DBL_MAX, DBL_MAX, "stored energy");
    pli_unpack_numbers(&from, b, version < 2 ? 7 : BALANCE_PARTS, "part of the balance");
    pli_unpack_leave(in, &from);
    if (!in->apply || !pli_unpack_good(in)) return;
    w->time = time;
    w->step = step;
    w->next_step = next_step;
    w->h = h;
    w->acceleration_known = known && same_scheme;
    w->stored = stored;
    w->balance = (pli_balance){.kinetic = b[0],
                               .potential = b[1],
                               .dissipated = b[2],
                               .numerical = b[3],
                               .work_prescribed = b[4],
                               .work_loads = b[5],
                               .residual = b[6],
                               .stiffening = b[7]};
}

// States at full steps matter only until there are enough of them.
static void save_history(const pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, HISTORY_SECTION, 1);
    pli_history_save(&w->history, out);
    pli_pack_int(out, pli_world_is_starting(w));
    if (pli_world_is_starting(w)) pli_history_save(&w->coarse, out);
    pli_pack_close(out, place);
}

static void read_history(pli_world* w, pli_unpack* in, bool same_scheme) {
    int version = 1;
    pli_unpack from = pli_unpack_enter(in, HISTORY_SECTION, &version);
    pli_history_restore(&w->history, 1, !same_scheme, &from);
    bool starting = pli_unpack_int(&from, 0, 1, "start of a scheme");
    if (starting && same_scheme && w->coarse.depth > 0)
        pli_history_restore(&w->coarse, 0, false, &from);
    else if (starting)
        from.at = from.end; // of another scheme
    else if (from.apply)
        w->coarse.count = same_scheme ? w->coarse.depth : 0;
    pli_unpack_leave(in, &from);
}

// ---- what the parts of the world keep

static void save_pins(const pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, PINS_SECTION, PLI_PINS_VERSION);
    pli_pins_write(&w->pins, out);
    pli_pack_close(out, place);
}

static void read_pins(pli_world* w, pli_unpack* in) {
    int version = PLI_PINS_VERSION;
    pli_unpack from = pli_unpack_enter(in, PINS_SECTION, &version);
    pli_pins_read(&w->pins, version, &from);
    pli_unpack_leave(in, &from);
}

static void save_contact(const pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, CONTACT_SECTION, 1);
    pli_collision_save_stiffness(&w->collision, out);
    pli_collision_save_exempt(&w->collision, out);
    pli_pack_close(out, place);
}

static pli_status read_contact(pli_world* w, pli_unpack* in, pli_error* error) {
    int version = 1;
    pli_unpack from = pli_unpack_enter(in, CONTACT_SECTION, &version);
    pli_collision_restore_stiffness(&w->collision, &from);
    PLI_TRY(pli_collision_restore_exempt(&w->collision, &from, error));
    pli_unpack_leave(in, &from);
    return PLI_OK;
}

static void save_hand(const pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, HAND_SECTION, 1);
    pli_hand_save(&w->hand, out);
    pli_pack_close(out, place);
}

static pli_status read_hand(pli_world* w, pli_unpack* in, pli_error* error) {
    int version = 1;
    pli_unpack from = pli_unpack_enter(in, HAND_SECTION, &version);
    if (w->model.def.interactive)
        PLI_TRY(pli_hand_restore(w, &from, error));
    else if (pli_unpack_good(&from))
        from.at = from.end; // nobody can hold anything here
    pli_unpack_leave(in, &from);
    return PLI_OK;
}

// Energies of the newest state, some of which belong to the step that led to it.
static void save_energies(const pli_world* w, pli_pack* out) {
    size_t place = pli_pack_open(out, ENERGY_SECTION, 1);
    pli_pack_int(out, w->term_count);
    for (int t = 0; t < w->term_count; ++t) pli_pack_text(out, w->plain_terms[t].ops->name);
    pli_pack_numbers(out, w->energy_values, (size_t)w->term_count);
    pli_pack_close(out, place);
}

// After the state was published. If the terms are others, what was found there stays.
static void read_energies(pli_world* w, pli_unpack* in) {
    int version = 1;
    bool same = true;
    pli_unpack from = pli_unpack_enter(in, ENERGY_SECTION, &version);
    int count = pli_unpack_int(&from, 0, INT32_MAX, "terms");
    for (int t = 0; t < count && pli_unpack_good(&from); ++t) {
        size_t length;
        const char* text =
            pli_unpack_text(&from, PLI_ENERGY_NAME_SIZE, &length, "name of an energy");
        const char* name = t < w->term_count ? w->plain_terms[t].ops->name : "";
        same = same && strlen(name) == length && memcmp(name, text, length) == 0;
    }
    if (same && count == w->term_count)
        pli_unpack_numbers(&from, w->energy_values, (size_t)count, "energy");
    else
        (void)pli_unpack_bytes(&from, (size_t)count * sizeof(double));
    pli_unpack_leave(in, &from);
    if (in->apply && !(same && count == w->term_count))
        w->stored = pli_world_stored(w, w->energy_values);
}

// ---- all of it

static pli_status save(pli_world* world, pli_write_bytes_fn* write, void* context,
                       pli_error* error) {
    PLI_TRY(pli_world_make_ready(world, error));
    if (!write) return pli_fail(error, PLI_E_ARGUMENT, "save: write is NULL");
    pli_problem problem = pli_world_problem(world);
    pli_pack out;
    pli_pack_init(&out, &world->memory);
    save_head(world, &out);
    save_step(world, &out);
    save_history(world, &out);
    save_pins(world, &out);
    save_contact(world, &out);
    save_hand(world, &out);
    pli_assembly_save(&world->assembly, &out);
    save_energies(world, &out);
    pli_minimizer_save(world->minimizer, &problem, &out);
    pli_status status = pli_pack_end(&out, error);
    if (status == PLI_OK && !write(context, out.bytes, out.size))
        status = pli_fail(error, PLI_E_IO, "the state could not be written");
    pli_pack_free(&out);
    return status;
}

pli_status pli_world_save(pli_world* world, pli_write_bytes_fn* write, void* context,
                          pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, save(world, write, context, error));
}

// Contact pairs, energies and all that readers see, of the state that was read.
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

// All sections; without `in->apply` they are only looked at.
static pli_status read_all(pli_world* w, pli_unpack* in, pli_error* error) {
    bool same_scheme;
    pli_problem problem = pli_world_problem(w);
    read_head(w, in, &same_scheme);
    read_step(w, in, same_scheme);
    read_history(w, in, same_scheme);
    read_pins(w, in);
    PLI_TRY(read_contact(w, in, error));
    PLI_TRY(read_hand(w, in, error));
    PLI_TRY(pli_assembly_restore(&w->assembly, in, error));
    uint64_t epoch = w->assembly.pattern_epoch;
    if (in->apply && pli_unpack_good(in)) PLI_TRY(publish(w, error));
    read_energies(w, in);
    bool same = w->assembly.pattern_epoch == epoch;
    PLI_TRY(pli_minimizer_restore(w->minimizer, &problem, same, in, error));
    return pli_unpack_end(in, error);
}

static pli_status restore(pli_world* world, const void* bytes, size_t size, pli_error* error) {
    PLI_TRY(pli_world_make_ready(world, error));
    if (!bytes) return pli_fail(error, PLI_E_ARGUMENT, "restore: bytes is NULL");
    pli_unpack check = pli_unpack_from(bytes, size), in = check;
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
    return pli_world_leave(world, restore(world, bytes, size, error));
}
