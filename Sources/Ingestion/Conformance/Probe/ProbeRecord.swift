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

    /// The first thing that no session may bring.
    var fault: CheckFailure? {
        if hasLongLine {
            return CheckFailure(
                "it wrote a line of more than \(SinkProtocol.maximumLineBytes) bytes", of: .lineLength)
        }
        if let stray = strays.first {
            return CheckFailure("it wrote a line that is no message: \(stray)", of: .onlyMessages)
        }
        if let double = doubles.first {
            return CheckFailure("it answered the delivery '\(double)' more than once", of: .once)
        }
        if let stranger = strangers.first {
            return CheckFailure(
                "it answered a delivery '\(stranger)', which it was never given", of: .ownID)
        }
        return nil
    }
}
