// Calls that Swift cannot make by itself: GNU extensions, and variadic ones.
#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>

int cfilesystem_sync(int descriptor) { return syncfs(descriptor); }

int cfilesystem_clone(int target, int source) { return ioctl(target, FICLONE, source); }

ssize_t cfilesystem_copy(int target, int source, size_t count) {
    return copy_file_range(source, NULL, target, NULL, count, 0);
}

void cfilesystem_begin_writing(int descriptor, int64_t offset, int64_t count) {
    (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}
#else
// Without syncfs there is sync, which schedules more and, on these systems, waits for it.
int cfilesystem_sync(int descriptor) {
    (void)descriptor;
    sync();
    return 0;
}

int cfilesystem_clone(int target, int source) {
    (void)target;
    (void)source;
    errno = EOPNOTSUPP;
    return -1;
}

ssize_t cfilesystem_copy(int target, int source, size_t count) {
    (void)target;
    (void)source;
    (void)count;
    errno = ENOSYS;
    return -1;
}

void cfilesystem_begin_writing(int descriptor, int64_t offset, int64_t count) {
    (void)descriptor;
    (void)offset;
    (void)count;
}
#endif
