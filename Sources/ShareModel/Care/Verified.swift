/// The result of a verification.
public struct Verified: Sendable, Codable, Equatable {
    /// The number of objects that rows name.
    public var objects = 0
    /// The size of these objects according to the rows, in bytes.
    public var bytes: Int64 = 0
    /// The number of objects whose bytes were hashed.
    public var hashed = 0
    /// The number of hashed bytes.
    public var hashedBytes: Int64 = 0
    /// The number of files that no row names. They are not a fault; a garbage collection removes them.
    public var orphans = 0
    /// The size of these files, in bytes.
    public var orphanBytes: Int64 = 0
    /// The number of faults.
    public var findings = 0
    /// The number of repaired faults.
    public var mended = 0
    /// The number of faults that a repair can fix.
    public var repairable = 0

    /// All counts are 0.
    public init() {}

    /// Whether every fault is repaired.
    public var isSound: Bool { findings == mended }

    /// Counts one fault.
    public mutating func add(_ finding: CareFinding) {
        findings += 1
        if finding.isMended { mended += 1 }
        if finding.kind.isRepairable { repairable += 1 }
    }

    enum CodingKeys: String, CodingKey {
        case objects, bytes, hashed, orphans, findings, mended, repairable
        case hashedBytes = "hashed_bytes"
        case orphanBytes = "orphan_bytes"
    }
}
