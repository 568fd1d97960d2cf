import Pages
import SinkKit
import SinkTools

/// Finds the words, titles, names and dates of texts, web pages and mails.
///
/// A text that cannot be read counts as delivered, because the container keeps the content anyway. Its metadata then have
/// `damaged` or `no_text`, with the reason.
@main struct TextNote: Sink {
    static let id = "text-note"
    static let version = "0.1.0"
    /// A text of 16 MiB takes a second or two, and a few hundred megabytes.
    static let limits = ProcessLimits(processorSeconds: 20, memory: 1 << 30)
    /// The processor time after which the rest of a text is left out, in seconds.
    static let readingSeconds = 10

    mutating func configure(_ configuration: JSONValue) throws {
        try Self.limits.capMemory()
        MailParser.start()
        OutlookMessage.start()
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let (part, path) = try delivery.contentFile(for: Self.id)
        try Self.limits.allowMoreTime()
        let time = ProcessorTime(seconds: Self.readingSeconds)
        let note = try read(path, TextKind(type: part.type), time, report)
        var findings = note.findings
        let products = try note.text.write(
            in: delivery.out, &findings, without: note.reason ?? "there is no word in it")
        if note.isCut { findings["text_cut"] = products.isEmpty ? nil : true }
        return .delivered(metadata: findings.json, products: products)
    }

    private func read(_ path: String, _ kind: TextKind, _ time: ProcessorTime, _ report: Report) throws -> Note {
        switch kind {
        case .mail, .mailbox, .webArchive: return try MailParser(path, kind).read(time, report)
        case .outlook:
            guard let message = OutlookMessage(path) else {
                var note = Note(reason: "it is no compound file, or a large one")
                note.findings["damaged"] = true
                return note
            }
            return try message.note(time, report)
        default:
            let file = try TextFile(path, limit: TextFile.limit)
            try report.progress()
            return file.note(kind, time)
        }
    }
}
