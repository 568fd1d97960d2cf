// Finds the descendants of this process. As a subreaper, this process becomes the parent of each descendant that loses
// its own parent.
#define _GNU_SOURCE
#include "launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct entry {
    pid_t process;
    pid_t parent;
    int depth;
};

static pid_t parent_of(const char *process) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return -1;
    text[length] = 0;
    // The name in parentheses is the choice of the process, and may contain parentheses too.
    const char *name_end = strrchr(text, ')');
    int parent;
    return name_end && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? parent : -1;
}

static int by_process(const void *left, const void *right) {
    pid_t first = ((const struct entry *)left)->process, second = ((const struct entry *)right)->process;
    return (first > second) - (first < second);
}

/// Reads all processes with their parents, sorted by process. Returns their number, or -1 with errno set.
static long read_table(struct entry **table) {
    DIR *folder = opendir("/proc");
    if (!folder) return -1;
    size_t count = 0, room = 0;
    *table = NULL;
    for (struct dirent *item; (item = readdir(folder));) {
        if (item->d_name[0] < '1' || item->d_name[0] > '9') continue;
        pid_t parent = parent_of(item->d_name);
        if (parent < 0) continue;
        if (count == room) {
            room = room ? 2 * room : 256;
            struct entry *larger = realloc(*table, room * sizeof **table);
            if (!larger) {
                closedir(folder);
                free(*table);
                errno = ENOMEM;
                return -1;
            }
            *table = larger;
        }
        (*table)[count++] = (struct entry){(pid_t)atol(item->d_name), parent, 0};
    }
    closedir(folder);
    if (count) qsort(*table, count, sizeof **table, by_process);
    return (long)count;
}

/// Sets the depth of each descendant of this process. One pass is enough, unless process numbers have wrapped around.
static void find_depths(struct entry *table, size_t count) {
    pid_t self = getpid();
    for (bool found = true; found;) {
        found = false;
        for (size_t place = 0; place < count; place++) {
            struct entry *entry = &table[place];
            if (entry->depth) continue;
            struct entry key = {.process = entry->parent}, *parent = NULL;
            if (entry->parent != self) parent = bsearch(&key, table, count, sizeof key, by_process);
            if (entry->parent == self) entry->depth = 1;
            else if (parent && parent->depth) entry->depth = parent->depth + 1;
            found = found || entry->depth;
        }
    }
}

int signal_descendants(int signal, int depth) {
    struct entry *table;
    long count = read_table(&table);
    if (count < 0) return -1;
    find_depths(table, (size_t)count);
    int reached = 0;
    for (long place = 0; place < count; place++) {
        if (table[place].depth < depth || table[place].depth == 0) continue;
        reached++;
        kill(table[place].process, signal);
    }
    free(table);
    return reached;
}

static unsigned long long milliseconds_now(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000 + (unsigned long long)now.tv_nsec / 1000000;
}

int outlast(unsigned long long milliseconds) {
    unsigned long long end = milliseconds_now() + milliseconds;
    for (;;) {
        pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended < 0 && errno == ECHILD) return 0;
        if (ended != 0) continue;
        if (milliseconds_now() >= end) break;
        poll(NULL, 0, 10);
    }
    int left = signal_descendants(0, 1);
    return left < 0 ? 0 : left;
}
