/// What was removed with the packages that were to be forgotten.
public struct Forgotten: Sendable, Codable, Equatable {
    /// The packages, in the order in which they were named.
    public var packages: [PackageName] = []
    /// Objects that no other package names.
    public var objects = 0
    /// The bytes of their files.
    public var bytes: Int64 = 0
    /// Deliveries that another package with the same content took over.
    public var handedOver = 0
    /// What could not be finished, and what to do; the packages are forgotten all the same.
    public var warnings: [String] = []

    /// Nothing yet.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case packages, objects, bytes, warnings
        case handedOver = "handed_over"
    }
}
