/// The free space of a file system.
package struct FreeSpace: Sendable {
    /// For this user, in bytes.
    package var bytes: Int64
    /// The size of the file system, in bytes.
    package var total: Int64
    /// How many files can still be made; `nil` if the file system does not count them.
    package var files: UInt64?

    package init(bytes: Int64, total: Int64 = .max, files: UInt64?) {
        self.bytes = bytes
        self.total = total
        self.files = files
    }
}
