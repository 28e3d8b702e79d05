// Comments and commas before a closing bracket, which JSON does not have: they become spaces, so
// all places in the text stay as they are.
#include "scene/source.h"

#include <string.h>

// The end of the comment that begins at c; NULL: none begins there, or it is not closed.
static char* comment_end(char* c) {
    if (c[0] != '/') return NULL;
    if (c[1] == '/') return c + strcspn(c, "\n");
    char* close = c[1] == '*' ? strstr(c + 2, "*/") : NULL;
    return close ? close + 2 : NULL;
}

static char* string_end(char* c) {
    for (++c; *c && *c != '"' && *c != '\n'; ++c)
        if (*c == '\\' && c[1]) ++c;
    return *c == '"' ? c + 1 : c;
}

void pli_source_clean(char* text) {
    char* comma = NULL; // the last token, if it is a comma after a value
    char last = '[';    // the last character that is no space
    for (char* c = text; *c;) {
        char* end = comment_end(c);
        if (end) {
            for (; c < end; ++c)
                if (*c != '\n' && *c != '\r') *c = ' ';
            continue;
        }
        if (comma && (*c == '}' || *c == ']')) *comma = ' ';
        if (!strchr(" \t\r\n", *c)) {
            comma = *c == ',' && !strchr("[{,:", last) ? c : NULL;
            last = *c;
        }
        c = *c == '"' ? string_end(c) : c + 1;
    }
}
