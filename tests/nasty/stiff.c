// Stiff neo-Hookean bodies that turn: E of 2e10 to 1e11 Pa, so that a rotation within a step looks
// like a huge strain along a straight line.
#include "nasty/maker.h"

static const double PI = 3.14159265358979323846;

static block stone(maker* m, const char* name) {
    return (block){.name = name, .young = scale(m, 2e10, 1e11), .poisson = 0.2, .density = 2300};
}

// ---- arches

// What makes it move: a ball from above, or a block from the side.
static void put_ball(maker* m, const block* like, const double center[3], double radius) {
    begin_item(m);
    put(m, "\"name\": \"ball%d\", \"mesh\": {\"type\": \"%s\", \"radius\": %.17g, \"%s\": 2}",
        m->items, m->dim == 2 ? "disk" : "ball", radius, m->dim == 2 ? "rings" : "shells");
    put_vector(m, "translate", center);
    double speed = scale(m, 1, 30);
    put_vector(m, "velocity", (double[3]){0, -speed, 0});
    put_stuff(m, like);
    put(m, "}");
}

// Stones with a thickness of 6 % to 25 % of the radius: an arch thinner than 10 % cannot stand.
void pli_nasty_arches(maker* m) {
    int dim = 2 + below(m, 2), stones = count_of(m, 4, 11);
    double thick = scale(m, 0.06, 0.25), angle = PI / stones;
    double gap = angle * scale(m, 1e-4, 1e-2), friction = within(m, 0.1, 0.9);
    double h = scale(m, 3e-3, 3e-2);
    begin_scene(m, dim, h, count_of(m, 30, 60));
    put_gravity(m);
    put_contact(m, chance(m, 0.3) ? 0 : scale(m, 1e-4, 3e-3), friction);
    begin_list(m, "bodies");
    block b = stone(m, "stone");
    b.map_plane = "[\"(1 + y) * sin(x)\", \"(1 + y) * cos(x)\"]";
    b.map_space = "[\"(1 + y) * sin(x)\", \"(1 + y) * cos(x)\", \"z\"]";
    b.size[0] = angle - gap, b.size[1] = thick, b.size[2] = 0.4;
    b.segments[0] = count_of(m, 1, 2), b.segments[1] = b.segments[2] = 1;
    for (int i = 0; i < stones; ++i) {
        b.rotate = (0.5 * PI - (i + 0.5) * angle) * 180 / PI;
        put_block(m, &b);
    }
    if (chance(m, 0.7)) {
        double radius = within(m, 0.1, 0.3), aside = within(m, -0.7, 0.7);
        b.density = 5000;
        put_ball(m, &b, (double[3]){aside, 1.05 + 0.5 * thick + radius, 0}, radius);
    }
    put_ground(m, 0, friction);
    end_scene(m);
}

// ---- card houses

// Two cards of length 1 that lean against each other at x, on y; returns their upper end.
static double put_pair(maker* m, block* card, double x, double y, double lean, double gap) {
    double c = cos(lean), s = sin(lean), wide = 0.5 * c + 0.5 * card->size[1] * s + 0.5 * gap;
    double half = 0.5 * s + 0.5 * card->size[1] * c;
    for (int side = -1; side <= 1; side += 2) {
        card->rotate = -side * lean * 180 / PI;
        card->center[0] = x + side * wide;
        card->center[1] = y + gap + half;
        put_block(m, card);
    }
    return y + gap + 2 * half;
}

static void put_hitting_cube(maker* m, const block* card, double left) {
    block cube = *card;
    double speed = scale(m, 1, 30), high = within(m, 0.4, 1);
    cube.name = "cube", cube.density = 2500, cube.rotate = within(m, 0, 90);
    for (int i = 0; i < 3; ++i) cube.size[i] = 0.2, cube.segments[i] = 1;
    cube.center[0] = left, cube.center[1] = high, cube.center[2] = 0.03;
    begin_block(m, &cube);
    put_vector(m, "velocity", (double[3]){speed, 0.1 * speed, 0});
    put(m, "}");
}

void pli_nasty_cards(maker* m) {
    int dim = 2 + below(m, 2), pairs = count_of(m, 1, 2);
    double friction = within(m, 0.05, 0.9), lean = within(m, 45, 72) * PI / 180;
    double h = scale(m, 3e-3, 3e-2);
    begin_scene(m, dim, h, count_of(m, 30, 60));
    put_gravity(m);
    put_contact(m, chance(m, 0.3) ? 0 : scale(m, 1e-4, 3e-3), friction);
    begin_list(m, "bodies");
    block card = stone(m, "card");
    double thick = scale(m, 0.01, 0.05), gap = scale(m, 1e-5, 3e-3);
    card.density = within(m, 300, 3000);
    card.size[0] = 1, card.size[1] = thick, card.size[2] = 0.6;
    card.segments[0] = count_of(m, 2, 4), card.segments[1] = 1, card.segments[2] = 1;
    double apart = 2 * cos(lean) + 4 * thick, top = 0;
    for (int i = 0; i < pairs; ++i)
        top = put_pair(m, &card, (i - 0.5 * (pairs - 1)) * apart, 0, lean, gap);
    block plate = card;
    plate.size[0] = pairs == 2 ? apart + 0.3 : 0.5, plate.rotate = 0;
    plate.center[0] = 0, plate.center[1] = top + gap + 0.5 * thick;
    put_block(m, &plate);
    if (pairs == 2) put_pair(m, &card, 0, top + gap + thick, lean, gap);
    if (chance(m, 0.6)) put_hitting_cube(m, &card, -1.1 * pairs - 0.3);
    put_ground(m, 0, friction);
    end_scene(m);
}
