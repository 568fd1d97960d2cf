internal import ShareModel

/// The first bytes of a format, and a check of the structure after them.
struct Signature: Sendable {
    /// Whether the structure after the bytes is that of the format.
    typealias Check = @Sendable (Sample) throws -> Bool

    /// The offset of the bytes.
    let offset: Int
    let bytes: [UInt8]
    let type: MediaType
    /// The format's name in evidence: `PNG`.
    let name: String
    /// The confidence if the structure agrees, or if there is no check.
    let confidence: Confidence
    /// The confidence if the structure is damaged or truncated; if `nil`, the signature does not match then.
    let damaged: Confidence?
    /// The check of the structure. It is needed if other content could start with the bytes by coincidence.
    let isConsistent: Check?
    /// Whether the content must have a control character, because text could start with the bytes too.
    let needsControl: Bool

    /// This number of equal bytes cannot be a coincidence. Fewer bytes can be, unless a structure follows.
    private static let certainSize = 8

    /// A signature of at least four bytes that no other format starts with, or a shorter one with a check.
    ///
    /// - Parameter isText: whether files of the format can be text at their beginning.
    init(
        _ name: String, _ type: MediaType, at offset: Int = 0, _ bytes: [UInt8], confidence: Confidence? = nil,
        damaged: Confidence? = nil, isText: Bool = false, where isConsistent: Check? = nil
    ) {
        self.offset = offset
        self.bytes = bytes
        self.type = type
        self.name = name
        self.confidence = confidence ?? (isConsistent != nil || bytes.count >= Self.certainSize ? .certain : .likely)
        self.damaged = damaged
        self.isConsistent = isConsistent
        needsControl = !isText && !bytes.hasControl(within: bytes.count) && bytes.allSatisfy { $0 < 0x7F }
    }

    /// A signature with the bytes as ASCII text.
    init(
        _ name: String, _ type: MediaType, at offset: Int = 0, _ text: StaticString, confidence: Confidence? = nil,
        damaged: Confidence? = nil, isText: Bool = false, where isConsistent: Check? = nil
    ) {
        self.init(
            name, type, at: offset, Array(text.description.utf8), confidence: confidence, damaged: damaged,
            isText: isText, where: isConsistent)
    }

    func matches(_ start: [UInt8]) -> Bool {
        guard start.count >= offset + bytes.count else { return false }
        for index in bytes.indices where start[offset + index] != bytes[index] { return false }
        return true
    }
}
