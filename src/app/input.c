// What commands take: scenes from standard input (pliant run -), the def that all commands read a
// scene by, folders of runs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"

const char pli_input_name[] = "stdin";

enum { INPUT_LIMIT = 256 << 20 }; // [bytes], as of scene files

// All of standard input, with a NUL behind it; NULL without memory or if it cannot be read.
static char* read_all(size_t* length) {
    size_t room = 1 << 16;
    char* text = malloc(room);
    *length = 0;
    while (text) {
        *length += fread(text + *length, 1, room - 1 - *length, stdin);
        if (*length < room - 1 || room > INPUT_LIMIT) break;
        char* more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text && ferror(stdin)) {
        free(text);
        return NULL;
    }
    if (text) text[*length] = '\0';
    return text;
}

bool pli_is_no_file(const char* command, const char* path) {
    struct stat info;
    char shown[1024];
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return true;
    pli_complain("%s is a file: pliant %s needs the folder of a run, which pliant run SCENE.json "
                 "makes",
                 pli_printable(path, shown, sizeof shown), command);
    return false;
}

bool pli_input_read(const pli_command* command, pli_options* options) {
    if (!command->scene || !options->argument || strcmp(options->argument, "-") != 0) return true;
    size_t length;
    char* text = read_all(&length);
    options->argument = pli_input_name;
    options->text = text;
    if (!text)
        pli_complain("standard input could not be read");
    else if (length > INPUT_LIMIT)
        pli_complain("standard input has more than %d bytes, must have fewer", INPUT_LIMIT);
    else if (strlen(text) < length)
        pli_complain("standard input has a NUL byte: this is no scene");
    else
        return true;
    return false;
}

void pli_input_free(pli_options* options) {
    free((void*)(uintptr_t)options->text);
    options->text = NULL;
}

pli_scene_def pli_scene_def_of(const pli_options* options) {
    pli_scene_def def = pli_default_scene_def();
    def.path = options->argument;
    def.text = options->text;
    def.overrides = options->overrides;
    def.override_count = options->override_count;
    def.thread_count = options->threads;
    def.allocator = &options->allocator;
    return def;
}
