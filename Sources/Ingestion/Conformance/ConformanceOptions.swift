public import SystemPackage

/// How a sink is tested: how long it may take, and by which samples.
public struct ConformanceOptions: Sendable {
    /// From the start to `ready`; `nil` for the clock of the sink's manifest.
    public var startup: Duration?
    /// Between two lines about a delivery; `nil` for the clock of the sink's manifest.
    public var stall: Duration?
    /// From goodbye, the end of its input or SIGTERM to the sink's end.
    public var grace = SinkConversation.grace
    /// The folder of the sink's samples; `nil` for `samples` beside its `sink.json`, where there is one.
    public var samples: FilePath?
    /// Only the checks whose names begin with one of these; every check where there are none.
    public var only: [String] = []
    /// Whether each sample's `expected.json` is written anew, from what the sink answers.
    public var records = false

    /// What stands between the sink and everything else while it is tested; the same as in every delivery.
    public var containment = ContainmentRequirement.preferred
    /// Told for people, once, where there is no sandbox: why, and the remedy.
    public var notice: @Sendable (String) -> Void = { _ in }

    /// The clocks of the manifest, and the samples beside it.
    public init() {}
}
