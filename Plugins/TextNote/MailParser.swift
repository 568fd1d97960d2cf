import CGMime
import Glibc
import Pages
import SinkKit
import SinkTools

/// Reads the mails of a file with GMime: one mail, a mailbox of many, or a saved page.
final class MailParser {
    /// The most messages of a mailbox that are read.
    static let maximumMessages = 20_000

    private let path: String
    private let kind: TextKind
    private let parser: UnsafeMutablePointer<GMimeParser>
    private let isMailbox: Bool
    private var isCut: Bool

    /// Prepares GMime, once in the process.
    static func start() { g_mime_init() }

    init(_ path: String, _ kind: TextKind) throws {
        self.path = path
        self.kind = kind
        let file = try MailFile(path)
        (isMailbox, isCut) = (file.isMailbox, file.isCut)
        // The stream owns the descriptor. GMime remembers where in it the bodies are, and reads none into memory.
        let stream = g_mime_stream_fs_new_with_bounds(file.descriptor, gint64(file.start), gint64(file.end))
        defer { g_object_unref(gpointer(stream)) }
        guard let parser = g_mime_parser_new_with_stream(stream) else {
            throw SinkFailure(.transient, "the parser of mails has no memory")
        }
        if isMailbox { g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX) }
        self.parser = parser
    }

    deinit {
        g_object_unref(gpointer(parser))
    }

    /// Reads the messages in their order.
    func read(_ time: ProcessorTime, _ report: Report) throws -> Note {
        var reader = MailReader(isWebArchive: kind == .webArchive, time)
        var previous: UnsafeMutablePointer<GMimeMessage>?
        defer { if let previous { g_object_unref(gpointer(previous)) } }
        while g_mime_parser_eos(parser) == 0 {
            guard let message = g_mime_parser_construct_message(parser, nil) else { break }
            // A second message shows that the first one is a part of a mailbox.
            if let first = previous { reader.add(first, isOne: false) }
            if let first = previous { g_object_unref(gpointer(first)) }
            previous = message
            isCut = isCut || reader.messages + 1 >= Self.maximumMessages || time.isOver
            if !isMailbox || isCut && reader.messages > 0 { break }
            if reader.messages % 64 == 63 { try report.progress() }
        }
        if let last = previous { reader.add(last, isOne: reader.messages == 0) }
        guard reader.hasContent else { return try TextFile(path, limit: TextFile.limit).note(.prose, time) }
        var note = reader.note
        note.isCut = note.isCut || isCut
        return note
    }
}
