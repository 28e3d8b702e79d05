// Affine and rigid bodies in the world: their frames and supports, the stiffness that keeps them
// rigid, reactions.
//
// Supports. Held vertices become controls of the frame, in this order: fixed ones, prescribed ones,
// those that slide; the frame's own points fill up. So a fixed vertex removes its unknowns exactly,
// and a prescribed one has unknowns of its own, as on a free body. A body with as many fixed
// vertices as the space has dimensions cannot move.
#include "dynamics/world.h"

#include "energy/damping.h"
#include "math/small.h"
#include "math/vec.h"
#include "mesh/topology.h"

#include <math.h>
#include <string.h>

// ---- frames

const pli_body_frame* pli_world_frame(const pli_world* w, int body) {
    const pli_body_frame* frames = w->kinematics.frames;
    int low = 0, high = w->kinematics.frame_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (frames[middle].owner < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->kinematics.frame_count && frames[low].owner == body ? &frames[low] : NULL;
}

// The half diagonal of the body: a scale, so that unknowns of all bodies are metres of like weight.
static double frame_length(const pli_world* w, int body) {
    double length = 0.5 * pli_model_rest_diagonal(&w->model, body);
    return length > 0 ? length : fmax(1e-3, w->model.bodies[body].def.contact_thickness);
}

// A surface in space has the mass of its volume if it is closed, that of a sheet if it has a
// thickness; else it is not known what was meant, and where it is open is told.
static pli_status check_volume(const pli_world* w, int b, pli_error* error) {
    const pli_model* model = &w->model;
    const pli_body* body = &model->bodies[b];
    const pli_elements all = pli_model_elements(model, b);
    int count = all.count[PLI_TRIANGLE];
    if (model->def.dimension < 3 || body->closed || count == 0 || body->def.vertex_mass > 0 ||
        all.count[PLI_TETRAHEDRON] + all.count[PLI_TETRAHEDRON10] > 0 ||
        pli_own_section(model, b, &body->def, 2) > 0)
        return PLI_OK;
    pli_surface_report r;
    PLI_TRY(pli_surface_inspect(w->model.memory, pli_body_end_vertex(model, b), count,
                                all.elements[PLI_TRIANGLE], &r, error));
    const int* at = r.open_edges > 0      ? r.first_open
                    : r.crowded_edges > 0 ? r.first_crowded
                                          : r.first_turned;
    const char* what = r.open_edges > 0      ? "is open at"
                       : r.crowded_edges > 0 ? "has three or more triangles at"
                                             : "has triangles of opposite orientations at";
    const double* x = model->rest + 3 * (size_t)(at[0] < 0 ? body->first_vertex : at[0]);
    return pli_error_place(
        pli_fail(error, PLI_E_ARGUMENT,
                 "body \"%s\": its surface %s %d edges, the first at (%g, %g, %g): close it if it "
                 "is to be solid, or give it a thickness",
                 body->name, what, r.open_edges + r.crowded_edges + r.turned_edges, x[0], x[1],
                 x[2]),
        error, PLI_OBJECT_BODY, b, "thickness");
}

pli_status pli_world_add_frames(pli_world* w, pli_error* error) {
    const pli_model* model = &w->model;
    for (int b = 0; b < model->body_count; ++b) {
        if (!pli_body_is_affine(&model->bodies[b].def) || model->bodies[b].modes) continue;
        PLI_TRY(check_volume(w, b, error));
        pli_moments m;
        pli_body_moments(model, b, &m);
        if (!(m.mass > 0) || !isfinite(m.mass))
            return pli_error_place(
                pli_fail(error, PLI_E_ARGUMENT,
                         "body \"%s\": its mass is %g kg, must be > 0: check density, thickness or "
                         "cross_section, or set vertex_mass",
                         model->bodies[b].name, m.mass),
                error, PLI_OBJECT_BODY, b, "density");
        pli_body_frame frame = {.owner = b,
                                .first_vertex = model->bodies[b].first_vertex,
                                .end_vertex = pli_body_end_vertex(model, b),
                                .length = frame_length(w, b)};
        double x[PLI_FRAME_MAX][3];
        memcpy(frame.origin, m.centre, sizeof frame.origin);
        for (int i = 0; i < PLI_FRAME_MAX; ++i) {
            memcpy(x[i], m.centre, sizeof x[i]);
            if (i > 0) x[i][i - 1] += frame.length;
        }
        PLI_TRY(pli_kinematics_add_frame(&w->kinematics, &frame, x[0], error));
    }
    return PLI_OK;
}

// ---- controls

// How a vertex is held: the first are taken as controls first.
typedef enum hold { HOLD_FIXED, HOLD_PRESCRIBED, HOLD_SLIDING, HOLD_NONE } hold;

static hold hold_of(const pli_support* support, int dim) {
    double directions[9];
    if (support->kind == PLI_SUPPORT_NONE) return HOLD_NONE;
    if (support->kind == PLI_SUPPORT_PRESCRIBED) return HOLD_PRESCRIBED;
    return pli_support_directions(support, dim, directions) == 0 ? HOLD_FIXED : HOLD_SLIDING;
}

// Held vertices in the order of their holds, then the frame's own points.
typedef struct candidates {
    int count, end[HOLD_NONE]; // end of those of each hold
    int32_t* vertices;
    double* places; // at rest, 3 each
} candidates;

static void list_candidates(const pli_world* w, const pli_body_frame* frame, candidates* c) {
    int dim = w->kinematics.dim;
    c->count = 0;
    for (int how = 0; how < HOLD_NONE; ++how) {
        for (int v = frame->first_vertex; v < frame->end_vertex; ++v) {
            if ((int)hold_of(&w->model.supports[v], dim) != how) continue;
            memcpy(c->places + 3 * (size_t)c->count, w->model.rest + 3 * (size_t)v,
                   3 * sizeof(double));
            c->vertices[c->count++] = v;
        }
        c->end[how] = c->count;
    }
    for (int i = 0; i <= dim; ++i) {
        double y[3];
        pli_body_frame_own_place(i, y);
        for (int k = 0; k < 3; ++k)
            c->places[3 * (size_t)c->count + (size_t)k] = frame->origin[k] + frame->length * y[k];
        c->vertices[c->count++] = frame->first + i;
    }
}

// Chooses dim + 1 controls; returns how many of them are fixed.
static int choose_controls(const pli_world* w, pli_body_frame* frame, const candidates* c) {
    int dim = w->kinematics.dim, known = 0, fixed = 0;
    int32_t chosen[PLI_FRAME_MAX];
    double length = pli_model_rest_diagonal(&w->model, frame->owner), y[PLI_FRAME_MAX][3] = {{0}};
    for (int how = 0; how < HOLD_NONE; ++how) {
        known = pli_independent_places(dim, c->end[how], c->places, length, known, chosen);
        if (how == HOLD_FIXED) fixed = known;
    }
    known = pli_independent_places(dim, c->count, c->places, frame->length, known, chosen);
    PLI_ASSERT(known == dim + 1);
    for (int i = 0; i < known; ++i) {
        frame->control[i] = c->vertices[chosen[i]];
        pli_body_frame_place(frame, dim, c->places + 3 * (size_t)chosen[i], y[i]);
    }
    pli_body_frame_set_controls(frame, dim, y);
    return fixed;
}

static pli_status give_unknowns(pli_world* w, const pli_body_frame* frame, pli_error* error) {
    pli_kinematics* k = &w->kinematics;
    for (int i = 0; i <= k->dim; ++i) {
        int v = frame->control[i];
        hold how = v < k->mesh_point_count ? hold_of(&w->model.supports[v], k->dim) : HOLD_NONE;
        double directions[9];
        if (how == HOLD_NONE || how == HOLD_PRESCRIBED) {
            PLI_TRY(pli_kinematics_set_free(k, v, error));
        } else if (how == HOLD_SLIDING) {
            int count = pli_support_directions(&w->model.supports[v], k->dim, directions);
            PLI_TRY(pli_kinematics_set_directions(k, v, count, directions, error));
        }
    }
    return PLI_OK;
}

// Whether a held vertex that is no control stays on its support, whatever the unknowns are.
static bool is_implied(const pli_world* w, int v) {
    const pli_kinematics* k = &w->kinematics;
    const pli_support* support = &w->model.supports[v];
    const pli_vertex_map* map = &k->vertices[v];
    for (int e = map->entry_start; e < map->entry_end; ++e)
        for (int c = 0; c < pli_group_width(k, k->entries[e].group); ++c) {
            double along[3] = {0}, normal = 0;
            for (int r = 0; r < k->dim; ++r) {
                along[r] = pli_entry_weight(k, &k->entries[e], r, c);
                normal += along[r] * support->normal[r];
            }
            for (int r = 0; r < k->dim; ++r)
                if (support->kind == PLI_SUPPORT_AXES && support->axes[r] && fabs(along[r]) > 1e-9)
                    return false;
            if (support->kind == PLI_SUPPORT_INCLINED && fabs(normal) > 1e-9) return false;
        }
    return support->kind != PLI_SUPPORT_PRESCRIBED || map->entry_end == map->entry_start;
}

static pli_status check_implied(const pli_world* w, const pli_body_frame* frame, pli_error* error) {
    for (int v = frame->first_vertex; v < frame->end_vertex; ++v) {
        bool control = false;
        for (int i = 0; i <= w->kinematics.dim; ++i) control = control || frame->control[i] == v;
        if (control || w->model.supports[v].kind == PLI_SUPPORT_NONE || is_implied(w, v)) continue;
        const pli_body* body = &w->model.bodies[frame->owner];
        return pli_error_place(
            pli_fail(error, PLI_E_ARGUMENT,
                     "body \"%s\": its supports at vertex %d and elsewhere cannot hold one %s body "
                     "together: hold at most %d vertices that span the others, each in one way, or "
                     "use kinematics \"free\"",
                     body->name, v - body->first_vertex, body->def.kinematics,
                     w->kinematics.dim + 1),
            error, PLI_OBJECT_BODY, frame->owner, "kinematics");
    }
    return PLI_OK;
}

// The whole body stays where it is.
static void fix_frame(pli_world* w, const pli_body_frame* frame) {
    pli_kinematics* k = &w->kinematics;
    double own[PLI_FRAME_MAX][3];
    pli_body_frame_locate(k, frame, w->model.positions, own);
    for (int i = 0; i <= k->dim; ++i)
        memcpy(k->vertices[frame->first + i].x0, own[i], sizeof own[i]);
}

pli_status pli_world_carry_affine(pli_world* w, int body, pli_error* error) {
    pli_kinematics* k = &w->kinematics;
    pli_body_frame* frame = k->frames + (pli_world_frame(w, body) - k->frames);
    const double* rest = w->model.rest + 3 * (size_t)frame->first_vertex;
    size_t most = (size_t)(frame->end_vertex - frame->first_vertex) + PLI_FRAME_MAX;
    candidates c = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&w->memory, c.vertices, most, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&w->memory, c.places, 3 * most, error));
    list_candidates(w, frame, &c);
    int number = (int)(frame - k->frames), fixed = choose_controls(w, frame, &c);
    if (fixed < k->dim) PLI_TRY_CLEANUP(status, give_unknowns(w, frame, error));
    PLI_TRY_CLEANUP(status, pli_kinematics_carry(k, number, rest, error));
    if (fixed >= k->dim)
        fix_frame(w, frame);
    else
        status = check_implied(w, frame, error);
cleanup:
    PLI_FREE(&w->memory, c.places, 3 * most);
    PLI_FREE(&w->memory, c.vertices, most);
    return status;
}

pli_status pli_world_weigh_frames(pli_world* w, pli_error* error) {
    for (int f = 0; f < w->kinematics.frame_count; ++f) {
        pli_moments m;
        pli_body_moments(&w->model, w->kinematics.frames[f].owner, &m);
        PLI_TRY(pli_kinematics_add_moments(&w->kinematics, f, &m, error));
    }
    return PLI_OK;
}

// ---- rigidity

// Stress that the body has to bear, for the first choice of kappa: its weight and that of ten like
// it on top, its spin, and an impact at the largest speed present that ends within a step or on the
// way of dhat. Loads count as accelerations.
static double expected_stress(const pli_world* w, const pli_body_frame* frame, const pli_moments* m,
                              double speed) {
    const pli_model* model = &w->model;
    double size = pli_model_rest_diagonal(model, frame->owner), density = m->mass / m->volume;
    double mean[3] = {0}, spin = 0, force = 0;
    int count = frame->end_vertex - frame->first_vertex;
    for (int v = frame->first_vertex; v < frame->end_vertex; ++v)
        pli_axpy(1.0 / count, model->velocities + 3 * (size_t)v, mean, 3);
    for (int v = frame->first_vertex; v < frame->end_vertex; ++v) {
        double d[3];
        pli_sub(model->velocities + 3 * (size_t)v, mean, d, 3);
        spin = fmax(spin, pli_dot(d, d, 3));
    }
    for (int i = 0; i < model->load_count; ++i)
        if (model->loads[i].body == frame->owner && !model->loads[i].def.field &&
            strcmp(model->loads[i].def.kind, "force") == 0)
            force += pli_norm(model->loads[i].def.value, model->def.dimension);
    double h = model->def.time_step > 0 ? model->def.time_step : model->def.step_max;
    double stop = fmax(h, speed > 0 ? pli_collision_dhat(&w->collision) / speed : 0);
    double impact = stop > 0 && isfinite(stop) && !w->scheme->statics ? speed / stop : 0;
    double pull = 10 * pli_norm(model->def.gravity, model->def.dimension) + force / m->mass;
    return density * (size * (1 + pull + impact) + spin);
}

// The largest speed of any vertex.
static double largest_speed(const pli_model* model) {
    double speed = 0;
    for (int v = 0; v < model->vertex_count; ++v)
        speed = fmax(speed, pli_norm(model->velocities + 3 * (size_t)v, 3));
    return speed;
}

static pli_rigidity rigidity_of(const pli_world* w, const pli_body_frame* frame, double speed) {
    const pli_body_def* def = &w->model.bodies[frame->owner].def;
    pli_moments m;
    pli_body_moments(&w->model, frame->owner, &m);
    pli_rigidity r = {.kappa = def->affine_stiffness,
                      .volume = m.volume,
                      .length = frame->length,
                      .mass_damping = def->mass_damping,
                      .stiffness_damping = def->stiffness_damping,
                      .mass = m.mass};
    memcpy(r.second, m.second, sizeof r.second);
    if (strcmp(def->kinematics, "rigid") == 0)
        r.kappa = expected_stress(w, frame, &m, speed) / (8 * def->allowed_strain);
    for (int i = 0; i < PLI_FRAME_MAX; ++i) r.vertices[i] = frame->first + i;
    return r;
}

pli_status pli_world_add_rigidity(pli_world* w, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    if (k->frame_count == 0) return PLI_OK;
    pli_rigidity* list;
    pli_term term, damping;
    bool damped = false;
    PLI_TRY(pli_world_reserve_terms(w, 2, error));
    PLI_TRY(PLI_ALLOC(&w->memory, list, k->frame_count, error));
    double speed = largest_speed(&w->model);
    for (int f = 0; f < k->frame_count; ++f) {
        list[f] = rigidity_of(w, &k->frames[f], speed);
        damped = damped || list[f].mass_damping > 0 || list[f].stiffness_damping > 0;
    }
    pli_status status =
        pli_orthogonality_create(&w->memory, k->dim, list, k->frame_count, &term, error);
    PLI_FREE(&w->memory, list, k->frame_count);
    PLI_TRY(status);
    pli_world_add_term(w, term)->rigidity = true;
    if (!damped) return PLI_OK;
    pli_term matrix = pli_orthogonality_damping(&term);
    PLI_TRY(pli_stiffness_damping_create(&w->memory, &matrix, k->dim, k->vertex_count, 1, &damping,
                                         error));
    pli_world_add_term(w, damping);
    return PLI_OK;
}

static int rigidity_number(const pli_world* w) {
    for (int t = 0; t < w->term_count && w->kinematics.frame_count > 0; ++t)
        if (w->terms[t].rigidity) return t;
    return -1;
}

const pli_term* pli_world_rigidity(const pli_world* w) {
    int t = rigidity_number(w);
    return t < 0 ? NULL : &w->terms[t].term;
}

// The factor that brings the strain a fifth below the allowed one, if the load stays the same; at
// most MOST, and as much as adds this part of the energy of motion and strain.
static const double BELOW = 1.25, MOST = 10, ENERGY_SHARE = 0.01;

void pli_world_adapt_rigidity(pli_world* w, pli_balance* balance) {
    const pli_kinematics* k = &w->kinematics;
    int t = rigidity_number(w);
    if (t < 0 || w->scheme->finish) return; // the end of a step is no balance of forces
    double present = w->kinetic + w->energy_values[t];
    double *kappa = pli_orthogonality_kappa(&w->terms[t].term), added = 0;
    bool known = false;
    for (int f = 0; f < k->frame_count; ++f) {
        const pli_body_frame* frame = &k->frames[f];
        const pli_body_def* def = &w->model.bodies[frame->owner].def;
        double A[9], e = 0;
        if (strcmp(def->kinematics, "rigid") != 0) continue;
        if (!known) pli_kinematics_positions(k, w->pool, w->history.q[0], w->x);
        known = true;
        pli_body_frame_gradient(k, frame, w->x, A);
        double strain = pli_body_frame_strain(k->dim, A), before = kappa[f];
        if (!(strain > def->allowed_strain) || !isfinite(strain) || before == 0) continue;
        const int32_t* own = w->terms[t].term.ops->vertices(w->terms[t].term.self);
        pli_batch one = {.dim = k->dim,
                         .count = 1,
                         .width = k->dim + 1,
                         .vertices = own + f * (k->dim + 1),
                         .x = w->x,
                         .want = PLI_VALUE};
        w->terms[t].term.ops->eval(w->terms[t].term.self, f, &one, &(pli_local){.e = &e});
        double most = fmin(MOST, 1 + ENERGY_SHARE * present / e);
        kappa[f] = before * fmin(most, BELOW * strain / def->allowed_strain);
        added += e * (kappa[f] / before - 1);
    }
    w->energy_values[t] += added;
    w->stored += added;
    balance->stiffening += added;
    balance->potential += added;
}

// ---- what others ask

double pli_world_affine_modulus(const pli_world* w, int body, double h) {
    const pli_body_frame* frame = pli_world_frame(w, body);
    const pli_term* term = pli_world_rigidity(w);
    int count;
    if (!frame || !term) return 0;
    int f = (int)(frame - w->kinematics.frames);
    const pli_rigidity* r = &pli_orthogonality_bodies(term, &count)[f];
    double size = pli_model_rest_diagonal(&w->model, body), density = r->mass / r->volume;
    return 8 * pli_orthogonality_kappa(term)[f] + (h > 0 ? density * size * size / (h * h) : 0);
}

// The force on each control: sum of its weight times force over all points of the body.
static void carry_forces(pli_world* w, const pli_body_frame* frame, const double* inertia) {
    const pli_kinematics* k = &w->kinematics;
    int points = frame->end_vertex - frame->first_vertex;
    for (int i = 0; i < points + k->dim + 1; ++i) {
        bool own = i >= points;
        size_t v = (size_t)(own ? frame->first + i - points : frame->first_vertex + i);
        double y[3], weights[PLI_FRAME_MAX];
        if (own)
            pli_body_frame_own_place(i - points, y);
        else
            pli_body_frame_place(frame, k->dim, w->model.rest + 3 * v, y);
        pli_body_frame_weights(frame, k->dim, y, weights);
        for (int c = 0; c <= k->dim; ++c) {
            double* force = w->reactions + 3 * (size_t)frame->control[c];
            pli_axpy(weights[c], w->gx + 3 * v, force, k->dim);
            pli_axpy(weights[c], inertia + 3 * v, force, k->dim);
        }
    }
}

// Spin s of the places about their mean that turns forces s x d into this torque.
static void find_turn(const double K[9], const double torque[3], double s[3]) {
    double values[3], V[9];
    pli_eigen_symmetric(3, K, values, V);
    s[0] = s[1] = s[2] = 0;
    for (int i = 0; i < 3; ++i) {
        double along = 0;
        for (int r = 0; r < 3; ++r) along += V[3 * r + i] * torque[r];
        for (int r = 0; r < 3 && values[i] > 1e-12 * values[2]; ++r)
            s[r] += V[3 * r + i] * along / values[i];
    }
}

// A body that cannot move: its fixed controls share the force and the torque on it, with the
// smallest forces that can: f / n + s x d.
static void share_forces(pli_world* w, const pli_body_frame* frame, const double* inertia) {
    const pli_kinematics* k = &w->kinematics;
    int32_t held[PLI_FRAME_MAX];
    int n = 0, points = frame->end_vertex - frame->first_vertex;
    double mean[3] = {0}, force[3] = {0}, torque[3] = {0}, K[9] = {0}, s[3], d[3], f[3], moment[3];
    for (int i = 0; i <= k->dim; ++i)
        if (frame->control[i] < k->mesh_point_count) held[n++] = frame->control[i];
    for (int i = 0; i < n; ++i) pli_axpy(1.0 / n, w->x + 3 * (size_t)held[i], mean, 3);
    for (int i = 0; i < points + k->dim + 1; ++i) {
        size_t v = (size_t)(i < points ? frame->first_vertex + i : frame->first + i - points);
        for (int c = 0; c < 3; ++c)
            f[c] = c < k->dim ? w->gx[3 * v + (size_t)c] + inertia[3 * v + (size_t)c] : 0;
        pli_sub(w->x + 3 * v, mean, d, 3);
        pli_cross3(d, f, moment);
        pli_axpy(1, f, force, 3);
        pli_axpy(1, moment, torque, 3);
    }
    for (int i = 0; i < n; ++i) {
        pli_sub(w->x + 3 * (size_t)held[i], mean, d, 3);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                K[3 * r + c] += (r == c ? pli_dot(d, d, 3) : 0) - d[r] * d[c];
    }
    find_turn(K, torque, s);
    for (int i = 0; i < n; ++i) {
        double* r = w->reactions + 3 * (size_t)held[i];
        pli_sub(w->x + 3 * (size_t)held[i], mean, d, 3);
        pli_cross3(s, d, r);
        pli_axpy(1.0 / n, force, r, 3);
    }
}

void pli_world_carry_reactions(pli_world* w, const double* inertia) {
    const pli_kinematics* k = &w->kinematics;
    for (int f = 0; f < k->frame_count; ++f) {
        const pli_body_frame* frame = &k->frames[f];
        bool held = false;
        for (int i = 0; i <= k->dim; ++i) held = held || frame->control[i] < k->mesh_point_count;
        if (!held) continue;
        for (int v = frame->first_vertex; v < frame->end_vertex; ++v)
            memset(w->reactions + 3 * (size_t)v, 0, 3 * sizeof(double));
        if (pli_body_frame_moves(k, frame))
            carry_forces(w, frame, inertia);
        else
            share_forces(w, frame, inertia);
        for (int i = 0; i <= k->dim; ++i) // own points are not held
            if (frame->control[i] >= k->mesh_point_count)
                memset(w->reactions + 3 * (size_t)frame->control[i], 0, 3 * sizeof(double));
    }
}
