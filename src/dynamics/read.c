// Read access to a world.
#include "dynamics/world.h"

#include "base/pack.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "mesh/measure.h"

int pli_world_dimension(const pli_world* world) { return world ? world->model.def.dimension : 0; }
double pli_world_time(const pli_world* world) { return world ? world->time : 0; }
double pli_world_time_step(const pli_world* world) {
    return world ? world->model.def.time_step : 0;
}
void pli_world_gravity(const pli_world* world, double gravity[3]) {
    for (int c = 0; gravity && c < 3; ++c) gravity[c] = world ? world->model.def.gravity[c] : 0;
}
int pli_world_step_count(const pli_world* world) { return world ? world->step : 0; }
int pli_world_vertex_count(const pli_world* world) { return world ? world->model.vertex_count : 0; }

int pli_world_unknown_count(const pli_world* world) {
    return world ? world->kinematics.unknown_count : 0;
}
const double* pli_world_positions(const pli_world* world) {
    return world ? world->model.positions : NULL;
}
const double* pli_world_velocities(const pli_world* world) {
    return world ? world->model.velocities : NULL;
}
const double* pli_world_rest_positions(const pli_world* world) {
    return world ? world->model.rest : NULL;
}
const double* pli_world_reactions(const pli_world* world) {
    return world && world->prepared ? world->reactions : NULL;
}
const double* pli_world_residuals(const pli_world* world) {
    return world && world->prepared && world->worst_vertex >= 0 ? world->residuals : NULL;
}
const char* pli_world_residual_unit(const pli_world* world) {
    if (!world || !world->prepared || world->scheme->step) return "";
    pli_problem problem = {.by_force = world->scheme->statics};
    return pli_minimizer_by_speed(world->minimizer, &problem) ? "m/s" : "N";
}
const double* pli_world_vertex_masses(const pli_world* world) {
    return world ? world->model.masses : NULL;
}
int pli_world_body_count(const pli_world* world) { return world ? world->model.body_count : 0; }
double pli_world_dhat(const pli_world* world) { return world ? world->collision.dhat : 0; }

static bool is_body(const pli_world* world, int body) {
    return world && body >= 0 && body < world->model.body_count;
}

// Kinds with a list of elements; vertices are only counted.
static bool is_listed(pli_element_kind kind) {
    return (int)kind > PLI_VERTEX && (int)kind < PLI_ELEMENT_KIND_COUNT;
}

const char* pli_world_body_name(const pli_world* world, int body) {
    return is_body(world, body) ? world->model.bodies[body].name : "";
}

double pli_world_body_thickness(const pli_world* world, int body) {
    return is_body(world, body) ? world->model.bodies[body].def.contact_thickness : 0;
}

double pli_world_body_radius(const pli_world* world, int body) {
    const double pi = 3.14159265358979323846;
    if (!is_body(world, body)) return 0;
    const pli_model* model = &world->model;
    const pli_body_def* def = &model->bodies[body].def;
    pli_elements all = pli_model_elements(model, body);
    int dimension = pli_mass_dimension(all.count);
    if (def->contact_thickness > 0) return def->contact_thickness;
    if (dimension == 2 && model->def.dimension == 3)
        return 0.5 * pli_own_section(model, body, def, 2);
    if (dimension == 0 && all.count[PLI_SEGMENT] > 0)
        return sqrt(pli_own_section(model, body, def, 1) / pi);
    return 0;
}

bool pli_world_body_is_cage(const pli_world* world, int body) {
    return is_body(world, body) && pli_body_is_cage(&world->model, body);
}

bool pli_world_body_is_obstacle(const pli_world* world, int body) {
    return is_body(world, body) && world->model.bodies[body].def.obstacle;
}

void* pli_world_body_user(const pli_world* world, int body) {
    return is_body(world, body) ? world->model.bodies[body].def.user : NULL;
}

int pli_world_body_vertex(const pli_world* world, int body) {
    if (is_body(world, body)) return world->model.bodies[body].first_vertex;
    return !world || body < 0 ? 0 : world->model.vertex_count;
}

uint64_t pli_world_body_hash(const pli_world* world, int body) {
    if (!is_body(world, body)) return 0;
    const pli_world* w = world;
    int first = w->model.bodies[body].first_vertex, end = pli_body_end_vertex(&w->model, body);
    size_t count = (size_t)(end - first);
    uint64_t hash =
        pli_hash(PLI_HASH_START, w->model.rest + 3 * (size_t)first, 3 * count * sizeof(double));
    hash = pli_hash(hash, w->model.masses + first, count * sizeof(double));
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        size_t size = (size_t)pli_element_size(kind),
               from = (size_t)w->model.bodies[body].first_element[k] * size,
               to = (size_t)pli_body_end_element(&w->model, body, kind) * size;
        hash = pli_hash(hash, w->model.elements[k] + from, (to - from) * sizeof(int32_t));
    }
    for (int v = first; v < end; ++v) {
        const pli_support* s = &w->model.supports[v];
        if (s->kind == PLI_SUPPORT_NONE) continue;
        hash = pli_hash(
            hash,
            (int32_t[6]){v - first, (int32_t)s->kind, s->set, s->axes[0], s->axes[1], s->axes[2]},
            6 * sizeof(int32_t));
        hash = pli_hash(hash, s->normal, sizeof s->normal);
    }
    for (int i = 0; i < w->model.load_count; ++i) {
        const pli_body_load* load = &w->model.loads[i];
        if (load->body != body) continue;
        hash = pli_hash(hash, &load->vertex_count, sizeof load->vertex_count);
        hash = pli_hash(hash, load->vertices, (size_t)load->vertex_count * sizeof(int32_t));
    }
    return pli_constraints_hash(&w->constraints, first, end, hash);
}

int pli_world_element_count(const pli_world* world, pli_element_kind kind) {
    return world && is_listed(kind) ? world->model.element_count[kind] : 0;
}

const int32_t* pli_world_elements(const pli_world* world, pli_element_kind kind) {
    return world && is_listed(kind) ? world->model.elements[kind] : NULL;
}

int pli_world_body_element(const pli_world* world, int body, pli_element_kind kind) {
    if (!world || !is_listed(kind) || body < 0) return 0;
    return is_body(world, body) ? world->model.bodies[body].first_element[kind]
                                : world->model.element_count[kind];
}

pli_status pli_world_body_triangles(pli_world* world, int body, int32_t* out, int* count,
                                    pli_error* error) {
    if (!count) return pli_fail(error, PLI_E_ARGUMENT, "body triangles: count is NULL");
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, pli_model_skin_triangles(&world->model, body, out, count, error));
}

// Energy per rest volume of the elements of one body; 0 for elements without volume.
static void find_densities(const pli_world* world, int body, pli_element_kind kind,
                           const double* energy, double* density) {
    const pli_model* model = &world->model;
    int dim = model->def.dimension, width = pli_element_size(kind);
    int dimension = pli_element_dimension(kind), end = pli_body_end_element(model, body, kind);
    int first = model->bodies[body].first_element[kind];
    double section = dim == 2 ? model->def.thickness : 1;
    const double* pattern = kind == PLI_TRIANGLE ? model->bodies[body].pattern : NULL;
    if (dim == 3 && dimension == 2)
        section = pli_volume_factor(model, body, &model->bodies[body].def, 2);
    for (int e = first; e < end; ++e) {
        const int32_t* vertices = model->elements[kind] + (size_t)e * (size_t)width;
        double volume = fabs(pli_element_measure(dim, kind, vertices, model->rest)) * section;
        if (pattern) volume = pli_pattern_area(pattern + 6 * (size_t)(e - first)) * section;
        density[e] = dimension >= 2 && volume > 0 ? energy[e] / volume : 0;
    }
}

// For the elements of one body. The stretch across the plane of element e is first stored at the
// end of the output, after the stretches of the elements up to e.
static void find_stretches(const pli_world* world, int body, pli_element_kind kind, double* out) {
    int dim = world->model.def.dimension, width = pli_element_size(kind);
    int first = world->model.bodies[body].first_element[kind];
    int count = pli_body_end_element(&world->model, body, kind) - first;
    double* across = out + 2 * count;
    const double* pattern = kind == PLI_TRIANGLE ? world->model.bodies[body].pattern : NULL;
    for (int e = 0; e < count; ++e) across[e] = 1;
    bool flat = pli_element_dimension(kind) == 2;
    for (int t = 0; t < world->term_count && flat; ++t)
        if (world->terms[t].body == body && world->terms[t].element == kind)
            pli_element_term_fields(&world->terms[t].term, world->model.positions,
                                    &(pli_term_fields){.across = across});
    for (int e = 0; e < count; ++e) {
        double* stretches = out + 3 * (size_t)e;
        double third = across[e];
        const int32_t* v = world->model.elements[kind] + (size_t)(first + e) * (size_t)width;
        if (pattern)
            pli_pattern_stretches(pattern + 6 * (size_t)e, v, world->model.positions, stretches);
        else
            pli_element_stretches(dim, kind, v, world->model.rest, world->model.positions,
                                  stretches);
        if (dim == 2 || flat) stretches[2] = third;
    }
}

// Whether its stencil i is triangle i of its body.
static bool is_per_triangle(const pli_world* world, const pli_world_term* term) {
    return term->energy >= 0 && term->element == PLI_STENCIL &&
           world->model.energies[term->energy].type->per_triangle;
}

void pli_world_element_fields(const pli_world* world, pli_element_kind kind,
                              const pli_element_fields* fields) {
    if (!world || !fields || !is_listed(kind) || pli_world_is_busy(world)) return;
    size_t count = (size_t)world->model.element_count[kind];
    // Without an array for energies they are computed in that of the densities.
    double* energy = fields->energy ? fields->energy : fields->energy_density;
    double* stress = fields->stress;
    if (energy) memset(energy, 0, sizeof(double) * count);
    if (stress) memset(stress, 0, 6 * sizeof(double) * count);
    for (int t = 0; t < world->term_count; ++t) {
        const pli_world_term* term = &world->terms[t];
        bool triangles = is_per_triangle(world, term) && kind == PLI_TRIANGLE;
        if (term->body < 0 || (term->element != kind && !triangles)) continue;
        int first = world->model.bodies[term->body].first_element[kind];
        bool stored = energy && !triangles; // theirs depends on nodes
        pli_element_term_fields(&term->term, world->model.positions,
                                &(pli_term_fields){.energy = stored ? energy + first : NULL,
                                                   .stress = stress ? stress + 6 * first : NULL});
    }
    for (int b = 0; b < world->model.body_count && fields->energy_density; ++b)
        find_densities(world, b, kind, energy, fields->energy_density);
    for (int b = 0; b < world->model.body_count && fields->stretches; ++b)
        find_stretches(world, b, kind,
                       fields->stretches + 3 * (size_t)world->model.bodies[b].first_element[kind]);
}

// The i-th distinct field of the energies; returns its row, NULL: there are fewer.
static const pli_energy_field* find_field(const pli_world* world, int i) {
    if (!world || !world->prepared || i < 0) return NULL;
    for (int e = 0; e < world->model.energy_count; ++e) {
        const pli_energy_type* type = world->model.energies[e].type;
        for (int k = 0; k < type->field_count; ++k) {
            bool seen = false;
            for (int f = 0; f < e && !seen; ++f) {
                const pli_energy_type* other = world->model.energies[f].type;
                for (int j = 0; j < other->field_count && !seen; ++j)
                    seen = strcmp(other->fields[j].name, type->fields[k].name) == 0;
            }
            if (!seen && i-- == 0) return &type->fields[k];
        }
    }
    return NULL;
}

int pli_world_field_count(const pli_world* world) {
    int count = 0;
    while (find_field(world, count)) ++count;
    return count;
}

pli_energy_field pli_world_field(const pli_world* world, int i) {
    const pli_energy_field* field = find_field(world, i);
    return field ? *field : (pli_energy_field){0};
}

void pli_world_field_values(const pli_world* world, int i, double* values, int32_t* shares) {
    const pli_energy_field* field = find_field(world, i);
    if (!field || !values || !shares || pli_world_is_busy(world)) return;
    int count = world->model.vertex_count;
    memset(values, 0, (size_t)count * sizeof *values);
    memset(shares, 0, (size_t)count * sizeof *shares);
    const pli_term_scalar scalar = {
        field->name, world->model.positions, count, world->node_values, values, shares};
    for (int t = 0; t < world->term_count; ++t)
        if (world->terms[t].energy >= 0) pli_element_term_scalar(&world->terms[t].term, &scalar);
    for (int v = 0; v < count; ++v)
        if (shares[v] > 1) values[v] /= shares[v];
}

int pli_world_support_count(const pli_world* world) {
    return world ? world->model.support_set_count : 0;
}

// True if this support holds the vertex along the axis.
static bool is_held_along(const pli_world* world, int v, int axis, int set) {
    const pli_support* support = &world->model.supports[v];
    if (support->kind == PLI_SUPPORT_NONE) return false;
    if (support->kind != PLI_SUPPORT_AXES) return support->set == set;
    return support->axes[axis] && support->axis_set[axis] == set;
}

static bool is_held_by(const pli_world* world, int v, int set) {
    for (int c = 0; c < world->model.def.dimension; ++c)
        if (is_held_along(world, v, c, set)) return true;
    return false;
}

// force = sum r_v, torque = sum (x_v - centre) x r_v, over the vertices of the support, with r_v
// along the axes that it holds.
pli_support_info pli_world_support(const pli_world* world, int i) {
    static const char* const words[] = {"", "fixed", "sliding", "prescribed"};
    pli_support_info info = {.kind = ""};
    if (!world || i < 0 || i >= world->model.support_set_count) return info;
    const pli_support_set* group = &world->model.support_sets[i];
    info.body = group->body;
    info.kind = words[group->kind];
    int first = world->model.bodies[group->body].first_vertex;
    int end = pli_body_end_vertex(&world->model, group->body);
    for (int v = first; v < end; ++v) {
        if (!is_held_by(world, v, i)) continue;
        info.vertex_count++;
        info.blocked += world->step > 0 && world->prepared && world->behind[v];
        pli_axpy(1, world->model.positions + 3 * (size_t)v, info.centre, 3);
    }
    for (int c = 0; c < 3 && info.vertex_count > 0; ++c) info.centre[c] /= info.vertex_count;
    for (int v = first; v < end && world->prepared; ++v) {
        if (!is_held_by(world, v, i)) continue;
        double arm[3], moment[3], reaction[3];
        for (int c = 0; c < 3; ++c)
            reaction[c] =
                is_held_along(world, v, c, i) ? world->reactions[3 * (size_t)v + (size_t)c] : 0;
        pli_sub(world->model.positions + 3 * (size_t)v, info.centre, arm, 3);
        pli_cross3(arm, reaction, moment);
        pli_axpy(1, reaction, info.force, 3);
        pli_axpy(1, moment, info.torque, 3);
    }
    return info;
}

// Energies by name: "kinetic", then each name of a term, once. The i-th distinct name is found by
// counting; worlds have few terms. -1: there is none, or the world is not prepared.
static int distinct_term(const pli_world* world, int i) {
    if (!world || !world->prepared || i <= 0) return -1;
    for (int t = 0; t < world->term_count; ++t) {
        bool seen = false;
        for (int s = 0; s < t && !seen; ++s)
            seen = strcmp(world->terms[s].term.ops->name, world->terms[t].term.ops->name) == 0;
        if (!seen && --i == 0) return t;
    }
    return -1;
}

int pli_world_energy_count(const pli_world* world) {
    int count = 1;
    while (distinct_term(world, count) >= 0) ++count;
    return count;
}

const char* pli_world_energy_name(const pli_world* world, int i) {
    int t = distinct_term(world, i);
    return i == 0 ? "kinetic" : t >= 0 ? world->terms[t].term.ops->name : "";
}

double pli_world_energy_value(const pli_world* world, int i) {
    if (i == 0) return world ? world->kinetic : 0;
    if (distinct_term(world, i) < 0) return 0;
    const char* name = pli_world_energy_name(world, i);
    double sum = 0;
    for (int t = 0; t < world->term_count; ++t)
        if (strcmp(world->terms[t].term.ops->name, name) == 0) sum += world->energy_values[t];
    return sum;
}

bool pli_world_energy_stored(const pli_world* world, int i) {
    int t = distinct_term(world, i);
    return i == 0 || (t >= 0 && world->terms[t].term.ops->role == PLI_POTENTIAL);
}

pli_balance pli_world_balance(const pli_world* world) {
    pli_balance sum = world ? world->balance : (pli_balance){0};
    if (world) pli_balance_add(&sum, &world->pending);
    return sum;
}

int pli_world_half_space_count(const pli_world* world) {
    return world ? world->model.half_space_count : 0;
}

const char* pli_world_half_space_name(const pli_world* world, int i) {
    return world && i >= 0 && i < world->model.half_space_count ? world->model.half_spaces[i].name
                                                                : "";
}

int pli_world_half_space_carrier(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->model.half_space_count) return -1;
    return pli_model_carrier(&world->model, i);
}

void pli_world_half_space(const pli_world* world, int i, double point[3], double normal[3]) {
    if (point) memset(point, 0, 3 * sizeof(double));
    if (normal) memset(normal, 0, 3 * sizeof(double));
    if (!world || i < 0 || i >= world->model.half_space_count) return;
    const pli_half_space_def* def = &world->model.half_spaces[i];
    int carrier = pli_world_half_space_carrier(world, i);
    const double* at = carrier < 0 ? def->point : world->model.positions + 3 * carrier;
    if (point) memcpy(point, at, 3 * sizeof(double));
    if (normal) memcpy(normal, def->normal, 3 * sizeof(double));
}

size_t pli_world_memory(const pli_world* world) { return world ? world->memory.bytes : 0; }
size_t pli_world_memory_peak(const pli_world* world) { return world ? world->memory.peak : 0; }
int64_t pli_world_memory_calls(const pli_world* world) { return world ? world->memory.calls : 0; }
