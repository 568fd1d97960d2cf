/// The options of a verification.
public struct VerifyOptions: Sendable {
    /// Whether the verification repairs the faults that it can fix.
    public var repairs = false
    /// The percentage of objects whose bytes are hashed; the other objects get the cheap checks.
    public var sample = 100.0
    /// The number of objects that are hashed at the same time.
    public var jobs = 2

    /// The default options: hash all objects, repair nothing.
    public init() {}

    /// Whether the sample contains an object. The last bytes of the digest decide, so that the sample is always the
    /// same.
    public func samples(_ digest: Digest) -> Bool {
        // The bytes of SHA-256 digests are distributed evenly, so this chooses the wanted share of the objects.
        let number = digest.bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(number) < sample / 100 * 4_294_967_296
    }
}

/// The reports of a verification or repair while it runs.
public enum CareEvent: Sendable {
    /// The number of checked objects, the number of all objects, and the bytes that were read.
    case progress(objects: Int, of: Int, bytes: Int64)
    /// A fault, in the order of the objects' names.
    case finding(CareFinding)
}
