// HTTP: who may come in, and the three things there are to get: the page, the list of scenes, their
// pictures. Nothing else is served, and no path of a request is ever opened.
#define _DEFAULT_SOURCE // getnameinfo
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/view_server.h"

enum { PIECE = 32768, PICTURE_MAX = 8000000 };

// An answer on its way.
typedef struct answer {
    const unsigned char* bytes;
    size_t size, sent;
    char* owned; // bytes that are freed with it; NULL: they live longer
} answer;

size_t pli_view_http_session_size(void) { return sizeof(answer); }

// ---- visitors

void pli_view_forget_visitor(pli_view_server* server, const struct lws* wsi) {
    int at = 0;
    while (at < server->visitor_count && server->visitors[at] != wsi) ++at;
    if (at == server->visitor_count) return;
    server->visitor_count--;
    memmove(server->visitors + at, server->visitors + at + 1,
            (size_t)(server->visitor_count - at) * sizeof *server->visitors);
}

// It is the newest now. Whoever opens connections and says nothing keeps nobody out: the one that
// has been silent longest is closed.
static void note_visitor(pli_view_server* server, struct lws* wsi) {
    pli_view_forget_visitor(server, wsi);
    if (server->visitor_count == PLI_VIEW_VISITORS) {
        struct lws* oldest = server->visitors[0];
        pli_view_forget_visitor(server, oldest);
        lws_set_timeout(oldest, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
    }
    server->visitors[server->visitor_count++] = wsi;
}

// ---- who may come in

static bool read_header(struct lws* wsi, enum lws_token_indexes header, char text[300]) {
    text[0] = '\0';
    return lws_hdr_copy(wsi, text, 300, header) > 0;
}

// The address in numbers that a connection came to, with the port, as Host writes it: where all
// addresses of the machine are listened at, each is its own name.
static bool own_address(const pli_view_server* server, struct lws* wsi, char* text, size_t size) {
    struct sockaddr_storage at = {0};
    socklen_t length = sizeof at;
    char host[INET6_ADDRSTRLEN];
    if (getsockname(lws_get_socket_fd(wsi), (struct sockaddr*)&at, &length) != 0 ||
        getnameinfo((struct sockaddr*)&at, length, host, sizeof host, NULL, 0, NI_NUMERICHOST) != 0)
        return false;
    bool six = strchr(host, ':') != NULL;
    snprintf(text, size, "%s%s%s", six ? "[" : "", host, six ? "]" : "");
    size_t used = strlen(text);
    if (server->port != 80) snprintf(text + used, size - used, ":%d", server->port);
    return true;
}

// No other name may lead here: a page of another site whose name has been turned to this address
// (DNS rebinding) still says its own name.
static bool knows_host(const pli_view_server* server, struct lws* wsi, const char* host) {
    for (int i = 0; i < PLI_VIEW_HOSTS && server->hosts[i][0]; ++i)
        if (strcasecmp(server->hosts[i], host) == 0) return true;
    char own[INET6_ADDRSTRLEN + 16];
    return server->any && own_address(server, wsi, own, sizeof own) && strcmp(own, host) == 0;
}

// Takes as long for every wrong token.
static bool same_token(const char* wanted, const char* given) {
    size_t length = strlen(wanted);
    if (strlen(given) != length) return false;
    unsigned char different = 0;
    for (size_t i = 0; i < length; ++i) different |= (unsigned char)(wanted[i] ^ given[i]);
    return different == 0;
}

unsigned pli_view_refusal(const pli_view_server* server, struct lws* wsi) {
    char host[300], origin[300], expected[320], token[300];
    if (!read_header(wsi, WSI_TOKEN_HOST, host) || !knows_host(server, wsi, host))
        return HTTP_STATUS_FORBIDDEN;
    // An empty one is there, too, and wrong; -1: there is none.
    if (lws_hdr_copy_fragment(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN, 0) >= 0) {
        snprintf(expected, sizeof expected, "http://%s", host);
        if (!read_header(wsi, WSI_TOKEN_ORIGIN, origin) || strcasecmp(origin, expected) != 0)
            return HTTP_STATUS_FORBIDDEN;
    }
    if (!*server->def->token) return 0;
    const char* given = lws_get_urlarg_by_name(wsi, "token=", token, sizeof token);
    return given && same_token(server->def->token, given) ? 0 : HTTP_STATUS_FORBIDDEN;
}

// ---- answers

static int refuse(struct lws* wsi, unsigned status) {
    if (lws_return_http_status(wsi, status, NULL) != 0) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

typedef struct header {
    const char *name, *value;
} header;

// Headers that every answer has. The page runs alone: nothing is loaded from elsewhere, nobody
// frames it, and its address, which may hold a token, is told to nobody.
static const header common[] = {
    {"cache-control:", "no-store"},
    {"referrer-policy:", "no-referrer"},
    {"x-content-type-options:", "nosniff"},
    {"x-frame-options:", "DENY"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"content-security-policy:",
     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
     "img-src 'self' data: blob:; media-src blob:; worker-src blob:; connect-src 'self' ws:; "
     "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"},
};

static bool add_header(struct lws* wsi, const header* h, unsigned char** at, unsigned char* end) {
    return lws_add_http_header_by_name(wsi, (const unsigned char*)h->name,
                                       (const unsigned char*)h->value, (int)strlen(h->value), at,
                                       end) == 0;
}

static int begin(struct lws* wsi, const answer* a, const char* type) {
    unsigned char buffer[LWS_PRE + 2048];
    unsigned char *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer - 1;
    bool packed = a->size > 2 && a->bytes[0] == 0x1f && a->bytes[1] == 0x8b;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, type, a->size, &at, end) != 0) return -1;
    for (size_t i = 0; i < sizeof common / sizeof *common; ++i)
        if (!add_header(wsi, &common[i], &at, end)) return -1;
    if (packed && !add_header(wsi, &(header){"content-encoding:", "gzip"}, &at, end)) return -1;
    if (lws_finalize_write_http_header(wsi, start, &at, end) != 0) return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int continue_answer(struct lws* wsi, answer* a) {
    unsigned char buffer[LWS_PRE + PIECE];
    size_t size = a->size - a->sent < PIECE ? a->size - a->sent : PIECE;
    if (!a->bytes) return -1;
    bool last = a->sent + size == a->size;
    memcpy(buffer + LWS_PRE, a->bytes + a->sent, size);
    a->sent += size;
    if (lws_write(wsi, buffer + LWS_PRE, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
        (int)size)
        return -1;
    if (!last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    free(a->owned);
    *a = (answer){0};
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

// All of a picture's file; false: it cannot be read.
static bool read_picture(const char* path, answer* a) {
    FILE* file = *path ? fopen(path, "rb") : NULL;
    char* bytes = file ? malloc(PICTURE_MAX) : NULL;
    size_t size = bytes ? fread(bytes, 1, PICTURE_MAX, file) : 0;
    bool good = bytes && size > 0 && size < PICTURE_MAX && !ferror(file);
    if (file) fclose(file);
    char* fitted = good ? realloc(bytes, size) : NULL;
    if (fitted) bytes = fitted;
    if (good) *a = (answer){.bytes = (unsigned char*)bytes, .size = size, .owned = bytes};
    if (!good) free(bytes);
    return good;
}

// "/thumbnail/NAME.png" of a scene in the list.
static bool find_picture(const pli_view_gallery* gallery, const char* path, answer* a) {
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

static int answer_request(pli_view_server* server, struct lws* wsi, answer* a, const char* path) {
    const pli_view_gallery* gallery = server->def->gallery;
    unsigned refusal = pli_view_refusal(server, wsi);
    if (refusal) return refuse(wsi, refusal);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    free(a->owned);
    *a = (answer){0};
    if (strcmp(path, "/") == 0) {
        a->bytes = pli_viewer_page(&a->size);
        return begin(wsi, a, "text/html; charset=utf-8");
    }
    if (gallery && strcmp(path, "/gallery.json") == 0) {
        a->bytes = (const unsigned char*)pli_view_gallery_json(gallery);
        a->size = strlen(pli_view_gallery_json(gallery));
        return begin(wsi, a, "application/json");
    }
    if (gallery && find_picture(gallery, path, a)) return begin(wsi, a, "image/png");
    return refuse(wsi, HTTP_STATUS_NOT_FOUND);
}

// An upgrade to the WebSocket: 0 goes on, 1 an answer has been given.
static int check_upgrade(const pli_view_server* server, struct lws* wsi, const char* kind) {
    char path[300] = "";
    unsigned refusal = pli_view_refusal(server, wsi);
    lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI);
    if (!refusal && strcasecmp(kind, "websocket") != 0) refusal = HTTP_STATUS_BAD_REQUEST;
    if (!refusal && strcmp(path, "/ws") != 0) refusal = HTTP_STATUS_NOT_FOUND;
    if (!refusal && server->client_count >= PLI_VIEW_CLIENTS)
        refusal = HTTP_STATUS_SERVICE_UNAVAILABLE;
    if (!refusal) return 0;
    return lws_return_http_status(wsi, refusal, NULL) != 0 ? -1 : 1;
}

int pli_view_http(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                  size_t length) {
    pli_view_server* server = lws_context_user(lws_get_context(wsi));
    answer* a = user;
    (void)length;
    switch (reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        note_visitor(server, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        pli_view_forget_visitor(server, wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
        note_visitor(server, wsi);
        return answer_request(server, wsi, a, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return continue_answer(wsi, a);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return check_upgrade(server, wsi, in);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: // a WebSocket without our subprotocol
        return -1;
    case LWS_CALLBACK_CLOSED_HTTP:
        if (a) {
            free(a->owned);
            *a = (answer){0};
        }
        return 0;
    default:
        return 0;
    }
}
