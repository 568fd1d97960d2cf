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
