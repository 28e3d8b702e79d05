// The pictures of a job: a first pass over some frames determines view and colours, then each frame
// is drawn.
#include "export/export_film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/raster.h"

static const double looking = 0.1; // fraction of the work

pli_picture_size pli_film_size_of(const pli_export_def* def) {
    return (pli_picture_size){def->width > 0 ? def->width : 1280,
                              def->height > 0 ? def->height : 720};
}

// ---- the request

static pli_status check_size(pli_picture_size size, pli_error* error) {
    int least = pli_min_int(size.width, size.height), most = pli_max_int(size.width, size.height);
    if (least >= PLI_PICTURE_LEAST && most <= PLI_RASTER_MOST) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "export: pictures of %d x %d pixels, each must be %d to %d", size.width,
                    size.height, PLI_PICTURE_LEAST, PLI_RASTER_MOST);
}

static const pli_field_info* field_of(const pli_export_job* job) {
    const char* key = job->def->fields;
    return key && strcmp(key, "body") != 0 ? pli_result_shown(job->result, key) : NULL;
}

static pli_status check_field(const pli_export_job* job, pli_error* error) {
    const char* key = job->def->fields;
    if (!key || strcmp(key, "body") == 0) return PLI_OK;
    return pli_result_check_field(job->result, key, strlen(key), error);
}

pli_status pli_film_check(const pli_export_job* job, pli_error* error) {
    pli_camera_place place;
    PLI_TRY(check_size(pli_film_size_of(job->def), error));
    if (job->def->view && job->result->dimension == 2)
        return pli_fail(
            error, PLI_E_ARGUMENT,
            "export: view \"%.40s\": a plane scene is always shown from above; omit the view",
            job->def->view);
    if (job->def->camera && (job->def->view || job->result->dimension == 2))
        return pli_fail(error, PLI_E_ARGUMENT, "export: camera: %s",
                        job->def->view ? "view is given too; omit one of them"
                                       : "a plane scene is always shown from above; use at and "
                                         "zoom");
    PLI_TRY(pli_camera_place_of(job->def->view, &place, error));
    return check_field(job, error);
}

// ---- the start

static pli_status start_picture(pli_film* film, pli_error* error) {
    const pli_export_def* def = film->job->def;
    const pli_result* result = film->job->result;
    pli_camera_place place;
    PLI_TRY(pli_camera_place_of(def->view, &place, error));
    pli_camera camera = pli_camera_at(result->dimension, result->gravity, place);
    PLI_TRY(pli_picture_init(&film->picture, film->job->memory, result, &camera,
                             pli_film_size_of(def), error));
    pli_caption_ramp(film->ramp);
    film->epoch = result->epoch;
    film->picture.values = film->values;
    film->picture.ramp = (const float(*)[3])film->ramp;
    return pli_framing_init(&film->framing, &film->picture, def, place, error);
}

// ---- colours by a field

static pli_status reserve_values(pli_film* film, pli_error* error) {
    const pli_export_job* job = film->job;
    if (!film->field) return PLI_OK;
    PLI_FREE(job->memory, film->values, film->room);
    PLI_FREE(job->memory, film->sorted, film->room);
    film->room = job->result->vertex_count;
    PLI_TRY(PLI_ALLOC(job->memory, film->values, film->room, error));
    return PLI_ALLOC(job->memory, film->sorted, film->room, error);
}

static int by_value(const void* a, const void* b) {
    double p = *(const double*)a, q = *(const double*)b;
    return (p > q) - (p < q);
}

// The element of a sorted list at quantile `part`.
static double quantile(const double* sorted, int count, double part) {
    return sorted[(int)lround(part * (count - 1))];
}

// The contribution of a frame to the range of the colours: a quantile, so that the few largest
// values, often at singular corners, do not make all others dark. Zeros do not count: most of a
// body has no contact.
static pli_status look_at_field(pli_film* film, int i, pli_error* error) {
    const double part = 0.995;
    const pli_result* result = film->job->result;
    int count = 0;
    if (!film->field) return PLI_OK;
    PLI_TRY(pli_result_read_values(&film->source, result, i * film->job->def->every,
                                   film->field->array, error));
    for (int b = 0; b < result->body_count; ++b)
        for (int k = 0; k < result->bodies[b].vertex_count && !result->bodies[b].obstacle; ++k) {
            double value = pli_result_size(&film->source, result->bodies[b].vertices[k]);
            if (isfinite(value) && value != 0) film->sorted[count++] = value;
        }
    if (count == 0) return PLI_OK;
    qsort(film->sorted, (size_t)count, sizeof *film->sorted, by_value);
    film->low = fmin(film->low, quantile(film->sorted, count, 1 - part));
    film->highs[film->high_count++] = quantile(film->sorted, count, part);
    return PLI_OK;
}

// Likewise a single impact must not make all other frames dark. Magnitudes start at 0, as in the
// viewer.
static void settle_range(pli_film* film) {
    const pli_export_def* def = film->job->def;
    const double part = 0.9;
    qsort(film->highs, (size_t)film->high_count, sizeof *film->highs, by_value);
    film->high = film->high_count > 0 ? quantile(film->highs, film->high_count, part) : 1;
    if (film->high_count == 0) film->low = 0; // all values are zero
    if (film->low >= 0 && film->low < 0.5 * film->high) film->low = 0;
    if (def->range[0] < def->range[1]) {
        film->low = def->range[0];
        film->high = def->range[1];
    }
    if (!(film->high > film->low)) film->high = film->low + fmax(1e-12, 1e-6 * fabs(film->low));
}

static pli_status read_colours(pli_film* film, int i, pli_error* error) {
    if (!film->field) return PLI_OK;
    PLI_TRY(pli_result_read_values(&film->source, film->job->result, i * film->job->def->every,
                                   film->field->array, error));
    for (int v = 0; v < film->room; ++v) {
        double at = (pli_result_size(&film->source, v) - film->low) / (film->high - film->low);
        film->values[v] = (float)(isnan(at) ? at : fmin(fmax(at, 0), 1));
    }
    return PLI_OK;
}

// ---- pictures

static void write_caption(pli_film* film) {
    const pli_export_job* job = film->job;
    pli_picture_size size = pli_film_size_of(job->def);
    double steps = job->frame_count - 1;
    film->caption = (pli_caption){.width = size.width,
                                  .height = size.height,
                                  .title = job->def->title ? job->def->title : job->result->title,
                                  .field = film->field,
                                  .low = film->low,
                                  .high = film->high,
                                  .ramp = (const float(*)[3])film->ramp};
    if (steps > 0) film->caption.time_step = (film->last_time - film->first_time) / steps;
}

// ---- directors of rods

static const char* const director_keys[3] = {"director_x", "director_y", "director_z"};

static pli_status reserve_directors(pli_film* film, pli_error* error) {
    const pli_result* result = film->job->result;
    film->marked = true;
    for (int k = 0; k < 3; ++k) {
        const char* key = director_keys[k];
        film->marked = film->marked && result->dimension == 3 &&
                       pli_result_check_field(result, key, strlen(key), NULL) == PLI_OK;
    }
    PLI_FREE(film->job->memory, film->directors, film->director_room);
    film->picture.directors = NULL;
    film->director_room = film->marked ? 3 * (size_t)result->vertex_count : 0;
    if (!film->marked) return PLI_OK;
    PLI_TRY(PLI_ALLOC(film->job->memory, film->directors, film->director_room, error));
    film->picture.directors = film->directors;
    return PLI_OK;
}

static pli_status read_directors(pli_film* film, int i, pli_error* error) {
    const pli_result* result = film->job->result;
    size_t count = film->director_room / 3;
    for (int k = 0; film->marked && k < 3; ++k) {
        PLI_TRY(pli_result_read_values(&film->mark, result, i * film->job->def->every,
                                       pli_result_shown(result, director_keys[k])->array, error));
        for (size_t v = 0; v < count; ++v) {
            double value = pli_result_size(&film->mark, (int)v);
            film->directors[3 * v + (size_t)k] = isfinite(value) ? (float)value : 0;
        }
    }
    for (size_t v = 0; v < count; ++v) {
        double from[3], seen[3];
        for (int k = 0; k < 3; ++k) from[k] = (double)film->directors[3 * v + (size_t)k];
        pli_camera_see(&film->picture.camera, from, seen);
        for (int k = 0; k < 3; ++k) film->directors[3 * v + (size_t)k] = (float)seen[k];
    }
    return PLI_OK;
}

// Frame i of the job. Everything that depends on the bodies is updated with them.
static pli_status read_frame(pli_film* film, int i, pli_error* error) {
    PLI_TRY(pli_export_frame(film->job, i, PLI_POSITIONS, &film->frame, error));
    if (film->job->result->epoch == film->epoch) return PLI_OK;
    film->epoch = film->job->result->epoch;
    PLI_TRY(reserve_values(film, error));
    film->picture.values = film->values;
    PLI_TRY(reserve_directors(film, error));
    PLI_TRY(pli_picture_change(&film->picture, error));
    PLI_TRY(pli_framing_change(&film->framing, error));
    if (film->framing.looks.count > 0) {
        pli_framing_see(&film->framing, &film->frame);
        pli_picture_find_creases(&film->picture);
    }
    return PLI_OK;
}

// The first, the last, and others evenly distributed between them.
static pli_status look(pli_film* film, pli_error* error) {
    pli_export_job* job = film->job;
    int count = pli_min_int(job->frame_count, PLI_FILM_LOOKS);
    film->low = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        int frame = count > 1 ? (int)((int64_t)i * (job->frame_count - 1) / (count - 1)) : 0;
        PLI_TRY(read_frame(film, frame, error));
        pli_framing_look(&film->framing, &film->frame);
        PLI_TRY(look_at_field(film, frame, error));
        film->last_time = film->frame.time;
        if (i == 0) film->first_time = film->frame.time;
        if (!pli_export_go_on(job, looking * (i + 1) / count)) return PLI_OK;
    }
    settle_range(film);
    write_caption(film);
    pli_framing_settle(&film->framing, job->def->no_text ? 0 : pli_caption_reserve(&film->caption));
    return PLI_OK;
}

pli_status pli_film_begin(pli_film* film, pli_export_job* job, pli_error* error) {
    *film = (pli_film){.job = job};
    film->field = field_of(job);
    PLI_TRY(reserve_values(film, error));
    PLI_TRY(start_picture(film, error));
    PLI_TRY(reserve_directors(film, error));
    return look(film, error);
}

pli_status pli_film_draw(pli_film* film, int i, pli_error* error) {
    PLI_TRY(read_frame(film, i, error));
    PLI_TRY(read_colours(film, i, error));
    pli_framing_see(&film->framing, &film->frame);
    PLI_TRY(read_directors(film, i, error));
    pli_picture_draw(&film->picture);
    if (!film->job->def->no_text)
        pli_caption_draw(&film->caption, film->picture.rgb, film->frame.time);
    return PLI_OK;
}

bool pli_film_go_on(pli_film* film, int done) {
    return pli_export_go_on(film->job, looking + (1 - looking) * done / film->job->frame_count);
}

void pli_film_end(pli_film* film) {
    pli_framing_free(&film->framing);
    pli_picture_free(&film->picture);
    pli_result_frame_free(&film->frame);
    pli_result_values_free(&film->source);
    pli_result_values_free(&film->mark);
    if (!film->job) return;
    PLI_FREE(film->job->memory, film->values, film->room);
    PLI_FREE(film->job->memory, film->sorted, film->room);
    PLI_FREE(film->job->memory, film->directors, film->director_room);
}

// ---- PNG files

int64_t pli_export_png_size(const pli_export_job* job) {
    pli_picture_size size = pli_film_size_of(job->def);
    return (int64_t)(0.06 * size.width * size.height) *
           job->frame_count; // few colours, large areas
}

pli_status pli_export_png_check(const pli_export_job* job, pli_error* error) {
    return pli_film_check(job, error);
}

static pli_status write_picture(pli_film* film, int i, pli_error* error) {
    pli_export_job* job = film->job;
    char name[48];
    pli_file file;
    pli_format(name, sizeof name, "frame_%06d.png", i);
    PLI_TRY(pli_file_create(&file, job->info->path, name, error));
    pli_image image = pli_picture_image(&film->picture);
    pli_status status = pli_png_write(&file, job->memory, &image, error);
    return pli_export_commit(job, &file, status, error);
}

pli_status pli_export_png(pli_export_job* job, pli_error* error) {
    pli_film film = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_film_begin(&film, job, error));
    PLI_TRY_CLEANUP(status, pli_remove_files(job->info->path, pli_export_is_frame, ".png", error));
    for (int i = 0; i < job->frame_count && !job->info->cancelled; ++i) {
        PLI_TRY_CLEANUP(status, pli_film_draw(&film, i, error));
        PLI_TRY_CLEANUP(status, write_picture(&film, i, error));
        pli_film_go_on(&film, i + 1);
    }
cleanup:
    pli_film_end(&film);
    return status;
}
