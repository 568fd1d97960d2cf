/// A SHA-256 digest: the name of an object.
public struct Digest: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The digest as 64 lower-case hexadecimal digits.
    public let description: String

    /// Takes the 32 bytes of a digest.
    public init(bytes: some Sequence<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        description = String(decoding: text, as: UTF8.self)
    }

    /// Takes 64 lower-case hexadecimal digits; `nil` for anything else.
    public init?(_ text: String) {
        let isHexadecimal = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        guard text.utf8.count == 64, isHexadecimal else { return nil }
        description = text
    }

    /// The order of the digits, which is that of the 32 bytes.
    public static func < (left: Digest, right: Digest) -> Bool { left.description < right.description }

    /// Reads the 64 digits from a string; a `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a SHA-256 digest is 64 lower-case hexadecimal digits")
        }
        self = digest
    }

    /// Writes the 64 digits as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
