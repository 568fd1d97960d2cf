import Markup
import Pages
import SinkTools

/// Reads the text of the elements of XML, each on a line of its own.
final class XMLPage: MarkupHandler {
    private static let piece = 1 << 16
    /// The longest text of an element that becomes a finding, in bytes.
    private static let maximumValue = 8 * Findings.maximumTextLength

    private var note = Note()
    private var value: [UInt8] = []
    private var spaces = SpaceRuns()
    private var hidden = 0

    /// - Parameter isCut: whether the file is longer, so that its end cannot be whole.
    static func read(_ bytes: ArraySlice<UInt8>, isCut: Bool, _ time: ProcessorTime) -> Note {
        let handler = XMLPage()
        guard let parser = MarkupParser(handler) else { return handler.note }
        bytes.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: piece) {
                handler.note.isCut = handler.note.isCut || time.isOver
                if handler.note.isCut || handler.note.text.isCut { break }
                parser.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + piece, bytes.count)]))
            }
        }
        parser.finish()
        let isWhole = !isCut && !handler.note.isCut && !handler.note.text.isCut
        if let problem = parser.problem, isWhole || handler.note.text.isEmpty {
            handler.note.findings.setDamaged(problem)
        }
        return handler.note
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        if ["script", "style", "binary", "binary-data"].contains(name) { hidden += 1 }
        endLine()
    }

    func end(_ name: String) {
        if ["script", "style", "binary", "binary-data"].contains(name) { hidden = max(0, hidden - 1) }
        let text = String(decoding: value, as: UTF8.self).singleSpaced
        if !text.isEmpty {
            switch name {
            case "title", "book-title", "fn": note.complete("title", text)
            case "creator", "author", "initial-creator": note.complete("author", text)
            case "description", "desc", "summary", "subtitle": note.complete("description", text)
            case "date", "created", "creation-date", "published", "pubDate": note.complete("date", Dates.iso(text))
            case "updated", "modified": note.complete("modified", Dates.iso(text))
            case "language": note.complete("language", text)
            default: break
            }
        }
        endLine()
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard hidden == 0 else { return }
        value += bytes.prefix(max(0, Self.maximumValue - value.count))
        note.text.append(spaces.kept(bytes))
    }

    private func endLine() {
        note.text.endLine()
        value = []
        spaces.startLine()
    }
}
