// Files that are either complete or absent, and their folders.
#define _GNU_SOURCE // syncfs, where there is one
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Long paths are truncated in messages so that the reason still fits.
static pli_status fail(pli_error* error, const char* action, const char* path, int code) {
    return pli_fail(error, PLI_E_IO, "cannot %s %.300s: %s", action, path, strerror(code));
}

static pli_status join(char path[PLI_PATH_SIZE], const char* folder, const char* name,
                       pli_error* error) {
    size_t length = strlen(folder);
    const char* slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    int n = snprintf(path, PLI_PATH_SIZE, "%s%s%s", folder, slash, name);
    // ".tmp" must fit as well
    if (n < 0 || n >= PLI_PATH_SIZE - 4) return fail(error, "use", folder, ENAMETOOLONG);
    return PLI_OK;
}

static const char* temporary_name(const pli_file* file, char name[PLI_PATH_SIZE + 4]) {
    snprintf(name, PLI_PATH_SIZE + 4, "%s.tmp", file->path);
    return name;
}

static pli_status start(pli_file* file, const char* folder, const char* name, bool temporary,
                        pli_error* error) {
    file->descriptor = -1;
    file->code = 0;
    file->temporary = temporary;
    file->size = 0;
    file->used = 0;
    PLI_TRY(join(file->path, folder, name, error));
    char other[PLI_PATH_SIZE + 4];
    const char* path = temporary ? temporary_name(file, other) : file->path;
    // Always a new file: the target of an old link of that name must not change.
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file->descriptor = open(path, flags, 0666);
    if (file->descriptor < 0 && errno == EEXIST && unlink(path) == 0)
        file->descriptor = open(path, flags, 0666);
    return file->descriptor < 0 ? fail(error, "create", path, errno) : PLI_OK;
}

pli_status pli_file_create(pli_file* file, const char* folder, const char* name, pli_error* error) {
    return start(file, folder, name, true, error);
}

pli_status pli_file_create_direct(pli_file* file, const char* folder, const char* name,
                                  pli_error* error) {
    return start(file, folder, name, false, error);
}

// Passes bytes to the system; keeps the first failure.
static void pass_on(pli_file* file, const char* bytes, size_t size) {
    while (size > 0 && file->code == 0) {
        ssize_t n = write(file->descriptor, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            file->code = n < 0 ? errno : EIO;
            return;
        }
        bytes += n;
        size -= (size_t)n;
        file->size += n;
    }
}

static void empty_buffer(pli_file* file) {
    pass_on(file, file->buffer, file->used);
    file->used = 0;
}

void pli_file_write(pli_file* file, const void* bytes, size_t size) {
    if (size > sizeof file->buffer - file->used) empty_buffer(file);
    if (size > sizeof file->buffer) {
        pass_on(file, bytes, size);
        return;
    }
    memcpy(file->buffer + file->used, bytes, size);
    file->used += size;
}

int64_t pli_file_place(const pli_file* file) { return file->size + (int64_t)file->used; }

void pli_file_replace(pli_file* file, int64_t at, const void* bytes, size_t size) {
    empty_buffer(file);
    PLI_ASSERT(file->code != 0 || at + (int64_t)size <= file->size);
    while (size > 0 && file->code == 0) {
        ssize_t n = pwrite(file->descriptor, bytes, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            file->code = n < 0 ? errno : EIO;
            return;
        }
        bytes = (const char*)bytes + n;
        at += n;
        size -= (size_t)n;
    }
}

void pli_file_text(pli_file* file, const char* text) { pli_file_write(file, text, strlen(text)); }

void pli_file_count(pli_file* file, uint64_t value) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + value % 10);
    } while (value /= 10);
    pli_file_write(file, digits + first, sizeof digits - first);
}

void pli_file_number(pli_file* file, double value) {
    char buffer[PLI_NUMBER_SIZE];
    pli_file_text(file, pli_format_double(value, buffer));
}

void pli_file_line(pli_file* file, int length) {
    PLI_ASSERT(length >= 0 && (size_t)length < sizeof file->line);
    pli_file_write(file, file->line, (size_t)length);
}

// Writes text; characters that `escape` handles are replaced by its result.
static void write_escaped(pli_file* file, const char* text,
                          const char* (*escape)(const char* character, int length)) {
    while (*text) {
        int length = pli_utf8_length(text);
        const char* other = length == 0 ? "?" : escape(text, length);
        if (other)
            pli_file_text(file, other);
        else
            pli_file_write(file, text, (size_t)length);
        text += length > 0 ? length : 1;
    }
}

// XML 1.0 has no control characters except tab and line ends (written as a blank), no surrogates
// (invalid in UTF-8 too), and neither U+FFFE nor U+FFFF.
static const char* escape_xml(const char* c, int length) {
    if (length == 3 && memcmp(c, "\xEF\xBF", 2) == 0 && (unsigned char)c[2] >= 0xBE) return "?";
    switch (*c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return length == 1 && (unsigned char)*c < 0x20 ? " " : NULL;
    }
}

static const char* escape_json(const char* c, int length) {
    switch (*c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    default:
        return length == 1 && (unsigned char)*c < 0x20 ? " " : NULL;
    }
}

void pli_file_xml(pli_file* file, const char* text) { write_escaped(file, text, escape_xml); }

void pli_file_json(pli_file* file, const char* text) {
    pli_file_text(file, "\"");
    write_escaped(file, text, escape_json);
    pli_file_text(file, "\"");
}

pli_status pli_file_flush(pli_file* file, pli_error* error) {
    empty_buffer(file);
    return file->code ? fail(error, "write", file->path, file->code) : PLI_OK;
}

// One call for the whole file system: hundreds of frames with an fsync each would take seconds.
// Systems other than Linux have no such blocking call.
static int flush_all(int descriptor) {
#ifdef __linux__
    while (syncfs(descriptor) != 0)
        if (errno != EINTR) return errno;
#else
    (void)descriptor;
    sync();
#endif
    return 0;
}

pli_status pli_folder_settle(const char* folder, pli_error* error) {
    int descriptor = open(*folder ? folder : ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    int code = descriptor < 0 ? errno : flush_all(descriptor);
    if (descriptor >= 0) close(descriptor);
    return code ? fail(error, "write", folder, code) : PLI_OK;
}

pli_status pli_file_continue(pli_file* file, const char* folder, const char* name, int64_t size,
                             pli_error* error) {
    *file = (pli_file){.descriptor = -1, .size = size};
    PLI_TRY(join(file->path, folder, name, error));
    int descriptor = open(file->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat info = {0};
    if (descriptor < 0) return fail(error, "open", file->path, errno);
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < (off_t)size) {
        close(descriptor);
        return pli_fail(error, PLI_E_IO, "%.300s was truncated: %lld bytes are missing", file->path,
                        (long long)(size - (int64_t)info.st_size));
    }
    if (ftruncate(descriptor, (off_t)size) != 0 || lseek(descriptor, 0, SEEK_END) < 0) {
        int code = errno;
        close(descriptor);
        return fail(error, "write", file->path, code);
    }
    file->descriptor = descriptor;
    return PLI_OK;
}

// Flushes and closes; returns the first errno.
static int finish(pli_file* file) {
    empty_buffer(file);
    if (close(file->descriptor) != 0 && file->code == 0) file->code = errno;
    file->descriptor = -1;
    return file->code;
}

// `settled`: the folder to flush before the file gets its name; NULL: none.
static pli_status commit(pli_file* file, const char* settled, pli_error* error) {
    char name[PLI_PATH_SIZE + 4];
    int code = finish(file);
    pli_status status = code ? fail(error, "write", file->path, code) : PLI_OK;
    if (status == PLI_OK && settled) status = pli_folder_settle(settled, error);
    if (status == PLI_OK && file->temporary && rename(temporary_name(file, name), file->path) != 0)
        status = fail(error, "write", file->path, errno);
    if (status != PLI_OK && file->temporary) unlink(temporary_name(file, name));
    return status;
}

pli_status pli_file_commit(pli_file* file, pli_error* error) { return commit(file, NULL, error); }

pli_status pli_file_commit_settled(pli_file* file, const char* folder, pli_error* error) {
    return commit(file, folder, error);
}

void pli_file_abandon(pli_file* file) {
    if (file->descriptor < 0) return;
    close(file->descriptor);
    file->descriptor = -1;
    char name[PLI_PATH_SIZE + 4];
    if (file->temporary) unlink(temporary_name(file, name));
}

pli_status pli_make_folder(const char* path, pli_error* error) {
    char part[PLI_PATH_SIZE];
    if (!path || !*path) return pli_fail(error, PLI_E_ARGUMENT, "folder: path is NULL or empty");
    PLI_TRY(join(part, path, "", error));
    // Each prefix that ends before a slash; join has appended one.
    for (char* c = part + 1; *c; ++c) {
        if (*c != '/') continue;
        *c = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return fail(error, "make folder", part, errno);
        *c = '/';
    }
    struct stat info;
    if (stat(part, &info) != 0) return fail(error, "make folder", path, errno);
    return PLI_OK;
}

bool pli_file_is_there(const char* folder, const char* name) {
    char path[PLI_PATH_SIZE];
    return join(path, folder, name, NULL) == PLI_OK && access(path, F_OK) == 0;
}

pli_status pli_file_remove(const char* folder, const char* name, bool* was, pli_error* error) {
    char path[PLI_PATH_SIZE];
    PLI_TRY(join(path, folder, name, error));
    *was = unlink(path) == 0;
    return *was || errno == ENOENT ? PLI_OK : fail(error, "remove", path, errno);
}

pli_status pli_folder_hold(const char* folder, int* descriptor, pli_error* error) {
    int held = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (held < 0) return fail(error, "open folder", folder, errno);
    if (flock(held, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(held);
        return pli_fail(error, PLI_E_IO,
                        "another run writes to %.300s: wait for it, stop it, or "
                        "use another folder",
                        folder);
    }
    *descriptor = held;
    return PLI_OK;
}

// Calls `visit` with the path of each plain file or link whose name matches.
typedef struct walk {
    bool (*matches)(const void* context, const char* name);
    const void* context;
    pli_status (*visit)(void* to, const char* path, const struct stat* info, pli_error* error);
    void* to;
} walk;

static pli_status walk_files(const char* folder, const walk* w, pli_error* error) {
    DIR* stream = opendir(folder);
    if (!stream) return fail(error, "read folder", folder, errno);
    pli_status status = PLI_OK;
    const struct dirent* entry;
    while ((entry = readdir(stream))) {
        char path[PLI_PATH_SIZE];
        struct stat info;
        if (!w->matches(w->context, entry->d_name)) continue;
        PLI_TRY_CLEANUP(status, join(path, folder, entry->d_name, error));
        bool plain = lstat(path, &info) == 0 && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode));
        if (plain) PLI_TRY_CLEANUP(status, w->visit(w->to, path, &info, error));
    }
cleanup:
    closedir(stream);
    return status;
}

static pli_status remove_one(void* to, const char* path, const struct stat* info,
                             pli_error* error) {
    (void)to, (void)info;
    return unlink(path) == 0 ? PLI_OK : fail(error, "remove", path, errno);
}

pli_status pli_remove_files(const char* folder,
                            bool (*matches)(const void* context, const char* name),
                            const void* context, pli_error* error) {
    return walk_files(folder, &(walk){matches, context, remove_one, NULL}, error);
}

typedef struct tally {
    int* count;
    double* bytes;
} tally;

static pli_status count_one(void* to, const char* path, const struct stat* info, pli_error* error) {
    const tally* t = to;
    (void)path, (void)error;
    *t->count += 1;
    *t->bytes += (double)info->st_size;
    return PLI_OK;
}

pli_status pli_count_files(const char* folder,
                           bool (*matches)(const void* context, const char* name),
                           const void* context, int* count, double* bytes, pli_error* error) {
    tally t = {count, bytes};
    return walk_files(folder, &(walk){matches, context, count_one, &t}, error);
}

pli_status pli_write_text(const char* path, const char* text, pli_error* error) {
    pli_file file;
    if (!path || !text) return pli_fail(error, PLI_E_ARGUMENT, "file: path or text is NULL");
    PLI_TRY(pli_file_create(&file, "", path, error));
    pli_file_text(&file, text);
    return pli_file_commit(&file, error);
}

// ---- reading

static pli_status fail_reading(pli_error* error, const char* path, const char* reason) {
    return pli_fail(error, PLI_E_IO, "%.300s: %s", path, reason);
}

static pli_status check_readable(int file, const char* path, size_t limit, size_t* size,
                                 pli_error* error) {
    struct stat info;
    if (fstat(file, &info) != 0) return fail_reading(error, path, strerror(errno));
    if (S_ISDIR(info.st_mode)) return fail_reading(error, path, "is a folder, must be a file");
    if (!S_ISREG(info.st_mode))
        return fail_reading(error, path, "is not a regular file, must be one");
    if ((uint64_t)info.st_size > limit)
        return pli_fail(error, PLI_E_IO, "%.300s: has %lld bytes, must have at most %zu", path,
                        (long long)info.st_size, limit);
    *size = (size_t)info.st_size;
    return PLI_OK;
}

// Reads `size` bytes; a file that became shorter meanwhile is a failure.
static pli_status read_all(int file, const char* path, char* text, size_t size, pli_error* error) {
    for (size_t used = 0; used < size;) {
        ssize_t n = read(file, text + used, size - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_reading(error, path, strerror(errno));
        if (n == 0) return fail_reading(error, path, "was truncated while it was read");
        used += (size_t)n;
    }
    return PLI_OK;
}

pli_status pli_read_file(pli_memory* memory, const char* path, size_t limit, char** text,
                         size_t* size, pli_error* error) {
    // O_NONBLOCK: opening a pipe without a writer returns at once.
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return fail_reading(error, path, strerror(errno));
    char* buffer = NULL;
    size_t bytes = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, check_readable(file, path, limit, &bytes, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, buffer, bytes + 1, error));
    PLI_TRY_CLEANUP(status, read_all(file, path, buffer, bytes, error));
    *text = buffer;
    *size = bytes + 1;
cleanup:
    if (status != PLI_OK && buffer) PLI_FREE(memory, buffer, bytes + 1);
    close(file);
    return status;
}

// ---- base64
//
// Three bytes are four characters of 6 bits, the highest first.

static void put_base64(pli_base64* out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned word =
        (unsigned)out->held[0] << 16 | (unsigned)out->held[1] << 8 | (unsigned)out->held[2];
    char text[4];
    for (int i = 0; i < 4; ++i)
        text[i] = i <= out->held_count ? digits[word >> (18 - 6 * i) & 63u] : '=';
    pli_file_write(out->file, text, sizeof text);
    out->held_count = 0;
}

void pli_base64_write(pli_base64* out, const void* bytes, size_t size) {
    const unsigned char* from = bytes;
    for (size_t i = 0; i < size; ++i) {
        out->held[out->held_count++] = from[i];
        if (out->held_count == 3) put_base64(out);
    }
}

void pli_base64_end(pli_base64* out) {
    if (out->held_count == 0) return;
    for (int i = out->held_count; i < 3; ++i) out->held[i] = 0;
    put_base64(out);
}
