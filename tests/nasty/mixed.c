// Families that are hard by their numbers: masses, stiffnesses, sizes, speeds and steps that differ
// by orders of magnitude.
#include "nasty/maker.h"

// A cube with edges of this length and its lower side at y.
static block cube(const char* name, double edge, int n, double x, double y) {
    return (block){.name = name,
                   .size = {edge, edge, edge},
                   .segments = {n, n, n},
                   .center = {x, y + 0.5 * edge, 0},
                   .young = 1e6,
                   .poisson = 0.35,
                   .density = 1000};
}

// Heavy on light.
void pli_nasty_masses(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 2, 7);
    double h = scale(m, 3e-3, 5e-2), friction = within(m, 0, 0.8), ratio = scale(m, 10, 1e6);
    begin_scene(m, dim, h, count_of(m, 20, 60));
    put_gravity(m);
    put_contact(m, chance(m, 0.5) ? 0 : scale(m, 1e-4, 1e-2), friction);
    begin_list(m, "bodies");
    double y = 0, young = scale(m, 1e5, 1e11);
    for (int i = 0; i < count; ++i) {
        double edge = within(m, 0.2, 0.6), gap = scale(m, 1e-4, 0.1), aside = within(m, -0.1, 0.1);
        block b = cube("cube", edge, fineness(m), aside, y + gap);
        b.young = young;
        b.density = 10 * pow(ratio, (double)i / (count - 1));
        if (i == count - 1) b.young *= 10;
        put_block(m, &b);
        y += gap + edge;
    }
    put_ground(m, 0, friction);
    end_scene(m);
}

// A wedge of 5 to 40 degrees falls, or is pushed, between two blocks.
void pli_nasty_wedges(maker* m) {
    int dim = 2 + below(m, 2);
    double h = scale(m, 2e-3, 3e-2), friction = within(m, 0, 1), slope = within(m, 0.05, 0.4);
    begin_scene(m, dim, h, count_of(m, 20, 40));
    put_gravity(m);
    put_contact(m, scale(m, 2e-5, 5e-3), friction);
    begin_list(m, "bodies");
    int n = fineness(m);
    double young = scale(m, 1e6, 1e11), apart = within(m, 0.05, 0.2);
    for (int side = -1; side <= 1; side += 2) {
        block b = cube("block", 0.6, n, side * (0.3 + apart), 1e-3);
        b.young = young;
        put_block(m, &b);
    }
    // Its lower end is 0.02 wide, its upper one so much wider.
    char plane[120], space[120];
    snprintf(plane, sizeof plane, "[\"x * (0.04 + %.6g * (y + 0.4))\", \"y\"]", 2 * slope);
    snprintf(space, sizeof space, "[\"x * (0.04 + %.6g * (y + 0.4))\", \"y\", \"z\"]", 2 * slope);
    block w = {.name = "wedge", .size = {1, 0.8, 0.5}, .segments = {2, 3, 1}, .poisson = 0.3};
    w.center[1] = 0.6 + 0.41 - within(m, 0, 0.9) * (apart - 0.02) / slope;
    if (w.center[1] < 0.5) w.center[1] = 0.5;
    w.map_plane = plane, w.map_space = space;
    w.young = young * scale(m, 0.1, 100), w.density = scale(m, 1e3, 1e4);
    begin_block(m, &w);
    double speed = scale(m, 0.3, 100);
    if (chance(m, 0.5))
        put_vector(m, "velocity", (double[3]){0, -speed, 0});
    else
        put(m,
            ", \"prescribe\": [{\"group\": \"top\", \"velocity\": [0, %.3g%s], \"travel\": 0.3}]",
            -0.1 * speed, dim == 3 ? ", 0" : "");
    put(m, "}");
    put_ground(m, 0, friction);
    end_scene(m);
}

// Thin solids, one above the other, fall over an edge or a sphere.
void pli_nasty_sheets(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 1, 5);
    double h = scale(m, 3e-3, 3e-2), friction = within(m, 0, 0.6), thick = scale(m, 1e-3, 2e-2);
    begin_scene(m, dim, h, count_of(m, 20, 50));
    put_gravity(m);
    put_contact(m, thick * scale(m, 0.02, 0.3), friction);
    begin_list(m, "bodies");
    double young = scale(m, 1e4, 1e11), gap = thick * scale(m, 0.1, 3), speed = scale(m, 0.3, 10);
    int n = dim == 2 ? count_of(m, 8, 30) : count_of(m, 4, 7);
    for (int i = 0; i < count; ++i) {
        block b = {.name = "sheet",
                   .size = {1, thick, 1},
                   .segments = {n, 1, n},
                   .young = young,
                   .poisson = 0.3,
                   .density = 500};
        b.center[0] = within(m, -0.2, 0.2), b.center[1] = 0.51 + i * (thick + gap);
        begin_block(m, &b);
        put_vector(m, "velocity", (double[3]){0, -speed, 0});
        put(m, "}");
    }
    put_ground(m, 0, friction);
    double radius = within(m, 0.05, 0.24);
    begin_item(m);
    put(m, "\"type\": \"sphere\", \"radius\": %.17g", radius);
    put_vector(m, "center", (double[3]){0, 0.49 - radius, 0});
    put(m, "}");
    end_scene(m);
}

// Bodies that spin fast, on the ground and against each other.
void pli_nasty_spins(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 1, 5);
    double h = scale(m, 1e-3, 5e-2), friction = within(m, 0.1, 1);
    begin_scene(m, dim, h, count_of(m, 20, 60));
    put_gravity(m);
    put_contact(m, chance(m, 0.5) ? 0 : scale(m, 1e-4, 1e-2), friction);
    begin_list(m, "bodies");
    for (int i = 0; i < count; ++i) {
        double edge = within(m, 0.2, 0.4), spin = scale(m, 10, 1000);
        block b = cube("cube", edge, fineness(m), 0, 0.15 + 0.75 * i);
        b.young = scale(m, 1e6, 1e11), b.rotate = within(m, 0, 90);
        begin_block(m, &b);
        put(m, ", \"spin\": %.3g", chance(m, 0.5) ? spin : -spin);
        put_vector(m, "velocity", (double[3]){0, -1.0 - i, 0});
        put(m, "}");
    }
    put_ground(m, 0, friction);
    end_scene(m);
}

// A stiff block on a soft one, or the other way round: the ratio goes up to 1e6.
void pli_nasty_ratios(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 2, 6);
    double h = scale(m, 3e-3, 5e-2), friction = within(m, 0, 0.8);
    double soft = scale(m, 1e3, 1e6), ratio = scale(m, 1e3, 1e7), speed = scale(m, 0.1, 30), y = 0;
    begin_scene(m, dim, h, count_of(m, 20, 60));
    put_gravity(m);
    put_contact(m, chance(m, 0.5) ? 0 : scale(m, 1e-4, 1e-2), friction);
    begin_list(m, "bodies");
    int parity = below(m, 2);
    for (int i = 0; i < count; ++i) {
        double edge = within(m, 0.25, 0.5), gap = scale(m, 1e-4, 0.05);
        double aside = within(m, -0.1, 0.1);
        block b = cube("cube", edge, fineness(m), aside, y + gap);
        if (i % 2 == parity) b.young = soft, b.poisson = 0.45, b.density = 1000;
        if (i % 2 != parity) b.young = soft * ratio, b.density = 7800;
        begin_block(m, &b);
        if (i == count - 1) put_vector(m, "velocity", (double[3]){0, -speed, 0});
        put(m, "}");
        y += gap + edge;
    }
    put_ground(m, 0, friction);
    end_scene(m);
}

// A plate presses one to three bodies against the ground, down to 5 % to 80 % of their height.
void pli_nasty_squeezes(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 1, 4), steps = count_of(m, 20, 40);
    double h = scale(m, 5e-3, 0.1), friction = within(m, 0, 1), y = 0;
    begin_scene(m, dim, h, steps);
    if (chance(m, 0.7)) put_gravity(m);
    put_contact(m, chance(m, 0.5) ? 0 : scale(m, 2e-4, 1e-2), friction);
    begin_list(m, "bodies");
    for (int i = 0; i < count; ++i) {
        double edge = within(m, 0.2, 0.4), gap = scale(m, 1e-4, 1e-2), aside = within(m, -0.1, 0.1);
        block b = cube("cube", edge, fineness(m), aside, y + gap);
        b.young = scale(m, 1e4, 1e9), b.poisson = chance(m, 0.3) ? 0.49 : 0.35;
        put_block(m, &b);
        y += gap + edge;
    }
    double travel = within(m, 0.2, 0.95) * y, speed = travel / (within(m, 0.3, 0.9) * steps * h);
    block plate = {.name = "plate", .size = {1.5, 0.1, 1.5}, .segments = {3, 1, 2}};
    plate.young = 1e9, plate.poisson = 0.3, plate.density = 2000, plate.center[1] = y + 0.051;
    begin_block(m, &plate);
    put(m, ", \"prescribe\": [{%s\"travel\": %.6g", chance(m, 0.5) ? "\"group\": \"top\", " : "",
        travel);
    put_vector(m, "velocity", (double[3]){0, -speed, 0});
    put(m, "}]}");
    put_ground(m, 0, friction);
    end_scene(m);
}

// High coefficients of friction on a slope, and small sliding speeds of its smoothing.
void pli_nasty_frictions(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 1, 4);
    double h = scale(m, 5e-3, 0.2), friction = scale(m, 0.3, 10), smooth = scale(m, 1e-5, 1e-2);
    begin_scene(m, dim, h, count_of(m, 20, 40));
    double slope = within(m, 0, 1); // gravity is tilted
    put(m, " \"gravity\": [%.6g, %.6g%s],\n", 9.81 * sin(slope), -9.81 * cos(slope),
        dim == 3 ? ", 0" : "");
    put(m, " \"contact\": {\"stiffness\": \"auto\", \"friction\": %.3g, \"friction_speed\": %.3g",
        friction, smooth);
    put(m, ", \"friction_iterations\": %d},\n", count_of(m, 0, 3));
    begin_list(m, "bodies");
    double y = 0, speed = chance(m, 0.5) ? 0 : scale(m, 0.1, 30);
    for (int i = 0; i < count; ++i) {
        double edge = within(m, 0.2, 0.5), gap = scale(m, 1e-4, 1e-2);
        block b = cube("cube", edge, fineness(m), 0, y + gap);
        b.young = scale(m, 1e5, 1e11);
        begin_block(m, &b);
        put_vector(m, "velocity", (double[3]){i % 2 ? -speed : speed, 0, 0});
        put(m, "}");
        y += gap + edge;
    }
    put_ground(m, 0, friction);
    end_scene(m);
}

// Large steps, with dhat from a millionth to a tenth of the size.
void pli_nasty_leaps(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 2, 6);
    double h = scale(m, 0.05, 1), friction = within(m, 0, 0.8), y = 0;
    begin_scene(m, dim, h, count_of(m, 10, 25));
    put_gravity(m);
    put_contact(m, scale(m, 1e-6, 0.1), friction);
    begin_list(m, "bodies");
    for (int i = 0; i < count; ++i) {
        double edge = within(m, 0.3, 1), gap = scale(m, 1e-2, 2), aside = within(m, -0.3, 0.3);
        block b = cube("cube", edge, fineness(m), aside, y + gap + 0.25 * edge);
        b.young = scale(m, 1e4, 1e11), b.rotate = chance(m, 0.5) ? within(m, 0, 90) : 0;
        begin_block(m, &b);
        if (chance(m, 0.5)) put_direction(m, "velocity", scale(m, 1, 100));
        put(m, "}");
        y += gap + 1.5 * edge;
    }
    put_ground(m, 0, friction);
    end_scene(m);
}

static void put_ring(maker* m, const char* name, int n, bool flat) {
    begin_item(m);
    put(m,
        "%s\"name\": \"%s\", \"mesh\": {\"type\": \"torus\", \"radius\": 0.2, \"tube\": 0.05, "
        "\"rings\": 1, \"segments\": %d}%s",
        m->dim == 3 && name[0] == 'h' ? "\"type\": \"mesh\", " : "", name, n,
        flat ? ", \"rotate\": [90, 0, 0]" : "");
}

// A chain of rings on a hook swings down.
void pli_nasty_chains(maker* m) {
    int links = count_of(m, 2, 6), n = 12 + 4 * below(m, 2);
    double h = scale(m, 5e-3, 3e-2), spacing = within(m, 0.255, 0.29);
    begin_scene(m, 3, h, count_of(m, 20, 35));
    put_gravity(m);
    double dhat = scale(m, 3e-4, 3e-3);
    put_contact(m, dhat, chance(m, 0.5) ? 0 : 0.4);
    begin_list(m, "bodies");
    block b = {.young = scale(m, 1e5, 1e11), .poisson = 0.35};
    b.density = scale(m, 500, 8000);
    double speed = chance(m, 0.5) ? 0 : scale(m, 1, 100);
    for (int i = 0; i < links; ++i) {
        char name[16];
        snprintf(name, sizeof name, "ring%d", i);
        put_ring(m, name, n, i % 2 == 0);
        put_vector(m, "translate", (double[3]){(i + 1) * spacing, 0, 0});
        if (i == links - 1) put_vector(m, "velocity", (double[3]){0, -speed, 0.5 * speed});
        put_stuff(m, &b);
        put(m, "}");
    }
    put(m, "],\n");
    begin_list(m, "obstacles");
    put_ring(m, "hook", n, false);
    put(m, "}");
    end_scene(m);
}

// Blocks that are pressed along one axis, with as many elements along the others.
void pli_nasty_slivers(maker* m) {
    int dim = 2 + below(m, 2), count = count_of(m, 1, 3);
    double h = scale(m, 3e-3, 5e-2), friction = within(m, 0, 0.6), y = 0;
    begin_scene(m, dim, h, count_of(m, 15, 35));
    put_gravity(m);
    put_contact(m, scale(m, 1e-5, 2e-3), friction);
    begin_list(m, "bodies");
    for (int i = 0; i < count; ++i) {
        double thin = scale(m, 1e-5, 3e-2), gap = scale(m, 1e-3, 0.1), speed = scale(m, 0.1, 30);
        double aside = within(m, -0.1, 0.1);
        int axis = below(m, dim), n = fineness(m), many = count_of(m, 1, 4);
        block b = cube("sliver", 0.5, n, aside, 0);
        if (chance(m, 0.5)) // as a whole, or by thin layers of elements
            b.size[axis] = thin;
        else
            b.segments[axis] = 10 * many;
        b.young = scale(m, 1e5, 1e11);
        double room = b.size[1];
        if (chance(m, 0.5)) b.rotate = within(m, -90, 90), room = hypot(b.size[0], b.size[1]);
        b.center[1] = y + gap + 0.5 * room;
        begin_block(m, &b);
        put_vector(m, "velocity", (double[3]){0, -speed, 0});
        put(m, "}");
        y += gap + room;
    }
    put_ground(m, 0, friction);
    end_scene(m);
}
