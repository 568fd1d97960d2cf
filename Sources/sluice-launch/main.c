// sluice-launch starts and ends a sink, for `sluice` alone. `supervise` runs outside of the sandbox, `confine` inside.
#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "supervise") == 0) return supervise(count - 2, words + 2);
    if (count > 1 && strcmp(words[1], "confine") == 0) return confine(count - 2, words + 2);
    fprintf(stderr, "sluice-launch: sluice starts this program; it has no use of its own\n");
    return LAUNCH_USAGE;
}

void give_up(const char *what, const char *on) {
    fprintf(stderr, "sluice-launch: cannot %s %s: %s\n", what, on, strerror(errno));
    exit(LAUNCH_FAILED);
}

unsigned long long number(const char *option, const char *value) {
    char *end = NULL;
    errno = 0;
    unsigned long long result = strtoull(value, &end, 10);
    if (errno == 0 && value[0] >= '0' && value[0] <= '9' && *end == 0) return result;
    fprintf(stderr, "sluice-launch: %s takes a number, not '%s'\n", option, value);
    exit(LAUNCH_USAGE);
}

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
