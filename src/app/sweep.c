// pliant sweep: finds the values, runs the scene once for each combination, as many at a time as
// there are processors. Each run is a process of its own that does what `pliant run` does.
#define _POSIX_C_SOURCE 200809L // fork, fileno
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/sweep.h"
#include "base/file.h"

enum { VALUES_MOST = 10000, RUNS_MOST = 10000 };

// ---- values

static bool add_value(pli_sweep_axis* axis, const char* value, size_t length) {
    if (length == 0 || length >= PLI_SWEEP_VALUE || axis->count == VALUES_MOST)
        return pli_complain("--set %s: %s", axis->key,
                            length == 0                 ? "a value is empty"
                            : length >= PLI_SWEEP_VALUE ? "a value is too long"
                                                        : "too many values");
    void* more = realloc(axis->values, sizeof *axis->values * (size_t)(axis->count + 1));
    if (!more) return pli_complain("out of memory");
    axis->values = more;
    snprintf(axis->values[axis->count++], PLI_SWEEP_VALUE, "%.*s", (int)length, value);
    return true;
}

// "0:1:0.1": first, last (included, up to rounding) and step.
static bool add_range(pli_sweep_axis* axis, const char* text) {
    double part[3];
    const char* at = text;
    for (int i = 0; i < 3; ++i) {
        char* end;
        part[i] = strtod(at, &end);
        if (end == at || *end != (i < 2 ? ':' : '\0') || !isfinite(part[i]))
            return pli_complain("--set %s=%s: a range is FIRST:LAST:STEP, three numbers", axis->key,
                                text);
        at = end + 1;
    }
    double count = floor((part[1] - part[0]) / part[2] * (1 + 1e-12) + 1e-9) + 1;
    if (!(count >= 1 && count <= VALUES_MOST))
        return pli_complain("--set %s=%s: the step does not lead from first to last in 1 to %d "
                            "values",
                            axis->key, text, VALUES_MOST);
    for (int i = 0; i < (int)count; ++i) {
        char value[PLI_SWEEP_VALUE];
        // 0.1 * 3 is 0.3: more digits than a range is written with are rounding.
        int n = snprintf(value, sizeof value, "%.12g", part[0] + i * part[2]);
        if (!add_value(axis, value, (size_t)n)) return false;
    }
    return true;
}

// "0,0.1,0.5": values with commas between them.
static bool add_list(pli_sweep_axis* axis, const char* text) {
    for (;;) {
        size_t n = strcspn(text, ",");
        if (!add_value(axis, text, n)) return false;
        if (!text[n]) return true;
        text += n + 1;
    }
}

// A range or a list; all else, also "[1, 2]", is one value for all runs.
static bool varies(const char* value) {
    return value && !strchr("[{\"", *value) && (strchr(value, ':') || strchr(value, ','));
}

static bool take_override(pli_sweep* sweep, const char* text) {
    const char* equals = strchr(text, '=');
    if (!varies(equals ? equals + 1 : NULL)) {
        sweep->fixed[sweep->fixed_count++] = text;
        return true;
    }
    if (sweep->axis_count == PLI_SWEEP_AXES)
        return pli_complain("--set: more than %d keys with several values", PLI_SWEEP_AXES);
    pli_sweep_axis* axis = &sweep->axes[sweep->axis_count++];
    size_t length = (size_t)(equals - text);
    if (length == 0 || length >= sizeof axis->key)
        return pli_complain("--set %.60s: the key is empty or too long", text);
    memcpy(axis->key, text, length);
    return strchr(equals, ':') ? add_range(axis, equals + 1) : add_list(axis, equals + 1);
}

static bool take_overrides(pli_sweep* sweep) {
    const pli_options* o = sweep->options;
    sweep->fixed = calloc((size_t)o->override_count + 1, sizeof *sweep->fixed);
    if (!sweep->fixed) return pli_complain("out of memory");
    for (int i = 0; i < o->override_count; ++i)
        if (!take_override(sweep, o->overrides[i])) return false;
    if (sweep->axis_count == 0)
        return pli_complain(
            "no key has several values; for example: --set contact.friction=0:1:0.1 "
            "or --set solver.linear=multifrontal,pcg");
    double count = 1;
    for (int a = 0; a < sweep->axis_count; ++a) count *= sweep->axes[a].count;
    if (count > RUNS_MOST) return pli_complain("%.0f runs, must be at most %d", count, RUNS_MOST);
    sweep->run_count = (int)count;
    sweep->runs = calloc((size_t)sweep->run_count, sizeof *sweep->runs);
    return sweep->runs || pli_complain("out of memory");
}

const char* pli_sweep_value(const pli_sweep* sweep, int axis, int run) {
    for (int a = sweep->axis_count - 1; a > axis; --a) run /= sweep->axes[a].count;
    return sweep->axes[axis].values[run % sweep->axes[axis].count];
}

// ---- keys

const char* pli_sweep_last_name(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

// A name without dots may stand for the one parameter of the scene that ends with it.
static bool complete_key(const pli_scene* scene, pli_sweep_axis* axis) {
    char list[320] = "";
    const char* found = NULL;
    int count = 0;
    if (strpbrk(axis->key, ".[")) return true;
    for (int i = 0; i < pli_scene_parameter_count(scene); ++i) {
        const char* path = pli_scene_parameter_at(scene, i)->path;
        if (strcmp(path, axis->key) == 0) return true;
        if (strcmp(pli_sweep_last_name(path), axis->key) != 0) continue;
        size_t used = strlen(list);
        pli_format(list + used, sizeof list - used, "%s%s", count++ ? ", " : "", path);
        found = path;
    }
    if (count > 1)
        return pli_complain("--set %s: this may be %s: name one of them", axis->key, list);
    if (found) snprintf(axis->key, sizeof axis->key, "%s", found);
    return true;
}

static bool complete_keys(pli_sweep* sweep) {
    pli_options plain = *sweep->options;
    plain.overrides = sweep->fixed;
    plain.override_count = sweep->fixed_count;
    plain.quiet = true;
    pli_scene* scene = pli_read_scene(&plain);
    bool good = scene != NULL;
    for (int a = 0; a < sweep->axis_count && good; ++a) good = complete_key(scene, &sweep->axes[a]);
    pli_scene_destroy(scene);
    return good;
}

// ---- runs

// "friction=0.1,density=500"; what a path cannot hold becomes '_'.
static void name_run(const pli_sweep* sweep, int i, char name[256]) {
    name[0] = '\0';
    for (int a = 0; a < sweep->axis_count; ++a) {
        size_t used = strlen(name);
        pli_format(name + used, 256 - used, "%s%s=%s", a > 0 ? "," : "",
                   pli_sweep_last_name(sweep->axes[a].key), pli_sweep_value(sweep, a, i));
    }
    for (char* c = name; *c; ++c)
        if (*c == '/' || *c == ' ' || (unsigned char)*c < ' ') *c = '_';
}

// Overrides of a run, to be freed; NULL: out of memory.
static const char** overrides_of(const pli_sweep* sweep, int i) {
    enum { SIZE = PLI_SWEEP_KEY + PLI_SWEEP_VALUE + 1 };
    size_t count = (size_t)(sweep->fixed_count + sweep->axis_count);
    const char** list = malloc(count * sizeof *list + (size_t)sweep->axis_count * SIZE);
    if (!list) return NULL;
    char* text = (char*)(list + count);
    for (int k = 0; k < sweep->fixed_count; ++k) list[k] = sweep->fixed[k];
    for (int a = 0; a < sweep->axis_count; ++a, text += SIZE) {
        snprintf(text, SIZE, "%s=%s", sweep->axes[a].key, pli_sweep_value(sweep, a, i));
        list[sweep->fixed_count + a] = text;
    }
    return list;
}

static pli_options options_of(const pli_sweep* sweep, const char** overrides) {
    pli_options o = *sweep->options;
    o.overrides = overrides;
    o.override_count = sweep->fixed_count + sweep->axis_count;
    o.quiet = true;
    o.threads = 1;
    return o;
}

// The process of a run: does not return.
static void be_run(const pli_sweep* sweep, const pli_sweep_run* run, int i) {
    char folder[PLI_PATH_SIZE + 257];
    const char** overrides = overrides_of(sweep, i);
    setpgid(0, 0); // Ctrl-C reaches the sweep, which tells its runs
    dup2(fileno(run->messages), STDERR_FILENO);
    if (!overrides) _exit(PLI_EXIT_STOPPED);
    pli_options o = options_of(sweep, overrides);
    snprintf(folder, sizeof folder, "%s/%s", sweep->folder, run->name);
    o.folder = folder;
    int code = pli_command_run(&o);
    fflush(stdout);
    fflush(stderr);
    _exit(code);
}

static void begin_run(const pli_sweep* sweep, int i) {
    pli_sweep_run* run = &sweep->runs[i];
    run->started = true;
    run->messages = tmpfile();
    fflush(stdout);
    run->process = run->messages ? fork() : -1;
    if (run->process == 0) be_run(sweep, run, i);
    if (run->process > 0) return;
    run->process = 0;
    snprintf(run->remark, sizeof run->remark, "cannot be started: %s", strerror(errno));
}

// The first line of what it printed, without "pliant: ".
static void read_remark(pli_sweep_run* run) {
    char line[sizeof run->remark] = "";
    rewind(run->messages);
    if (!fgets(line, sizeof line, run->messages)) snprintf(line, sizeof line, "it was ended");
    line[strcspn(line, "\n")] = '\0';
    const char* text = strncmp(line, "pliant: ", 8) == 0 ? line + 8 : line;
    pli_printable(text, run->remark, sizeof run->remark);
}

static void end_run(const pli_sweep* sweep, pli_sweep_run* run, int status) {
    const pli_options* o = sweep->options;
    run->process = 0;
    run->done = WIFEXITED(status) && WEXITSTATUS(status) == PLI_EXIT_DONE;
    if (!run->done) read_remark(run);
    fclose(run->messages);
    for (int m = 0; m < o->measure_count && run->done; ++m) {
        char folder[PLI_PATH_SIZE + 257];
        pli_error error = {0};
        snprintf(folder, sizeof folder, "%s/%s", sweep->folder, run->name);
        if (pli_measure(folder, o->measures[m], &run->measures[m], &error) != PLI_OK)
            pli_printable(error.message, run->remark, sizeof run->remark);
    }
}

static int job_count(const pli_options* options) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return options->jobs > 0 ? options->jobs : processors > 0 ? (int)processors : 1;
}

// Tells the runs to stop as after Ctrl-C.
static void stop_runs(const pli_sweep* sweep) {
    for (int i = 0; i < sweep->run_count; ++i)
        if (sweep->runs[i].process > 0) kill(sweep->runs[i].process, SIGTERM);
}

// Ends the runs that have ended. Returns their number.
static int collect(const pli_sweep* sweep) {
    int ended = 0;
    for (int i = 0; i < sweep->run_count; ++i) {
        pli_sweep_run* run = &sweep->runs[i];
        int status;
        if (run->process <= 0 || waitpid(run->process, &status, WNOHANG) == 0) continue;
        end_run(sweep, run, status);
        ++ended;
    }
    return ended;
}

static void run_all(const pli_sweep* sweep) {
    int jobs = job_count(sweep->options), next = 0, running = 0, ended = 0;
    bool stopped = false;
    pli_progress progress = pli_progress_start(sweep->run_count, 0, sweep->options->quiet);
    while (running > 0 || (next < sweep->run_count && !stopped)) {
        for (; running < jobs && next < sweep->run_count && !stopped; ++next) {
            begin_run(sweep, next);
            running += sweep->runs[next].process > 0;
        }
        int now = collect(sweep);
        running -= now;
        ended += now;
        pli_progress_part(&progress, (double)ended / sweep->run_count);
        if (pli_interrupted() && !stopped) stopped = true, stop_runs(sweep);
        const struct timespec pause = {0, 5000000};
        if (now == 0) nanosleep(&pause, NULL);
    }
    pli_progress_clear(&progress);
}

// ---- all

// The scene with the first values must be right: mistakes end the sweep before anything runs.
static bool check_first(pli_sweep* sweep) {
    const char** overrides = overrides_of(sweep, 0);
    if (!overrides) return pli_complain("out of memory");
    pli_options o = options_of(sweep, overrides);
    pli_scene* scene = pli_read_scene(&o);
    bool good = scene && pli_scene_world(scene);
    if (good) pli_shown(pli_scene_run(scene)->name, sweep->name);
    pli_scene_destroy(scene);
    free(overrides);
    return good;
}

static bool check_measures(const pli_options* options) {
    if (options->measure_count == 0)
        return pli_complain("--measure is missing; for example: --measure total or --measure "
                            "supports.NAME.force.y; docs/RESULTS.md lists what can be measured");
    for (int m = 0; m < options->measure_count; ++m) {
        pli_error error = {0};
        if (pli_measure_check(options->measures[m], &error) != PLI_OK)
            return pli_complain("--%s", error.message);
    }
    return true;
}

static bool has_table(const char* folder) {
    char path[PLI_PATH_SIZE + 16];
    struct stat info;
    snprintf(path, sizeof path, "%s/sweep.csv", folder);
    return stat(path, &info) == 0;
}

// Earlier results are kept: the next free folder, or with -o an error.
static bool choose_folder(pli_sweep* sweep) {
    char first[PLI_PATH_SIZE], shown[PLI_PATH_SIZE];
    if (!pli_choose_folder(sweep->options, "_sweep", sweep->folder)) return false;
    if (sweep->options->overwrite || !has_table(sweep->folder)) return true;
    if (sweep->options->folder)
        return pli_complain("%s has the results of an earlier sweep; --overwrite replaces them",
                            pli_printable(sweep->folder, shown, sizeof shown));
    memcpy(first, sweep->folder, sizeof first);
    for (int i = 2; has_table(sweep->folder); ++i)
        if (snprintf(sweep->folder, sizeof sweep->folder, "%s-%d", first, i) >=
            (int)sizeof sweep->folder)
            return pli_complain("the name of the results folder is too long");
    return true;
}

static int conduct(pli_sweep* sweep) {
    pli_error error = {0};
    if (pli_make_folder(sweep->folder, &error) != PLI_OK) {
        pli_complain("%s", error.message);
        return PLI_EXIT_USAGE;
    }
    bool quiet = sweep->options->quiet, good = true;
    for (int i = 0; i < sweep->run_count; ++i) {
        name_run(sweep, i, sweep->runs[i].name);
        for (int m = 0; m < PLI_MEASURES_MOST; ++m) sweep->runs[i].measures[m] = NAN;
    }
    pli_watch_interrupts();
    if (!quiet)
        printf("%s: %d %s, %d at a time\n", sweep->name, sweep->run_count,
               pli_counted(sweep->run_count, "run", "runs"), job_count(sweep->options));
    run_all(sweep);
    for (int i = 0; i < sweep->run_count; ++i) good = good && sweep->runs[i].done;
    if (!quiet) pli_sweep_print(sweep);
    good = pli_sweep_write(sweep) && good;
    char folder[PLI_PATH_SIZE];
    if (!quiet)
        printf("results in %s: sweep.csv, sweep.svg, a folder for each run\n",
               pli_printable(sweep->folder, folder, sizeof folder));
    fflush(stdout);
    if (pli_interrupted())
        fprintf(stderr, "stopped by %s; complete runs are in the table\n", pli_interrupt_name());
    return good ? PLI_EXIT_DONE : PLI_EXIT_STOPPED;
}

int pli_command_sweep(const pli_options* options) {
    pli_sweep sweep = {.options = options};
    bool good = check_measures(options) && take_overrides(&sweep) && complete_keys(&sweep) &&
                check_first(&sweep) && choose_folder(&sweep);
    int code = good ? conduct(&sweep) : PLI_EXIT_USAGE;
    for (int a = 0; a < sweep.axis_count; ++a) free(sweep.axes[a].values);
    free(sweep.fixed);
    free(sweep.runs);
    return code;
}
