// Opens folders below an open folder. A hostile process may close or replace them at any time.
#ifndef OPENFOLDER_H
#define OPENFOLDER_H

/// Opens a folder for reading, and follows no link. If its owner may not read it, the call first adds that permission.
/// Returns a descriptor, or -1 with errno set.
int open_folder(int parent, const char *name);

#endif
