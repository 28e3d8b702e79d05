// Tags and arrays of VTK's XML files.
#ifndef PLI_MESH_VTU_ARRAY_H
#define PLI_MESH_VTU_ARRAY_H

#include "mesh/scan.h"

// ---- tags: the subset of XML that VTK files need

typedef struct pli_tag {
    char name[32];           // "" at the end of the file
    bool opens, closes;      // <a> opens, </a> closes, <a/> both
    const char *first, *end; // its attributes
} pli_tag;

// The next tag; the scan is then after it. Text, comments and declarations are skipped.
pli_status pli_xml_next(pli_scan* scan, pli_tag* tag);

// The value of an attribute without its escapes, "" if there is none; truncated to the size of the
// buffer. Returns `value`.
const char* pli_xml_attribute(const pli_tag* tag, const char* name, char* value, size_t size);

// ---- arrays
//
// As text, as base64 in the tag, or appended at the end of the file as bytes or base64; compressed
// by zlib or not. All are presented as a scan over numbers.

// Properties of all arrays, from the header of the file.
typedef struct pli_vtu_layout {
    bool swap;            // byte order is not this machine's
    int header_size;      // bytes of a length before the data: 4 or 8
    bool compressed;      // by zlib
    const char* appended; // first byte after the '_'; NULL: there is no such part
    const char* end;      // of the file
    bool appended_base64; // otherwise raw bytes
} pli_vtu_layout;

// Reads the VTKFile tag of an unstructured grid and searches for appended data. The scan, which was
// at the start of the file, is then after the tag.
pli_status pli_vtu_layout_read(pli_vtu_layout* layout, pli_scan* scan);

typedef struct pli_vtu_array {
    char name[80];
    pli_number_type type;
    int components;
    char format;     // 't' text, 'b' base64 in the tag, 'a' appended
    uint64_t offset; // of appended data
    pli_scan start;  // at the text after the tag
} pli_vtu_array;

// Reads the attributes of a DataArray tag; the scan is after it.
pli_status pli_vtu_array_init(pli_vtu_array* array, const pli_tag* tag, const pli_scan* scan);

// A scan over exactly `count` numbers of the array. `bytes` bytes are to be freed by
// pli_vtu_array_close.
typedef struct pli_vtu_numbers {
    pli_scan scan;
    pli_memory* memory;
    char inside[100]; // name of the scan in messages
    unsigned char* data;
    size_t bytes;
} pli_vtu_numbers;
pli_status pli_vtu_array_open(const pli_vtu_array* array, const pli_vtu_layout* layout,
                              int64_t count, pli_memory* memory, pli_vtu_numbers* numbers);
void pli_vtu_array_close(pli_vtu_numbers* numbers);

#endif
