// Builds the terms of E from the model: element energies, gravity, loads, constraints, contact.
#include "dynamics/world.h"

#include "energy/damping.h"
#include "energy/load.h"
#include "energy/stencils.h"
#include "math/vec.h"

#include <string.h>

pli_status pli_world_reserve_terms(pli_world* world, int more, pli_error* error) {
    return PLI_GROW(&world->memory, world->terms, world->term_capacity, world->term_count + more,
                    error);
}

static pli_status reserve_term(pli_world* world, pli_error* error) {
    return pli_world_reserve_terms(world, 1, error);
}

pli_world_term* pli_world_add_term(pli_world* world, pli_term term) {
    world->terms[world->term_count] =
        (pli_world_term){.term = term, .energy = -1, .load = -1, .body = -1, .element = PLI_VERTEX};
    return &world->terms[world->term_count++];
}

// Numbers 0 .. count - 1, for energies over vertices.
static pli_status make_numbers(pli_memory* memory, int count, int32_t** out, pli_error* error) {
    PLI_TRY(PLI_ALLOC(memory, *out, count, error));
    for (int i = 0; i < count; ++i) (*out)[i] = i;
    return PLI_OK;
}

// Of the triangles of a body.
static double thickness_of(const pli_world* world, int body) {
    const pli_model* model = &world->model;
    if (model->def.dimension == 2 || body < 0) return model->def.thickness;
    return pli_volume_factor(model, body, &model->bodies[body].def, 2);
}

static pli_domain whole_domain(const pli_world* world) {
    return (pli_domain){.dim = world->model.def.dimension,
                        .rest = world->model.rest,
                        .mass = world->model.masses,
                        .thickness = world->model.def.thickness};
}

static bool has_kind(const pli_world* world, int body, pli_element_kind kind) {
    return pli_body_end_element(&world->model, body, kind) >
           world->model.bodies[body].first_element[kind];
}

// Input of energies over all bodies, per vertex of the world, including nodes.
typedef struct vertex_data {
    const int32_t* numbers; // 0, 1, 2 ..
    const double* rest;     // 3 each [m]
    const double* weights;  // row sums of the mass [kg]
    const double* area;     // of the surface [m^2]; NULL: the body has none
    const uint8_t* held;    // PLI_HELD_*
    const double* offset;   // of contact [m]
} vertex_data;

// Where contact begins, from each vertex.
static void find_offsets(const pli_world* world, double* offset) {
    const pli_model* model = &world->model;
    double half = model->def.contact.bodies ? 0.5 * pli_collision_dhat(&world->collision) : 0;
    for (int b = 0; b < model->body_count; ++b)
        for (int v = model->bodies[b].first_vertex; v < pli_body_end_vertex(model, b); ++v)
            offset[v] = half + (half > 0 ? model->bodies[b].def.contact_thickness : 0);
}

// Distributes the surface areas of all bodies to their vertices.
static pli_status find_areas(pli_world* world, double* area, pli_error* error) {
    for (int b = 0; b < world->model.body_count; ++b) {
        pli_skin skin = {0};
        PLI_TRY(pli_model_skin(&world->model, b, world->model.def.dimension, &skin, error));
        pli_skin_areas(&skin, world->model.rest, world->model.def.thickness, area);
        pli_skin_free(&skin);
    }
    return PLI_OK;
}

static bool has_surface(const pli_world* world, int body) {
    bool flat = has_kind(world, body, PLI_TRIANGLE) || has_kind(world, body, PLI_TRIANGLE6);
    return flat || (world->model.def.dimension == 3 && (has_kind(world, body, PLI_TETRAHEDRON) ||
                                                        has_kind(world, body, PLI_TETRAHEDRON10)));
}

// The term of an energy over the stencils of `domain`, with the damping of its body.
static pli_status add_energy_term(pli_world* world, const pli_body_energy* energy,
                                  const pli_domain* domain, pli_error* error) {
    pli_term term, damping;
    if (pli_energy_is_idle(&world->model, energy)) return PLI_OK;
    PLI_TRY(pli_world_reserve_terms(world, 2, error));
    PLI_TRY(pli_element_term_create(&world->memory, energy->type, energy->params, domain, &term,
                                    error));
    pli_world_term* added = pli_world_add_term(world, term);
    added->energy = (int)(energy - world->model.energies);
    added->body = energy->body;
    added->element = domain->kind;
    pli_element_term_set_field(&term, energy->field, energy->context);
    double beta = energy->body < 0 ? 0 : world->model.bodies[energy->body].def.stiffness_damping;
    if (beta == 0 || term.ops->linear || term.ops->start || term.ops->role != PLI_POTENTIAL)
        return PLI_OK;
    PLI_TRY(pli_stiffness_damping_create(&world->memory, &term, domain->dim,
                                         world->kinematics.vertex_count, beta, &damping, error));
    pli_world_add_term(world, damping);
    return PLI_OK;
}

// The part of an energy over elements of one kind.
static pli_status add_over_elements(pli_world* world, const pli_body_energy* energy,
                                    pli_domain domain, const int32_t* numbers, pli_error* error) {
    const pli_model* model = &world->model;
    int first = model->bodies[energy->body].first_element[domain.kind];
    domain.element_count = pli_body_element_count(model, energy->body, domain.kind);
    if (domain.kind == PLI_TRIANGLE) domain.pattern = model->bodies[energy->body].pattern;
    domain.vertices = domain.kind == PLI_VERTEX
                          ? numbers + first
                          : model->elements[domain.kind] + first * pli_element_size(domain.kind);
    return add_energy_term(world, energy, &domain, error);
}

// The part over stencils that the energy found in the mesh.
static pli_status add_over_stencils(pli_world* world, const pli_body_energy* energy,
                                    pli_domain domain, pli_error* error) {
    const pli_stencil_sink* sink = &world->found[energy - world->model.energies];
    if (sink->count == 0) return PLI_OK; // it has elements
    if (energy->type->per_triangle) domain.pattern = world->model.bodies[energy->body].pattern;
    if (sink->pattern) {
        domain.pattern = sink->pattern;
        domain.pattern_size = PLI_HINGE_PATTERN;
    }
    domain.kind = PLI_STENCIL;
    domain.element_count = sink->count;
    domain.vertices = sink->vertices;
    domain.start = sink->start;
    return add_energy_term(world, energy, &domain, error);
}

static pli_status add_consistent_damping(pli_world* world, double alpha, const pli_lump* source,
                                         pli_error* error) {
    pli_term term;
    PLI_TRY(reserve_term(world, error));
    PLI_TRY(pli_consistent_damping_create(&world->memory, alpha, source, &term, error));
    pli_world_add_term(world, term);
    return PLI_OK;
}

static pli_status add_lumped_damping(pli_world* world, double alpha, const pli_domain* domain,
                                     pli_error* error) {
    pli_term term;
    PLI_TRY(reserve_term(world, error));
    PLI_TRY(pli_mass_damping_create(&world->memory, alpha, domain, &term, error));
    pli_world_add_term(world, term);
    return PLI_OK;
}

// By the mass of the body: with M v' = -alpha M v every motion decays as e^(-alpha t).
static pli_status add_mass_damping(pli_world* world, const int32_t* numbers, pli_error* error) {
    for (int b = 0; b < world->model.body_count; ++b) {
        int first = world->model.bodies[b].first_vertex;
        double alpha = world->model.bodies[b].def.mass_damping;
        if (alpha == 0 || pli_world_frame(world, b)) continue; // see pli_world_add_rigidity
        pli_lump sources[PLI_ELEMENT_KIND_COUNT];
        int source_count = pli_body_consistent_mass(world, b, sources);
        for (int s = 0; s < source_count; ++s)
            PLI_TRY(add_consistent_damping(world, alpha, &sources[s], error));
        if (source_count > 0) continue;
        pli_domain domain = whole_domain(world);
        domain.element_count = pli_body_end_vertex(&world->model, b) - first;
        domain.vertices = numbers + first;
        PLI_TRY(add_lumped_damping(world, alpha, &domain, error));
    }
    return PLI_OK;
}

// Same for the nodes of each body.
static pli_status add_node_damping(pli_world* world, const double* weights, pli_error* error) {
    const pli_nodes* nodes = &world->nodes;
    int32_t* list;
    if (nodes->count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(&world->memory, list, nodes->count, error));
    pli_status status = PLI_OK;
    for (int b = 0; b < world->model.body_count && status == PLI_OK; ++b) {
        double alpha = world->model.bodies[b].def.mass_damping;
        pli_domain domain = {.dim = world->model.def.dimension, .mass = weights, .vertices = list};
        if (alpha == 0) continue;
        for (int i = 0; i < nodes->count; ++i)
            if (nodes->list[i].body == b && nodes->list[i].def.mass > 0)
                list[domain.element_count++] = nodes->first + i;
        if (domain.element_count > 0) status = add_lumped_damping(world, alpha, &domain, error);
    }
    PLI_FREE(&world->memory, list, nodes->count);
    return status;
}

// Sheets need linear triangles: a body would else have forces in a part of its triangles only.
static pli_status check_sheet(const pli_energy_type* type, int dim, const int* counts,
                              pli_error* error) {
    if (dim != 3 || !type->sheet || counts[PLI_TRIANGLE6] == 0) return PLI_OK;
    if (counts[PLI_TETRAHEDRON] + counts[PLI_TETRAHEDRON10] > 0) return PLI_OK;
    return pli_fail(
        error, PLI_E_ARGUMENT,
        "energy \"%s\" does not support 6-node triangles in space, and the mesh has %d: "
        "use 3-node triangles",
        type->name, counts[PLI_TRIANGLE6]);
}

// One energy over its stencils and all element kinds that it supports.
static pli_status add_energy(pli_world* world, const pli_body_energy* energy, const vertex_data* at,
                             pli_error* error) {
    int dim = world->model.def.dimension;
    bool covered = energy->type->stencils;
    char kinds[PLI_KINDS_SIZE];
    pli_domain domain = whole_domain(world);
    domain.rest = at->rest;
    domain.mass = at->weights;
    domain.area = at->area;
    domain.held = at->held;
    domain.offset = at->offset;
    domain.thickness = thickness_of(world, energy->body);
    if (energy->body < 0) {
        domain.kind = energy->kind;
        domain.element_count = energy->stencil_count;
        domain.vertices = energy->vertices;
        return add_energy_term(world, energy, &domain, error);
    }
    domain.first_vertex = world->model.bodies[energy->body].first_vertex;
    domain.end_vertex = pli_body_end_vertex(&world->model, energy->body);
    const pli_elements all = pli_model_elements(&world->model, energy->body);
    PLI_TRY(check_sheet(energy->type, dim, all.count, error));
    if (covered) PLI_TRY(add_over_stencils(world, energy, domain, error));
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        domain.kind = (pli_element_kind)k;
        if (!pli_energy_acts_on(energy->type, dim, domain.kind, all.count) ||
            !has_kind(world, energy->body, domain.kind))
            continue;
        covered = true;
        PLI_TRY(add_over_elements(world, energy, domain, at->numbers, error));
    }
    if (covered) return PLI_OK;
    if (energy->type->width > 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "energy \"%s\" needs a list of stencils: see pli_world_add_stencils",
                        energy->type->name);
    return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" needs %s elements; the mesh has none",
                    energy->type->name, pli_energy_kinds(energy->type, dim, kinds));
}

// Rest positions of all vertices: of points, then of nodes.
static void make_rest(const pli_world* world, double* rest) {
    const pli_nodes* nodes = &world->nodes;
    pli_copy(world->model.rest, rest, 3 * world->model.vertex_count);
    for (int i = 0; i < nodes->count; ++i)
        rest[3 * (size_t)(nodes->first + i)] = nodes->list[i].def.value;
}

static pli_status add_energies(pli_world* world, const int32_t* numbers, const double* weights,
                               pli_error* error) {
    double *area = NULL, *rest = NULL, *offset = NULL;
    uint8_t* held = NULL;
    int count = world->kinematics.vertex_count;
    pli_status status;
    if (world->model.energy_count == 0) return PLI_OK;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&world->memory, area, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&world->memory, held, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&world->memory, offset, count, error));
    pli_world_find_held(world, held);
    find_offsets(world, offset);
    if (world->nodes.count > 0) {
        PLI_TRY_CLEANUP(status, PLI_ALLOC(&world->memory, rest, 3 * (size_t)count, error));
        make_rest(world, rest);
    }
    status = find_areas(world, area, error);
    for (int i = 0; i < world->model.energy_count && status == PLI_OK; ++i) {
        const pli_body_energy* energy = &world->model.energies[i];
        bool known = energy->body >= 0 && has_surface(world, energy->body);
        vertex_data at = {.numbers = numbers,
                          .rest = rest ? rest : world->model.rest,
                          .weights = weights,
                          .area = known ? area : NULL,
                          .held = held,
                          .offset = offset};
        status = pli_world_name_energy(world, i, add_energy(world, energy, &at, error), error);
    }
cleanup:
    PLI_FREE(&world->memory, rest, 3 * (size_t)count);
    PLI_FREE(&world->memory, offset, count);
    PLI_FREE(&world->memory, held, count);
    PLI_FREE(&world->memory, area, count);
    return status;
}

// The edges of a moment; nothing of other loads.
static pli_status find_edges(pli_world* world, const pli_body_load* load, pli_edge_list* out,
                             pli_error* error) {
    pli_elements all = pli_model_elements(&world->model, load->body);
    pli_edge_search search = {.body = load->body,
                              .nodes = &world->nodes,
                              .vertex_count = load->vertex_count,
                              .vertices = load->vertices};
    *out = (pli_edge_list){0};
    if (!pli_load_on_edges(load->def.kind)) return PLI_OK;
    search.triangles =
        pli_elements_of_triangles(pli_body_end_vertex(&world->model, load->body),
                                  all.count[PLI_TRIANGLE], all.elements[PLI_TRIANGLE]);
    pli_status status = pli_load_edges(&world->memory, &search, out, error);
    if (status != PLI_OK)
        pli_error_prefix(error, "body \"%s\": moment", world->model.bodies[load->body].name);
    return pli_error_key(status, error, "vertices");
}

static pli_status add_loads(pli_world* world, pli_error* error) {
    for (int i = 0; i < world->model.load_count; ++i) {
        const pli_body_load* load = &world->model.loads[i];
        pli_load_source source = {.dim = world->model.def.dimension,
                                  .thickness = world->model.def.thickness,
                                  .rest = world->model.rest,
                                  .body = world->model.bodies[load->body].name,
                                  .def = load->def,
                                  .vertex_count = load->vertex_count,
                                  .vertices = load->vertices,
                                  .skin = &load->skin};
        pli_term terms[2];
        int count = 0;
        pli_edge_list list;
        PLI_TRY(pli_world_reserve_terms(world, 2, error));
        pli_status status = find_edges(world, load, &list, error);
        source.edge_count = list.count;
        source.edges = list.edges;
        if (status == PLI_OK)
            status = pli_load_terms(&world->memory, &source, terms, &count, error);
        PLI_FREE(&world->memory, list.edges, list.capacity);
        PLI_TRY(pli_error_place(status, error, PLI_OBJECT_LOAD, i, NULL));
        for (int t = 0; t < count; ++t) pli_world_add_term(world, terms[t])->load = i;
    }
    return PLI_OK;
}

static const pli_energy_type* gravity_type(void) {
    int i = 0;
    while (strcmp(pli_energy_type_at(i)->name, "gravity") != 0) ++i;
    return pli_energy_type_at(i);
}

static pli_status gravity_params(const pli_world* world, double params[3], pli_error* error) {
    const double* g = world->model.def.gravity;
    pli_setting settings[3] = {
        {"x", g[0]}, {"y", g[1]}, {"z", world->model.def.dimension == 3 ? g[2] : 0}};
    return pli_energy_params(gravity_type(), settings, 3, params, error);
}

// The weight of an affine body acts at the origin of its frame, its centre of mass; that of the
// others at their vertices. Returns their number.
static int heavy_points(const pli_world* world, int32_t* points) {
    int count = 0;
    for (int b = 0; b < world->model.body_count; ++b) {
        const pli_body_frame* frame = pli_world_frame(world, b);
        if (frame) points[count++] = frame->first;
        for (int v = world->model.bodies[b].first_vertex;
             v < pli_body_end_vertex(&world->model, b) && !frame; ++v)
            points[count++] = v;
    }
    return count;
}

// Row sums of the mass: what gravity acts on. Vertices of affine bodies, whose mass is not theirs,
// show their share of it to energies.
static void find_weights(const pli_world* world, double* weights) {
    pli_vertex_weights(&world->kinematics, weights);
    for (int f = 0; f < world->kinematics.frame_count; ++f) {
        const pli_body_frame* frame = &world->kinematics.frames[f];
        for (int v = frame->first_vertex; v < frame->end_vertex; ++v)
            weights[v] = world->model.masses[v];
    }
}

static pli_status add_gravity(pli_world* world, const int32_t* numbers, const double* weights,
                              pli_error* error) {
    if (pli_norm(world->model.def.gravity, world->model.def.dimension) == 0) return PLI_OK;
    double params[3];
    PLI_TRY(gravity_params(world, params, error));
    PLI_TRY(reserve_term(world, error));
    pli_domain domain = whole_domain(world);
    domain.mass = weights;
    int32_t* own = NULL;
    int most = world->kinematics.point_count;
    domain.element_count = world->model.vertex_count;
    domain.vertices = numbers;
    if (world->kinematics.frame_count > 0) {
        PLI_TRY(PLI_ALLOC(&world->memory, own, most, error));
        domain.element_count = heavy_points(world, own);
        domain.vertices = own;
    }
    pli_term term;
    pli_status status =
        pli_element_term_create(&world->memory, gravity_type(), params, &domain, &term, error);
    PLI_FREE(&world->memory, own, own ? most : 0);
    PLI_TRY(status);
    pli_world_add_term(world, term)->gravity = true;
    return PLI_OK;
}

static pli_status add_constraints(pli_world* world, pli_error* error) {
    double mass = pli_model_mean_mass(&world->model);
    for (int i = 0; i < PLI_CONSTRAINT_KINDS; ++i) {
        const pli_constraint* constraint = &world->constraints.kind[i];
        pli_term term;
        if (constraint->ops->count(constraint->self) == 0) continue;
        PLI_TRY(reserve_term(world, error));
        PLI_TRY(constraint->ops->term(constraint->self, mass, &term, error));
        pli_world_add_term(world, term);
    }
    return PLI_OK;
}

// Terms with fixed stencils before dynamic ones, otherwise in the order of adding.
static void sort_terms(pli_world* world) {
    for (int i = 1; i < world->term_count; ++i) {
        pli_world_term moved = world->terms[i];
        int j = i;
        for (; j > 0 && world->terms[j - 1].term.ops->dynamic && !moved.term.ops->dynamic; --j)
            world->terms[j] = world->terms[j - 1];
        world->terms[j] = moved;
    }
}

pli_status pli_world_make_terms(pli_world* world, pli_error* error) {
    pli_memory* m = &world->memory;
    if (!world->collision.started)
        pli_control_start(world, pli_model_smallest_diagonal(&world->model));
    int32_t* numbers = NULL;
    double* weights = NULL;
    int count = world->kinematics.vertex_count;
    pli_status status;
    PLI_TRY_CLEANUP(status, make_numbers(m, world->model.vertex_count, &numbers, error));
    // Gravity acts on the row sums of the mass, so that bodies fall with g; those of consistent
    // mass may be negative at the corners of quadratic elements.
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, weights, count, error));
    find_weights(world, weights);
    for (int i = 0; i < world->nodes.count; ++i)
        weights[world->nodes.first + i] = world->nodes.list[i].def.mass;
    PLI_TRY_CLEANUP(status, add_energies(world, numbers, weights, error));
    PLI_TRY_CLEANUP(status, pli_world_add_rigidity(world, error));
    PLI_TRY_CLEANUP(status, add_mass_damping(world, numbers, error));
    PLI_TRY_CLEANUP(status, add_node_damping(world, weights, error));
    PLI_TRY_CLEANUP(status, add_gravity(world, numbers, weights, error));
    PLI_TRY_CLEANUP(status, add_loads(world, error));
    PLI_TRY_CLEANUP(status, add_constraints(world, error));
    if (world->model.def.interactive) {
        PLI_TRY_CLEANUP(status, reserve_term(world, error));
        pli_world_add_term(world, pli_grab_term(&world->grab));
    }
    PLI_TRY_CLEANUP(status, pli_measures_make(world, error));
    PLI_TRY_CLEANUP(status, pli_world_add_contact(world, error));
    sort_terms(world);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, world->plain_terms, world->term_count, error));
    world->plain_term_count = world->term_count;
    for (int t = 0; t < world->term_count; ++t) world->plain_terms[t] = world->terms[t].term;
cleanup:
    PLI_FREE(m, weights, count);
    PLI_FREE(m, numbers, world->model.vertex_count);
    pli_world_free_stencils(world);
    return status;
}

// ---- changed parameters

// Prepares the records of the terms of `energy`, or of gravity.
static pli_status prepare_terms(pli_world* world, int energy, const double* params,
                                pli_error* error) {
    pli_memory* m = &world->memory;
    int count = world->kinematics.vertex_count;
    pli_domain domain = whole_domain(world);
    double *weights = NULL, *area = NULL, *offset;
    uint8_t* held = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, weights, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, area, 2 * (size_t)count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, held, count, error));
    offset = area + count;
    pli_world_find_held(world, held);
    find_offsets(world, offset);
    find_weights(world, weights);
    domain.mass = weights;
    domain.held = held;
    domain.offset = offset;
    int body = energy < 0 ? -1 : world->model.energies[energy].body;
    domain.thickness = thickness_of(world, body);
    if (body >= 0 && has_surface(world, body)) {
        PLI_TRY_CLEANUP(status, find_areas(world, area, error));
        domain.area = area;
    }
    for (int pass = 0; pass < 2; ++pass) // check, then take
        for (int t = 0; t < world->term_count; ++t) {
            const pli_world_term* term = &world->terms[t];
            if (energy < 0 ? !term->gravity : term->energy != energy) continue;
            domain.kind = term->element;
            bool sheet = body >= 0 && (domain.kind == PLI_TRIANGLE ||
                                       world->model.energies[energy].type->per_triangle);
            domain.pattern = sheet ? world->model.bodies[body].pattern : NULL;
            PLI_TRY_CLEANUP(
                status, pli_element_term_prepare(&term->term, params, &domain, pass == 1, error));
        }
cleanup:
    PLI_FREE(m, held, count);
    PLI_FREE(m, area, 2 * (size_t)count);
    PLI_FREE(m, weights, count);
    return status;
}

pli_status pli_world_prepare_energy(pli_world* world, int energy, pli_error* error) {
    return prepare_terms(world, energy, world->model.energies[energy].params, error);
}

pli_status pli_world_prepare_gravity(pli_world* world, bool* done, pli_error* error) {
    double params[3];
    *done = false;
    for (int t = 0; t < world->term_count; ++t) *done = *done || world->terms[t].gravity;
    if (!*done) return PLI_OK;
    PLI_TRY(gravity_params(world, params, error));
    return prepare_terms(world, -1, params, error);
}

pli_status pli_world_average_terms(pli_world* world, pli_error* error) {
    if (!world->scheme->averages) return PLI_OK;
    pli_averaging* at = &world->averaging;
    int count = world->kinematics.vertex_count;
    PLI_TRY(PLI_ALLOC(&world->memory, at->middle, 3 * (size_t)count, error));
    at->vertex_count = count;
    at->x_n = world->x_n;
    for (int t = 0; t < world->term_count; ++t)
        if (world->terms[t].term.ops->start)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "scheme \"%s\" does not support the wide stencils of \"%s\": "
                            "use \"bdf2\"",
                            world->scheme->name, world->terms[t].term.ops->name);
    for (int t = 0; t < world->term_count; ++t)
        if (pli_averages(&world->terms[t].term))
            PLI_TRY(pli_averaged_term_create(&world->memory, at, &world->terms[t].term,
                                             &world->plain_terms[t], error));
    return PLI_OK;
}

void pli_world_free_averages(pli_world* world) {
    for (int t = 0; t < world->plain_term_count; ++t) {
        pli_term* term = &world->plain_terms[t];
        if (term->self != world->terms[t].term.self) term->ops->destroy(term->self);
    }
    PLI_FREE(&world->memory, world->averaging.middle, 3 * (size_t)world->averaging.vertex_count);
}
