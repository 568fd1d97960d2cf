/// What a run asks for to stand between its sinks and everything else.
public enum ContainmentRequirement: String, Sendable, CaseIterable {
    /// The sandbox where it can be had; else limits alone.
    case preferred
    /// The sandbox; without it, no sink is started.
    case required
    /// No sandbox; limits alone. For finding out whether the sandbox is what a sink fails by.
    case off
}
