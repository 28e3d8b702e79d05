// Contact rules, compiled into a table over pairs of classes (contact/filter.h).
//
// Members (bodies, half-spaces) that match the same words of the rules form a class: 10,000 bodies
// under ten words are a few classes. The table is filled rule after rule, so that a later rule
// overrides an earlier one.
#ifndef PLI_COLLISION_RULES_H
#define PLI_COLLISION_RULES_H

#include "base/memory.h"
#include "contact/filter.h"
#include "pliant/world.h"

typedef enum pli_member_kind {
    PLI_MEMBER_BODY,
    PLI_MEMBER_OBSTACLE,   // obstacles do not touch each other
    PLI_MEMBER_HALF_SPACE, // each in a separate class
} pli_member_kind;

// A body or half-space that rules may name.
typedef struct pli_member {
    pli_member_kind kind;
    const char* name;
    const char* const* tags;
    int tag_count;
    double friction, friction_static; // of a half-space; static 0: the same
} pli_member;

typedef struct pli_rules_def {
    int member_count;
    const pli_member* members;
    int rule_count;
    const pli_contact_rule_def* rules;
    double friction, friction_static; // between bodies, where no rule sets it; static 0: the same
    bool lenient;                     // words that match no member are no error
} pli_rules_def;

typedef struct pli_rules {
    pli_memory* memory;
    int member_count;
    int32_t* classes; // per member
    int class_count;
    int solid_count; // classes below this index are bodies and obstacles, the others
                     // half-spaces
    uint16_t* table; // see pli_filter
    int relation_count, relation_capacity;
    pli_relation* relations;
} pli_rules;

// PLI_E_ARGUMENT with the words: one that matches no member; a final friction_static below
// friction; allow_initial with a half-space. Free it in any case.
pli_status pli_rules_init(pli_rules* rules, pli_memory* memory, const pli_rules_def* def,
                          pli_error* error);
void pli_rules_free(pli_rules* rules);

static inline const pli_relation* pli_rules_between(const pli_rules* rules, int32_t a, int32_t b) {
    return &rules->relations[rules->table[pli_class_pair(a, b)]];
}

// Whether there is friction between class `a` (-1: any class of bodies) and some class of bodies.
bool pli_rules_have_friction(const pli_rules* rules, int32_t a);
// Whether some pair may intersect at t = 0.
bool pli_rules_allow_initial(const pli_rules* rules);

#endif
