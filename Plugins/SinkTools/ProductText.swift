internal import Glibc
public import SinkKit

/// The text of a content or of a part of it, for the product `text.txt`: UTF-8 with LF line ends, form feeds between
/// pages, and no other control characters than tabs.
public struct ProductText: Sendable {
    /// The largest length of a text, in bytes. A longer text is cut before a character.
    public static let limit = 16 << 20

    /// The same without the line feed at the end.
    private static let room = limit - 1

    /// The text up to now, without the last character if it was cut.
    private var bytes: [UInt8] = []
    /// Whether the text exceeded ``limit``. Further text is ignored.
    public private(set) var isCut = false

    /// An empty text.
    public init() {}

    /// Whether nothing was written yet.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Appends UTF-8 that belongs to one line: line ends and other control characters become spaces.
    public mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        let room = max(0, Self.room - bytes.count)
        isCut = isCut || text.count > room
        for byte in text.prefix(room) {
            put(byte < 0x20 || byte == 0x7F ? 0x20 : byte)
        }
    }

    /// Appends UTF-8 that belongs to one line, like the function above.
    public mutating func append(_ text: [UInt8]) { text.withUnsafeBufferPointer { append($0) } }

    /// Appends text that belongs to one line.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends text with its own lines, tabs and pages. All forms of line ends become LF.
    public mutating func append(lines text: String) {
        var text = text
        text.withUTF8 { text in
            let room = max(0, Self.room - bytes.count)
            isCut = isCut || text.count > room
            var previous: UInt8 = 0
            for byte in text.prefix(room) {
                switch byte {
                case 0x0D: put(0x0A)
                case 0x0A where previous == 0x0D: break
                case 0x09, 0x0A, 0x0C: put(byte)
                case 0..<0x20, 0x7F: put(0x20)
                default: put(byte)
                }
                previous = byte
            }
        }
    }

    /// Appends a text with its own lines and pages.
    public mutating func append(_ text: ProductText) {
        let room = max(0, Self.room - bytes.count)
        bytes += text.bytes.prefix(room)
        isCut = isCut || text.isCut || text.bytes.count > room
    }

    /// Ends the line, unless it is empty. Spaces and tabs at its end go.
    public mutating func endLine() { end(with: 0x0A) }

    /// Ends the page, unless it is empty.
    public mutating func endPage() {
        endLine()
        if bytes.last == 0x0A { bytes.removeLast() }
        end(with: 0x0C)
    }

    /// Ends the page, even if it is empty, so that the count of form feeds before a word is the number of its page.
    public mutating func endNumberedPage() {
        while let last = bytes.last, last == 0x20 || last == 0x09 || last == 0x0A { bytes.removeLast() }
        guard bytes.count < Self.room else {
            isCut = true
            return
        }
        bytes.append(0x0C)
    }

    /// Writes a tab, unless the line is empty.
    public mutating func tab() {
        if let last = bytes.last, last != 0x0A, last != 0x0C { bytes.append(0x09) }
    }

    /// Makes the end of a line in a table's cell a tab.
    public mutating func endCell() {
        if bytes.last == 0x0A { bytes[bytes.count - 1] = 0x09 } else { tab() }
    }

    private mutating func end(with byte: UInt8) {
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        if let last = bytes.last, last != 0x0C, last != 0x0A || byte == 0x0C { bytes.append(byte) }
    }

    private mutating func put(_ byte: UInt8) {
        if byte & 0xE0 == 0x80, bytes.last == 0xC2 {
            // The two bytes of U+0080 to U+009F, which are control characters too; U+0085 ends a line.
            bytes[bytes.count - 1] = byte == 0x85 ? 0x0A : 0x20
        } else {
            bytes.append(byte)
        }
    }

    /// The text with one line feed at its end; `nil` if there is no word in it.
    public var finished: String? {
        var end = bytes.endIndex
        // A cut may have hit the middle of a character.
        if isCut {
            while end > 0, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
            if end > 0, bytes[end - 1] >= 0xC0 { end -= 1 }
        }
        while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        guard text.unicodeScalars.contains(where: \.isOfWord) else { return nil }
        return text + "\n"
    }

    /// Writes the text into the folder `out`, and adds `text_cut` or `no_text` to the findings.
    ///
    /// - Parameter reason: why there is no text, for people.
    /// - Returns: the product; none if the text has no word.
    /// - Throws: `SinkFailure` if the file cannot be written.
    public func write(in out: String, _ findings: inout Findings, without reason: String) throws -> [Product] {
        guard var text = finished else {
            findings.set("no_text", reason)
            return []
        }
        if isCut { findings["text_cut"] = true }
        guard let file = fopen(out + "/text.txt", "wbxe") else { throw Self.failure() }
        let written = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, written == text.utf8.count else { throw Self.failure() }
        return [Product(path: "text.txt", role: "text", type: "text/plain")]
    }

    private static func failure() -> SinkFailure {
        SinkFailure(.transient, "the text cannot be written: \(reason(errno)); free some disk space")
    }
}
