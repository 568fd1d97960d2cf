// Calls that Swift cannot make by itself: GNU extensions, and variadic ones.
#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>

int cfilesystem_sync(int descriptor) { return syncfs(descriptor); }

int cfilesystem_clone(int target, int source) { return ioctl(target, FICLONE, source); }
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
#endif
