// When to project, how much to shift, how far to step: see adapt.h.
#include "minimize/adapt.h"

#include <math.h>

// A step gains little if the residual is above this fraction of the last one. After SLOW such steps
// in a row the adaptation changes something. Newton near a minimum gains far more.
static const double LITTLE = 0.3;
enum { SLOW = 2, FIRST_PAUSE = 4, LONGEST_PAUSE = 64 };

// Lengthened directions only cost evaluations of E; beyond this factor the segment is rarely free.
static const double LONGEST_STRIDE = 64;

// Steps that the line search cuts below this fraction need a larger shift.
static const double SHORT = 0.1;

// First nonzero shift, factor of its changes, and maximum: from 1 on, directions are hardly Newton
// directions.
static const double FIRST_SHIFT = 1e-10, GROWTH = 100, LARGEST_SHIFT = 1;

// Lower bound in statics: above rounding, so that an unconstrained body stays where it is, and
// below the bending stiffness of a bar hundreds of cells long.
static const double STATIC_SHIFT = 1e-13;

void pli_adapt_begin(pli_adapt* a, bool statics) {
    double shift = statics ? STATIC_SHIFT : 0;
    *a = (pli_adapt){.statics = statics,
                     .project = true,
                     .shift = shift,
                     .least = shift,
                     .stride = 1,
                     .residual = HUGE_VAL,
                     .pause = FIRST_PAUSE};
}

static bool grow(pli_adapt* a) {
    if (a->shift >= LARGEST_SHIFT) return false;
    a->shift = fmin(fmax(GROWTH * a->shift, FIRST_SHIFT), LARGEST_SHIFT);
    return true;
}

static void shrink(pli_adapt* a) {
    a->shift = a->shift > FIRST_SHIFT ? a->shift / GROWTH : 0;
    a->shift = fmax(a->shift, a->least);
}

static void project_again(pli_adapt* a) {
    a->project = true;
    a->stride = 1;
    a->slow = 0;
    a->wait = a->pause;
    a->pause = a->pause < LONGEST_PAUSE ? 2 * a->pause : LONGEST_PAUSE;
}

bool pli_adapt_refused(pli_adapt* a) {
    if (a->project) {
        a->least = FIRST_SHIFT;
        return grow(a);
    }
    project_again(a);
    return true;
}

bool pli_adapt_stuck(pli_adapt* a) {
    if (a->project) return a->statics && grow(a);
    project_again(a);
    return true;
}

void pli_adapt_stepped(pli_adapt* a, double residual, double certified, double fraction) {
    bool whole = fraction == 1, slow = residual > LITTLE * a->residual;
    a->residual = residual;
    if (whole) shrink(a);
    if (a->wait > 0) a->wait--;
    if (!a->project) {
        if (fraction < SHORT) project_again(a);
        return;
    }
    if (a->statics && fraction * a->stride < SHORT) grow(a);
    a->slow = whole && slow ? a->slow + 1 : 0;
    if (!slow || !whole)
        a->stride = fmax(1, a->stride * fraction);
    else if (a->slow >= SLOW && certified == 1)
        a->stride = fmin(2 * a->stride, LONGEST_STRIDE);
    if (a->slow >= SLOW && a->wait == 0) a->project = false;
}
