// See rules.h: rules -> classes -> table.
#include "collision/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A member and the words it matches, as indices into the sorted list of words.
typedef struct entry {
    const int32_t* words; // sorted, each once
    int count;
    int kind;
    int number; // index of the member
} entry;

// Needed only while the table is built.
typedef struct rule_builder {
    const pli_rules_def* def;
    pli_rules* rules;
    int word_count, word_room;
    const char** words; // of all rules, sorted, each once
    int answer_room;
    int32_t* answers; // words of the members, concatenated
    entry* entries;   // per member
    int* first;       // word_count + 1: start of each word's classes in `named`
    int named_room;
    int32_t* named; // per word the classes that match it
    int32_t* all;   // all classes
    int* source;    // per relation: the last rule that set friction; -1: none
    int source_capacity;
} rule_builder;

// ---- words

static int compare_texts(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static int compare_numbers(const void* a, const void* b) {
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

static pli_status gather_words(rule_builder* w, pli_error* error) {
    w->word_room = 2 * w->def->rule_count;
    PLI_TRY(PLI_ALLOC(w->rules->memory, w->words, w->word_room, error));
    int count = 0;
    for (int i = 0; i < w->word_room; ++i) {
        const char* word = w->def->rules[i / 2].between[i % 2];
        if (*word) w->words[count++] = word;
    }
    if (count > 0) qsort(w->words, (size_t)count, sizeof *w->words, compare_texts);
    for (int i = 0; i < count; ++i)
        if (i == 0 || strcmp(w->words[i], w->words[w->word_count - 1]) != 0)
            w->words[w->word_count++] = w->words[i];
    return PLI_OK;
}

// The index of a word, or -1: no rule uses it.
static int32_t number_of(const rule_builder* w, const char* word) {
    if (w->word_count == 0 || !word) return -1;
    const char** at =
        bsearch(&word, w->words, (size_t)w->word_count, sizeof *w->words, compare_texts);
    return at ? (int32_t)(at - w->words) : -1;
}

static int drop_doubles(int count, int32_t* list) {
    int kept = 0;
    if (count > 0) qsort(list, (size_t)count, sizeof *list, compare_numbers);
    for (int i = 0; i < count; ++i)
        if (i == 0 || list[i] != list[kept - 1]) list[kept++] = list[i];
    return kept;
}

static pli_status gather_answers(rule_builder* w, pli_error* error) {
    const pli_rules_def* def = w->def;
    int room = 0;
    for (int i = 0; i < def->member_count; ++i) {
        if (def->members[i].tag_count > INT32_MAX - 1 - room)
            return pli_fail(error, PLI_E_MEMORY, "contact rules: too many tags");
        room += 1 + def->members[i].tag_count;
    }
    PLI_TRY(PLI_ALLOC(w->rules->memory, w->answers, room, error));
    w->answer_room = room;
    PLI_TRY(PLI_ALLOC(w->rules->memory, w->entries, def->member_count, error));
    int32_t* to = w->answers;
    for (int i = 0; i < def->member_count; ++i) {
        const pli_member* member = &def->members[i];
        int count = 0;
        for (int k = -1; k < member->tag_count; ++k) {
            int32_t word = number_of(w, k < 0 ? member->name : member->tags[k]);
            if (word >= 0) to[count++] = word;
        }
        count = drop_doubles(count, to);
        w->entries[i] =
            (entry){.words = to, .count = count, .kind = (int)member->kind, .number = i};
        to += count;
    }
    return PLI_OK;
}

// ---- classes

// Order of the classes; members of one class compare equal.
static int compare_classes(const entry* a, const entry* b) {
    if (a->kind != b->kind) return a->kind - b->kind;
    if (a->kind == PLI_MEMBER_HALF_SPACE) return a->number - b->number;
    if (a->count != b->count) return a->count - b->count;
    for (int i = 0; i < a->count; ++i)
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

static int compare_entries(const void* a, const void* b) {
    const entry *one = a, *other = b;
    int order = compare_classes(one, other);
    return order != 0 ? order : one->number - other->number;
}

// Leaves one entry per class at the front of the entries.
static pli_status make_classes(rule_builder* w, pli_error* error) {
    pli_rules* rules = w->rules;
    entry* e = w->entries;
    int count = w->def->member_count;
    PLI_TRY(PLI_ALLOC(rules->memory, rules->classes, count, error));
    rules->member_count = count;
    if (count > 0) qsort(e, (size_t)count, sizeof *e, compare_entries);
    for (int i = 0; i < count; ++i) {
        if (i == 0 || compare_classes(&e[i], &e[rules->class_count - 1]) != 0) {
            rules->solid_count += e[i].kind != PLI_MEMBER_HALF_SPACE;
            e[rules->class_count++] = e[i];
        }
        rules->classes[e[i].number] = rules->class_count - 1;
    }
    if (rules->class_count > PLI_CLASS_LIMIT)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "contact rules sort the bodies into %d classes, must be at most %d: name "
                        "fewer of them, or use tags",
                        rules->class_count, PLI_CLASS_LIMIT);
    return PLI_OK;
}

static pli_status unknown_word(const rule_builder* w, const char* word, pli_error* error) {
    int rule = 0;
    while (w->def->rules[rule].between[0] != word && w->def->rules[rule].between[1] != word) ++rule;
    pli_status status = pli_fail(
        error, PLI_E_ARGUMENT,
        "contact rule: \"%.60s\" is neither a name or tag of a body nor the name of a half-space",
        word);
    return pli_error_place(status, error, PLI_OBJECT_RULE, rule, "between");
}

// The classes of each word.
static pli_status name_classes(rule_builder* w, pli_error* error) {
    pli_memory* m = w->rules->memory;
    int classes = w->rules->class_count, sum = 0;
    PLI_TRY(PLI_ALLOC(m, w->first, w->word_count + 1, error));
    PLI_TRY(PLI_ALLOC(m, w->all, classes, error));
    for (int c = 0; c < classes; ++c) w->all[c] = c;
    for (int c = 0; c < classes; ++c)
        for (int k = 0; k < w->entries[c].count; ++k) w->first[w->entries[c].words[k] + 1]++;
    for (int i = 0; i < w->word_count; ++i) {
        if (w->first[i + 1] == 0 && !w->def->lenient) return unknown_word(w, w->words[i], error);
        sum = w->first[i + 1] += sum;
    }
    PLI_TRY(PLI_ALLOC(m, w->named, sum, error));
    w->named_room = sum;
    // `first` advances while the lists are filled and ends one place further.
    for (int c = 0; c < classes; ++c)
        for (int k = 0; k < w->entries[c].count; ++k)
            w->named[w->first[w->entries[c].words[k]]++] = c;
    for (int i = w->word_count; i > 0; --i) w->first[i] = w->first[i - 1];
    w->first[0] = 0;
    return PLI_OK;
}

static int classes_of(const rule_builder* w, const char* word, const int32_t** list) {
    *list = w->all;
    if (!*word) return w->rules->class_count;
    int32_t number = number_of(w, word);
    *list = w->named + w->first[number];
    return w->first[number + 1] - w->first[number];
}

// ---- the table

// The index of a relation, which is added if it does not exist.
static pli_status find_relation(rule_builder* w, const pli_relation* r, int rule, uint16_t* number,
                                pli_error* error) {
    pli_rules* rules = w->rules;
    for (int i = 0; i < rules->relation_count; ++i) {
        const pli_relation* known = &rules->relations[i];
        if (known->pass != r->pass || known->allow_initial != r->allow_initial ||
            known->friction != r->friction || known->friction_static != r->friction_static)
            continue;
        *number = (uint16_t)i;
        return PLI_OK;
    }
    int count = rules->relation_count + 1;
    if (count > UINT16_MAX)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "contact rules define more than %d different relations", UINT16_MAX);
    PLI_TRY(PLI_GROW(rules->memory, rules->relations, rules->relation_capacity, count, error));
    PLI_TRY(PLI_GROW(rules->memory, w->source, w->source_capacity, count, error));
    rules->relations[count - 1] = *r;
    w->source[count - 1] = rule;
    rules->relation_count = count;
    *number = (uint16_t)(count - 1);
    return PLI_OK;
}

// The relation without rules.
static pli_status fill_defaults(rule_builder* w, pli_error* error) {
    pli_rules* rules = w->rules;
    int64_t classes = rules->class_count;
    PLI_TRY(PLI_ALLOC(rules->memory, rules->table, classes * (classes + 1) / 2, error));
    pli_relation between = {.friction = w->def->friction,
                            .friction_static = w->def->friction_static};
    pli_relation never = between;
    never.pass = true;
    uint16_t number;
    PLI_TRY(find_relation(w, &between, -1, &number, error)); // 0, as in the table
    for (int b = 0; b < rules->class_count; ++b) {
        const entry* e = &w->entries[b];
        if (e->kind == PLI_MEMBER_BODY) continue;
        const pli_member* member = &w->def->members[e->number];
        pli_relation on = {.friction = member->friction,
                           .friction_static = member->friction_static};
        PLI_TRY(
            find_relation(w, e->kind == PLI_MEMBER_OBSTACLE ? &never : &on, -1, &number, error));
        for (int a = 0; a <= b; ++a)
            if (e->kind == PLI_MEMBER_HALF_SPACE || w->entries[a].kind == PLI_MEMBER_OBSTACLE)
                rules->table[pli_class_pair(a, b)] = number;
    }
    return PLI_OK;
}

// `r` modified by the rule.
static pli_relation under(pli_relation r, const pli_contact_rule_def* rule) {
    r.pass = r.pass || rule->pass;
    r.allow_initial = r.allow_initial || rule->allow_initial;
    if (rule->friction >= 0) r.friction = rule->friction;
    if (rule->friction_static >= 0) r.friction_static = rule->friction_static;
    return r;
}

static pli_status check_initial(const rule_builder* w, const pli_contact_rule_def* rule,
                                pli_error* error) {
    for (int i = 0; i < 2 && rule->allow_initial; ++i) {
        const int32_t* list;
        int count = *rule->between[i] ? classes_of(w, rule->between[i], &list) : 0;
        for (int k = 0; k < count; ++k)
            if (w->entries[list[k]].kind == PLI_MEMBER_HALF_SPACE)
                return pli_error_key(
                    pli_fail(error, PLI_E_ARGUMENT,
                             "contact rule: \"%.60s\" is a half-space, where nothing may start "
                             "inside: allow_initial is for bodies",
                             rule->between[i]),
                    error, "allow_initial");
    }
    return PLI_OK;
}

static pli_status apply_rule(rule_builder* w, int number, pli_error* error) {
    const pli_contact_rule_def* rule = &w->def->rules[number];
    pli_rules* rules = w->rules;
    const int32_t* lists[2];
    int counts[2];
    PLI_TRY(check_initial(w, rule, error));
    for (int i = 0; i < 2; ++i) counts[i] = classes_of(w, rule->between[i], &lists[i]);
    // Neighbours in the table often have the same relation.
    int last = -1;
    uint16_t becomes = 0;
    for (int i = 0; i < counts[0]; ++i)
        for (int k = 0; k < counts[1]; ++k) {
            uint16_t* at = &rules->table[pli_class_pair(lists[0][i], lists[1][k])];
            if (*at != last) {
                pli_relation r = under(rules->relations[*at], rule);
                last = *at;
                PLI_TRY(find_relation(w, &r, number, &becomes, error));
            }
            *at = becomes;
        }
    return PLI_OK;
}

// 0 is replaced by the coefficient it stands for.
static pli_status finish_friction(rule_builder* w, pli_error* error) {
    for (int i = 0; i < w->rules->relation_count; ++i) {
        pli_relation* r = &w->rules->relations[i];
        if (r->friction_static == 0) r->friction_static = r->friction;
        if (r->friction_static >= r->friction || w->source[i] < 0) continue;
        const char* const* words = w->def->rules[w->source[i]].between;
        return pli_error_place(
            pli_fail(error, PLI_E_ARGUMENT,
                     "contact rule between \"%.60s\" and \"%.60s\": friction_static = %g is less "
                     "than friction = %g; set both in one rule",
                     words[0], words[1], r->friction_static, r->friction),
            error, PLI_OBJECT_RULE, w->source[i], "friction_static");
    }
    return PLI_OK;
}

static pli_status make(rule_builder* w, pli_error* error) {
    PLI_TRY(gather_words(w, error));
    PLI_TRY(gather_answers(w, error));
    PLI_TRY(make_classes(w, error));
    PLI_TRY(name_classes(w, error));
    PLI_TRY(fill_defaults(w, error));
    for (int i = 0; i < w->def->rule_count; ++i)
        PLI_TRY(pli_error_place(apply_rule(w, i, error), error, PLI_OBJECT_RULE, i, NULL));
    return finish_friction(w, error);
}

pli_status pli_rules_init(pli_rules* rules, pli_memory* memory, const pli_rules_def* def,
                          pli_error* error) {
    *rules = (pli_rules){.memory = memory};
    rule_builder w = {.def = def, .rules = rules};
    pli_status status = make(&w, error);
    PLI_FREE(memory, w.words, w.word_room);
    PLI_FREE(memory, w.answers, w.answer_room);
    PLI_FREE(memory, w.entries, def->member_count);
    PLI_FREE(memory, w.first, w.word_count + 1);
    PLI_FREE(memory, w.named, w.named_room);
    PLI_FREE(memory, w.all, rules->class_count);
    PLI_FREE(memory, w.source, w.source_capacity);
    return status;
}

void pli_rules_free(pli_rules* rules) {
    if (!rules->memory) return;
    int64_t classes = rules->class_count;
    PLI_FREE(rules->memory, rules->classes, rules->member_count);
    PLI_FREE(rules->memory, rules->table, classes * (classes + 1) / 2);
    PLI_FREE(rules->memory, rules->relations, rules->relation_capacity);
    *rules = (pli_rules){0};
}

bool pli_rules_have_friction(const pli_rules* rules, int32_t a) {
    bool somewhere = false;
    for (int i = 0; i < rules->relation_count; ++i)
        somewhere = somewhere || rules->relations[i].friction_static > 0;
    int first = a < 0 ? 0 : a, end = a < 0 ? rules->solid_count : a + 1;
    for (int i = first; somewhere && i < end; ++i)
        for (int k = 0; k < rules->solid_count && k <= i; ++k) {
            const pli_relation* r = pli_rules_between(rules, i, k);
            if (!r->pass && r->friction_static > 0) return true;
        }
    return false;
}

bool pli_rules_allow_initial(const pli_rules* rules) {
    for (int i = 0; i < rules->relation_count; ++i)
        if (rules->relations[i].allow_initial) return true;
    return false;
}
