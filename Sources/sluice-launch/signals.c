// Signals: the default for each, and an end by the signal that ended another process.
#define _GNU_SOURCE
#include "launch.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

void end_like(int status) {
    if (WIFSIGNALED(status)) {
        // The sink has written no core file, and one of this program would not help.
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
        prctl(PR_SET_DUMPABLE, 0);
#endif
        reset_signals();
        kill(getpid(), WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : LAUNCH_FAILED);
}

void reset_signals(void) {
    for (int signal_number = 1; signal_number < NSIG; signal_number++) signal(signal_number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
