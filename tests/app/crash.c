// Preloaded into the command: it dies, or the disk is full, at a chosen moment of its writing.
//
//   CRASH_AT=n      SIGKILL at the n-th call that changes files; of a write half is done
//   CRASH_CUT=1     and what was not settled by syncfs is lost, as in a power cut: of what a file
//                   grew by since then half is cut off and half is zeros
//   CRASH_FULL=n    after n bytes every write fails with ENOSPC
//   CRASH_COUNT=f   at the end the number of calls goes to the file f
//
// Files are written by two threads: one call at a time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 4096, PATH_SIZE = 512 };

// Files that were opened for writing, under the names they have now.
static struct file {
    char path[PATH_SIZE]; // "": gone
    off_t settled;        // bytes that syncfs has seen
} files[MOST_FILES];
static int file_count;
static long calls, bytes;

static long number(const char* name) {
    const char* text = getenv(name);
    return text ? atol(text) : 0;
}

static struct file* find_path(const char* path) {
    for (int i = file_count; i-- > 0;)
        if (strcmp(files[i].path, path) == 0) return &files[i];
    return NULL;
}

static void lose(const struct file* file) {
    struct stat info;
    if (!*file->path || stat(file->path, &info) != 0 || info.st_size <= file->settled) return;
    off_t half = file->settled + (info.st_size - file->settled) / 2;
    if (truncate(file->path, file->settled + (half - file->settled) / 2) != 0) return;
    (void)!truncate(file->path, half); // grows again, with zeros
}

// Is this the moment?
static int is_last(void) {
    if (++calls != number("CRASH_AT")) return 0;
    if (number("CRASH_CUT"))
        for (int i = 0; i < file_count; ++i) lose(&files[i]);
    return 1;
}

static void die(void) { kill(getpid(), SIGKILL); }

__attribute__((destructor)) static void tell(void) {
    const char* name = getenv("CRASH_COUNT");
    FILE* out = name ? fopen(name, "w") : NULL;
    if (!out) return;
    fprintf(out, "%ld\n", calls);
    fclose(out);
}

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static void begin(void) { pthread_mutex_lock(&turn); }
static void end(void) { pthread_mutex_unlock(&turn); }

int open(const char* path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = (mode_t)(flags & O_CREAT ? va_arg(args, int) : 0);
    va_end(args);
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (!writes) return REAL(open)(path, flags, mode);
    begin();
    if (is_last()) die();
    int descriptor = REAL(open)(path, flags, mode);
    struct stat info;
    if (descriptor >= 0 && fstat(descriptor, &info) == 0 && !find_path(path) &&
        file_count < MOST_FILES) {
        snprintf(files[file_count].path, PATH_SIZE, "%s", path);
        files[file_count++].settled = info.st_size; // what is there was there at the start
    }
    end();
    return descriptor;
}

ssize_t write(int descriptor, const void* data, size_t size) {
    begin();
    long full = number("CRASH_FULL");
    if (is_last()) {
        (void)!REAL(write)(descriptor, data, size / 2);
        die();
    }
    bytes += (long)size;
    bool fits = full == 0 || bytes <= full || descriptor <= 2;
    ssize_t done = fits ? REAL(write)(descriptor, data, size) : -1;
    if (!fits) errno = ENOSPC;
    end();
    return done;
}

int rename(const char* from, const char* to) {
    begin();
    if (is_last()) die();
    struct file *replaced = find_path(to), *moved = find_path(from);
    int code = REAL(rename)(from, to);
    if (code == 0 && replaced) replaced->path[0] = '\0';
    if (code == 0 && moved) snprintf(moved->path, PATH_SIZE, "%s", to);
    end();
    return code;
}

int unlink(const char* path) {
    begin();
    if (is_last()) die();
    struct file* file = find_path(path);
    if (file) file->path[0] = '\0';
    int code = REAL(unlink)(path);
    end();
    return code;
}

int ftruncate(int descriptor, off_t size) {
    begin();
    if (is_last()) die();
    int code = REAL(ftruncate)(descriptor, size);
    end();
    return code;
}

int syncfs(int descriptor) {
    struct stat info;
    begin();
    if (is_last()) die();
    int code = REAL(syncfs)(descriptor);
    for (int i = 0; i < file_count && code == 0; ++i)
        if (files[i].path[0] && stat(files[i].path, &info) == 0) files[i].settled = info.st_size;
    end();
    return code;
}
