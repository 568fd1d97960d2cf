internal import SinkKit

/// A session of the suite with a sink's process: raw lines out, messages in, and a record of what the sink breaks.
final class ProbeSession {
    let probe: SinkProbe
    let folder: ProbeFolder
    let clocks: ProbeClocks
    private(set) var record = ProbeRecord()
    private var open: Set<String> = []
    private var answered: Set<String> = []

    init(_ probe: SinkProbe, in folder: ProbeFolder, clocks: ProbeClocks) {
        self.probe = probe
        self.folder = folder
        self.clocks = clocks
    }

    func send(_ message: HostMessage) throws {
        if case .deliver(let delivery) = message { open.insert(delivery.id) }
        probe.send(try SinkProtocol.line(message))
    }

    /// Sends lines as they are; `deliveries` are the ids of those that they hand over.
    func send(_ bytes: [UInt8], deliveries: [String] = []) {
        open.formUnion(deliveries)
        probe.send(bytes)
    }

    /// The answer to a delivery that is open; progress sets the clock back, at most until the total clock is up.
    ///
    /// - Returns: `done` or `fail`.
    func answer(to id: String) throws -> SinkMessage {
        let end = ContinuousClock.now + clocks.total
        while true {
            let message = try hear(by: min(end, .now + clocks.stall), "answered the delivery")
            if message.answeredDelivery == id { return message }
        }
    }

    /// The next message; answers to deliveries that are not open are put on record, as is what is no message.
    ///
    /// - Parameter deed: what the sink should have done, for the reason: `it has not DEED within …`.
    func hear(by deadline: ContinuousClock.Instant, _ deed: String) throws -> SinkMessage {
        let began = ContinuousClock.now
        while true {
            switch probe.next(until: deadline) {
            case .line(let line):
                guard let message = take(line) else { continue }
                return message
            case .tooLong:
                record.hasLongLine = true
                throw record.fault ?? CheckFailure("it wrote a line that is too long", of: .lineLength)
            case .ended:
                record.earlyEnd = true
                throw CheckFailure("it ended before it \(deed)\(words(of: probe.log))")
            case .silence:
                throw CheckFailure("it has not \(deed) within \(Self.words(deadline - began))\(words(of: probe.log))")
            }
        }
    }

    /// Hears everything until the sink ends; `false` where it does not in time.
    func hearTheEnd(by deadline: ContinuousClock.Instant) -> Bool {
        while true {
            switch probe.next(until: deadline) {
            case .line(let line): _ = take(line)
            case .tooLong:
                record.hasLongLine = true
                return probe.hasEnded(by: deadline)
            case .ended: return true
            case .silence: return false
            }
        }
    }

    private static let strayLimit = 100

    /// The message of a line, unless it is only for the record.
    private func take(_ line: [UInt8]) -> SinkMessage? {
        guard let message = try? SinkProtocol.message(SinkMessage.self, from: line) else {
            if record.strays.count < Self.strayLimit {
                record.strays.append("\u{201C}\(String(decoding: line.prefix(80), as: UTF8.self))\u{201D}")
            }
            return nil
        }
        guard let id = message.answeredDelivery else { return message }
        if open.remove(id) != nil {
            answered.insert(id)
            return message
        }
        if answered.contains(id) { record.doubles.append(id) } else { record.strangers.append(id) }
        return nil
    }

    private func words(of log: String) -> String { log.isEmpty ? "" : "; its log says: \(log.suffix(500))" }

    private static func words(_ duration: Duration) -> String {
        let milliseconds =
            duration.components.seconds * 1000
            + duration.components.attoseconds / 1_000_000_000_000_000
        return milliseconds < 9_950 ? "\(Double((milliseconds + 50) / 100) / 10) s" : "\((milliseconds + 500) / 1000) s"
    }
}

/// How long the suite waits for a sink.
struct ProbeClocks {
    let startup: Duration
    let stall: Duration
    let total: Duration
    let grace: Duration

    init(_ limits: SinkManifest.Limits, _ options: ConformanceOptions) {
        startup = options.startup ?? limits.startupSeconds.map(Duration.seconds) ?? SinkConversation.startupTime
        stall = options.stall ?? limits.stallSeconds.map(Duration.seconds) ?? SinkConversation.stallTime
        total = limits.totalSeconds.map(Duration.seconds) ?? SinkConversation.totalTime
        grace = options.grace
    }
}

extension SinkMessage {
    /// The delivery that it settles or gives up.
    var answeredDelivery: String? {
        switch self {
        case .done(let done): done.id
        case .fail(let failure): failure.id
        default: nil
        }
    }
}
