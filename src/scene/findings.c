// Collects findings. Kept small and bounded: a list of a million wrong numbers gives 200 findings
// and a count.
#include "scene/findings.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pli_findings_init(pli_findings* findings, pli_memory* memory) {
    *findings = (pli_findings){.memory = memory};
}

void pli_findings_free(pli_findings* findings) {
    PLI_FREE(findings->memory, findings->items, findings->capacity);
}

void pli_findings_go_back(pli_findings* findings, const pli_findings* before) {
    findings->count = before->count;
    findings->error_count = before->error_count;
    findings->omitted = before->omitted;
}

// Whether `path` is `prefix` or lies below it.
static bool is_below(const char* path, const char* prefix) {
    size_t n = strlen(prefix);
    return strncmp(path, prefix, n) == 0 && (!path[n] || path[n] == '.' || path[n] == '[');
}

// Room for one more; *finding is NULL if the list is full (that is only counted).
static pli_status next(pli_findings* findings, pli_severity severity, pli_finding** finding,
                       pli_error* error) {
    *finding = NULL;
    if (findings->count >= PLI_FINDING_LIMIT) {
        findings->omitted++;
    } else {
        PLI_TRY(PLI_GROW(findings->memory, findings->items, findings->capacity, findings->count + 1,
                         error));
        *finding = &findings->items[findings->count++];
        **finding = (pli_finding){.severity = severity};
    }
    if (severity == PLI_ERROR) findings->error_count++;
    return PLI_OK;
}

// `body "mat": ` or `bodies[1]: `; names are cut to keep room for the message.
static void write_label(const pli_path* node, char* buffer, size_t size) {
    buffer[0] = '\0';
    if (!node) return;
    if (node->name) {
        bool cut = strlen(node->name) > 40;
        snprintf(buffer, size, "%s \"%.40s%s\": ", node->label, node->name, cut ? "..." : "");
    } else {
        pli_path_text(node, NULL, buffer, size - 3);
        strcat(buffer, ": ");
    }
}

bool pli_findings_is_overridden(const pli_findings* findings, const pli_path* path) {
    char text[sizeof findings->items->path];
    pli_path_text(path, NULL, text, sizeof text);
    for (int i = 0; i < findings->overridden.count; ++i)
        if (findings->overridden.paths[i] && is_below(text, findings->overridden.paths[i]))
            return true;
    return false;
}

// Whether an override made the object at `path` by setting something below it.
static bool is_made(const pli_findings* findings, const char* path) {
    for (int i = 0; i < findings->overridden.count; ++i)
        if (findings->overridden.paths[i] && is_below(findings->overridden.paths[i], path))
            return true;
    return false;
}

static void set_place(const pli_findings* findings, const pli_path* path, pli_place_of what,
                      pli_finding* f) {
    f->overridden = pli_findings_is_overridden(findings, path);
    if (!path || f->overridden || !findings->text) return;
    pli_place place = pli_locate(findings->text, path, what);
    f->overridden = what == PLI_AT_KEY && !place.exact && is_made(findings, f->path);
    if (f->overridden) return;
    f->line = place.line;
    f->column = place.column;
}

static bool error_among(const pli_findings* findings, int count, const pli_path* path) {
    char prefix[sizeof findings->items->path];
    pli_path_text(path, NULL, prefix, sizeof prefix);
    for (int i = 0; i < count; ++i)
        if (findings->items[i].severity == PLI_ERROR && is_below(findings->items[i].path, prefix))
            return true;
    return false;
}

pli_status pli_finding_add(pli_findings* findings, pli_severity severity, const pli_path* path,
                           pli_place_of what, pli_error* error, const char* format, ...) {
    if (path && error_among(findings, findings->settled, path)) return PLI_OK;
    pli_finding* f;
    PLI_TRY(next(findings, severity, &f, error));
    if (!f) return PLI_OK;
    pli_path_text(path, NULL, f->path, sizeof f->path);
    set_place(findings, path, what, f);
    const pli_path* label = path;
    while (label && !label->label) label = label->up;
    char prefix[sizeof f->message / 2], message[sizeof f->message];
    write_label(label, prefix, sizeof prefix);
    va_list args;
    va_start(args, format);
    bool cut = vsnprintf(message, sizeof message, format, args) >= (int)sizeof message;
    va_end(args);
    bool has_it = strncmp(message, prefix, strlen(prefix)) == 0; // other modules name bodies too
    int n = snprintf(f->message, sizeof f->message, "%s", has_it ? "" : prefix);
    int room = (int)sizeof f->message - n;
    cut |= snprintf(f->message + n, (size_t)room, "%s", message) >= room;
    if (cut) memcpy(f->message + sizeof f->message - 4, "...", 4);
    pli_printable(f->message, f->message, sizeof f->message);
    return PLI_OK;
}

pli_status pli_finding_add_at(pli_findings* findings, size_t offset, pli_error* error,
                              const char* format, ...) {
    pli_finding* f;
    PLI_TRY(next(findings, PLI_ERROR, &f, error));
    if (!f) return PLI_OK;
    pli_place place = pli_place_at(findings->text, offset);
    f->line = place.line;
    f->column = place.column;
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
    pli_printable(f->message, f->message, sizeof f->message);
    return PLI_OK;
}

pli_status pli_finding_from(pli_findings* findings, const pli_path* path, pli_status status,
                            pli_error* error) {
    if (status == PLI_OK || status == PLI_E_MEMORY) return status;
    char message[sizeof error->message];
    snprintf(message, sizeof message, "%s", error->message);
    PLI_TRY(PLI_FIND(findings, path, error, "%s", message));
    *error = (pli_error){0};
    return PLI_OK;
}

bool pli_findings_error_below(const pli_findings* findings, const pli_path* path) {
    return error_among(findings, findings->count, path);
}

static bool comes_before(const pli_finding* a, const pli_finding* b) {
    if ((a->line == 0) != (b->line == 0)) return b->line == 0;
    if (a->line != b->line) return a->line < b->line;
    return a->column < b->column;
}

pli_status pli_findings_finish(pli_findings* findings, pli_error* error) {
    for (int i = 1; i < findings->count; ++i) { // insertion sort: stable, at most 200 items
        pli_finding moved = findings->items[i];
        int j = i;
        for (; j > 0 && comes_before(&moved, &findings->items[j - 1]); --j)
            findings->items[j] = findings->items[j - 1];
        findings->items[j] = moved;
    }
    if (findings->omitted == 0) return PLI_OK;
    PLI_TRY(PLI_GROW(findings->memory, findings->items, findings->capacity, findings->count + 1,
                     error));
    pli_finding* last = &findings->items[findings->count++];
    *last = (pli_finding){.severity = PLI_NOTE};
    snprintf(last->message, sizeof last->message, "and %d more findings", findings->omitted);
    return PLI_OK;
}
