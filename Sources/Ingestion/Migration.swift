internal import GroupContainer
public import SystemPackage

/// Brings containers of older formats up to date; nothing else does.
public enum Migration {
    /// The format that this program writes.
    public static let version = ContainerLayout.version

    /// Migrates a container; returns the version that it had, `nil` where it is up to date.
    ///
    /// - Throws: ``IngestionError`` where there is none, another process uses it, or it cannot be migrated; the container
    ///   is then as it was.
    public static func run(_ container: FilePath) throws -> Int? {
        do { return try FormatMigration.run(container.absolute) } catch { throw IngestionError(error) }
    }
}
