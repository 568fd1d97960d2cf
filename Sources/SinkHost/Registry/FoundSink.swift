package import SystemPackage

/// A `sink.json` that the search found, and the role of its sink in this run.
package struct FoundSink: Sendable {
    package let manifest: FilePath
    package let standing: Standing

    package enum Standing: Sendable {
        /// It takes part in the routing.
        case used(InstalledSink)
        /// The user turned it off in its settings.
        case disabled(InstalledSink)
        /// The search found another sink with this identifier earlier, at this place.
        case shadowed(InstalledSink, by: FilePath)
        /// It is left out for this reason.
        case broken(SinkObstacle)
    }

    /// `nil` if the sink is broken.
    package var sink: InstalledSink? {
        switch standing {
        case .used(let sink), .disabled(let sink), .shadowed(let sink, _): sink
        case .broken: nil
        }
    }
}
