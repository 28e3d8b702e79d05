// Measures: numbers of a run by name. A name is a path into the records of stats.jsonl; below
// "bodies" it is a field of the frames, averaged over a body.
#include "pliant/measure.h"

#include "base/text.h"
#include "pliant/replay.h"
#include "result/stats_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 256, PARTS_MOST = 8 };

// ---- what is asked for

typedef struct totals {
    int64_t count;
    double first, last, min, max, sum;
} totals;

static double first_of(const totals* t) { return t->first; }
static double last_of(const totals* t) { return t->last; }
static double min_of(const totals* t) { return t->min; }
static double max_of(const totals* t) { return t->max; }
static double mean_of(const totals* t) { return t->sum / (double)t->count; }
static double sum_of(const totals* t) { return t->sum; }

static const struct reduction {
    const char* name;
    double (*value)(const totals* t);
} reductions[] = {{"last", last_of}, {"first", first_of}, {"min", min_of},
                  {"max", max_of},   {"mean", mean_of},   {"sum", sum_of}};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

static const char* reduction_name(int i) { return i < REDUCTIONS ? reductions[i].name : NULL; }

typedef struct measure {
    const char* given;
    const struct reduction* reduction;
    bool reduced;         // it was named
    char text[TEXT_SIZE]; // the path, with NUL in place of the dots
    const char* parts[PARTS_MOST];
    int count;
    pli_measured_fn* found;
    void* context;
    char problem[256]; // why the path ended early in the last record where it did
    bool met;          // it was found at least once
} measure;

static pli_status cut_parts(measure* m, pli_error* error) {
    for (char* at = m->text;; ++at) {
        if (m->count == PARTS_MOST)
            return pli_fail(error, PLI_E_ARGUMENT, "measure \"%.100s\": more than %d names",
                            m->given, PARTS_MOST);
        m->parts[m->count++] = at;
        at += strcspn(at, ".");
        if (m->parts[m->count - 1] == at)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "measure \"%.100s\": a name is empty; an example: supports.bar.force.y",
                            m->given);
        if (!*at) return PLI_OK;
        *at = '\0';
    }
}

static pli_status read_measure(const char* text, measure* m, pli_error* error) {
    *m = (measure){.given = text, .reduction = reductions};
    if (!text || !*text || strlen(text) >= TEXT_SIZE)
        return pli_fail(error, PLI_E_ARGUMENT, "measure: its text is %s",
                        text && *text ? "too long" : "empty");
    size_t size = strlen(text), open = strcspn(text, "(");
    if (open == size) {
        memcpy(m->text, text, size + 1);
        return cut_parts(m, error);
    }
    char word[TEXT_SIZE];
    pli_format(word, sizeof word, "%.*s", (int)open, text);
    int i = 0;
    while (i < REDUCTIONS && strcmp(reductions[i].name, word) != 0) ++i;
    if (i == REDUCTIONS || text[size - 1] != ')') {
        const char* near = pli_nearest_word(word, reduction_name);
        return pli_fail(
            error, PLI_E_ARGUMENT,
            "measure \"%.100s\": must be NAME or one of first, last, min, max, mean, sum "
            "with (NAME)%s%s",
            text, near && i == REDUCTIONS ? ", did you mean " : "",
            near && i == REDUCTIONS ? near : "");
    }
    m->reduction = &reductions[i];
    m->reduced = true;
    memcpy(m->text, text + open + 1, size - open - 2);
    return cut_parts(m, error);
}

pli_status pli_measure_check(const char* text, pli_error* error) {
    measure m;
    return read_measure(text, &m, error);
}

// ---- records

// The word by which an entry of a list is called: body of a support, name of a joint, "a:b" of a
// contact.
static const char* entry_name(const json_t* entry, char buffer[TEXT_SIZE]) {
    const char* name = json_string_value(json_object_get(entry, "name"));
    if (!name) name = json_string_value(json_object_get(entry, "body"));
    const char* a = json_string_value(json_object_get(entry, "a"));
    const char* b = json_string_value(json_object_get(entry, "b"));
    if (a && b)
        pli_format(buffer, TEXT_SIZE, "%s:%s", a, b);
    else
        pli_format(buffer, TEXT_SIZE, "%s", name ? name : "");
    return buffer;
}

// A number from 0, or a component x, y, z; -1: neither.
static int as_index(const char* part, bool component) {
    const char* axis = component && !part[1] ? strchr("xyz", part[0]) : NULL;
    if (axis) return (int)(axis - "xyz");
    char* end;
    long number = strtol(part, &end, 10);
    return end != part && !*end && number >= 0 && number < 1000000 ? (int)number : -1;
}

static void add_word(char* list, size_t size, const char* word) {
    size_t used = strlen(list);
    pli_format(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

static const json_t* in_object(measure* m, const json_t* object, const char* part) {
    const json_t* found = json_object_get(object, part);
    if (found) return found;
    pli_nearest near = {.word = part};
    char list[160] = "";
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)(uintptr_t)object, key, value) {
        pli_nearest_try(&near, key);
        add_word(list, sizeof list, key);
    }
    pli_format(m->problem, sizeof m->problem, "there is no \"%.40s\"%s%.40s%s; there are %s", part,
               near.best ? ", did you mean \"" : "", near.best ? near.best : "",
               near.best ? "\"?" : "", *list ? list : "none");
    return NULL;
}

static const json_t* in_array(measure* m, const json_t* array, const char* part) {
    bool component = json_is_number(json_array_get(array, 0));
    int index = as_index(part, component), matches = 0;
    const json_t* match = NULL;
    char list[160] = "", name[TEXT_SIZE];
    for (size_t i = 0; !component && i < json_array_size(array); ++i) {
        const json_t* entry = json_array_get(array, i);
        if (strcmp(entry_name(entry, name), part) == 0) match = entry, ++matches;
        add_word(list, sizeof list, name);
    }
    if (matches == 1) return match;
    if (matches == 0 && index >= 0 && (size_t)index < json_array_size(array))
        return json_array_get(array, (size_t)index);
    if (matches > 1)
        pli_format(m->problem, sizeof m->problem, "%d have the name \"%.60s\": use a number from 0",
                   matches, part);
    else
        pli_format(m->problem, sizeof m->problem, "there is no \"%.40s\"; there are %s", part,
                   component ? "x, y, z"
                   : *list   ? list
                             : "none");
    return NULL;
}

// *value: the number at the path; false: it is not in this record.
static bool find(measure* m, const json_t* record, double* value) {
    const json_t* at = record;
    for (int i = 0; i < m->count && at; ++i) {
        if (json_is_object(at)) {
            at = in_object(m, at, m->parts[i]);
        } else if (json_is_array(at)) {
            at = in_array(m, at, m->parts[i]);
        } else {
            pli_format(m->problem, sizeof m->problem, "\"%.60s\" has no parts", m->parts[i - 1]);
            return false;
        }
    }
    if (!at) return false;
    if (json_is_boolean(at))
        *value = json_is_true(at);
    else if (json_is_null(at))
        *value = NAN; // not finite
    else if (json_is_number(at))
        *value = json_number_value(at);
    else {
        pli_format(m->problem, sizeof m->problem, "\"%.60s\" is no number: name one of its parts",
                   m->parts[m->count - 1]);
        return false;
    }
    m->met = true;
    return true;
}

static pli_status read_records(measure* m, const char* folder, pli_memory* memory,
                               pli_error* error) {
    pli_stats_reader reader;
    PLI_TRY(pli_stats_reader_open(&reader, memory, folder, error));
    json_t* record = NULL;
    pli_status status;
    while ((status = pli_stats_reader_record(&reader, &record, error)) == PLI_OK && record) {
        double value, time = json_number_value(json_object_get(record, "time"));
        if (find(m, record, &value)) m->found(m->context, time, value);
        json_decref(record);
    }
    pli_stats_reader_close(&reader);
    return status;
}

// ---- frames

static int find_body(const pli_replay* replay, const char* name) {
    for (int i = 0; i < pli_replay_body_count(replay); ++i)
        if (strcmp(pli_replay_body_at(replay, i).name, name) == 0) return i;
    return -1;
}

static void no_body(measure* m, const pli_replay* replay) {
    char list[160] = "";
    for (int i = 0; i < pli_replay_body_count(replay); ++i)
        add_word(list, sizeof list, pli_replay_body_at(replay, i).name);
    pli_format(m->problem, sizeof m->problem, "there is no body \"%.60s\"; there are %s",
               m->parts[1], list);
}

// The mean of a field over the vertices of a body in the frame read last; false: it is not there.
static bool mean_field(measure* m, pli_replay* replay, double* value) {
    int body = find_body(replay, m->parts[1]), components = 3;
    if (body < 0) return no_body(m, replay), false;
    bool place = strcmp(m->parts[2], "position") == 0;
    const double* field =
        place ? pli_replay_positions(replay) : pli_replay_field(replay, m->parts[2], &components);
    int axis = m->count == 4 ? as_index(m->parts[3], true) : 0;
    if (!field || axis < 0 || axis >= components || (m->count == 4) != (components > 1)) {
        pli_format(m->problem, sizeof m->problem,
                   field ? "\"%.60s\" needs %s" : "the frames have no \"%.60s\": output.fields%s",
                   m->parts[2],
                   !field           ? ""
                   : components > 1 ? "a component x, y or z"
                                    : "no component");
        return false;
    }
    pli_replay_body part = pli_replay_body_at(replay, body);
    double sum = 0;
    for (int v = part.first_vertex; v < part.end_vertex; ++v)
        sum += field[(size_t)v * (size_t)components + (size_t)axis];
    *value = sum / (part.end_vertex - part.first_vertex);
    return m->met = true;
}

static pli_status read_frames(measure* m, const char* folder, pli_error* error) {
    if (m->count < 3 || m->count > 4)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "measure \"%.100s\": must be like bodies.NAME.position.x", m->given);
    pli_replay* replay;
    PLI_TRY(pli_replay_open(folder, NULL, &replay, error));
    pli_status status = PLI_OK;
    int count = pli_replay_frame_count(replay);
    for (int i = 0; i < count && status == PLI_OK; ++i) {
        double value;
        status = pli_replay_read(replay, i, error);
        if (status == PLI_OK && mean_field(m, replay, &value))
            m->found(m->context, pli_replay_time(replay), value);
    }
    pli_replay_close(replay);
    return status;
}

// ---- both

static pli_status read_run(measure* m, const char* folder, pli_error* error) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    if (strcmp(m->parts[0], "bodies") == 0)
        PLI_TRY(read_frames(m, folder, error));
    else
        PLI_TRY(read_records(m, folder, &memory, error));
    if (m->met) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "measure \"%.100s\": %s", m->given,
                    *m->problem ? m->problem : "the run has no steps");
}

pli_status pli_measure_each(const char* folder, const char* text, pli_measured_fn* found,
                            void* context, pli_error* error) {
    measure m;
    if (!folder || !found)
        return pli_fail(error, PLI_E_ARGUMENT, "measure: the folder or the function is NULL");
    PLI_TRY(read_measure(text, &m, error));
    if (m.reduced)
        return pli_fail(error, PLI_E_ARGUMENT, "measure \"%.100s\": here the name alone is needed",
                        text);
    m.found = found;
    m.context = context;
    return read_run(&m, folder, error);
}

// Steps whose value is not finite do not count.
static void add(void* context, double time, double value) {
    totals* t = context;
    (void)time;
    if (!isfinite(value)) return;
    if (t->count++ == 0) t->first = t->min = t->max = value;
    t->last = value;
    t->sum += value;
    if (value < t->min) t->min = value;
    if (value > t->max) t->max = value;
}

pli_status pli_measure(const char* folder, const char* text, double* value, pli_error* error) {
    measure m;
    totals sums = {0};
    if (!folder || !value)
        return pli_fail(error, PLI_E_ARGUMENT, "measure: the folder or the value is NULL");
    PLI_TRY(read_measure(text, &m, error));
    m.found = add;
    m.context = &sums;
    PLI_TRY(read_run(&m, folder, error));
    *value = NAN;
    if (sums.count > 0) *value = m.reduction->value(&sums);
    return PLI_OK;
}
