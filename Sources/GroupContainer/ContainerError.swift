internal import Files
public import ShareModel

/// A failure of the container: what failed, on what, and the remedy.
public struct ContainerError: ExplainedError {
    /// The kind of a failure, by which a program can decide what to do.
    public enum Code: Sendable {
        /// The folder is not a container, or is a damaged one.
        case notAContainer
        /// A newer program wrote the container.
        case newerFormat
        /// An older program wrote the container, and it has not been migrated yet.
        case olderFormat
        /// Another engine than the local one keeps the container's objects, catalog or deliveries.
        case otherEngines
        /// Another process uses the container.
        case busy
        /// The disk has no space or inodes left, the user's quota is used up, or the catalog has reached the limit on the
        /// size of a file.
        case full
        /// The content is larger than the room that is left, than the whole disk, or than a file may be. Smaller content
        /// still has room.
        case tooLarge
        /// A call of the system failed for another reason.
        case system
        /// The file system is read-only.
        case readOnly
        /// The catalog failed, or refused the change.
        case catalog
        /// The cursor does not fit the feed or the observer.
        case cursor
        /// The change is beyond a limit of the container.
        case limit
        /// No package, delivery or object has that name, or several have it.
        case notFound
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and its object, in words for people.
    public var message: String
    /// The remedy for a person; `nil` if the message has it, or there is none.
    public var remedy: Remedy?

    /// A failure with all its values.
    public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}

extension ContainerError {
    /// Runs a call that may fail at the disk or in the catalog, and throws every such failure as a ``ContainerError``.
    /// Passes a `CancellationError` on unchanged.
    package static func converting<Value>(_ call: () throws -> Value) throws -> Value {
        do {
            return try call()
        } catch let error as CancellationError {
            // A cancelled call did not fail, and programs recognize it by this type.
            throw error
        } catch {
            throw ContainerError(error)
        }
    }

    /// The error of content that the system does not let this process write into one file.
    static var tooLargeForAFile: ContainerError {
        ContainerError(.tooLarge, "it is larger than \(FileSizeLimit.text)")
    }

    private init(_ error: any Error) {
        switch error {
        case let error as ContainerError: self = error
        case let error as FileError: self.init(Code(error.code), error.message, remedy: error.remedy)
        // An error of SQLite.
        default: self.init(.catalog, "\(error)")
        }
    }
}

extension ContainerError.Code {
    fileprivate init(_ code: FileError.Code) {
        self =
            switch code {
            case .full: .full
            case .tooLarge: .tooLarge
            case .readOnly: .readOnly
            case .denied, .notAFolder, .tooLong, .system: .system
            }
    }
}

extension Error {
    /// Whether the disk has no room above the reserve: none at all, or none for content of this size.
    package var isFullDisk: Bool {
        switch self {
        case let error as FileError: error.code == .full
        case let error as ContainerError: error.code == .full || error.code == .tooLarge
        default: false
        }
    }
}
