internal import ShareModel

/// Bytes that a format begins with, and the structure that has to be behind them.
struct Signature: Sendable {
    /// Where the bytes are, in bytes from the beginning.
    let offset: Int
    let bytes: [UInt8]
    let type: MediaType
    /// The format's name, for people: `PNG`.
    let name: String
    /// Whether the structure behind the bytes is that of the format, for whatever could begin so by chance; `nil` where
    /// the bytes are enough.
    let isConsistent: (@Sendable (Sample) throws -> Bool)?

    /// A signature of four bytes or more that nothing else begins with, or a shorter one with a structure to check.
    init(
        _ name: String, _ type: MediaType, at offset: Int = 0, _ bytes: [UInt8],
        where isConsistent: (@Sendable (Sample) throws -> Bool)? = nil
    ) {
        self.offset = offset
        self.bytes = bytes
        self.type = type
        self.name = name
        self.isConsistent = isConsistent
    }

    /// The same, with the bytes as ASCII text.
    init(
        _ name: String, _ type: MediaType, at offset: Int = 0, _ text: StaticString,
        where isConsistent: (@Sendable (Sample) throws -> Bool)? = nil
    ) {
        self.init(name, type, at: offset, Array(text.description.utf8), where: isConsistent)
    }

    func matches(_ start: [UInt8]) -> Bool {
        guard start.count >= offset + bytes.count else { return false }
        return start[offset..<offset + bytes.count].elementsEqual(bytes)
    }
}

/// Numbers in the bytes of a header. What lies beyond the end is `nil`.
extension [UInt8] {
    /// A big-endian number of `width` bytes.
    func big(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, count >= offset + width else { return nil }
        return self[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A little-endian number of `width` bytes.
    func little(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, count >= offset + width else { return nil }
        return self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether these bytes are at a place.
    func has(_ bytes: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, count >= offset + bytes.utf8CodeUnitCount else { return false }
        return (0..<bytes.utf8CodeUnitCount).allSatisfy { self[offset + $0] == bytes.utf8Start[$0] }
    }
}
