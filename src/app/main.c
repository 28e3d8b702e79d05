// The pliant command: its table of commands, shared functions, and the commands that only print:
// help, schema, version.
#define _POSIX_C_SOURCE 200809L // sigaction
#include "app/app.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const pli_command commands[] = {
    {"run", "SCENE.json|- [options]", "simulate a scene and write the results", pli_command_run,
     true},
    {"study", "SCENE.json|- [options]", "compare time schemes and step sizes on a scene",
     pli_command_study, true},
    {"check", "FILE|- [options]", "check a scene or a mesh file, and summarize it",
     pli_command_check, true},
    {"view", "SCENE.json|-|DIR [options]",
     "show a scene or a result in the browser; without argument: the gallery", pli_command_view,
     true},
    {"mesh", "IN OUT [options]", "convert a mesh; fill a closed surface with tetrahedra",
     pli_command_mesh, false},
    {"export", "DIR [options]", "convert a result for other programs, to pictures or a video",
     pli_command_export, false},
    {"report", "DIR [options]", "summarize a result on one page: pictures, numbers, plots",
     pli_command_report, false},
    {"help", "[TOPIC]", "explain a command, a topic or a scene key; \"all\": everything",
     pli_command_help, false},
    {"schema", "", "print the JSON Schema of scenes, for editors", pli_command_schema, false},
    {"version", "", "print the version and the licence", pli_command_version, false},
    {"manual", "[PAGE]",
     "print a manual page for man: of a command, or of scene; default: overview",
     pli_command_manual, false},
    {"completion", "bash|zsh", "print a script that completes command lines in a shell",
     pli_command_completion, false},
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

bool pli_complain(const char* format, ...) {
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "pliant: %s\n", pli_printable(text, text, sizeof text));
    return false;
}

bool pli_complain_of(const pli_options* options, const pli_error* error) {
    pli_complain("%s", error->message);
    if (error->status == PLI_E_MEMORY) pli_advise_memory(options);
    return false;
}

int pli_exit_code(pli_status status) {
    bool invalid = status == PLI_E_ARGUMENT || status == PLI_E_SCENE;
    return status == PLI_OK ? PLI_EXIT_DONE : invalid ? PLI_EXIT_USAGE : PLI_EXIT_STOPPED;
}

const char* pli_counted(long long count, const char* one, const char* many) {
    return count == 1 ? one : many;
}

const char* pli_shown(const char* name, char text[PLI_SHOWN_SIZE]) {
    bool cut = strlen(name) >= PLI_SHOWN_SIZE;
    pli_printable(name, text, cut ? PLI_SHOWN_SIZE - 3 : PLI_SHOWN_SIZE);
    return cut ? strcat(text, "...") : text;
}

bool pli_name_path(const char* folder, const char* scene, const char* ending,
                   char path[PLI_PATH_SIZE]) {
    const char* slash = strrchr(scene, '/');
    const char* base = slash ? slash + 1 : scene;
    const char* dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int n = snprintf(path, PLI_PATH_SIZE, "%s%s%.*s%s", folder, *folder ? "/" : "", length, base,
                     ending);
    return (n > 0 && n < PLI_PATH_SIZE) || pli_complain("the path of the results is too long");
}

bool pli_choose_folder(const pli_options* options, const char* suffix, char folder[PLI_PATH_SIZE]) {
    if (!options->folder) return pli_name_path("results", options->argument, suffix, folder);
    int n = snprintf(folder, PLI_PATH_SIZE, "%s", options->folder);
    return n < PLI_PATH_SIZE || pli_complain("the path of the results is too long");
}

// Output that cannot be written is a failure, but a reader that has closed the pipe (pliant help |
// head) is not.
static int finish_output(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    if (errno == EPIPE) return code;
    pli_complain("cannot write the output: %s", strerror(errno));
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
    bool good = pli_options_read(command, count, arguments, &options);
    if (good && options.help) {
        options.argument = command->name;
        code = pli_command_help(&options);
    } else if (good && pli_memory_begin(&options)) {
        if (pli_input_read(command, &options)) code = command->run(&options);
        pli_input_free(&options);
        pli_memory_end(&options);
    }
    free(options.overrides);
    return code;
}

int main(int argc, char** argv) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL); // these two become errors of write(), which are reported
    sigaction(SIGXFSZ, &ignore, NULL);
    const char* name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) name = "help";
    if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0) name = "version";
    const pli_command* command = pli_command_find(name);
    if (!command) {
        char like[96];
        pli_complain("unknown command \"%s\"%s; see: pliant help", name,
                     pli_like(name, command_name, like));
        return PLI_EXIT_USAGE;
    }
    int skipped = argc > 1 ? 2 : 1;
    return finish_output(dispatch(command, argc - skipped, argv + skipped));
}

// `context`: a text to put before the first; NULL: none.
static void write_out(void* context, const char* text) {
    const char** before = context;
    if (before) fputs(*before, stdout), *before = "";
    fputs(text, stdout);
}

static void print_command(const pli_command* command) {
    printf("usage: pliant %s %s\n  %s\n\noptions:\n", command->name, command->usage, command->help);
    pli_options_print(command);
    printf("\nexit codes: 0 done, 1 the run stopped (the message says why), 2 bad usage or invalid "
           "scene\n");
}

static void print_overview(void) {
    printf("pliant %s: simulation of deformable bodies by energy minimization\n\nusage:\n",
           pli_version());
    for (int i = 0; pli_command_at(i); ++i) {
        const pli_command* c = pli_command_at(i);
        char left[64];
        snprintf(left, sizeof left, "pliant %s %s", c->name, c->usage);
        printf("  %-34s %s\n", left, c->help);
    }
    printf("\ntopics of pliant help TOPIC (\"all\" prints all of them; a key works too):\n");
    pli_scene_help(NULL, write_out, NULL, NULL);
}

int pli_command_help(const pli_options* options) {
    if (!options->argument) {
        print_overview();
        return PLI_EXIT_DONE;
    }
    const pli_command* command = pli_command_find(options->argument);
    if (command) print_command(command);
    const char* before = command ? "\nin a scene:\n\n" : ""; // "mesh" is a command and a topic
    pli_error error = {0};
    pli_status status = pli_scene_help(options->argument, write_out, &before, &error);
    if (command || status == PLI_OK) return PLI_EXIT_DONE;
    pli_complain("%s; see: pliant help", error.message);
    return PLI_EXIT_USAGE;
}

int pli_command_schema(const pli_options* options) {
    (void)options;
    pli_scene_schema(write_out, NULL);
    return PLI_EXIT_DONE;
}

int pli_command_version(const pli_options* options) {
    (void)options;
    printf("pliant %s\n%s", pli_version(), pli_licence());
    return PLI_EXIT_DONE;
}
