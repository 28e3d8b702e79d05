// A film of the frames. The pictures are piped as raw bytes to the program ffmpeg, which writes the
// MP4 file. It is started directly, without a shell, and reads from a socket: if it exits early,
// writing fails without a signal.
#define _GNU_SOURCE // MSG_NOSIGNAL, SOCK_CLOEXEC, environ
#include "export/export_film.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const double fastest = 60, usual = 25; // frames per second

typedef struct encoder {
    pid_t process; // 0: none
    int socket;    // -1: closed
    FILE* said;    // its error output
} encoder;

int64_t pli_export_mp4_size(const pli_export_job* job) {
    pli_picture_size size = pli_film_size_of(job->def);
    return (int64_t)(0.012 * size.width * size.height) * job->frame_count;
}

// The mean speed of the run [frames per second].
static double rate_of(const pli_film* film) {
    double duration = film->last_time - film->first_time;
    int steps = film->job->frame_count - 1;
    if (steps < 1 || !(duration > 0) || !isfinite(duration)) return usual;
    return steps / duration;
}

// Above the frame rate of screens only every n-th frame is used, so that the speed stays the same.
static int stride_of(const pli_film* film) {
    double stride = ceil(rate_of(film) / fastest - 1e-9);
    return (int)fmax(1, fmin(stride, film->job->frame_count));
}

// ---- the program

static pli_status spawn(encoder* e, int input, char* const* arguments, pli_error* error) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return pli_fail(error, PLI_E_MEMORY, "out of memory while starting ffmpeg");
    int code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, fileno(e->said), STDOUT_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, fileno(e->said), STDERR_FILENO);
    if (code == 0) code = posix_spawnp(&e->process, "ffmpeg", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code == 0) return PLI_OK;
    e->process = 0;
    if (code == ENOENT)
        return pli_fail(error, PLI_E_IO,
                        "mp4 needs the program ffmpeg, which is not installed (not in PATH); "
                        "install it, or use format png for the pictures");
    return pli_fail(error, PLI_E_IO, "cannot start ffmpeg: %s", strerror(code));
}

// Starts it with the output file `to`.
static pli_status start(encoder* e, const pli_film* film, const char* to, pli_error* error) {
    int ends[2];
    char size[32], rate[32], path[PLI_EXPORT_PATH_SIZE + 16];
    pli_format(size, sizeof size, "%dx%d", film->picture.raster.width, film->picture.raster.height);
    pli_format(rate, sizeof rate, "%.9g", rate_of(film) / stride_of(film));
    pli_format(path, sizeof path, "file:%s", to); // the name cannot be read as an option or URL
    const char* const words[] = {
        "ffmpeg",  "-loglevel", "error",      "-y", "-f",  "rawvideo", "-pix_fmt", "rgb24",
        "-s",      size,        "-r",         rate, "-i",  "pipe:0",   "-an",      "-pix_fmt",
        "yuv420p", "-movflags", "+faststart", "-f", "mp4", path,       NULL};
    char* arguments[sizeof words / sizeof *words];
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        arguments[i] = (char*)(uintptr_t)words[i]; // posix_spawn does not modify them
    e->said = tmpfile();
    if (!e->said || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return pli_fail(error, PLI_E_IO, "cannot start ffmpeg: %s", strerror(errno));
    e->socket = ends[1];
    pli_status status = spawn(e, ends[0], arguments, error);
    close(ends[0]);
    return status;
}

// False: it has stopped reading.
static bool send_picture(encoder* e, const unsigned char* bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(e->socket, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

// Waits for its exit and closes everything; false: it failed.
static bool finish(encoder* e, char message[200]) {
    int code = 1;
    *message = 0;
    if (e->socket >= 0) close(e->socket);
    if (e->process > 0)
        while (waitpid(e->process, &code, 0) < 0 && errno == EINTR) continue;
    if (e->said) {
        rewind(e->said);
        if (!fgets(message, 200, e->said)) *message = 0;
        message[strcspn(message, "\n")] = 0;
        fclose(e->said);
    }
    *e = (encoder){.socket = -1};
    return WIFEXITED(code) && WEXITSTATUS(code) == 0;
}

// ---- the film

static pli_status draw_all(pli_film* film, encoder* e, bool* taken, pli_error* error) {
    size_t size = 3 * (size_t)film->picture.raster.width * (size_t)film->picture.raster.height;
    int stride = stride_of(film);
    *taken = true;
    for (int i = 0; i < film->job->frame_count && *taken; i += stride) {
        PLI_TRY(pli_film_draw(film, i, error));
        *taken = send_picture(e, film->picture.rgb, size);
        if (!pli_film_go_on(film, i + 1)) break;
    }
    return PLI_OK;
}

static pli_status write_film(pli_film* film, pli_error* error) {
    pli_export_info* info = film->job->info;
    encoder e = {.socket = -1};
    char message[200], path[PLI_EXPORT_PATH_SIZE + 8];
    bool taken = false;
    struct stat made;
    pli_format(path, sizeof path, "%s.tmp", info->path);
    unlink(path); // a link is replaced, never followed
    pli_status status = start(&e, film, path, error);
    if (status == PLI_OK) status = draw_all(film, &e, &taken, error);
    bool good = finish(&e, message) && taken;
    if (status == PLI_OK && !info->cancelled && !good)
        status = pli_fail(error, PLI_E_IO, "ffmpeg failed to write %.200s: %.150s", info->path,
                          *message ? message : "no error message");
    if (status == PLI_OK && !info->cancelled &&
        (stat(path, &made) != 0 || rename(path, info->path) != 0))
        status = pli_fail(error, PLI_E_IO, "cannot write %.300s: %s", info->path, strerror(errno));
    if (status != PLI_OK || info->cancelled) {
        unlink(path);
        return status;
    }
    info->file_count = 1;
    info->bytes = made.st_size;
    return PLI_OK;
}

pli_status pli_export_mp4_check(const pli_export_job* job, pli_error* error) {
    pli_picture_size size = pli_film_size_of(job->def);
    if (size.width % 2 != 0 || size.height % 2 != 0)
        return pli_fail(error, PLI_E_ARGUMENT, "export: mp4 of %d x %d pixels, both must be even",
                        size.width, size.height);
    return pli_film_check(job, error);
}

pli_status pli_export_mp4(pli_export_job* job, pli_error* error) {
    pli_film film = {0};
    pli_status status = pli_film_begin(&film, job, error);
    if (status == PLI_OK && !job->info->cancelled) status = write_film(&film, error);
    pli_film_end(&film);
    return status;
}
