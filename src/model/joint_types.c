// The types of joints: points, equations and measures of each.
//
// Points 0, 1, .. are places beside `at`, at a distance `size` from it along the axis and normal to
// it. Equations are linear in them; measures (an angle, a distance, how far a place is off a line)
// are not. A new type is a row of the table below.
#include "math/vec.h"
#include "model/joints.h"

#include <math.h>
#include <string.h>

static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const double PI = 3.14159265358979323846;

// ---- points and equations

static void add_row(pli_joint* j, int point, int base, const double n[3]) {
    pli_joint_row* row = &j->rows[j->row_count++];
    *row = (pli_joint_row){.point = point, .base = base};
    memcpy(row->direction, n, sizeof row->direction);
}

static int add_place(pli_joint* j, const double x[3]) {
    memcpy(j->points + 3 * (size_t)j->point_count, x, 3 * sizeof *x);
    return j->point_count++;
}

static int add_point(pli_joint* j, const double along[3], double distance) {
    double x[3];
    for (int c = 0; c < 3; ++c) x[c] = j->def.at[c] + distance * along[c];
    return add_place(j, x);
}

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

// Both sides have the same direction from point 0 to another one.
static void hold_direction(pli_joint* j, int dim, int point) {
    for (int c = 0; c < dim; ++c) add_row(j, point, 0, unit[c]);
}

static bool with_world(const pli_joint* j) { return j->side[0].body < 0 || j->side[1].body < 0; }

// Directions of the world do not turn, so that what is bilinear in the sides is linear.
static bool is_linear(const pli_joint* j) { return with_world(j) && !j->def.motion; }

// ---- measures

static pli_joint_measure* add_measure(pli_joint* j, bool angle, int free, bool equal) {
    pli_joint_measure* m = &j->measures[j->measure_count++];
    *m = (pli_joint_measure){.first = j->piece_count, .angle = angle, .free = free, .equal = equal};
    return m;
}

static pli_joint_piece* add_piece(pli_joint* j, pli_joint_measure* m, pli_piece_kind kind,
                                  double weight) {
    pli_joint_piece* piece = &j->pieces[j->piece_count];
    *piece = (pli_joint_piece){
        .kind = kind, .owner = -1, .number = j->piece_count++, .weight = weight, .lever = j->size};
    m->count++;
    return piece;
}

static pli_joint_arrow arrow(int side0, int point0, int side1, int point1) {
    return (pli_joint_arrow){{side0, side1}, {point0, point1}, 1};
}

// The direction from point 0 to another one on a side.
static pli_joint_arrow direction(const pli_joint* j, int side, int point) {
    return (pli_joint_arrow){{side, side}, {point, 0}, 1 / j->size};
}

// How far place 0 of the first side is from that of the second, along a direction of the second.
static void add_offset(pli_joint* j, pli_joint_measure* m, int point) {
    pli_joint_piece* piece = add_piece(j, m, PLI_PIECE_DOT, 1);
    piece->arrow[0] = arrow(0, 0, 1, 0);
    piece->arrow[1] = direction(j, 1, point);
}

static void hold_offset(pli_joint* j, int point) {
    add_offset(j, add_measure(j, false, -1, true), point);
}

static void add_turn(pli_joint* j, pli_joint_measure* m, double weight, int n, int b) {
    pli_joint_piece* piece = add_piece(j, m, PLI_PIECE_ANGLE, weight);
    for (int s = 0; s < 2; ++s) {
        piece->arrow[2 * s] = direction(j, s, n);
        piece->arrow[2 * s + 1] = direction(j, s, b);
    }
}

static void add_length(pli_joint* j, pli_joint_measure* m, double weight, pli_joint_arrow a) {
    add_piece(j, m, PLI_PIECE_DISTANCE, weight)->arrow[0] = a;
}

static void leave_angle(pli_joint* j, int n, int b) {
    pli_joint_measure* m = add_measure(j, true, PLI_JOINT_ANGLE, false);
    add_turn(j, m, 1, n, b);
    m->offset = j->def.freedom[PLI_JOINT_ANGLE].start;
}

static void leave_travel(pli_joint* j, int point) {
    pli_joint_measure* m = add_measure(j, false, PLI_JOINT_TRAVEL, false);
    add_offset(j, m, point);
    m->offset = j->def.freedom[PLI_JOINT_TRAVEL].start;
}

// ---- types

static void make_ball(pli_joint* j, int dim, double size) {
    (void)size;
    add_point(j, unit[0], 0);
    hold_point(j, dim, 0);
}

// Measures of angles need two directions of each side: listed vertices may have less.
static bool has_directions(const pli_joint* j, int free) {
    return j->side[0].vertex_count + j->side[1].vertex_count == 0 ||
           pli_joint_freedom_acts(&j->def.freedom[free]);
}

// Between two bodies the second point is held along the axis, too: both stretch alike along it. A
// world that rests has a fixed axis, so that this row is not needed.
static void make_hinge(pli_joint* j, int dim, double size) {
    double n[2][3];
    make_ball(j, dim, size);
    if (dim == 2) {
        for (int c = 0; c < 2; ++c) memcpy(n[c], unit[c], sizeof n[c]);
    } else {
        add_point(j, j->def.axis, size);
        find_normals(j, dim, n);
        if (!is_linear(j)) hold_point(j, dim, 1);
        for (int i = 0; i < 2 && is_linear(j); ++i) add_row(j, 1, -1, n[i]);
    }
    if (!has_directions(j, PLI_JOINT_ANGLE)) return;
    int first = j->point_count;
    for (int i = 0; i < 2; ++i) add_point(j, n[i], size);
    leave_angle(j, first, first + 1);
}

int pli_joint_region(const pli_joint* j) {
    for (int s = 0; s < 2; ++s)
        if (j->side[s].vertex_count > 0 && j->type->region) return s;
    return -1;
}

static void make_weld(pli_joint* j, int dim, double size) {
    int region = pli_joint_region(j);
    if (region < 0) {
        add_point(j, unit[0], 0);
        for (int c = 0; c < dim; ++c) add_point(j, unit[c], size);
    } else {
        j->point_count = j->side[region].vertex_count; // filled with the places of vertices
    }
    for (int i = 0; i < j->point_count; ++i) hold_point(j, dim, i);
}

// Points 0 at the place, 1 along the axis, 2 and (in space) 3 normal to it; returns the number of
// normals.
static int make_frame(pli_joint* j, int dim, double size, double n[2][3]) {
    int normals = find_normals(j, dim, n);
    add_point(j, unit[0], 0);
    add_point(j, j->def.axis, size);
    for (int i = 0; i < normals; ++i) add_point(j, n[i], size);
    return normals;
}

// The place of the first side stays on the line of the second.
static void hold_to_line(pli_joint* j, int normals, double n[2][3]) {
    for (int i = 0; i < normals; ++i)
        if (is_linear(j))
            add_row(j, 0, -1, n[i]);
        else
            hold_offset(j, 2 + i);
}

// With the world the points lie along x, y, z, and each is on its line or in its plane.
static void make_slider_to_world(pli_joint* j, int dim, double size) {
    double n[2][3];
    int normals = find_normals(j, dim, n);
    add_point(j, unit[0], 0);
    for (int i = 0; i < normals; ++i) add_row(j, 0, -1, n[i]);
    for (int c = 0; c < dim; ++c) {
        add_point(j, unit[c], size);
        for (int i = 0; i < normals; ++i) add_row(j, c + 1, -1, n[i]);
        add_row(j, c + 1, 0, j->def.axis);
    }
    leave_travel(j, add_point(j, j->def.axis, size));
}

static void make_slider(pli_joint* j, int dim, double size) {
    double n[2][3];
    if (is_linear(j)) {
        make_slider_to_world(j, dim, size);
        return;
    }
    int normals = make_frame(j, dim, size, n);
    for (int i = 1; i < j->point_count; ++i) hold_direction(j, dim, i);
    hold_to_line(j, normals, n);
    leave_travel(j, 1);
}

static void hold_axis(pli_joint* j, int dim, double n[2][3], int base) {
    for (int i = 0; i < 2 && is_linear(j); ++i) add_row(j, 1, base, n[i]);
    if (!is_linear(j)) hold_direction(j, dim, 1);
}

static void make_cylinder(pli_joint* j, int dim, double size) {
    double n[2][3];
    int normals = make_frame(j, dim, size, n);
    hold_to_line(j, normals, n);
    hold_axis(j, dim, n, is_linear(j) ? -1 : 0);
    leave_angle(j, 2, 3);
    leave_travel(j, 1);
}

static void make_screw(pli_joint* j, int dim, double size) {
    double n[2][3];
    int normals = make_frame(j, dim, size, n);
    hold_to_line(j, normals, n);
    hold_axis(j, dim, n, is_linear(j) ? -1 : 0);
    pli_joint_measure* m = add_measure(j, false, -1, true);
    add_offset(j, m, 1);
    add_turn(j, m, -j->def.pitch / (2 * PI), 2, 3);
    leave_angle(j, 2, 3);
    leave_travel(j, 1);
}

static void make_universal(pli_joint* j, int dim, double size) {
    make_ball(j, dim, size);
    add_point(j, j->def.axis, size);
    add_point(j, j->def.axis2, size);
    pli_joint_piece* piece = add_piece(j, add_measure(j, true, -1, true), PLI_PIECE_DOT, 1);
    piece->arrow[0] = direction(j, 0, 1);
    piece->arrow[1] = direction(j, 1, 2);
    piece->lever = 1;
}

static void make_planar(pli_joint* j, int dim, double size) {
    double n[2][3];
    make_frame(j, dim, size, n);
    hold_axis(j, dim, n, 0);
    if (is_linear(j))
        add_row(j, 0, -1, j->def.axis);
    else
        hold_offset(j, 1);
    leave_angle(j, 2, 3);
}

static void make_line(pli_joint* j, int dim, double size) {
    double n[2][3];
    int normals = make_frame(j, dim, size, n);
    hold_to_line(j, normals, n);
    leave_travel(j, 1);
}

// From `at` on the first side to `to` on the second.
static pli_joint_measure* make_length(pli_joint* j, int free) {
    add_place(j, j->def.at);
    add_place(j, j->def.to);
    pli_joint_measure* m = add_measure(j, false, free, false);
    add_length(j, m, 1, arrow(0, 0, 1, 1));
    return m;
}

static double length_of(const pli_joint* j, int a, int b) {
    double d[3];
    pli_sub(j->points + 3 * (size_t)a, j->points + 3 * (size_t)b, d, 3);
    return pli_norm(d, 3);
}

static void make_distance(pli_joint* j, int dim, double size) {
    (void)dim, (void)size;
    pli_joint_measure* m = make_length(j, -1);
    m->equal = true;
    m->offset = -length_of(j, 0, 1);
}

static void make_rope(pli_joint* j, int dim, double size) {
    (void)dim, (void)size;
    pli_joint_measure* m = make_length(j, -1);
    m->equal = m->most = true;
    m->offset = -length_of(j, 0, 1) - j->def.slack;
}

static void make_spring(pli_joint* j, int dim, double size) {
    (void)dim, (void)size;
    make_length(j, PLI_JOINT_TRAVEL);
}

static void make_pulley(pli_joint* j, int dim, double size) {
    (void)dim, (void)size;
    int last = j->def.over_count - 1, first = 2;
    add_place(j, j->def.at);
    add_place(j, j->def.to);
    add_place(j, j->def.over);
    add_place(j, j->def.over + 3 * (size_t)last);
    pli_joint_measure* m = add_measure(j, false, -1, true);
    add_length(j, m, 1, arrow(0, 0, PLI_WORLD_SIDE, first));
    add_length(j, m, j->def.ratio, arrow(1, 1, PLI_WORLD_SIDE, first + 1));
    m->most = true;
    m->offset = -length_of(j, 0, first) - j->def.ratio * length_of(j, 1, first + 1) - j->def.slack;
}

static void make_gear(pli_joint* j, int dim, double size) {
    (void)dim, (void)size;
    add_place(j, j->def.at); // its measure is made of those of two joints: pli_joint_connect
}

static const pli_joint_type types[] = {
    {"ball", "one place stays together; all rotations are left", .make = make_ball},
    {"hinge", "only the angle about the axis is left; in the plane as ball",
     PLI_NEEDS_AXIS | PLI_AXIS_IN_SPACE, PLI_LEAVES_ANGLE, .make = make_hinge},
    {"weld", "no relative motion is left; each chosen vertex of a deformable body is held",
     .region = true, .make = make_weld},
    {"slider", "only travel along the axis is left", PLI_NEEDS_AXIS, PLI_LEAVES_TRAVEL,
     .make = make_slider},
    {"cylinder", "travel along the axis and the angle about it are left; in space",
     PLI_NEEDS_AXIS | PLI_NEEDS_SPACE, PLI_LEAVES_ANGLE | PLI_LEAVES_TRAVEL, .make = make_cylinder},
    {"screw", "as cylinder, with travel = pitch times turns",
     PLI_NEEDS_AXIS | PLI_NEEDS_SPACE | PLI_NEEDS_PITCH, PLI_LEAVES_ANGLE | PLI_LEAVES_TRAVEL,
     .make = make_screw},
    {"universal",
     "one place stays together, and axis of the first body at right angles to axis2 of the second; "
     "in space",
     PLI_NEEDS_AXIS | PLI_NEEDS_AXIS2 | PLI_NEEDS_SPACE, 0, .make = make_universal},
    {"planar", "motion in the plane normal to the axis and the angle about it are left; in space",
     PLI_NEEDS_AXIS | PLI_NEEDS_SPACE, PLI_LEAVES_ANGLE, .make = make_planar},
    {"line", "the place of the first body stays on a line of the second, along the axis",
     PLI_NEEDS_AXIS, PLI_LEAVES_TRAVEL, .make = make_line},
    {"distance", "at on the first body stays as far from to on the second as at t = 0",
     PLI_NEEDS_TO, 0, .make = make_distance},
    {"rope", "as distance, but it may be nearer, and farther by slack",
     PLI_NEEDS_TO | PLI_TAKES_SLACK, 0, .make = make_rope},
    {"spring", "nothing is held: the length from at to to is a travel for a spring or a motor",
     PLI_NEEDS_TO, PLI_LEAVES_TRAVEL, .make = make_spring},
    {"pulley", "a rope from at over places of the world to to gets no longer",
     PLI_NEEDS_TO | PLI_NEEDS_OVER | PLI_NEEDS_RATIO | PLI_TAKES_SLACK, 0, .make = make_pulley},
    {"gear", "the second of two joints turns ratio times as far as the first",
     PLI_NEEDS_JOINTS | PLI_NEEDS_RATIO, 0, .make = make_gear},
    {"rack", "the second of two joints travels radius times the angle of the first",
     PLI_NEEDS_JOINTS | PLI_NEEDS_RATIO, 0, .make = make_gear},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

const pli_joint_type* pli_joint_type_at(int i) {
    return i >= 0 && i < TYPE_COUNT ? &types[i] : NULL;
}

const pli_joint_type* pli_joint_type_find(const char* name) {
    for (int i = 0; i < TYPE_COUNT && name; ++i)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    return NULL;
}

// ---- of joints

bool pli_joint_freedom_acts(const pli_joint_freedom* f) {
    return f->low > -HUGE_VAL || f->high < HUGE_VAL || f->friction > 0 || f->damping > 0 ||
           f->stiffness > 0 || strcmp(f->motor, "none") != 0;
}

const pli_joint_measure* pli_joint_measure_of(const pli_joint* j, int free) {
    for (int m = 0; m < j->measure_count; ++m)
        if (j->measures[m].free == free) return &j->measures[m];
    return NULL;
}

void pli_joint_connect(pli_joint* gear, const pli_joint* const of[2], const int free[2]) {
    pli_joint_measure* to = add_measure(gear, free[1] == PLI_JOINT_ANGLE, -1, true);
    for (int i = 0; i < 2; ++i) {
        const pli_joint_measure* m = pli_joint_measure_of(of[i], free[i]);
        double factor = i == 0 ? -gear->def.ratio : 1;
        for (int p = m->first; p < m->first + m->count; ++p) {
            pli_joint_piece* piece =
                add_piece(gear, to, of[i]->pieces[p].kind, factor * of[i]->pieces[p].weight);
            piece->owner = of[i]->slot;
            piece->number = p;
            piece->lever = of[i]->pieces[p].lever;
            memcpy(piece->arrow, of[i]->pieces[p].arrow, sizeof piece->arrow);
        }
    }
}

static int arrows_of(pli_piece_kind kind) {
    return kind == PLI_PIECE_DISTANCE ? 1 : kind == PLI_PIECE_DOT ? 2 : 4;
}

bool pli_joint_uses(const pli_joint* j, int side, int point) {
    for (int r = 0; r < j->row_count; ++r)
        if (j->rows[r].point == point || j->rows[r].base == point) return true;
    for (int p = 0; p < j->piece_count; ++p)
        for (int a = 0; a < arrows_of(j->pieces[p].kind) && j->pieces[p].owner < 0; ++a)
            for (int e = 0; e < 2; ++e)
                if (j->pieces[p].arrow[a].side[e] == side &&
                    j->pieces[p].arrow[a].point[e] == point)
                    return true;
    return false;
}
