// Checks of intersections and distances at t = 0. They are cheap compared to preparing a world and
// report everything at once, in the numbers of the scene.
#include "scene/check.h"

#include "base/text.h"
#include "pliant/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_SHOWN = 20, PART_SIZE = 160, PLACE_SIZE = 100 };

// ---- parts of surfaces, in words

// The triangle of a sheet that has all these vertices of the world; -1: none.
static int triangle_with(const pli_world* world, int body, const int* vertices, int count) {
    const int32_t* all = pli_world_elements(world, PLI_TRIANGLE);
    int first = pli_world_body_element(world, body, PLI_TRIANGLE);
    int end = pli_world_body_element(world, body + 1, PLI_TRIANGLE);
    int base = pli_world_body_vertex(world, body);
    for (int t = first; t < end; ++t) {
        int shared = 0;
        for (int i = 0; i < 3 * count; ++i)
            shared += all[3 * (size_t)t + (size_t)(i % 3)] == base + vertices[i / 3];
        if (shared == count) return t - first;
    }
    return -1;
}

// `edge 3-4`, of a sheet in 3D `edge 3-4 (of triangle 7)`; followed by `of body "b"` or preceded by
// `its`.
static void name_part(const pli_world* world, const pli_crossing_info* c, int side, bool own,
                      char text[PART_SIZE]) {
    static const char* const kinds[3] = {"vertex", "edge", "triangle"};
    int count = c->vertex_count[side], n = 0, sheet = -1;
    char numbers[100];
    for (int i = 0; i < count; ++i)
        n += pli_format(numbers + n, sizeof numbers - (size_t)n, "%s%d", i ? "-" : "",
                        c->vertices[side][i]);
    if (pli_world_dimension(world) == 3 && count > 1)
        sheet = triangle_with(world, c->body[side], c->vertices[side], count);
    if (sheet >= 0)
        pli_format(numbers + n, sizeof numbers - (size_t)n, " (%striangle %d)",
                   count == 2 ? "of " : "", sheet);
    if (own)
        pli_format(text, PART_SIZE, "its %s %s", kinds[count - 1], numbers);
    else
        pli_format(text, PART_SIZE, "%s %s of body \"%.40s\"", kinds[count - 1], numbers,
                   pli_world_body_name(world, c->body[side]));
}

static void name_place(const pli_world* world, const double point[3], char text[PLACE_SIZE]) {
    if (pli_world_dimension(world) == 2)
        pli_format(text, PLACE_SIZE, "(%.9g, %.9g)", point[0], point[1]);
    else
        pli_format(text, PLACE_SIZE, "(%.9g, %.9g, %.9g)", point[0], point[1], point[2]);
}

// ---- what intersects

// Crossings of two bodies, or of one with itself.
typedef struct crossed_bodies {
    const pli_crossing_info* example;
    int count;
} crossed_bodies;

// How two parts that do not cross overlap; c->distance is the gap between their surfaces.
static void name_gap(const pli_world* world, const pli_crossing_info* c, char text[160]) {
    double needed =
        pli_world_body_thickness(world, c->body[0]) + pli_world_body_thickness(world, c->body[1]);
    if (c->distance > 0)
        pli_format(text, 160, ", a gap of %.3g m is below rounding", c->distance);
    else if (c->body[0] == c->body[1]) // neighbours need less
        pli_format(text, 160, ", by %.3g m with contact_thickness", -c->distance);
    else
        pli_format(text, 160, ", by %.3g m with contact_thickness (%.3g m apart, needed %.3g m)",
                   -c->distance, needed + c->distance, needed);
}

static pli_status report_crossing(pli_builder* b, const pli_initial* initial,
                                  const crossed_bodies* found, pli_error* error) {
    const pli_crossing_info* c = found->example;
    char one[PART_SIZE], other[PART_SIZE], place[PLACE_SIZE], how[160] = "", more[60] = "";
    name_part(initial->world, c, 0, true, one);
    name_part(initial->world, c, 1, c->body[0] == c->body[1], other);
    name_place(initial->world, c->point, place);
    const char* verb = c->vertex_count[0] == 1 || c->distance != 0 ? "touches" : "crosses";
    if (c->distance < 0) verb = "overlaps";
    if (c->distance != 0) name_gap(initial->world, c, how);
    if (found->count > 1)
        pli_format(more, sizeof more, " (and in %d more %s)", found->count - 1,
                   found->count > 2 ? "places" : "place");
    pli_path list, at = pli_body_path(b, initial->bodies[c->body[0]].shape, &list);
    return PLI_FIND(b->findings, &at, error, "at t = 0, %s %s %s at %s%s%s: move one of them", one,
                    verb, other, place, how, more);
}

static bool same_bodies(const pli_crossing_info* a, const pli_crossing_info* b) {
    return (a->body[0] == b->body[0] && a->body[1] == b->body[1]) ||
           (a->body[0] == b->body[1] && a->body[1] == b->body[0]);
}

// One finding for each pair of bodies, with an example and a count.
static pli_status report_crossings(pli_builder* b, const pli_initial* initial, pli_error* error) {
    crossed_bodies pairs[PAIRS_SHOWN];
    int count = 0, told = 0;
    for (int i = 0; i < initial->kept_count; ++i) {
        const pli_crossing_info* c = &initial->crossings[i];
        int k = 0;
        while (k < count && !same_bodies(c, pairs[k].example)) ++k;
        if (k == PAIRS_SHOWN) continue;
        if (k == count) pairs[count++] = (crossed_bodies){.example = c};
        if (c->distance < pairs[k].example->distance) pairs[k].example = c; // the deepest overlap
        pairs[k].count++;
        told++;
    }
    for (int k = 0; k < count; ++k) PLI_TRY(report_crossing(b, initial, &pairs[k], error));
    int rest = initial->crossing_count - told;
    if (rest == 0) return PLI_OK;
    return PLI_TELL(b->findings, NULL, error, "at t = 0, surfaces intersect or touch in %d more %s",
                    rest, rest > 1 ? "places" : "place");
}

// ---- one inside the other

typedef struct inside_report {
    pli_builder* builder;
    const pli_initial* initial;
    int count;
    pli_status status;
    pli_error* error;
} inside_report;

static void report_inside(void* context, const pli_inside_info* found) {
    inside_report* r = context;
    if (r->status != PLI_OK) return;
    pli_builder* b = r->builder;
    const pli_world* world = r->initial->world;
    int own = found->body[0];
    pli_path list, at = pli_body_path(b, r->initial->bodies[own].shape, &list);
    char other[80] = "another part of it";
    if (found->body[1] != own)
        pli_format(other, sizeof other, "body \"%.40s\"",
                   pli_world_body_name(world, found->body[1]));
    r->status =
        PLI_FIND(b->findings, &at, r->error,
                 "at t = 0, it is inside %s: its vertex %d is in %s %d; move one of them", other,
                 found->vertex, pli_world_dimension(world) == 2 ? "triangle" : "tetrahedron",
                 found->element);
    r->count++;
}

pli_status pli_check_contact(pli_builder* b, pli_initial* initial, pli_error* error) {
    int errors = b->findings->error_count;
    if (!initial->world) return PLI_OK;
    if (initial->crossing_count > 0) {
        PLI_TRY(report_crossings(b, initial, error));
    } else {
        inside_report r = {.builder = b, .initial = initial, .error = error};
        PLI_TRY(pli_survey_inside(initial->world, NULL, report_inside, &r, error));
        PLI_TRY(r.status);
    }
    initial->error_count = b->start_errors + b->findings->error_count - errors;
    return PLI_OK;
}

// ---- what is closer than dhat

// Pairs of one body with itself, or of two bodies.
typedef struct close_bodies {
    int count;
    pli_near_info closest;
} close_bodies;

typedef struct close_pairs {
    const pli_world* world;
    bool rest;            // only of bodies with themselves
    close_bodies between; // of two bodies
    close_bodies* own;    // per body
} close_pairs;

static void count_close(void* context, const pli_near_info* pair) {
    close_pairs* c = context;
    bool own = pair->body[0] == pair->body[1];
    if (!own && c->rest) return;
    close_bodies* to = own ? &c->own[pair->body[0]] : &c->between;
    if (to->count == 0 || pair->distance < to->closest.distance) to->closest = *pair;
    to->count++;
}

// The closest pair as `its vertex 3 and edge 4-5 of body "b", 0.001 m apart at (0, 1)`.
static void name_closest(const pli_world* world, const pli_near_info* pair, char text[400]) {
    pli_crossing_info c;
    memcpy(c.body, pair->body, sizeof c.body);
    memcpy(c.vertex_count, pair->vertex_count, sizeof c.vertex_count);
    memcpy(c.vertices, pair->vertices, sizeof c.vertices);
    char one[PART_SIZE], other[PART_SIZE], place[PLACE_SIZE];
    name_part(world, &c, 0, true, one);
    name_part(world, &c, 1, c.body[0] == c.body[1], other);
    name_place(world, pair->point, place);
    pli_format(text, 400, "%s and %s, %.3g m apart at %s", one, other, pair->distance, place);
}

// A body with copies is reported once.
static pli_status report_own(pli_builder* b, const close_pairs* c, const char* when,
                             pli_severity severity, pli_error* error) {
    double dhat = pli_world_dhat(c->world);
    for (int i = 0; i < b->start_count; ++i) {
        int count = c->own[i].count;
        if (count == 0 || b->bodies[i].copy > 0) continue;
        char text[400], limit[PLI_NUMBER_SIZE];
        name_closest(c->world, &c->own[i].closest, text);
        pli_format(limit, sizeof limit, "%.3g", dhat);
        pli_path list, at = pli_body_path(b, i, &list);
        PLI_TRY(pli_finding_add(b->findings, severity, &at, PLI_AT_VALUE, error,
                                "%s, %d %s of its own parts %s closer than contact.dhat (%s m), so "
                                "it repels itself: reduce dhat. The closest: %s",
                                when, count, count > 1 ? "pairs" : "pair", count > 1 ? "are" : "is",
                                limit, text));
    }
    return PLI_OK;
}

static pli_status report_between(pli_builder* b, const close_pairs* c, pli_error* error) {
    const close_bodies* between = &c->between;
    if (between->count == 0) return PLI_OK;
    char text[400], limit[PLI_NUMBER_SIZE];
    name_closest(c->world, &between->closest, text);
    pli_format(limit, sizeof limit, "%.3g", pli_world_dhat(c->world));
    pli_path list, at = pli_body_path(b, between->closest.body[0], &list);
    return PLI_TELL(b->findings, &at, error,
                    "at t = 0, %d %s of parts of different bodies %s closer than contact.dhat (%s "
                    "m), so contact forces act from the start. The closest: %s",
                    between->count, between->count > 1 ? "pairs" : "pair",
                    between->count > 1 ? "are" : "is", limit, text);
}

// Bodies that intersect, as contact.allow_initial allows.
static pli_status report_exempt(pli_builder* b, const pli_world* world, pli_error* error) {
    int pair[2], other[2], count = 1;
    if (!pli_survey_exempt(world, 0, pair)) return PLI_OK;
    while (pli_survey_exempt(world, count, other)) ++count;
    pli_path list, at = pli_body_path(b, pair[0], &list);
    char with[80] = "itself", more[60] = "";
    if (pair[0] != pair[1]) pli_format(with, sizeof with, "body \"%.40s\"", b->names[pair[1]]);
    if (count > 1) pli_format(more, sizeof more, "; so do %d more pairs", count - 1);
    return PLI_TELL(b->findings, &at, error,
                    "at t = 0, it intersects %s, as contact.allow_initial allows: their contact "
                    "starts once they are apart%s",
                    with, more);
}

// Rounding grows with the coordinates: dhat must be well above the distance that collision
// detection can resolve. Triangles and points far from the origin are the worst case.
static pli_status check_resolution(pli_builder* b, const pli_world* world, pli_error* error) {
    static const double least = 100; // from dhat to the resolution
    double far = 0, dhat = pli_world_dhat(world);
    for (int i = 0; i < 3 * pli_world_vertex_count(world); ++i)
        far = fmax(far, fabs(pli_world_positions(world)[i]));
    double told = pli_survey_resolution(world);
    if (dhat >= least * told) return PLI_OK;
    char found[PLI_NUMBER_SIZE], needed[PLI_NUMBER_SIZE], size[PLI_NUMBER_SIZE];
    pli_format(found, sizeof found, "%.3g", dhat);
    pli_format(needed, sizeof needed, "%.3g", least * told);
    pli_format(size, sizeof size, "%.3g", far);
    return PLI_WARN(b->findings, PLI_KEY(PLI_KEY(NULL, "contact"), "dhat"), error,
                    "contact.dhat is %s m, but with coordinates up to %s m rounding needs at least "
                    "%s m: increase it, or move the scene towards the origin",
                    found, size, needed);
}

// Distances of a body to itself count at rest: a small distance only at t = 0 may be intended.
pli_status pli_check_dhat(pli_builder* b, pli_world* world, pli_error* error) {
    const double *x = pli_world_positions(world), *rest = pli_world_rest_positions(world);
    double dhat = pli_world_dhat(world);
    bool same = memcmp(x, rest, 3 * sizeof *x * (size_t)pli_world_vertex_count(world)) == 0;
    close_pairs start = {.world = world}, still = {.world = world, .rest = true};
    if (!b->scene->world.contact.bodies) return PLI_OK;
    PLI_TRY(check_resolution(b, world, error));
    PLI_TRY(PLI_TAKE(b->arena, start.own, pli_world_body_count(world), error));
    PLI_TRY(PLI_TAKE(b->arena, still.own, pli_world_body_count(world), error));
    PLI_TRY(pli_survey_near(world, x, dhat, count_close, &start, error));
    if (!same) PLI_TRY(pli_survey_near(world, rest, dhat, count_close, &still, error));
    PLI_TRY(report_exempt(b, world, error));
    PLI_TRY(report_between(b, &start, error));
    for (int i = 0; i < pli_world_body_count(world) && !same; ++i)
        if (still.own[i].count > 0) start.own[i].count = 0; // reported for the rest shape
    if (!same) PLI_TRY(report_own(b, &start, "at t = 0", PLI_NOTE, error));
    return report_own(b, same ? &start : &still, "at rest", PLI_WARNING, error);
}
