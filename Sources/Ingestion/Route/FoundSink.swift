internal import SystemPackage

/// A `sink.json` that was found, and what came of it.
struct FoundSink: Sendable {
    /// Where it lies.
    let manifest: FilePath
    let standing: Standing

    enum Standing: Sendable {
        /// It takes part in the routing.
        case used(InstalledSink)
        /// The person has turned it off.
        case disabled(InstalledSink)
        /// Another with its identifier was found before it, at this place.
        case shadowed(InstalledSink, by: FilePath)
        /// It is left out, for this reason.
        case broken(SinkObstacle)
    }

    /// The sink; `nil` where it is broken.
    var sink: InstalledSink? {
        switch standing {
        case .used(let sink), .disabled(let sink), .shadowed(let sink, _): sink
        case .broken: nil
        }
    }
}
