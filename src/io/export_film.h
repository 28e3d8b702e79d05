// The pictures of a job, one after the other; for PNG and MP4.
#ifndef PLI_IO_EXPORT_FILM_H
#define PLI_IO_EXPORT_FILM_H

#include "io/export.h"
#include "io/shot.h"

typedef struct pli_film_size {
    int width, height; // [px]
} pli_film_size;
pli_film_size pli_film_size_of(const pli_export_def* def); // what is not given is 1280 x 720

typedef struct pli_film {
    pli_export_job* job;
    pli_shot shot; // shot.rgb is the picture
    pli_result_frame frame;
    double first_time, last_time; // of the job's frames [s]
} pli_film;

// Looks at up to some dozen frames, so that all pictures show the same part of the world; the job
// may be cancelled afterwards.
pli_status pli_film_begin(pli_film* film, pli_export_job* job, pli_error* error);
pli_status pli_film_draw(pli_film* film, int i, pli_error* error);
bool pli_film_go_on(pli_film* film, int done); // pictures that are written
void pli_film_end(pli_film* film);             // zeroed is fine

#endif
