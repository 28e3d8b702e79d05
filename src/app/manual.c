// `pliant manual`: manual pages in roff, made of the tables of commands, options and scene keys.
#include "app/app.h"

#include <stdio.h>
#include <string.h>

// Text with what roff would read as a command or an escape made harmless.
static void print_text(const char* text) {
    bool begins = true; // of a line: a dot or an apostrophe there is a command
    for (const char* c = text; *c; ++c) {
        if (begins && (*c == '.' || *c == '\'')) fputs("\\&", stdout);
        begins = *c == '\n';
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else
            putchar(*c);
    }
}

static void print_paragraph(const char* text) {
    print_text(text);
    putchar('\n');
}

// pliant-NAME(SECTION)
static void print_title(const char* name, int section) {
    printf(".TH \"PLIANT");
    for (const char* c = name; *c; ++c) putchar(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    printf("\" %d \"\" \"pliant %s\" \"Pliant\"\n.SH NAME\npliant", section, pli_version());
    print_text(name);
    printf(" \\- ");
}

// The usage: names of arguments in italics, as they are in [options].
static void print_usage(const pli_command* command) {
    printf(".B pliant %s\n", command->name);
    if (*command->usage) {
        printf(".I ");
        print_paragraph(command->usage);
    }
}

static void print_options(const pli_command* command) {
    pli_option_row row;
    if (!pli_options_at(command, 0, &row)) return;
    printf(".SH OPTIONS\n");
    for (int i = 0; pli_options_at(command, i, &row); ++i) {
        printf(".TP\n\\fB");
        print_text(row.letter);
        printf("\\fR, \\fB");
        print_text(row.name);
        printf("\\fR");
        if (*row.value) {
            printf(" \\fI");
            print_text(row.value);
            printf("\\fR");
        }
        putchar('\n');
        print_paragraph(row.help);
    }
}

static void print_end(const char* see) {
    printf(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe run stopped; a message says why\n"
           ".TP\n2\nbad usage or invalid scene\n.SH SEE ALSO\n%s\n",
           see);
}

static void print_command(const pli_command* command) {
    char name[64];
    snprintf(name, sizeof name, "-%s", command->name);
    print_title(name, 1);
    print_paragraph(command->help);
    printf(".SH SYNOPSIS\n");
    print_usage(command);
    print_options(command);
    print_end(".BR pliant (1),\n.BR pliant-scene (5)");
}

static void print_overview(void) {
    print_title("", 1);
    printf("simulate deformable and rigid bodies by minimizing energy\n.SH SYNOPSIS\n.B pliant\n"
           ".I COMMAND\n[options]\n.SH DESCRIPTION\n");
    print_paragraph(
        "Pliant simulates how soft and stiff bodies bend, swing, collide and rub against each "
        "other. A scene is a JSON file; the commands check it, run it, show it in the browser and "
        "convert the results for other programs.");
    printf(".SH COMMANDS\n");
    for (int i = 0; pli_command_at(i); ++i) {
        printf(".TP\n");
        print_usage(pli_command_at(i));
        print_paragraph(pli_command_at(i)->help);
    }
    printf(".SH EXAMPLES\n.nf\n");
    print_text("pliant check block.json\npliant run block.json\npliant view results/block\n"
               "pliant help joint\n");
    printf(".fi\n");
    print_end(".BR pliant-scene (5), and for each command pliant-COMMAND(1), as\n"
              ".BR pliant-run (1)");
}

static void write_text(void* context, const char* text) {
    (void)context;
    print_text(text);
}

static void print_scene(void) {
    print_title("-scene", 5);
    printf("keys of the scene files of pliant\n.SH DESCRIPTION\n");
    print_paragraph("A scene is a JSON file. These are its keys, with unit, range and default; "
                    "pliant help KEY explains one of them, pliant schema prints the JSON Schema.");
    printf(".SH KEYS\n.nf\n");
    pli_scene_help("all", write_text, NULL, NULL);
    printf(".fi\n.SH SEE ALSO\n.BR pliant (1)\n");
}

int pli_command_manual(const pli_options* options) {
    const char* page = options->argument;
    const pli_command* command = page ? pli_command_find(page) : NULL;
    if (!page) {
        print_overview();
    } else if (strcmp(page, "scene") == 0) {
        print_scene();
    } else if (command) {
        print_command(command);
    } else {
        pli_complain("no manual page \"%s\": the name of a command, scene, or nothing for the "
                     "overview; see: pliant help",
                     page);
        return PLI_EXIT_USAGE;
    }
    return PLI_EXIT_DONE;
}
