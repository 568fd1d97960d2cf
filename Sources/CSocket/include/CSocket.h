#ifndef CSOCKET_H
#define CSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Stream sockets of the local family. Each descriptor that these functions make is closed in started programs, and its calls
// never wait. A failure returns -1 and sets errno.

/// Makes a socket that listens under `name` in the open folder, for the folder's owner alone. The name appears when the
/// socket accepts connections, and replaces a file that has it. The length of the folder's path does not matter.
int csocket_listen(int folder, const char *name, int backlog);

/// Connects to the socket `name` in the open folder: EAGAIN if the backlog of the server is full, ECONNREFUSED if no
/// process listens any more, ENOENT if there is no such name.
int csocket_connect(int folder, const char *name);

/// Makes two connected sockets.
int csocket_pair(int *one, int *other);

/// Accepts a connection: EAGAIN if there is none.
int csocket_accept(int listener);

/// Sends a text as one datagram to a socket, which `path` names; with `@` as its first byte, a name without a file. Returns 0, or
/// -1 with errno set. It does not wait.
int csocket_notify(const char *path, const char *text);

/// Whether a descriptor is a listening stream socket of the local family: 1 or 0.
int csocket_is_listening(int descriptor);

/// The process at the other end, as the kernel knows it from the time of the connection.
struct csocket_peer {
    pid_t process;
    uid_t user;
    gid_t group;
};

int csocket_get_peer(int socket, struct csocket_peer *peer);

/// Sends bytes, and descriptors with the first of them. Never raises SIGPIPE. Returns the number of bytes that the kernel
/// took: EAGAIN if it took none.
ssize_t csocket_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// Receives bytes, and the descriptors that came with them: at most CSOCKET_DESCRIPTORS. Returns the number of bytes, 0 at the
/// end of the stream. Sets `descriptor_count` in each case. EMSGSIZE if more descriptors came; then all of them are closed.
ssize_t csocket_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count);

enum { CSOCKET_DESCRIPTORS = 64 };

// A selector waits for many descriptors at once (epoll(7)).

enum { CSOCKET_READABLE = 1, CSOCKET_WRITABLE = 2, CSOCKET_ENDED = 4 };

struct csocket_event {
    uint64_t token;
    /// CSOCKET_READABLE and the others. CSOCKET_ENDED: neither side can send any more.
    uint32_t readiness;
};

int csocket_selector(void);

/// Waits for a descriptor from now on, or changes for what. `interest` is CSOCKET_READABLE, CSOCKET_WRITABLE, both or 0. The end
/// is always reported.
int csocket_select(int selector, int descriptor, uint64_t token, uint32_t interest, int is_new);

/// Waits no longer for a descriptor.
int csocket_unselect(int selector, int descriptor);

/// Waits for at most `timeout` milliseconds, without a limit if it is negative. Returns the number of events, at most `capacity`
/// and 64.
int csocket_wait(int selector, struct csocket_event *events, int capacity, int timeout);

/// Makes a descriptor that is readable from one call of `csocket_wake` to the next `csocket_calm`.
int csocket_waker(void);
void csocket_wake(int waker);
void csocket_calm(int waker);

/// A socket that has a message after each change of the machine's links, addresses and routes (rtnetlink(7)); -1 without one.
int csocket_watch_network(void);

/// Whether the machine has a route to other networks than those that it is part of. Nothing is sent.
bool csocket_has_default_route(void);

#endif
