import SinkKit
import SinkTools

/// Reads the text of a PDF's pages, its title, author, dates and outline, and draws a thumbnail of page one.
///
/// A PDF that cannot be read counts as delivered, because the container keeps the content anyway. In its metadata,
/// `encrypted` or `damaged` is true, and `problem` has poppler's message.
///
/// A malicious PDF may crash poppler, or keep it busy forever. ``limits`` then end the process, and the host counts a
/// crash.
@main struct PDFImport: Sink {
    static let id = "pdf-import"
    static let version = "0.2.0"
    /// Ordinary PDFs take tenths of a second and tens of megabytes. The text of one with thousands of pages takes longer;
    /// see ``PDFText/processorSeconds``.
    static let limits = ProcessLimits(processorSeconds: 25, memory: 1 << 30)

    mutating func configure(_ configuration: JSONValue) throws {
        try Self.limits.capMemory()
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let path = try delivery.contentFile(for: Self.id).path
        try Self.limits.allowMoreTime()
        switch try PDFDocument.open(path) {
        case .locked:
            return .delivered(metadata: [
                "encrypted": .bool(true), "damaged": .bool(false), "no_text": "the document needs a password",
            ])
        case .unreadable(let problem):
            var findings = Findings()
            findings["encrypted"] = .bool(false)
            findings.setDamaged(problem)
            return .delivered(metadata: findings.json)
        case .opened(let document):
            try report.progress()
            return try describe(document, out: delivery.out, report)
        }
    }

    private func describe(_ document: PDFDocument, out: String, _ report: Report) throws -> Settlement {
        var findings = document.findings
        findings["encrypted"] = .bool(document.isRestricted)
        guard let page = document.page(0) else {
            findings.setDamaged("the document has no page one")
            return .delivered(metadata: findings.json)
        }
        findings["damaged"] = .bool(false)
        let thumbnail = try draw(page, in: out, &findings)
        try report.progress()
        let text = try PDFText(of: document, report: report).write(in: out, document, &findings)
        return .delivered(metadata: findings.json, products: [thumbnail] + text)
    }

    private func draw(_ page: PDFPage, in out: String, _ findings: inout Findings) throws -> Product {
        let size = page.size
        if let size {
            findings["page_width"] = .number(rounded(size.width))
            findings["page_height"] = .number(rounded(size.height))
        }
        let thumbnail = size.flatMap { ThumbnailSize(of: $0) } ?? .square
        do {
            try page.render(thumbnail, to: out + "/thumbnail.png")
        } catch let error as DrawingError {
            findings.set(
                "problem", "page one cannot be drawn, so its thumbnail shows only where its words are: \(error.why)")
            do {
                try page.renderLayout(thumbnail, to: out + "/thumbnail.png")
            } catch let error as DrawingError {
                throw SinkFailure(.permanent, "the thumbnail cannot be drawn: \(error.why)")
            }
        }
        return Product(path: "thumbnail.png", role: "thumbnail", type: "image/png")
    }

    /// Rounds to a thousandth of a point, which is precise enough and hides the error of binary fractions.
    private func rounded(_ points: Double) -> Double {
        (points * 1000).rounded() / 1000
    }
}
