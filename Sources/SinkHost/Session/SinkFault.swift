package import ShareModel

/// How a session with a sink ended before its time.
package enum SinkFault: Error, Sendable {
    /// The sink closed its output: it ended or was killed.
    case died
    /// The sink broke the protocol, in words.
    case misbehaved(String)
    /// A clock ran out, in words. The host ends the sink.
    case tooSlow(String)
    /// The host did not start the sink because a setting or a secret is missing, in words.
    case obstructed(String)
    /// The system could not start the sink, in words.
    case unready(String)
    /// The run was interrupted. Nothing is wrong with the sink.
    case stopped

    /// The sink answers a delivery that it does not have, or has answered before.
    static func unasked(_ id: String) -> SinkFault {
        .misbehaved("it answers '\(id.cut(toBytes: 100))', which it was not asked, or has answered")
    }

    /// Whether the sink may still read its input.
    var leavesSinkAlive: Bool {
        switch self {
        case .tooSlow, .stopped: true
        case .died, .misbehaved, .unready, .obstructed: false
        }
    }
}

/// How a session ended, and what became of the deliveries without an outcome.
package struct SessionEnd: Sendable {
    /// Why the session ended before its time; `nil` if it came to its goodbye.
    package var fault: SinkFault?
    /// Whether the sink came as far as `ready`.
    package var isReady = false
    /// How many deliveries it was handed.
    package var handed = 0
    /// Deliveries that the sink had and did not answer, in the order in which it got them.
    package var unanswered: [String] = []
    /// Deliveries that the sink gave up because the host canceled them.
    package var givenUp: [String] = []
    /// Deliveries that the sink did not get, after it was queried about them.
    package var untouched: [String] = []
    /// How the process ended; `nil` if there was none.
    package var ending: ProcessEnding?
    /// The tail of the sink's log, without its secrets.
    package var log = ""
    /// What was between the process and everything else; `nil` if there was no process.
    package var containment: Containment?

    /// The fault in words for a person, without the sink's secrets.
    package private(set) var why = ""

    /// The end of a session without a process.
    init(fault: SinkFault? = nil) {
        self.fault = fault
        if fault != nil { state(Redactor([])) }
    }

    /// Puts the fault into words, when everything about the end is known.
    mutating func state(_ redactor: Redactor) {
        let last = log.isEmpty ? "" : "; its last words: \(log)"
        let words =
            switch fault {
            case .died: "the sink \(ending?.cause ?? "did not start")\(last)"
            case .misbehaved(let why): "the sink broke the protocol: \(why)\(last)"
            case .tooSlow(let why): "the sink was stopped: \(why)\(last)"
            case .unready(let why), .obstructed(let why): why
            case .stopped: "the run was interrupted"
            case nil: ""
            }
        why = redactor.shortened(words)
    }
}
