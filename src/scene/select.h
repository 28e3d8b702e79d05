// Which vertices of a body a support, a motion or a load acts on.
#ifndef PLI_SCENE_SELECT_H
#define PLI_SCENE_SELECT_H

#include "scene/shape.h"

// Finds the vertices of a body at rest that a selection chooses; what is wrong with it becomes
// findings at `at` and leaves *chosen empty. Where the body is not sound, only numbers are looked
// at. Fails only without memory.
pli_status pli_select(pli_builder* builder, const pli_shape_of_body* shape,
                      const pli_selection* selection, const pli_path* at, pli_chosen* chosen,
                      pli_error* error);

#endif
