// The wire format: headers of HTTP requests, and the WebSocket's handshake and frames (RFC 6455).
// No network, no allocation. All input is untrusted.
#ifndef PLI_VIEWER_WIRE_H
#define PLI_VIEWER_WIRE_H

#include <stdbool.h>
#include <stddef.h>

// ---- HTTP

enum { PLI_WIRE_HEAD_MAX = 8192, PLI_WIRE_TEXT = 300 };

typedef struct pli_wire_request {
    char method[16];
    char path[PLI_WIRE_TEXT];  // %XX decoded, without the query
    char token[PLI_WIRE_TEXT]; // "token" of the query; "": none
    char host[PLI_WIRE_TEXT];  // "": none
    bool has_origin;
    char origin[PLI_WIRE_TEXT];
    bool body;        // it announces a body
    bool upgrade;     // Upgrade is present, and Connection names it
    bool websocket;   // to a WebSocket of version 13
    bool subprotocol; // the subprotocol of the viewer is offered
    char key[25];     // of the handshake; "": none, or not 16 bytes in base64
} pli_wire_request;

// The length of a complete header, with its empty line; 0: incomplete.
size_t pli_wire_head_size(const char* bytes, size_t count);
// Parses a complete header. Returns 0, or the HTTP status with which it is refused.
int pli_wire_read_request(const char* head, size_t size, const char* subprotocol,
                          pli_wire_request* out);

// Sec-WebSocket-Accept for a key [RFC 6455, 4.2.2].
void pli_wire_accept(const char key[25], char accept[29]);

// ---- frames

enum { PLI_WIRE_PRE = 10 }; // room before a message for the header of its frame
enum {
    PLI_WIRE_CONTINUED = 0,
    PLI_WIRE_MESSAGE_TEXT = 1,
    PLI_WIRE_MESSAGE_BINARY = 2,
    PLI_WIRE_CLOSE = 8,
    PLI_WIRE_PING = 9,
    PLI_WIRE_PONG = 10,
};
enum { // why a connection is closed
    PLI_WIRE_NORMAL = 1000,
    PLI_WIRE_BROKEN = 1002,
    PLI_WIRE_NOT_TAKEN = 1003,
    PLI_WIRE_TOO_LARGE = 1009,
};
enum { PLI_WIRE_CONTROL_MAX = 125 }; // payload of a control frame

typedef struct pli_wire_frame {
    bool final;
    int opcode;
    size_t head, size; // bytes of the head and of the payload
    unsigned char mask[4];
} pli_wire_frame;

// Parses the header of a browser's frame. 1: complete; 0: incomplete; otherwise the code with which
// the connection is closed: a frame without a mask, with reserved bits, or above `most` bytes is
// detected as soon as its first bytes are available.
int pli_wire_read_frame(const unsigned char* bytes, size_t count, size_t most, pli_wire_frame* out);
void pli_wire_unmask(unsigned char* payload, const pli_wire_frame* frame);
// Writes the header of an outgoing frame before its payload; returns its length, at most
// PLI_WIRE_PRE.
size_t pli_wire_write_head(unsigned char* payload, size_t size, int opcode);

#endif
