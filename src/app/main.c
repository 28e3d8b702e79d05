// The pliant command: finds the command, reads its options, runs it.
#define _POSIX_C_SOURCE 200809L // sigaction
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"

static const pli_command commands[] = {
    {"run", "SCENE.json|- [options]", "simulate a scene and write the results", pli_command_run,
     true},
    {"study", "SCENE.json|- [options]", "compare time schemes and step sizes on a scene",
     pli_command_study, true},
    {"check", "FILE|- [options]",
     "find everything wrong with a scene or a mesh and say what it holds", pli_command_check, true},
    {"view", "SCENE.json|-|DIR [options]",
     "look at a scene or a result in the browser; without either the gallery", pli_command_view,
     true},
    {"mesh", "IN OUT [options]", "convert a mesh; fill a closed surface with tetrahedra",
     pli_command_mesh, false},
    {"export", "DIR [options]", "write a result for other programs, as pictures or a film",
     pli_command_export, false},
    {"report", "DIR [options]", "write one page about a result: pictures, numbers, plots",
     pli_command_report, false},
    {"help", "[TOPIC]", "explain the command, all scene keys, one topic or one key",
     pli_command_help, false},
    {"schema", "", "print the JSON Schema of scenes, for editors", pli_command_schema, false},
    {"version", "", "print the version and the licence", pli_command_version, false},
};

const pli_command* pli_command_at(int i) {
    return i >= 0 && (size_t)i < sizeof commands / sizeof *commands ? &commands[i] : NULL;
}

static const char* command_name(int i) { return pli_command_at(i) ? commands[i].name : NULL; }

const pli_command* pli_command_find(const char* name) {
    for (int i = 0; pli_command_at(i); ++i)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

const char* pli_like(const char* word, const char* (*candidate)(int i), char text[96]) {
    const char* like = pli_nearest_word(word, candidate);
    text[0] = '\0';
    if (like) snprintf(text, 96, ", did you mean \"%.60s\"?", like);
    return text;
}

void pli_complain(const char* format, ...) {
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "pliant: %s\n", pli_printable(text, text, sizeof text));
}

const char* pli_counted(long long count, const char* one, const char* many) {
    return count == 1 ? one : many;
}

const char* pli_shown(const char* name, char text[PLI_SHOWN_SIZE]) {
    bool cut = strlen(name) >= PLI_SHOWN_SIZE;
    pli_printable(name, text, cut ? PLI_SHOWN_SIZE - 3 : PLI_SHOWN_SIZE);
    return cut ? strcat(text, "...") : text;
}

bool pli_choose_folder(const pli_options* options, const char* suffix,
                       char folder[PLI_FOLDER_SIZE]) {
    const char* slash = strrchr(options->argument, '/');
    const char* base = slash ? slash + 1 : options->argument;
    const char* dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int n = options->folder
                ? snprintf(folder, PLI_FOLDER_SIZE, "%s", options->folder)
                : snprintf(folder, PLI_FOLDER_SIZE, "results/%.*s%s", length, base, suffix);
    bool fits = n > 0 && n < PLI_FOLDER_SIZE;
    if (!fits) pli_complain("the name of the results folder is too long");
    return fits;
}

// What was printed must have arrived; a reader that went away (pliant help | head) is no failure.
static int finish_output(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    if (errno == EPIPE) return code;
    pli_complain("the output could not be written: %s", strerror(errno));
    return code == PLI_EXIT_DONE ? PLI_EXIT_STOPPED : code;
}

static int dispatch(const pli_command* command, int count, char** arguments) {
    pli_options options = {0};
    options.overrides = calloc((size_t)count + 1, sizeof *options.overrides);
    if (!options.overrides) {
        pli_complain("out of memory");
        return PLI_EXIT_STOPPED;
    }
    int code = PLI_EXIT_USAGE;
    if (pli_options_read(command, count, arguments, &options)) {
        if (options.help) {
            options.argument = command->name;
            code = pli_command_help(&options);
        } else {
            if (pli_memory_begin(&options)) {
                if (pli_input_read(command, &options)) code = command->run(&options);
                pli_input_free(&options);
                pli_memory_end(&options);
            }
        }
    }
    free(options.overrides);
    return code;
}

int main(int argc, char** argv) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL); // these two become failures of write(), which are reported
    sigaction(SIGXFSZ, &ignore, NULL);
    const char* name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) name = "help";
    if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0) name = "version";
    const pli_command* command = pli_command_find(name);
    if (!command) {
        char like[96];
        pli_complain("there is no command \"%s\"%s; see: pliant help", name,
                     pli_like(name, command_name, like));
        return PLI_EXIT_USAGE;
    }
    int skipped = argc > 1 ? 2 : 1;
    return finish_output(dispatch(command, argc - skipped, argv + skipped));
}
