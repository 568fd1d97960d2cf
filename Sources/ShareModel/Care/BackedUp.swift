/// The content of a backup.
public struct BackedUp: Sendable, Codable, Equatable {
    /// The number of packages.
    public var packages = 0
    /// The number of objects.
    public var objects = 0
    /// The size of these objects, in bytes.
    public var bytes: Int64 = 0
    /// The number of objects, and of shares in the inbox, that the backup lacks, because they are lost, damaged or unreadable in the
    /// container.
    public var leftOut = 0

    /// All counts are 0.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case packages, objects, bytes
        case leftOut = "left_out"
    }
}
