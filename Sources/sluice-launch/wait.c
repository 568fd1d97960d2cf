// `wait`: an agent without work is this small process. It wakes for nothing else than its clients, a change of the container, or a
// time, and is the agent again then.
#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t is_over;

static void end(int signal_number) {
    (void)signal_number;
    is_over = 1;
}

/// The milliseconds until a time in milliseconds since 1970, which is 0 for none; at most an hour, because the clock may be set.
static int rest_until(long long due) {
    if (due == 0) return -1;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    long long rest = due - (now.tv_sec * 1000LL + now.tv_nsec / 1000000);
    return rest < 0 ? 0 : rest > 3600000 ? 3600000 : (int)rest;
}

int wait_for_work(int count, char **words) {
    if (count < 5) return LAUNCH_USAGE;
    int listener = (int)number("SOCKET", words[0]), watch = (int)number("WATCH", words[1]);
    long long due = (long long)number("DUE", words[2]);
    const char *name = words[3];
    // A signal that comes between two looks at `is_over` must end the wait, so it is blocked outside of it.
    sigset_t ends, none;
    sigemptyset(&ends);
    sigemptyset(&none);
    struct sigaction action = {.sa_handler = end};
    int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t place = 0; place < sizeof numbers / sizeof *numbers; place++) {
        struct sigaction old;
        sigaction(numbers[place], NULL, &old);
        if (old.sa_handler == SIG_IGN) continue;
        sigaction(numbers[place], &action, NULL);
        sigaddset(&ends, numbers[place]);
    }
    sigprocmask(SIG_SETMASK, &ends, NULL);
    struct pollfd sources[] = {{.fd = listener, .events = POLLIN}, {.fd = watch, .events = POLLIN}};
    for (;;) {
        if (is_over) {
            // This process holds the agent's lock, so the name of the socket is its own.
            if (*name) unlink(name);
            return 0;
        }
        int rest = rest_until(due);
        struct timespec time = {.tv_sec = rest / 1000, .tv_nsec = rest % 1000 * 1000000L};
        int ready = ppoll(sources, 2, rest < 0 ? NULL : &time, &none);
        if (ready < 0 && errno != EINTR) give_up("waiting for", "work");
        if (ready < 0 || (ready == 0 && rest_until(due) != 0)) continue;
        execv(words[4], words + 4);
        // The program is being replaced.
        struct timespec pause = {.tv_sec = 1};
        ppoll(NULL, 0, &pause, &none);
    }
}
