// Every public function with nothing where something should be, absurd numbers and the wrong order:
// an error with a message, or 0, NULL, "" from those that only read; never a crash. The table below
// must have a row for each function that a public header declares, which is why all of them are in
// this one long file.
#define _POSIX_C_SOURCE 200809L
#include "pliant/pliant.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The call fails, with a message where there is room for one (`e`) and without.
#define BAD(call)                                                                                  \
    for (int pass = 0; pass < 2; ++pass) {                                                         \
        pli_error filled = {0}, *e = pass ? NULL : &filled;                                        \
        if ((call) == PLI_OK) fail_msg("line %d is right: %s", __LINE__, #call);                   \
        if (e && (!e->message[0] || e->status == PLI_OK))                                          \
            fail_msg("line %d says nothing: %s", __LINE__, #call);                                 \
    }

static const double zero[3], nan3[3] = {0, NAN, 0}, inf3[3] = {INFINITY, 0, 0};
static const int ones[3] = {1, 1, 1};
static const int out_of_range[] = {-1, INT32_MIN, 7777, INT32_MAX};
#define EACH_NUMBER(n)                                                                             \
    for (int k_ = 0, n = out_of_range[0]; k_ < 4; ++k_, n = out_of_range[k_ < 4 ? k_ : 0])

// ---- things to call upon

static pli_mesh triangle(void) {
    pli_mesh mesh;
    const double x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int32_t corners[3] = {0, 1, 2};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_vertices(&mesh, 3, x, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, corners, NULL), PLI_OK);
    return mesh;
}

static pli_body_id add_triangle(pli_world* world) {
    pli_mesh mesh = triangle();
    pli_body_def def = pli_default_body_def();
    pli_body_id id = {0};
    def.mesh = &mesh;
    assert_int_equal(pli_world_add_body(world, &def, &id, NULL), PLI_OK);
    pli_mesh_free(&mesh);
    return id;
}

static pli_world* empty_world(void) {
    pli_world_def def = pli_default_world_def();
    pli_world* world = NULL;
    def.thread_count = 1;
    def.interactive = true;
    assert_int_equal(pli_world_create(&def, &world, NULL), PLI_OK);
    return world;
}

static pli_world* open_world(pli_body_id* id) {
    pli_world* world = empty_world();
    *id = add_triangle(world);
    return world;
}

static pli_world* ready_world(pli_body_id* id) {
    pli_world* world = open_world(id);
    assert_int_equal(pli_world_add_energy(world, *id, "neo-hookean", NULL, 0, NULL, NULL), PLI_OK);
    assert_int_equal(pli_world_prepare(world, NULL), PLI_OK);
    return world;
}

// ---- base

static void base(void) {
    assert_non_null(pli_version());
    assert_non_null(strstr(pli_licence(), "licence: "));
    assert_int_equal(pli_abi_version(), PLI_ABI_VERSION);
    EACH_NUMBER(n) assert_non_null(pli_status_text((pli_status)n));
}

// Lists and tables for those who write bindings.
static void tables(void) {
    EACH_NUMBER(n) {
        assert_null(pli_object_params((pli_object)n));
        assert_null(pli_energy_type_at(n));
        assert_string_equal(pli_element_word((pli_element_kind)n), "");
        assert_int_equal(pli_element_dimension((pli_element_kind)n), 0);
        assert_false(pli_energy_covers(pli_energy_type_at(0), n, PLI_SEGMENT));
        assert_false(pli_energy_covers(pli_energy_type_at(0), 2, (pli_element_kind)n));
        BAD(pli_energy_types_check(NULL, n, e));
        assert_null(pli_list_title((pli_list_kind)n));
        assert_int_equal(pli_list_count((pli_list_kind)n), 0);
        assert_null(pli_list_name((pli_list_kind)n, 0));
        assert_null(pli_list_help((pli_list_kind)n, 0));
        assert_null(pli_list_param((pli_list_kind)n, 0, 0));
        for (int list = 0; list < PLI_LIST_KIND_COUNT; ++list) {
            assert_null(pli_list_name((pli_list_kind)list, n));
            assert_null(pli_list_help((pli_list_kind)list, n));
            assert_null(pli_list_param((pli_list_kind)list, n, 0));
            assert_null(pli_list_param((pli_list_kind)list, 0, n));
        }
        int count = 7;
        assert_null(pli_material_settings(n, &count));
        assert_int_equal(count, 0);
        assert_null(pli_material_settings(n, NULL));
    }
    assert_false(pli_energy_covers(NULL, 2, PLI_SEGMENT));
    assert_false(pli_energy_acts_on(NULL, 2, PLI_SEGMENT, (int[PLI_ELEMENT_KIND_COUNT]){0}));
    assert_false(pli_energy_acts_on(pli_energy_type_at(0), 2, PLI_SEGMENT, NULL));
    BAD(pli_param_check_number(NULL, 0, e));
    BAD(pli_param_check_number(&pli_object_params(PLI_OBJECT_TIME)->rows[0], NAN, e));
    int untouched = 3;
    pli_params_default(NULL, &untouched);
    pli_params_default(pli_object_params(PLI_OBJECT_TIME), NULL);
    assert_int_equal(untouched, 3);
}

// Defaults for no def.
static void defaults(void) {
    pli_world_def_init(NULL);
    pli_body_def_init(NULL);
    pli_fix_def_init(NULL);
    pli_prescribe_def_init(NULL);
    pli_load_def_init(NULL);
    pli_stencils_def_init(NULL);
    pli_half_space_def_init(NULL);
    pli_contact_rule_def_init(NULL);
    pli_joint_def_init(NULL);
    pli_scene_def_init(NULL);
    pli_recorder_def_init(NULL);
    pli_export_def_init(NULL);
    pli_report_def_init(NULL);
    pli_import_def_init(NULL);
}

static void budget(void) {
    BAD(pli_budget_create(1, NULL, e));
    pli_budget_destroy(NULL);
    assert_int_equal(pli_budget_limit(NULL) + pli_budget_used(NULL) + pli_budget_peak(NULL), 0);
    assert_true(pli_budget_take(NULL, SIZE_MAX));
    pli_budget_give(NULL, 3);
    pli_budget* b = NULL;
    assert_int_equal(pli_budget_create(100, &b, NULL), PLI_OK);
    assert_false(pli_budget_take(b, SIZE_MAX));
    pli_budget_destroy(b);
}

// ---- meshes

static void mesh_build(void) {
    pli_mesh m = triangle();
    const int32_t wrong[3] = {0, 1, 3};
    pli_mesh_init(NULL, NULL);
    pli_mesh_free(NULL);
    BAD(pli_mesh_add_vertices(NULL, 1, zero, NULL, e));
    BAD(pli_mesh_add_vertices(&m, 1, NULL, NULL, e));
    BAD(pli_mesh_add_vertices(&m, -1, zero, NULL, e));
    BAD(pli_mesh_add_vertices(&m, INT32_MAX, zero, NULL, e));
    BAD(pli_mesh_add_vertices(&m, 1, nan3, NULL, e));
    BAD(pli_mesh_add_vertices(&m, 1, inf3, NULL, e));
    BAD(pli_mesh_add_elements(NULL, PLI_TRIANGLE, 1, wrong, e));
    BAD(pli_mesh_add_elements(&m, PLI_TRIANGLE, 1, wrong, e));
    BAD(pli_mesh_add_elements(&m, PLI_TRIANGLE, 1, NULL, e));
    BAD(pli_mesh_add_elements(&m, PLI_TRIANGLE, INT32_MAX, wrong, e));
    EACH_NUMBER(n) BAD(pli_mesh_add_elements(&m, (pli_element_kind)n, 1, wrong, e));
    BAD(pli_mesh_add_group(NULL, "a", 0, 0, 1, wrong, e));
    BAD(pli_mesh_add_group(&m, NULL, 0, 0, 1, wrong, e));
    BAD(pli_mesh_add_group(&m, "", 0, 0, 1, wrong, e));
    BAD(pli_mesh_add_group(&m, "a", 0, 9, 1, wrong, e));
    BAD(pli_mesh_add_group(&m, "a", 0, 0, 3, wrong, e));
    BAD(pli_mesh_add_group(&m, "a", 0, 0, 1, NULL, e));
    BAD(pli_mesh_add_group(&m, "a", 0, 0, -1, wrong, e));
    assert_int_equal(pli_mesh_find_group(NULL, "a"), -1);
    assert_int_equal(pli_mesh_find_group(&m, NULL), -1);
    assert_int_equal(m.vertex_count, 3);
    assert_int_equal(m.element_count[PLI_TRIANGLE], 1);
    assert_int_equal(m.group_count, 0);
    pli_mesh_free(&m);
    pli_mesh_free(&m); // it is empty
}

static void onto_nothing(const void* context, double x[3]) {
    (void)context;
    (void)x;
}

static void mesh_shapes(void) {
    pli_mesh m;
    pli_mesh_init(&m, NULL);
    const double size[3] = {1, 1, 1}, flat[3] = {1, 0, 1};
    const int huge[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, none[3] = {1, 0, 1};
    BAD(pli_mesh_add_rectangle(NULL, 1, 1, 1, 1, PLI_TRIANGLES, e));
    BAD(pli_mesh_add_rectangle(&m, 1, 1, 0, 1, PLI_TRIANGLES, e));
    BAD(pli_mesh_add_rectangle(&m, 1, 1, INT32_MAX, INT32_MAX, PLI_TRIANGLES, e));
    BAD(pli_mesh_add_rectangle(&m, NAN, 1, 1, 1, PLI_TRIANGLES, e));
    BAD(pli_mesh_add_rectangle(&m, 1, -1, 1, 1, PLI_TRIANGLES, e));
    BAD(pli_mesh_add_rectangle(&m, 1, 1, 1, 1, (pli_rectangle_pattern)7, e));
    BAD(pli_mesh_add_disk(NULL, 1, 1, e));
    BAD(pli_mesh_add_disk(&m, 1, INT32_MAX, e));
    BAD(pli_mesh_add_disk(&m, INFINITY, 1, e));
    BAD(pli_mesh_add_line(NULL, zero, size, 1, e));
    BAD(pli_mesh_add_line(&m, NULL, size, 1, e));
    BAD(pli_mesh_add_line(&m, nan3, size, 1, e));
    BAD(pli_mesh_add_line(&m, zero, size, INT32_MAX, e));
    BAD(pli_mesh_add_line(&m, zero, size, 0, e));
    BAD(pli_mesh_add_helix(NULL, 1, 1, 1, 9, e));
    BAD(pli_mesh_add_helix(&m, NAN, 1, 1, 9, e));
    BAD(pli_mesh_add_helix(&m, 1, INFINITY, 1, 9, e));
    BAD(pli_mesh_add_helix(&m, 1, 1, 1, INT32_MAX, e));
    BAD(pli_mesh_add_ring(NULL, 1, 9, e));
    BAD(pli_mesh_add_ring(&m, 1, -1, e));
    BAD(pli_mesh_add_ring(&m, 0, 9, e));
    BAD(pli_mesh_add_polyline(NULL, 2, zero, false, false, 1, e));
    BAD(pli_mesh_add_polyline(&m, 2, NULL, false, false, 1, e));
    BAD(pli_mesh_add_polyline(&m, -1, zero, true, true, 1, e));
    BAD(pli_mesh_add_strands(NULL, &m, &(pli_strands){0}, e));
    BAD(pli_mesh_add_strands(&m, NULL, &(pli_strands){0}, e));
    BAD(pli_mesh_add_strands(&m, &m, NULL, e));
    BAD(pli_mesh_add_strands(&m, &m, &(pli_strands){0}, e));
    BAD(pli_mesh_grow_strands(NULL, &m, &(pli_strands){0}, NULL, NULL, e));
    BAD(pli_mesh_grow_strands(&m, &m, NULL, NULL, NULL, e));
    BAD(pli_mesh_add_tube(NULL, 1, 1, 1, 1, PLI_ENDS_OPEN, e));
    BAD(pli_mesh_add_tube(&m, 1, NAN, 1, 1, PLI_ENDS_OPEN, e));
    BAD(pli_mesh_add_tube(&m, 1, 1, 1, 1, (pli_tube_ends)9, e));
    BAD(pli_mesh_add_tube(&m, 1, 1, INT32_MAX, INT32_MAX, PLI_ENDS_ROUND, e));
    BAD(pli_mesh_add_prism(NULL, 3, nan3, 1, e));
    BAD(pli_mesh_add_prism(&m, 3, NULL, 1, e));
    BAD(pli_mesh_add_prism(&m, -1, nan3, 1, e));
    BAD(pli_mesh_add_prism(&m, 3, nan3, NAN, e));
    BAD(pli_mesh_add_mesh(NULL, &m, e));
    BAD(pli_mesh_add_mesh(&m, NULL, e));
    BAD(pli_mesh_add_mesh(&m, &m, e));
    BAD(pli_mesh_add_sphere(NULL, 1, 1, e));
    BAD(pli_mesh_add_sphere(&m, 1, 0, e));
    BAD(pli_mesh_add_box(NULL, size, ones, e));
    BAD(pli_mesh_add_box(&m, NULL, ones, e));
    BAD(pli_mesh_add_box(&m, size, huge, e));
    BAD(pli_mesh_add_box(&m, flat, ones, e));
    BAD(pli_mesh_add_bar(&m, size, NULL, e));
    BAD(pli_mesh_add_bar(&m, size, none, e));
    BAD(pli_mesh_add_bar(&m, nan3, ones, e));
    BAD(pli_mesh_add_ball(NULL, 1, 1, e));
    BAD(pli_mesh_add_ball(&m, 1, INT32_MAX, e));
    BAD(pli_mesh_add_ball(&m, NAN, 1, e));
    BAD(pli_mesh_add_cylinder(NULL, 1, 1, 1, 1, e));
    BAD(pli_mesh_add_cylinder(&m, 1, 1, INT32_MAX, INT32_MAX, e));
    BAD(pli_mesh_add_cone(NULL, 1, 1, 1, 1, e));
    BAD(pli_mesh_add_cone(&m, 1, 1, 3, 2, e));
    BAD(pli_mesh_add_cone(&m, 1, 1, 30000, INT32_MAX, e));
    BAD(pli_mesh_add_torus(NULL, 1, 0.1, 1, 3, e));
    BAD(pli_mesh_add_torus(&m, 1, 2, 1, 3, e));
    BAD(pli_mesh_add_torus(&m, 1, 0.1, INT32_MAX, INT32_MAX, e));
    BAD(pli_mesh_curve(NULL, "surface", onto_nothing, NULL, e));
    BAD(pli_mesh_curve(&m, NULL, onto_nothing, NULL, e));
    BAD(pli_mesh_curve(&m, "surface", NULL, NULL, e));
    BAD(pli_mesh_curve(&m, "no such group", onto_nothing, NULL, e));
    pli_mesh_straighten(NULL);
    BAD(pli_mesh_fill(NULL, &m, 1, NULL, e));
    BAD(pli_mesh_fill(&m, NULL, 1, NULL, e));
    BAD(pli_mesh_fill(&m, &m, 1, NULL, e));
    BAD(pli_mesh_fill(&m, &(pli_mesh){0}, NAN, NULL, e));
    BAD(pli_mesh_fill(&m, &(pli_mesh){0}, 0, NULL, e));
    BAD(pli_mesh_make_quadratic(NULL, e));
    assert_int_equal(m.vertex_count, 0);
    pli_mesh_free(&m);
}

static void ignore_defect(void* context, bool grave, const char* message) {
    (void)context, (void)grave, (void)message;
}

static void mesh_files(void) {
    pli_mesh m = triangle(), nothing;
    pli_mesh_summary summary;
    char place[8];
    pli_mesh_init(&nothing, NULL);
    BAD(pli_mesh_read(NULL, "a.obj", e));
    BAD(pli_mesh_read(&m, NULL, e));
    BAD(pli_mesh_read(&m, "", e));
    BAD(pli_mesh_read(&m, "/nowhere.obj", e));
    BAD(pli_mesh_read(&m, "/tmp", e));
    BAD(pli_mesh_read_obj(NULL, "a.obj", e));
    BAD(pli_mesh_read_obj(&m, NULL, e));
    BAD(pli_mesh_read_uv(NULL, "a.obj", e));
    BAD(pli_mesh_read_uv(&m, NULL, e));
    BAD(pli_mesh_write(NULL, "/tmp/a.obj", e));
    BAD(pli_mesh_write(&m, NULL, e));
    BAD(pli_mesh_write(&m, "/nowhere/a.obj", e));
    BAD(pli_mesh_write(&m, "/tmp/a.unknown", e));
    assert_false(pli_mesh_is_file(NULL));
    assert_int_equal(pli_mesh_note_count(NULL), 0);
    assert_null(pli_mesh_note(NULL, 0));
    EACH_NUMBER(n) {
        assert_null(pli_mesh_note(&m, n));
        assert_string_equal(pli_mesh_place(&m, PLI_VERTEX, n, place, sizeof place), "");
        assert_string_equal(pli_mesh_place(&m, (pli_element_kind)n, 0, place, sizeof place), "");
    }
    assert_string_equal(pli_mesh_place(NULL, PLI_VERTEX, 0, place, sizeof place), "");
    BAD(pli_mesh_summarize(NULL, &summary, e));
    BAD(pli_mesh_summarize(&m, NULL, e));
    assert_int_equal(pli_mesh_summarize(&nothing, &summary, NULL), PLI_OK);
    assert_int_equal(pli_mesh_count_flat(NULL), 0);
    BAD(pli_mesh_find_defects(NULL, 3, ignore_defect, NULL, e));
    BAD(pli_mesh_find_defects(&m, 3, NULL, NULL, e));
    EACH_NUMBER(n) BAD(pli_mesh_find_defects(&m, n, ignore_defect, NULL, e));
    assert_int_equal(pli_mesh_find_defects(&nothing, 2, ignore_defect, NULL, NULL), PLI_OK);
    pli_mesh_free(&m);
}

// ---- worlds

static void no_defect(void* context, const pli_defect* defect) { (void)context, (void)defect; }

static void mesh_elements(void) {
    pli_mesh mesh = triangle();
    int32_t vertices[3] = {0, 1, 2};
    char text[8] = "x";
    int count = 7;
    assert_true(pli_element_measure(2, PLI_TRIANGLE, NULL, mesh.positions) == 0);
    assert_true(pli_element_measure(2, PLI_TRIANGLE, vertices, NULL) == 0);
    pli_element_mirror(PLI_TRIANGLE, NULL);
    EACH_NUMBER(n) {
        assert_true(pli_element_measure(2, (pli_element_kind)n, vertices, mesh.positions) == 0);
        pli_element_mirror((pli_element_kind)n, vertices);
        pli_defect defect = {.kind = (pli_defect_kind)n};
        pli_defect_text(&defect, text, sizeof text);
        (void)pli_defect_is_grave((pli_defect_kind)n);
        BAD(pli_mesh_check(&mesh, n, no_defect, NULL, e));
    }
    assert_int_equal(vertices[1], 1);
    assert_int_equal(pli_mass_dimension(NULL), 0);
    pli_defect_text(NULL, text, sizeof text);
    assert_string_equal(text, "");
    BAD(pli_mesh_check(NULL, 2, no_defect, NULL, e));
    BAD(pli_mesh_check(&mesh, 2, NULL, NULL, e));
    BAD(pli_mesh_count_loose(NULL, &count, e));
    BAD(pli_mesh_count_loose(&mesh, NULL, e));
    BAD(pli_mesh_keep_edges(NULL, e));
    BAD(pli_mesh_keep_surface(NULL, e));
    assert_int_equal(count, 7);
    pli_mesh_free(&mesh);
}

static void world_defs(void) {
    pli_world* world = NULL;
    pli_world_def def = pli_default_world_def();
    BAD(pli_world_def_check(NULL, e));
    def.thickness = NAN;
    BAD(pli_world_def_check(&def, e));
    def = pli_default_world_def();
    BAD(pli_world_create(NULL, &world, e));
    BAD(pli_world_create(&def, NULL, e));
    def.time_step = NAN;
    BAD(pli_world_create(&def, &world, e));
    def = pli_default_world_def();
    def.gravity[1] = INFINITY;
    BAD(pli_world_create(&def, &world, e));
    def = pli_default_world_def();
    def.dimension = 4;
    BAD(pli_world_create(&def, &world, e));
    def = pli_default_world_def();
    def.scheme = "no such scheme";
    BAD(pli_world_create(&def, &world, e));
    def = pli_default_world_def();
    def.solver.max_iterations = -1;
    BAD(pli_world_create(&def, &world, e));
    def = pli_default_world_def();
    def.contact.dhat = NAN;
    BAD(pli_world_create(&def, &world, e));
    def = pli_default_world_def();
    def.end_time = NAN;
    BAD(pli_world_create(&def, &world, e));
    const pli_energy_type none = {.abi = 0}, *types[1] = {&none};
    def = pli_default_world_def();
    def.energy_types = types;
    def.energy_type_count = 1;
    BAD(pli_world_create(&def, &world, e));
    assert_null(world);
    pli_world_destroy(NULL);
}

static void world_bodies(void) {
    pli_body_id id;
    pli_world* w = open_world(&id);
    pli_mesh mesh = triangle();
    const double bad[9] = {0, 0, 0, 0, NAN, 0, 0, 0, 0};
    pli_body_def def = pli_default_body_def();
    BAD(pli_world_add_body(NULL, &def, &id, e));
    BAD(pli_world_add_body(w, NULL, &id, e));
    BAD(pli_world_add_body(w, &def, &id, e)); // no mesh
    def.mesh = &mesh;
    def.initial = bad;
    BAD(pli_world_add_body(w, &def, &id, e));
    def.initial = NULL;
    def.velocities = bad;
    BAD(pli_world_add_body(w, &def, &id, e));
    def.velocities = NULL;
    def.velocity[2] = NAN;
    BAD(pli_world_add_body(w, &def, &id, e));
    def.velocity[2] = 0;
    def.density = -1;
    BAD(pli_world_add_body(w, &def, &id, e));
    def.density = 1;
    def.tag_count = 2;
    BAD(pli_world_add_body(w, &def, &id, e));
    def.tag_count = 0;
    def.modes = bad;
    def.mode_count = INT32_MAX;
    BAD(pli_world_add_body(w, &def, &id, e));
    def.mode_count = 1;
    BAD(pli_world_add_body(w, &def, &id, e));
    def.modes = NULL;
    mesh.positions[4] = NAN;
    BAD(pli_world_add_body(w, &def, &id, e));
    mesh.positions[4] = 0;
    mesh.elements[PLI_TRIANGLE][1] = 77;
    BAD(pli_world_add_body(w, &def, &id, e));
    assert_int_equal(pli_world_body_count(w), 1);
    pli_mesh_free(&mesh);
    pli_world_destroy(w);
}

static void sinks(void) {
    const int32_t vertex[1] = {0};
    int32_t node;
    pli_node_key key = {0};
    pli_node_def node_def = pli_default_node_def();
    BAD(pli_sink_stencil(NULL, vertex, e));
    BAD(pli_sink_node(NULL, &key, &node_def, &node, e));
    BAD(pli_sink_wide(NULL, 1, vertex, e));
    BAD(pli_sink_curvature(NULL, 0, 0, 0, zero, e));
    BAD(pli_hinge_stencils(NULL, NULL, e));
    BAD(pli_corner_stencils(NULL, NULL, e));
    BAD(pli_star_stencils(NULL, NULL, e));
}

static void world_adds(void) {
    pli_body_id id, stale = {.index = 0, .generation = 1234567};
    pli_world* w = open_world(&id);
    const pli_setting wrong = {"young", -5}, unknown = {"foo", 1}, nan = {"plane_stress", NAN};
    const int32_t far[1] = {99};
    pli_fix_def fix = pli_default_fix_def();
    pli_prescribe_def move = pli_default_prescribe_def();
    pli_load_def load = pli_default_load_def();
    pli_half_space_def plane = pli_default_half_space_def();
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    BAD(pli_world_add_energy(NULL, id, "neo-hookean", NULL, 0, NULL, e));
    BAD(pli_world_add_energy(w, stale, "neo-hookean", NULL, 0, NULL, e));
    BAD(pli_world_add_energy(w, id, NULL, NULL, 0, NULL, e));
    BAD(pli_world_add_energy(w, id, "no such", NULL, 0, NULL, e));
    BAD(pli_world_add_energy(w, id, "neo-hookean", &wrong, 1, NULL, e));
    BAD(pli_world_add_energy(w, id, "neo-hookean", &unknown, 1, NULL, e));
    BAD(pli_world_add_energy(w, id, "neo-hookean", &nan, 1, NULL, e));
    pli_stencils_def link = pli_default_stencils_def();
    pli_vertex_ref ends[2] = {{id, 0}, {id, 1}}, wild[2] = {{id, 0}, {id, 99}};
    BAD(pli_world_add_stencils(NULL, &link, NULL, e));
    BAD(pli_world_add_stencils(w, NULL, NULL, e));
    BAD(pli_world_add_stencils(w, &link, NULL, e)); // no energy
    link.energy = "spring";
    BAD(pli_world_add_stencils(w, &link, NULL, e)); // no stencils
    link.vertices = ends;
    link.count = -1;
    BAD(pli_world_add_stencils(w, &link, NULL, e));
    link.count = 1;
    link.kind = PLI_TETRAHEDRON;
    BAD(pli_world_add_stencils(w, &link, NULL, e));
    link.kind = (pli_element_kind)99;
    BAD(pli_world_add_stencils(w, &link, NULL, e));
    link.kind = PLI_STENCIL;
    link.vertices = wild;
    BAD(pli_world_add_stencils(w, &link, NULL, e));
    wild[1].body = stale;
    BAD(pli_world_add_stencils(w, &link, NULL, e));
    BAD(pli_world_fix(NULL, id, &fix, NULL, e));
    BAD(pli_world_fix(w, stale, &fix, NULL, e));
    BAD(pli_world_fix(w, id, NULL, NULL, e));
    fix.vertices = far;
    fix.vertex_count = 1;
    BAD(pli_world_fix(w, id, &fix, NULL, e));
    fix = pli_default_fix_def();
    fix.normal[0] = NAN;
    BAD(pli_world_fix(w, id, &fix, NULL, e));
    BAD(pli_world_prescribe(NULL, id, &move, NULL, e));
    BAD(pli_world_prescribe(w, stale, &move, NULL, e));
    BAD(pli_world_prescribe(w, id, NULL, NULL, e));
    move.velocity[0] = NAN;
    BAD(pli_world_prescribe(w, id, &move, NULL, e));
    BAD(pli_world_add_load(NULL, id, &load, NULL, e));
    BAD(pli_world_add_load(w, stale, &load, NULL, e));
    BAD(pli_world_add_load(w, id, NULL, NULL, e));
    load.value[1] = NAN;
    BAD(pli_world_add_load(w, id, &load, NULL, e));
    load = pli_default_load_def();
    load.kind = "magic";
    BAD(pli_world_add_load(w, id, &load, NULL, e));
    BAD(pli_world_add_half_space(NULL, &plane, NULL, e));
    BAD(pli_world_add_half_space(w, NULL, NULL, e));
    plane.normal[1] = 0;
    BAD(pli_world_add_half_space(w, &plane, NULL, e));
    plane.normal[1] = NAN;
    BAD(pli_world_add_half_space(w, &plane, NULL, e));
    BAD(pli_world_add_contact_rule(NULL, &rule, NULL, e));
    BAD(pli_world_add_contact_rule(w, NULL, NULL, e));
    rule.friction = NAN;
    BAD(pli_world_add_contact_rule(w, &rule, NULL, e));
    assert_int_equal(pli_world_support_count(w) + pli_world_half_space_count(w), 0);
    pli_world_destroy(w);
}

static void joints(void) {
    pli_body_id body;
    pli_world* w = ready_world(&body);
    pli_joint_def def = pli_default_joint_def();
    pli_joint_info info;
    int32_t vertices[1] = {-1};
    BAD(pli_world_add_joint(NULL, &def, NULL, e));
    BAD(pli_world_add_joint(w, NULL, NULL, e));
    BAD(pli_world_add_joint(w, &def, NULL, e)); // between the world and itself
    def.ends[0].body = body;
    def.at[0] = NAN;
    BAD(pli_world_add_joint(w, &def, NULL, e));
    def.at[0] = 0;
    def.type = NULL;
    BAD(pli_world_add_joint(w, &def, NULL, e));
    def.type = "ball";
    def.ends[0].vertices = vertices;
    BAD(pli_world_add_joint(w, &def, NULL, e));
    def.ends[0].vertex_count = 1;
    BAD(pli_world_add_joint(w, &def, NULL, e));
    BAD(pli_world_remove_joint(w, (pli_joint_id){0}, e));
    BAD(pli_world_set_joint_motor(w, (pli_joint_id){0}, PLI_JOINT_ANGLE, "velocity", 1, 1, e));
    BAD(pli_world_set_joint_motor(NULL, (pli_joint_id){0}, PLI_JOINT_ANGLE, NULL, 1, 1, e));
    assert_int_equal(pli_world_joint_number(w, (pli_joint_id){0}), -1);
    assert_int_equal(pli_world_joint_count(w) + pli_world_joint_count(NULL), 0);
    assert_false(pli_world_joint(NULL, 0, &info) || pli_world_joint(w, 0, NULL));
    EACH_NUMBER(n) {
        assert_int_equal(pli_world_joint_id(w, n).generation, 0);
        assert_false(pli_world_joint(w, n, &info));
    }
    assert_null(pli_joint_type_name(-1));
    assert_null(pli_joint_motor_name(-1));
    assert_null(pli_joint_motor_name(1000));
    assert_null(pli_joint_type_help(1000));
    pli_world_destroy(w);
}

static bool refuse_bytes(void* context, const void* bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return false;
}

// Everything is added before the first step; a world that failed stays failed.
static void world_order(void) {
    pli_body_id id;
    pli_world* w = ready_world(&id);
    pli_mesh mesh = triangle();
    pli_body_def body = pli_default_body_def();
    pli_fix_def fix = pli_default_fix_def();
    pli_prescribe_def move = pli_default_prescribe_def();
    pli_load_def load = pli_default_load_def();
    pli_half_space_def plane = pli_default_half_space_def();
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    body.mesh = &mesh;
    assert_int_equal(pli_world_prepare(w, NULL), PLI_OK); // again does nothing
    assert_int_equal(pli_world_add_body(w, &body, &id, NULL),
                     PLI_OK); // a prepared world can change
    assert_int_equal(pli_world_add_energy(w, id, "neo-hookean", NULL, 0, NULL, NULL), PLI_OK);
    assert_int_equal(pli_world_fix(w, id, &fix, NULL, NULL), PLI_OK);
    BAD(pli_world_prescribe(w, id, &move, NULL, e)); // it is fixed
    assert_int_equal(pli_world_add_load(w, id, &load, NULL, NULL), PLI_OK);
    assert_int_equal(pli_world_add_half_space(w, &plane, NULL, NULL), PLI_OK);
    assert_int_equal(pli_world_add_contact_rule(w, &rule, NULL, NULL), PLI_OK);
    BAD(pli_world_prepare(w, e)); // both are at the same place
    BAD(pli_world_step(w, NULL, e));
    assert_int_equal(pli_world_remove_body(w, id, NULL), PLI_OK);
    assert_int_equal(pli_world_remove_half_space(w, pli_world_half_space_id(w, 0), NULL), PLI_OK);
    assert_int_equal(pli_world_step(w, NULL, NULL), PLI_OK);
    pli_world_destroy(w);
    w = empty_world(); // one that has no bodies
    BAD(pli_world_step(w, NULL, e));
    BAD(pli_world_verify(w, e));
    pli_world_destroy(w);
    w = empty_world(); // a triangle inside out cannot be prepared
    mesh.positions[3] = -1;
    assert_int_equal(pli_world_add_body(w, &body, &id, NULL), PLI_OK);
    assert_int_equal(pli_world_add_energy(w, id, "neo-hookean", NULL, 0, NULL, NULL), PLI_OK);
    BAD(pli_world_prepare(w, e));
    BAD(pli_world_step(w, NULL, e));
    BAD(pli_world_verify(w, e));
    BAD(pli_world_save(w, refuse_bytes, NULL, e));
    pli_body_id wrong = id; // without it the world can be prepared
    mesh.positions[3] = 1;
    assert_int_equal(pli_world_add_body(w, &body, &id, NULL), PLI_OK);
    BAD(pli_world_prepare(w, e));
    assert_int_equal(pli_world_remove_body(w, wrong, NULL), PLI_OK);
    assert_int_equal(pli_world_prepare(w, NULL), PLI_OK);
    pli_mesh_free(&mesh);
    pli_world_destroy(w);
}

// Ids of nothing: never given, of another world, of what was removed.
static void change_ids(void) {
    pli_body_id body;
    pli_world *w = ready_world(&body), *other = ready_world(&body), *copy = NULL;
    pli_half_space_def plane = pli_default_half_space_def();
    plane.point[1] = -5;
    assert_int_equal(pli_world_add_half_space(other, &plane, NULL, NULL), PLI_OK);
    pli_body_id bodies[3] = {{0}, body, {7, body.generation}};
    pli_half_space_id planes[2] = {{0}, pli_world_half_space_id(other, 0)};
    for (int i = 0; i < 3; ++i) {
        BAD(pli_world_remove_body(w, bodies[i], e));
        BAD(pli_world_set_velocities(w, bodies[i], zero, false, e));
        BAD(pli_world_edit(w, bodies[i], NULL, NULL, NULL, e));
        assert_int_equal(pli_world_body_number(w, bodies[i]), -1);
    }
    for (int i = 0; i < 2; ++i) {
        BAD(pli_world_remove_half_space(w, planes[i], e));
        BAD(pli_world_set_half_space_friction(w, planes[i], 0.1, 0, e));
        assert_int_equal(pli_world_half_space_number(w, planes[i]), -1);
    }
    BAD(pli_world_remove_support(w, (pli_support_id){0}, e));
    BAD(pli_world_remove_energy(w, (pli_energy_id){0}, e));
    BAD(pli_world_remove_load(w, (pli_load_id){0}, e));
    BAD(pli_world_remove_contact_rule(w, (pli_rule_id){0}, e));
    BAD(pli_world_set_energy(w, (pli_energy_id){0}, NULL, 0, e));
    BAD(pli_world_set_load(w, (pli_load_id){0}, zero, e));
    BAD(pli_world_set_target(w, (pli_support_id){0}, zero, e));
    assert_int_equal(pli_world_support_number(w, (pli_support_id){0}), -1);
    assert_int_equal(pli_world_load_number(w, (pli_load_id){0}), -1);
    EACH_NUMBER(n) {
        assert_int_equal(pli_world_body_id(w, n).generation, 0);
        assert_int_equal(pli_world_support_id(w, n).generation, 0);
        assert_int_equal(pli_world_load_id(w, n).generation, 0);
        assert_int_equal(pli_world_half_space_id(w, n).generation, 0);
        assert_int_equal(pli_world_energy_id(w, n).generation, 0);
    }
    double value;
    assert_null(pli_world_energy_type(w, (pli_energy_id){0}));
    assert_false(pli_world_energy_setting(w, (pli_energy_id){0}, "young", &value));
    assert_false(pli_world_energy_setting(NULL, (pli_energy_id){0}, NULL, NULL));
    assert_int_equal(pli_world_added_energy_count(NULL), 0);
    assert_int_equal(pli_world_topology_epoch(NULL), 0);
    BAD(pli_world_clone(NULL, &copy, e));
    BAD(pli_world_clone(w, NULL, e));
    pli_world_destroy(w);
    pli_world_destroy(other);
}

static void change_values(void) {
    pli_body_id id;
    pli_world* w = ready_world(&id);
    pli_energy_id energy = pli_world_energy_id(w, 0);
    pli_setting wrong = {"young", -1}, nameless = {NULL, 1}, unknown = {"colour", 1};
    BAD(pli_world_set_gravity(NULL, zero, e));
    BAD(pli_world_set_gravity(w, NULL, e));
    BAD(pli_world_set_gravity(w, nan3, e));
    BAD(pli_world_set_kinematics(NULL, (pli_body_id){0}, "rigid", e));
    BAD(pli_world_set_kinematics(w, (pli_body_id){0}, "rigid", e));
    BAD(pli_world_set_kinematics(w, (pli_body_id){0}, NULL, e));
    BAD(pli_world_set_kinematics(w, (pli_body_id){0}, "stiff", e));
    BAD(pli_world_set_velocities(w, id, NULL, false, e));
    BAD(pli_world_set_velocities(w, id, inf3, false, e));
    if (energy.generation > 0) {
        BAD(pli_world_set_energy(w, energy, &wrong, 1, e));
        BAD(pli_world_set_energy(w, energy, &nameless, 1, e));
        BAD(pli_world_set_energy(w, energy, &unknown, 1, e));
        BAD(pli_world_set_energy(w, energy, NULL, 1, e));
        BAD(pli_world_set_energy(w, energy, &wrong, -1, e));
        BAD(pli_world_set_energy_field(w, energy, NULL, NULL, e)); // it has no input
    }
    BAD(pli_world_set_energy_field(NULL, energy, NULL, NULL, e));
    BAD(pli_world_set_energy_field(w, (pli_energy_id){0}, NULL, NULL, e));
    BAD(pli_world_set_friction(w, NAN, 0, e));
    BAD(pli_world_set_friction(NULL, 0.1, 0, e));
    BAD(pli_world_set_contact_stiffness(w, 0, e));
    BAD(pli_world_set_contact_stiffness(w, INFINITY, e));
    BAD(pli_world_set_time_step(w, 0, e));
    BAD(pli_world_set_time_step(w, NAN, e));
    BAD(pli_world_edit(w, id, NULL, NULL, NULL, e));
    assert_int_equal(pli_world_step(w, NULL, NULL), PLI_OK);
    pli_world_destroy(w);
}

static void world_calls(void) {
    pli_body_id id;
    pli_world* w = ready_world(&id);
    pli_step_info info;
    pli_crossing_info crossing;
    pli_memory_prediction prediction;
    int count = 0;
    const double bad[9] = {0, 0, 0, NAN, 0, 0, 0, 0, 0};
    const double far[9] = {0, 0, 0, 1e200, 0, 0, 0, 1e200, 0};
    pli_world_state state = {.time = NAN};
    BAD(pli_world_set_body_user(NULL, id, w, e));
    BAD(pli_world_set_body_user(w, (pli_body_id){0}, w, e));
    BAD(pli_world_prepare(NULL, e));
    BAD(pli_world_step(NULL, &info, e));
    BAD(pli_world_grab(NULL, 0, zero, 1, e));
    BAD(pli_world_grab(w, 0, NULL, 1, e));
    BAD(pli_world_grab(w, 0, nan3, 1, e));
    BAD(pli_world_grab(w, 0, zero, NAN, e));
    BAD(pli_world_grab(w, 0, zero, -1, e));
    BAD(pli_world_grab_body(NULL, 0, zero, 1, e));
    BAD(pli_world_grab_body(w, 0, inf3, 1, e));
    EACH_NUMBER(n) {
        BAD(pli_world_grab(w, n, zero, 1, e));
        BAD(pli_world_grab_body(w, n, zero, 1, e));
        BAD(pli_world_body_triangles(w, n, NULL, &count, e));
    }
    pli_world_release(NULL);
    BAD(pli_world_set_state(NULL, &state, e));
    BAD(pli_world_set_state(w, NULL, e));
    BAD(pli_world_set_state(w, &state, e));
    state = (pli_world_state){.positions = bad};
    BAD(pli_world_set_state(w, &state, e));
    state = (pli_world_state){.positions = far};
    BAD(pli_world_set_state(w, &state, e));
    state = (pli_world_state){.velocities = bad};
    BAD(pli_world_set_state(w, &state, e));
    state = (pli_world_state){.step = -1};
    BAD(pli_world_set_state(w, &state, e));
    state = (pli_world_state){.step = INT32_MAX};
    assert_int_equal(pli_world_set_state(w, &state, NULL), PLI_OK);
    BAD(pli_world_step(w, &info, e)); // there is no number for it
    state = (pli_world_state){.step = 0};
    assert_int_equal(pli_world_set_state(w, &state, NULL), PLI_OK);
    BAD(pli_world_save(NULL, refuse_bytes, NULL, e));
    BAD(pli_world_set_cancel(NULL, NULL, NULL, e));
    assert_false(pli_cancel_if_set(NULL));
    BAD(pli_world_keep_array(NULL, zero, e));
    BAD(pli_world_keep_array(w, NULL, e));
    pli_world_drop_array(NULL, zero);
    pli_world_drop_array(w, NULL);
    pli_world_drop_array(w, zero); // not kept
    BAD(pli_world_save(w, NULL, NULL, e));
    BAD(pli_world_save(w, refuse_bytes, NULL, e));
    BAD(pli_world_restore(NULL, "x", 1, e));
    BAD(pli_world_restore(w, NULL, 0, e));
    BAD(pli_world_restore(w, NULL, 100, e));
    BAD(pli_world_restore(w, "x", 1, e));
    BAD(pli_world_restore(w, "", 0, e));
    BAD(pli_world_body_triangles(NULL, 0, NULL, &count, e));
    BAD(pli_world_body_triangles(w, 0, NULL, NULL, e));
    BAD(pli_world_verify(NULL, e));
    BAD(pli_world_crossings(NULL, 1, &crossing, &count, e));
    BAD(pli_world_crossings(w, 1, NULL, &count, e));
    BAD(pli_world_crossings(w, -1, &crossing, &count, e));
    BAD(pli_world_crossings(w, 1, &crossing, NULL, e));
    BAD(pli_world_predict_memory(NULL, &prediction, e));
    BAD(pli_world_predict_memory(w, NULL, e));
    assert_int_equal(pli_world_step(w, &info, NULL), PLI_OK); // none of it did harm
    assert_true(info.kept);
    pli_world_destroy(w);
}

// Readers of a world that is NULL, empty, open or ready, with numbers out of range.
static void read_world(const pli_world* w) {
    double v[3], field[60];
    pli_element_fields fields = {.energy = field};
    pli_world_gravity(w, NULL);
    pli_world_gravity(w, v);
    pli_world_half_space(w, 0, NULL, v);
    pli_world_half_space(w, 0, v, NULL);
    pli_world_contact_force(w, 0, 1, NULL);
    assert_true(pli_world_time(w) >= 0 && pli_world_time_step(w) >= 0);
    assert_true(pli_world_dimension(w) >= 0 && pli_world_step_count(w) >= 0);
    assert_true(pli_world_unknown_count(w) >= 0 && pli_world_vertex_count(w) >= 0);
    assert_true(w || pli_world_topology_epoch(w) == 0);
    assert_true(pli_world_vertex_count(w) == 0 || pli_world_positions(w));
    const void* arrays[] = {pli_world_velocities(w),     pli_world_rest_positions(w),
                            pli_world_reactions(w),      pli_world_residuals(w),
                            pli_world_vertex_masses(w),  pli_world_contacts(w),
                            pli_world_contact_forces(w), pli_world_friction_forces(w),
                            pli_world_node_values(w),    pli_world_node_rates(w)};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) assert_true(w || !arrays[i]);
    assert_non_null(pli_world_residual_unit(w));
    assert_true(pli_world_body_count(w) + pli_world_contact_count(w) >= 0);
    assert_true(pli_world_body_contact_count(w) + pli_world_half_space_count(w) >= 0);
    assert_true(pli_world_support_count(w) >= 0 && pli_world_energy_count(w) >= 1);
    assert_int_equal(pli_world_node_count(w), 0);
    assert_int_equal(pli_world_field_count(w), 0);
    assert_true(pli_world_dhat(w) >= 0 && pli_world_contact_stiffness(w) >= 0);
    assert_true(pli_world_memory(w) <= pli_world_memory_peak(w) && pli_world_memory_calls(w) >= 0);
    assert_true(pli_world_balance(w).kinetic == 0);
    EACH_NUMBER(n) {
        pli_element_kind kind = (pli_element_kind)n;
        assert_string_equal(pli_world_body_name(w, n), "");
        assert_true(pli_world_body_hash(w, n) == 0);
        assert_false(pli_world_body_is_obstacle(w, n));
        assert_null(pli_world_body_user(w, n));
        assert_false(pli_world_body_is_cage(w, n));
        assert_true(pli_world_body_thickness(w, n) == 0 && pli_world_body_vertex(w, n) >= 0);
        assert_true(pli_world_body_radius(w, n) == 0);
        assert_null(pli_world_field(w, n).name);
        pli_world_field_values(w, n, NULL, NULL);
        assert_int_equal(pli_world_element_count(w, kind), 0);
        assert_null(pli_world_elements(w, kind));
        assert_true(pli_world_body_element(w, n, PLI_TRIANGLE) >= 0);
        assert_int_equal(pli_world_body_element(w, 0, kind), 0);
        assert_string_equal(pli_world_support(w, n).kind, "");
        assert_int_equal(pli_world_node(w, n).body, -1);
        pli_world_element_fields(w, kind, &fields);
        assert_string_equal(pli_world_energy_name(w, n), "");
        assert_true(pli_world_energy_value(w, n) == 0 && !pli_world_energy_stored(w, n));
        assert_int_equal(pli_world_body_contact(w, n).count, 0);
        assert_string_equal(pli_world_half_space_name(w, n), "");
        assert_int_equal(pli_world_half_space_carrier(w, n), -1);
        pli_world_half_space(w, n, v, v);
        pli_world_contact_force(w, n, n, v);
        assert_true(v[0] == 0 && v[1] == 0);
    }
    pli_world_element_fields(w, PLI_TRIANGLE, NULL);
    pli_world_element_fields(w, PLI_TRIANGLE, &fields);
}

static void queries(void) {
    pli_body_id id;
    pli_world *w = open_world(&id), *ready = ready_world(&id);
    const double down[3] = {0, -1, 0};
    pli_hit hit;
    bool found;
    BAD(pli_world_cast_ray(NULL, zero, down, 1, &hit, &found, e));
    BAD(pli_world_cast_ray(w, zero, down, 1, &hit, &found, e)); // not prepared
    BAD(pli_world_cast_ray(ready, NULL, down, 1, &hit, &found, e));
    BAD(pli_world_cast_ray(ready, zero, NULL, 1, &hit, &found, e));
    BAD(pli_world_cast_ray(ready, zero, zero, 1, &hit, &found, e));
    BAD(pli_world_cast_ray(ready, nan3, down, 1, &hit, &found, e));
    BAD(pli_world_cast_ray(ready, zero, nan3, 1, &hit, &found, e));
    BAD(pli_world_cast_ray(ready, zero, inf3, 1, &hit, &found, e));
    BAD(pli_world_cast_ray(ready, zero, down, NAN, &hit, &found, e));
    BAD(pli_world_cast_ray(ready, zero, down, 1, NULL, &found, e));
    BAD(pli_world_cast_ray(ready, zero, down, 1, &hit, NULL, e));
    BAD(pli_world_closest_point(NULL, zero, 1, &hit, &found, e));
    BAD(pli_world_closest_point(w, zero, 1, &hit, &found, e));
    BAD(pli_world_closest_point(ready, NULL, 1, &hit, &found, e));
    BAD(pli_world_closest_point(ready, inf3, 1, &hit, &found, e));
    BAD(pli_world_closest_point(ready, zero, NAN, &hit, &found, e));
    BAD(pli_world_closest_point(ready, zero, 1, NULL, &found, e));
    BAD(pli_world_closest_point(ready, zero, 1, &hit, NULL, e));
    assert_int_equal(pli_world_closest_point(ready, zero, -1, &hit, &found, NULL), PLI_OK);
    assert_false(found);
    EACH_NUMBER(n) if (n != -1) {
        assert_true(pli_world_body_summary(ready, n, NULL).mass == 0);
        assert_true(pli_world_body_summary(NULL, n, zero).mass == 0);
    }
    assert_true(pli_world_body_summary(w, -1, NULL).mass == 0);
    pli_world_destroy(w);
    pli_world_destroy(ready);
}

static void derivatives(void) {
    pli_body_id id;
    pli_world *w = open_world(&id), *ready = ready_world(&id), *worlds[2] = {NULL, w};
    pli_sparse matrix = {0};
    pli_step_rule rule;
    uint8_t held[99];
    double v[99];
    for (int i = 0; i < 2; ++i) { // none, not prepared
        BAD(pli_world_step_rule(worlds[i], &rule, e));
        BAD(pli_world_unknowns(worlds[i], v, v, e));
        BAD(pli_world_held_unknowns(worlds[i], held, e));
        BAD(pli_world_map(worlds[i], &matrix, e));
        BAD(pli_world_mass_matrix(worlds[i], &matrix, e));
        BAD(pli_world_gradient(worlds[i], PLI_OF_POTENTIAL, v, v, e));
        BAD(pli_world_hessian(worlds[i], PLI_OF_POTENTIAL, &matrix, e));
    }
    BAD(pli_world_step_rule(ready, NULL, e));
    BAD(pli_world_step_rule(ready, &rule, e)); // no step yet
    BAD(pli_world_held_unknowns(ready, NULL, e));
    BAD(pli_world_map(ready, NULL, e));
    BAD(pli_world_mass_matrix(ready, NULL, e));
    BAD(pli_world_hessian(ready, PLI_OF_POTENTIAL, NULL, e));
    BAD(pli_world_hessian(ready, PLI_OF_STEP, &matrix, e));
    EACH_NUMBER(n) {
        BAD(pli_world_gradient(ready, (pli_derivative_of)n, v, v, e));
        BAD(pli_world_hessian(ready, (pli_derivative_of)n, &matrix, e));
    }
    assert_int_equal(pli_world_unknowns(ready, NULL, NULL, NULL), PLI_OK);
    assert_int_equal(pli_world_gradient(ready, PLI_OF_POTENTIAL, NULL, NULL, NULL), PLI_OK);
    assert_true(matrix.count == 0 && !matrix.store);
    pli_sparse_free(&matrix);
    pli_sparse_free(NULL);
    pli_world_destroy(w);
    pli_world_destroy(ready);
}

static void no_near(void* context, const pli_near_info* pair) { (void)context, (void)pair; }
static void no_inside(void* context, const pli_inside_info* found) { (void)context, (void)found; }

static void survey(void) {
    pli_body_id id;
    pli_world* w = open_world(&id);
    pli_crossing_info crossing;
    int count = 0, pair[2];
    BAD(pli_survey_crossings(NULL, NULL, 0, NULL, &count, e));
    BAD(pli_survey_crossings(w, NULL, 0, NULL, NULL, e));
    BAD(pli_survey_crossings(w, NULL, -1, &crossing, &count, e));
    BAD(pli_survey_crossings(w, NULL, 1, NULL, &count, e));
    BAD(pli_survey_near(NULL, NULL, 1, no_near, NULL, e));
    BAD(pli_survey_near(w, NULL, 1, NULL, NULL, e));
    BAD(pli_survey_near(w, NULL, NAN, no_near, NULL, e));
    BAD(pli_survey_near(w, NULL, 0, no_near, NULL, e));
    BAD(pli_survey_inside(NULL, NULL, no_inside, NULL, e));
    BAD(pli_survey_inside(w, NULL, NULL, NULL, e));
    assert_false(pli_survey_touches(w, 0, 0)); // nobody has looked
    assert_int_equal(pli_survey_crossings(w, NULL, 0, NULL, &count, NULL), PLI_OK);
    assert_true(pli_survey_touches(w, 0, 0));
    EACH_NUMBER(n) {
        assert_false(pli_survey_touches(w, n, 0));
        assert_false(pli_survey_touches(w, 0, n));
        assert_false(pli_survey_exempt(w, n, pair));
    }
    assert_false(pli_survey_touches(NULL, 0, 0));
    assert_false(pli_survey_exempt(NULL, 0, pair));
    assert_true(pli_survey_resolution(NULL) == 0);
    assert_false(pli_world_is_busy(NULL));
    assert_false(pli_world_is_busy(w));
    pli_world_destroy(w);
}

static void world_readers(void) {
    pli_body_id id;
    pli_world* worlds[4] = {NULL, empty_world(), open_world(&id), ready_world(&id)};
    for (int i = 0; i < 4; ++i) {
        read_world(worlds[i]);
        pli_world_destroy(worlds[i]);
    }
    EACH_NUMBER(n) {
        assert_null(pli_scheme_name(n));
        assert_null(pli_scheme_help(n));
        assert_false(pli_scheme_statics(n));
        assert_false(pli_scheme_dissipates(n));
        assert_non_null(pli_reason_text((pli_reason)n));
        assert_null(pli_field_at(n).key);
    }
}

// ---- scenes

static void write_nowhere(void* context, const char* text) { (void)context, (void)text; }

static void read_scene(pli_scene* s) {
    char text[50];
    bool applied = false;
    assert_true(pli_scene_finding_count(s) >= pli_scene_error_count(s));
    assert_true(pli_scene_crossing_count(s) == 0 && pli_scene_parameter_count(s) >= 0);
    assert_null(pli_scene_crossings(s));
    assert_null(pli_scene_crossed_world(s));
    EACH_NUMBER(n) {
        assert_null(pli_scene_finding(s, n));
        assert_string_equal(pli_scene_finding_text(s, n, text, sizeof text), "");
        assert_null(pli_scene_parameter_at(s, n));
        assert_null(pli_scene_override(s, n));
        assert_string_equal(pli_scene_event_at(s, n).body, "");
        BAD(pli_scene_set_parameter(s, n, (double[3]){0}, &applied, e));
    }
    BAD(pli_scene_set_parameter(s, 0, NULL, &applied, e));
    BAD(pli_scene_set_parameter(s, 0, (double[3]){0}, NULL, e));
    assert_non_null(pli_scene_text(s));
    assert_non_null(pli_scene_path(s));
    assert_int_equal(pli_scene_override_count(s), 0);
    assert_int_equal(pli_scene_event_count(s), 0);
    BAD(pli_scene_update(s, 1, NULL, e)); // no world
}

static void scene(void) {
    pli_scene* s = NULL;
    pli_separation* apart = NULL;
    pli_scene_def def = pli_default_scene_def();
    BAD(pli_scene_create(NULL, &s, e));
    BAD(pli_scene_create(&def, &s, e)); // neither path nor text
    BAD(pli_scene_create(&def, NULL, e));
    BAD(pli_scene_separate(NULL, &apart, e));
    BAD(pli_scene_separate(&def, NULL, e));
    def.path = "/nowhere.json";
    BAD(pli_scene_create(&def, &s, e));
    BAD(pli_scene_separate(&def, &apart, e));
    def.text = "{}";
    def.override_count = 3;
    BAD(pli_scene_create(&def, &s, e));
    def.override_count = 0;
    def.thread_count = -7;
    assert_int_equal(pli_scene_create(&def, &s, NULL), PLI_OK); // with findings
    assert_true(pli_scene_error_count(s) > 0);
    assert_null(pli_scene_world(s));
    assert_non_null(pli_scene_run(s));
    assert_non_null(pli_scene_summarize(s));
    read_scene(s);
    pli_scene_destroy(s);
    assert_null(pli_scene_world(NULL));
    assert_null(pli_scene_run(NULL));
    assert_null(pli_scene_summarize(NULL));
    read_scene(NULL);
    pli_scene_destroy(NULL);
    pli_separation_destroy(NULL);
    assert_string_equal(pli_separation_reason(NULL), "");
    assert_string_equal(pli_separation_text(NULL), "");
    assert_int_equal(pli_separation_move_count(NULL), 0);
    assert_null(pli_separation_move(NULL, 0).name);
    BAD(pli_scene_help("scene", NULL, NULL, e));
    BAD(pli_scene_help("no such topic", write_nowhere, NULL, e));
    pli_scene_schema(NULL, NULL);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    BAD(pli_scene_mesh(NULL, 3, &mesh, e));
    BAD(pli_scene_mesh("{\"type\": \"point\"}", 3, NULL, e));
    BAD(pli_scene_mesh("{\"type\": \"point\"}", 4, &mesh, e));
    BAD(pli_scene_mesh("{\"type\": \"bal\", \"radius\": 1}", 3, &mesh, e));
    BAD(pli_scene_mesh("{\"type\": \"ball\", \"radius\": -1}", 3, &mesh, e));
    BAD(pli_scene_mesh("{\"type\": \"file\", \"path\": \"absent.obj\"}", 3, &mesh, e));
    BAD(pli_scene_mesh("{", 3, &mesh, e));
    BAD(pli_scene_mesh("[]", 3, &mesh, e));
    assert_int_equal(mesh.vertex_count, 0);
    assert_int_equal(pli_scene_mesh("{\"type\": \"point\"}", 2, &mesh, NULL), PLI_OK);
    assert_int_equal(mesh.vertex_count, 1);
    BAD(pli_scene_mesh("{\"type\": \"point\"}", 2, &mesh, e)); // not empty
    pli_mesh_free(&mesh);
}

// ---- results

static void recorder(void) {
    pli_body_id id;
    pli_world* w = ready_world(&id);
    pli_recorder* r = NULL;
    pli_step_info info = {0};
    pli_crossing_info crossing = {.vertex_count = {9, 9}};
    size_t bytes;
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = "/dev/null/x";
    BAD(pli_recorder_create(NULL, w, &r, e));
    BAD(pli_recorder_create(&def, NULL, &r, e));
    BAD(pli_recorder_create(&def, w, NULL, e));
    BAD(pli_recorder_create(&def, w, &r, e));
    def.folder = NULL;
    BAD(pli_recorder_create(&def, w, &r, e));
    BAD(pli_recorder_predict_memory(NULL, w, &bytes, e));
    BAD(pli_recorder_predict_memory(&def, NULL, &bytes, e));
    BAD(pli_recorder_predict_memory(&def, w, NULL, e));
    BAD(pli_recorder_frame(NULL, e));
    BAD(pli_recorder_step(NULL, &info, e));
    BAD(pli_recorder_finish(NULL, e));
    assert_true(pli_recorder_time(NULL) < 0);
    pli_recorder_destroy(NULL);
    BAD(pli_write_crossings(NULL, &crossing, 1, "/tmp/x.vtu", e));
    BAD(pli_write_crossings(w, NULL, 1, "/tmp/x.vtu", e));
    BAD(pli_write_crossings(w, &crossing, -1, "/tmp/x.vtu", e));
    BAD(pli_write_crossings(w, &crossing, 1, NULL, e));
    BAD(pli_write_crossings(w, &crossing, 1, "/tmp/x.vtu", e)); // parts of nine vertices
    crossing = (pli_crossing_info){.body = {7, -7}, .vertex_count = {1, 1}};
    BAD(pli_write_crossings(w, &crossing, 1, "/tmp/x.vtu", e));
    pli_world_destroy(w);
}

static void note_difference(void* context, const char* line) { (void)context, (void)line; }

static void checkpoint(void) {
    pli_checkpoint* c = NULL;
    pli_body_id id;
    pli_world* w = ready_world(&id);
    int count;
    BAD(pli_checkpoint_read(NULL, NULL, &c, e));
    BAD(pli_checkpoint_read("/nowhere", NULL, &c, e));
    BAD(pli_checkpoint_read("/tmp", NULL, NULL, e));
    BAD(pli_checkpoint_parse(NULL, 0, NULL, &c, e));
    BAD(pli_checkpoint_parse("x", 1, NULL, NULL, e));
    BAD(pli_checkpoint_parse("x", 0, NULL, &c, e));
    BAD(pli_checkpoint_parse("PLIC", 4, NULL, &c, e));
    pli_checkpoint_destroy(NULL);
    assert_string_equal(pli_checkpoint_describe(NULL).scene, "");
    BAD(pli_checkpoint_compare(NULL, NULL, note_difference, NULL, &count, e));
    BAD(pli_checkpoint_restore(NULL, w, e));
    BAD(pli_recorder_checkpoint(NULL, NULL, e));
    BAD(pli_recorder_wait(NULL, e));
    assert_null(pli_frame_field_name(-1));
    assert_null(pli_frame_field_name(PLI_FRAME_FIELD_COUNT));
    BAD(pli_recorder_look(NULL, NULL, e));
    BAD(pli_scene_compare(NULL, "{}", note_difference, NULL, &count, e));
    pli_world_destroy(w);
}

static void replay(void) {
    pli_replay* r = NULL;
    double v[3];
    int components = 0;
    BAD(pli_replay_open(NULL, NULL, &r, e));
    BAD(pli_replay_open("/tmp", NULL, NULL, e));
    BAD(pli_replay_open("/nowhere", NULL, &r, e));
    BAD(pli_replay_read(NULL, 0, e));
    pli_replay_close(NULL);
    assert_string_equal(pli_replay_title(NULL), "");
    assert_string_equal(pli_replay_camera(NULL), "");
    pli_replay_gravity(NULL, NULL);
    pli_replay_gravity(NULL, v);
    assert_true(v[0] == 0 && pli_replay_time(NULL) == 0 && pli_replay_dimension(NULL) == 0);
    assert_int_equal(pli_replay_vertex_count(NULL) + pli_replay_body_count(NULL), 0);
    assert_int_equal(pli_replay_epoch(NULL), 0);
    assert_int_equal(pli_replay_half_space_count(NULL) + pli_replay_frame_count(NULL), 0);
    assert_null(pli_replay_body_at(NULL, 0).name);
    assert_null(pli_replay_half_space_at(NULL, 0).name);
    assert_int_equal(pli_replay_half_space_carrier(NULL, 0), -1);
    pli_replay_triangles(NULL, 0, NULL);
    pli_replay_segments(NULL, 0, NULL);
    assert_null(pli_replay_positions(NULL));
    assert_null(pli_replay_field(NULL, "velocity", &components));
    assert_int_equal(pli_replay_contacts_now(NULL).count, 0);
    assert_int_equal(pli_replay_nodes_now(NULL).count, 0);
    assert_null(pli_replay_field_at(NULL, 0).key);
    assert_true(pli_replay_body_radius(NULL, 0) == 0);
}

static void measured(void* context, double time, double value) {
    (void)context, (void)time, (void)value;
}

static void measures(void) {
    double value;
    BAD(pli_measure(NULL, "total", &value, e));
    BAD(pli_measure("/nowhere", NULL, &value, e));
    BAD(pli_measure("/nowhere", "total", NULL, e));
    BAD(pli_measure("/nowhere", "total", &value, e));
    BAD(pli_measure_each(NULL, "total", measured, NULL, e));
    BAD(pli_measure_each("/nowhere", "total", NULL, NULL, e));
    BAD(pli_measure_each("/nowhere", NULL, measured, NULL, e));
    BAD(pli_measure_check(NULL, e));
    BAD(pli_measure_check("max(", e));
}

static void exports(void) {
    pli_export_def def = pli_default_export_def();
    pli_report_def report = pli_default_report_def();
    BAD(pli_export(NULL, NULL, e));
    BAD(pli_export(&def, NULL, e));
    def.folder = "/nowhere";
    BAD(pli_export(&def, NULL, e)); // no format
    def.format = "no such format";
    BAD(pli_export(&def, NULL, e));
    def.format = "csv";
    BAD(pli_export(&def, NULL, e));
    def.every = -3;
    BAD(pli_export(&def, NULL, e));
    def.every = 1;
    def.body_count = 2;
    BAD(pli_export(&def, NULL, e));
    const char* nameless[2] = {"a", NULL};
    def.bodies = nameless;
    BAD(pli_export(&def, NULL, e));
    def = pli_default_export_def();
    def.folder = "/nowhere";
    def.format = "png";
    def.at = nan3;
    BAD(pli_export(&def, NULL, e));
    def.at = NULL;
    def.range[1] = INFINITY;
    BAD(pli_export(&def, NULL, e));
    BAD(pli_report(NULL, NULL, e));
    BAD(pli_report(&report, NULL, e));
    report.folder = "/nowhere";
    BAD(pli_report(&report, NULL, e));
    assert_non_null(pli_viewer_page(NULL));
}

static void imports(void) {
    pli_import_def def = pli_default_import_def();
    const pli_import_pose nameless = {NULL, 1}, endless = {"j", NAN};
    char* scene = NULL;
    BAD(pli_import_robot(NULL, &scene, NULL, e));
    BAD(pli_import_robot(&def, &scene, NULL, e));
    def.path = "/nowhere.urdf";
    BAD(pli_import_robot(&def, NULL, NULL, e));
    BAD(pli_import_robot(&def, &scene, NULL, e));
    def.pose_count = 1;
    BAD(pli_import_robot(&def, &scene, NULL, e));
    def.poses = &nameless;
    BAD(pli_import_robot(&def, &scene, NULL, e));
    def.poses = &endless;
    BAD(pli_import_robot(&def, &scene, NULL, e));
    assert_null(scene);
    pli_import_free(NULL, NULL);
}

// ---- the table

static const struct row {
    void (*check)(void);
    const char* functions; // that it calls
} rows[] = {
    {base, "pli_version pli_abi_version pli_licence pli_status_text"},
    {defaults,
     "pli_world_def_init pli_body_def_init pli_fix_def_init pli_prescribe_def_init "
     "pli_load_def_init pli_stencils_def_init pli_half_space_def_init "
     "pli_contact_rule_def_init pli_joint_def_init pli_scene_def_init pli_recorder_def_init "
     "pli_export_def_init pli_report_def_init pli_import_def_init"},
    {imports, "pli_import_robot pli_import_free"},
    {budget, "pli_budget_create pli_budget_destroy pli_budget_limit pli_budget_used "
             "pli_budget_peak pli_budget_take pli_budget_give"},
    {tables, "pli_object_params pli_params_default pli_param_check_number pli_energy_type_at "
             "pli_energy_covers pli_energy_acts_on pli_energy_types_check pli_element_word "
             "pli_element_dimension "
             "pli_list_title pli_list_count pli_list_name pli_list_help pli_list_param "
             "pli_material_settings"},
    {mesh_build, "pli_mesh_init pli_mesh_free pli_mesh_add_vertices pli_mesh_add_elements "
                 "pli_mesh_add_group pli_mesh_find_group"},
    {mesh_shapes, "pli_mesh_add_rectangle pli_mesh_add_disk pli_mesh_add_line pli_mesh_add_box "
                  "pli_mesh_add_bar pli_mesh_add_ball pli_mesh_add_cylinder pli_mesh_add_cone "
                  "pli_mesh_add_torus pli_mesh_make_quadratic pli_mesh_add_helix pli_mesh_add_ring "
                  "pli_mesh_add_polyline pli_mesh_add_strands pli_mesh_grow_strands "
                  "pli_mesh_add_tube pli_mesh_add_prism pli_mesh_add_mesh "
                  "pli_mesh_add_sphere"},
    {mesh_files,
     "pli_mesh_read pli_mesh_read_obj pli_mesh_read_uv pli_mesh_is_file pli_mesh_note_count "
     "pli_mesh_note pli_mesh_place pli_mesh_write pli_mesh_summarize "
     "pli_mesh_find_defects pli_mesh_count_flat pli_mesh_fill pli_mesh_curve "
     "pli_mesh_straighten"},
    {mesh_elements, "pli_element_measure pli_element_mirror pli_mass_dimension "
                    "pli_mesh_count_loose pli_mesh_keep_edges pli_mesh_keep_surface "
                    "pli_defect_is_grave pli_defect_text pli_mesh_check"},
    {world_defs, "pli_world_def_check pli_world_create pli_world_destroy"},
    {survey, "pli_survey_crossings pli_survey_near pli_survey_inside pli_survey_touches "
             "pli_survey_exempt pli_survey_resolution pli_world_is_busy"},
    {world_bodies, "pli_world_add_body"},
    {sinks, "pli_sink_stencil pli_sink_wide pli_default_node_def pli_sink_node pli_sink_curvature "
            "pli_hinge_stencils pli_corner_stencils pli_star_stencils"},
    {world_adds, "pli_world_add_energy pli_world_add_stencils pli_world_fix pli_world_prescribe "
                 "pli_world_add_load pli_world_add_half_space pli_world_add_contact_rule"},
    {joints, "pli_world_add_joint pli_world_remove_joint pli_world_joint_count "
             "pli_world_joint_number pli_world_joint_id pli_world_joint pli_joint_type_name "
             "pli_joint_type_help pli_world_set_joint_motor pli_joint_motor_name"},
    {world_order, "pli_world_prepare pli_world_step pli_world_verify pli_world_save "
                  "pli_world_set_cancel"},
    {change_ids,
     "pli_world_remove_body pli_world_remove_support pli_world_remove_energy "
     "pli_world_remove_load pli_world_remove_half_space pli_world_remove_contact_rule "
     "pli_world_body_number pli_world_support_number pli_world_load_number "
     "pli_world_half_space_number pli_world_body_id pli_world_support_id pli_world_load_id "
     "pli_world_half_space_id pli_world_energy_id pli_world_added_energy_count "
     "pli_world_energy_type pli_world_energy_setting "
     "pli_world_topology_epoch pli_world_set_half_space_friction pli_world_set_load "
     "pli_world_set_target pli_world_clone"},
    {change_values, "pli_world_set_gravity pli_world_set_kinematics pli_world_set_energy "
                    "pli_world_set_energy_field "
                    "pli_world_set_friction "
                    "pli_world_set_contact_stiffness pli_world_set_time_step "
                    "pli_world_set_velocities pli_world_edit"},
    {world_calls, "pli_world_grab pli_world_grab_body pli_world_release pli_world_set_state "
                  "pli_world_keep_array pli_world_drop_array pli_cancel_if_set "
                  "pli_world_restore pli_world_body_triangles pli_world_crossings "
                  "pli_world_predict_memory"},
    {queries, "pli_world_body_summary pli_world_cast_ray pli_world_closest_point"},
    {derivatives, "pli_sparse_free pli_world_step_rule pli_world_unknowns pli_world_held_unknowns "
                  "pli_world_map pli_world_mass_matrix pli_world_gradient pli_world_hessian"},
    {world_readers,
     "pli_world_gravity pli_world_time pli_world_time_step pli_world_dimension "
     "pli_world_step_count pli_world_unknown_count pli_world_vertex_count pli_world_positions "
     "pli_world_topology_epoch "
     "pli_world_velocities pli_world_rest_positions pli_world_reactions pli_world_residuals "
     "pli_world_vertex_masses pli_world_contacts pli_world_contact_forces "
     "pli_world_friction_forces pli_world_residual_unit pli_world_body_count "
     "pli_world_contact_count pli_world_body_contact_count pli_world_half_space_count "
     "pli_world_support_count pli_world_energy_count pli_world_dhat pli_world_contact_stiffness "
     "pli_world_memory pli_world_memory_peak pli_world_memory_calls pli_world_balance "
     "pli_world_body_name pli_world_body_hash pli_world_body_is_obstacle pli_world_body_is_cage "
     "pli_world_body_thickness pli_world_body_radius pli_world_field_count pli_world_field "
     "pli_world_field_values pli_world_body_user pli_world_set_body_user "
     "pli_world_body_vertex pli_world_element_count pli_world_elements pli_world_body_element "
     "pli_world_support pli_world_element_fields pli_world_energy_name pli_world_energy_value "
     "pli_world_energy_stored pli_world_body_contact pli_world_half_space_name "
     "pli_world_half_space pli_world_half_space_carrier pli_world_contact_force pli_scheme_name "
     "pli_scheme_help pli_world_node_count pli_world_node_values pli_world_node_rates "
     "pli_world_node "
     "pli_scheme_statics pli_scheme_dissipates pli_reason_text pli_field_at"},
    {scene,
     "pli_scene_create pli_scene_destroy pli_scene_finding_count "
     "pli_scene_finding pli_scene_error_count pli_scene_finding_text pli_scene_world "
     "pli_scene_crossing_count pli_scene_crossings pli_scene_crossed_world "
     "pli_scene_first_copy pli_scene_run "
     "pli_scene_summarize pli_scene_parameter_count pli_scene_parameter_at "
     "pli_scene_separate pli_separation_destroy pli_separation_reason "
     "pli_separation_move_count pli_separation_move pli_separation_text pli_scene_help "
     "pli_scene_schema pli_scene_mesh pli_scene_text pli_scene_path pli_scene_override_count "
     "pli_scene_override pli_scene_set_parameter pli_scene_event_count pli_scene_event_at "
     "pli_scene_update"},
    {recorder, "pli_recorder_create pli_recorder_predict_memory "
               "pli_recorder_frame pli_recorder_step pli_recorder_time pli_recorder_finish "
               "pli_recorder_destroy "
               "pli_write_crossings"},
    {checkpoint, "pli_checkpoint_read pli_checkpoint_parse pli_checkpoint_destroy "
                 "pli_checkpoint_describe pli_checkpoint_compare pli_checkpoint_restore "
                 "pli_recorder_checkpoint pli_recorder_wait pli_recorder_look "
                 "pli_frame_field_name pli_scene_compare"},
    {replay,
     "pli_replay_open pli_replay_close pli_replay_title pli_replay_camera pli_replay_dimension "
     "pli_replay_gravity pli_replay_epoch pli_replay_vertex_count pli_replay_body_count "
     "pli_replay_body_at "
     "pli_replay_triangles pli_replay_segments pli_replay_half_space_count "
     "pli_replay_half_space_at pli_replay_half_space_carrier pli_replay_frame_count "
     "pli_replay_read pli_replay_time "
     "pli_replay_positions pli_replay_field pli_replay_field_at pli_replay_nodes_now "
     "pli_replay_body_radius pli_replay_contacts_now"},
    {measures, "pli_measure pli_measure_each pli_measure_check"},
    {exports, "pli_export "
              "pli_viewer_page pli_report"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_listed(const char* name) {
    size_t length = strlen(name);
    for (int i = 0; i < ROWS; ++i)
        for (const char* at = rows[i].functions; (at = strstr(at, name)); at += length)
            if ((at == rows[i].functions || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
                return true;
    return false;
}

// The name that a declaration begins with: "PLI_API const char* pli_version(void);".
static int check_line(const char* line) {
    if (strncmp(line, "PLI_API ", 8) != 0) return 0;
    const char* end = strchr(line, '(');
    assert_non_null(end);
    const char* start = end;
    while (start[-1] != ' ' && start[-1] != '*') --start;
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
    if (!is_listed(name)) fail_msg("%s has no row", name);
    return 1;
}

static void every_function_has_a_row(void** state) {
    (void)state;
    int count = 0;
    DIR* folder = opendir(PLIANT_SOURCE_DIR "/include/pliant");
    assert_non_null(folder);
    for (const struct dirent* entry; (entry = readdir(folder));) {
        char path[1000], line[1000];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/include/pliant/%s", entry->d_name);
        FILE* stream = fopen(path, "r");
        assert_non_null(stream);
        while (fgets(line, sizeof line, stream)) count += check_line(line);
        fclose(stream);
    }
    closedir(folder);
    assert_true(count > 170);
}

static void every_row(void** state) {
    (void)state;
    for (int i = 0; i < ROWS; ++i) rows[i].check();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_a_row),
        cmocka_unit_test(every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
