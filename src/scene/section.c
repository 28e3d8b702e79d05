// Walking the rows of a section, and its defaults.
#include "scene/section.h"

#include <string.h>

static const pli_params* params_of(const pli_group* group) {
    return group->params ? group->params : pli_object_params(group->object);
}

size_t pli_section_size(const pli_section* section) {
    return section->variant ? sizeof(pli_tagged) : section->size;
}

const pli_param* pli_section_row(const pli_section* section, int i, size_t* offset) {
    *offset = (size_t)i * sizeof(double);
    if (i < section->packed.count) return &section->packed.rows[i];
    i -= section->packed.count;
    for (int g = 0; g < section->group_count; ++g) {
        const pli_group* group = &section->groups[g];
        const pli_params* params = params_of(group);
        for (int k = 0; k < params->count; ++k) {
            const pli_param* row = &params->rows[k];
            if (section->without && strcmp(row->name, section->without) == 0) continue;
            *offset = group->base + row->offset;
            if (i-- == 0) return row;
        }
    }
    return NULL;
}

const char* pli_section_key(const pli_section* section, int i) {
    size_t offset;
    int rows = 0;
    for (const pli_param* row; (row = pli_section_row(section, rows, &offset)); ++rows)
        if (rows == i) return row->name;
    return i - rows < section->part_count ? section->parts[i - rows].row.name : NULL;
}

// Texts that are not given are empty, not NULL.
static void init_group(const pli_group* group, void* data) {
    char* base = (char*)data + group->base;
    const pli_params* params = params_of(group);
    pli_params_default(params, base);
    for (int i = 0; i < params->count; ++i) {
        const pli_param* row = &params->rows[i];
        if (row->type == PLI_PARAM_TEXT) *(const char**)(void*)(base + row->offset) = "";
    }
}

void pli_section_init(const pli_section* section, void* data) {
    if (section->variant) {
        *(pli_tagged*)data = (pli_tagged){.variant = -1};
        return;
    }
    if (section->size > 0) memset(data, 0, section->size);
    for (int i = 0; i < section->packed.count; ++i)
        ((double*)data)[i] = section->packed.rows[i].default_value;
    for (int g = 0; g < section->group_count; ++g) init_group(&section->groups[g], data);
    for (int i = 0; i < section->part_count; ++i)
        if (section->parts[i].form == PLI_OBJECT)
            pli_section_init(section->parts[i].section, (char*)data + section->parts[i].row.offset);
    if (section->init) section->init(data);
}
