// Counts the disk space below a folder. A hostile process may change the folder meanwhile, and try to hide files in it.
#include "CFileSystem.h"
#include "OpenFolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Each level of the walk needs a descriptor, so the depth has a limit. Even an empty entry takes space, in its folder
// and as an inode.
enum { DEPTH_LIMIT = 64, ENTRY_BYTES = 4096 };

struct count {
    int64_t sum;
    int64_t limit;
    dev_t device;
};

static void count_folder(struct count *count, int parent, const char *name, int depth);

/// Files that cannot be counted, and folders deeper than the limit, count as more than the limit. Otherwise a process
/// could hide its files there.
static void exceed(struct count *count) { count->sum = count->limit + 1; }

static void count_entry(struct count *count, int folder, const char *name, int depth) {
    struct stat status;
    int result = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW);
    // This folder can be read but not entered. Its owner may open it again.
    if (result < 0 && errno == EACCES && fchmod(folder, 0700) == 0)
        result = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW);
    if (result < 0) {
        if (errno != ENOENT) exceed(count);
        return;
    }
    int64_t bytes = (int64_t)status.st_blocks * 512;
    count->sum += bytes < ENTRY_BYTES ? ENTRY_BYTES : bytes;
    if (S_ISDIR(status.st_mode) && status.st_dev == count->device) count_folder(count, folder, name, depth + 1);
}

static void count_folder(struct count *count, int parent, const char *name, int depth) {
    if (depth > DEPTH_LIMIT) return exceed(count);
    int folder = open_folder(parent, name);
    if (folder < 0) {
        // The entry is gone or is no folder any more, or this process lacks descriptors or memory. None of these hides
        // files.
        int passes = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
        if (!passes && errno != EMFILE && errno != ENFILE && errno != ENOMEM) exceed(count);
        return;
    }
    struct stat status;
    if (depth == 0 && fstat(folder, &status) == 0) count->device = status.st_dev;
    DIR *entries = fdopendir(folder);
    if (!entries) {
        close(folder);
        return;
    }
    for (struct dirent *entry; count->sum <= count->limit && (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        count_entry(count, folder, entry->d_name, depth);
    }
    closedir(entries);
}

int64_t cfilesystem_folder_size(const char *folder, int64_t limit) {
    struct count count = {0, limit, 0};
    count_folder(&count, AT_FDCWD, folder, 0);
    return count.sum;
}
