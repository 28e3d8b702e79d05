// A body becomes free, affine or rigid in a run (pliant/change.h).
//
// Places and velocities are carried over like those of any change (carry.c). Mass on the new
// unknowns is another quadratic form (lumped at vertices, exact for frames), and a frame fits a
// deformed body only on the average. So each state of the history gets back its centre of mass, and
// linear and angular momentum by a rigid velocity field: what the body has lost it gets with the
// least kinetic energy.
#include "pliant/change.h"

#include "dynamics/world.h"
#include "math/small.h"
#include "math/vec.h"
#include "sparse/schur.h"

#include <string.h>

enum { FIELDS = 6 }; // translations along x, y, z and rotations about them

// A rotation without inertia (of a point, or of a thread about itself) has no rate.
static const double NO_INERTIA = 1e-14;

// Of one state of the history.
typedef struct totals {
    double centre[3];        // of mass
    double momentum[FIELDS]; // linear; angular about the centre
} totals;

struct pli_conversion {
    int body;
    totals states[2][PLI_HISTORY_MAX];
};

static pli_history* history_of(pli_world* w, int h) { return h == 0 ? &w->history : &w->coarse; }

// The vertices whose places are the unknowns of a body without supports.
static int own_vertices(const pli_world* w, int body, int* first) {
    const pli_body_frame* frame = pli_world_frame(w, body);
    *first = frame ? frame->first : w->model.bodies[body].first_vertex;
    return frame ? w->kinematics.dim + 1 : pli_body_end_vertex(&w->model, body) - *first;
}

static double* own_unknowns(const pli_world* w, int vertex, double* q) {
    const pli_kinematics* k = &w->kinematics;
    return q + k->group_offset[k->vertices[vertex].identity_group];
}

// The velocity of field `i` about a centre, at x.
static void field_at(int i, const double centre[3], const double x[3], double u[3]) {
    double axis[3] = {0}, arm[3];
    axis[i % 3] = 1;
    memcpy(u, axis, sizeof axis);
    if (i < 3) return;
    pli_sub(x, centre, arm, 3);
    pli_cross3(axis, arm, u);
}

// u_i . M v over the body's own unknowns, of each field; Mv is work space.
static void project(const pli_world* w, int body, const double centre[3], const double* q,
                    const double* v, double* Mv, double out[FIELDS]) {
    int first, count = own_vertices(w, body, &first), dim = w->kinematics.dim;
    pli_mass_multiply(&w->kinematics, v, Mv);
    for (int i = 0; i < FIELDS; ++i) out[i] = 0;
    for (int p = first; p < first + count; ++p) {
        double x[3] = {0}, u[3];
        pli_copy(own_unknowns(w, p, (double*)q), x, dim);
        for (int i = 0; i < FIELDS; ++i) {
            field_at(i, centre, x, u);
            out[i] += pli_dot(u, own_unknowns(w, p, Mv), dim);
        }
    }
}

// v += factor times field i; v = 0 elsewhere counts for nothing in `project`.
static void add_field(const pli_world* w, int body, int i, const double centre[3], const double* q,
                      double factor, double* v) {
    int first, count = own_vertices(w, body, &first), dim = w->kinematics.dim;
    for (int p = first; p < first + count; ++p) {
        double x[3] = {0}, u[3];
        pli_copy(own_unknowns(w, p, (double*)q), x, dim);
        field_at(i, centre, x, u);
        pli_axpy(factor, u, own_unknowns(w, p, v), dim);
    }
}

static void find_centre(const pli_world* w, int body, const double* q, double* Mq,
                        double centre[3]) {
    static const double origin[3];
    double first[FIELDS], mass[FIELDS];
    double* ones = w->scratch;
    memset(ones, 0, sizeof *ones * (size_t)w->kinematics.unknown_count);
    for (int c = 0; c < w->kinematics.dim; ++c) add_field(w, body, c, origin, q, 1, ones);
    project(w, body, origin, q, ones, Mq, mass);
    project(w, body, origin, q, q, Mq, first);
    for (int c = 0; c < 3; ++c) centre[c] = mass[c] > 0 ? first[c] / mass[c] : 0;
}

static void take_totals(pli_world* w, pli_conversion* c) {
    for (int h = 0; h < 2; ++h)
        for (int s = 0; s < history_of(w, h)->count; ++s) {
            const pli_history* history = history_of(w, h);
            totals* out = &c->states[h][s];
            find_centre(w, c->body, history->q[s], w->force, out->centre);
            project(w, c->body, out->centre, history->q[s], history->v[s], w->force, out->momentum);
        }
}

// ---- putting back

// A frame is moved to the centre of mass; of a rigid body it becomes a rotation.
static void place_frame(pli_world* w, const pli_conversion* c, const double centre[3], double* q) {
    const pli_body_frame* frame = pli_world_frame(w, c->body);
    int dim = w->kinematics.dim;
    bool rigid = strcmp(w->model.bodies[c->body].def.kinematics, "rigid") == 0;
    double A[9], U[9], V[9], s[3], *origin = own_unknowns(w, frame->first, q);
    for (int k = 0; k < dim; ++k)
        for (int r = 0; r < dim; ++r)
            A[r * dim + k] = own_unknowns(w, frame->first + 1 + k, q)[r] - origin[r];
    if (rigid && dim == 2) pli_svd2(A, U, s, V);
    if (rigid && dim == 3) pli_svd3(A, U, s, V);
    for (int i = 0; i < dim * dim && rigid; ++i)
        A[i] = frame->length * pli_dot(U + i / dim * dim, V + i % dim * dim, dim);
    pli_copy(centre, origin, dim);
    for (int k = 0; k < dim; ++k)
        for (int r = 0; r < dim; ++r)
            own_unknowns(w, frame->first + 1 + k, q)[r] = centre[r] + A[r * dim + k];
}

// Adds the rigid field that brings v to the wanted momentum; the second pass refines.
static void give_momentum(pli_world* w, const pli_conversion* c, const totals* wanted,
                          const double* q, double* v) {
    double inertia[FIELDS * FIELDS], left[FIELDS], now[FIELDS];
    uint8_t skipped[FIELDS] = {0};
    int n = w->kinematics.unknown_count;
    for (int i = 0; i < FIELDS; ++i) {
        memset(w->scratch, 0, sizeof *w->scratch * (size_t)n);
        add_field(w, c->body, i, wanted->centre, q, 1, w->scratch);
        project(w, c->body, wanted->centre, q, w->scratch, w->force, inertia + FIELDS * i);
    }
    pli_schur_pivot(FIELDS, NO_INERTIA, inertia, skipped);
    for (int pass = 0; pass < 2; ++pass) {
        project(w, c->body, wanted->centre, q, v, w->force, now);
        pli_sub(wanted->momentum, now, left, FIELDS);
        pli_schur_substitute(FIELDS, inertia, skipped, left);
        for (int i = 0; i < FIELDS; ++i) add_field(w, c->body, i, wanted->centre, q, left[i], v);
    }
}

static void rest_body(const pli_world* w, int body, double* v) {
    int first, count = own_vertices(w, body, &first);
    for (int p = first; p < first + count; ++p)
        memset(own_unknowns(w, p, v), 0, sizeof *v * (size_t)w->kinematics.dim);
}

void pli_conversion_finish(pli_world* w, const pli_conversion* c) {
    bool rigid = strcmp(w->model.bodies[c->body].def.kinematics, "rigid") == 0;
    for (int h = 0; h < 2; ++h)
        for (int s = 0; s < history_of(w, h)->count; ++s) {
            pli_history* history = history_of(w, h);
            const totals* wanted = &c->states[h][s];
            if (pli_world_frame(w, c->body)) place_frame(w, c, wanted->centre, history->q[s]);
            if (rigid) rest_body(w, c->body, history->v[s]);
            give_momentum(w, c, wanted, history->q[s], history->v[s]);
        }
}

// ---- the call

static pli_status refuse(pli_error* error, const pli_body* body, const char* text) {
    return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\" %s", body->name, text);
}

static pli_status check(const pli_world* w, const pli_body* body, pli_error* error) {
    int number = (int)(body - w->model.bodies);
    bool supported = false;
    for (int i = 0; i < w->model.support_set_count; ++i)
        supported = supported || w->model.support_sets[i].body == number;
    if (body->modes ||
        (strcmp(body->def.kinematics, "free") != 0 && !pli_body_is_affine(&body->def)))
        return refuse(error, body, "has other unknowns than free, affine and rigid bodies");
    if (pli_body_is_cage(&w->model, number))
        return refuse(error, body, "carries an embedded body: its kinematics cannot change");
    if (body->def.obstacle) return refuse(error, body, "is an obstacle: it has no mass");
    if (body->closed)
        return refuse(error, body,
                      "is a closed surface, which has volume only as an affine or rigid body: give "
                      "it a thickness or a mesh of tetrahedra");
    if (supported || pli_body_has_joint(&w->model, number))
        return refuse(error, body,
                      "has supports or joints: remove them before its kinematics changes, and add "
                      "them again");
    return PLI_OK;
}

static pli_status set_word(pli_body* body, const char* word, pli_error* error) {
    static const char* const words[] = {"free", "affine", "rigid"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (word && strcmp(word, words[i]) == 0) {
            body->def.kinematics = words[i];
            return PLI_OK;
        }
    return pli_fail(error, PLI_E_ARGUMENT,
                    "kinematics \"%.40s\": must be \"free\", \"affine\" or \"rigid\"",
                    word ? word : "");
}

// If the new world is refused (bodies intersect where a deformed one became rigid, say), the old
// kinematics are prepared again from the same carried state.
static pli_status convert(pli_world* w, pli_body_id id, const char* word, pli_error* error) {
    pli_body* body = NULL;
    PLI_TRY(pli_world_make_ready(w, error));
    PLI_TRY(pli_model_find_body(&w->model, id, &body, error));
    pli_body probe = *body;
    PLI_TRY(set_word(&probe, word, error));
    if (strcmp(probe.def.kinematics, body->def.kinematics) == 0) return PLI_OK;
    PLI_TRY(check(w, body, error));
    const char* before = body->def.kinematics;
    pli_conversion c = {.body = (int)(body - w->model.bodies)};
    take_totals(w, &c);
    PLI_TRY(pli_world_unprepare(w, error));
    body->def.kinematics = probe.def.kinematics;
    w->conversion = &c;
    pli_status status = pli_world_make_ready(w, error);
    w->conversion = NULL;
    w->revision++;
    if (status == PLI_OK) return PLI_OK;
    body->def.kinematics = before;
    pli_world_free_prepared(w);
    w->lost = pli_world_make_ready(w, NULL) != PLI_OK;
    return status;
}

pli_status pli_world_set_kinematics(pli_world* world, pli_body_id id, const char* kinematics,
                                    pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = convert(world, id, kinematics, error);
    return pli_world_leave(world,
                           pli_error_place(status, error, PLI_OBJECT_BODY, id.index, "kinematics"));
}
