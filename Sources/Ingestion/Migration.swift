internal import Files
internal import GroupContainer
public import SystemPackage

/// Brings containers of older formats up to date; nothing else does.
public enum Migration {
    /// The format that this program writes.
    public static let version = ContainerLayout.version

    /// What was done.
    public struct Report: Sendable, Equatable {
        /// The version that the container had.
        public var version: Int
        /// The identifiers of packages whose receipts cannot be read: all else of them is kept, and no search finds them.
        public var unreadable: [String]
    }

    /// Migrates a container; `nil` where it is up to date.
    ///
    /// - Throws: ``IngestionError`` where there is none, another process uses it, or it cannot be migrated; the container
    ///   is then as it was.
    public static func run(_ container: FilePath) throws -> Report? {
        do {
            return try FormatMigration.run(container.absolute).map {
                Report(version: $0.version, unreadable: $0.unreadable)
            }
        } catch {
            throw IngestionError(error)
        }
    }
}
