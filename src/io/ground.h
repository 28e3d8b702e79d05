// Half-spaces in pictures of scenes in space: a square of their surface with a grid.
#ifndef PLI_IO_GROUND_H
#define PLI_IO_GROUND_H

#include "io/camera.h"
#include "io/canvas.h"

// Those whose surface is seen (`facing`), to be covered by bodies; or the others, which bodies are
// seen through.
void pli_ground_draw(const pli_canvas* canvas, const pli_camera* camera, bool facing);

#endif
