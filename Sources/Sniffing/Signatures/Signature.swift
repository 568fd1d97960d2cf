internal import ShareModel

/// Bytes that a format begins with, and the structure that has to be behind them.
struct Signature: Sendable {
    /// Whether the structure behind the bytes is that of the format.
    typealias Check = @Sendable (Sample) throws -> Bool

    /// Where the bytes are, in bytes from the beginning.
    let offset: Int
    let bytes: [UInt8]
    let type: MediaType
    /// The format's name, for people: `PNG`.
    let name: String
    /// What the bytes are worth where the structure agrees, or where there is none to check.
    let confidence: Confidence
    /// What they are worth where the structure is damaged or cut off; `nil` where they are then worth nothing.
    let damaged: Confidence?
    /// For whatever could begin so by chance; `nil` where the bytes are enough.
    let isConsistent: Check?

    /// Eight bytes are no chance; fewer are, without a structure behind them.
    private static let certainSize = 8

    /// A signature of four bytes or more that nothing else begins with, or a shorter one with a structure to check.
    init(
        _ name: String, _ type: MediaType, at offset: Int = 0, _ bytes: [UInt8], confidence: Confidence? = nil,
        damaged: Confidence? = nil, where isConsistent: Check? = nil
    ) {
        self.offset = offset
        self.bytes = bytes
        self.type = type
        self.name = name
        self.confidence = confidence ?? (isConsistent != nil || bytes.count >= Self.certainSize ? .certain : .likely)
        self.damaged = damaged
        self.isConsistent = isConsistent
    }

    /// The same, with the bytes as ASCII text.
    init(
        _ name: String, _ type: MediaType, at offset: Int = 0, _ text: StaticString, confidence: Confidence? = nil,
        damaged: Confidence? = nil, where isConsistent: Check? = nil
    ) {
        self.init(
            name, type, at: offset, Array(text.description.utf8), confidence: confidence, damaged: damaged,
            where: isConsistent)
    }

    func matches(_ start: [UInt8]) -> Bool {
        guard start.count >= offset + bytes.count else { return false }
        for index in bytes.indices where start[offset + index] != bytes[index] { return false }
        return true
    }
}

/// Numbers in the bytes of a header. What lies beyond the end is `nil`.
extension [UInt8] {
    /// A big-endian number of `width` bytes, at most 8; one of 8 can come out negative.
    func big(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= count - width else { return nil }
        var number = 0
        for index in offset..<offset + width { number = number << 8 | Int(self[index]) }
        return number
    }

    /// A little-endian number of `width` bytes, at most 8; one of 8 can come out negative.
    func little(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= count - width else { return nil }
        var number = 0
        for index in (offset..<offset + width).reversed() { number = number << 8 | Int(self[index]) }
        return number
    }

    /// A number in the byte order that the content itself tells.
    func number(_ offset: Int, _ width: Int, isBig: Bool) -> Int? {
        isBig ? big(offset, width) : little(offset, width)
    }

    /// Whether these bytes are at a place.
    func has(_ bytes: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - bytes.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.utf8CodeUnitCount where self[offset + index] != bytes.utf8Start[index] { return false }
        return true
    }

    /// Whether a number of bytes from a place are all there, and zero.
    func isZero(_ offset: Int, _ width: Int) -> Bool {
        guard offset >= 0, offset <= count - width else { return false }
        for index in offset..<offset + width where self[index] != 0 { return false }
        return true
    }

    /// Whether a number of bytes from a place are all there, and printable ASCII.
    func isPrintable(_ offset: Int, _ width: Int) -> Bool {
        guard offset >= 0, offset <= count - width else { return false }
        for index in offset..<offset + width where self[index] < 0x20 || self[index] > 0x7E { return false }
        return true
    }

    /// Whether there is a control character that no text has among so many of the first bytes.
    func hasControl(within width: Int) -> Bool {
        for index in 0..<Swift.min(width, count) where self[index] < 7 || (14...31).contains(self[index]) {
            if self[index] != 0x1B { return true }
        }
        return false
    }
}

extension Int? {
    /// Whether there is a number, and it is in a range.
    func isIn(_ range: ClosedRange<Int>) -> Bool { map(range.contains) ?? false }
}
