// Sides of the triangles that pictures show: found once by sorting, so that borders, sharp edges
// and outlines can be drawn dark.
#include "render/picture.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec.h"

// By ends, then by triangle: the order is the same everywhere.
static int by_ends(const void* a, const void* b) {
    const pli_picture_side *p = a, *q = b;
    for (int k = 0; k < 2; ++k)
        if (p->ends[k] != q->ends[k]) return p->ends[k] < q->ends[k] ? -1 : 1;
    return (p->beyond[0] > q->beyond[0]) - (p->beyond[0] < q->beyond[0]);
}

// Three sides of each triangle; `turned` says here whether it goes from the higher to the lower
// vertex.
static void list_sides(const pli_result_body* body, pli_picture_side* sides) {
    for (int32_t t = 0; t < body->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int32_t* v = body->triangles + 3 * (size_t)t;
            int32_t a = v[k], b = v[(k + 1) % 3];
            *sides++ = (pli_picture_side){
                .ends = {a < b ? a : b, a < b ? b : a}, .beyond = {t, -1}, .turned = a > b};
        }
}

// Those with the same ends become one, with the first two triangles; more of them make a crease.
static void merge_sides(pli_picture_body* body, int count) {
    pli_picture_side* sides = body->sides;
    body->closed = count > 0;
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; ++end)
            if (sides[end].ends[0] != sides[i].ends[0] || sides[end].ends[1] != sides[i].ends[1])
                break;
        pli_picture_side side = sides[i];
        side.crease = end - i != 2;
        side.turned = end - i >= 2 && sides[i].turned == sides[i + 1].turned;
        if (end - i >= 2) side.beyond[1] = sides[i + 1].beyond[0];
        if (side.crease || side.turned) body->closed = false;
        sides[body->side_count++] = side;
    }
}

pli_status pli_picture_find_sides(pli_picture* picture, pli_error* error) {
    for (int b = 0; b < picture->result->body_count; ++b) {
        const pli_result_body* from = &picture->result->bodies[b];
        pli_picture_body* body = &picture->bodies[b];
        size_t count = 3 * (size_t)from->triangle_count;
        PLI_TRY(PLI_ALLOC(picture->memory, body->sides, count, error));
        body->side_room = count;
        list_sides(from, body->sides);
        if (count > 0) qsort(body->sides, count, sizeof *body->sides, by_ends);
        merge_sides(body, (int)count);
    }
    return PLI_OK;
}

void pli_picture_normal(const pli_picture* picture, const pli_result_body* body, int32_t t,
                        double n[3]) {
    const float* p[3];
    double a[3], b[3];
    for (int k = 0; k < 3; ++k)
        p[k] = picture->canvas.points +
               3 * (size_t)body->vertices[body->triangles[3 * (size_t)t + (size_t)k]];
    for (int k = 0; k < 3; ++k) {
        a[k] = (double)p[1][k] - (double)p[0][k];
        b[k] = (double)p[2][k] - (double)p[0][k];
    }
    pli_cross3(a, b, n);
    double length = pli_norm(n, 3);
    for (int k = 0; k < 3; ++k) n[k] = length > 0 ? n[k] / length : 0;
}

static void find_creases_of(pli_picture* picture, int b) {
    const double sharp = 0.8; // cosine of the angle between normals
    const pli_result_body* from = &picture->result->bodies[b];
    pli_picture_body* body = &picture->bodies[b];
    double sum = 0;
    for (int i = 0; i < body->side_count; ++i) {
        pli_picture_side* side = &body->sides[i];
        const float* p = picture->canvas.points + 3 * (size_t)from->vertices[side->ends[0]];
        const float* q = picture->canvas.points + 3 * (size_t)from->vertices[side->ends[1]];
        double d[3], n[2][3];
        for (int k = 0; k < 3; ++k) d[k] = (double)q[k] - (double)p[k];
        sum += pli_norm(d, 3);
        if (side->crease) continue;
        for (int k = 0; k < 2; ++k) pli_picture_normal(picture, from, side->beyond[k], n[k]);
        side->crease = pli_dot(n[0], n[1], 3) * (side->turned ? -1 : 1) < sharp;
    }
    body->length = body->side_count > 0 ? sum / body->side_count : 0;
}

void pli_picture_find_creases(pli_picture* picture) {
    for (int b = 0; b < picture->result->body_count; ++b) find_creases_of(picture, b);
}
