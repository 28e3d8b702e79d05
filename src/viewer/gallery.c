// The gallery: the scenes shipped with the program, in its share folder, beside its build folder,
// or in PLIANT_SCENES. Names are only ever compared with this list and never used as paths.
#define _POSIX_C_SOURCE 200809L // readlink, opendir
#include <dirent.h>
#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/viewer.h"

enum { ENTRIES_MAX = 500, PATH_SIZE = 4096 };

typedef struct entry {
    char name[PLI_VIEW_NAME_SIZE]; // "bar", "tutorial/1_mass_spring"
    char path[PATH_SIZE];
    char picture[PATH_SIZE]; // "": none
} entry;

struct pli_view_gallery {
    int count;
    entry* entries;
    char* json;
};

static bool is_file(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_folder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// ---- location

// The folder of the program itself; false: not known.
static bool program_folder(char folder[PATH_SIZE]) {
    ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    char* slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

static bool find_folder(char folder[PATH_SIZE]) {
    static const char* const below[] = {"../share/pliant/scenes", "../scenes", "../../scenes"};
    const char* given = getenv("PLIANT_SCENES");
    char program[PATH_SIZE];
    if (given && *given) {
        snprintf(folder, PATH_SIZE, "%s", given);
        return is_folder(folder);
    }
    bool known = program_folder(program);
    for (size_t i = 0; known && i < sizeof below / sizeof *below; ++i) {
        int n = snprintf(folder, PATH_SIZE, "%s/%s", program, below[i]);
        if (n < PATH_SIZE && is_folder(folder)) return true;
    }
    snprintf(folder, PATH_SIZE, "scenes");
    return is_folder(folder);
}

// Pictures are named as the scenes (tools/thumbnails.sh).
static void find_picture(const char* folder, entry* e) {
    static const char* const below[] = {"../pictures/small", "../docs/pictures/small"};
    for (size_t i = 0; i < sizeof below / sizeof *below; ++i) {
        int n = snprintf(e->picture, PATH_SIZE, "%s/%s/%s.png", folder, below[i], e->name);
        if (n < PATH_SIZE && is_file(e->picture)) return;
    }
    e->picture[0] = '\0';
}

// ---- the list

// `prefix` is "" or "tutorial/".
static void list_folder(pli_view_gallery* g, const char* folder, const char* prefix) {
    char path[PATH_SIZE];
    int n = snprintf(path, sizeof path, "%s/%s", folder, prefix);
    DIR* dir = n < PATH_SIZE ? opendir(path) : NULL;
    for (struct dirent* d; dir && (d = readdir(dir)) && g->count < ENTRIES_MAX;) {
        size_t length = strlen(d->d_name);
        bool json = length > 5 && strcmp(d->d_name + length - 5, ".json") == 0;
        bool schema = length > 12 && strcmp(d->d_name + length - 12, ".schema.json") == 0;
        if (d->d_name[0] == '.' || !json || schema) continue;
        entry* e = &g->entries[g->count];
        n = snprintf(e->name, sizeof e->name, "%s%.*s", prefix, (int)length - 5, d->d_name);
        int m = snprintf(e->path, sizeof e->path, "%s%s%s.json", folder, "/", e->name);
        if (n >= (int)sizeof e->name || m >= PATH_SIZE || !is_file(e->path)) continue;
        find_picture(folder, e);
        g->count++;
    }
    if (dir) closedir(dir);
}

static void list_all(pli_view_gallery* g, const char* folder) {
    list_folder(g, folder, "");
    DIR* dir = opendir(folder);
    for (struct dirent* d; dir && (d = readdir(dir));) {
        char path[PATH_SIZE], prefix[PLI_VIEW_NAME_SIZE];
        if (d->d_name[0] == '.' || strlen(d->d_name) + 2 > sizeof prefix) continue;
        int n = snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
        if (n >= PATH_SIZE || !is_folder(path)) continue;
        snprintf(prefix, sizeof prefix, "%.*s/", (int)sizeof prefix - 2, d->d_name);
        list_folder(g, folder, prefix);
    }
    if (dir) closedir(dir);
}

// Scenes of the folder itself come before those of folders below it; then by name.
static int compare(const void* a, const void* b) {
    const entry *x = a, *y = b;
    bool deep_x = strchr(x->name, '/'), deep_y = strchr(y->name, '/');
    return deep_x != deep_y ? (int)deep_x - (int)deep_y : strcmp(x->name, y->name);
}

static const char* text_of(const json_t* root, const char* key) {
    const char* text = json_string_value(json_object_get(root, key));
    return text ? text : "";
}

static json_t* describe(const entry* e) {
    json_t* root = json_load_file(e->path, 0, NULL);
    if (!json_is_array(json_object_get(root, "bodies"))) { // no scene
        json_decref(root);
        return NULL;
    }
    const char* title = text_of(root, "name");
    char picture[PLI_VIEW_NAME_SIZE + 20];
    snprintf(picture, sizeof picture, "thumbnail/%s.png", e->name);
    json_t* out =
        json_pack("{s:s, s:s, s:s, s:i, s:s?}", "name", e->name, "title", *title ? title : e->name,
                  "description", text_of(root, "description"), "dimension",
                  json_number_value(json_object_get(root, "dimension")) == 3 ? 3 : 2, "thumbnail",
                  e->picture[0] ? picture : NULL);
    json_decref(root);
    return out;
}

static char* write_list(pli_view_gallery* g) {
    json_t* list = json_array();
    int kept = 0;
    for (int i = 0; i < g->count; ++i) {
        json_t* described = describe(&g->entries[i]);
        if (!described) continue;
        json_array_append_new(list, described);
        g->entries[kept++] = g->entries[i];
    }
    g->count = kept;
    json_t* root = json_pack("{s:o}", "scenes", list);
    char* text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    return text;
}

pli_view_gallery* pli_view_gallery_create(void) {
    pli_view_gallery* g = calloc(1, sizeof *g);
    char folder[PATH_SIZE];
    if (g) g->entries = malloc(ENTRIES_MAX * sizeof *g->entries);
    if (!g || !g->entries) {
        free(g);
        return NULL;
    }
    if (find_folder(folder)) list_all(g, folder);
    qsort(g->entries, (size_t)g->count, sizeof *g->entries, compare);
    g->json = write_list(g);
    if (g->json) return g;
    pli_view_gallery_destroy(g);
    return NULL;
}

void pli_view_gallery_destroy(pli_view_gallery* g) {
    if (!g) return;
    free(g->entries);
    free(g->json);
    free(g);
}

int pli_view_gallery_count(const pli_view_gallery* g) { return g->count; }

const char* pli_view_gallery_json(const pli_view_gallery* g) { return g->json; }

static const entry* find(const pli_view_gallery* g, const char* name) {
    for (int i = 0; i < g->count; ++i)
        if (strcmp(g->entries[i].name, name) == 0) return &g->entries[i];
    return NULL;
}

const char* pli_view_gallery_find(const pli_view_gallery* g, const char* name) {
    const entry* e = find(g, name);
    return e ? e->path : NULL;
}

const char* pli_view_gallery_picture(const pli_view_gallery* g, const char* name) {
    const entry* e = find(g, name);
    return e ? e->picture : "";
}
