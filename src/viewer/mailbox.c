// The mailbox: see mailbox.h.
#define _POSIX_C_SOURCE 200809L // pthread_condattr_setclock
#include "viewer/mailbox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double pli_view_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool pli_view_mailbox_init(pli_view_mailbox* box) {
    memset(box, 0, sizeof *box);
    box->middle = 1;
    box->front = 2;
    box->news.status.grabbed = -1;
    pthread_condattr_t monotonic;
    if (pthread_mutex_init(&box->lock, NULL) != 0) return false;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    bool good = pthread_cond_init(&box->wake, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    return good;
}

void pli_view_model_destroy(pli_view_model* model) {
    if (!model) return;
    free(model->scene);
    free(model->parameters);
    free(model->topology);
    free(model);
}

static void free_frame(pli_view_frame* frame) {
    free(frame->positions);
    free(frame->contacts);
    for (int i = 0; i < PLI_VIEW_FIELDS; ++i) free(frame->fields[i]);
    *frame = (pli_view_frame){0};
}

void pli_view_mailbox_free(pli_view_mailbox* box) {
    for (int i = 0; i < 3; ++i) free_frame(&box->frames[i]);
    pli_view_model_destroy(box->news.model);
    pthread_cond_destroy(&box->wake);
    pthread_mutex_destroy(&box->lock);
}

// ---- the server's side

void pli_view_mailbox_serve(pli_view_mailbox* box, void (*notify)(void*), void* context) {
    pthread_mutex_lock(&box->lock);
    box->notify = notify;
    box->knock_context = context;
    pthread_mutex_unlock(&box->lock);
}

// Whether the new request makes the old one redundant.
static bool replaces(const pli_view_request* new, const pli_view_request* old) {
    if (new->kind != old->kind) return false;
    if (new->kind == PLI_VIEW_SET) return strcmp(new->path, old->path) == 0;
    return new->kind == PLI_VIEW_DRAG || new->kind == PLI_VIEW_SEEK || new->kind == PLI_VIEW_RATE ||
           new->kind == PLI_VIEW_SHOW;
}

bool pli_view_mailbox_order(pli_view_mailbox* box, const pli_view_request* request,
                            uint32_t client) {
    pthread_mutex_lock(&box->lock);
    int last = (box->first + box->order_count + PLI_VIEW_REQUESTS - 1) % PLI_VIEW_REQUESTS;
    bool again = box->order_count > 0 && replaces(request, &box->orders[last].request);
    bool room = again || box->order_count < PLI_VIEW_REQUESTS;
    if (room) {
        int at = again ? last : (last + 1) % PLI_VIEW_REQUESTS;
        if (again && client == 0) client = box->orders[at].client; // a browser has connected
        box->orders[at] = (pli_view_order){*request, client};
        box->order_count += !again;
        pthread_cond_signal(&box->wake);
    }
    pthread_mutex_unlock(&box->lock);
    return room;
}

void pli_view_mailbox_want(pli_view_mailbox* box, pli_view_want want, bool again) {
    pthread_mutex_lock(&box->lock);
    box->want = want;
    pthread_mutex_unlock(&box->lock);
    pli_view_request show = {.kind = PLI_VIEW_SHOW};
    if (again) pli_view_mailbox_order(box, &show, 0);
}

void pli_view_mailbox_set_wants_frame(pli_view_mailbox* box, bool wants_frame) {
    pthread_mutex_lock(&box->lock);
    box->wants_frame = wants_frame;
    pthread_mutex_unlock(&box->lock);
}

void pli_view_mailbox_look(pli_view_mailbox* box, pli_view_news* news) {
    pthread_mutex_lock(&box->lock);
    if (box->news.fresh) {
        int taken = box->middle;
        box->middle = box->front;
        box->front = taken;
    }
    *news = box->news;
    box->news.model = NULL;
    box->news.fresh = false;
    box->news.notice_count = 0;
    pthread_mutex_unlock(&box->lock);
}

const pli_view_frame* pli_view_mailbox_front(const pli_view_mailbox* box) {
    return &box->frames[box->front];
}

bool pli_view_mailbox_stats(pli_view_mailbox* box, uint32_t number, pli_view_stats* stats) {
    pthread_mutex_lock(&box->lock);
    uint32_t age = box->news.stats_end - number; // 1: the last step
    bool kept = age >= 1 && age <= PLI_VIEW_STATS;
    if (kept) *stats = box->stats[number % PLI_VIEW_STATS];
    pthread_mutex_unlock(&box->lock);
    return kept;
}

void pli_view_mailbox_quit(pli_view_mailbox* box) {
    pthread_mutex_lock(&box->lock);
    box->quit = true;
    pthread_cond_signal(&box->wake);
    pthread_mutex_unlock(&box->lock);
}

// ---- the player's side

bool pli_view_mailbox_next(pli_view_mailbox* box, double until, pli_view_order* order) {
    bool ever = !(until < 1e15); // [s], beyond the range of clocks
    double whole = ever ? 0 : floor(until);
    struct timespec end = {.tv_sec = (time_t)whole,
                           .tv_nsec = ever ? 0 : (long)(1e9 * (until - whole))};
    pthread_mutex_lock(&box->lock);
    int waited = 0;
    while (!box->quit && box->order_count == 0 && waited == 0)
        waited = ever ? pthread_cond_wait(&box->wake, &box->lock)
                      : pthread_cond_timedwait(&box->wake, &box->lock, &end);
    bool there = !box->quit && box->order_count > 0;
    if (there) {
        *order = box->orders[box->first];
        box->first = (box->first + 1) % PLI_VIEW_REQUESTS;
        box->order_count--;
    }
    pthread_mutex_unlock(&box->lock);
    return there;
}

bool pli_view_mailbox_ended(pli_view_mailbox* box) {
    pthread_mutex_lock(&box->lock);
    bool quit = box->quit;
    pthread_mutex_unlock(&box->lock);
    return quit;
}

bool pli_view_mailbox_wants_frame(pli_view_mailbox* box) {
    pthread_mutex_lock(&box->lock);
    bool wants_frame = box->wants_frame;
    pthread_mutex_unlock(&box->lock);
    return wants_frame;
}

pli_view_want pli_view_mailbox_wanted(pli_view_mailbox* box) {
    pthread_mutex_lock(&box->lock);
    pli_view_want want = box->want;
    pthread_mutex_unlock(&box->lock);
    return want;
}

pli_view_frame* pli_view_mailbox_back(pli_view_mailbox* box) { return &box->frames[box->back]; }

// Releases the lock and wakes the server. The server cannot disappear in between: it announces its
// end under the lock (pli_view_mailbox_serve) before it ends.
static void unlock_and_knock(pli_view_mailbox* box) {
    if (box->notify) box->notify(box->knock_context);
    pthread_mutex_unlock(&box->lock);
}

void pli_view_mailbox_show(pli_view_mailbox* box, pli_view_model* model) {
    pli_view_model* old = NULL;
    pthread_mutex_lock(&box->lock);
    int shown = box->back;
    box->back = box->middle;
    box->middle = shown;
    box->news.fresh = true;
    if (model) {
        old = box->news.model;
        box->news.model = model;
        box->news.model_serial++;
    }
    unlock_and_knock(box);
    pli_view_model_destroy(old);
}

void pli_view_mailbox_set_mode(pli_view_mailbox* box, pli_view_mode mode) {
    pthread_mutex_lock(&box->lock);
    box->news.mode = mode;
    unlock_and_knock(box);
}

void pli_view_mailbox_add_stats(pli_view_mailbox* box, const pli_view_stats* stats) {
    pthread_mutex_lock(&box->lock);
    box->stats[box->news.stats_end++ % PLI_VIEW_STATS] = *stats;
    pthread_mutex_unlock(&box->lock);
}

void pli_view_mailbox_set_status(pli_view_mailbox* box, const pli_view_status* status) {
    pthread_mutex_lock(&box->lock);
    box->news.status = *status;
    box->news.status_serial++;
    unlock_and_knock(box);
}

void pli_view_mailbox_set_stop(pli_view_mailbox* box, const pli_view_stop* stop) {
    pthread_mutex_lock(&box->lock);
    box->news.stopped = stop != NULL;
    if (stop) {
        box->news.stop = *stop;
        box->news.stop_serial++;
    }
    unlock_and_knock(box);
}

void pli_view_mailbox_notify(pli_view_mailbox* box, uint32_t client, const char* text) {
    pthread_mutex_lock(&box->lock);
    pli_view_news* news = &box->news;
    if (news->notice_count == PLI_VIEW_NOTICES) {
        memmove(news->notices, news->notices + 1, (PLI_VIEW_NOTICES - 1) * sizeof *news->notices);
        news->notice_count--;
    }
    pli_view_notice* notice = &news->notices[news->notice_count++];
    notice->client = client;
    strncpy(notice->text, text, sizeof notice->text - 1);
    notice->text[sizeof notice->text - 1] = '\0';
    unlock_and_knock(box);
}
