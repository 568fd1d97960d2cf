internal import GroupContainer
internal import SQLite
internal import ShareModel

/// What sinks found in a content that names its file.
package struct SinkFacts: Sendable, Equatable {
    /// The title of the content, which need not be a safe name.
    package var title: String?
    /// The date of the content, in the form of ``SearchDate``.
    package var date: String?
    /// Whether a delivery is open that no sink has answered, so that one may find more.
    package var isOpen = false

    /// The facts about the groups of a package, by the places of their leads. A delivery that cannot be read has none.
    static func fetch(_ database: Database, package: Int64) throws -> [Int: SinkFacts] {
        // A duplicate stands as the delivery that it follows, which has the metadata. Row by row, because metadata may be
        // large.
        let query = try database.cachedStatement(
            sql: """
                SELECT own.lead, made.outcome, made.metadata
                FROM delivery AS own JOIN delivery AS made ON made.seq = coalesce(own.leader, own.seq)
                WHERE own.package = ? ORDER BY own.seq
                """)
        let rows = try Row.fetchCursor(query, arguments: [package])
        var found: [Int: SinkFacts] = [:]
        while let row = try rows.next() {
            guard let lead: Int = row.readable("lead"),
                let outcome = (row.readable("outcome") as String?).flatMap(DeliveryOutcome.init),
                SinkWords.count(in: outcome)
            else { continue }
            let metadata: String? = row.readable("metadata")
            let decoded = try ContainerError.unlessUnreadable { try DeliveryRow.decoded(metadata: metadata) }
            let words = SinkWords(decoded ?? nil)
            var facts = found[lead] ?? SinkFacts()
            facts.title = facts.title ?? words.title
            facts.date = facts.date ?? words.date
            facts.isOpen = facts.isOpen || outcome == .pending && metadata == nil
            found[lead] = facts
        }
        return found
    }
}
