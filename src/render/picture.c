// Pictures of bodies: memory, colours, what is drawn in which order.
#include "render/picture.h"

#include <math.h>
#include <stdlib.h>

pli_status pli_picture_init(pli_picture* picture, pli_memory* memory, const pli_result* result,
                            const pli_camera* camera, pli_picture_size size, pli_error* error) {
    *picture = (pli_picture){.memory = memory,
                             .result = result,
                             .camera = *camera,
                             .unit = fmax(0.8, fmin(size.width, size.height) / 480.0)};
    picture->canvas = (pli_canvas){.dim = 3, .width = size.width, .height = size.height};
    pli_status status;
    picture->rgb_size = 3 * (size_t)size.width * (size_t)size.height;
    PLI_TRY_CLEANUP(status, pli_picture_change(picture, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, picture->rgb, picture->rgb_size, error));
    PLI_TRY_CLEANUP(status,
                    pli_raster_init(&picture->raster, memory, size.width, size.height, error));
    return PLI_OK;
cleanup:
    pli_picture_free(picture);
    return status;
}

static void free_bodies(pli_picture* picture) {
    pli_memory* memory = picture->memory;
    for (int b = 0; b < picture->body_count && picture->bodies; ++b)
        PLI_FREE(memory, picture->bodies[b].sides, picture->bodies[b].side_room);
    PLI_FREE(memory, picture->bodies, picture->body_count);
    PLI_FREE(memory, picture->normals, picture->normal_room);
}

pli_status pli_picture_change(pli_picture* picture, pli_error* error) {
    const pli_result* result = picture->result;
    free_bodies(picture);
    picture->canvas.plane_count = result->half_space_count;
    picture->body_count = result->body_count;
    picture->normal_room = 0;
    for (int b = 0; b < result->body_count; ++b)
        picture->normal_room = pli_max_int(picture->normal_room, result->bodies[b].vertex_count);
    PLI_TRY(PLI_ALLOC(picture->memory, picture->bodies, result->body_count, error));
    PLI_TRY(PLI_ALLOC(picture->memory, picture->normals, picture->normal_room, error));
    return pli_picture_find_sides(picture, error);
}

void pli_picture_free(pli_picture* picture) {
    pli_memory* memory = picture->memory;
    if (!memory) return;
    free_bodies(picture);
    PLI_FREE(memory, picture->rgb, picture->rgb_size);
    pli_raster_free(&picture->raster);
    *picture = (pli_picture){0};
}

// ---- paint

void pli_picture_colour(const char* text, float rgb[3]) {
    long bits = strtol(text + 1, NULL, 16);
    for (int k = 0; k < 3; ++k) rgb[k] = (float)(bits >> (16 - 8 * k) & 255);
}

pli_paint pli_picture_paint(const char* dark, const char* light, int kind) {
    pli_paint paint = {.alpha = 1, .kind = (uint8_t)kind};
    pli_picture_colour(dark, paint.dark);
    pli_picture_colour(light, paint.light);
    return paint;
}

void pli_picture_place(const pli_picture* picture, const float point[3], double at[3]) {
    pli_point p = pli_canvas_place(&picture->canvas, (double)point[0], (double)point[1]);
    at[0] = p.x;
    at[1] = p.y;
    at[2] = picture->canvas.scale * (double)point[2];
}

// ---- the picture

static void draw_space(pli_picture* picture) {
    const double veil = 0.4; // of obstacles before bodies
    const pli_result* result = picture->result;
    pli_picture_draw_grounds(picture, true);
    pli_picture_draw_shadows(picture);
    bool obstacles = false;
    for (int b = 0; b < result->body_count; ++b) {
        picture->raster.layer = result->bodies[b].obstacle;
        obstacles = obstacles || result->bodies[b].obstacle;
        pli_picture_draw_body(picture, b);
    }
    picture->raster.layer = 0;
    if (obstacles) pli_raster_merge(&picture->raster, PLI_PICTURE_BODY, veil);
    pli_picture_draw_grounds(picture, false);
}

static void draw_plane(pli_picture* picture) {
    pli_picture_draw_half_planes(picture);
    for (int obstacle = 1; obstacle >= 0; --obstacle)
        for (int b = 0; b < picture->result->body_count; ++b)
            if (picture->result->bodies[b].obstacle == obstacle) pli_picture_draw_flat(picture, b);
}

void pli_picture_draw(pli_picture* picture) {
    float paper[3];
    pli_picture_colour("#fbfcfd", paper);
    pli_raster_clear(&picture->raster, paper);
    if (picture->result->dimension == 2)
        draw_plane(picture);
    else
        draw_space(picture);
    pli_raster_read(&picture->raster, picture->rgb);
}
