// Scenes from seeds. Bodies and obstacles stand in a column, each in a slot of its own, with gaps
// from comfortable to far below dhat; all that follows is chosen at random, with long tails: nine
// orders of magnitude of stiffness, slivers, bullets, tight friction, things that push.
#include "nasty/maker.h"

// ---- the whole

static void put_time(maker* m) {
    static const char* const schemes[] = {"backward-euler", "backward-euler", "backward-euler",
                                          "bdf2",           "newmark",        "quasi-static"};
    int scheme = chance(m, 0.6) ? 0 : below(m, 6), steps = 10 + below(m, 21);
    put(m, " \"time\": {\"step\": %.3g, \"steps\": %d, \"scheme\": \"%s\"},\n", scale(m, 1e-3, 0.1),
        steps, schemes[scheme]);
}

// Methods, tolerances and linear solvers of all kinds.
static void put_solver(maker* m) {
    static const char* const linear[] = {"multifrontal", "multifrontal", "multifrontal", "pcg",
                                         "auto"};
    static const char* const methods[] = {"projected-newton", "newton", "l-bfgs"};
    int kind = below(m, 5);
    put(m,
        " \"solver\": {\"max_iterations\": 300, \"on_failure\": \"stop\", "
        "\"max_linear_iterations\": 500, \"tolerance\": %.3g, \"linear\": \"%s\",",
        scale(m, 1e-4, 1e-1), linear[kind]);
    put(m, " \"method\": \"%s\"", methods[chance(m, 0.93) ? 0 : 1 + below(m, 2)]);
    if (chance(m, 0.1)) put(m, ", \"line_search\": \"armijo\"");
    put(m, "},\n");
}

static void put_any_contact(maker* m) {
    m->dhat = scale(m, 1e-5, 3e-2);
    put(m, " \"contact\": {\"dhat\": %.3g", m->dhat);
    if (chance(m, 0.5))
        put(m, ", \"stiffness\": \"auto\"");
    else
        put(m, ", \"stiffness\": %.3g", scale(m, 1e4, 1e9));
    if (chance(m, 0.1)) put(m, ", \"barrier\": \"ipc\"");
    if (chance(m, 0.5)) {
        double friction = scale(m, 0.02, 2);
        put(m, ", \"friction\": %.3g, \"friction_iterations\": %d", friction, below(m, 4));
        if (chance(m, 0.3)) put(m, ", \"friction_static\": %.3g", friction * (1 + below(m, 3)));
        if (chance(m, 0.3)) put(m, ", \"friction_speed\": %.3g", scale(m, 1e-5, 1e-1));
    }
    put(m, "},\n");
}

// ---- one body

// Its half sizes; of shapes that are turned those of a ball around it.
typedef struct slot {
    double half[3], thickness;
    const char* end; // a group of vertices
} slot;

static slot put_shape(maker* m) {
    double a = scale(m, 0.2, 2), b = chance(m, 0.3) ? scale(m, 5e-3, 5) : a;
    double c = chance(m, 0.3) ? scale(m, 5e-3, 5) : a;
    int n[3] = {1 + below(m, 3), 1 + below(m, 3), 1 + below(m, 2)};
    int order = chance(m, 0.1) ? 2 : 1, kind = below(m, m->dim == 2 ? 3 : 6);
    put(m, "\"mesh\": {");
    slot s = {.half = {a / 2, b / 2, c / 2}, .end = kind < 2 ? "left" : NULL};
    if (m->dim == 2 && kind < 2) {
        put(m, "\"type\": \"rectangle\", \"size\": [%.17g, %.17g], \"segments\": [%d, %d]", a, b,
            1 + 2 * n[0], 2 * n[1]);
    } else if (m->dim == 2) {
        put(m, "\"type\": \"disk\", \"radius\": %.17g, \"rings\": %d", a / 2, 1 + n[0]);
        s.half[1] = a / 2;
    } else if (kind < 2) {
        put(m, "\"type\": \"box\", \"size\": [%.17g, %.17g, %.17g], \"segments\": [%d, %d, %d]", a,
            b, c, n[0], n[1], n[2]);
    } else if (kind == 2) {
        put(m, "\"type\": \"ball\", \"radius\": %.17g, \"shells\": 1", a / 2);
        s.half[1] = s.half[2] = a / 2;
    } else if (kind == 5) {
        put(m, "\"type\": \"torus\", \"radius\": %.17g, \"tube\": %.17g, \"rings\": 1,", 0.35 * a,
            0.15 * a);
        put(m, " \"segments\": %d", 5 + n[0]);
        s.half[1] = a / 2, s.half[2] = 0.15 * a;
    } else {
        put(m, "\"type\": \"%s\", \"radius\": %.17g, \"length\": %.17g,",
            kind == 3 ? "cylinder" : "cone", b / 2, a);
        put(m, " \"rings\": 1, \"segments\": %d", n[0] + 1);
        s.half[2] = b / 2;
        s.end = "bottom";
    }
    put(m, ", \"order\": %d}", order);
    return s;
}

// Slivers: one axis is pressed together. Turned bodies take the room of a ball.
static void put_placement(maker* m, slot* s) {
    if (chance(m, 0.2)) {
        double by[3] = {1, 1, 1};
        int axis = below(m, m->dim);
        by[axis] = scale(m, 1e-3, 0.3);
        s->half[axis] *= by[axis];
        put_vector(m, "scale", by);
    }
    if (chance(m, 0.4)) {
        double r = hypot(hypot(s->half[0], s->half[1]), m->dim == 3 ? s->half[2] : 0);
        if (m->dim == 2)
            put(m, ", \"rotate\": %.4g", within(m, -180, 180));
        else
            put_direction(m, "rotate", 180);
        s->half[0] = s->half[1] = s->half[2] = r;
    }
    if (chance(m, 0.15)) {
        s->thickness = scale(m, 1e-4, 2e-2);
        put(m, ", \"contact_thickness\": %.17g, \"contact_self\": false", s->thickness);
    }
}

// Above all that is there, with a gap; the lowest distances are a thousandth of dhat.
static void put_place(maker* m, const slot* s, const char* key) {
    double gap = chance(m, 0.5) ? m->dhat * scale(m, 1e-3, 1) : scale(m, 1e-3, 0.5);
    double low = m->top + gap + s->thickness, wide = 0.6 * s->half[0];
    double v[3] = {within(m, -wide, wide), low + s->half[1],
                   m->dim == 3 ? within(m, -0.3, 0.3) * s->half[2] : 0};
    put_vector(m, key, v);
    m->top = low + 2 * s->half[1] + s->thickness;
}

static void put_material(maker* m) {
    static const char* const laws[] = {"neo-hookean", "stable-neo-hookean", "fixed-corotated",
                                       "arap", "st-venant-kirchhoff"};
    int law = chance(m, 0.7) ? 0 : 1 + below(m, 4);
    double young = scale(m, 1e3, 1e12), density = scale(m, 10, 2e4);
    put(m, ", \"density\": %.3g, \"energies\": [{\"type\": \"%s\", \"young\": %.3g", density,
        laws[law], young);
    put(m, ", \"poisson\": %.4g}", chance(m, 0.2) ? 0.499 : within(m, 0, 0.45));
    if (chance(m, 0.05)) put(m, ", {\"type\": \"viscosity\", \"shear\": %.3g}", scale(m, 1, 1e4));
    put(m, "]");
    if (chance(m, 0.1)) put(m, ", \"mass_damping\": %.3g", scale(m, 0.1, 100));
    if (chance(m, 0.1)) put(m, ", \"stiffness_damping\": %.3g", scale(m, 1e-5, 1e-1));
    if (chance(m, 0.05)) put(m, ", \"mass\": \"consistent\"");
}

// How it starts, what holds it and what pushes it.
static void put_fate(maker* m, const slot* s) {
    if (chance(m, 0.4)) put_direction(m, "velocity", scale(m, 0.01, 3e3));
    if (chance(m, 0.15)) put(m, ", \"spin\": %.3g", scale(m, 0.1, 1e3));
    if (chance(m, 0.1))
        put(m, ", \"stretch\": [%.3g, 1%s]", scale(m, 0.5, 1), m->dim == 3 ? ", 1" : "");
    bool held = s->end && chance(m, 0.15);
    if (held) put(m, ", \"fix\": [{\"group\": \"%s\"}]", s->end);
    if (!held && chance(m, 0.25)) {
        put(m, ", \"prescribe\": [{");
        if (s->end && chance(m, 0.6)) put(m, "\"group\": \"%s\", ", s->end);
        put(m, "\"travel\": %.3g", scale(m, 0.1, 10));
        put_direction(m, "velocity", scale(m, 0.1, 100));
        put(m, "}]");
    }
    if (chance(m, 0.1))
        put(m, ", \"loads\": [{\"type\": \"pressure\", \"value\": %.3g}]", scale(m, 1, 1e5));
}

static void put_body(maker* m, int number) {
    begin_item(m);
    put(m, "\"name\": \"b%d\", ", number);
    slot s = put_shape(m);
    put_placement(m, &s);
    put_place(m, &s, "translate");
    put_material(m);
    put_fate(m, &s);
    put(m, "}");
}

// ---- obstacles

static void put_motion(maker* m) {
    if (!chance(m, 0.5)) return;
    double spin = chance(m, 0.3) ? scale(m, 0.1, 30) : 0;
    put(m, ", \"motion\": {\"spin\": %.3g", spin);
    put_direction(m, "velocity", scale(m, 0.05, 50));
    put(m, "}");
}

static void put_obstacle(maker* m) {
    slot s = {.half = {0}};
    double r = scale(m, 0.02, 1);
    s.half[0] = s.half[1] = s.half[2] = r;
    begin_item(m);
    put(m, "\"type\": \"sphere\", \"radius\": %.17g", r);
    put_place(m, &s, "center");
    put_motion(m);
    put(m, "}");
}

// The solver's settings are drawn in any case: a seed gives both families the same bodies.
static void put_columns(maker* m, bool settings) {
    m->dim = 2 + below(m, 2);
    put(m, "\"dimension\": %d,\n", m->dim);
    put_time(m);
    size_t used = m->used;
    put_solver(m);
    if (!settings) m->used = used;
    if (chance(m, 0.8)) put_gravity(m);
    put_any_contact(m);
    begin_list(m, "bodies");
    int count = 1 + below(m, 4), extra = below(m, 2);
    for (int i = 0; i < count; ++i) put_body(m, i);
    put_ground(m, 0, chance(m, 0.5) ? scale(m, 0.05, 2) : 0);
    for (int i = 0; i < extra; ++i) put_obstacle(m);
    end_scene(m);
}

void pli_nasty_columns(maker* m) { put_columns(m, false); }
void pli_nasty_settings(maker* m) { put_columns(m, true); }
