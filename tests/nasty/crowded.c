// Contact that is hard by its arrangement: tiny gaps, many bodies, closed boxes, bullets.
#include "nasty/maker.h"

// ---- gaps

// Blocks of edge 1 in a row, a column or both, exactly aligned; one in six is the scene that found
// it: two soft cubes, 1e-8 m apart, 1 mm above the ground, h = 0.1 s.
void pli_nasty_gaps(maker* m) {
    bool model = chance(m, 1.0 / 6);
    int dim = model ? 3 : 2 + below(m, 2), n = count_of(m, 1, 4);
    int columns = count_of(m, 1, 3), high = columns == 1 ? 2 : count_of(m, 1, 3);
    double gap = scale(m, 1e-9, 1e-3), above = chance(m, 0.5) ? 1e-3 : scale(m, 1e-9, 1e-2);
    double young = scale(m, 1e4, 1e10), h = scale(m, 5e-3, 0.1), friction = within(m, 0, 0.8);
    if (model)
        gap = 1e-8, above = 1e-3, young = 1e5, h = 0.1, friction = 0.1, columns = 2, high = 1;
    begin_scene(m, dim, h, count_of(m, 15, 40));
    put_gravity(m);
    put_contact(m, 0, friction);
    begin_list(m, "bodies");
    block b = {.name = "cube",
               .size = {1, 1, 1},
               .segments = {n, n, n},
               .young = young,
               .poisson = chance(m, 0.2) ? 0.49 : 0.3,
               .density = 1000};
    for (int i = 0; i < columns; ++i)
        for (int j = 0; j < high; ++j) {
            b.center[0] = i * (1 + gap), b.center[1] = 0.5 + above + j * (1 + gap);
            put_block(m, &b);
        }
    put_ground(m, 0, friction);
    end_scene(m);
}

// ---- balls

// A cube of soft balls falls on a sphere. One in thirty is the full one of 512.
void pli_nasty_balls(maker* m) {
    bool model = chance(m, 1.0 / 30);
    int side = model ? 8 : count_of(m, 3, 5);
    double young = model ? 1e5 : scale(m, 1e4, 1e7), speed = model ? 3 : scale(m, 1, 30);
    double h = model ? 0.02 : scale(m, 5e-3, 0.04), friction = chance(m, 0.5) ? 0 : 0.3;
    double space = model ? 0.11 : within(m, 0.1005, 0.13), sphere = within(m, 0.15, 0.5);
    begin_scene(m, 3, h, model ? 12 : count_of(m, 15, 30));
    put_gravity(m);
    put_contact(m, 0, friction);
    begin_list(m, "bodies");
    begin_item(m);
    put(m, "\"name\": \"ball\", \"mesh\": {\"type\": \"ball\", \"radius\": 0.05, \"shells\": 1}");
    double low = -0.5 * (side - 1) * space;
    put_vector(m, "translate", (double[3]){low, 0.06, low});
    put(m, ", \"repeat\": {\"count\": [%d, %d, %d], \"spacing\": [%.17g, %.17g, %.17g]}", side,
        side, side, space, space, space);
    put_vector(m, "velocity", (double[3]){0, -speed, 0});
    put_stuff(m, &(block){.young = young, .poisson = 0.4, .density = 1000});
    put(m, "}");
    put_ground(m, -2 * sphere, friction);
    begin_item(m);
    put(m, "\"type\": \"sphere\", \"radius\": %.17g", sphere);
    put_vector(m, "center", (double[3]){0, -sphere, 0});
    put(m, "}");
    end_scene(m);
}

// ---- boxes

// The walls at -1 and 1 of each axis, that of a corner belonging to the earlier axis.
static block wall_of(int axis, int side, double thick) {
    block b = {.name = "wall", .segments = {2, 2, 2}, .poisson = 0.3, .density = 2000};
    for (int i = 0; i < 3; ++i) b.size[i] = i < axis ? 1.998 : 2 + 2.2 * thick;
    b.size[axis] = thick;
    b.segments[axis] = 1;
    b.center[axis] = side * (1 + 0.5 * thick);
    return b;
}

typedef void wall_fn(maker* m, int axis, int side);

static void put_plane_wall(maker* m, int axis, int side) {
    double point[3] = {0}, normal[3] = {0};
    point[axis] = side, normal[axis] = -side;
    put_half_space(m, point, normal, 0);
}

static void put_rigid_wall(maker* m, int axis, int side) {
    block b = wall_of(axis, side, 0.05);
    begin_item(m);
    put(m, "\"type\": \"box\", \"size\": ");
    put_numbers(m, b.size);
    put_vector(m, "center", b.center);
    put(m, "}");
}

// Held on its outer side.
static void put_stiff_wall(maker* m, int axis, int side) {
    block b = wall_of(axis, side, 0.2);
    b.young = 1e10;
    begin_block(m, &b);
    put(m, ", \"fix\": [{\"where\": \"%d * %c > 1.19\"}]}", side, "xyz"[axis]);
}

static void put_walls(maker* m, wall_fn* put_wall) {
    for (int axis = 0; axis < m->dim; ++axis)
        for (int side = -1; side <= 1; side += 2) put_wall(m, axis, side);
}

// In a cell of its own of a grid with `side` cells along each axis.
static void put_bullet(maker* m, int number, int side, double speed) {
    double cell = 1.9 / side, size = cell * within(m, 0.3, m->dim == 2 ? 0.68 : 0.55);
    int n = count_of(m, 1, side > 1 ? 2 : 4);
    block b = {.name = "bullet", .size = {size, size, size}, .segments = {n, n, n}};
    b.young = scale(m, 1e4, 1e11), b.poisson = 0.4, b.density = scale(m, 300, 8000);
    b.rotate = within(m, -180, 180);
    for (int i = 0; i < m->dim; ++i, number /= side)
        b.center[i] = (number % side - 0.5 * (side - 1)) * cell;
    begin_block(m, &b);
    put_direction(m, "velocity", speed);
    if (chance(m, 0.3)) put(m, ", \"spin\": %.3g", scale(m, 1, 300));
    put(m, "}");
}

void pli_nasty_boxes(maker* m) {
    int dim = 2 + below(m, 2), kind = below(m, 3), side = count_of(m, 1, dim == 2 ? 4 : 2);
    int count = count_of(m, 1, dim == 2 ? side * side : side * side * side);
    double speed = scale(m, 10, 500), h = scale(m, 3e-4, 2e-2);
    begin_scene(m, dim, h, count_of(m, 15, 40));
    if (chance(m, 0.3)) put_gravity(m);
    double dhat = chance(m, 0.5) ? 0 : scale(m, 1e-4, 1e-2);
    put_contact(m, dhat, chance(m, 0.5) ? 0 : 0.3);
    begin_list(m, "bodies");
    for (int i = 0; i < count; ++i) put_bullet(m, i, side, speed);
    if (kind == 0) put_walls(m, put_stiff_wall);
    put(m, "],\n");
    begin_list(m, "obstacles");
    if (kind > 0) put_walls(m, kind == 1 ? put_plane_wall : put_rigid_wall);
    end_scene(m);
}

// ---- impacts

// Two blocks of edge 1, one shot at the other; one in six is the scene that found it: 500 m/s, a
// quarter aside, h = 1 ms, everything else default.
void pli_nasty_impacts(maker* m) {
    bool model = chance(m, 1.0 / 6);
    int dim = model ? 2 : 2 + below(m, 2), n = model ? 2 : count_of(m, 1, dim == 2 ? 6 : 4);
    double young = model ? 1e6 : scale(m, 1e4, 1e11), speed = model ? 500 : scale(m, 30, 1000);
    double h = model ? 1e-3 : scale(m, 1e-4, 1e-2), aside = model ? 0.25 : within(m, -0.95, 0.95);
    double above = model ? 1.01 : 1 + scale(m, 1e-3, 0.5), depth = dim == 2 ? 0 : within(m, 0, 0.9);
    block b = {.name = "block",
               .size = {1, 1, 1},
               .segments = {n, n, n},
               .young = young,
               .poisson = model ? 0.3 : within(m, 0, 0.49),
               .density = 1000};
    begin_scene(m, dim, h, count_of(m, 15, 40));
    double dhat = scale(m, 1e-4, 1e-2), friction = within(m, 0, 0.5);
    if (!model && chance(m, 0.5)) put_contact(m, dhat, friction);
    begin_list(m, "bodies");
    put_block(m, &b);
    b.center[0] = aside, b.center[1] = above, b.center[2] = depth;
    if (!model && chance(m, 0.3)) b.density *= scale(m, 1e-2, 1e2);
    if (!model && chance(m, 0.3)) b.young *= scale(m, 1e-3, 1e3);
    if (!model && chance(m, 0.4)) b.rotate = within(m, -45, 45), b.center[1] += 0.21;
    begin_block(m, &b);
    put_vector(m, "velocity", (double[3]){0, -speed, 0});
    put(m, "}]");
    if (!model && chance(m, 0.4)) {
        put(m, ",\n");
        begin_list(m, "obstacles");
        put_half_space(m, (double[3]){0, -0.505, 0}, (double[3]){0, 1, 0}, 0.2);
        put(m, "]");
    }
    put(m, "}\n");
}
