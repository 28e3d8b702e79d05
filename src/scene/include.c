// Included files of a scene: see include.h.
#include "scene/include.h"

#include "scene/source.h"

#include <string.h>

enum { MOST_FILES = 100, DEEPEST = 16 };

typedef struct includer {
    pli_findings* findings;
    pli_arena* arena;
    int file_count;
    pli_error* error;
} includer;

// A file that is being read, and those that include it.
typedef struct file {
    const struct file* up; // NULL: the scene itself
    const char* path;
    const char* folder;
    const char* text;
    int depth;
} file;

static pli_status include_into(includer* in, const file* at, json_t* root);

// "a/b" of "a/b/c.json", "" of "c.json".
static pli_status folder_of(includer* in, const char* path, const char** folder) {
    const char* slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    char* text;
    PLI_TRY(PLI_TAKE(in->arena, text, length + 1, in->error));
    memcpy(text, path, length);
    *folder = text;
    return PLI_OK;
}

// ---- merging: new lists and objects, so that those of each source stay as they were

static bool lists_objects(const json_t* list) {
    return json_is_array(list) && json_is_object(json_array_get(list, 0));
}

// `first`, then `own`. NULL without memory.
static json_t* joined(json_t* first, json_t* own) {
    json_t* list = json_array();
    bool good = list && json_array_extend(list, first) == 0 && json_array_extend(list, own) == 0;
    if (good) return list;
    json_decref(list);
    return NULL;
}

// The keys of both; of `own` where both have one. NULL without memory.
static json_t* merged(json_t* own, json_t* first, bool top) {
    json_t* object = json_copy(own);
    const char* key;
    json_t* value;
    bool good = object != NULL;
    json_object_foreach(first, key, value) {
        json_t* mine = json_object_get(own, key);
        if (!good) break;
        if (!mine)
            good = json_object_set(object, key, value) == 0;
        else if (json_is_object(mine) && json_is_object(value))
            good = json_object_set_new(object, key, merged(mine, value, false)) == 0;
        else if (top && lists_objects(mine) && lists_objects(value))
            good = json_object_set_new(object, key, joined(value, mine)) == 0;
    }
    if (good) return object;
    json_decref(object);
    return NULL;
}

// Merges the scene `first`, which comes before `root`, into it.
static pli_status merge(includer* in, json_t* root, json_t* first) {
    json_t* all = merged(root, first, true);
    bool good = all && json_object_update(root, all) == 0;
    json_decref(all);
    return good ? PLI_OK : pli_fail(in->error, PLI_E_MEMORY, "out of memory: an included scene");
}

// ---- reading

// The tree of a file; NULL with a finding if it is not right.
static pli_status read_file(includer* in, file* at, json_t** root) {
    pli_findings* findings = in->findings;
    char* text;
    size_t size;
    pli_error bad = {0};
    pli_status status = pli_source_read(findings->memory, at->path, &text, &size, &bad);
    *root = NULL;
    if (status == PLI_E_MEMORY) return pli_fail(in->error, status, "%s", bad.message);
    if (status != PLI_OK)
        return PLI_FIND(findings, PLI_KEY(NULL, PLI_INCLUDE_KEY), in->error, "%s", bad.message);
    char* kept = NULL;
    status = PLI_TAKE(in->arena, kept, size, in->error);
    if (status == PLI_OK) memcpy(kept, text, size);
    PLI_FREE(findings->memory, text, size);
    PLI_TRY(status);
    pli_source_clean(kept);
    at->text = kept;
    const pli_source above = findings->source;
    findings->source = (pli_source){.path = at->path, .text = kept};
    status = pli_source_parse(findings, size - 1, root, in->error);
    findings->source = above;
    return status;
}

static pli_status include_one(includer* in, const file* above, const char* path, json_t* root) {
    char full[4096];
    pli_error bad = {0};
    const pli_path key = pli_path_key(NULL, PLI_INCLUDE_KEY);
    if (pli_file_path(above->folder, path, full, sizeof full, &bad) != PLI_OK)
        return PLI_FIND(in->findings, &key, in->error, "%s", bad.message);
    for (const file* f = above; f; f = f->up)
        if (strcmp(f->path, full) == 0)
            return PLI_FIND(in->findings, &key, in->error, "\"%.200s\" includes itself", path);
    if (above->depth == DEEPEST || in->file_count == MOST_FILES)
        return PLI_FIND(in->findings, &key, in->error,
                        "\"%.200s\": at most %d files, %d within each other", path, MOST_FILES,
                        DEEPEST);
    file at = {.up = above, .depth = above->depth + 1};
    PLI_TRY(pli_arena_text(in->arena, full, &at.path, in->error));
    PLI_TRY(folder_of(in, full, &at.folder));
    in->file_count++;
    json_t* tree;
    PLI_TRY(read_file(in, &at, &tree));
    if (!tree) return PLI_OK;
    pli_status status = include_into(in, &at, tree);
    if (status == PLI_OK) status = merge(in, root, tree);
    json_decref(tree);
    return status;
}

// Reads the files that `root` names and merges them into it, the last one first, so that lists end
// up in order.
static pli_status include_into(includer* in, const file* at, json_t* root) {
    json_t* given = json_object_get(root, PLI_INCLUDE_KEY);
    PLI_TRY(pli_findings_add_source(in->findings, at->path, at->text, root, in->error));
    if (!given) return PLI_OK;
    json_incref(given);
    json_object_del(root, PLI_INCLUDE_KEY);
    size_t count = json_is_array(given) ? json_array_size(given) : 1;
    pli_status status = PLI_OK;
    for (size_t i = count; i-- > 0 && status == PLI_OK;) {
        const json_t* one = json_is_array(given) ? json_array_get(given, i) : given;
        if (json_is_string(one))
            status = include_one(in, at, json_string_value(one), root);
        else
            status = PLI_FIND(in->findings, PLI_KEY(NULL, PLI_INCLUDE_KEY), in->error,
                              PLI_INCLUDE_KEY " must be the name of a file, or a list of names");
    }
    json_decref(given);
    return status;
}

pli_status pli_include_all(pli_findings* findings, pli_arena* arena, const char* path,
                           const char* folder, json_t* root, pli_error* error) {
    includer in = {findings, arena, 0, error};
    const file scene = {.path = path, .folder = folder, .text = findings->source.text};
    if (!json_object_get(root, PLI_INCLUDE_KEY)) return PLI_OK;
    PLI_TRY(include_into(&in, &scene, root));
    pli_findings_set_tree(findings, root);
    return PLI_OK;
}
