// Ctrl-C and SIGTERM, as commands that run for long treat them.
#define _POSIX_C_SOURCE 200809L // sigaction
#include <signal.h>
#include <stdatomic.h>

#include "app/app.h"

// The signal that asked for an end (0: none); the only thing a signal handler may touch. Atomic,
// because the viewer's threads read it while the handler runs in another.
static atomic_int interrupted = 0;

static void interrupt(int signal_number) { interrupted = signal_number; }

void pli_watch_interrupts(void) {
    struct sigaction action = {.sa_handler = interrupt,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool pli_interrupted(void) { return interrupted != 0; }

bool pli_cancel_step(void* unused) {
    (void)unused;
    return pli_interrupted();
}

const char* pli_interrupt_name(void) { return interrupted == SIGINT ? "Ctrl-C" : "SIGTERM"; }
