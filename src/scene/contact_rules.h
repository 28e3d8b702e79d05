// Rules between bodies: contact.exclude, contact.allow_initial, contact.friction_pairs. Rules name
// bodies and obstacles by words: its name, of copies the name before the number, contact_group, the
// word of its material; "*" names all.
#ifndef PLI_SCENE_CONTACT_RULES_H
#define PLI_SCENE_CONTACT_RULES_H

#include "scene/shape.h"

// Adds the words of a body, beside its name, to its tags; `number` is that in the scene. They live
// in the arena.
pli_status pli_add_body_words(pli_arena* arena, int number, pli_body_data* body, pli_error* error);

// Findings: words that name nothing, coefficients that do not fit. Fails only without memory.
pli_status pli_check_rules(pli_builder* builder, pli_error* error);

// Whether contact.exclude lets a body pass through an obstacle that is a half-space.
bool pli_is_excluded(const pli_builder* builder, int body, int obstacle);

// Whether it lets two bodies pass through each other.
bool pli_are_excluded(const pli_builder* builder, int one, int other);

// Adds all rules to a world. What it refuses becomes findings. Fails only without memory.
pli_status pli_add_rules(pli_builder* builder, pli_world* world, pli_error* error);

#endif
