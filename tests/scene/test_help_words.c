// Everyday words of `pliant help` lead to topics that exist.
#include "pliant/scene.h"
#include "scene/help_words.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

typedef struct answer {
    char text[65536];
    size_t size;
} answer;

static void keep(void* context, const char* text) {
    answer* a = context;
    size_t n = strlen(text);
    if (a->size + n >= sizeof a->text) return;
    memcpy(a->text + a->size, text, n + 1);
    a->size += n;
}

// The topics of each row are known, and none of them is an everyday word itself.
static void topics_exist(void** state) {
    (void)state;
    const pli_help_word* row;
    for (int i = 0; (row = pli_help_word_at(i)); ++i)
        for (const char* c = row->topics; *c;) {
            static answer a;
            char topic[64];
            size_t n = strcspn(c, " ");
            pli_error error = PLI_NO_ERROR;
            a.size = 0;
            snprintf(topic, sizeof topic, "%.*s", (int)n, c);
            if (pli_scene_help(topic, keep, &a, &error) != PLI_OK) fail_msg("%s", error.message);
            if (pli_help_word_find(topic)) fail_msg("%s leads to itself", topic);
            c += c[n] ? n + 1 : n;
        }
}

// Each word is answered by its row, unless it is a topic or a key itself; no word stands twice.
static void words_are_answered(void** state) {
    (void)state;
    const pli_help_word* row;
    for (int i = 0; (row = pli_help_word_at(i)); ++i)
        for (const char* c = row->words; *c;) {
            static answer a;
            char word[64];
            size_t n = strcspn(c, " ");
            a.size = 0;
            snprintf(word, sizeof word, "%.*s", (int)n, c);
            assert_ptr_equal(pli_help_word_find(word), row);
            assert_int_equal(pli_scene_help(word, keep, &a, NULL), PLI_OK);
            if (!strstr(a.text, row->topics)) fail_msg("%s is a topic or a key", word);
            c += c[n] ? n + 1 : n;
        }
}

static void other_words_are_unknown(void** state) {
    (void)state;
    static answer a;
    assert_null(pli_help_word_find(""));
    assert_null(pli_help_word_find("clot"));
    assert_int_equal(pli_scene_help("clothes", keep, &a, NULL), PLI_E_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_exist),
        cmocka_unit_test(words_are_answered),
        cmocka_unit_test(other_words_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
