import Glibc

/// The points of a session at which the mock can stop forever. The raw values are the names on the command line.
enum StopPoint: String {
    case started
    case helloReceived = "hello-received"
    case helloSent = "hello-sent"
    case configureReceived = "configure-received"
    case readySent = "ready-sent"
    case deliverReceived = "deliver-received"
    /// The delivery is finished, but the host does not know yet.
    case acted
    case progressSent = "progress-sent"
    /// The first half of the line `done` is written.
    case halfAnswered = "half-answered"
    case answered
    case checkReceived = "check-received"
    case checkedSent = "checked-sent"
    case goodbyeReceived = "goodbye-received"
}

extension MockOptions {
    /// Whether the mock stops at this point.
    ///
    /// - Parameter count: the number of the delivery in the process.
    func stops(at point: StopPoint, _ count: Int? = nil) -> Bool {
        guard behavior == .stop, values.first == point.rawValue else { return false }
        return count == nil || nth == nil || nth == count
    }

    /// Creates the file of the stop point and waits forever, if the mock stops at this point.
    func reach(_ point: StopPoint, _ count: Int? = nil) throws {
        guard stops(at: point, count) else { return }
        if values.count > 1 { try MockFile.write(values[1], []) }
        while true { pause() }
    }
}
