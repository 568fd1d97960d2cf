import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupChannel

/// Asks for its number plus one.
struct Ping: ChannelRequest {
    static let type = "ping"
    var number: Int
    typealias Answer = Int
}

/// Is never answered.
struct Unanswered: ChannelRequest {
    static let type = "unanswered"
    var text = ""
    typealias Answer = Int
}

/// A request whose answer is of the asked length.
struct Fill: ChannelRequest {
    static let type = "fill"
    var bytes: Int
    typealias Answer = String
}

struct News: ChannelMessage, Equatable {
    static let type = "news"
    var word: String
}

extension ChannelLimits {
    /// The limits of the tests, most of which are not about time: beside a thousand others, a test may have to wait for
    /// its turn for longer than a person's patience.
    static var unhurried: ChannelLimits {
        var limits = ChannelLimits()
        limits.patience = .seconds(3_600)
        return limits
    }
}

/// A server whose connections are taken one by one.
final class TestServer: Sendable {
    let folder: TestFolder
    let address: ChannelAddress
    let server: ChannelServer
    private let connections: AsyncStream<ChannelConnection>

    init(
        _ limits: ChannelLimits = .unhurried, below subfolder: String? = nil,
        admitting: @escaping @Sendable (ChannelPeer) -> Bool = \.isSameUser
    ) throws {
        let folder = try TestFolder()
        let place = subfolder.map { folder[$0] } ?? folder.path
        self.folder = folder
        try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
        address = ChannelAddress(folder: place, name: "test")
        server = ChannelServer(
            .address(address), accepting: ChannelTypes(Ping.self, Unanswered.self, Fill.self, News.self),
            limits: limits, admitting: admitting)
        connections = try server.start()
    }

    func next() async throws -> ChannelConnection {
        var iterator = connections.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    /// Connects, and returns both ends.
    func pair(_ limits: ChannelLimits = .unhurried) async throws -> (
        client: ChannelConnection, server: ChannelConnection
    ) {
        let client = try address.connect(accepting: ChannelTypes(News.self, Ping.self), limits: limits)
        return (client, try await next())
    }

    /// Starts Python with code, and with the socket as its argument.
    ///
    /// - Parameter greeting: if there is one, `s` is connected, and has sent this line.
    func python(_ code: String, greeting: String? = nil) throws -> Process {
        let connect = "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1])\n"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", (greeting.map { "\(connect)s.send(b'\($0)\\n')\n" } ?? "") + code,
            address.folder.appending(address.socket).string,
        ]
        process.standardInput = Pipe()
        try process.run()
        return process
    }

    func raw() throws -> RawPeer { RawPeer(try Socket.connect(address.socket, in: address.folder)) }
}

extension ChannelConnection {
    /// The next event.
    func next() async throws -> ChannelEvent {
        var events = events.makeAsyncIterator()
        return try #require(await events.next())
    }

    /// The next event, which must be a message.
    func nextMessage() async throws -> ReceivedMessage {
        guard case .message(let message) = try await next() else { throw OtherEvent() }
        return message
    }

    /// The next event, which must be a request.
    func nextRequest() async throws -> ReceivedRequest {
        guard case .request(let request) = try await next() else { throw OtherEvent() }
        return request
    }

    private struct OtherEvent: Error {}

    /// Answers pings and fills, and keeps the rest open, until the end.
    func serve() async -> Invalidation? {
        var open: [ReceivedRequest] = []
        for await event in events {
            switch event {
            case .request(let request):
                switch request.value {
                case let ping as Ping: try? request.answer(ping.number + 1)
                case let fill as Fill: try? request.answer(String(repeating: "x", count: fill.bytes))
                default: open.append(request)
                }
            case .message(let message):
                if let news = message.value as? News { try? send(news) }
            case .refused: break
            case .invalidated(let reason): return reason
            }
        }
        return nil
    }

    /// The reason of the end. Other events before it are dropped.
    func end() async -> Invalidation? {
        for await event in events {
            if case .invalidated(let reason) = event { return reason }
        }
        return nil
    }
}

extension Process {
    /// The status at the end of the process, which the time limit of a test kills. `waitUntilExit` would block a thread that
    /// the other tasks need.
    func end() async throws -> Int32 {
        try await withTaskCancellationHandler {
            try await BlockingCall.run { [self] in
                waitUntilExit()
                return terminationStatus
            }
        } onCancel: {
            kill(processIdentifier, SIGKILL)
        }
    }
}

/// A client that writes and reads bytes, as `nc -U` does.
final class RawPeer: Sendable {
    let socket: Socket
    static let hello = #"{"hello":{"versions":[1],"accepts":["news"]}}"# + "\n"

    init(_ socket: Socket) { self.socket = socket }

    private let isClosed = Atomic(false)

    deinit { close() }

    /// Closes the socket, once: its number may soon be that of another file.
    func close() {
        if !isClosed.exchange(true, ordering: .relaxed) { socket.close() }
    }

    func send(_ text: String, _ files: [FileDescriptor] = []) { send(Array(text.utf8), files) }

    /// Sends everything, and waits while the kernel takes nothing. The end of the other side ends it.
    func send(_ bytes: [UInt8], _ files: [FileDescriptor] = []) {
        var (rest, files) = (bytes[...], files)
        while !rest.isEmpty, let sent = socket.send(rest, files) {
            if sent == 0 { wait(POLLOUT) } else { files = [] }
            rest = rest.dropFirst(sent)
        }
    }

    /// The lines up to the end of the connection, or up to the first one with a text.
    func lines(to text: String? = nil) async throws -> [String] {
        try await BlockingCall.run { [self] in
            var splitter = LineSplitter(limit: 8 << 20)
            var lines: [String] = []
            while true {
                while let line = splitter.next() {
                    lines.append(String(decoding: line.bytes, as: UTF8.self))
                    if let text, lines.last?.contains(text) == true { return lines }
                }
                var bytes = [UInt8](repeating: 0, count: 64 << 10)
                switch bytes.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
                case .bytes(let count, let files):
                    for file in files { try file.close() }
                    splitter.append(Array(bytes[..<count]))
                case .nothing: wait(POLLIN)
                case .end, .tooManyDescriptors: return lines
                }
            }
        }
    }

    private func wait(_ event: Int32) {
        var request = pollfd(fd: socket.descriptor.rawValue, events: Int16(event), revents: 0)
        poll(&request, 1, -1)
    }
}
