// What a run was asked for: forces at its supports, forces between bodies, and the largest stress.
// Forces are collected while stats.jsonl is read: those of the last step, and when they were
// largest.
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "result/result.h"

static const char* text_of(const json_t* record, const char* key) {
    const char* text = json_string_value(json_object_get(record, key));
    return text ? text : "";
}

// Adds the vector under `key`; without one nothing.
static void add_vector(const json_t* record, const char* key, double sum[3]) {
    const json_t* list = json_object_get(record, key);
    for (size_t k = 0; k < 3; ++k) sum[k] += json_number_value(json_array_get(list, k));
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// The row of two names; NULL: there is no room for it.
static pli_report_force* row_of(pli_report_forces* list, const char* a, const char* b) {
    for (int i = 0; i < list->count; ++i)
        if (strncmp(list->rows[i].a, a, PLI_REPORT_NAME_SIZE - 1) == 0 &&
            strncmp(list->rows[i].b, b, PLI_REPORT_NAME_SIZE - 1) == 0)
            return &list->rows[i];
    if (list->count == PLI_REPORT_FORCES) {
        list->missed = true;
        return NULL;
    }
    pli_report_force* row = &list->rows[list->count++];
    *row = (pli_report_force){.last_step = -1};
    pli_format(row->a, sizeof row->a, "%s", a);
    pli_format(row->b, sizeof row->b, "%s", b);
    return row;
}

static void take(pli_report_forces* list, const json_t* entries, const char* const names[2],
                 const json_t* record) {
    int step = (int)json_integer_value(json_object_get(record, "step"));
    for (size_t i = 0; i < json_array_size(entries); ++i) {
        const json_t* entry = json_array_get(entries, i);
        pli_report_force* row = row_of(list, text_of(entry, names[0]), text_of(entry, names[1]));
        if (!row) continue;
        if (row->last_step != step) { // several supports of a body and kind add up
            memset(row->force, 0, sizeof row->force);
            memset(row->torque, 0, sizeof row->torque);
        }
        row->last_step = step;
        add_vector(entry, "force", row->force);
        add_vector(entry, "friction", row->force);
        add_vector(entry, "torque", row->torque);
        if (length_of(row->force) > row->most) {
            row->most = length_of(row->force);
            row->most_time = json_number_value(json_object_get(record, "time"));
        }
    }
}

void pli_report_take_forces(pli_report_data* d, const json_t* record) {
    static const char* const of_support[2] = {"body", "kind"};
    static const char* const of_contact[2] = {"a", "b"};
    take(&d->supports, json_object_get(record, "supports"), of_support, record);
    take(&d->contacts, json_object_get(record, "contacts"), of_contact, record);
}

// ---- stress

// The largest value in the last frame, which must have the array.
static pli_status find_largest(pli_report_stress* out, pli_result* result, pli_error* error) {
    pli_result_frame frame = {0};
    pli_result_values values = {0};
    int last = result->frame_count - 1;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_result_read(result, last, PLI_POSITIONS, &frame, error));
    PLI_TRY_CLEANUP(status, pli_result_read_values(&values, result, last, "von_mises", error));
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int i = 0; i < body->vertex_count && !body->obstacle; ++i) {
            int v = body->vertices[i];
            double value = pli_result_size(&values, v);
            if (!(value > out->value)) continue;
            out->value = value;
            out->time = frame.time;
            memcpy(out->at, frame.positions + 3 * (size_t)v, sizeof out->at);
            pli_format(out->body, sizeof out->body, "%s", body->name);
        }
    }
cleanup:
    pli_result_values_free(&values);
    pli_result_frame_free(&frame);
    return status;
}

// A run without frames, or with one that cannot be read, has no such row.
pli_status pli_report_find_stress(pli_report_data* d, const char* folder, pli_error* error) {
    pli_result result;
    pli_error bad = {0};
    pli_status status = pli_result_open(&result, d->memory, folder, &bad);
    if (status == PLI_OK) {
        if (pli_result_check_field(&result, "stress", strlen("stress"), NULL) == PLI_OK)
            status = find_largest(&d->stress, &result, &bad);
        pli_result_close(&result);
    }
    if (status == PLI_OK) return PLI_OK;
    d->stress = (pli_report_stress){0};
    return status == PLI_E_MEMORY ? pli_fail(error, status, "%s", bad.message) : PLI_OK;
}
