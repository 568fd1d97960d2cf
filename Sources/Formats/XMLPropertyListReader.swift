/// Reads XML property lists: the elements of PropertyList-1.0.dtd, the five predefined entities, numeric references,
/// CDATA and comments.
///
/// It rejects an internal subset of the document type, so that a document cannot define entities.
struct XMLPropertyListReader {
    private var scanner: XMLScanner
    private let limits: PropertyList.Limits
    private var objects = 0
    private var depth = 0
    /// The keys of the outermost dictionary that were read so far. They remain if reading fails later.
    private(set) var topKeys: [String]?

    init(_ bytes: [UInt8], limits: PropertyList.Limits) throws {
        let text = TextBytes.utf8(bytes)
        scanner = XMLScanner(text)
        self.limits = limits
    }

    mutating func root() throws -> PropertyList {
        try skipMisc()
        guard scanner.skip("<plist"), scanner.attributes(limit: 0) != nil, scanner.skip(">") else {
            throw failure(.notOne)
        }
        let value = try value(of: try startTag())
        try skipMisc()
        try endTag("plist")
        try skipMisc()
        guard scanner.isAtEnd else { throw failure(.malformed) }
        return value
    }

    // MARK: Elements

    private struct Tag {
        var name: String
        var isEmpty: Bool
    }

    private mutating func value(of tag: Tag) throws -> PropertyList {
        objects += 1
        guard objects <= limits.objects else { throw failure(.tooMany) }
        switch tag.name {
        case "dict": return .dictionary(try nested(tag) { try $0.entries(tag) })
        case "array": return .array(try nested(tag) { try $0.elements(tag) })
        case "true", "false":
            guard try text(of: tag).isEmpty else { throw failure(.malformed) }
            return .boolean(tag.name == "true")
        case "string": return .string(try text(of: tag))
        case "integer": return .integer(try parsed(tag, XMLPropertyListText.integer))
        case "real": return .real(try parsed(tag) { Double($0) })
        case "date": return .date(try parsed(tag, XMLPropertyListText.date))
        case "data": return .data(try parsed(tag, XMLPropertyListText.base64))
        default: throw failure(.malformed)
        }
    }

    private mutating func nested<Value>(_ tag: Tag, _ body: (inout Self) throws -> [Value]) throws -> [Value] {
        guard !tag.isEmpty else { return [] }
        guard depth < limits.depth else { throw failure(.tooDeep) }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func elements(_ tag: Tag) throws -> [PropertyList] {
        var values: [PropertyList] = []
        while try !skipEndTag(tag.name) { values.append(try value(of: try startTag())) }
        return values
    }

    private mutating func entries(_ tag: Tag) throws -> [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        let isTop = depth == 1
        if isTop { topKeys = [] }
        while try !skipEndTag(tag.name) {
            let keyTag = try startTag()
            guard keyTag.name == "key" else { throw failure(.malformed) }
            let key = try text(of: keyTag)
            if isTop { topKeys?.append(key) }
            try skipMisc()
            entries.append(.init(key: key, value: try value(of: try startTag())))
        }
        return entries
    }

    // MARK: Tags and text

    private mutating func startTag() throws -> Tag {
        try skipMisc()
        guard scanner.skip("<"), let name = scanner.name(), scanner.attributes(limit: 0) != nil else {
            throw failure(.malformed)
        }
        let isEmpty = scanner.skip("/")
        guard scanner.skip(">") else { throw failure(.malformed) }
        return Tag(name: name, isEmpty: isEmpty)
    }

    private mutating func skipEndTag(_ name: String) throws -> Bool {
        try skipMisc()
        let saved = scanner
        guard scanner.skip("</") else { return false }
        scanner = saved
        try endTag(name)
        return true
    }

    private mutating func endTag(_ name: String) throws {
        guard scanner.skip("</"), scanner.name() == name else { throw failure(.malformed) }
        scanner.skipSpace()
        guard scanner.skip(">") else { throw failure(.malformed) }
    }

    /// Skips white space, comments, processing instructions, and a document type without an internal subset.
    private mutating func skipMisc() throws {
        repeat {
            guard scanner.skipMisc() else { throw failure(.malformed) }
            guard scanner.skip("<!DOCTYPE") else { return }
        } while scanner.skipDocumentType(allowsSubset: false)
        throw failure(.malformed)
    }

    private mutating func text(of tag: Tag) throws -> String {
        guard !tag.isEmpty else { return "" }
        var text: [UInt8] = []
        while let byte = scanner.next {
            if scanner.skip("<!--") {
                guard scanner.skip(through: "-->") else { break }
            } else if scanner.skip("<![CDATA[") {
                try appendCharacterData(to: &text)
            } else if byte == UInt8(ascii: "<") {
                try endTag(tag.name)
                return String(decoding: text, as: UTF8.self)
            } else if byte == UInt8(ascii: "&") {
                text += try reference()
            } else {
                text.append(byte)
                _ = scanner.advance()
            }
        }
        throw failure(.malformed)
    }

    private mutating func appendCharacterData(to text: inout [UInt8]) throws {
        while !scanner.skip("]]>") {
            guard let byte = scanner.advance() else { throw failure(.malformed) }
            text.append(byte)
        }
    }

    private mutating func reference() throws -> [UInt8] {
        guard scanner.skip("&"), let name = scanner.name(), scanner.skip(";"),
            let character = XMLPropertyListText.reference(name)
        else { throw failure(.malformed) }
        return Array(String(character).utf8)
    }

    private mutating func parsed<Value>(_ tag: Tag, _ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(XMLPropertyListText.trimmed(try text(of: tag))) else { throw failure(.malformed) }
        return value
    }

    private func failure(_ reason: PropertyList.Failure.Reason) -> PropertyList.Failure {
        PropertyList.Failure(reason: reason, offset: scanner.offset)
    }
}
