import Glibc
import SinkKit

/// Answers one delivery, correctly or with the behavior that the arguments name.
struct Misdeed {
    let options: MockOptions
    let delivery: Delivery
    /// The number of this delivery in the process, from 1.
    let count: Int

    func answer() throws {
        try options.reach(.deliverReceived, count)
        let content = try delivery.parts.first?.path.map(MockFile.read) ?? []
        guard try isDue(content) else { return try done(content) }
        switch options.behavior {
        case .hang: while true { pause() }
        case .spin: while true {}
        case .ignoreSIGTERM where options.values.first == "hang": while true { pause() }
        case .die: Death.die(of: Int32(options.number(0) ?? Int(SIGKILL)))
        case .dieOnEmpty where content.isEmpty, .dieOnOddName where delivery.parts[0].name.contains("\n"):
            Death.die(of: SIGSEGV)
        case .dieLateOnEmpty where content.isEmpty:
            try done(content)
            Death.die(of: SIGSEGV)
        case .exit:
            Wire.log("I have had enough")
            exit(Int32(options.number(0) ?? 3))
        case .floodOutput: while true { Wire.write([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)) }
        case .longLine:
            Wire.write([UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20) + [UInt8(ascii: "\n")])
            try done(content)
        case .halfLine:
            Wire.write(#"{"done":{"id":"\#(delivery.id)","#.utf8)
            while true { pause() }
        case .floodErrors:
            for _ in 0..<64 { Wire.write([UInt8](repeating: UInt8(ascii: "e"), count: 1 << 16), to: STDERR_FILENO) }
            try done(content)
        case .garbage:
            Wire.write("now I look at \(delivery.id)\n".utf8)
            try done(content)
        case .floodLines: while true { Wire.write("still busy\n".utf8) }
        case .nonsense: Wire.write("{\"finished\":{}}\n".utf8)
        case .fail: try fail(content)
        case .declineWithoutWhy: try Wire.send(.done(.init(id: delivery.id, status: .declined)))
        default: try answerWrongly(content)
        }
    }

    private func answerWrongly(_ content: [UInt8]) throws {
        switch options.behavior {
        case .acknowledgeTwice:
            try done(content)
            try done(content)
        case .acknowledgeAnother: try Wire.send(.done(.init(id: "another", status: .delivered)))
        case .acknowledgeAndDie:
            try done(content)
            Death.die(of: SIGKILL)
        case .acknowledgeAndExit:
            try done(content)
            exit(0)
        case .extraAnswers:
            for number in 1...3 { try Wire.send(.done(.init(id: "extra-\(number)", status: .delivered))) }
            try done(content)
        case .request, .requestOrHang: try request()
        case .requestTwice:
            try request()
            try request()
        case .requestForAnother: try request(id: "another")
        case .requestFlood: for number in 1...1_000 { try request(name: "r\(number)") }
        case .requestAndAnswer:
            try request()
            try done(content)
        case .transfer, .transferAndFail, .transferForever, .transferAndAnswer, .transferAndDie: try transfer()
        case .fickle:
            try send(metadata: ["at": .integer(.random(in: 0..<(.max)))])
        case .fickleProcess: try send(metadata: ["process": .integer(Int64(getpid()))])
        case .grandchild:
            try Grandchild.start()
            if options.values.first == "die" { Death.die(of: SIGKILL) }
            try done(content)
        default:
            let trick = Trick(options: options, delivery: delivery)
            if try !trick.play() { try done(content) }
        }
    }

    private func request(id: String? = nil, name: String = "r") throws {
        let values = options.values
        var request = SinkMessage.Request(
            id: id ?? delivery.id, name: name, method: values.first ?? "GET",
            url: values.count > 1 ? values[1] : "https://127.0.0.1:9/")
        for value in values.dropFirst(2) {
            let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
            switch (parts[0], parts.count) {
            case ("account", 1): request.account = true
            case ("part", 1): request.body = .init(part: 0)
            case ("product", 2): request.body = .init(product: parts[1])
            case (_, 2): request.headers = (request.headers ?? [:]).merging([parts[0]: parts[1]]) { $1 }
            default: throw MockFailure("'\(value)' is no part of a request")
            }
        }
        try Wire.send(.request(request))
    }

    private func transfer() throws {
        if let end = delivery.transfer, options.behavior != .transferForever {
            if options.behavior == .transferAndFail {
                return try Wire.send(
                    .fail(.init(id: delivery.id, class: .transient, why: "it says \(end.status ?? 0)")))
            }
            if options.behavior == .transferAndDie, delivery.attempt < 4 { Death.die(of: SIGKILL) }
            var metadata: [String: JSONValue] = [
                "status": .integer(Int64(end.status ?? 0)), "attempt": .integer(Int64(delivery.attempt)),
            ]
            metadata["headers"] = end.headers.map { .object($0.mapValues(JSONValue.string)) }
            metadata["text"] = end.text.map(JSONValue.string)
            metadata["state"] = end.state
            metadata["url"] = end.url.map(JSONValue.string)
            metadata["failure"] = end.failure.map { .string($0.why) }
            if let file = end.file {
                metadata["type"] = .string(file.type)
                metadata["file"] = .string(String(decoding: try MockFile.read(file.path ?? ""), as: UTF8.self))
            }
            return try Wire.send(.done(.init(id: delivery.id, status: .delivered, metadata: .object(metadata))))
        }
        let values = options.values
        var transfer = SinkMessage.Transfer(
            id: delivery.id, method: values.first ?? "PUT", url: values.count > 1 ? values[1] : "/")
        for value in values.dropFirst(2) {
            let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
            switch (parts[0], parts.count) {
            case ("account", 1): transfer.account = true
            case ("part", 1): transfer.body = .init(part: 0)
            case ("product", 2):
                try MockFile.write("\(delivery.out)/\(parts[1])", "made by the mock".utf8)
                transfer.body = .init(product: parts[1])
            case ("resumable", 2): transfer.resumable = .init(rawValue: parts[1])
            case ("state", 2): transfer.state = .string(parts[1])
            case ("download", 1): transfer.download = true
            case (_, 2): transfer.headers = (transfer.headers ?? [:]).merging([parts[0]: parts[1]]) { $1 }
            default: throw MockFailure("'\(value)' is no part of a transfer")
            }
        }
        try Wire.send(.transfer(transfer))
        if options.behavior == .transferAndAnswer { try done([]) }
    }

    /// Whether the mock misbehaves at this delivery.
    private func isDue(_ content: [UInt8]) throws -> Bool {
        if let nth = options.nth, nth != count { return false }
        if let attempt = options.attempt, attempt != delivery.attempt { return false }
        if let word = options.word, !String(decoding: content, as: UTF8.self).contains(word) { return false }
        guard let once = options.once else { return true }
        if MockFile.exists(once) { return false }
        try MockFile.write(once, [])
        return true
    }

    /// Sends the correct answer, which depends only on the content.
    private func done(_ content: [UInt8]) throws {
        var products: [Product] = []
        if let keys = options.keys {
            try MockFile.write(keys, (delivery.key + "\n").utf8, mode: "a")
        } else if !delivery.out.isEmpty {
            try MockFile.write(delivery.out + "/reversed.bin", content.reversed())
            products = [Product(path: "reversed.bin", role: "reversed", type: "application/octet-stream")]
        }
        let text = String(decoding: content.prefix(20), as: UTF8.self)
        try send(
            .init(
                id: delivery.id, status: .delivered,
                metadata: ["bytes": .integer(Int64(content.count)), "text": .string(text)], products: products))
    }

    private func send(metadata: JSONValue) throws {
        try Wire.send(.done(.init(id: delivery.id, status: .delivered, metadata: metadata)))
    }

    private func send(_ done: SinkMessage.Done) throws {
        try options.reach(.acted, count)
        if options.stops(at: .progressSent, count) { try Wire.send(.progress(.init(id: delivery.id))) }
        try options.reach(.progressSent, count)
        let line = try SinkProtocol.line(SinkMessage.done(done))
        if options.stops(at: .halfAnswered, count) { Wire.write(line.prefix(line.count / 2)) }
        try options.reach(.halfAnswered, count)
        Wire.write(line)
        try options.reach(.answered, count)
    }

    private func fail(_ content: [UInt8]) throws {
        if let times = options.number(1), count > times { return try done(content) }
        // Written by hand, because the class may be invalid and a message could not hold it.
        let kind = options.values.first ?? "transient"
        let wait = options.number(2).map { #","retry_after_ms":\#($0)"# } ?? ""
        Wire.write(#"{"fail":{"id":"\#(delivery.id)","class":"\#(kind)","why":"as asked"\#(wait)}}"#.utf8)
        Wire.write("\n".utf8)
    }
}
