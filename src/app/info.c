// Commands that print what is known: help, schema, version.
#include <stdio.h>
#include <string.h>

#include "app/app.h"

// `context`: a text to put before the first; NULL: none.
static void write_out(void* context, const char* text) {
    const char** before = context;
    if (before) fputs(*before, stdout), *before = "";
    fputs(text, stdout);
}

static void print_command(const pli_command* command) {
    printf("usage: pliant %s %s\n  %s\n\noptions:\n", command->name, command->usage, command->help);
    pli_options_print(command);
    printf("\nexit codes: 0 done, 1 the run stopped with a reason, 2 bad usage or bad scene\n");
}

static void print_overview(void) {
    printf("pliant %s: solids by minimizing energy\n\nusage:\n", pli_version());
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
