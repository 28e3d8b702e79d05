// The words and rules of a world: tags of bodies, names of half-spaces, rules, and the filter that
// comes of them.
#include "dynamics/world.h"

#include "base/text.h"

#include <math.h>

// ---- words

void pli_world_free_tags(pli_world* world, pli_body* body) {
    for (int i = 0; body->tags && i < body->def.tag_count; ++i)
        pli_free_text(&world->memory, &body->tags[i]);
    PLI_FREE(&world->memory, body->tags, body->def.tag_count);
}

pli_status pli_world_copy_tags(pli_world* world, const pli_body_def* def, pli_body* body,
                               pli_error* error) {
    if (def->tag_count < 0 || (def->tag_count > 0 && !def->tags))
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "tag_count = %d, but %s",
                                      def->tag_count,
                                      def->tag_count < 0 ? "must be >= 0" : "tags is NULL"),
                             error, "tags");
    PLI_TRY(PLI_ALLOC(&world->memory, body->tags, def->tag_count, error));
    for (int i = 0; i < def->tag_count; ++i) {
        const char* tag = def->tags[i] ? def->tags[i] : "";
        PLI_TRY(pli_copy_text(&world->memory, tag, &body->tags[i], error));
    }
    body->def.tags = (const char* const*)body->tags;
    return PLI_OK;
}

pli_status pli_world_name_half_space(pli_world* world, pli_half_space_def* def, pli_error* error) {
    char number[32], *copy;
    pli_format(number, sizeof number, "half-space %d", world->model.half_space_count);
    const char* name = def->name && *def->name ? def->name : number;
    PLI_TRY(pli_copy_text(&world->memory, name, &copy, error));
    def->name = copy;
    return PLI_OK;
}

// ---- rules

pli_status pli_world_check_friction(double friction, double friction_static, const char* what,
                                    pli_error* error) {
    if (friction_static == 0 || friction_static >= friction) return PLI_OK;
    pli_status status =
        pli_fail(error, PLI_E_ARGUMENT,
                 "%s: friction_static = %g, must be at least friction = %g (or 0: the same)", what,
                 friction_static, friction);
    return pli_error_key(status, error, "friction_static");
}

pli_contact_rule_def pli_default_contact_rule_def(void) {
    return (pli_contact_rule_def){.between = {"", ""}, .friction = -1, .friction_static = -1};
}

static pli_status check_rule(const pli_contact_rule_def* def, pli_error* error) {
    const double most = 100; // as of a half-space
    if (!(def->friction <= most) || !(def->friction_static <= most)) {
        pli_status status =
            pli_fail(error, PLI_E_ARGUMENT,
                     "contact rule: friction = %g, friction_static = %g, must be at most %g",
                     def->friction, def->friction_static, most);
        return pli_error_place(status, error, PLI_OBJECT_NONE, -1,
                               def->friction <= most ? "friction_static" : "friction");
    }
    if (def->friction_static < 0) return PLI_OK;
    return pli_world_check_friction(def->friction, def->friction_static, "contact rule", error);
}

static pli_status add_contact_rule(pli_world* world, const pli_contact_rule_def* def,
                                   pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    if (!def) return pli_fail(error, PLI_E_ARGUMENT, "contact rule: def is NULL");
    PLI_TRY(check_rule(def, error));
    pli_memory* m = &world->memory;
    PLI_TRY(PLI_GROW(m, world->model.rule_defs, world->model.rule_capacity,
                     world->model.rule_count + 1, error));
    char* words[2];
    PLI_TRY(pli_copy_text(m, def->between[0] ? def->between[0] : "", &words[0], error));
    pli_status status = pli_copy_text(m, def->between[1] ? def->between[1] : "", &words[1], error);
    if (status != PLI_OK) {
        pli_free_text(m, &words[0]);
        return status;
    }
    pli_contact_rule_def* rule = &world->model.rule_defs[world->model.rule_count++];
    *rule = *def;
    for (int i = 0; i < 2; ++i) rule->between[i] = words[i];
    return PLI_OK;
}

pli_status pli_world_add_contact_rule(pli_world* world, const pli_contact_rule_def* def,
                                      pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = add_contact_rule(world, def, error);
    pli_error_place(status, error, PLI_OBJECT_RULE, world->model.rule_count, NULL);
    return pli_world_leave(world, status);
}

pli_status pli_world_make_rules(pli_world* w, bool survey, pli_error* error) {
    pli_memory* m = &w->memory;
    pli_rules_free(&w->rules);
    int count = w->model.body_count + w->model.half_space_count;
    pli_member* members;
    PLI_TRY(PLI_ALLOC(m, members, count, error));
    for (int i = 0; i < w->model.body_count; ++i) {
        const pli_body* body = &w->model.bodies[i];
        members[i] =
            (pli_member){.kind = body->def.obstacle ? PLI_MEMBER_OBSTACLE : PLI_MEMBER_BODY,
                         .name = body->name,
                         .tags = body->def.tags,
                         .tag_count = body->def.tag_count};
    }
    for (int i = 0; i < w->model.half_space_count; ++i) {
        const pli_half_space_def* def = &w->model.half_spaces[i];
        members[w->model.body_count + i] = (pli_member){.kind = PLI_MEMBER_HALF_SPACE,
                                                        .name = def->name,
                                                        .friction = def->friction,
                                                        .friction_static = def->friction_static};
    }
    pli_rules_def def = {.member_count = count,
                         .members = members,
                         .rule_count = w->model.rule_count,
                         .rules = w->model.rule_defs,
                         .friction = w->model.def.contact.friction,
                         .friction_static = w->model.def.contact.friction_static,
                         .lenient = survey};
    pli_status status = pli_rules_init(&w->rules, m, &def, error);
    PLI_FREE(m, members, count);
    for (int i = 0; i < w->rules.relation_count && survey; ++i) {
        pli_relation* r = &w->rules.relations[i];
        r->pass = r->pass || r->allow_initial;
    }
    w->collision.filter.classes = w->rules.classes;
    w->collision.filter.table = w->rules.table;
    w->collision.filter.relations = w->rules.relations;
    w->collision.filter.exempt = &w->exempt;
    return status;
}

static void free_words(pli_memory* memory, const char** words, int count) {
    for (int i = 0; i < count; ++i) {
        char* own = (char*)words[i];
        pli_free_text(memory, &own);
    }
}

void pli_world_free_rules(pli_world* world) {
    pli_memory* m = &world->memory;
    for (int i = 0; i < world->model.half_space_count; ++i)
        free_words(m, &world->model.half_spaces[i].name, 1);
    PLI_FREE(m, world->model.half_spaces, world->model.half_space_capacity);
    for (int i = 0; i < world->model.rule_count; ++i)
        free_words(m, world->model.rule_defs[i].between, 2);
    PLI_FREE(m, world->model.rule_defs, world->model.rule_capacity);
    pli_rules_free(&world->rules);
    PLI_FREE(m, world->exempt.keys, world->exempt.capacity);
}
