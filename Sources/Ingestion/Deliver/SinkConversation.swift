internal import SinkKit
internal import Subprocess

/// The host's side of the sink protocol with one running process: one request at a time, and its answer.
struct SinkConversation {
    typealias Process = Execution<CustomWriteInput, SequenceOutput, SequenceOutput>

    private let process: Process
    private let watchdog: Watchdog
    private let limits: SinkManifest.Limits?
    private var output: SubprocessOutputSequence.Iterator
    private var lines = LineBuffer()

    init(_ process: Process, watchdog: Watchdog, limits: SinkManifest.Limits?) {
        self.process = process
        self.watchdog = watchdog
        self.limits = limits
        output = process.standardOutput.makeAsyncIterator()
    }

    /// Greets the sink and configures it.
    mutating func open(_ manifest: SinkManifest) async throws {
        await watchdog.allow(.seconds(limits?.startupSeconds ?? 10), for: "ready")
        try await send(.hello(.init(protocol: SinkProtocol.version, host: "sluice/\(Release.version)")))
        guard case .hello(let hello) = try await next() else {
            throw SinkFault.misbehaved("its first line is not hello")
        }
        guard hello.protocol == SinkProtocol.version, hello.id == manifest.id else {
            throw SinkFault.misbehaved(
                "it says that it is \(hello.id) with protocol \(hello.protocol), its manifest says \(manifest.id) with "
                    + "\(manifest.protocol)")
        }
        try await send(.configure(.init(config: [:])))
        guard case .ready = try await next() else { throw SinkFault.misbehaved("it answers configure without ready") }
        await watchdog.rest()
    }

    /// Hands over a delivery and waits for its ending, `done` or `fail`.
    mutating func deliver(_ delivery: Delivery) async throws -> SinkMessage {
        let stall = Duration.seconds(limits?.stallSeconds ?? 60)
        let end = ContinuousClock.now + .seconds(limits?.totalSeconds ?? 600)
        await watchdog.allow(min(stall, end - .now), for: "answer to a delivery")
        do {
            try await send(.deliver(delivery))
        } catch let error as SinkProtocol.LineTooLong {
            await watchdog.rest()
            return .fail(.init(id: delivery.id, class: .permanent, why: Self.words(error, delivery)))
        }
        while true {
            let message = try await next()
            switch message {
            case .progress(let progress) where progress.id == delivery.id:
                await watchdog.allow(min(stall, end - .now), for: "end of a delivery")
            case .done(let done) where done.id == delivery.id:
                await watchdog.rest()
                return message
            case .fail(let failure) where failure.id == delivery.id:
                await watchdog.rest()
                return message
            default:
                throw SinkFault.misbehaved("it answers something else than the delivery that was asked")
            }
        }
    }

    private static func words(_ error: SinkProtocol.LineTooLong, _ delivery: Delivery) -> String {
        "its \(delivery.parts.count) parts take \(error.bytes) bytes to describe, and a line of the sink protocol holds "
            + "\(SinkProtocol.maximumLineBytes); share them in smaller groups"
    }

    /// Lets the sink end by itself.
    mutating func close() async throws {
        await watchdog.allow(Watchdog.grace, for: "end after goodbye")
        try await send(.goodbye)
        try await process.standardInputWriter.finish()
        while try await output.next() != nil {}
    }

    private func send(_ message: HostMessage) async throws {
        let line = try SinkProtocol.line(message)
        do {
            _ = try await process.standardInputWriter.write(line)
        } catch {
            throw try await fault(.died)
        }
    }

    private mutating func next() async throws -> SinkMessage {
        while true {
            do {
                if let line = try lines.next() { return try SinkProtocol.message(SinkMessage.self, from: line) }
            } catch {
                throw SinkFault.misbehaved("\(error)")
            }
            guard let buffer = try await output.next() else { throw try await fault(.died) }
            lines.append(buffer.withUnsafeBytes { Array($0) })
        }
    }

    /// A death by the watchdog's hand is the fault of the sink's slowness, one in a canceled run is nobody's.
    private func fault(_ fault: SinkFault) async throws -> SinkFault {
        try Task.checkCancellation()
        return await watchdog.verdict.map(SinkFault.tooSlow) ?? fault
    }
}
