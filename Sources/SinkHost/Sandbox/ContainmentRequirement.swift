/// The containment that a run requests for its sinks.
public enum ContainmentRequirement: String, Sendable, CaseIterable {
    /// The sandbox if it works, otherwise only limits.
    case preferred
    /// The sandbox. If it does not work, no sink starts.
    case required
    /// Only limits. This helps to find out whether a sink fails because of the sandbox.
    case off
}
