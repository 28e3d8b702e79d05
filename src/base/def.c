// See def.h. A size that is no multiple of sizeof(size_t) cannot be that of a def: they all begin
// with a size_t, and their alignment is at least that of it.
#include "base/def.h"

#include <string.h>

static pli_status read_size(const char* given, size_t most, const char* source, size_t* size,
                            pli_error* error) {
    memcpy(size, given, sizeof *size);
    if (*size > most)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "size = %zu bytes, this library knows %zu: start from %s; a program built "
                        "with newer headers needs a newer library",
                        *size, most, source);
    if (*size < sizeof *size || *size % sizeof *size != 0)
        return pli_fail(error, PLI_E_ARGUMENT, "size = %zu bytes: start from %s, which sets it",
                        *size, source);
    return PLI_OK;
}

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

static pli_status take(const pli_def_layout* layout, const char* given, char* out,
                       pli_error* error) {
    const size_t head = sizeof(size_t);
    size_t end, from = head, to = head;
    PLI_TRY(read_size(given, layout->size, layout->source, &end, error));
    for (int i = 0; i < layout->part_count; ++i) {
        const pli_def_part* part = &layout->parts[i];
        size_t before = min_size(part->offset - to, end - from), size;
        memcpy(out + to, given + from, before);
        from += before;
        if (end - from < head) return PLI_OK; // the def is older than this part
        PLI_TRY(read_size(given + from, part->size, layout->source, &size, error));
        if (size > end - from)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "size = %zu bytes, but its parts take more: start from %s", end,
                            layout->source);
        memcpy(out + part->offset + head, given + from + head, size - head);
        from += size;
        to = part->offset + part->size;
    }
    memcpy(out + to, given + from, min_size(layout->size - to, end - from));
    return PLI_OK;
}

pli_status pli_def_take(const pli_def_layout* layout, const void* given, void* out,
                        pli_error* error) {
    if (!given)
        return pli_fail(error, PLI_E_ARGUMENT, "def is NULL: start from %s", layout->source);
    return pli_error_key(take(layout, given, out, error), error, "size");
}
