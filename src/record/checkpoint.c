// Writing and reading checkpoint.pli: see checkpoint.h. Everything that is read is checked before
// it is used: format, hash, then every count and length.
#define _XOPEN_SOURCE 700 // realpath, fseeko
#include "record/recorder.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pack.h"
#include "scene/scene.h"

#define FILE_SECTION PLI_SECTION('P', 'L', 'I', 'C')
#define MADE_SECTION PLI_SECTION('m', 'a', 'd', 'e')
#define SCENE_SECTION PLI_SECTION('s', 'c', 'e', 'n')
#define RECORD_SECTION PLI_SECTION('r', 'e', 'c', 'd')
#define STATE_SECTION PLI_SECTION('s', 't', 'a', 't')

// 2: hashes of bodies include the held and loaded vertices.
enum { SCENE_VERSION = 2 };
enum { MOST_OVERRIDES = 10000, MOST_TEXT = 1 << 30, MOST_PATH = 1 << 16 };

typedef struct body_info {
    char* name;
    int vertex_count;
    uint64_t hash;
} body_info;

struct pli_checkpoint {
    pli_memory memory;
    unsigned char* bytes;
    size_t size;
    uint64_t hash; // at the end of its bytes
    char *version, *scene, *text;
    char** overrides;
    int override_count;
    body_info* bodies;
    int body_count, scene_version;
    double* times;
    pli_record_state record;
    const void* state; // of the world
    size_t state_size;
};

// ---- writing

// The absolute path, or the path unchanged if it cannot be resolved (a scene given as text). Links
// are not resolved, since meshes are searched beside them.
static const char* full_path(const char* path, char out[PLI_PATH_SIZE]) {
    const char* slash = strrchr(path, '/');
    const char* name = slash ? slash + 1 : path;
    int n = pli_format(out, PLI_PATH_SIZE, "%.*s", slash ? (int)(slash + 1 - path) : 1,
                       slash ? path : ".");
    char* folder = n > 0 && n < PLI_PATH_SIZE ? realpath(out, NULL) : NULL;
    n = folder ? pli_format(out, PLI_PATH_SIZE, "%s/%s", folder, name) : -1;
    free(folder);
    return n > 0 && n < PLI_PATH_SIZE && access(out, F_OK) == 0 ? out : path;
}

// Bodies as the scene has built them; what changed later is in the state of the world.
static void write_scene(const pli_scene* scene, pli_pack* out) {
    size_t place = pli_pack_open(out, SCENE_SECTION, SCENE_VERSION);
    char path[PLI_PATH_SIZE];
    pli_pack_text(out, full_path(pli_scene_path(scene), path));
    pli_pack_int(out, pli_scene_override_count(scene));
    for (int i = 0; i < pli_scene_override_count(scene); ++i)
        pli_pack_text(out, pli_scene_override(scene, i));
    pli_pack_text(out, pli_scene_text(scene));
    pli_pack_int(out, pli_scene_built_count(scene));
    for (int b = 0; b < pli_scene_built_count(scene); ++b) {
        const pli_built_body* body = pli_scene_built_body(scene, b);
        pli_pack_text(out, body->name);
        pli_pack_int(out, body->vertex_count);
        pli_pack_long(out, body->hash);
    }
    pli_pack_close(out, place);
}

static void write_row(const pli_row_state* row, pli_pack* out) {
    pli_pack_long(out, row->head);
    pli_pack_long(out, row->step);
    pli_pack_int(out, row->count);
    pli_pack_long(out, (uint64_t)row->stride);
    pli_pack_long(out, (uint64_t)row->seen);
    for (int i = 0; i < row->count; ++i)
        pli_pack_bytes(out, (const char*)row->bytes + (size_t)i * row->step, row->head);
}

static void write_record(const pli_record_state* record, pli_pack* out) {
    size_t place = pli_pack_open(out, RECORD_SECTION, 1);
    pli_pack_int(out, record->step);
    pli_pack_number(out, record->time);
    pli_pack_int(out, record->frame_count);
    pli_pack_numbers(out, record->times, (size_t)record->frame_count);
    pli_pack_long(out, (uint64_t)record->stats_size);
    pli_pack_int(out, 0); // obsolete: frames not yet on the disk, written by earlier versions
    pli_pack_int(out, record->has_preview);
    if (record->has_preview) {
        pli_pack_numbers(out, record->origin, 3);
        write_row(&record->samples, out);
        write_row(&record->pictures, out);
    }
    pli_pack_close(out, place);
}

static bool append(void* context, const void* bytes, size_t size) {
    pli_pack* out = context;
    pli_pack_bytes(out, bytes, size);
    return out->status == PLI_OK;
}

pli_status pli_checkpoint_pack(const pli_record_state* record, pli_scene* scene, pli_pack* out,
                               pli_error* error) {
    size_t file = pli_pack_open(out, FILE_SECTION, PLI_CHECKPOINT_FORMAT);
    size_t made = pli_pack_open(out, MADE_SECTION, 1);
    pli_pack_text(out, pli_version());
    pli_pack_close(out, made);
    write_scene(scene, out);
    write_record(record, out);
    size_t state = pli_pack_open(out, STATE_SECTION, 1);
    pli_status status = pli_world_save(pli_scene_world(scene), append, out, error);
    pli_pack_close(out, state);
    pli_pack_close(out, file);
    PLI_TRY(pli_pack_end(out, error));
    PLI_TRY(status);
    pli_pack_long(out, pli_hash(PLI_HASH_START, out->bytes, out->size));
    return pli_pack_end(out, error);
}

// ---- reading

// A zero-terminated copy.
static pli_status copy_text(pli_memory* memory, pli_unpack* in, size_t most, const char* what,
                            char** out, pli_error* error) {
    size_t length;
    const char* text = pli_unpack_text(in, most, &length, what);
    PLI_TRY(PLI_ALLOC(memory, *out, length + 1, error));
    memcpy(*out, text, length);
    return PLI_OK;
}

// The count of entries of at least `size` bytes each is limited by the remaining bytes.
static int read_count(pli_unpack* in, size_t size, int most, const char* what) {
    size_t left = (size_t)(in->end - in->at) / size;
    int limit = left < (size_t)most ? (int)left : most;
    return pli_unpack_int(in, 0, limit, what);
}

static pli_status read_scene(pli_checkpoint* c, pli_unpack* in, pli_error* error) {
    enum { TEXT_HEAD = 8, BODY_SIZE = 20 };
    int version = SCENE_VERSION;
    pli_unpack from = pli_unpack_enter(in, SCENE_SECTION, &version);
    c->scene_version = version;
    PLI_TRY(copy_text(&c->memory, &from, MOST_PATH, "the path of the scene", &c->scene, error));
    int count = read_count(&from, TEXT_HEAD, MOST_OVERRIDES, "overrides");
    PLI_TRY(PLI_ALLOC(&c->memory, c->overrides, count, error));
    c->override_count = count;
    for (int i = 0; i < count; ++i)
        PLI_TRY(copy_text(&c->memory, &from, MOST_TEXT, "an override", &c->overrides[i], error));
    PLI_TRY(copy_text(&c->memory, &from, MOST_TEXT, "the text of the scene", &c->text, error));
    count = read_count(&from, BODY_SIZE, INT_MAX, "bodies");
    PLI_TRY(PLI_ALLOC(&c->memory, c->bodies, count, error));
    c->body_count = count;
    for (int i = 0; i < count; ++i) {
        PLI_TRY(
            copy_text(&c->memory, &from, MOST_TEXT, "a body's name", &c->bodies[i].name, error));
        c->bodies[i].vertex_count = pli_unpack_int(&from, 0, INT_MAX, "vertices of a body");
        c->bodies[i].hash = pli_unpack_long(&from);
    }
    pli_unpack_leave(in, &from);
    return PLI_OK;
}

// An integer that may exceed int.
static int64_t read_size(pli_unpack* in, int64_t least, const char* what) {
    uint64_t value = pli_unpack_long(in);
    if (value >= (uint64_t)least && value <= INT64_MAX) return (int64_t)value;
    pli_unpack_fail(in, "%s is out of range", what);
    return least;
}

static void read_row(pli_unpack* in, pli_row_state* row) {
    row->head = (size_t)read_size(in, 1, "size of a record");
    row->step = (size_t)read_size(in, (int64_t)row->head, "step of records");
    row->count = pli_unpack_int(in, 0, INT_MAX, "records");
    row->stride = read_size(in, 1, "stride of records");
    row->seen = read_size(in, row->count, "number of records");
    size_t left = (size_t)(in->end - in->at);
    if (row->count > 0 && row->head > left / (size_t)row->count)
        pli_unpack_fail(in, "records of %zu bytes exceed the file", row->head);
    if (row->count > 0 && row->stride > INT64_MAX / row->count)
        pli_unpack_fail(in, "the stride of records is out of range");
    if (!pli_unpack_good(in)) row->count = 0;
    row->bytes = pli_unpack_bytes(in, row->head * (size_t)row->count);
}

static pli_status read_record(pli_checkpoint* c, pli_unpack* in, pli_error* error) {
    int version = 1;
    pli_record_state* r = &c->record;
    pli_unpack from = pli_unpack_enter(in, RECORD_SECTION, &version);
    r->step = pli_unpack_int(&from, 0, INT_MAX, "steps done");
    r->time = pli_unpack_number(&from, -HUGE_VAL, HUGE_VAL, "time");
    r->frame_count = read_count(&from, sizeof *c->times, INT_MAX - 1, "frames");
    PLI_TRY(PLI_ALLOC(&c->memory, c->times, r->frame_count, error));
    r->times = c->times;
    from.apply = true;
    pli_unpack_numbers(&from, c->times, (size_t)r->frame_count, "time of a frame");
    r->stats_size = read_size(&from, 0, "size of stats.jsonl");
    int hashed = pli_unpack_int(&from, 0, r->frame_count, "frames with hashes");
    for (int i = 0; i < 2 * hashed; ++i) pli_unpack_long(&from); // of earlier versions
    r->has_preview = pli_unpack_int(&from, 0, 1, "preview");
    if (r->has_preview) {
        pli_unpack_numbers(&from, r->origin, 3, "origin");
        read_row(&from, &r->samples);
        read_row(&from, &r->pictures);
    }
    pli_unpack_leave(in, &from);
    return PLI_OK;
}

static pli_status read_sections(pli_checkpoint* c, pli_unpack* in, pli_error* error) {
    int version = 1;
    pli_unpack made = pli_unpack_enter(in, MADE_SECTION, &version);
    PLI_TRY(copy_text(&c->memory, &made, MOST_PATH, "the version", &c->version, error));
    pli_unpack_leave(in, &made);
    PLI_TRY(read_scene(c, in, error));
    PLI_TRY(read_record(c, in, error));
    version = 1;
    pli_unpack state = pli_unpack_enter(in, STATE_SECTION, &version);
    c->state_size = (size_t)(state.end - state.at);
    c->state = pli_unpack_bytes(&state, c->state_size);
    pli_unpack_leave(in, &state);
    return pli_unpack_end(in, error);
}

// The format comes first: a newer one cannot be interpreted further.
static pli_status check_file(const unsigned char* bytes, size_t size, pli_error* error) {
    enum { HEAD = 16 };
    uint64_t hash, length;
    uint32_t name;
    int32_t format;
    if (size < HEAD + sizeof hash || memcmp(bytes, "PLIC", sizeof name) != 0)
        return pli_fail(error, PLI_E_SCENE, "not a checkpoint");
    memcpy(&format, bytes + 4, sizeof format);
    memcpy(&length, bytes + 8, sizeof length);
    if (format > PLI_CHECKPOINT_FORMAT)
        return pli_fail(
            error, PLI_E_SCENE,
            "it has format %d, this program (pliant %s) reads up to %d: use a newer one",
            (int)format, pli_version(), PLI_CHECKPOINT_FORMAT);
    if (length != size - HEAD - sizeof hash)
        return pli_fail(error, PLI_E_SCENE, "it is damaged: %zu bytes instead of %llu", size,
                        (unsigned long long)length + HEAD + sizeof hash);
    memcpy(&hash, bytes + size - sizeof hash, sizeof hash);
    if (hash != pli_hash(PLI_HASH_START, bytes, size - sizeof hash))
        return pli_fail(error, PLI_E_SCENE, "it is damaged: wrong checksum");
    return PLI_OK;
}

// c->bytes and c->size must be set.
static pli_status parse(pli_checkpoint* c, pli_error* error) {
    int version = PLI_CHECKPOINT_FORMAT;
    PLI_TRY(check_file(c->bytes, c->size, error));
    memcpy(&c->hash, c->bytes + c->size - sizeof c->hash, sizeof c->hash);
    pli_unpack whole = pli_unpack_from(c->bytes, c->size - sizeof(uint64_t));
    pli_unpack in = pli_unpack_enter(&whole, FILE_SECTION, &version);
    in.name[0] = '\0'; // messages name the sections in it
    return read_sections(c, &in, error);
}

static pli_status create(const pli_allocator* allocator, pli_checkpoint** out, pli_error* error) {
    pli_memory memory;
    pli_memory_init(&memory, allocator);
    PLI_TRY(PLI_ALLOC(&memory, *out, 1, error));
    (*out)->memory = memory;
    return PLI_OK;
}

// Returns the checkpoint, or frees it on failure.
static pli_status finish(pli_checkpoint* c, pli_status status, pli_checkpoint** out) {
    if (status != PLI_OK)
        pli_checkpoint_destroy(c);
    else
        *out = c;
    return status;
}

pli_status pli_checkpoint_parse(const void* bytes, size_t size, const pli_allocator* allocator,
                                pli_checkpoint** checkpoint, pli_error* error) {
    if (!bytes || !checkpoint)
        return pli_fail(error, PLI_E_ARGUMENT, "checkpoint: bytes or the result is NULL");
    pli_checkpoint* c = NULL;
    PLI_TRY(create(allocator, &c, error));
    pli_status status = PLI_ALLOC(&c->memory, c->bytes, size, error);
    if (status == PLI_OK) {
        c->size = size;
        if (size > 0) memcpy(c->bytes, bytes, size);
        status = parse(c, error);
    }
    return finish(c, status, checkpoint);
}

static bool path_of(const char* folder, char path[PLI_PATH_SIZE]) {
    int n = pli_format(path, PLI_PATH_SIZE, "%s/%s", folder, PLI_CHECKPOINT_NAME);
    return n > 0 && n < PLI_PATH_SIZE;
}

pli_status pli_checkpoint_read(const char* folder, const pli_allocator* allocator,
                               pli_checkpoint** checkpoint, pli_error* error) {
    char path[PLI_PATH_SIZE], *text = NULL;
    size_t size = 0;
    if (!folder || !checkpoint)
        return pli_fail(error, PLI_E_ARGUMENT, "checkpoint: folder or the result is NULL");
    if (!path_of(folder, path))
        return pli_fail(error, PLI_E_IO, "the name of the folder is too long");
    pli_checkpoint* c = NULL;
    PLI_TRY(create(allocator, &c, error));
    pli_status status = pli_read_file(&c->memory, path, SIZE_MAX / 2, &text, &size, error);
    if (status == PLI_OK) {
        c->bytes = (unsigned char*)text;
        c->size = size - 1; // without the NUL
        status = parse(c, error);
        if (status == PLI_E_SCENE) pli_error_prefix(error, "%.300s", path);
        c->size = size;
    }
    return finish(c, status, checkpoint);
}

void pli_checkpoint_destroy(pli_checkpoint* checkpoint) {
    if (!checkpoint) return;
    pli_checkpoint* c = checkpoint;
    pli_memory* m = &c->memory;
    for (int i = 0; i < c->override_count; ++i) pli_free_text(m, &c->overrides[i]);
    PLI_FREE(m, c->overrides, c->override_count);
    for (int i = 0; i < c->body_count; ++i) pli_free_text(m, &c->bodies[i].name);
    PLI_FREE(m, c->bodies, c->body_count);
    PLI_FREE(m, c->times, c->record.frame_count);
    pli_free_text(m, &c->version);
    pli_free_text(m, &c->scene);
    pli_free_text(m, &c->text);
    PLI_FREE(m, c->bytes, c->size);
    pli_memory last = c->memory; // freed through a copy of its counters
    PLI_FREE(&last, c, 1);
}

// ---- using

pli_checkpoint_info pli_checkpoint_describe(const pli_checkpoint* c) {
    if (!c) return (pli_checkpoint_info){.version = "", .scene = "", .text = ""};
    return (pli_checkpoint_info){.version = c->version,
                                 .scene = c->scene,
                                 .override_count = c->override_count,
                                 .overrides = (const char* const*)c->overrides,
                                 .step = c->record.step,
                                 .time = c->record.time,
                                 .frame_count = c->record.frame_count,
                                 .text = c->text};
}

const pli_record_state* pli_checkpoint_record(const pli_checkpoint* c) { return &c->record; }

bool pli_checkpoint_is_replaced(const pli_checkpoint* c, const char* folder) {
    char path[PLI_PATH_SIZE];
    uint64_t hash = 0;
    FILE* file = path_of(folder, path) ? fopen(path, "rb") : NULL;
    if (!file) return false;
    bool whole =
        fseeko(file, -(off_t)sizeof hash, SEEK_END) == 0 && fread(&hash, sizeof hash, 1, file) == 1;
    fclose(file);
    return !whole || hash != c->hash;
}

// Bodies whose shape or motion has changed, though the text may be the same.
static int compare_bodies(const pli_checkpoint* c, const pli_scene* scene, pli_difference_fn* found,
                          void* context) {
    int count = 0, bodies = pli_scene_built_count(scene);
    if (c->scene_version < SCENE_VERSION) {
        found(context,
              "the checkpoint is of an older pliant: whether meshes have changed is unknown");
        return 1;
    }
    for (int b = 0; b < c->body_count && b < bodies; ++b) {
        char line[320];
        const pli_built_body* now = pli_scene_built_body(scene, b);
        if (c->bodies[b].hash == now->hash) continue;
        if (now->vertex_count != c->bodies[b].vertex_count)
            pli_format(line, sizeof line, "body \"%.100s\": %d vertices are now %d", now->name,
                       c->bodies[b].vertex_count, now->vertex_count);
        else
            pli_format(
                line, sizeof line,
                "body \"%.100s\": positions, elements, masses, supports, loads or prescribed "
                "positions have changed",
                now->name);
        found(context, line);
        count++;
    }
    if (c->body_count != bodies) {
        char line[80];
        pli_format(line, sizeof line, "%d bodies are now %d", c->body_count, bodies);
        found(context, line);
        count++;
    }
    return count;
}

pli_status pli_checkpoint_compare(const pli_checkpoint* checkpoint, pli_scene* scene,
                                  pli_difference_fn* found, void* context, int* count,
                                  pli_error* error) {
    if (!checkpoint || !scene || !pli_scene_world(scene) || !found || !count)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "compare: checkpoint, scene, its world, found or count is NULL");
    int texts = 0;
    PLI_TRY(pli_scene_compare(scene, checkpoint->text, found, context, &texts, error));
    *count = texts + compare_bodies(checkpoint, scene, found, context);
    return PLI_OK;
}

pli_status pli_checkpoint_restore(const pli_checkpoint* checkpoint, pli_world* world,
                                  pli_error* error) {
    if (!checkpoint) return pli_fail(error, PLI_E_ARGUMENT, "restore: checkpoint is NULL");
    return pli_world_restore(world, checkpoint->state, checkpoint->state_size, error);
}
