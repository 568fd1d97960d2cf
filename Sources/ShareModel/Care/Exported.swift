/// The content of an exported bag.
public struct Exported: Sendable, Codable, Equatable {
    /// The number of packages with content in the bag.
    public var packages = 0
    /// The number of failed packages; they have no content, so the bag has only their receipts.
    public var receiptsAlone = 0
    /// The number of packages that were left out: those with lost or damaged content, of which the bag has only the
    /// receipts, and those with a record that cannot be read, of which it has nothing.
    public var leftOut = 0
    /// The number of payload files.
    public var files = 0
    /// The size of these files, in bytes.
    public var bytes: Int64 = 0

    /// All counts are 0.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case packages, files, bytes
        case receiptsAlone = "receipts_alone"
        case leftOut = "left_out"
    }
}
