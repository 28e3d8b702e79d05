// Which checkpoint of a folder counts: the newest that holds.
//
// What checkpoint.pli counts on was on the disk before it was. What came after it may have been
// lost in a power cut, in any order: checkpoint.next counts only if all frames and lines since then
// are there as a whole.
#define _POSIX_C_SOURCE 200809L
#include "io/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "io/file.h"
#include "io/pvd.h"
#include "io/stats.h"

// Opens folder/name for reading; NULL: it cannot be.
static FILE* open_file(const char* folder, const char* name) {
    char path[PLI_PATH_SIZE];
    int n = pli_format(path, sizeof path, "%s/%s", folder, name);
    return n > 0 && n < PLI_PATH_SIZE ? fopen(path, "rb") : NULL;
}

static bool has_hash(const char* folder, const char* name, uint64_t wanted) {
    uint64_t hash;
    return pli_file_hash(folder, name, &hash) && hash == wanted;
}

// Bytes [from, to) of stats.jsonl: lines of text, the last one whole.
static bool has_lines(const char* folder, int64_t from, int64_t to) {
    char part[4096];
    char last = '\n';
    FILE* file = open_file(folder, PLI_STATS_NAME);
    if (!file) return false;
    bool good = from <= to && fseeko(file, (off_t)from, SEEK_SET) == 0;
    while (good && from < to) {
        size_t wanted = to - from < (int64_t)sizeof part ? (size_t)(to - from) : sizeof part;
        good = fread(part, 1, wanted, file) == wanted && !memchr(part, 0, wanted);
        last = part[wanted - 1];
        from += (int64_t)wanted;
    }
    fclose(file);
    return good && last == '\n';
}

// Are all files of the last frames as they were written?
static bool has_frames(const char* folder, const pli_record_state* record) {
    char name[PLI_FRAME_NAME_SIZE];
    for (int i = 0; i < record->hashed_count; ++i) {
        int frame = record->frame_count - record->hashed_count + i;
        const uint64_t* hashes = record->hashes + 2 * (size_t)i;
        if (!has_hash(folder, pli_frame_name(frame, name), hashes[0])) return false;
        if (hashes[1] && !has_hash(folder, pli_contacts_name(frame, name), hashes[1])) return false;
    }
    return true;
}

// Whether all that came after `settled` (NULL: nothing was settled) and that `next` counts on is
// there.
static bool holds(const char* folder, const pli_record_state* settled,
                  const pli_record_state* next) {
    static const pli_record_state nothing = {0};
    const pli_record_state* from = settled ? settled : &nothing;
    return next->step >= from->step && has_lines(folder, from->stats_size, next->stats_size) &&
           has_frames(folder, next);
}

bool pli_checkpoint_is_replaced(const pli_checkpoint* checkpoint, const char* folder) {
    static const char* const names[2] = {PLI_CHECKPOINT_NAME, PLI_CHECKPOINT_NEXT};
    bool other = false;
    for (int i = 0; i < 2; ++i) {
        uint64_t hash = 0;
        FILE* file = open_file(folder, names[i]);
        if (!file) continue;
        bool whole = fseeko(file, -(off_t)sizeof hash, SEEK_END) == 0 &&
                     fread(&hash, sizeof hash, 1, file) == 1;
        fclose(file);
        if (whole && hash == pli_checkpoint_hash(checkpoint)) return false;
        other = true;
    }
    return other;
}

pli_status pli_checkpoint_read(const char* folder, const pli_allocator* allocator,
                               pli_checkpoint** checkpoint, pli_error* error) {
    if (!folder || !checkpoint)
        return pli_fail(error, PLI_E_ARGUMENT, "checkpoint: folder or the result is NULL");
    pli_checkpoint *settled = NULL, *next = NULL;
    pli_status status =
        pli_checkpoint_load(folder, PLI_CHECKPOINT_NAME, allocator, &settled, error);
    if (status == PLI_E_MEMORY) return status;
    pli_error found = {0};
    pli_status later = pli_checkpoint_load(folder, PLI_CHECKPOINT_NEXT, allocator, &next, &found);
    if (later == PLI_E_MEMORY) { // an older one would be read as if this were not there
        pli_checkpoint_destroy(settled);
        if (error) *error = found;
        return later;
    }
    if (later == PLI_OK && holds(folder, settled ? pli_checkpoint_record(settled) : NULL,
                                 pli_checkpoint_record(next))) {
        pli_checkpoint_destroy(settled);
        *checkpoint = next;
        return PLI_OK;
    }
    pli_checkpoint_destroy(next);
    if (status == PLI_OK) *checkpoint = settled;
    return status;
}
