// The server: one loop on the main thread, for HTTP and WebSocket; the only blocking call is its
// wait for sockets. A browser whose socket is writable gets its next message (client.c).
#define _GNU_SOURCE // accept4, gethostname, pipe2
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "viewer/server.h"

enum {
    PATIENCE = 5,   // for a request or response without progress [s]
    FAREWELL = 2,   // for a connection that is closing [s]
    SILENCE = 30,   // idle time until a browser is pinged [s]; closed after twice that
    TICK = 100,     // interval of timeout checks [ms]
    SHORT_TICK = 5, // the same while records of steps are due
    BACKLOG = 128,  // connections waiting to be accepted
    FRAME_MAX = 14, // header of a frame
};

// ---- browsers

static void request_writing(pli_view_server* server) {
    bool soon = false, wants_frame = false;
    for (int i = 0; i < server->client_count; ++i) {
        bool later;
        if (pli_view_client_waits(server, server->clients[i], &later))
            server->clients[i]->link->wants = true;
        soon |= later;
        wants_frame |= pli_view_client_hungry(server, server->clients[i]);
    }
    server->soon = soon;
    if (wants_frame != server->wants_frame)
        pli_view_mailbox_set_wants_frame(server->def->box, wants_frame);
    server->wants_frame = wants_frame;
}

// The union of what all browsers show.
static void tell_want(pli_view_server* server, bool again) {
    pli_view_want want = {0};
    for (int i = 0; i < server->client_count; ++i) {
        int field = pli_view_client_field(server, server->clients[i]);
        if (field >= 0) want.fields |= 1u << field;
        want.contacts |= server->clients[i]->contacts;
    }
    pli_view_mailbox_want(server->def->box, want, again);
}

static void take_news(pli_view_server* server) {
    pli_view_news* news = &server->news;
    pli_view_mailbox_look(server->def->box, news);
    if (news->fresh) pli_view_track_note(&server->track, pli_view_mailbox_front(server->def->box));
    if (news->model) {
        bool is_new = !server->model || server->model->generation != news->model->generation;
        pli_view_model_destroy(server->model);
        server->model = news->model;
        news->model = NULL;
        if (is_new) tell_want(server, true); // fields may have new indices
    }
    for (int i = 0; i < news->notice_count; ++i)
        for (int c = 0; c < server->client_count; ++c)
            if (news->notices[i].client == 0 || news->notices[i].client == server->clients[c]->id)
                pli_view_client_error(server->clients[c], news->notices[i].text);
    news->notice_count = 0;
    request_writing(server);
}

// A connection that has become a WebSocket.
static bool greet(pli_view_server* server, pli_view_link* link) {
    pli_view_client* client = calloc(1, sizeof *client);
    if (!client) return false;
    client->link = link;
    link->client = client;
    client->id = ++server->last_id ? server->last_id : ++server->last_id;
    client->stop_serial = server->news.stop_serial - 1;
    client->status_serial = server->news.status_serial - 1;
    uint32_t steps = server->news.stats_end;
    client->stats_next = steps - (steps < PLI_VIEW_STATS_LAG ? steps : PLI_VIEW_STATS_LAG);
    server->clients[server->client_count++] = client;
    request_writing(server);
    pli_view_request show = {.kind = PLI_VIEW_SHOW}; // the player starts with the first browser
    pli_view_mailbox_order(server->def->box, &show, client->id);
    return true;
}

static void dismiss(pli_view_server* server, pli_view_client* client) {
    int at = 0;
    while (at < server->client_count && server->clients[at] != client) ++at;
    if (at == server->client_count) return;
    server->clients[at] = server->clients[--server->client_count];
    pli_view_request release = {.kind = PLI_VIEW_RELEASE};
    if (server->grabber == client->id) {
        pli_view_mailbox_order(server->def->box, &release, 0);
        server->grabber = 0;
    }
    client->link->client = NULL;
    pli_view_client_free(client);
    free(client);
    tell_want(server, false);
    request_writing(server);
}

// ---- messages from browsers

static void show(pli_view_server* server, pli_view_client* client, const pli_view_request* r) {
    memcpy(client->field, r->field, sizeof client->field);
    client->contacts = r->contacts;
    if (*r->field && pli_view_client_field(server, client) < 0) {
        char why[PLI_VIEW_WHY_SIZE];
        snprintf(why, sizeof why, "show: no field named \"%.60s\"", r->field);
        client->field[0] = '\0';
        pli_view_client_error(client, why);
    }
    tell_want(server, true);
}

static void obey(pli_view_server* server, pli_view_client* client, const pli_view_request* r) {
    bool by_hand = r->kind == PLI_VIEW_DRAG || r->kind == PLI_VIEW_RELEASE;
    if (r->kind == PLI_VIEW_ACK) {
        pli_view_client_ack(client, r->sequence);
    } else if (r->kind == PLI_VIEW_SHOW) {
        show(server, client, r);
    } else if (by_hand && server->grabber != client->id) {
        return; // another browser holds it
    } else if (!pli_view_mailbox_order(server->def->box, r, client->id)) {
        pli_view_client_error(client, "too many pending requests");
    } else if (r->kind == PLI_VIEW_GRAB || r->kind == PLI_VIEW_RELEASE) {
        server->grabber = r->kind == PLI_VIEW_GRAB ? client->id : 0;
    }
}

static void read_message(pli_view_server* server, pli_view_client* client) {
    pli_view_request request;
    char why[PLI_VIEW_WHY_SIZE];
    if (pli_view_message_read(client->text ? client->text : "", client->text_length, &request, why))
        obey(server, client, &request);
    else
        pli_view_client_error(client, why);
    client->text_length = 0;
    request_writing(server);
}

// A fragment of a message. 0, or the code with which the connection is closed.
static int receive(pli_view_server* server, pli_view_client* client, const pli_wire_frame* frame,
                   const unsigned char* payload) {
    size_t need = client->text_length + frame->size;
    if (client->within != (frame->opcode == PLI_WIRE_CONTINUED)) return PLI_WIRE_BROKEN;
    if (frame->opcode == PLI_WIRE_MESSAGE_BINARY) return PLI_WIRE_NOT_TAKEN;
    if (need > PLI_VIEW_MESSAGE_MAX) return PLI_WIRE_TOO_LARGE;
    if (need > client->text_room) {
        size_t room = need < 1024                       ? 1024
                      : need > PLI_VIEW_MESSAGE_MAX / 2 ? PLI_VIEW_MESSAGE_MAX
                                                        : 2 * need;
        char* more = realloc(client->text, room);
        if (!more) return PLI_WIRE_TOO_LARGE;
        client->text = more;
        client->text_room = room;
    }
    if (frame->size > 0) memcpy(client->text + client->text_length, payload, frame->size);
    client->text_length = need;
    client->within = !frame->final;
    if (frame->final) read_message(server, client);
    return 0;
}

// A close frame is answered with the same code.
static int read_close(const pli_wire_frame* frame, const unsigned char* payload) {
    if (frame->size == 0) return PLI_WIRE_NORMAL;
    int code = frame->size > 1 ? payload[0] << 8 | payload[1] : 0;
    bool known = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
                 (code >= 3000 && code <= 4999);
    return known ? code : PLI_WIRE_BROKEN;
}

static int read_frame(pli_view_server* server, pli_view_link* link, const pli_wire_frame* frame,
                      unsigned char* payload) {
    pli_wire_unmask(payload, frame);
    if (frame->opcode == PLI_WIRE_CLOSE) return read_close(frame, payload);
    if (frame->opcode == PLI_WIRE_PONG) return 0;
    if (frame->opcode != PLI_WIRE_PING) return receive(server, link->client, frame, payload);
    memcpy(link->pong, payload, frame->size); // only the newest ping is answered
    link->pong_size = (int)frame->size;
    link->wants = true;
    return 0;
}

// Handles all complete frames. An invalid frame or a close frame is the last one.
static void read_frames(pli_view_server* server, pli_view_link* link) {
    size_t at = 0;
    int code = 0;
    while (!code) {
        pli_wire_frame frame;
        int whole =
            pli_wire_read_frame(link->in + at, link->in_size - at, PLI_VIEW_MESSAGE_MAX, &frame);
        if (whole > 1) code = whole;
        if (whole != 1 || link->in_size - at < frame.head + frame.size) break;
        code = read_frame(server, link, &frame, link->in + at + frame.head);
        at += frame.head + frame.size;
    }
    pli_link_consume(link, at);
    if (!code) return;
    dismiss(server, link->client);
    pli_link_leave(link, code);
}

// ---- connections

static void read_request(pli_view_server* server, pli_view_link* link) {
    pli_wire_request request;
    size_t size = pli_wire_head_size((const char*)link->in, link->in_size);
    if (size > 0) {
        if (!pli_view_http_request(server, link, size, &request)) return;
        if (!greet(server, link))
            link->gone = true;
        else
            read_frames(server, link); // frames that arrived with the request
    } else if (link->in_size >= PLI_WIRE_HEAD_MAX) {
        pli_view_http_refuse(server, link, 431);
    }
}

static void read_link(pli_view_server* server, pli_view_link* link) {
    bool request = link->state == PLI_LINK_REQUEST, socket = link->state == PLI_LINK_SOCKET;
    size_t most = socket ? PLI_VIEW_MESSAGE_MAX + FRAME_MAX : PLI_WIRE_HEAD_MAX;
    if (!request && !socket) link->in_size = 0; // input is ignored
    bool good = pli_link_receive(link, most);
    // A client may wait silently for its response.
    if (!good || (link->ended && link->state != PLI_LINK_ANSWER))
        link->gone = true;
    else if (request)
        read_request(server, link);
    else if (socket)
        read_frames(server, link);
}

static void write_link(pli_view_server* server, pli_view_link* link) {
    if (!pli_link_flush(link)) {
        link->gone = true;
    } else if (pli_link_busy(link)) {
        return;
    } else if (link->state == PLI_LINK_ANSWER) {
        pli_view_http_continue(link);
    } else if (link->state == PLI_LINK_SOCKET && link->pong_size >= 0) {
        size_t size = (size_t)link->pong_size;
        link->pong_size = -1;
        link->gone = !pli_link_control(link, PLI_WIRE_PONG, link->pong, size);
    } else if (link->state == PLI_LINK_SOCKET && link->wants) {
        link->wants = false;
        link->gone = pli_view_client_send(server, link->client) < 0;
        request_writing(server);
    }
}

// Half-closes the connection; if the peer does not close, it is closed after a timeout.
static void end_link(pli_view_link* link) {
    if (link->state != PLI_LINK_LEAVING || link->shut || pli_link_busy(link)) return;
    link->shut = true;
    shutdown(link->fd, SHUT_WR);
}

static void look_at_time(pli_view_link* link, double now) {
    double silent = now - link->heard;
    bool late = (link->state == PLI_LINK_REQUEST && now - link->began > PATIENCE) ||
                (link->state == PLI_LINK_ANSWER && silent > PATIENCE) ||
                (link->state == PLI_LINK_LEAVING && now - link->began > FAREWELL) ||
                (link->state == PLI_LINK_SOCKET && silent > 2 * SILENCE);
    if (late) link->gone = true;
    if (link->state != PLI_LINK_SOCKET || silent < SILENCE || link->pinged || pli_link_busy(link))
        return;
    link->pinged = true;
    if (!pli_link_control(link, PLI_WIRE_PING, NULL, 0)) link->gone = true;
}

static void remove_link(pli_view_server* server, int i) {
    pli_view_link* link = server->links[i];
    if (link->client) dismiss(server, link->client);
    server->links[i] = server->links[--server->link_count];
    pli_link_destroy(link);
}

// Idle connections must not exclude others: the one that has been silent longest is closed.
static void make_place(pli_view_server* server) {
    int visitors = 0, oldest = -1;
    for (int i = 0; i < server->link_count; ++i) {
        if (server->links[i]->client) continue;
        visitors++;
        if (oldest < 0 || server->links[i]->heard < server->links[oldest]->heard) oldest = i;
    }
    if (visitors >= PLI_VIEW_VISITORS) remove_link(server, oldest);
}

// Accepts all waiting connections; without free descriptors they stay in the queue.
static void accept_links(pli_view_server* server) {
    for (int i = 0; i < BACKLOG; ++i) {
        int fd = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), one = 1;
        if (fd < 0 && errno == ECONNABORTED) continue;
        if (fd < 0) {
            server->full =
                errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
            return;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        make_place(server);
        pli_view_link* link = pli_link_create(fd);
        if (link) server->links[server->link_count++] = link;
    }
}

// ---- waiting

static void notify(void* context) {
    const pli_view_server* server = context;
    while (write(server->wake[1], "", 1) < 0 && errno == EINTR) {
    }
}

static void look_at_times(pli_view_server* server) {
    double now = pli_view_seconds();
    if (now - server->looked < 1e-3 * (server->soon ? SHORT_TICK : TICK)) return;
    server->looked = now;
    server->full = false;
    request_writing(server);
    for (int i = 0; i < server->link_count; ++i) look_at_time(server->links[i], now);
}

// Waits for events and handles them.
static void serve_once(pli_view_server* server) {
    struct pollfd wait[PLI_VIEW_LINKS + 2];
    pli_view_link* links[PLI_VIEW_LINKS];
    int count = server->link_count;
    wait[0] = (struct pollfd){.fd = server->wake[0], .events = POLLIN};
    wait[1] = (struct pollfd){.fd = server->full ? -1 : server->listener, .events = POLLIN};
    for (int i = 0; i < count; ++i) {
        pli_view_link* link = links[i] = server->links[i];
        bool writes = pli_link_busy(link) || (link->wants && link->state != PLI_LINK_LEAVING);
        wait[i + 2] = (struct pollfd){.fd = link->fd, .events = link->ended ? 0 : POLLIN};
        if (writes) wait[i + 2].events |= POLLOUT;
    }
    int ready = poll(wait, (nfds_t)count + 2, server->soon ? SHORT_TICK : TICK);
    char bytes[256];
    if (ready > 0 && wait[0].revents && read(server->wake[0], bytes, sizeof bytes) > 0)
        take_news(server);
    for (int i = 0; ready > 0 && i < count; ++i) {
        if (wait[i + 2].revents & POLLOUT) write_link(server, links[i]);
        if (!links[i]->gone && (wait[i + 2].revents & POLLIN))
            read_link(server, links[i]);
        else if (wait[i + 2].revents & (POLLHUP | POLLERR))
            links[i]->gone = true;
        end_link(links[i]);
    }
    look_at_times(server);
    for (int i = server->link_count - 1; i >= 0; --i)
        if (server->links[i]->gone) remove_link(server, i);
    if (ready > 0 && wait[1].revents) accept_links(server);
}

// ---- listening

static bool is_wildcard(const char* host) {
    return strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
}

// An allowed name with the port; browsers omit the default port of HTTP. IPv6 is in brackets.
static int allow_host(pli_view_server* server, int count, const char* name, int port) {
    bool six = strchr(name, ':') != NULL;
    char host[220];
    snprintf(host, sizeof host, "%s%.200s%s", six ? "[" : "", name, six ? "]" : "");
    snprintf(server->hosts[count++], sizeof *server->hosts, "%s:%d", host, port);
    if (port == 80) snprintf(server->hosts[count++], sizeof *server->hosts, "%s", host);
    return count;
}

// The names under which this address is reachable, and the address to print.
static void name_hosts(pli_view_server* server, int port, char address[512]) {
    const pli_view_server_def* def = server->def;
    bool six = strchr(def->host, ':') != NULL;
    bool loopback = pli_view_is_loopback(def->host);
    bool any = is_wildcard(def->host);
    char own[280], name[201] = "", query[80] = "";
    if (any) gethostname(name, sizeof name - 1);
    snprintf(own, sizeof own, six && !*name ? "[%.200s]:%d" : "%.200s:%d", *name ? name : def->host,
             port);
    server->any = any;
    server->port = port;
    int count = any && !*name ? 0 : allow_host(server, 0, any ? name : def->host, port);
    if (loopback || any) allow_host(server, count, "localhost", port);
    if (*def->token) snprintf(query, sizeof query, "?token=%.60s", def->token);
    snprintf(address, 512, "http://%s/%s", own, query);
}

// Binds to the address. Returns an error text, or NULL.
static const char* listen_at(pli_view_server* server, const char* host, int port) {
    struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *address;
    char service[12];
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(host, service, &wish, &address) != 0)
        return "must be a numeric address, such as 127.0.0.1";
    int one = 1;
    server->listener = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool can = server->listener >= 0 &&
               setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
               bind(server->listener, address->ai_addr, address->ai_addrlen) == 0 &&
               listen(server->listener, BACKLOG) == 0 &&
               pipe2(server->wake, O_CLOEXEC | O_NONBLOCK) == 0;
    const char* why = can ? NULL : strerror(errno);
    freeaddrinfo(address);
    return why;
}

static int port_of(int listener) {
    struct sockaddr_storage at = {0};
    socklen_t length = sizeof at;
    if (getsockname(listener, (struct sockaddr*)&at, &length) != 0) return 0;
    return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6*)&at)->sin6_port
                                          : ((struct sockaddr_in*)&at)->sin_port);
}

static void stop(pli_view_server* server) {
    while (server->link_count > 0) remove_link(server, server->link_count - 1);
    int open[] = {server->listener, server->wake[0], server->wake[1]};
    for (int i = 0; i < 3; ++i)
        if (open[i] >= 0) close(open[i]);
    pli_view_model_destroy(server->model);
    pli_view_track_free(&server->track);
    free(server->buffer);
}

bool pli_view_is_loopback(const char* host) {
    struct in_addr address;
    if (inet_pton(AF_INET, host, &address) == 1) return ntohl(address.s_addr) >> 24 == 127;
    return strcmp(host, "::1") == 0;
}

bool pli_view_serve(const pli_view_server_def* def, char why[PLI_VIEW_WHY_SIZE]) {
    pli_view_server server = {.def = def, .listener = -1, .wake = {-1, -1}};
    const char* problem = listen_at(&server, def->host, def->port);
    if (problem) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "cannot listen at %s, port %d: %s", def->host, def->port,
                 problem);
    } else {
        char address[512];
        name_hosts(&server, port_of(server.listener), address);
        pli_view_mailbox_serve(def->box, notify, &server);
        def->ready(def->context, address);
        take_news(&server);
        while (!def->interrupted(NULL)) serve_once(&server);
        pli_view_mailbox_serve(def->box, NULL, NULL);
    }
    stop(&server);
    return !problem;
}
