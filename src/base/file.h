// Files that are either complete or absent. Bytes go to "name.tmp" beside the final name; the file
// is renamed only when all of them are on the disk. Errors are deferred: the first failure is kept
// and reported by pli_file_commit or pli_file_flush, so writers stay simple.
#ifndef PLI_BASE_FILE_H
#define PLI_BASE_FILE_H

#include "base/memory.h"
#include "base/text.h"

#define PLI_PATH_SIZE 4096

typedef struct pli_file {
    int descriptor;           // -1: closed
    int code;                 // errno of the first failure, 0: none
    bool temporary;           // written under `path` + ".tmp"
    int64_t size;             // bytes passed to the system
    size_t used;              // bytes pending in `buffer`
    char path[PLI_PATH_SIZE]; // final name
    char line[512];           // of PLI_FILE_PRINT
    char buffer[16384];
} pli_file;

// Creates a folder and its parents; it may exist already.
pli_status pli_make_folder(const char* path, pli_error* error);

// Writes a file under a temporary name, renamed to `path` when all of it is on the disk.
pli_status pli_write_text(const char* path, const char* text, pli_error* error);

// Starts folder/name under its temporary name. An existing file of that name is removed first,
// never overwritten: a link is removed, its target stays unchanged. The same holds below.
pli_status pli_file_create(pli_file* file, const char* folder, const char* name, pli_error* error);
// Starts folder/name itself, empty; for files that grow line by line.
pli_status pli_file_create_direct(pli_file* file, const char* folder, const char* name,
                                  pli_error* error);

void pli_file_write(pli_file* file, const void* bytes, size_t size);
void pli_file_text(pli_file* file, const char* text);
void pli_file_count(pli_file* file, uint64_t value); // in decimal digits
void pli_file_number(pli_file* file, double value);  // shortest exact text; not finite: null
// Escaped for XML (JSON); bytes that are not UTF-8, and characters that XML does not allow, are
// replaced by '?' or a blank.
void pli_file_xml(pli_file* file, const char* text);
void pli_file_json(pli_file* file, const char* text); // quotes included

int64_t pli_file_place(const pli_file* file); // bytes written so far
// Overwrites bytes that were written before.
void pli_file_replace(pli_file* file, int64_t at, const void* bytes, size_t size);

// printf in the C locale; the result must fit `line`.
#define PLI_FILE_PRINT(file, ...)                                                                  \
    pli_file_line((file), pli_format((file)->line, sizeof(file)->line, __VA_ARGS__))
void pli_file_line(pli_file* file, int length);

// Passes everything to the system.
pli_status pli_file_flush(pli_file* file, pli_error* error);
// Flushes to the disk, then renames. On failure the temporary file is removed and an older file
// under the final name is unchanged. The file is closed in either case.
pli_status pli_file_commit(pli_file* file, pli_error* error);
// The same, but before the renaming it waits until everything written to the folder so far, this
// file included, survives a power cut (pli_folder_settle). After a power cut the name belongs to
// this file or to the previous one, and either is complete.
pli_status pli_file_commit_settled(pli_file* file, const char* folder, pli_error* error);
// Opens folder/name, which must have at least `size` bytes, to append after them: the rest is
// truncated.
pli_status pli_file_continue(pli_file* file, const char* folder, const char* name, int64_t size,
                             pli_error* error);
// Waits until all files of the folder and their names survive a power cut: one flush of the
// file system, however many files there are.
pli_status pli_folder_settle(const char* folder, pli_error* error);
// Closes and removes what was not committed; a closed file is allowed.
void pli_file_abandon(pli_file* file);

bool pli_file_is_there(const char* folder, const char* name);
// Deletes folder/name; *was is set to whether it existed.
pli_status pli_file_remove(const char* folder, const char* name, bool* was, pli_error* error);

// Deletes the plain files and symbolic links of a folder whose names `matches` accepts.
pli_status pli_remove_files(const char* folder,
                            bool (*matches)(const void* context, const char* name),
                            const void* context, pli_error* error);

// Adds their number and their bytes.
pli_status pli_count_files(const char* folder,
                           bool (*matches)(const void* context, const char* name),
                           const void* context, int* count, double* bytes, pli_error* error);

// Locks the folder for its writer until *descriptor is closed, or the program ends: PLI_E_IO if it
// is locked already. Where the file system has no locks, it always succeeds.
pli_status pli_folder_hold(const char* folder, int* descriptor, pli_error* error);

// ---- reading
//
// Whole files as text. Only regular files are read: a pipe, a terminal or a device could block the
// reader forever, or never end.

// Reads a file of at most `limit` bytes into *text, zero-terminated; *size is the number of bytes
// including the NUL, as PLI_FREE needs it. PLI_E_IO: missing, not readable, not a regular file or
// too large. Outputs are unchanged on failure.
pli_status pli_read_file(pli_memory* memory, const char* path, size_t limit, char** text,
                         size_t* size, pli_error* error);

// ---- base64
//
// Bytes as base64 text in a file, piece by piece [RFC 4648].

typedef struct pli_base64 {
    pli_file* file;
    int held_count; // pending bytes, fewer than three
    unsigned char held[3];
} pli_base64; // zero except for the file at the start

void pli_base64_write(pli_base64* out, const void* bytes, size_t size);
void pli_base64_end(pli_base64* out); // the remaining bytes, padded with '='

#endif
