// glTF 2.0 as one binary file [Khronos, "glTF 2.0 Specification"]: a header of 12 bytes, a JSON
// chunk and a binary chunk. A node and a mesh per body; its positions are those of the first frame,
// and each later frame is a morph target with the differences to it. One animation sets the
// weights: frame k has weight 1 for target k and 0 for the others, linear between frames, so that
// vertices move on straight lines from frame to frame. All bodies share the weights.
//     bytes: times | weights | for each body: indices, positions, targets
// All numbers have 4 bytes, so everything is aligned.
#include "export/export.h"

#include <math.h>
#include <string.h>

enum { WORD = 4, FLOAT = 5126, UNSIGNED = 5125, VERTEX_BUFFER = 34962, INDEX_BUFFER = 34963 };

typedef struct writer {
    pli_export_job* job;
    pli_spool spool;
    pli_file* file;
    float* first;        // positions of a body in the first frame
    int moving_count;    // bodies
    int accessor_count;  // so far
    int view_count;      // likewise
    int64_t place;       // offset in the bytes, likewise
    int64_t done, total; // blocks read from the spool
} writer;

// Targets of a body: none if it never moves.
static int target_count(const writer* w, int body) {
    return w->spool.moves[body] ? w->job->frame_count - 1 : 0;
}

static int64_t index_count(const pli_result_body* body) {
    return 3 * (int64_t)body->triangle_count + 2 * (int64_t)body->segment_count + body->point_count;
}

static bool go_on(writer* w) {
    return pli_export_go_on(w->job, 0.4 + 0.6 * (double)++w->done / (double)w->total);
}

// The positions of a body in frame 0, or target i: the differences to them; in spool.block.
static pli_status read_block(writer* w, int body, int i, pli_error* error) {
    int count = 3 * w->job->result->bodies[body].vertex_count;
    PLI_TRY(pli_spool_read(&w->spool, body, i, error));
    if (i == 0) memcpy(w->first, w->spool.block, (size_t)count * sizeof *w->first);
    for (int k = 0; i > 0 && k < count; ++k) w->spool.block[k] -= w->first[k];
    return PLI_OK;
}

// ---- JSON arrays, each over all bodies

static void write_nodes(writer* w) {
    const pli_result* result = w->job->result;
    pli_file_text(w->file, "\"scenes\":[{\"nodes\":[");
    for (int b = 0; b < result->body_count; ++b) PLI_FILE_PRINT(w->file, b > 0 ? ",%d" : "%d", b);
    pli_file_text(w->file, "]}],\"nodes\":[");
    for (int b = 0; b < result->body_count; ++b) {
        PLI_FILE_PRINT(w->file, "%s{\"mesh\":%d,\"name\":", b > 0 ? ",\n" : "", b);
        pli_file_json(w->file, result->bodies[b].name);
        pli_file_text(w->file, "}");
    }
    pli_file_text(w->file, "],\n");
}

static void write_materials(writer* w) {
    const pli_result* result = w->job->result;
    pli_file_text(w->file, "\"materials\":[");
    for (int b = 0; b < result->body_count; ++b) {
        double rgb[3];
        pli_export_colour(&result->bodies[b], rgb);
        PLI_FILE_PRINT(w->file,
                       "%s{\"doubleSided\":true,\"pbrMetallicRoughness\":{\"baseColorFactor\":"
                       "[%g,%g,%g,1],\"metallicFactor\":0,\"roughnessFactor\":0.7}}",
                       b > 0 ? ",\n" : "", rgb[0], rgb[1], rgb[2]);
    }
    pli_file_text(w->file, "],\n");
}

// The nonempty parts of a body: mode, numbers per element, elements.
typedef struct part {
    int mode, width, count;
    const int32_t* list;
} part;
enum { PARTS = 3 };

static int find_parts(const pli_result_body* body, part parts[PARTS]) {
    const part all[PARTS] = {{4, 3, body->triangle_count, body->triangles},
                             {1, 2, body->segment_count, body->segments},
                             {0, 1, body->point_count, body->points}};
    int count = 0;
    for (int i = 0; i < PARTS; ++i)
        if (all[i].count > 0) parts[count++] = all[i];
    return count;
}

// Accessors of a body: one per part, then positions, then targets.
static void write_meshes(writer* w) {
    const pli_result* result = w->job->result;
    int accessor = w->moving_count > 0 ? 2 : 0;
    pli_file_text(w->file, "\"meshes\":[");
    for (int b = 0; b < result->body_count; ++b) {
        part parts[PARTS];
        int count = find_parts(&result->bodies[b], parts), targets = target_count(w, b);
        pli_file_text(w->file, b > 0 ? ",\n{\"name\":" : "{\"name\":");
        pli_file_json(w->file, result->bodies[b].name);
        pli_file_text(w->file, ",\"primitives\":[");
        for (int p = 0; p < count; ++p) {
            PLI_FILE_PRINT(w->file,
                           "%s{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":%d,"
                           "\"mode\":%d",
                           p > 0 ? "," : "", accessor + count, accessor + p, b, parts[p].mode);
            for (int i = 1; i <= targets; ++i)
                PLI_FILE_PRINT(w->file, "%s{\"POSITION\":%d}", i > 1 ? "," : ",\"targets\":[",
                               accessor + count + i);
            pli_file_text(w->file, targets > 0 ? "]}" : "}");
        }
        pli_file_text(w->file, "]");
        if (result->bodies[b].radius > 0) {
            pli_file_text(w->file, ",\"extras\":{\"radius\":");
            pli_file_number(w->file, result->bodies[b].radius);
            pli_file_text(w->file, "}");
        }
        pli_file_text(w->file, "}");
        accessor += count + 1 + targets;
    }
    pli_file_text(w->file, "],\n");
}

static void write_animation(writer* w) {
    bool any = false;
    if (w->moving_count == 0) return;
    pli_file_text(w->file, "\"animations\":[{\"name\":\"run\",\"samplers\":[{\"input\":0,"
                           "\"interpolation\":\"LINEAR\",\"output\":1}],\"channels\":[");
    for (int b = 0; b < w->job->result->body_count; ++b) {
        if (!w->spool.moves[b]) continue;
        PLI_FILE_PRINT(w->file, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}",
                       any ? "," : "", b);
        any = true;
    }
    pli_file_text(w->file, "]}],\n");
}

// ---- accessors

static void write_accessor(writer* w, int view, int64_t offset, int type, int64_t count,
                           const char* shape) {
    PLI_FILE_PRINT(w->file,
                   "%s{\"bufferView\":%d,\"byteOffset\":%lld,\"componentType\":%d,\"count\":%lld,"
                   "\"type\":\"%s\"",
                   w->accessor_count++ > 0 ? "},\n" : "", view, (long long)offset, type,
                   (long long)count, shape);
}

static void write_bounds(writer* w, int vertex_count) {
    float bounds[2][3] = {{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
    for (int i = 0; i < 3 * vertex_count; ++i) {
        bounds[0][i % 3] = fminf(bounds[0][i % 3], w->spool.block[i]);
        bounds[1][i % 3] = fmaxf(bounds[1][i % 3], w->spool.block[i]);
    }
    for (int side = 0; side < 2; ++side) {
        pli_file_text(w->file, side == 0 ? ",\"min\":" : ",\"max\":");
        for (int k = 0; k < 3; ++k) {
            pli_file_text(w->file, k > 0 ? "," : "[");
            pli_file_number(w->file, (double)bounds[side][k]);
        }
        pli_file_text(w->file, "]");
    }
}

// Times and weights; the last time is that of the animation's end.
static void write_animation_accessors(writer* w) {
    int count = w->job->frame_count;
    if (w->moving_count == 0) return;
    write_accessor(w, 0, 0, FLOAT, count, "SCALAR");
    pli_file_text(w->file, ",\"min\":[0],\"max\":[");
    pli_file_number(w->file, (double)(float)(w->spool.times[count - 1] - w->spool.times[0]));
    pli_file_text(w->file, "]");
    write_accessor(w, 1, 0, FLOAT, (int64_t)count * (count - 1), "SCALAR");
}

static pli_status write_body_accessors(writer* w, int b, int view, pli_error* error) {
    const pli_result_body* body = &w->job->result->bodies[b];
    part parts[PARTS];
    int count = find_parts(body, parts);
    int64_t offset = 0;
    for (int p = 0; p < count; ++p) {
        int64_t indices = (int64_t)parts[p].width * parts[p].count;
        write_accessor(w, view, offset, UNSIGNED, indices, "SCALAR");
        offset += WORD * indices;
    }
    for (int i = 0; i <= target_count(w, b); ++i) {
        PLI_TRY(read_block(w, b, i, error));
        write_accessor(w, view + 1, 3 * WORD * (int64_t)body->vertex_count * i, FLOAT,
                       body->vertex_count, "VEC3");
        write_bounds(w, body->vertex_count);
        if (!go_on(w)) break;
    }
    return PLI_OK;
}

static pli_status write_accessors(writer* w, pli_error* error) {
    int view = w->moving_count > 0 ? 2 : 0;
    pli_file_text(w->file, "\"accessors\":[");
    write_animation_accessors(w);
    for (int b = 0; b < w->job->result->body_count && !w->job->info->cancelled; ++b, view += 2)
        PLI_TRY(write_body_accessors(w, b, view, error));
    pli_file_text(w->file, "}],\n");
    return PLI_OK;
}

// ---- views

static void write_view(writer* w, int64_t size, const char* more) {
    PLI_FILE_PRINT(w->file, "%s{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld%s}",
                   w->view_count++ > 0 ? ",\n" : "", (long long)w->place, (long long)size, more);
    w->place += size;
}

static void write_views(writer* w) {
    int64_t frames = w->job->frame_count;
    char indices[32], vertices[64];
    pli_format(indices, sizeof indices, ",\"target\":%d", INDEX_BUFFER);
    pli_format(vertices, sizeof vertices, ",\"byteStride\":%d,\"target\":%d", 3 * WORD,
               VERTEX_BUFFER);
    pli_file_text(w->file, "\"bufferViews\":[");
    if (w->moving_count > 0) {
        write_view(w, WORD * frames, "");
        write_view(w, WORD * frames * (frames - 1), "");
    }
    for (int b = 0; b < w->job->result->body_count; ++b) {
        const pli_result_body* body = &w->job->result->bodies[b];
        write_view(w, WORD * index_count(body), indices);
        write_view(w, 3 * WORD * (int64_t)body->vertex_count * (1 + target_count(w, b)), vertices);
    }
    PLI_FILE_PRINT(w->file, "],\n\"buffers\":[{\"byteLength\":%lld}]", (long long)w->place);
}

// ---- bytes

static void write_weights(writer* w) {
    static const float zero = 0, one = 1;
    int count = w->job->frame_count;
    for (int i = 0; i < count; ++i) {
        float time = (float)(w->spool.times[i] - w->spool.times[0]);
        pli_file_words(w->file, &time, 1, false);
    }
    for (int i = 0; i < count; ++i)
        for (int k = 1; k < count; ++k) pli_file_words(w->file, k == i ? &one : &zero, 1, false);
}

static pli_status write_body_bytes(writer* w, int b, pli_error* error) {
    const pli_result_body* body = &w->job->result->bodies[b];
    part parts[PARTS];
    int count = find_parts(body, parts);
    for (int p = 0; p < count; ++p)
        pli_file_words(w->file, parts[p].list, (size_t)parts[p].width * (size_t)parts[p].count,
                       false);
    for (int i = 0; i <= target_count(w, b); ++i) {
        PLI_TRY(read_block(w, b, i, error));
        pli_file_words(w->file, w->spool.block, 3 * (size_t)body->vertex_count, false);
        if (!go_on(w)) break;
    }
    return PLI_OK;
}

// ---- the file

static pli_status write_json(writer* w, pli_error* error) {
    pli_file_text(w->file, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"pliant ");
    pli_file_text(w->file, pli_version());
    pli_file_text(w->file, "\"},\"scene\":0,");
    write_nodes(w);
    write_materials(w);
    write_meshes(w);
    write_animation(w);
    PLI_TRY(write_accessors(w, error));
    write_views(w);
    pli_file_text(w->file, "}");
    return PLI_OK;
}

static pli_status write_all(writer* w, pli_error* error) {
    enum { HEAD = 12, CHUNK_HEAD = 8 };
    static const unsigned char zeros[HEAD + CHUNK_HEAD];
    pli_file_write(w->file, zeros, sizeof zeros); // filled in below, when the sizes are known
    PLI_TRY(write_json(w, error));
    int64_t end = pli_file_place(w->file);
    for (; end % WORD != 0; ++end) pli_file_text(w->file, " ");
    const uint32_t chunk[2] = {(uint32_t)w->place, 0x004E4942}; // "BIN"
    pli_file_words(w->file, chunk, 2, false);
    if (w->moving_count > 0) write_weights(w);
    for (int b = 0; b < w->job->result->body_count && !w->job->info->cancelled; ++b)
        PLI_TRY(write_body_bytes(w, b, error));
    int64_t total = pli_file_place(w->file);
    if (w->job->info->cancelled) return PLI_OK;
    PLI_ASSERT(total == end + CHUNK_HEAD + w->place);
    if (total > UINT32_MAX)
        return pli_fail(error, PLI_E_ARGUMENT, "gltf: %lld bytes, must be below 4 GB",
                        (long long)total);
    const uint32_t words[5] = {0x46546C67, 2, (uint32_t)total,                   // "glTF"
                               (uint32_t)(end - HEAD - CHUNK_HEAD), 0x4E4F534A}; // "JSON"
    unsigned char head[sizeof words];
    for (size_t i = 0; i < sizeof head; ++i)
        head[i] = (unsigned char)(words[i / WORD] >> (8 * (i % WORD)));
    pli_file_replace(w->file, 0, head, sizeof head);
    return PLI_OK;
}

// Upper bound: as if all bodies moved.
int64_t pli_export_gltf_size(const pli_export_job* job) {
    int64_t frames = job->frame_count, size = 4 * frames * frames;
    for (int b = 0; b < job->result->body_count; ++b) {
        const pli_result_body* body = &job->result->bodies[b];
        size += 12 * body->vertex_count * frames + 4 * index_count(body) + 250 * frames + 500;
    }
    return size;
}

static pli_status prepare(writer* w, pli_error* error) {
    for (int b = 0; b < w->job->result->body_count; ++b) {
        w->moving_count += w->spool.moves[b];
        w->total += 2 * (1 + (int64_t)target_count(w, b));
    }
    return PLI_ALLOC(w->job->memory, w->first, w->spool.block_size, error);
}

pli_status pli_export_gltf(pli_export_job* job, pli_error* error) {
    writer w = {.job = job};
    pli_file file;
    pli_status status;
    PLI_TRY(pli_spool_create(&w.spool, job, 0.4, error));
    PLI_TRY_CLEANUP(status, prepare(&w, error));
    if (job->info->cancelled) goto cleanup;
    PLI_TRY_CLEANUP(status, pli_file_create(&file, "", job->info->path, error));
    w.file = &file;
    status = pli_export_commit(job, &file, write_all(&w, error), error);
cleanup:
    PLI_FREE(job->memory, w.first, w.spool.block_size);
    pli_spool_destroy(&w.spool);
    return status;
}
