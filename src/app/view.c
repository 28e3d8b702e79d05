// pliant view: shows a running scene, a result, or the gallery in a browser.
#define _DEFAULT_SOURCE // sigaction
#include <stdio.h>

#include "app/app.h"

#ifndef PLIANT_VIEW

int pli_command_view(const pli_options* options) {
    (void)options;
    pli_complain("this pliant was built without the viewer: build it with -DPLIANT_VIEWER=ON");
    return PLI_EXIT_USAGE;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "viewer/view.h"

// Starts the desktop browser as a grandchild process, so that nothing waits for it.
static void open_browser(const char* address) {
    const char* const displays[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    bool desktop = false;
    for (int i = 0; i < 2; ++i) {
        const char* display = getenv(displays[i]);
        desktop |= display && *display;
    }
    if (!desktop) return;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3 && nowhere >= 0; ++i) dup2(nowhere, i);
        signal(SIGPIPE, SIG_DFL);
        if (fork() == 0) execlp("xdg-open", "xdg-open", address, (char*)NULL);
        _exit(0);
    }
    if (child > 0)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
}

static void ready(void* context, const char* address) {
    const pli_options* options = context;
    printf("%s\n", address);
    if (!options->quiet) printf("  Ctrl-C ends it\n");
    fflush(stdout);
    if (!options->no_open) open_browser(address);
}

// Prints all findings of a scene, like other commands.
static void explain(const pli_options* options, const char* why) {
    pli_scene* scene = pli_read_scene(options);
    if (scene && pli_scene_error_count(scene) == 0) pli_complain("%s", why);
    if (scene) pli_write_crossed(options, NULL, scene);
    pli_scene_destroy(scene);
}

int pli_command_view(const pli_options* options) {
    char why[PLI_VIEW_WHY_SIZE] = "";
    pli_view_def def = {.path = options->argument,
                        .scene = pli_scene_def_of(options),
                        .host = options->host ? options->host : "127.0.0.1",
                        .port = options->port,
                        .embed = options->embed,
                        .serving = pli_watch_interrupts,
                        .ready = ready,
                        .interrupted = pli_cancel_step,
                        .context = (void*)(uintptr_t)options};
    pli_view_result result = pli_view_run(&def, why);
    if (result == PLI_VIEW_BAD_SCENE)
        explain(options, why);
    else if (result != PLI_VIEW_DONE)
        pli_complain("%s", why);
    return result == PLI_VIEW_DONE     ? PLI_EXIT_DONE
           : result == PLI_VIEW_FAILED ? PLI_EXIT_STOPPED
                                       : PLI_EXIT_USAGE;
}

#endif
