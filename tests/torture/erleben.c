// The ten cases of Erleben (A4): tips, edges and corners that meet exactly, where the normal of a
// contact is not unique. Each with meshes made here and with those of the data folder.
#include "torture/torture.h"

#include <stdio.h>
#include <stdlib.h>

enum { DRAG = 1, REST = 2 };

typedef struct scene {
    const char *body, *obstacle;
    int does;
} scene;

static const scene scenes[] = {
    {"spike", "spike", 0},    {"wedge", "wedge", 0},
    {"spike", "wedge", 0},    {"spike", "crack", DRAG},
    {"wedge", "crack", DRAG}, {"spike", "hole", DRAG},
    {"spike", "plane", DRAG}, {"wedge", "plane", DRAG},
    {"cube", "cliff", REST},  {"cube", "internal_edges", REST},
};

// ---- shapes made here; a spike and a wedge are one high and have their tip at y = 1

static const double spike_points[] = {-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, 6, 0};
static const int32_t spike_tetrahedra[] = {0, 2, 1, 4, 0, 3, 2, 4};
static const int32_t spike_triangles[] = {0, 1, 2, 0, 2, 3, 0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0};

static const double wedge_points[] = {-1, 0, -2, 1, 0, -2, 0, 6, -2, -1, 0, 2, 1, 0, 2, 0, 6, 2};
static const int32_t wedge_tetrahedra[] = {0, 1, 2, 5, 0, 4, 1, 5, 0, 3, 4, 5};
static const int32_t wedge_triangles[] = {0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3,
                                          1, 2, 5, 1, 5, 4, 0, 3, 5, 0, 5, 2};

// A block with the top as wide as the cube and a wider foot.
static const double cliff_points[] = {-6, -8, -6, 6, -8, -6, 6, -8, 6, -6, -8, 6,
                                      -3, 0,  -3, 3, 0,  -3, 3, 0,  3, -3, 0,  3};
static const int32_t cliff_triangles[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                                          1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};

// A groove along z.
static const double crack_points[] = {-6, 0, -6, -1.5, 0, -6, 0, -1.5, -6, 1.5, 0, -6, 6, 0, -6,
                                      -6, 0, 6,  -1.5, 0, 6,  0, -1.5, 6,  1.5, 0, 6,  6, 0, 6};
static const int32_t crack_triangles[] = {0, 5, 6, 0, 6, 1, 1, 6, 7, 1, 7, 2,
                                          2, 7, 8, 2, 8, 3, 3, 8, 9, 3, 9, 4};

// A plate with a square hole and walls that go down from its rim.
static const double hole_points[] = {-6, 0,  -6, 6, 0,  -6, 6, 0,  6, -6, 0,  6,
                                     -1, 0,  -1, 1, 0,  -1, 1, 0,  1, -1, 0,  1,
                                     -1, -4, -1, 1, -4, -1, 1, -4, 1, -1, -4, 1};
static const int32_t hole_triangles[] = {0,  5, 1,  0, 4, 5,  1,  6, 2,  1, 5, 6,  2, 7, 3, 2,
                                         6,  7, 3,  4, 0, 3,  7,  4, 4,  8, 9, 4,  9, 5, 5, 9,
                                         10, 5, 10, 6, 6, 10, 11, 6, 11, 7, 7, 11, 8, 7, 8, 4};

static const double plane_points[] = {-30, 0, -30, 30, 0, -30, 30, 0, 30, -30, 0, 30};
static const int32_t plane_triangles[] = {0, 2, 1, 0, 3, 2};

// A plane of triangles of all sizes, with edges and vertices under the cube.
static const double edges_points[] = {-6, 0, -6, 0, 0, -6, 6,  0, -6, -6, 0, 0, 6, 0, 0, -6, 0, 6,
                                      0,  0, 6,  6, 0, 6,  -3, 0, 3,  3,  0, 3, 0, 0, 0, -1, 0, -2};
static const int32_t edges_triangles[] = {0, 3, 11, 0,  11, 1,  1,  11, 10, 1, 10, 4, 1, 4,
                                          2, 3, 8,  11, 8,  10, 11, 3,  5,  8, 5,  6, 8, 6,
                                          9, 8, 8,  9,  10, 9,  4,  10, 6,  7, 9,  7, 4, 9};

typedef struct shape {
    const char *name, *file, *solid_file;
    double scale, solid_scale; // of the file, to the same size
    int point_count;
    const double* points; // 1/6 m
    int triangle_count;
    const int32_t* triangles;
    int tetrahedron_count;
    const int32_t* tetrahedra;
} shape;

#define POINTS(list) PLI_ROWS(list) / 3, list
#define TRIANGLES(list) PLI_ROWS(list) / 3, list
#define TETRAHEDRA(list) PLI_ROWS(list) / 4, list
static const shape shapes[] = {
    {"spike", "tri/erleben/spike.obj", "tet/erleben/spike.msh", 1.0 / 3, 1.0 / 3,
     POINTS(spike_points), TRIANGLES(spike_triangles), TETRAHEDRA(spike_tetrahedra)},
    {"wedge", "tri/erleben/wedge.obj", "tet/erleben/wedge.msh", 1.0 / 3, 1.0 / 3,
     POINTS(wedge_points), TRIANGLES(wedge_triangles), TETRAHEDRA(wedge_tetrahedra)},
    {"cube", NULL, "tet/cube.msh", 1, 1, 0, NULL, 0, NULL, 0, NULL},
    {"cliff", "tri/erleben/cliff.obj", NULL, 1, 1, POINTS(cliff_points), TRIANGLES(cliff_triangles),
     0, NULL},
    {"crack", "tri/erleben/crack.obj", NULL, 0.25, 1, POINTS(crack_points),
     TRIANGLES(crack_triangles), 0, NULL},
    {"hole", "tri/erleben/hole.obj", NULL, 0.5, 1, POINTS(hole_points), TRIANGLES(hole_triangles),
     0, NULL},
    {"plane", "tri/plane.obj", NULL, 10, 1, POINTS(plane_points), TRIANGLES(plane_triangles), 0,
     NULL},
    {"internal_edges", "tri/erleben/internal_edges.obj", NULL, 1, 1, POINTS(edges_points),
     TRIANGLES(edges_triangles), 0, NULL},
};

static const shape* find_shape(const char* name) {
    const shape* s = shapes;
    while (strcmp(s->name, name) != 0) ++s;
    return s;
}

// Box around the mesh.
static void box_of(const pli_mesh* mesh, double low[3], double high[3]) {
    for (int c = 0; c < 3; ++c) {
        low[c] = HUGE_VAL;
        high[c] = -HUGE_VAL;
    }
    for (int i = 0; i < 3 * mesh->vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], mesh->positions[i]);
        high[i % 3] = fmax(high[i % 3], mesh->positions[i]);
    }
}

static pli_status make_shape(bout* b, const char* name, bool solid) {
    const shape* s = find_shape(name);
    const char* file = solid ? s->solid_file : s->file;
    if (b->row->word) {
        double scale = solid ? s->solid_scale : s->scale;
        TRY(pli_bout_file(b, file));
        pli_bout_scale(b, scale, scale, scale);
    } else if (!s->points) {
        TRY(pli_bout_box(b, 1, 1, 1, 1, 1, 1));
    } else {
        TRY(pli_mesh_add_vertices(&b->t.mesh, s->point_count, s->points, NULL, &b->t.error));
        TRY(pli_mesh_add_elements(&b->t.mesh, solid ? PLI_TETRAHEDRON : PLI_TRIANGLE,
                                  solid ? s->tetrahedron_count : s->triangle_count,
                                  solid ? s->tetrahedra : s->triangles, &b->t.error));
        pli_bout_scale(b, 1.0 / 6, 1.0 / 6, 1.0 / 6);
    }
    return PLI_OK;
}

// Its top (or bottom) at y, its middle at x = z = 0.
static void set_on(bout* b, double y, bool top) {
    double low[3], high[3];
    box_of(&b->t.mesh, low, high);
    pli_bout_move(b, -0.5 * (low[0] + high[0]), y - (top ? high[1] : low[1]),
                  -0.5 * (low[2] + high[2]));
}

// ---- worlds

// The vertices at the highest x go along x with 0.5 m/s for a metre, then they stay.
static pli_status drag(bout* b, pli_body_id id, const int32_t* list, int count) {
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = list;
    motion.vertex_count = count;
    motion.velocity[0] = 0.5;
    motion.travel = 1;
    return pli_world_prescribe(b->t.world, id, &motion, NULL, &b->t.error);
}

// number[0]: of the scene.
static pli_status build(bout* b) {
    const scene* s = &scenes[(int)b->row->number[0]];
    pli_world_def def = pli_torture_def(5e-3);
    def.contact.friction = 1;
    def.contact.dhat = 1e-3;
    def.solver.on_failure = "accept";
    TRY(pli_trial_world(&b->t, &def));
    bool file = b->row->word != NULL;
    TRY(make_shape(b, s->body, true));
    if (s->does != REST) pli_bout_turn(b, 180, 0, 0);
    set_on(b, s->does & DRAG ? 2e-3 : 0.01, false);
    if (s->does & DRAG) pli_bout_move(b, -0.4, 0, 0);
    if (strcmp(s->obstacle, "internal_edges") == 0) pli_bout_move(b, 0, 0, 0.07);
    int count;
    double low[3], high[3];
    box_of(&b->t.mesh, low, high);
    int32_t* list = pli_bout_between(b, 0, high[0] - 1e-9, high[0] + 1e-9, &count);
    pli_body_id id;
    pli_status status =
        pli_bout_add(b, "body", &(stuff){"fixed-corotated", 1e5, 0.4, 1000, {0}}, &id);
    if (status == PLI_OK && (s->does & DRAG)) status = drag(b, id, list, count);
    free(list);
    TRY(status);
    TRY(make_shape(b, s->obstacle, false));
    set_on(b, 0, true);
    if (file && strcmp(s->obstacle, "plane") == 0) pli_bout_move(b, 0.3, 0, 0.2);
    return pli_bout_add(b, "obstacle", &(stuff){0}, NULL);
}

// A cube comes to rest where it was put; nothing else flies away.
static pli_status judge(bout* b) {
    const scene* s = &scenes[(int)b->row->number[0]];
    double fast = pli_bout_speed(b, 0), low = pli_bout_lowest(b, 0, 1), x[3];
    pli_bout_mean(b, 0, pli_world_positions(b->t.world), x);
    snprintf(b->figure, sizeof b->figure, "centre at (%.3f, %.3f, %.3f), speed %.1e m/s", x[0],
             x[1], x[2], fast);
    bool rests = fast < 0.01 && low > 0 && low < 1e-3 && fabs(x[0]) < 0.02;
    if (s->does == REST && b->full && !rests)
        return pli_trial_wrong(&b->t, "%s: not at rest on the obstacle", b->figure);
    return PLI_OK;
}

#define CASE(i, text, flags)                                                                       \
    {.section = "A4",                                                                              \
     .name = text,                                                                                 \
     .build = build,                                                                               \
     .end = judge,                                                                                 \
     .number = {i},                                                                                \
     .steps = 240,                                                                                 \
     .full_steps = 2000,                                                                           \
     .may = MAY_INVERT | flags},                                                                   \
    {                                                                                              \
        .section = "A4", .name = text ", file", .build = build, .end = judge, .number = {i},       \
        .steps = 60, .full_steps = 2000, .may = MAY_INVERT | flags, .word = "file"                 \
    }
static const torture rows[] = {
    CASE(0, "spike on spike", 0),
    CASE(1, "wedge on wedge", 0),
    CASE(2, "spike on wedge", 0),
    CASE(3, "spike over crack", MAY_BLOCK),
    CASE(4, "wedge over crack", MAY_BLOCK),
    CASE(5, "spike over hole", MAY_BLOCK),
    CASE(6, "spike slides", MAY_BLOCK),
    CASE(7, "wedge slides", MAY_BLOCK),
    CASE(8, "cube on cliff", 0),
    CASE(9, "cube on internal edges", 0),
};

const ordeal pli_torture_erleben = {"Erleben", rows, PLI_ROWS(rows)};
