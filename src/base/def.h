// Defs filled in by callers. Each begins with its size according to the caller's headers, so that a
// program built against older headers keeps working: missing members get their defaults.
#ifndef PLI_BASE_DEF_H
#define PLI_BASE_DEF_H

#include "base/base.h"

// A def that is a member of another def. It begins with a separate size, so that it can grow too:
// the members after it start where the caller's version of it ends.
typedef struct pli_def_part {
    size_t offset, size; // in the library's version
} pli_def_part;

typedef struct pli_def_layout {
    const char* source; // the function that returns one: "pli_default_body_def()"
    size_t size;
    const pli_def_part* parts; // by offset
    int part_count;
} pli_def_layout;

// Copies a caller's def over *out, which has the defaults and keeps its own sizes. PLI_E_ARGUMENT
// with the key "size" if the def is NULL, if a size is 0 or larger than the library's, or if the
// parts do not fit into the whole.
pli_status pli_def_take(const pli_def_layout* layout, const void* given, void* out,
                        pli_error* error);

// The reverse: copies the library's def into a caller's, whose sizes are set and stay. A def that
// is NULL or of a size that pli_def_take refuses is left unchanged.
void pli_def_give(const pli_def_layout* layout, const void* own, void* out);

// The same for pli_<name>_def without parts. Taking: *out gets the defaults first.
#define PLI_TAKE_DEF(name, given, out, error)                                                      \
    (*(out) = pli_default_##name##_def(),                                                          \
     pli_def_take(                                                                                 \
         &(pli_def_layout){.source = "pli_default_" #name "_def()", .size = sizeof *(out)},        \
         (given), (out), (error)))
#define PLI_GIVE_DEF(own, out) pli_def_give(&(pli_def_layout){.size = sizeof(own)}, &(own), (out))

#endif
