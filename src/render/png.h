// Pictures as PNG files.
#ifndef PLI_RENDER_PNG_H
#define PLI_RENDER_PNG_H

#include "base/file.h"
#include "base/memory.h"
#include "render/label.h"

// Writes all of a PNG; width, height >= 1. What the disk has against it is found when the file is
// committed.
pli_status pli_png_write(pli_file* file, pli_memory* memory, const pli_image* image,
                         pli_error* error);
// The same as base64, for an address "data:image/png;base64,".
pli_status pli_png_write_text(pli_file* file, pli_memory* memory, const pli_image* image,
                              pli_error* error);

#endif
