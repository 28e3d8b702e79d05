// What is sent to a browser, and when. One message at a time, whenever its connection accepts one;
// the newest state instead of all states; nothing is queued except a few errors.
#include <stdlib.h>
#include <string.h>

#include "viewer/server.h"

// Minimum interval between records of steps [s].
static const double stats_interval = 0.004;

// ---- writing

static bool make_room(pli_view_server* server, size_t size) {
    if (server->buffer && server->room >= size) return true;
    unsigned char* more = realloc(server->buffer, PLI_WIRE_PRE + size);
    if (!more) return false;
    server->buffer = more;
    server->room = size;
    return true;
}

// `bytes` is preceded by PLI_WIRE_PRE writable bytes.
static int write_bytes(pli_view_client* client, unsigned char* bytes, size_t size, int opcode) {
    size_t head = pli_wire_write_head(bytes, size, opcode);
    return pli_link_send(client->link, bytes - head, head + size) ? 1 : -1;
}

static int write_copy(pli_view_server* server, pli_view_client* client, const void* bytes,
                      size_t size, int opcode) {
    if (!make_room(server, size)) return -1;
    memcpy(server->buffer + PLI_WIRE_PRE, bytes, size);
    return write_bytes(client, server->buffer + PLI_WIRE_PRE, size, opcode);
}

// Takes ownership of `text`.
static int write_text(pli_view_server* server, pli_view_client* client, char* text) {
    int result = text ? write_copy(server, client, text, strlen(text), PLI_WIRE_MESSAGE_TEXT) : -1;
    free(text);
    return result;
}

// ---- messages to send: each function checks whether its message is needed, and sends it

typedef pli_view_server server;
typedef pli_view_client client;

static bool playing(const server* s) { return s->news.mode != PLI_VIEW_GALLERY && s->model; }

static bool needs_hello(const server* s, const client* c) {
    return !c->greeted || c->mode != s->news.mode;
}
static int send_hello(server* s, client* c) {
    c->greeted = true;
    c->mode = s->news.mode;
    c->generation = 0;
    return write_text(s, c, pli_view_hello(s->news.mode, s->def->gallery != NULL));
}

static bool needs_scene(const server* s, const client* c) {
    return playing(s) && c->generation != s->model->generation;
}
static int send_scene(server* s, client* c) {
    c->generation = s->model->generation;
    c->model_serial = s->news.model_serial;
    c->needs_topology = true;
    c->base = 0;
    c->flight_count = 0;
    c->later[0].size = c->later[1].size = 0;
    return write_copy(s, c, s->model->scene, strlen(s->model->scene), PLI_WIRE_MESSAGE_TEXT);
}

static bool needs_topology(const server* s, const client* c) {
    return playing(s) && c->needs_topology;
}
static int send_topology(server* s, client* c) {
    c->needs_topology = false;
    return write_copy(s, c, s->model->topology, s->model->topology_size, PLI_WIRE_MESSAGE_BINARY);
}

static bool needs_parameters(const server* s, const client* c) {
    return playing(s) && c->model_serial != s->news.model_serial;
}
static int send_parameters(server* s, client* c) {
    c->model_serial = s->news.model_serial;
    return write_copy(s, c, s->model->parameters, strlen(s->model->parameters),
                      PLI_WIRE_MESSAGE_TEXT);
}

static bool needs_error(const server* s, const client* c) {
    (void)s;
    return c->error_count > 0;
}
static int send_error(server* s, client* c) {
    char* text = pli_view_error_text(c->errors[0]);
    c->error_count--;
    memmove(c->errors, c->errors + 1, (size_t)c->error_count * sizeof *c->errors);
    return write_text(s, c, text);
}

static bool needs_status(const server* s, const client* c) {
    return playing(s) &&
           (c->status_serial != s->news.status_serial || c->clients != s->client_count);
}
static int send_status(server* s, client* c) {
    c->status_serial = s->news.status_serial;
    c->clients = s->client_count;
    return write_text(s, c, pli_view_status_text(&s->news.status, s->client_count));
}

static bool needs_later(const server* s, const client* c) {
    (void)s;
    return c->later[0].size > 0 || c->later[1].size > 0;
}
static int send_later(server* s, client* c) {
    (void)s;
    int i = c->later[0].size > 0 ? 0 : 1;
    size_t size = c->later[i].size;
    c->later[i].size = 0;
    return write_bytes(c, c->later[i].bytes + PLI_WIRE_PRE, size, PLI_WIRE_MESSAGE_BINARY);
}

static bool needs_positions(const server* s, const client* c) {
    const pli_view_frame* frame = pli_view_mailbox_front(s->def->box);
    if (!playing(s) || !frame->positions || frame->generation != s->model->generation) return false;
    bool newer = c->base == 0 || (int32_t)(frame->sequence - c->base) > 0;
    return newer && c->flight_count < PLI_VIEW_IN_FLIGHT;
}

bool pli_view_client_hungry(const pli_view_server* s, const pli_view_client* c) {
    return playing(s) && c->flight_count < PLI_VIEW_IN_FLIGHT && !needs_positions(s, c);
}

static unsigned char* room_for_later(client* c, int i, size_t size) {
    if (c->later[i].room < size) {
        unsigned char* more = realloc(c->later[i].bytes, PLI_WIRE_PRE + size);
        if (!more) return NULL;
        c->later[i].bytes = more;
        c->later[i].room = size;
    }
    return c->later[i].bytes + PLI_WIRE_PRE;
}

// Field and contacts of the same state follow the positions.
static void keep_for_later(const server* s, client* c, const pli_view_frame* frame) {
    int field = pli_view_client_field(s, c);
    if (field >= 0 && (frame->has.fields >> field & 1u)) {
        int components = s->model->fields[field].components;
        unsigned char* out = room_for_later(c, 0, pli_view_field_size(frame, components));
        if (out) c->later[0].size = pli_view_write_field(frame, field, components, out);
    }
    if (c->contacts && frame->has.contacts) {
        unsigned char* out = room_for_later(c, 1, pli_view_contacts_size(frame));
        if (out) c->later[1].size = pli_view_write_contacts(frame, out);
    }
}

static int send_positions(server* s, client* c) {
    const pli_view_frame* frame = pli_view_mailbox_front(s->def->box);
    if (!make_room(s, pli_view_positions_size(frame))) return -1;
    size_t size = pli_view_write_positions(frame, &s->track, c->base, s->buffer + PLI_WIRE_PRE);
    c->base = frame->sequence;
    c->flight[c->flight_count++] = frame->sequence;
    keep_for_later(s, c, frame);
    return write_bytes(c, s->buffer + PLI_WIRE_PRE, size, PLI_WIRE_MESSAGE_BINARY);
}

static bool needs_stop(const server* s, const client* c) {
    return playing(s) && s->news.stopped && c->stop_serial != s->news.stop_serial;
}
static int send_stop(server* s, client* c) {
    c->stop_serial = s->news.stop_serial;
    c->needs_highlight = true;
    return write_text(s, c, pli_view_stop_text(&s->news.stop));
}

static bool needs_highlight(const server* s, const client* c) {
    return playing(s) && s->news.stopped && c->needs_highlight;
}
static int send_highlight(server* s, client* c) {
    c->needs_highlight = false;
    if (!make_room(s, PLI_VIEW_HEADER + 4 * PLI_VIEW_HIGHLIGHT)) return -1;
    size_t size = pli_view_write_where(&s->news.stop.where, s->buffer + PLI_WIRE_PRE);
    return write_bytes(c, s->buffer + PLI_WIRE_PRE, size, PLI_WIRE_MESSAGE_BINARY);
}

static bool has_stats(const server* s, const client* c) {
    return playing(s) && c->stats_next != s->news.stats_end;
}
static bool needs_stats(const server* s, const client* c) {
    return has_stats(s, c) && pli_view_seconds() - c->stats_at >= stats_interval;
}
static int send_stats(server* s, client* c) {
    if (s->news.stats_end - c->stats_next > PLI_VIEW_STATS_LAG)
        c->stats_next = s->news.stats_end - PLI_VIEW_STATS_LAG;
    c->stats_at = pli_view_seconds();
    pli_view_stats stats;
    if (!pli_view_mailbox_stats(s->def->box, c->stats_next++, &stats)) return 1; // already dropped
    return write_text(s, c, pli_view_stats_text(&stats));
}

// In order of priority.
static const struct {
    bool (*needed)(const server* s, const client* c);
    int (*send)(server* s, client* c);
} messages[] = {
    {needs_hello, send_hello},       {needs_scene, send_scene},
    {needs_topology, send_topology}, {needs_parameters, send_parameters},
    {needs_error, send_error},       {needs_status, send_status},
    {needs_later, send_later},       {needs_positions, send_positions},
    {needs_stop, send_stop},         {needs_highlight, send_highlight},
    {needs_stats, send_stats},
};

int pli_view_client_send(pli_view_server* s, pli_view_client* c) {
    for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i)
        if (messages[i].needed(s, c)) return messages[i].send(s, c);
    return 0;
}

bool pli_view_client_waits(const pli_view_server* s, const pli_view_client* c, bool* later) {
    *later = has_stats(s, c);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i)
        if (messages[i].needed(s, c)) return true;
    return false;
}

// ---- requests

int pli_view_client_field(const pli_view_server* s, const pli_view_client* c) {
    for (int i = 0; s->model && *c->field && i < s->model->field_count; ++i)
        if (strcmp(s->model->fields[i].key, c->field) == 0) return i;
    return -1;
}

void pli_view_client_error(pli_view_client* c, const char* text) {
    if (c->error_count == PLI_VIEW_ERRORS) {
        memmove(c->errors, c->errors + 1, (PLI_VIEW_ERRORS - 1) * sizeof *c->errors);
        c->error_count--;
    }
    pli_printable(text, c->errors[c->error_count++], PLI_VIEW_WHY_SIZE);
}

void pli_view_client_ack(pli_view_client* c, uint32_t sequence) {
    int done = 0;
    while (done < c->flight_count && (int32_t)(sequence - c->flight[done]) >= 0) ++done;
    c->flight_count -= done;
    memmove(c->flight, c->flight + done, (size_t)c->flight_count * sizeof *c->flight);
}

void pli_view_client_free(pli_view_client* c) {
    free(c->later[0].bytes);
    free(c->later[1].bytes);
    free(c->text);
    c->later[0].bytes = c->later[1].bytes = NULL;
    c->text = NULL;
}
