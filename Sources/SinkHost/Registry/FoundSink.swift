package import SystemPackage

/// A `sink.json` that was found, and what came of it.
package struct FoundSink: Sendable {
    /// Where it lies.
    package let manifest: FilePath
    package let standing: Standing

    package enum Standing: Sendable {
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
    package var sink: InstalledSink? {
        switch standing {
        case .used(let sink), .disabled(let sink), .shadowed(let sink, _): sink
        case .broken: nil
        }
    }
}
