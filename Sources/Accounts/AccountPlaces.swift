package import SystemPackage

/// Where the parts of a container's accounts are.
///
/// The definitions and the keychain lie outside of the container and can outlive it; the markers and the locks lie inside.
package struct AccountPlaces: Sendable, Hashable, Codable {
    /// The container's folder, by which the keychain knows its logins.
    package var container: String
    /// The folder of the user markers, one file for each account.
    package var markers: String
    /// The folder of the locks.
    package var locks: String
    /// The file whose writing wakes the container's agent.
    package var wake: String
    /// The folder of the definitions; `nil` if there is none.
    package var definitions: String?
    /// The folder of the keychain that is used without a Secret Service; `nil` if there is none.
    package var keychain: String?

    package init(
        container: FilePath, markers: FilePath, locks: FilePath, wake: FilePath, definitions: FilePath?,
        keychain: FilePath?
    ) {
        self.container = container.string
        self.markers = markers.string
        self.locks = locks.string
        self.wake = wake.string
        self.definitions = definitions?.string
        self.keychain = keychain?.string
    }

    /// Writes nothing into the file that the container's agent watches, which wakes it.
    package func wakeAgent() {
        guard let file = try? FileDescriptor.open(FilePath(wake), .readWrite, options: [.noFollow]) else { return }
        try? file.closeAfter {
            // The first byte stays as it is.
            var byte: UInt8 = 0
            let count = try withUnsafeMutableBytes(of: &byte) { try file.read(fromAbsoluteOffset: 0, into: $0) }
            guard count == 1 else { return }
            _ = try withUnsafeBytes(of: byte) { try file.writeAll(toAbsoluteOffset: 0, $0) }
        }
    }
}
