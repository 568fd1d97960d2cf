#define _GNU_SOURCE
#include "OpenFolder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int open_folder(int parent, const char *name) {
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(parent, name, flags);
#ifdef O_PATH
    if (folder >= 0 || errno != EACCES) return folder;
    // O_PATH needs no permission to read. The path of this descriptor names the same folder even if its name is
    // replaced.
    int closed = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (closed < 0) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", closed);
    if (chmod(path, 0700) == 0) folder = openat(closed, ".", flags);
    close(closed);
#endif
    return folder;
}
