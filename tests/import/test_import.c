// Robots as scenes: a table of files that are wrong, with the place and the words of what is said;
// robots that are right; masses of links that are joined; files cut and changed at random.
#include "base/folder.h"

#include "oracle/allocator.h"
#include "pliant/import.h"
#include "pliant/scene.h"

#include "base/text.h"

#include <math.h>

typedef struct heard {
    int errors, notes, line; // line of the first error
    char first[700];         // error
    char all[4000];
} heard;

static void hear(void* context, const pli_import_note* note) {
    heard* h = context;
    size_t used = strlen(h->all);
    if (note->error && h->errors++ == 0) {
        h->line = note->line;
        snprintf(h->first, sizeof h->first, "%s", note->message);
    }
    h->notes += !note->error;
    snprintf(h->all + used, sizeof h->all - used, "%d: %s\n", note->line, note->message);
}

static test_folder folder;

static int open_folder(void** state) {
    (void)state;
    folder = make_test_folder();
    return 0;
}
static int close_folder(void** state) {
    (void)state;
    remove_test_folder(&folder);
    return 0;
}

static void write_bytes(const char* name, const char* text, size_t size) {
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(&folder, name, path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

// The scene of a robot, NULL if there is none.
static char* import(const char* text, size_t size, heard* h, pli_error* error) {
    char path[2 * TEST_PATH_SIZE], out[2 * TEST_PATH_SIZE], *scene = NULL;
    *h = (heard){0};
    write_bytes("robot.urdf", text, size);
    pli_import_def def = pli_default_import_def();
    def.path = path_in(&folder, "robot.urdf", path);
    def.out = path_in(&folder, "robot.json", out);
    def.note = hear;
    def.context = h;
    pli_import_info info = {0};
    pli_status status = pli_import_robot(&def, &scene, &info, error);
    assert_int_equal(status == PLI_OK, scene != NULL);
    assert_int_equal(info.error_count, h->errors);
    return scene;
}

#define MASS                                                                                       \
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"
#define BALL "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
#define TWO(middle, rest)                                                                          \
    "<robot name='r'>\n<link name='a'>" MASS BALL "</link>\n<link name='b'>" middle                \
    "</link>\n" rest "\n</robot>\n"
#define HINGE                                                                                      \
    "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"     \
    "</joint>"
#define INERTIA(mass, xx, yy, zz, xy)                                                              \
    TWO("\n<inertial><mass value='" mass "'/>\n<inertia ixx='" xx "' ixy='" xy                     \
        "' ixz='0' iyy='" yy "' iyz='0' izz='" zz "'/></inertial>",                                \
        HINGE)

static void wrong_files(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int line;
        const char* words;
    } cases[] = {
        {"<robot name='r'>\n</robot>", 1, "the robot has no link"},
        {"<scene/>", 1, "begins with <scene>, must be <robot>"},
        {TWO(MASS, "<joint name='j' type='continuous'><parent link='aa'/><child link='b'/>"
                   "<axis xyz='0 0 1'/></joint>"),
         4, "joint \"j\": its parent, link \"aa\", does not exist; did you mean \"a\"?"},
        {TWO(MASS, "<joint name='j' type='fixed'><parent link='a'/></joint>"), 4,
         "joint \"j\" has no child"},
        {TWO(MASS, "<joint name='j' type='revolving'><parent link='a'/><child link='b'/></joint>"),
         4, "its type is \"revolving\", must be revolute"},
        {TWO(MASS, "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"),
         4, "joint \"j\" has no axis: add <axis"},
        {TWO(MASS, "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n<axis "
                   "xyz='0 0 0'/></joint>"),
         5, "its axis has no length"},
        {TWO(MASS, "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis "
                   "xyz='0 0 1'/></joint>"),
         4, "has no <limit>, which a revolute joint needs"},
        {TWO(MASS, "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis "
                   "xyz='0 0 1'/>\n<limit lower='1' upper='-1'/></joint>"),
         5, "lower = 1 is above upper = -1"},
        {TWO(MASS, HINGE "\n<link name='a'/>"), 5, "line 2 has a link of this name"},
        {TWO(MASS, HINGE "\n<link name='c'>" MASS "</link>\n<joint name='j' type='fixed'><parent "
                         "link='a'/><child link='c'/></joint>"),
         6, "joint \"j\": line 4 has a joint of this name"},
        {TWO(MASS, ""), 3, "link \"b\" hangs on no joint, like link \"a\" (line 2)"},
        {TWO(MASS,
             HINGE "\n<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
         5, "a loop"},
        {TWO(MASS,
             HINGE "\n<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>"),
         5, "link \"b\" is the child of joint \"j\" too: a closed loop"},
        {TWO("", HINGE), 3, "link \"b\" has neither mass nor shape"},
        {INERTIA("0", "1", "1", "1", "0"), 4, "its mass is 0 kg"},
        {INERTIA("-2", "1", "1", "1", "0"), 4, "its mass is -2 kg"},
        {INERTIA("1", "1", "1", "2.1", "0"), 4, "no body has this inertia"},
        {INERTIA("1", "1", "1", "-1", "0"), 4, "its principal moments are -1"},
        {INERTIA("1", "1", "1", "1", "1.5"), 4, "its principal moments are -0.5"},
        {INERTIA("one", "1", "1", "1", "0"), 4, "<mass value=\"one\">: must be 1 number"},
        {INERTIA("1", "nan", "1", "1", "0"), 5, "<inertia ixx=\"nan\">: must be 1 number"},
        {INERTIA("1", "1e999", "1", "1", "0"), 5, "must be 1 number"},
        {TWO(MASS "\n<collision><geometry><box size='1 1'/></geometry></collision>", HINGE), 4,
         "<box size=\"1 1\">: must be 3 numbers"},
        {TWO(MASS "\n<collision><geometry><box size='1 0 1'/></geometry></collision>", HINGE), 4,
         "must be above 0"},
        {TWO(MASS "\n<collision><geometry><sphere/></geometry></collision>", HINGE), 4,
         "<sphere> has no radius"},
        {TWO(MASS "\n<collision><geometry>\n<mesh filename='no.stl'/></geometry></collision>",
             HINGE),
         5, "link \"b\": the mesh no.stl does not exist"},
        {TWO(MASS "\n<collision><geometry>\n<mesh filename='package://p/no.stl'/></geometry>"
                  "</collision>",
             HINGE),
         5, "the mesh package://p/no.stl does not exist"},
        {TWO(MASS "\n<collision><geometry>\n<mesh filename='robot.urdf'/></geometry></collision>",
             HINGE),
         5, "is of a kind that is not read"},
        {TWO(MASS, "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis "
                   "xyz='0 0 1'/>\n<mimic joint='k'/></joint>"),
         5, "it follows joint \"k\", which does not exist"},
        {TWO(MASS, "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis "
                   "xyz='0 0 1'/>\n<mimic joint='j'/></joint>"),
         5, "it follows joint \"j\", which is itself"},
        {TWO(MASS, "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis "
                   "xyz='0 0 1'/>\n<dynamics damping='-1'/></joint>"),
         5, "must not be negative"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        heard h;
        pli_error error = {0};
        char* scene = import(cases[i].text, strlen(cases[i].text), &h, &error);
        if (scene || h.errors == 0 || h.line != cases[i].line || !strstr(h.first, cases[i].words))
            fail_msg("case %zu: line %d: %s, not line %d: %s", i, h.line, h.first, cases[i].line,
                     cases[i].words);
        assert_int_equal(error.status, PLI_E_SCENE);
    }
}

// Not XML: the place is in the error.
static void broken_xml(void** state) {
    (void)state;
    heard h;
    pli_error error = {0};
    const char* text = "<robot name='r'>\n<link name='a'>\n</robot>";
    assert_null(import(text, strlen(text), &h, &error));
    assert_int_equal(error.status, PLI_E_SCENE);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "robot.urdf:3:"));
    pli_import_def def = pli_default_import_def();
    char* scene;
    assert_int_equal(pli_import_robot(&def, &scene, NULL, &error), PLI_E_ARGUMENT);
    def.path = "/nonexistent.urdf";
    assert_int_equal(pli_import_robot(&def, &scene, NULL, &error), PLI_E_IO);
}

// ---- robots that are right

static char* read_robot(const char* name, heard* h, const pli_import_pose* pose, bool limp) {
    char path[1024], *scene = NULL;
    pli_error error = {0};
    snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/tests/data/robots/%s.urdf", name);
    *h = (heard){0};
    pli_import_def def = pli_default_import_def();
    def.path = path;
    def.note = hear;
    def.context = h;
    def.poses = pose;
    def.pose_count = pose != NULL;
    def.limp = limp;
    if (pli_import_robot(&def, &scene, NULL, &error) != PLI_OK)
        fail_msg("%s\n%s", error.message, h->all);
    return scene;
}

static void has(const char* scene, const char* words) {
    if (!strstr(scene, words)) fail_msg("not in the scene: %s\n%s", words, scene);
}

// The numbers after a key of the body or joint of this name.
static void numbers_of(const char* scene, const char* name, const char* key, int count,
                       double* out) {
    char text[100];
    snprintf(text, sizeof text, "\"name\": \"%s\"", name);
    const char* at = strstr(scene, text);
    assert_non_null(at);
    snprintf(text, sizeof text, "\"%s\": ", key);
    at = strstr(at, text);
    assert_non_null(at);
    at += strlen(text);
    for (int i = 0; i < count; ++i) {
        const char* end;
        at += strspn(at, "[, ");
        out[i] = pli_parse_double(at, &end);
        assert_true(end > at);
        at = end;
    }
}

static void near(double value, double truth) {
    if (!(fabs(value - truth) <= 1e-11 * (1 + fabs(truth))))
        fail_msg("%.15g, not %.15g", value, truth);
}

// The scene has no errors, and its world can step.
static void expect_run(const char* text) {
    pli_scene_def def = pli_default_scene_def();
    def.path = "robot.json";
    def.text = text;
    def.thread_count = 1;
    pli_scene* scene;
    pli_error error = {0};
    pli_step_info info;
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_OK);
    char line[1024];
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR)
            fail_msg("%s", pli_scene_finding_text(scene, i, line, sizeof line));
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(pli_world_step(pli_scene_world(scene), &info, &error), PLI_OK);
        assert_int_equal(info.reason, PLI_CONVERGED);
    }
    pli_scene_destroy(scene);
}

// The arm: the tool is part of the lower link. Masses 1 at 0.15 and 0.5 at 0.32.
static void arm(void** state) {
    (void)state;
    heard h;
    double x[3];
    char* scene = read_robot("arm", &h, NULL, false);
    numbers_of(scene, "lower", "total_mass", 1, x);
    near(x[0], 1.5);
    numbers_of(scene, "lower", "center_of_mass", 3, x);
    near(x[2], (0.15 + 0.5 * 0.32) / 1.5);
    numbers_of(scene, "lower", "inertia", 3, x);
    near(x[0], 0.0077 + 0.0002 + 1 * 0.5 / 1.5 * 0.17 * 0.17);
    near(x[2], 0.0006);
    numbers_of(scene, "lower", "translate", 3, x); // z up became y up
    near(x[0], 0.4);
    near(x[1], 0.15);
    numbers_of(scene, "shoulder", "axis", 3, x);
    near(x[2], -1);
    has(scene, "\"between\": [\"upper\", \"world\"]");
    has(scene, "\"between\": [\"lower\", \"upper\"]");
    has(scene, "\"limits\": [-2, 2], \"friction\": 0.05, \"damping\": 0.1, \"motor\": { "
               "\"position\": 0, \"cap\": 40 }");
    has(scene, "\"obstacles\"");
    assert_null(strstr(scene, "\"tool\""));
    assert_int_equal(h.notes, 4);
    assert_non_null(strstr(h.all, "<gazebo> is not taken over"));
    assert_non_null(strstr(h.all, "\"elbow\" begins at a limit"));
    expect_run(scene);
    pli_import_free(scene, NULL);
    const pli_import_pose bent = {"elbow", -1.5707963267948966};
    scene = read_robot("arm", &h, &bent, true);
    numbers_of(scene, "lower", "rotate", 3, x); // upright again, from -90 about x and 90 about y
    near(x[0], -90);
    assert_true(fabs(x[1]) + fabs(x[2]) < 1e-9);
    assert_null(strstr(scene, "motor"));
    pli_import_free(scene, NULL);
    const pli_import_pose beyond = {"elbow", 1};
    scene = read_robot("arm", &h, &beyond, false);
    assert_non_null(strstr(h.all, "joint \"elbow\" begins at 0: 1 is beyond its limits"));
    pli_import_free(scene, NULL);
}

static void rover(void** state) {
    (void)state;
    heard h;
    double x[3];
    char* scene = read_robot("rover", &h, NULL, false);
    expect_run(scene);
    assert_null(strstr(scene, "\"foot\"")); // a frame; the body is the chassis
    numbers_of(scene, "front_left_wheel", "translate", 3, x);
    near(x[0], 0.2);
    near(x[1], 0.1);
    near(x[2], -0.2);
    has(scene, "\"type\": \"hinge\", \"name\": \"front_left\", \"between\": [\"front_left_wheel\", "
               "\"chassis\"]");
    has(scene, "[\"chassis\", \"rear_right_wheel\"]");
    has(scene, "\"path\": \"");
    assert_null(strstr(scene, "\"obstacles\"")); // the base is free
    assert_null(strstr(scene, "\"limits\""));
    pli_import_free(scene, NULL);
}

static void gripper(void** state) {
    (void)state;
    heard h;
    char* scene = read_robot("gripper", &h, NULL, false);
    expect_run(scene);
    has(scene, "\"type\": \"slider\", \"name\": \"left\"");
    has(scene,
        "\"travel\": { \"start\": 0, \"limits\": [-4e-05, 0.04], \"motor\": { \"position\": 0, "
        "\"cap\": 20 } }");
    has(scene, "{ \"type\": \"gear\", \"of\": [\"left\", \"right\"], \"ratio\": 1 }");
    has(scene, "{ \"type\": \"rack\", \"of\": [\"dial\", \"left\"], \"radius\": 0.02 }");
    assert_non_null(strstr(h.all, "link \"hand\" has no <collision>: it touches nothing"));
    assert_non_null(strstr(h.all, "link \"pointer\" has no <inertial>"));
    pli_import_free(scene, NULL);
}

// ---- files that were damaged

static void damaged(void** state) {
    (void)state;
    char path[1024], text[8192], copy[8192];
    snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/tests/data/robots/gripper.urdf");
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(size > 100 && size < sizeof text);
    uint32_t random = 1;
    int good = 0;
    for (int i = 0; i < 600; ++i) {
        heard h;
        pli_error error = {0};
        size_t length = size;
        memcpy(copy, text, size);
        if (i % 3 == 0) length = (size_t)i * size / 600;
        for (int k = 0; k < i % 4; ++k) {
            random = random * 1664525u + 1013904223u;
            copy[random / 256 % size] = (char)"\0<>'\"/ -09.ejx\xff"[random >> 28];
        }
        char* scene = import(copy, length, &h, &error);
        if (!scene) assert_true(error.message[0]);
        good += scene != NULL;
        pli_import_free(scene, NULL);
    }
    assert_true(good > 0 && good < 400); // both happen
}

// Each request for memory fails, once alone and once with all later ones: an error, and nothing is
// left behind.
static void out_of_memory(void** state) {
    (void)state;
    for (int once = 0; once < 2; ++once) {
        bool failed = true;
        for (int at = 1; failed; ++at) {
            pli_test_allocator a = {.fail_at = at, .once = once};
            pli_allocator hook = pli_test_hook(&a);
            pli_import_def def = pli_default_import_def();
            pli_error error = {0};
            char* scene = NULL;
            def.path = PLIANT_SOURCE_DIR "/tests/data/robots/rover.urdf";
            def.allocator = &hook;
            pli_status status = pli_import_robot(&def, &scene, NULL, &error);
            failed = status != PLI_OK;
            if (failed) assert_int_equal(status, PLI_E_MEMORY);
            pli_import_free(scene, &hook);
            assert_int_equal(a.bytes, 0);
            assert_false(a.wrong_size);
            assert_true(at < 500);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_files),   cmocka_unit_test(broken_xml), cmocka_unit_test(arm),
        cmocka_unit_test(rover),         cmocka_unit_test(gripper),    cmocka_unit_test(damaged),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
