// Point caches: per body an OBJ file of its first frame, and its vertices in the same order for all
// frames. PC2 is
//     "POINTCACHE2" [12 bytes], version 1, points, first frame, frames per sample, samples; numbers
// in little endian; MDD is
//     samples, points, times [s]; numbers
// in big endian. Integers and floats have 4 bytes.
#include "export/export.h"

// The header of a file, before the numbers of all frames.
typedef void head_fn(const pli_spool* spool, const pli_result_body* body, pli_file* file);

typedef struct cache_kind {
    const char* ending;
    bool big; // big endian
    head_fn* write_head;
} cache_kind;

static void write_pc2_head(const pli_spool* spool, const pli_result_body* body, pli_file* file) {
    const int32_t words[2] = {1, body->vertex_count}, samples = spool->job->frame_count;
    const float frames[2] = {0, 1};
    pli_file_write(file, "POINTCACHE2", 12);
    pli_file_words(file, words, 2, false);
    pli_file_words(file, frames, 2, false);
    pli_file_words(file, &samples, 1, false);
}

static void write_mdd_head(const pli_spool* spool, const pli_result_body* body, pli_file* file) {
    const int32_t words[2] = {spool->job->frame_count, body->vertex_count};
    pli_file_words(file, words, 2, true);
    for (int i = 0; i < spool->job->frame_count; ++i) {
        float time = (float)(spool->times[i] - spool->times[0]);
        pli_file_words(file, &time, 1, true);
    }
}

static pli_status write_obj(pli_export_job* job, pli_spool* spool, int b, pli_error* error) {
    const pli_result_body* body = &job->result->bodies[b];
    char name[160];
    pli_file file;
    PLI_TRY(pli_spool_read(spool, b, 0, error));
    pli_format(name, sizeof name, "%s.obj", body->word);
    PLI_TRY(pli_file_create(&file, job->info->path, name, error));
    pli_export_obj_body(&file, body, spool->block, 1);
    return pli_export_commit(job, &file, PLI_OK, error);
}

static pli_status write_body(pli_export_job* job, pli_spool* spool, const cache_kind* kind, int b,
                             pli_error* error) {
    const pli_result_body* body = &job->result->bodies[b];
    char name[160];
    pli_file file;
    pli_status status = PLI_OK;
    PLI_TRY(write_obj(job, spool, b, error));
    pli_format(name, sizeof name, "%s%s", body->word, kind->ending);
    PLI_TRY(pli_file_create(&file, job->info->path, name, error));
    kind->write_head(spool, body, &file);
    for (int i = 0; i < job->frame_count && status == PLI_OK; ++i) {
        status = pli_spool_read(spool, b, i, error);
        if (status == PLI_OK)
            pli_file_words(&file, spool->block, 3 * (size_t)body->vertex_count, kind->big);
        double part = (b + (i + 1.0) / job->frame_count) / job->result->body_count;
        if (!pli_export_go_on(job, 0.5 + 0.5 * part)) break;
    }
    return pli_export_commit(job, &file, status, error);
}

static pli_status write_caches(pli_export_job* job, const cache_kind* kind, pli_error* error) {
    pli_spool spool;
    PLI_TRY(pli_spool_create(&spool, job, 0.5, error));
    pli_status status = PLI_OK;
    for (int b = 0; b < job->result->body_count; ++b)
        if (status == PLI_OK && !job->info->cancelled)
            status = write_body(job, &spool, kind, b, error);
    pli_spool_destroy(&spool);
    return status;
}

int64_t pli_export_cache_size(const pli_export_job* job) {
    pli_export_counts n = pli_export_count(job);
    return 12 * job->frame_count * n.vertices + 33 * n.vertices + 20 * n.triangles;
}

pli_status pli_export_pc2(pli_export_job* job, pli_error* error) {
    static const cache_kind kind = {".pc2", false, write_pc2_head};
    return write_caches(job, &kind, error);
}

pli_status pli_export_mdd(pli_export_job* job, pli_error* error) {
    static const cache_kind kind = {".mdd", true, write_mdd_head};
    return write_caches(job, &kind, error);
}
