/// The level of isolation of a sink's process.
public enum Containment: String, Sendable, Codable {
    /// The process sees only its own content and products, has no network unless the user allows it, and has resource
    /// limits.
    case sandbox
    /// The process has resource limits, and all permissions of the user who runs the host.
    case limits
}
