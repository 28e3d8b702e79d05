// pliant mesh: converts mesh files. A closed surface is filled with tetrahedra by the program
// pliant-mesh, which is a process of its own: it is built on a library under another licence.
#define _POSIX_C_SOURCE 200809L // posix_spawn, readlink
#include <errno.h>
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

static int run_mesher(const pli_options* options) {
    char path[4096], size[40], self[24];
    snprintf(size, sizeof size, "%.17g", options->size);
    snprintf(self, sizeof self, "%ld", (long)getpid()); // the mesher ends with this process
    const char* arguments[] = {mesher, options->argument, options->target, size, self, NULL};
    pid_t child;
    signal(SIGCHLD, SIG_DFL); // where it is ignored nobody can learn how a child ended
    int failure = posix_spawnp(&child, find_mesher(path), NULL, NULL, (char**)arguments, environ);
    if (failure == ENOENT || failure == EACCES) {
        pli_complain(
            "%s is a closed surface; to fill it the program %s is needed, which is neither "
            "beside pliant nor in PATH: install libgmsh-dev and build again, or keep the "
            "surface with --surface",
            options->argument, mesher);
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

static bool is_obj(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot && strcmp(dot, ".obj") == 0;
}

// Whether it is a surface around a volume, without tetrahedra, and the target can hold some.
static bool wants_filling(const pli_options* options, const pli_mesh* mesh, bool* closed) {
    pli_mesh_summary s;
    int solid = mesh->element_count[PLI_TETRAHEDRON] + mesh->element_count[PLI_TETRAHEDRON10];
    *closed = solid == 0 && pli_mesh_summarize(mesh, &s, NULL) == PLI_OK && s.closed;
    return *closed && !options->surface && !is_obj(options->target);
}

static int convert(const pli_options* options, const pli_mesh* mesh) {
    pli_error error = {0};
    bool closed;
    for (int i = 0; i < pli_mesh_note_count(mesh) && !options->quiet; ++i)
        pli_complain("%s: %s", options->argument, pli_mesh_note(mesh, i));
    if (wants_filling(options, mesh, &closed)) return run_mesher(options);
    if (options->size > 0) {
        pli_complain("--size is for closed surfaces that are filled: %s %s", options->argument,
                     closed ? "is to stay a surface" : "is none, or has tetrahedra already");
        return PLI_EXIT_USAGE;
    }
    if (is_obj(options->target) && mesh->group_count > 0 && !options->quiet)
        pli_complain("%s: its %d groups are left out: .obj files have no place for them",
                     options->argument, mesh->group_count);
    pli_status status = pli_mesh_write(mesh, options->target, &error);
    if (status != PLI_OK) pli_complain("%s", error.message);
    return status == PLI_OK           ? PLI_EXIT_DONE
           : status == PLI_E_ARGUMENT ? PLI_EXIT_USAGE
                                      : PLI_EXIT_STOPPED;
}

int pli_command_mesh(const pli_options* options) {
    if (!options->argument || !options->target) {
        pli_complain("which files? For example: pliant mesh part.obj part.vtu --size 0.01");
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
