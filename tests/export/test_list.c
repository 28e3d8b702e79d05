// Lists for bindings: every word is accepted where the header says it goes, a word that is not
// listed is refused there, and nothing lacks an explanation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pliant/pliant.h"

// ---- where words go: true if the word itself is not what is wrong

static bool into_world(const char* key, size_t offset, const char* word) {
    pli_world_def def = pli_default_world_def();
    pli_error error = {0};
    memcpy((char*)&def + offset, &word, sizeof word);
    pli_status status = pli_world_def_check(&def, &error);
    return status == PLI_OK || strcmp(error.key, key) != 0;
}

static bool scheme(const char* word) {
    return into_world("scheme", offsetof(pli_world_def, scheme), word);
}
static bool method(const char* word) {
    return into_world("method", offsetof(pli_world_def, solver.method), word);
}
static bool line_search(const char* word) {
    return into_world("line_search", offsetof(pli_world_def, solver.line_search), word);
}
static bool linear(const char* word) {
    return into_world("linear", offsetof(pli_world_def, solver.linear), word);
}
static bool preconditioner(const char* word) {
    return into_world("preconditioner", offsetof(pli_world_def, solver.preconditioner), word);
}
static bool barrier(const char* word) {
    return into_world("barrier", offsetof(pli_world_def, contact.barrier), word);
}

// A tetrahedron, and another one after it: "embedded" needs a body before.
static bool into_body(size_t offset, const char* word, const char* load, const char* energy) {
    pli_world_def world_def = pli_default_world_def();
    world_def.dimension = 3;
    world_def.thread_count = 1;
    pli_world* world = NULL;
    pli_mesh mesh;
    pli_body_id id = {0};
    const double size[3] = {1, 1, 1};
    const int segments[3] = {1, 1, 1};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_box(&mesh, size, segments, NULL), PLI_OK);
    assert_int_equal(pli_world_create(&world_def, &world, NULL), PLI_OK);
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    assert_int_equal(pli_world_add_body(world, &def, &id, NULL), PLI_OK);
    if (word) memcpy((char*)&def + offset, &word, sizeof word);
    pli_status status = word ? pli_world_add_body(world, &def, NULL, NULL) : PLI_OK;
    pli_load_def load_def = pli_default_load_def();
    load_def.kind = load;
    if (load) status = pli_world_add_load(world, id, &load_def, NULL, NULL);
    pli_error error = {0};
    if (energy) status = pli_world_add_energy(world, id, energy, NULL, 0, NULL, &error);
    bool unknown = status != PLI_OK && (!energy || strstr(error.message, "unknown energy type"));
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
    return !unknown;
}

static bool mass(const char* word) {
    return into_body(offsetof(pli_body_def, mass), word, NULL, NULL);
}
static bool kinematics(const char* word) {
    return into_body(offsetof(pli_body_def, kinematics), word, NULL, NULL);
}
static bool load(const char* word) { return into_body(0, NULL, word, NULL); }
static bool energy(const char* word) { return into_body(0, NULL, NULL, word); }

// No finding is about the key that holds the word.
static bool into_scene(const char* format, const char* path, const char* word) {
    char text[400];
    snprintf(text, sizeof text, format, word);
    pli_scene_def def = pli_default_scene_def();
    def.text = text;
    pli_scene* scene = NULL;
    assert_int_equal(pli_scene_create(&def, &scene, NULL), PLI_OK);
    bool good = true;
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        const pli_finding* finding = pli_scene_finding(scene, i);
        good = good && (finding->severity != PLI_ERROR || strcmp(finding->path, path) != 0);
    }
    pli_scene_destroy(scene);
    return good;
}

static bool mesh(const char* word) {
    return into_scene("{\"bodies\": [{\"mesh\": {\"type\": \"%s\"}}]}", "bodies[0].mesh.type",
                      word);
}
static bool obstacle(const char* word) {
    return into_scene("{\"bodies\": [], \"obstacles\": [{\"type\": \"%s\"}]}", "obstacles[0].type",
                      word);
}
static bool material(const char* word) {
    return into_scene("{\"bodies\": [{\"material\": \"%s\"}]}", "bodies[0].material", word);
}
static bool frame_field(const char* word) {
    return into_scene("{\"bodies\": [], \"output\": {\"fields\": [\"%s\"]}}", "output.fields[0]",
                      word);
}

static bool export_format(const char* word) {
    pli_export_def def = pli_default_export_def();
    pli_error error = {0};
    def.folder = "/nowhere";
    def.format = word;
    assert_int_not_equal(pli_export(&def, NULL, &error), PLI_OK);
    return !strstr(error.message, "must be one of");
}

static bool (*const accepts[PLI_LIST_KIND_COUNT])(const char* word) = {
    [PLI_LIST_ENERGIES] = energy,
    [PLI_LIST_SCHEMES] = scheme,
    [PLI_LIST_METHODS] = method,
    [PLI_LIST_LINE_SEARCHES] = line_search,
    [PLI_LIST_LINEAR_SOLVERS] = linear,
    [PLI_LIST_PRECONDITIONERS] = preconditioner,
    [PLI_LIST_BARRIERS] = barrier,
    [PLI_LIST_MASSES] = mass,
    [PLI_LIST_KINEMATICS] = kinematics,
    [PLI_LIST_LOADS] = load,
    [PLI_LIST_MESHES] = mesh,
    [PLI_LIST_OBSTACLES] = obstacle,
    [PLI_LIST_MATERIALS] = material,
    [PLI_LIST_FRAME_FIELDS] = frame_field,
    [PLI_LIST_EXPORT_FORMATS] = export_format,
};

static void every_word_is_accepted(void** state) {
    (void)state;
    for (int k = 0; k < PLI_LIST_KIND_COUNT; ++k) {
        pli_list_kind list = (pli_list_kind)k;
        const char* title = pli_list_title(list);
        assert_non_null(title);
        assert_true(pli_list_count(list) >= 2);
        for (int i = 0; i < pli_list_count(list); ++i) {
            const char *name = pli_list_name(list, i), *help = pli_list_help(list, i);
            if (!help || !*help) fail_msg("%s: %s is not explained", title, name);
            if (!accepts[list](name)) fail_msg("%s: %s is refused", title, name);
            for (int j = 0; j < i; ++j) assert_string_not_equal(name, pli_list_name(list, j));
        }
        assert_null(pli_list_name(list, pli_list_count(list)));
        if (accepts[list]("of-no-list")) fail_msg("%s: any word is accepted", title);
    }
}

static int check_params(pli_list_kind list) {
    int count = 0;
    for (int i = 0; i < pli_list_count(list); ++i)
        for (int k = 0; pli_list_param(list, i, k); ++k, ++count) {
            const pli_param* param = pli_list_param(list, i, k);
            assert_non_null(param->name);
            assert_true(param->help && *param->help);
            for (int j = 0; j < k; ++j)
                assert_string_not_equal(param->name, pli_list_param(list, i, j)->name);
        }
    return count;
}

static void parameters_of_entries(void** state) {
    (void)state;
    assert_true(check_params(PLI_LIST_ENERGIES) > 20);
    assert_true(check_params(PLI_LIST_MESHES) > 20);
    assert_true(check_params(PLI_LIST_OBSTACLES) > 20);
    assert_int_equal(check_params(PLI_LIST_SCHEMES), 0);
    for (int i = 0; pli_energy_type_at(i); ++i) {
        assert_string_equal(pli_energy_type_at(i)->name, pli_list_name(PLI_LIST_ENERGIES, i));
        assert_ptr_equal(pli_list_param(PLI_LIST_ENERGIES, i, 0), pli_energy_type_at(i)->params);
    }
    for (int i = 0; pli_scheme_name(i); ++i)
        assert_string_equal(pli_scheme_name(i), pli_list_name(PLI_LIST_SCHEMES, i));
}

// Every parameter of every def is listed, with a range that its default is in.
static void parameters_of_defs(void** state) {
    (void)state;
    int count = 0;
    for (int object = PLI_OBJECT_NONE; object <= PLI_OBJECT_RULE; ++object) {
        const pli_params* params = pli_object_params((pli_object)object);
        for (int i = 0; params && i < params->count; ++i, ++count) {
            const pli_param* row = &params->rows[i];
            assert_true(row->help && *row->help);
            if (row->type == PLI_PARAM_CHOICE) assert_non_null(row->choice(0));
        }
    }
    assert_true(count > 50);
}

static void constants_of_materials(void** state) {
    (void)state;
    for (int i = 0; i < pli_list_count(PLI_LIST_MATERIALS); ++i) {
        int count = 0;
        const pli_setting* settings = pli_material_settings(i, &count);
        assert_true(count == 3 || count == 4); // those that yield have a fourth
        assert_string_equal(settings[0].name, "density");
        assert_string_equal(settings[1].name, "young");
        assert_string_equal(settings[2].name, "poisson");
        assert_true(settings[0].value > 0 && settings[1].value > 0 && settings[2].value < 0.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_is_accepted),
        cmocka_unit_test(parameters_of_entries),
        cmocka_unit_test(parameters_of_defs),
        cmocka_unit_test(constants_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
