// The pliant command: what its files share. It uses the public headers alone.
#ifndef PLI_APP_APP_H
#define PLI_APP_APP_H

#include "base/text.h"
#include "pliant/pliant.h"

// What the process ends with.
enum {
    PLI_EXIT_DONE = 0,
    PLI_EXIT_STOPPED = 1, // the run stopped by itself, with a reason
    PLI_EXIT_USAGE = 2,   // bad usage or bad scene
};

// What the command line says.
typedef struct pli_options {
    const char* argument; // the scene or mesh file, or the topic of help; NULL: none
    const char* text;   // of the scene, if no file has it: see pli_input_read; NULL: a file has it
    const char* target; // the second file, which `mesh` writes; NULL: none
    double size;        // of elements [m]; 0: not given
    bool surface;       // a closed surface stays one
    const char* engine; // that fills a closed surface; NULL: ours
    const char* folder; // -o; NULL: results/<name of the scene file>. Of `check` a folder or a file
    const char* format; // of `export`; NULL: not given
    const char* vertices; // of `export`: whose tracks are written; NULL: none
    int width, height;    // of its pictures [px]; 0: not given
    const char* fields;   // that they show; NULL: not given
    double range[2];      // of their colours; equal: not given
    const char* view;     // from where they are taken; NULL: not given
    double zoom;          // 0: not given
    double at[3];         // in the middle of them [m]
    bool has_at, no_text;
    int every;               // of `export`: every so many frames; 0: not given
    const char* schemes;     // of `study`, with commas between; NULL: all
    const char* sizes;       // of its time steps [s], likewise; NULL: from the scene
    double duration;         // of its runs [s]; 0: from the scene
    int threads;             // 0: all processors
    double memory;           // limit [bytes]; 0: none
    pli_allocator allocator; // of all that is made for a run: see pli_memory_begin
    bool quiet;
    bool profile;       // where the time went is told in detail
    bool verify;        // every step is tested for intersections
    const char* resume; // the folder of a run that goes on; NULL: a new one
    bool force;         // also with a scene that has changed
    bool overwrite;     // results of an earlier run in the folder are replaced
    bool separate;      // bodies that intersect at the start are pushed apart
    const char* host;   // of `view`, the address to listen at; NULL: loopback
    int port;           // of `view`; 0: a free one
    bool no_open;       // `view` opens no browser
    bool help;
    int override_count;
    const char** overrides; // of --set and --steps; of `export` the names of --body
    char steps[32];         // the text of the override that --steps makes
} pli_options;

typedef struct pli_command {
    const char* name;
    const char* usage; // behind the name; its words are the arguments, and [options]
    const char* help;
    int (*run)(const pli_options* options); // returns the exit code
    bool scene; // its argument is a scene, and "-" is the one that standard input has
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

// Reads the arguments behind the command's name. Prints what is wrong and returns false.
// `options->overrides` has room for as many texts as there are arguments.
bool pli_options_read(const pli_command* command, int count, char** arguments,
                      pli_options* options);
void pli_options_print(const pli_command* command); // the options a command takes

// Prints "pliant: ..." to stderr, on one line whatever is in it.
void pli_complain(const char* format, ...) PLI_PRINTF(1, 2);

// A name from a scene as a terminal may show it: printable, and cut if it is long.
enum { PLI_SHOWN_SIZE = 48 };
const char* pli_shown(const char* name, char text[PLI_SHOWN_SIZE]);

// `, did you mean "run"?` or "".
const char* pli_like(const char* word, const char* (*candidate)(int i), char text[96]);

// Whether a path can be the folder of a run; says so if it is a file, a scene for example.
bool pli_is_no_file(const char* command, const char* path);

// The scene that standard input has, if the argument of `command` is "-": options->text and a name
// for messages and results. Prints what is wrong and returns false. To be freed in any case.
bool pli_input_read(const pli_command* command, pli_options* options);
void pli_input_free(pli_options* options);
extern const char pli_input_name[]; // by which messages, results and checkpoints know it

// The def of the options' scene, with the overrides of the options.
pli_scene_def pli_scene_def_of(const pli_options* options);

// "1 body", "2 bodies": the word behind a count.
const char* pli_counted(long long count, const char* one, const char* many);

// Reads the scene of the options and prints its findings to stderr (not the notes and warnings if
// quiet). NULL if it cannot be read.
pli_scene* pli_read_scene(const pli_options* options);

// If the start of the scene intersects: writes where as <name of the scene file>-intersections.vtu
// into the folder and says so. NULL: writes nothing and says how to get it.
void pli_write_start(const pli_options* options, const char* folder, const pli_scene* scene);
// check --separate: returns the exit code.
int pli_separate(const pli_options* options);

// What -o says, or results/<name of the scene file without its ending><suffix>. Prints what is
// wrong and returns false.
enum { PLI_FOLDER_SIZE = 4096 };
bool pli_choose_folder(const pli_options* options, const char* suffix,
                       char folder[PLI_FOLDER_SIZE]);

// ---- going on with an earlier run

typedef struct pli_resumed {
    pli_checkpoint* checkpoint; // NULL: a new run
    pli_options options;        // with the scene, the overrides and the folder of the earlier run
    const char** overrides;
} pli_resumed;

// Reads the checkpoint that --resume names, if it is given. Prints what is wrong and returns false.
// To be closed in any case.
bool pli_resume_open(const pli_options* options, pli_resumed* resumed);
void pli_resume_close(pli_resumed* resumed);
// Puts the world of the scene into the state of the checkpoint. Prints and returns false if the
// scene has changed and that is not accepted, or if the state cannot be used.
bool pli_resume_apply(const pli_resumed* resumed, pli_scene* scene);

// ---- interruption: the first Ctrl-C or SIGTERM is remembered, a second one ends at once

void pli_watch_interrupts(void);
bool pli_interrupted(void);
const char* pli_interrupt_name(void); // "Ctrl-C" or "SIGTERM"
bool pli_cancel_step(void* unused);   // pli_interrupted, for pli_world_set_cancel

// ---- memory

// Makes the budget of options->allocator, with the limit of --memory. Prints what is wrong and
// returns false.
bool pli_memory_begin(pli_options* options);
void pli_memory_end(pli_options* options);

// Says what to do if this is what a call ended with for want of memory.
void pli_explain_memory(const pli_options* options, pli_status status);

typedef struct pli_run_memory { // [bytes]
    double program;             // that runs, and what it holds beside the world
    double world, solver, frames;
    double peak;
    bool contact; // which comes on top
} pli_run_memory;
// What a run writes, as its scene says; without a folder.
pli_recorder_def pli_run_recorder(const pli_run_def* run);
// Before the first step. Prints what is wrong and returns false.
bool pli_predict_run(const pli_options* options, pli_scene* scene, pli_run_memory* memory);
// Is that within the limit? Prints that it is not, or warns if the machine has not so much.
bool pli_memory_suffices(const pli_options* options, const pli_run_memory* memory);
// Both, before a run, where the answer is worth the time.
bool pli_memory_allows(const pli_options* options, pli_scene* scene);

// ---- meshes

// Reads a mesh file and prints what is wrong with it to stderr and, unless quiet, what it is to
// stdout. Returns the exit code: with grave defects that of a bad scene.
int pli_report_mesh(const char* path, bool quiet);

// ---- summary of a run

enum { PLI_SLOWEST = 5 };

typedef struct pli_run_totals {
    int steps;               // done
    int64_t iterations;      // of all steps
    int most_iterations;     // in one step
    int not_converged;       // steps that were kept nevertheless
    int divided;             // steps that needed substeps
    int blocked;             // steps in which prescribed motion was held back, and that were kept
    int most_contacts;       // at the end of a step
    double min_distance;     // of all contacts [m]; if there were any
    pli_phase_times seconds; // of all steps
    int64_t linear_iterations, symbolic_count;
    struct pli_slow_step {
        int step, iterations, contacts;
        double seconds;
    } slowest[PLI_SLOWEST]; // first the slowest; seconds 0: there are no more
    double writing, total;  // [s]
    int frames;
} pli_run_totals;

void pli_totals_add(pli_run_totals* totals, const pli_step_info* info);

enum { PLI_ENERGIES_SHOWN = 16 };
typedef struct pli_energies {
    int count;
    const char* names[PLI_ENERGIES_SHOWN];
    double values[PLI_ENERGIES_SHOWN]; // [J]
} pli_energies;

pli_energies pli_read_energies(const pli_world* world);

void pli_print_totals(const pli_run_totals* totals, const pli_world* world,
                      const pli_energies* start);
// Seconds per iteration by phase, work of the linear solver, the slowest steps.
void pli_print_profile(const pli_run_totals* totals, const pli_world* world);

// ---- progress

typedef struct pli_progress {
    bool bar;            // a bar that is drawn over itself, or lines
    const char* label;   // in front of the bar; NULL: none
    int steps;           // in all
    double duration;     // > 0: the run ends at this time, whatever the number of steps [s]
    int lines;           // printed
    double began, drawn; // [s]
    double pace;         // recent time for a part of the run, by that part [s]
    double done;         // part of the run
    double last;         // end of the last step [s]
    int64_t iterations;
} pli_progress;

// duration 0: the run ends after `steps`.
pli_progress pli_progress_start(int steps, double duration, bool quiet);
void pli_progress_step(pli_progress* progress, const pli_step_info* info);
// The same of work that has no steps: the part that is done, 0 to 1.
void pli_progress_part(pli_progress* progress, double done);
void pli_progress_end(pli_progress* progress);   // leaves the bar's line
void pli_progress_clear(pli_progress* progress); // wipes the bar

double pli_seconds(void); // wall time for display [s]

// "vertices", "segments", ..., for tables.
extern const char* const pli_element_names[PLI_ELEMENT_KIND_COUNT];

#endif
