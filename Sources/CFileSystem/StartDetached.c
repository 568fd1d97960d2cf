// Starts a program that outlives its starter.
#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int cfilesystem_start_child(const char *program, char *const arguments[], int *started) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    for (int stream = 0; stream <= 2 && failure == 0; stream++)
        failure = posix_spawn_file_actions_addopen(
            &actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
#if __GLIBC_PREREQ(2, 34)
    // The starter may hold locks and pipes of its own.
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
    // A folder that is in use cannot be unmounted.
    if (failure == 0) failure = posix_spawn_file_actions_addchdir_np(&actions, "/");
    if (failure == 0) failure = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    if (failure == 0) failure = posix_spawn(&process, program, &actions, &attributes, arguments, environ);
    if (failure == 0) *started = process;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int cfilesystem_start_detached(const char *program, char *const arguments[], int *started) {
    int ends[2], result[2] = {EAGAIN, 0};
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    // The process belongs to one that ends at once, and then to the system, which takes its end. A child of this process would stay in the
    // list of processes until this one ends.
    pid_t starter = fork();
    if (starter < 0) result[0] = errno;
    if (starter == 0) {
        result[0] = cfilesystem_start_child(program, arguments, &result[1]);
        ssize_t written = write(ends[1], result, sizeof result);
        _exit(written == (ssize_t)sizeof result ? 0 : 1);
    }
    close(ends[1]);
    if (starter > 0) {
        ssize_t got;
        do got = read(ends[0], result, sizeof result);
        while (got < 0 && errno == EINTR);
        if (got != (ssize_t)sizeof result) result[0] = EAGAIN;
        while (waitpid(starter, NULL, 0) < 0 && errno == EINTR) {}
    }
    close(ends[0]);
    *started = result[1];
    return result[0];
}

void cfilesystem_hide_memory(void) {
    prctl(PR_SET_DUMPABLE, 0);
    // The runtime of Swift would print parts of the memory when the process crashes.
    static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
}
