internal import Glibc
internal import ShareModel
internal import SinkHost
internal import SinkKit

/// A session of the suite with a sink's process. It sends raw bytes, reads messages, and records the rules that the
/// sink breaks. Its calls block, and only one thread may make them.
final class ProbeSession {
    private let process: SinkProcess
    let folder: ProbeFolder
    let clocks: ProbeClocks
    private(set) var record = ProbeRecord()
    private var open: Set<String> = []
    /// The deliveries that a sink may hand over to a transfer.
    private var deliveries: [String: Delivery] = [:]
    /// Whether the hello of the sink has the feature `transfer`.
    private var hasRequests = false
    private var answered: Set<String> = []
    /// The answer to each request of the sink; the suite makes none.
    var respond: (SinkMessage.Request) -> HostMessage.Response = {
        HostMessage.Response(id: $0.id, name: $0.name, status: 200, headers: [:], text: "")
    }
    /// The status that the service has answered transfers with; the suite makes none.
    var transferStatus = 200
    private(set) var transfers = 0

    /// A sink may hand over several parts one after the other.
    private static let transferLimit = 100

    init(_ process: SinkProcess, in folder: ProbeFolder, clocks: ProbeClocks) {
        self.process = process
        self.folder = folder
        self.clocks = clocks
    }

    func send(_ message: HostMessage) throws {
        if case .deliver(let delivery) = message {
            open.insert(delivery.id)
            deliveries[delivery.id] = delivery
        }
        process.send(try SinkProtocol.line(message))
    }

    /// Sends lines unchanged. `deliveries` are the ids of the deliveries in them.
    func send(_ bytes: [UInt8], deliveries: [String] = []) {
        open.formUnion(deliveries)
        process.send(bytes)
    }

    /// Sends the rest, and then ends the sink's input.
    func closeInput() { process.closeInput(flushes: true) }

    func signal(_ number: Int32) { process.signal(number) }

    /// Lets the sink run for a moment. Returns earlier if the sink writes something.
    func yield(_ moment: Duration = .milliseconds(2)) { process.pump(until: .now + moment) }

    /// Ends the sink at once, with every process that it started.
    func kill() { process.signal(SIGQUIT) }

    /// Waits for the answer to an open delivery. Each message of the sink restarts the stall clock, but not the total
    /// clock.
    ///
    /// - Returns: `done` or `fail`.
    func answer(to id: String) throws -> SinkMessage {
        let end = ContinuousClock.now + clocks.total
        let deed = "answered the delivery"
        while true {
            let message = try hear(by: min(end, .now + clocks.stall), deed)
            if message.answeredDelivery == id { return message }
            if end <= .now { throw late(deed, clocks.total) }
        }
    }

    /// The next message. Answers to deliveries that are not open, and lines that are no message, only go to the record.
    ///
    /// - Parameter deed: the expected action, for the reason: `it has not DEED within …`.
    func hear(by deadline: ContinuousClock.Instant, _ deed: String) throws -> SinkMessage {
        let began = ContinuousClock.now
        while true {
            switch process.next(until: deadline) {
            case .line(let line):
                if let message = take(line) { return message }
                // `next` returns waiting lines even after the deadline, and a sink may write lines without end.
                if deadline <= .now { throw late(deed, deadline - began) }
            case .tooLong:
                record.hasLongLine = true
                throw record.fault ?? CheckFailure("it wrote a line that is too long", of: .lineLength)
            // A sink may close its output and go on. Only the end of the process is an early end.
            case .ended where process.waitForEnd(until: deadline):
                record.earlyEnd = true
                throw CheckFailure("it ended before it \(deed)\(logWords)")
            case .ended, .nothing:
                throw late(deed, deadline - began)
            }
        }
    }

    /// Reads everything until the sink ends. Returns `false` if it does not end in time.
    func hearTheEnd(by deadline: ContinuousClock.Instant) -> Bool {
        while true {
            switch process.next(until: deadline) {
            case .line(let line):
                _ = take(line)
                if deadline <= .now { return false }
            case .tooLong:
                record.hasLongLine = true
                return process.waitForEnd(until: deadline)
            case .ended: return process.waitForEnd(until: deadline)
            case .nothing: return false
            }
        }
    }

    // A sink may write any number of such lines, and a check reports only the first.
    private static let strayLimit = 100

    /// The message of a line; `nil` if it only goes to the record.
    private func take(_ line: ArraySlice<UInt8>) -> SinkMessage? {
        guard let message = try? SinkProtocol.message(SinkMessage.self, from: line) else {
            if record.strays.count < Self.strayLimit {
                record.strays.append("\u{201C}\(String(decoding: line.prefix(80), as: UTF8.self))\u{201D}")
            }
            return nil
        }
        if case .hello(let hello) = message { hasRequests = hello.features?.contains(.transfer) ?? false }
        if case .request(let request) = message { return take(request) ? message : nil }
        if case .transfer(let transfer) = message, let fault = fault(of: transfer) {
            record.requestFault = record.requestFault ?? fault
            return nil
        }
        if case .transfer(let transfer) = message, concludes(transfer) { return nil }
        guard let id = message.answeredDelivery else { return message }
        if open.remove(id) != nil {
            answered.insert(id)
            return message
        }
        if answered.contains(id) {
            if record.doubles.count < Self.strayLimit { record.doubles.append(id) }
        } else if record.strangers.count < Self.strayLimit {
            record.strangers.append(id)
        }
        return nil
    }

    /// What is wrong with a request; `nil` if nothing is.
    private func fault(_ method: String, _ headers: [String: String]?) -> String? {
        let headers = (headers ?? [:]).map { HeaderField($0.key, $0.value) }
        guard hasRequests else { return "its hello does not have the feature transfer" }
        return RequestRules.fault(method: method) ?? RequestRules.fault(headers: headers)
    }

    private func fault(of transfer: SinkMessage.Transfer) -> String? {
        if transfer.download == true, transfer.method != "GET" || transfer.body != nil {
            return "a download is a request with the method GET and without a body"
        }
        return fault(transfer.method, transfer.headers)
    }

    /// Hands a delivery out again with the end of its transfer; `false` if the transfer counts as the answer.
    private func concludes(_ transfer: SinkMessage.Transfer) -> Bool {
        guard open.contains(transfer.id), var delivery = deliveries[transfer.id], transfers < Self.transferLimit else {
            return false
        }
        transfers += 1
        delivery.attempt += 1
        delivery.transfer = .init(state: transfer.state, status: transferStatus, headers: [:], text: "")
        if transfer.download == true, 200..<300 ~= transferStatus, let part = delivery.parts.first {
            // The service sends back what the delivery has.
            delivery.transfer?.text = nil
            delivery.transfer?.file = .init(path: part.path, type: part.type, size: part.size, sha256: part.sha256)
        }
        guard let line = try? SinkProtocol.line(HostMessage.deliver(delivery)) else { return false }
        process.send(line)
        return true
    }

    /// Answers a request; `false` if it only goes to the record.
    private func take(_ request: SinkMessage.Request) -> Bool {
        var fault = fault(request.method, request.headers)
        if !open.contains(request.id) { fault = "it is for '\(request.id)', a delivery that is not open" }
        if let fault {
            record.requestFault = record.requestFault ?? fault
            return false
        }
        // The line of a short answer always fits.
        if let line = try? SinkProtocol.line(HostMessage.response(respond(request))) { process.send(line) }
        return true
    }

    private func late(_ deed: String, _ time: Duration) -> CheckFailure {
        CheckFailure("it has not \(deed) within \(Self.words(time))\(logWords)")
    }

    private var logWords: String {
        let log = process.readLog()
        return log.isEmpty ? "" : "; its log says: \(log.suffix(500))"
    }

    private static func words(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        return milliseconds < 9_950 ? "\(Double((milliseconds + 50) / 100) / 10) s" : "\((milliseconds + 500) / 1000) s"
    }
}

/// The rules of the protocol that a sink broke in a session.
struct ProbeRecord {
    /// Lines of standard output that are not messages, shortened.
    var strays: [String] = []
    /// Deliveries that the sink answered again.
    var doubles: [String] = []
    /// Deliveries that the sink answered and never received.
    var strangers: [String] = []
    /// Whether the sink's process ended before the suite ended it.
    var earlyEnd = false
    /// Whether a line was above the limit.
    var hasLongLine = false
    /// What is wrong with a request of the sink.
    var requestFault: String?

    /// The first violation of a rule that holds in every session.
    var fault: CheckFailure? {
        if hasLongLine {
            return CheckFailure(
                "it wrote a line of more than \(SinkProtocol.maximumLineBytes) bytes", of: .lineLength)
        }
        if let stray = strays.first {
            return CheckFailure("it wrote a line that is not a message: \(stray)", of: .onlyMessages)
        }
        if let double = doubles.first {
            return CheckFailure("it answered the delivery '\(double)' more than once", of: .once)
        }
        if let stranger = strangers.first {
            return CheckFailure(
                "it answered a delivery '\(stranger)', which it never received", of: .ownID)
        }
        if let requestFault { return CheckFailure("its request cannot be made: \(requestFault)", of: .requestForm) }
        return nil
    }
}

/// How a process of a sink ended.
struct ProbeEnd {
    let ending: ProcessEnding
    /// The number of its processes that still ran after it.
    let left: Int
}

/// The times that the suite waits for a sink.
struct ProbeClocks {
    let startup: Duration
    let stall: Duration
    let total: Duration
    let grace: Duration

    init(_ limits: SinkManifest.Limits, _ options: ConformanceOptions) {
        startup = options.startup ?? limits.startup
        stall = options.stall ?? limits.stall
        total = limits.total
        grace = options.grace
    }
}

extension SinkMessage {
    /// The delivery that this message answers; `nil` if it is neither `done`, `fail` nor `transfer`.
    var answeredDelivery: String? {
        switch self {
        case .done(let done): done.id
        case .fail(let failure): failure.id
        case .transfer(let transfer): transfer.id
        default: nil
        }
    }
}
