import SinkKit

/// Reads the number of pages, the title, the author and the page size of a PDF, and draws a thumbnail of page one.
///
/// A PDF that cannot be read counts as delivered, because the container keeps the content anyway. In its metadata,
/// `encrypted` or `damaged` is true, and `problem` has poppler's message.
///
/// A malicious PDF may crash poppler, or keep it busy forever. ``ProcessLimits`` then ends the process, and the host
/// counts a crash.
@main struct PDFImport: Sink {
    static let id = "pdf-import"
    static let version = "0.1.0"

    mutating func configure(_ configuration: JSONValue) throws {
        try ProcessLimits.capMemory()
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        guard let path = delivery.parts.first(where: { $0.role == .content })?.path else {
            throw SinkFailure(.permanent, "the delivery has no content with a path; pdf-import needs a file to read")
        }
        try ProcessLimits.allowMoreTime()
        switch try PDFDocument.open(path) {
        case .locked:
            return .delivered(metadata: ["encrypted": .bool(true), "damaged": .bool(false)])
        case .unreadable(let problem):
            return .delivered(metadata: [
                "encrypted": .bool(false), "damaged": .bool(true), "problem": .string(problem.capped()),
            ])
        case .opened(let document):
            try report.progress()
            return try describe(document, out: delivery.out)
        }
    }

    private func describe(_ document: PDFDocument, out: String) throws -> Settlement {
        var metadata = document.information
        metadata["encrypted"] = .bool(document.isRestricted)
        guard let page = document.firstPage else {
            metadata["damaged"] = .bool(true)
            metadata["problem"] = "the document has no page one"
            return .delivered(metadata: .object(metadata))
        }
        metadata["damaged"] = .bool(false)
        guard let size = page.size, let thumbnail = ThumbnailSize(of: size) else {
            metadata["no_thumbnail"] = "page one has no usable size"
            return .delivered(metadata: .object(metadata))
        }
        metadata["page_width"] = .number(rounded(size.width))
        metadata["page_height"] = .number(rounded(size.height))
        do {
            try page.render(size, as: thumbnail, to: out + "/thumbnail.png")
        } catch let error as DrawingError {
            metadata["no_thumbnail"] = .string("page one cannot be drawn: \(error.why)")
            return .delivered(metadata: .object(metadata))
        }
        return .delivered(
            metadata: .object(metadata),
            products: [Product(path: "thumbnail.png", role: "thumbnail", type: "image/png")])
    }

    /// Rounds to a thousandth of a point, which is precise enough and hides the error of binary fractions.
    private func rounded(_ points: Double) -> Double {
        (points * 1000).rounded() / 1000
    }
}
