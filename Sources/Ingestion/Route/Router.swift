internal import ShareModel
internal import SinkKit
internal import Sniffing
internal import Synchronization

/// Which sinks a group goes to, by the concluded type of the provider that leads it.
struct Router: Sendable {
    let registry: SinkRegistry
    private let known = Known()

    init(registry: SinkRegistry) { self.registry = registry }

    /// What was found for a type once; a container holds few types, and many files of each.
    private final class Known: Sendable {
        let sinks = Mutex<[MediaType: [InstalledSink]]>([:])
    }

    /// The sinks in the order in which deliveries are made: the primary one, then every *also* sink.
    func sinks(for type: MediaType) -> [InstalledSink] {
        if let known = known.sinks.withLock({ $0[type] }) { return known }
        let found = find(type)
        known.sinks.withLock { $0[type] = found }
        return found
    }

    /// The one primary sink, by the most specific acceptance, then priority, then order; and every *also* sink.
    private func find(_ type: MediaType) -> [InstalledSink] {
        let takers = registry.sinks.compactMap { sink in fit(sink, type).map { (sink: sink, fit: $0) } }
        let primaries = takers.filter { $0.sink.manifest.role == .primary }
        // `max` takes the first of equals, as the order of the registry wants it.
        let primary = primaries.max { $0.fit < $1.fit }
        return (primary.map { [$0.sink] } ?? []) + takers.filter { $0.sink.manifest.role == .also }.map(\.sink)
    }

    /// How well a sink's best acceptance fits; `nil` where none does.
    private func fit(_ sink: InstalledSink, _ type: MediaType) -> Fit? {
        sink.manifest.accepts.compactMap { acceptance in
            specificity(acceptance.type, type).map { Fit(specificity: $0, priority: acceptance.priority ?? 0) }
        }.max()
    }

    /// 3 for the type itself, 2 for one that it conforms to, 1 for its family, 0 for anything.
    private func specificity(_ accepted: String, _ type: MediaType) -> Int? {
        if accepted == "*/*" { return 0 }
        if accepted.hasSuffix("/*") { return accepted.dropLast(2) == type.type ? 1 : nil }
        guard let accepted = MediaType(accepted) else { return nil }
        let types = SharedMIMEDatabase.system
        if types.canonical(accepted) == types.canonical(type) { return 3 }
        // Everything conforms to bytes, and much to text: a sink for text files wants no HTML that it did not name.
        return accepted != .unknown && types.conforms(type, to: accepted) ? 2 : nil
    }

    private struct Fit: Comparable {
        let specificity: Int
        let priority: Int

        static func < (left: Fit, right: Fit) -> Bool {
            (left.specificity, left.priority) < (right.specificity, right.priority)
        }
    }
}
