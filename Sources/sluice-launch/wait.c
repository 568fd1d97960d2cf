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
#include <sys/stat.h>
#include <sys/wait.h>
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

/// Whether a file is the one that a status is of, and has not changed.
static int is_same(const char *path, const struct stat *known) {
    struct stat now;
    return stat(path, &now) == 0 && now.st_dev == known->st_dev && now.st_ino == known->st_ino &&
           now.st_size == known->st_size && now.st_mtim.tv_sec == known->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == known->st_mtim.tv_nsec;
}

/// Whether `--version` of a program ends well within 10 s. The first part of a program can be executed, and dies then.
static int can_run(char *program, const sigset_t *signals) {
    pid_t process = fork();
    if (process == 0) {
        int nothing = open("/dev/null", O_RDWR);
        for (int stream = 0; stream <= 2; stream++) dup2(nothing, stream);
        sigprocmask(SIG_SETMASK, signals, NULL);
        execv(program, (char *[]){program, "--version", NULL});
        _exit(127);
    }
    if (process < 0) return 0;
    int status = 0;
    for (int look = 0; look < 1000 && !is_over; look++) {
        if (waitpid(process, &status, WNOHANG) != 0) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        struct timespec pause = {.tv_nsec = 10000000};
        ppoll(NULL, 0, &pause, signals);
    }
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    return 0;
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
    struct stat program;
    if (stat(words[4], &program) != 0) memset(&program, 0, sizeof program);
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
        if (is_same(words[4], &program) || can_run(words[4], &none)) execv(words[4], words + 4);
        // The program is being replaced.
        struct timespec pause = {.tv_sec = 1};
        ppoll(NULL, 0, &pause, &none);
    }
}
