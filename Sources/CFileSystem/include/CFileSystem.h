#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Makes everything durable that was written to the file system of `descriptor`: data, names and directories.
/// Returns 0, or -1 with errno set.
int cfilesystem_sync(int descriptor);

/// Renames a file if the new name is free, in one step. Returns 0, or -1 with errno set: EEXIST if the name is taken;
/// EINVAL, ENOTSUP, ENOSYS or, behind a filter of system calls, EPERM if the system cannot do this in one step.
int cfilesystem_move_if_free(const char *source, const char *target);

/// Opens a folder below the open folder `parent`, or AT_FDCWD, to pass through it. That needs no right to list it. Does not
/// follow a link as the last component unless `follows` is nonzero. Returns a descriptor, or -1 with errno set.
int cfilesystem_enter(int parent, const char *name, int follows);

/// Gives the number of the file system of `path`, the file's inode, and the time when the file was made, in nanoseconds since
/// 1970. The number of a file system stays the same from one mount to the next if it has a number of its own; else it is
/// that of its device. The time is 0 if the file system does not keep it. Returns 0, or -1 with errno set.
int cfilesystem_identity(const char *path, uint64_t *disk, uint64_t *inode, int64_t *birth);

/// The name of the network file system that has this type (`f_type` of statfs(2)), such as "NFS"; NULL for every other type.
const char *cfilesystem_network_name(long type);

/// The name of the network file system of `path`; NULL if it is on another one, or if that cannot be found out.
const char *cfilesystem_network_of(const char *path);

/// Makes the empty file `target` share the blocks of `source`. Returns 0, or -1 with errno set: EOPNOTSUPP, EXDEV or
/// EINVAL if the file system cannot do this.
int cfilesystem_clone(int target, int source);

/// Makes the empty file `path` in `folder` for the folder's owner, and on Btrfs without copy-on-write. The file gets its name
/// as the last step. So no other process ever opens a file that is removed again, and a crash leaves none. Returns 0, or -1
/// if the file exists or cannot be made.
int cfilesystem_make_without_copies(const char *folder, const char *path);

/// Makes the empty file `path` in `folder` so that writing into it again needs no new space: on Btrfs, without
/// copy-on-write. Does nothing on other file systems, whose files are so anyway, or if the file exists or cannot be made.
void cfilesystem_make_overwritable(const char *folder, const char *path);

/// Sets the time of the last change of the content of `path`, in nanoseconds since 1970, and leaves that of the last
/// reading. Follows no link. Does nothing if the file system refuses it.
void cfilesystem_set_modified(const char *path, int64_t nanoseconds);

/// Copies up to `count` bytes inside of the kernel, from the position of `source` to that of `target`, and advances
/// both. Returns the number of copied bytes, 0 at the end of `source`, or -1 with errno set: ENOSYS if the kernel lacks
/// the call.
ssize_t cfilesystem_copy(int target, int source, size_t count);

/// Starts writing a range of a file to its disk, and does not wait. This is a hint: a later sync reports errors.
void cfilesystem_begin_writing(int descriptor, int64_t offset, int64_t count);

/// Makes a pipe whose ends have close-on-exec from the start, so no process started meanwhile inherits them. Returns 0,
/// or -1 with errno set.
int cfilesystem_pipe(int *read_end, int *write_end);

/// The folder of the Swift libraries that the program was built with; empty if it loads them itself.
const char *cfilesystem_swift_runtime(void);

/// Watches the files in a folder for writes and removals and, with `closings`, for the closing of files that were open for writing.
/// With a `parent`, the folder above it, it also reports that the folder, or this one, was removed or moved. The kernel does not
/// report the removal itself while a file in the folder is open. Returns a non-blocking descriptor for `poll`, or -1 with errno set: EMFILE if the user has too many watches.
int cfilesystem_watch(const char *folder, const char *parent, int closings);

/// Reads the events of a watch so far. Returns 1 if the file `name` was written or removed, or the file `closed` (unless NULL) was
/// closed, or if lost events may have said so. Returns 0 if not, or -1 with errno set: ENOENT if the folder is gone.
int cfilesystem_watch_take(int descriptor, const char *name, const char *closed);

/// Removes a file, or a folder with everything in it. It opens each folder below the previous one and follows no link, so a
/// process that still writes there cannot lead it elsewhere. Only the folders above `path` may be links. It adds missing
/// permissions of the owner. Returns 0 if nothing is left, or -1 with errno set.
int cfilesystem_remove_tree(const char *path);

/// Returns the bytes that everything below a folder takes on the disk, at least 4096 for each entry. It follows no
/// link, enters no other file system, and stops a little above `limit`. It adds missing permissions of the owner.
/// Entries that it still cannot read, and entries more than 64 folders deep, count as more than the limit. A missing
/// folder has 0 bytes.
int64_t cfilesystem_folder_size(const char *folder, int64_t limit);

/// Starts a program in a session of its own, in the folder /, with empty standard streams. `arguments` ends with NULL and begins
/// with the name of the program. No one has to wait for its end. Returns 0, or an error number.
int cfilesystem_start_detached(const char *program, char *const arguments[], int *started);

/// The same with a child of this process, for whose end it waits.
int cfilesystem_start_child(const char *program, char *const arguments[], int *started);

/// Keeps the memory of this process out of core dumps, and away from other processes of the user. It lasts until the process starts
/// another program.
void cfilesystem_hide_memory(void);

#endif
