/// The text of a document or of one of its parts: UTF-8, with line feeds, tabs and form feeds, but no other controls.
struct DocumentText {
    /// The largest length of a text, in bytes.
    static let textLimit = 16 << 20

    private(set) var bytes: [UInt8] = []
    private(set) var isCut = false

    /// Appends UTF-8. Line ends and other controls become spaces.
    mutating func append(_ text: some Sequence<UInt8>) {
        for byte in text {
            guard bytes.count < Self.textLimit else {
                isCut = true
                return
            }
            if byte & 0xE0 == 0x80, bytes.last == 0xC2 {
                // The two bytes of U+0080 to U+009F, which are controls too.
                bytes[bytes.count - 1] = 0x20
            } else {
                bytes.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte)
            }
        }
    }

    mutating func append(_ text: String) { append(text.utf8) }

    /// Appends a text with its own lines and pages.
    mutating func append(_ text: DocumentText) {
        let room = Self.textLimit - bytes.count
        bytes += text.bytes.prefix(room)
        isCut = isCut || text.isCut || text.bytes.count > room
    }

    /// Ends the line, unless it is empty. Spaces and tabs at its end go.
    mutating func endLine() { end(with: 0x0A) }

    /// Ends the page, unless it is empty.
    mutating func endPage() {
        endLine()
        if bytes.last == 0x0A { bytes.removeLast() }
        end(with: 0x0C)
    }

    mutating func tab() {
        if let last = bytes.last, last != 0x0A, last != 0x0C { bytes.append(0x09) }
    }

    /// Makes the end of a line in a table's cell a tab.
    mutating func endCell() {
        if bytes.last == 0x0A { bytes[bytes.count - 1] = 0x09 } else { tab() }
    }

    private mutating func end(with byte: UInt8) {
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        if let last = bytes.last, last != 0x0C, last != 0x0A || byte == 0x0C { bytes.append(byte) }
    }

    /// The text with one line feed at its end; `nil` if there is no word in it.
    var finished: String? {
        var end = bytes.endIndex
        // A cut may have hit the middle of a character.
        if isCut {
            while end > 0, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
            if end > 0, bytes[end - 1] >= 0xC0 { end -= 1 }
        }
        while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        guard text.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return nil }
        return text + "\n"
    }
}
