internal import Files
public import ShareModel

/// Why the container cannot be used: what failed, on what, and the remedy.
public struct ContainerError: ExplainedError {
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
        /// A cursor that does not fit the feed or the observer.
        case cursor
        /// No package or delivery of that name.
        case notFound
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what failed, and on what.
    public var message: String
    /// What a person can do, if the message does not say it.
    public var remedy: Remedy?

    /// A failure of a kind, in words for people.
    public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}

extension ContainerError {
    /// Runs a call whose failures are those of the disk and the catalog, and throws them as one of these. A cancellation
    /// stays what it is.
    static func converting<Value>(_ call: () throws -> Value) throws -> Value {
        do {
            return try call()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ContainerError(error)
        }
    }

    private init(_ error: any Error) {
        switch error {
        case let error as ContainerError: self = error
        case let error as FileError: self.init(Code(error.code), error.message, remedy: error.remedy)
        default: self.init(.catalog, "\(error)")
        }
    }
}

extension ContainerError.Code {
    fileprivate init(_ code: FileError.Code) {
        self =
            switch code {
            case .full: .full
            case .readOnly: .readOnly
            case .denied, .notAFolder, .tooLong, .system: .system
            }
    }
}

extension Error {
    /// Whether the disk has no room left, or would have less than the reserve.
    package var isFullDisk: Bool {
        switch self {
        case let error as FileError: error.code == .full
        case let error as ContainerError: error.code == .full
        default: false
        }
    }
}
