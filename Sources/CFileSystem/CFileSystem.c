// System calls that Swift cannot import: GNU extensions and variadic functions.
#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

int cfilesystem_sync(int descriptor) { return syncfs(descriptor); }

int cfilesystem_move_if_free(const char *source, const char *target) {
    return renameat2(AT_FDCWD, source, AT_FDCWD, target, RENAME_NOREPLACE);
}

int cfilesystem_enter(int parent, const char *name, int follows) {
    return openat(parent, name, O_PATH | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
}

int cfilesystem_identity(const char *path, uint64_t *disk, uint64_t *inode, int64_t *birth) {
    struct stat status;
    if (stat(path, &status) != 0) return -1;
    *disk = status.st_dev;
    *inode = status.st_ino;
    *birth = 0;
    struct statfs system;
    uint64_t number = 0;
    _Static_assert(sizeof system.f_fsid == sizeof number, "a file system's number has 64 bits");
    if (statfs(path, &system) == 0) memcpy(&number, &system.f_fsid, sizeof number);
    if (number != 0) *disk = number;
    struct statx more;
    if (statx(AT_FDCWD, path, 0, STATX_BTIME, &more) == 0 && (more.stx_mask & STATX_BTIME) != 0)
        *birth = more.stx_btime.tv_sec * 1000000000 + more.stx_btime.tv_nsec;
    return 0;
}

const char *cfilesystem_network_name(long type) {
    // The numbers of statfs(2). The type has 32 bits, and becomes negative where `long` has no more.
    switch ((uint32_t)type) {
        case 0x6969: return "NFS";
        case 0x517B: case 0xFE534D42: case 0xFF534D42: return "SMB";
        case 0x01021997: return "9p";
        case 0x5346414F: case 0x6B414653: return "AFS";
        case 0x73757245: return "Coda";
        case 0x564C: return "NCP";
        default: return NULL;
    }
}

const char *cfilesystem_network_of(const char *path) {
    struct statfs system;
    return statfs(path, &system) == 0 ? cfilesystem_network_name(system.f_type) : NULL;
}

int cfilesystem_clone(int target, int source) { return ioctl(target, FICLONE, source); }

int cfilesystem_make_without_copies(const char *folder, const char *path) {
    struct stat owner;
    if (stat(folder, &owner) != 0) return -1;
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return -1;
    // Root may make the file in the folder of another user, who must be able to write it.
    int result = fchown(file, owner.st_uid, owner.st_gid);
    int flags = 0;
    // Btrfs takes the flag only while the file is empty.
    if (ioctl(file, FS_IOC_GETFLAGS, &flags) == 0) {
        flags |= FS_NOCOW_FL;
        (void)ioctl(file, FS_IOC_SETFLAGS, &flags);
    }
    char name[sizeof "/proc/self/fd/" + 3 * sizeof file];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    // The close of a file ends the process's POSIX locks on it, and SQLite may have some in another thread as soon as the
    // file has its name. This descriptor only names the file, so its close ends none.
    int handle = open(name, O_PATH | O_CLOEXEC);
    close(file);
    if (handle < 0) return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", handle);
    if (result == 0) result = linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
    close(handle);
    return result;
}

void cfilesystem_make_overwritable(const char *folder, const char *path) {
    struct statfs disk;
    struct stat present;
    if (statfs(folder, &disk) != 0 || disk.f_type != BTRFS_SUPER_MAGIC || lstat(path, &present) == 0) return;
    (void)cfilesystem_make_without_copies(folder, path);
}

void cfilesystem_set_modified(const char *path, int64_t nanoseconds) {
    const int64_t second = 1000000000;
    int64_t seconds = nanoseconds / second, rest = nanoseconds % second;
    if (rest < 0) seconds -= 1, rest += second;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = seconds, .tv_nsec = rest}};
    (void)utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

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

const char *cfilesystem_swift_runtime(void) {
#ifdef SLUICE_SWIFT_RUNTIME
    return SLUICE_SWIFT_RUNTIME;
#else
    return "";
#endif
}

int cfilesystem_watch(const char *folder, const char *parent, int closings) {
    int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (descriptor < 0) return -1;
    uint32_t events = IN_MODIFY | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_ONLYDIR | (closings ? IN_CLOSE_WRITE : 0);
    uint32_t moves = IN_DELETE | IN_MOVED_FROM | IN_MOVE_SELF | IN_ONLYDIR;
    if (inotify_add_watch(descriptor, folder, events) >= 0 &&
        (!parent || inotify_add_watch(descriptor, parent, moves) >= 0)) return descriptor;
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
            // The folder was removed or moved, or the one above it was moved.
            if (event->mask & IN_MOVE_SELF) isWritten = 1;
            if (event->mask & IN_ISDIR && event->mask & (IN_DELETE | IN_MOVED_FROM)) isWritten = 1;
            const char *wanted = event->mask & IN_CLOSE_WRITE ? closed : name;
            if (wanted && event->len > 0 && strcmp(event->name, wanted) == 0) isWritten = 1;
            place += (ssize_t)(sizeof(struct inotify_event) + event->len);
        }
    }
}
