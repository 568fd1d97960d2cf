/// The encoding that a page, or the type of its content, states.
package enum StatedEncoding {
    /// The encoding in the first bytes of markup: that of `<meta charset=…>`, of `<meta content="…; charset=…">`, or of the
    /// declaration of XML.
    static func find(in head: ArraySlice<UInt8>) -> String? {
        let head = head.map(lowercased)
        var rest = head[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...].dropFirst()
            let word: StaticString
            if rest.starts(with: "meta".utf8), !isPartOfWord(rest.dropFirst(4).first) {
                word = "charset"
            } else if rest.starts(with: "?xml".utf8) {
                word = "encoding"
            } else {
                continue
            }
            if let value = value(of: word, in: rest.prefix { $0 != UInt8(ascii: ">") }) { return value }
        }
        return nil
    }

    /// The encoding in a content type, such as `text/html; charset=utf-8`.
    package static func find(inType type: String) -> String? {
        for parameter in type.utf8.map(lowercased).split(separator: UInt8(ascii: ";")).dropFirst() {
            let parameter = parameter.drop(while: isSpace)
            if parameter.starts(with: "charset".utf8), let value = value(of: "charset", in: parameter) { return value }
        }
        return nil
    }

    /// The name behind `word =`, with or without a quote before it. All is in lower case.
    private static func value(of word: StaticString, in text: ArraySlice<UInt8>) -> String? {
        let word = word.withUTF8Buffer { Array($0) }
        var last: UInt8?
        for start in text.indices {
            defer { last = text[start] }
            guard text[start] == word[0], !isPartOfWord(last), text[start...].starts(with: word) else { continue }
            var rest = text[start...].dropFirst(word.count).drop(while: isSpace)
            guard rest.popFirst() == UInt8(ascii: "=") else { continue }
            rest = rest.drop(while: isSpace)
            if rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'") {
                rest = rest.dropFirst().drop(while: isSpace)
            }
            let name = rest.prefix { isPartOfWord($0) || ".:-".utf8.contains($0) }
            if !name.isEmpty { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func isPartOfWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return 0x30...0x39 ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: "_")
    }
}
