internal import Files
internal import GroupContainer
public import ShareModel
public import SystemPackage

/// The folder `library` of a container: its current content under names that a person recognizes.
public struct Library: Sendable {
    private let container: Container

    /// Where it lies.
    public var folder: FilePath { container.library }

    /// Opens the container; makes none.
    ///
    /// - Throws: ``IngestionError`` where there is none, or it cannot be used.
    public init(container: FilePath) throws {
        do {
            _ = try CatalogReader(reading: container.absolute)
            self.container = try Container.open(at: container.absolute)
        } catch {
            throw IngestionError(error)
        }
    }

    /// What was done.
    public struct Report: Sendable, Codable, Equatable {
        /// How many files were made.
        public var added: Int
        /// How many were taken away, since their packages were replaced or their content is gone.
        public var removed: Int
        /// Whether all of it was built anew.
        public var rebuilt: Bool
        /// Files that are ours no longer, since somebody changed them: paths below the folder; they stay.
        public var kept: [String]
        /// Packages with content that was left out, since its object is not there.
        public var missing: [PackageName]
    }

    /// Brings the folder up to date, or builds it anew. Blocks its thread.
    ///
    /// - Throws: ``IngestionError`` where it cannot be written; the next run completes it.
    public func update(rebuilding: Bool) throws -> Report {
        do {
            var librarian = container.librarian { LibraryNaming.name(of: $0) }
            let report = try librarian.run(rebuilding: rebuilding)
            return Report(
                added: report.added, removed: report.removed, rebuilt: report.rebuilt, kept: report.kept,
                missing: report.missing)
        } catch {
            throw IngestionError(error)
        }
    }
}
