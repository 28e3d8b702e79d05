// The terms of E, from what was added: element energies, gravity, loads, pins, contact, friction.
#include "dynamics/world.h"

#include "energy/damping.h"
#include "energy/load.h"
#include "math/vec.h"
#include "mesh/topology.h"

#include <string.h>

static pli_status reserve_terms(pli_world* world, int more, pli_error* error) {
    return PLI_GROW(&world->memory, world->terms, world->term_capacity, world->term_count + more,
                    error);
}

static pli_status reserve_term(pli_world* world, pli_error* error) {
    return reserve_terms(world, 1, error);
}

static pli_world_term* add_term(pli_world* world, pli_term term) {
    world->terms[world->term_count] =
        (pli_world_term){.term = term, .body = -1, .element = PLI_VERTEX};
    return &world->terms[world->term_count++];
}

// Numbers 0 .. count - 1, for energies over vertices.
static pli_status make_numbers(pli_memory* memory, int count, int32_t** out, pli_error* error) {
    PLI_TRY(PLI_ALLOC(memory, *out, count, error));
    for (int i = 0; i < count; ++i) (*out)[i] = i;
    return PLI_OK;
}

static pli_domain whole_domain(const pli_world* world) {
    return (pli_domain){.dim = world->def.dimension,
                        .rest = world->rest,
                        .mass = world->masses,
                        .thickness = world->def.thickness};
}

static bool has_kind(const pli_world* world, int body, pli_element_kind kind) {
    return pli_body_end_element(world, body, kind) > world->bodies[body].first_element[kind];
}

// What energies over all bodies are prepared from, per vertex of the world.
typedef struct vertex_data {
    int32_t* numbers; // 0, 1, 2 ..
    double* area;     // of the surface [m^2]; NULL: the body has none
} vertex_data;

// Shares of the surfaces of all bodies at their vertices.
static pli_status find_areas(pli_world* world, double* area, pli_error* error) {
    for (int b = 0; b < world->body_count; ++b) {
        pli_skin skin = {0};
        PLI_TRY(pli_world_skin(world, b, &skin, error));
        pli_skin_areas(&skin, world->rest, world->def.thickness, area);
        pli_skin_free(&skin);
    }
    return PLI_OK;
}

static bool has_surface(const pli_world* world, int body) {
    bool flat = has_kind(world, body, PLI_TRIANGLE) || has_kind(world, body, PLI_TRIANGLE6);
    return flat || (world->def.dimension == 3 && (has_kind(world, body, PLI_TETRAHEDRON) ||
                                                  has_kind(world, body, PLI_TETRAHEDRON10)));
}

// The part of an energy that lies over elements of one kind.
static pli_status add_laid_energy(pli_world* world, const pli_laid_energy* laid,
                                  pli_element_kind kind, const vertex_data* at, pli_error* error) {
    int first = world->bodies[laid->body].first_element[kind];
    const int32_t* numbers = at->numbers;
    pli_domain domain = whole_domain(world);
    domain.area = at->area;
    domain.kind = kind;
    domain.element_count = pli_body_end_element(world, laid->body, kind) - first;
    domain.vertices = kind == PLI_VERTEX ? numbers + first
                                         : world->elements[kind] + first * pli_element_size(kind);
    pli_term term;
    PLI_TRY(reserve_term(world, error));
    PLI_TRY(
        pli_element_term_create(&world->memory, laid->type, laid->params, &domain, &term, error));
    pli_world_term* added = add_term(world, term);
    added->body = laid->body;
    added->element = kind;
    double beta = world->bodies[laid->body].def.stiffness_damping;
    if (beta == 0 || term.ops->linear || term.ops->role != PLI_POTENTIAL) return PLI_OK;
    pli_term damping;
    PLI_TRY(reserve_term(world, error));
    PLI_TRY(pli_stiffness_damping_create(&world->memory, &term, domain.dim, world->vertex_count,
                                         beta, &damping, error));
    add_term(world, damping);
    return PLI_OK;
}

static pli_status add_mass_damping(pli_world* world, const int32_t* numbers, pli_error* error) {
    for (int b = 0; b < world->body_count; ++b) {
        int first = world->bodies[b].first_vertex;
        double alpha = world->bodies[b].def.mass_damping;
        if (alpha == 0) continue;
        pli_domain domain = whole_domain(world);
        domain.element_count = pli_body_end_vertex(world, b) - first;
        domain.vertices = numbers + first;
        pli_term term;
        PLI_TRY(reserve_term(world, error));
        PLI_TRY(pli_mass_damping_create(&world->memory, alpha, &domain, &term, error));
        add_term(world, term);
    }
    return PLI_OK;
}

// One energy over all kinds of elements that it covers.
static pli_status add_energy(pli_world* world, const pli_laid_energy* laid, const vertex_data* at,
                             pli_error* error) {
    bool covered = false;
    char kinds[PLI_KINDS_SIZE];
    for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        if (!pli_energy_covers(laid->type, world->def.dimension, kind) ||
            !has_kind(world, laid->body, kind))
            continue;
        covered = true;
        PLI_TRY(add_laid_energy(world, laid, kind, at, error));
    }
    if (covered) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" lies over each %s, but the mesh has none",
                    laid->type->name, pli_energy_kinds(laid->type, world->def.dimension, kinds));
}

static pli_status add_element_energies(pli_world* world, int32_t* numbers, pli_error* error) {
    double* area;
    if (world->laid_count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(&world->memory, area, world->vertex_count, error));
    pli_status status = find_areas(world, area, error);
    for (int i = 0; i < world->laid_count && status == PLI_OK; ++i) {
        const pli_laid_energy* laid = &world->laid[i];
        vertex_data at = {.numbers = numbers, .area = has_surface(world, laid->body) ? area : NULL};
        status = add_energy(world, laid, &at, error);
        if (status != PLI_OK)
            pli_error_prefix(error, "body \"%s\"", world->bodies[laid->body].name);
    }
    PLI_FREE(&world->memory, area, world->vertex_count);
    return status;
}

static pli_status add_loads(pli_world* world, pli_error* error) {
    for (int i = 0; i < world->load_count; ++i) {
        const pli_laid_load* load = &world->loads[i];
        pli_load_source source = {.dim = world->def.dimension,
                                  .thickness = world->def.thickness,
                                  .rest = world->rest,
                                  .body = world->bodies[load->body].name,
                                  .def = load->def,
                                  .vertex_count = load->vertex_count,
                                  .vertices = load->vertices,
                                  .skin = &load->skin};
        pli_term terms[2];
        int count = 0;
        PLI_TRY(reserve_terms(world, 2, error));
        PLI_TRY(pli_load_terms(&world->memory, &source, terms, &count, error));
        for (int t = 0; t < count; ++t) add_term(world, terms[t]);
    }
    return PLI_OK;
}

static pli_status add_gravity(pli_world* world, const int32_t* numbers, pli_error* error) {
    int dim = world->def.dimension;
    if (pli_norm(world->def.gravity, dim) == 0) return PLI_OK;
    const pli_energy_type* type = NULL;
    for (int i = 0; pli_energy_type_at(i); ++i)
        if (strcmp(pli_energy_type_at(i)->name, "gravity") == 0) type = pli_energy_type_at(i);
    PLI_ASSERT(type);
    pli_setting settings[3] = {{"x", world->def.gravity[0]},
                               {"y", world->def.gravity[1]},
                               {"z", dim == 3 ? world->def.gravity[2] : 0}};
    double params[3];
    PLI_TRY(pli_energy_params(type, settings, 3, params, error));
    PLI_TRY(reserve_term(world, error));
    // Weights are the row sums of the mass, so that bodies fall with g; those of consistent mass
    // may be negative at the corners of quadratic elements.
    double* weights;
    PLI_TRY(PLI_ALLOC(&world->memory, weights, world->vertex_count, error));
    pli_vertex_weights(&world->kinematics, weights);
    pli_domain domain = whole_domain(world);
    domain.mass = weights;
    domain.element_count = world->vertex_count;
    domain.vertices = numbers;
    pli_term term;
    pli_status status =
        pli_element_term_create(&world->memory, type, params, &domain, &term, error);
    PLI_FREE(&world->memory, weights, world->vertex_count);
    if (status == PLI_OK) add_term(world, term);
    return status;
}

static double diagonal(const pli_world* world, int body) {
    double sum = 0;
    for (int c = 0; c < world->def.dimension; ++c) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int v = world->bodies[body].first_vertex; v < pli_body_end_vertex(world, body); ++v) {
            low = fmin(low, world->positions[3 * v + c]);
            high = fmax(high, world->positions[3 * v + c]);
        }
        sum += (high - low) * (high - low);
    }
    return sqrt(sum);
}

// The length behind relative parameters: the diagonal of the smallest body at t = 0 (single points
// have none); 1 m if there are only points.
static double smallest_diagonal(const pli_world* world) {
    double smallest = HUGE_VAL;
    for (int b = 0; b < world->body_count; ++b) {
        double length = diagonal(world, b);
        if (length > 0) smallest = fmin(smallest, length);
    }
    return isfinite(smallest) ? smallest : 1;
}

// Weights A of the vertices in contact. Where a body does not say: half the boundary around the
// vertex, or the mean of that over the body's boundary for vertices inside, or the mean length of
// its segments, or (single points) 10 dhat; each times thickness.
static void contact_areas(const pli_world* world, const double* lengths, double* areas) {
    for (int b = 0; b < world->body_count; ++b) {
        const pli_body* body = &world->bodies[b];
        double sum = 0;
        int count = 0;
        for (int v = body->first_vertex; v < pli_body_end_vertex(world, b); ++v) {
            sum += lengths[v];
            count += lengths[v] > 0;
        }
        int end = pli_body_end_element(world, b, PLI_SEGMENT);
        for (int s = body->first_element[PLI_SEGMENT]; s < end && sum == 0; ++s) {
            const int32_t* ends = world->elements[PLI_SEGMENT] + 2 * s;
            double d[3];
            pli_sub(world->rest + 3 * ends[0], world->rest + 3 * ends[1], d, 3);
            areas[body->first_vertex] += pli_norm(d, 3);
            count++;
        }
        if (sum == 0) sum = areas[body->first_vertex];
        double mean = count > 0 ? sum / count : 10 * world->dhat;
        for (int v = body->first_vertex; v < pli_body_end_vertex(world, b); ++v) {
            double length = lengths[v] > 0 ? lengths[v] : mean;
            areas[v] =
                body->def.contact_area > 0 ? body->def.contact_area : length * world->def.thickness;
        }
    }
}

// What contact needs to know of all bodies.
typedef struct contact_geometry {
    pli_boundary boundary;
    double *lengths, *areas; // per vertex
    int32_t* list;           // scratch, per vertex
    int32_t* edges;          // scratch, 2 per boundary segment
} contact_geometry;

static int body_of(const pli_world* world, int vertex) {
    int b = world->body_count - 1;
    while (world->bodies[b].first_vertex > vertex) --b;
    return b;
}

static pli_status add_friction(pli_world* world, const pli_term* barrier, double coefficient,
                               pli_error* error) {
    if (coefficient == 0) return PLI_OK;
    pli_friction_def def = {.coefficient = coefficient, .speed = world->def.contact.friction_speed};
    pli_term term;
    PLI_TRY(reserve_term(world, error));
    PLI_TRY(pli_friction_create(&world->memory, barrier, &def, &term, error));
    add_term(world, term);
    return PLI_OK;
}

// Vertices that touch half-spaces, but for the carrier; returns their count.
static int half_space_vertices(const pli_world* world, const contact_geometry* geometry,
                               int carrier, int32_t* out) {
    int count = 0;
    for (int b = 0; b < world->body_count; ++b) {
        const char* rule = world->bodies[b].def.contact_vertices;
        if (strcmp(rule, "none") == 0) continue;
        bool outline = strcmp(rule, "boundary") == 0 && world->def.dimension == 2 &&
                       (has_kind(world, b, PLI_TRIANGLE) || has_kind(world, b, PLI_TRIANGLE6));
        for (int v = world->bodies[b].first_vertex; v < pli_body_end_vertex(world, b); ++v)
            if (v != carrier && (!outline || geometry->lengths[v] > 0)) out[count++] = v;
    }
    return count;
}

static pli_status add_half_spaces(pli_world* world, const contact_geometry* geometry,
                                  const pli_barrier_def* def, pli_error* error) {
    for (int i = 0; i < world->half_space_count; ++i) {
        const pli_half_space_def* half_space = &world->half_spaces[i];
        pli_plane plane = {.carrier = -1};
        memcpy(plane.point, half_space->point, sizeof plane.point);
        memcpy(plane.normal, half_space->normal, sizeof plane.normal);
        if (half_space->carrier.generation > 0)
            plane.carrier = world->bodies[half_space->carrier.index].first_vertex;
        int count = half_space_vertices(world, geometry, plane.carrier, geometry->list);
        pli_term term;
        PLI_TRY(reserve_term(world, error));
        PLI_TRY(pli_half_space_barrier_create(&world->memory, def, &plane, count, geometry->list,
                                              &term, error));
        add_term(world, term)->barrier = true;
        PLI_TRY(add_friction(world, &term, half_space->friction, error));
    }
    return PLI_OK;
}

static pli_status add_point_edge(pli_world* world, const contact_geometry* geometry,
                                 const pli_barrier_def* def, pli_error* error) {
    const pli_boundary* boundary = &geometry->boundary;
    int point_count = 0, edge_count = 0;
    for (int i = 0; i < boundary->vertex_count; ++i)
        if (world->bodies[body_of(world, boundary->vertices[i])].def.contact_bodies)
            geometry->list[point_count++] = boundary->vertices[i];
    for (int i = 0; i < boundary->segment_count; ++i) {
        if (!world->bodies[body_of(world, boundary->segments[2 * i])].def.contact_bodies) continue;
        memcpy(geometry->edges + 2 * edge_count, boundary->segments + 2 * i, 2 * sizeof(int32_t));
        edge_count++;
    }
    if (edge_count == 0) return PLI_OK;
    if (world->def.dimension != 2)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "contact between bodies is available in dimension 2 only: set "
                        "contact.bodies to false");
    pli_term term;
    PLI_TRY(reserve_term(world, error));
    pli_surface surface = {.point_count = point_count,
                           .edge_count = edge_count,
                           .points = geometry->list,
                           .edges = geometry->edges};
    PLI_TRY(pli_point_edge_barrier_create(&world->memory, def, &surface, &term, error));
    add_term(world, term)->barrier = true;
    return add_friction(world, &term, world->def.contact.friction, error);
}

static pli_status add_contact(pli_world* world, pli_error* error) {
    pli_memory* m = &world->memory;
    contact_geometry geometry = {0};
    pli_faces faces = {.triangle_count = world->element_count[PLI_TRIANGLE],
                       .quadratic_count = world->element_count[PLI_TRIANGLE6],
                       .triangles = world->elements[PLI_TRIANGLE],
                       .quadratics = world->elements[PLI_TRIANGLE6]};
    int n = world->vertex_count, segment_count = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_boundary_of_faces(m, n, &faces, &geometry.boundary, error));
    segment_count = geometry.boundary.segment_count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, geometry.lengths, n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, geometry.areas, n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, geometry.list, n, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, geometry.edges, 2 * segment_count, error));
    pli_boundary_lengths(&geometry.boundary, world->def.dimension, world->rest, geometry.lengths);
    contact_areas(world, geometry.lengths, geometry.areas);
    pli_barrier_def def = {.dim = world->def.dimension,
                           .vertex_count = n,
                           .area = geometry.areas,
                           .dhat = world->dhat,
                           .stiffness = world->def.contact.stiffness};
    PLI_TRY_CLEANUP(status, add_half_spaces(world, &geometry, &def, error));
    if (world->def.contact.bodies)
        PLI_TRY_CLEANUP(status, add_point_edge(world, &geometry, &def, error));
cleanup:
    PLI_FREE(m, geometry.edges, 2 * segment_count);
    PLI_FREE(m, geometry.list, n);
    PLI_FREE(m, geometry.areas, n);
    PLI_FREE(m, geometry.lengths, n);
    pli_boundary_free(&geometry.boundary);
    return status;
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
    world->dhat = world->def.contact.dhat;
    double size = smallest_diagonal(world);
    if (world->dhat == 0) world->dhat = 1e-3 * size;
    pli_control_start(world, size);
    int32_t* numbers = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, make_numbers(m, world->vertex_count, &numbers, error));
    PLI_TRY_CLEANUP(status, add_element_energies(world, numbers, error));
    PLI_TRY_CLEANUP(status, add_mass_damping(world, numbers, error));
    PLI_TRY_CLEANUP(status, add_gravity(world, numbers, error));
    PLI_TRY_CLEANUP(status, add_loads(world, error));
    if (world->pins.count > 0) {
        pli_term term;
        PLI_TRY_CLEANUP(status, reserve_term(world, error));
        PLI_TRY_CLEANUP(status, pli_pins_term(&world->pins, &term, error));
        add_term(world, term);
    }
    PLI_TRY_CLEANUP(status, add_contact(world, error));
    sort_terms(world);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, world->plain_terms, world->term_count, error));
    world->plain_term_count = world->term_count;
    for (int t = 0; t < world->term_count; ++t) world->plain_terms[t] = world->terms[t].term;
cleanup:
    PLI_FREE(m, numbers, world->vertex_count);
    return status;
}
