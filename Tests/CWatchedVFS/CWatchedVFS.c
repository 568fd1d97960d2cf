// A layer over SQLite's own file access. A test can observe, refuse and shorten each operation on the disk.
#include "CWatchedVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct watch {
    struct watch *next;
    char *folder;
    struct watcher watcher;
    int references;
};

struct watched_file {
    sqlite3_file base;
    struct watch *watch;
    char *path;
    // The first sync of a new log or journal makes its name durable too, as the layer below does.
    int syncs_folder;
    sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct watch *watches;
static sqlite3_vfs *system_vfs;
static sqlite3_vfs watched_vfs;

static struct watch *retain_watch(const char *path) {
    struct watch *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct watch *watch = watches; path && watch && !found; watch = watch->next) {
        size_t length = strlen(watch->folder);
        if (strncmp(path, watch->folder, length) == 0 && path[length] == '/') found = watch;
    }
    if (found) found->references++;
    pthread_mutex_unlock(&lock);
    return found;
}

static void release_watch(struct watch *watch) {
    pthread_mutex_lock(&lock);
    int is_last = --watch->references == 0;
    pthread_mutex_unlock(&lock);
    if (!is_last) return;
    watch->watcher.release(watch->watcher.context);
    free(watch->folder);
    free(watch);
}

static int before(struct watch *watch, struct watched_operation *operation) {
    return watch->watcher.before(watch->watcher.context, operation);
}

static void after(struct watch *watch, struct watched_operation *operation) {
    watch->watcher.after(watch->watcher.context, operation);
}

static struct watched_file *watched(sqlite3_file *file) { return (struct watched_file *)file; }

static sqlite3_file *real(sqlite3_file *file) { return watched(file)->real; }

static int file_close(sqlite3_file *file) {
    struct watched_file *self = watched(file);
    int result = self->real->pMethods->xClose(self->real);
    release_watch(self->watch);
    free(self->path);
    free(self->real);
    return result;
}

static int file_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), buffer, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    struct watched_operation operation = {watched_write, watched(file)->path, bytes, count, offset};
    int verdict = before(watched(file)->watch, &operation);
    if (verdict != SQLITE_OK && operation.count == count) operation.count = 0;
    int result = SQLITE_OK;
    if (operation.count > 0) result = real(file)->pMethods->xWrite(real(file), bytes, operation.count, offset);
    after(watched(file)->watch, &operation);
    return verdict != SQLITE_OK ? verdict : result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    struct watched_operation operation = {watched_truncate, watched(file)->path, NULL, 0, size};
    int result = before(watched(file)->watch, &operation);
    if (result == SQLITE_OK) result = real(file)->pMethods->xTruncate(real(file), size);
    after(watched(file)->watch, &operation);
    return result;
}

static int sync_folder(struct watch *watch, const char *path) {
    struct watched_operation operation = {watched_sync_folder, path, NULL, 0, 0};
    int result = before(watch, &operation);
    after(watch, &operation);
    return result;
}

static int file_sync(sqlite3_file *file, int flags) {
    struct watched_operation operation = {watched_sync, watched(file)->path, NULL, 0, 0};
    int result = before(watched(file)->watch, &operation);
    if (result == SQLITE_OK) result = real(file)->pMethods->xSync(real(file), flags);
    after(watched(file)->watch, &operation);
    if (result != SQLITE_OK || !watched(file)->syncs_folder) return result;
    watched(file)->syncs_folder = 0;
    return sync_folder(watched(file)->watch, watched(file)->path);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int file_check_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int code, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), code, argument);
}

static int file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int file_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

// The first connection that opens the log rebuilds the shared memory, so the disk need not keep it.
static int file_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **pointer) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extends, pointer);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_shm_unmap(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

// Version 2 has no memory-mapped reads; they could hide a write from this layer.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

static int open_watched(struct watch *watch, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    struct watched_file *self = watched(file);
    self->real = calloc(1, (size_t)system_vfs->szOsFile);
    self->path = strdup(path);
    if (!self->real || !self->path) abort();
    self->watch = watch;
    self->syncs_folder = (flags & SQLITE_OPEN_CREATE)
        && (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL));
    int exists = 0;
    system_vfs->xAccess(system_vfs, path, SQLITE_ACCESS_EXISTS, &exists);
    struct watched_operation operation = {watched_create, self->path, NULL, 0, 0};
    int is_asked = !exists && (flags & SQLITE_OPEN_CREATE);
    int result = is_asked ? before(watch, &operation) : SQLITE_OK;
    // The layer below may keep the pointer, so it must live as long as the file.
    if (result == SQLITE_OK) result = system_vfs->xOpen(system_vfs, self->path, self->real, flags, out_flags);
    if (is_asked) after(watch, &operation);
    if (result != SQLITE_OK) {
        if (self->real->pMethods) self->real->pMethods->xClose(self->real);
        free(self->real);
        free(self->path);
        return result;
    }
    self->base.pMethods = &methods;
    return SQLITE_OK;
}

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    struct watch *watch = retain_watch(path);
    if (!watch) return system_vfs->xOpen(system_vfs, path, file, flags, out_flags);
    file->pMethods = NULL;
    int result = open_watched(watch, path, file, flags, out_flags);
    if (result != SQLITE_OK) release_watch(watch);
    return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
    (void)vfs;
    struct watch *watch = retain_watch(path);
    if (!watch) return system_vfs->xDelete(system_vfs, path, syncs_folder);
    struct watched_operation operation = {watched_delete, path, NULL, 0, 0};
    int result = before(watch, &operation);
    if (result == SQLITE_OK) result = system_vfs->xDelete(system_vfs, path, syncs_folder);
    after(watch, &operation);
    if (result == SQLITE_OK && syncs_folder) result = sync_folder(watch, path);
    release_watch(watch);
    return result;
}

static int make_default(void) {
    if (system_vfs) return SQLITE_OK;
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (!found) return SQLITE_ERROR;
    watched_vfs = *found;
    watched_vfs.zName = "watched";
    watched_vfs.pNext = NULL;
    if (watched_vfs.szOsFile < (int)sizeof(struct watched_file)) watched_vfs.szOsFile = sizeof(struct watched_file);
    watched_vfs.xOpen = vfs_open;
    watched_vfs.xDelete = vfs_delete;
    system_vfs = found;
    return sqlite3_vfs_register(&watched_vfs, 1);
}

int watchedvfs_watch(const char *folder, struct watcher watcher) {
    struct watch *watch = calloc(1, sizeof *watch);
    char *copy = strdup(folder);
    if (!watch || !copy) abort();
    *watch = (struct watch){.folder = copy, .watcher = watcher, .references = 1};
    // SQLite is initialized before our lock is taken; `make_default` takes SQLite's own lock while it holds ours.
    if (sqlite3_initialize() != SQLITE_OK) abort();
    pthread_mutex_lock(&lock);
    int result = make_default();
    watch->next = watches;
    watches = watch;
    pthread_mutex_unlock(&lock);
    return result;
}

void watchedvfs_unwatch(const char *folder) {
    struct watch *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct watch **link = &watches; *link && !found;) {
        if (strcmp((*link)->folder, folder) == 0) {
            found = *link;
            *link = found->next;
        } else {
            link = &(*link)->next;
        }
    }
    pthread_mutex_unlock(&lock);
    if (found) release_watch(found);
}
