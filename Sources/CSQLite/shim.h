#include <sqlite3.h>

// Swift imports neither functions with variable arguments nor macros with casts.

/// Keeps no statistics of the memory. They cost a lock for each allocation. Call it before any other function.
static inline void csqlite_keep_no_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Makes text in double quotation marks an error where no column has this name. SQLite would take it for a value.
/// https://www.sqlite.org/quirks.html#dblquote
static inline void csqlite_require_single_quotes(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

/// Leaves the write-ahead log as it is when the last connection closes. SQLite would copy it into the file, and sync both.
static inline void csqlite_keep_log(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (void *)0);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}
