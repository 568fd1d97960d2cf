internal import GroupContainer
internal import SQLite
package import ShareModel

/// A package of the container, for export.
package struct StoredPackage: Sendable {
    /// A number that grows in the order in which packages came in.
    package let number: Int64
    /// The receipt as it stands, with the present outcomes of its deliveries, all that ``Receipt/received`` names, and the
    /// machines of its sources.
    package let receipt: Receipt
    /// The sender's own `id`; `nil` if it gave none.
    package let senderID: String?
    /// Whether a later package has replaced it.
    package let isSuperseded: Bool
    /// The objects of its description, and of its original input if that was kept.
    package let records: [Digest]

    /// One file of a package in the export.
    package struct File: Sendable {
        /// The origin of the bytes.
        package enum Content: Sendable {
            case object(Digest)
            case bytes([UInt8])
        }

        /// Relative to the folder of the bag.
        package var path: String
        package var content: Content
        /// The time that the file gets; `nil` for the time of the export.
        package var modified: Timestamp?
        package init(path: String, content: Content, modified: Timestamp? = nil) {
            self.path = path
            self.content = content
            self.modified = modified
        }
    }

    /// The columns of a row for ``init(_:_:)``.
    static let columns = "\(PackageRow.receiptColumns), sender_id, machine"

    /// - Parameter row: with ``columns``.
    init(_ database: Database, _ row: Row) throws {
        number = try row.value("seq")
        senderID = try row.value("sender_id")
        var receipt = try PackageRow.receipt(database, row)
        isSuperseded = receipt.supersededBy != nil
        receipt.source.machine = try MachineRow.identifier(database, row.value("machine"))
        try SightingRow.addAll(database, to: &receipt, package: number)
        self.receipt = receipt
        let query = try database.cachedStatement(
            sql: """
                SELECT sha256 FROM record JOIN object ON object.seq = record.object WHERE package = ? ORDER BY place
                """)
        records = try Row.fetchAll(query, arguments: [number]).map { try Digest(blob: $0.value("sha256")) }
    }
}
