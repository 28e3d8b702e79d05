// Masses of vertices from the density of their body.
#include "model/model.h"

#include "math/vec.h"
#include "mesh/measure.h"

#include <math.h>
#include <string.h>

double pli_own_section(const pli_model* model, int body, const pli_body_def* def, int dimension) {
    double own = dimension == 2 ? def->thickness : dimension == 1 ? def->cross_section : 1;
    for (int i = 0; i < model->energy_count && body >= 0 && own == 0; ++i) {
        const pli_body_energy* energy = &model->energies[i];
        if (energy->body == body && energy->type->section)
            own = energy->type->section(energy->params, dimension);
    }
    return own;
}

double pli_volume_factor(const pli_model* model, int body, const pli_body_def* def, int dimension) {
    double own = pli_own_section(model, body, def, dimension);
    return own == 0 && dimension == 2 ? model->def.thickness : own;
}

// The largest dimension of its elements: segments count if there is nothing larger.
static int weight_dimension(const pli_elements* all) {
    int dimension = pli_mass_dimension(all->count);
    return dimension == 0 && all->count[PLI_SEGMENT] > 0 ? 1 : dimension;
}

int pli_body_lumps(const pli_model* model, int body, const pli_body_def* def,
                   const pli_elements* all, const double* x,
                   pli_lump lumps[PLI_ELEMENT_KIND_COUNT]) {
    int dimension = weight_dimension(all), count = 0;
    double section = pli_volume_factor(model, body, def, dimension);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        if (pli_element_dimension(kind) != dimension || all->count[k] == 0) continue;
        lumps[count++] = (pli_lump){.dim = model->def.dimension,
                                    .kind = kind,
                                    .element_count = all->count[k],
                                    .vertices = all->elements[k],
                                    .x = x,
                                    .density = def->density,
                                    .pattern = kind == PLI_TRIANGLE ? def->pattern : NULL,
                                    .section = section};
    }
    return count;
}

static bool has_inertia(const pli_body_def* def) {
    return pli_norm(def->inertia, 3) > 0 || pli_norm(def->inertia_products, 3) > 0;
}

static pli_status check_total(const pli_model* model, const pli_body_def* def, pli_error* error) {
    double second[9];
    const char *wrong = NULL, *key = "inertia";
    if (def->total_mass == 0 && !has_inertia(def)) return PLI_OK;
    if (def->total_mass > 0 && !pli_body_is_affine(def))
        wrong = "total_mass needs kinematics \"rigid\" or \"affine\": use density",
        key = "total_mass";
    else if (has_inertia(def) && model->def.dimension != 3)
        wrong = "inertia is of bodies in space: in the plane it follows from the mesh";
    else if (has_inertia(def) && def->total_mass == 0)
        wrong = "inertia needs total_mass";
    else if (has_inertia(def) &&
             !pli_moments_of_inertia(def->inertia, def->inertia_products, second))
        wrong = "no body has this inertia: each principal moment must be above 0 and at most the "
                "sum of the other two";
    return wrong ? pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "%s", wrong), error, key) : PLI_OK;
}

static pli_status check_mass(const pli_body_def* def, const pli_elements* all, pli_error* error) {
    pli_status status = PLI_OK;
    bool given = def->vertex_mass > 0 || def->total_mass > 0;
    if (def->obstacle || pli_body_is_embedded(def)) return PLI_OK;
    if (def->vertex_mass > 0 && strcmp(def->mass, "consistent") == 0)
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "mass = \"consistent\" comes from density: vertex_mass must be 0");
    else if (!given && weight_dimension(all) == 0)
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "the mesh has no elements, so density gives it no mass: set vertex_mass");
    return pli_error_key(status, error, "vertex_mass");
}

pli_status pli_body_check_mass(const pli_model* model, const pli_body_def* def,
                               const pli_mesh* mesh, pli_error* error) {
    pli_elements all = pli_elements_of(mesh);
    PLI_TRY(check_total(model, def, error));
    return check_mass(def, &all, error);
}

// ---- affine bodies

pli_status pli_body_find_closed(const pli_model* model, const pli_body_def* def,
                                const pli_mesh* mesh, bool* closed, pli_error* error) {
    bool surface = mesh->element_count[PLI_TRIANGLE] > 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        surface = surface && (k == PLI_TRIANGLE || pli_element_dimension((pli_element_kind)k) < 2 ||
                              mesh->element_count[k] == 0);
    *closed = false;
    if (!surface || model->def.dimension < 3 || !pli_body_is_affine(def)) return PLI_OK;
    pli_lump lump = {.kind = PLI_TRIANGLE,
                     .element_count = mesh->element_count[PLI_TRIANGLE],
                     .vertices = mesh->elements[PLI_TRIANGLE]};
    return pli_surface_is_closed(model->memory, &lump, mesh->vertex_count, closed, error);
}

// The body whose elements are `all`; its vertices are [first, end) of x.
typedef struct weighed {
    const pli_model* model;
    int body; // -1: not in the model yet
    const pli_body_def* def;
    const pli_elements* all;
    const double* x;
    int first, end;
    bool closed;
} weighed;

static bool is_filled(const weighed* b) {
    return b->closed && pli_own_section(b->model, b->body, b->def, 2) == 0;
}

// The mass that is given, in place of that of the mesh.
static void use_total(const pli_body_def* def, pli_moments* m) {
    if (def->total_mass == 0) return;
    for (int i = 0; i < 9 && m->mass > 0; ++i) m->second[i] *= def->total_mass / m->mass;
    if (m->mass > 0 || has_inertia(def)) m->mass = def->total_mass;
    if (!has_inertia(def)) return;
    pli_moments_of_inertia(def->inertia, def->inertia_products, m->second);
    memcpy(m->centre, def->center_of_mass, sizeof m->centre);
}

// Volume from the elements; mass from them, from the vertices, or as given.
static void find_moments(const weighed* b, pli_moments* out) {
    pli_lump lumps[PLI_ELEMENT_KIND_COUNT];
    int count = pli_body_lumps(b->model, b->body, b->def, b->all, b->x, lumps);
    pli_moments_begin(out, b->x + 3 * (size_t)b->first);
    for (int i = 0; i < count; ++i) {
        if (is_filled(b))
            pli_moments_add_inside(out, &lumps[i]);
        else
            pli_moments_add_elements(out, &lumps[i]);
    }
    if (b->def->vertex_mass > 0) {
        double volume = fabs(out->volume), radius = b->def->contact_thickness;
        pli_moments_begin(out, b->x + 3 * (size_t)b->first);
        for (int v = b->first; v < b->end; ++v)
            pli_moments_add_point(out, b->x + 3 * (size_t)v, b->def->vertex_mass, radius);
        if (volume > 0) out->volume = volume;
    }
    pli_moments_finish(out);
    use_total(b->def, out);
    pli_moments_raise(out, b->model->def.dimension, 1e-6);
    if (!(out->volume > 0)) out->volume = out->mass / b->def->density;
}

// A body of the model, at rest.
static weighed weighed_body(const pli_model* model, int body, const pli_elements* all) {
    return (weighed){.model = model,
                     .body = body,
                     .def = &model->bodies[body].def,
                     .all = all,
                     .x = model->rest,
                     .first = model->bodies[body].first_vertex,
                     .end = pli_body_end_vertex(model, body),
                     .closed = model->bodies[body].closed};
}

void pli_body_moments(const pli_model* model, int body, pli_moments* moments) {
    pli_elements all = pli_model_elements(model, body);
    weighed b = weighed_body(model, body, &all);
    find_moments(&b, moments);
}

// Vertices share the mass of what their surface encloses as they share its area.
static void share_inside(const weighed* b, double* mass) {
    pli_moments moments;
    double total = 0;
    find_moments(b, &moments);
    for (int v = b->first; v < b->end; ++v) total += mass[v];
    for (int v = b->first; v < b->end && total > 0; ++v) mass[v] *= moments.mass / total;
}

// ---- vertices

static pli_status weigh(const weighed* b, double* mass, pli_error* error) {
    const pli_body_def* def = b->def;
    int first = b->first, end = b->end;
    pli_lump lumps[PLI_ELEMENT_KIND_COUNT];
    for (int v = first; v < end; ++v) mass[v] = 0;
    if (def->obstacle || pli_body_is_embedded(def)) return PLI_OK;
    PLI_TRY(check_mass(def, b->all, error));
    for (int v = first; v < end; ++v) mass[v] = def->vertex_mass;
    if (def->vertex_mass > 0) return PLI_OK;
    int count = pli_body_lumps(b->model, b->body, def, b->all, b->x, lumps);
    for (int i = 0; i < count; ++i) pli_lump_mass(&lumps[i], mass);
    if (is_filled(b)) share_inside(b, mass);
    double sum = 0, total = def->total_mass;
    for (int v = first; v < end; ++v) sum += mass[v];
    if (!(total > 0)) total = sum;
    bool even = strcmp(def->mass, "even") == 0 || !(sum > 0);
    for (int v = first; v < end && (even || total != sum); ++v)
        mass[v] = even ? total / (end - first) : mass[v] * (total / sum);
    return PLI_OK;
}

pli_status pli_body_weigh(const pli_model* model, int body, const pli_body_def* def,
                          const pli_mesh* mesh, bool closed, double* mass, pli_error* error) {
    pli_elements all = pli_elements_of(mesh);
    weighed b = {.model = model,
                 .body = body,
                 .def = def,
                 .all = &all,
                 .x = mesh->positions,
                 .end = mesh->vertex_count,
                 .closed = closed};
    return weigh(&b, mass, error);
}

void pli_model_weigh(pli_model* model, int body) {
    pli_elements all = pli_model_elements(model, body);
    weighed b = weighed_body(model, body, &all);
    (void)weigh(&b, model->masses, NULL); // cannot fail: def and mesh were accepted before
}
