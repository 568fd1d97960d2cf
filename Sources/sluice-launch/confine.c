// The inner role: it drops the rights that a sink must not have, and becomes the sink. In the sandbox it is the first
// process, and starts the sink as its child. The kernel ignores signals to a first process without a handler, so the
// sink itself must not be one.
#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/// The time between SIGXCPU and SIGKILL for a process that has used up its processor time, in seconds.
enum { PROCESSOR_GRACE = 5 };

/// The value 0 means no change.
struct confinement {
    bool is_first;
    enum filter filter;
    unsigned long long user, memory, processor, file, files, processes, linger;
    const char *folder;
};

static void limit(const char *name, int resource, unsigned long long soft, unsigned long long hard) {
    struct rlimit old;
    if (getrlimit(resource, &old) < 0) give_up("read the limit of", name);
    // A lower limit that is set already stays, because only root may raise a limit.
    if (old.rlim_max != RLIM_INFINITY && hard > old.rlim_max) hard = old.rlim_max;
    struct rlimit new = {(rlim_t)(soft < hard ? soft : hard), (rlim_t)hard};
    if (setrlimit(resource, &new) < 0) give_up("set the limit of", name);
}

static void set_limits(const struct confinement *bounds) {
    limit("core files", RLIMIT_CORE, 0, 0);
    if (bounds->memory) limit("memory", RLIMIT_AS, bounds->memory, bounds->memory);
    if (bounds->processor)
        limit("processor time", RLIMIT_CPU, bounds->processor, bounds->processor + PROCESSOR_GRACE);
    if (bounds->file) limit("the size of a file", RLIMIT_FSIZE, bounds->file, bounds->file);
    if (bounds->files) limit("open files", RLIMIT_NOFILE, bounds->files, bounds->files);
    if (bounds->processes) limit("processes", RLIMIT_NPROC, bounds->processes, bounds->processes);
}

#ifdef __linux__
static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (syscall(SYS_capset, &header, none) < 0) give_up("drop", "capabilities");
}

static void become_user(unsigned long long user) {
    if (setgroups(0, NULL) < 0 || setresgid((gid_t)user, (gid_t)user, (gid_t)user) < 0 ||
        setresuid((uid_t)user, (uid_t)user, (uid_t)user) < 0)
        give_up("become", "the sink's user");
    // If this process could become root again, so could the sink.
    if (setuid(0) == 0) {
        errno = EPERM;
        give_up("drop", "the right to be root");
    }
}

static void give_up_rights(const struct confinement *bounds) {
    if (bounds->user) become_user(bounds->user);
    if (bounds->is_first) drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) give_up("forgo", "new privileges");
    if (install_filter(bounds->filter) < 0) give_up("install", "the filter of system calls");
}

/// Waits for the sink as the first process of the sandbox. When this process ends, the kernel ends all others in it.
static _Noreturn void stand_by(pid_t sink, unsigned long long linger) {
    drop_capabilities();
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    for (struct report report = {0, 0};;) {
        pid_t ended = waitpid(-1, &report.status, 0);
        if (ended < 0 && errno == ECHILD) _exit(LAUNCH_FAILED);
        if (ended != sink) continue;
        if (linger) report.left = outlast(linger);
        ssize_t written = write(LAUNCH_REPORT, &report, sizeof report);
        _exit(written == (ssize_t)sizeof report ? 0 : LAUNCH_FAILED);
    }
}

static void start_as_child(unsigned long long linger) {
    if (fcntl(LAUNCH_REPORT, F_SETFD, FD_CLOEXEC) < 0) give_up("use", "the pipe of the supervisor");
    // If the sink does not run as root, this process has the same user. The sink must not be able to trace it, not even
    // for a moment. The exec of the sink's process resets this flag for the sink.
    prctl(PR_SET_DUMPABLE, 0);
    pid_t sink = fork();
    if (sink < 0) give_up("start", "the sink");
    if (sink > 0) stand_by(sink, linger);
    setsid();
}
#else
static void give_up_rights(const struct confinement *bounds) { (void)bounds; }
static void start_as_child(unsigned long long linger) { (void)linger; }
#endif

static bool take_flag(struct confinement *bounds, const char *option) {
    if (strcmp(option, "--first") == 0) bounds->is_first = true;
    else if (strcmp(option, "--filter-local") == 0) bounds->filter = FILTER_LOCAL;
    else if (strcmp(option, "--filter-network") == 0) bounds->filter = FILTER_NETWORK;
    else return false;
    return true;
}

static bool take_value(struct confinement *bounds, const char *option, const char *value) {
    if (strcmp(option, "--user") == 0) bounds->user = number(option, value);
    else if (strcmp(option, "--memory") == 0) bounds->memory = number(option, value);
    else if (strcmp(option, "--processor") == 0) bounds->processor = number(option, value);
    else if (strcmp(option, "--file") == 0) bounds->file = number(option, value);
    else if (strcmp(option, "--files") == 0) bounds->files = number(option, value);
    else if (strcmp(option, "--processes") == 0) bounds->processes = number(option, value);
    else if (strcmp(option, "--linger") == 0) bounds->linger = number(option, value);
    else if (strcmp(option, "--folder") == 0) bounds->folder = value;
    else return false;
    return true;
}

int confine(int count, char **words) {
    struct confinement bounds = {0};
    int place = 0;
    for (; place < count && strcmp(words[place], "--") != 0; place++) {
        if (take_flag(&bounds, words[place])) continue;
        if (place + 1 >= count || !take_value(&bounds, words[place], words[place + 1])) break;
        place++;
    }
    if (place + 1 >= count || strcmp(words[place], "--") != 0) {
        fprintf(stderr, "sluice-launch: usage: confine OPTION… -- PROGRAM ARGUMENT…\n");
        return LAUNCH_USAGE;
    }
    char **sink = words + place + 1;
    if (bounds.is_first) start_as_child(bounds.linger);
    reset_signals();
    if (bounds.folder && chdir(bounds.folder) < 0) give_up("enter", bounds.folder);
    // Bubblewrap adds this variable, but the host decides about the environment.
    unsetenv("PWD");
    set_limits(&bounds);
    give_up_rights(&bounds);
    execv(sink[0], sink);
    if (errno == ENOENT && access(sink[0], F_OK) == 0) {
        fprintf(stderr, "sluice-launch: cannot start %s: the interpreter in its first line does not exist", sink[0]);
        fprintf(stderr, bounds.is_first ? "; the sandbox has only those below /usr and /bin\n" : "\n");
        return LAUNCH_FAILED;
    }
    give_up("start", sink[0]);
}
