// Every function that takes a def: one of an older program, which ends earlier, is completed with
// the defaults; one whose size cannot be right is refused with the key "size". check/defs.sh sees
// that every public def is in this table.
#include "record/run_fixture.h"

#include "pliant/export.h"
#include "pliant/import.h"
#include "pliant/report.h"

typedef struct place {
    pli_world* world;
    pli_body_id body;
    pli_mesh mesh;
    test_result run;
    char folder[4200];
} place;

static void open_place(place* p) {
    *p = (place){.run = make_result(2)};
    path_in(&p->run.folder, "defs", p->folder);
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    assert_int_equal(pli_world_create(&def, &p->world, NULL), PLI_OK);
    pli_mesh_init(&p->mesh, NULL);
    assert_int_equal(pli_mesh_add_rectangle(&p->mesh, 1, 1, 1, 1, PLI_TRIANGLES, NULL), PLI_OK);
    pli_body_def body = pli_default_body_def();
    body.mesh = &p->mesh;
    assert_int_equal(pli_world_add_body(p->world, &body, &p->body, NULL), PLI_OK);
}

static void close_place(place* p) {
    pli_world_destroy(p->world);
    pli_mesh_free(&p->mesh);
    remove_result(&p->run);
}

// ---- one row per function

#define ROW(name, call)                                                                            \
    { #name, sizeof(pli_##name##_def), 8, make_##name, call }

static void make_world(place* p, void* out) {
    (void)p;
    pli_world_def def = pli_default_world_def();
    memcpy(out, &def, sizeof def);
}
static pli_status check_world(place* p, const void* def, pli_error* error) {
    (void)p;
    return pli_world_def_check(def, error);
}
static pli_status create_world(place* p, const void* def, pli_error* error) {
    (void)p;
    pli_world* world = NULL;
    pli_status status = pli_world_create(def, &world, error);
    pli_world_destroy(world);
    return status;
}

static void make_body(place* p, void* out) {
    pli_body_def def = pli_default_body_def();
    def.mesh = &p->mesh;
    def.contact_bodies = false;
    memcpy(out, &def, sizeof def);
}
static pli_status add_body(place* p, const void* def, pli_error* error) {
    return pli_world_add_body(p->world, def, NULL, error);
}

static void make_fix(place* p, void* out) {
    (void)p;
    pli_fix_def def = pli_default_fix_def();
    memcpy(out, &def, sizeof def);
}
static pli_status fix(place* p, const void* def, pli_error* error) {
    return pli_world_fix(p->world, p->body, def, NULL, error);
}

static void make_prescribe(place* p, void* out) {
    static const int32_t none[1];
    (void)p;
    pli_prescribe_def def = pli_default_prescribe_def();
    def.vertices = none; // of which 0 are taken: others may hold them
    memcpy(out, &def, sizeof def);
}
static pli_status prescribe(place* p, const void* def, pli_error* error) {
    return pli_world_prescribe(p->world, p->body, def, NULL, error);
}

static void make_load(place* p, void* out) {
    (void)p;
    pli_load_def def = pli_default_load_def();
    memcpy(out, &def, sizeof def);
}
static pli_status add_load(place* p, const void* def, pli_error* error) {
    return pli_world_add_load(p->world, p->body, def, NULL, error);
}

static void make_stencils(place* p, void* out) {
    static pli_vertex_ref ends[2];
    for (int i = 0; i < 2; ++i) ends[i] = (pli_vertex_ref){p->body, i};
    pli_stencils_def def = pli_default_stencils_def();
    def.energy = "spring";
    def.count = 1;
    def.vertices = ends;
    memcpy(out, &def, sizeof def);
}
static pli_status add_stencils(place* p, const void* def, pli_error* error) {
    return pli_world_add_stencils(p->world, def, NULL, error);
}

static void make_half_space(place* p, void* out) {
    (void)p;
    pli_half_space_def def = pli_default_half_space_def();
    def.point[1] = -10;
    memcpy(out, &def, sizeof def);
}
static pli_status add_half_space(place* p, const void* def, pli_error* error) {
    return pli_world_add_half_space(p->world, def, NULL, error);
}

static void make_contact_rule(place* p, void* out) {
    (void)p;
    pli_contact_rule_def def = pli_default_contact_rule_def();
    memcpy(out, &def, sizeof def);
}
static pli_status add_rule(place* p, const void* def, pli_error* error) {
    return pli_world_add_contact_rule(p->world, def, NULL, error);
}

static void make_joint(place* p, void* out) {
    pli_joint_def def = pli_default_joint_def();
    def.ends[0].body = p->body;
    def.at[0] = def.at[1] = -0.5; // a vertex
    memcpy(out, &def, sizeof def);
}
static pli_status add_joint(place* p, const void* def, pli_error* error) {
    pli_joint_id id;
    pli_status status = pli_world_add_joint(p->world, def, &id, error);
    return status == PLI_OK ? pli_world_remove_joint(p->world, id, error) : status; // all is fixed
}

static void make_scene(place* p, void* out) {
    (void)p;
    pli_scene_def def = pli_default_scene_def();
    def.text = "{}";
    memcpy(out, &def, sizeof def);
}
static pli_status create_scene(place* p, const void* def, pli_error* error) {
    (void)p;
    pli_scene* scene = NULL;
    pli_status status = pli_scene_create(def, &scene, error);
    pli_scene_destroy(scene);
    return status;
}
static void make_separable(place* p, void* out) {
    (void)p;
    pli_scene_def def = pli_default_scene_def();
    def.text = "{\"bodies\": [{\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1],"
               " \"segments\": [1, 1]}, \"energies\": [{\"type\": \"neo-hookean\"}]}]}";
    memcpy(out, &def, sizeof def);
}
static pli_status separate(place* p, const void* def, pli_error* error) {
    (void)p;
    pli_separation* separation = NULL;
    pli_status status = pli_scene_separate(def, &separation, error);
    pli_separation_destroy(separation);
    return status;
}

static void make_recorder(place* p, void* out) {
    pli_recorder_def def = pli_default_recorder_def();
    def.folder = p->folder;
    memcpy(out, &def, sizeof def);
}
static pli_status create_recorder(place* p, const void* def, pli_error* error) {
    pli_recorder* recorder = NULL;
    pli_status status = pli_world_prepare(p->world, error);
    if (status == PLI_OK) status = pli_recorder_create(def, p->world, &recorder, error);
    pli_recorder_destroy(recorder);
    return status;
}
static pli_status predict_recorder(place* p, const void* def, pli_error* error) {
    size_t bytes;
    return pli_recorder_predict_memory(def, p->world, &bytes, error);
}

static void make_export(place* p, void* out) {
    pli_export_def def = pli_default_export_def();
    def.folder = p->run.run;
    def.format = "csv";
    memcpy(out, &def, sizeof def);
}
static pli_status export_run(place* p, const void* def, pli_error* error) {
    (void)p;
    return pli_export(def, NULL, error);
}

static void make_report(place* p, void* out) {
    pli_report_def def = pli_default_report_def();
    def.folder = p->run.run;
    memcpy(out, &def, sizeof def);
}
static pli_status report(place* p, const void* def, pli_error* error) {
    (void)p;
    return pli_report(def, NULL, error);
}

static void make_import(place* p, void* out) {
    pli_import_def def = pli_default_import_def();
    (void)p;
    def.path = PLIANT_SOURCE_DIR "/tests/data/robots/arm.urdf";
    memcpy(out, &def, sizeof def);
}
static pli_status import(place* p, const void* def, pli_error* error) {
    char* scene = NULL;
    (void)p;
    pli_status status = pli_import_robot(def, &scene, NULL, error);
    pli_import_free(scene, NULL);
    return status;
}

static const struct row {
    const char* name;
    size_t size;
    size_t cut; // bytes at its end that can be missing
    void (*make)(place* p, void* out);
    pli_status (*call)(place* p, const void* def, pli_error* error);
} rows[] = {
    ROW(world, check_world),
    ROW(world, create_world),
    ROW(body, add_body),
    ROW(fix, fix),
    ROW(prescribe, prescribe),
    ROW(load, add_load),
    {"stencils", sizeof(pli_stencils_def), 0, make_stencils, add_stencils}, // it ends with vertices
    ROW(half_space, add_half_space),
    ROW(contact_rule, add_rule),
    ROW(joint, add_joint),
    ROW(scene, create_scene),
    {"scene", sizeof(pli_scene_def), 8, make_separable, separate},
    ROW(recorder, create_recorder), // it prepares the world: nothing is added any more
    ROW(recorder, predict_recorder),
    ROW(export, export_run),
    ROW(report, report),
    ROW(import, import),
};
enum { ROWS = sizeof rows / sizeof *rows };

// Calls with the first bytes of a def, in a block of that size, with another size in it.
static pli_status call_with(const struct row* row, place* p, size_t bytes, size_t size,
                            pli_error* error) {
    char whole[1000];
    assert_true(row->size <= sizeof whole);
    row->make(p, whole);
    char* block = malloc(bytes);
    assert_non_null(block);
    memcpy(block, whole, bytes);
    memcpy(block, &size, sizeof size);
    pli_status status = row->call(p, block, error);
    free(block);
    return status;
}

static void sizes(void** state) {
    (void)state;
    place p;
    open_place(&p);
    for (int i = 0; i < ROWS; ++i) {
        const struct row* row = &rows[i];
        const size_t wrong[] = {0, 5, row->size - 1, row->size + 8, SIZE_MAX - 7};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
            pli_error error = {0};
            char source[64];
            snprintf(source, sizeof source, "pli_default_%s_def()", row->name);
            assert_int_equal(call_with(row, &p, row->size, wrong[k], &error), PLI_E_ARGUMENT);
            assert_string_equal(error.key, "size");
            assert_non_null(strstr(error.message, source));
        }
        for (size_t less = 0; less <= row->cut; less += 8) {
            pli_error error = {0};
            size_t size = row->size - less;
            if (call_with(row, &p, size, size, &error) != PLI_OK)
                fail_msg("%s less %zu: %s", row->name, less, error.message);
        }
    }
    close_place(&p);
}

// What an old def lacks is not 0 but the default: this one ends before the members about contact.
static void what_is_missing_has_its_default(void** state) {
    (void)state;
    place p;
    open_place(&p);
    const size_t size = offsetof(pli_body_def, stiffness_damping) + sizeof(double);
    const struct row row = ROW(body, add_body);
    pli_error error = {0};
    assert_int_equal(call_with(&row, &p, size, size, &error), PLI_OK);
    assert_int_equal(pli_world_body_count(p.world), 2);
    // They lie on top of each other, and both touch what there is.
    assert_int_equal(pli_world_prepare(p.world, &error), PLI_E_SCENE);
    close_place(&p);
}

// An older program asks for defaults: they end where its def ends.
static void defaults_of_an_older_program(void** state) {
    (void)state;
    const size_t size = offsetof(pli_body_def, stiffness_damping) + sizeof(double);
    pli_body_def seen;
    char* old = malloc(size);
    assert_non_null(old);
    memcpy(old, &size, sizeof size);
    pli_body_def_init((pli_body_def*)(void*)old);
    memcpy(&seen, old, size);
    free(old);
    assert_true(seen.size == size && seen.density == 1000);
    assert_string_equal(seen.kinematics, "free");
}

// A world of a program in whose headers solver and contact each had one member less.
static void parts_grow_too(void** state) {
    (void)state;
    pli_world_def now = pli_default_world_def();
    now.time_step = 0.125;
    now.gravity[1] = -3;
    now.interactive = true;
    now.thread_count = 1;
    const size_t cut = sizeof(const char*), solver = offsetof(pli_world_def, solver),
                 contact = offsetof(pli_world_def, contact),
                 behind = contact + sizeof(pli_contact_def), tail = sizeof now - behind;
    assert_int_equal(contact, solver + sizeof(pli_solver_def));
    now.solver.size -= cut;
    now.contact.size -= cut;
    now.size -= 2 * cut;
    char* old = malloc(now.size);
    assert_non_null(old);
    memcpy(old, &now, contact - cut);
    memcpy(old + contact - cut, &now.contact, sizeof now.contact - cut);
    memcpy(old + behind - 2 * cut, (const char*)&now + behind, tail);
    pli_world* world = NULL;
    pli_error error = {0};
    if (pli_world_create((const pli_world_def*)(const void*)old, &world, &error) != PLI_OK)
        fail_msg("%s", error.message);
    double g[3];
    pli_world_gravity(world, g);
    assert_true(pli_world_time_step(world) == 0.125 && g[1] == -3);
    pli_world_destroy(world);
    free(old);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(what_is_missing_has_its_default),
        cmocka_unit_test(defaults_of_an_older_program),
        cmocka_unit_test(parts_grow_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
