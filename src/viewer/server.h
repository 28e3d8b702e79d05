// Inside the server: its state, its browsers, and what each of them gets next.
#ifndef PLI_VIEWER_SERVER_H
#define PLI_VIEWER_SERVER_H

#include "viewer/frame.h"
#include "viewer/mailbox.h"
#include "viewer/wire.h"

// A connection: a socket that never blocks, what has come of a request or frame, and what it has
// not taken yet of what was sent.
typedef enum pli_link_state {
    PLI_LINK_REQUEST, // its head is coming
    PLI_LINK_ANSWER,  // its answer goes out
    PLI_LINK_SOCKET,  // a WebSocket
    PLI_LINK_LEAVING, // sends what is queued, ignores input, then closes
} pli_link_state;

// An answer on its way.
typedef struct pli_link_answer {
    const unsigned char* bytes;
    size_t size, sent;
    char* owned; // bytes that are freed with it; NULL: they live longer
} pli_link_answer;

typedef struct pli_view_link {
    int fd;
    pli_link_state state;
    bool gone;    // to be closed by who owns it
    bool wants;   // has more to write as soon as the socket takes it
    bool shut;    // nothing is written any more
    bool ended;   // nothing comes any more
    double began; // of this state [s]
    double heard; // something came; of an answer, was taken [s]
    bool pinged;  // since it was heard
    unsigned char* in;
    size_t in_size, in_room;
    unsigned char* out; // what the socket has not taken
    size_t out_size, out_sent, out_room;
    int pong_size; // -1: none waits
    unsigned char pong[PLI_WIRE_CONTROL_MAX];
    pli_link_answer answer;
    struct pli_view_client* client; // of a WebSocket
} pli_view_link;

pli_view_link* pli_link_create(int fd); // takes fd; NULL without memory
void pli_link_destroy(pli_view_link* link);
void pli_link_enter(pli_view_link* link, pli_link_state state);
// Reads once, so that `in` holds at most `most` bytes. False: it is broken, or there is no memory.
bool pli_link_receive(pli_view_link* link, size_t most);
void pli_link_consume(pli_view_link* link, size_t size); // the first bytes of `in` are done with
// Sends, or keeps what the socket does not take now. False: it is broken, or there is no memory.
bool pli_link_send(pli_view_link* link, const void* bytes, size_t size);
bool pli_link_flush(pli_view_link* link);      // what was kept. False: it is broken
bool pli_link_busy(const pli_view_link* link); // something is kept
bool pli_link_control(pli_view_link* link, int opcode, const void* bytes, size_t size);
// Says goodbye with a code and leaves.
void pli_link_leave(pli_view_link* link, int code);

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
    bool soon;     // some browser waits for a timer
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
