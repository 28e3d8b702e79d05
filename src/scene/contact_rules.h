// Rules between bodies: contact.exclude, contact.allow_initial, contact.friction_pairs. A name in a
// rule is that of a body or obstacle (of copies: the name before the number), a contact_group or a
// material;
// "*": all.
#ifndef PLI_SCENE_CONTACT_RULES_H
#define PLI_SCENE_CONTACT_RULES_H

#include "scene/shape.h"

// Adds the names of a body for rules to its tags; `number` is that in the scene. They live in the
// arena.
pli_status pli_add_body_tags(pli_arena* arena, int number, pli_body_data* body, pli_error* error);

// Findings: unknown names, contradicting coefficients. Fails only without memory.
pli_status pli_check_rules(pli_builder* builder, pli_error* error);

// Whether contact.exclude has a body and a half-space.
bool pli_is_excluded(const pli_builder* builder, int body, int obstacle);

// Adds all rules to a world; its errors become findings. Fails only without memory.
pli_status pli_add_rules(pli_builder* builder, pli_world* world, pli_error* error);

#endif
