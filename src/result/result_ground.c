// Converts half-spaces to surfaces as large as the scene needs.
#include "result/result.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

// The extent of some of the frames.
typedef struct extent {
    double middle[3], reach; // length of the diagonal
} extent;

static extent extent_of(const pli_result* r) {
    extent e = {.reach = 0};
    double size[3];
    for (int c = 0; c < 3; ++c) {
        size[c] = r->high[c] - r->low[c];
        e.middle[c] = 0.5 * (r->low[c] + r->high[c]);
    }
    e.reach = pli_norm(size, 3);
    if (!(e.reach > 0)) e.reach = 1;
    return e;
}

static pli_status include_frame(pli_result* r, int i, pli_error* error) {
    pli_frame_file file;
    double* positions = NULL;
    PLI_TRY(pli_frame_open(&file, r->memory, r->folder, i, error));
    size_t count = 3 * (size_t)file.point_count;
    pli_status status = PLI_ALLOC(r->memory, positions, count, error);
    if (status == PLI_OK) status = pli_frame_positions(&file, positions);
    for (size_t k = 0; k < count && status == PLI_OK; ++k) {
        r->low[k % 3] = fmin(r->low[k % 3], positions[k]);
        r->high[k % 3] = fmax(r->high[k % 3], positions[k]);
    }
    PLI_FREE(r->memory, positions, count);
    pli_frame_close(&file);
    return status;
}

// The first frame, the last and one between them. If one of the others cannot be read, its reader
// reports that.
pli_status pli_result_find_extent(pli_result* r, pli_error* error) {
    const int others[2] = {r->frame_count / 2, r->frame_count - 1};
    for (int c = 0; c < 3; ++c) r->low[c] = HUGE_VAL, r->high[c] = -HUGE_VAL;
    PLI_TRY(include_frame(r, 0, error));
    for (int i = 0; i < 2; ++i) {
        pli_error found = {0};
        if (include_frame(r, others[i], &found) != PLI_E_MEMORY) continue;
        if (error) *error = found;
        return PLI_E_MEMORY;
    }
    return PLI_OK;
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

// Counter-clockwise when seen from the free side.
static pli_polygon surface_of(const pli_result* r, int i, const extent* e, const double at[3]) {
    const double* normal = r->half_spaces[i].plane + 3;
    const double slack = 1e-5 * e->reach; // a plane listed twice must not clip itself
    pli_polygon p = {.count = 4};
    double u[2][3];
    find_directions(normal, u);
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c)
            p.corner[k][c] = at[c] + e->reach * ((k == 1 || k == 2 ? 1 : -1) * u[0][c] +
                                                 (k >= 2 ? 1 : -1) * u[1][c]);
    for (int j = 0, used = 0; j < r->half_space_count && used < PLI_POLYGON_CUTS; ++j) {
        double point[3];
        if (j == i || r->half_spaces[j].carrier >= 0) continue; // it moves
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

// Also the velocity of its carrier.
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
    const extent e = extent_of(r);
    for (int i = 0; i < r->half_space_count; ++i) PLI_TRY(add_ground(r, i, &e, error));
    return PLI_OK;
}

// Edge by edge [Sutherland and Hodgman 1974, "Reentrant polygon clipping"].
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
