// pliant mesh: converts mesh files. A closed surface is filled with tetrahedra by one of the
// engines in the table below: our own, or the program pliant-mesh, which is a process of its own
// because it is built on a library under another licence.
#define _POSIX_C_SOURCE 200809L // posix_spawn, readlink
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app.h"

extern char** environ;

static const char mesher[] = "pliant-mesh";

// The mesher beside this program, or its bare name, which is then looked for in PATH.
static const char* find_mesher(char path[4096]) {
    ssize_t n = readlink("/proc/self/exe", path, 4096 - sizeof mesher);
    while (n > 0 && path[n - 1] != '/') --n;
    if (n > 0) {
        memcpy(path + n, mesher, sizeof mesher);
        if (access(path, X_OK) == 0) return path;
    }
    return mesher;
}

static int run_mesher(const pli_options* options, const pli_mesh* surface) {
    (void)surface; // the program reads the file itself
    char path[4096], size[40], self[24];
    snprintf(size, sizeof size, "%.17g", options->size);
    snprintf(self, sizeof self, "%ld", (long)getpid()); // the mesher ends with this process
    const char* arguments[] = {mesher, options->argument, options->target, size, self, NULL};
    pid_t child;
    signal(SIGCHLD, SIG_DFL); // where it is ignored nobody can learn how a child ended
    int failure = posix_spawnp(&child, find_mesher(path), NULL, NULL, (char**)arguments, environ);
    if (failure == ENOENT || failure == EACCES) {
        pli_complain(
            "--engine gmsh needs the program %s, which is neither beside pliant nor in PATH: "
            "install libgmsh-dev and build with -DPLIANT_GMSH=ON, or fill %s without --engine",
            mesher, options->argument);
        return PLI_EXIT_STOPPED;
    }
    int status = 0;
    while (failure == 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR) failure = errno;
    if (failure == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return PLI_EXIT_DONE;
    if (failure)
        pli_complain("%s could not be started: %s", mesher, strerror(failure));
    else
        pli_complain("%s could not fill %s", mesher, options->argument);
    return PLI_EXIT_STOPPED;
}

// What the library says about the failure as an exit code.
static int exit_code(pli_status status) {
    return status == PLI_OK           ? PLI_EXIT_DONE
           : status == PLI_E_ARGUMENT ? PLI_EXIT_USAGE
                                      : PLI_EXIT_STOPPED;
}

// Says what was filled, and how much of it.
static void tell_filling(const pli_options* options, const pli_mesh* solid, double size,
                         const pli_mesh* surface) {
    pli_mesh_summary inner, outer;
    if (options->quiet || pli_mesh_summarize(solid, &inner, NULL) != PLI_OK ||
        pli_mesh_summarize(surface, &outer, NULL) != PLI_OK)
        return;
    printf("filled with tetrahedra of size %.4g m", size);
    double share = outer.enclosed != 0 ? inner.volume / fabs(outer.enclosed) : 1;
    if (outer.closed) printf(", %.4g %% of the enclosed volume", 100 * share);
    printf("; angles from %.4g to %.4g degrees\n", inner.smallest_angle, inner.largest_angle);
    if (outer.closed && share < 0.9)
        pli_complain("%s: %.3g %% of the volume is lost: edges are cut off, and parts thinner than "
                     "the size of the tetrahedra; a smaller --size keeps them",
                     options->argument, 100 * (1 - share));
}

static int run_stuffing(const pli_options* options, const pli_mesh* surface) {
    pli_mesh solid;
    pli_error error = {0};
    double size;
    pli_mesh_init(&solid, NULL);
    pli_status status = pli_mesh_fill(&solid, surface, options->size, &size, &error);
    if (status == PLI_OK) {
        status = pli_mesh_write(&solid, options->target, &error);
        if (status == PLI_OK)
            tell_filling(options, &solid, size, surface);
        else
            pli_complain("%s", error.message);
    } else {
        pli_complain("%s: %s", options->argument, error.message);
    }
    pli_mesh_free(&solid);
    return exit_code(status);
}

typedef struct engine {
    const char* name;
    int (*fill)(const pli_options* options, const pli_mesh* surface); // an exit code
} engine;

static const engine engines[] = {{"stuffing", run_stuffing}, {"gmsh", run_mesher}};
enum { ENGINE_COUNT = sizeof engines / sizeof *engines };

static const char* engine_name(int i) { return i < ENGINE_COUNT ? engines[i].name : NULL; }

// The first one if none is named; NULL with a complaint if there is none of that name.
static const engine* find_engine(const char* name) {
    char like[96];
    if (!name) return &engines[0];
    for (int i = 0; i < ENGINE_COUNT; ++i)
        if (strcmp(engines[i].name, name) == 0) return &engines[i];
    pli_complain("there is no engine \"%s\"%s; there are stuffing and gmsh", name,
                 pli_like(name, engine_name, like));
    return NULL;
}

static bool is_obj(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot && strcmp(dot, ".obj") == 0;
}

// Whether it is a surface, without tetrahedra, that is to be filled: one around a volume, or any if
// a size says so; and the target can hold a solid.
static bool wants_filling(const pli_options* options, const pli_mesh* mesh) {
    pli_mesh_summary s;
    int solid = mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10];
    int surface = mesh->element_count[PLI_TRIANGLE] + mesh->element_count[PLI_TRIANGLE6];
    if (solid > 0 || surface == 0 || options->surface || is_obj(options->target)) return false;
    bool closed = pli_mesh_summarize(mesh, &s, NULL) == PLI_OK && s.closed;
    if (!closed && options->size == 0 && !options->quiet)
        pli_complain("%s: the surface is not closed and stays a surface; --size fills it if the "
                     "gaps are small",
                     options->argument);
    return closed || options->size > 0;
}

static int convert(const pli_options* options, const pli_mesh* mesh) {
    pli_error error = {0};
    const engine* filler = find_engine(options->engine);
    if (!filler) return PLI_EXIT_USAGE;
    for (int i = 0; i < pli_mesh_note_count(mesh) && !options->quiet; ++i)
        pli_complain("%s: %s", options->argument, pli_mesh_note(mesh, i));
    if (wants_filling(options, mesh)) return filler->fill(options, mesh);
    if (options->size > 0) {
        pli_complain("--size is for closed surfaces that are filled: %s is to stay a surface, is "
                     "none, or has tetrahedra already",
                     options->argument);
        return PLI_EXIT_USAGE;
    }
    if (is_obj(options->target) && mesh->group_count > 0 && !options->quiet)
        pli_complain("%s: its %d groups are left out: .obj files have no place for them",
                     options->argument, mesh->group_count);
    pli_status status = pli_mesh_write(mesh, options->target, &error);
    if (status != PLI_OK) pli_complain("%s", error.message);
    return exit_code(status);
}

int pli_command_mesh(const pli_options* given) {
    pli_options copy = *given, *options = &copy;
    if (options->folder && options->target) {
        pli_complain("where to? Both %s and --output %s are named", options->target,
                     options->folder);
        return PLI_EXIT_USAGE;
    }
    if (options->folder) options->target = options->folder;
    if (!options->argument || !options->target) {
        pli_complain("which files? For example: pliant mesh part.obj part.msh --size 0.01");
        return PLI_EXIT_USAGE;
    }
    pli_mesh mesh;
    pli_error error = {0};
    int code = PLI_EXIT_USAGE;
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_read(&mesh, options->argument, &error) == PLI_OK)
        code = convert(options, &mesh);
    else
        pli_complain("%s", error.message);
    pli_mesh_free(&mesh);
    if (code != PLI_EXIT_DONE) return code;
    // What is wrong with the mesh is said, but it was converted.
    return pli_report_mesh(options->target, options->quiet) == PLI_EXIT_STOPPED ? PLI_EXIT_STOPPED
                                                                                : PLI_EXIT_DONE;
}
