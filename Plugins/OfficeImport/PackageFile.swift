import CArchive
import Markup

/// A document that is a zip archive of parts. It is read as a stream: no part is ever in memory as a whole.
final class PackageFile {
    /// The first bytes of a zip archive.
    static let signature: [UInt8] = [0x50, 0x4B]
    /// The largest number of bytes that the parts of one document may have together.
    static let maximumBytes = 512 << 20
    /// The largest ratio of the parts to the file. Sheets of equal rows reach about 100.
    static let maximumRatio = 250
    /// The number of bytes that any document may have, whatever its ratio is.
    static let freeBytes = 32 << 20
    /// The largest number of parts that are looked at.
    static let maximumParts = 20_000

    private let path: String
    private var budget: Int
    /// Why parts were not read.
    private(set) var problem: String?

    init(_ path: String, size: Int) {
        self.path = path
        budget = min(Self.maximumBytes, max(Self.freeBytes, size.multipliedReportingOverflow(by: Self.maximumRatio).0))
    }

    /// Parses each part for which `handler` returns one. `finished` follows each part, with what was wrong with it.
    func read(
        _ handler: (String) -> (any MarkupHandler)?, html: Bool = false,
        finished: (String, any MarkupHandler, String?) -> Void
    ) {
        guard let archive = archive_read_new() else { return }
        defer { archive_read_free(archive) }
        archive_read_support_format_zip(archive)
        guard archive_read_open_filename(archive, path, 64 << 10) == ARCHIVE_OK else {
            problem = problem ?? "it is no zip archive"
            return
        }
        for _ in 0..<Self.maximumParts where budget > 0 {
            var entry: OpaquePointer?
            let status = archive_read_next_header(archive, &entry)
            if status == ARCHIVE_EOF { return }
            guard status >= ARCHIVE_WARN, let entry else {
                problem = problem ?? "its zip archive is damaged"
                return
            }
            guard let raw = archive_entry_pathname(entry) else { continue }
            let name = String(cString: raw)
            guard let handler = handler(name), let parser = MarkupParser(handler, html: html) else { continue }
            finished(name, handler, parse(archive, parser) ?? parser.problem)
        }
        if budget <= 0 { problem = "its parts are too large: it may be a zip bomb" }
    }

    private func parse(_ archive: OpaquePointer, _ parser: MarkupParser) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            while budget > 0 {
                let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
                if count < 0 { return "its bytes are damaged" }
                if count == 0 { break }
                budget -= count
                parser.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                if parser.problem != nil { return nil }
            }
            parser.finish()
            return nil
        }
    }
}
