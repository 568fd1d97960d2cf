import SinkKit

/// The catch-all: the container holds the content already, so that nothing is left to do but to say so.
@main struct PDFImport: Sink {
    static let id = "pdf-import"
    static let version = "0.1.0"

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        .delivered()
    }
}
