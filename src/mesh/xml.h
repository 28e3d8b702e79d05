// The little of XML that VTK files need: tags with attributes, one after the other.
#ifndef PLI_MESH_XML_H
#define PLI_MESH_XML_H

#include "mesh/scan.h"

typedef struct pli_tag {
    char name[32];           // "" at the end of the file
    bool opens, closes;      // <a> opens, </a> closes, <a/> both
    const char *first, *end; // its attributes
} pli_tag;

// The next tag; the scan is then behind it. Text, comments and declarations are passed over.
pli_status pli_xml_next(pli_scan* scan, pli_tag* tag);

// The value of an attribute without its escapes, "" if there is none; cut to the size of the
// buffer. Returns `value`.
const char* pli_xml_attribute(const pli_tag* tag, const char* name, char* value, size_t size);

#endif
