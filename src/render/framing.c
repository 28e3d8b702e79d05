// Framing: which part of a scene is shown. The rule stands at pli_camera_frame in camera.h.
#include "render/camera.h"

#include <math.h>
#include <stdlib.h>

static const double FAR = 4;    // diagonals of the core that a body may be away
static const double SPREAD = 2; // diagonals of the start
static const double AROUND = 2; // diagonals of what moves, for obstacles
static const double TRAVEL = 10;

const pli_frame_box pli_frame_nothing = {
    {HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, false};

void pli_frame_extend(pli_frame_box* box, const double point[3], double margin) {
    if (!isfinite(point[0] + point[1] + point[2])) return;
    for (int k = 0; k < 3; ++k) {
        box->low[k] = fmin(box->low[k], point[k] - margin);
        box->high[k] = fmax(box->high[k], point[k] + margin);
    }
}

static bool is_empty(const pli_frame_box* box) { return !(box->low[0] <= box->high[0]); }

void pli_frame_join(pli_frame_box* box, const pli_frame_box* other) {
    if (is_empty(other)) return;
    for (int k = 0; k < 3; ++k) {
        box->low[k] = fmin(box->low[k], other->low[k]);
        box->high[k] = fmax(box->high[k], other->high[k]);
    }
}

double pli_frame_diagonal(const pli_frame_box* box) {
    double sum = 0;
    if (is_empty(box)) return 0;
    for (int k = 0; k < 3; ++k) sum += (box->high[k] - box->low[k]) * (box->high[k] - box->low[k]);
    return sqrt(sum);
}

static double joint_diagonal(const pli_frame_box* a, const pli_frame_box* b) {
    pli_frame_box both = *a;
    pli_frame_join(&both, b);
    return pli_frame_diagonal(&both);
}

static double middle_of(const pli_frame_box* box, int k) {
    return 0.5 * (box->low[k] + box->high[k]);
}

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The bodies that a rule is about.
typedef struct crowd {
    const pli_frame_box* bodies;
    int count;
    bool obstacles; // obstacles too, because there is nothing else
    double* scratch;
} crowd;

static bool takes_part(const crowd* c, int i) {
    return !is_empty(&c->bodies[i]) && (c->obstacles || !c->bodies[i].obstacle);
}

// Of an even number of values the one nearer to `start`.
static double median(const crowd* c, int k, double start) {
    int n = 0;
    for (int i = 0; i < c->count; ++i)
        if (takes_part(c, i)) c->scratch[n++] = middle_of(&c->bodies[i], k);
    qsort(c->scratch, (size_t)n, sizeof *c->scratch, ascending);
    double low = c->scratch[(n - 1) / 2], high = c->scratch[n / 2];
    return fabs(high - start) < fabs(low - start) ? high : low;
}

static double distance_of(const crowd* c, int i, const double from[3]) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double d = middle_of(&c->bodies[i], k) - from[k];
        sum += d * d;
    }
    return sum;
}

static pli_frame_box core_of(const crowd* c, const pli_frame_box* start) {
    pli_frame_box core = pli_frame_nothing;
    double middle[3];
    for (int k = 0; k < 3; ++k)
        middle[k] = median(c, k, is_empty(start) ? -HUGE_VAL : middle_of(start, k));
    int n = 0;
    for (int i = 0; i < c->count; ++i)
        if (takes_part(c, i)) c->scratch[n++] = distance_of(c, i, middle);
    qsort(c->scratch, (size_t)n, sizeof *c->scratch, ascending);
    double half = c->scratch[(n + 1) / 2 - 1];
    for (int i = 0; i < c->count; ++i)
        if (takes_part(c, i) && distance_of(c, i, middle) <= half)
            pli_frame_join(&core, &c->bodies[i]);
    return core;
}

pli_frame_box pli_camera_frame(const pli_frame_box* bodies, int count, const pli_frame_box* start,
                               double* scratch) {
    crowd c = {bodies, count, false, scratch};
    bool some = false, moving = false;
    for (int i = 0; i < count; ++i) {
        some = some || !is_empty(&bodies[i]);
        moving = moving || takes_part(&c, i);
    }
    if (!some) return pli_frame_nothing;
    c.obstacles = !moving;
    pli_frame_box core = core_of(&c, start), box = core;
    double limit = fmax(FAR * pli_frame_diagonal(&core), SPREAD * pli_frame_diagonal(start));
    for (int i = 0; i < count; ++i)
        if (takes_part(&c, i) && joint_diagonal(&core, &bodies[i]) <= limit)
            pli_frame_join(&box, &bodies[i]);
    pli_frame_box all = box;
    double around = AROUND * pli_frame_diagonal(&box);
    for (int i = 0; i < count; ++i)
        if (bodies[i].obstacle && joint_diagonal(&box, &bodies[i]) <= around)
            pli_frame_join(&all, &bodies[i]);
    return all;
}

// ---- many looks

void pli_frame_looks_add(pli_frame_looks* looks, const pli_frame_box* look) {
    if (is_empty(look)) return;
    if (looks->count++ == 0)
        looks->first = looks->all = *look;
    else
        pli_frame_join(&looks->all, look);
    for (int k = 0; k < 3; ++k) looks->extent = fmax(looks->extent, look->high[k] - look->low[k]);
}

pli_frame_box pli_frame_looks_range(const pli_frame_looks* looks) {
    pli_frame_box out = looks->all;
    double limit = TRAVEL * looks->extent;
    if (looks->count == 0) return (pli_frame_box){0};
    for (int k = 0; k < 3; ++k) {
        if (!(limit > 0) || out.high[k] - out.low[k] <= limit) continue;
        double start = middle_of(&looks->first, k) - limit / 2;
        out.low[k] = fmin(fmax(start, looks->all.low[k]), looks->all.high[k] - limit);
        out.high[k] = out.low[k] + limit;
    }
    return out;
}
