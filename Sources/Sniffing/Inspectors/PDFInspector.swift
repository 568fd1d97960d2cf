internal import Formats
internal import ShareModel

/// Recognizes a PDF after other bytes. Readers accept a header within the first 1,024 bytes (PDF 1.7, implementation
/// note 13).
///
/// The end must agree: `startxref` or `%%EOF` in the last 1,024 bytes (note 18). The bytes before the header must be
/// text or unknown, because a signed wrapper or a mail with a PDF inside is not a PDF. So this inspector comes last,
/// after libmagic. It also checks files that libmagic calls a PDF by the header alone.
struct PDFInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, .unknown, .pdf]
    let concludes: Set<MediaType> = [.pdf, .plainText, .unknown]
    let isLastResort = true

    private static let window = 1024
    private static let header = Array("%PDF-".utf8)

    func inspect(_ sample: Sample) throws -> Finding? {
        // The file starts like a PDF, so the signature table has decided already.
        if sample.start.has("%PDF-", at: 0), PDFHeader.isBeginning(sample.start) { return nil }
        guard let place = ByteSearch.first(Self.header, in: sample.start.prefix(Self.window)) else { return nil }
        if try PDFHeader.hasEnd(sample) {
            return Finding(.pdf, Evidence("PDF", "header, and the end agrees", at: Int64(place)))
        }
        // A damaged file still has objects. A file that only mentions a header, or contains another file's header, is
        // not a PDF.
        if place == 0, PDFHeader.hasObject(sample.start) { return nil }
        let isText = try sample.text() != nil
        let evidence = Evidence("PDF", "%PDF- without the end of a PDF", at: Int64(place))
        return Finding(isText ? .plainText : .unknown, evidence, isText ? .likely : .unknown)
    }
}
