// Folders below an open one, which a stranger may close or swap at any time.
#ifndef OPENFOLDER_H
#define OPENFOLDER_H

/// Opens a folder for reading, through no link; one that its owner may not read is opened to the owner first. Returns a
/// descriptor, or -1 with errno set.
int open_folder(int parent, const char *name);

#endif
