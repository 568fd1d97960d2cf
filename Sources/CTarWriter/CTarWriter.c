#include "CTarWriter.h"

#include <dlfcn.h>

const char *libarchive_load(struct libarchive *functions) {
    // The name of the interface that libarchive has had since version 3.0.
    void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define LOAD(member, symbol) (functions->member = (__typeof__(functions->member))dlsym(library, #symbol))
    int is_complete = LOAD(create, archive_write_new)
        && LOAD(set_format_pax_restricted, archive_write_set_format_pax_restricted)
        && LOAD(set_bytes_in_last_block, archive_write_set_bytes_in_last_block)
        && LOAD(open, archive_write_open)
        && LOAD(header, archive_write_header)
        && LOAD(data, archive_write_data)
        && LOAD(close, archive_write_close)
        && LOAD(fail, archive_write_fail)
        && LOAD(free, archive_write_free)
        && LOAD(error_string, archive_error_string)
        && LOAD(entry_new, archive_entry_new)
        && LOAD(entry_free, archive_entry_free)
        && LOAD(entry_copy_pathname, archive_entry_copy_pathname)
        && LOAD(entry_set_mode, archive_entry_set_mode)
        && LOAD(entry_set_size, archive_entry_set_size)
        && LOAD(entry_set_mtime, archive_entry_set_mtime);
#undef LOAD
    return is_complete ? 0 : dlerror();
}
