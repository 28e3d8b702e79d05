// Half-spaces get as much of a surface as the scene needs.
#include "result/result_ground.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

// What the first frame, the last and one between them show; frames that cannot be read are found by
// those who need them.
typedef struct extent {
    double low[3], high[3];
    double middle[3], reach; // length of the diagonal
} extent;

static pli_status find_extent(const pli_result* r, extent* e, pli_error* error) {
    pli_result_frame frame = {0};
    pli_status status;
    const int frames[3] = {0, r->frame_count / 2, r->frame_count - 1};
    double size[3];
    for (int c = 0; c < 3; ++c) e->low[c] = HUGE_VAL, e->high[c] = -HUGE_VAL;
    PLI_TRY_CLEANUP(status, pli_result_read(r, 0, PLI_POSITIONS, &frame, error));
    for (int i = 0; i < 3; ++i) {
        pli_error found = {0};
        status = pli_result_read(r, frames[i], PLI_POSITIONS, &frame, &found);
        if (status == PLI_E_MEMORY) {
            if (error) *error = found;
            goto cleanup;
        }
        if (status != PLI_OK) continue;
        for (int k = 0; k < 3 * r->vertex_count; ++k) {
            e->low[k % 3] = fmin(e->low[k % 3], frame.positions[k]);
            e->high[k % 3] = fmax(e->high[k % 3], frame.positions[k]);
        }
    }
    status = PLI_OK;
    for (int c = 0; c < 3; ++c) {
        size[c] = e->high[c] - e->low[c];
        e->middle[c] = 0.5 * (e->low[c] + e->high[c]);
    }
    e->reach = pli_norm(size, 3);
    if (!(e->reach > 0)) e->reach = 1;
cleanup:
    pli_result_frame_free(&frame);
    return status;
}

// Two directions in the plane, along axes of the world as far as possible.
static void find_directions(const double normal[3], double u[2][3]) {
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (fabs(normal[k]) < fabs(normal[least])) least = k;
    for (int c = 0; c < 3; ++c) u[0][c] = (c == least) - normal[least] * normal[c];
    double length = pli_norm(u[0], 3);
    for (int c = 0; c < 3; ++c) u[0][c] /= length;
    pli_cross3(normal, u[0], u[1]);
}

// Counter-clockwise seen from the free side.
static pli_polygon surface_of(const pli_result* r, int i, const extent* e, const double at[3]) {
    const double* normal = r->half_spaces[i].plane + 3;
    const double slack = 1e-5 * e->reach; // a plane does not cut itself, should it be there twice
    pli_polygon p = {.count = 4};
    double u[2][3];
    find_directions(normal, u);
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c)
            p.corner[k][c] = at[c] + e->reach * ((k == 1 || k == 2 ? 1 : -1) * u[0][c] +
                                                 (k >= 2 ? 1 : -1) * u[1][c]);
    for (int j = 0, used = 0; j < r->half_space_count && used < PLI_POLYGON_CUTS; ++j) {
        double point[3];
        if (j == i || r->half_spaces[j].carrier >= 0) continue; // it will be elsewhere
        memcpy(point, r->half_spaces[j].plane, sizeof point);
        pli_axpy(-slack, r->half_spaces[j].plane + 3, point, 3);
        pli_polygon_cut(&p, point, r->half_spaces[j].plane + 3);
        used++;
    }
    return p;
}

// In the plane: a strip on the solid side.
static pli_polygon strip_of(const double normal[3], const extent* e, const double at[3]) {
    const double depth = 0.1 * e->reach;
    pli_polygon p = {.count = 4};
    for (int k = 0; k < 4; ++k) {
        double along = (k == 0 || k == 3 ? -1 : 1) * e->reach, down = k < 2 ? depth : 0;
        p.corner[k][0] = at[0] + along * normal[1] - down * normal[0];
        p.corner[k][1] = at[1] - along * normal[0] - down * normal[1];
    }
    return p;
}

static pli_status add_ground(pli_result* r, int i, const extent* e, pli_error* error) {
    const double *point = r->half_spaces[i].plane, *normal = point + 3;
    double at[3], height = 0;
    for (int c = 0; c < 3; ++c) height += (e->middle[c] - point[c]) * normal[c];
    memcpy(at, e->middle, sizeof at);
    pli_axpy(-height, normal, at, 3);
    if (!isfinite(pli_norm(at, 3)) || !(fabs(pli_norm(normal, 3) - 1) < 1e-6)) return PLI_OK;
    pli_polygon p = r->dimension == 2 ? strip_of(normal, e, at) : surface_of(r, i, e, at);
    if (p.count < 3) return PLI_OK; // all of it is behind others
    pli_result_body* body = NULL;
    PLI_TRY(pli_result_add_body(r, r->half_spaces[i].name, p.count, p.count - 2, &body, error));
    body->half_space = i;
    for (int k = 0; k < p.count; ++k)
        memcpy(r->added + 3 * (body->vertices[k] - r->vertex_count), p.corner[k], sizeof *p.corner);
    for (int k = 0; k < p.count - 2; ++k) {
        const int32_t fan[3] = {0, k + 1, k + 2};
        memcpy(body->triangles + 3 * (size_t)k, fan, sizeof fan);
    }
    return PLI_OK;
}

// The velocity of its carrier, too.
static void move_ground(const pli_result* r, const pli_result_body* body, pli_result_frame* frame) {
    const pli_result_half_space* h = &r->half_spaces[body->half_space];
    if (h->carrier < 0) return;
    size_t carrier = 3 * (size_t)h->carrier;
    const pli_result_field* velocity = pli_result_find_field(frame, "velocity");
    for (int i = 0; i < body->vertex_count; ++i)
        for (size_t c = 0; c < 3; ++c) {
            size_t at = 3 * (size_t)body->vertices[i] + c;
            frame->positions[at] += frame->positions[carrier + c] - h->plane[c];
            if (velocity && velocity->components == 3)
                velocity->values[at] = velocity->values[carrier + c];
        }
}

void pli_result_move_grounds(const pli_result* r, pli_result_frame* frame) {
    for (int b = 0; b < r->body_count; ++b)
        if (r->bodies[b].ground) move_ground(r, &r->bodies[b], frame);
}

pli_status pli_result_add_grounds(pli_result* r, pli_error* error) {
    extent e;
    if (r->half_space_count == 0) return PLI_OK;
    PLI_TRY(find_extent(r, &e, error));
    for (int i = 0; i < r->half_space_count; ++i) PLI_TRY(add_ground(r, i, &e, error));
    return PLI_OK;
}

// Side by side [Sutherland and Hodgman 1974, "Reentrant polygon clipping"].
void pli_polygon_cut(pli_polygon* p, const double point[3], const double normal[3]) {
    pli_polygon in = *p;
    p->count = 0;
    for (int i = 0; i < in.count; ++i) {
        const double *a = in.corner[i], *b = in.corner[(i + 1) % in.count];
        double da = pli_dot(a, normal, 3) - pli_dot(point, normal, 3);
        double db = pli_dot(b, normal, 3) - pli_dot(point, normal, 3);
        if (da >= 0 && p->count < PLI_POLYGON_CORNERS)
            memcpy(p->corner[p->count++], a, 3 * sizeof *a);
        if ((da >= 0) == (db >= 0) || p->count == PLI_POLYGON_CORNERS) continue;
        double* at = p->corner[p->count++];
        for (int c = 0; c < 3; ++c) at[c] = a[c] + da / (da - db) * (b[c] - a[c]);
    }
}
