// All problems of a scene: a list of messages, each with its position in the text.
#ifndef PLI_SCENE_FINDINGS_H
#define PLI_SCENE_FINDINGS_H

#include "base/base.h"
#include "base/memory.h"
#include "base/text.h"
#include "pliant/scene.h"

#include <jansson.h>

// ---- paths

// The position of a value in a scene: a chain of keys and indices from the root, kept on the stack.
// "bodies[0].density" is {density} -> {0} -> {bodies} -> NULL.

typedef struct pli_path {
    const struct pli_path* up; // NULL: the root object
    const char* key;           // NULL: an index
    int index;
    const char* label; // prefix of messages: `body "mat"`; NULL: none
    const char* name;  // the "mat"; NULL: none
} pli_path;

static inline pli_path pli_path_key(const pli_path* up, const char* key) {
    return (pli_path){.up = up, .key = key};
}

static inline pli_path pli_path_index(const pli_path* up, int index) {
    return (pli_path){.up = up, .index = index};
}

// The same as pointers, for a path that is used once.
#define PLI_KEY(up_, key_) (&(const pli_path){.up = (up_), .key = (key_)})
#define PLI_INDEX(up_, index_) (&(const pli_path){.up = (up_), .index = (index_)})

enum { PLI_PATH_DEPTH = 32 }; // deeper paths lose their first nodes

// The chain from the root; returns its length. The last PLI_PATH_DEPTH nodes if it is longer.
int pli_path_nodes(const pli_path* path, const pli_path* nodes[PLI_PATH_DEPTH]);

// "bodies[0].density", or from below the node `base` if it is not NULL: "density".
void pli_path_text(const pli_path* path, const pli_path* base, char* buffer, size_t size);

// ---- places in the text

// jansson keeps no positions of values, so they are located by walking the text along a path.

typedef struct pli_place {
    int line, column; // from 1; columns count characters, not bytes
    bool exact;       // all of the path is in the text
} pli_place;

typedef enum pli_place_of { PLI_AT_VALUE, PLI_AT_KEY } pli_place_of;

// Place of the value at `path` (NULL: the root) or of the key that names it. Missing parts of
// the path are skipped: a missing key is placed at the object that lacks it.
// `text` must be valid JSON and end with NUL.
pli_place pli_locate(const char* text, const pli_path* path, pli_place_of what);

// Place of byte `offset`.
pli_place pli_place_at(const char* text, size_t offset);

// First byte of the token that contains or ends at byte `end`; the text before it must be made of
// valid tokens. jansson reports where a bad token ends; people look for where it starts.
size_t pli_token_start(const char* text, size_t end);

// ---- words in messages

// `, did you mean "density"?` or "".
#define PLI_HINT_SIZE 128
const char* pli_nearest_hint(const pli_nearest* nearest, char hint[PLI_HINT_SIZE]);

// Appends `"word"` with a comma before it if it is not the first; a list that does not fit ends in
// `...`.
void pli_append_word(char* buffer, size_t size, const char* word);

// A JSON value for a message: -5, "text" (cut), true, null, a list of 3, an object.
#define PLI_VALUE_SIZE 64
const char* pli_value_text(const json_t* value, char text[PLI_VALUE_SIZE]);

// ---- the list

// Paths set by --set: findings about them have no line.
typedef struct pli_overridden {
    int count;
    const char* const* paths; // "time.step"; NULL entries are skipped
} pli_overridden;

// A file that a scene was read from.
typedef struct pli_source {
    const char* path; // NULL: the scene itself
    const char* text; // for places; NULL: none yet
    json_t* tree;     // as it was in this file
} pli_source;

typedef struct pli_findings {
    pli_memory* memory;
    pli_source source;    // that is being read
    pli_source* sources;  // of a scene made of several files; the first is the scene itself
    int source_count, source_capacity;
    json_t* tree; // what the sources were merged to
    pli_overridden overridden;
    int count, capacity;
    pli_finding* items;
    int error_count;
    int omitted; // beyond PLI_FINDING_LIMIT
    // > 0: findings at or above the place of one of the first `settled` errors are dropped: they
    // only follow from that error (a value that was not read has its default).
    int settled;
} pli_findings;

enum { PLI_FINDING_LIMIT = 200 };

void pli_findings_init(pli_findings* findings, pli_memory* memory);
void pli_findings_free(pli_findings* findings);
// Adds a file of a scene made of several, with its values before they are merged; `path` and `text`
// stay with the caller. Then sets what they were merged to.
pli_status pli_findings_add_source(pli_findings* findings, const char* path, const char* text,
                                   json_t* tree, pli_error* error);
void pli_findings_set_tree(pli_findings* findings, json_t* tree);
// The texts are no longer there: findings have no places from now on.
void pli_findings_drop_sources(pli_findings* findings);
// Drops what was added since `before` was copied.
void pli_findings_go_back(pli_findings* findings, const pli_findings* before);

// Adds a finding about the value or the key at `path`. The message starts with the nearest labelled
// node of the path: `body "mat": ...`. A NULL path means the whole scene. The message is made
// printable. Fails only without memory.
pli_status pli_finding_add(pli_findings* findings, pli_severity severity, const pli_path* path,
                           pli_place_of what, pli_error* error, const char* format, ...)
    PLI_PRINTF(6, 7);

// The common cases: an error, a warning or a note at the value.
#define PLI_FIND(findings, path, error, ...)                                                       \
    pli_finding_add((findings), PLI_ERROR, (path), PLI_AT_VALUE, (error), __VA_ARGS__)
#define PLI_WARN(findings, path, error, ...)                                                       \
    pli_finding_add((findings), PLI_WARNING, (path), PLI_AT_VALUE, (error), __VA_ARGS__)
#define PLI_TELL(findings, path, error, ...)                                                       \
    pli_finding_add((findings), PLI_NOTE, (path), PLI_AT_VALUE, (error), __VA_ARGS__)

// Adds a finding at a byte of the text (syntax errors).
pli_status pli_finding_add_at(pli_findings* findings, size_t offset, pli_error* error,
                              const char* format, ...) PLI_PRINTF(4, 5);

// Turns an error of another module into a finding at `path`; running out of memory stays an error.
pli_status pli_finding_from(pli_findings* findings, const pli_path* path, pli_status status,
                            pli_error* error);

// Whether the value at `path` was given by an override.
bool pli_findings_is_overridden(const pli_findings* findings, const pli_path* path);

// Whether there is an error at `path` or below it.
bool pli_findings_error_below(const pli_findings* findings, const pli_path* path);

// Sorts by place in the text; findings without a line come last. Adds a last line if
// some were omitted.
pli_status pli_findings_finish(pli_findings* findings, pli_error* error);

#endif
