// Frames as VTK unstructured grids (.vtu): XML head, then all arrays as appended raw data in zlib
// blocks (header_type UInt64). Opens in ParaView and everything else that uses VTK's reader.
#ifndef PLI_IO_VTU_H
#define PLI_IO_VTU_H

#include "base/memory.h"
#include "io/snapshot.h"

// Keeps its buffers from frame to frame.
typedef struct pli_vtu pli_vtu;

pli_status pli_vtu_create(pli_memory* memory, pli_vtu** vtu, pli_error* error);
void pli_vtu_destroy(pli_vtu* vtu); // NULL is fine

// Writes folder/name, complete or not at all.
pli_status pli_vtu_write(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                         const char* name, pli_error* error);
// The same without what is known of elements: energy, stress, stretches.
pli_status pli_vtu_write_surface(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                                 const char* name, pli_error* error);
// The contacts of the snapshot: a line each, between the closest points. None is fine.
pli_status pli_vtu_write_contacts(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                                  const char* name, pli_error* error);

// Of all bytes of the file that was written last.
uint64_t pli_vtu_hash(const pli_vtu* vtu);

#endif
