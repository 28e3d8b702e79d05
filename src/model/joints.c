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

// ---- types

static void add_row(pli_joint* j, int point, int base, const double n[3]) {
    pli_joint_row* row = &j->rows[j->row_count++];
    *row = (pli_joint_row){.point = point, .base = base};
    memcpy(row->direction, n, sizeof row->direction);
}

static void add_point(pli_joint* j, const double along[3], double distance) {
    double* x = j->points + 3 * j->point_count++;
    for (int c = 0; c < 3; ++c) x[c] = j->def.at[c] + distance * along[c];
}

static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Directions normal to the axis, which has length 1.
static int find_normals(const pli_joint* j, int dim, double n[2][3]) {
    const double* a = j->def.axis;
    if (dim == 2) {
        memcpy(n[0], (double[3]){-a[1], a[0], 0}, sizeof n[0]);
        return 1;
    }
    int least = 0;
    for (int c = 1; c < 3; ++c)
        if (fabs(a[c]) < fabs(a[least])) least = c;
    pli_cross3(a, unit[least], n[0]);
    double length = pli_norm(n[0], 3);
    for (int c = 0; c < 3; ++c) n[0][c] /= length;
    pli_cross3(a, n[0], n[1]);
    return 2;
}

static void hold_point(pli_joint* j, int dim, int point) {
    for (int c = 0; c < dim; ++c) add_row(j, point, -1, unit[c]);
}

static void make_ball(pli_joint* j, int dim, double size) {
    (void)size;
    add_point(j, unit[0], 0);
    hold_point(j, dim, 0);
}

static bool with_world(const pli_joint* j) { return j->side[0].body < 0 || j->side[1].body < 0; }

// Between two bodies the second point is held along the axis, too: both stretch alike along it. A
// world that rests has a fixed axis, so that this row is not needed.
static void make_hinge(pli_joint* j, int dim, double size) {
    double n[2][3];
    make_ball(j, dim, size);
    if (dim == 2) return;
    add_point(j, j->def.axis, size);
    if (!with_world(j) || j->def.motion) {
        hold_point(j, dim, 1);
        return;
    }
    find_normals(j, dim, n);
    for (int i = 0; i < 2; ++i) add_row(j, 1, -1, n[i]);
}

// The side whose listed vertices are held each by itself; -1: none.
static int region_of(const pli_joint* j) {
    for (int s = 0; s < 2; ++s)
        if (j->side[s].vertex_count > 0) return s;
    return -1;
}

static void make_weld(pli_joint* j, int dim, double size) {
    if (region_of(j) < 0) {
        add_point(j, unit[0], 0);
        for (int c = 0; c < dim; ++c) add_point(j, unit[c], size);
    } else {
        j->point_count = j->side[region_of(j)].vertex_count; // filled with the places of vertices
    }
    for (int i = 0; i < j->point_count; ++i) hold_point(j, dim, i);
}

static void make_slider(pli_joint* j, int dim, double size) {
    double n[2][3];
    int normals = find_normals(j, dim, n);
    add_point(j, unit[0], 0);
    for (int i = 0; i < normals; ++i) add_row(j, 0, -1, n[i]);
    for (int c = 0; c < dim; ++c) {
        add_point(j, unit[c], size);
        for (int i = 0; i < normals; ++i) add_row(j, c + 1, -1, n[i]);
        add_row(j, c + 1, 0, j->def.axis);
    }
}

static void make_cylinder(pli_joint* j, int dim, double size) {
    double n[2][3];
    find_normals(j, dim, n);
    add_point(j, unit[0], 0);
    add_point(j, j->def.axis, size);
    for (int i = 0; i < 4; ++i) add_row(j, i / 2, -1, n[i % 2]);
}

struct pli_joint_type {
    const char* name;
    const char* help;
    bool axis, world, space; // it has an axis; one end must be the world; only in space
    bool region;             // listed vertices are held each by itself
    void (*make)(pli_joint* j, int dim, double size);
};

static const pli_joint_type types[] = {
    {"ball", "one place stays together; all rotations are left", .make = make_ball},
    {"hinge", "only rotation about the axis is left; in the plane as ball", .axis = true,
     .make = make_hinge},
    {"weld", "no relative motion is left; each chosen vertex of a deformable body is held",
     .region = true, .make = make_weld},
    {"slider", "only translation along the axis is left; one end is the world", .axis = true,
     .world = true, .make = make_slider},
    {"cylinder",
     "translation along the axis and rotation about it are left; one end is the world; in space",
     .axis = true, .world = true, .space = true, .make = make_cylinder},
};
enum { TYPE_COUNT = sizeof types / sizeof *types, MOST_ROWS = 12, MOST_POINTS = 4 };

const char* pli_joint_type_name(int i) { return i >= 0 && i < TYPE_COUNT ? types[i].name : NULL; }
const char* pli_joint_type_help(int i) { return i >= 0 && i < TYPE_COUNT ? types[i].help : NULL; }

static const pli_joint_type* find_type(const char* name) {
    for (int i = 0; i < TYPE_COUNT && name; ++i)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    return NULL;
}

void pli_joint_def_init(pli_joint_def* out) {
    const pli_joint_def def = {.name = "", .type = "ball"};
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
    int32_t nearest = nearest_vertex(model, side->body, def->at);
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
    if (j->type->region && region_of(j) == s) {
        for (int i = 0; i < count; ++i) side->weights[i * count + i] = 1;
        return PLI_OK;
    }
    weigh_vertices(model, j, side);
    return check_meeting(model, j, side, size, error);
}

// ---- adding

static pli_status check_def(const pli_model* model, pli_joint_def* def, const pli_joint_type* type,
                            pli_error* error) {
    bool world[2];
    double length = pli_norm(def->axis, model->def.dimension);
    for (int s = 0; s < 2; ++s) world[s] = def->ends[s].body.generation == 0;
    const char *key = "type", *wrong = NULL;
    if (!type)
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "type = \"%.40s\", must be ball, hinge, weld, slider or "
                                      "cylinder",
                                      def->type ? def->type : ""),
                             error, "type");
    if (world[0] && world[1])
        key = "between", wrong = "both ends are the world: one must be a body";
    else if (type->world && !world[0] && !world[1])
        key = "between", wrong = "between two bodies this type is not linear: one end must be the "
                                 "world; use stencils or contact for others";
    else if (type->space && model->def.dimension == 2)
        wrong = "this type needs space; in the plane use slider";
    else if (type->axis && !(type->name[0] == 'h' && model->def.dimension == 2) && !(length > 0))
        key = "axis", wrong = "the axis has length 0, must be > 0";
    else if (def->motion && !(world[0] || world[1]))
        key = "motion", wrong = "only the world moves by a motion: one end must be the world";
    else if (def->motion && type->world)
        key = "motion", wrong = "this type cannot move: use ball, hinge or weld";
    for (int c = 0; c < 3; ++c) {
        if (!isfinite(def->at[c]) || !isfinite(def->axis[c]))
            key = "at", wrong = "place and axis must be finite";
        def->axis[c] = length > 0 && c < model->def.dimension ? def->axis[c] / length : 0;
    }
    if (!wrong) return PLI_OK;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "type \"%s\": %s", type->name, wrong),
                         error, key);
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

// Points and rows of the type.
static pli_status make_points(pli_model* model, pli_joint* j, double size, pli_error* error) {
    int region = j->type->region ? region_of(j) : -1, dim = model->def.dimension;
    int points = region < 0 ? MOST_POINTS : j->side[region].vertex_count;
    PLI_TRY(PLI_ALLOC(model->memory, j->points, 3 * points, error));
    j->point_room = 3 * (size_t)points;
    PLI_TRY(PLI_ALLOC(model->memory, j->rows, region < 0 ? MOST_ROWS : dim * points, error));
    j->row_room = (size_t)(region < 0 ? MOST_ROWS : dim * points);
    j->type->make(j, dim, size);
    for (int i = 0; i < points && region >= 0; ++i) {
        const pli_joint_side* side = &j->side[region];
        int v = model->bodies[side->body].first_vertex + side->vertices[i];
        memcpy(j->points + 3 * i, model->positions + 3 * (size_t)v, 3 * sizeof *j->points);
    }
    return PLI_OK;
}

static pli_status make_joint(pli_model* model, const pli_joint_known* known, pli_joint* j,
                             pli_error* error) {
    double size = size_of(model, j);
    PLI_TRY(make_points(model, j, size, error));
    if (known && known->point_count != j->point_count)
        return pli_fail(error, PLI_E_SCENE, "%d points, must be %d", known->point_count,
                        j->point_count);
    if (known) memcpy(j->points, known->points, sizeof *j->points * 3 * (size_t)j->point_count);
    for (int s = 0; s < 2; ++s) {
        pli_joint_side* side = &j->side[s];
        double* values = NULL;
        if (side->body < 0) continue;
        PLI_TRY(reserve_side(model, j, s, &values, error));
        size_t count = pli_joint_values(side->body, side->vertex_count, j->point_count);
        if (known)
            memcpy(values, known->values[s], sizeof *values * count);
        else
            PLI_TRY(place_side(model, j, s, size, error));
    }
    return PLI_OK;
}

pli_status pli_model_add_joint(pli_model* model, const pli_joint_def* def,
                               const pli_joint_known* known, pli_error* error) {
    pli_joint j = {.def = *def, .type = find_type(def->type)};
    pli_status status;
    PLI_TRY_CLEANUP(status, check_def(model, &j.def, j.type, error));
    for (int s = 0; s < 2; ++s) PLI_TRY_CLEANUP(status, make_side(model, def, s, &j, error));
    PLI_TRY_CLEANUP(status, make_joint(model, known, &j, error));
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

void pli_model_remove_joint(pli_model* model, int i) {
    pli_joint_free(model->memory, &model->joints[i]);
    memmove(&model->joints[i], &model->joints[i + 1],
            sizeof *model->joints * (size_t)(--model->joint_count - i));
    pli_slots_remove(model, PLI_SLOT_JOINT, i);
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
