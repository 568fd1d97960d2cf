#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

/// Makes all that was written to the file system of `descriptor` durable: data, names, directories.
/// Returns 0, or -1 with errno set.
int cfilesystem_sync(int descriptor);

/// Makes the empty file `target` share the blocks of `source`. Returns 0, or -1 with errno set where the file
/// system cannot (EOPNOTSUPP, EXDEV, EINVAL).
int cfilesystem_clone(int target, int source);

#endif
