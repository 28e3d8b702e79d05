// Half-spaces in pictures of scenes in space: a square of their surface with a grid.
#ifndef PLI_RENDER_GROUND_H
#define PLI_RENDER_GROUND_H

#include "render/camera.h"
#include "render/canvas.h"

// Those whose surface is seen (`facing`), to be covered by bodies; or the others, which bodies are
// seen through.
void pli_ground_draw(const pli_canvas* canvas, const pli_camera* camera, bool facing);

// The same for others to draw: polygons, of lines with two corners, as the camera sees them [m].
typedef enum pli_ground_part {
    PLI_GROUND_TOP,
    PLI_GROUND_GRID,
    PLI_GROUND_VEIL, // a surface that bodies are seen through
} pli_ground_part;
typedef void pli_ground_fn(void* context, pli_ground_part part, int count,
                           const double (*corners)[3]);
void pli_ground_each(const pli_canvas* canvas, const pli_camera* camera, bool facing,
                     pli_ground_fn* draw, void* context);

// The plane that lies under the scene, if there is one alone; else -1.
int pli_ground_floor(const pli_canvas* canvas, const double up[3]);
// Where a point falls straight down on the plane, on the page [px].
pli_point pli_ground_shadow(const pli_canvas* canvas, const float* plane, const double up[3],
                            const float* point);

#endif
