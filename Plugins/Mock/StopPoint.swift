#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The boundaries of messages at which the mock can stop for ever, by the name that its arguments have.
enum StopPoint: String {
    case started
    case helloReceived = "hello-received"
    case helloSent = "hello-sent"
    case configureReceived = "configure-received"
    case readySent = "ready-sent"
    case deliverReceived = "deliver-received"
    /// The delivery is done, and nobody was told yet.
    case acted
    case progressSent = "progress-sent"
    /// Half of the line `done` is written.
    case halfAnswered = "half-answered"
    case answered
    case checkReceived = "check-received"
    case checkedSent = "checked-sent"
    case goodbyeReceived = "goodbye-received"
}

extension MockOptions {
    /// Whether the mock stops there.
    ///
    /// - Parameter count: which of the process' deliveries it is about.
    func stops(at point: StopPoint, _ count: Int? = nil) -> Bool {
        guard behavior == .stop, values.first == point.rawValue else { return false }
        return count == nil || nth == nil || nth == count
    }

    /// Says that this point is reached, and never returns, where the mock stops there.
    func reach(_ point: StopPoint, _ count: Int? = nil) throws {
        guard stops(at: point, count) else { return }
        if values.count > 1 { try MockFile.write(values[1], []) }
        while true { pause() }
    }
}
