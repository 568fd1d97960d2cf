import CCurl
import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupChannel
@testable import Ingestion

/// Sinks that send without a network, with the real programs.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    /// The example needs neither a network nor a secret, and its service gets each file once.
    @Test func theExampleSends() throws {
        let scene = try scene()
        let (first, large) = ("the first", String(repeating: "large ", count: 1 << 20))
        try scene.folder.write("in/first.txt", first)
        try scene.folder.write("in/large and odd ü?.txt", large)
        let end = try scene.program.ingest(scene.folder["in"])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let files = try scene.service.files.sorted { "\($0)" < "\($1)" }
        let digests = [first, large].map { Digest(of: Array($0.utf8)).description }
        #expect(
            Set(files.compactMap { $0[2].text })
                == ["\(digests[0].prefix(12))-first.txt", "\(digests[1].prefix(12))-large and odd ü?.txt"], "\(files)")
        #expect(Set(files.compactMap { $0[4].text }) == Set(digests))
        #expect(files.allSatisfy { $0[0] == "ada" && $0[1] == "PUT" })
        #expect(try scene.program.ingest(scene.folder["in"]).status == 0)
        #expect(try scene.service.files.count == 2)
        #expect(try scene.program.run(["sinks"]).output.contains("account: notes"))
    }

    @Test func settingsWithoutAServiceAreNamed() throws {
        let scene = try scene()
        try scene.folder.write("config/sinks/send-file.json", "{}")
        let end = try scene.program.ingest(try scene.folder.write("in/a.txt", "a"))
        let record = try #require(end.receipt.providers.flatMap(\.deliveries).first { $0.sink == "send-file" })
        #expect(record.outcome == .pending)
        let why = try #require(try scene.delivery(of: end.receipt.packageID, to: "send-file").why)
        #expect(why.contains("its settings name neither an account nor hosts; set \"account\": NAME"), "\(why)")
    }

    /// The sink sees no network and no credential: not in its memory, its environment or its messages.
    @Test func aSinkSeesNoCredentialAndNoNetwork() throws {
        let scene = try scene()
        let source = try String(contentsOf: Self.here.appending(path: "snooper.py"), encoding: .utf8)
        try scene.folder.write("sinks/snooper/snooper", source, mode: 0o755)
        try scene.folder.write(
            "sinks/snooper/sink.json",
            """
            {"id": "snooper", "version": "1", "protocol": 1, "command": ["snooper"], "accepts": [{"type": "text/plain"}],
             "role": "also", "config": {"type": "object"}, "needs": {"requests": true}}
            """)
        let port = try #require(scene.service.address.split(separator: ":").last)
        try scene.folder.write("config/sinks/snooper.json", #"{"account": "notes", "config": {"port": \#(port)}}"#)
        let end = try scene.program.ingest(try scene.folder.write("in/a.txt", "a"), options: ["--require-sandbox"])
        let record = try #require(end.receipt.providers.flatMap(\.deliveries).first { $0.sink == "snooper" })
        let found = try #require(record.metadata, "\(record) \(end.errors)")
        #expect(found["status"] == 201, "the request was made: \(found)")
        #expect(found["canary"] == true, "the search finds what is there")
        #expect(found["token"] == false && found["files"] == false && found["secrets"] == 0, "\(found)")
        #expect(found["network"]?.text != "connected", "\(found)")
    }

    /// A death of the transfer process in the middle of a request costs an attempt, and nothing arrives twice.
    @Test func aDeathOfTheTransferProcessLosesNothing() throws {
        let scene = try scene()
        try scene.service.change(["files_delay": 3_600])
        let file = try scene.folder.write("in/a.txt", "a")
        let scratch = try TestFolder()
        try scratch.write("input", "")
        let output = Pipe()
        let process = try scene.program.start(
            ["ingest", "--json", file.string], input: scratch["input"], scratch: scratch, output: output)
        let address = ChannelAddress(folder: scene.program.container.appending("run"), name: "transfer")
        while !address.isServed, process.isRunning { sched_yield() }
        while try scene.service.waiting == 0, process.isRunning { sched_yield() }
        let peer = try address.connect().peer.process
        kill(peer, SIGKILL)
        try scene.service.change(["files_delay": 0])
        let end = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(end.contains("the transfer process failed"), "\(end)")
        let again = try scene.program.run(["deliver"])
        #expect(again.status == 0, "\(again.output)\(again.errors)")
        #expect(try scene.service.files.count == 1)
    }

    /// A service that cannot say whose token it is has the last word by refusing it.
    @Test func aRefusedTokenNeedsALogin() throws {
        let scene = try AccountScene()
        try scene.addAccount(kind: "token", asks: false, "--url", scene.service.address + "/files")
        let login = try scene.program.run(["account", "login", "notes", "--user", "ada"], input: "token-of-ada\n")
        #expect(login.status == 0, "\(login.errors)")
        try scene.addSendFile()
        try scene.service.change(["files_status": 401])
        let end = try scene.program.ingest(try scene.folder.write("in/a.txt", "a"))
        let record = try scene.delivery(of: end.receipt.packageID, to: "send-file")
        #expect(record.outcome == .pending && record.attempts == 0, "\(record)")
        #expect(record.why?.contains("the service refused its token") == true, "\(record)")
        try scene.service.change(["files_status": 0])
        #expect(
            try scene.program.run(["account", "login", "notes", "--user", "ada"], input: "token-of-ada\n").status == 0)
        #expect(try scene.program.run(["deliver"]).status == 0)
        #expect(try scene.service.files.count == 1)
    }

    /// libcurl repeats a request by itself if a kept connection breaks before the answer. Only requests that change nothing may use one.
    @Test(arguments: [("POST", 1), ("PUT", 1), ("DELETE", 1), ("GET", 2)])
    func aBrokenConnectionRepeatsNothing(_ method: String, _ arrivals: Int) throws {
        let (scene, server) = (try AccountScene(), try HostileServer())
        let address = "http://127.0.0.1:\(server.port)"
        try scene.addAccount(kind: "token", asks: false, "--url", address)
        _ = try scene.program.run(["account", "login", "notes", "--user", "ada"], input: "token-of-ada\n")
        let source = try String(contentsOf: Self.here.appending(path: "repeater.py"), encoding: .utf8)
        try scene.folder.write("sinks/repeater/repeater", source, mode: 0o755)
        try scene.folder.write(
            "sinks/repeater/sink.json",
            """
            {"id": "repeater", "version": "1", "protocol": 1, "command": ["repeater", "\(method)"], "role": "also",
             "accepts": [{"type": "text/plain"}], "needs": {"requests": true}, "idempotent": true}
            """)
        try scene.folder.write("config/sinks/repeater.json", #"{"account": "notes"}"#)
        let end = try scene.program.ingest(try scene.folder.write("in/a.txt", "a"))
        let record = try #require(end.receipt.providers.flatMap(\.deliveries).first { $0.sink == "repeater" })
        #expect(record.metadata?["count"]?.text == "\(arrivals)", "\(record)")
    }

    /// Without a request, no transfer process is started; after the last connection it ends.
    @Test func theTransferProcessRunsWhenItIsNeeded() async throws {
        let scene = try scene()
        let address = ChannelAddress(folder: scene.program.container.appending("run"), name: "transfer")
        try scene.folder.write("config/sinks/send-file.json", #"{"enabled": false}"#)
        #expect(try scene.program.ingest(try scene.folder.write("in/a.txt", "a")).status == 0)
        #expect(!FileManager.default.fileExists(atPath: address.path.string))
        try scene.folder.write("config/sinks/send-file.json", #"{"account": "notes"}"#)
        #expect(try scene.program.ingest(try scene.folder.write("in/b.txt", "b")).status == 0)
        // The lock is free when the process has ended.
        let lock = try await BlockingCall.run { try address.keepFree(waiting: true) }
        #expect(lock != nil && !FileManager.default.fileExists(atPath: address.path.string))
    }

    @Test(arguments: [
        ("0.0.0.0", true), ("0.1.2.3", true), ("10.0.0.1", true), ("100.63.255.255", false), ("100.64.0.0", true),
        ("100.127.255.255", true), ("100.128.0.0", false), ("127.0.0.1", true), ("127.255.255.255", true),
        ("128.0.0.1", false),
        ("169.254.169.254", true), ("172.15.255.255", false), ("172.16.0.0", true), ("172.31.255.255", true),
        ("172.32.0.0", false),
        ("192.0.0.8", true), ("192.0.2.1", true), ("192.168.1.1", true), ("192.169.0.0", false),
        ("198.17.255.255", false),
        ("198.18.0.1", true), ("198.20.0.0", false), ("203.0.113.9", true), ("223.255.255.255", false),
        ("224.0.0.1", true),
        ("255.255.255.255", true), ("8.8.8.8", false), ("::", true), ("::1", true), ("::7f00:1", true),
        ("::ffff:127.0.0.1", true),
        ("::ffff:8.8.8.8", false), ("64:ff9b::7f00:1", true), ("64:ff9b:1::1", true), ("100::1", true),
        ("2001::1", true), ("2001:db8::1", true),
        ("2002:7f00:1::", true), ("2606:4700::1111", false), ("2a00:1450::1", false), ("3fff::1", true),
        ("5f00::1", true), ("fc00::1", true),
        ("fdff::1", true), ("fe80::1", true), ("febf::1", true), ("fec0::1", true), ("ff02::1", true),
    ])
    func privateAddressesAreKnown(_ text: String, _ isPrivate: Bool) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let family = text.contains(":") ? AF_INET6 : AF_INET
        #expect(inet_pton(family, text, &bytes) == 1)
        #expect((ccurl_is_private(family, bytes) != 0) == isPrivate)
    }

    @Test func headersAreChecked() {
        func fault(_ name: String, _ value: String = "a") -> String? {
            RequestRules.fault(headers: [HeaderField(name, value)])
        }
        for name in ["Accept", "X-A", "Content-Type", "If-None-Match", "Depth", "Idempotency-Key"] {
            #expect(fault(name) == nil, "\(name)")
        }
        for name in [
            "", "a b", "a:", "ä", "Authorization", "AUTHORIZATION", "Proxy-Authorization", "Cookie", "Host",
            "Content-Length",
            "Transfer-Encoding", "Range", "If-Range", "Connection", "Expect", "Upgrade", "TE", "Trailer",
            "Accept-Encoding", "User-Agent",
        ] { #expect(fault(name) != nil, "\(name)") }
        for value in ["", "  ", "a\r\nb: c", "a\nb", "a\0", "a\u{7F}"] { #expect(fault("X-A", value) != nil) }
        #expect(fault("X-A", String(repeating: "a", count: RequestRules.headerBytes)) != nil)
        for url in [
            "/a/../b", "/..", "https://a/%2e%2E/b", "/a b", "/ä",
            "/" + String(repeating: "a", count: RequestRules.urlBytes),
        ] {
            #expect(RequestRules.fault(url: url) != nil, "\(url)")
        }
        for url in ["/a..b", "/a?b=../c", "https://example.org/...", ""] {
            #expect(RequestRules.fault(url: url) == nil, "\(url)")
        }
        for method in ["GET", "PUT", "PROPFIND", "MKCOL"] { #expect(RequestRules.fault(method: method) == nil) }
        for method in ["", "get", "CONNECT", "TRACE", "A B", "GET\r\n", String(repeating: "A", count: 21)] {
            #expect(RequestRules.fault(method: method) != nil)
        }
    }

    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    /// A container with the example, whose person is logged in.
    private func scene() throws -> AccountScene {
        let scene = try AccountScene()
        try scene.addAccount(kind: "token", asks: true, "--url", scene.service.address + "/files")
        try scene.logIn(secret: "token-of-ada")
        try scene.addSendFile()
        return scene
    }
}
