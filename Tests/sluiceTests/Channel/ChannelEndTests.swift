import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import GroupChannel

/// Ends: one for each side and each way to end, slow peers, silent ones, and what is left over.
@Suite(.timeLimit(.minutes(10))) struct ChannelEndTests {
    private static func greeting(_ type: String) -> String { #"{"hello":{"versions":[1],"accepts":["\#(type)"]}}"# }

    /// L8: a failed connection crashed, or nothing was called.
    @Test func openRequestsEndWithTheConnection() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        let wait = Task { try await client.request(Unanswered(), within: nil) }
        let request = try await server.nextRequest()
        server.close("enough")
        let error = await #expect(throws: ChannelError.self) { try await wait.value }
        #expect(error?.code == .ended(.goodbye("enough")))
        #expect(await client.end() == .goodbye("enough"))
        #expect(await server.end() == .closed)
        #expect(throws: ChannelError.self) { try request.answer(1) }
        #expect(throws: ChannelError.self) { try client.send(News(word: "late")) }
        var events = client.events.makeAsyncIterator()
        #expect(await events.next() == nil, "no event follows the end")
    }

    @Test func aReleasedConnectionIsClosed() async throws {
        let test = try TestServer()
        var client: ChannelConnection? = try test.address.connect()
        let server = try await test.next()
        #expect(client != nil)
        client = nil
        #expect(await server.end() == .goodbye(nil))
    }

    /// Not by SIGTERM, which may be blocked in it: a process begins with the signal mask of the thread that starts it.
    @Test(arguments: [true, false]) func aProcessThatEndsIsNoticed(killed: Bool) async throws {
        let test = try TestServer()
        // A line ends it. The end of its input would not do, because another test's process may have inherited that pipe.
        let process = try test.python(
            "for line in s.makefile():\n if 'leave' in line: break", greeting: Self.greeting("news"))
        let connection = try await test.next()
        if killed { kill(process.processIdentifier, SIGKILL) } else { try connection.send(News(word: "leave")) }
        #expect(await connection.end() == .vanished)
        _ = try await process.end()
        #expect(test.server.peers.isEmpty)
    }

    @Test func aStoppedProcessIsSilent() async throws {
        let test = try TestServer()
        let process = try test.python("sys.stdin.read()", greeting: Self.greeting("ping"))
        defer { kill(process.processIdentifier, SIGKILL) }
        let connection = try await test.next()
        kill(process.processIdentifier, SIGSTOP)
        let error = await #expect(throws: ChannelError.self) {
            try await connection.request(Ping(number: 1), within: .milliseconds(50))
        }
        #expect(error?.code == .timedOut)
        #expect(await connection.end() == .silent)
    }

    @Test func aRequestHasATime() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        async let end = server.serve()
        let late = Task { try await client.request(Unanswered(), within: .milliseconds(300)) }
        // The server answers others meanwhile, so it is not silent.
        while try await client.request(Ping(number: 1)).answer == 2, !Task.isCancelled {
            let isOver = await withTaskGroup(of: Bool.self) { group in
                group.addTask { (try? await late.value) == nil }
                group.addTask {
                    _ = try? await client.request(Ping(number: 2))
                    return false
                }
                let first = await group.next() ?? false
                group.cancelAll()
                return first
            }
            if isOver { break }
        }
        let error = await #expect(throws: ChannelError.self) { try await late.value }
        #expect(error?.code == .timedOut)
        #expect(try await client.request(Ping(number: 1)).answer == 2)
        client.close()
        _ = await end
    }

    @Test func aCanceledRequestEndsAtOnce() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        let wait = Task { try await client.request(Unanswered(), within: nil) }
        let request = try await server.nextRequest()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        // An answer that comes too late is dropped.
        try request.answer(1)
        async let end = server.serve()
        #expect(try await client.request(Ping(number: 1)).answer == 2)
        client.close()
        _ = await end
    }

    @Test func aRequestWithoutAnAnswerIsRefused() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        let wait = Task { try await client.request(Unanswered(), within: nil) }
        // The event is released at once.
        _ = try await server.next()
        let error = await #expect(throws: ChannelError.self) { try await wait.value }
        guard case .refused(let refusal) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == .unanswered && refusal.type == "unanswered")
    }

    @Test func aPeerWithoutAGreetingIsSilent() async throws {
        var limits = ChannelLimits.unhurried
        limits.patience = .milliseconds(100)
        let test = try TestServer(limits)
        let peers = try (1...20).map { _ in try test.raw() }
        for peer in peers { #expect(try await peer.lines().count == 1) }
        #expect(test.server.peers.isEmpty)
    }

    /// A listener that does not read is dropped, and delays no other.
    @Test func aSlowListenerIsDropped() async throws {
        var limits = ChannelLimits.unhurried
        limits.queueBytes = 1 << 20
        let test = try TestServer(limits)
        let slow = try test.raw()
        slow.send(RawPeer.hello)
        let slowEnd = try await test.next()
        let (client, server) = try await test.pair()
        let news = News(word: String(repeating: "x", count: 100_000))
        for number in 1...40 {
            try test.server.broadcast(news)
            guard case .message = try await client.next() else {
                Issue.record("message \(number) is missing")
                return
            }
        }
        #expect(await slowEnd.end() == .tooSlow)
        #expect(test.server.peers.count == 1)
        server.close()
    }

    /// A queue that stays full ends the connection, also if nothing more is sent.
    @Test func aFullQueueHasATime() async throws {
        var limits = ChannelLimits.unhurried
        limits.patience = .milliseconds(200)
        let test = try TestServer(limits)
        let slow = try test.raw()
        slow.send(RawPeer.hello)
        let connection = try await test.next()
        for _ in 1...10 { try connection.send(News(word: String(repeating: "x", count: 100_000))) }
        #expect(await connection.end() == .tooSlow)
        await connection.flush()
    }

    /// A program that does not take its events is not flooded, and gets all of them later.
    @Test func whatIsNotTakenStopsTheReading() async throws {
        var limits = ChannelLimits.unhurried
        limits.openMessages = 8
        let test = try TestServer(limits)
        let (client, server) = try await test.pair()
        let count = 20_000
        let sender = Task {
            for number in 1...count {
                while true {
                    do throws(ChannelError) {
                        try client.send(News(word: "\(number)"))
                        break
                    } catch {
                        guard error.code == .queueFull else { throw error }
                        await Task.yield()
                    }
                }
            }
            await client.flush()
            client.close()
        }
        var words: [String] = []
        for await event in server.events {
            if case .message(let message) = event, let news = message.value as? News { words.append(news.word) }
        }
        try await sender.value
        #expect(words == (1...count).map(String.init))
    }

    /// L6: connections were never closed.
    @Test func nothingIsLeftOver() async throws {
        let test = try TestServer()
        let first = try await test.pair()
        var links: [Weak] = []
        for number in 1...500 {
            let (client, server) = try await test.pair()
            links += [Weak(link: client.link), Weak(link: server.link)]
            if number % 2 == 0 { try client.send(News(word: "x"), files: [.standardInput]) }
            await client.flush()
            client.close()
            #expect(await server.end() == .goodbye(nil))
        }
        // The loop may just be letting go of the last one. Each closes its socket before it goes.
        var turns = 0
        while links.contains(where: { $0.link != nil }), turns < 100_000 {
            await Task.yield()
            turns += 1
        }
        #expect(links.count { $0.link != nil } == 0)
        #expect(test.server.peers.count == 1)
        withExtendedLifetime(first) {}
    }

    private struct Weak {
        weak var link: Link?
    }
}
