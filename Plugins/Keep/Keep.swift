import SinkKit

/// Accepts every type that no other primary sink accepts. The container keeps the content anyway, so this sink only
/// answers.
@main struct Keep: Sink {
    static let id = "keep"
    static let maxInFlight = 32
    static let version = "0.1.0"

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        .delivered()
    }
}
