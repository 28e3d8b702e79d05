// Fields in the page: signed 16-bit integers w, |w| <= 4095,
//     value = quantum w,    quantum a power of two,
// so the error is between 1/8000 and 1/2000 of the largest value in the frame. Where the quantum
// equals that of the previous frame, w is stored as differences.
#include "export/export_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/result.h"

enum { MOST = PLI_RESULT_SHOWN, LEVELS = 4095 };

static const char usual[] = "velocity,stress,energy_density,contact_force";

typedef struct row {
    pli_field_info info;
    int16_t* whole; // of the previous frame
    double quantum; // likewise; 0: all values were 0
} row;

struct pli_html_fields {
    pli_export_job* job;
    int vertex_count, count;
    row rows[MOST];
    pli_result_values values;
    bool missing;         // the frame has none: zeros
    unsigned char* bytes; // 6 per vertex
};

// ---- selection

// The next word of a comma-separated list; its length.
static size_t next_word(const char** list, const char** word) {
    *word = *list;
    size_t length = strcspn(*list, ",");
    *list += length + ((*list)[length] == ',');
    return length;
}

static bool is_listed(const char* list, const char* key) {
    const char* word;
    while (*list) {
        size_t length = next_word(&list, &word);
        if (length == strlen(key) && strncmp(word, key, length) == 0) return true;
    }
    return false;
}

static bool is_wanted(const pli_export_job* job, int field) {
    const char* list = job->def->fields ? job->def->fields : usual;
    if (strcmp(list, "none") == 0) return false;
    return (strcmp(list, "all") == 0 || is_listed(list, job->result->shown[field].key)) &&
           pli_result_has_field(job->result, field);
}

pli_status pli_export_html_check(const pli_export_job* job, pli_error* error) {
    const char *list = job->def->fields, *word;
    if (!list || strcmp(list, "all") == 0 || strcmp(list, "none") == 0) return PLI_OK;
    while (*list) {
        size_t length = next_word(&list, &word);
        PLI_TRY(pli_result_check_field(job->result, word, length, error));
    }
    return PLI_OK;
}

int pli_html_fields_width(const pli_export_job* job) {
    int width = 0;
    for (int i = 0; i < job->result->shown_count; ++i)
        if (is_wanted(job, i)) width += job->result->shown[i].components;
    return width;
}

// ---- memory

static size_t size_of(const pli_html_fields* f, const row* r) {
    return (size_t)r->info.components * (size_t)f->vertex_count;
}

static pli_status fill(pli_html_fields* f, pli_error* error) {
    f->vertex_count = (int)pli_export_count(f->job).vertices;
    for (int i = 0; i < f->job->result->shown_count && f->count < MOST; ++i) {
        row* r = &f->rows[f->count];
        *r = (row){.info = f->job->result->shown[i]};
        if (!is_wanted(f->job, i)) continue;
        f->count++;
        PLI_TRY(PLI_ALLOC(f->job->memory, r->whole, size_of(f, r), error));
    }
    return PLI_ALLOC(f->job->memory, f->bytes, 6 * (size_t)f->vertex_count, error);
}

pli_status pli_html_fields_create(pli_export_job* job, pli_html_fields** out, pli_error* error) {
    PLI_TRY(PLI_ALLOC(job->memory, *out, 1, error));
    (*out)->job = job;
    return fill(*out, error);
}

void pli_html_fields_destroy(pli_html_fields* f) {
    if (!f) return;
    pli_memory* memory = f->job->memory;
    for (int i = 0; i < f->count; ++i) PLI_FREE(memory, f->rows[i].whole, size_of(f, &f->rows[i]));
    PLI_FREE(memory, f->bytes, 6 * (size_t)f->vertex_count);
    pli_result_values_free(&f->values);
    PLI_FREE(memory, f, 1);
}

json_t* pli_html_fields_list(const pli_html_fields* f) {
    json_t* list = json_array();
    for (int i = 0; i < f->count; ++i) {
        const pli_field_info* info = &f->rows[i].info;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i}", "key", info->key, "label",
                                              info->label, "unit", info->unit, "components",
                                              info->components));
    }
    return list;
}

// ---- frames

static double value_at(const pli_html_fields* f, const row* r, const pli_result_body* body, int k) {
    int components = r->info.components;
    if (f->missing) return 0;
    size_t vertex = (size_t)body->vertices[k / components];
    double value = f->values.values[vertex * (size_t)components + (size_t)(k % components)];
    return isfinite(value) ? value : 0;
}

// The quantum of the previous frame, if the largest value fits and is not much smaller.
static double choose_quantum(const pli_html_fields* f, const row* r) {
    const pli_result* result = f->job->result;
    double largest = 0;
    for (int b = 0; b < result->body_count; ++b)
        for (int k = 0; k < r->info.components * result->bodies[b].vertex_count; ++k)
            largest = fmax(largest, fabs(value_at(f, r, &result->bodies[b], k)));
    double levels = r->quantum > 0 ? largest / r->quantum : HUGE_VAL;
    if (largest == 0 || (levels <= LEVELS && levels >= LEVELS / 4.0)) return r->quantum;
    double quantum = exp2(ceil(log2(largest / LEVELS)));
    return quantum >= 1e-37 && quantum <= 1e37 ? quantum : r->quantum; // a float in the file
}

// Low bytes of all numbers, then high bytes.
static void fill_bytes(pli_html_fields* f, row* r, double quantum, bool alone) {
    const pli_result* result = f->job->result;
    size_t at = 0, half = size_of(f, r);
    for (int b = 0; b < result->body_count; ++b)
        for (int k = 0; k < r->info.components * result->bodies[b].vertex_count; ++k, ++at) {
            double level = value_at(f, r, &result->bodies[b], k);
            level = quantum > 0 ? fmin(fmax(round(level / quantum), -LEVELS), LEVELS) : 0;
            int16_t whole = (int16_t)level;
            unsigned told = (unsigned)(alone ? whole : whole - r->whole[at]) & 0xFFFFu;
            f->bytes[at] = (unsigned char)(told & 255u);
            f->bytes[half + at] = (unsigned char)(told >> 8);
            r->whole[at] = whole;
        }
}

static pli_status write_row(pli_html_fields* f, int index, pli_recording* out, bool alone) {
    row* r = &f->rows[index];
    double quantum = choose_quantum(f, r);
    alone = alone || quantum != r->quantum;
    fill_bytes(f, r, quantum, alone);
    r->quantum = quantum;
    size_t size = 2 * size_of(f, r);
    pli_recording_binary(out,
                         &(pli_recording_header){.kind = PLI_RECORDED_FIELD,
                                                 .flags = !alone,
                                                 .count = (uint32_t)f->vertex_count,
                                                 .extra = (uint32_t)index},
                         sizeof(float) + size);
    pli_recording_float(out, (float)quantum);
    pli_recording_bytes(out, f->bytes, size);
    return PLI_OK;
}

// A run that was resumed with another scene may have lost contact, and with it a field of the first
// frame; this is an error only if the field was requested.
static pli_status read_row(pli_html_fields* f, const pli_field_info* info, int i,
                           pli_error* error) {
    const pli_export_def* def = f->job->def;
    pli_error found = {0};
    bool asked = def->fields && is_listed(def->fields, info->key);
    pli_status status =
        pli_result_read_values(&f->values, f->job->result, i * def->every, info->array, &found);
    f->missing = status == PLI_E_ARGUMENT && !asked;
    if (f->missing) return PLI_OK;
    if (status != PLI_OK) {
        if (error) *error = found;
        return status;
    }
    if (f->values.components == info->components) return PLI_OK;
    return pli_fail(error, PLI_E_SCENE,
                    "frame %d: array \"%s\" has another type than in the first frame", i,
                    info->array);
}

pli_status pli_html_fields_write(pli_html_fields* f, pli_recording* out, int i, bool alone,
                                 pli_error* error) {
    for (int k = 0; k < f->count; ++k) {
        PLI_TRY(read_row(f, &f->rows[k].info, i, error));
        PLI_TRY(write_row(f, k, out, alone));
    }
    return PLI_OK;
}

// ---- the recording

// Messages: u32 size, u8 0 (text) or 1 (binary), bytes. All numbers are little endian.

enum { HEADER = 32, MAGIC = 0x31494C50, DIGITS = 9 };

pli_status pli_recording_begin(pli_recording* r, pli_memory* memory, pli_file* file,
                               pli_error* error) {
    const int gzip = 16, window = 15, level = 6, memory_level = 8;
    r->text = (pli_base64){.file = file};
    r->zlib = (z_stream){0};
    pli_zlib_use(&r->zlib, memory);
    if (deflateInit2(&r->zlib, level, Z_DEFLATED, window + gzip, memory_level,
                     Z_DEFAULT_STRATEGY) == Z_OK)
        return PLI_OK;
    return pli_fail(error, PLI_E_MEMORY, "out of memory: zlib could not start");
}

// Compresses the input at next_in.
static void pass_on(pli_recording* r, int flush) {
    do {
        r->zlib.next_out = r->packed;
        r->zlib.avail_out = sizeof r->packed;
        deflate(&r->zlib, flush);
        pli_base64_write(&r->text, r->packed, sizeof r->packed - r->zlib.avail_out);
    } while (r->zlib.avail_out == 0);
}

void pli_recording_end(pli_recording* r) {
    r->zlib.avail_in = 0;
    pass_on(r, Z_FINISH);
    deflateEnd(&r->zlib);
    pli_base64_end(&r->text);
}

void pli_recording_bytes(pli_recording* r, const void* bytes, size_t size) {
    const size_t most = 1u << 30; // zlib counts in 32 bits
    for (const unsigned char* from = bytes; size > 0;) {
        size_t part = size < most ? size : most;
        r->zlib.next_in = (z_const Bytef*)from;
        r->zlib.avail_in = (uInt)part;
        pass_on(r, Z_NO_FLUSH);
        from += part;
        size -= part;
    }
}

static void put_number(unsigned char* at, uint64_t value, int size) {
    for (int i = 0; i < size; ++i) at[i] = (unsigned char)(value >> 8 * i & 255u);
}

void pli_recording_word(pli_recording* r, uint32_t word) {
    unsigned char bytes[4];
    put_number(bytes, word, sizeof bytes);
    pli_recording_bytes(r, bytes, sizeof bytes);
}

void pli_recording_float(pli_recording* r, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    pli_recording_word(r, word);
}

static void begin_message(pli_recording* r, size_t size, bool binary) {
    unsigned char kind = binary;
    pli_recording_word(r, (uint32_t)size);
    pli_recording_bytes(r, &kind, 1);
}

pli_status pli_recording_json(pli_recording* r, json_t* message, pli_error* error) {
    char* text = message ? json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;
    json_decref(message);
    if (!text) return pli_fail(error, PLI_E_MEMORY, "out of memory: a message of the recording");
    begin_message(r, strlen(text), false);
    pli_recording_bytes(r, text, strlen(text));
    free(text);
    return PLI_OK;
}

void pli_recording_binary(pli_recording* r, const pli_recording_header* header, size_t size) {
    unsigned char bytes[HEADER] = {0};
    uint64_t time;
    memcpy(&time, &header->time, sizeof time);
    put_number(bytes, MAGIC, 4);
    put_number(bytes + 4, (uint64_t)header->kind, 2);
    put_number(bytes + 6, (uint64_t)header->flags, 2);
    put_number(bytes + 12, header->step, 4); // the sequence before it is set by the reader
    put_number(bytes + 16, time, 8);
    put_number(bytes + 24, header->count, 4);
    put_number(bytes + 28, header->extra, 4);
    begin_message(r, HEADER + size, true);
    pli_recording_bytes(r, bytes, HEADER);
}
