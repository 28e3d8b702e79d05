// The exchange between the player and the server. Everything is copied or swapped under one lock
// that is held for microseconds; frames are in three buffers, so that neither side ever waits for
// the other to write or send one. Only the newest state is kept; queues are bounded and drop their
// oldest entries.
#ifndef PLI_VIEWER_MAILBOX_H
#define PLI_VIEWER_MAILBOX_H

#include <pthread.h>

#include "viewer/viewer.h"

enum {
    PLI_VIEW_REQUESTS = 256, // pending
    PLI_VIEW_STATS = 64,     // of the last steps
    PLI_VIEW_NOTICES = 32,   // errors not yet sent to browsers
};

typedef struct pli_view_order {
    pli_view_request request;
    uint32_t client; // receiver of the error
} pli_view_order;

typedef struct pli_view_notice {
    uint32_t client; // 0: all
    char text[PLI_VIEW_WHY_SIZE];
} pli_view_notice;

// What the server reads at once.
typedef struct pli_view_news {
    pli_view_model* model; // a new one, now owned by the server; NULL: unchanged
    uint32_t model_serial; // changes with it
    pli_view_mode mode;
    bool fresh; // a newer frame is available: pli_view_mailbox_front
    uint32_t status_serial, stop_serial;
    pli_view_status status;
    pli_view_stop stop; // if `stopped`
    bool stopped;
    uint32_t stats_end; // step records are kept up to this number
    int notice_count;
    pli_view_notice notices[PLI_VIEW_NOTICES];
} pli_view_news;

typedef struct pli_view_mailbox {
    pthread_mutex_t lock;
    pthread_cond_t wake;           // the player sleeps on it
    void (*notify)(void* context); // wakes the server; NULL: no server
    void* knock_context;
    // for the player
    bool quit;
    pli_view_want want;
    bool wants_frame; // a browser is ready for another frame
    int first, order_count;
    pli_view_order orders[PLI_VIEW_REQUESTS];
    // for the server
    pli_view_frame frames[3];
    int back, middle, front;
    pli_view_stats stats[PLI_VIEW_STATS];
    pli_view_news news;
} pli_view_mailbox;

bool pli_view_mailbox_init(pli_view_mailbox* box);
void pli_view_mailbox_free(pli_view_mailbox* box);

// ---- the server's side

void pli_view_mailbox_serve(pli_view_mailbox* box, void (*notify)(void*),
                            void* context); // NULL: no more
// Queues a request; a drag, seek, rate, show or set of the same path replaces the previous one.
// False: the queue is full.
bool pli_view_mailbox_order(pli_view_mailbox* box, const pli_view_request* request,
                            uint32_t client);
// again: a browser wants more, so the current state must be sent again.
void pli_view_mailbox_want(pli_view_mailbox* box, pli_view_want want, bool again);
void pli_view_mailbox_set_wants_frame(pli_view_mailbox* box, bool wants_frame);
void pli_view_mailbox_look(pli_view_mailbox* box, pli_view_news* news);
const pli_view_frame*
pli_view_mailbox_front(const pli_view_mailbox* box); // valid until the next look
// The record of this step; false: it is no longer kept.
bool pli_view_mailbox_stats(pli_view_mailbox* box, uint32_t number, pli_view_stats* stats);
void pli_view_mailbox_quit(pli_view_mailbox* box);

// ---- the player's side

// Sleeps until there is an order, or until `until` [s, pli_view_seconds]. False: timeout.
bool pli_view_mailbox_next(pli_view_mailbox* box, double until, pli_view_order* order);
bool pli_view_mailbox_ended(pli_view_mailbox* box);
pli_view_want pli_view_mailbox_wanted(pli_view_mailbox* box);
bool pli_view_mailbox_wants_frame(pli_view_mailbox* box);     // false: no frame is needed
pli_view_frame* pli_view_mailbox_back(pli_view_mailbox* box); // to be filled
// Shows the back frame, and with it a new model if there is one (owned by the mailbox from now on).
void pli_view_mailbox_show(pli_view_mailbox* box, pli_view_model* model);
void pli_view_mailbox_set_mode(pli_view_mailbox* box, pli_view_mode mode);
void pli_view_mailbox_add_stats(pli_view_mailbox* box, const pli_view_stats* stats);
void pli_view_mailbox_set_status(pli_view_mailbox* box, const pli_view_status* status);
void pli_view_mailbox_set_stop(pli_view_mailbox* box,
                               const pli_view_stop* stop); // NULL: it continues
void pli_view_mailbox_notify(pli_view_mailbox* box, uint32_t client, const char* text);

#endif
