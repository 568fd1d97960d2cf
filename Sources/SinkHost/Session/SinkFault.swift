package import ShareModel

/// The reason for which a session ended before its goodbye.
package enum SinkFault: Error, Sendable {
    /// The sink closed its output: it ended or was killed.
    case died
    /// The sink broke the protocol, in words.
    case misbehaved(String)
    /// A clock ran out, in words. The host ends the sink.
    case tooSlow(String)
    /// The host did not start the sink because a setting or a secret is missing, in words.
    case obstructed(String)
    /// The host did not start the sink for a reason that ends by itself, in words.
    case delayed(String)
    /// The system could not start the sink, in words.
    case unready(String)
    /// The run was interrupted. Nothing is wrong with the sink.
    case stopped

    static func unasked(_ id: String) -> SinkFault {
        .misbehaved("it answers '\(id.cut(toBytes: 100))', a delivery that it does not have or has answered already")
    }

    /// Whether the sink may still read its input, so that a cancel can reach it.
    var leavesSinkAlive: Bool {
        switch self {
        case .tooSlow, .stopped: true
        case .died, .misbehaved, .unready, .delayed, .obstructed: false
        }
    }
}

/// How a session ended, and the deliveries that it left without an outcome.
package struct SessionEnd: Sendable {
    /// `nil` if the session came to its goodbye.
    package var fault: SinkFault?
    /// Whether the sink answered `ready`.
    package var isReady = false
    /// The number of deliveries that the sink received.
    package var handed = 0
    /// Deliveries that the sink received and did not answer, in that order.
    package var unanswered: [String] = []
    /// Deliveries that the sink gave up because the host canceled them.
    package var givenUp: [String] = []
    /// Deliveries that the host queried the sink about and did not send afterwards.
    package var untouched: [String] = []
    /// How the process ended; `nil` if there was none.
    package var ending: ProcessEnding?
    /// The time since the sink's last line, or since it got a delivery.
    package var silence = Duration.zero
    /// Whether the kernel ended the process because of its processor time, and the sink has spent much of it on its last delivery. The
    /// same work would need as much again.
    package var hasSpentItsTime = false
    /// The tail of the log, without the sink's secrets.
    package var log = ""
    /// The containment that the process had; `nil` if there was no process.
    package var containment: Containment?

    /// The fault in words for a person, without the sink's secrets.
    package private(set) var why = ""

    /// The end of a session without a process.
    init(fault: SinkFault? = nil) {
        self.fault = fault
        if fault != nil { state(Redactor([])) }
    }

    /// Sets ``why``. Call it last, because the words contain the ending and the log.
    mutating func state(_ redactor: Redactor) {
        let last = log.isEmpty ? "" : "; its last words: \(log)"
        let words =
            switch fault {
            case .died: "the sink \(ending?.cause ?? "did not start")\(last)"
            case .misbehaved(let why): "the sink broke the protocol: \(why)\(last)"
            case .tooSlow(let why): "the sink was stopped: \(why)\(last)"
            case .unready(let why), .delayed(let why), .obstructed(let why): why
            case .stopped: "the run was interrupted"
            case nil: ""
            }
        why = redactor.shortened(words)
    }
}
