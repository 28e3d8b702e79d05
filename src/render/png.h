// Pictures as PNG files.
#ifndef PLI_RENDER_PNG_H
#define PLI_RENDER_PNG_H

#include "base/file.h"
#include "base/memory.h"

// Writes all of a PNG: 8-bit red, green, blue, row by row from the top; width, height >= 1. What
// the disk has against it is found when the file is committed.
pli_status pli_png_write(pli_file* file, pli_memory* memory, const unsigned char* rgb, int width,
                         int height, pli_error* error);

#endif
