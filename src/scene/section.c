// Rows and defaults of sections, and the walk through all of them.
#include "scene/section.h"

#include "base/base.h"
#include "scene/tables.h"

#include <stdio.h>
#include <string.h>

static const pli_params* params_of(const pli_row_set* set) {
    return set->params.rows ? &set->params : pli_object_params(set->object);
}

size_t pli_section_size(const pli_section* section) {
    return section->variant ? sizeof(pli_tagged) : section->size;
}

const pli_param* pli_section_row(const pli_section* section, int i, size_t* offset) {
    *offset = (size_t)i * sizeof(double);
    if (i < section->packed.count) return &section->packed.rows[i];
    i -= section->packed.count;
    for (int s = 0; s < section->set_count; ++s) {
        const pli_row_set* set = &section->sets[s];
        const pli_params* params = params_of(set);
        for (int k = 0; k < params->count; ++k) {
            const pli_param* row = &params->rows[k];
            if (section->without && strcmp(row->name, section->without) == 0) continue;
            *offset = set->base + row->offset;
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
    const pli_part* part = pli_section_part(section, i - rows);
    return part ? part->row.name : NULL;
}

// Defaults of a def come from `init`, because it may have more than rows. Texts that are not given
// are empty, not NULL.
static void init_set(const pli_row_set* set, void* data) {
    char* base = (char*)data + set->base;
    const pli_params* params = params_of(set);
    if (set->params.rows) pli_params_default(params, base);
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
    if (section->init) section->init(data);
    for (int i = 0; i < section->packed.count; ++i)
        ((double*)data)[i] = section->packed.rows[i].default_value;
    for (int s = 0; s < section->set_count; ++s) init_set(&section->sets[s], data);
    for (int i = 0; i < section->part_count; ++i)
        if (section->parts[i].form == PLI_OBJECT)
            pli_section_init(section->parts[i].section, (char*)data + section->parts[i].row.offset);
}

// ---- all sections

enum { MOST_SECTIONS = 64 };

typedef struct walk {
    const pli_catalog* catalog;
    pli_topic_fn* visit;
    void* context;
    int seen_count;
    const pli_section* seen[MOST_SECTIONS]; // below parts; each is visited once
} walk;

static bool is_new(walk* w, const pli_section* section) {
    for (int i = 0; i < w->seen_count; ++i)
        if (w->seen[i] == section) return false;
    PLI_ASSERT(w->seen_count < MOST_SECTIONS);
    w->seen[w->seen_count++] = section;
    return true;
}

static void walk_section(walk* w, const pli_topic* topic);

static void walk_parts(walk* w, const pli_topic* topic) {
    for (int i = 0; i < topic->section->part_count; ++i) {
        const pli_part* part = &topic->section->parts[i];
        if (!part->section || !is_new(w, part->section)) continue;
        char where[128];
        pli_section_buffer buffer;
        snprintf(where, sizeof where, "%s%s%s%s", topic->where, topic->where[0] ? "." : "",
                 part->row.name, part->form == PLI_OBJECTS ? "[]" : "");
        const void* defaults = (const char*)topic->defaults + part->row.offset;
        if (part->form != PLI_OBJECT) {
            PLI_ASSERT(pli_section_size(part->section) <= sizeof buffer);
            pli_section_init(part->section, &buffer);
            defaults = &buffer;
        }
        walk_section(w, &(pli_topic){part->section, defaults, where, false});
    }
}

// Each variant of a section, or the sections below its parts.
static void walk_variants(walk* w, const pli_topic* topic, bool below) {
    pli_section variant;
    for (int i = 0; topic->section->variant && topic->section->variant(w->catalog, i, &variant);
         ++i) {
        pli_section_buffer buffer;
        PLI_ASSERT(variant.size <= sizeof buffer);
        pli_section_init(&variant, &buffer);
        const pli_topic at = {&variant, &buffer, topic->where, true};
        if (below)
            walk_parts(w, &at);
        else
            w->visit(w->context, &at);
    }
}

// The variants stay together.
static void walk_section(walk* w, const pli_topic* topic) {
    w->visit(w->context, topic);
    walk_variants(w, topic, false);
    walk_variants(w, topic, true);
    walk_parts(w, topic);
}

void pli_walk_sections(const pli_catalog* catalog, pli_topic_fn* visit, void* context) {
    walk w = {.catalog = catalog, .visit = visit, .context = context};
    pli_section_buffer buffer;
    PLI_ASSERT(pli_scene_section.size <= sizeof buffer);
    pli_section_init(&pli_scene_section, &buffer);
    walk_section(&w, &(pli_topic){&pli_scene_section, &buffer, "", false});
}
