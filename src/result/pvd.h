// The list of frames with their times that ParaView opens as one animation.
#ifndef PLI_RESULT_PVD_H
#define PLI_RESULT_PVD_H

#include "base/pack.h"

#define PLI_FRAME_NAME_SIZE 32
#define PLI_PVD_NAME "run.pvd"

// "frame_000012.vtu"
const char* pli_frame_name(int frame, char name[PLI_FRAME_NAME_SIZE]);
// "contacts_000012.vtu"
const char* pli_contacts_name(int frame, char name[PLI_FRAME_NAME_SIZE]);

// The lines of the frames listed so far, so that extending the list costs only the new lines.
typedef struct pli_pvd {
    pli_pack lines;
    int count; // of frames
} pli_pvd;

void pli_pvd_init(pli_pvd* pvd, pli_memory* memory);
void pli_pvd_free(pli_pvd* pvd);   // zeroed is valid
void pli_pvd_forget(pli_pvd* pvd); // listed frames have changed
// The bytes of run.pvd, replacing the contents of `out`: see below. Frames listed before must be
// unchanged.
pli_status pli_pvd_pack(pli_pvd* pvd, const double* times, int count, const bool* contacts,
                        pli_pack* out, pli_error* error);
// Writes folder/run.pvd for frames 0 .. count - 1 at `times` [s], complete or not at all. A time
// whose entry of `contacts` (NULL: none) is true has two parts: the frame and its contacts.
pli_status pli_pvd_write(const double* times, int count, const bool* contacts, const char* folder,
                         pli_memory* memory, pli_error* error);

#endif
