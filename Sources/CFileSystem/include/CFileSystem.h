#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Makes all that was written to the file system of `descriptor` durable: data, names, directories.
/// Returns 0, or -1 with errno set.
int cfilesystem_sync(int descriptor);

/// Gives a file another name that nothing has. Returns 0, or -1 with errno set: EEXIST where something has it, EINVAL,
/// ENOTSUP, ENOSYS or, behind a filter of calls, EPERM where it cannot be asked and done at one moment.
int cfilesystem_move_if_free(const char *source, const char *target);

/// Makes the empty file `target` share the blocks of `source`. Returns 0, or -1 with errno set where the file
/// system cannot (EOPNOTSUPP, EXDEV, EINVAL).
int cfilesystem_clone(int target, int source);

/// Lets the system copy up to `count` bytes, from the position of `source` to that of `target`; both move. Returns
/// how many were copied, 0 at the end, or -1 with errno set; ENOSYS where the system cannot at all.
ssize_t cfilesystem_copy(int target, int source, size_t count);

/// Begins to write a range of a file to its disk, and does not wait for it. A hint: what goes wrong shows at a sync.
void cfilesystem_begin_writing(int descriptor, int64_t offset, int64_t count);

/// Makes a pipe whose ends are closed on exec from the first moment on. Returns 0, or -1 with errno set.
int cfilesystem_pipe(int *read_end, int *write_end);

/// Begins to watch the files in a folder for being written and, with `closings`, for being closed after they were open for
/// writing. Returns a descriptor that can be polled and never blocks, or -1 with errno set: EMFILE where the user has too many
/// watches.
int cfilesystem_watch(const char *folder, int closings);

/// Takes what the watch has seen so far. Returns 1 if the file `name` was written or the file `closed`, if it is not NULL, was
/// closed, or if either may be so; 0 if neither is so; and -1 with errno set: ENOENT if the folder is gone.
int cfilesystem_watch_take(int descriptor, const char *name, const char *closed);

/// Removes what `name` in `folder` is, with all in it. Every folder is opened below the one before, and none through a
/// link: whoever still writes there can lead it nowhere else. Folders that their owner may not enter are opened to it.
/// Returns 0 where nothing is left, or -1 with errno set.
int cfilesystem_remove_tree(int folder, const char *name);

/// How many bytes of the disk is taken below a folder, at least 4096 for each entry; links not followed, other disks not
/// entered; stops counting above `limit`. Folders that their owner may not read are opened to it; what still cannot be
/// looked at, or lies more than 64 folders deep, counts as above the limit. A folder that is not there has nothing.
int64_t cfilesystem_folder_size(const char *folder, int64_t limit);

#endif
