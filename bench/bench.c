// Benchmark scenes, one row each: time per Newton iteration, where it goes, the whole against what
// CHOLMOD alone needs for the same matrices (a run with solver.linear "cholesky", interleaved), and
// the ratio to the published peer of bench/peers.txt. usage: pliant_bench FOLDER_WITH_SCENES
// [PLIANT_COMMAND]
#define _GNU_SOURCE
#include <pliant/pliant.h>

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 5, STARTS = 11, MAX_SCENES = 100 };

extern char** environ;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct result {
    int vertices, steps, iterations;
    pli_phase_times seconds;
} result;

// Runs a scene once, with CHOLMOD if asked for. Returns false and says why if it cannot.
static bool run_scene(const char* path, int threads, bool cholmod, result* r) {
    static const char* const overrides[] = {"solver.linear=cholesky"};
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.thread_count = threads;
    def.overrides = overrides;
    def.override_count = cholmod ? 1 : 0;
    pli_scene* scene = NULL;
    pli_error error = {0};
    *r = (result){0};
    if (pli_scene_create(&def, &scene, &error) != PLI_OK || pli_scene_error_count(scene) > 0) {
        fprintf(stderr, "bench: %s: %s\n", path, error.message);
        pli_scene_destroy(scene);
        return false;
    }
    pli_world* world = pli_scene_world(scene);
    r->vertices = pli_world_vertex_count(world);
    r->steps = pli_scene_run(scene)->steps;
    for (int n = 0; n < r->steps; ++n) {
        pli_step_info info;
        if (pli_world_step(world, &info, &error) != PLI_OK || !info.kept) {
            fprintf(stderr, "bench: %s stopped at step %d\n", path, n);
            break;
        }
        r->iterations += info.iterations;
        r->seconds.gradient += info.seconds.gradient;
        r->seconds.hessian += info.seconds.hessian;
        r->seconds.assembly += info.seconds.assembly;
        r->seconds.symbolic += info.seconds.symbolic;
        r->seconds.numeric += info.seconds.numeric;
        r->seconds.solve += info.seconds.solve;
        r->seconds.collision += info.seconds.collision;
        r->seconds.line_search += info.seconds.line_search;
        r->seconds.total += info.seconds.total;
    }
    pli_scene_destroy(scene);
    return r->iterations > 0;
}

static int by_total(const void* a, const void* b) {
    double x = ((const result*)a)->seconds.total, y = ((const result*)b)->seconds.total;
    return (x > y) - (x < y);
}

// Seconds per iteration of the peer on this scene, 0 if none is known.
static double peer_seconds(const char* folder, const char* name) {
    char path[600], line[400], scene[200];
    double seconds;
    snprintf(path, sizeof path, "%s/../peers.txt", folder);
    FILE* file = fopen(path, "r");
    double found = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%199s %lf", scene, &seconds) == 2 && strcmp(scene, name) == 0)
            found = seconds;
    if (file) fclose(file);
    return found;
}

static void print_row(const char* folder, const char* name, int threads, const result* r,
                      const result* cholmod) {
    const pli_phase_times* s = &r->seconds;
    double n = 1e-3 * r->iterations; // milliseconds per iteration
    printf("%-22s %7d %2d %5d %5d %8.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %8.2f",
           name, r->vertices, threads, r->steps, r->iterations, s->total / n, s->gradient / n,
           s->hessian / n, s->assembly / n, s->symbolic / n, s->numeric / n, s->solve / n,
           s->collision / n, s->line_search / n,
           s->total / r->iterations /
               ((cholmod->seconds.numeric + cholmod->seconds.solve) / cholmod->iterations));
    double peer = peer_seconds(folder, name);
    if (peer > 0) printf(" %8.0f", peer / (s->total / r->iterations));
    printf("\n");
}

static int by_name(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static int list_scenes(const char* folder, char** names) {
    int count = 0;
    DIR* dir = opendir(folder);
    for (struct dirent* e; dir && (e = readdir(dir)) && count < MAX_SCENES;) {
        size_t length = strlen(e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".json") == 0)
            names[count++] = strndup(e->d_name, length - 5);
    }
    if (dir) closedir(dir);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

static int by_value(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Median wall time of `pliant run` with one step of the default scene, output included [s].
static double start_up(const char* command, const char* scene) {
    char folder[] = "/tmp/pliant-bench-XXXXXX";
    if (!mkdtemp(folder)) return 0;
    char* arguments[] = {(char*)command, "run", (char*)scene, "--steps", "1",
                         "--quiet",      "-o",  folder,       NULL};
    double times[STARTS];
    for (int i = 0; i < STARTS; ++i) {
        pid_t pid;
        int status = 1;
        double start = now();
        if (posix_spawn(&pid, command, NULL, NULL, arguments, environ) != 0) return 0;
        waitpid(pid, &status, 0);
        times[i] = now() - start;
        if (status != 0) return 0;
    }
    qsort(times, STARTS, sizeof *times, by_value);
    char clean[100];
    snprintf(clean, sizeof clean, "rm -r %s", folder);
    if (system(clean) != 0) fprintf(stderr, "bench: %s stays\n", folder);
    return times[STARTS / 2];
}

int main(int argc, char** argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: pliant_bench FOLDER_WITH_SCENES [PLIANT_COMMAND DEFAULT_SCENE]\n");
        return 2;
    }
    char* names[MAX_SCENES];
    int count = list_scenes(argv[1], names);
    printf("milliseconds per Newton iteration, median of %d runs; tot/chol: all of it over "
           "numeric + solve of CHOLMOD;\nratio: the peer's time per iteration (bench/peers.txt) "
           "over ours\n\n",
           REPEATS);
    printf("%-22s %7s %2s %5s %5s %8s %7s %7s %7s %7s %7s %7s %7s %7s %8s %8s\n", "scene", "verts",
           "th", "steps", "iters", "total", "grad", "hess", "assem", "symb", "numer", "solve",
           "coll", "search", "tot/chol", "ratio");
    for (int i = 0; i < count; ++i) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s.json", argv[1], names[i]);
        for (int threads = 1; threads <= 2; ++threads) {
            result ours[REPEATS], cholmod[REPEATS];
            bool ok = true;
            for (int r = 0; r < REPEATS && ok; ++r)
                ok = run_scene(path, threads, false, &ours[r]) &&
                     run_scene(path, threads, true, &cholmod[r]);
            if (!ok) continue;
            qsort(ours, REPEATS, sizeof *ours, by_total);
            qsort(cholmod, REPEATS, sizeof *cholmod, by_total);
            print_row(argv[1], names[i], threads, &ours[REPEATS / 2], &cholmod[REPEATS / 2]);
        }
        free(names[i]);
    }
    if (argc >= 4)
        printf("\nstart-up of `pliant run` with one step and its output: %.1f ms (median of %d)\n",
               1e3 * start_up(argv[2], argv[3]), STARTS);
    return 0;
}
