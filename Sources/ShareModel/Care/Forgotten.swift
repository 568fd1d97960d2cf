/// The result of forgetting packages.
public struct Forgotten: Sendable, Codable, Equatable {
    /// The forgotten packages, in the order of the request.
    public var packages: [PackageName] = []
    /// The number of removed objects; no other package names them.
    public var objects = 0
    /// The size of their files, in bytes.
    public var bytes: Int64 = 0
    /// The number of deliveries that moved to another package with the same content.
    public var handedOver = 0
    /// The packages that a forgotten one had replaced, and that are current again.
    public var current: [PackageName] = []
    /// Work that could not be finished, with the remedy. The packages are forgotten in any case.
    public var warnings: [String] = []

    /// Nothing is forgotten yet.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case packages, objects, bytes, current, warnings
        case handedOver = "handed_over"
    }
}
