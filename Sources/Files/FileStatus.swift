package import SystemPackage

/// The status of a file or folder.
package struct FileStatus: Sendable, Hashable {
    package enum Kind: Sendable {
        case file
        /// A folder, and not a symbolic link to one.
        case folder
        /// A symbolic link, a pipe or a device.
        case other
    }

    package var kind: Kind
    /// In bytes.
    package var size: Int64
    package var permissions: FilePermissions
    /// The time of the last change of its bytes, name or permissions, in seconds since 1970.
    package var changed: Int64
    /// The time of the last change of its bytes, in nanoseconds since 1970; see ``Timestamp/init(seconds:nanoseconds:)``.
    package var modified: Int64
    package var device: UInt64
    /// Its number on the device. Two names of one file have the same number.
    package var inode: UInt64

    /// By default it has an object's permissions and is old.
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
