internal import ShareModel

/// How a session with a sink ended before its time.
enum SinkFault: Error, Sendable {
    /// The sink closed its output: it ended or was killed.
    case died
    /// The sink broke the protocol, in words.
    case misbehaved(String)
    /// A clock ran out, in words; the sink is ended.
    case tooSlow(String)
    /// It was not started, for want of something that this program knows of: a setting, a secret; in words.
    case obstructed(String)
    /// It could not be started, in words.
    case unready(String)
    /// The run was interrupted; nothing is wrong with the sink.
    case stopped

    /// The sink answers what was not asked, or was answered before.
    static func unasked(_ id: String) -> SinkFault {
        .misbehaved("it answers '\(id.cut(toBytes: 100))', which it was not asked, or has answered")
    }

    /// Whether the sink may still listen.
    var leavesSinkAlive: Bool {
        switch self {
        case .tooSlow, .stopped: true
        case .died, .misbehaved, .unready, .obstructed: false
        }
    }

    /// The fault in words; `status` is how the process ended.
    func words(status: String, log: String) -> String {
        let last = log.isEmpty ? "" : "; its last words: \(log)"
        return switch self {
        case .died: "the sink \(status)\(last)"
        case .misbehaved(let why): "the sink broke the protocol: \(why)\(last)"
        case .tooSlow(let why): "the sink was stopped: \(why)\(last)"
        case .unready(let why), .obstructed(let why): why
        case .stopped: "the run was interrupted"
        }
    }
}
