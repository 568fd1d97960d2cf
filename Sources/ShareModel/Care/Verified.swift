/// What a verification looked at, and how much of it was wrong.
public struct Verified: Sendable, Codable, Equatable {
    /// Objects that rows name.
    public var objects = 0
    /// Their bytes, as the rows state them.
    public var bytes: Int64 = 0
    /// Objects whose bytes were hashed.
    public var hashed = 0
    /// The bytes that were hashed.
    public var hashedBytes: Int64 = 0
    /// Files that no row names: leftovers that a garbage collection takes, and no fault.
    public var orphans = 0
    /// Their bytes.
    public var orphanBytes: Int64 = 0
    /// All that was found wrong.
    public var findings = 0
    /// How much of it is put right.
    public var mended = 0
    /// How much of it a repair can do something about.
    public var repairable = 0

    /// Nothing yet.
    public init() {}

    /// Whether nothing is wrong any more.
    public var isSound: Bool { findings == mended }

    /// Counts a finding.
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
