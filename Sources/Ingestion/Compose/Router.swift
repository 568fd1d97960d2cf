internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import Sniffing
internal import Synchronization

/// Finds the sinks of a group by the concluded type of its leading provider.
struct Router: Sendable {
    let registry: SinkRegistry
    /// See ``IngestOptions/destination``.
    let destination: String?
    private let known = Known()

    init(registry: SinkRegistry, destination: String? = nil) {
        (self.registry, self.destination) = (registry, destination)
    }

    /// Caches the sinks of each type: a container holds few types, and many files of each.
    private final class Known: Sendable {
        let sinks = Mutex<[MediaType: [InstalledSink]]>([:])
    }

    /// The sinks that get the type, in the order of their deliveries: the destination or the primary one, then every *also* sink.
    func sinks(for type: MediaType) -> [InstalledSink] {
        if let known = known.sinks.withLock({ $0[type] }) { return known }
        let candidates = candidates(for: type)
        let also = candidates.filter { $0.sink.manifest.role == .also && $0.sink.id != destination }
        let named = candidates.filter { $0.sink.id == destination }
        let first = named.isEmpty ? candidates.prefix { $0.sink.manifest.role == .primary }.prefix(1) : named[...]
        let found = (first + also).map(\.sink)
        known.sinks.withLock { $0[type] = found }
        return found
    }

    /// Every sink that accepts a type: first the primary ones, sorted by the most specific acceptance, then priority,
    /// then order; the first of them gets the content. Then every *also* sink in the registry's order.
    func candidates(for type: MediaType) -> [SinkCandidate] {
        let takers = registry.sinks.compactMap { candidate($0, type) }
        let primaries = takers.filter { $0.sink.manifest.role == .primary }
        return primaries.sorted { $0.isBetter(than: $1) } + takers.filter { $0.sink.manifest.role == .also }
    }

    /// The sink with its best acceptance; `nil` if it accepts no such type.
    private func candidate(_ sink: InstalledSink, _ type: MediaType) -> SinkCandidate? {
        sink.manifest.accepts.compactMap { acceptance in
            fit(acceptance.type, type).map { SinkCandidate(sink: sink, acceptance: acceptance, fit: $0) }
        }.max { $1.isBetter(than: $0) }
    }

    private func fit(_ accepted: String, _ type: MediaType) -> SinkCandidate.Fit? {
        if accepted == "*/*" { return .anything }
        if accepted.hasSuffix("/*") { return accepted.dropLast(2).lowercased() == type.type ? .family : nil }
        guard let accepted = MediaType(accepted) else { return nil }
        let types = SharedMIMEDatabase.system
        if types.canonical(accepted) == types.canonical(type) { return .exact }
        // Every type conforms to plain bytes. A sink that accepts plain bytes means content of unknown type; a sink for
        // everything says `*/*`.
        return accepted != .unknown && types.conforms(type, to: accepted) ? .conforming : nil
    }
}
