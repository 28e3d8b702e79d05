// Checkpoints: the first byte says whether head, length and checksum are put right, so that what is
// behind them is seen. Refused with a message, or read: then a scene can be compared with it and a
// world restored from it.
#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "fuzz/fuzz.h"
#include "pliant/checkpoint.h"

enum { HEAD = 16 };

static void put_right(uint8_t* bytes, size_t size) {
    const int32_t format = PLI_CHECKPOINT_FORMAT;
    uint64_t length, hash;
    if (size < HEAD + sizeof hash) return;
    length = size - HEAD - sizeof hash;
    memcpy(bytes, "PLIC", 4);
    memcpy(bytes + 4, &format, sizeof format);
    memcpy(bytes + 8, &length, sizeof length);
    hash = pli_hash(PLI_HASH_START, bytes, size - sizeof hash);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
}

static void note_line(void* context, const char* line) {
    HOLDS(line && line[0]);
    ++*(int*)context;
}

static void use(const pli_checkpoint* checkpoint, const pli_allocator* allocator) {
    pli_error error = {0};
    int lines = 0, count = 0;
    pli_scene* scene = pli_fuzz_small_scene(allocator);
    pli_world* world = pli_scene_world(scene);
    pli_checkpoint_info info = pli_checkpoint_describe(checkpoint);
    HOLDS(info.version && info.scene && info.override_count >= 0 && info.frame_count >= 0);
    pli_status status =
        pli_checkpoint_compare(checkpoint, scene, note_line, &lines, &count, &error);
    HOLDS(status == PLI_OK || error.message[0]);
    if (status == PLI_OK) HOLDS(count >= 0 && lines <= count);
    status = pli_checkpoint_restore(checkpoint, world, &error);
    HOLDS(status == PLI_OK || error.message[0]);
    if (status == PLI_OK) pli_fuzz_accepted = true;
    pli_fuzz_step(world);
    pli_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    pli_fuzz_memory memory = {.limit = 32 << 20};
    const pli_allocator allocator = pli_fuzz_allocator(&memory);
    pli_checkpoint* checkpoint = NULL;
    pli_error error = {0};
    uint8_t* bytes = malloc(size);
    HOLDS(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 1) put_right(bytes, size - 1);
    pli_status status = pli_checkpoint_parse(bytes, size - 1, &allocator, &checkpoint, &error);
    free(bytes);
    HOLDS((status == PLI_OK) == (checkpoint != NULL) && (checkpoint || error.message[0]));
    if (checkpoint) use(checkpoint, &allocator);
    pli_checkpoint_destroy(checkpoint);
    HOLDS(memory.bytes == 0);
    return 0;
}
