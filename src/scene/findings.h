// The list of everything wrong with a scene, each with its place.
#ifndef PLI_SCENE_FINDINGS_H
#define PLI_SCENE_FINDINGS_H

#include "base/memory.h"
#include "pliant/scene.h"
#include "scene/locate.h"

// What was given by --set: findings about it have no line.
typedef struct pli_overridden {
    int count;
    const char* const* paths; // "time.step"; NULL entries are skipped
} pli_overridden;

typedef struct pli_findings {
    pli_memory* memory;
    const char* text; // the scene's, for places; NULL while there is none
    pli_overridden overridden;
    int count, capacity;
    pli_finding* items;
    int error_count;
    int omitted; // beyond PLI_FINDING_LIMIT
    // > 0: what is found at or above the place of an error among the first so many is left out, as
    // it only follows from that error (a value that was not read has its default).
    int settled;
} pli_findings;

enum { PLI_FINDING_LIMIT = 200 };

void pli_findings_init(pli_findings* findings, pli_memory* memory);
void pli_findings_free(pli_findings* findings);
// Drops what was added since `before` was copied from them.
void pli_findings_go_back(pli_findings* findings, const pli_findings* before);

// Adds a finding about the value or the key at `path`. The message starts with the nearest labelled
// node of the path: `body "mat": ...`. A NULL path means the scene as a whole and has no place. The
// message is made printable.
// Fails only without memory.
pli_status pli_finding_add(pli_findings* findings, pli_severity severity, const pli_path* path,
                           pli_place_of what, pli_error* error, const char* format, ...)
    PLI_PRINTF(6, 7);

// The common case: an error at the value.
#define PLI_FIND(findings, path, error, ...)                                                       \
    pli_finding_add((findings), PLI_ERROR, (path), PLI_AT_VALUE, (error), __VA_ARGS__)

// Adds a finding at a byte of the text (syntax errors).
pli_status pli_finding_add_at(pli_findings* findings, size_t offset, pli_error* error,
                              const char* format, ...) PLI_PRINTF(4, 5);

// Turns a failure of another module into an error finding at `path`; running out of memory stays a
// failure. For use as: PLI_TRY(pli_finding_from(findings, path, status, error)).
pli_status pli_finding_from(pli_findings* findings, const pli_path* path, pli_status status,
                            pli_error* error);

// Whether the value at `path` was given by an override.
bool pli_findings_is_overridden(const pli_findings* findings, const pli_path* path);

// Whether there is an error at `path` or below it.
bool pli_findings_error_below(const pli_findings* findings, const pli_path* path);

// Sorts by place in the text; findings without a line come last. Adds a last line if some were
// left out.
pli_status pli_findings_finish(pli_findings* findings, pli_error* error);

#endif
