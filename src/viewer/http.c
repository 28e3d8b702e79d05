// HTTP: access control, and the three resources: the page, the list of scenes, their pictures.
// Nothing else is served, and no path of a request is ever opened.
#define _DEFAULT_SOURCE // getnameinfo
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "viewer/server.h"

enum { PIECE = 65536, PICTURE_MAX = 8000000 };

// ---- access control

// The numeric address that a connection came to, with the port, in the form of Host: a server that
// listens on all addresses of the machine accepts each of them.
static bool own_address(const pli_view_server* server, int fd, char* text, size_t size) {
    static const char mapped[] = "::ffff:"; // IPv4 on an IPv6 socket
    struct sockaddr_storage at = {0};
    socklen_t length = sizeof at;
    char name[INET6_ADDRSTRLEN];
    if (getsockname(fd, (struct sockaddr*)&at, &length) != 0 ||
        getnameinfo((struct sockaddr*)&at, length, name, sizeof name, NULL, 0, NI_NUMERICHOST) != 0)
        return false;
    size_t skip = sizeof mapped - 1;
    const char* host = strncmp(name, mapped, skip) == 0 && strchr(name, '.') ? name + skip : name;
    bool six = strchr(host, ':') != NULL;
    snprintf(text, size, "%s%s%s", six ? "[" : "", host, six ? "]" : "");
    size_t used = strlen(text);
    if (server->port != 80) snprintf(text + used, size - used, ":%d", server->port);
    return true;
}

// No other name is accepted: a page of another site whose name was redirected to this address (DNS
// rebinding) still sends its own name.
static bool knows_host(const pli_view_server* server, int fd, const char* host) {
    for (int i = 0; i < PLI_VIEW_HOSTS && server->hosts[i][0]; ++i)
        if (strcasecmp(server->hosts[i], host) == 0) return true;
    char own[INET6_ADDRSTRLEN + 16];
    return server->any && own_address(server, fd, own, sizeof own) && strcmp(own, host) == 0;
}

// Takes the same time for every wrong token.
static bool same_token(const char* wanted, const char* given) {
    size_t length = strlen(wanted);
    if (strlen(given) != length) return false;
    unsigned char different = 0;
    for (size_t i = 0; i < length; ++i) different |= (unsigned char)(wanted[i] ^ given[i]);
    return different == 0;
}

// The HTTP status with which a request is refused; 0: accepted.
static int refusal(const pli_view_server* server, int fd, const pli_wire_request* r) {
    char expected[PLI_WIRE_TEXT + 20];
    if (!r->host[0] || !knows_host(server, fd, r->host)) return 403;
    snprintf(expected, sizeof expected, "http://%s", r->host);
    // An empty one is present, too, and wrong.
    if (r->has_origin && strcasecmp(r->origin, expected) != 0) return 403;
    if (*server->def->token && !same_token(server->def->token, r->token)) return 403;
    return 0;
}

// ---- responses

typedef struct header {
    const char *name, *value;
} header;

// Headers of every response. The page loads nothing from elsewhere and sends no referrer, because
// its address may contain a token. Behind them is who may frame it.
static const char common[] =
    "connection: close\r\n"
    "cache-control: no-store\r\n"
    "referrer-policy: no-referrer\r\n"
    "x-content-type-options: nosniff\r\n"
    "cross-origin-resource-policy: same-origin\r\n"
    "content-security-policy: default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src 'self' data: blob:; media-src blob:; worker-src blob:; "
    "connect-src 'self' ws:; form-action 'none'; base-uri 'none'; frame-ancestors ";
static const char framed_by_nobody[] = "'none'\r\nx-frame-options: DENY\r\n";
// Pages that this machine serves, on any port: notebooks.
static const char framed_here[] = "http://127.0.0.1:* http://localhost:*\r\n";

static const char* status_text(int status) {
    static const struct {
        int status;
        const char* text;
    } texts[] = {{200, "OK"},
                 {400, "Bad Request"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {431, "Request Header Fields Too Large"},
                 {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (texts[i].status == status) return texts[i].text;
    return "Error";
}

void pli_view_http_continue(pli_view_link* link) {
    pli_link_answer* a = &link->answer;
    while (!pli_link_busy(link) && a->sent < a->size) {
        size_t size = a->size - a->sent < PIECE ? a->size - a->sent : PIECE;
        if (!pli_link_send(link, a->bytes + a->sent, size)) {
            link->gone = true;
            return;
        }
        a->sent += size;
    }
    link->wants = a->sent < a->size;
    if (!link->wants && !pli_link_busy(link)) pli_link_enter(link, PLI_LINK_LEAVING);
}

static void begin(const pli_view_server* server, pli_view_link* link, int status,
                  const char* type) {
    const pli_link_answer* a = &link->answer;
    char head[2048];
    bool packed = a->size > 2 && a->bytes[0] == 0x1f && a->bytes[1] == 0x8b;
    int size = snprintf(
        head, sizeof head,
        "HTTP/1.1 %d %s\r\n%s%scontent-type: %s\r\ncontent-length: %zu\r\n%s%s\r\n", status,
        status_text(status), common, server->def->embed ? framed_here : framed_by_nobody, type,
        a->size, packed ? "content-encoding: gzip\r\n" : "", status == 405 ? "allow: GET\r\n" : "");
    pli_link_enter(link, PLI_LINK_ANSWER);
    link->wants = true;
    if (!pli_link_send(link, head, (size_t)size)) link->gone = true;
}

void pli_view_http_refuse(const pli_view_server* server, pli_view_link* link, int status) {
    const char* text = status_text(status);
    link->answer = (pli_link_answer){.bytes = (const unsigned char*)text, .size = strlen(text)};
    begin(server, link, status, "text/plain; charset=utf-8");
}

// The contents of a picture file; false: it cannot be read.
static bool read_picture(const char* path, pli_link_answer* a) {
    FILE* file = *path ? fopen(path, "rb") : NULL;
    char* bytes = file ? malloc(PICTURE_MAX) : NULL;
    size_t size = bytes ? fread(bytes, 1, PICTURE_MAX, file) : 0;
    bool good = bytes && size > 0 && size < PICTURE_MAX && !ferror(file);
    if (file) fclose(file);
    char* fitted = good ? realloc(bytes, size) : NULL;
    if (fitted) bytes = fitted;
    if (good) *a = (pli_link_answer){.bytes = (unsigned char*)bytes, .size = size, .owned = bytes};
    if (!good) free(bytes);
    return good;
}

// "/thumbnail/NAME.png" of a scene in the list.
static bool find_picture(const pli_view_gallery* gallery, const char* path, pli_link_answer* a) {
    static const char before[] = "/thumbnail/", behind[] = ".png";
    size_t length = strlen(path), first = sizeof before - 1, last = sizeof behind - 1;
    char name[PLI_VIEW_NAME_SIZE];
    if (strncmp(path, before, first) != 0 || length < first + last ||
        strcmp(path + length - last, behind) != 0 || length - first - last >= sizeof name)
        return false;
    memcpy(name, path + first, length - first - last);
    name[length - first - last] = '\0';
    return read_picture(pli_view_gallery_picture(gallery, name), a);
}

static void answer(const pli_view_server* server, pli_view_link* link, const char* path) {
    const pli_view_gallery* gallery = server->def->gallery;
    pli_link_answer* a = &link->answer;
    if (strcmp(path, "/") == 0) {
        a->bytes = pli_viewer_page(&a->size);
        begin(server, link, 200, "text/html; charset=utf-8");
    } else if (gallery && strcmp(path, "/gallery.json") == 0) {
        a->bytes = (const unsigned char*)pli_view_gallery_json(gallery);
        a->size = strlen(pli_view_gallery_json(gallery));
        begin(server, link, 200, "application/json");
    } else if (gallery && find_picture(gallery, path, a)) {
        begin(server, link, 200, "image/png");
    } else {
        pli_view_http_refuse(server, link, 404);
    }
}

// The status that refuses an upgrade to a WebSocket; 0: accepted.
static int refuse_upgrade(const pli_view_server* server, const pli_wire_request* r) {
    if (!r->websocket) return 400;
    if (strcmp(r->path, "/ws") != 0) return 404;
    if (!r->key[0] || !r->subprotocol) return 400;
    return server->client_count >= PLI_VIEW_CLIENTS ? 503 : 0;
}

static bool shake_hands(pli_view_link* link, const pli_wire_request* r) {
    char accept[29], head[256];
    pli_wire_accept(r->key, accept);
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n"
                        "connection: Upgrade\r\nsec-websocket-accept: %s\r\n"
                        "sec-websocket-protocol: " PLI_VIEW_SUBPROTOCOL "\r\n\r\n",
                        accept);
    pli_link_enter(link, PLI_LINK_SOCKET);
    return pli_link_send(link, head, (size_t)size);
}

// Each connection has one request: any further input is ignored.
bool pli_view_http_request(pli_view_server* server, pli_view_link* link, size_t size,
                           pli_wire_request* r) {
    int status = pli_wire_read_request((const char*)link->in, size, PLI_VIEW_SUBPROTOCOL, r);
    if (!status) status = refusal(server, link->fd, r);
    if (!status && strcmp(r->method, "GET") != 0) status = 405;
    if (!status && r->body) status = 400;
    if (!status && r->upgrade) status = refuse_upgrade(server, r);
    pli_link_consume(link, size);
    if (status) {
        pli_view_http_refuse(server, link, status);
    } else if (!r->upgrade) {
        answer(server, link, r->path);
    } else if (shake_hands(link, r)) {
        return true;
    } else {
        link->gone = true;
    }
    return false;
}
