internal import SystemPackage

/// Why an input, or a part of it, cannot be had: what failed, on what, and the remedy.
public struct UnpackingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it is, for a program to act upon.
    public enum Code: String, Sendable {
        /// Nothing is there.
        case missing
        /// It is there, and the sender may not name it, or it is nothing to read.
        case refused
        /// The system said no.
        case unreadable
        /// A description that makes no sense.
        case malformed
        /// Something is larger, deeper or more than its limit.
        case limit
        /// The bytes moved while they were read.
        case changed
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

    init(_ number: Errno, on path: String) {
        switch number {
        case .noSuchFileOrDirectory, .notDirectory:
            self.init(.missing, "\(path) is not there; it was moved or removed since it was shared")
        case .permissionDenied, .notPermitted:
            self.init(.unreadable, "\(path) may not be read; change its permissions and run again")
        case .tooManySymbolicLinkLevels:
            self.init(.refused, "\(path) is a symbolic link, and links are not followed; share the file it points to")
        default:
            self.init(.unreadable, "\(path) cannot be read: \(number.description)")
        }
    }

    /// The message.
    public var description: String { message }
}
