// Internals of the server: its state, its browsers, and the next message for each of them.
#ifndef PLI_VIEWER_SERVER_H
#define PLI_VIEWER_SERVER_H

#include "viewer/frame.h"
#include "viewer/mailbox.h"
#include "viewer/wire.h"

// A connection: a non-blocking socket, the input of an incomplete request or frame, and the output
// that the socket has not accepted yet.
typedef enum pli_link_state {
    PLI_LINK_REQUEST, // its header is incomplete
    PLI_LINK_ANSWER,  // its response is being sent
    PLI_LINK_SOCKET,  // a WebSocket
    PLI_LINK_LEAVING, // sends what is queued, ignores input, then closes
} pli_link_state;

// A response in progress.
typedef struct pli_link_answer {
    const unsigned char* bytes;
    size_t size, sent;
    char* owned; // bytes that are freed with it; NULL: not owned
} pli_link_answer;

typedef struct pli_view_link {
    int fd;
    pli_link_state state;
    bool gone;    // to be closed by the owner
    bool wants;   // has more output as soon as the socket accepts it
    bool shut;    // no more output
    bool ended;   // no more input
    double began; // start of this state [s]
    double heard; // last input; for a response, last output [s]
    bool pinged;  // since the last input
    unsigned char* in;
    size_t in_size, in_room;
    unsigned char* out; // pending output
    size_t out_size, out_sent, out_room;
    int pong_size; // -1: none pending
    unsigned char pong[PLI_WIRE_CONTROL_MAX];
    pli_link_answer answer;
    struct pli_view_client* client; // of a WebSocket
} pli_view_link;

pli_view_link* pli_link_create(int fd); // takes ownership of fd; NULL: out of memory
void pli_link_destroy(pli_view_link* link);
void pli_link_enter(pli_view_link* link, pli_link_state state);
// Reads once; `in` holds at most `most` bytes. False: the connection is broken, or out of memory.
bool pli_link_receive(pli_view_link* link, size_t most);
void pli_link_consume(pli_view_link* link, size_t size); // removes the first bytes of `in`
// Sends, or queues what the socket does not accept now. False: broken, or out of memory.
bool pli_link_send(pli_view_link* link, const void* bytes, size_t size);
bool pli_link_flush(pli_view_link* link);      // the queued output. False: broken
bool pli_link_busy(const pli_view_link* link); // output is queued
bool pli_link_control(pli_view_link* link, int opcode, const void* bytes, size_t size);
// Sends a close frame with a code and leaves.
void pli_link_leave(pli_view_link* link, int code);

enum {
    PLI_VIEW_ERRORS = 4,     // pending errors per browser
    PLI_VIEW_IN_FLIGHT = 2,  // positions sent and not acknowledged
    PLI_VIEW_STATS_LAG = 32, // records of steps by which a browser may lag behind
    PLI_VIEW_HOSTS = 4,      // names of this server
    PLI_VIEW_VISITORS = 256, // connections other than WebSockets; a further one closes the oldest
    PLI_VIEW_LINKS = PLI_VIEW_CLIENTS + PLI_VIEW_VISITORS,
};

#define PLI_VIEW_SUBPROTOCOL "pliant-1"

// A browser.
typedef struct pli_view_client {
    pli_view_link* link;
    uint32_t id; // never 0
    // received data
    bool greeted;
    pli_view_mode mode;
    uint32_t generation, model_serial;
    bool needs_topology, needs_highlight;
    uint32_t base; // sequence of the last positions; 0: none
    uint32_t status_serial, stop_serial, stats_next;
    double stats_at; // when the last record was sent [s]
    int clients;     // as last sent
    int flight_count;
    uint32_t flight[PLI_VIEW_IN_FLIGHT]; // oldest first
    // data that belong to the last positions sent
    struct {
        unsigned char* bytes; // preceded by PLI_WIRE_PRE bytes
        size_t room, size;    // size 0: none pending
    } later[2];
    // requested data
    char field[PLI_VIEW_WORD_SIZE];
    bool contacts;
    // pending errors
    int error_count;
    char errors[PLI_VIEW_ERRORS][PLI_VIEW_WHY_SIZE];
    // the incomplete message
    bool within; // a fragment has arrived that is not the last
    char* text;
    size_t text_length, text_room;
} pli_view_client;

typedef struct pli_view_server {
    const pli_view_server_def* def;
    int listener, wake[2];           // the socket; a pipe that wakes the loop
    char hosts[PLI_VIEW_HOSTS][300]; // allowed in Host; ends with ""
    bool any; // listens on all addresses of the machine: each of them is allowed in numeric form
    int port;
    int client_count;
    pli_view_client* clients[PLI_VIEW_CLIENTS];
    int link_count;
    pli_view_link* links[PLI_VIEW_LINKS];
    uint32_t last_id, grabber; // the client that has grabbed; 0: none
    pli_view_news news;
    pli_view_model* model; // NULL: none yet
    pli_view_track track;  // of the received frames
    bool wants_frame;      // as last told to the mailbox
    unsigned char* buffer; // for output: PLI_WIRE_PRE and `room` bytes
    size_t room;
    bool soon;     // some browser waits for a timer
    bool full;     // no connection can be accepted now
    double looked; // time of the last timeout check [s]
} pli_view_server;

// ---- client.c

// Sends the next message that the browser needs. 0: nothing to send; 1: sent; -1: the connection is
// to be closed.
int pli_view_client_send(pli_view_server* server, pli_view_client* client);
// Whether it is ready for a newer frame.
bool pli_view_client_hungry(const pli_view_server* server, const pli_view_client* client);
// Whether there is something to send now. *later: there will be in a few milliseconds.
bool pli_view_client_waits(const pli_view_server* server, const pli_view_client* client,
                           bool* later);
void pli_view_client_error(pli_view_client* client, const char* text); // drops the oldest
void pli_view_client_ack(pli_view_client* client, uint32_t sequence);
void pli_view_client_free(pli_view_client* client);
// Index of its field in the current model; -1: none.
int pli_view_client_field(const pli_view_server* server, const pli_view_client* client);

// ---- http.c

// A request with a complete header: responds, or returns true if it becomes a WebSocket.
bool pli_view_http_request(pli_view_server* server, pli_view_link* link, size_t size,
                           pli_wire_request* request);
// Refuses a request with this status.
void pli_view_http_refuse(const pli_view_server* server, pli_view_link* link, int status);
// Sends more of a response.
void pli_view_http_continue(pli_view_link* link);

#endif
