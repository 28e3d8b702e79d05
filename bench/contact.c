// Scenes with contact, one line each: time, Newton iterations, where the time goes, pairs, memory,
// beside what other simulators need for the same scene (bench/contact_peers.txt). Each scene runs
// in a process of its own, so that processor time and memory are its own, reading the files
// included. A run that does not come to its end says why, in its line.
#define _GNU_SOURCE
#include <pliant/pliant.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SCENES = 100, MAX_PEERS = 100, MAX_OVERRIDES = 20, YARD_RUNS = 3 };

// ---- options

typedef struct options {
    const char* folder; // with the scenes
    int steps;          // at most so many; 0: all
    int threads;
    bool quick, list, verify;
    const char* overrides[MAX_OVERRIDES]; // key.path=value
    int override_count;
    const char* names[MAX_SCENES];
    int name_count; // 0: all scenes of the folder
} options;

static const char usage[] =
    "usage: pliant_bench_contact FOLDER_WITH_SCENES [NAME...] [--quick] [--steps N] [--threads N]\n"
    "           [--set KEY=VALUE]... [--verify] [--list]\n";

static bool read_options(int argc, char** argv, options* o) {
    *o = (options){.threads = 1};
    for (int i = 1; i < argc; ++i) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--quick") == 0)
            o->quick = true;
        else if (strcmp(word, "--list") == 0)
            o->list = true;
        else if (strcmp(word, "--verify") == 0)
            o->verify = true;
        else if (strcmp(word, "--steps") == 0 && next)
            o->steps = atoi(argv[++i]);
        else if (strcmp(word, "--threads") == 0 && next)
            o->threads = atoi(argv[++i]);
        else if (strcmp(word, "--set") == 0 && next && o->override_count < MAX_OVERRIDES)
            o->overrides[o->override_count++] = argv[++i];
        else if (word[0] == '-')
            return false;
        else if (!o->folder)
            o->folder = word;
        else if (o->name_count < MAX_SCENES)
            o->names[o->name_count++] = word;
    }
    return o->folder != NULL;
}

// ---- peers

typedef struct peer {
    char scene[40], name[20];
    int frames, quick;
    double seconds, newton; // CPU s in all, iterations per frame
} peer;

static int read_peers(const char* folder, peer* peers) {
    char path[600], line[400];
    snprintf(path, sizeof path, "%s/../contact_peers.txt", folder);
    FILE* file = fopen(path, "r");
    int count = 0;
    while (file && count < MAX_PEERS && fgets(line, sizeof line, file)) {
        peer* p = &peers[count];
        count += line[0] != '#' && sscanf(line, "%39s %19s %d %lf %lf %d", p->scene, p->name,
                                          &p->frames, &p->seconds, &p->newton, &p->quick) == 6;
    }
    if (file) fclose(file);
    return count;
}

static const peer* find_peer(const peer* peers, int count, const char* scene, int skip) {
    for (int i = 0; i < count; ++i)
        if (strcmp(peers[i].scene, scene) == 0 && skip-- == 0) return &peers[i];
    return NULL;
}

// ---- one run, in the child

typedef struct result {
    int vertices, tetrahedra, steps, planned, iterations, analyses, most_iterations, most_pairs;
    double pairs; // sum over the steps
    double min_distance, dhat, wall, cpu;
    pli_phase_times seconds;
    char problem[300]; // "": the run came to its end
} result;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Of this process [s].
static double cpu_seconds(void) {
    struct rusage u = {0};
    getrusage(RUSAGE_SELF, &u);
    const struct timeval *a = &u.ru_utime, *b = &u.ru_stime;
    return (double)(a->tv_sec + b->tv_sec) + 1e-6 * (double)(a->tv_usec + b->tv_usec);
}

static void add_step(result* r, const pli_step_info* info) {
    const double* from = (const double*)&info->seconds;
    double* to = (double*)&r->seconds;
    for (size_t i = 0; i < sizeof(pli_phase_times) / sizeof(double); ++i) to[i] += from[i];
    r->iterations += info->iterations;
    r->analyses += info->symbolic_count;
    r->pairs += info->contact_count;
    if (info->iterations > r->most_iterations) r->most_iterations = info->iterations;
    if (info->contact_count > r->most_pairs) r->most_pairs = info->contact_count;
    if (info->min_distance < r->min_distance) r->min_distance = info->min_distance;
}

static const char* reason_word(pli_reason reason) {
    static const char* const words[] = {
        [PLI_CONVERGED] = "converged",
        [PLI_ITERATION_CAP] = "iteration cap",
        [PLI_LINE_SEARCH_STALLED] = "line search stalled",
        [PLI_INDEFINITE] = "indefinite matrix",
        [PLI_OUT_OF_DOMAIN] = "energy is infinite",
        [PLI_LINEAR_STALLED] = "pcg stalled",
        [PLI_DIVERGED] = "diverged",
        [PLI_BLOCKED] = "blocked",
    };
    return words[reason];
}

// Steps that did not converge are counted; the run goes on as long as they are kept.
static void run_steps(pli_world* world, const options* o, result* r) {
    int failed = 0;
    pli_error error = {0};
    for (; r->steps < r->planned; r->steps++) {
        pli_step_info info;
        if (pli_world_step(world, &info, &error) != PLI_OK) {
            snprintf(r->problem, sizeof r->problem, "step %d: %.200s", r->steps + 1, error.message);
            return;
        }
        add_step(r, &info);
        if (info.reason != PLI_CONVERGED)
            snprintf(r->problem, sizeof r->problem, "%d step%s without convergence, last %d: %s%s",
                     failed + 1, failed > 0 ? "s" : "", info.step, reason_word(info.reason),
                     info.kept ? "" : ", ended there");
        failed += info.reason != PLI_CONVERGED;
        if (!info.kept) return;
        if (o->verify && pli_world_verify(world, &error) != PLI_OK) {
            snprintf(r->problem, sizeof r->problem, "step %d: %.200s", info.step, error.message);
            return;
        }
    }
}

static void run_scene(const pli_scene_def* def, const options* o, int steps, result* r) {
    pli_scene* scene = NULL;
    pli_error error = {0};
    double start = now(), cpu = cpu_seconds();
    *r = (result){.min_distance = 1e300};
    if (pli_scene_create(def, &scene, &error) != PLI_OK)
        snprintf(r->problem, sizeof r->problem, "%.250s", error.message);
    for (int i = 0; scene && i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR && !r->problem[0])
            pli_scene_finding_text(scene, i, r->problem, sizeof r->problem);
    pli_world* world = scene ? pli_scene_world(scene) : NULL;
    if (world) {
        r->vertices = pli_world_vertex_count(world);
        r->tetrahedra = pli_world_element_count(world, PLI_TETRAHEDRON);
        r->dhat = pli_world_dhat(world);
        r->planned = pli_scene_run(scene)->steps;
        if (steps > 0 && steps < r->planned) r->planned = steps;
        run_steps(world, o, r);
    }
    r->wall = now() - start;
    r->cpu = cpu_seconds() - cpu;
    pli_scene_destroy(scene);
}

// ---- processes

// Runs a scene in a process of its own; *memory is its peak [MB]. False if that failed.
static bool measure(const pli_scene_def* def, const options* o, int steps, result* r,
                    double* memory) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        run_scene(def, o, steps, r);
        _exit(write(ends[1], r, sizeof *r) == (ssize_t)sizeof *r ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = pid > 0 ? read(ends[0], r, sizeof *r) : 0;
    close(ends[0]);
    int status = 1;
    struct rusage usage_now = {0};
    if (pid > 0) wait4(pid, &status, 0, &usage_now);
    *memory = 1e-3 * (double)usage_now.ru_maxrss;
    return got == (ssize_t)sizeof *r && status == 0;
}

// Seconds of CHOLMOD's numeric factorization of a cube of 22^3 vertices on one thread, best of
// three: tells this machine, as it is now, from the one of the peers.
static double yardstick(void) {
    static const char text[] =
        "{\"dimension\": 3, \"gravity\": [0, -9.81, 0], \"time\": {\"steps\": 1},"
        " \"solver\": {\"linear\": \"cholesky\"}, \"contact\": {\"bodies\": false},"
        " \"bodies\": [{\"mesh\": {\"type\": \"box\", \"size\": [1, 1, 1], \"segments\": [21, 21, "
        "21]},"
        " \"energies\": [{\"type\": \"neo-hookean\"}]}]}";
    pli_scene_def def = pli_default_scene_def();
    options o = {.threads = 1};
    double best = 0;
    def.text = text;
    def.thread_count = 1;
    for (int i = 0; i < YARD_RUNS; ++i) {
        result r;
        double memory;
        if (!measure(&def, &o, 1, &r, &memory) || r.iterations == 0) return 0;
        double share = r.cpu < r.wall ? r.cpu / r.wall : 1; // of the processor, on a busy machine
        double seconds = share * r.seconds.numeric / r.iterations;
        if (i == 0 || seconds < best) best = seconds;
    }
    return best;
}

// ---- table

static void print_legend(const options* o, const peer* there) {
    double here = yardstick();
    printf("CHOLMOD factorizes a cube of 10,648 vertices in %.2f s here, in %.2f s where the peers "
           "ran; %d thread%s\n",
           here, there ? there->seconds : 0, o->threads, o->threads > 1 ? "s" : "");
    printf(
        "symb: symbolic analyses in all; then %% of the steps: gradient, hessian, assembly, "
        "symbolic, numeric, solve,\ncollision, line search, the rest; d/dhat: smallest distance; "
        "ratio: CPU s of the peer for as many frames over ours\n\n");
}

static void print_head(void) {
    printf("%-14s %6s %6s %5s %8s %8s %6s %6s %4s %8s %4s  %3s %3s %3s %3s %3s %3s %3s %3s "
           "%3s  %6s %6s %8s %6s  %-5s %8s %6s %6s\n",
           "scene", "verts", "tets", "steps", "wall s", "CPU s", "Newton", "/step", "most", "ms/it",
           "symb", "gr", "he", "as", "sy", "nu", "so", "co", "ls", "..", "pairs", "most", "d/dhat",
           "MB", "peer", "CPU s", "/step", "ratio");
}

static void print_phases(const pli_phase_times* s) {
    double part = 100 / s->total;
    double rest = s->total - s->gradient - s->hessian - s->assembly - s->symbolic - s->numeric -
                  s->solve - s->collision - s->line_search;
    printf("  %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f %3.0f", part * s->gradient,
           part * s->hessian, part * s->assembly, part * s->symbolic, part * s->numeric,
           part * s->solve, part * s->collision, part * s->line_search, part * rest);
}

static void print_line(const char* name, const result* r, double memory, const peer* peers,
                       int count) {
    if (r->iterations == 0) {
        printf("%-14s %s\n", name, r->problem[0] ? r->problem : "no iterations");
        return;
    }
    int steps = r->steps > 0 ? r->steps : 1;
    printf("%-14s %6d %6d %5d %8.2f %8.2f %6d %6.1f %4d %8.2f %4d", name, r->vertices,
           r->tetrahedra, r->steps, r->wall, r->cpu, r->iterations, (double)r->iterations / steps,
           r->most_iterations, 1e3 * r->cpu / r->iterations, r->analyses);
    print_phases(&r->seconds);
    printf("  %6.0f %6d %8.1e %6.0f", r->pairs / steps, r->most_pairs,
           r->most_pairs > 0 ? r->min_distance / r->dhat : 0, memory);
    const peer* p;
    for (int i = 0; (p = find_peer(peers, count, name, i)); ++i) {
        double seconds = p->seconds * r->steps / p->frames;
        printf("  %-5s %8.2f %6.1f %6.1f", p->name, seconds, p->newton, seconds / r->cpu);
    }
    printf("\n");
    if (r->problem[0]) printf("%-14s   %d of %d steps; %s\n", "", r->steps, r->planned, r->problem);
    fflush(stdout);
}

// ---- scenes

static int by_name(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

// Appends the names of all scenes of the folder, in order. They live as long as the program.
static void list_scenes(options* o) {
    DIR* dir = opendir(o->folder);
    for (struct dirent* e; dir && (e = readdir(dir)) && o->name_count < MAX_SCENES;) {
        size_t length = strlen(e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".json") == 0)
            o->names[o->name_count++] = strndup(e->d_name, length - 5);
    }
    if (dir) closedir(dir);
    qsort(o->names, (size_t)o->name_count, sizeof *o->names, by_name);
}

static void run_all(const options* o, const peer* peers, int peer_count) {
    print_head();
    for (int i = 0; i < o->name_count; ++i) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s.json", o->folder, o->names[i]);
        const peer* p = find_peer(peers, peer_count, o->names[i], 0);
        pli_scene_def def = pli_default_scene_def();
        def.path = path;
        def.thread_count = o->threads;
        def.overrides = o->overrides;
        def.override_count = o->override_count;
        int steps = o->steps > 0 ? o->steps : o->quick && p ? p->quick : 0;
        result r;
        double memory;
        if (measure(&def, o, steps, &r, &memory))
            print_line(o->names[i], &r, memory, peers, peer_count);
        else
            printf("%-14s the process died\n", o->names[i]);
    }
}

int main(int argc, char** argv) {
    options o;
    if (!read_options(argc, argv, &o)) {
        fputs(usage, stderr);
        return 2;
    }
    static peer peers[MAX_PEERS];
    int peer_count = read_peers(o.folder, peers);
    if (o.name_count == 0) list_scenes(&o);
    for (int i = 0; o.list && i < o.name_count; ++i) puts(o.names[i]);
    if (o.list) return 0;
#ifdef PLIANT_DATA
    setenv("PLIANT_DATA", PLIANT_DATA, 0);
#endif
    const char* data = getenv("PLIANT_DATA");
    if (!data || access(data, R_OK) != 0) {
        printf("contact scenes are skipped: there is no folder of meshes; set PLIANT_DATA\n");
        return 0;
    }
    print_legend(&o, find_peer(peers, peer_count, "yardstick", 0));
    run_all(&o, peers, peer_count);
    return 0;
}
