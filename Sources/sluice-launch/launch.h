// What the two roles of sluice-launch share. Containment.md in the documentation of Ingestion says what they are for.
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// What ends this program before the sink has begun: a usage error, and a step that the system refused.
enum { LAUNCH_USAGE = 64, LAUNCH_FAILED = 126 };

/// Where the sandbox's first process says how the sink ended: a descriptor that the supervisor leaves open for it.
enum { LAUNCH_REPORT = 3 };

/// What is said there.
struct report {
    /// How the sink ended, as of `waitpid`.
    int status;
    /// How many of its processes had to be ended after it.
    int left;
};

/// `supervise`: `--parent PID [--sandbox] [--linger MS] -- COMMAND…`. With `--linger`, what the sink started has so long to
/// end after it; whoever has not is counted in the last line on standard error, which the conformance suite reads.
int supervise(int count, char **words);

/// `confine`: what the sink may use, as options, then `-- PROGRAM ARGUMENT…`.
int confine(int count, char **words);

/// Says on standard error what could not be done, and why by `errno`, and ends the program.
_Noreturn void give_up(const char *what, const char *on);

/// The number that an option has as its value; ends the program where it is none.
unsigned long long number(const char *option, const char *value);

/// Ends this process as `status`, which is of `waitpid`, says that another one ended: by its signal or its number.
_Noreturn void end_like(int status);

/// Starts anew with the signals: none blocked, none ignored.
void reset_signals(void);

/// Sends a signal to every process that this one started, at whatever remove, from the given depth on: 1 is a child, 2 a
/// child's child. Returns how many there were, -1 with errno set where the table of processes cannot be read.
int signal_descendants(int signal, int depth);

/// Waits until nobody is left that this process started, at whatever remove, but no longer than some milliseconds. Returns
/// how many there are then.
int outlast(unsigned long long milliseconds);

/// What the sandbox lets through to the kernel.
enum filter { FILTER_NONE, FILTER_LOCAL, FILTER_NETWORK };

/// Installs the filter of system calls, for this process and all that it starts. Returns 0, or -1 with errno set.
int install_filter(enum filter filter);

#endif
