// Words in messages.
#include "scene/words.h"

#include <stdio.h>
#include <string.h>

const char* pli_nearest_hint(const pli_nearest* nearest, char hint[PLI_HINT_SIZE]) {
    hint[0] = '\0';
    if (nearest->best) snprintf(hint, PLI_HINT_SIZE, ", did you mean \"%.80s\"?", nearest->best);
    return hint;
}

void pli_append_word(char* buffer, size_t size, const char* word) {
    static const char more[] = ", ...";
    size_t used = strlen(buffer);
    if (used > 0 && buffer[used - 1] == '.') return; // words end in "
    if (used + strlen(word) + 4 + sizeof more > size)
        snprintf(buffer + used, size - used, "%s", used > 0 ? more : more + 2);
    else
        snprintf(buffer + used, size - used, "%s\"%s\"", used > 0 ? ", " : "", word);
}

const char* pli_value_text(const json_t* value, char text[PLI_VALUE_SIZE]) {
    const char* string;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        snprintf(text, PLI_VALUE_SIZE, "a list of %zu", json_array_size(value));
        return text;
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    case JSON_REAL:
        pli_format(text, PLI_VALUE_SIZE, "%.10g", json_real_value(value));
        return text;
    case JSON_INTEGER:
        snprintf(text, PLI_VALUE_SIZE, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return text;
    case JSON_STRING:
        string = json_string_value(value);
        snprintf(text, PLI_VALUE_SIZE, "\"%.40s%s\"", string, strlen(string) > 40 ? "..." : "");
        return text;
    }
    return "";
}
