internal import Files
internal import ShareModel
package import SinkKit
internal import SystemPackage

/// The messages of the sink protocol with one running process, and the clocks of the protocol. Its calls block, and
/// only one thread may make them.
final class SinkConnection {
    private let process: SinkProcess
    private let manifest: SinkManifest
    private let limits: SinkManifest.Limits
    private let stop: StopFlag
    private let redactor: Redactor
    /// The time in which the sink had something to do.
    private(set) var busyTime = Duration.zero
    private var lastLine = ContinuousClock.now

    /// A wait ends after this time, so that the caller can look at the stop flag and at its own clocks.
    private static let interval = Duration.milliseconds(200)

    /// - Parameter redactor: keeps the sink's secrets out of messages that quote its lines.
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
            throw SinkFault.misbehaved("its answer to configure is not ready")
        }
        return hello
    }

    private func check(_ hello: SinkMessage.SinkHello) throws {
        guard hello.protocol == SinkProtocol.version, hello.id == manifest.id else {
            throw SinkFault.misbehaved(
                "its hello names \(hello.id.cut(toBytes: 100)) with protocol \(hello.protocol), but its manifest names "
                    + "\(manifest.id) with \(manifest.protocol)")
        }
        for (name, number) in [("max_in_flight", hello.maxInFlight), ("max_deliveries", hello.maxDeliveries)] {
            if let number, number < 1 { throw SinkFault.misbehaved("its \(name) is \(number); it must be 1 or more") }
        }
        if let missing = hello.requires?.first(where: { !HostMessage.HostHello.ourFeatures.contains($0) }) {
            throw SinkFault.misbehaved(
                "it requires the feature '\(missing.rawValue)', which this program does not have; a newer one may")
        }
    }

    /// Sends a delivery.
    ///
    /// - Parameter isFirst: whether nothing else is in flight. Then the clocks start.
    /// - Throws: `LineTooLong` if the delivery does not fit into one line.
    func hand(_ delivery: Delivery, isFirst: Bool) throws {
        let line = try SinkProtocol.line(HostMessage.deliver(delivery))
        if isFirst { lastLine = .now }
        process.send(line)
    }

    /// Asks the sink whether it already has a delivery from an earlier attempt.
    func query(_ check: HostMessage.Check, isFirst: Bool) throws {
        if isFirst { lastLine = .now }
        try send(.check(check))
    }

    /// The time since the sink's last line, or since it got a delivery.
    var silence: Duration { lastLine.duration(to: .now) }

    /// The next message about a delivery in flight; `nil` if none came for a short while.
    ///
    /// - Parameters:
    ///   - since: the earliest time at which the sink can have begun with its oldest delivery.
    ///   - waitsForHost: whether the host has to answer a request. Then the sink may be silent.
    func next(oldestSince since: ContinuousClock.Instant, waitsForHost: Bool = false) throws -> SinkMessage? {
        if stop.isSet { throw SinkFault.stopped }
        let message = try receive()
        let now = ContinuousClock.now
        if message != nil { busyTime += lastLine.duration(to: now) }
        if message != nil || waitsForHost { lastLine = now }
        switch message {
        // An answer that has arrived counts, even if a clock ran out meanwhile.
        case .done, .fail, .checked: return message
        default:
            if now > lastLine + limits.stall { throw SinkFault.tooSlow(Self.words("line", limits.stall)) }
            if now > since + limits.total { throw SinkFault.tooSlow(Self.words("answer", limits.total)) }
            return message
        }
    }

    /// Answers a request. An answer that does not fit into a line becomes a failure.
    func answer(_ response: HostMessage.Response) throws {
        do { process.send(try SinkProtocol.line(HostMessage.response(response))) } catch is LineTooLong {
            let why = "the service's answer does not fit into a line of the sink protocol"
            try send(
                .response(.init(id: response.id, name: response.name, failure: .init(class: .permanent, why: why))))
        }
    }

    /// The bytes that the sink has not read.
    var unsentBytes: Int { process.unsentBytes }

    /// See `SinkProcess`.
    func listen(to bell: FileDescriptor?) { process.listen(to: bell) }

    /// Throws a fault if the sink wrote a line or ended while it had nothing to do.
    func checkSilence() throws {
        if try receive(until: .now) != nil { throw SinkFault.misbehaved("it wrote a message but has no delivery") }
    }

    /// Cancels deliveries. The sink may still answer them within `SinkProcess.grace`.
    func cancel(_ ids: some Sequence<String>) throws {
        for id in ids { try send(.cancel(.init(id: id))) }
    }

    /// The next message; `nil` if none came for a short while. It does not check the clocks.
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
            // Redacting comes before cutting, because a cut secret would not be recognized. A secret in JSON can take
            // hundreds of kilobytes.
            let text = redactor.redacted(String(decoding: line, as: UTF8.self))
            let beginning = text.utf8.count > 100 ? text.cut(toBytes: 100) + "…" : text
            throw SinkFault.misbehaved("it wrote a line that is not a message of the protocol: “\(beginning)”")
        } catch {
            throw SinkFault.misbehaved("\(error)")
        }
    }

    /// Sends goodbye, and ends the sink if it does not end by itself within `SinkProcess.grace`.
    func close() {
        try? send(.goodbye)
        // The end of the input means the same as goodbye, so it does not matter if a full pipe loses that.
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
    /// The time from the sink's start to `ready`: 10 s by default.
    package var startup: Duration { startupSeconds.map(Duration.seconds) ?? .seconds(10) }
    /// The time that a sink may be silent while it has something to do: 60 s by default.
    package var stall: Duration { stallSeconds.map(Duration.seconds) ?? .seconds(60) }
    /// The time for one delivery, from the sink's answer to the one before it: 600 s by default.
    package var total: Duration { totalSeconds.map(Duration.seconds) ?? .seconds(600) }
}
