// Surfaces, counted first and then gathered body by body.
#include "viewer/surface.h"

#include <stdlib.h>

// Room for what *_ends count.
static bool make_room(pli_view_surface* s) {
    int last = s->body_count - 1;
    s->triangle_count = last >= 0 ? s->triangle_ends[last] : 0;
    s->segment_count = last >= 0 ? s->segment_ends[last] : 0;
    s->triangles = malloc((3 * (size_t)s->triangle_count + 1) * sizeof *s->triangles);
    s->segments = malloc((2 * (size_t)s->segment_count + 1) * sizeof *s->segments);
    return s->triangles && s->segments;
}

static bool make_ends(pli_view_surface* s, int body_count) {
    s->body_count = body_count;
    s->triangle_ends = calloc((size_t)body_count + 1, sizeof *s->triangle_ends);
    s->segment_ends = calloc((size_t)body_count + 1, sizeof *s->segment_ends);
    return s->triangle_ends && s->segment_ends;
}

// Where the body's entries begin, with `width` each.
static int32_t* place_of(int32_t* list, const int* ends, int body, size_t width) {
    return list + (body > 0 ? width * (size_t)ends[body - 1] : 0);
}

bool pli_view_surface_of_world(pli_view_surface* s, pli_world* world) {
    pli_error error = {0};
    if (!make_ends(s, pli_world_body_count(world))) return false;
    for (int b = 0, count = 0, all = 0; b < s->body_count; ++b) {
        if (pli_world_body_triangles(world, b, NULL, &count, &error) != PLI_OK) return false;
        s->triangle_ends[b] = all += count;
        s->segment_ends[b] = pli_world_body_element(world, b + 1, PLI_SEGMENT);
    }
    if (!make_room(s)) return false;
    for (int b = 0, count; b < s->body_count; ++b)
        if (pli_world_body_triangles(world, b, place_of(s->triangles, s->triangle_ends, b, 3),
                                     &count, &error) != PLI_OK)
            return false;
    const int32_t* segments = pli_world_elements(world, PLI_SEGMENT);
    for (int i = 0; i < 2 * s->segment_count; ++i) s->segments[i] = segments[i];
    return true;
}

bool pli_view_surface_of_result(pli_view_surface* s, const pli_replay* result) {
    if (!make_ends(s, pli_replay_body_count(result))) return false;
    for (int b = 0, triangles = 0, segments = 0; b < s->body_count; ++b) {
        pli_replay_body body = pli_replay_body_at(result, b);
        s->triangle_ends[b] = triangles += body.triangle_count;
        s->segment_ends[b] = segments += body.segment_count;
    }
    if (!make_room(s)) return false;
    for (int b = 0; b < s->body_count; ++b) {
        pli_replay_triangles(result, b, place_of(s->triangles, s->triangle_ends, b, 3));
        pli_replay_segments(result, b, place_of(s->segments, s->segment_ends, b, 2));
    }
    return true;
}

void pli_view_surface_free(pli_view_surface* s) {
    free(s->triangles);
    free(s->segments);
    free(s->triangle_ends);
    free(s->segment_ends);
    *s = (pli_view_surface){0};
}
