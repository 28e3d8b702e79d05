// The tables: sound rows, help that covers them, a schema that is JSON, current, and agrees with
// the reader about the shipped scenes and about single wrong values.
#define _POSIX_C_SOURCE 200809L // opendir
#include "scene/tables.h"

#include "energy/params.h"
#include "scene/section.h"
#include "scene/source.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>

#include "support.h"

#define SCENES PLIANT_SOURCE_DIR "/scenes"

// ---- text that is written in pieces

typedef struct text {
    size_t used;
    char bytes[1 << 20];
} text;

static void append(void* context, const char* piece) {
    text* t = context;
    size_t n = strlen(piece);
    assert_true(t->used + n < sizeof t->bytes);
    memcpy(t->bytes + t->used, piece, n + 1);
    t->used += n;
}

// ---- rows

static void check_row(const pli_param* row, const pli_topic* topic, size_t offset) {
    assert_true(row->name && row->name[0]);
    if (!(row->help && row->help[0]) || !row->unit) {
        print_message("%s: %s\n", topic->section->name, row->name);
        fail();
    }
    const char* field = (const char*)topic->defaults + offset;
    double value = 0;
    if (row->type == PLI_PARAM_NUMBER) memcpy(&value, field, sizeof value);
    if (row->type == PLI_PARAM_INTEGER) value = *(const int*)(const void*)field;
    bool numeric = row->type == PLI_PARAM_NUMBER || row->type == PLI_PARAM_INTEGER;
    bool chosen = row->flags & PLI_PARAM_AUTO && value == 0;
    if (numeric && !chosen && !(row->flags & PLI_PARAM_REQUIRED) && value < HUGE_VAL)
        assert_int_equal(pli_param_check_number(row, value, NULL), PLI_OK);
    if (row->type == PLI_PARAM_CHOICE)
        assert_string_equal(*(const char* const*)(const void*)field, row->choice(0));
    for (int i = 0; row->choice_help && row->choice(i); ++i) // every word is explained
        assert_true(row->choice_help(i) && row->choice_help(i)[0]);
}

static void check_topic(void* context, const pli_topic* topic) {
    const pli_param* row;
    size_t offset;
    ++*(int*)context;
    for (int i = 0; (row = pli_section_row(topic->section, i, &offset)); ++i)
        check_row(row, topic, offset);
    for (int i = 0; pli_section_key(topic->section, i); ++i) { // no key twice, none called "type"
        const char* key = pli_section_key(topic->section, i);
        if (topic->variant) assert_string_not_equal(key, "type");
        for (int j = 0; j < i; ++j)
            assert_string_not_equal(key, pli_section_key(topic->section, j));
    }
}

static void rows_are_sound(void** state) {
    (void)state;
    pli_catalog catalog = {0};
    int count = 0;
    pli_walk_sections(&catalog, check_topic, &count);
    assert_true(count > 20);
}

// The C interface starts from the same values as a scene.
static void defaults_are_those_of_the_c_interface(void** state) {
    (void)state;
    pli_scene_data scene;
    pli_section_init(&pli_scene_section, &scene);
    pli_world_def def = pli_default_world_def();
    assert_true(scene.world.time_step == def.time_step);
    assert_true(scene.world.solver.tolerance == def.solver.tolerance);
    assert_int_equal(scene.world.contact.bodies, def.contact.bodies);
    assert_string_equal(scene.world.solver.method, def.solver.method);
}

// ---- help

static void check_help(void* context, const pli_topic* topic) {
    static text one;
    const text* all = context;
    char line[600];
    one.used = 0;
    assert_int_equal(pli_scene_help(topic->section->name, append, &one, NULL), PLI_OK);
    for (int i = 0; pli_section_key(topic->section, i); ++i) {
        snprintf(line, sizeof line, "\n  %s: ", pli_section_key(topic->section, i));
        assert_non_null(strstr(one.bytes, line));
        assert_non_null(strstr(all->bytes, line));
    }
    const pli_param* row;
    size_t offset;
    for (int i = 0; (row = pli_section_row(topic->section, i, &offset)); ++i) {
        assert_non_null(strstr(one.bytes, row->help));
        snprintf(line, sizeof line, "[%s]", row->unit);
        if (row->unit[0]) assert_non_null(strstr(one.bytes, line));
        for (int k = 0; row->choice_help && row->choice(k); ++k)
            assert_non_null(strstr(one.bytes, row->choice_help(k)));
    }
}

static void help_covers_every_key(void** state) {
    (void)state;
    static text all, topics;
    pli_catalog catalog = {0};
    assert_int_equal(pli_scene_help("all", append, &all, NULL), PLI_OK);
    pli_walk_sections(&catalog, check_help, &all);
    assert_int_equal(pli_scene_help(NULL, append, &topics, NULL), PLI_OK);
    assert_non_null(strstr(topics.bytes, "neo-hookean"));
    assert_non_null(strstr(topics.bytes, "half-space"));
}

static void help_finds_keys_and_near_words(void** state) {
    (void)state;
    static text found;
    pli_error error = {0};
    found.used = 0;
    assert_int_equal(pli_scene_help("dhat", append, &found, &error), PLI_OK);
    assert_non_null(strstr(found.bytes, "in contact"));
    assert_int_equal(pli_scene_help("solvr", append, &found, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "did you mean \"solver\"?"));
}

static void help_of_expressions_and_materials(void** state) {
    (void)state;
    static text found;
    assert_int_equal(pli_scene_help("expressions", append, &found, NULL), PLI_OK);
    assert_non_null(strstr(found.bytes, "smoothstep(from, to, a)"));
    found.used = 0;
    assert_int_equal(pli_scene_help("materials", append, &found, NULL), PLI_OK);
    for (int i = 1; pli_material_name(i); ++i)
        assert_non_null(strstr(found.bytes, pli_material_name(i)));
    assert_non_null(strstr(found.bytes, "[Ashby11]"));
    found.used = 0;
    assert_int_equal(pli_scene_help("offset", append, &found, NULL), PLI_OK);
    assert_non_null(strstr(found.bytes, "each a number or expression of t, x, y, z"));
    pli_error error = {0};
    assert_int_equal(pli_scene_help("expresions", append, &found, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "did you mean \"expressions\"?"));
    found.used = 0;
    assert_int_equal(pli_scene_help("step", append, &found, NULL), PLI_OK);
    assert_non_null(strstr(found.bytes, ", or \"auto\""));
}

// The words of the solver and of time schemes mean nothing to a newcomer.
static void choices_are_explained(void** state) {
    (void)state;
    static text found;
    static const char* const lines[] = {
        "\n        newton            plain Newton: ", "\n        none          the full certified ",
        "\n        pcg           preconditioned ",    "\n        block-jacobi         diagonal ",
        "\n        accept   keep the certified ",
    };
    assert_int_equal(pli_scene_help("solver", append, &found, NULL), PLI_OK);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        if (!strstr(found.bytes, lines[i])) print_message("%s\n", found.bytes);
        assert_non_null(strstr(found.bytes, lines[i]));
    }
    static const char* const keys[] = {"scheme", "mass", "kinematics", "contact_vertices"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        found.used = 0;
        assert_int_equal(pli_scene_help(keys[i], append, &found, NULL), PLI_OK);
        assert_non_null(strstr(found.bytes, "\n        "));
    }
    found.used = 0;
    pli_scene_schema(append, &found);
    json_t* schema = json_loads(found.bytes, 0, NULL);
    const json_t* method = schema;
    static const char* const way[] = {"properties", "solver", "properties", "method"};
    for (int i = 0; i < 4; ++i) method = json_object_get(method, way[i]);
    const json_t* meanings = json_object_get(method, "enumDescriptions");
    assert_int_equal(json_array_size(meanings), json_array_size(json_object_get(method, "enum")));
    assert_non_null(strstr(json_string_value(json_array_get(meanings, 1)), "plain Newton"));
    json_decref(schema);
}

// ---- schema: a validator for the words that our schema uses

static bool is_valid(const json_t* schema, const json_t* value);

static bool type_is(const char* type, const json_t* value) {
    if (strcmp(type, "object") == 0) return json_is_object(value);
    if (strcmp(type, "array") == 0) return json_is_array(value);
    if (strcmp(type, "string") == 0) return json_is_string(value);
    if (strcmp(type, "boolean") == 0) return json_is_boolean(value);
    if (strcmp(type, "number") == 0) return json_is_number(value);
    assert_string_equal(type, "integer");
    return json_is_number(value) && json_number_value(value) == floor(json_number_value(value));
}

static bool number_is_valid(const json_t* schema, double value) {
    const json_t *low = json_object_get(schema, "minimum"),
                 *high = json_object_get(schema, "maximum"),
                 *above = json_object_get(schema, "exclusiveMinimum"),
                 *below = json_object_get(schema, "exclusiveMaximum");
    return !(low && value < json_number_value(low)) && !(high && value > json_number_value(high)) &&
           !(above && value <= json_number_value(above)) &&
           !(below && value >= json_number_value(below));
}

static bool object_is_valid(const json_t* schema, const json_t* value) {
    const json_t *properties = json_object_get(schema, "properties"), *entry;
    size_t i;
    const char* key;
    json_t* item;
    json_array_foreach(json_object_get(schema, "required"), i, entry) {
        if (!json_object_get(value, json_string_value(entry))) return false;
    }
    json_object_foreach((json_t*)value, key, item) {
        const json_t* property = json_object_get(properties, key);
        if (!property || !is_valid(property, item)) return false; // additionalProperties: false
    }
    return true;
}

static bool array_is_valid(const json_t* schema, const json_t* value) {
    size_t count = json_array_size(value), i;
    const json_t* item;
    if (count < (size_t)json_integer_value(json_object_get(schema, "minItems"))) return false;
    if (count > (size_t)json_integer_value(json_object_get(schema, "maxItems"))) return false;
    json_array_foreach(value, i, item) {
        if (!is_valid(json_object_get(schema, "items"), item)) return false;
    }
    return true;
}

static bool any_equals(const json_t* list, const json_t* value) {
    size_t i;
    const json_t* item;
    json_array_foreach(list, i, item) {
        if (json_equal((json_t*)item, (json_t*)value)) return true;
    }
    return false;
}

static bool is_valid(const json_t* schema, const json_t* value) {
    const json_t *options = json_object_get(schema, "oneOf"), *option;
    const json_t* type = json_object_get(schema, "type");
    size_t i, matches = 0;
    if (options) {
        json_array_foreach(options, i, option) matches += is_valid(option, value);
        return matches == 1;
    }
    const json_t* constant = json_object_get(schema, "const");
    if (constant) return json_equal((json_t*)constant, (json_t*)value);
    bool typed = !json_is_array(type) && type_is(json_string_value(type), value);
    json_array_foreach(type, i, option) typed |= type_is(json_string_value(option), value);
    if (!typed) return false;
    if (json_object_get(schema, "enum") && !any_equals(json_object_get(schema, "enum"), value))
        return false;
    if (json_is_number(value)) return number_is_valid(schema, json_number_value(value));
    if (json_is_object(value)) return object_is_valid(schema, value);
    if (json_is_array(value)) return array_is_valid(schema, value);
    return true;
}

static json_t* read_schema(void) {
    static text written;
    written.used = 0;
    pli_scene_schema(append, &written);
    json_t* schema = json_loads(written.bytes, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(schema);
    return schema;
}

static void schema_file_is_current(void** state) {
    (void)state;
#ifdef PLIANT_CHOLMOD
    skip(); // the file is that of the default build
#endif
    static text written;
    static char stored[sizeof written.bytes];
    pli_scene_schema(append, &written);
    FILE* file = fopen(SCENES "/pliant.schema.json", "rb");
    assert_non_null(file);
    size_t n = fread(stored, 1, sizeof stored - 1, file);
    fclose(file);
    stored[n] = '\0';
    if (strcmp(stored, written.bytes) != 0)
        fail_msg("renew it: pliant schema > scenes/pliant.schema.json");
}

// ---- scenes

static int check_folder(const char* folder, const json_t* schema) {
    DIR* directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(directory));) {
        const char* dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json") != 0 || strstr(entry->d_name, ".schema.")) continue;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        json_t* json = json_load_file(path, 0, NULL);
        assert_non_null(json_object_get(json, "$schema"));
        if (!is_valid(schema, json)) fail_msg("the schema refuses %s", path);
        json_decref(json);
        pli_scene_def def = pli_default_scene_def();
        def.path = path;
        def.thread_count = 1;
        pli_scene* scene = NULL;
        assert_int_equal(pli_scene_create(&def, &scene, NULL), PLI_OK);
        if (pli_scene_finding_count(scene) > 0) print_findings(scene);
        assert_int_equal(pli_scene_finding_count(scene), 0);
        pli_scene_destroy(scene);
        ++count;
    }
    closedir(directory);
    return count;
}

static void shipped_scenes_are_right(void** state) {
    (void)state;
    json_t* schema = read_schema();
    assert_true(check_folder(SCENES "/tutorial", schema) >= 9);
    assert_true(check_folder(SCENES, schema) >= 2);
    json_decref(schema);
}

// Right and wrong values for one key each.
static const char* const changes[] = {
    "time.step=0",
    "time.step=1",
    "time.steps=1.5",
    "time.steps=-1",
    "time.scheme=x",
    "dimension=5",
    "gravity=1",
    "gravity=[0,\"2*3\"]",
    "gravity=[1,2]",
    "name=3",
    "name=x",
    "solver.tolerance=0",
    "solver.tolerance=1",
    "solver.linear=pcg",
    "solver.linear=pgc",
    "contact.bodies=0",
    "contact.bodies=false",
    "contact.nothing=1",
    "output={}",
    "output=[]",
    "nothing=1",
    "obstacles=[]",
    "obstacles=[{}]",
    "obstacles=[{\"type\":\"half-space\",\"point\":[0,-2]}]",
    "obstacles=1",
    "bodies=[]",
    "bodies[0].density=0",
    "bodies[0].density=1",
    "bodies[0].mesh=1",
    "bodies[0].mesh={\"type\":\"disc\"}",
    "bodies[0].mesh={}",
    "bodies[0].fix=[{}]",
    "bodies[0].fix=[{\"axes\":[\"x\"]}]",
    "bodies[0].order=4",
    "bodies[0].fix=[[]]",
    "bodies[0].fix=[{\"axes\":[\"q\"]}]",
    "bodies[0].order=2",
    "bodies[0].energies=[]",
    "bodies[0].energies=[{\"type\":\"x\"}]",
    "bodies[0].mesh={\"type\":\"disk\",\"radius\":1}",
    "bodies[0].mesh={\"type\":\"disk\"}",
    "bodies[0].mesh={\"type\":\"disk\",\"radius\":1,\"size\":[1,1]}",
    "bodies[0].energies[0].young=-1",
    "bodies[0].energies[0].poisson=0.49",
    "bodies[0].energies[0].poisson=0.5",
    "analysis=static",
    "analysis=statics",
    "time={\"step\":\"auto\",\"duration\":1}",
    "time={\"step\":true,\"duration\":1}",
    "bodies[0].material=rubber",
    "bodies[0].material=ruber",
    "bodies[0].rotate=20",
    "bodies[0].rotate=\"20\"",
    "bodies[0].velocity=[\"x\",1]",
    "bodies[0].velocity=[true,1]",
    "bodies[0].scramble=-1",
    "bodies[0].repeat={\"count\":[2,1],\"spacing\":[9,0]}",
    "bodies[0].repeat={\"count\":[2,0],\"spacing\":[9,0]}",
    "bodies[0].repeat={\"count\":[2,1]}",
    "bodies[0].fix=[{\"sphere\":{\"radius\":3}}]",
    "bodies[0].fix=[{\"sphere\":{\"radius\":0}}]",
    "bodies[0].fix=[{\"where\":\"x > 0\",\"group\":\"right\"}]",
    "bodies[0].fix=[{\"where\":{}}]",
    "bodies[0].prescribe=[{\"offset\":[\"t\",0]}]",
    "bodies[0].prescribe=[{\"offset\":\"t\"}]",
    "bodies[0].prescribe=[{\"center\":[0,0],\"spin\":1,\"until\":2}]",
    "bodies[0].prescribe=[{\"until\":-2}]",
    "bodies[0].loads=[{\"type\":\"force\",\"value\":[\"t\",1e3]}]",
    "bodies[0].loads=[{\"type\":\"force\",\"value\":1}]",
    "bodies[0].loads=[{\"type\":\"pressure\",\"value\":\"x*t\"}]",
    "bodies[0].loads=[{\"type\":\"pressure\"}]",
};

// The schema and the reader say the same about one value put into a right scene. (Only the reader
// knows how many numbers a vector has in the plane, and what the values mean together.)
static void schema_and_reader_agree(void** state) {
    (void)state;
    json_t* schema = read_schema();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        pli_scene* scene = scene_with(SQUARE_SCENE, &changes[i], 1);
        bool reader = pli_scene_error_count(scene) == 0;
        pli_scene_destroy(scene);
        json_t* json = json_loads(SQUARE_SCENE, 0, NULL);
        // The override is applied again, by the same rules, to the tree that the validator sees.
        char path[64];
        assert_int_equal(pli_override_apply(json, changes[i], path, sizeof path, NULL), PLI_OK);
        if (is_valid(schema, json) != reader) fail_msg("they differ about %s", changes[i]);
        json_decref(json);
    }
    json_decref(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(defaults_are_those_of_the_c_interface),
        cmocka_unit_test(help_covers_every_key),
        cmocka_unit_test(help_finds_keys_and_near_words),
        cmocka_unit_test(help_of_expressions_and_materials),
        cmocka_unit_test(choices_are_explained),
        cmocka_unit_test(schema_file_is_current),
        cmocka_unit_test(shipped_scenes_are_right),
        cmocka_unit_test(schema_and_reader_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
