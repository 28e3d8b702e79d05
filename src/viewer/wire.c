// Parsing and writing of HTTP headers and WebSocket frames: see wire.h.
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "viewer/wire.h"

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// ---- text

typedef struct piece {
    const char* at;
    size_t size;
} piece;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static piece trimmed(const char* begin, const char* end) {
    while (begin < end && is_blank(*begin)) ++begin;
    while (end > begin && is_blank(end[-1])) --end;
    return (piece){begin, (size_t)(end - begin)};
}

static bool same(piece a, const char* word) { // case-insensitive
    return a.size == strlen(word) && strncasecmp(a.at, word, a.size) == 0;
}

static bool copy(piece text, char* out, size_t room) {
    if (text.size >= room) return false;
    memcpy(out, text.at, text.size);
    out[text.size] = '\0';
    return true;
}

static bool lists(piece value, const char* word) { // "a, b, c"
    const char *at = value.at, *end = value.at + value.size;
    while (at <= end) {
        const char* comma = memchr(at, ',', (size_t)(end - at));
        if (same(trimmed(at, comma ? comma : end), word)) return true;
        if (!comma) return false;
        at = comma + 1;
    }
    return false;
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode(piece text, char* out, size_t room) { // %XX
    size_t n = 0;
    for (size_t i = 0; i < text.size; ++i, ++n) {
        if (n + 1 >= room) return false;
        out[n] = text.at[i];
        if (text.at[i] != '%') continue;
        bool whole = i + 2 < text.size;
        int high = whole ? hex(text.at[i + 1]) : -1, low = whole ? hex(text.at[i + 2]) : -1;
        if (high < 0 || low < 0 || 16 * high + low == 0) return false;
        out[n] = (char)(16 * high + low);
        i += 2;
    }
    out[n] = '\0';
    return true;
}

// ---- requests

size_t pli_wire_head_size(const char* bytes, size_t count) {
    for (size_t i = 3; i < count; ++i)
        if (bytes[i] == '\n' && memcmp(bytes + i - 3, "\r\n\r\n", 4) == 0) return i + 1;
    return 0;
}

// Lines end in CR LF; the only other control character allowed is the tab.
static bool is_clean(const char* head, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        unsigned char c = (unsigned char)head[i];
        bool ends = (c == '\r' && i + 1 < size && head[i + 1] == '\n') ||
                    (c == '\n' && i > 0 && head[i - 1] == '\r');
        if ((c < 0x20 && c != '\t' && !ends) || c == 0x7f) return false;
    }
    return true;
}

static bool read_query(piece query, pli_wire_request* r) {
    static const char name[] = "token=";
    const char *at = query.at, *end = query.at + query.size;
    while (at < end) {
        const char* next = memchr(at, '&', (size_t)(end - at));
        piece one = {at, (size_t)((next ? next : end) - at)};
        size_t skip = sizeof name - 1;
        if (one.size > skip && memcmp(one.at, name, skip) == 0 && !r->token[0] &&
            !copy((piece){one.at + skip, one.size - skip}, r->token, sizeof r->token))
            return false;
        at = next ? next + 1 : end;
    }
    return true;
}

// "GET /path?query HTTP/1.1"
static bool read_first_line(piece line, pli_wire_request* r) {
    const char *end = line.at + line.size, *blank = memchr(line.at, ' ', line.size);
    if (!blank || !copy((piece){line.at, (size_t)(blank - line.at)}, r->method, sizeof r->method))
        return false;
    const char *target = blank + 1, *stop = memchr(target, ' ', (size_t)(end - target));
    if (!stop || target == stop || *target != '/') return false;
    piece version = {stop + 1, (size_t)(end - stop - 1)};
    if (!same(version, "HTTP/1.1") && !same(version, "HTTP/1.0")) return false;
    const char* mark = memchr(target, '?', (size_t)(stop - target));
    if (mark && !read_query((piece){mark + 1, (size_t)(stop - mark - 1)}, r)) return false;
    return decode((piece){target, (size_t)((mark ? mark : stop) - target)}, r->path,
                  sizeof r->path);
}

// Sixteen bytes in base64.
static bool is_key(piece value) {
    if (value.size != 24 || memcmp(value.at + 22, "==", 2) != 0) return false;
    for (int i = 0; i < 22; ++i)
        if (!value.at[i] || !strchr(base64_digits, value.at[i])) return false;
    return true;
}

// What the header lines state together.
typedef struct lines {
    bool host, key, version; // already present: a second one is refused
    bool names_upgrade, to_websocket, is_13;
    const char* subprotocol;
} lines;

static bool once(bool* seen) {
    bool first = !*seen;
    *seen = true;
    return first;
}

static bool read_line(piece name, piece value, lines* l, pli_wire_request* r) {
    if (same(name, "host")) return once(&l->host) && copy(value, r->host, sizeof r->host);
    if (same(name, "origin"))
        return once(&r->has_origin) && copy(value, r->origin, sizeof r->origin);
    if (same(name, "sec-websocket-key"))
        return once(&l->key) && (!is_key(value) || copy(value, r->key, sizeof r->key));
    if (same(name, "sec-websocket-version")) {
        l->is_13 = same(value, "13");
        return once(&l->version);
    }
    if (same(name, "upgrade")) {
        r->upgrade = true;
        l->to_websocket |= lists(value, "websocket");
    }
    if (same(name, "connection")) l->names_upgrade |= lists(value, "upgrade");
    if (same(name, "sec-websocket-protocol")) r->subprotocol |= lists(value, l->subprotocol);
    if (same(name, "transfer-encoding")) r->body = true;
    if (same(name, "content-length")) r->body |= !same(value, "0");
    return true;
}

// A name has no surrounding blanks: this also refuses folded lines.
static bool is_name(piece name) {
    for (size_t i = 0; i < name.size; ++i)
        if (is_blank(name.at[i])) return false;
    return name.size > 0;
}

int pli_wire_read_request(const char* head, size_t size, const char* subprotocol,
                          pli_wire_request* out) {
    lines l = {.subprotocol = subprotocol};
    const char *at = head, *end = head + size - 2; // the empty line
    memset(out, 0, sizeof *out);
    if (size < 4 || !is_clean(head, size)) return 400;
    for (bool first = true; at < end; first = false) {
        const char* stop = memchr(at, '\r', (size_t)(end - at));
        piece line = {at, (size_t)((stop ? stop : end) - at)};
        if (first && !read_first_line(line, out)) return 400;
        const char* colon = memchr(line.at, ':', line.size);
        piece name = {line.at, colon ? (size_t)(colon - line.at) : 0};
        if (!first && (!colon || !is_name(name) ||
                       !read_line(name, trimmed(colon + 1, line.at + line.size), &l, out)))
            return 400;
        at += line.size + 2;
    }
    out->upgrade &= l.names_upgrade;
    out->websocket = out->upgrade && l.to_websocket && l.is_13;
    return 0;
}

// ---- handshake

static uint32_t turned(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

// One block of 64 bytes [FIPS 180-4, 6.1.2].
static void sha1_block(const unsigned char block[64], uint32_t state[5]) {
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 16; ++i)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; ++i) w[i] = turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; ++i) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint32_t next = turned(a, 5) + f + e + k + w[i];
        e = d, d = c, c = turned(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

static void sha1(const unsigned char* bytes, size_t size, unsigned char digest[20]) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    unsigned char last[128] = {0};
    size_t whole = size / 64 * 64, rest = size - whole, blocks = rest < 56 ? 1 : 2;
    for (size_t i = 0; i < whole; i += 64) sha1_block(bytes + i, state);
    memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; ++i)
        last[64 * blocks - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> (8 * i));
    for (size_t i = 0; i < blocks; ++i) sha1_block(last + 64 * i, state);
    for (int i = 0; i < 20; ++i) digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void pli_wire_accept(const char key[25], char accept[29]) {
    static const char magic[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    unsigned char text[24 + sizeof magic - 1], digest[21] = {0};
    memcpy(text, key, 24);
    memcpy(text + 24, magic, sizeof magic - 1);
    sha1(text, sizeof text, digest);
    for (int i = 0; i < 7; ++i) { // 20 bytes: the last digit is padding
        uint32_t three = (uint32_t)digest[3 * i] << 16 | (uint32_t)digest[3 * i + 1] << 8 |
                         (i < 6 ? digest[3 * i + 2] : 0u);
        for (int k = 0; k < 4; ++k) accept[4 * i + k] = base64_digits[three >> (18 - 6 * k) & 63];
    }
    accept[27] = '=';
    accept[28] = '\0';
}

// ---- frames

int pli_wire_read_frame(const unsigned char* bytes, size_t count, size_t most,
                        pli_wire_frame* out) {
    if (count < 2) return 0;
    *out = (pli_wire_frame){.final = bytes[0] & 0x80, .opcode = bytes[0] & 15};
    bool control = out->opcode >= PLI_WIRE_CLOSE;
    bool known = control ? out->opcode <= PLI_WIRE_PONG : out->opcode <= PLI_WIRE_MESSAGE_BINARY;
    size_t size = bytes[1] & 127;
    if ((bytes[0] & 0x70) || !known || !(bytes[1] & 0x80)) return PLI_WIRE_BROKEN;
    if (control && (!out->final || size > PLI_WIRE_CONTROL_MAX)) return PLI_WIRE_BROKEN;
    size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (count < 2 + more) return 0;
    uint64_t length = more ? 0 : size;
    for (size_t i = 0; i < more; ++i) length = length << 8 | bytes[2 + i];
    if (length >> 63) return PLI_WIRE_BROKEN;
    if (length > most) return PLI_WIRE_TOO_LARGE;
    if (count < 2 + more + 4) return 0;
    memcpy(out->mask, bytes + 2 + more, 4);
    out->head = 2 + more + 4;
    out->size = (size_t)length;
    return 1;
}

void pli_wire_unmask(unsigned char* payload, const pli_wire_frame* frame) {
    for (size_t i = 0; i < frame->size; ++i) payload[i] ^= frame->mask[i % 4];
}

size_t pli_wire_write_head(unsigned char* payload, size_t size, int opcode) {
    size_t more = size < 126 ? 0 : size < 65536 ? 2 : 8;
    unsigned char* head = payload - 2 - more;
    head[0] = (unsigned char)(0x80 | opcode);
    head[1] = (unsigned char)(more == 0 ? size : more == 2 ? 126 : 127);
    for (size_t i = 0; i < more; ++i)
        head[2 + i] = (unsigned char)((uint64_t)size >> (8 * (more - 1 - i)));
    return 2 + more;
}
