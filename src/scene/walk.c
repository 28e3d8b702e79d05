// Recursion over sections.
#include "scene/walk.h"

#include "base/base.h"

#include <stdio.h>

#include "scene/tables.h"

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

// Each variant of a section, or what lies below the parts of each.
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
