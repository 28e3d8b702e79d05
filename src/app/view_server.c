// The server: one libwebsockets context on the main thread, for HTTP and WebSocket. After a large
// write libwebsockets says "writeable" again and again; a browser is therefore asked for what it
// needs, and nothing is sent if that is nothing (view_client.c).
#define _DEFAULT_SOURCE // gethostname
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/view_server.h"

enum {
    SOCKETS_MAX = 512, // connections of all kinds; more wait
    PATIENCE = 5,      // for a request that does not go on [s]
    TICK = 100000,     // a look at the interrupt [us]
    SHORT_TICK = 5000, // and if records of steps wait for their time
};

// ---- browsers

static void request_writing(pli_view_server* server) {
    bool soon = false, hungry = false;
    for (int i = 0; i < server->client_count; ++i) {
        bool later;
        if (pli_view_client_waits(server, server->clients[i], &later))
            lws_callback_on_writable(server->clients[i]->wsi);
        soon |= later;
        hungry |= pli_view_client_hungry(server, server->clients[i]);
    }
    server->soon = soon;
    if (hungry != server->hungry) pli_view_box_set_hungry(server->def->box, hungry);
    server->hungry = hungry;
}

// What all browsers together show.
static void tell_want(pli_view_server* server, bool again) {
    pli_view_want want = {0};
    for (int i = 0; i < server->client_count; ++i) {
        int field = pli_view_client_field(server, server->clients[i]);
        if (field >= 0) want.fields |= 1u << field;
        want.contacts |= server->clients[i]->contacts;
    }
    pli_view_box_want(server->def->box, want, again);
}

static void take_news(pli_view_server* server) {
    pli_view_news* news = &server->news;
    pli_view_box_look(server->def->box, news);
    if (news->fresh) pli_view_track_note(&server->track, pli_view_box_front(server->def->box));
    if (news->model) {
        bool anew = !server->model || server->model->generation != news->model->generation;
        pli_view_model_destroy(server->model);
        server->model = news->model;
        news->model = NULL;
        if (anew) tell_want(server, true); // fields may be numbered anew
    }
    for (int i = 0; i < news->notice_count; ++i)
        for (int c = 0; c < server->client_count; ++c)
            if (news->notices[i].client == 0 || news->notices[i].client == server->clients[c]->id)
                pli_view_client_error(server->clients[c], news->notices[i].text);
    news->notice_count = 0;
    request_writing(server);
}

static int greet(pli_view_server* server, pli_view_client* client, struct lws* wsi) {
    pli_view_forget_visitor(server, wsi);
    if (server->client_count >= PLI_VIEW_CLIENTS) return -1;
    memset(client, 0, sizeof *client);
    client->wsi = wsi;
    client->id = ++server->last_id ? server->last_id : ++server->last_id;
    client->stop_serial = server->news.stop_serial - 1;
    client->status_serial = server->news.status_serial - 1;
    uint32_t steps = server->news.stats_end;
    client->stats_next = steps - (steps < PLI_VIEW_STATS_LAG ? steps : PLI_VIEW_STATS_LAG);
    server->clients[server->client_count++] = client;
    request_writing(server);
    pli_view_request show = {.kind = PLI_VIEW_SHOW}; // the player begins with the first browser
    pli_view_box_order(server->def->box, &show, client->id);
    return 0;
}

static void dismiss(pli_view_server* server, pli_view_client* client) {
    int at = 0;
    while (at < server->client_count && server->clients[at] != client) ++at;
    if (at == server->client_count) return;
    server->clients[at] = server->clients[--server->client_count];
    pli_view_request release = {.kind = PLI_VIEW_RELEASE};
    if (server->grabber == client->id) {
        pli_view_box_order(server->def->box, &release, 0);
        server->grabber = 0;
    }
    pli_view_client_free(client);
    tell_want(server, false);
    request_writing(server);
}

// ---- what they say

static void show(pli_view_server* server, pli_view_client* client, const pli_view_request* r) {
    memcpy(client->field, r->field, sizeof client->field);
    client->contacts = r->contacts;
    if (*r->field && pli_view_client_field(server, client) < 0) {
        char why[PLI_VIEW_WHY_SIZE];
        snprintf(why, sizeof why, "show: there is no field \"%.60s\"", r->field);
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
        return; // another browser has taken it
    } else if (!pli_view_box_order(server->def->box, r, client->id)) {
        pli_view_client_error(client, "too many requests are waiting");
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

// A piece of a message. -1: the connection is to be closed.
static int receive(pli_view_server* server, pli_view_client* client, const void* in,
                   size_t length) {
    if (client->leaving) return -1; // data behind a close frame
    if (lws_frame_is_binary(client->wsi)) {
        lws_close_reason(client->wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, NULL, 0);
        return -1;
    }
    size_t need = client->text_length + length;
    if (need > PLI_VIEW_MESSAGE_MAX) {
        lws_close_reason(client->wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    if (need > client->text_room) {
        size_t room = need < 1024                       ? 1024
                      : need > PLI_VIEW_MESSAGE_MAX / 2 ? PLI_VIEW_MESSAGE_MAX
                                                        : 2 * need;
        char* more = realloc(client->text, room);
        if (!more) return -1;
        client->text = more;
        client->text_room = room;
    }
    if (length > 0) memcpy(client->text + client->text_length, in, length);
    client->text_length = need;
    if (lws_is_final_fragment(client->wsi) && lws_remaining_packet_payload(client->wsi) == 0)
        read_message(server, client);
    return 0;
}

static int write_next(pli_view_server* server, pli_view_client* client) {
    int result = pli_view_client_send(server, client);
    if (result < 0) return -1;
    request_writing(server);
    return 0;
}

static int browser(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                   size_t length) {
    pli_view_server* server = lws_context_user(lws_get_context(wsi));
    pli_view_client* client = user;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        return greet(server, client, wsi);
    case LWS_CALLBACK_CLOSED:
        dismiss(server, client);
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        client->leaving = true;
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return receive(server, client, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_next(server, client);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        take_news(server);
        return 0;
    default:
        return 0;
    }
}

// ---- listening

static void knock(void* context) { lws_cancel_service(context); }

static void tick(lws_sorted_usec_list_t* timer) {
    pli_view_server* server = lws_container_of(timer, pli_view_server, tick);
    request_writing(server);
    lws_sul_schedule(server->context, 0, timer, tick, server->soon ? SHORT_TICK : TICK);
}

static bool is_wildcard(const char* host) {
    return strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
}

// A name that is allowed, with the port; browsers leave out that of HTTP. IPv6 is in brackets.
static int allow_host(pli_view_server* server, int count, const char* name, int port) {
    bool six = strchr(name, ':') != NULL;
    char host[220];
    snprintf(host, sizeof host, "%s%.200s%s", six ? "[" : "", name, six ? "]" : "");
    snprintf(server->hosts[count++], sizeof *server->hosts, "%s:%d", host, port);
    if (port == 80) snprintf(server->hosts[count++], sizeof *server->hosts, "%s", host);
    return count;
}

// The names under which this address may be asked for, and the address for people.
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

// Kept as long as the context.
static const struct lws_retry_bo idle_policy = {.secs_since_valid_ping = 30,
                                                .secs_since_valid_hangup = 60};

// Why the address cannot be had, or NULL: libwebsockets does not tell, and loses memory then.
static const char* refusal(const char* host, int port) {
    struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *address;
    char service[12];
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(host, service, &wish, &address) != 0)
        return "must be an address in numbers, such as 127.0.0.1";
    int one = 1, trial = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool can = trial >= 0 && setsockopt(trial, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
               bind(trial, address->ai_addr, address->ai_addrlen) == 0;
    const char* why = can ? NULL : strerror(errno);
    freeaddrinfo(address);
    if (trial >= 0) close(trial);
    return why;
}

static struct lws_context* listen_at(pli_view_server* server, struct lws_protocols* protocols) {
    const pli_view_server_def* def = server->def;
    struct lws_context_creation_info info = {0};
    lws_set_log_level(0, NULL);
    info.port = def->port;
    info.iface = def->host;
    info.protocols = protocols;
    info.user = server;
    info.gid = info.uid = -1;
    info.vhost_name = "pliant";
    info.fd_limit_per_thread = SOCKETS_MAX;
    info.timeout_secs = PATIENCE;
    info.timeout_secs_ah_idle = PATIENCE;
    info.keepalive_timeout = PATIENCE;
    info.retry_and_idle_policy = &idle_policy;
    info.options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    if (!strchr(def->host, ':')) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    return lws_create_context(&info);
}

bool pli_view_is_loopback(const char* host) {
    struct in_addr address;
    if (inet_pton(AF_INET, host, &address) == 1) return ntohl(address.s_addr) >> 24 == 127;
    return strcmp(host, "::1") == 0;
}

bool pli_view_serve(const pli_view_server_def* def) {
    pli_view_server server = {.def = def};
    struct lws_protocols protocols[] = {
        {.name = "http", .callback = pli_view_http},
        {.name = "pliant-1",
         .callback = browser,
         .per_session_data_size = sizeof(pli_view_client),
         .rx_buffer_size = 4096},
        {.name = NULL},
    };
    protocols[0].per_session_data_size = pli_view_http_session_size();
    const char* why = refusal(def->host, def->port);
    server.context = why ? NULL : listen_at(&server, protocols);
    if (!server.context) {
        pli_complain("cannot listen at %s, port %d: %s", def->host, def->port,
                     why ? why : "libwebsockets does not start");
        return false;
    }
    char address[512];
    name_hosts(&server, lws_get_vhost_listen_port(lws_get_vhost_by_name(server.context, "pliant")),
               address);
    pli_view_box_serve(def->box, knock, server.context);
    def->ready(def->context, address);
    take_news(&server);
    tick(&server.tick);
    while (!pli_interrupted() && lws_service(server.context, 0) >= 0) {
    }
    pli_view_box_serve(def->box, NULL, NULL);
    lws_context_destroy(server.context);
    pli_view_model_destroy(server.model);
    pli_view_track_free(&server.track);
    free(server.buffer);
    return true;
}
