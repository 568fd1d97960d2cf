/// Iterates over the bytes of an XML document. It does not go beyond the end or backwards.
struct XMLScanner {
    private let bytes: [UInt8]
    private(set) var offset = 0

    /// The length above which a name counts as malformed.
    private static let nameLimit = 256

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset >= bytes.count }
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func advance() -> UInt8? {
        guard let byte = next else { return nil }
        offset += 1
        return byte
    }

    mutating func skipSpace() {
        while let byte = next, Self.isSpace(byte) { offset += 1 }
    }

    /// Skips white space, comments and processing instructions (XML 1.0, section 2.8, `Misc`); `false` if the document
    /// ends in one.
    mutating func skipMisc() -> Bool {
        while true {
            skipSpace()
            if skip("<?") {
                guard skip(through: "?>") else { return false }
            } else if skip("<!--") {
                guard skip(through: "-->") else { return false }
            } else {
                return true
            }
        }
    }

    /// Skips a reference to a parameter entity: `%name;`.
    mutating func skipReference() -> Bool { skip("%") && name() != nil && skip(";") }

    /// Skips `text` if it comes next.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - offset >= count else { return false }
        let found = (0..<count).allSatisfy { bytes[offset &+ $0] == text.utf8Start[$0] }
        if found { offset += text.utf8CodeUnitCount }
        return found
    }

    /// Skips everything up to the end of `text`; `false` if the document ends first.
    mutating func skip(through text: StaticString) -> Bool {
        let first = text.utf8Start.pointee
        while offset < bytes.count {
            if bytes[offset] == first, skip(text) { return true }
            offset &+= 1
        }
        return false
    }

    mutating func name() -> String? {
        let start = offset
        while let byte = next, !Self.isSpace(byte), !Self.endsName(byte) { offset += 1 }
        guard offset > start, offset - start <= Self.nameLimit else { return nil }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Reads the rest of `<!DOCTYPE …>`, and skips its internal subset; `nil` if it has no name or does not end.
    mutating func documentType(isUppercase: Bool) -> XMLProlog.DocumentType? {
        skipSpace()
        guard let name = name() else { return nil }
        var type = XMLProlog.DocumentType(isUppercase: isUppercase, name: name)
        skipSpace()
        type.keyword = self.name()
        skipSpace()
        if type.keyword?.uppercased() == "PUBLIC" { type.publicID = literal() }
        skipSpace()
        type.systemID = literal()
        return skipDocumentType(allowsSubset: true) ? type : nil
    }

    /// Skips the rest of `<!DOCTYPE …>`, outside of a literal. It rejects an internal subset unless that is allowed.
    mutating func skipDocumentType(allowsSubset: Bool) -> Bool {
        var isInSubset = false
        while let byte = advance() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard skip(past: byte) else { return false }
            case UInt8(ascii: "["):
                guard allowsSubset else { return false }
                isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">") where !isInSubset: return true
            default: continue
            }
        }
        return false
    }

    /// The attributes of a start tag, at most `limit`. The end of the tag is not consumed; `nil` if there is none.
    mutating func attributes(limit: Int) -> [XMLProlog.Attribute]? {
        var found: [XMLProlog.Attribute] = []
        while true {
            skipSpace()
            guard let byte = next else { return nil }
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return found }
            guard let name = name() else { return nil }
            skipSpace()
            guard skip("=") else { return nil }
            skipSpace()
            guard let value = literal() else { return nil }
            if found.count < limit { found.append(.init(name: name, value: value)) }
        }
    }

    /// The text in quotes that comes next; `nil` if there is none, or if it does not end.
    private mutating func literal() -> String? {
        guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        offset += 1
        let start = offset
        guard skip(past: quote) else { return nil }
        return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
    }

    private mutating func skip(past byte: UInt8) -> Bool {
        while let next = advance() {
            if next == byte { return true }
        }
        return false
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        // < > / = " ' & ! [ ] ? ;
        case 0x3C, 0x3E, 0x2F, 0x3D, 0x22, 0x27, 0x26, 0x21, 0x5B, 0x5D, 0x3F, 0x3B: true
        default: false
        }
    }
}
