// The command as users run it: see command.h.
#define _GNU_SOURCE
#include "command.h"

#include <dirent.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

extern char** environ;

enum { MAX_ARGUMENTS = 64 };

bool bench_spawn(char* const* arguments, int most, double* wall, double* cpu) {
    pid_t pid;
    int status = 1;
    struct rusage u = {0};
    double start = bench_now();
    if (posix_spawn(&pid, arguments[0], NULL, NULL, arguments, environ) != 0) return false;
    wait4(pid, &status, 0, &u);
    *wall = bench_now() - start;
    *cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    return WIFEXITED(status) && WEXITSTATUS(status) <= most;
}

// Adds up the frames.
static void count_frames(const char* folder, bench_whole* run) {
    DIR* stream = opendir(folder);
    for (const struct dirent* entry; stream && (entry = readdir(stream));) {
        char path[600];
        struct stat info;
        snprintf(path, sizeof path, "%s/%.500s", folder, entry->d_name);
        bool frame = strncmp(entry->d_name, "frame_", 6) == 0;
        bool part = frame || strncmp(entry->d_name, "contacts_", 9) == 0;
        if (!part || stat(path, &info) != 0) continue;
        run->frames += frame;
        run->frame_bytes += (double)info.st_size;
    }
    if (stream) closedir(stream);
}

// Where all results go. They are removed at the end of the program: ext4 takes several times as
// long to make files within a minute after others were removed.
static char store[300];

static void remove_store(void) {
    char clean[320];
    snprintf(clean, sizeof clean, "rm -r %s", store);
    if (system(clean) != 0) fprintf(stderr, "bench: %s stays\n", store);
}

static bool make_store(void) {
    static bool made = false;
    const char* folder = getenv("TMPDIR");
    if (made) return true;
    snprintf(store, sizeof store, "%.250s/pliant-bench-XXXXXX",
             folder && *folder ? folder : "/tmp");
    made = mkdtemp(store) && atexit(remove_store) == 0;
    return made;
}

bool bench_run_whole(bench_whole* run) {
    static int number = 0;
    char folder[330], steps[24], threads[24];
    const char* arguments[MAX_ARGUMENTS] = {run->command, "run",  run->scene, "-q",
                                            "-o",         folder, "-t",       threads};
    int count = 8;
    if (!make_store()) return false;
    snprintf(folder, sizeof folder, "%s/%d", store, number++);
    snprintf(threads, sizeof threads, "%d", run->threads);
    snprintf(steps, sizeof steps, "%d", run->steps);
    if (run->steps > 0) {
        arguments[count++] = "-n";
        arguments[count++] = steps;
    }
    for (int i = 0; i < run->override_count && count + 3 < MAX_ARGUMENTS; ++i) {
        arguments[count++] = "--set";
        arguments[count++] = run->overrides[i];
    }
    run->frames = 0;
    run->frame_bytes = 0;
    // 1: it stopped with a reason
    bool done = bench_spawn((char* const*)(void*)arguments, 1, &run->wall, &run->cpu);
    count_frames(folder, run);
    return done;
}
