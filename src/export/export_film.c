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
    return pli_framing_init(&film->framing, &film->picture, def, error);
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
                                  .title = job->result->title,
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
    if (film->framing.look_count > 0) {
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
    PLI_TRY(read_directors(film, i, error));
    pli_framing_see(&film->framing, &film->frame);
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

// ---- the visible range

// The part of the world that exported pictures show. First some frames are read, so that all
// pictures show the same part; then the points of each frame are transformed to camera coordinates.

pli_status pli_framing_init(pli_framing* framing, pli_picture* picture, const pli_export_def* def,
                            pli_error* error) {
    *framing =
        (pli_framing){.picture = picture, .zoom = def->zoom > 0 ? def->zoom : 1, .at = def->at};
    return pli_framing_change(framing, error);
}

pli_status pli_framing_change(pli_framing* framing, pli_error* error) {
    pli_picture* picture = framing->picture;
    const pli_result* result = picture->result;
    pli_memory* memory = picture->memory;
    PLI_FREE(memory, framing->points, framing->size);
    size_t points = 3 * (size_t)result->vertex_count, planes = 6 * (size_t)result->half_space_count;
    framing->size = points + planes;
    PLI_TRY(PLI_ALLOC(memory, framing->points, framing->size, error));
    framing->planes = framing->points + points;
    picture->canvas.points = framing->points;
    picture->canvas.planes = framing->planes;
    return PLI_OK;
}

void pli_framing_free(pli_framing* framing) {
    if (framing->points) PLI_FREE(framing->picture->memory, framing->points, framing->size);
    *framing = (pli_framing){0};
}

// A vector or, relative to the origin, a point in camera coordinates. Plane scenes have no depth.
static void see(const pli_framing* f, const double v[3], bool place, float out[3]) {
    double from[3], seen[3];
    for (int k = 0; k < 3; ++k) from[k] = v[k] - (place ? f->origin[k] : 0);
    if (f->picture->result->dimension == 2) from[2] = 0;
    pli_camera_see(&f->picture->camera, from, seen);
    for (int k = 0; k < 3; ++k) out[k] = (float)seen[k];
}

void pli_framing_see(pli_framing* f, const pli_result_frame* frame) {
    const pli_result* result = f->picture->result;
    for (int i = 0; i < result->half_space_count; ++i) {
        double plane[6];
        pli_result_plane(result, i, frame->positions, plane);
        see(f, plane, true, f->planes + 6 * i);
        see(f, plane + 3, false, f->planes + 6 * i + 3);
    }
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int i = 0; i < body->vertex_count; ++i) {
            size_t v = 3 * (size_t)body->vertices[i];
            see(f, frame->positions + v, true, f->points + v);
        }
    }
}

// Floats have about 7 digits: coordinates are relative to the middle of the first frame.
static void choose_origin(pli_framing* f, const pli_result_frame* frame) {
    double sum[3] = {0};
    for (int v = 0; v < frame->vertex_count; ++v)
        for (int k = 0; k < 3; ++k)
            sum[k] += frame->positions[3 * (size_t)v + (size_t)k] / frame->vertex_count;
    for (int k = 0; k < 3; ++k) f->origin[k] = isfinite(sum[k]) ? sum[k] : 0;
}

void pli_framing_look(pli_framing* f, const pli_result_frame* frame) {
    const pli_result* result = f->picture->result;
    bool first = f->look_count++ == 0;
    if (first) choose_origin(f, frame);
    pli_framing_see(f, frame);
    if (first) pli_picture_find_creases(f->picture);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int i = 0; i < body->vertex_count; ++i)
            for (int k = 0; k < 3; ++k) {
                double at = (double)f->points[3 * (size_t)body->vertices[i] + (size_t)k];
                low[k] = fmin(low[k], at - body->radius);
                high[k] = fmax(high[k], at + body->radius);
            }
    }
    for (int k = 0; k < 3; ++k) {
        if (first && k < 2) f->middle[k] = 0.5 * (low[k] + high[k]);
        f->low[k] = first ? low[k] : fmin(low[k], f->low[k]);
        f->high[k] = first ? high[k] : fmax(high[k], f->high[k]);
        if (k < 2) f->extent = fmax(f->extent, high[k] - low[k]);
    }
}

// Sets the range of the canvas from a scale and the centre.
static void aim(pli_framing* f, double reserve, double x, double y, double scale) {
    pli_canvas* c = &f->picture->canvas;
    if (f->at) {
        float seen[3];
        see(f, f->at, true, seen);
        x = (double)seen[0];
        y = (double)seen[1];
    }
    c->scale = scale * f->zoom;
    double left = 0.5 * (c->width - reserve) / c->scale;
    c->low = (pli_point){x - left, y - 0.5 * c->height / c->scale};
    c->high = (pli_point){x - left + c->width / c->scale, y + 0.5 * c->height / c->scale};
}

// The vertices of all frames with a margin. A body that flies away must not shrink the scene to a
// dot: at most ten times the largest frame is shown, around the middle of the first one.
void pli_framing_settle(pli_framing* f, double reserve) {
    const double travel = 10, margin = 0.07;
    pli_canvas* c = &f->picture->canvas;
    double limit = travel * f->extent, extent = 0;
    for (int k = 0; k < 2; ++k) {
        double *low = &f->low[k], *high = &f->high[k];
        if (limit > 0 && *high - *low > limit) {
            *low = fmin(fmax(f->middle[k] - limit / 2, *low), *high - limit);
            *high = *low + limit;
        }
        extent = fmax(extent, *high - *low);
    }
    if (!(extent > 0) || !isfinite(extent)) extent = 1; // a single point at rest, or nothing
    double width = f->high[0] - f->low[0] + 2 * margin * extent;
    double height = f->high[1] - f->low[1] + 2 * margin * extent;
    double x = 0.5 * (f->low[0] + f->high[0]), y = 0.5 * (f->low[1] + f->high[1]);
    if (!isfinite(x + y)) x = y = 0, width = height = extent;
    aim(f, reserve, x, y, fmin((c->width - reserve) / width, c->height / height));
    c->near = f->high[2];
    c->far = f->low[2];
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
