/// How a connection is opened.
package struct DatabaseConfiguration: Sendable {
    /// Whether the connection cannot write. It does not create the file.
    package var isReadOnly = false
    /// Whether the file is known not to change. SQLite takes no locks then, and ignores the write-ahead log.
    package var isImmutable = false
    /// How long a call waits for a lock that another connection has, in seconds.
    package var timeout = 0.0
    /// Waits for a lock, and says whether to try again. Its argument is the number of earlier calls for the same lock. It
    /// replaces ``timeout``.
    package var isWorthWaiting: (@Sendable (Int) -> Bool)?
    /// If set, the write-ahead log stays as it is when the last connection closes, and a commit that makes it longer than this
    /// number of pages copies it into the file. The log is truncated then, unless another connection needs it now; the commit never
    /// waits for one. With `nil`, SQLite copies the log when the last connection closes.
    ///
    /// The next process that is alone reads such a log from its beginning, and does not know what of it was copied. So SQLite's own
    /// checkpoints would copy all of it at each commit and never begin it anew, and it would grow without end.
    package var keptLogPages: Int?
    /// Whether a pool has one connection, which opens sooner. Then no call may be inside of another one.
    package var isSingle = false
    /// Prepares each new connection.
    package var prepare: (@Sendable (Database) throws -> Void)?

    package init() {}
}
