internal import GRDB
internal import ShareModel

/// What sinks found in a content that names its file.
package struct SinkFacts: Sendable, Equatable {
    /// The title of the content, which need not be a safe name.
    package var title: String?
    /// The date of the content, in the form of ``SearchDate``.
    package var date: String?
    /// Whether a delivery is open, so that a sink may find more.
    package var isOpen = false

    /// The facts about the groups of a package, by the places of their leads. A delivery that cannot be read has none.
    static func fetch(_ database: Database, package: Int64) throws -> [Int: SinkFacts] {
        var found: [Int: SinkFacts] = [:]
        for delivery in try DeliveryRow.fetchReadable(database, package: package) {
            // A duplicate stands as the delivery that it follows, which has the metadata.
            let made = try delivery.readableLeader(database) ?? delivery
            guard SinkWords.count(in: made.outcome) else { continue }
            let words = SinkWords(try ContainerError.unlessUnreadable(made.decodedMetadata) ?? nil)
            var facts = found[delivery.lead] ?? SinkFacts()
            facts.title = facts.title ?? words.title
            facts.date = facts.date ?? words.date
            facts.isOpen = facts.isOpen || made.outcome == .pending
            found[delivery.lead] = facts
        }
        return found
    }
}
