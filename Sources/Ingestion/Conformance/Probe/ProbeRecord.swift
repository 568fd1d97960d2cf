internal import SinkKit

/// What a session with a sink brought, and broke: everything besides the answers that were waited for.
struct ProbeRecord {
    /// Lines of standard output that are no message, shortened.
    var strays: [String] = []
    /// Deliveries that were answered once more.
    var doubles: [String] = []
    /// Answers to deliveries that were never handed over.
    var strangers: [String] = []
    /// The sink's process ended before it was told to.
    var earlyEnd = false
    /// A line was above the limit.
    var hasLongLine = false

    /// The first thing that no session may bring, in words.
    var fault: String? {
        if hasLongLine { return "it wrote a line of more than \(SinkProtocol.maximumLineBytes) bytes" }
        if let stray = strays.first { return "it wrote a line that is no message: \(stray)" }
        if let double = doubles.first { return "it answered the delivery '\(double)' more than once" }
        if let stranger = strangers.first { return "it answered a delivery '\(stranger)', which it was never given" }
        return nil
    }
}
