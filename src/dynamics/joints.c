// Joints as equations on the unknowns: see joints.h.
#include "dynamics/joints.h"

#include "dynamics/world.h"
#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Both sides must meet within this part of the size of the smallest body.
static const double MEETING = 1e-6;

// Rounding of a sum of positions relative to its parts.
static const double RESOLUTION = 32 * DBL_EPSILON;

// ---- what joints need

static pli_status refuse(const pli_world* w, pli_object object, const char* key, const char* text,
                         const char* word, pli_error* error) {
    return pli_error_place(pli_fail(error, PLI_E_ARGUMENT, text, w->model.joints[0].name, word),
                           error, object, -1, key);
}

pli_status pli_joints_check(const pli_world* w, pli_error* error) {
    const pli_solver_def* solver = &w->model.def.solver;
    if (w->model.joint_count == 0) return PLI_OK;
    if (w->scheme->step)
        return refuse(w, PLI_OBJECT_TIME, "scheme",
                      "joint \"%s\" cannot be kept by the explicit scheme \"%s\": use an implicit "
                      "one, as \"bdf2\"",
                      w->scheme->name, error);
    if (pli_minimizer_keeps_equations(solver)) return PLI_OK;
    if (strcmp(solver->method, "newton") != 0 && strcmp(solver->method, "projected-newton") != 0)
        return refuse(w, PLI_OBJECT_SOLVER, "method",
                      "joint \"%s\" cannot be kept by the method \"%s\": use \"projected-newton\"",
                      solver->method, error);
    return refuse(w, PLI_OBJECT_SOLVER, "linear",
                  "joint \"%s\" needs a factorization, which the linear solver \"%s\" does not "
                  "have: use \"multifrontal\"",
                  solver->linear, error);
}

// ---- rows

static pli_status add_term(pli_world* w, int32_t vertex, double weight, pli_error* error) {
    pli_joints* j = &w->joints;
    if (weight == 0) return PLI_OK;
    PLI_TRY(PLI_GROW(&w->memory, j->terms, j->term_capacity, j->term_count + 1, error));
    j->terms[j->term_count++] = (pli_joint_term){vertex, weight};
    return PLI_OK;
}

// Vertices of a point on a side, times `sign`.
static pli_status add_point(pli_world* w, const pli_joint* joint, int s, int point, double sign,
                            pli_error* error) {
    const pli_joint_side* side = &joint->side[s];
    if (side->body < 0) return PLI_OK;
    if (side->vertex_count > 0) {
        int first = w->model.bodies[side->body].first_vertex;
        for (int i = 0; i < side->vertex_count; ++i)
            PLI_TRY(add_term(w, first + side->vertices[i],
                             sign * side->weights[point * side->vertex_count + i], error));
        return PLI_OK;
    }
    const pli_body_frame* frame = pli_world_frame(w, side->body);
    int dim = w->kinematics.dim;
    double y[3], origin = 1;
    PLI_ASSERT(frame);
    pli_body_frame_place(frame, dim, side->places + 3 * point, y);
    for (int c = 0; c < dim; ++c) {
        origin -= y[c];
        PLI_TRY(add_term(w, frame->first + 1 + c, sign * y[c], error));
    }
    return add_term(w, frame->first, sign * origin, error);
}

static pli_status add_entry(pli_world* w, int unknown, double weight, pli_error* error) {
    pli_joints* j = &w->joints;
    if (weight == 0) return PLI_OK;
    int need = j->entry_count + 1;
    PLI_TRY(PLI_GROW(&w->memory, j->equations.unknown, j->unknown_capacity, need, error));
    PLI_TRY(PLI_GROW(&w->memory, j->equations.weight, j->weight_capacity, need, error));
    j->equations.unknown[j->entry_count] = unknown;
    j->equations.weight[j->entry_count++] = weight;
    return PLI_OK;
}

// The unknowns that move a vertex along n.
static pli_status add_vertex(pli_world* w, const pli_joint_term* term, const double n[3],
                             pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    const pli_vertex_map* map = &k->vertices[term->vertex];
    for (int c = 0; c < k->dim && map->identity_group >= 0; ++c)
        PLI_TRY(add_entry(w, k->group_offset[map->identity_group] + c, term->weight * n[c], error));
    for (int e = map->entry_start; e < map->entry_end; ++e)
        for (int c = 0; c < pli_group_width(k, k->entries[e].group); ++c) {
            double sum = 0;
            for (int r = 0; r < k->dim; ++r)
                sum += n[r] * pli_entry_weight(k, &k->entries[e], r, c);
            PLI_TRY(
                add_entry(w, k->group_offset[k->entries[e].group] + c, term->weight * sum, error));
        }
    return PLI_OK;
}

static pli_status add_row(pli_world* w, int number, int row, pli_error* error) {
    pli_joints* j = &w->joints;
    const pli_joint* joint = &w->model.joints[number];
    const pli_joint_row* r = &joint->rows[row];
    for (int s = 0; s < 2; ++s) {
        double sign = s == 0 ? 1 : -1;
        PLI_TRY(add_point(w, joint, s, r->point, sign, error));
        if (r->base >= 0) PLI_TRY(add_point(w, joint, s, r->base, -sign, error));
    }
    int i = j->equations.count++;
    j->joint[i] = number;
    j->row[i] = row;
    j->term_start[i + 1] = j->term_count;
    for (int t = j->term_start[i]; t < j->term_count; ++t)
        PLI_TRY(add_vertex(w, &j->terms[t], r->direction, error));
    j->equations.start[i + 1] = j->entry_count;
    return PLI_OK;
}

static pli_status make_arrays(pli_world* w, pli_error* error) {
    pli_joints* j = &w->joints;
    pli_memory* m = &w->memory;
    int rows = 0;
    for (int i = 0; i < w->model.joint_count; ++i) {
        rows += w->model.joints[i].row_count;
        j->moving = j->moving || w->model.joints[i].def.motion;
    }
    j->row_capacity = rows;
    j->size = pli_model_smallest_diagonal(&w->model);
    j->unknown_count = w->kinematics.unknown_count;
    PLI_TRY(PLI_ALLOC(m, j->joint, rows, error));
    PLI_TRY(PLI_ALLOC(m, j->row, rows, error));
    PLI_TRY(PLI_ALLOC(m, j->open, rows, error));
    PLI_TRY(PLI_ALLOC(m, j->term_start, rows + 1, error));
    PLI_TRY(PLI_ALLOC(m, j->targets, 2 * (size_t)rows, error));
    PLI_TRY(PLI_ALLOC(m, j->net, j->unknown_count, error));
    PLI_TRY(PLI_ALLOC(m, j->equations.start, rows + 1, error));
    PLI_TRY(PLI_ALLOC(m, j->equations.dropped, rows, error));
    PLI_TRY(PLI_ALLOC(m, j->equations.multipliers, rows, error));
    return PLI_ALLOC(m, j->equations.held, j->unknown_count, error);
}

// x = x times row i of A, at its unknowns; adds to the others nothing.
static double row_product(const pli_equations* e, int i, const double* x) {
    double sum = 0;
    for (int k = e->start[i]; k < e->start[i + 1]; ++k) sum += e->weight[k] * x[e->unknown[k]];
    return sum;
}

static void spread_row(const pli_equations* e, int i, double factor, double* x) {
    for (int k = e->start[i]; k < e->start[i + 1]; ++k) x[e->unknown[k]] += factor * e->weight[k];
}

// Rows of broken joints, and rows that follow from others.
static pli_status drop_rows(pli_world* w, pli_error* error) {
    pli_joints* j = &w->joints;
    for (int i = 0; i < j->equations.count; ++i) {
        j->open[i] = j->equations.dropped[i] = pli_joint_is_broken(w, j->joint[i]);
        if (j->open[i]) j->equations.multipliers[i] = 0;
    }
    return pli_equations_drop(&j->equations, j->unknown_count, &w->memory, error);
}

// Many equations are added to the matrix, which needs the pairs of groups that they couple.
static pli_status couple_rows(pli_world* w, pli_error* error) {
    pli_joints* j = &w->joints;
    const pli_kinematics* k = &w->kinematics;
    if (j->equations.count <= w->model.def.solver.dense_equations) return PLI_OK;
    PLI_TRY(pli_equations_pairs(&j->equations, k->group_count, k->group_offset, &w->memory,
                                &j->pairs, &j->pair_count, &j->pair_capacity, error));
    w->assembly.coupled_count = j->pair_count;
    w->assembly.coupled = j->pairs;
    return PLI_OK;
}

static pli_status name_error(const pli_world* w, int joint, const char* key, pli_status status,
                             pli_error* error) {
    pli_error_prefix(error, "joint \"%.60s\"", w->model.joints[joint].name);
    return pli_error_place(status, error, PLI_OBJECT_JOINT, joint, key);
}

// A joint between things that cannot move.
static pli_status check_moves(const pli_world* w, pli_error* error) {
    const pli_joints* j = &w->joints;
    for (int i = 0; i < j->equations.count;) {
        int joint = j->joint[i], entries = 0;
        for (; i < j->equations.count && j->joint[i] == joint; ++i)
            entries += j->equations.start[i + 1] - j->equations.start[i];
        if (entries > 0) continue;
        return name_error(w, joint, "between",
                          pli_fail(error, PLI_E_ARGUMENT,
                                   "neither side can move: remove the joint, or the supports of "
                                   "the bodies"),
                          error);
    }
    return PLI_OK;
}

pli_status pli_joints_make(pli_world* w, pli_error* error) {
    if (w->model.joint_count == 0) return PLI_OK;
    PLI_TRY(pli_joints_check(w, error));
    PLI_TRY(make_arrays(w, error));
    for (int i = 0; i < w->model.joint_count; ++i)
        for (int r = 0; r < w->model.joints[i].row_count; ++r) PLI_TRY(add_row(w, i, r, error));
    PLI_TRY(check_moves(w, error));
    PLI_TRY(drop_rows(w, error));
    return couple_rows(w, error);
}

void pli_joints_free(pli_world* w) {
    pli_joints* j = &w->joints;
    pli_memory* m = &w->memory;
    size_t rows = (size_t)j->row_capacity, n = (size_t)j->unknown_count;
    if (j->joint) PLI_FREE(m, j->joint, rows);
    if (j->row) PLI_FREE(m, j->row, rows);
    if (j->term_start) PLI_FREE(m, j->term_start, rows + 1);
    if (j->targets) PLI_FREE(m, j->targets, 2 * rows);
    if (j->net) PLI_FREE(m, j->net, n);
    if (j->equations.start) PLI_FREE(m, j->equations.start, rows + 1);
    if (j->equations.dropped) PLI_FREE(m, j->equations.dropped, rows);
    if (j->equations.multipliers) PLI_FREE(m, j->equations.multipliers, rows);
    if (j->equations.held) PLI_FREE(m, j->equations.held, n);
    PLI_FREE(m, j->equations.unknown, j->unknown_capacity);
    PLI_FREE(m, j->equations.weight, j->weight_capacity);
    PLI_FREE(m, j->terms, j->term_capacity);
    if (j->open) PLI_FREE(m, j->open, rows);
    PLI_FREE(m, j->pairs, j->pair_capacity);
    pli_joint_mass_destroy(j->mass);
    *j = (pli_joints){0};
}

// ---- targets

// n . (X + motion) of a point of the world.
static double world_point(const pli_joint* joint, int point, const double n[3], double time) {
    const double* at = joint->points + 3 * point;
    double moved[3] = {0};
    if (joint->def.motion) joint->def.motion(joint->def.context, time, at, moved);
    return pli_dot(n, at, 3) + pli_dot(n, moved, 3);
}

// b of all rows at a time.
static void find_targets(const pli_world* w, double time, double* b) {
    const pli_joints* j = &w->joints;
    for (int i = 0; i < j->equations.count; ++i) {
        const pli_joint* joint = &w->model.joints[j->joint[i]];
        const pli_joint_row* row = &joint->rows[j->row[i]];
        b[i] = 0;
        for (int s = 0; s < 2; ++s) {
            if (joint->side[s].body >= 0) continue;
            double value = world_point(joint, row->point, row->direction, time);
            if (row->base >= 0) value -= world_point(joint, row->base, row->direction, time);
            b[i] = s == 0 ? -value : value;
        }
    }
}

// direction . (sum of weights times positions); *size: the sum of their magnitudes is added.
static double row_value(const pli_world* w, int i, const double* x, double* size) {
    const pli_joints* j = &w->joints;
    const double* n = w->model.joints[j->joint[i]].rows[j->row[i]].direction;
    double sum = 0;
    for (int t = j->term_start[i]; t < j->term_start[i + 1]; ++t) {
        double part = 0;
        const double* at = x + 3 * (size_t)j->terms[t].vertex;
        for (int c = 0; c < w->kinematics.dim; ++c) part += n[c] * at[c];
        sum += j->terms[t].weight * part;
        *size += fabs(j->terms[t].weight) * pli_norm(at, w->kinematics.dim);
    }
    return sum;
}

void pli_joints_gaps(pli_world* w, double* gaps, double* rounding) {
    pli_joints* j = &w->joints;
    find_targets(w, w->present.time, j->targets);
    for (int i = 0; i < j->equations.count; ++i) {
        double size = j->size + fabs(j->targets[i]), target = j->targets[i];
        if (w->scheme->middle) target = 0.5 * (target + row_value(w, i, w->x_n, &size));
        gaps[i] = target - row_value(w, i, w->x, &size);
        rounding[i] = RESOLUTION * size;
    }
}

static pli_status check_meeting(pli_world* w, pli_error* error) {
    pli_joints* j = &w->joints;
    double worst = 0;
    int at = -1;
    find_targets(w, w->time, j->targets);
    for (int i = 0; i < j->equations.count; ++i) {
        double unused = 0, gap = fabs(j->targets[i] - row_value(w, i, w->x, &unused));
        bool opened = w->model.joints[j->joint[i]].opened;
        if (!opened && !(gap <= worst)) worst = gap, at = j->joint[i];
    }
    if (worst <= MEETING * j->size) return PLI_OK;
    return name_error(w, at, "at",
                      pli_fail(error, PLI_E_ARGUMENT,
                               "its sides are %g m apart at t = %g s: they must meet, and a motion "
                               "must begin there",
                               worst, w->time),
                      error);
}

// ---- velocities

pli_status pli_joints_start(pli_world* w, pli_error* error) {
    if (w->joints.equations.count == 0) return PLI_OK;
    PLI_TRY(check_meeting(w, error));
    if (w->scheme->statics) return PLI_OK;
    PLI_TRY(pli_joint_mass_create(w, &w->joints.mass, error));
    pli_joints_project(w, w->time, false, w->history.v[0]);
    return PLI_OK;
}

// ---- breaking

pli_status pli_joints_follow(pli_world* w, pli_error* error) {
    pli_joints* j = &w->joints;
    bool same = true;
    for (int i = 0; i < j->equations.count; ++i)
        same = same && j->open[i] == pli_joint_is_broken(w, j->joint[i]);
    if (same) return PLI_OK;
    PLI_TRY(drop_rows(w, error));
    pli_joint_mass_destroy(j->mass);
    j->mass = NULL;
    return w->scheme->statics ? PLI_OK : pli_joint_mass_create(w, &j->mass, error);
}

void pli_joints_break(pli_world* w, pli_balance* balance) {
    for (int i = 0; i < w->model.joint_count; ++i) {
        const pli_joint_def* def = &w->model.joints[i].def;
        pli_joint_info info;
        if (!isfinite(def->break_force) && !isfinite(def->break_torque)) continue;
        if (!pli_world_joint(w, i, &info) || info.broken) continue;
        if (pli_norm(info.force, 3) <= def->break_force &&
            pli_norm(info.torque, 3) <= def->break_torque)
            continue;
        w->model.joints[i].opened = true;
        double lost = pli_joint_break(w, i); // what its springs and limits had stored
        w->stored -= lost;
        balance->potential -= lost;
        balance->dissipated += lost;
    }
}

// Derivatives of b by differences over a part of a step.
static void find_rates(pli_world* w, double time, bool second, double* rates) {
    const pli_joints* j = &w->joints;
    int count = j->equations.count;
    double h = (second ? 0.05 : 1e-3) * (w->h > 0 ? w->h : 0.01), *b = j->targets + j->row_capacity;
    for (int i = 0; i < count; ++i) rates[i] = 0;
    for (int k = -1; k <= 1 && j->moving; ++k) {
        double factor = second ? (k == 0 ? -2 : 1) / (h * h) : k / (2 * h);
        find_targets(w, time + k * h, b);
        for (int i = 0; i < count; ++i) rates[i] += factor * b[i];
    }
}

void pli_joints_project(pli_world* w, double time, bool accelerations, double* v) {
    pli_joints* j = &w->joints;
    if (j->equations.count == 0 || !j->mass) return;
    find_rates(w, time, accelerations, j->targets);
    pli_joint_mass_project(j->mass, j->targets, v);
}

// ---- forces

void pli_joints_hold(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    if (w->joints.equations.count == 0) return;
    for (int g = 0; g < k->group_count; ++g)
        for (int i = k->group_offset[g]; i < k->group_offset[g + 1]; ++i)
            w->joints.equations.held[i] = w->frozen[g];
}

const double* pli_joints_net(pli_world* w, const double* g) {
    pli_joints* j = &w->joints;
    if (j->equations.count == 0) return g;
    pli_copy(g, j->net, j->unknown_count);
    pli_equations_pull(&j->equations, 1, j->equations.multipliers, j->net);
    return j->net;
}

void pli_joints_push(const pli_world* w, double* gx) {
    const pli_joints* j = &w->joints;
    for (int i = 0; i < j->equations.count; ++i) {
        const double* n = w->model.joints[j->joint[i]].rows[j->row[i]].direction;
        for (int t = j->term_start[i]; t < j->term_start[i + 1]; ++t)
            pli_axpy(j->equations.multipliers[i] * j->terms[t].weight, n,
                     gx + 3 * (size_t)j->terms[t].vertex, w->kinematics.dim);
    }
}

double pli_joints_take_work(const pli_world* w, const double* dq, double* g) {
    const pli_equations* e = &w->joints.equations;
    double work = 0;
    for (int i = 0; i < e->count; ++i) {
        work -= e->multipliers[i] * row_product(e, i, dq);
        spread_row(e, i, e->multipliers[i], g);
    }
    return work;
}

// ---- reading

int pli_world_joint_count(const pli_world* world) { return world ? world->model.joint_count : 0; }

static const double* published(const pli_world* w, int vertex) {
    int points = w->model.vertex_count;
    return vertex < points ? w->model.positions + 3 * (size_t)vertex
                           : w->frame_positions + 3 * (size_t)(vertex - points);
}

// Where a point of a joint is on side s now.
static void find_point(const pli_world* w, const pli_joint* joint, int s, int point, double x[3]) {
    const pli_joint_side* side = &joint->side[s];
    x[0] = x[1] = x[2] = 0;
    if (side->body < 0) {
        if (joint->def.motion)
            joint->def.motion(joint->def.context, w->time, joint->points + 3 * point, x);
        pli_axpy(1, joint->points + 3 * point, x, 3);
        return;
    }
    if (side->vertex_count > 0) {
        int first = w->model.bodies[side->body].first_vertex;
        for (int i = 0; i < side->vertex_count; ++i)
            pli_axpy(side->weights[point * side->vertex_count + i],
                     published(w, first + side->vertices[i]), x, 3);
        return;
    }
    const pli_body_frame* frame = pli_world_frame(w, side->body);
    double y[3], origin = 1;
    pli_body_frame_place(frame, w->kinematics.dim, side->places + 3 * point, y);
    for (int c = 0; c < w->kinematics.dim; ++c) {
        pli_axpy(y[c], published(w, frame->first + 1 + c), x, 3);
        origin -= y[c];
    }
    pli_axpy(origin, published(w, frame->first), x, 3);
}

static void add_force(const pli_world* w, const pli_joint* joint, int point, const double f[3],
                      pli_joint_info* info) {
    double x[3], arm[3], moment[3];
    find_point(w, joint, 0, point, x);
    pli_sub(x, info->place, arm, 3);
    pli_cross3(arm, f, moment);
    pli_axpy(1, f, info->force, 3);
    pli_axpy(1, moment, info->torque, 3);
}

// The row's part of force, torque and gap.
static void read_row(const pli_world* w, int i, pli_joint_info* info) {
    const pli_joints* j = &w->joints;
    const pli_joint* joint = &w->model.joints[j->joint[i]];
    const pli_joint_row* row = &joint->rows[j->row[i]];
    double f[3], apart[3], ends[2][3];
    info->row_count++;
    info->dropped += j->equations.dropped[i];
    if (info->broken) return;
    for (int c = 0; c < 3; ++c) f[c] = -j->equations.multipliers[i] * row->direction[c];
    add_force(w, joint, row->point, f, info);
    for (int s = 0; s < 2; ++s) find_point(w, joint, s, row->point, ends[s]);
    pli_sub(ends[0], ends[1], apart, 3);
    if (row->base >= 0) {
        for (int c = 0; c < 3; ++c) f[c] = -f[c];
        add_force(w, joint, row->base, f, info);
        for (int s = 0; s < 2; ++s) find_point(w, joint, s, row->base, ends[s]);
        for (int c = 0; c < 3; ++c) apart[c] -= ends[0][c] - ends[1][c];
    }
    info->gap = fmax(info->gap, fabs(pli_dot(apart, row->direction, w->kinematics.dim)));
}

// Rows are in the order of their joints.
static int first_row(const pli_joints* j, int joint) {
    int low = 0, high = j->equations.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (j->joint[middle] < joint)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool pli_world_joint(const pli_world* world, int number, pli_joint_info* info) {
    if (!world || !info || number < 0 || number >= world->model.joint_count || !world->prepared)
        return false;
    const pli_joint* joint = &world->model.joints[number];
    // Of a weld of listed vertices their mean; points beside the first only stand for a frame.
    int count = pli_joint_region(joint) < 0 ? 1 : joint->point_count;
    int side = joint->type->needs & PLI_NEEDS_TO ? 0 : 1;
    *info = (pli_joint_info){.name = joint->name,
                             .type = joint->def.type,
                             .bodies = {joint->side[0].body, joint->side[1].body}};
    for (int p = 0; p < count; ++p) {
        double x[3];
        find_point(world, joint, side, p, x);
        pli_axpy(1.0 / count, x, info->place, 3);
    }
    pli_measures_read(world, number, info);
    for (int i = first_row(&world->joints, number);
         i < world->joints.equations.count && world->joints.joint[i] == number; ++i)
        read_row(world, i, info);
    return true;
}
