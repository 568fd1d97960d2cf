/// How a session with a sink ended before its time.
enum SinkFault: Error, Sendable {
    /// The sink closed its output: it ended or was killed.
    case died
    /// The sink broke the protocol, in words.
    case misbehaved(String)
    /// A clock ran out, in words; the sink was killed.
    case tooSlow(String)

    /// The fault in words; `status` is how the process ended.
    func words(status: String, log: String) -> String {
        let last = log.isEmpty ? "" : "; its last words: \(log)"
        return switch self {
        case .died: "the sink \(status)\(last)"
        case .misbehaved(let why): "the sink broke the protocol: \(why)\(last)"
        case .tooSlow(let why): "the sink was stopped: \(why)\(last)"
        }
    }
}
