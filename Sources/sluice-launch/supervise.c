// The outer role: it starts the command, ends all its descendants, and ends in the same way as the sink.
#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

struct family {
    pid_t host;
    pid_t command;
    bool is_sandbox;
    /// The descriptor on which the sandbox's first process reports the end of the sink; -1 without a sandbox.
    int report;
    bool has_ended;
    int status;
    unsigned long long linger;
};

/// The interval of checks for the host's death, in milliseconds. They are needed before Linux 5.3, which has no
/// notification.
enum { HOST_CHECK_MS = 1000 };

/// Becomes the command. The command dies with the supervisor, and gets no signals that are sent to the supervisor's
/// group.
static _Noreturn void become(char **command, pid_t supervisor, const int report[2]) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(LAUNCH_FAILED);
    setsid();
    reset_signals();
    if (report[1] == LAUNCH_REPORT) fcntl(LAUNCH_REPORT, F_SETFD, 0);
    else if (report[1] >= 0 && dup2(report[1], LAUNCH_REPORT) < 0) give_up("pass on", "a pipe");
    execv(command[0], command);
    give_up("start", command[0]);
}

static void start(struct family *family, char **command) {
    int report[2] = {-1, -1};
    if (family->is_sandbox && pipe2(report, O_CLOEXEC) < 0) give_up("make", "a pipe");
    pid_t self = getpid();
    family->command = fork();
    if (family->command < 0) give_up("start", command[0]);
    if (family->command == 0) become(command, self, report);
    if (report[1] >= 0) close(report[1]);
    family->report = report[0];
    // If the supervisor kept these pipes open, the host would not notice that the sink has closed its end.
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
}

/// Collects the children that have ended. Returns whether none is left.
static bool reap(struct family *family) {
    for (;;) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended == 0) return false;
        if (ended < 0 && errno != EINTR) return true;
        if (ended != family->command) continue;
        family->has_ended = true;
        family->status = status;
    }
}

static void end_all(struct family *family) {
    // A process may fork while the table is read. The next pass finds its child, because the parent is dead by then.
    for (;;) {
        // Without the table, at least the command is ended; its end also ends a sandbox.
        if (signal_descendants(SIGKILL, 1) < 0) kill(family->command, SIGKILL);
        if (reap(family)) return;
        struct pollfd none = {-1, 0, 0};
        poll(&none, 1, 1);
    }
}

/// Handles the signals that have arrived. Returns whether the command must end now.
static bool is_told_to_end(struct family *family, int signals) {
    struct signalfd_siginfo signal;
    bool ends = false;
    while (read(signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
        // The two processes of the sandbox itself get no SIGTERM: their end would kill the sink before it can finish.
        if (signal.ssi_signo == SIGTERM) signal_descendants(SIGTERM, family->is_sandbox ? 3 : 1);
        if (signal.ssi_signo == SIGQUIT) ends = true;
    }
    return ends;
}

/// Closes all descriptors of the host except the standard streams.
static void close_others(void) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0) == 0) return;
#endif
    for (int descriptor = STDERR_FILENO + 1; descriptor < (int)sysconf(_SC_OPEN_MAX); descriptor++) close(descriptor);
}

static int take_signals(void) {
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGTERM);
    sigaddset(&taken, SIGQUIT);
    sigaddset(&taken, SIGCHLD);
    // The terminal sends these signals for the host, and the host decides when its sinks end.
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    // A host that a script runs in the background may ignore some of these signals.
    signal(SIGTERM, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &taken, NULL);
    return signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Waits until the command has ended, or must end.
static void watch(struct family *family, int signals, int host) {
    struct pollfd events[2] = {{signals, POLLIN, 0}, {host, POLLIN, 0}};
    while (!reap(family) && !family->has_ended) {
        if (poll(events, 2, host < 0 ? HOST_CHECK_MS : -1) < 0 && errno != EINTR) return;
        if (getppid() != family->host || is_told_to_end(family, signals)) return;
    }
}

/// The status of the sink, and the number of its remaining processes.
static struct report conclude(struct family *family) {
    struct report report = {family->status, 0};
    // In a sandbox, its first process waits instead, because it ends before this process does.
    if (family->has_ended && family->linger && !family->is_sandbox) report.left = outlast(family->linger);
    end_all(family);
    struct report told;
    // The exit status of the sandbox does not show which signal ended the sink.
    if (family->report >= 0 && read(family->report, &told, sizeof told) == (ssize_t)sizeof told) return told;
    report.status = family->status;
    return report;
}

int supervise(int count, char **words) {
    struct family family = {.report = -1};
    int place = 0;
    for (; place < count && strcmp(words[place], "--") != 0; place++) {
        if (strcmp(words[place], "--sandbox") == 0) family.is_sandbox = true;
        else if (strcmp(words[place], "--parent") == 0 && place + 1 < count)
            family.host = (pid_t)number("--parent", words[++place]);
        else if (strcmp(words[place], "--linger") == 0 && place + 1 < count)
            family.linger = number("--linger", words[++place]);
        else break;
    }
    if (place + 1 >= count || strcmp(words[place], "--") != 0 || family.host <= 0) {
        fprintf(stderr, "sluice-launch: usage: supervise --parent PID [--sandbox] [--linger MS] -- COMMAND ARGUMENT…\n");
        return LAUNCH_USAGE;
    }
    close_others();
    // A parent-death signal would not work: the kernel sends it when the thread that started this process ends.
#ifdef SYS_pidfd_open
    int host = (int)syscall(SYS_pidfd_open, family.host, 0);
#else
    int host = -1;
#endif
    if (getppid() != family.host) return LAUNCH_FAILED;
    int signals = take_signals();
    if (signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) give_up("supervise", words[place + 1]);
    start(&family, words + place + 1);
    watch(&family, signals, host);
    struct report report = conclude(&family);
    if (report.left > 0) fprintf(stderr, "\nsluice-launch: processes that outlived the sink: %d\n", report.left);
    end_like(report.status);
}
#else
// Other systems have no way to find all descendants, so the command replaces this program.
int supervise(int count, char **words) {
    int place = 0;
    while (place < count && strcmp(words[place], "--") != 0) place++;
    if (place + 1 >= count) return LAUNCH_USAGE;
    execv(words[place + 1], words + place + 1);
    give_up("start", words[place + 1]);
}
#endif
