// The thread that simulates or replays: handles requests between steps, paces the steps, and
// publishes the newest state. It waits for orders and for the clock, never for the server.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/frame.h"
#include "viewer/mailbox.h"

// Minimum interval between published states, unless no other follows soon [s].
static const double show_interval = 1.0 / 125;
// Longest wait between steps, however low the rate [s].
static const double longest_pace = 24 * 3600;
// Interval at which a replay at the end of an unfinished run checks for new frames, and a scene for
// its file [s].
static const double look_interval = 0.25;

typedef struct stage {
    pli_view_player* player;
    pli_view_mailbox* box;
    pli_view_model sizes; // of the newest model; its texts are not owned here
    uint32_t generation, sequence;
    uint64_t epoch; // of the newest model
    pli_view_status status;
    bool shown;           // the current state has been published
    double shown_at, due; // [s]
    bool seen;            // a browser has connected; nothing moves before that
    double looked_at;     // at the file of the scene [s]
} stage;

// ---- publishing

static const pli_view_source* source_of(const stage* s) { return &s->player->source; }

// Publishes the current state, with `model` if it is new. False: out of memory, nothing is
// published.
static bool show(stage* s, pli_view_model* model) {
    pli_view_want want = pli_view_mailbox_wanted(s->box);
    pli_view_frame* frame = pli_view_mailbox_back(s->box);
    if (!pli_view_frame_fit(frame, &s->sizes, want)) {
        pli_view_model_destroy(model);
        return false;
    }
    if (++s->sequence == 0) s->sequence = 1; // 0 is "nothing yet"
    frame->generation = s->generation;
    frame->sequence = s->sequence;
    const double* positions = source_of(s)->ops->fill(source_of(s)->self, want, frame);
    pli_view_frame_place(frame, positions);
    pli_view_mailbox_show(s->box, model);
    s->shown = true;
    s->shown_at = pli_view_seconds();
    return true;
}

static void tell_status(stage* s) {
    const pli_view_source* source = source_of(s);
    if (source->ops) source->ops->status(source->self, &s->status);
    pli_view_mailbox_set_status(s->box, &s->status);
}

// Browsers restart with the new source, or with its new bodies.
static bool show_new_model(stage* s) {
    pli_view_model* model = source_of(s)->ops->model(source_of(s)->self, ++s->generation);
    if (!model) return false;
    s->sizes = *model;
    s->epoch = source_of(s)->ops->epoch(source_of(s)->self);
    return show(s, model);
}

static bool is_changed(const stage* s) {
    return source_of(s)->ops->epoch(source_of(s)->self) != s->epoch;
}

static bool show_present(stage* s) { return is_changed(s) ? show_new_model(s) : show(s, NULL); }

// The same bodies with other parameters: browsers keep their data.
static bool show_parameters(stage* s) {
    if (is_changed(s)) return show_new_model(s);
    pli_view_model* model = source_of(s)->ops->model(source_of(s)->self, s->generation);
    return model && show(s, model);
}

// ---- playing

static void set_playing(stage* s, bool playing) {
    s->status.playing = playing;
    s->due = pli_view_seconds();
    if (playing) pli_view_mailbox_set_stop(s->box, NULL);
}

static void stop_at(stage* s, const pli_view_stop* stop) {
    set_playing(s, false);
    show_present(s);
    tell_status(s);
    pli_view_mailbox_set_stop(s->box, stop);
}

static void tell_stats(stage* s) {
    pli_view_stats stats;
    while (source_of(s)->ops->stats(source_of(s)->self, &stats))
        pli_view_mailbox_add_stats(s->box, &stats);
}

// One step; sets when the next one is due.
static void advance(stage* s) {
    const pli_view_source* source = source_of(s);
    pli_view_stop stop;
    bool was_over = source->ops->is_over(source->self);
    pli_view_outcome outcome = source->ops->advance(source->self, &stop);
    tell_stats(s);
    double now = pli_view_seconds();
    if (outcome == PLI_VIEW_STOPPED) {
        stop_at(s, &stop);
        return;
    }
    if (outcome == PLI_VIEW_WAITING) {
        s->due = now + look_interval;
        return;
    }
    double pace = s->status.rate > 0 ? fmin(1 / s->status.rate, longest_pace) : 0;
    s->due = fmax(s->due + pace, now - 0.25); // long delays are not caught up
    s->shown = false;
    if (!was_over && source->ops->is_over(source->self)) {
        stop = pli_view_end();
        stop_at(s, &stop);
        return;
    }
    // A browser waits for it, or there is time to spare.
    bool wanted = pli_view_mailbox_wants_frame(s->box) && now - s->shown_at >= show_interval;
    if (wanted || s->due > now) show_present(s);
    if (source->ops->mode == PLI_VIEW_REPLAY) tell_status(s); // the index of the frame
}

// ---- requests

static void close_source(stage* s) {
    pli_view_source* source = &s->player->source;
    if (source->ops) source->ops->destroy(source->self);
    *source = (pli_view_source){0};
}

// Replaces the current source by another one or by none.
static void replace_source(stage* s, const pli_view_source* new) {
    close_source(s);
    s->player->source = *new;
    s->status = (pli_view_status){.grabbed = -1, .rate = new->rate};
    set_playing(s, new->ops != NULL);
    if (new->ops && !show_new_model(s)) {
        close_source(s);
        pli_view_mailbox_notify(s->box, 0, "out of memory: it cannot be shown");
    }
    const pli_view_source_ops* ops = source_of(s)->ops;
    pli_view_mailbox_set_mode(s->box, ops ? ops->mode : PLI_VIEW_GALLERY);
    tell_status(s);
}

static bool open_scene(stage* s, const char* name, char why[PLI_VIEW_WHY_SIZE]) {
    const pli_view_gallery* gallery = s->player->gallery;
    pli_view_source new = {0};
    if (!gallery) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "open: no gallery is available");
        return false;
    }
    if (*name) {
        const char* path = pli_view_gallery_find(gallery, name);
        if (!path) {
            snprintf(why, PLI_VIEW_WHY_SIZE, "open: no scene named \"%.60s\"", name);
            return false;
        }
        if (!pli_view_live_open(s->player->setup, path, &new, why)) return false;
    }
    replace_source(s, &new);
    return true;
}

// Requests that every source supports; false if it is not one of these.
static bool control(stage* s, const pli_view_request* request) {
    switch (request->kind) {
    case PLI_VIEW_PLAY:
        set_playing(s, true);
        return true;
    case PLI_VIEW_PAUSE:
        set_playing(s, false);
        if (!s->shown) show_present(s);
        return true;
    case PLI_VIEW_STEP:
        set_playing(s, false);
        pli_view_mailbox_set_stop(s->box, NULL);
        advance(s);
        if (!s->shown) show_present(s);
        return true;
    case PLI_VIEW_RATE:
        s->status.rate = request->rate;
        s->due = pli_view_seconds();
        return true;
    case PLI_VIEW_SHOW:
        show_present(s);
        return true;
    default:
        return false;
    }
}

static void obey(stage* s, const pli_view_order* order) {
    const pli_view_request* request = &order->request;
    const pli_view_source* source = source_of(s);
    char why[PLI_VIEW_WHY_SIZE] = "";
    bool good = true;
    if (request->kind == PLI_VIEW_OPEN) {
        good = open_scene(s, request->scene, why);
    } else if (!source->ops) {
        good = request->kind == PLI_VIEW_SHOW || request->kind == PLI_VIEW_RELEASE;
        if (!good) snprintf(why, sizeof why, "no scene is open");
    } else if (!control(s, request)) {
        good = source->ops->handle(source->self, request, why);
        bool moved = request->kind == PLI_VIEW_RESTART || request->kind == PLI_VIEW_SEEK;
        if (good && moved) {
            tell_stats(s);
            pli_view_mailbox_set_stop(s->box, NULL);
            show_present(s);
        }
        // The page may show a refused value: send the parameters again.
        bool live = source->ops->mode == PLI_VIEW_LIVE;
        if (request->kind == PLI_VIEW_SET && live) show_parameters(s);
    }
    if (!good) pli_view_mailbox_notify(s->box, order->client, why);
    if (request->kind != PLI_VIEW_DRAG && request->kind != PLI_VIEW_SHOW) tell_status(s);
}

// A scene that was saved begins again; if it is invalid, all browsers hear why.
static void refresh(stage* s) {
    const pli_view_source* source = source_of(s);
    char why[PLI_VIEW_WHY_SIZE] = "";
    s->looked_at = pli_view_seconds();
    if (!source->ops || !source->ops->refresh) return;
    pli_view_change change = source->ops->refresh(source->self, why);
    if (change == PLI_VIEW_UNCHANGED) return;
    if (change == PLI_VIEW_INVALID) {
        pli_view_mailbox_notify(s->box, 0, why);
        return;
    }
    pli_view_mailbox_set_stop(s->box, NULL);
    show_new_model(s);
    tell_status(s);
    pli_view_mailbox_notify(s->box, 0, "the scene was saved: it begins again");
}

void* pli_view_play(void* argument) {
    pli_view_player* player = argument;
    stage s = {.player = player, .box = player->box};
    pli_view_source first = player->source;
    player->source = (pli_view_source){0};
    replace_source(&s, &first);
    while (!pli_view_mailbox_ended(s.box)) {
        pli_view_order order;
        bool playing = s.status.playing && source_of(&s)->ops && s.seen;
        double look = s.looked_at + look_interval;
        if (pli_view_seconds() >= look) refresh(&s);
        double next = source_of(&s)->ops && source_of(&s)->ops->refresh ? look : HUGE_VAL;
        if (pli_view_mailbox_next(s.box, playing ? fmin(s.due, next) : next, &order)) {
            if (!s.seen) s.due = pli_view_seconds();
            s.seen = s.seen || order.client != 0;
            obey(&s, &order);
        } else if (playing && pli_view_seconds() >= s.due && !pli_view_mailbox_ended(s.box))
            advance(&s);
    }
    close_source(&s);
    return NULL;
}
