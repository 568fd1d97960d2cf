internal import GRDB
package import ShareModel

/// A package as the container has it, for whoever takes it elsewhere.
package struct StoredPackage: Sendable {
    /// A number that grows in the order in which packages came in.
    package let number: Int64
    /// With its deliveries as they stand.
    package let receipt: Receipt
    /// The sender's own `id`; `nil` where it gave none.
    package let senderID: String?
    /// Whether a later package has replaced it.
    package let isSuperseded: Bool
    /// The objects that hold its description, and its input where that was kept.
    package let records: [Digest]

    /// What of a package is to be written under which name.
    package struct File: Sendable {
        /// Where the bytes come from.
        package enum Content: Sendable {
            case object(Digest)
            case bytes([UInt8])
        }

        /// Relative to the folder of the bag.
        package var path: String
        /// The bytes.
        package var content: Content

        /// A file to be written.
        package init(path: String, content: Content) {
            self.path = path
            self.content = content
        }
    }

    /// - Parameter row: with `seq`, `receipt`, `sender_id` and `superseded_by`.
    init(_ database: Database, _ row: Row) throws {
        number = row["seq"]
        senderID = row["sender_id"]
        isSuperseded = row["superseded_by"] as String? != nil
        var receipt = try CatalogJSON.decode(Receipt.self, row["receipt"])
        for delivery in try DeliveryRow.fetchAll(database, package: number) {
            try receipt.attach(delivery.record(database), lead: delivery.lead)
        }
        self.receipt = receipt
        let query = try database.cachedStatement(
            sql: """
                SELECT sha256 FROM record JOIN object ON object.seq = record.object WHERE package = ? ORDER BY place
                """)
        records = try Row.fetchAll(query, arguments: [number]).map { try Digest(blob: $0["sha256"]) }
    }
}
