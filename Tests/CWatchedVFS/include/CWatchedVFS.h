#ifndef CWATCHEDVFS_H
#define CWATCHEDVFS_H

#include <stdint.h>

/// The operations of SQLite that a watcher sees.
enum watched_kind {
    watched_create,
    watched_write,
    watched_truncate,
    watched_sync,
    watched_delete,
    /// Makes the names in the file's folder durable.
    watched_sync_folder,
};

/// One operation of SQLite's on one file below a watched folder.
struct watched_operation {
    enum watched_kind kind;
    const char *path;
    /// The bytes to write. The watcher may lower `count`; it must then fail the operation.
    const void *bytes;
    int count;
    /// The offset of the write, or the new size of a truncated file.
    int64_t offset;
};

/// Callbacks before and after each operation, on the thread of the operation.
struct watcher {
    void *context;
    /// Returns 0 to allow the operation, or the SQLite code with which it fails. A failing write is done for its first
    /// `count` bytes.
    int (*before)(void *context, struct watched_operation *operation);
    /// Follows each call of `before`.
    void (*after)(void *context, const struct watched_operation *operation);
    /// The last call; `context` is not used afterwards.
    void (*release)(void *context);
};

/// Watches SQLite's operations on files that it opens from now on below `folder`, an absolute path without links.
/// The first call makes the watching layer SQLite's default; operations on other files pass through it unchanged.
/// Returns 0, or an SQLite code.
int watchedvfs_watch(const char *folder, struct watcher watcher);

/// Watches no further files below `folder`; open files are watched until they are closed.
void watchedvfs_unwatch(const char *folder);

#endif
