// The kinds of pairs that touch in space, one row each: how a set finds them and how they move
// (pli_pair_kind), where they are closest. To add one: a row here, nothing else.
#ifndef PLI_CONTACT_PAIR_KINDS_H
#define PLI_CONTACT_PAIR_KINDS_H

#include "contact/closest.h"
#include "contact/pair_set.h"

typedef struct pli_space_pair {
    const char* name;
    int a_width, b_width; // vertices of the two primitives
    bool mollified;       // fades out where the primitives are parallel, see mollifier.h
    pli_pair_kind kind;
    void (*closest)(const double* const* x, pli_closest* out);
} pli_space_pair;

enum { PLI_SPACE_PAIR_COUNT = 4 };
extern const pli_space_pair pli_space_pairs[PLI_SPACE_PAIR_COUNT];

// The row of primitives with these numbers of vertices, or NULL.
const pli_space_pair* pli_space_pair_of(int a_width, int b_width);

#endif
