// What a browser says to the viewer: a request whose every member is in its range, or a sentence.
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "viewer/message.h"

static void check_request(const pli_view_request* r) {
    HOLDS(r->kind >= PLI_VIEW_PLAY && r->kind <= PLI_VIEW_ACK);
    HOLDS(r->frame >= 0 && r->vertex >= 0 && r->rate >= 0 && r->rate <= 1e6);
    for (int i = 0; i < 3; ++i) HOLDS(fabs(r->target[i]) <= 1e9);
    HOLDS(memchr(r->field, 0, sizeof r->field) && memchr(r->path, 0, sizeof r->path));
    HOLDS(memchr(r->scene, 0, sizeof r->scene) && memchr(r->value.word, 0, sizeof r->value.word));
    HOLDS(isfinite(r->value.number) && !strpbrk(r->path, "= \"\n"));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    pli_view_request request;
    char why[PLI_VIEW_WHY_SIZE] = "";
    if (pli_view_message_read((const char*)data, size, &request, why))
        check_request(&request);
    else
        HOLDS(why[0] && memchr(why, 0, sizeof why) && !strpbrk(why, "\r\n"));
    return 0;
}
