// One file per frame with all bodies, their vertices concatenated: Wavefront OBJ and binary PLY.
#include "export/export.h"

#include <string.h>

enum { NAME_SIZE = 48 };

// Scratch of all frames.
typedef struct sequence {
    pli_export_job* job;
    const char* ending;
    pli_result_detail detail;
    pli_status (*write)(struct sequence* s, pli_file* file, pli_error* error);
    pli_result_frame frame;
    float* points; // 3 per vertex of a body
    int room;      // numbers
} sequence;

// ---- the loop over frames

bool pli_export_is_frame(const void* ending, const char* name) {
    static const char head[] = "frame_";
    if (strncmp(name, head, sizeof head - 1) != 0) return false;
    name += sizeof head - 1;
    size_t digits = strspn(name, "0123456789"), length = strlen(ending);
    if (digits < 6 || strncmp(name + digits, ending, length) != 0) return false;
    const char* rest = name + digits + length;
    return *rest == 0 || strcmp(rest, ".tmp") == 0;
}

// Room for the largest body of the frame.
static pli_status reserve(sequence* s, pli_error* error) {
    const pli_result* result = s->job->result;
    int largest = 0;
    for (int b = 0; b < result->body_count; ++b)
        largest = pli_max_int(largest, result->bodies[b].vertex_count);
    return PLI_GROW(s->job->memory, s->points, s->room, 3 * largest, error);
}

static pli_status write_frame(sequence* s, int i, pli_error* error) {
    char name[NAME_SIZE];
    pli_file file;
    PLI_TRY(pli_export_frame(s->job, i, s->detail, &s->frame, error));
    PLI_TRY(reserve(s, error));
    pli_format(name, sizeof name, "frame_%06d%s", i, s->ending);
    PLI_TRY(pli_file_create(&file, s->job->info->path, name, error));
    return pli_export_commit(s->job, &file, s->write(s, &file, error), error);
}

static pli_status write_sequence(sequence* s, pli_error* error) {
    pli_export_job* job = s->job;
    pli_status status;
    PLI_TRY_CLEANUP(status,
                    pli_remove_files(job->info->path, pli_export_is_frame, s->ending, error));
    for (int i = 0; i < job->frame_count; ++i) {
        PLI_TRY_CLEANUP(status, write_frame(s, i, error));
        if (!pli_export_go_on(job, (i + 1.0) / job->frame_count)) break;
    }
cleanup:
    PLI_FREE(job->memory, s->points, s->room);
    pli_result_frame_free(&s->frame);
    return status;
}

// ---- OBJ

// Elements of one kind, as indices from 1.
static void write_parts(pli_file* file, const char* key, int width, int count, const int32_t* list,
                        int64_t first) {
    for (int i = 0; i < count; ++i) {
        pli_file_text(file, key);
        for (int k = 0; k < width; ++k) PLI_FILE_PRINT(file, " %lld", (long long)(first + *list++));
        pli_file_text(file, "\n");
    }
}

void pli_export_obj_body(pli_file* file, const pli_result_body* body, const float* points,
                         int64_t first) {
    PLI_FILE_PRINT(file, "o %s\n", body->word);
    for (int i = 0; i < body->vertex_count; ++i) {
        pli_file_text(file, "v");
        for (int k = 0; k < 3; ++k) {
            pli_file_text(file, " ");
            pli_file_float(file, *points++);
        }
        pli_file_text(file, "\n");
    }
    write_parts(file, "f", 3, body->triangle_count, body->triangles, first);
    write_parts(file, "l", 2, body->segment_count, body->segments, first);
    write_parts(file, "p", 1, body->point_count, body->points, first);
}

static pli_status write_obj(sequence* s, pli_file* file, pli_error* error) {
    int64_t first = 1;
    (void)error;
    pli_file_text(file, "# t = ");
    pli_file_number(file, s->frame.time);
    pli_file_text(file, " s\n");
    for (int b = 0; b < s->job->result->body_count; ++b) {
        const pli_result_body* body = &s->job->result->bodies[b];
        pli_export_points(body, s->frame.positions, s->points);
        pli_export_obj_body(file, body, s->points, first);
        first += body->vertex_count;
    }
    return PLI_OK;
}

int64_t pli_export_obj_size(const pli_export_job* job) {
    pli_export_counts n = pli_export_count(job);
    return job->frame_count * (33 * n.vertices + 20 * n.triangles + 14 * n.segments + 8 * n.points);
}

pli_status pli_export_obj(pli_export_job* job, pli_error* error) {
    sequence s = {.job = job, .ending = ".obj", .detail = PLI_POSITIONS, .write = write_obj};
    return write_sequence(&s, error);
}

// ---- PLY

// Per vertex: position, velocity, body.
static void write_vertices(const sequence* s, pli_file* file, const double* velocities) {
    for (int b = 0; b < s->job->result->body_count; ++b) {
        const pli_result_body* body = &s->job->result->bodies[b];
        int32_t number = body->number;
        for (int i = 0; i < body->vertex_count; ++i) {
            size_t at = 3 * (size_t)body->vertices[i];
            float row[6];
            for (size_t k = 0; k < 3; ++k) {
                row[k] = (float)s->frame.positions[at + k];
                row[3 + k] = velocities ? (float)velocities[at + k] : 0;
            }
            pli_file_words(file, row, 6, false);
            pli_file_words(file, &number, 1, false);
        }
    }
}

static void write_faces(const pli_result* result, pli_file* file) {
    static const unsigned char three = 3;
    int32_t first = 0;
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int t = 0; t < body->triangle_count; ++t) {
            const int32_t* v = body->triangles + 3 * (size_t)t;
            const int32_t corners[3] = {first + v[0], first + v[1], first + v[2]};
            pli_file_write(file, &three, 1);
            pli_file_words(file, corners, 3, false);
        }
        first += body->vertex_count;
    }
}

static void write_edges(const pli_result* result, pli_file* file) {
    int32_t first = 0;
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int e = 0; e < body->segment_count; ++e) {
            const int32_t* v = body->segments + 2 * (size_t)e;
            const int32_t ends[2] = {first + v[0], first + v[1]};
            pli_file_words(file, ends, 2, false);
        }
        first += body->vertex_count;
    }
}

static pli_status write_ply(sequence* s, pli_file* file, pli_error* error) {
    const pli_result_field* velocity = pli_result_find_field(&s->frame, "velocity");
    pli_export_counts n = pli_export_count(s->job);
    (void)error;
    pli_file_text(file, "ply\nformat binary_little_endian 1.0\ncomment t = ");
    pli_file_number(file, s->frame.time);
    PLI_FILE_PRINT(file,
                   " s\nelement vertex %lld\nproperty float x\nproperty float y\n"
                   "property float z\nproperty float vx\nproperty float vy\nproperty float vz\n"
                   "property int body\nelement face %lld\n"
                   "property list uchar int vertex_indices\n",
                   (long long)n.vertices, (long long)n.triangles);
    if (n.segments > 0)
        PLI_FILE_PRINT(file, "element edge %lld\nproperty int vertex1\nproperty int vertex2\n",
                       (long long)n.segments);
    pli_file_text(file, "end_header\n");
    write_vertices(s, file, velocity && velocity->components == 3 ? velocity->values : NULL);
    write_faces(s->job->result, file);
    write_edges(s->job->result, file);
    return PLI_OK;
}

int64_t pli_export_ply_size(const pli_export_job* job) {
    pli_export_counts n = pli_export_count(job);
    return job->frame_count * (300 + 28 * n.vertices + 13 * n.triangles + 8 * n.segments);
}

pli_status pli_export_ply(pli_export_job* job, pli_error* error) {
    sequence s = {.job = job, .ending = ".ply", .detail = PLI_VELOCITIES, .write = write_ply};
    return write_sequence(&s, error);
}
