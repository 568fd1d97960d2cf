import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import GroupChannel

/// One server for each name: the lock, the socket and its place.
@Suite(.timeLimit(.minutes(10))) struct ChannelNameTests {
    /// A container that was replaced has another lock, so another server may have the name.
    @Test func aServerRemovesOnlyItsOwnSocket() throws {
        let test = try TestServer()
        let (folder, old) = (test.folder.path, test.folder["old"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        try FileManager.default.createDirectory(atPath: old.string, withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.moveItem(atPath: folder.appending(name).string, toPath: old.appending(name).string)
        }
        let next = ChannelServer(.address(test.address), accepting: ChannelTypes(News.self))
        _ = try next.start()
        test.server.stop()
        #expect(test.address.isServed)
        next.stop()
        #expect(
            !test.address.isServed && !FileManager.default.fileExists(atPath: folder.appending("test.socket").string))
    }

    /// L7: a second server took the name of the first one.
    @Test func aSecondServerChangesNothing() async throws {
        let first = try TestServer()
        let second = ChannelServer(.address(first.address), accepting: ChannelTypes(Ping.self))
        let error = #expect(throws: ChannelError.self) { try second.start() }
        #expect(error?.code == .alreadyServed(process: getpid()))
        #expect(error?.message.contains("process \(getpid()) serves") == true)
        // The probe for the first server's process is no connection of a client.
        let (client, server) = try await first.pair()
        async let end = server.serve()
        #expect(try await client.request(Ping(number: 1)).answer == 2)
        client.close()
        #expect(await end == .goodbye(nil))
    }

    @Test func aStaleSocketIsReplaced() async throws {
        let folder = try TestFolder()
        let address = ChannelAddress(folder: folder.path, name: "test")
        // A server that was killed leaves its socket without a listener.
        try Socket.listen(address.socket, in: folder.path).close()
        let error = #expect(throws: ChannelError.self) { try address.connect() }
        #expect(error?.code == .noServer)
        let server = ChannelServer(.address(address), accepting: ChannelTypes(Ping.self))
        _ = try server.start()
        _ = try address.connect()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder[address.socket].string)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    /// L9: a path of 104 characters was cut without a word. `sun_path` has 108 bytes.
    @Test(arguments: [1, 20, 21, 22, 100, 200]) func aPathOfAnyLengthWorks(_ count: Int) async throws {
        let test = try TestServer(
            below: String(repeating: "x", count: count) + "/" + String(repeating: "y", count: count))
        let (client, server) = try await test.pair()
        async let end = server.serve()
        #expect(try await client.request(Ping(number: 7)).answer == 8)
        client.close()
        _ = await end
    }

    /// L5: a server that had stopped could not start again.
    @Test func aServerStopsAndStartsAgain() async throws {
        let folder = try TestFolder()
        let address = ChannelAddress(folder: folder.path, name: "test")
        let server = ChannelServer(.address(address), accepting: ChannelTypes(Ping.self))
        for _ in 1...3 {
            var connections = try server.start().makeAsyncIterator()
            let client = try address.connect()
            let connection = try #require(await connections.next())
            server.stop()
            #expect(await connection.end() == .closed)
            #expect(await connections.next() == nil)
            #expect(await client.end() == .goodbye("the server stops"))
            #expect(Disk.names(in: folder.path) == ["test.lock"])
            #expect(throws: ChannelError.self) { try address.connect() }
        }
    }

    @Test func aMissingFolderHasNoServer() {
        let error = #expect(throws: ChannelError.self) {
            try ChannelAddress(folder: "/nonexistent/folder", name: "test").connect()
        }
        #expect(error?.code == .noServer)
    }

    @Test func aClientWaitsForItsServer() async throws {
        let folder = try TestFolder()
        let address = ChannelAddress(folder: folder.path, name: "test")
        let client = Task { try await address.connectWhenServed(accepting: ChannelTypes(News.self)) }
        let server = ChannelServer(.address(address), accepting: ChannelTypes(Ping.self))
        var connections = try server.start().makeAsyncIterator()
        let connection = try #require(await connections.next())
        async let end = connection.serve()
        #expect(try await client.value.request(Ping(number: 3)).answer == 4)
        try await client.value.close()
        _ = await end
    }

    @Test func aWaitForAServerCanBeCanceled() async throws {
        let folder = try TestFolder()
        let wait = Task { try await ChannelAddress(folder: folder.path, name: "test").connectWhenServed() }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    /// A socket that another process made and passed, as systemd does.
    @Test func anInheritedSocketIsServed() async throws {
        let folder = try TestFolder()
        let address = ChannelAddress(folder: folder.path, name: "test")
        let socket = try Socket.listen(address.socket, in: folder.path)
        let server = ChannelServer(.inherited(socket.descriptor, address), accepting: ChannelTypes(Ping.self))
        for _ in 1...2 {
            var connections = try server.start().makeAsyncIterator()
            _ = try address.connect()
            _ = try #require(await connections.next())
            server.stop()
            #expect(Disk.names(in: folder.path).contains("test.socket"), "its maker removes it")
        }
        socket.close()
        #expect(try ServiceManager.socket([:]) == nil)
        #expect(try ServiceManager.socket(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) == nil)
        #expect(throws: ChannelError.self) {
            try ServiceManager.socket(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"])
        }
    }
}
