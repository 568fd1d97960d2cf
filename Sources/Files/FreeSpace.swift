/// What a file system has left.
package struct FreeSpace: Sendable {
    /// For this user, in bytes.
    package var bytes: Int64
    /// What it holds in all, in bytes.
    package var total: Int64
    /// How many files can be made; `nil` where that is not counted.
    package var files: UInt64?

    /// So many bytes, and files.
    package init(bytes: Int64, total: Int64 = .max, files: UInt64?) {
        self.bytes = bytes
        self.total = total
        self.files = files
    }
}
