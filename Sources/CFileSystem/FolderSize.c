// How much of the disk the files below a folder take.
#include "CFileSystem.h"

#include <fts.h>
#include <stddef.h>
#include <sys/stat.h>

int64_t cfilesystem_folder_size(const char *folder, int64_t limit) {
    char *const roots[] = {(char *)folder, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
    if (tree == NULL) return 0;
    int64_t sum = 0;
    FTSENT *entry;
    while (sum <= limit && (entry = fts_read(tree)) != NULL) {
        // Left for the second time, or not to be looked at: what cannot be seen is small, or seen at the next look.
        if (entry->fts_info == FTS_DP || entry->fts_info == FTS_NS) continue;
        sum += (int64_t)entry->fts_statp->st_blocks * 512;
    }
    fts_close(tree);
    return sum;
}
