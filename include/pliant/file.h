// Folders and whole text files, for what programs write beside frames and charts.
#ifndef PLIANT_FILE_H
#define PLIANT_FILE_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes a folder and its parents; it may exist already.
PLI_API pli_status pli_make_folder(const char* path, pli_error* error);

// Writes a file, under a temporary name that becomes `path` when all of it is on the disk.
PLI_API pli_status pli_write_text(const char* path, const char* text, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
