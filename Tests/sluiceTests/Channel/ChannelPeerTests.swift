import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import GroupChannel

/// Client and server: who the other side is, messages for one and for all.
@Suite(.timeLimit(.minutes(10))) struct ChannelPeerTests {
    /// L4: the sender was who the sender said it was.
    @Test func theKernelSaysWhoThePeerIs() async throws {
        let test = try TestServer()
        let process = try test.python(
            "s.recv(9)\nsys.stdin.read()",
            greeting: #"{"hello":{"versions":[1],"accepts":[],"process":1,"user":4242}}"#)
        defer { process.terminate() }
        let connection = try await test.next()
        #expect(connection.peer.process == process.processIdentifier)
        #expect(connection.peer.user == geteuid() && connection.peer.group == getegid())
        #expect(test.server.peers == [connection.peer])
    }

    @Test func aPeerThatIsNotAdmittedIsRefused() async throws {
        let test = try TestServer(admitting: { _ in false })
        let client = try test.address.connect()
        #expect(await client.end() == .goodbye("not allowed"))
        #expect(test.server.peers.isEmpty)
    }

    /// The socket is for its owner alone. If someone opens it for all, the server still admits its own user only.
    @Test(.needs("root, to become another user", geteuid() == 0)) func anotherUserIsRefused() async throws {
        let test = try TestServer()
        let become = "import os,socket,sys\nos.setgid(65534)\nos.setuid(65534)\ns=socket.socket(socket.AF_UNIX)\n"
        chmod(test.folder.path.string, 0o755)
        let shut = try test.python(become + "try: s.connect(sys.argv[1])\nexcept PermissionError: sys.exit(3)")
        #expect(try await shut.end() == 3)
        chmod(test.address.folder.appending(test.address.socket).string, 0o777)
        let read = #"s.connect(sys.argv[1])\#nl=s.makefile().readlines()\#n"#
        let open = try test.python(become + read + #"sys.exit(4 if '"not allowed"' in l[-1] else 5)"#)
        #expect(try await open.end() == 4)
        #expect(test.server.peers.isEmpty)
    }

    /// Connections beyond the limit get a goodbye, those that say nothing wait, and the others are served.
    @Test func aFloodOfConnectionsHurtsNoOther() async throws {
        var limits = ChannelLimits.unhurried
        limits.connections = 100
        let test = try TestServer(limits)
        let (client, server) = try await test.pair()
        // On the thread of the channels, because a thousand other tests keep the shared pool busy.
        let served = Task(executorPreference: server.executor) { await server.serve() }
        // The server may already have refused a connection that the client writes to. It holds 99 of the 400 at most.
        let flood = try test.python(
            """
            import queue, socket, sys, threading
            for i in range(2000):
                s = socket.socket(socket.AF_UNIX)
                s.connect(sys.argv[1])
                try: s.send(b'\\xff\\n' if i % 3 else b'{')
                except OSError: pass
            many = [socket.socket(socket.AF_UNIX) for _ in range(400)]
            ends = queue.Queue()
            def end(s):
                try: ends.put(''.join(s.makefile().readlines()[-1:]))
                except OSError as error: ends.put(str(error))
            for s in many:
                s.connect(sys.argv[1])
                threading.Thread(target=end, args=[s], daemon=True).start()
            refused = [ends.get() for _ in range(301)]
            sys.exit(6 if all('100 connections already' in end for end in refused) else 7)
            """)
        try await Task(executorPreference: client.executor) { () async throws -> Void in
            for number in 1...500 { #expect(try await client.request(Ping(number: number)).answer == number + 1) }
        }.value
        #expect(try await flood.end() == 6)
        #expect(try await client.request(Ping(number: 1)).answer == 2)
        #expect(test.server.peers.count == 1)
        client.close()
        _ = await served.value
    }

    /// Events, requests and answers without a change of the thread.
    @Test func tasksRunOnTheThreadOfTheChannels() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        let threads = Mutex<Set<UInt>>([])
        let served = Task(executorPreference: server.executor) {
            for await event in server.events {
                guard case .request(let request) = event, let ping = request.value as? Ping else { continue }
                threads.withLock { _ = $0.insert(UInt(pthread_self())) }
                try request.answer(ping.number + 1)
            }
        }
        try await withTaskExecutorPreference(client.executor) {
            for number in 1...100 {
                let reply = try await client.request(Ping(number: number))
                #expect(reply.answer == number + 1)
                threads.withLock { _ = $0.insert(UInt(pthread_self())) }
            }
        }
        #expect(threads.withLock { $0.count } == 1)
        client.close()
        try await served.value
    }

    /// L1: a message for one client never found it.
    @Test func aMessageReachesOneConnection() async throws {
        let test = try TestServer()
        let pairs = [try await test.pair(), try await test.pair(), try await test.pair()]
        try pairs[1].server.send(News(word: "for the second"))
        for pair in pairs { try pair.server.send(News(word: "for each")) }
        for (place, pair) in pairs.enumerated() {
            for word in (place == 1 ? ["for the second"] : []) + ["for each"] {
                let message = try await pair.client.nextMessage()
                #expect(message.value as? News == News(word: word))
            }
        }
    }

    @Test func aBroadcastReachesThoseThatAcceptIt() async throws {
        let test = try TestServer()
        let pairs = [try await test.pair(), try await test.pair()]
        let deaf = try test.address.connect(accepting: ChannelTypes(Ping.self))
        _ = try await test.next()
        #expect(try test.server.broadcast(News(word: "all")) == 2)
        for pair in pairs {
            let message = try await pair.client.nextMessage()
            #expect(message.value as? News == News(word: "all"))
        }
        deaf.close()
    }

    @Test func bothSidesRequest() async throws {
        let test = try TestServer()
        let (client, server) = try await test.pair()
        async let clientEnd = client.serve()
        async let serverEnd = server.serve()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...200 {
                group.addTask { try await client.request(Ping(number: number)).answer == number + 1 }
                group.addTask { try await server.request(Ping(number: -number)).answer == 1 - number }
            }
            for try await isRight in group { #expect(isRight) }
        }
        client.close("bye")
        #expect(await clientEnd == .closed)
        #expect(await serverEnd == .goodbye("bye"))
    }

    @Test func connectionsAreCounted() async throws {
        var limits = ChannelLimits.unhurried
        limits.connections = 2
        let test = try TestServer(limits)
        let pairs = [try await test.pair(), try await test.pair()]
        let third = try test.address.connect()
        #expect(await third.end() == .goodbye("there are 2 connections already"))
        pairs[0].client.close()
        #expect(await pairs[0].server.end() == .goodbye(nil))
        _ = try await test.pair()
    }
}
