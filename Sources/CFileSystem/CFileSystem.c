// System calls that Swift cannot import: GNU extensions and variadic functions.
#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cfilesystem_sync(int descriptor) { return syncfs(descriptor); }

int cfilesystem_move_if_free(const char *source, const char *target) {
    return renameat2(AT_FDCWD, source, AT_FDCWD, target, RENAME_NOREPLACE);
}

int cfilesystem_clone(int target, int source) { return ioctl(target, FICLONE, source); }

ssize_t cfilesystem_copy(int target, int source, size_t count) {
    return copy_file_range(source, NULL, target, NULL, count, 0);
}

void cfilesystem_begin_writing(int descriptor, int64_t offset, int64_t count) {
    (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int cfilesystem_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

int cfilesystem_watch(const char *folder, int closings) {
    int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (descriptor < 0) return -1;
    uint32_t events = IN_MODIFY | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR | (closings ? IN_CLOSE_WRITE : 0);
    if (inotify_add_watch(descriptor, folder, events) >= 0) return descriptor;
    int failure = errno;
    close(descriptor);
    errno = failure;
    return -1;
}

int cfilesystem_watch_take(int descriptor, const char *name, const char *closed) {
    _Alignas(struct inotify_event) char buffer[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
    int isWritten = 0;
    for (;;) {
        ssize_t count = read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return isWritten;
        if (count < 0) return -1;
        for (ssize_t place = 0; place < count;) {
            const struct inotify_event *event = (const struct inotify_event *)(buffer + place);
            // The kernel has ended the watch, because the folder was removed.
            if (event->mask & IN_IGNORED) {
                errno = ENOENT;
                return -1;
            }
            // After an overflow the kernel has dropped events, so the file may have been written.
            if (event->mask & IN_Q_OVERFLOW) isWritten = 1;
            const char *wanted = event->mask & IN_CLOSE_WRITE ? closed : name;
            if (wanted && event->len > 0 && strcmp(event->name, wanted) == 0) isWritten = 1;
            place += (ssize_t)(sizeof(struct inotify_event) + event->len);
        }
    }
}
