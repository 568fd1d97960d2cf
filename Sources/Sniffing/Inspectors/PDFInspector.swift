internal import Formats
internal import ShareModel

/// PDF with junk before its header: readers accept it within the first 1,024 bytes (PDF 1.7, implementation note 13).
///
/// The end has to agree, `startxref` or `%%EOF` in the last 1,024 bytes (note 18), and the junk must be text or
/// unknown: a signed wrapper or a mail that contains a PDF is not one.
struct PDFInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, .unknown]
    let concludes: Set<MediaType> = [.pdf]

    private static let window = 1024
    private static let header = Array("%PDF-".utf8)
    private static let ends = [Array("startxref".utf8), Array("%%EOF".utf8)]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let place = ByteSearch.first(Self.header, in: sample.start.prefix(Self.window)) else { return nil }
        let start = max(0, sample.content.size - Int64(Self.window))
        let tail = try sample.content.read(at: start, count: Self.window)
        guard Self.ends.contains(where: { ByteSearch.first($0, in: tail[...]) != nil }) else { return nil }
        return Finding(.pdf, Evidence("PDF", "header, and the end agrees", at: Int64(place)))
    }
}
