// Inside the server: its state, its browsers, and what each of them gets next.
#ifndef PLI_VIEWER_SERVER_H
#define PLI_VIEWER_SERVER_H

#include "viewer/frame.h"
#include "viewer/link.h"
#include "viewer/mailbox.h"

enum {
    PLI_VIEW_ERRORS = 4,     // errors that wait for one browser
    PLI_VIEW_IN_FLIGHT = 2,  // positions sent and not acknowledged
    PLI_VIEW_STATS_LAG = 32, // records of steps that a browser may be behind
    PLI_VIEW_HOSTS = 4,      // names of this server
    PLI_VIEW_VISITORS = 256, // connections that are no WebSocket; the next ends the oldest
    PLI_VIEW_LINKS = PLI_VIEW_CLIENTS + PLI_VIEW_VISITORS,
};

#define PLI_VIEW_SUBPROTOCOL "pliant-1"

// A browser.
typedef struct pli_view_client {
    pli_view_link* link;
    uint32_t id; // never 0
    // what it has
    bool greeted;
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
        unsigned char* bytes; // PLI_WIRE_PRE in front
        size_t room, size;    // size 0: nothing waits
    } later[2];
    // what it shows
    char field[PLI_VIEW_WORD_SIZE];
    bool contacts;
    // what waits for it
    int error_count;
    char errors[PLI_VIEW_ERRORS][PLI_VIEW_WHY_SIZE];
    // what has come of a message
    bool within; // a piece has come that is not the last
    char* text;
    size_t text_length, text_room;
} pli_view_client;

typedef struct pli_view_server {
    const pli_view_server_def* def;
    int listener, wake[2];           // the socket; a pipe that ends the wait
    char hosts[PLI_VIEW_HOSTS][300]; // allowed in Host; "": no more
    bool any; // all addresses of the machine are listened at: each of them, too, in numbers
    int port;
    int client_count;
    pli_view_client* clients[PLI_VIEW_CLIENTS];
    int link_count;
    pli_view_link* links[PLI_VIEW_LINKS];
    uint32_t last_id, grabber; // who has grabbed; 0: none
    pli_view_news news;
    pli_view_model* model; // NULL: none yet
    pli_view_track track;  // of the frames taken
    bool wants_frame;      // as the mailbox was told
    unsigned char* buffer; // to write from: PLI_WIRE_PRE and `room` bytes
    size_t room;
    bool soon;     // somebody waits for something that time brings
    bool full;     // no connection can be taken just now
    double looked; // when time was last looked at [s]
} pli_view_server;

// ---- client.c

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

// ---- http.c

// A request whose head is whole: answers it, or with true lets it become a WebSocket.
bool pli_view_http_request(pli_view_server* server, pli_view_link* link, size_t size,
                           pli_wire_request* request);
// A request that is not let in: the answer is this status.
void pli_view_http_refuse(pli_view_link* link, int status);
// Sends more of an answer.
void pli_view_http_continue(pli_view_link* link);

#endif
