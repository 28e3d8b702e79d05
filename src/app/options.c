// Options of the command line: one row each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"

typedef struct option {
    const char* name;
    const char* letter; // "" if it has none
    const char* value;  // what follows, for people; "" if nothing does
    const char* commands;
    const char* help;
    bool (*set)(pli_options* options, const char* value);
} option;

// A whole number from `least` to `most`, or a complaint.
static bool read_integer(const char* name, const char* value, long least, long most, long* out) {
    char* end;
    long number = strtol(value, &end, 10);
    if (end == value || *end || number < least || number > most) {
        pli_complain("%s %s: must be a whole number from %ld to %ld", name, value, least, most);
        return false;
    }
    *out = number;
    return true;
}

static bool set_folder(pli_options* options, const char* value) {
    options->folder = value;
    if (!*value) pli_complain("--output: there is no name");
    return *value != '\0';
}

static bool set_threads(pli_options* options, const char* value) {
    long number;
    if (!read_integer("--threads", value, 0, 256, &number)) return false;
    options->threads = (int)number;
    return true;
}

// "4G", "512M", "1.5GB", "2GiB": bytes, or with a decimal or binary unit.
static bool set_memory(pli_options* options, const char* value) {
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
    if (!good)
        pli_complain("--memory %s: must be a size like 512M, 4G or 1.5GiB, at least 1M", value);
    options->memory = good ? bytes : 0;
    return good;
}

static bool set_steps(pli_options* options, const char* value) {
    long number;
    if (!read_integer("--steps", value, 1, 1000000000, &number)) return false;
    snprintf(options->steps, sizeof options->steps, "time.steps=%ld", number);
    options->overrides[options->override_count++] = options->steps;
    return true;
}

// A positive number, or a complaint that it must be `what`.
static bool read_positive(const char* name, const char* value, const char* what, double* out) {
    char* end;
    *out = strtod(value, &end);
    if (end != value && !*end && *out > 0 && *out < 1e9) return true;
    pli_complain("%s %s: must be %s above 0", name, value, what);
    return false;
}

static bool set_size(pli_options* options, const char* value) {
    return read_positive("--size", value, "a length in metres", &options->size);
}

static bool set_duration(pli_options* options, const char* value) {
    return read_positive("--duration", value, "a time in seconds", &options->duration);
}

static bool set_schemes(pli_options* options, const char* value) {
    options->schemes = value;
    return true;
}

static bool set_sizes(pli_options* options, const char* value) {
    options->sizes = value;
    return true;
}

static bool set_format(pli_options* options, const char* value) {
    options->format = value;
    return true;
}

static bool set_vertices(pli_options* options, const char* value) {
    options->vertices = value;
    return true;
}

static bool set_every(pli_options* options, const char* value) {
    long number;
    if (!read_integer("--every", value, 1, 1000000000, &number)) return false;
    options->every = (int)number;
    return true;
}

// `count` numbers with commas between, or a complaint that they must be `what`.
static bool read_numbers(const char* name, const char* value, const char* what, int count,
                         double* out) {
    const char* at = value;
    char* end = NULL;
    for (int i = 0; i < count; ++i) {
        out[i] = strtod(at, &end);
        bool good = end != at && out[i] > -1e30 && out[i] < 1e30;
        if (!good || *end != (i + 1 < count ? ',' : '\0')) {
            pli_complain("%s %s: must be %s", name, value, what);
            return false;
        }
        at = end + 1;
    }
    return true;
}

static bool set_fields(pli_options* options, const char* value) {
    options->fields = value;
    return true;
}

static bool set_range(pli_options* options, const char* value) {
    if (!read_numbers("--range", value, "LOW,HIGH: two numbers", 2, options->range)) return false;
    if (options->range[0] < options->range[1]) return true;
    pli_complain("--range %s: the second number must be larger than the first", value);
    return false;
}

static bool set_view(pli_options* options, const char* value) {
    options->view = value;
    return true;
}

static bool set_zoom(pli_options* options, const char* value) {
    if (!read_positive("--zoom", value, "a factor", &options->zoom)) return false;
    if (options->zoom >= 1e-3 && options->zoom <= 1e3) return true;
    pli_complain("--zoom %s: must be from 0.001 to 1000", value);
    return false;
}

static bool set_at(pli_options* options, const char* value) {
    options->has_at = true;
    return read_numbers("--at", value, "X,Y,Z: three numbers in metres", 3, options->at);
}

static bool set_no_text(pli_options* options, const char* value) {
    (void)value;
    return options->no_text = true;
}

// "1920x1080"
static bool set_pixels(pli_options* options, const char* value) {
    char* end;
    long width = strtol(value, &end, 10), height = 0;
    bool good = end != value && (*end == 'x' || *end == 'X');
    const char* second = good ? end + 1 : value;
    if (good) height = strtol(second, &end, 10);
    if (!good || end == second || *end || width < 16 || width > 4096 || height < 16 ||
        height > 4096) {
        pli_complain("--size %s: must be WIDTHxHEIGHT in pixels, each from 16 to 4096", value);
        return false;
    }
    options->width = (int)width;
    options->height = (int)height;
    return true;
}

static bool set_surface(pli_options* options, const char* value) {
    (void)value;
    return options->surface = true;
}

static bool set_engine(pli_options* options, const char* value) {
    options->engine = value;
    return true;
}

static bool set_verify(pli_options* options, const char* value) {
    (void)value;
    return options->verify = true;
}

static bool set_resume(pli_options* options, const char* value) {
    options->resume = value;
    if (!*value) pli_complain("--resume: there is no name");
    return *value != '\0';
}

static bool set_force(pli_options* options, const char* value) {
    (void)value;
    return options->force = true;
}

static bool set_overwrite(pli_options* options, const char* value) {
    (void)value;
    return options->overwrite = true;
}

static bool set_profile(pli_options* options, const char* value) {
    (void)value;
    return options->profile = true;
}

static bool set_separate(pli_options* options, const char* value) {
    (void)value;
    return options->separate = true;
}

static bool set_port(pli_options* options, const char* value) {
    long number;
    if (!read_integer("--port", value, 0, 65535, &number)) return false;
    options->port = (int)number;
    return true;
}

static bool set_host(pli_options* options, const char* value) {
    options->host = value;
    return true;
}

static bool set_no_open(pli_options* options, const char* value) {
    (void)value;
    return options->no_open = true;
}

static bool set_quiet(pli_options* options, const char* value) {
    (void)value;
    return options->quiet = true;
}

static bool set_help(pli_options* options, const char* value) {
    (void)value;
    return options->help = true;
}

static bool add_override(pli_options* options, const char* value) {
    options->overrides[options->override_count++] = value;
    return true;
}

static const option options_table[] = {
    {"--output", "-o", "DIR", "run", "folder of the results; default: results/NAME", set_folder},
    {"--overwrite", "-w", "", "run",
     "replace what an earlier run has left in the folder; without it the results go to NAME-2, "
     "NAME-3 ..., and a folder given by --output is refused",
     set_overwrite},
    {"--resume", "-r", "DIR", "run",
     "go on with the run whose results are in DIR, with the same bits as if it had never stopped; "
     "SCENE.json may be left out, -n N makes the run longer",
     set_resume},
    {"--force", "-f", "", "run", "with --resume: also if the scene has changed", set_force},
    {"--output", "-o", "DIR", "study", "folder of the results; default: results/NAME_study",
     set_folder},
    {"--output", "-o", "PATH", "check",
     "folder of NAME-intersections.vtu; with --separate the corrected scene", set_folder},
    {"--to", "-f", "FORMAT", "export",
     "usd, gltf, obj, ply, vtk, pc2, mdd, html, png, mp4 or csv: docs/EXPORT.md", set_format},
    {"--output", "-o", "PATH", "export",
     "file or folder to write; default: beside DIR with its name", set_folder},
    {"--output", "-o", "FILE", "report", "page to write; default: report.html in DIR", set_folder},
    {"--every", "-e", "N", "export", "every so many frames (of csv: steps)", set_every},
    {"--body", "-b", "NAME", "export", "only this body and its copies; may be repeated",
     add_override},
    {"--size", "-z", "WxH", "export", "of png and mp4: size in pixels; default: 1280x720",
     set_pixels},
    {"--field", "-c", "FIELD", "export",
     "of png and mp4, colours by body, velocity, displacement, stress, energy_density, "
     "contact_force, friction_force or reaction; of html a list of them: docs/EXPORT.md",
     set_fields},
    {"--range", "-r", "LOW,HIGH", "export",
     "of png and mp4: range of these colours; default: found", set_range},
    {"--view", "-d", "FROM", "export",
     "of png and mp4: front, back, left, right, top, bottom, or TURN,RISE in degrees; default: "
     "30,20",
     set_view},
    {"--zoom", "-m", "F", "export", "of png and mp4: 2 shows half as much; default: 1, all",
     set_zoom},
    {"--at", "-a", "X,Y,Z", "export",
     "of png and mp4: the point in the middle [m]; default: the middle of all", set_at},
    {"--no-text", "-x", "", "export", "of png and mp4: no name, time and scale in the pictures",
     set_no_text},
    {"--vertices", "-w", "BODY:N,...", "export", "of csv: also the tracks of these vertices",
     set_vertices},
    {"--separate", "-p", "", "check",
     "push bodies apart that intersect or are closer than contact.dhat at the start; writes a "
     "corrected scene, default: NAME-separated.json",
     set_separate},
    {"--schemes", "-m", "A,B,...", "study", "time schemes to compare; default: all with inertia",
     set_schemes},
    {"--steps", "-n", "H,...", "study", "step sizes [s]; default: h, h/2, h/4, h/8 of the scene",
     set_sizes},
    {"--duration", "-d", "T", "study",
     "end of each run [s]; default: that of the scene, at most 100 h", set_duration},
    {"--steps", "-n", "N", "run check", "number of steps, instead of what the scene says",
     set_steps},
    {"--port", "-P", "N", "view", "port to listen at; default: 0, a free one", set_port},
    {"--host", "-H", "ADDRESS", "view",
     "address to listen at; default: 127.0.0.1, this machine alone. Others need the token in the "
     "address that is printed",
     set_host},
    {"--no-open", "-N", "", "view", "open no browser", set_no_open},
    {"--threads", "-t", "N", "run study check view",
     "0: all processors; results do not depend on it", set_threads},
    {"--memory", "-M", "SIZE", "run study check view",
     "most memory that may be taken: 512M, 4G, 3.5GiB; a run that needs more is refused or stops: "
     "docs/MEMORY.md",
     set_memory},
    {"--set", "-s", "KEY=VALUE", "run study check view",
     "change a scene key: --set bodies[0].density=500", add_override},
    {"--output", "-o", "FILE", "mesh", "the same as OUT", set_folder},
    {"--size", "-z", "H", "mesh",
     "size of the tetrahedra [m]; default: some thousand of them, more where parts are thin; of "
     "gmsh: that of the surface",
     set_size},
    {"--engine", "-g", "NAME", "mesh",
     "what fills a surface: stuffing (the default: good tetrahedra in any surface, its sharp edges "
     "cut off), or gmsh, in builds with PLIANT_GMSH (keeps edges)",
     set_engine},
    {"--surface", "-k", "", "mesh", "keep a closed surface as it is", set_surface},
    {"--verify", "-v", "", "run",
     "test every step for intersections, bodies inside others and gaps below thickness, by a "
     "search of its own; stop if there are any",
     set_verify},
    {"--profile", "-p", "", "run",
     "tell where the time went: by phase and iteration, the slowest steps", set_profile},
    {"--quiet", "-q", "", "run study check mesh export report view", "print only what went wrong",
     set_quiet},
    {"--help", "-h", "", "run study check mesh export report view help schema version",
     "explain the command", set_help},
};

enum { OPTION_COUNT = sizeof options_table / sizeof *options_table };

static const char* option_name(int i) { return i < OPTION_COUNT ? options_table[i].name : NULL; }

static bool takes(const pli_command* command, const option* o) {
    return strstr(o->commands, command->name) != NULL;
}

void pli_options_print(const pli_command* command) {
    for (int i = 0; i < OPTION_COUNT; ++i) {
        const option* o = &options_table[i];
        char left[64];
        snprintf(left, sizeof left, "%s, %s %s", o->letter, o->name, o->value);
        if (takes(command, o)) printf("  %-24s %s\n", left, o->help);
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

// One option with its value, which is behind '=' or in the next argument. *used counts arguments.
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
        pli_complain("%s has no option \"%s\"%s; see: pliant help %s", command->name, text, like,
                     command->name);
        return false;
    }
    if (!*o->value) {
        if (equals) pli_complain("%s takes no value", o->name);
        return !equals && o->set(options, "");
    }
    if (equals) return o->set(options, equals + 1);
    if (count < 2) {
        pli_complain("%s needs a value: %s %s", text, text, o->value);
        return false;
    }
    *used = 2;
    return o->set(options, arguments[1]);
}

// How many files or words the usage names: all its words but [options].
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
    bool only_names = false; // behind "--"
    int names = 0;
    for (int i = 0, used = 1; i < count; i += used) {
        used = 1;
        const char* text = arguments[i];
        if (!only_names && strcmp(text, "--") == 0) {
            only_names = true;
        } else if (!only_names && text[0] == '-' && text[1]) {
            if (!read_option(command, count - i, arguments + i, &used, options)) return false;
        } else if (names == argument_count(command)) {
            pli_complain("\"%s\" is too much; usage: pliant %s %s", text, command->name,
                         command->usage);
            return false;
        } else {
            *(names++ == 0 ? &options->argument : &options->target) = text;
        }
    }
    return true;
}
