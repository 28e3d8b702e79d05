// See def.h. A size that is no multiple of sizeof(size_t) cannot be that of a def: they all begin
// with a size_t, and their alignment is at least that of it.
#include "base/def.h"

#include <string.h>

static pli_status read_size(const char* given, size_t most, const char* source, size_t* size,
                            pli_error* error) {
    memcpy(size, given, sizeof *size);
    if (*size > most)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "size = %zu bytes, this library has %zu: start from %s; a program built "
                        "with newer headers needs a newer library",
                        *size, most, source);
    if (*size < sizeof *size || *size % sizeof *size != 0)
        return pli_fail(error, PLI_E_ARGUMENT, "size = %zu bytes: start from %s, which sets it",
                        *size, source);
    return PLI_OK;
}

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

// The bytes common to both versions, except sizes: `from` in the caller's, `to` in the library's.
typedef struct run {
    size_t from, to, count;
} run;
enum { MAX_RUNS = 8 };

// Walks both versions: the members before each part, the part, the members after the last one.
static pli_status find_runs(const pli_def_layout* layout, const char* given, run runs[MAX_RUNS],
                            int* count, pli_error* error) {
    const size_t head = sizeof(size_t);
    size_t end, from = head, to = head;
    PLI_ASSERT(2 * layout->part_count < MAX_RUNS);
    *count = 0;
    PLI_TRY(read_size(given, layout->size, layout->source, &end, error));
    for (int i = 0; i < layout->part_count; ++i) {
        const pli_def_part* part = &layout->parts[i];
        size_t before = min_size(part->offset - to, end - from), size;
        runs[(*count)++] = (run){from, to, before};
        from += before;
        if (end - from < head) return PLI_OK; // the def is older than this part
        PLI_TRY(read_size(given + from, part->size, layout->source, &size, error));
        if (size > end - from)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "size = %zu bytes, but its parts take more: start from %s", end,
                            layout->source);
        runs[(*count)++] = (run){from + head, part->offset + head, size - head};
        from += size;
        to = part->offset + part->size;
    }
    runs[(*count)++] = (run){from, to, min_size(layout->size - to, end - from)};
    return PLI_OK;
}

pli_status pli_def_take(const pli_def_layout* layout, const void* given, void* out,
                        pli_error* error) {
    run runs[MAX_RUNS];
    int count;
    if (!given)
        return pli_fail(error, PLI_E_ARGUMENT, "def is NULL: start from %s", layout->source);
    PLI_TRY(pli_error_key(find_runs(layout, given, runs, &count, error), error, "size"));
    for (int i = 0; i < count; ++i)
        memcpy((char*)out + runs[i].to, (const char*)given + runs[i].from, runs[i].count);
    return PLI_OK;
}

void pli_def_give(const pli_def_layout* layout, const void* own, void* out) {
    run runs[MAX_RUNS];
    int count;
    if (!out || find_runs(layout, out, runs, &count, NULL) != PLI_OK) return;
    for (int i = 0; i < count; ++i)
        memcpy((char*)out + runs[i].from, (const char*)own + runs[i].to, runs[i].count);
}
