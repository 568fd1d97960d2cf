internal import FoundationEssentials

/// Names that no other run, process or machine makes.
public enum UniqueName {
    /// A random UUID in lower case (RFC 9562, version 4).
    public static func make() -> String { UUID().uuidString.lowercased() }
}
