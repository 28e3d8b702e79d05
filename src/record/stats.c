// stats.jsonl: one JSON object per step. Fields of pli_step_info are rows of a table.
#define _POSIX_C_SOURCE 200809L
#include "record/recorder.h"

#include <math.h>
#include <unistd.h>

typedef enum field_type { BOOL, INT, INT64, DOUBLE } field_type;

typedef struct field {
    const char* name;
    field_type type;
    size_t offset;
} field;

#define INFO(type, name)                                                                           \
    { #name, type, offsetof(pli_step_info, name) }
#define SECONDS(name)                                                                              \
    { #name, DOUBLE, offsetof(pli_phase_times, name) }

static const field info_fields[] = {
    INFO(INT, step),           INFO(DOUBLE, time),
    INFO(DOUBLE, time_step),   INFO(BOOL, kept),
    INFO(INT, substeps),       INFO(INT, rejected),
    INFO(INT, iterations),     INFO(INT, linear_iterations),
    INFO(INT, lag_passes),     INFO(INT, blocked),
    INFO(DOUBLE, residual),    INFO(DOUBLE, unbalanced),
    INFO(INT, worst_vertex),   INFO(DOUBLE, min_step),
    INFO(INT, contact_count),  INFO(DOUBLE, min_distance),
    INFO(INT, unknown_count),  INFO(INT64, factor_nonzeros),
    INFO(INT, symbolic_count),
};

static const field time_fields[] = {
    SECONDS(gradient),  SECONDS(hessian),     SECONDS(assembly),
    SECONDS(symbolic),  SECONDS(numeric),     SECONDS(solve),
    SECONDS(collision), SECONDS(line_search), SECONDS(total),
};

#define BALANCE(name)                                                                              \
    { #name, DOUBLE, offsetof(pli_balance, name) }

static const field balance_fields[] = {
    BALANCE(kinetic),         BALANCE(potential),  BALANCE(dissipated), BALANCE(numerical),
    BALANCE(work_prescribed), BALANCE(work_loads), BALANCE(stiffening), BALANCE(changes),
    BALANCE(residual),        BALANCE(inelastic),
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// "name":value pairs with commas between them.
static void write_fields(pli_file* file, const field* fields, int count, const void* record) {
    for (int i = 0; i < count; ++i) {
        const char* at = (const char*)record + fields[i].offset;
        pli_file_text(file, i > 0 ? ",\"" : "\"");
        pli_file_text(file, fields[i].name);
        pli_file_text(file, "\":");
        switch (fields[i].type) {
        case BOOL:
            pli_file_text(file, *(const bool*)at ? "true" : "false");
            break;
        case INT:
            pli_file_number(file, *(const int*)(const void*)at);
            break;
        case INT64:
            PLI_FILE_PRINT(file, "%lld", (long long)*(const int64_t*)(const void*)at);
            break;
        case DOUBLE:
            pli_file_number(file, *(const double*)(const void*)at);
            break;
        }
    }
}

static void write_energies(pli_file* file, const pli_snapshot* s) {
    pli_file_text(file, ",\"energies\":{");
    for (int i = 0; i < s->energy_count; ++i) {
        if (i > 0) pli_file_text(file, ",");
        pli_file_json(file, s->energy_names[i]);
        pli_file_text(file, ":");
        pli_file_number(file, s->energy_values[i]);
    }
    pli_file_text(file, "},\"total\":");
    pli_file_number(file, s->total_energy);
}

static void write_vector(pli_file* file, const char* name, const double v[3]) {
    pli_file_text(file, ",\"");
    pli_file_text(file, name);
    pli_file_text(file, "\":[");
    for (int c = 0; c < 3; ++c) {
        if (c > 0) pli_file_text(file, ",");
        pli_file_number(file, v[c]);
    }
    pli_file_text(file, "]");
}

// Force [N] of each support on its body, and torque [N m] about its centre [m].
static void write_supports(pli_file* file, const pli_snapshot* s) {
    pli_file_text(file, ",\"supports\":[");
    for (int i = 0; i < s->support_count; ++i) {
        const pli_support_info* support = &s->supports[i];
        pli_file_text(file, i > 0 ? ",{\"body\":" : "{\"body\":");
        pli_file_json(file, s->body_names[support->body]);
        PLI_FILE_PRINT(file, ",\"kind\":\"%s\",\"vertices\":%d,\"blocked\":%d", support->kind,
                       support->vertex_count, support->blocked);
        write_vector(file, "centre", support->centre);
        write_vector(file, "force", support->force);
        write_vector(file, "torque", support->torque);
        pli_file_text(file, "}");
    }
    pli_file_text(file, "]");
}

// What it leaves free [rad, m], its rate and the force of its motor [N m, N].
static void write_measures(pli_file* file, const pli_joint_info* joint) {
    static const char* const names[] = {"angle", "travel"};
    for (int f = 0; f < PLI_JOINT_VALUE_COUNT; ++f) {
        if (isnan(joint->value[f])) continue;
        PLI_FILE_PRINT(file, ",\"%s\":{\"value\":", names[f]);
        pli_file_number(file, joint->value[f]);
        pli_file_text(file, ",\"rate\":");
        pli_file_number(file, joint->rate[f]);
        pli_file_text(file, ",\"motor\":");
        pli_file_number(file, joint->motor[f]);
        pli_file_text(file, "}");
    }
    pli_file_text(file, ",\"off\":");
    pli_file_number(file, joint->off);
    pli_file_text(file, ",\"work\":");
    pli_file_number(file, joint->work);
    pli_file_text(file, joint->broken ? ",\"broken\":true" : ",\"broken\":false");
}

// Force [N] of each joint on its first body, and torque [N m] about its place [m].
static void write_joints(pli_file* file, const pli_snapshot* s) {
    pli_file_text(file, ",\"joints\":[");
    for (int i = 0; i < s->joint_count; ++i) {
        const pli_joint_info* joint = &s->joints[i];
        pli_file_text(file, i > 0 ? ",{\"name\":" : "{\"name\":");
        pli_file_json(file, joint->name);
        PLI_FILE_PRINT(file, ",\"type\":\"%s\",\"gap\":", joint->type);
        pli_file_number(file, joint->gap);
        PLI_FILE_PRINT(file, ",\"equations\":%d,\"dropped\":%d", joint->row_count, joint->dropped);
        write_vector(file, "place", joint->place);
        write_vector(file, "force", joint->force);
        write_vector(file, "torque", joint->torque);
        write_measures(file, joint);
        pli_file_text(file, "}");
    }
    pli_file_text(file, "]");
}

static void write_name(pli_file* file, const pli_snapshot* s, int body) {
    pli_file_json(file, body >= 0 ? s->body_names[body] : s->half_space_names[-1 - body]);
}

// Sums over the contacts of two bodies: the forces [N] are those on the first.
static void write_contacts(pli_file* file, const pli_snapshot* s) {
    int shown = pli_min_int(s->body_contact_count, PLI_BODY_CONTACTS_KEPT);
    pli_file_text(file, ",\"contacts\":[");
    for (int i = 0; i < shown; ++i) {
        const pli_body_contact_info* contact = &s->body_contacts[i];
        pli_file_text(file, i > 0 ? ",{\"a\":" : "{\"a\":");
        write_name(file, s, contact->body[0]);
        pli_file_text(file, ",\"b\":");
        write_name(file, s, contact->body[1]);
        PLI_FILE_PRINT(file, ",\"count\":%d,\"min_distance\":", contact->count);
        pli_file_number(file, contact->min_distance);
        write_vector(file, "force", contact->force);
        write_vector(file, "friction", contact->friction);
        pli_file_text(file, "}");
    }
    pli_file_text(file, "]");
    if (s->body_contact_count > shown)
        PLI_FILE_PRINT(file, ",\"contacts_omitted\":%d", s->body_contact_count - shown);
}

pli_status pli_stats_open(pli_file* file, const char* folder, pli_error* error) {
    return pli_file_create_direct(file, folder, PLI_STATS_NAME, error);
}

pli_status pli_stats_write(pli_file* file, const pli_step_info* info, const char* reason_text,
                           const pli_snapshot* snapshot, pli_error* error) {
    int64_t before = file->size;
    pli_file_text(file, "{");
    write_fields(file, info_fields, COUNT(info_fields), info);
    pli_file_text(file, ",\"reason\":");
    pli_file_json(file, reason_text);
    if (info->reason != PLI_CONVERGED) {
        pli_file_text(file, ",\"remedy\":");
        pli_file_json(file, info->remedy ? info->remedy : "");
    }
    pli_file_text(file, ",\"seconds\":{");
    write_fields(file, time_fields, COUNT(time_fields), &info->seconds);
    pli_file_text(file, "}");
    write_energies(file, snapshot);
    pli_file_text(file, ",\"balance\":{");
    write_fields(file, balance_fields, COUNT(balance_fields), &info->balance);
    pli_file_text(file, "}");
    write_supports(file, snapshot);
    if (snapshot->joint_count > 0) write_joints(file, snapshot);
    if (snapshot->contact_forces) write_contacts(file, snapshot);
    pli_file_text(file, "}\n");
    pli_status status = pli_file_flush(file, error);
    // A device that cannot be truncated (a pipe) keeps its incomplete line; the error is reported
    // anyway.
    if (status != PLI_OK && ftruncate(file->descriptor, (off_t)before) == 0) file->size = before;
    return status;
}
