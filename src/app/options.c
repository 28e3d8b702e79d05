// Options of the command line: one row each.
#include "app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct option {
    const char* name;
    const char* letter;
    const char* value; // placeholder of its value in help; "": it has none
    const char* commands;
    const char* help;
    bool (*set)(const struct option* option, const char* value, pli_options* options);
    size_t field;     // of pli_options, that `set` fills
    long least, most; // of an integer
    const char* noun; // of a number: its required kind
} option;

#define FIELD(type) (*(type*)(void*)((char*)options + o->field))

static bool set_flag(const option* o, const char* value, pli_options* options) {
    (void)value;
    return FIELD(bool) = true;
}

static bool set_text(const option* o, const char* value, pli_options* options) {
    FIELD(const char*) = value;
    return *value != '\0' ||
           pli_complain("%s: the value is empty: %s %s", o->name, o->name, o->value);
}

static bool read_integer(const option* o, const char* value, long* out) {
    char* end;
    *out = strtol(value, &end, 10);
    if (end != value && !*end && *out >= o->least && *out <= o->most) return true;
    return pli_complain("%s %s: must be an integer from %ld to %ld", o->name, value, o->least,
                        o->most);
}

static bool set_integer(const option* o, const char* value, pli_options* options) {
    long number;
    if (!read_integer(o, value, &number)) return false;
    FIELD(int) = (int)number;
    return true;
}

static bool set_positive(const option* o, const char* value, pli_options* options) {
    char* end;
    double number = FIELD(double) = strtod(value, &end);
    if (end != value && !*end && number > 0 && number < 1e9) return true;
    return pli_complain("%s %s: must be %s above 0", o->name, value, o->noun);
}

static bool add_text(const option* o, const char* value, pli_options* options) {
    (void)o;
    options->overrides[options->override_count++] = value;
    return true;
}

static bool set_steps(const option* o, const char* value, pli_options* options) {
    long number;
    if (!read_integer(o, value, &number)) return false;
    snprintf(options->steps, sizeof options->steps, "time.steps=%ld", number);
    return add_text(o, options->steps, options);
}

// "4G", "512M", "1.5GB", "2GiB": bytes, or with a decimal or binary unit.
static bool set_memory(const option* o, const char* value, pli_options* options) {
    static const char units[] = "KMGT";
    char* end;
    double bytes = strtod(value, &end);
    bool good = end != value && bytes > 0;
    const char* unit = *end ? strchr(units, *end == 'k' ? 'K' : *end) : NULL;
    if (unit) {
        ++end;
        double base = *end == 'i' ? 1024 : 1000;
        end += *end == 'i';
        for (long i = unit - units; i >= 0; --i) bytes *= base;
    }
    end += *end == 'B';
    good = good && !*end && bytes >= 1e6 && bytes < 1e18;
    options->memory = good ? bytes : 0;
    return good || pli_complain("%s %s: must be a size like 512M, 4G or 1.5GiB, at least 1M",
                                o->name, value);
}

// `count` numbers with commas between them.
static bool read_numbers(const option* o, const char* value, int count, double* out) {
    const char* at = value;
    char* end = NULL;
    for (int i = 0; i < count; ++i) {
        out[i] = strtod(at, &end);
        bool good = end != at && out[i] > -1e30 && out[i] < 1e30;
        if (!good || *end != (i + 1 < count ? ',' : '\0'))
            return pli_complain("%s %s: must be %s", o->name, value, o->noun);
        at = end + 1;
    }
    return true;
}

static bool set_range(const option* o, const char* value, pli_options* options) {
    if (!read_numbers(o, value, 2, options->range)) return false;
    return options->range[0] < options->range[1] ||
           pli_complain("%s %s: the second number must be larger than the first", o->name, value);
}

static bool set_at(const option* o, const char* value, pli_options* options) {
    options->has_at = true;
    return read_numbers(o, value, 3, options->at);
}

static bool set_zoom(const option* o, const char* value, pli_options* options) {
    if (!set_positive(o, value, options)) return false;
    return (options->zoom >= 1e-3 && options->zoom <= 1e3) ||
           pli_complain("%s %s: must be from 0.001 to 1000", o->name, value);
}

// "1920x1080"
static bool set_pixels(const option* o, const char* value, pli_options* options) {
    char* end;
    long width = strtol(value, &end, 10), height = 0;
    bool good = end != value && (*end == 'x' || *end == 'X');
    const char* second = good ? end + 1 : value;
    if (good) height = strtol(second, &end, 10);
    good = good && end != second && !*end && width >= 16 && width <= 4096 && height >= 16 &&
           height <= 4096;
    options->width = (int)width;
    options->height = (int)height;
    return good || pli_complain("%s %s: must be WIDTHxHEIGHT in pixels, each from 16 to 4096",
                                o->name, value);
}

#define FLAG(field) set_flag, offsetof(pli_options, field), 0, 0, NULL
#define TEXT(field) set_text, offsetof(pli_options, field), 0, 0, NULL
#define INTEGER(field, least, most) set_integer, offsetof(pli_options, field), least, most, NULL
#define POSITIVE(field, noun) set_positive, offsetof(pli_options, field), 0, 0, noun
#define OTHER(set) set, 0, 0, 0, NULL

static const option options_table[] = {
    {"--output", "-o", "DIR", "run", "results folder; default: results/NAME", TEXT(folder)},
    {"--overwrite", "-w", "", "run",
     "replace the results of an earlier run in the folder; otherwise results go to NAME-2, "
     "NAME-3, ..., and an existing --output folder is an error",
     FLAG(overwrite)},
    {"--resume", "-r", "DIR", "run",
     "continue the run whose results are in DIR, with the same bits as without the stop; "
     "SCENE.json may be omitted, -n N makes the run longer",
     TEXT(resume)},
    {"--force", "-f", "", "run", "with --resume: continue even if the scene has changed",
     FLAG(force)},
    {"--output", "-o", "DIR", "study", "results folder; default: results/NAME_study", TEXT(folder)},
    {"--output", "-o", "PATH", "check",
     "folder of NAME-intersections.vtu; with --separate, the corrected scene", TEXT(folder)},
    {"--to", "-f", "FORMAT", "export",
     "usd, gltf, obj, ply, vtk, pc2, mdd, html, png, mp4 or csv: docs/EXPORT.md", TEXT(format)},
    {"--output", "-o", "PATH", "export",
     "file or folder to write; default: next to DIR, with its name", TEXT(folder)},
    {"--output", "-o", "FILE", "report", "page to write; default: report.html in DIR",
     TEXT(folder)},
    {"--every", "-e", "N", "export", "write every N-th frame (csv: step)",
     INTEGER(every, 1, 1000000000)},
    {"--body", "-b", "NAME", "export", "only this body and its copies; may be repeated",
     OTHER(add_text)},
    {"--size", "-z", "WxH", "export", "png and mp4: size in pixels; default: 1280x720",
     OTHER(set_pixels)},
    {"--field", "-c", "FIELD", "export",
     "png and mp4: colour by body, velocity, displacement, stress, energy_density, contact_force, "
     "friction_force or reaction; html: a list of these: docs/EXPORT.md",
     TEXT(fields)},
    {"--range", "-r", "LOW,HIGH", "export", "png and mp4: colour range; default: that of the data",
     set_range, 0, 0, 0, "LOW,HIGH: two numbers"},
    {"--view", "-d", "FROM", "export",
     "png and mp4: front, back, left, right, top, bottom, or TURN,RISE in degrees; default: 30,20",
     TEXT(view)},
    {"--zoom", "-m", "F", "export", "png and mp4: 2 shows half as much; default: 1, everything",
     set_zoom, offsetof(pli_options, zoom), 0, 0, "a factor"},
    {"--at", "-a", "X,Y,Z", "export",
     "png and mp4: point in the middle of the picture [m]; default: centre of everything", set_at,
     0, 0, 0, "X,Y,Z: three numbers in metres"},
    {"--no-text", "-x", "", "export", "png and mp4: no name, time and scale in the pictures",
     FLAG(no_text)},
    {"--vertices", "-w", "BODY:N,...", "export", "csv: also write the tracks of these vertices",
     TEXT(vertices)},
    {"--separate", "-p", "", "check",
     "move bodies apart that intersect or are closer than contact.dhat at t = 0, and write a "
     "corrected scene; default: NAME-separated.json",
     FLAG(separate)},
    {"--schemes", "-m", "A,B,...", "study", "time schemes to compare; default: all with inertia",
     TEXT(schemes)},
    {"--steps", "-n", "H,...", "study", "step sizes [s]; default: h, h/2, h/4, h/8 of the scene",
     TEXT(sizes)},
    {"--duration", "-d", "T", "study",
     "end of each run [s]; default: that of the scene, at most 100 h",
     POSITIVE(duration, "a time in seconds")},
    {"--steps", "-n", "N", "run check", "number of steps, instead of the scene's", set_steps, 0, 1,
     1000000000, NULL},
    {"--port", "-P", "N", "view", "port to listen on; default: 0, a free one",
     INTEGER(port, 0, 65535)},
    {"--host", "-H", "ADDRESS", "view",
     "address to listen on; default: 127.0.0.1, this machine only. Other machines need the token "
     "in the address that is printed",
     TEXT(host)},
    {"--no-open", "-N", "", "view", "do not open a browser", FLAG(no_open)},
    {"--threads", "-t", "N", "run study check view",
     "0: all processors; results do not depend on it", INTEGER(threads, 0, 256)},
    {"--memory", "-M", "SIZE", "run study check view",
     "memory limit: 512M, 4G, 3.5GiB; a run that needs more does not start, or stops: "
     "docs/MEMORY.md",
     OTHER(set_memory)},
    {"--set", "-s", "KEY=VALUE", "run study check view",
     "change a scene key: --set bodies[0].density=500", OTHER(add_text)},
    {"--output", "-o", "FILE", "mesh", "same as OUT", TEXT(folder)},
    {"--size", "-z", "H", "mesh",
     "size of the tetrahedra [m]; default: a few thousand of them, more where parts are thin; with "
     "gmsh: that of the surface",
     POSITIVE(size, "a length in metres")},
    {"--engine", "-g", "NAME", "mesh",
     "mesher of surfaces: stuffing (default: good tetrahedra in any surface, sharp edges are cut "
     "off), or gmsh in builds with PLIANT_GMSH (keeps sharp edges)",
     TEXT(engine)},
    {"--surface", "-k", "", "mesh", "keep a closed surface as it is", FLAG(surface)},
    {"--verify", "-v", "", "run",
     "test every step for intersections, bodies inside others and gaps below the thickness, with "
     "an independent search; stop if there are any",
     FLAG(verify)},
    {"--profile", "-p", "", "run",
     "show where the time went: by phase and iteration, and the slowest steps", FLAG(profile)},
    {"--quiet", "-q", "", "run study check mesh export report view", "print only problems",
     FLAG(quiet)},
    {"--help", "-h", "",
     "run study check mesh export report view help schema version manual completion",
     "explain the command", FLAG(help)},
};

enum { OPTION_COUNT = sizeof options_table / sizeof *options_table };

static const char* option_name(int i) { return i < OPTION_COUNT ? options_table[i].name : NULL; }

static bool takes(const pli_command* command, const option* o) {
    return strstr(o->commands, command->name) != NULL;
}

bool pli_options_at(const pli_command* command, int i, pli_option_row* row) {
    for (int k = 0; k < OPTION_COUNT; ++k) {
        const option* o = &options_table[k];
        if (!takes(command, o) || i-- > 0) continue;
        *row = (pli_option_row){o->name, o->letter, o->value, o->help};
        return true;
    }
    return false;
}

void pli_options_print(const pli_command* command) {
    pli_option_row row;
    for (int i = 0; pli_options_at(command, i, &row); ++i) {
        char left[64];
        snprintf(left, sizeof left, "%s, %s %s", row.letter, row.name, row.value);
        printf("  %-24s %s\n", left, row.help);
    }
}

static const option* find_option(const pli_command* command, const char* text, size_t length) {
    for (int i = 0; i < OPTION_COUNT; ++i) {
        const option* o = &options_table[i];
        bool same = (strlen(o->name) == length && strncmp(o->name, text, length) == 0) ||
                    (strlen(o->letter) == length && strncmp(o->letter, text, length) == 0);
        if (same && takes(command, o)) return o;
    }
    return NULL;
}

// The first command that has an option of this name; NULL: none.
static const char* command_with(const char* text, size_t length) {
    for (int i = 0; pli_command_at(i); ++i)
        if (find_option(pli_command_at(i), text, length)) return pli_command_at(i)->name;
    return NULL;
}

// One option with its value, after '=' or in the next argument. *used counts arguments.
static bool read_option(const pli_command* command, int count, char** arguments, int* used,
                        pli_options* options) {
    const char* text = arguments[0];
    const char* equals = strchr(text, '=');
    const option* o = find_option(command, text, equals ? (size_t)(equals - text) : strlen(text));
    char like[96];
    *used = 1;
    if (!o) {
        size_t length = equals ? (size_t)(equals - text) : strlen(text);
        const char* owner = command_with(text, length);
        if (owner)
            snprintf(like, sizeof like, ", pliant %.40s has it", owner);
        else
            pli_like(text, option_name, like);
        return pli_complain("%s has no option \"%s\"%s; see: pliant help %s", command->name, text,
                            like, command->name);
    }
    if (!*o->value) {
        return equals ? pli_complain("%s takes no value", o->name) : o->set(o, "", options);
    }
    if (equals) return o->set(o, equals + 1, options);
    if (count < 2) return pli_complain("%s needs a value: %s %s", text, text, o->value);
    *used = 2;
    return o->set(o, arguments[1], options);
}

// Number of arguments in the usage: all its words but [options].
static int argument_count(const pli_command* command) {
    int count = 0;
    for (const char* c = command->usage; *c;) {
        size_t n = strcspn(c, " ");
        count += strncmp(c, "[options]", n) != 0;
        c += n;
        if (*c) ++c;
    }
    return count;
}

bool pli_options_read(const pli_command* command, int count, char** arguments,
                      pli_options* options) {
    bool only_names = false; // after "--"
    int names = 0;
    for (int i = 0, used = 1; i < count; i += used) {
        used = 1;
        const char* text = arguments[i];
        if (!only_names && strcmp(text, "--") == 0) {
            only_names = true;
        } else if (!only_names && text[0] == '-' && text[1]) {
            if (!read_option(command, count - i, arguments + i, &used, options)) return false;
        } else if (names == argument_count(command)) {
            return pli_complain("unexpected argument \"%s\"; usage: pliant %s %s", text,
                                command->name, command->usage);
        } else {
            *(names++ == 0 ? &options->argument : &options->target) = text;
        }
    }
    return true;
}
