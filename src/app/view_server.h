// Inside the server: its state, its browsers, and what each of them gets next.
#ifndef PLI_APP_VIEW_SERVER_H
#define PLI_APP_VIEW_SERVER_H

#include <libwebsockets.h>

#include "app/view_box.h"
#include "app/view_frame.h"

enum {
    PLI_VIEW_ERRORS = 4,     // errors that wait for one browser
    PLI_VIEW_IN_FLIGHT = 2,  // positions sent and not acknowledged
    PLI_VIEW_STATS_LAG = 32, // records of steps that a browser may be behind
    PLI_VIEW_HOSTS = 4,      // names of this server
    PLI_VIEW_VISITORS = 256, // connections that are no WebSocket; the next ends the oldest
};

// A browser.
typedef struct pli_view_client {
    struct lws* wsi;
    uint32_t id; // never 0
    // what it has
    bool greeted;
    bool leaving; // it has sent a close frame
    pli_view_mode mode;
    uint32_t generation, model_serial;
    bool needs_topology, needs_highlight;
    uint32_t base; // sequence of the last positions; 0: none
    uint32_t status_serial, stop_serial, stats_next;
    double stats_at; // when the last record was sent [s]
    int clients;     // as it was told
    int flight_count;
    uint32_t flight[PLI_VIEW_IN_FLIGHT]; // oldest first
    // what belongs to the positions sent last
    struct {
        unsigned char* bytes; // LWS_PRE in front
        size_t room, size;    // size 0: nothing waits
    } later[2];
    // what it shows
    char field[PLI_VIEW_WORD_SIZE];
    bool contacts;
    // what waits for it
    int error_count;
    char errors[PLI_VIEW_ERRORS][PLI_VIEW_WHY_SIZE];
    // what has come of a message
    char* text;
    size_t text_length, text_room;
} pli_view_client;

typedef struct pli_view_server {
    const pli_view_server_def* def;
    struct lws_context* context;
    char hosts[PLI_VIEW_HOSTS][300]; // allowed in Host; "": no more
    bool any; // all addresses of the machine are listened at: each of them, too, in numbers
    int port;
    int client_count;
    pli_view_client* clients[PLI_VIEW_CLIENTS];
    int visitor_count;
    struct lws* visitors[PLI_VIEW_VISITORS]; // who was heard of longest ago first
    uint32_t last_id, grabber;               // who has grabbed; 0: nobody
    pli_view_news news;
    pli_view_model* model; // NULL: none yet
    pli_view_track track;  // of the frames taken
    bool hungry;           // as the box was told
    unsigned char* buffer; // to write from: LWS_PRE and `room` bytes
    size_t room;
    bool soon; // somebody waits for something that time brings
    lws_sorted_usec_list_t tick;
} pli_view_server;

// ---- view_client.c

// Sends the next message that the browser should have. 0: nothing was to be sent; 1: sent; -1: the
// connection is to be closed.
int pli_view_client_send(pli_view_server* server, pli_view_client* client);
// Could it take a newer frame than there is?
bool pli_view_client_hungry(const pli_view_server* server, const pli_view_client* client);
// Is there something to send now? *later: there will be in some milliseconds.
bool pli_view_client_waits(const pli_view_server* server, const pli_view_client* client,
                           bool* later);
void pli_view_client_error(pli_view_client* client, const char* text); // drops the oldest
void pli_view_client_ack(pli_view_client* client, uint32_t sequence);
void pli_view_client_free(pli_view_client* client);
// The field it shows as the present model numbers it; -1: none.
int pli_view_client_field(const pli_view_server* server, const pli_view_client* client);

// ---- view_http.c

// A connection that has become a WebSocket, or is gone, is no visitor any more.
void pli_view_forget_visitor(pli_view_server* server, const struct lws* wsi);
// The HTTP status with which a request is refused; 0: it may go on.
unsigned pli_view_refusal(const pli_view_server* server, struct lws* wsi);
int pli_view_http(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                  size_t length);
size_t pli_view_http_session_size(void);

#endif
