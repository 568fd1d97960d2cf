/// What was written into a bag.
public struct Exported: Sendable, Codable, Equatable {
    /// Packages whose content is in the bag.
    public var packages = 0
    /// Packages without content, whose receipts alone are in the bag: those that failed.
    public var receiptsAlone = 0
    /// Packages whose content is lost or damaged: their receipts alone are in the bag.
    public var leftOut = 0
    /// Payload files.
    public var files = 0
    /// Their bytes.
    public var bytes: Int64 = 0

    /// Nothing yet.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case packages, files, bytes
        case receiptsAlone = "receipts_alone"
        case leftOut = "left_out"
    }
}
