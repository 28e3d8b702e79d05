// What comes over the wire to the viewer: a head of a request, or frames. Nothing is read behind
// its end, texts end, and sizes are within the bounds that were given.
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "viewer/wire.h"

enum { MOST = 65536 };

static void read_head(const uint8_t* data, size_t size) {
    pli_wire_request r;
    size_t head = pli_wire_head_size((const char*)data, size);
    HOLDS(head <= size);
    if (head == 0) return;
    int status = pli_wire_read_request((const char*)data, head, "pliant-1", &r);
    HOLDS(status == 0 || status == 400);
    HOLDS(memchr(r.method, 0, sizeof r.method) && memchr(r.path, 0, sizeof r.path));
    HOLDS(memchr(r.token, 0, sizeof r.token) && memchr(r.host, 0, sizeof r.host));
    HOLDS(memchr(r.origin, 0, sizeof r.origin) && memchr(r.key, 0, sizeof r.key));
    HOLDS(status || r.path[0] == '/');
    HOLDS(!r.key[0] || strlen(r.key) == 24);
}

static void read_frames(const uint8_t* data, size_t size) {
    for (size_t at = 0; at < size;) {
        pli_wire_frame frame;
        int result = pli_wire_read_frame(data + at, size - at, MOST, &frame);
        HOLDS(result == 0 || result == 1 || (result >= 1000 && result < 1016));
        if (result != 1) return;
        HOLDS(frame.head >= 6 && frame.head <= 14 && frame.size <= MOST);
        HOLDS((data[at + 1] & 0x80) && frame.opcode <= PLI_WIRE_PONG);
        if (size - at < frame.head + frame.size) return;
        unsigned char* payload = malloc(frame.size + 1);
        if (!payload) return;
        memcpy(payload, data + at + frame.head, frame.size);
        pli_wire_unmask(payload, &frame);
        free(payload);
        at += frame.head + frame.size;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    read_head(data, size);
    read_frames(data, size);
    return 0;
}
