import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import GroupChannel

/// Values: accepted types only, refused by name; and open files.
@Suite(.timeLimit(.minutes(10))) struct ChannelValuesTests {
    private struct Unknown: ChannelRequest {
        static let type = "unknown"
        typealias Answer = Int
    }

    /// Has the name of a type that the server accepts, and another form.
    private struct OtherPing: ChannelRequest {
        static let type = "ping"
        var number: String
        typealias Answer = Int
    }

    /// A value as deep as its text.
    private struct Deep: ChannelRequest {
        static let type = "unanswered"
        var text: Nested
        typealias Answer = Int

        indirect enum Nested: Codable, Sendable {
            case end
            case inner(Nested)

            init(depth: Int) { self = (0..<depth).reduce(.end) { nested, _ in .inner(nested) } }
        }
    }

    private func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch let error as ChannelError {
            guard case .refused(let refusal) = error.code else { return nil }
            return refusal
        } catch {
            return nil
        }
    }

    /// L4, W5: what came was decoded whatever it was.
    @Test func refusedRequestsLeaveTheConnectionOpen() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        async let end = server.serve()
        let unknown = await refusal { _ = try await client.request(Unknown()) }
        #expect(unknown?.code == .unknownType && unknown?.type == "unknown")
        let other = await refusal { _ = try await client.request(OtherPing(number: "one")) }
        #expect(other?.code == .malformed && other?.type == "ping")
        for depth in [40, 100] {
            let deep = await refusal { _ = try await client.request(Deep(text: .init(depth: depth))) }
            #expect(deep?.code == .tooDeep && deep?.type == "unanswered")
        }
        #expect(try await client.request(Ping(number: 1)).answer == 2)
        client.close()
        _ = await end
    }

    @Test(arguments: [33, 1_000, 500_000]) func aDeepLineIsRefused(_ depth: Int) async throws {
        let test = try TestServer()
        let peer = try test.raw()
        let (open, close) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
        peer.send(
            RawPeer.hello + #"{"request":{"id":7,"type":"unanswered","value":\#(open)\#(close)}}"# + "\n"
                + #"{"request":{"id":8,"type":"ping","value":{"number":1}}}"# + "\n")
        async let end = test.next().serve()
        let lines = try await peer.lines(to: #""id":8"#)
        #expect(lines.count == 3 && lines[1].contains(#""code":"too-deep","id":7,"type":"unanswered""#), "\(lines)")
        peer.close()
        _ = try await end
    }

    @Test func aMessageCannotBeARequest() async throws {
        let test = try TestServer()
        let peer = try test.raw()
        peer.send(
            RawPeer.hello + #"{"message":{"type":"ping","value":{"number":1}}}"# + "\n"
                + #"{"request":{"id":5,"type":"news","value":{"word":"x"}}}"# + "\n")
        async let end = test.next().serve()
        let lines = try await peer.lines(to: #""id":5"#)
        #expect(lines.dropFirst().allSatisfy { $0.contains(#""code":"unknown-type""#) } && lines.count == 3)
        peer.close()
        _ = try await end
    }

    @Test func aValueThatIsTooLargeIsNotSent() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        async let end = server.serve()
        let text = String(repeating: "x", count: 2 << 20)
        let error = #expect(throws: ChannelError.self) { try client.send(News(word: text)) }
        #expect(error?.code == .tooLarge)
        let answer = await refusal { _ = try await client.request(Fill(bytes: 2 << 20)) }
        #expect(answer?.code == .tooLarge && answer?.type == "fill")
        #expect(try await client.request(Fill(bytes: 500_000)).answer.utf8.count == 500_000)
        client.close()
        _ = await end
    }

    @Test func openFilesTravel() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        let file = try FileDescriptor.open(test.folder.write("a.txt", "content"), .readOnly)
        try client.send(News(word: "file"), files: [file, file])
        try file.close()
        let message = try await server.nextMessage()
        #expect(message.files.count == 2)
        let files = message.files.take()
        #expect(files.count == 2 && message.files.take().isEmpty)
        for file in files {
            #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0, "a started program does not inherit it")
            var bytes = [UInt8](repeating: 0, count: 10)
            let count = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
            #expect(bytes[..<count] == Array("content".utf8)[...])
            try file.close()
        }
        let error = #expect(throws: ChannelError.self) {
            try client.send(News(word: "files"), files: Array(repeating: .standardInput, count: 17))
        }
        #expect(error?.code == .tooLarge)
        client.close()
        _ = await server.end()
    }

    @Test(arguments: [1, 16, 17, 64]) func filesThatNoLineNamesEndTheConnection(_ count: Int) async throws {
        let test = try TestServer()
        let peer = try test.raw()
        peer.send(RawPeer.hello)
        let connection = try await test.next()
        let pipe = try PipeEnds()
        peer.send(
            #"{"message":{"type":"news","value":{"word":"x"}}}"# + "\n", Array(repeating: pipe.writeEnd, count: count))
        try pipe.writeEnd.close()
        guard case .misbehaved = await connection.end() else {
            Issue.record("they were taken")
            return
        }
        // A pipe ends when no writer is left, so each of them is closed.
        let count = try await BlockingCall.run {
            try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { try pipe.readEnd.read(into: $0) }
        }
        #expect(count == 0)
        try pipe.readEnd.close()
    }

    @Test func namedFilesThatDidNotComeEndTheConnection() async throws {
        let test = try TestServer()
        for count in ["1", "-1", "99999999999"] {
            let peer = try test.raw()
            peer.send(
                RawPeer.hello + #"{"message":{"descriptors":\#(count),"type":"news","value":{"word":"x"}}}"# + "\n")
            #expect(try await test.next().end() == .misbehaved("a line names more files than came"))
        }
    }
}
