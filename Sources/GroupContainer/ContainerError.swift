internal import SystemPackage

/// Why the container cannot be used: what failed, on what, and the remedy.
public struct ContainerError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for a program to act upon.
    public enum Code: Sendable {
        /// The folder is something else than a container, or damaged.
        case notAContainer
        /// A newer program wrote it.
        case newerFormat
        /// An older program wrote it, and nobody migrated it yet.
        case olderFormat
        /// Another process uses it.
        case busy
        /// No space, inodes or quota left.
        case full
        /// More than the whole disk holds: no space that is freed will do.
        case tooLarge
        /// The system said no.
        case system
        /// Nothing can be written on that file system.
        case readOnly
        /// The catalog said no.
        case catalog
        /// No package or delivery of that name.
        case notFound
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what failed, on what, and the remedy where one is known.
    public var message: String

    /// A failure of a kind, in words for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ number: Errno, _ doing: String, _ path: FilePath) {
        switch number {
        case .noSpace, .diskQuotaExceeded:
            self.init(
                .full,
                "\(doing) \(path) failed: \(number.description). Free some space, or files where `df -i` shows none left, "
                    + "and run again; nothing is lost")
        case .permissionDenied, .notPermitted, .readOnlyFileSystem:
            self.init(
                number == .readOnlyFileSystem ? .readOnly : .system,
                "\(doing) \(path) failed: \(number.description). Name a folder of your own with --container, or mend "
                    + "its permissions")
        default:
            self.init(.system, "\(doing) \(path) failed: \(number.description)")
        }
    }

    /// The message.
    public var description: String { message }
}
