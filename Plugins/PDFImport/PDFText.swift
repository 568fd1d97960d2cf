import SinkKit
import SinkTools

/// The text of a document's pages.
struct PDFText {
    /// The processor time for the text of one document, in seconds. Later pages are left out.
    static let processorSeconds = 15
    /// The number of pages that are searched for pictures, if no page has a text.
    static let searchedPages = 20

    private(set) var text = ProductText()
    /// Whether pages were left out.
    private(set) var isCut = false

    /// Reads the pages in order. A page that poppler cannot load has no text.
    init(of document: PDFDocument, report: Report) throws {
        let time = ProcessorTime(seconds: Self.processorSeconds)
        for index in 0..<document.pageCount {
            guard !text.isCut, !time.isOver else {
                isCut = true
                return
            }
            if index > 0 { text.endNumberedPage() }
            if let page = document.page(index) {
                text.append(lines: page.text)
                // Poppler's text of a page is without them.
                page.forEachFieldValue { value in
                    text.endLine()
                    text.append(lines: value)
                    return !text.isCut && !time.isOver
                }
            }
            if index % 16 == 15 { try report.progress() }
        }
    }

    /// Writes the text, and marks a document as a scan that shows pictures instead of words.
    func write(in out: String, _ document: PDFDocument, _ findings: inout Findings) throws -> [Product] {
        let products = try text.write(in: out, &findings, without: "its pages have no words")
        if isCut { findings["text_cut"] = true }
        guard products.isEmpty else { return products }
        let pages = (0..<min(document.pageCount, Self.searchedPages)).lazy.compactMap { document.page($0) }
        if pages.contains(where: \.hasPictures) {
            findings["scan"] = true
            findings.set("no_text", "its pages are pictures: it is a scan")
        }
        return []
    }
}
