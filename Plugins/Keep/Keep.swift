import SinkKit

/// The catch-all: the container holds the content already, so that nothing is left to do but to say so.
@main struct Keep: Sink {
    static let id = "keep"
    static let maxInFlight = 32
    static let version = "0.1.0"

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        .delivered()
    }
}
