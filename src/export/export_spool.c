// The spool: floats, frame after frame, in a file that is unlinked right after it is opened, so
// that nothing of it is left in any case.
#define _POSIX_C_SOURCE 200809L // pread
#include "export/export.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static pli_status fail(const pli_export_job* job, const char* action, int code, pli_error* error) {
    return pli_fail(error, PLI_E_IO, "cannot %s the scratch file of %.300s: %s", action,
                    job->info->path, strerror(code));
}

static pli_status open_file(pli_spool* s, pli_error* error) {
    char path[PLI_EXPORT_PATH_SIZE + 16];
    pli_format(path, sizeof path, "%s.scratch.tmp", s->job->info->path);
    unlink(path);
    s->descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (s->descriptor < 0) return fail(s->job, "create", errno, error);
    unlink(path);
    return PLI_OK;
}

static pli_status allocate(pli_spool* s, pli_error* error) {
    const pli_result* result = s->job->result;
    pli_memory* memory = s->job->memory;
    PLI_TRY(PLI_ALLOC(memory, s->times, s->job->frame_count, error));
    PLI_TRY(PLI_ALLOC(memory, s->moves, result->body_count, error));
    PLI_TRY(PLI_ALLOC(memory, s->places, result->body_count, error));
    size_t largest = 0;
    for (int b = 0; b < result->body_count; ++b) {
        size_t size = 3 * (size_t)result->bodies[b].vertex_count;
        s->places[b] = s->frame_size;
        s->frame_size += (int64_t)size;
        if (size > largest) largest = size;
    }
    PLI_TRY(PLI_ALLOC(memory, s->block, largest, error));
    s->block_size = largest;
    return PLI_ALLOC(memory, s->first, s->frame_size, error);
}

static pli_status put(const pli_spool* s, size_t count, pli_error* error) {
    const char* bytes = (const char*)s->block;
    for (size_t left = count * sizeof *s->block; left > 0;) {
        ssize_t n = write(s->descriptor, bytes, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(s->job, "write", n < 0 ? errno : EIO, error);
        bytes += n;
        left -= (size_t)n;
    }
    return PLI_OK;
}

static pli_status add_frame(pli_spool* s, int i, pli_result_frame* frame, pli_error* error) {
    const pli_result* result = s->job->result;
    PLI_TRY(pli_export_frame(s->job, i, PLI_POSITIONS, frame, error));
    s->times[i] = frame->time;
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        size_t count = 3 * (size_t)body->vertex_count;
        float* first = s->first + s->places[b];
        pli_export_points(body, frame->positions, s->block);
        if (i == 0) memcpy(first, s->block, count * sizeof *first);
        s->moves[b] = s->moves[b] || memcmp(first, s->block, count * sizeof *first) != 0;
        PLI_TRY(put(s, count, error));
    }
    return PLI_OK;
}

pli_status pli_spool_create(pli_spool* spool, pli_export_job* job, double share, pli_error* error) {
    pli_result_frame frame = {0};
    pli_status status;
    *spool = (pli_spool){.job = job, .descriptor = -1};
    PLI_TRY_CLEANUP(status, allocate(spool, error));
    PLI_TRY_CLEANUP(status, open_file(spool, error));
    for (int i = 0; i < job->frame_count; ++i) {
        PLI_TRY_CLEANUP(status, add_frame(spool, i, &frame, error));
        if (!pli_export_go_on(job, share * (i + 1) / job->frame_count)) break;
    }
cleanup:
    pli_result_frame_free(&frame);
    if (status != PLI_OK) pli_spool_destroy(spool);
    return status;
}

void pli_spool_destroy(pli_spool* spool) {
    if (!spool->job) return;
    pli_memory* memory = spool->job->memory;
    int bodies = spool->job->result->body_count;
    if (spool->descriptor >= 0) close(spool->descriptor);
    PLI_FREE(memory, spool->times, spool->job->frame_count);
    PLI_FREE(memory, spool->moves, bodies);
    PLI_FREE(memory, spool->places, bodies);
    PLI_FREE(memory, spool->block, spool->block_size);
    PLI_FREE(memory, spool->first, spool->frame_size);
    *spool = (pli_spool){.descriptor = -1};
}

pli_status pli_spool_read(pli_spool* spool, int body, int frame, pli_error* error) {
    int64_t place = (int64_t)frame * spool->frame_size + spool->places[body];
    off_t at = (off_t)place * (off_t)sizeof *spool->block;
    size_t left = 3 * (size_t)spool->job->result->bodies[body].vertex_count * sizeof *spool->block;
    for (char* to = (char*)spool->block; left > 0;) {
        ssize_t n = pread(spool->descriptor, to, left, at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(spool->job, "read", n < 0 ? errno : EIO, error);
        to += n;
        at += n;
        left -= (size_t)n;
    }
    return PLI_OK;
}
