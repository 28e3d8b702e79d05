// Messages from browsers: what is right is read, everything else is refused with a sentence, and no
// bytes whatever do harm.
#include "viewer/message.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"

static const char* const good[] = {
    "{\"type\":\"play\"}",
    "{\"type\":\"pause\"}",
    "{\"type\":\"step\"}",
    "{\"type\":\"restart\"}",
    "{\"type\":\"seek\",\"frame\":12}",
    "{\"type\":\"rate\",\"value\":62.5}",
    "{\"type\":\"show\",\"field\":\"stress\",\"contacts\":true}",
    "{\"type\":\"grab\",\"vertex\":3,\"target\":[1,-2.5,3e-3],\"body\":false}",
    "{\"type\":\"drag\",\"target\":[0,0,0]}",
    "{\"type\":\"release\"}",
    "{\"type\":\"set\",\"path\":\"bodies[0].energies[1].young\",\"value\":2e5}",
    "{\"type\":\"set\",\"path\":\"contact.bodies\",\"value\":false}",
    "{\"type\":\"set\",\"path\":\"solver.on_failure\",\"value\":\"accept\"}",
    "{\"type\":\"open\",\"scene\":\"tutorial/1_mass_spring\"}",
    "{\"type\":\"ack\",\"sequence\":4294967295}",
};
enum { GOOD_COUNT = sizeof good / sizeof *good };

static bool read(const char* text, pli_view_request* request, char why[PLI_VIEW_WHY_SIZE]) {
    return pli_view_message_read(text, strlen(text), request, why);
}

static void test_good_messages_are_read(void** state) {
    (void)state;
    pli_view_request r;
    char why[PLI_VIEW_WHY_SIZE];
    for (int i = 0; i < GOOD_COUNT; ++i)
        if (!read(good[i], &r, why)) fail_msg("%s: %s", good[i], why);
    assert_true(read(good[4], &r, why));
    assert_int_equal(r.kind, PLI_VIEW_SEEK);
    assert_int_equal(r.frame, 12);
    assert_true(read(good[7], &r, why));
    assert_int_equal(r.vertex, 3);
    assert_true(r.target[0] == 1 && r.target[1] == -2.5 && r.target[2] == 3e-3);
    assert_true(read(good[10], &r, why));
    assert_string_equal(r.path, "bodies[0].energies[1].young");
    assert_int_equal(r.value.type, PLI_VIEW_NUMBER);
    assert_true(r.value.number == 2e5);
    assert_true(read(good[11], &r, why));
    assert_int_equal(r.value.type, PLI_VIEW_BOOL);
    assert_false(r.value.flag);
    assert_true(read(good[12], &r, why));
    assert_string_equal(r.value.word, "accept");
    assert_true(read(good[14], &r, why));
    assert_true(r.sequence == 4294967295u);
}

static void test_bad_messages_are_refused(void** state) {
    (void)state;
    static const char* const bad[][2] = {
        {"", "JSON"},
        {"x", "JSON"},
        {"[]", "object"},
        {"\"play\"", "JSON"},
        {"{}", "type"},
        {"{\"type\":3}", "type"},
        {"{\"type\":\"jump\"}", "jump"},
        {"{\"type\":\"play\",\"type\":\"play\"}", "JSON"},
        {"{\"type\":\"play\",\"more\":1}", "member"},
        {"{\"type\":\"seek\"}", "missing"},
        {"{\"type\":\"seek\",\"frame\":-1}", "frame"},
        {"{\"type\":\"seek\",\"frame\":1.5}", "frame"},
        {"{\"type\":\"seek\",\"frame\":1e99}", "frame"},
        {"{\"type\":\"seek\",\"frame\":99999999999}", "frame"},
        {"{\"type\":\"seek\",\"frame\":99999999999999999999999}", "JSON"},
        {"{\"type\":\"rate\",\"value\":-1}", "value"},
        {"{\"type\":\"rate\",\"value\":1e7}", "value"},
        {"{\"type\":\"rate\",\"value\":1e999}", "JSON"},
        {"{\"type\":\"rate\",\"value\":NaN}", "JSON"},
        {"{\"type\":\"show\",\"field\":3,\"contacts\":true}", "field"},
        {"{\"type\":\"show\",\"field\":\"\",\"contacts\":1}", "contacts"},
        {"{\"type\":\"grab\",\"vertex\":3,\"target\":[1,2,3]}", "body"},
        {"{\"type\":\"grab\",\"vertex\":3,\"target\":[1,2,3],\"body\":1}", "body"},
        {"{\"type\":\"grab\",\"vertex\":3,\"target\":[1,2],\"body\":false}", "target"},
        {"{\"type\":\"grab\",\"vertex\":3,\"target\":[1,2,3,4],\"body\":false}", "target"},
        {"{\"type\":\"grab\",\"vertex\":3,\"target\":[1,2,null],\"body\":false}", "target"},
        {"{\"type\":\"grab\",\"vertex\":3,\"target\":[1,2,1e10],\"body\":false}", "target"},
        {"{\"type\":\"grab\",\"vertex\":-3,\"target\":[1,2,3],\"body\":false}", "vertex"},
        {"{\"type\":\"grab\",\"vertex\":\"3\",\"target\":[1,2,3],\"body\":false}", "vertex"},
        {"{\"type\":\"set\",\"path\":\"a=b\",\"value\":1}", "path"},
        {"{\"type\":\"set\",\"path\":\"a b\",\"value\":1}", "path"},
        {"{\"type\":\"set\",\"path\":\"\",\"value\":1}", "path"},
        {"{\"type\":\"set\",\"path\":\"a\",\"value\":[1]}", "value"},
        {"{\"type\":\"set\",\"path\":\"a\",\"value\":null}", "value"},
        {"{\"type\":\"set\",\"path\":\"a\",\"value\":\"\\n\"}", "value"},
        {"{\"type\":\"open\",\"scene\":\"a\\u0000b\"}", "JSON"},
        {"{\"type\":\"ack\",\"sequence\":4294967296}", "sequence"},
        {"{\"type\":\"ack\",\"sequence\":-1}", "sequence"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        pli_view_request r;
        char why[PLI_VIEW_WHY_SIZE] = "";
        if (read(bad[i][0], &r, why)) fail_msg("was read: %s", bad[i][0]);
        if (!strstr(why, bad[i][1])) fail_msg("%s: %s", bad[i][0], why);
    }
}

static void test_long_messages_are_refused(void** state) {
    (void)state;
    enum { SIZE = PLI_VIEW_MESSAGE_MAX + 1 };
    char* text = malloc(SIZE);
    assert_non_null(text);
    memset(text, ' ', SIZE);
    memcpy(text, good[0], strlen(good[0]));
    pli_view_request r;
    char why[PLI_VIEW_WHY_SIZE];
    assert_true(pli_view_message_read(text, SIZE - 1, &r, why));
    assert_false(pli_view_message_read(text, SIZE, &r, why));
    assert_non_null(strstr(why, "65536"));
    // Deep nesting and long texts.
    memset(text, '[', SIZE);
    assert_false(pli_view_message_read(text, SIZE - 1, &r, why));
    memset(text, 'a', SIZE);
    memcpy(text, "{\"type\":\"", 9);
    memcpy(text + SIZE - 3, "\"}", 2);
    assert_false(pli_view_message_read(text, SIZE - 1, &r, why));
    free(text);
}

// ---- any bytes

// What must hold for all that was read.
static void check_request(const pli_view_request* r) {
    assert_true(r->kind >= PLI_VIEW_PLAY && r->kind <= PLI_VIEW_ACK);
    assert_true(r->frame >= 0 && r->vertex >= 0);
    assert_true(r->rate >= 0 && r->rate <= 1e6);
    for (int i = 0; i < 3; ++i) assert_true(fabs(r->target[i]) <= 1e9);
    assert_true(memchr(r->field, 0, sizeof r->field) && memchr(r->path, 0, sizeof r->path));
    assert_true(memchr(r->scene, 0, sizeof r->scene));
    assert_true(memchr(r->value.word, 0, sizeof r->value.word) && isfinite(r->value.number));
    assert_null(strpbrk(r->path, "= \"\n"));
}

// Changes some bytes of the text: another byte, one less, a copy of a part, a word of the grammar.
static size_t mutate(pli_random* random, char* text, size_t length, size_t room) {
    static const char* const words[] = {
        "null", "true",    "1e308", "-0", "[[", "\\u0000", "{", "\"", "9999999999999999999",
        ",",    "\\ud800", ":"};
    enum { WORDS = sizeof words / sizeof *words };
    for (int n = 1 + pli_random_below(random, 4); n > 0; --n) {
        size_t at = length > 0 ? (size_t)pli_random_below(random, (int)length) : 0;
        int how = pli_random_below(random, 4);
        if (how == 0 && length > 0) {
            text[at] = (char)pli_random_below(random, 256);
        } else if (how == 1 && length > 0) {
            memmove(text + at, text + at + 1, --length - at);
        } else {
            const char* word = words[pli_random_below(random, WORDS)];
            size_t size = how == 2 ? strlen(word) : (size_t)pli_random_below(random, 8);
            if (length + size > room || (how == 3 && at + size > length)) continue;
            memmove(text + at + size, text + at, length - at);
            if (how == 2) memcpy(text + at, word, size);
            length += size;
        }
    }
    return length;
}

static void test_any_bytes_do_no_harm(void** state) {
    (void)state;
    enum { CASES = 120000, ROOM = 300 };
    pli_random random = {.state = 20};
    int read_count = 0;
    for (int i = 0; i < CASES; ++i) {
        // Of exactly its length, so that the sanitizer sees a byte too far.
        char buffer[ROOM];
        size_t length = strlen(good[i % GOOD_COUNT]);
        memcpy(buffer, good[i % GOOD_COUNT], length);
        length = mutate(&random, buffer, length, ROOM);
        char* text = malloc(length + (length == 0));
        assert_non_null(text);
        memcpy(text, buffer, length);
        pli_view_request r;
        char why[PLI_VIEW_WHY_SIZE] = "";
        if (pli_view_message_read(text, length, &r, why)) {
            check_request(&r);
            ++read_count;
        } else {
            assert_true(why[0] != '\0' && memchr(why, 0, sizeof why) && !strpbrk(why, "\n\r\033"));
        }
        free(text);
    }
    // Some changes leave a message right: otherwise the test would only see the first character.
    assert_in_range(read_count, CASES / 100, CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_messages_are_read),
        cmocka_unit_test(test_bad_messages_are_refused),
        cmocka_unit_test(test_long_messages_are_refused),
        cmocka_unit_test(test_any_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
