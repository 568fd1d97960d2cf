// How much of the disk is taken below a folder that a stranger may be writing to, and hiding things in.
#include "CFileSystem.h"
#include "OpenFolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Each level takes a descriptor. An entry takes room in its folder and among the file system's nodes, however empty it is.
enum { DEPTH_LIMIT = 64, ENTRY_BYTES = 4096 };

struct count {
    int64_t sum;
    int64_t limit;
    dev_t device;
};

static void count_folder(struct count *count, int parent, const char *name, int depth);

/// Whoever hides something, or goes deeper than anybody needs to, has too much.
static void exceed(struct count *count) { count->sum = count->limit + 1; }

static void count_entry(struct count *count, int folder, const char *name, int depth) {
    struct stat status;
    int result = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW);
    // A folder that may be read, but not entered.
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
        // Gone, or another thing meanwhile; or this process has no room, which is not the stranger's doing.
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
