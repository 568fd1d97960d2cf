/// What stands between a sink's process and everything else.
public enum Containment: String, Sendable, Codable {
    /// It sees its own content and products only, has no network unless allowed, and is held to limits.
    case sandbox
    /// It is held to limits, and may do what this user may.
    case limits
}
