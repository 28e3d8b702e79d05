// Values of text messages. Numbers that JSON cannot say are null; texts may be any bytes.
#ifndef PLI_VIEWER_JSON_H
#define PLI_VIEWER_JSON_H

#include <jansson.h>

#include <math.h>

#include "base/text.h"

static inline json_t* pli_json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static inline json_t* pli_json_vector(const double v[3]) {
    return json_pack("[o, o, o]", pli_json_number(v[0]), pli_json_number(v[1]),
                     pli_json_number(v[2]));
}

static inline json_t* pli_json_text(const char* value) {
    char printable[4096];
    return json_string(pli_printable(value, printable, sizeof printable));
}

// The message as text, malloc; takes `root`. NULL without memory.
static inline char* pli_json_dump(json_t* root) {
    if (!root) return NULL;
    char* out = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    return out;
}

#endif
