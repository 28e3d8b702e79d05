// `pliant completion`: scripts that complete command lines in bash and zsh, made of the tables of
// commands and options.
#include "app/app.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TOPICS = 400, TOPIC_SIZE = 48 };

// ---- what an argument or the value of an option can be

typedef enum kind {
    KIND_NONE,
    KIND_FILE,
    KIND_FOLDER,
    KIND_FORMAT,
    KIND_SCHEME,
    KIND_TOPIC,
    KIND_SHELL,
} kind;

typedef struct kind_row {
    const char* words; // placeholders of usages and values, separated by spaces
    kind kind;
} kind_row;

static const kind_row kinds[] = {
    {"SCENE.json|- FILE|- FILE PATH IN OUT SCENE.json|-|DIR ROBOT.urdf", KIND_FILE},
    {"DIR", KIND_FOLDER},
    {"FORMAT", KIND_FORMAT},
    {"A,B,...", KIND_SCHEME},
    {"[TOPIC] [PAGE]", KIND_TOPIC},
    {"bash|zsh", KIND_SHELL},
};

static kind kind_of(const char* word, size_t length) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        for (const char* c = kinds[i].words; *c;) {
            size_t n = strcspn(c, " ");
            if (n == length && strncmp(c, word, n) == 0) return kinds[i].kind;
            c += c[n] ? n + 1 : n;
        }
    return KIND_NONE;
}

// Of the first argument of a command.
static kind argument_kind(const pli_command* command) {
    return kind_of(command->usage, strcspn(command->usage, " "));
}

// ---- topics of help: the first word of each line that lists one

typedef struct topics {
    char name[MOST_TOPICS][TOPIC_SIZE];
    int count;
} topics;

static void add_topics(void* context, const char* text) {
    topics* t = context;
    size_t indent = strspn(text, " "), n = strcspn(text + indent, " \n");
    bool listed = indent >= 2 && n > 0 && n < TOPIC_SIZE && t->count < MOST_TOPICS;
    if (listed) snprintf(t->name[t->count++], TOPIC_SIZE, "%.*s", (int)n, text + indent);
}

static const topics* find_topics(void) {
    static topics found;
    found.count = 0;
    pli_scene_help(NULL, add_topics, &found, NULL);
    return &found;
}

// The words of a kind, separated by spaces.
static void print_words(kind of) {
    const topics* t = of == KIND_TOPIC ? find_topics() : NULL;
    for (int i = 0; of == KIND_FORMAT && pli_list_name(PLI_LIST_EXPORT_FORMATS, i); ++i)
        printf("%s ", pli_list_name(PLI_LIST_EXPORT_FORMATS, i));
    for (int i = 0; of == KIND_SCHEME && pli_list_name(PLI_LIST_SCHEMES, i); ++i)
        printf("%s ", pli_list_name(PLI_LIST_SCHEMES, i));
    for (int i = 0; of == KIND_TOPIC && pli_command_at(i); ++i)
        printf("%s ", pli_command_at(i)->name);
    for (int i = 0; t && i < t->count; ++i) printf("%s ", t->name[i]);
    if (of == KIND_TOPIC) printf("all ");
    if (of == KIND_SHELL) printf("bash zsh ");
}

// ---- bash

static void print_bash_values(kind of) {
    if (of == KIND_FILE)
        printf("_pliant_files");
    else if (of == KIND_FOLDER)
        printf("_pliant_folders");
    else if (of != KIND_NONE) {
        printf("_pliant_words \"");
        print_words(of);
        printf("\"");
    } else
        printf(":"); // any value
}

static void print_bash_command(const pli_command* command) {
    pli_option_row row;
    printf("    %s)\n        case \"$before\" in\n", command->name);
    for (int i = 0; pli_options_at(command, i, &row); ++i) {
        if (!*row.value) continue;
        printf("        %s | %s) ", row.letter, row.name);
        print_bash_values(kind_of(row.value, strlen(row.value)));
        printf("; return ;;\n");
    }
    printf("        esac\n        options=\"");
    for (int i = 0; pli_options_at(command, i, &row); ++i) printf("%s ", row.name);
    printf("\"\n        if [[ $word == -* ]]; then _pliant_words \"$options\"; else ");
    print_bash_values(argument_kind(command));
    printf("; fi ;;\n");
}

static void print_bash(void) {
    printf("# Completion of pliant in bash, made by: pliant completion bash\n"
           "_pliant() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options\n"
           "    _pliant_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$word\")); }\n"
           "    _pliant_files() { compopt -o filenames 2> /dev/null; "
           "COMPREPLY=($(compgen -f -- \"$word\")); }\n"
           "    _pliant_folders() { compopt -o filenames 2> /dev/null; "
           "COMPREPLY=($(compgen -d -- \"$word\")); }\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        _pliant_words \"");
    for (int i = 0; pli_command_at(i); ++i) printf("%s ", pli_command_at(i)->name);
    printf("\"\n        return\n    fi\n    case \"${COMP_WORDS[1]}\" in\n");
    for (int i = 0; pli_command_at(i); ++i) print_bash_command(pli_command_at(i));
    printf("    esac\n}\ncomplete -F _pliant pliant\n");
}

// ---- zsh

// A text inside single quotes and the brackets of a specification.
static void print_zsh_text(const char* text) {
    for (const char* c = text; *c; ++c) {
        if (*c == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *c))
            printf("\\%c", *c);
        else
            putchar(*c);
    }
}

static void print_zsh_values(const char* name, kind of) {
    printf(":");
    print_zsh_text(name);
    printf(":");
    if (of == KIND_FILE) printf("_files");
    if (of == KIND_FOLDER) printf("_files -/");
    if (of == KIND_NONE || of == KIND_FILE || of == KIND_FOLDER) return;
    printf("(");
    print_words(of);
    printf(")");
}

static void print_zsh_command(const pli_command* command) {
    pli_option_row row;
    printf("    %s)\n        _arguments", command->name);
    for (int i = 0; pli_options_at(command, i, &row); ++i) {
        printf(" \\\n            '(%s %s)'{%s,%s}'[", row.letter, row.name, row.letter, row.name);
        print_zsh_text(row.help);
        printf("]");
        if (*row.value) print_zsh_values(row.value, kind_of(row.value, strlen(row.value)));
        printf("'");
    }
    if (*command->usage) {
        printf(" \\\n            '*");
        print_zsh_values("argument", argument_kind(command));
        printf("'");
    }
    printf(" ;;\n");
}

static void print_zsh(void) {
    printf("#compdef pliant\n# Completion of pliant in zsh, made by: pliant completion zsh\n"
           "local -a commands\ncommands=(\n");
    for (int i = 0; pli_command_at(i); ++i) {
        printf("    '%s:", pli_command_at(i)->name);
        print_zsh_text(pli_command_at(i)->help);
        printf("'\n");
    }
    printf(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
           "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n");
    for (int i = 0; pli_command_at(i); ++i) print_zsh_command(pli_command_at(i));
    printf("esac\n");
}

// ---- the command

typedef struct shell {
    const char* name;
    void (*print)(void);
} shell;

static const shell shells[] = {{"bash", print_bash}, {"zsh", print_zsh}};

int pli_command_completion(const pli_options* options) {
    for (size_t i = 0; options->argument && i < sizeof shells / sizeof *shells; ++i)
        if (strcmp(options->argument, shells[i].name) == 0) {
            shells[i].print();
            return PLI_EXIT_DONE;
        }
    pli_complain("completion needs the name of a shell: bash or zsh; for example: source <(pliant "
                 "completion bash)");
    return PLI_EXIT_USAGE;
}
