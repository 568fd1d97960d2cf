public import ShareModel
internal import SystemPackage

/// Why an input, or a part of it, cannot be read.
public struct ReadingError: ExplainedError, Equatable {
    /// The kinds of failure that a program can act upon.
    public enum Code: String, Sendable {
        /// The file does not exist.
        case missing
        /// The package may not name the file, it is not a regular file, or it was read already.
        case refused
        /// The system does not open or read the file.
        case unreadable
        /// The input breaks the rules of its format.
        case malformed
        /// The input exceeds one of the ``ReadingLimits``.
        case limit
        /// The file changed while it was read.
        case changed
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what failed, and on what.
    public var message: String
    /// The remedy, unless the message contains it.
    public var remedy: Remedy?

    /// A failure, in words for people.
    public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    init(_ number: Errno, on path: String) {
        switch number {
        case .noSuchFileOrDirectory, .notDirectory:
            self.init(.missing, "\(path) is not there; it was moved or removed since it was shared")
        case .permissionDenied, .notPermitted:
            self.init(.unreadable, "\(path) may not be read; change its permissions and run again")
        // `openat` reports this error (ELOOP) for a link if O_NOFOLLOW is set.
        case .tooManySymbolicLinkLevels:
            self.init(.refused, "\(path) is a symbolic link, and links are not followed; share the file it points to")
        default:
            self.init(.unreadable, "\(path) cannot be read: \(number.description)")
        }
    }

    /// The message and the remedy, in the words of the program that has this library.
    package func text(_ words: (Remedy) -> String) -> String { remedy.map { "\(message); \(words($0))" } ?? message }
}
