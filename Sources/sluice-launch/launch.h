// The functions that both roles of sluice-launch use. Containment.md in the documentation of SinkHost describes the
// roles.
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Exit statuses before the sink starts: a usage error, and a step that failed.
enum { LAUNCH_USAGE = 64, LAUNCH_FAILED = 126 };

/// The descriptor on which the sandbox's first process reports the end of the sink. The supervisor leaves it open.
enum { LAUNCH_REPORT = 3 };

/// The report.
struct report {
    /// The status of the sink, as from `waitpid`.
    int status;
    /// The number of its processes that had to be ended after it.
    int left;
};

/// `supervise`: `--parent PID [--sandbox] [--linger MS] -- COMMAND…`. With `--linger`, the processes that the sink
/// started have this time to end after it. The last line on standard error then has the number of those that did not
/// end; the conformance suite reads it.
int supervise(int count, char **words);

/// `confine`: options with the limits and rights of the sink, then `-- PROGRAM ARGUMENT…`.
int confine(int count, char **words);

/// `wait`: `SOCKET WATCH DUE NAME PROGRAM ARGUMENT…`. Waits for a client of the listening descriptor SOCKET, a change that the
/// descriptor WATCH of inotify reports, or the time DUE in milliseconds since 1970, 0 for none. Then this process is the program. A
/// signal ends it, and removes the socket's NAME, unless that is empty.
int wait_for_work(int count, char **words);

/// Writes to standard error what failed, with the message for `errno`, and ends the program.
_Noreturn void give_up(const char *what, const char *on);

/// The value of an option as a number. Ends the program if the value is not a number.
unsigned long long number(const char *option, const char *value);

/// Ends this process in the way that `status` of `waitpid` describes: by the same signal, or with the same exit status.
_Noreturn void end_like(int status);

/// Resets the signals: none is blocked, none is ignored.
void reset_signals(void);

/// Sends a signal to all descendants from the given depth on; 1 is a child, 2 is a child of a child. Returns their
/// number, or -1 with errno set if the table of processes cannot be read.
int signal_descendants(int signal, int depth);

/// Waits until this process has no descendants, but at most this time. Returns the number that remain.
int outlast(unsigned long long milliseconds);

/// The system calls that the sandbox allows.
enum filter { FILTER_NONE, FILTER_LOCAL, FILTER_NETWORK };

/// Installs the filter of system calls for this process and its descendants. Returns 0, or -1 with errno set.
int install_filter(enum filter filter);

#endif
