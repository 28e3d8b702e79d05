// Pictures of the frames, one PNG file each.
#include "export/export_film.h"
#include "render/png.h"

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
