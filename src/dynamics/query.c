// Queries of the present state: mass and motion of bodies, rays, closest points.
//
// Mass is a quadratic form on vertices, so all sums go over its pairs m_ij, each of which counts
// for ij and ji:
//
//     mass = sum m_ij,  centre = sum m_ij x_i / mass,  momentum = sum m_ij v_i,
//     angular = sum m_ij x_i x v_j,  kinetic = 1/2 sum m_ij v_i . v_j,
//     inertia = sum m_ij ((x_i . x_j) 1 - x_i x_j^T)
//
// which is exact for lumped and for consistent mass, with x relative to the given point.
#include "dynamics/world.h"

#include "math/vec.h"

#include <string.h>

// ---- bodies

// The first pair of a body or a later one: pairs are sorted by body.
static int first_pair(const pli_kinematics* k, int vertex) {
    int low = 0, high = k->pair_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (k->pairs[middle].row < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Position and velocity of a point: of a body, or of a frame.
static const double* place_of(const pli_world* w, int32_t point) {
    int other = point - w->model.vertex_count;
    return other < 0 ? w->model.positions + 3 * (size_t)point : w->frame_positions + 3 * (size_t)other;
}

static const double* rate_of(const pli_world* w, int32_t point) {
    int other = point - w->model.vertex_count;
    return other < 0 ? w->model.velocities + 3 * (size_t)point
                     : w->frame_velocities + 3 * (size_t)other;
}

static void add_mass(const pli_world* w, int first, int end, pli_body_summary* s) {
    const pli_mass_pair* pairs = w->kinematics.pairs;
    bool moves = !w->scheme->statics;
    for (int p = first; p < end; ++p) {
        double half = pairs[p].row == pairs[p].column ? 0.5 : 1;
        const int32_t ends[2] = {pairs[p].row, pairs[p].column};
        s->mass += 2 * half * pairs[p].mass;
        for (int k = 0; k < 2; ++k) {
            double m = half * pairs[p].mass;
            pli_axpy(m, place_of(w, ends[k]), s->centre, 3);
            if (moves) pli_axpy(m, rate_of(w, ends[k]), s->momentum, 3);
        }
    }
    for (int c = 0; c < 3; ++c) {
        s->centre[c] = s->mass > 0 ? s->centre[c] / s->mass : 0;
        s->velocity[c] = s->mass > 0 ? s->momentum[c] / s->mass : 0;
    }
}

static void add_moment(const double x[3], const double y[3], const double v[3], double m,
                       pli_body_summary* s) {
    double moment[3], product = pli_dot(x, y, 3);
    pli_cross3(x, v, moment);
    pli_axpy(m, moment, s->angular, 3);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            s->inertia[3 * r + c] += m * ((r == c ? product : 0) - x[r] * y[c]);
}

static void add_moments(const pli_world* w, int first, int end, const double about[3],
                        pli_body_summary* s) {
    const pli_mass_pair* pairs = w->kinematics.pairs;
    double still[3] = {0, 0, 0};
    for (int p = first; p < end; ++p) {
        int32_t i = pairs[p].row, j = pairs[p].column;
        const double *v = rate_of(w, i), *u = rate_of(w, j);
        double x[3], y[3], m = pairs[p].mass * (i == j ? 0.5 : 1);
        if (w->scheme->statics) v = u = still;
        pli_sub(place_of(w, i), about, x, 3);
        pli_sub(place_of(w, j), about, y, 3);
        if (w->model.def.dimension == 2) x[2] = y[2] = 0;
        add_moment(x, y, u, m, s);
        add_moment(y, x, v, m, s);
        s->kinetic += m * pli_dot(u, v, 3);
    }
}

// Of a closed surface without elements inside: sum of the tetrahedra from its first vertex.
static double enclosed_volume(const pli_world* w, int body) {
    pli_elements all = pli_model_elements(&w->model, body);
    pli_lump surface = {.kind = PLI_TRIANGLE,
                        .element_count = all.count[PLI_TRIANGLE],
                        .vertices = all.elements[PLI_TRIANGLE],
                        .x = w->model.positions};
    pli_moments m;
    pli_moments_begin(&m, w->model.positions + 3 * (size_t)w->model.bodies[body].first_vertex);
    pli_moments_add_inside(&m, &surface);
    return fabs(m.volume);
}

static void add_volume(const pli_world* w, int body, pli_body_summary* s) {
    const pli_model* model = &w->model;
    int dim = model->def.dimension;
    double section = dim == 2 ? model->def.thickness : 1;
    if (model->bodies[body].closed) s->volume += enclosed_volume(w, body);
    for (int i = 0; i < PLI_ELEMENT_KIND_COUNT; ++i) {
        pli_element_kind kind = (pli_element_kind)i;
        if (pli_element_dimension(kind) != dim) continue;
        int size = pli_element_size(kind), end = pli_body_end_element(model, body, kind);
        for (int e = model->bodies[body].first_element[kind]; e < end; ++e)
            s->volume += section * pli_element_measure(
                                       dim, kind, model->elements[kind] + (size_t)e * (size_t)size,
                                       model->positions);
    }
}

static void add_box(const pli_world* w, int body, pli_body_summary* s) {
    const pli_model* model = &w->model;
    double radius = model->bodies[body].def.contact_thickness;
    for (int v = model->bodies[body].first_vertex; v < pli_body_end_vertex(model, body); ++v)
        for (int c = 0; c < 3; ++c) {
            double x = model->positions[3 * (size_t)v + (size_t)c];
            double r = c < model->def.dimension ? radius : 0;
            s->low[c] = fmin(s->low[c], x - r);
            s->high[c] = fmax(s->high[c], x + r);
        }
}

pli_body_summary pli_world_body_summary(const pli_world* world, int body, const double about[3]) {
    pli_body_summary s = {0};
    if (!world || body < -1 || body >= world->model.body_count) return s;
    const pli_kinematics* k = &world->kinematics;
    int first = body < 0 ? 0 : body, end = body < 0 ? world->model.body_count : body + 1;
    int pairs[2] = {0, k->pair_count};
    if (body >= 0) {
        const pli_body_frame* frame = pli_world_frame(world, body);
        pairs[0] =
            first_pair(k, frame ? frame->first : world->model.bodies[body].first_vertex);
        pairs[1] = first_pair(
            k, frame ? frame->first + k->dim + 1 : pli_body_end_vertex(&world->model, body));
    }
    add_mass(world, pairs[0], pairs[1], &s);
    add_moments(world, pairs[0], pairs[1], about ? about : s.centre, &s);
    for (int c = 0; c < 3; ++c) s.low[c] = HUGE_VAL, s.high[c] = -HUGE_VAL;
    for (int b = first; b < end; ++b) {
        add_volume(world, b, &s);
        add_box(world, b, &s);
    }
    if (s.low[0] > s.high[0])
        for (int c = 0; c < 3; ++c) s.low[c] = s.high[c] = 0;
    return s;
}

// ---- rays and closest points

// Rebuilds the tree for the present state if needed.
static pli_status make_tree(pli_world* w, pli_error* error) {
    if (!w->picker.memory)
        PLI_TRY(pli_picker_init(&w->picker, &w->model, &w->collision.surfaces, error));
    else if (w->picked == w->published)
        return PLI_OK;
    w->picked = 0;
    PLI_TRY(pli_picker_update(&w->picker, error));
    w->picked = w->published;
    return PLI_OK;
}

static pli_hit hit_of(const pli_picked* part, const pli_meeting* met) {
    pli_hit hit = {.body = part->body,
                   .vertex_count = part->count,
                   .vertices = {part->vertices[0], part->vertices[1], part->vertices[2]},
                   .triangle = part->triangle,
                   .distance = met->distance};
    memcpy(hit.weights, met->weights, sizeof hit.weights);
    memcpy(hit.point, met->point, sizeof hit.point);
    memcpy(hit.normal, met->normal, sizeof hit.normal);
    return hit;
}

// Distance to half-space i along a direction of length 1 (NULL: to its closest point), HUGE_VAL:
// the ray leaves it or is parallel.
static double plane_distance(const pli_world* w, int i, const double* from, const double* direction,
                             pli_hit* hit) {
    double point[3], to[3];
    int dim = w->model.def.dimension;
    *hit = (pli_hit){.body = -1 - i, .vertices = {-1, -1, -1}, .triangle = -1};
    pli_world_half_space(w, i, point, hit->normal);
    pli_sub(from, point, to, 3);
    double height = pli_dot(to, hit->normal, dim);
    double slope = direction ? pli_dot(direction, hit->normal, dim) : -1;
    bool starts_inside = direction && height <= 0;
    if (starts_inside)
        hit->distance = 0;
    else
        hit->distance = slope < 0 ? height / -slope : HUGE_VAL;
    memcpy(hit->point, from, sizeof hit->point);
    if (!starts_inside && hit->distance < HUGE_VAL)
        pli_axpy(hit->distance,
                 direction ? direction
                           : (double[3]){-hit->normal[0], -hit->normal[1], -hit->normal[2]},
                 hit->point, dim);
    return hit->distance;
}

static pli_status find(pli_world* w, const double from[3], const double* direction, double most,
                       pli_hit* hit, bool* found, pli_error* error) {
    pli_meeting met;
    pli_hit best = {0}, other;
    PLI_TRY(make_tree(w, error));
    int part = pli_picker_find(&w->picker, from, direction, most, &met);
    if (part >= 0) best = hit_of(&w->picker.parts[part], &met);
    bool any = part >= 0;
    for (int i = 0; i < w->model.half_space_count; ++i) {
        double d = plane_distance(w, i, from, direction, &other);
        if (d == HUGE_VAL || d > most || (any && d >= best.distance)) continue;
        best = other;
        any = true;
    }
    *found = any;
    if (!any) return PLI_OK;
    *hit = best;
    if (w->model.def.dimension == 2) hit->point[2] = from[2];
    return PLI_OK;
}

// Checks the arguments of both queries: finite numbers, space for the result.
static pli_status check_query(const pli_world* w, const double from[3], double most,
                              const pli_hit* hit, const bool* found, pli_error* error) {
    PLI_TRY(pli_world_not_failed(w, error));
    if (!w->prepared)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the world is not prepared: call pli_world_prepare first");
    if (!from || !hit || !found)
        return pli_fail(error, PLI_E_ARGUMENT, "query: the point or the result is NULL");
    if (!isfinite(from[0]) || !isfinite(from[1]) || !isfinite(from[2]))
        return pli_fail(error, PLI_E_ARGUMENT, "query: the point (%g, %g, %g) m is not finite",
                        from[0], from[1], from[2]);
    if (isnan(most)) return pli_fail(error, PLI_E_ARGUMENT, "query: the largest distance is NaN");
    return PLI_OK;
}

static pli_status cast(pli_world* w, const double origin[3], const double direction[3], double most,
                       pli_hit* hit, bool* found, pli_error* error) {
    PLI_TRY(check_query(w, origin, most, hit, found, error));
    if (!direction) return pli_fail(error, PLI_E_ARGUMENT, "ray: the direction is NULL");
    double unit[3] = {0}, largest = 0;
    int dim = w->model.def.dimension;
    for (int c = 0; c < dim; ++c) largest = fmax(largest, fabs(direction[c]));
    for (int c = 0; c < dim && largest > 0; ++c) unit[c] = direction[c] / largest;
    double length = pli_norm(unit, 3);
    if (!(length > 0) || !isfinite(length))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "ray: the direction has length 0%s, or is not finite",
                        dim == 2 ? " in the plane" : "");
    for (int c = 0; c < 3; ++c) unit[c] /= length;
    return find(w, origin, unit, most, hit, found, error);
}

pli_status pli_world_cast_ray(pli_world* world, const double origin[3], const double direction[3],
                              double max_distance, pli_hit* hit, bool* found, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, cast(world, origin, direction, max_distance, hit, found, error));
}

pli_status pli_world_closest_point(pli_world* world, const double place[3], double max_distance,
                                   pli_hit* hit, bool* found, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = check_query(world, place, max_distance, hit, found, error);
    if (status == PLI_OK) status = find(world, place, NULL, max_distance, hit, found, error);
    return pli_world_leave(world, status);
}
