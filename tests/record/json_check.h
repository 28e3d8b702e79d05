// Is a text one JSON value, as RFC 8259 has it?
#ifndef PLI_TESTS_RECORD_JSON_CHECK_H
#define PLI_TESTS_RECORD_JSON_CHECK_H

#include <stdbool.h>
#include <string.h>

static inline const char* skip_string(const char* at) {
    if (*at != '"') return NULL;
    for (++at; *at != '"'; ++at) {
        if ((unsigned char)*at < 0x20) return NULL;
        if (*at == '\\' && !strchr("\"\\/bfnrt", *++at)) return NULL;
    }
    return at + 1;
}

static inline const char* skip_digits(const char* at) {
    size_t n = strspn(at, "0123456789");
    return n > 0 ? at + n : NULL;
}

static inline const char* skip_number(const char* at) {
    if (*at == '-') ++at;
    if (*at == '0' && strchr("0123456789", at[1]) && at[1]) return NULL;
    at = skip_digits(at);
    if (at && *at == '.') at = skip_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) {
        ++at;
        at = skip_digits(at + (*at == '+' || *at == '-'));
    }
    return at;
}

static inline const char* skip_value(const char* at) {
    static const char* const words[] = {"null", "true", "false"};
    for (int i = 0; i < 3; ++i)
        if (strncmp(at, words[i], strlen(words[i])) == 0) return at + strlen(words[i]);
    if (*at == '"') return skip_string(at);
    if (*at != '{' && *at != '[') return skip_number(at);
    bool object = *at == '{';
    char close = object ? '}' : ']';
    if (at[1] == close) return at + 2;
    do {
        if (object) {
            at = skip_string(at + 1);
            if (!at || *at != ':') return NULL;
        }
        at = skip_value(at + 1);
        if (!at) return NULL;
    } while (*at == ',');
    return *at == close ? at + 1 : NULL;
}

// One object and a newline per line, to the end of the text; returns the number of lines or -1.
static inline int count_json_lines(const char* text) {
    int count = 0;
    while (*text) {
        const char* end = *text == '{' ? skip_value(text) : NULL;
        if (!end || *end != '\n') return -1;
        text = end + 1;
        count++;
    }
    return count;
}

#endif
