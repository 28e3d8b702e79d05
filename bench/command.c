// The command as users run it: see command.h.
#define _GNU_SOURCE
#include "command.h"

#include <dirent.h>
#include <fcntl.h>
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

enum { MAX_ARGUMENTS = 64, LOADS = 5 };

static bool spawn(char* const* arguments, bool silent, int most, double* wall, double* cpu) {
    pid_t pid;
    int status = 1;
    struct rusage u = {0};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (silent) posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    double start = bench_now();
    bool started = posix_spawn(&pid, arguments[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!started) return false;
    wait4(pid, &status, 0, &u);
    *wall = bench_now() - start;
    *cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    return WIFEXITED(status) && WEXITSTATUS(status) <= most;
}

bool bench_spawn(char* const* arguments, int most, double* wall, double* cpu) {
    return spawn(arguments, false, most, wall, cpu);
}

// Counts the frames and removes all.
static void empty_folder(const char* folder, bench_whole* run) {
    DIR* stream = opendir(folder);
    for (const struct dirent* entry; stream && (entry = readdir(stream));) {
        char path[600];
        struct stat info;
        snprintf(path, sizeof path, "%s/%.500s", folder, entry->d_name);
        bool frame = strncmp(entry->d_name, "frame_", 6) == 0;
        bool part = frame || strncmp(entry->d_name, "contacts_", 9) == 0;
        if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) continue;
        run->frames += frame;
        run->frame_bytes += part ? (double)info.st_size : 0;
        unlink(path);
    }
    if (stream) closedir(stream);
    if (rmdir(folder) != 0) fprintf(stderr, "bench: %s stays\n", folder);
}

bool bench_run_whole(bench_whole* run) {
    char folder[] = "/tmp/pliant-bench-XXXXXX", steps[24], threads[24];
    const char* arguments[MAX_ARGUMENTS] = {run->command, "run",  run->scene, "-q",
                                            "-o",         folder, "-t",       threads};
    int count = 8;
    if (!mkdtemp(folder)) return false;
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
    empty_folder(folder, run);
    return done;
}

double bench_load_time(const char* command) {
    double least = 0;
    for (int i = 0; i < LOADS; ++i) {
        char* arguments[] = {(char*)command, "version", NULL};
        double wall, cpu;
        if (spawn(arguments, true, 0, &wall, &cpu) && (least == 0 || cpu < least)) least = cpu;
    }
    return least;
}
