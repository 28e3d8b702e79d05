// Is a text well-formed XML? Tags balance, attributes are quoted, entities are known.
#ifndef PLI_TESTS_RESULT_XML_CHECK_H
#define PLI_TESTS_RESULT_XML_CHECK_H

#include <stdbool.h>
#include <string.h>

static inline bool is_entity(const char* at) {
    static const char* const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strncmp(at, known[i], strlen(known[i])) == 0) return true;
    return false;
}

// End of the tag that starts at `at`, or NULL.
static inline const char* tag_end(const char* at) {
    bool quoted = false;
    for (++at; *at; ++at) {
        if (*at == '"') quoted = !quoted;
        if (*at == '<' || (*at == '&' && !is_entity(at))) return NULL;
        if (*at == '>' && !quoted) return at;
    }
    return NULL;
}

static inline bool is_well_formed(const char* text) {
    enum { DEPTH = 32 };
    const char* open[DEPTH];
    int depth = 0;
    for (const char* at = text; *at; ++at) {
        if (*at == '&' && !is_entity(at)) return false;
        if (*at == '>') return false;
        if (*at != '<') continue;
        const char* end = tag_end(at);
        if (!end) return false;
        if (at[1] == '/') {
            size_t length = (size_t)(end - at - 2);
            if (depth == 0 || strncmp(open[--depth], at + 2, length) != 0) return false;
            if (strcspn(open[depth], " >\n") != length) return false;
        } else if (at[1] != '?' && end[-1] != '/') {
            if (depth == DEPTH) return false;
            open[depth++] = at + 1;
        }
        at = end;
    }
    return depth == 0;
}

#endif
