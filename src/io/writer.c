// The writer: a ring of jobs, one thread. Jobs [done, submitted) are on their way; job n lies in
// slot n % PLI_WRITER_SLOTS.
#define _POSIX_C_SOURCE 200809L
#include "io/writer.h"

#include <pthread.h>
#include <signal.h>

#include "io/file.h"

struct pli_writer {
    pli_memory* memory;
    const char* folder;
    pli_vtu* vtu;
    pli_write_job jobs[PLI_WRITER_SLOTS];
    bool threaded;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t work, room;
    // Under the mutex.
    int64_t submitted, done;
    int frame_count;
    bool ends;
    pli_error failure; // status PLI_OK: none
};

// ---- files

static pli_status write_job(pli_writer* w, const pli_write_job* job, pli_error* error) {
    pli_file file;
    PLI_TRY(pli_file_create(&file, w->folder, job->name, error));
    if (job->kind == PLI_WRITE_FRAME || job->kind == PLI_WRITE_CONTACTS)
        pli_vtu_encode(w->vtu, &job->state, &file);
    else
        pli_file_write(&file, job->bytes.bytes, job->bytes.size);
    return job->kind == PLI_WRITE_CHECKPOINT ? pli_file_commit_settled(&file, w->folder, error)
                                             : pli_file_commit(&file, error);
}

// Does job `done` and takes note of what came of it. Called and left with the mutex held.
static void do_next(pli_writer* w) {
    const pli_write_job* job = &w->jobs[w->done % PLI_WRITER_SLOTS];
    bool skip = w->failure.status != PLI_OK;
    pli_error error = {0};
    pli_status status = PLI_OK;
    if (!skip) {
        pthread_mutex_unlock(&w->mutex);
        status = write_job(w, job, &error);
        pthread_mutex_lock(&w->mutex);
    }
    if (status != PLI_OK) w->failure = error;
    if (!skip && status == PLI_OK && job->kind == PLI_WRITE_FRAME) w->frame_count++;
    w->done++;
    pthread_cond_signal(&w->room);
}

static void* thread_main(void* context) {
    pli_writer* w = context;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        while (w->done == w->submitted && !w->ends) pthread_cond_wait(&w->work, &w->mutex);
        if (w->done == w->submitted) break;
        do_next(w);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

// Signals are for the program's own threads.
static bool start_thread(pli_writer* w) {
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
    bool good = pthread_create(&w->thread, NULL, thread_main, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

// ---- life

pli_status pli_writer_create(pli_memory* memory, const char* folder, pli_vtu* vtu,
                             pli_writer** writer, pli_error* error) {
    pli_writer* w;
    PLI_TRY(PLI_ALLOC(memory, w, 1, error));
    w->memory = memory;
    w->folder = folder;
    w->vtu = vtu;
    for (int i = 0; i < PLI_WRITER_SLOTS; ++i) pli_pack_init(&w->jobs[i].bytes, memory);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->work, NULL);
    pthread_cond_init(&w->room, NULL);
    w->threaded = start_thread(w);
    *writer = w;
    return PLI_OK;
}

void pli_writer_destroy(pli_writer* w) {
    if (!w) return;
    if (w->threaded) {
        pthread_mutex_lock(&w->mutex);
        w->ends = true;
        pthread_cond_signal(&w->work);
        pthread_mutex_unlock(&w->mutex);
        pthread_join(w->thread, NULL);
    }
    pthread_cond_destroy(&w->room);
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->mutex);
    for (int i = 0; i < PLI_WRITER_SLOTS; ++i) {
        pli_vtu_state_free(w->vtu, &w->jobs[i].state);
        pli_pack_free(&w->jobs[i].bytes);
    }
    pli_memory* memory = w->memory;
    PLI_FREE(memory, w, 1);
}

// ---- jobs

// Waits until at most `most` jobs are on their way, and hands over a failure. A failure is handed
// over when nothing is on its way any more: the frames that are there are then known.
static pli_status wait_for(pli_writer* w, int64_t most, pli_error* error) {
    pthread_mutex_lock(&w->mutex);
    while (w->submitted - w->done > (w->failure.status == PLI_OK ? most : 0))
        pthread_cond_wait(&w->room, &w->mutex);
    pli_error failure = w->failure;
    w->failure = (pli_error){0};
    pthread_mutex_unlock(&w->mutex);
    if (failure.status != PLI_OK && error) *error = failure;
    return failure.status;
}

pli_status pli_writer_begin(pli_writer* w, pli_write_job** job, pli_error* error) {
    PLI_TRY(wait_for(w, PLI_WRITER_SLOTS - 1, error));
    *job = &w->jobs[w->submitted % PLI_WRITER_SLOTS];
    return PLI_OK;
}

pli_status pli_writer_submit(pli_writer* w, pli_error* error) {
    const pli_write_job* job = &w->jobs[w->submitted % PLI_WRITER_SLOTS];
    bool grid = job->kind == PLI_WRITE_FRAME || job->kind == PLI_WRITE_CONTACTS;
    if (grid && !pli_vtu_has_room(w->vtu, &job->state)) { // the thread must not be using it
        PLI_TRY(wait_for(w, 0, error));
        PLI_TRY(pli_vtu_reserve(w->vtu, &job->state, error));
    }
    pthread_mutex_lock(&w->mutex);
    w->submitted++;
    if (w->threaded)
        pthread_cond_signal(&w->work);
    else
        do_next(w);
    pthread_mutex_unlock(&w->mutex);
    return PLI_OK;
}

pli_status pli_writer_wait(pli_writer* w, pli_error* error) { return wait_for(w, 0, error); }

int pli_writer_frame_count(pli_writer* w) {
    pthread_mutex_lock(&w->mutex);
    int count = w->frame_count;
    pthread_mutex_unlock(&w->mutex);
    return count;
}
