#define _GNU_SOURCE
#include "CSocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int fail(int descriptor, int error) {
    if (descriptor >= 0) close(descriptor);
    errno = error;
    return -1;
}

static int stream_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

/// The address of a name in an open folder. `sun_path` has 108 bytes, and a folder's path may be longer.
static int address_of(int folder, const char *name, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int length = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", folder, name);
    if (length > 0 && (size_t)length < sizeof address->sun_path) return 0;
    errno = ENAMETOOLONG;
    return -1;
}

int csocket_listen(int folder, const char *name, int backlog) {
    // The socket gets its name as the last step, so a client never finds one that refuses it or that others may open.
    char draft[64];
    int length = snprintf(draft, sizeof draft, "%s.new", name);
    if (length < 0 || (size_t)length >= sizeof draft) return fail(-1, ENAMETOOLONG);
    struct sockaddr_un address;
    if (address_of(folder, draft, &address) != 0) return -1;
    int descriptor = stream_socket();
    if (descriptor < 0) return -1;
    if (unlinkat(folder, draft, 0) != 0 && errno != ENOENT) return fail(descriptor, errno);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return fail(descriptor, errno);
    if (fchmodat(folder, draft, S_IRUSR | S_IWUSR, 0) != 0 || listen(descriptor, backlog) != 0 ||
        renameat(folder, draft, folder, name) != 0) {
        int error = errno;
        unlinkat(folder, draft, 0);
        return fail(descriptor, error);
    }
    return descriptor;
}

int csocket_connect(int folder, const char *name) {
    struct sockaddr_un address;
    if (address_of(folder, name, &address) != 0) return -1;
    int descriptor = stream_socket();
    if (descriptor < 0) return -1;
    while (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        if (errno != EINTR) return fail(descriptor, errno);
    }
    return descriptor;
}

int csocket_notify(const char *path, const char *text) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return fail(-1, ENAMETOOLONG);
    memcpy(address.sun_path, path, length);
    // A name without a file begins with a zero byte.
    if (path[0] == '@') address.sun_path[0] = 0;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(descriptor, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address, size);
    if (sent < 0) return fail(descriptor, errno);
    close(descriptor);
    return 0;
}

int csocket_pair(int *one, int *other) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
    *one = ends[0];
    *other = ends[1];
    return 0;
}

int csocket_accept(int listener) {
    for (;;) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (descriptor >= 0 || (errno != EINTR && errno != ECONNABORTED)) return descriptor;
    }
}

static int option_of(int descriptor, int option) {
    int value = -1;
    socklen_t length = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, option, &value, &length) == 0 ? value : -1;
}

int csocket_is_listening(int descriptor) {
    return option_of(descriptor, SO_DOMAIN) == AF_UNIX && option_of(descriptor, SO_TYPE) == SOCK_STREAM &&
           option_of(descriptor, SO_ACCEPTCONN) == 1;
}

int csocket_get_peer(int socket, struct csocket_peer *peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *peer = (struct csocket_peer){credentials.pid, credentials.uid, credentials.gid};
    return 0;
}

ssize_t csocket_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * CSOCKET_DESCRIPTORS)];
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > CSOCKET_DESCRIPTORS) return fail(-1, EMSGSIZE);
    if (descriptor_count > 0) {
        size_t size = sizeof(int) * descriptor_count;
        memset(control, 0, sizeof control);
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), descriptors, size);
    }
    for (;;) {
        ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0 || errno != EINTR) return sent;
    }
}

ssize_t csocket_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * CSOCKET_DESCRIPTORS)];
    struct iovec part = {bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    *descriptor_count = 0;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t size = header->cmsg_len - CMSG_LEN(0);
        memcpy(descriptors + *descriptor_count, CMSG_DATA(header), size);
        *descriptor_count += size / sizeof(int);
    }
    if (!(message.msg_flags & MSG_CTRUNC)) return received;
    while (*descriptor_count > 0) close(descriptors[--*descriptor_count]);
    errno = EMSGSIZE;
    return -1;
}

int csocket_selector(void) { return epoll_create1(EPOLL_CLOEXEC); }

int csocket_select(int selector, int descriptor, uint64_t token, uint32_t interest, int is_new) {
    struct epoll_event event = {.data = {.u64 = token}};
    if (interest & CSOCKET_READABLE) event.events |= EPOLLIN;
    if (interest & CSOCKET_WRITABLE) event.events |= EPOLLOUT;
    return epoll_ctl(selector, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

int csocket_unselect(int selector, int descriptor) { return epoll_ctl(selector, EPOLL_CTL_DEL, descriptor, NULL); }

int csocket_wait(int selector, struct csocket_event *events, int capacity, int timeout) {
    struct epoll_event found[64];
    int count = epoll_wait(selector, found, capacity < 64 ? capacity : 64, timeout);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int place = 0; place < count; place++) {
        uint32_t bits = found[place].events;
        events[place] = (struct csocket_event){
            found[place].data.u64,
            (bits & EPOLLIN ? CSOCKET_READABLE : 0) | (bits & EPOLLOUT ? CSOCKET_WRITABLE : 0) |
                (bits & (EPOLLHUP | EPOLLERR) ? CSOCKET_ENDED : 0)};
    }
    return count;
}

int csocket_waker(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void csocket_wake(int waker) { eventfd_write(waker, 1); }

void csocket_calm(int waker) {
    eventfd_t value;
    eventfd_read(waker, &value);
}

// When a datagram socket is connected, the system looks up its route, and sends nothing. The addresses are those for
// documentation (RFC 5737, RFC 3849), which belong to no network.
static bool has_route(const struct sockaddr *address, socklen_t size) {
    int own = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    // A lack of descriptors says nothing about the network.
    if (own < 0) return errno != EAFNOSUPPORT;
    int result = connect(own, address, size);
    close(own);
    return result == 0;
}

bool csocket_has_default_route(void) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(443)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(443)};
    inet_pton(AF_INET, "192.0.2.1", &four.sin_addr);
    inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr);
    return has_route((struct sockaddr *)&four, sizeof four) || has_route((struct sockaddr *)&six, sizeof six);
}

int csocket_watch_network(void) {
    int own = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (own < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
    };
    if (bind(own, (struct sockaddr *)&address, sizeof address) != 0) return fail(own, errno);
    return own;
}
