// Whole files as text. Only regular files are read: a pipe, a terminal or a device could keep a
// reader waiting for ever, or never end.
#ifndef PLI_BASE_READ_FILE_H
#define PLI_BASE_READ_FILE_H

#include "base/memory.h"

// Reads a file of at most `limit` bytes into *text with a NUL behind it; *size is the number of
// bytes with the NUL, as PLI_FREE wants it. PLI_E_IO: missing, not readable, not a regular file or
// too large. Outputs are untouched on failure.
pli_status pli_read_file(pli_memory* memory, const char* path, size_t limit, char** text,
                         size_t* size, pli_error* error);

#endif
