// Creates the contact terms from the model: dhat, surfaces, rules, barriers and their friction.
#include "collision/collision.h"

#include "contact/barrier_term.h"
#include "math/vec.h"

#include <string.h>

void pli_collision_init(pli_collision* c, const pli_model* model) {
    *c = (pli_collision){.memory = model->memory, .model = model};
}

static void destroy(pli_term* term) {
    if (term->ops) term->ops->destroy(term->self);
}

void pli_collision_free(pli_collision* c) {
    pli_memory* m = c->memory;
    for (int t = c->term_count; t-- > 0;) {
        destroy(&c->terms[t].friction);
        destroy(&c->terms[t].barrier);
    }
    PLI_FREE(m, c->terms, c->term_capacity);
    if (c->friction_forces) PLI_FREE(m, c->friction_forces, 2 * c->model->body_count);
    pli_contacts_free(&c->contacts, m);
    pli_surfaces_free(&c->surfaces);
    pli_rules_free(&c->rules);
    PLI_FREE(m, c->exempt.keys, c->exempt.capacity);
    *c = (pli_collision){0};
}

void pli_collision_reset(pli_collision* c) {
    pli_collision state = *c;
    c->exempt = (pli_body_pairs){0};
    if (!state.started) PLI_FREE(state.memory, state.exempt.keys, state.exempt.capacity);
    pli_collision_free(c);
    pli_collision_init(c, state.model);
    if (!state.started) return;
    c->started = true;
    c->dhat = state.dhat;
    c->stiffness = state.stiffness;
    c->largest_stiffness = state.largest_stiffness;
    c->gap[0] = state.gap[0];
    c->gap[1] = state.gap[1];
    c->exempt = state.exempt;
}

void pli_collision_remove_body(pli_collision* c, int body) {
    pli_body_pairs* pairs = &c->exempt;
    int kept = 0;
    for (int i = 0; i < pairs->count; ++i) {
        int32_t a = (int32_t)(pairs->keys[i] >> 32), b = (int32_t)(pairs->keys[i] & UINT32_MAX);
        if (a == body || b == body) continue;
        pairs->keys[kept++] = pli_body_pair_key(a - (a > body), b - (b > body));
    }
    pairs->count = kept;
}

// ---- surfaces and rules

// Default: a fraction of the diagonal of all bodies, or of the smallest one.
static double choose_dhat(const pli_model* model) {
    const pli_contact_def* def = &model->def.contact;
    if (def->dhat != 0) return def->dhat;
    double all = pli_model_diagonal(model, 0, model->body_count);
    bool relative = def->dhat_relative > 0 && all > 0;
    return relative ? def->dhat_relative * all : 1e-3 * pli_model_smallest_diagonal(model);
}

static pli_member half_space_member(const pli_half_space_def* def) {
    return (pli_member){.kind = PLI_MEMBER_HALF_SPACE,
                        .name = def->name,
                        .friction = def->friction,
                        .friction_static = def->friction_static};
}

static pli_member body_member(const pli_body* body) {
    return (pli_member){.kind = body->def.obstacle ? PLI_MEMBER_OBSTACLE : PLI_MEMBER_BODY,
                        .name = body->name,
                        .tags = body->def.tags,
                        .tag_count = body->def.tag_count};
}

static void use_rules(pli_collision* c) {
    c->surfaces.filter.classes = c->rules.classes;
    c->surfaces.filter.table = c->rules.table;
    c->surfaces.filter.relations = c->rules.relations;
    c->surfaces.filter.exempt = &c->exempt;
}

static pli_status make_rules(pli_collision* c, bool survey, pli_error* error) {
    const pli_model* model = c->model;
    int bodies = model->body_count, count = bodies + model->half_space_count;
    pli_member* members;
    PLI_TRY(PLI_ALLOC(c->memory, members, count, error));
    for (int i = 0; i < bodies; ++i) members[i] = body_member(&model->bodies[i]);
    for (int i = bodies; i < count; ++i)
        members[i] = half_space_member(&model->half_spaces[i - bodies]);
    pli_rules_def def = {.member_count = count,
                         .members = members,
                         .rule_count = model->rule_count,
                         .rules = model->rule_defs,
                         .friction = model->def.contact.friction,
                         .friction_static = model->def.contact.friction_static,
                         .lenient = survey || c->started}; // a removed body may still be named
    pli_rules_free(&c->rules);
    pli_status status = pli_rules_init(&c->rules, c->memory, &def, error);
    PLI_FREE(c->memory, members, count);
    for (int i = 0; i < c->rules.relation_count && survey; ++i) {
        pli_relation* r = &c->rules.relations[i];
        r->pass = r->pass || r->allow_initial;
    }
    use_rules(c);
    return status;
}

double pli_collision_dhat(const pli_collision* c) {
    return c->started && c->model->def.contact.dhat == 0 ? c->dhat : choose_dhat(c->model);
}

pli_status pli_collision_make_surfaces(pli_collision* c, bool survey, pli_error* error) {
    if (!c->surfaces.memory) {
        c->dhat = pli_collision_dhat(c);
        PLI_TRY(pli_surfaces_init(&c->surfaces, c->model, c->dhat, error));
    }
    return make_rules(c, survey, error);
}

// The terms refer to classes by index; pairs of classes without friction have no friction term.
pli_status pli_collision_update_rules(pli_collision* c, bool* done, pli_error* error) {
    pli_rules before = c->rules;
    c->rules = (pli_rules){0};
    pli_status status = make_rules(c, false, error);
    if (status == PLI_OK && before.class_count == c->rules.class_count) {
        *done = memcmp(before.classes, c->rules.classes,
                       sizeof *before.classes * (size_t)before.member_count) == 0;
        for (int t = 0; t < c->term_count; ++t) {
            int i = c->terms[t].half_space;
            int32_t against = i < 0 ? -1 : c->rules.classes[c->model->body_count + i];
            bool acts = pli_rules_have_friction(&c->rules, against);
            *done = *done && acts == (c->terms[t].friction.ops != NULL);
        }
    }
    if (!*done) { // the terms go on with the rules they know, until they are rebuilt
        pli_rules after = c->rules;
        c->rules = before;
        before = after;
        use_rules(c);
    }
    pli_rules_free(&before);
    return status;
}

// ---- terms

// Takes ownership of the barrier, also on failure. half_space -1: between bodies.
static pli_status add_barrier(pli_collision* c, pli_term barrier, int half_space,
                              pli_error* error) {
    pli_collision_term* term = &c->terms[c->term_count++];
    *term = (pli_collision_term){.barrier = barrier, .half_space = half_space};
    int32_t against = half_space < 0 ? -1 : c->rules.classes[c->model->body_count + half_space];
    if (!pli_rules_have_friction(&c->rules, against)) return PLI_OK;
    pli_friction_def def = {.speed = c->model->def.contact.friction_speed,
                            .filter = &c->surfaces.filter,
                            .half_space_class = against};
    PLI_TRY(pli_friction_create(c->memory, &term->barrier, &def, &term->friction, error));
    c->has_friction = true;
    return PLI_OK;
}

static pli_status reserve_term(pli_collision* c, pli_error* error) {
    return PLI_GROW(c->memory, c->terms, c->term_capacity, c->term_count + 1, error);
}

// Vertices that touch half-space i, except the carrier; returns their count.
static int half_space_vertices(const pli_collision* c, int i, int carrier, int32_t* out) {
    int count = 0;
    int32_t own = c->rules.classes[c->model->body_count + i];
    for (int v = 0; v < c->model->vertex_count; ++v) {
        int body = c->surfaces.body[v];
        const pli_body_def* def = &c->model->bodies[body].def;
        const char* which = def->contact_vertices;
        bool chosen =
            strcmp(which, "all") == 0 || (strcmp(which, "boundary") == 0 && c->surfaces.outer[v]);
        if (pli_rules_between(&c->rules, c->rules.classes[body], own)->pass) continue;
        if (chosen && !def->obstacle && v != carrier) out[count++] = v;
    }
    return count;
}

static pli_status add_half_space(pli_collision* c, const pli_barrier_def* def, int i, int32_t* list,
                                 pli_error* error) {
    const pli_half_space_def* half_space = &c->model->half_spaces[i];
    pli_plane plane = {.carrier = -1};
    memcpy(plane.point, half_space->point, sizeof plane.point);
    memcpy(plane.normal, half_space->normal, sizeof plane.normal);
    plane.carrier = pli_model_carrier(c->model, i);
    int count = half_space_vertices(c, i, plane.carrier, list);
    pli_term term;
    PLI_TRY(reserve_term(c, error));
    PLI_TRY(pli_half_space_barrier_create(c->memory, def, &plane, count, list, &term, error));
    return add_barrier(c, term, i, error);
}

pli_status pli_collision_add_pair_term(pli_collision* c, const pli_barrier_def* def,
                                       const pli_side* a, const pli_side* b, pli_error* error) {
    pli_term term;
    PLI_TRY(reserve_term(c, error));
    PLI_TRY(pli_pair_barrier_create(c->memory, def, a, b, &term, error));
    return add_barrier(c, term, -1, error);
}

pli_status pli_collision_make_terms(pli_collision* c, pli_error* error) {
    const pli_model* model = c->model;
    if (!c->started) c->stiffness = 1; // until it is chosen
    if (model->def.contact.stiffness > 0) c->stiffness = model->def.contact.stiffness;
    PLI_TRY(pli_collision_make_surfaces(c, false, error));
    const pli_surfaces* surfaces = &c->surfaces;
    pli_barrier_def def = {.dim = model->def.dimension,
                           .vertex_count = model->vertex_count,
                           .form = pli_barrier_form_of(model->def.contact.barrier),
                           .dhat = c->dhat,
                           .stiffness = c->stiffness,
                           .area = surfaces->area,
                           .radius = surfaces->thick ? surfaces->radius : NULL,
                           .filter = &surfaces->filter,
                           .rest = pli_surfaces_rest(surfaces)};
    int32_t* list = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(c->memory, list, model->vertex_count, error));
    for (int i = 0; i < model->half_space_count; ++i)
        PLI_TRY_CLEANUP(status, add_half_space(c, &def, i, list, error));
    if (model->def.contact.bodies) PLI_TRY_CLEANUP(status, pli_collision_add_pairs(c, &def, error));
    if (c->has_friction)
        PLI_TRY_CLEANUP(status,
                        PLI_ALLOC(c->memory, c->friction_forces, 2 * model->body_count, error));
cleanup:
    PLI_FREE(c->memory, list, model->vertex_count);
    return status;
}

// ---- pairs and friction

bool pli_collision_is_near(const pli_collision* c) {
    for (int t = 0; t < c->term_count; ++t)
        if (c->terms[t].barrier.ops->count(c->terms[t].barrier.self) > 0) return true;
    return false;
}

void pli_collision_forget_pairs(pli_collision* c) {
    for (int t = 0; t < c->term_count; ++t) pli_barrier_forget(&c->terms[t].barrier);
}

void pli_collision_forget_friction(pli_collision* c) {
    for (int t = 0; t < c->term_count; ++t)
        if (c->terms[t].friction.ops) pli_friction_forget(&c->terms[t].friction);
}

bool pli_collision_friction_is_stale(pli_collision* c, const double* x) {
    static const double little = 0.1; // of the forces at x
    const pli_model* model = c->model;
    if (!c->friction_forces) return false;
    double *lagged = c->friction_forces, *now = lagged + model->body_count;
    memset(lagged, 0, 2 * sizeof *lagged * (size_t)model->body_count);
    for (int t = 0; t < c->term_count; ++t)
        if (c->terms[t].friction.ops)
            pli_friction_forces(&c->terms[t].friction, x, c->surfaces.body, lagged, now);
    for (int b = 0; b < model->body_count; ++b)
        if (!model->bodies[b].def.obstacle && lagged[b] < little * now[b]) return true;
    return false;
}

// ---- forces

static bool add_gradient(const pli_term* term, int dim, const double* x, double* gradient) {
    int width = term->ops->width, count = term->ops->count(term->self);
    const int32_t* v = term->ops->vertices(term->self);
    bool acts = false;
    for (int i = 0; i < count; ++i, v += width) {
        double g[PLI_LOCAL_MAX] = {0};
        pli_batch in = {
            .dim = dim, .count = 1, .width = width, .vertices = v, .x = x, .want = PLI_GRADIENT};
        term->ops->eval(term->self, i, &in, &(pli_local){.g = g});
        for (int k = 0; k < width; ++k) pli_axpy(1, g + k * dim, gradient + 3 * (size_t)v[k], dim);
        acts = acts || pli_norm(g, width * dim) > 0;
    }
    return acts;
}

// In the order of the terms of E: terms with fixed stencils first.
bool pli_collision_gradient(const pli_collision* c, const double* x, double* gradient) {
    int dim = c->model->def.dimension;
    bool acts = false;
    memset(gradient, 0, 3 * sizeof *gradient * (size_t)c->model->vertex_count);
    for (int t = 0; t < 4 * c->term_count; ++t) {
        const pli_collision_term* at = &c->terms[t / 2 % c->term_count];
        const pli_term* term = t % 2 ? &at->friction : &at->barrier;
        bool dynamic = t >= 2 * c->term_count;
        if (term->ops && term->ops->dynamic == dynamic)
            acts = add_gradient(term, dim, x, gradient) || acts;
    }
    return acts;
}
