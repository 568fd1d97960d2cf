package import SinkHost
package import SystemPackage

/// The options of the conformance suite: times, samples, and the choice of checks.
package struct ConformanceOptions: Sendable {
    /// The time from the start to `ready`; `nil` for the clock of the sink's manifest.
    package var startup: Duration?
    /// The time between two lines about a delivery; `nil` for the clock of the sink's manifest.
    package var stall: Duration?
    /// The time that the sink has to end after goodbye, the end of its input, or SIGTERM.
    package var grace = SinkProcess.grace
    /// The folder of the sink's samples; `nil` for `samples` beside its `sink.json`, if that exists.
    package var samples: FilePath?
    /// Run only the checks whose names begin with one of these; if it is empty, all checks.
    package var only: [String] = []
    /// Whether to write each sample's `expected.json` from the sink's answer.
    package var records = false

    /// The containment of the tested sink. By default it is the same as in deliveries.
    package var containment = ContainmentRequirement.preferred
    /// Receives, once, the reason why there is no sandbox, and the remedy.
    package var notice: @Sendable (String) -> Void = { _ in }

    /// Returns the media type for bytes with a name. It serves samples that do not state their type.
    package var identify: @Sendable (_ bytes: [UInt8], _ name: String) throws -> String

    /// The defaults: the clocks of the manifest, and the samples beside it.
    package init(identify: @escaping @Sendable (_ bytes: [UInt8], _ name: String) throws -> String) {
        self.identify = identify
    }
}
