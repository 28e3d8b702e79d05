// HTTP heads and WebSocket frames, as bytes: what is read, what is refused, and that nothing is
// read behind the end.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "viewer/wire.h"

#define KEY "dGhlIHNhbXBsZSBub25jZQ==" // of RFC 6455, 1.3

static int read_head(const char* text, pli_wire_request* r) {
    size_t size = strlen(text);
    char* exact = malloc(size); // a sanitizer sees what reads behind it
    assert_non_null(exact);
    memcpy(exact, text, size);
    assert_int_equal(pli_wire_head_size(exact, size), size);
    for (size_t i = 0; i < size; ++i) assert_int_equal(pli_wire_head_size(exact, i), 0);
    int status = pli_wire_read_request(exact, size, "pliant-1", r);
    free(exact);
    return status;
}

static void requests(void** state) {
    (void)state;
    pli_wire_request r;
    assert_int_equal(read_head("GET /a%20b/%C3%A4.png?x=1&token=abc&token=d HTTP/1.1\r\n"
                               "HOST:  127.0.0.1:80 \r\nOrigin:\r\n\r\n",
                               &r),
                     0);
    assert_string_equal(r.method, "GET");
    assert_string_equal(r.path, "/a b/\xC3\xA4.png");
    assert_string_equal(r.token, "abc");
    assert_string_equal(r.host, "127.0.0.1:80");
    assert_true(r.has_origin && r.origin[0] == '\0');
    assert_false(r.body || r.upgrade || r.websocket || r.subprotocol || r.key[0]);
    assert_int_equal(read_head("GET / HTTP/1.0\r\n\r\n", &r), 0);
    assert_false(r.has_origin);
    assert_string_equal(r.host, "");
    assert_int_equal(read_head("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", &r), 0);
    assert_true(r.body);
    assert_int_equal(read_head("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", &r), 0);
    assert_false(r.body);
}

static void refused_requests(void** state) {
    (void)state;
    static const char* const heads[] = {
        "GET\r\n\r\n",
        "\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.1 \r\n\r\n",
        "GET http://a/ HTTP/1.1\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "A-VERY-LONG-METHOD / HTTP/1.1\r\n\r\n",
        "GET /%0 HTTP/1.1\r\n\r\n",
        "GET /% HTTP/1.1\r\n\r\n",
        "GET /%0g HTTP/1.1\r\n\r\n",
        "GET /a%00b HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "GET / HTTP/1.1\r\n: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nOrigin: a\r\nOrigin: a\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \x01\r\n\r\n",
    };
    pli_wire_request r;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; ++i)
        if (read_head(heads[i], &r) != 400) fail_msg("not refused: %s", heads[i]);
    char text[1000];
    snprintf(text, sizeof text, "GET /%0500d HTTP/1.1\r\n\r\n", 0);
    assert_int_equal(read_head(text, &r), 400);
    snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: %0500d\r\n\r\n", 0);
    assert_int_equal(read_head(text, &r), 400);
    assert_int_equal(pli_wire_read_request("GET / HTTP/1.1\r\nA: \0\r\n\r\n", 25, "", &r), 400);
}

#define SHAKE(upgrade, connection, version, rest)                                                  \
    "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: " upgrade "\r\nConnection: " connection               \
    "\r\nSec-WebSocket-Version: " version "\r\n" rest "\r\n"

static void handshakes(void** state) {
    (void)state;
    pli_wire_request r;
    char accept[29];
    assert_int_equal(read_head(SHAKE("WebSocket", "keep-alive, Upgrade", "13",
                                     "Sec-WebSocket-Key: " KEY "\r\n"
                                     "Sec-WebSocket-Protocol: other , pliant-1\r\n"),
                               &r),
                     0);
    assert_true(r.upgrade && r.websocket && r.subprotocol);
    assert_string_equal(r.key, KEY);
    pli_wire_accept(r.key, accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); // RFC 6455, 1.3
    assert_int_equal(read_head(SHAKE("websocket", "upgrade", "8", ""), &r), 0);
    assert_true(r.upgrade && !r.websocket && !r.key[0] && !r.subprotocol);
    assert_int_equal(read_head(SHAKE("h2c", "upgrade", "13", ""), &r), 0);
    assert_true(r.upgrade && !r.websocket);
    assert_int_equal(read_head(SHAKE("websocket", "close", "13", ""), &r), 0);
    assert_false(r.upgrade);
    static const char* const keys[] = {"", "abc",
                                       "dGhlIHNhbXBsZSBub25jZQ=", "!GhlIHNhbXBsZSBub25jZQ=="};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        char text[400];
        snprintf(text, sizeof text, "GET / HTTP/1.1\r\nSec-WebSocket-Key: %s\r\n\r\n", keys[i]);
        assert_int_equal(read_head(text, &r), 0);
        assert_string_equal(r.key, "");
    }
}

// What comes of the first bytes, for every number of them: the last is the verdict.
static int read_all(const char* bytes, size_t size, pli_wire_frame* frame) {
    int result = 0;
    for (size_t i = 0; i <= size && result == 0; ++i) {
        unsigned char* exact = malloc(i + 1);
        assert_non_null(exact);
        memcpy(exact + 1, bytes, i);
        result = pli_wire_read_frame(exact + 1, i, 65536, frame);
        free(exact);
    }
    return result;
}

static void frames(void** state) {
    (void)state;
    static const struct {
        const char* bytes;
        size_t count, head, size;
        int result;
    } cases[] = {
        {"\x81\x85mask", 6, 6, 5, 1},
        {"\x01\x80mask", 6, 6, 0, 1},
        {"\x89\xfdmask", 6, 6, 125, 1},
        {"\x82\xfe\x01\x00mask", 8, 8, 256, 1},
        {"\x81\xff\0\0\0\0\0\1\0\0mask", 14, 14, 65536, 1},
        {"\x81\xff\0\0\0\0\0\1\0\1", 10, 0, 0, PLI_WIRE_TOO_LARGE},
        {"\x81\xff\x80\0\0\0\0\0\0\0", 10, 0, 0, PLI_WIRE_BROKEN},
        {"\x81\x05hello", 7, 0, 0, PLI_WIRE_BROKEN}, // no mask
        {"\x88\x00", 2, 0, 0, PLI_WIRE_BROKEN},
        {"\xc1\x80", 2, 0, 0, PLI_WIRE_BROKEN},
        {"\xa1\x80", 2, 0, 0, PLI_WIRE_BROKEN},
        {"\x91\x80", 2, 0, 0, PLI_WIRE_BROKEN},
        {"\x83\x80", 2, 0, 0, PLI_WIRE_BROKEN},
        {"\x8b\x80", 2, 0, 0, PLI_WIRE_BROKEN},
        {"\x08\x80", 2, 0, 0, PLI_WIRE_BROKEN}, // control in pieces
        {"\x89\xfe", 2, 0, 0, PLI_WIRE_BROKEN}, // long control
        {"\x81", 1, 0, 0, 0},
        {"\x81\xfe\x01", 3, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_wire_frame frame = {0};
        assert_int_equal(read_all(cases[i].bytes, cases[i].count, &frame), cases[i].result);
        if (cases[i].result != 1) continue;
        assert_int_equal(frame.head, cases[i].head);
        assert_int_equal(frame.size, cases[i].size);
        assert_memory_equal(frame.mask, "mask", 4);
    }
}

static void own_frames(void** state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 125, 126, 65535, 65536, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        unsigned char* bytes = calloc(PLI_WIRE_PRE + sizes[i] + 4, 1);
        assert_non_null(bytes);
        size_t head = pli_wire_write_head(bytes + PLI_WIRE_PRE, sizes[i], PLI_WIRE_MESSAGE_TEXT);
        unsigned char* first = bytes + PLI_WIRE_PRE - head;
        assert_int_equal(first[0], 0x81);
        assert_false(first[1] & 0x80); // a server does not mask
        first[1] |= 0x80;              // as a browser would: the same sizes
        pli_wire_frame frame;
        assert_int_equal(pli_wire_read_frame(first, head + 4, 1 << 20, &frame), 1);
        assert_int_equal(frame.size, sizes[i]);
        assert_int_equal(frame.head, head + 4);
        free(bytes);
    }
    unsigned char text[] = {'h' ^ 'm', 'e' ^ 'a', 'l' ^ 's', 'l' ^ 'k', 'o' ^ 'm'};
    pli_wire_frame frame = {.size = 5, .mask = {'m', 'a', 's', 'k'}};
    pli_wire_unmask(text, &frame);
    assert_memory_equal(text, "hello", 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests),   cmocka_unit_test(refused_requests),
        cmocka_unit_test(handshakes), cmocka_unit_test(frames),
        cmocka_unit_test(own_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
