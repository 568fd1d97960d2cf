#ifndef CWATCHEDVFS_H
#define CWATCHEDVFS_H

#include <stdint.h>

/// What SQLite is about to do to a file.
enum watched_kind {
    watched_create,
    watched_write,
    watched_truncate,
    watched_sync,
    watched_delete,
    /// The names of the folder that holds the file are made durable.
    watched_sync_folder,
};

/// One operation of SQLite's on one file below a watched folder.
struct watched_operation {
    enum watched_kind kind;
    const char *path;
    /// What is written; `count` may be lowered by the watcher, who then has to fail the operation.
    const void *bytes;
    int count;
    /// Where it is written, or the size that the file is cut to.
    int64_t offset;
};

/// Who is asked before each operation, and told behind it. Both calls come from the thread that does the operation.
struct watcher {
    void *context;
    /// Returns 0 to let the operation be done, or the SQLite code with which it fails. A write that fails is done for
    /// the first `count` bytes.
    int (*before)(void *context, struct watched_operation *operation);
    /// Follows each call of `before`.
    void (*after)(void *context, const struct watched_operation *operation);
    /// The last call: nothing refers to `context` any more.
    void (*release)(void *context);
};

/// Watches what SQLite does from now on to files that it opens below `folder`, an absolute path without links.
/// The first call makes the watching layer SQLite's default; other files pass through it untouched.
/// Returns 0, or an SQLite code.
int watchedvfs_watch(const char *folder, struct watcher watcher);

/// Watches no further files below `folder`; those that are open are watched until they are closed.
void watchedvfs_unwatch(const char *folder);

#endif
