package import SinkHost
package import SystemPackage

/// How a sink is tested: how long it may take, and by which samples.
package struct ConformanceOptions: Sendable {
    /// From the start to `ready`; `nil` for the clock of the sink's manifest.
    package var startup: Duration?
    /// Between two lines about a delivery; `nil` for the clock of the sink's manifest.
    package var stall: Duration?
    /// From goodbye, the end of its input or SIGTERM to the sink's end.
    package var grace = SinkProcess.grace
    /// The folder of the sink's samples; `nil` for `samples` beside its `sink.json`, where there is one.
    package var samples: FilePath?
    /// Only the checks whose names begin with one of these; every check where there are none.
    package var only: [String] = []
    /// Whether each sample's `expected.json` is written anew, from what the sink answers.
    package var records = false

    /// What stands between the sink and everything else while it is tested; the same as in every delivery.
    package var containment = ContainmentRequirement.preferred
    /// Told for people, once, where there is no sandbox: why, and the remedy.
    package var notice: @Sendable (String) -> Void = { _ in }

    /// The media type of a sample's content, for a sample that states none: from its bytes and its name.
    package var identify: @Sendable (_ bytes: [UInt8], _ name: String) throws -> String

    /// The clocks of the manifest, and the samples beside it.
    package init(identify: @escaping @Sendable (_ bytes: [UInt8], _ name: String) throws -> String) {
        self.identify = identify
    }
}
