internal import Files
internal import ShareModel
package import SinkKit

/// The sink protocol with one running process, by messages, and the protocol's clocks. For one thread, which blocks.
final class SinkConnection {
    private let process: SinkProcess
    private let manifest: SinkManifest
    private let limits: SinkManifest.Limits
    private let stop: StopFlag
    private let redactor: Redactor
    /// For how long the sink has had something to do.
    private(set) var busyTime = Duration.zero
    private var lastLine = ContinuousClock.now

    /// How often a wait is interrupted, for the stop flag and for the caller's own clocks.
    private static let interval = Duration.milliseconds(200)

    /// - Parameter redactor: keeps the sink's secrets out of the words about its lines.
    init(_ process: SinkProcess, to sink: InstalledSink, stop: StopFlag, redactor: Redactor) {
        self.redactor = redactor
        self.process = process
        manifest = sink.manifest
        limits = sink.limits
        self.stop = stop
    }

    /// Greets the sink and configures it.
    ///
    /// - Returns: the sink's greeting.
    func open(_ configuration: HostMessage.Configuration) throws -> SinkMessage.SinkHello {
        let limit = limits.startup
        let deadline = ContinuousClock.now + limit
        try send(.hello(.ours))
        guard case .hello(let hello) = try next(until: deadline, limit) else {
            throw SinkFault.misbehaved("its first line is not hello")
        }
        try check(hello)
        try send(.configure(configuration))
        guard case .ready = try next(until: deadline, limit) else {
            throw SinkFault.misbehaved("it answers configure without ready")
        }
        return hello
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

    /// Hands over a delivery.
    ///
    /// - Parameter isFirst: whether nothing else is in flight, so that the clocks start.
    /// - Throws: `SinkProtocol.LineTooLong` if the delivery does not fit into one line.
    func hand(_ delivery: Delivery, isFirst: Bool) throws {
        let line = try SinkProtocol.line(HostMessage.deliver(delivery))
        if isFirst { lastLine = .now }
        process.send(line)
    }

    /// Queries whether an earlier attempt has arrived.
    func query(_ check: HostMessage.Check, isFirst: Bool) throws {
        if isFirst { lastLine = .now }
        try send(.check(check))
    }

    /// The next message about a delivery in flight; `nil` if none came for a short while.
    ///
    /// - Parameter since: when the sink could begin with its oldest delivery, after it had answered those before it.
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
            if now > lastLine + limits.stall { throw SinkFault.tooSlow(Self.words("line", limits.stall)) }
            if now > since + limits.total { throw SinkFault.tooSlow(Self.words("answer", limits.total)) }
            return message
        }
    }

    /// Throws a fault if the sink has written something, or has ended, while it had nothing to do.
    func checkSilence() throws {
        if try receive(until: .now) != nil { throw SinkFault.misbehaved("it speaks though it has nothing to answer") }
    }

    /// Takes deliveries back. Their answers may still come, within the time of `SinkProcess.grace`.
    func cancel(_ ids: some Sequence<String>) throws {
        for id in ids { try send(.cancel(.init(id: id))) }
    }

    /// One message, without a look at the clocks; `nil` if none came for a short while.
    func receive() throws -> SinkMessage? { try receive(until: .now + Self.interval) }

    private func receive(until deadline: ContinuousClock.Instant) throws -> SinkMessage? {
        switch process.next(until: deadline) {
        case .line(let line): return try message(line)
        case .tooLong(let why): throw SinkFault.misbehaved(why)
        case .ended: throw SinkFault.died
        case .nothing: return nil
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
        } catch {
            throw SinkFault.misbehaved("\(error)")
        }
    }

    /// Says goodbye, and ends a sink that does not end by itself within `SinkProcess.grace`.
    func close() {
        try? send(.goodbye)
        process.closeInput()
        if !process.waitForEndOfOutput(until: .now + SinkProcess.grace) { process.terminate() }
    }

    private func next(until deadline: ContinuousClock.Instant, _ limit: Duration) throws -> SinkMessage {
        while true {
            if let message = try receive() { return message }
            if stop.isSet { throw SinkFault.stopped }
            if ContinuousClock.now > deadline { throw SinkFault.tooSlow(Self.words("ready", limit)) }
        }
    }

    private func send(_ message: HostMessage) throws {
        do { process.send(try SinkProtocol.line(message)) } catch {
            throw SinkFault.misbehaved("the host's message cannot be written: \(error)")
        }
    }

    private static func words(_ what: String, _ limit: Duration) -> String {
        "no \(what) within \(limit.components.seconds) seconds"
    }
}

extension SinkManifest.Limits {
    /// How long a sink has from its start to `ready`: 10 s by default.
    package var startup: Duration { startupSeconds.map(Duration.seconds) ?? .seconds(10) }
    /// How long a sink may be silent while it has something to do: 60 s by default.
    package var stall: Duration { stallSeconds.map(Duration.seconds) ?? .seconds(60) }
    /// How long a delivery may take after the sink has answered those before it: 600 s by default.
    package var total: Duration { totalSeconds.map(Duration.seconds) ?? .seconds(600) }
}
