internal import Formats
internal import ShareModel

/// PDF with junk before its header: readers accept it within the first 1,024 bytes (PDF 1.7, implementation note 13).
///
/// The end has to agree, `startxref` or `%%EOF` in the last 1,024 bytes (note 18), and the junk must be text or
/// unknown: a signed wrapper or a mail that contains a PDF is not one. So it is asked when all others, libmagic too,
/// have nothing better to say; and what libmagic calls a PDF by a header alone has to pass the same test.
struct PDFInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, .unknown, .pdf]
    let concludes: Set<MediaType> = [.pdf, .plainText, .unknown]
    let isLastResort = true

    private static let window = 1024
    private static let header = Array("%PDF-".utf8)

    func inspect(_ sample: Sample) throws -> Finding? {
        if sample.start.has("%PDF-", at: 0), PDFHeader.isBeginning(sample.start) { return nil }
        guard let place = ByteSearch.first(Self.header, in: sample.start.prefix(Self.window)) else { return nil }
        if try PDFHeader.hasEnd(sample) {
            return Finding(.pdf, Evidence("PDF", "header, and the end agrees", at: Int64(place)))
        }
        // A damaged file still has objects; what only mentions a header, or carries another file's, is not one.
        if place == 0, PDFHeader.hasObject(sample.start) { return nil }
        let isText = try sample.text() != nil
        let evidence = Evidence("PDF", "no end of one behind %PDF-", at: Int64(place))
        return Finding(isText ? .plainText : .unknown, evidence, isText ? .likely : .unknown)
    }
}
