import Glibc
import SinkKit

/// The mock's side of a session.
struct MockSession {
    private var options: MockOptions
    private var lines = LineBuffer(limit: SinkProtocol.maximumLineBytes)
    /// The open deliveries, in the order of arrival.
    private var open: [Delivery] = []
    private var arrived = 0
    private var answers = 0

    init(_ options: MockOptions) { self.options = options }

    private var behavior: Behavior { options.behavior }

    mutating func run() throws {
        try options.reach(.started)
        if behavior == .exitAtStart { exit(1) }
        if behavior == .garbageBeforeHello { Wire.write("Welcome to the mock!\n".utf8) }
        if behavior == .ignoreSIGTERM { signal(SIGTERM, SIG_IGN) }
        if behavior == .helloAndReadyAtOnce {
            Wire.write(try SinkProtocol.line(SinkMessage.hello(greeting)) + SinkProtocol.line(SinkMessage.ready))
        }
        while let chunk = Wire.read() {
            switch behavior {
            case .readIsLine: try takeWhole(chunk)
            case .readEndsLine where chunk.last != UInt8(ascii: "\n"): lines.append(chunk + [UInt8(ascii: "\n")])
            default: lines.append(chunk)
            }
            while let line = try lines.next() { try take(line) }
            // Once no more input waits, the mock answers the latest delivery first, because a host must accept any
            // order.
            if open.count >= options.inFlight || !Wire.hasMore { try answerAll() }
        }
        while behavior == .ignoreEndOfInput { pause() }
    }

    private mutating func takeWhole(_ chunk: [UInt8]) throws {
        guard chunk.last == UInt8(ascii: "\n"), !chunk.dropLast().contains(UInt8(ascii: "\n")) else {
            throw MockFailure("a read brought something else than one line")
        }
        lines.append(chunk)
    }

    private mutating func take(_ line: ArraySlice<UInt8>) throws {
        if let record = options.record { try MockFile.write(record, Array(line) + [UInt8(ascii: "\n")], mode: "a") }
        if behavior == .shortLines, line.count > 64 << 10 { throw MockFailure("a line of \(line.count) bytes") }
        if behavior == .refuseUnknownKeys, line.hasUnknownKey {
            throw MockFailure("an unknown key")
        }
        let message = try SinkProtocol.message(HostMessage.self, from: line)
        if behavior == .refuseUnknownDeliveryKeys, case .deliver = message, line.hasUnknownKey {
            throw MockFailure("an unknown key in a delivery")
        }
        switch message {
        case .hello(let hello): try greet(hello)
        case .configure(let configuration):
            options.secrets = (configuration.secrets ?? [:]).values.sorted()
            try getReady()
        case .deliver(let delivery): try take(delivery)
        case .check(let check): if behavior != .ignoreCheck { try answer(check) }
        case .cancel(let cancellation): try cancel(cancellation.id)
        case .response(let response): try take(response)
        case .goodbye: try sayGoodbye()
        }
    }

    private var greeting: SinkMessage.SinkHello {
        SinkMessage.SinkHello(
            protocol: behavior == .wrongVersion ? SinkProtocol.version + 1 : SinkProtocol.version,
            id: behavior == .wrongID ? options.values.first ?? "another" : options.id, version: "1",
            maxInFlight: options.inFlight, maxDeliveries: options.maxDeliveries,
            features: options.features.isEmpty ? nil : options.features)
    }

    private func greet(_ hello: HostMessage.HostHello) throws {
        try options.reach(.helloReceived)
        if hello.protocol != SinkProtocol.version, behavior != .ignoreVersion {
            throw MockFailure("the host speaks version \(hello.protocol)")
        }
        let missing = (hello.requires ?? []).filter { !options.features.contains($0) }
        if let feature = missing.first, behavior != .ignoreRequires {
            throw MockFailure("the host requires '\(feature.rawValue)'")
        }
        let known: [SinkProtocol.Feature] = [.check, .cancel, .transfer]
        if behavior == .refuseUnknownFeatures, hello.features?.allSatisfy(known.contains) == false {
            throw MockFailure("an unknown feature")
        }
        if behavior != .helloAndReadyAtOnce { try Wire.send(.hello(greeting)) }
        try options.reach(.helloSent)
    }

    private func getReady() throws {
        try options.reach(.configureReceived)
        while behavior == .neverReady { pause() }
        if behavior != .helloAndReadyAtOnce { try Wire.send(.ready) }
        try options.reach(.readySent)
    }

    private mutating func take(_ delivery: Delivery) throws {
        arrived += 1
        if behavior == .oneAtATime, !open.isEmpty { while true { pause() } }
        open.append(delivery)
    }

    /// Answers the delivery with what its request brought.
    private mutating func take(_ response: HostMessage.Response) throws {
        guard [.request, .requestTwice, .requestOrHang].contains(behavior) else { return }
        while behavior == .requestOrHang, response.failure != nil { pause() }
        var metadata: [String: JSONValue] = [:]
        metadata["status"] = response.status.map { .integer(Int64($0)) }
        metadata["headers"] = response.headers.map { .object($0.mapValues(JSONValue.string)) }
        metadata["text"] = response.text.map(JSONValue.string)
        metadata["base64"] = response.base64.map(JSONValue.string)
        metadata["class"] = response.failure.map { .string($0.class.rawValue) }
        metadata["why"] = response.failure.map { .string($0.why) }
        try Wire.send(.done(.init(id: response.id, status: .delivered, metadata: .object(metadata))))
    }

    private mutating func answerAll() throws {
        if behavior == .slow, arrived < options.number(0) ?? 1 { return }
        while let delivery = open.popLast() {
            try answer(delivery)
            if let limit = options.maxDeliveries, answers >= limit, behavior != .neverEnough { exit(0) }
        }
    }

    private mutating func answer(_ delivery: Delivery) throws {
        answers += 1
        try Misdeed(options: options, delivery: delivery, count: answers).answer()
    }

    private mutating func cancel(_ id: String) throws {
        guard let place = open.firstIndex(where: { $0.id == id }) else {
            if behavior == .dieOfStrayCancel { Death.die(of: SIGSEGV) }
            return
        }
        try Wire.send(.fail(.init(id: id, class: .transient, why: "the host canceled it")))
        let delivery = open.remove(at: place)
        // It must answer now, because the next message may be goodbye.
        if behavior == .answerAfterCancel { try answer(delivery) }
    }

    private func answer(_ check: HostMessage.Check) throws {
        try options.reach(.checkReceived)
        try Wire.send(.checked(.init(id: check.id, answer: try presence(of: check.key))))
        try options.reach(.checkedSent)
    }

    private func presence(of key: String) throws -> Presence {
        guard let keys = options.keys else { return .unknown }
        guard MockFile.exists(keys) else { return .absent }
        return try MockFile.read(keys).split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(key.utf8) }
            ? .present : .absent
    }

    private func sayGoodbye() throws {
        try options.reach(.goodbyeReceived)
        while behavior == .ignoreGoodbye { pause() }
        exit(behavior == .failAtGoodbye ? 4 : 0)
    }
}

extension ArraySlice<UInt8> {
    /// Whether the line has a key that the conformance suite made up.
    fileprivate var hasUnknownKey: Bool { String(decoding: self, as: UTF8.self).contains("\"x_conformance\"") }
}
