// Joints of the model: types, points and where these are on both sides.
//
// A joint holds points of one side to the same points of the other along directions. Where a point
// is on a side is found when the joint is added: a place at rest of an affine body, weights of
// vertices of any other. Which equations follow is a matter of the world (dynamics/joints.c).
#include "model/joints.h"

#include "base/def.h"
#include "base/text.h"
#include "math/small.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// The sides must meet within this part of the size of the bodies.
static const double MEETING = 1e-6;

// ---- defs

const char* pli_joint_type_name(int i) {
    return pli_joint_type_at(i) ? pli_joint_type_at(i)->name : NULL;
}
const char* pli_joint_type_help(int i) {
    return pli_joint_type_at(i) ? pli_joint_type_at(i)->help : NULL;
}

static const char* const motors[] = {"none", "position", "velocity", "force"};
enum { MOTOR_COUNT = sizeof motors / sizeof *motors };

const char* pli_joint_motor_name(int i) { return i >= 0 && i < MOTOR_COUNT ? motors[i] : NULL; }

void pli_joint_def_init(pli_joint_def* out) {
    static const pli_joint_freedom free = {
        .low = -HUGE_VAL, .high = HUGE_VAL, .motor = "none", .cap = HUGE_VAL};
    const pli_joint_def def = {.name = "",
                               .type = "ball",
                               .freedom = {free, free},
                               .ratio = 1,
                               .break_force = HUGE_VAL,
                               .break_torque = HUGE_VAL};
    PLI_GIVE_DEF(def, out);
}

// ---- places on a side

// The rotation from rest to the present positions of a body that is nearest to all of them.
static void find_rotation(const double* rest, const double* x, int count, double R[9],
                          double rest_mean[3], double mean[3]) {
    double M[9] = {0}, U[9], s[3], V[9];
    for (int c = 0; c < 3; ++c) rest_mean[c] = mean[c] = 0;
    for (int v = 0; v < count; ++v) {
        pli_axpy(1.0 / count, rest + 3 * (size_t)v, rest_mean, 3);
        pli_axpy(1.0 / count, x + 3 * (size_t)v, mean, 3);
    }
    for (int v = 0; v < count; ++v)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                M[3 * r + c] += (x[3 * v + r] - mean[r]) * (rest[3 * v + c] - rest_mean[c]);
    pli_svd3(M, U, s, V);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) R[3 * r + c] = pli_dot(U + 3 * r, V + 3 * c, 3);
}

// Where the points are on an affine body at rest.
static void place_on_frame(const pli_model* model, const pli_joint* j, pli_joint_side* side) {
    const pli_body* body = &model->bodies[side->body];
    size_t first = 3 * (size_t)body->first_vertex;
    int count = pli_body_end_vertex(model, side->body) - body->first_vertex;
    const double *rest = model->rest + first, *x = model->positions + first;
    double R[9], rest_mean[3], mean[3];
    memcpy(side->places, j->points, sizeof *side->places * 3 * (size_t)j->point_count);
    if (memcmp(rest, x, sizeof *x * 3 * (size_t)count) == 0) return;
    find_rotation(rest, x, count, R, rest_mean, mean);
    for (int i = 0; i < j->point_count; ++i)
        for (int c = 0; c < 3; ++c) {
            double* place = side->places + 3 * i + c;
            *place = rest_mean[c];
            for (int r = 0; r < 3; ++r) *place += R[3 * r + c] * (j->points[3 * i + r] - mean[r]);
        }
}

// The inverse of C on the directions that the vertices span, C = sum of d d^T.
static void invert_spread(const double C[9], double inverse[9]) {
    double values[3], V[9];
    pli_eigen_symmetric(3, C, values, V);
    double largest = fmax(fabs(values[0]), fmax(fabs(values[1]), fabs(values[2])));
    memset(inverse, 0, 9 * sizeof *inverse);
    for (int i = 0; i < 3; ++i)
        for (int r = 0; r < 3 && values[i] > 1e-10 * largest; ++r)
            for (int c = 0; c < 3; ++c)
                inverse[3 * r + c] += V[3 * r + i] * V[3 * c + i] / values[i];
}

// Weights 1/n + d . C^-1 (X - mean) reproduce affine functions on what the vertices span.
static void weigh_vertices(const pli_model* model, const pli_joint* j, pli_joint_side* side) {
    const double* x = model->positions + 3 * (size_t)model->bodies[side->body].first_vertex;
    double mean[3] = {0}, C[9] = {0}, inverse[9], d[3];
    int count = side->vertex_count;
    for (int i = 0; i < count; ++i)
        pli_axpy(1.0 / count, x + 3 * (size_t)side->vertices[i], mean, 3);
    for (int i = 0; i < count; ++i) {
        pli_sub(x + 3 * (size_t)side->vertices[i], mean, d, 3);
        for (int k = 0; k < 9; ++k) C[k] += d[k / 3] * d[k % 3];
    }
    invert_spread(C, inverse);
    for (int p = 0; p < j->point_count; ++p) {
        double out[3], along[3];
        pli_sub(j->points + 3 * p, mean, out, 3);
        for (int r = 0; r < 3; ++r) along[r] = pli_dot(inverse + 3 * r, out, 3);
        for (int i = 0; i < count; ++i) {
            pli_sub(x + 3 * (size_t)side->vertices[i], mean, d, 3);
            side->weights[p * count + i] = 1.0 / count + pli_dot(along, d, 3);
        }
    }
}

static pli_status check_meeting(const pli_model* model, const pli_joint* j,
                                const pli_joint_side* side, double size, pli_error* error) {
    const pli_body* body = &model->bodies[side->body];
    const double* x = model->positions + 3 * (size_t)body->first_vertex;
    double worst = 0;
    for (int p = 0; p < j->point_count; ++p) {
        double miss[3] = {0};
        if (!pli_joint_uses(j, (int)(side - j->side), p)) continue;
        for (int i = 0; i < side->vertex_count; ++i)
            pli_axpy(side->weights[p * side->vertex_count + i], x + 3 * (size_t)side->vertices[i],
                     miss, 3);
        pli_axpy(-1, j->points + 3 * p, miss, 3);
        worst = fmax(worst, pli_norm(miss, model->def.dimension));
    }
    if (worst <= MEETING * size) return PLI_OK;
    return pli_error_key(
        pli_fail(error, PLI_E_ARGUMENT,
                 "the joint is %g m away from what the %s of body \"%s\" can reach: put it there, "
                 "or choose vertices around it",
                 worst, side->vertex_count == 1 ? "vertex" : "vertices", body->name),
        error, "at");
}

// ---- sides

static pli_status check_vertices(const pli_model* model, int number, const pli_joint_end* end,
                                 pli_error* error) {
    const pli_body* body = &model->bodies[number];
    int count = pli_body_end_vertex(model, number) - body->first_vertex;
    for (int i = 0; i < end->vertex_count; ++i)
        if (end->vertices[i] < 0 || end->vertices[i] >= count)
            return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                          "vertex %d of body \"%s\", must be 0 to %d",
                                          (int)end->vertices[i], body->name, count - 1),
                                 error, "vertices");
    if (end->vertices && end->vertex_count > 0 && end->vertex_count <= PLI_JOINT_VERTICES)
        return PLI_OK;
    if (!end->vertices) return PLI_OK;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                  "%d vertices of body \"%s\", must be 1 to %d", end->vertex_count,
                                  body->name, PLI_JOINT_VERTICES),
                         error, "vertices");
}

static int32_t nearest_vertex(const pli_model* model, int body, const double at[3]) {
    int first = model->bodies[body].first_vertex, best = first;
    double least = HUGE_VAL;
    for (int v = first; v < pli_body_end_vertex(model, body); ++v) {
        double d[3];
        pli_sub(model->positions + 3 * (size_t)v, at, d, 3);
        double distance = pli_dot(d, d, model->def.dimension);
        if (distance < least) least = distance, best = v;
    }
    return best - first;
}

static bool has_frame(const pli_body* body) {
    return pli_body_is_affine(&body->def) && !body->modes;
}

static pli_status make_side(pli_model* model, const pli_joint_def* def, int s, pli_joint* j,
                            pli_error* error) {
    const pli_joint_end* end = &def->ends[s];
    pli_joint_side* side = &j->side[s];
    pli_body* body = NULL;
    side->body = -1;
    if (end->body.generation == 0) return PLI_OK;
    PLI_TRY(pli_model_find_body(model, end->body, &body, error));
    side->body = (int)(body - model->bodies);
    PLI_TRY(check_vertices(model, side->body, end, error));
    bool second = s == 1 && (j->type->needs & PLI_NEEDS_TO);
    int32_t nearest = nearest_vertex(model, side->body, second ? def->to : def->at);
    const int32_t* vertices = end->vertices ? end->vertices : &nearest;
    int count = end->vertices ? end->vertex_count : !has_frame(body);
    if (count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(model->memory, side->vertices, count, error));
    side->vertex_count = count;
    memcpy(side->vertices, vertices, sizeof *vertices * (size_t)count);
    return PLI_OK;
}

// Room for the places on a side.
static pli_status reserve_side(pli_model* model, pli_joint* j, int s, double** values,
                               pli_error* error) {
    pli_joint_side* side = &j->side[s];
    size_t count = pli_joint_values(side->body, side->vertex_count, j->point_count);
    PLI_TRY(PLI_ALLOC(model->memory, *values, count, error));
    *(side->vertex_count > 0 ? &side->weights : &side->places) = *values;
    return PLI_OK;
}

static pli_status place_side(pli_model* model, pli_joint* j, int s, double size, pli_error* error) {
    pli_joint_side* side = &j->side[s];
    int count = side->vertex_count;
    if (count == 0) {
        place_on_frame(model, j, side);
        return PLI_OK;
    }
    if (pli_joint_region(j) == s) {
        for (int i = 0; i < count; ++i) side->weights[i * count + i] = 1;
        return PLI_OK;
    }
    weigh_vertices(model, j, side);
    return check_meeting(model, j, side, size, error);
}

// ---- adding

static pli_status refuse(const pli_joint_type* type, const char* key, const char* wrong,
                         pli_error* error) {
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "type \"%s\": %s", type->name, wrong),
                         error, key);
}

static bool are_finite(const double* x, int count) {
    for (int i = 0; i < count; ++i)
        if (!isfinite(x[i])) return false;
    return true;
}

// Makes a direction of length 1; false: it has none.
static bool make_unit(int dim, double n[3]) {
    double length = pli_norm(n, dim);
    for (int c = 0; c < 3; ++c) n[c] = length > 0 && c < dim ? n[c] / length : 0;
    return length > 0;
}

// What no type of joint, or not this one, can have; NULL: nothing.
static const char* check_places(const pli_model* model, pli_joint_def* def,
                                const pli_joint_type* type, const char** key) {
    static const double TILT = 1e-6;
    int dim = model->def.dimension;
    if (!are_finite(def->at, 3) || !are_finite(def->axis, 3) || !are_finite(def->axis2, 3) ||
        !are_finite(def->to, 3))
        return *key = "at", "place and axis must be finite";
    if ((type->needs & PLI_NEEDS_SPACE) && dim == 2)
        return "this type needs space; in the plane use slider or line";
    bool plane = dim == 2 && (type->needs & PLI_AXIS_IN_SPACE);
    bool axis = make_unit(dim, def->axis), axis2 = make_unit(dim, def->axis2);
    if ((type->needs & PLI_NEEDS_AXIS) && !axis && !plane)
        return *key = "axis", "the axis has length 0, must be > 0";
    if ((type->needs & PLI_NEEDS_AXIS2) && !axis2)
        return *key = "axis2", "axis2 has length 0, must be > 0";
    if ((type->needs & PLI_NEEDS_AXIS2) && fabs(pli_dot(def->axis, def->axis2, 3)) > TILT)
        return *key = "axis2", "axis and axis2 must be at right angles";
    if ((type->needs & PLI_NEEDS_TO) && memcmp(def->at, def->to, sizeof def->to) == 0 &&
        !(type->needs & PLI_NEEDS_OVER))
        return *key = "to", "at and to are the same place: use ball, or places apart";
    return NULL;
}

static const char* check_numbers(const pli_joint_def* def, const pli_joint_type* type,
                                 const char** key) {
    if ((type->needs & PLI_NEEDS_PITCH) && (!isfinite(def->pitch) || def->pitch == 0))
        return *key = "pitch", "pitch must be finite and not 0";
    if ((type->needs & PLI_NEEDS_RATIO) && (!isfinite(def->ratio) || def->ratio == 0))
        return *key = "ratio", "ratio must be finite and not 0";
    if ((type->needs & PLI_NEEDS_OVER) && !(def->ratio > 0))
        return *key = "ratio", "ratio must be > 0";
    if (!(def->slack >= 0) || !isfinite(def->slack)) return *key = "slack", "slack must be >= 0";
    if (!(def->tolerance >= 0) || !(def->angle_tolerance >= 0) || !isfinite(def->tolerance) ||
        !isfinite(def->angle_tolerance))
        return *key = "tolerance", "tolerances must be >= 0";
    if (!(def->break_force > 0) || !(def->break_torque > 0))
        return *key = "break", "the force and torque at which it breaks must be > 0";
    if (type->needs & PLI_NEEDS_OVER) {
        if (!def->over || def->over_count < 1 || def->over_count > PLI_JOINT_OVER)
            return *key = "over", "a pulley needs 1 to 100 places to run over";
        if (!are_finite(def->over, 3 * def->over_count)) return *key = "over", "must be finite";
    }
    return NULL;
}

static const char* check_freedom(const pli_joint_freedom* f) {
    bool motor = false;
    for (int i = 0; i < MOTOR_COUNT && f->motor; ++i) motor |= strcmp(f->motor, motors[i]) == 0;
    if (!motor) return "motor must be none, position, velocity or force";
    if (!(f->low < f->start && f->start < f->high))
        return "the start must lie between the limits, and not at one of them";
    if (!(f->friction >= 0 && f->damping >= 0 && f->stiffness >= 0 && f->delay >= 0 &&
          f->motor_stiffness >= 0 && f->motor_damping >= 0 && f->cap > 0))
        return "friction, damping, stiffness and delay must be >= 0, and a cap > 0";
    if (!isfinite(f->friction + f->damping + f->stiffness + f->delay + f->motor_stiffness +
                  f->motor_damping + f->start + f->rest + f->target))
        return "values must be finite";
    return NULL;
}

static const char* const freedom_keys[] = {"angle", "travel"};

static pli_status check_freedoms(pli_joint_def* def, const pli_joint_type* type, pli_error* error) {
    if (type->needs & PLI_NEEDS_TO) { // a length has no other start
        double d[3];
        pli_sub(def->at, def->to, d, 3);
        def->freedom[PLI_JOINT_TRAVEL].start = pli_norm(d, 3);
    }
    for (int f = 0; f < PLI_JOINT_VALUE_COUNT; ++f) {
        const char* wrong = NULL;
        if (type->leaves & (1u << f))
            wrong = check_freedom(&def->freedom[f]);
        else if (pli_joint_freedom_acts(&def->freedom[f]))
            wrong = "this type does not leave it, so nothing can act on it";
        if (wrong) return refuse(type, freedom_keys[f], wrong, error);
        for (int i = 0; i < MOTOR_COUNT && def->freedom[f].motor; ++i) // the caller's may not stay
            if (strcmp(def->freedom[f].motor, motors[i]) == 0) def->freedom[f].motor = motors[i];
    }
    return PLI_OK;
}

static pli_status refuse_type(const pli_joint_def* def, pli_error* error) {
    char list[200] = "";
    for (int i = 0; pli_joint_type_at(i); ++i) {
        size_t length = strlen(list);
        pli_format(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "",
                   pli_joint_type_name(i));
    }
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "type = \"%.40s\", must be one of %s",
                                  def->type ? def->type : "", list),
                         error, "type");
}

static pli_status check_def(const pli_model* model, pli_joint_def* def, const pli_joint_type* type,
                            pli_error* error) {
    bool world[2];
    for (int s = 0; s < 2; ++s) world[s] = def->ends[s].body.generation == 0;
    if (!type) return refuse_type(def, error);
    const char *key = "type", *wrong = NULL;
    bool joints = type->needs & PLI_NEEDS_JOINTS;
    if (joints && !(world[0] && world[1]))
        key = "between", wrong = "it connects joints: name them in `of`, and no bodies";
    else if (!joints && world[0] && world[1])
        key = "between", wrong = "both ends are the world: one must be a body";
    else if (def->motion && !(world[0] || world[1]))
        key = "motion", wrong = "only the world moves by a motion: one end must be the world";
    if (!wrong) wrong = check_places(model, def, type, &key);
    if (!wrong) wrong = check_numbers(def, type, &key);
    if (wrong) return refuse(type, key, wrong, error);
    return check_freedoms(def, type, error);
}

static pli_status name_joint(pli_model* model, const char* given, pli_joint* j, pli_error* error) {
    char number[32];
    pli_format(number, sizeof number, "joint %d", model->slots[PLI_SLOT_JOINT].count);
    return pli_copy_text(model->memory, given && *given ? given : number, &j->name, error);
}

void pli_joint_free(pli_memory* m, pli_joint* j) {
    pli_free_text(m, &j->name);
    PLI_FREE(m, j->points, j->point_room);
    PLI_FREE(m, j->rows, j->row_room);
    if (j->def.over) {
        double* over = (double*)(uintptr_t)j->def.over;
        PLI_FREE(m, over, 3 * j->def.over_count);
    }
    if (j->kept) PLI_FREE(m, j->kept, j->kept_count);
    for (int s = 0; s < 2; ++s) {
        pli_joint_side* side = &j->side[s];
        size_t points = (size_t)j->point_count;
        if (side->places) PLI_FREE(m, side->places, 3 * points);
        if (side->weights) PLI_FREE(m, side->weights, (size_t)side->vertex_count * points);
        if (side->vertices) PLI_FREE(m, side->vertices, side->vertex_count);
    }
    *j = (pli_joint){0};
}

// The size of the smaller body: the lever of points beside `at` [m].
static double size_of(const pli_model* model, const pli_joint* j) {
    double size = HUGE_VAL;
    for (int s = 0; s < 2; ++s)
        if (j->side[s].body >= 0)
            size = fmin(size, pli_model_rest_diagonal(model, j->side[s].body));
    return size > 0 && isfinite(size) ? size : 1;
}

// Points, rows and measures of the type.
static pli_status make_points(pli_model* model, pli_joint* j, pli_error* error) {
    int region = pli_joint_region(j), dim = model->def.dimension;
    int points = region < 0 ? PLI_JOINT_MOST_POINTS : j->side[region].vertex_count;
    int rows = region < 0 ? PLI_JOINT_MOST_ROWS : dim * points;
    PLI_TRY(PLI_ALLOC(model->memory, j->points, 3 * points, error));
    j->point_room = 3 * (size_t)points;
    PLI_TRY(PLI_ALLOC(model->memory, j->rows, rows, error));
    j->row_room = (size_t)rows;
    j->type->make(j, dim, j->size);
    for (int i = 0; i < points && region >= 0; ++i) {
        const pli_joint_side* side = &j->side[region];
        int v = model->bodies[side->body].first_vertex + side->vertices[i];
        memcpy(j->points + 3 * i, model->positions + 3 * (size_t)v, 3 * sizeof *j->points);
    }
    return PLI_OK;
}

// The free value of a joint that a gear takes: its angle, of a rack's second its travel.
static int value_of(const pli_joint* gear, const pli_joint* of, int i) {
    bool rack = strcmp(gear->type->name, "rack") == 0;
    if (rack) return i == 0 ? PLI_JOINT_ANGLE : PLI_JOINT_TRAVEL;
    return pli_joint_measure_of(of, PLI_JOINT_ANGLE) ? PLI_JOINT_ANGLE : PLI_JOINT_TRAVEL;
}

static pli_status connect_joints(pli_model* model, const pli_joint_def* def, pli_joint* j,
                                 pli_error* error) {
    const pli_joint* of[2];
    int free[2];
    if (!(j->type->needs & PLI_NEEDS_JOINTS)) return PLI_OK;
    for (int i = 0; i < 2; ++i) {
        const pli_joint_id* id = &def->of[i];
        int number = id->generation == model->generation
                         ? pli_slots_number(model, PLI_SLOT_JOINT, id->index)
                         : -1;
        if (number < 0)
            return refuse(j->type, "of", "there is no such joint: add it before", error);
        of[i] = &model->joints[number];
        free[i] = value_of(j, of[i], i);
        j->of[i] = of[i]->slot;
        if (!pli_joint_measure_of(of[i], free[i]))
            return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                          "type \"%s\": joint \"%s\" has no %s", j->type->name,
                                          of[i]->name, freedom_keys[free[i]]),
                                 error, "of");
        if (pli_joint_measure_of(of[i], free[i])->count != 1)
            return refuse(j->type, "of", "this joint cannot be geared", error);
    }
    if (of[0] == of[1]) return refuse(j->type, "of", "the two joints are the same", error);
    pli_joint_connect(j, of, free);
    return PLI_OK;
}

// Joints of an older version had fewer points, and no measures.
static pli_status take_known(const pli_joint_known* known, pli_joint* j, pli_error* error) {
    if (known->point_count != j->point_count && known->measures)
        return pli_fail(error, PLI_E_SCENE, "%d points, must be %d", known->point_count,
                        j->point_count);
    if (known->point_count > j->point_count)
        return pli_fail(error, PLI_E_SCENE, "%d points, must be at most %d", known->point_count,
                        j->point_count);
    if (!known->measures) j->measure_count = j->piece_count = 0;
    j->point_count = known->point_count;
    memcpy(j->points, known->points, sizeof *j->points * 3 * (size_t)j->point_count);
    return PLI_OK;
}

static pli_status make_joint(pli_model* model, const pli_joint_known* known, pli_joint* j,
                             pli_error* error) {
    j->size = size_of(model, j);
    PLI_TRY(make_points(model, j, error));
    if (known) PLI_TRY(take_known(known, j, error));
    for (int s = 0; s < 2; ++s) {
        pli_joint_side* side = &j->side[s];
        double* values = NULL;
        if (side->body < 0) continue;
        PLI_TRY(reserve_side(model, j, s, &values, error));
        size_t count = pli_joint_values(side->body, side->vertex_count, j->point_count);
        if (known)
            memcpy(values, known->values[s], sizeof *values * count);
        else
            PLI_TRY(place_side(model, j, s, j->size, error));
    }
    return PLI_OK;
}

static pli_status copy_over(pli_model* model, const pli_joint_def* def, pli_joint* j,
                            pli_error* error) {
    double* over = NULL;
    j->def.over = NULL;
    if (!(j->type->needs & PLI_NEEDS_OVER)) return PLI_OK;
    PLI_TRY(PLI_ALLOC(model->memory, over, 3 * def->over_count, error));
    memcpy(over, def->over, 3 * sizeof *over * (size_t)def->over_count);
    j->def.over = over;
    return PLI_OK;
}

pli_status pli_model_add_joint(pli_model* model, const pli_joint_def* def,
                               const pli_joint_known* known, pli_error* error) {
    pli_joint j = {.def = *def, .type = pli_joint_type_find(def->type), .of = {-1, -1}};
    pli_status status;
    j.def.over = NULL;
    pli_joint_def checked = *def;
    PLI_TRY_CLEANUP(status, check_def(model, &checked, j.type, error));
    j.def = checked;
    PLI_TRY_CLEANUP(status, copy_over(model, def, &j, error));
    for (int s = 0; s < 2; ++s) PLI_TRY_CLEANUP(status, make_side(model, def, s, &j, error));
    PLI_TRY_CLEANUP(status, make_joint(model, known, &j, error));
    PLI_TRY_CLEANUP(status, connect_joints(model, def, &j, error));
    if (model->trial) goto cleanup;
    PLI_TRY_CLEANUP(status, PLI_GROW(model->memory, model->joints, model->joint_capacity,
                                     model->joint_count + 1, error));
    PLI_TRY_CLEANUP(status, pli_slots_reserve(model, PLI_SLOT_JOINT, error));
    PLI_TRY_CLEANUP(status, name_joint(model, def->name, &j, error));
    j.def.name = j.name;
    j.def.type = j.type->name;
    j.def.ends[0] = j.def.ends[1] = (pli_joint_end){0}; // the sides have them
    j.slot = pli_slots_add(model, PLI_SLOT_JOINT, model->joint_count);
    model->joints[model->joint_count++] = j;
    return PLI_OK;
cleanup:
    pli_joint_free(model->memory, &j);
    if (status != PLI_OK) {
        if (def->name && *def->name)
            pli_error_prefix(error, "joint \"%.60s\"", def->name);
        else
            pli_error_prefix(error, "joint %d", model->joint_count);
    }
    return status;
}

static void remove_joint(pli_model* model, int i) {
    pli_joint_free(model->memory, &model->joints[i]);
    memmove(&model->joints[i], &model->joints[i + 1],
            sizeof *model->joints * (size_t)(--model->joint_count - i));
    pli_slots_remove(model, PLI_SLOT_JOINT, i);
}

// Gears of it, which were added later, go with it.
void pli_model_remove_joint(pli_model* model, int i) {
    int32_t slot = model->joints[i].slot;
    for (int k = model->joint_count; k-- > i + 1;)
        if (model->joints[k].of[0] == slot || model->joints[k].of[1] == slot)
            remove_joint(model, k);
    remove_joint(model, i);
}

void pli_model_rename_joints(pli_model* model) {
    for (int i = 0; i < model->joint_count; ++i) {
        pli_joint* j = &model->joints[i];
        for (int k = 0; k < 2; ++k)
            if (j->of[k] >= 0) j->of[k] = model->joints[j->of[k]].slot;
        for (int p = 0; p < j->piece_count; ++p)
            if (j->pieces[p].owner >= 0)
                j->pieces[p].owner = model->joints[j->pieces[p].owner].slot;
    }
}

bool pli_body_has_joint(const pli_model* model, int body) {
    for (int i = 0; i < model->joint_count; ++i)
        for (int s = 0; s < 2; ++s)
            if (model->joints[i].side[s].body == body) return true;
    return false;
}

void pli_model_free_joints(pli_model* model) {
    for (int i = 0; i < model->joint_count; ++i) pli_joint_free(model->memory, &model->joints[i]);
    PLI_FREE(model->memory, model->joints, model->joint_capacity);
}
