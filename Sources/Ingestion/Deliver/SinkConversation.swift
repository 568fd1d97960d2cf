internal import ShareModel
internal import SinkKit

/// The host's side of the sink protocol with one running process, and its clocks. For one thread, which blocks.
final class SinkConversation {
    /// The sink's greeting; what it is before ``open(_:)`` nobody asks.
    private(set) var hello = SinkMessage.SinkHello(protocol: SinkProtocol.version, id: "", version: "")
    private let pipes: SinkPipes
    private let manifest: SinkManifest
    private let limits: SinkManifest.Limits
    private let stop: StopFlag
    private let redactor: Redactor
    /// For how long it has had something to do.
    private(set) var busyTime = Duration.zero
    private var lastLine = ContinuousClock.now

    /// How long a sink has from its start to `ready`, where its manifest does not say.
    static let startupTime = Duration.seconds(10)
    /// How long a sink may be silent while it has something to do.
    static let stallTime = Duration.seconds(60)
    /// How long a delivery may take, from when those that were handed over before it were answered.
    static let totalTime = Duration.seconds(600)
    /// What a sink has between a polite word and the next less polite one.
    static let grace = Duration.seconds(3)

    /// - Parameters:
    ///   - limits: the manifest's, or what the person has set in their place.
    ///   - redactor: keeps what the sink was told in confidence out of what is said of its lines.
    init(
        _ pipes: SinkPipes, sink manifest: SinkManifest, limits: SinkManifest.Limits, stop: StopFlag, redactor: Redactor
    ) {
        self.redactor = redactor
        self.pipes = pipes
        self.manifest = manifest
        self.limits = limits
        self.stop = stop
    }

    /// Greets the sink and configures it.
    func open(_ configuration: HostMessage.Configuration) throws {
        let limit = limits.startupSeconds.map(Duration.seconds) ?? Self.startupTime
        let deadline = ContinuousClock.now + limit
        try send(.hello(.ours))
        guard case .hello(let hello) = try next(until: deadline, limit) else {
            throw SinkFault.misbehaved("its first line is not hello")
        }
        try check(hello)
        self.hello = hello
        try send(.configure(configuration))
        guard case .ready = try next(until: deadline, limit) else {
            throw SinkFault.misbehaved("it answers configure without ready")
        }
    }

    private func check(_ hello: SinkMessage.SinkHello) throws {
        guard hello.protocol == SinkProtocol.version, hello.id == manifest.id else {
            throw SinkFault.misbehaved(
                "it says that it is \(hello.id.cut(toBytes: 100)) with protocol \(hello.protocol), its manifest says \(manifest.id) with "
                    + "\(manifest.protocol)")
        }
        for (name, number) in [("max_in_flight", hello.maxInFlight), ("max_deliveries", hello.maxDeliveries)] {
            if let number, number < 1 { throw SinkFault.misbehaved("its \(name) is \(number); it must be 1 or more") }
        }
        if let missing = hello.requires?.first(where: { !HostMessage.HostHello.ourFeatures.contains($0) }) {
            throw SinkFault.misbehaved(
                "it requires the feature '\(missing.rawValue)', which this program does not have; a newer one may")
        }
    }

    /// Hands over a delivery, with nothing else in flight where `isFirst`.
    ///
    /// - Throws: `SinkProtocol.LineTooLong` where the delivery cannot be said in one line.
    func hand(_ delivery: Delivery, isFirst: Bool) throws {
        let line = try SinkProtocol.line(HostMessage.deliver(delivery))
        if isFirst { startClocks() }
        pipes.send(line)
    }

    /// Asks whether an earlier attempt has arrived.
    func ask(_ check: HostMessage.Check, isFirst: Bool) throws {
        if isFirst { startClocks() }
        try send(.check(check))
    }

    private func startClocks() { lastLine = .now }

    /// The next message about what is in flight; `nil` where none came for a short while.
    ///
    /// - Parameter since: when the sink could begin with the delivery that it has had for longest: it was handed over, and
    ///   those before it were answered.
    func next(oldestSince since: ContinuousClock.Instant) throws -> SinkMessage? {
        if stop.isSet { throw SinkFault.stopped }
        let message = try receive()
        let now = ContinuousClock.now
        if message != nil {
            busyTime += lastLine.duration(to: now)
            lastLine = now
        }
        switch message {
        case .done, .fail, .checked: return message
        default:
            if now > lastLine + stall { throw SinkFault.tooSlow(Self.words("line", stall)) }
            if now > since + total { throw SinkFault.tooSlow(Self.words("answer", total)) }
            return message
        }
    }

    /// Holds the sink to having nothing to say while it has nothing to do; one that ended meanwhile is found out as well.
    func checkSilence() throws {
        pipes.look()
        if try receive(waits: false) != nil { throw SinkFault.misbehaved("it speaks though it has nothing to answer") }
    }

    private var stall: Duration { limits.stallSeconds.map(Duration.seconds) ?? Self.stallTime }
    private var total: Duration { limits.totalSeconds.map(Duration.seconds) ?? Self.totalTime }

    /// Takes deliveries back; their answers may still come, for the time of ``grace``.
    func cancel(_ ids: some Sequence<String>) throws {
        for id in ids { try send(.cancel(.init(id: id))) }
    }

    /// Whether the sink heeds a cancel.
    var canCancel: Bool { hello.features?.contains(.cancel) ?? false }

    /// Whether the sink answers a check.
    var canCheck: Bool { hello.features?.contains(.check) ?? false }

    /// One message, whatever the clocks say; `nil` where none came for a short while.
    func receive(waits: Bool = true) throws -> SinkMessage? {
        do {
            switch try pipes.next(waits: waits) {
            case .line(let line): return try message(line)
            case .end: throw SinkFault.died
            case .nothing: return nil
            }
        } catch let fault as SinkFault {
            throw fault
        } catch {
            throw SinkFault.misbehaved("\(error)")
        }
    }

    private func message(_ line: ArraySlice<UInt8>) throws -> SinkMessage {
        do {
            return try SinkProtocol.message(SinkMessage.self, from: line)
        } catch is DecodingError {
            // Redacted before it is cut, so that no part of a secret is left.
            let text = redactor.redacted(String(decoding: line.prefix(64 << 10), as: UTF8.self))
            let beginning = text.utf8.count > 100 ? text.cut(toBytes: 100) + "…" : text
            throw SinkFault.misbehaved("what it wrote is no message of the protocol: “\(beginning)”")
        }
    }

    /// Lets the sink end by itself.
    ///
    /// - Returns: whether it did so in time.
    func close() -> Bool {
        try? send(.goodbye)
        pipes.closeInput()
        return pipes.drain(until: .now + Self.grace)
    }

    private func next(until deadline: ContinuousClock.Instant, _ limit: Duration) throws -> SinkMessage {
        while true {
            if let message = try receive() { return message }
            if stop.isSet { throw SinkFault.stopped }
            if ContinuousClock.now > deadline { throw SinkFault.tooSlow(Self.words("ready", limit)) }
        }
    }

    private func send(_ message: HostMessage) throws {
        do { pipes.send(try SinkProtocol.line(message)) } catch {
            throw SinkFault.misbehaved("what it is to be told cannot be said: \(error)")
        }
    }

    private static func words(_ what: String, _ limit: Duration) -> String {
        "no \(what) within \(limit.components.seconds) seconds"
    }
}
