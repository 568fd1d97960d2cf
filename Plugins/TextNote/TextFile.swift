import Glibc
import Pages
import SinkTools

/// The beginning of a file with a text.
struct TextFile {
    /// The most bytes of a text that are read.
    static let limit = 16 << 20

    /// The bytes up to the limit.
    let bytes: [UInt8]
    /// Whether the file is longer.
    let isCut: Bool

    init(_ path: String, limit: Int) throws {
        let descriptor = try openRegularFile(path)
        defer { close(descriptor) }
        (bytes, isCut) = try readBytes(of: descriptor, limit: limit)
    }

    /// What a reader of this kind finds.
    func note(_ kind: TextKind, _ time: ProcessorTime) -> Note {
        var note = Note()
        // The host also delivers formats in XML whose types do not say so.
        // And it delivers archives as XML, because it takes the type of their main part for theirs.
        if isXML && (kind == .xml || kind == .code && bytes.starts(with: "<?xml".utf8)) {
            note = XMLPage.read(bytes[...], isCut: isCut, time)
        } else if kind == .page {
            note = WebPage.read(bytes[...], stated: nil, time)
        } else {
            let decoded = Encodings.decode(bytes[...])
            guard !BinaryCheck.isBinary(decoded.text) else {
                note.reason = "its bytes are not text"
                return note
            }
            note = Self.note(kind, decoded.text)
            note.findings.set("encoding", decoded.notable)
        }
        note.isCut = note.isCut || isCut
        return note
    }

    /// Whether the first character that is no space opens a tag, in any encoding.
    private var isXML: Bool {
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
        return bytes.first { !marks.contains($0) } == UInt8(ascii: "<")
    }

    private static func note(_ kind: TextKind, _ text: String) -> Note {
        var note = Note()
        switch kind {
        case .calendar, .card: note = RecordReader.read(text, isCalendar: kind == .calendar)
        case .subtitles: note.text = Subtitles.text(of: text)
        case .json: note.text.append(lines: JSONText.unescaped(text))
        case .prose:
            note.text.append(lines: text)
            Headings.describe(text, &note)
        default: note.text.append(lines: text)
        }
        return note
    }
}

/// Tells text from other bytes.
enum BinaryCheck {
    /// The scalars that are looked at.
    static let examined = 65_536

    /// Whether more than one scalar in ten is a control character that texts do not have, or has no meaning.
    static func isBinary(_ text: String) -> Bool {
        var (all, strange) = (0, 0)
        for scalar in text.unicodeScalars.prefix(examined) {
            all += 1
            switch scalar.value {
            case 0...7, 0x0E...0x1A, 0x1C...0x1F, 0x7F...0x84, 0x86...0x9F, 0xFFFD: strange += 1
            default: break
            }
        }
        return strange * 10 > all
    }
}
