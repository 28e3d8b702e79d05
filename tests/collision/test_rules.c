// Contact rules: classes of bodies and half-spaces, and what holds between them.
#include "collision/rule_defs.h"
#include "collision/rules.h"
#include "contact/support.h"
#include "oracle/near.h"

#include <stdio.h>
#include <string.h>

static pli_error error;

static const char* const red[] = {"red"};
static const char* const red_big[] = {"red", "big", "red"};

// Bodies a (red), b (red, big), c, d; an obstacle o (red); a half-space "floor".
static const pli_member members[] = {
    {.name = "a", .tags = red, .tag_count = 1},
    {.name = "b", .tags = red_big, .tag_count = 3},
    {.name = "c"},
    {.name = "d"},
    {.kind = PLI_MEMBER_OBSTACLE, .name = "o", .tags = red, .tag_count = 1},
    {.kind = PLI_MEMBER_HALF_SPACE, .name = "floor", .friction = 0.7},
};
enum { MEMBERS = sizeof members / sizeof *members, A = 0, B, C, D, O, FLOOR };

static pli_status make_rules(pli_memory* memory, int count, const pli_contact_rule_def* list,
                             pli_rules* rules) {
    pli_rules_def def = {.member_count = MEMBERS,
                         .members = members,
                         .rule_count = count,
                         .rules = list,
                         .friction = 0.1};
    return pli_rules_init(rules, memory, &def, &error);
}

static pli_relation between(const pli_rules* rules, int a, int b) {
    const pli_relation* one = pli_rules_between(rules, rules->classes[a], rules->classes[b]);
    assert_ptr_equal(one, pli_rules_between(rules, rules->classes[b], rules->classes[a]));
    return *one;
}

static void assert_friction(const pli_rules* rules, int a, int b, double kinetic, double still) {
    assert_true(between(rules, a, b).friction == kinetic);
    assert_true(between(rules, a, b).friction_static == still);
}

static void test_without_rules(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_rules rules;
    ASSERT_OK(make_rules(&memory, 0, NULL, &rules));
    assert_int_equal(rules.class_count, 3);
    assert_int_equal(rules.solid_count, 2);
    assert_friction(&rules, A, D, 0.1, 0.1);
    assert_friction(&rules, C, FLOOR, 0.7, 0.7);
    assert_false(between(&rules, A, A).pass || between(&rules, A, O).pass);
    assert_false(between(&rules, O, FLOOR).pass);
    assert_true(between(&rules, O, O).pass); // obstacles touch neither each other nor themselves
    assert_true(pli_rules_have_friction(&rules, -1) &&
                pli_rules_have_friction(&rules, rules.classes[FLOOR]));
    assert_false(pli_rules_allow_initial(&rules));
    pli_rules_free(&rules);
    assert_int_equal(memory.bytes, 0);
}

static void test_later_rules_win(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_contact_rule_def allowed = rule("big", "");
    allowed.allow_initial = true;
    const pli_contact_rule_def list[] = {
        slides("", "", 0.2, 0.3),    slides("red", "c", 0.4, 0), slides("b", "c", -1, 0.5),
        slides("floor", "d", 0, 0),  passes("a", "c"),           allowed,
        slides("c", "floor", 1, -1),
    };
    pli_rules rules;
    ASSERT_OK(make_rules(&memory, 6, list, &rules));
    assert_int_equal(rules.class_count, 6); // a, b, c, d, o, floor: all differ
    assert_friction(&rules, A, B, 0.2, 0.3);
    assert_friction(&rules, A, C, 0.4, 0.4);
    assert_friction(&rules, O, C, 0.4, 0.4);
    assert_friction(&rules, B, C, 0.4, 0.5); // each rule in what it says
    assert_friction(&rules, FLOOR, A, 0.2, 0.3);
    assert_friction(&rules, FLOOR, D, 0, 0);
    assert_true(between(&rules, A, C).pass && !between(&rules, B, C).pass);
    assert_true(between(&rules, B, B).allow_initial && between(&rules, B, O).allow_initial);
    assert_false(between(&rules, A, D).allow_initial);
    pli_rules_free(&rules);
    // Now friction 1 between c and floor, with the static one still 0.3.
    assert_int_equal(make_rules(&memory, 7, list, &rules), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "between \"c\" and \"floor\": friction_static = 0.3"));
    pli_rules_free(&rules);
    assert_int_equal(memory.bytes, 0);
}

static void test_bad_rules(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_rules rules;
    pli_contact_rule_def list[2] = {passes("a", "b"), passes("a", "blue")};
    assert_int_equal(make_rules(&memory, 2, list, &rules), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "\"blue\""));
    pli_rules_free(&rules);
    list[1] = rule("", "floor");
    list[1].allow_initial = true;
    assert_int_equal(make_rules(&memory, 2, list, &rules), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "\"floor\" is a half-space"));
    pli_rules_free(&rules);
    assert_int_equal(memory.bytes, 0);
}

static void test_out_of_memory(void** state) {
    (void)state;
    const pli_contact_rule_def list[] = {slides("red", "", 0.2, 0.3), passes("a", "c")};
    bool done = false;
    for (int n = 0; !done; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_rules rules;
        pli_status status = make_rules(&memory, 2, list, &rules);
        assert_true(status == PLI_OK || status == PLI_E_MEMORY);
        done = status == PLI_OK;
        assert_true(!done || n > 5);
        pli_rules_free(&rules);
        assert_int_equal(memory.bytes, 0);
    }
}

// 10,000 bodies in 100 groups, and a chain of 2,000 exclusions between named ones.
static void test_many_bodies(void** state) {
    (void)state;
    enum { BODIES = 10000, GROUPS = 100, CHAIN = 2000 };
    static char names[BODIES][16], groups[GROUPS][16];
    static const char* tags[BODIES];
    static pli_member many[BODIES];
    static pli_contact_rule_def list[GROUPS + CHAIN];
    for (int i = 0; i < GROUPS; ++i) {
        snprintf(groups[i], sizeof groups[i], "group %d", i);
        list[i] = slides(groups[i], groups[(i + 1) % GROUPS], 0.01 * i, 0);
    }
    for (int i = 0; i < BODIES; ++i) {
        snprintf(names[i], sizeof names[i], "body %d", i);
        tags[i] = groups[i % GROUPS];
        many[i] = (pli_member){.name = names[i], .tags = &tags[i], .tag_count = 1};
    }
    for (int i = 0; i < CHAIN; ++i) list[GROUPS + i] = passes(names[i], names[i + 1]);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_rules rules;
    pli_rules_def def = {.member_count = BODIES, .members = many, .rules = list};
    def.rule_count = GROUPS;
    ASSERT_OK(pli_rules_init(&rules, &memory, &def, &error));
    assert_int_equal(rules.class_count, GROUPS);
    assert_friction(&rules, 205, 9906, 0.05, 0.05);
    assert_friction(&rules, 205, 9907, 0, 0);
    pli_rules_free(&rules);
    def.rule_count = GROUPS + CHAIN;
    ASSERT_OK(pli_rules_init(&rules, &memory, &def, &error));
    assert_int_equal(rules.class_count, GROUPS + CHAIN + 1);
    assert_true(between(&rules, 1000, 1001).pass && !between(&rules, 1000, 1002).pass);
    assert_friction(&rules, 1005, 9906, 0.05, 0.05);
    pli_rules_free(&rules);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_rules), cmocka_unit_test(test_later_rules_win),
        cmocka_unit_test(test_bad_rules),     cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_many_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
