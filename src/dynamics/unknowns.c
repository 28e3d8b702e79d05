// The unknowns of bodies, supports and nodes of energies: fills world->kinematics.
#include "dynamics/world.h"

#include "kinematics/consistent.h"
#include "math/vec.h"

#include <string.h>

int pli_support_directions(const pli_support* support, int dim, double out[9]) {
    memset(out, 0, 9 * sizeof *out);
    int count = 0;
    if (support->kind == PLI_SUPPORT_AXES) {
        for (int c = 0; c < dim; ++c)
            if (!support->axes[c]) out[3 * count++ + c] = 1;
        return count;
    }
    const double* n = support->normal;
    if (dim == 2) {
        out[0] = -n[1];
        out[1] = n[0];
        return 1;
    }
    // Any vector that is not nearly parallel to n, made orthogonal, and the cross product.
    int smallest = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[smallest])) smallest = 2;
    double *a = out, *b = out + 3;
    a[smallest] = 1;
    pli_axpy(-n[smallest], n, a, 3);
    double length = pli_norm(a, 3);
    for (int c = 0; c < 3; ++c) a[c] /= length;
    for (int c = 0; c < 3; ++c)
        b[c] = n[(c + 1) % 3] * a[(c + 2) % 3] - n[(c + 2) % 3] * a[(c + 1) % 3];
    return 2;
}

// Each vertex has its own unknowns; on obstacles only prescribed vertices have.
static pli_status add_free_body(pli_world* world, int body, pli_error* error) {
    pli_kinematics* k = &world->kinematics;
    for (int v = world->model.bodies[body].first_vertex;
         v < pli_body_end_vertex(&world->model, body); ++v) {
        const pli_support* support = &world->model.supports[v];
        if (world->model.bodies[body].def.obstacle && support->kind != PLI_SUPPORT_PRESCRIBED)
            continue;
        if (support->kind == PLI_SUPPORT_NONE || support->kind == PLI_SUPPORT_PRESCRIBED) {
            PLI_TRY(pli_kinematics_set_free(k, v, error));
            continue;
        }
        double directions[9];
        int count = pli_support_directions(support, k->dim, directions);
        if (count > 0) PLI_TRY(pli_kinematics_set_directions(k, v, count, directions, error));
    }
    return PLI_OK;
}

enum { MAX_ORDER = 3, MAX_MONOMIALS = 20 };

// All monomials of y up to `order`: 1, x, y, x^2, xy, y^2, ... Returns their count.
static int monomials(int dim, int order, const double* y, double out[MAX_MONOMIALS]) {
    int count = 0;
    for (int total = 0; total <= order; ++total)
        for (int a = total; a >= 0; --a)
            for (int b = total - a; b >= 0; --b) {
                int c = total - a - b;
                if (dim == 2 && c > 0) continue;
                double value = 1;
                for (int i = 0; i < a; ++i) value *= y[0];
                for (int i = 0; i < b; ++i) value *= y[1];
                for (int i = 0; i < c; ++i) value *= y[2];
                out[count++] = value;
            }
    return count;
}

// x = rest + sum over monomials m of the rest position, one coefficient per component: one group.
// Coordinates are relative to the centre of the body in units of its half size: the same space of
// motions, better conditioned.
static pli_status add_polynomial_body(pli_world* world, int body, pli_error* error) {
    pli_kinematics* k = &world->kinematics;
    int first = world->model.bodies[body].first_vertex,
        end = pli_body_end_vertex(&world->model, body);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int v = first; v < end; ++v)
        for (int c = 0; c < 3; ++c) {
            low[c] = fmin(low[c], world->model.rest[3 * v + c]);
            high[c] = fmax(high[c], world->model.rest[3 * v + c]);
        }
    double half = 0, zero[3] = {0}, values[MAX_MONOMIALS];
    for (int c = 0; c < k->dim; ++c) half = fmax(half, 0.5 * (high[c] - low[c]));
    if (half == 0) half = 1;
    int order = world->model.bodies[body].def.order, count = monomials(k->dim, order, zero, values);
    int32_t group;
    PLI_TRY(pli_kinematics_add_group(k, k->dim * count, &group, error));
    for (int v = first; v < end; ++v) {
        double y[3], weights[3 * 3 * MAX_MONOMIALS] = {0};
        for (int c = 0; c < 3; ++c)
            y[c] = (world->model.rest[3 * v + c] - 0.5 * (low[c] + high[c])) / half;
        monomials(k->dim, order, y, values);
        for (int c = 0; c < k->dim; ++c)
            memcpy(weights + c * k->dim * count + c * count, values,
                   sizeof(double) * (size_t)count);
        pli_blend blend = {.group = group, .weights = weights};
        PLI_TRY(pli_kinematics_set_blend(k, v, world->model.rest + 3 * v, 1, &blend, error));
    }
    return PLI_OK;
}

// x = rest + sum of modes: one group with the modes as dense columns.
static pli_status add_modal_body(pli_world* world, int body, pli_error* error) {
    pli_kinematics* k = &world->kinematics;
    const pli_body* b = &world->model.bodies[body];
    int first = b->first_vertex, end = pli_body_end_vertex(&world->model, body),
        count = b->def.mode_count;
    int32_t group;
    PLI_TRY(pli_kinematics_add_group(k, count, &group, error));
    double* weights;
    PLI_TRY(PLI_ALLOC(&world->memory, weights, 3 * count, error));
    pli_status status = PLI_OK;
    for (int v = first; v < end && status == PLI_OK; ++v) {
        for (int c = 0; c < k->dim; ++c)
            for (int j = 0; j < count; ++j)
                weights[c * count + j] = b->modes[3 * ((end - first) * j + v - first) + c];
        pli_blend blend = {.group = group, .weights = weights};
        status = pli_kinematics_set_blend(k, v, world->model.rest + 3 * v, 1, &blend, error);
    }
    PLI_FREE(&world->memory, weights, 3 * count);
    return status;
}

// The table of body kinematics; the words are those of the parameter row.
static const struct {
    const char* name;
    pli_status (*add)(pli_world* world, int body, pli_error* error);
} kinds[] = {{"free", add_free_body},
             {"polynomial", add_polynomial_body},
             {"affine", pli_world_carry_affine},
             {"rigid", pli_world_carry_affine},
             {"embedded", pli_world_add_embedded}};

static bool moves(const pli_kinematics* k, int vertex) {
    const pli_vertex_map* map = &k->vertices[vertex];
    return map->identity_group >= 0 || map->entry_end > map->entry_start;
}

int pli_body_consistent_mass(const pli_world* world, int body,
                             pli_lump sources[PLI_ELEMENT_KIND_COUNT]) {
    const pli_body* b = &world->model.bodies[body];
    if (b->def.obstacle || pli_body_is_embedded(&b->def) || pli_body_is_affine(&b->def) ||
        strcmp(b->def.mass, "consistent") != 0)
        return 0;
    pli_elements all = pli_model_elements(&world->model, body);
    return pli_body_lumps(&world->model, body, &b->def, &all, world->model.rest, sources);
}

// Segments have a volume only with a cross-section.
static const char* missing_section(const pli_world* world, int body) {
    const pli_model* model = &world->model;
    pli_elements all = pli_model_elements(model, body);
    bool thread = pli_mass_dimension(all.count) == 0 && all.count[PLI_SEGMENT] > 0;
    double section = pli_volume_factor(model, body, &model->bodies[body].def, 1);
    return thread && section == 0 ? ", and its segments have no cross_section" : "";
}

// The mass of a body: point masses, or blocks between the vertices of each element. Obstacles have
// none, even if they are prescribed.
static pli_status add_mass(pli_world* world, int body, pli_error* error) {
    pli_kinematics* k = &world->kinematics;
    const pli_body* b = &world->model.bodies[body];
    bool obstacle = b->def.obstacle;
    pli_lump sources[PLI_ELEMENT_KIND_COUNT];
    if (pli_body_is_embedded(&b->def)) return PLI_OK; // its cage has it
    if (pli_body_is_affine(&b->def)) return PLI_OK;   // its frame has it
    int source_count = pli_body_consistent_mass(world, body, sources);
    for (int v = b->first_vertex; v < pli_body_end_vertex(&world->model, body); ++v) {
        if (obstacle && !moves(k, v)) continue;
        if (!obstacle && moves(k, v) && !(world->model.masses[v] > 0))
            return pli_error_place(
                pli_fail(error, PLI_E_ARGUMENT,
                         "body \"%s\": vertex %d has no mass, because no element with a density "
                         "contains it%s; remove it or set vertex_mass",
                         b->name, v - b->first_vertex, missing_section(world, body)),
                error, PLI_OBJECT_BODY, body, "vertex_mass");
        if (source_count == 0)
            PLI_TRY(pli_kinematics_add_mass(k, v, v, world->model.masses[v], error));
    }
    if (source_count == 0) return PLI_OK;
    return pli_kinematics_add_consistent(k, sources, source_count, error);
}

pli_status pli_world_number_unknowns(pli_world* world, pli_error* error) {
    pli_kinematics* k = &world->kinematics;
    pli_kinematics_init(k, &world->memory, world->model.def.dimension);
    PLI_TRY(
        pli_kinematics_add_vertices(k, world->model.vertex_count, world->model.positions, error));
    PLI_TRY(pli_world_add_frames(world, error));
    for (int b = 0; b < world->model.body_count; ++b) {
        if (world->model.bodies[b].modes) PLI_TRY(add_modal_body(world, b, error));
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !world->model.bodies[b].modes; ++i)
            if (strcmp(world->model.bodies[b].def.kinematics, kinds[i].name) == 0)
                PLI_TRY(kinds[i].add(world, b, error));
    }
    for (int b = 0; b < world->model.body_count; ++b) PLI_TRY(add_mass(world, b, error));
    PLI_TRY(pli_world_weigh_frames(world, error)); // behind the others: pairs are sorted by vertex
    PLI_TRY(pli_world_find_stencils(world, error));
    PLI_TRY(pli_world_add_nodes(world, error));
    return pli_kinematics_finish(k, error);
}
