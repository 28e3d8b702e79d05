// The operations of constraints over all kinds: see constraint.h.
#include "dynamics/constraint.h"

// Kinds that have the operation.
#define EACH(c, op)                                                                                \
    for (const pli_constraint* c = all->kind; c < all->kind + PLI_CONSTRAINT_KINDS; ++c)           \
        if (c->ops && c->ops->op)

void pli_constraints_free(pli_constraints* all) { EACH(c, free) c->ops->free(c->self); }

uint64_t pli_constraints_hash(const pli_constraints* all, int first, int end, uint64_t hash) {
    EACH(c, hash) hash = c->ops->hash(c->self, first, end, hash);
    return hash;
}

int pli_constraints_count(const pli_constraints* all) {
    int sum = 0;
    EACH(c, count) sum += c->ops->count(c->self);
    return sum;
}

bool pli_constraints_partial(const pli_constraints* all) {
    EACH(c, partial) if (c->ops->partial(c->self)) return true;
    return false;
}

void pli_constraints_fill_mass(const pli_constraints* all, const pli_kinematics* k,
                               double* diagonal) {
    EACH(c, fill_mass) c->ops->fill_mass(c->self, k, diagonal);
}

int pli_constraints_stages(const pli_constraints* all, const pli_step* step) {
    int most = 1;
    EACH(c, stages) most = pli_max_int(most, c->ops->stages(c->self, step));
    return most;
}

pli_status pli_constraints_retarget(pli_constraints* all, const pli_step* step, double from,
                                    double to, pli_error* error) {
    EACH(c, retarget) PLI_TRY(c->ops->retarget(c->self, step, from, to, error));
    return PLI_OK;
}

void pli_constraints_aim(pli_constraints* all, const pli_drive* drive, pli_aim* aim) {
    EACH(c, aim) c->ops->aim(c->self, drive, aim);
}

void pli_constraints_jump(const pli_constraints* all, const pli_kinematics* k, double* q) {
    EACH(c, jump) c->ops->jump(c->self, k, q);
}

bool pli_constraints_predict(const pli_constraints* all, const pli_kinematics* k, double* q) {
    EACH(c, predict) if (!c->ops->predict(c->self, k, q)) return false;
    return true;
}

int pli_constraints_arrive(pli_constraints* all, const double* x, double distance) {
    int sum = 0;
    EACH(c, arrive) sum += c->ops->arrive(c->self, x, distance);
    return sum;
}

bool pli_constraints_arrived(const pli_constraints* all) {
    EACH(c, arrived) if (!c->ops->arrived(c->self)) return false;
    return true;
}

void pli_constraints_hold(const pli_constraints* all, const pli_kinematics* k, bool whole,
                          uint8_t* frozen) {
    EACH(c, hold) c->ops->hold(c->self, k, whole, frozen);
}

void pli_constraints_weigh(const pli_constraints* all, double correction, double distance,
                           double* weight) {
    EACH(c, weigh) c->ops->weigh(c->self, correction, distance, weight);
}

bool pli_constraints_stiffen(pli_constraints* all, const double* x, double distance) {
    bool any = false;
    EACH(c, stiffen) if (c->ops->stiffen(c->self, x, distance)) any = true;
    return any;
}

void pli_constraints_retreat(pli_constraints* all, const pli_step* step, const double* x,
                             bool stay) {
    EACH(c, retreat) c->ops->retreat(c->self, step, x, stay);
}

int pli_constraints_behind(const pli_constraints* all) {
    int sum = 0;
    EACH(c, behind) sum += c->ops->behind(c->self);
    return sum;
}

void pli_constraints_finish(const pli_constraints* all, const pli_drive* drive, const double* q,
                            double* v, double* a) {
    EACH(c, finish) c->ops->finish(c->self, drive, q, v, a);
}

void pli_constraints_commit(pli_constraints* all, double h, const double* x) {
    EACH(c, commit) c->ops->commit(c->self, h, x);
}

void pli_constraints_mark_behind(const pli_constraints* all, uint8_t* behind) {
    EACH(c, mark_behind) c->ops->mark_behind(c->self, behind);
}

void pli_constraints_reaction(const pli_constraints* all, const double* x, double* force) {
    EACH(c, reaction) c->ops->reaction(c->self, x, force);
}

double pli_constraints_take_work(const pli_constraints* all, const pli_kinematics* k,
                                 const double* dq, double* g) {
    double sum = 0;
    EACH(c, take_work) sum += c->ops->take_work(c->self, k, dq, g);
    return sum;
}

void pli_constraints_add_work(const pli_constraints* all, const pli_kinematics* k, double factor,
                              const double* g, const double* dq, double* work) {
    EACH(c, add_work) c->ops->add_work(c->self, k, factor, g, dq, work);
}

void pli_constraints_clear(const pli_constraints* all, const pli_kinematics* k, double* values) {
    EACH(c, clear) c->ops->clear(c->self, k, values);
}

void pli_constraints_bend(pli_constraints* all, double time, double h) {
    EACH(c, bend) c->ops->bend(c->self, time, h);
}

void pli_constraints_guide(pli_constraints* all, const pli_drive* drive) {
    EACH(c, guide) c->ops->guide(c->self, drive);
}

void pli_constraints_place(pli_constraints* all, const pli_drive* drive, double* q, double* v) {
    EACH(c, place) c->ops->place(c->self, drive, q, v);
}

void pli_constraints_accelerate(const pli_constraints* all, const pli_kinematics* k, double* a) {
    EACH(c, accelerate) c->ops->accelerate(c->self, k, a);
}

void pli_constraints_restart(pli_constraints* all, const double* x) {
    EACH(c, restart) c->ops->restart(c->self, x);
}
