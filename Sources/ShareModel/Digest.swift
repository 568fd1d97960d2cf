/// A SHA-256 digest: the name of an object.
public struct Digest: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The 32 bytes as four numbers in big-endian order, so that comparing the numbers compares the bytes.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// A digest from its bytes; traps unless there are 32.
    public init(bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32, "a SHA-256 digest has 32 bytes")
        func word(_ place: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// A digest from its bytes; traps unless there are 32.
    public init(bytes: [UInt8]) { self = bytes.withUnsafeBytes { Digest(bytes: $0) } }

    /// Parses 64 lower-case hexadecimal digits; `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == 64 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (place, digit) in text.utf8.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            words[place / 16] = words[place / 16] << 4 | UInt64(value)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The first of the 32 bytes.
    public var firstByte: UInt8 { UInt8(words.0 >> 56) }

    /// Calls `body` with the 32 bytes. The buffer is valid only during the call.
    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        let ordered = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        return try Swift.withUnsafeBytes(of: ordered, body)
    }

    /// The digest as 64 lower-case hexadecimal digits.
    public var description: String { digits(64) }

    /// The first `count` of the 64 lower-case hexadecimal digits; traps if `count` is not in 0...64.
    public func digits(_ count: Int) -> String {
        precondition(0...64 ~= count, "a SHA-256 digest has 64 digits")
        return withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: count) { buffer in
                for place in 0..<count {
                    let half = bytes[place >> 1] >> (place & 1 == 0 ? 4 : 0) & 15
                    buffer[place] = half &+ (half < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                }
                return count
            }
        }
    }

    /// Whether the 32 bytes are the same.
    public static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

    /// Compares the bytes in order, which gives the order of the hexadecimal digits.
    public static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

    /// Hashes a quarter of the bytes. That is enough, because the bytes of a SHA-256 digest are distributed evenly.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    /// Decodes the 64 digits from a string.
    ///
    /// - Throws: a `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a SHA-256 digest is 64 lower-case hexadecimal digits")
        }
        self = digest
    }

    /// Encodes the 64 digits as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
