package import SQLite
internal import ShareModel
internal import SystemPackage

extension PackageName {
    /// The columns of `package` that ``init(_:)`` reads.
    package static let columns = "id, title, source_kind, source_path, \(LeadName.sql) AS lead_name"

    /// - Parameter row: with ``columns``.
    package init(_ row: Row) {
        let lead = (row.readable("lead_name") as String?).map(InventedName.words)
        let kind = (row.readable("source_kind") as String?).flatMap(PackageSource.Kind.init) ?? .other
        let path = FilePath(blob: row.readable("source_path")).flatMap(kind.name)
        self.init(
            id: row.readable("id") ?? "-",
            name: row.readable("title") ?? lead ?? path ?? "-")
    }
}
