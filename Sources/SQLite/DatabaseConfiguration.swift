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
    /// Whether the write-ahead log stays as it is when the last connection closes. Otherwise SQLite copies it into the file.
    package var keepsLog = false
    /// Prepares each new connection.
    package var prepare: (@Sendable (Database) throws -> Void)?

    package init() {}
}
