// A connection: a socket that never blocks, what has come of a request or frame, and what it has
// not taken yet of what was sent.
#ifndef PLI_VIEWER_LINK_H
#define PLI_VIEWER_LINK_H

#include "viewer/wire.h"

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

#endif
