internal import SystemPackage

extension FilePermissions {
    /// Of content: read-only, and for all, since the container's own folder lets nobody else in. A sink that runs as
    /// another user, in a sandbox that shows it one folder, can read it there.
    static let object: FilePermissions = [.ownerRead, .groupRead, .otherRead]
}
