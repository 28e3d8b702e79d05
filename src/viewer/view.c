// The viewer as a whole: opens the source, starts the player's thread and serves.
#define _DEFAULT_SOURCE // getrandom, sigset_t
#include "viewer/view.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "viewer/mailbox.h"

enum { TOKEN_BYTES = 16 };

// 128 random bits as 32 hexadecimal digits; false: no random numbers available.
static bool make_token(char token[2 * TOKEN_BYTES + 1]) {
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < TOKEN_BYTES; ++i) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// Threads started from now on leave signals to this one.
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

static pli_view_result fail(pli_view_result result, char why[PLI_VIEW_WHY_SIZE], const char* text) {
    snprintf(why, PLI_VIEW_WHY_SIZE, "%s", text);
    return result;
}

static pli_view_result open_source(const pli_view_def* def, pli_view_player* player,
                                   char why[PLI_VIEW_WHY_SIZE]) {
    if (!def->path) {
        if (player->gallery && pli_view_gallery_count(player->gallery) > 0) return PLI_VIEW_DONE;
        return fail(PLI_VIEW_REFUSED, why,
                    "no gallery: no scenes are installed. Set PLIANT_SCENES to their "
                    "folder, or name a scene: pliant view scene.json");
    }
    if (!def->scene.text && is_folder(def->path))
        return pli_view_replay_open(def->scene.allocator, def->path, &player->source, why)
                   ? PLI_VIEW_DONE
                   : PLI_VIEW_REFUSED;
    return pli_view_live_open(player->setup, def->path, &player->source, why) ? PLI_VIEW_DONE
                                                                              : PLI_VIEW_BAD_SCENE;
}

static pli_view_result serve(const pli_view_def* def, pli_view_player* player,
                             char why[PLI_VIEW_WHY_SIZE]) {
    char token[2 * TOKEN_BYTES + 1] = "";
    if (!pli_view_is_loopback(def->host) && !make_token(token)) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "cannot create a token, no random numbers: %s",
                 strerror(errno));
        return PLI_VIEW_FAILED;
    }
    const pli_view_source_ops* ops = player->source.ops;
    pli_view_mailbox_set_mode(player->box, ops ? ops->mode : PLI_VIEW_GALLERY);
    pthread_t thread;
    if (start_thread(&thread, pli_view_play, player) != 0)
        return fail(PLI_VIEW_FAILED, why, "cannot start a thread");
    pli_view_server_def server = {.box = player->box,
                                  .gallery = player->gallery,
                                  .host = def->host,
                                  .port = def->port,
                                  .token = token,
                                  .embed = def->embed,
                                  .ready = def->ready,
                                  .interrupted = def->interrupted,
                                  .context = def->context};
    def->serving();
    bool served = pli_view_serve(&server, why);
    pli_view_mailbox_quit(player->box);
    pthread_join(thread, NULL);
    return served ? PLI_VIEW_DONE : PLI_VIEW_REFUSED;
}

pli_view_result pli_view_run(const pli_view_def* def, char why[PLI_VIEW_WHY_SIZE]) {
    pli_view_mailbox* box = malloc(sizeof *box);
    if (!box || !pli_view_mailbox_init(box)) {
        free(box);
        return fail(PLI_VIEW_FAILED, why, "out of memory");
    }
    pli_view_setup setup = {def->scene, def->interrupted};
    pli_view_gallery* gallery = def->path ? NULL : pli_view_gallery_create();
    pli_view_player player = {.box = box, .setup = &setup, .gallery = gallery};
    pli_view_result result = open_source(def, &player, why);
    if (result == PLI_VIEW_DONE) result = serve(def, &player, why);
    if (player.source.ops) player.source.ops->destroy(player.source.self);
    pli_view_gallery_destroy(gallery);
    pli_view_mailbox_free(box);
    free(box);
    return result;
}
