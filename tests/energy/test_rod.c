// Rods: the contract at large motions, invariance, natural shapes, frames of neighbours, sections.
#include "energy/fixture.h"
#include "energy/rod.h"
#include "energy/stencils.h"

static const double pi = 3.14159265358979323846;

enum { PARAMS = sizeof(pli_rod_params) / sizeof(double) };

typedef union rod_params {
    pli_rod_params named;
    double all[PARAMS];
} rod_params;

static rod_params default_params(void) {
    rod_params p;
    const pli_energy_type* type = find_type("rod");
    for (int i = 0; i < PARAMS; ++i) p.all[i] = type->params[i].default_value;
    p.named.axial = 70;
    p.named.bending1 = 3;
    p.named.bending2 = 5;
    p.named.torsion = 2;
    return p;
}

// ---- a chain of three segments: five-vertex stencils 0 1 2 and 1 2 3 with the nodes 4 5 6. The
// middle segment runs against the chain.

enum { POINTS = 4, VERTICES = 7 };
static const int32_t corners[10] = {0, 2, 1, 4, 5, 2, 1, 3, 5, 6};

typedef struct chain {
    pli_memory memory;
    pli_term term;
    double rest[3 * VERTICES], x[3 * VERTICES];
} chain;

static void random_chain(pli_random* r, double* x, double scatter) {
    static const double straight[3 * POINTS] = {0, 0, 0, 2.1, 0, 0, 1, 0, 0, 3, 0, 0};
    for (int i = 0; i < 3 * VERTICES; ++i) x[i] = 0;
    for (int i = 0; i < 3 * POINTS; ++i) x[i] = straight[i] + pli_random_in(r, -scatter, scatter);
    for (int i = POINTS; i < VERTICES; ++i) x[3 * i] = pli_random_in(r, -3, 3);
}

static void make_chain(chain* c, pli_random* r, const rod_params* p) {
    pli_memory_init(&c->memory, NULL);
    random_chain(r, c->rest, 0.3);
    random_chain(r, c->x, 0.45);
    pli_domain domain = {
        .dim = 3, .kind = PLI_STENCIL, .element_count = 2, .vertices = corners, .rest = c->rest};
    c->term = make_term(&c->memory, "rod", p->all, &domain);
}

static double energy_of(const chain* c, const double* x) {
    double e[2] = {0};
    pli_batch in = {
        .dim = 3, .count = 2, .width = 5, .vertices = corners, .x = x, .want = PLI_VALUE};
    c->term.ops->eval(c->term.self, 0, &in, &(pli_local){.e = e});
    return e[0] + e[1];
}

// Value, gradient and Hessian by finite differences, with edges turned far from the start of the
// step, on fresh and on committed frames.
static void contract_at_large_motions(void** state) {
    (void)state;
    pli_random r = {5};
    for (int i = 0; i < 100; ++i) {
        rod_params p = default_params();
        chain c;
        if (i % 2 == 0) p.named.yield = 0.5; // far beyond it
        make_chain(&c, &r, &p);
        if (i % 3 == 0) {
            c.term.ops->commit(c.term.self, c.x);
            random_chain(&r, c.x, 0.45);
        }
        pli_check_contract(&c.term, &(pli_contract){.dim = 3,
                                                    .vertex_count = VERTICES,
                                                    .x = c.x,
                                                    .step = 1e-5,
                                                    .gradient_tolerance = 1e-8,
                                                    .hessian_tolerance = 1e-8,
                                                    .gauss_newton = true});
        end_term(&c.memory, &c.term);
    }
}

// A straight wire bent at one corner to the curvature k and let go keeps k - yield; its moment is
// EI yield, and what `commit` takes is the work of the plastic angle.
static void wire_stays_bent(void** state) {
    (void)state;
    const double k = 3, yield = 0.5, EI = 2e-3, l = 1;
    const double rest[15] = {0, 0, 0, l, 0, 0, 2 * l, 0, 0};
    static const int32_t corner[5] = {0, 1, 2, 3, 4};
    rod_params p = default_params();
    p.named.bending1 = p.named.bending2 = EI;
    p.named.yield = yield;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {
        .dim = 3, .kind = PLI_STENCIL, .element_count = 1, .vertices = corner, .rest = rest};
    pli_term term = make_term(&memory, "rod", p.all, &domain);
    double x[15] = {0}, energy[3];
    for (int i = 0; i < 3; ++i) { // bent, the same after `commit`, without moment
        double half = atan(0.5 * (i < 2 ? k : k - yield) * l), s = sin(half), c = cos(half);
        const double bent[9] = {-l * c, l * s, 0, 0, 0, 0, l * c, l * s, 0};
        memcpy(x, bent, sizeof bent);
        energy[i] = eval_first(&term, 3, x, false, NULL, NULL);
        if (i == 0) term.ops->commit(term.self, x);
        if (i > 0) continue;
        ASSERT_NEAR(energy[0], EI * yield * l * (k - 0.5 * yield), 1e-12);
    }
    ASSERT_NEAR(energy[1], 0.5 * EI * yield * yield * l, 1e-12);
    ASSERT_NEAR(energy[0] - energy[1], EI * yield * (k - yield) * l, 1e-12);
    ASSERT_NEAR(energy[2], 0, 1e-12);
    end_term(&memory, &term);
}

static void turn_about(const double axis[3], double angle, const double* x, double* out) {
    double cross[3], along = pli_dot(axis, x, 3), s = sin(angle), k = 1 - cos(angle);
    pli_cross3(axis, x, cross);
    for (int c = 0; c < 3; ++c) out[c] = cos(angle) * x[c] + s * cross[c] + k * along * axis[c];
}

// Rigid motions do not change the energy: points turn, and each angle by what its transported
// reference director stays behind.
static void rigid_motion(void** state) {
    (void)state;
    static const int32_t edges[3][2] = {{0, 2}, {1, 2}, {1, 3}};
    pli_random r = {8};
    for (int i = 0; i < 100; ++i) {
        rod_params p = default_params();
        chain c;
        make_chain(&c, &r, &p);
        c.term.ops->commit(c.term.self, c.x);
        double y[3 * VERTICES], axis[3], angle = pli_random_in(&r, -2.5, 2.5);
        for (int k = 0; k < 3; ++k) axis[k] = pli_random_in(&r, -1, 1);
        double length = pli_norm(axis, 3);
        for (int k = 0; k < 3; ++k) axis[k] /= length;
        for (int v = 0; v < POINTS; ++v) {
            turn_about(axis, angle, c.x + 3 * v, y + 3 * v);
            for (int k = 0; k < 3; ++k) y[3 * v + k] += 0.7 * axis[k];
        }
        for (int j = 0; j < 3; ++j) {
            double t[3], u[3], now[3], moved[3], turned[3], cross[3];
            pli_sub(c.x + 3 * edges[j][1], c.x + 3 * edges[j][0], t, 3);
            double l = pli_norm(t, 3);
            for (int k = 0; k < 3; ++k) t[k] /= l;
            pli_rod_gauge(t, u);
            turn_about(axis, angle, t, now);
            turn_about(axis, angle, u, turned);
            pli_rod_transport(t, now, u, moved);
            pli_cross3(moved, turned, cross);
            y[3 * (POINTS + j)] =
                c.x[3 * (POINTS + j)] + atan2(pli_dot(cross, now, 3), pli_dot(moved, turned, 3));
        }
        double before = energy_of(&c, c.x);
        ASSERT_NEAR(energy_of(&c, y), before, 1e-12 * before);
        end_term(&c.memory, &c.term);
    }
}

// Forces on the points balance, with the torque of the angles.
static void forces_balance(void** state) {
    (void)state;
    pli_random r = {9};
    for (int i = 0; i < 50; ++i) {
        rod_params p = default_params();
        chain c;
        make_chain(&c, &r, &p);
        c.term.ops->commit(c.term.self, c.x); // torques are about present tangents
        double g[15], H[225], force[3] = {0}, torque[3] = {0}, size = 0;
        eval_first(&c.term, 3, c.x, false, g, H);
        for (int a = 0; a < 3; ++a) {
            double cross[3];
            pli_cross3(c.x + 3 * corners[a], g + 3 * a, cross);
            pli_axpy(1, g + 3 * a, force, 3);
            pli_axpy(1, cross, torque, 3);
            size += pli_norm(g + 3 * a, 3);
        }
        for (int j = 0; j < 2; ++j) {
            const int32_t ends[2] = {j == 0 ? 0 : 1, 2};
            double t[3];
            pli_sub(c.x + 3 * ends[1], c.x + 3 * ends[0], t, 3);
            pli_axpy(g[9 + 3 * j] / pli_norm(t, 3), t, torque, 3);
        }
        ASSERT_NEAR(pli_norm(force, 3), 0.0, 1e-12 * size);
        ASSERT_NEAR(pli_norm(torque, 3), 0.0, 1e-11 * size);
        end_term(&c.memory, &c.term);
    }
}

// The same frames to the last bit in both corners at an edge, after many steps; committing does not
// change the energy.
static void frames_agree(void** state) {
    (void)state;
    pli_random r = {6};
    for (int i = 0; i < 50; ++i) {
        rod_params p = default_params();
        chain c;
        make_chain(&c, &r, &p);
        for (int step = 0; step < 20; ++step) {
            random_chain(&r, c.x, 0.4);
            double before = energy_of(&c, c.x);
            c.term.ops->commit(c.term.self, c.x);
            ASSERT_NEAR(energy_of(&c, c.x), before, 1e-12 * before);
        }
        size_t size;
        const void* initial;
        const double* frames = c.term.ops->state(c.term.self, &size, &initial);
        assert_int_equal(size, 2 * 16 * sizeof(double));
        assert_memory_equal(frames + 6, frames + 16, 6 * sizeof(double));
        for (int j = 0; j < 2; ++j) {
            ASSERT_NEAR(pli_norm(frames + 6 * j + 3, 3), 1.0, 1e-15);
            ASSERT_NEAR(pli_dot(frames + 6 * j, frames + 6 * j + 3, 3), 0.0, 1e-15);
        }
        end_term(&c.memory, &c.term);
    }
}

// A curved and twisted rest shape has neither energy nor forces; there the Hessian of Gauss and
// Newton is exact.
static void rest_shape_is_free(void** state) {
    (void)state;
    pli_random r = {7};
    for (int i = 0; i < 20; ++i) {
        rod_params p = default_params();
        chain c;
        double g[15], H[225], projected[225];
        make_chain(&c, &r, &p);
        assert_true(eval_first(&c.term, 3, c.rest, false, g, H) == 0);
        for (int k = 0; k < 15; ++k) assert_true(g[k] == 0);
        eval_first(&c.term, 3, c.rest, true, g, projected);
        assert_memory_equal(H, projected, sizeof H);
        end_term(&c.memory, &c.term);
    }
}

// Edges that turn by more than pi, corners that fold: the bound keeps E finite along the way.
static void steps_are_bounded(void** state) {
    (void)state;
    pli_random r = {12};
    for (int i = 0; i < 200; ++i) {
        rod_params p = default_params();
        chain c;
        double d[3 * VERTICES];
        make_chain(&c, &r, &p);
        for (int k = 0; k < 3 * VERTICES; ++k) d[k] = pli_random_in(&r, -9, 9);
        if (i % 4 == 0)
            for (int k = 0; k < 3 * POINTS; ++k) d[k] = -2 * c.x[k]; // through a point
        pli_check_step_bound(&c.term, 3, VERTICES, c.x, d);
        end_term(&c.memory, &c.term);
    }
    // half a turn of a corner in its plane is shortened, a small turn is not
    rod_params p = default_params();
    chain c;
    make_chain(&c, &r, &p);
    double d[3 * VERTICES] = {0};
    pli_view view = {.x = c.rest};
    for (int k = 0; k < 3; ++k) d[k] = 1e-3;
    assert_true(c.term.ops->max_step(c.term.self, &view, d) == 1);
    pli_sub(c.rest + 3 * 2, c.rest, d, 3);
    for (int k = 0; k < 3; ++k) d[k] *= 2; // vertex 0 to the other side of vertex 2
    double bound = c.term.ops->max_step(c.term.self, &view, d);
    assert_true(bound > 0.2 && bound < 0.5);
    end_term(&c.memory, &c.term);
}

// ---- stencils of whole rods

typedef struct rod {
    pli_memory memory;
    pli_nodes nodes;
    pli_stencil_sink sink;
    pli_term term;
    int count; // points
    double rest[3 * 200];
} rod;

// Points in `rest`, segments between consecutive ones; `closed`: and back.
static pli_status try_rod(rod* b, int count, bool closed, const rod_params* p, pli_error* error) {
    static int32_t segments[2 * 100];
    static double mass[100];
    int segment_count = closed ? count : count - 1;
    for (int i = 0; i < segment_count; ++i) {
        segments[2 * i] = i;
        segments[2 * i + 1] = (i + 1) % count;
        mass[i] = 1;
    }
    mass[count - 1] = 1;
    pli_memory_init(&b->memory, NULL);
    pli_nodes_init(&b->nodes, &b->memory, count);
    b->count = count;
    pli_body_view view = {
        .dim = 3, .vertex_count = count, .rest = b->rest, .params = p->all, .mass = mass};
    view.element_count[PLI_SEGMENT] = segment_count;
    view.elements[PLI_SEGMENT] = segments;
    pli_asker asker = {.nodes = &b->nodes};
    return pli_find_stencils(&b->memory, find_type("rod"), &view, &asker, &b->sink, error);
}

static void make_rod(rod* b, int count, bool closed, const rod_params* p) {
    pli_error error = {0};
    if (try_rod(b, count, closed, p, &error) != PLI_OK) fail_msg("%s", error.message);
    for (int i = 0; i < b->nodes.count; ++i) b->rest[3 * (count + i)] = b->nodes.list[i].def.value;
    pli_domain domain = {.dim = 3,
                         .kind = PLI_STENCIL,
                         .element_count = b->sink.count,
                         .vertices = b->sink.vertices,
                         .rest = b->rest};
    b->term = make_term(&b->memory, "rod", p->all, &domain);
}

static void end_rod(rod* b) {
    if (b->term.ops) b->term.ops->destroy(b->term.self);
    pli_sink_free(&b->sink);
    pli_nodes_free(&b->nodes);
    assert_int_equal(b->memory.bytes, 0);
}

static double rod_energy(const rod* b, const double* x) {
    double e[100] = {0}, sum = 0;
    pli_batch in = {.dim = 3,
                    .count = b->sink.count,
                    .width = 5,
                    .vertices = b->sink.vertices,
                    .x = x,
                    .want = PLI_VALUE};
    b->term.ops->eval(b->term.self, 0, &in, &(pli_local){.e = e});
    for (int i = 0; i < b->sink.count; ++i) sum += e[i];
    return sum;
}

// A helix, naturally straight: the energy of bending is EI/2 k^2 L, and of twist 0, because its
// directors are transported along it. With the second stiffness alone twice as large it is between.
static void helix_energy(void** state) {
    (void)state;
    enum { COUNT = 81 };
    const double radius = 0.7, climb = 0.3; // per radian
    double speed = radius * radius + climb * climb, curvature = radius / speed, angle = 0.05;
    rod b = {0};
    for (int i = 0; i < COUNT; ++i) {
        b.rest[3 * i] = radius * cos(angle * i);
        b.rest[3 * i + 1] = radius * sin(angle * i);
        b.rest[3 * i + 2] = climb * angle * i;
    }
    rod_params p = default_params();
    p.named.bending2 = p.named.bending1;
    p.named.straight = 1;
    make_rod(&b, COUNT, false, &p);
    double length = (COUNT - 2) * angle * sqrt(speed); // of the corners
    double exact = 0.5 * 3 * curvature * curvature * length;
    ASSERT_NEAR(rod_energy(&b, b.rest), exact, 1e-3 * exact); // second order in the angle
    end_rod(&b);
}

// A straight rod bent to an arc, each edge turned by `turn` against the one before: curvature
// 2 tan(angle/2) / l, twist turn / l. The directors of both edges of a corner, turned by half each,
// see cos(turn/2) of the curvature. Straight, there is the twist alone.
static void shows_curvature_and_twist(void** state) {
    (void)state;
    enum { COUNT = 12 };
    const double l = 0.2, turn = 0.3;
    for (double angle = 0; angle < 0.2; angle += 0.1) {
        rod b = {0};
        double x[3 * 200], bent = 2 * tan(0.5 * angle) / l;
        for (int i = 0; i < COUNT; ++i) b.rest[3 * i] = l * i;
        rod_params p = default_params();
        p.named.bending2 = p.named.bending1;
        make_rod(&b, COUNT, false, &p);
        memcpy(x, b.rest, sizeof x);
        for (int i = 1; i < COUNT; ++i) {
            x[3 * i] = x[3 * (i - 1)] + l * cos(angle * i);
            x[3 * i + 1] = x[3 * (i - 1) + 1] + l * sin(angle * i);
        }
        for (int i = 0; i < 2 * b.sink.count; ++i) {
            const int32_t *v = b.sink.vertices + 5 * (i / 2), j = i % 2;
            int edge = v[j] < v[j + 1] ? v[j] : v[j + 1];
            x[3 * v[3 + j]] = b.rest[3 * v[3 + j]] + turn * edge;
        }
        for (int i = 0; i < COUNT; ++i) {
            const char* const names[] = {"curvature", "twist", "rod_moment", "torque"};
            const double exact[] = {bent, turn / l, 3 * bent * cos(0.5 * turn), 2 * turn / l};
            for (int k = 0; k < 4; ++k)
                ASSERT_NEAR(shown_at(&b.term, names[k], x, COUNT, b.nodes.count, i), exact[k],
                            1e-11);
        }
        assert_true(isnan(shown_at(&b.term, "axial_force", x, COUNT, b.nodes.count, 1)));
        // Away from the ends the director turns about a straight rod by `turn` per segment.
        for (int i = 2; angle == 0 && i < COUNT - 3; ++i) {
            double y[2], z[2];
            for (int k = 0; k < 2; ++k) {
                y[k] = shown_at(&b.term, "director_y", x, COUNT, b.nodes.count, i + k);
                z[k] = shown_at(&b.term, "director_z", x, COUNT, b.nodes.count, i + k);
                ASSERT_NEAR(shown_at(&b.term, "director_x", x, COUNT, b.nodes.count, i + k), 0,
                            1e-14);
            }
            ASSERT_NEAR(atan2(y[0] * z[1] - z[0] * y[1], y[0] * y[1] + z[0] * z[1]), turn, 1e-12);
        }
        end_rod(&b);
    }
}

// Segments show EA times the strain.
static void shows_axial_force(void** state) {
    (void)state;
    static const int32_t ends[2] = {0, 1};
    static const double rest[6] = {0, 0, 0, 0.5, 0, 0}, x[6] = {0, 0, 0, 0, 0.4, 0};
    rod_params p = default_params();
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = {
        .dim = 3, .kind = PLI_SEGMENT, .element_count = 1, .vertices = ends, .rest = rest};
    pli_term term = make_term(&memory, "rod", p.all, &domain);
    for (int v = 0; v < 2; ++v)
        ASSERT_NEAR(shown_at(&term, "axial_force", x, 2, 0, v), -0.2 * 70, 1e-12);
    assert_true(isnan(shown_at(&term, "curvature", x, 2, 0, 0)));
    end_term(&memory, &term);
}

// A ring: m1 towards the centre, natural curvature 1 / radius from the shape at rest or given;
// twist of its angles costs GJ/2 (twist/length)^2 L, wherever it is closed.
static void ring(void** state) {
    (void)state;
    enum { COUNT = 60 };
    rod b = {0};
    for (int i = 0; i < COUNT; ++i) {
        b.rest[3 * i] = cos(2 * pi * i / COUNT);
        b.rest[3 * i + 1] = sin(2 * pi * i / COUNT);
    }
    rod_params p = default_params();
    make_rod(&b, COUNT, true, &p);
    assert_int_equal(b.sink.count, COUNT);
    assert_true(rod_energy(&b, b.rest) == 0);
    end_rod(&b);
    b.term = (pli_term){0};
    p.named.straight = 1;
    make_rod(&b, COUNT, true, &p);
    double bent = rod_energy(&b, b.rest), exact = pi * 3; // EI1: in the plane of m1
    ASSERT_NEAR(bent, exact, 3e-3 * exact);
    end_rod(&b);
    b.term = (pli_term){0};
    p.named.straight = 0;
    // m1 is towards the centre, and the thread runs against the clock or with it
    p.named.curvature1 = 2 * tan(pi / COUNT) / (2 * sin(pi / COUNT));
    make_rod(&b, COUNT, true, &p);
    double one = rod_energy(&b, b.rest);
    assert_true(one < 1e-3);
    end_rod(&b);
}

// A thread across the axes of the gauge has no twist at rest if it is plane.
static void plane_curves_do_not_twist(void** state) {
    (void)state;
    enum { COUNT = 40 };
    rod b = {0};
    pli_random r = {31};
    double a[3] = {0.3, -0.5, 0.8}, c[3] = {0.9, 0.4, 0.1}, at[3] = {0};
    for (int i = 0; i < COUNT; ++i) {
        double angle = pli_random_in(&r, -0.5, 0.5) + 0.15 * i;
        pli_axpy(cos(angle), a, at, 3);
        pli_axpy(sin(angle), c, at, 3);
        pli_copy(at, b.rest + 3 * i, 3);
    }
    rod_params p = default_params();
    p.named.straight = 1;
    p.named.bending1 = p.named.bending2 = 1e-12;
    make_rod(&b, COUNT, false, &p);
    ASSERT_NEAR(rod_energy(&b, b.rest), 0.0, 1e-9);
    end_rod(&b);
}

static double refuse(rod* b, int count, const rod_params* p, const char* text) {
    pli_error error = {0};
    assert_int_equal(try_rod(b, count, false, p, &error), PLI_E_ARGUMENT);
    if (!strstr(error.message, text)) fail_msg("\"%s\" has no \"%s\"", error.message, text);
    end_rod(b);
    return 0;
}

static void bad_meshes(void** state) {
    (void)state;
    rod_params p = default_params();
    rod b = {.rest = {0, 0, 0, 1, 0, 0, 1, 0, 0}};
    refuse(&b, 3, &p, "vertices 1 and 2 has no length");
    rod folded = {.rest = {0, 0, 0, 1, 0, 0, 0.5, 0, 0}};
    refuse(&folded, 3, &p, "at vertex 1 fold back");
    rod along = {.rest = {0, 0, 0, 1, 0, 0, 2, 0, 0}};
    p.named.normal[0] = 2;
    refuse(&along, 3, &p, "is along the segment");
}

// ---- sections

static void sections(void** state) {
    (void)state;
    rod_params p = default_params();
    p.named.axial = p.named.bending1 = p.named.bending2 = p.named.torsion = NAN;
    p.named.young = 2e9;
    p.named.poisson = 0.25;
    p.named.radius = 0.02;
    p.named.inner = 0.01;
    assert_int_equal(pli_rod_check(p.all, NULL), PLI_OK);
    pli_rod_section tube = pli_rod_section_of(p.all);
    double A = pi * 3e-4, I = pi / 4 * (1.6e-7 - 1e-8);
    ASSERT_NEAR(tube.area, A, 1e-14 * A);
    ASSERT_NEAR(tube.EA, 2e9 * A, 1e-14 * 2e9 * A);
    ASSERT_NEAR(tube.EI[0], 2e9 * I, 1e-14 * 2e9 * I);
    ASSERT_NEAR(tube.GJ, 0.8e9 * 2 * I, 1e-14 * 2e9 * I);
    ASSERT_NEAR(find_type("rod")->section(p.all, 1), A, 1e-14 * A);
    p.named.radius = NAN;
    p.named.inner = 0;
    p.named.width = p.named.height = 0.1;
    pli_rod_section square = pli_rod_section_of(p.all);
    ASSERT_NEAR(square.GJ, 0.8e9 * 0.140577 * 1e-4, 1e-6 * square.GJ); // Timoshenko's table
    p.named.width = 0.2;
    pli_rod_section box = pli_rod_section_of(p.all);
    ASSERT_NEAR(box.GJ, 0.8e9 * 0.228682 * 2e-4, 1e-5 * box.GJ);
    ASSERT_NEAR(box.EI[0], 2e9 * 0.2 * 1e-3 / 12, 1e-9 * box.EI[0]);
    ASSERT_NEAR(box.EI[1], 2e9 * 0.1 * 8e-3 / 12, 1e-9 * box.EI[1]);
}

static void bad_sections(void** state) {
    (void)state;
    const struct {
        double radius, inner, width, height, young, axial;
        const char* text;
    } cases[] = {
        {NAN, 0, NAN, NAN, 1e9, NAN, "section is not known"},
        {0.1, 0, 0.1, NAN, 1e9, NAN, "radius is given together with width"},
        {NAN, 0, 0.1, NAN, 1e9, NAN, "width is given without height"},
        {0.1, 0.1, NAN, NAN, 1e9, NAN, "must be < radius"},
        {NAN, 0.1, 0.1, 0.1, 1e9, NAN, "inner is given without radius"},
        {0.1, 0, NAN, NAN, NAN, NAN, "young is not given"},
        {1e-90, 0, NAN, NAN, 1e9, NAN, "bending1 = 0"},
        {1e90, 0, NAN, NAN, 1e9, NAN, "bending1 = inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        rod_params p = default_params();
        pli_error error = {0};
        p.named.bending1 = p.named.bending2 = p.named.torsion = NAN;
        p.named.radius = cases[i].radius;
        p.named.inner = cases[i].inner;
        p.named.width = cases[i].width;
        p.named.height = cases[i].height;
        p.named.young = cases[i].young;
        p.named.axial = cases[i].axial;
        assert_int_equal(pli_rod_check(p.all, &error), PLI_E_ARGUMENT);
        if (!strstr(error.message, cases[i].text))
            fail_msg("\"%s\" has no \"%s\"", error.message, cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_large_motions),
        cmocka_unit_test(wire_stays_bent),
        cmocka_unit_test(rigid_motion),
        cmocka_unit_test(forces_balance),
        cmocka_unit_test(frames_agree),
        cmocka_unit_test(rest_shape_is_free),
        cmocka_unit_test(steps_are_bounded),
        cmocka_unit_test(helix_energy),
        cmocka_unit_test(shows_curvature_and_twist),
        cmocka_unit_test(shows_axial_force),
        cmocka_unit_test(ring),
        cmocka_unit_test(plane_curves_do_not_twist),
        cmocka_unit_test(bad_meshes),
        cmocka_unit_test(sections),
        cmocka_unit_test(bad_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
