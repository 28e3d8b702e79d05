// The arrays that frames may hold: pli_frame_field of pliant/scene.h, in words.
#ifndef PLI_SCENE_FRAME_FIELDS_H
#define PLI_SCENE_FRAME_FIELDS_H

#include "pliant/scene.h"

const char* pli_frame_field_help(int i); // NULL after the last

#endif
