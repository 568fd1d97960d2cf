import CSocket
import Files
import Glibc
import GroupChannel
import SystemPackage

/// Times the channel beside bare sockets. `Scripts/bench channel` calls it, and compares the figures.
///
///     channel-bench requests FOLDER COUNT       round trips a second of a client and a server, two processes
///     channel-bench echo FOLDER COUNT           the same lines between the ends of a socket pair, two processes
///     channel-bench bytes FOLDER COUNT          the same bytes there and back, without coding
///     channel-bench broadcast FOLDER LISTENERS  microseconds of one broadcast, and of as many bare writes
@main
enum ChannelBench {
    /// A request with the length of its text, so that its line has 200 bytes.
    struct Question: ChannelRequest {
        static let type = "question"
        var number: Int
        var text: String
        typealias Answer = Reply

        static let longest = String(repeating: "x", count: 117)
    }

    struct Reply: Codable, Sendable {
        var number: Int
        var text: String
    }

    struct News: ChannelMessage {
        static let type = "news"
        var text: String
    }

    struct Failure: Error {}

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let count = Int(words[3]) else { throw Failure() }
        let address = ChannelAddress(folder: FilePath(words[2]), name: "bench")
        switch words[1] {
        case "requests": try await requests(address, count, words)
        case "serve": try await serve(address)
        case "echo": try echo(count, words)
        case "answer": try answer()
        case "bytes": try bytes(count, words)
        case "reflect": reflect()
        case "broadcast": try await broadcast(address, count)
        default: throw Failure()
        }
    }

    // MARK: Requests

    private static func requests(_ address: ChannelAddress, _ count: Int, _ words: [String]) async throws {
        let server = try start([words[0], "serve", words[2], "0"])
        defer { kill(server, SIGKILL) }
        let connection = try await address.connectWhenServed()
        let time = try await withTaskExecutorPreference(connection.executor) {
            try await ContinuousClock().measure {
                for number in 1...count {
                    let (reply, _) = try await connection.request(Question(number: number, text: Question.longest))
                    guard reply.number == number + 1 else { throw Failure() }
                }
            }
        }
        print(Double(count) / (time / .seconds(1)))
    }

    private static func serve(_ address: ChannelAddress) async throws {
        let server = ChannelServer(.address(address), accepting: ChannelTypes(Question.self))
        for await connection in try server.start() {
            Task(executorPreference: connection.executor) {
                for await event in connection.events {
                    guard case .request(let request) = event, let question = request.value as? Question else {
                        continue
                    }
                    try request.answer(Reply(number: question.number + 1, text: question.text))
                }
            }
        }
    }

    // MARK: The bare echo

    /// Prints the rate of round trips to a process at the other end of a socket pair.
    private static func rate(
        _ count: Int, to answerer: String, _ words: [String], _ body: (_ end: Int32) throws -> Void
    ) throws {
        var (one, other): (Int32, Int32) = (0, 0)
        guard csocket_pair(&one, &other) == 0 else { throw Failure() }
        let child = try start([words[0], answerer, words[2], "0"], standardInput: other)
        defer { kill(child, SIGKILL) }
        close(other)
        _ = fcntl(one, F_SETFL, 0)
        let time = try ContinuousClock().measure { try body(one) }
        print(Double(count) / (time / .seconds(1)))
    }

    private static func echo(_ count: Int, _ words: [String]) throws {
        try rate(count, to: "answer", words) { descriptor in
            var end = BareEnd(descriptor: descriptor)
            for number in 1...count {
                try end.write(.request(Int64(number), Question(number: number, text: Question.longest), descriptors: 0))
                guard case .response(_, let value, _) = try end.read(), let reply = value as? Reply,
                    reply.number == number + 1
                else { throw Failure() }
            }
        }
    }

    private static func answer() throws {
        var end = BareEnd(descriptor: 0)
        while case .request(let id, .value(let value, _)) = try end.read(), let question = value as? Question {
            try end.write(.response(id, Reply(number: question.number + 1, text: question.text), descriptors: 0))
        }
    }

    private static func bytes(_ count: Int, _ words: [String]) throws {
        var line = [UInt8](repeating: UInt8(ascii: "x"), count: 200)
        try rate(count, to: "reflect", words) { end in
            for _ in 1...count {
                guard write(end, line, line.count) == line.count, read(end, &line, line.count) == line.count else {
                    throw Failure()
                }
            }
        }
    }

    /// Writes what it reads, until the other end closes.
    private static func reflect() {
        _ = fcntl(0, F_SETFL, 0)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(0, &bytes, bytes.count), count > 0, write(0, bytes, count) == count {}
    }

    /// A blocking socket, with the lines of the channel and nothing else.
    private struct BareEnd {
        private let descriptor: Int32
        private let limits = ChannelLimits()
        private let types = ChannelTypes(Question.self)
        private var lines: LineSplitter

        init(descriptor: Int32) {
            self.descriptor = descriptor
            lines = LineSplitter(limit: limits.lineBytes)
            _ = fcntl(descriptor, F_SETFL, 0)
        }

        func write(_ line: OutgoingLine) throws {
            let bytes = try line.bytes(limit: limits.lineBytes)
            guard bytes.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
                throw Failure()
            }
        }

        mutating func read() throws -> IncomingLine {
            while true {
                if let line = lines.next() { return try IncomingLine.read(line, types, limits) { _ in Reply.self } }
                let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
                    count = max(0, Glibc.read(descriptor, space.baseAddress, space.count))
                }
                if bytes.isEmpty { throw Failure() }
                lines.append(bytes)
            }
        }
    }

    // MARK: Broadcasts

    /// The listeners do not read, so that nothing else runs. Both kinds of sockets have room for all messages.
    private static func broadcast(_ address: ChannelAddress, _ count: Int) async throws {
        let rounds = 20
        var limits = ChannelLimits()
        limits.connections = count
        let server = ChannelServer(.address(address), accepting: ChannelTypes(), limits: limits)
        var connections = try server.start().makeAsyncIterator()
        let folder = open(address.folder.string, O_DIRECTORY | O_CLOEXEC)
        let hello = Array("{\"hello\":{\"versions\":[1],\"accepts\":[\"news\"]}}\n".utf8)
        var open: [ChannelConnection] = []
        var bare: [Int32] = []
        for _ in 0..<count {
            let listener = csocket_connect(folder, "bench.socket")
            guard hello.withUnsafeBytes({ Glibc.write(listener, $0.baseAddress, $0.count) }) == hello.count,
                let connection = await connections.next()
            else { throw Failure() }
            open.append(connection)
            var (one, other): (Int32, Int32) = (0, 0)
            guard csocket_pair(&one, &other) == 0 else { throw Failure() }
            bare.append(one)
        }
        let news = News(text: Question.longest)
        let line = try OutgoingLine.message(news, descriptors: 0).bytes(limit: limits.lineBytes)
        let clock = ContinuousClock()
        for _ in 0..<rounds {
            var reached = 0
            let whole = try clock.measure { reached = try server.broadcast(news) }
            guard reached == count else { throw Failure() }
            let writes = clock.measure {
                for socket in bare { _ = line.withUnsafeBytes { Glibc.write(socket, $0.baseAddress, $0.count) } }
            }
            print(whole / .microseconds(1), writes / .microseconds(1))
        }
        withExtendedLifetime(open) {}
    }

    // MARK: Processes

    private static func start(_ words: [String], standardInput: Int32 = 0) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawn(&process, words[0], &actions, nil, arguments, environ) == 0 else { throw Failure() }
        return process
    }
}
