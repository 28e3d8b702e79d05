// The pliant command: shared by its files. It uses only the public headers.
#ifndef PLI_APP_APP_H
#define PLI_APP_APP_H

#include "base/text.h"
#include "pliant/pliant.h"

// Exit codes.
enum {
    PLI_EXIT_DONE = 0,
    PLI_EXIT_STOPPED = 1, // the run stopped; a message says why
    PLI_EXIT_USAGE = 2,   // bad usage or invalid scene
};

// The command line.
typedef struct pli_options {
    const char* argument; // the scene or mesh file, or the topic of help; NULL: none
    const char* text;     // of a scene from standard input: see pli_input_read; NULL: a file has it
    const char* target;   // the file that `mesh` writes; NULL: none
    double size;          // of tetrahedra [m]; 0: not given
    bool surface;         // do not fill a closed surface
    const char* engine;   // that fills a closed surface; NULL: the default
    const char*
        folder; // -o; NULL: results/<name of the scene file>. For `check` a folder or a file
    const char* format;   // of `export`; NULL: not given
    const char* vertices; // of `export`: tracks to write; NULL: none
    int width, height;    // of its pictures [px]; 0: not given
    const char* fields;   // shown as colours; NULL: not given
    double range[2];      // of the colours; equal: not given
    const char* view;     // direction of view; NULL: not given
    double zoom;          // 0: not given
    double at[3];         // centre of the picture [m]
    bool has_at, no_text;
    int every;               // of `export`: write every n-th frame; 0: not given
    const char* schemes;     // of `study`, separated by commas; NULL: all
    const char* sizes;       // its time steps [s], likewise; NULL: from the scene
    double duration;         // of its runs [s]; 0: from the scene
    int threads;             // 0: all processors
    double memory;           // limit [bytes]; 0: none
    pli_allocator allocator; // of everything made for a run: see pli_memory_begin
    bool quiet;
    bool profile;       // print the time of each phase
    bool verify;        // test every step for intersections
    const char* resume; // folder of the run to continue; NULL: a new run
    bool force;         // continue even if the scene has changed
    bool overwrite;     // replace results of an earlier run
    bool separate;      // move bodies apart that intersect at t = 0
    const char* host;   // of `view`: address to listen on; NULL: loopback
    int port;           // of `view`; 0: a free port
    bool no_open;       // of `view`: do not open a browser
    bool help;
    int override_count;
    const char** overrides; // of --set and --steps; of `export` the names given by --body
    char steps[32];         // text of the override that --steps makes
} pli_options;

typedef struct pli_command {
    const char* name;
    const char* usage; // its words are the arguments, and [options]
    const char* help;
    int (*run)(const pli_options* options); // returns the exit code
    bool scene;                             // the argument is a scene; "-": from standard input
} pli_command;

const pli_command* pli_command_at(int i); // NULL after the last
const pli_command* pli_command_find(const char* name);

int pli_command_run(const pli_options* options);
int pli_command_study(const pli_options* options);
int pli_command_check(const pli_options* options);
int pli_command_mesh(const pli_options* options);
int pli_command_view(const pli_options* options);
int pli_command_export(const pli_options* options);
int pli_command_report(const pli_options* options);
int pli_command_help(const pli_options* options);
int pli_command_schema(const pli_options* options);
int pli_command_version(const pli_options* options);
int pli_command_manual(const pli_options* options);
int pli_command_completion(const pli_options* options);

// Reads the arguments after the name of the command. On failure prints why and returns false.
// `options->overrides` has room for as many texts as there are arguments.
bool pli_options_read(const pli_command* command, int count, char** arguments,
                      pli_options* options);
void pli_options_print(const pli_command* command); // the options a command takes

// An option as its row has it.
typedef struct pli_option_row {
    const char *name, *letter; // "--output", "-o"
    const char* value;         // placeholder of its value; "": it has none
    const char* help;
} pli_option_row;

// The i-th option that a command takes. False after the last.
bool pli_options_at(const pli_command* command, int i, pli_option_row* row);

// Prints "pliant: ..." to stderr, on one line. Returns false.
bool pli_complain(const char* format, ...) PLI_PRINTF(1, 2);
// Same with the message of a failed call and, if memory ran out, advice. Returns false.
bool pli_complain_of(const pli_options* options, const pli_error* error);
// Exit code of a failed call: invalid input is bad usage.
int pli_exit_code(pli_status status);

// A name from a scene for a terminal: printable, and cut if it is long.
enum { PLI_SHOWN_SIZE = 48 };
const char* pli_shown(const char* name, char text[PLI_SHOWN_SIZE]);

// `, did you mean "run"?` or "".
const char* pli_like(const char* word, const char* (*candidate)(int i), char text[96]);

// False, with a message, if the path cannot be a results folder: it is missing or a file.
bool pli_is_result(const char* command, const char* path);

// If the argument of `command` is "-": reads the scene from standard input into options->text. On
// failure prints why and returns false. Free it in any case.
bool pli_input_read(const pli_command* command, pli_options* options);
void pli_input_free(pli_options* options);
extern const char pli_input_name[]; // its name in messages, results and checkpoints

// The def of the scene given by the options.
pli_scene_def pli_scene_def_of(const pli_options* options);

// "body" for 1, else "bodies".
const char* pli_counted(long long count, const char* one, const char* many);

// Reads the scene and prints its findings to stderr (with --quiet only errors). NULL if it cannot
// be read.
pli_scene* pli_read_scene(const pli_options* options);

// If bodies intersect at t = 0: writes NAME-intersections.vtu into the folder. NULL: only prints
// how to get that file.
void pli_write_crossed(const pli_options* options, const char* folder, const pli_scene* scene);

enum { PLI_PATH_SIZE = 4096 };
// "a/b/scene.json" -> "FOLDER/scene<ending>"; folder "": the current one. On failure prints why and
// returns false.
bool pli_name_path(const char* folder, const char* scene, const char* ending,
                   char path[PLI_PATH_SIZE]);
// The folder of -o, or results/NAME<suffix>. On failure prints why and returns false.
bool pli_choose_folder(const pli_options* options, const char* suffix, char folder[PLI_PATH_SIZE]);

// ---- continuing an earlier run

typedef struct pli_resumed {
    pli_checkpoint* checkpoint; // NULL: a new run
    pli_options options;        // with the scene, the overrides and the folder of the earlier run
    const char** overrides;
} pli_resumed;

// Reads the checkpoint of --resume, if it is given. On failure prints why and returns false. Close
// it in any case.
bool pli_resume_open(const pli_options* options, pli_resumed* resumed);
void pli_resume_close(pli_resumed* resumed);
// Restores the checkpoint into the world of the scene. Prints why and returns false if the scene
// has changed without --force, or if the state does not fit.
bool pli_resume_apply(const pli_resumed* resumed, pli_scene* scene);

// ---- interruption: the first Ctrl-C or SIGTERM is remembered, the second ends the process

void pli_watch_interrupts(void);
bool pli_interrupted(void);
const char* pli_interrupt_name(void); // "Ctrl-C" or "SIGTERM"
bool pli_cancel_step(void* unused);   // pli_interrupted, for pli_world_set_cancel

// ---- memory

// Creates the budget of options->allocator, with the limit of --memory. On failure prints why and
// returns false.
bool pli_memory_begin(pli_options* options);
void pli_memory_end(pli_options* options);

// Prints how to use less memory.
void pli_advise_memory(const pli_options* options);

typedef struct pli_run_memory { // [bytes]
    double program;             // code, libraries and everything except the world
    double world, solver, frames;
    double peak;
    bool contact; // needs more, which cannot be predicted
} pli_run_memory;
// The def of a recorder for a run, without a folder.
pli_recorder_def pli_run_recorder(const pli_run_def* run);
// Prediction before the first step. On failure prints why and returns false.
bool pli_predict_run(const pli_options* options, pli_scene* scene, pli_run_memory* memory);
// False, with a message, if the limit is lower; warns if the machine has less.
bool pli_memory_suffices(const pli_options* options, const pli_run_memory* memory);
// Both before a run, if a prediction is worthwhile.
bool pli_memory_allows(const pli_options* options, pli_scene* scene);

// ---- meshes

// Reads a mesh file, prints defects to stderr and, unless quiet, a summary to stdout. Returns the
// exit code: with grave defects that of an invalid scene.
int pli_report_mesh(const char* path, bool quiet);

// ---- summary of a run

enum { PLI_SLOWEST = 5 };

typedef struct pli_run_totals {
    int steps;               // done
    int64_t iterations;      // of all steps
    int most_iterations;     // in one step
    int not_converged;       // steps that were kept anyway
    int divided;             // steps that needed substeps
    int blocked;             // kept steps in which contact blocked prescribed motion
    int most_contacts;       // at the end of a step
    double min_distance;     // of all contacts [m]; if there were any
    pli_phase_times seconds; // of all steps
    int64_t linear_iterations, symbolic_count;
    struct pli_slow_step {
        int step, iterations, contacts;
        double seconds;
    } slowest[PLI_SLOWEST]; // the slowest first; seconds 0: no more
    double writing, total;  // [s]
    int frames;
} pli_run_totals;

void pli_totals_add(pli_run_totals* totals, const pli_step_info* info);

enum { PLI_ENERGIES_SHOWN = 16 };
typedef struct pli_energies {
    int count;
    char names[PLI_ENERGIES_SHOWN][PLI_SHOWN_SIZE]; // as shown
    double values[PLI_ENERGIES_SHOWN];              // [J]
} pli_energies;

pli_energies pli_read_energies(const pli_world* world);

void pli_print_totals(const pli_run_totals* totals, const pli_world* world,
                      const pli_energies* start);
// Seconds per iteration by phase, work of the linear solver, the slowest steps.
void pli_print_profile(const pli_run_totals* totals, const pli_world* world);

// ---- progress

typedef struct pli_progress {
    bool bar;            // a bar, or lines
    const char* label;   // before the bar; NULL: none
    int steps;           // in all
    double duration;     // > 0: the run ends at this time [s]
    int lines;           // printed
    double began, drawn; // [s]
    double pace;         // recent time per fraction of the run [s]
    double done;         // fraction of the run
    double last;         // end of the last step [s]
    int64_t iterations;
} pli_progress;

// duration 0: the run ends after `steps`.
pli_progress pli_progress_start(int steps, double duration, bool quiet);
void pli_progress_step(pli_progress* progress, const pli_step_info* info);
// For work without steps: the fraction done, 0 to 1.
void pli_progress_part(pli_progress* progress, double done);
void pli_progress_end(pli_progress* progress);   // leaves the bar's line
void pli_progress_clear(pli_progress* progress); // erases the bar

double pli_seconds(void); // wall time for display [s]

// "vertices", "segments", ..., for tables.
extern const char* const pli_element_names[PLI_ELEMENT_KIND_COUNT];

#endif
