// The keychain and the notifications of the desktop, by libsecret and D-Bus. No call opens a prompt, and each one ends within its time
// limit.
#ifndef CDESKTOP_H
#define CDESKTOP_H

#include <stddef.h>

enum cdesktop_result {
    CDESKTOP_OK = 0,
    /// No session bus, or no keychain on it.
    CDESKTOP_ABSENT = 1,
    /// The keychain is locked.
    CDESKTOP_LOCKED = 2,
    /// The keychain has no default collection.
    CDESKTOP_EMPTY = 3,
    /// Another error; see the reason.
    CDESKTOP_FAILED = 4
};

/// One attribute of an entry.
struct cdesktop_attribute {
    const char *name;
    const char *value;
};

/// The size of a reason.
#define CDESKTOP_REASON 256

/// Whether the default collection is there and unlocked. `reason` says what failed.
int cdesktop_state(int milliseconds, char reason[CDESKTOP_REASON]);

/// Stores a secret. An entry with the same attributes is replaced.
int cdesktop_store(
    const struct cdesktop_attribute *attributes, size_t count, const char *label, const char *secret, int milliseconds,
    char reason[CDESKTOP_REASON]);

/// Calls `found` for each entry with these attributes: with all its attributes, and its secret, which is NULL if the entry is locked. All
/// texts last as long as the call.
int cdesktop_search(
    const struct cdesktop_attribute *attributes, size_t count, int milliseconds, void *context,
    void (*found)(void *context, const struct cdesktop_attribute *attributes, size_t count, const char *secret),
    char reason[CDESKTOP_REASON]);

/// Removes the entries with these attributes.
int cdesktop_remove(
    const struct cdesktop_attribute *attributes, size_t count, int milliseconds, char reason[CDESKTOP_REASON]);

/// Shows a notification of the desktop with a button. Returns CDESKTOP_OK if the person pressed the button, and CDESKTOP_FAILED if the
/// notification was closed, or `seconds` passed.
int cdesktop_notify(
    const char *title, const char *text, const char *button, int seconds, char reason[CDESKTOP_REASON]);

#endif
