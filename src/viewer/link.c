// Connections: see link.h.
#define _DEFAULT_SOURCE // MSG_NOSIGNAL
#include "viewer/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "viewer/viewer.h"

enum { FIRST_ROOM = 1024, SMALL = 65536 };

pli_view_link* pli_link_create(int fd) {
    pli_view_link* link = calloc(1, sizeof *link);
    if (!link) {
        close(fd);
        return NULL;
    }
    link->fd = fd;
    link->pong_size = -1;
    link->began = link->heard = pli_view_seconds();
    return link;
}

void pli_link_destroy(pli_view_link* link) {
    close(link->fd);
    free(link->in);
    free(link->out);
    free(link->answer.owned);
    free(link);
}

void pli_link_enter(pli_view_link* link, pli_link_state state) {
    link->state = state;
    link->began = link->heard = pli_view_seconds();
}

// ---- input

static bool is_patient(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

bool pli_link_receive(pli_view_link* link, size_t most) {
    if (link->in_size == link->in_room && link->in_room < most) {
        size_t room = link->in_room ? 2 * link->in_room : FIRST_ROOM;
        if (room > most) room = most;
        unsigned char* more = realloc(link->in, room);
        if (!more) return false;
        link->in = more;
        link->in_room = room;
    }
    if (link->in_size == link->in_room) return true;
    ssize_t n = recv(link->fd, link->in + link->in_size, link->in_room - link->in_size, 0);
    if (n < 0) return is_patient();
    link->in_size += (size_t)n;
    link->ended = n == 0;
    if (link->state != PLI_LINK_ANSWER) link->heard = pli_view_seconds();
    link->pinged = false;
    return true;
}

void pli_link_consume(pli_view_link* link, size_t size) {
    link->in_size -= size;
    if (link->in_size > 0) memmove(link->in, link->in + size, link->in_size);
}

// ---- output

bool pli_link_busy(const pli_view_link* link) { return link->out_sent < link->out_size; }

// Bytes that the socket accepted; -1: the connection is broken.
static ssize_t give(pli_view_link* link, const unsigned char* bytes, size_t size) {
    ssize_t n = size > 0 ? send(link->fd, bytes, size, MSG_NOSIGNAL) : 0;
    if (n < 0) return is_patient() ? 0 : -1;
    if (n > 0 && link->state == PLI_LINK_ANSWER) link->heard = pli_view_seconds();
    return n;
}

// Memory of a large message is released after it was sent.
bool pli_link_flush(pli_view_link* link) {
    if (!pli_link_busy(link)) return true;
    ssize_t n = give(link, link->out + link->out_sent, link->out_size - link->out_sent);
    if (n < 0) return false;
    link->out_sent += (size_t)n;
    if (pli_link_busy(link)) return true;
    link->out_sent = link->out_size = 0;
    if (link->out_room > SMALL) {
        free(link->out);
        link->out = NULL;
        link->out_room = 0;
    }
    return true;
}

static bool keep(pli_view_link* link, const unsigned char* bytes, size_t size) {
    if (link->out_size + size > link->out_room) {
        unsigned char* more = realloc(link->out, link->out_size + size);
        if (!more) return false;
        link->out = more;
        link->out_room = link->out_size + size;
    }
    if (size > 0) memcpy(link->out + link->out_size, bytes, size);
    link->out_size += size;
    return true;
}

bool pli_link_send(pli_view_link* link, const void* bytes, size_t size) {
    ssize_t n = pli_link_busy(link) ? 0 : give(link, bytes, size);
    return n >= 0 && keep(link, (const unsigned char*)bytes + n, size - (size_t)n);
}

bool pli_link_control(pli_view_link* link, int opcode, const void* bytes, size_t size) {
    unsigned char frame[PLI_WIRE_PRE + PLI_WIRE_CONTROL_MAX];
    if (size > 0) memcpy(frame + PLI_WIRE_PRE, bytes, size);
    size_t head = pli_wire_write_head(frame + PLI_WIRE_PRE, size, opcode);
    return pli_link_send(link, frame + PLI_WIRE_PRE - head, head + size);
}

void pli_link_leave(pli_view_link* link, int code) {
    unsigned char bytes[2] = {(unsigned char)(code >> 8), (unsigned char)code};
    if (!pli_link_control(link, PLI_WIRE_CLOSE, bytes, sizeof bytes)) link->gone = true;
    pli_link_enter(link, PLI_LINK_LEAVING);
}
