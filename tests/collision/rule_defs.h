// Contact rules in a few words, for tests.
#ifndef TESTS_COLLISION_RULE_DEFS_H
#define TESTS_COLLISION_RULE_DEFS_H

#include "pliant/world.h"

static inline pli_contact_rule_def rule(const char* one, const char* other) {
    pli_contact_rule_def def = pli_default_contact_rule_def();
    def.between[0] = one;
    def.between[1] = other;
    return def;
}

static inline pli_contact_rule_def passes(const char* one, const char* other) {
    pli_contact_rule_def def = rule(one, other);
    def.pass = true;
    return def;
}

static inline pli_contact_rule_def slides(const char* one, const char* other, double friction,
                                          double friction_static) {
    pli_contact_rule_def def = rule(one, other);
    def.friction = friction;
    def.friction_static = friction_static;
    return def;
}

#endif
