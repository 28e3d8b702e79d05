// The set of primitive pairs that may touch: found by the broad phase, certified by CCD, kept while
// it stays large enough. Any two kinds of primitives: points and edges in the plane; points and
// triangles, edges and edges, and the pairs of thin parts in space.
//
// Invariant of the set: after a refresh over x .. x + alpha p it holds every pair that is closer
// than dhat anywhere on that segment, pairs that share a vertex or that the filter forbids
// excepted; pairs are sorted by (a, b).
//
// Candidates make most searches unnecessary. A search over a segment finds all pairs whose boxes,
// enlarged by `reach`, overlap during the motion. As long as every vertex stays within `reach` (in
// each coordinate, up to a common motion of all) of a position it had at one time of that segment,
// the candidates include all pairs that may be near now. For each candidate a lower bound of its
// distance is stored; together with a bound of the relative motion since then it rules out most
// pairs without further work. The remaining pairs are decided by positions alone, as after a new
// search: candidates affect speed only, never results.
#ifndef PLI_CONTACT_PAIR_SET_H
#define PLI_CONTACT_PAIR_SET_H

#include "contact/filter.h"
#include "energy/term.h"
#include "spatial/broad_phase.h"

typedef struct pli_primitives {
    int count;
    int width;         // vertices per primitive
    int32_t* vertices; // count * width
} pli_primitives;

// How a pair moves. x and p: the vertices of the pair, those of a first (see ccd.h).
typedef struct pli_pair_kind {
    double (*ccd)(int dim, const double* const* x, const double* const* p, double t_max,
                  double apart);
    double (*clearance)(int dim, const double* const* x, const double* const* p, double t_max,
                        double enough);
} pli_pair_kind;

// Parts of one connected surface are close at rest because they are neighbours: their full
// thickness would keep them apart farther than the mesh has them. With d0 their distance at rest,
// such a pair keeps apart by
//   offset = min(offset_a + offset_b, (d0 - dhat) / 2), at least 0,
// so it neither overlaps nor feels contact at rest, the surface can bend to any radius (a chord is
// never shorter than 2 / pi of its arc up to half a circle) and be compressed by half, and still
// nothing intersects. Nothing is copied: the arrays must outlive the users.
typedef struct pli_rest {
    const double* x;     // positions at rest, 3 per vertex of the world [m]
    const int32_t* part; // per vertex: vertices of one connected part have the same number
    double dhat;         // where contact begins [m]
} pli_rest;

typedef struct pli_range {
    double low[3], high[3];
} pli_range;

// Result of a loop over a block of vertices.
typedef struct pli_survey {
    pli_range begin, end; // displacements at the ends of the segment, from the last search
    pli_range step;       // motion over the segment
    double size;          // largest coordinate
    int32_t bad;          // a vertex that is not finite; -1: none
} pli_survey;

// Bounds of the displacement of all vertices of a primitive, up to the radius [m].
typedef struct pli_ball {
    float centre[3], radius;
} pli_ball;

// Since the last search, and over the segment.
typedef struct pli_drift {
    pli_ball since, over;
} pli_drift;

// The candidates of the last search.
typedef struct pli_candidates {
    bool valid;
    bool moves;          // `by` is not 0
    double reach;        // [m]
    double share;        // of the longest reach that the next search starts with
    double margin;       // rounding that the search allowed for [m]
    double *at, *by;     // per vertex of `used`: position and motion in the search, 3 each [m]
    pli_box_pairs pairs; // sorted
    float* gaps;         // of each: lower bound of its distance during the search, less
                         // the offset [m]
    int gap_capacity;
} pli_candidates;

typedef struct pli_pair_set {
    pli_memory* memory;
    const pli_pair_kind* kind;
    const pli_filter* filter; // NULL: all may touch
    int dim;
    double dhat; // [m]
    bool symmetric;
    pli_primitives a, b;
    double *a_offset, *b_offset; // per primitive: its thickness [m]; NULL: none
    const pli_rest* rest;        // NULL: the thickness of a pair is that of both, without exception
    int count;
    pli_box_pair* pairs; // the current set: query is the index in a, primitive that in b
    int32_t* vertices;   // count * (a.width + b.width)
    double* offsets;     // of each pair of the set [m]; NULL without `rest`
    uint64_t epoch;      // incremented when the set changes
    int64_t refresh_count, search_count; // refreshes, and those that needed a search
    int used_count;
    int32_t* used;    // vertices of all primitives, each once
    int32_t* used_at; // per vertex of the world: its index in `used`
    int vertex_count; // of the world
    pli_candidates candidates;
    // scratch
    pli_bvh tree;
    pli_box_pairs found;
    pli_box *a_boxes, *a_ends;      // at the start and at the end of the segment
    pli_box *b_boxes, *b_ends;      // symmetric: the same as those of a
    pli_drift *a_drifts, *b_drifts; // symmetric: the same
    double* start; // per vertex of the world: position at the start of the current part [m]
    uint8_t* near; // per pair
    pli_box_pair* next;
    pli_box_pair* gathered; // pairs near on the completed parts of the segment
    double* bounds;         // per block of found pairs
    pli_survey* surveys;    // per block of vertices
    int gathered_count;
    int pair_capacity, vertex_capacity, offset_capacity, near_capacity, next_capacity,
        gathered_capacity, bound_capacity, start_capacity, survey_capacity;
} pli_pair_set;

typedef struct pli_pair_set_def {
    const pli_pair_kind* kind;
    const pli_filter* filter; // NULL: all may touch; not copied
    int dim;
    int vertex_count; // of the world, to check the indices
    double dhat;      // [m]
    int a_count, b_count, a_width, b_width;
    const int32_t *a_vertices, *b_vertices; // copied
    bool symmetric; // a and b are the same list: each pair once, the lower index first
    // Per vertex of the world: thickness (a sphere around a point, a capsule around a segment) [m].
    // A primitive has the largest of its vertices; distances are measured from that surface. NULL:
    // 0.
    const double* offset;
    const pli_rest* rest; // exceptions for neighbours at rest; NULL: none. Not copied
} pli_pair_set_def;

pli_status pli_pair_set_init(pli_pair_set* set, pli_memory* memory, const pli_pair_set_def* def,
                             pli_error* error);
void pli_pair_set_free(pli_pair_set* set);

// See pli_term_ops.refresh. The set for p = NULL is a function of x alone: a run that starts each
// step with it can be resumed bit for bit. Later sets of the step also keep old pairs while the set
// stays small, so that the sparsity pattern seldom changes.
//
// A segment whose boxes overlap in too many pairs is processed in parts, so that memory stays
// within a few times that for the pairs at rest; if even that is too much work, *alpha is the end
// of the last part.
pli_status pli_pair_set_refresh(pli_pair_set* set, const pli_view* view, const double* p,
                                double* alpha, pli_error* error);

// See pli_term_ops.limit. Of two islands that meet, the one that moves farther is limited; both if
// they move about equally far.
pli_status pli_pair_set_limit(pli_pair_set* set, const pli_view* view, const double* p,
                              const int32_t* island, double* limit, pli_error* error);

// The filter has changed: the next refresh must search.
void pli_pair_set_forget(pli_pair_set* set);

// The offset of two primitives, given by their vertices, whose thicknesses sum up to `whole` [m].
// rest NULL: `whole`.
double pli_offset_between(const pli_rest* rest, const pli_pair_kind* kind, int dim,
                          const int32_t* const vertices[2], const int widths[2], double whole);

// Not less than that, from two of the vertices alone.
double pli_offset_bound(const pli_rest* rest, int dim, const int32_t* const vertices[2],
                        double whole);

// Offset of a pair of primitives of the set: subtracted from its distance [m].
static inline double pli_pair_offset(const pli_pair_set* set, const pli_box_pair* pair) {
    if (!set->a_offset) return 0;
    double whole = set->a_offset[pair->query] + set->b_offset[pair->primitive];
    if (!set->rest) return whole;
    const int32_t* vertices[2] = {set->a.vertices + pair->query * set->a.width,
                                  set->b.vertices + pair->primitive * set->b.width};
    const int widths[2] = {set->a.width, set->b.width};
    return pli_offset_between(set->rest, set->kind, set->dim, vertices, widths, whole);
}

// The same for pair i of the current set.
static inline double pli_set_offset(const pli_pair_set* set, int i) {
    return set->offsets ? set->offsets[i] : pli_pair_offset(set, &set->pairs[i]);
}

#endif
