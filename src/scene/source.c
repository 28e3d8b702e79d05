// Files and JSON syntax.
#include "scene/source.h"

#include "base/file.h"

#include <string.h>

enum { SIZE_LIMIT = 256 << 20 }; // [bytes]

pli_status pli_source_read(pli_memory* memory, const char* path, char** text, size_t* size,
                           pli_error* error) {
    return pli_read_file(memory, path, SIZE_LIMIT, text, size, error);
}

// What people write that JSON does not allow, by the first characters of the bad token.
static const char* syntax_hint(const char* at) {
    static const struct {
        const char* start;
        const char* hint;
    } hints[] = {
        {"/", "JSON has no comments; use the key \"description\""},
        {"#", "JSON has no comments; use the key \"description\""},
        {"'", "texts are written in double quotes"},
        {"NaN", "numbers must be finite"},
        {"nan", "numbers must be finite"},
        {"Infinity", "numbers must be finite"},
        {"inf", "numbers must be finite"},
        {"True", "write true"},
        {"False", "write false"},
        {"None", "leave the key out"},
        {"}", "a comma or a value may be too much before it"},
        {"]", "a comma or a value may be too much before it"},
        {"\"", "a comma may be missing before it"},
        {"{", "a comma may be missing before it"},
        {"[", "a comma may be missing before it"},
        {".", "numbers start with a digit: 0.5"},
        {"+", "numbers start with a digit or -"},
        {"\xEF\xBB\xBF", "save the file without a byte order mark"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; ++i)
        if (strncmp(at, hints[i].start, strlen(hints[i].start)) == 0) return hints[i].hint;
    return "";
}

static pli_status syntax_error(pli_findings* findings, const json_error_t* json, pli_error* error) {
    size_t end = json->position > 0 ? (size_t)json->position : 0;
    size_t start = pli_token_start(findings->text, end);
    enum json_error_code code = json_error_code(json);
    const char* hint = "";
    if (code == json_error_premature_end_of_input) {
        start = strlen(findings->text);
        hint = "a bracket or quote is not closed";
    } else if (strstr(json->text, "unexpected newline")) {
        hint = "the closing quote is missing";
    } else if (code == json_error_invalid_syntax) {
        hint = syntax_hint(findings->text + start);
    }
    return pli_finding_add_at(findings, start, error, "not valid JSON: %s%s%s", json->text,
                              *hint ? "; " : "", hint);
}

pli_status pli_source_parse(pli_findings* findings, size_t size, json_t** root, pli_error* error) {
    const char* text = findings->text;
    size_t length = strlen(text);
    *root = NULL;
    if (length < size)
        return pli_finding_add_at(findings, length, error,
                                  "there is a NUL byte: this is not a text file");
    if (strspn(text, " \t\r\n") == length)
        return pli_finding_add_at(findings, 0, error, "the file is empty, must be a JSON object");
    json_error_t json;
    json_t* tree = json_loadb(text, length, JSON_REJECT_DUPLICATES, &json);
    if (!tree && json_error_code(&json) == json_error_out_of_memory)
        return pli_fail(error, PLI_E_MEMORY, "out of memory: JSON text of %zu bytes", length);
    if (!tree) return syntax_error(findings, &json, error);
    if (!json_is_object(tree)) {
        json_decref(tree);
        return pli_finding_add_at(findings, strspn(text, " \t\r\n"), error,
                                  "a scene must be a JSON object {...}");
    }
    *root = tree;
    return PLI_OK;
}
