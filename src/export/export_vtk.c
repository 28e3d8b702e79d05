// Surfaces for ParaView: a .vtu with the shown vertices and their data per frame, and run.pvd.
#define _POSIX_C_SOURCE 200809L // stat
#include "export/export.h"

#include <string.h>
#include <sys/stat.h>

#include "record/vtu.h"
#include "result/pvd.h"

// The shown vertices of all bodies as the world of a snapshot.
typedef struct surface {
    pli_export_job* job;
    pli_snapshot snapshot;
    int body_limit;
    int32_t *elements[3], *vertex_body, *vertices; // vertices: indices in the result
    bool* body_obstacle;
    double* values; // all arrays of the snapshot, VALUES per vertex
    double* body_radius;
    double* times;
    pli_vtu* vtu;
    pli_result_frame frame;
} surface;
enum {
    VALUES = 19 + PLI_SCALARS_KEPT,
    SURFACE_FIELDS = ((1 << PLI_FRAME_ENERGY) - 1) | 1 << PLI_FRAME_ENERGY_FIELDS // not of elements
};

static pli_status reserve(surface* s, pli_error* error) {
    pli_export_counts n = pli_export_count(s->job);
    pli_snapshot* view = &s->snapshot;
    pli_memory* memory = s->job->memory;
    const int64_t counts[3] = {n.points, n.segments, n.triangles};
    for (int kind = PLI_VERTEX; kind <= PLI_TRIANGLE; ++kind) {
        view->element_count[kind] = (int)counts[kind];
        size_t size = (size_t)pli_element_size((pli_element_kind)kind) * (size_t)counts[kind];
        PLI_TRY(PLI_ALLOC(memory, s->elements[kind], size, error));
        view->elements[kind] = s->elements[kind];
    }
    view->vertex_count = (int)n.vertices;
    for (int b = 0; b < s->job->result->body_count; ++b)
        s->body_limit = pli_max_int(s->body_limit, s->job->result->bodies[b].number + 1);
    view->body_count = s->body_limit;
    PLI_TRY(PLI_ALLOC(memory, s->vertex_body, n.vertices, error));
    PLI_TRY(PLI_ALLOC(memory, s->vertices, n.vertices, error));
    PLI_TRY(PLI_ALLOC(memory, s->body_obstacle, s->body_limit, error));
    PLI_TRY(PLI_ALLOC(memory, s->body_radius, s->body_limit, error));
    PLI_TRY(PLI_ALLOC(memory, s->values, VALUES * (size_t)n.vertices, error));
    view->vertex_body = s->vertex_body;
    view->body_obstacle = s->body_obstacle;
    view->body_radius = s->body_radius;
    return PLI_OK;
}

static void free_bodies(surface* s) {
    pli_memory* memory = s->job->memory;
    int count = s->snapshot.vertex_count;
    for (int kind = PLI_VERTEX; kind <= PLI_TRIANGLE; ++kind)
        PLI_FREE(memory, s->elements[kind],
                 (size_t)pli_element_size((pli_element_kind)kind) *
                     (size_t)s->snapshot.element_count[kind]);
    PLI_FREE(memory, s->vertex_body, count);
    PLI_FREE(memory, s->vertices, count);
    PLI_FREE(memory, s->body_obstacle, s->body_limit);
    PLI_FREE(memory, s->body_radius, s->body_limit);
    PLI_FREE(memory, s->values, VALUES * (size_t)count);
    pli_vtu_destroy(s->vtu);
    s->vtu = NULL;
    s->body_limit = 0;
    s->snapshot = (pli_snapshot){0};
}

static void fill_topology(surface* s) {
    int32_t first = 0, *next[3] = {s->elements[0], s->elements[1], s->elements[2]};
    for (int b = 0; b < s->job->result->body_count; ++b) {
        const pli_result_body* body = &s->job->result->bodies[b];
        const int32_t* const lists[3] = {body->points, body->segments, body->triangles};
        const int counts[3] = {body->point_count, body->segment_count, body->triangle_count};
        for (int kind = PLI_VERTEX; kind <= PLI_TRIANGLE; ++kind)
            for (int i = 0; i < counts[kind] * pli_element_size((pli_element_kind)kind); ++i)
                *next[kind]++ = first + lists[kind][i];
        for (int i = 0; i < body->vertex_count; ++i) {
            s->vertices[first] = body->vertices[i];
            s->vertex_body[first++] = body->number;
        }
        s->body_obstacle[body->number] = body->obstacle;
        s->body_radius[body->number] = body->radius;
    }
}

// The shown entries of an array over all vertices, appended to `values`.
static const double* gather(const surface* s, const double* all, int components, double** next) {
    double* out = *next;
    for (int i = 0; i < s->snapshot.vertex_count; ++i)
        for (int k = 0; k < components; ++k)
            *(*next)++ = all[(size_t)components * (size_t)s->vertices[i] + (size_t)k];
    return out;
}

// What energies showed: the fields behind those that every run may have.
static void fill_scalars(surface* s, double** next) {
    const pli_result* result = s->job->result;
    pli_snapshot* view = &s->snapshot;
    view->scalar_count = 0;
    for (int i = 0; i < result->shown_count && view->scalar_count < PLI_SCALARS_KEPT; ++i) {
        const pli_field_info* info = &result->shown[i];
        const pli_result_field* field = pli_result_find_field(&s->frame, info->array);
        if (pli_field_at(i).key || !field || field->components != 1) continue;
        view->scalars[view->scalar_count] =
            (pli_energy_field){info->array, info->label, info->unit};
        view->scalar_values[view->scalar_count++] = gather(s, field->values, 1, next);
    }
}

static void fill_state(surface* s) {
    pli_snapshot* view = &s->snapshot;
    double* next = s->values;
    const struct {
        const char* name;
        int components;
        const double** out;
    } rows[] = {
        {"velocity", 3, &view->velocities},
        {"displacement", 3, &view->rest},
        {"reaction", 3, &view->reactions},
        {"contact_force", 3, &view->contact_forces},
        {"friction_force", 3, &view->friction_forces},
        {"mass", 1, &view->masses},
    };
    view->time = s->frame.time;
    view->positions = gather(s, s->frame.positions, 3, &next);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const pli_result_field* field = pli_result_find_field(&s->frame, rows[i].name);
        bool good = field && field->components == rows[i].components;
        *rows[i].out = good ? gather(s, field->values, rows[i].components, &next) : NULL;
    }
    fill_scalars(s, &next);
    if (view->rest) {
        double* rest = s->values + (view->rest - s->values); // holds the displacement
        for (int i = 0; i < 3 * view->vertex_count; ++i) rest[i] = view->positions[i] - rest[i];
    }
    if (!view->contact_forces || !view->friction_forces)
        view->contact_forces = view->friction_forces = NULL;
}

static pli_status write_frame(surface* s, int i, pli_error* error) {
    char name[PLI_FRAME_NAME_SIZE], path[PLI_EXPORT_PATH_SIZE + PLI_FRAME_NAME_SIZE];
    static const pli_vtu_choice choice = {.fields = SURFACE_FIELDS, .exact = true, .small = true};
    struct stat status;
    const char* folder = s->job->info->path;
    PLI_TRY(pli_export_frame(s->job, i, PLI_ALL_FIELDS, &s->frame, error));
    if (i == 0 || s->job->result->epoch != s->snapshot.epoch) {
        free_bodies(s);
        PLI_TRY(reserve(s, error));
        fill_topology(s);
        s->snapshot.epoch = s->job->result->epoch;
    }
    fill_state(s);
    if (!s->vtu) // the first frame of the epoch holds the constant arrays
        PLI_TRY(pli_vtu_create(s->job->memory, &choice, &s->snapshot, &s->vtu, error));
    s->times[i] = s->frame.time;
    PLI_TRY(pli_vtu_write(s->vtu, &s->snapshot, folder, pli_frame_name(i, name), error));
    pli_format(path, sizeof path, "%s/%s", folder, name);
    s->job->info->file_count++;
    if (stat(path, &status) == 0) s->job->info->bytes += status.st_size;
    return PLI_OK;
}

// Roughly the size of the numbers: velocities and forces hardly compress.
int64_t pli_export_vtk_size(const pli_export_job* job) {
    pli_export_counts n = pli_export_count(job);
    return job->frame_count * (2000 + 80 * n.vertices + 12 * n.triangles);
}

pli_status pli_export_vtk(pli_export_job* job, pli_error* error) {
    surface s = {.job = job};
    int written = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(job->memory, s.times, job->frame_count, error));
    PLI_TRY_CLEANUP(status, pli_remove_files(job->info->path, pli_export_is_frame, ".vtu", error));
    while (written < job->frame_count) {
        PLI_TRY_CLEANUP(status, write_frame(&s, written, error));
        if (!pli_export_go_on(job, (double)++written / job->frame_count)) break;
    }
    PLI_TRY_CLEANUP(status,
                    pli_pvd_write(s.times, written, NULL, job->info->path, job->memory, error));
    job->info->file_count++;
cleanup:
    free_bodies(&s);
    PLI_FREE(job->memory, s.times, job->frame_count);
    pli_result_frame_free(&s.frame);
    return status;
}
