// pliant view: shows a scene while it is simulated, a result, or the gallery in a browser.
#define _DEFAULT_SOURCE // getrandom, sigaction
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
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "viewer/mailbox.h"

enum { TOKEN_BYTES = 16 };

// 128 random bits as 32 hexadecimal digits; false: none available.
static bool make_token(char token[2 * TOKEN_BYTES + 1]) {
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < TOKEN_BYTES; ++i) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// Starts the browser of the desktop as a grandchild, so that nothing waits for it.
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

// Starts a thread that leaves signals to this one.
static int start_thread(pthread_t* thread, void* (*run)(void*), void* argument) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

static bool is_folder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// Prints the findings of a scene, as other commands do.
static void explain(const pli_options* options, const char* why) {
    pli_scene* scene = pli_read_scene(options);
    if (scene && pli_scene_error_count(scene) == 0) pli_complain("%s", why);
    if (scene) pli_write_crossed(options, NULL, scene);
    pli_scene_destroy(scene);
}

// Opens what is to be shown. On failure prints why and returns false.
static bool open_source(const pli_options* options, const pli_view_setup* setup,
                        pli_view_source* source) {
    char why[PLI_VIEW_WHY_SIZE];
    if (!options->argument) return true;
    if (!options->text && is_folder(options->argument)) {
        bool good = pli_view_replay_open(&options->allocator, options->argument, source, why);
        if (!good) pli_complain("%s", why);
        return good;
    }
    bool good = pli_view_live_open(setup, options->argument, source, why);
    if (!good) explain(options, why);
    return good;
}

static int serve(const pli_options* options, pli_view_player* player, const char* host) {
    char token[2 * TOKEN_BYTES + 1] = "";
    if (!pli_view_is_loopback(host) && !make_token(token)) {
        pli_complain("cannot make a random token: %s", strerror(errno));
        return PLI_EXIT_STOPPED;
    }
    const pli_view_source_ops* ops = player->source.ops;
    pli_view_mailbox_set_mode(player->box, ops ? ops->mode : PLI_VIEW_GALLERY);
    pthread_t thread;
    if (start_thread(&thread, pli_view_play, player) != 0) {
        pli_complain("cannot start a thread");
        return PLI_EXIT_STOPPED;
    }
    pli_view_server_def def = {.box = player->box,
                               .gallery = player->gallery,
                               .host = host,
                               .port = options->port,
                               .token = token,
                               .ready = ready,
                               .interrupted = pli_cancel_step,
                               .context = (void*)(uintptr_t)options};
    char why[PLI_VIEW_WHY_SIZE];
    pli_watch_interrupts();
    bool served = pli_view_serve(&def, why);
    if (!served) pli_complain("%s", why);
    pli_view_mailbox_quit(player->box);
    pthread_join(thread, NULL);
    return served ? PLI_EXIT_DONE : PLI_EXIT_USAGE;
}

// The argument, or the gallery.
static int view(const pli_options* options, pli_view_player* player) {
    pli_view_gallery* gallery = options->argument ? NULL : pli_view_gallery_create();
    int code = PLI_EXIT_USAGE;
    player->gallery = gallery;
    if (!options->argument && (!gallery || pli_view_gallery_count(gallery) == 0))
        pli_complain("no scenes are installed for the gallery: set PLIANT_SCENES to their folder, "
                     "or name a scene: pliant view scene.json");
    else if (open_source(options, player->setup, &player->source))
        code = serve(options, player, options->host ? options->host : "127.0.0.1");
    if (player->source.ops) player->source.ops->destroy(player->source.self);
    pli_view_gallery_destroy(gallery);
    return code;
}

int pli_command_view(const pli_options* options) {
    pli_view_mailbox* box = malloc(sizeof *box);
    if (!box || !pli_view_mailbox_init(box)) {
        pli_complain("out of memory");
        free(box);
        return PLI_EXIT_STOPPED;
    }
    pli_view_setup setup = {pli_scene_def_of(options), pli_cancel_step};
    pli_view_player player = {.box = box, .setup = &setup};
    int code = view(options, &player);
    pli_view_mailbox_free(box);
    free(box);
    return code;
}

#endif
