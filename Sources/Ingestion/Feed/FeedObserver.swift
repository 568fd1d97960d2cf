internal import GroupContainer
public import ShareModel
public import SystemPackage

/// A program that keeps up with a container's changes under a name.
public struct FeedObserver: Sendable {
    /// Its name.
    public let name: String
    private let container: Container

    /// Opens the container for writing; makes none.
    ///
    /// - Parameter name: one that ``isName(_:)`` accepts.
    /// - Throws: ``IngestionError`` where there is no container, it cannot be written, or the name is none.
    public init(container: FilePath, name: String) throws {
        guard Self.isName(name) else { throw IngestionError(.usage, "'\(name)' is no name of an observer") }
        self.name = name
        do {
            _ = try CatalogReader(reading: container.absolute)
            self.container = try Container.open(at: container.absolute)
        } catch {
            throw IngestionError(error)
        }
    }

    /// Whether a name may be an observer's: up to 64 small letters, digits, `.`, `-` and `_`, the first a letter or digit.
    public static func isName(_ name: String) -> Bool { Observers.isName(name) && name != ReservedObserver.library }

    /// Records that the program has handled each change up to the cursor; durable when this returns. The same cursor again
    /// changes nothing.
    ///
    /// - Throws: ``IngestionError``, with code `usage` where the cursor is of another epoch, beyond the last change, or
    ///   before one that was acknowledged.
    public func acknowledge(_ cursor: ChangeCursor) throws {
        do {
            try container.observers.acknowledge(name, cursor)
        } catch {
            throw IngestionError(error)
        }
    }
}

/// Names of observers that the program itself uses.
enum ReservedObserver {
    /// The folder `library`.
    static let library = "library"
}
