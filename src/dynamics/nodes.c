// Stencils that energies find in their bodies, and the nodes that they request meanwhile: numbered
// after the points, added as unknowns, tested and read.
//
// They are found before the unknowns are numbered; the stencils are kept in world->found until the
// terms are built.
#include "dynamics/world.h"

#include "energy/load.h"
#include "math/vec.h"

#include <string.h>

pli_status pli_world_name_energy(const pli_world* world, int i, pli_status status,
                                 pli_error* error) {
    const pli_body_energy* energy = &world->model.energies[i];
    if (status != PLI_OK && energy->body < 0)
        pli_error_prefix(error, "stencils of energy \"%s\"", energy->type->name);
    else if (status != PLI_OK)
        pli_error_prefix(error, "body \"%s\"", world->model.bodies[energy->body].name);
    return pli_error_place(status, error, PLI_OBJECT_ENERGY, i, NULL);
}

// ---- stencils that energies find, before the unknowns are numbered

static uint8_t held_as(const pli_support* support) {
    unsigned held = support->kind == PLI_SUPPORT_PRESCRIBED ? PLI_HELD_PRESCRIBED
                    : support->kind == PLI_SUPPORT_INCLINED ? PLI_HELD_PLANE
                                                            : 0;
    for (int c = 0; c < 3 && support->kind == PLI_SUPPORT_AXES; ++c)
        held |= support->axes[c] ? 1u << c : 0;
    if (support->clamped) held |= PLI_HELD_CLAMPED;
    return (uint8_t)held;
}

void pli_world_find_held(const pli_world* world, uint8_t* held) {
    const pli_model* model = &world->model;
    for (int v = 0; v < model->vertex_count; ++v) held[v] = held_as(&model->supports[v]);
    for (int i = 0; i < model->load_count; ++i) {
        const pli_body_load* load = &model->loads[i];
        if (!pli_load_on_edges(load->def.kind)) continue;
        for (int k = 0; k < load->vertex_count; ++k) held[load->vertices[k]] |= PLI_HELD_MOMENT;
    }
}

static pli_body_view view_of(const pli_world* world, const pli_body_energy* energy) {
    const pli_model* model = &world->model;
    int dim = model->def.dimension, first = model->bodies[energy->body].first_vertex;
    pli_elements all = pli_model_elements(model, energy->body);
    pli_body_view view = {.dim = dim,
                          .first_vertex = first,
                          .vertex_count = pli_body_end_vertex(model, energy->body) - first,
                          .rest = model->rest,
                          .params = energy->params,
                          .pattern = model->bodies[energy->body].pattern};
    memcpy(view.element_count, all.count, sizeof view.element_count);
    memcpy(view.elements, all.elements, sizeof view.elements);
    return view;
}

// For all energies; `weights` and `held` of the points.
static pli_status find_all(pli_world* world, const double* weights, const uint8_t* held,
                           pli_error* error) {
    for (int i = 0; i < world->found_count; ++i) {
        const pli_body_energy* energy = &world->model.energies[i];
        if (energy->body < 0 || !energy->type->stencils) continue;
        if (pli_energy_is_idle(&world->model, energy)) continue;
        pli_asker asker = {.nodes = &world->nodes, .body = energy->body, .energy = i};
        pli_body_view view = view_of(world, energy);
        view.mass = weights;
        view.held = held;
        PLI_TRY(pli_world_name_energy(
            world, i,
            pli_find_stencils(&world->memory, energy->type, &view, &asker, &world->found[i], error),
            error));
    }
    return PLI_OK;
}

// A node without stencils has no equation.
static pli_status check_nodes(const pli_world* world, pli_error* error) {
    char text[PLI_NODE_TEXT];
    for (int i = 0; i < world->nodes.count; ++i) {
        const pli_node* node = &world->nodes.list[i];
        const pli_body* body = &world->model.bodies[node->body];
        if (node->used) continue;
        return pli_world_name_energy(world, node->energy,
                                     pli_fail(error, PLI_E_ARGUMENT,
                                              "%s is in no stencil of any energy; add it to one",
                                              pli_node_text(&node->key, body->first_vertex, text)),
                                     error);
    }
    return PLI_OK;
}

pli_status pli_world_find_stencils(pli_world* world, pli_error* error) {
    pli_memory* m = &world->memory;
    double* weights = NULL;
    uint8_t* held = NULL;
    int points = world->kinematics.point_count;
    bool any = false;
    pli_status status = PLI_OK;
    pli_nodes_init(&world->nodes, m, points);
    for (int i = 0; i < world->model.energy_count; ++i)
        any =
            any || (world->model.energies[i].body >= 0 && world->model.energies[i].type->stencils);
    if (!any) return PLI_OK;
    PLI_TRY(PLI_ALLOC(m, world->found, world->model.energy_count, error));
    world->found_count = world->model.energy_count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, weights, points, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, held, points, error));
    pli_vertex_weights(&world->kinematics, weights);
    pli_world_find_held(world, held);
    PLI_TRY_CLEANUP(status, find_all(world, weights, held, error));
    PLI_TRY_CLEANUP(status, check_nodes(world, error));
cleanup:
    PLI_FREE(m, held, points);
    PLI_FREE(m, weights, points);
    return status;
}

void pli_world_free_stencils(pli_world* world) {
    for (int i = 0; i < world->found_count; ++i) pli_sink_free(&world->found[i]);
    PLI_FREE(&world->memory, world->found, world->found_count);
    world->found_count = 0;
}

// ---- nodes as unknowns

pli_status pli_world_add_nodes(pli_world* world, pli_error* error) {
    const pli_nodes* nodes = &world->nodes;
    if (nodes->count == 0) return PLI_OK;
    for (int i = 0; i < nodes->count; ++i) {
        const pli_node_def* def = &nodes->list[i].def;
        pli_node_map map = {
            .value = def->value, .scale = def->scale, .mass = def->mass, .fixed = def->fixed};
        PLI_TRY(pli_kinematics_add_node(&world->kinematics, &map, error));
    }
    PLI_TRY(pli_turns_find(&world->turns, error));
    PLI_TRY(PLI_ALLOC(&world->memory, world->node_values, 3 * (size_t)nodes->count, error));
    return PLI_ALLOC(&world->memory, world->body_forces, world->model.body_count, error);
}

void pli_world_free_nodes(pli_world* world) {
    pli_turns_free(&world->turns);
    PLI_FREE(&world->memory, world->node_values, 3 * (size_t)world->nodes.count);
    PLI_FREE(&world->memory, world->body_forces, world->model.body_count);
    pli_nodes_free(&world->nodes);
}

int pli_world_node_unknown(const pli_world* world, int i) {
    return pli_kinematics_node_unknown(&world->kinematics, world->nodes.first + i);
}

static bool is_massless(const pli_node* node) { return node->def.mass == 0 && !node->def.fixed; }

// Why a scheme cannot move massless nodes; NULL: it can.
static const char* massless_refusal(const pli_scheme* scheme) {
    if (scheme->step) return "is explicit and needs a mass";
    if (scheme->mean)
        return "balances mean forces of a step, so the node would oscillate about its equilibrium "
               "forever";
    return NULL;
}

pli_status pli_world_check_nodes(const pli_world* world, pli_error* error) {
    const char* refusal = massless_refusal(world->scheme);
    char text[PLI_NODE_TEXT];
    for (int i = 0; i < world->nodes.count && refusal; ++i) {
        const pli_node* node = &world->nodes.list[i];
        if (!is_massless(node) || node->def.follows) continue;
        const pli_body* body = &world->model.bodies[node->body];
        return pli_world_name_energy(
            world, node->energy,
            pli_fail(error, PLI_E_ARGUMENT,
                     "energy \"%s\": %s has no mass, but the scheme \"%s\" %s: give it a mass "
                     "(\"rotary\" of shells, \"inertia\" of rods), or use \"backward-euler\", "
                     "\"bdf2\" or \"newmark\"",
                     world->model.energies[node->energy].type->name,
                     pli_node_text(&node->key, body->first_vertex, text), world->scheme->name,
                     refusal),
            error);
    }
    return PLI_OK;
}

void pli_world_fill_node_mass(const pli_world* world, double* diagonal) {
    double mass = world->nodes.count > 0 ? pli_model_mean_mass(&world->model) : 0;
    for (int i = 0; i < world->nodes.count; ++i)
        if (is_massless(&world->nodes.list[i])) diagonal[pli_world_node_unknown(world, i)] = mass;
}

void pli_world_place_nodes(const pli_world* world, const double* values, const double* rates,
                           double* q, double* v) {
    for (int i = 0; i < world->nodes.count; ++i) {
        const pli_node_def* def = &world->nodes.list[i].def;
        int unknown = pli_world_node_unknown(world, i);
        if (unknown < 0) continue;
        if (values) q[unknown] = def->scale * (values[i] - def->value);
        v[unknown] = rates ? def->scale * rates[i] : 0;
    }
}

void pli_world_start_nodes(const pli_world* world, double* q, double* v) {
    for (int i = 0; i < world->nodes.count; ++i) {
        const pli_node_def* def = &world->nodes.list[i].def;
        int unknown = pli_world_node_unknown(world, i);
        if (unknown < 0) continue;
        q[unknown] = 0;
        v[unknown] = def->scale * def->rate;
    }
}

void pli_world_rest_massless(pli_world* world) {
    for (int i = 0; i < world->nodes.count; ++i) {
        int unknown = pli_world_node_unknown(world, i);
        if (!is_massless(&world->nodes.list[i])) continue;
        world->v[unknown] = (world->q[unknown] - world->history.q[0][unknown]) / world->h;
        world->a[unknown] = 0;
    }
}

// ---- stopping test

double pli_world_node_weight(const pli_world* world, int i) {
    const pli_node_def* def = &world->nodes.list[i].def;
    return def->tolerance > 0 ? world->tolerance / def->tolerance : def->scale;
}

int pli_world_node_point(const pli_world* world, int i) {
    const pli_node* node = &world->nodes.list[i];
    return node->key.vertex_count > 0 ? node->key.vertices[0]
                                      : world->model.bodies[node->body].first_vertex;
}

void pli_world_scale_loads(pli_world* world) {
    for (int i = 0; i < world->nodes.count; ++i)
        world->load[world->nodes.first + i] /= world->nodes.list[i].def.scale;
}

// ---- reading

// What holds node i against all forces and its inertia.
static double gradient_at(const pli_world* world, int i) {
    size_t at = 3 * (size_t)(world->nodes.first + i);
    const pli_node_def* def = &world->nodes.list[i].def;
    return world->gx[at] + (def->follows ? def->mass * world->accelerations[at] : 0);
}

void pli_world_publish_nodes(pli_world* world) {
    int count = world->nodes.count;
    double *values = world->node_values, *rates = values + count, *reactions = rates + count;
    const double *q = world->history.q[0], *v = world->history.v[0];
    for (int i = 0; i < count; ++i) {
        const pli_node_def* def = &world->nodes.list[i].def;
        int unknown = pli_world_node_unknown(world, i);
        values[i] = def->value;
        if (unknown >= 0) values[i] += 1 / def->scale * q[unknown]; // as pli_kinematics_positions
        rates[i] = unknown >= 0 ? v[unknown] / def->scale : 0;
        reactions[i] = unknown >= 0 && !def->follows ? 0 : gradient_at(world, i);
    }
}

int pli_world_node_count(const pli_world* world) {
    return world && world->prepared ? world->nodes.count : 0;
}

const double* pli_world_node_values(const pli_world* world) {
    return pli_world_node_count(world) > 0 ? world->node_values : NULL;
}

const double* pli_world_node_rates(const pli_world* world) {
    int count = pli_world_node_count(world);
    return count > 0 ? world->node_values + count : NULL;
}

pli_node_info pli_world_node(const pli_world* world, int i) {
    int count = pli_world_node_count(world);
    if (i < 0 || i >= count) return (pli_node_info){.body = -1};
    const pli_node* node = &world->nodes.list[i];
    const double* values = world->node_values;
    return (pli_node_info){.body = node->body,
                           .vertex = world->nodes.first + i,
                           .key = node->key,
                           .def = node->def,
                           .value = values[i],
                           .rate = values[count + i],
                           .reaction = values[2 * count + i]};
}
