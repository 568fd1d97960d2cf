#ifndef CTARWRITER_H
#define CTARWRITER_H

#include <archive.h>
#include <archive_entry.h>

/// The functions of libarchive that write an archive.
struct libarchive {
    __typeof__(archive_write_new) *create;
    __typeof__(archive_write_set_format_pax_restricted) *set_format_pax_restricted;
    __typeof__(archive_write_set_bytes_in_last_block) *set_bytes_in_last_block;
    __typeof__(archive_write_open) *open;
    __typeof__(archive_write_header) *header;
    __typeof__(archive_write_data) *data;
    __typeof__(archive_write_close) *close;
    __typeof__(archive_write_fail) *fail;
    __typeof__(archive_write_free) *free;
    __typeof__(archive_error_string) *error_string;
    __typeof__(archive_entry_new) *entry_new;
    __typeof__(archive_entry_free) *entry_free;
    __typeof__(archive_entry_copy_pathname) *entry_copy_pathname;
    __typeof__(archive_entry_set_mode) *entry_set_mode;
    __typeof__(archive_entry_set_size) *entry_set_size;
    __typeof__(archive_entry_set_mtime) *entry_set_mtime;
};

/// Loads libarchive. No program is linked with it, because it loads ten other libraries at each start, and few commands pack a folder.
///
/// - Parameter functions: receives the functions.
/// - Returns: a null pointer, or why libarchive cannot be loaded or lacks one of them.
const char *libarchive_load(struct libarchive *functions);

#endif
