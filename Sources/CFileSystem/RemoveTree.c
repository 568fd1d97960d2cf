// Removes folders to which a hostile process may still be writing.
#define _GNU_SOURCE
#include "CFileSystem.h"
#include "OpenFolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Each level needs a descriptor and stack space, so the depth of a pass has a limit. A deeper folder moves to the top,
// and the next pass removes it. The passes have a limit too, because a process may keep making folders. A removal after
// the end of that process succeeds.
enum { DEPTH_LIMIT = 64, PASS_LIMIT = 1000 };

struct removal {
    int top;
    unsigned moved;
};

static int remove_entry(struct removal *removal, int parent, const char *name, int depth);

/// Removes everything in a folder, and closes its descriptor.
static int empty(struct removal *removal, int folder, int depth) {
    // Entries can be removed only from a folder that its owner may write to.
    fchmod(folder, 0700);
    DIR *entries = fdopendir(folder);
    if (!entries) {
        close(folder);
        return -1;
    }
    int result = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (remove_entry(removal, folder, entry->d_name, depth + 1) < 0) result = -1;
    }
    int failure = errno;
    closedir(entries);
    errno = failure;
    return result;
}

static int remove_entry(struct removal *removal, int parent, const char *name, int depth) {
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return 0;
    // Linux reports a folder as EISDIR, and POSIX as EPERM.
    if (errno != EISDIR && errno != EPERM) return -1;
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0) return 0;
    if (depth >= DEPTH_LIMIT) {
        char place[32];
        snprintf(place, sizeof place, ".deep-%u", removal->moved++);
        if (renameat(parent, name, removal->top, place) < 0) return -1;
        errno = EAGAIN;
        return -1;
    }
    int folder = open_folder(parent, name);
    if (folder < 0 || empty(removal, folder, depth) < 0) return -1;
    return unlinkat(parent, name, AT_REMOVEDIR);
}

int cfilesystem_remove_tree(const char *path) {
    if (unlinkat(AT_FDCWD, path, 0) == 0 || errno == ENOENT) return 0;
    if (unlinkat(AT_FDCWD, path, AT_REMOVEDIR) == 0) return 0;
    struct removal removal = {open_folder(AT_FDCWD, path), 0};
    if (removal.top < 0) return -1;
    int result = -1;
    for (int pass = 0; result < 0 && pass < PASS_LIMIT; pass++) {
        unsigned moved = removal.moved;
        int copy = openat(removal.top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (copy < 0) break;
        result = empty(&removal, copy, 0);
        if (moved == removal.moved) break;
    }
    int failure = errno;
    close(removal.top);
    errno = failure;
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}
