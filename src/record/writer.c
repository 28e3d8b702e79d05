// The writer: a ring of jobs, one thread. Jobs [done, submitted) are pending; job n is in slot n %
// slot_count.
//
// The thread is woken twice per batch: by the first job after it had nothing to do, then when half
// of the slots are full, when a caller waits for it, or after PATIENCE.
#define _POSIX_C_SOURCE 200809L
#include "record/writer.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/file.h"

enum {
    LEAST_SLOTS = 4,
    MOST_SLOTS = 32,
    ON_THE_WAY = 1 << 20, // [bytes] of pending frames
    KEPT_BYTES = 1 << 15, // that a slot keeps of a list or a checkpoint; larger ones are rare
    PATIENCE = 20000000,  // [ns]
};

struct pli_writer {
    pli_memory* memory;
    const char* folder;
    pli_vtu* vtu;
    int slot_count;
    pli_write_job* jobs;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t work, room;
    // Under the mutex.
    int64_t submitted, done;
    int64_t enough_room; // a waiting caller continues at this number of pending jobs
    int frame_count;
    bool ends, hurry;  // hurry: a caller waits for all jobs
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

// Runs job `done` and records its result. Called with the mutex held, and returns with it.
static void do_next(pli_writer* w) {
    const pli_write_job* job = &w->jobs[w->done % w->slot_count];
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
    if (w->submitted - w->done <= w->enough_room) pthread_cond_signal(&w->room);
}

// Half of the slots, so that the caller can fill the others meanwhile; with few slots every job.
static bool is_enough(const pli_writer* w) {
    int batch = w->slot_count > LEAST_SLOTS ? w->slot_count / 2 : 1;
    return w->submitted - w->done >= batch || w->hurry || w->ends;
}

static void wait_for_more(pli_writer* w) {
    struct timespec until;
    if (is_enough(w) || clock_gettime(CLOCK_MONOTONIC, &until) != 0) return;
    until.tv_nsec += PATIENCE;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!is_enough(w))
        if (pthread_cond_timedwait(&w->work, &w->mutex, &until) != 0) return;
}

static void* thread_main(void* context) {
    pli_writer* w = context;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        while (w->done == w->submitted && !w->ends) pthread_cond_wait(&w->work, &w->mutex);
        if (w->done == w->submitted) break;
        wait_for_more(w);
        while (w->done < w->submitted) do_next(w);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

// Signals are left to the threads of the program.
static bool start_thread(pli_writer* w) {
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
    bool good = pthread_create(&w->thread, NULL, thread_main, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

// ---- creation

int pli_writer_slots(size_t frame_size) {
    size_t slots = ON_THE_WAY / (frame_size + 1);
    return slots < LEAST_SLOTS ? LEAST_SLOTS : slots > MOST_SLOTS ? MOST_SLOTS : (int)slots;
}

// Uses the monotonic clock.
static void init_work(pli_writer* w) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&w->work, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

pli_status pli_writer_create(pli_memory* memory, const char* folder, pli_vtu* vtu, int slots,
                             pli_writer** writer, pli_error* error) {
    pli_writer* w;
    PLI_TRY(PLI_ALLOC(memory, w, 1, error));
    pli_status status = PLI_ALLOC(memory, w->jobs, slots, error);
    if (status != PLI_OK) {
        PLI_FREE(memory, w, 1);
        return status;
    }
    w->memory = memory;
    w->folder = folder;
    w->vtu = vtu;
    w->slot_count = slots;
    for (int i = 0; i < slots; ++i) pli_pack_init(&w->jobs[i].bytes, memory);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->room, NULL);
    init_work(w);
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
    for (int i = 0; i < w->slot_count; ++i) {
        pli_vtu_state_free(w->vtu, &w->jobs[i].state);
        pli_pack_free(&w->jobs[i].bytes);
    }
    pli_memory* memory = w->memory;
    PLI_FREE(memory, w->jobs, w->slot_count);
    PLI_FREE(memory, w, 1);
}

// ---- jobs

// If more than `most` jobs are pending, waits until `then` are; returns a failure. A failure is
// returned when no job is pending, because then the number of complete frames is known.
static pli_status wait_for(pli_writer* w, int64_t most, int64_t then, pli_error* error) {
    pthread_mutex_lock(&w->mutex);
    w->enough_room = then;
    while (w->submitted - w->done > (w->failure.status == PLI_OK ? most : 0)) {
        if (!w->hurry) pthread_cond_signal(&w->work);
        w->hurry = true;
        most = then;
        pthread_cond_wait(&w->room, &w->mutex);
    }
    w->hurry = false;
    pli_error failure = w->failure;
    w->failure = (pli_error){0};
    pthread_mutex_unlock(&w->mutex);
    if (failure.status != PLI_OK && error) *error = failure;
    return failure.status;
}

pli_status pli_writer_begin(pli_writer* w, pli_write_job** job, pli_error* error) {
    int most = w->slot_count - 1;
    PLI_TRY(wait_for(w, most, w->slot_count > LEAST_SLOTS ? most / 2 : most, error));
    *job = &w->jobs[w->submitted % w->slot_count];
    if ((*job)->bytes.capacity > KEPT_BYTES) {
        pli_pack_free(&(*job)->bytes);
        pli_pack_init(&(*job)->bytes, w->memory);
    }
    return PLI_OK;
}

pli_status pli_writer_submit(pli_writer* w, pli_error* error) {
    const pli_write_job* job = &w->jobs[w->submitted % w->slot_count];
    bool grid = job->kind == PLI_WRITE_FRAME || job->kind == PLI_WRITE_CONTACTS;
    if (grid && !pli_vtu_has_room(w->vtu, &job->state)) { // the thread must not be using it
        PLI_TRY(wait_for(w, 0, 0, error));
        PLI_TRY(pli_vtu_reserve(w->vtu, &job->state, error));
    }
    pthread_mutex_lock(&w->mutex);
    bool idle = w->submitted++ == w->done, enough = is_enough(w);
    if (!w->threaded)
        do_next(w);
    else if (idle || enough)
        pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->mutex);
    return PLI_OK;
}

pli_status pli_writer_wait(pli_writer* w, pli_error* error) { return wait_for(w, 0, 0, error); }

int pli_writer_frame_count(pli_writer* w) {
    pthread_mutex_lock(&w->mutex);
    int count = w->frame_count;
    pthread_mutex_unlock(&w->mutex);
    return count;
}
