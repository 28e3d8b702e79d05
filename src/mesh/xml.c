// Tags of XML files.
#define _GNU_SOURCE // memmem
#include "mesh/xml.h"

#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Moves behind `text`, which must come.
static pli_status pass(pli_scan* scan, const char* text) {
    const char* found = memmem(scan->at, pli_scan_left(scan), text, strlen(text));
    if (!found) return PLI_SCAN_FAIL(scan, "the tag has no end \"%s\"", text);
    pli_scan_move(scan, found + strlen(text));
    return PLI_OK;
}

pli_status pli_xml_next(pli_scan* scan, pli_tag* tag) {
    *tag = (pli_tag){.name = ""};
    for (;;) {
        const char* start = memchr(scan->at, '<', pli_scan_left(scan));
        pli_scan_move(scan, start ? start : scan->text + scan->size);
        if (!start) return PLI_OK;
        bool comment = strncmp(start, "<!--", 4) == 0;
        if (start[1] != '?' && start[1] != '!') break;
        PLI_TRY(pass(scan, comment ? "-->" : ">"));
    }
    const char* c = scan->at + 1;
    tag->closes = *c == '/';
    tag->opens = !tag->closes;
    if (tag->closes) ++c;
    size_t n = 0;
    while (c[n] && !is_space(c[n]) && c[n] != '>' && c[n] != '/') ++n;
    if (n == 0 || n >= sizeof tag->name)
        return PLI_SCAN_FAIL(scan, "a tag must have a name of 1 to %zu letters",
                             sizeof tag->name - 1);
    memcpy(tag->name, c, n);
    tag->first = c + n;
    PLI_TRY(pass(scan, ">"));
    tag->end = scan->at - 1;
    if (tag->end > tag->first && tag->end[-1] == '/') {
        tag->closes = true;
        --tag->end;
    }
    return PLI_OK;
}

// Copies from `c` to `end` with the five names that XML has for signs of its own as these signs.
static void unescape(const char* c, const char* end, char* out, size_t size) {
    static const char* const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    size_t n = 0;
    while (c < end && n + 1 < size) {
        char sign = *c;
        size_t length = 1;
        for (int i = 0; *c == '&' && i < 5; ++i)
            if (strncmp(c, names[i], strlen(names[i])) == 0)
                sign = "&<>\"'"[i], length = strlen(names[i]);
        out[n++] = sign;
        c += length;
    }
    out[n] = 0;
}

const char* pli_xml_attribute(const pli_tag* tag, const char* name, char* value, size_t size) {
    size_t length = strlen(name);
    value[0] = 0;
    for (const char* c = tag->first; c < tag->end; ++c) {
        if (!is_space(*c)) continue;
        const char* word = c + 1;
        if ((size_t)(tag->end - word) <= length || memcmp(word, name, length) != 0) continue;
        const char* q = word + length;
        while (q < tag->end && is_space(*q)) ++q;
        if (q >= tag->end || *q != '=') continue;
        do ++q;
        while (q < tag->end && is_space(*q));
        if (q >= tag->end || (*q != '"' && *q != '\'')) continue;
        const char* close = memchr(q + 1, *q, (size_t)(tag->end - q - 1));
        if (!close) continue;
        unescape(q + 1, close, value, size);
        break;
    }
    return value;
}
