/// How thorough a verification is.
public struct VerifyOptions: Sendable {
    /// Whether what is wrong is put right as far as it can be.
    public var repairs = false
    /// The share of the objects whose bytes are hashed, in percent; the others get the cheap checks.
    public var sample = 100.0
    /// How many objects are hashed at once.
    public var jobs = 2

    /// All objects, nothing put right.
    public init() {}

    /// Whether an object belongs to the sample: always the same ones, chosen by their digests' last bytes.
    public func samples(_ digest: Digest) -> Bool {
        let number = digest.bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(number) < sample / 100 * 4_294_967_296
    }
}

/// What the care for a container tells while it goes on.
public enum CareEvent: Sendable {
    /// How many objects were looked at, of how many, and the bytes that were read.
    case progress(objects: Int, of: Int, bytes: Int64)
    /// Something that is wrong; in the order of the objects' names.
    case finding(CareFinding)
}
