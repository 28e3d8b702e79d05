// Looking at a result before its pictures are drawn, and drawing them.
#include "io/export_film.h"

static const double looking = 0.1; // part of the work

pli_film_size pli_film_size_of(const pli_export_def* def) {
    return (pli_film_size){def->width > 0 ? def->width : 1280, def->height > 0 ? def->height : 720};
}

static pli_status check_size(pli_film_size size, pli_error* error) {
    int least = pli_min_int(size.width, size.height), most = pli_max_int(size.width, size.height);
    if (least >= PLI_SHOT_LEAST && most <= PLI_RENDER_MOST) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "export: pictures of %d x %d pixels, each must be %d to %d", size.width,
                    size.height, PLI_SHOT_LEAST, PLI_RENDER_MOST);
}

// The first, the last, and others evenly between them.
static pli_status look(pli_film* film, pli_error* error) {
    enum { MOST = 40 };
    pli_export_job* job = film->job;
    int count = pli_min_int(job->frame_count, MOST);
    for (int i = 0; i < count; ++i) {
        int frame = count > 1 ? (int)((int64_t)i * (job->frame_count - 1) / (count - 1)) : 0;
        PLI_TRY(pli_export_frame(job, frame, PLI_POSITIONS, &film->frame, error));
        pli_shot_look(&film->shot, &film->frame);
        film->last_time = film->frame.time;
        if (i == 0) film->first_time = film->frame.time;
        if (!pli_export_go_on(job, looking * (i + 1) / count)) return PLI_OK;
    }
    pli_shot_settle(&film->shot);
    return PLI_OK;
}

pli_status pli_film_begin(pli_film* film, pli_export_job* job, pli_error* error) {
    pli_film_size size = pli_film_size_of(job->def);
    *film = (pli_film){.job = job};
    PLI_TRY(check_size(size, error));
    PLI_TRY(pli_shot_init(&film->shot, job->memory, job->result, size.width, size.height, error));
    return look(film, error);
}

pli_status pli_film_draw(pli_film* film, int i, pli_error* error) {
    PLI_TRY(pli_export_frame(film->job, i, PLI_POSITIONS, &film->frame, error));
    pli_shot_draw(&film->shot, &film->frame);
    return PLI_OK;
}

bool pli_film_go_on(pli_film* film, int done) {
    return pli_export_go_on(film->job, looking + (1 - looking) * done / film->job->frame_count);
}

void pli_film_end(pli_film* film) {
    pli_shot_free(&film->shot);
    pli_result_frame_free(&film->frame);
}
