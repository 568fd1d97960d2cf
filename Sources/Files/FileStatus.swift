package import SystemPackage

/// What a name stands for.
package struct FileStatus: Sendable, Hashable {
    /// Of what kind it is.
    package enum Kind: Sendable {
        /// A regular file.
        case file
        /// A folder itself, not a link to one.
        case folder
        /// A link, a pipe, a device.
        case other
    }

    /// Of what kind it is.
    package var kind: Kind
    /// In bytes.
    package var size: Int64
    /// Who may read and write it.
    package var permissions: FilePermissions
    /// When its bytes, name or permissions changed last, in seconds since 1970.
    package var changed: Int64
    /// When its bytes changed last, in nanoseconds since 1970. Only for comparisons, because far times wrap around.
    package var modified: Int64
    /// The device that it lies on.
    package var device: UInt64
    /// Its number there: two names of one file have the same.
    package var inode: UInt64

    /// A file, folder or other thing of so many bytes; by default with an object's permissions, and old.
    package init(
        kind: Kind, size: Int64, permissions: FilePermissions = .ownerRead, changed: Int64 = 0, modified: Int64 = 0,
        device: UInt64 = 0, inode: UInt64 = 0
    ) {
        self.kind = kind
        self.size = size
        self.permissions = permissions
        self.changed = changed
        self.modified = modified
        self.device = device
        self.inode = inode
    }
}
