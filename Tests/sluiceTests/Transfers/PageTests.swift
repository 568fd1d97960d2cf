import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupChannel

/// The pages of links, with the sink `link-capture` and a real server.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    private let scene: UploadScene
    private let server: HostileServer

    init() throws {
        scene = try UploadScene(variables: ["SLUICE_AGENT": "off"])
        server = try HostileServer()
        try scene.folder.write(
            "config/sinks/link-capture.json", #"{"hosts": ["\#(address)"], "config": {"download": true}}"#)
    }

    private var address: String { "http://127.0.0.1:\(server.port)" }

    private func delivery(_ arguments: [String]) throws -> DeliveryRecord {
        let end = try scene.program.run(["ingest", "--json"] + arguments)
        return try delivery(of: end.receipt.packageID)
    }

    private func delivery(of package: String) throws -> DeliveryRecord {
        let receipt = try scene.program.run(["show", "--json", package]).receipt
        return try #require(receipt.providers.flatMap(\.deliveries).first { $0.sink == "link-capture" })
    }

    @Test func aPageIsKeptWithItsWords() throws {
        let record = try delivery([address + "/lake.html#reeds"])
        #expect(record.outcome == .delivered)
        #expect(record.products.map(\.name).sorted() == ["link.json", "page.html", "text.txt"])
        #expect(record.metadata?["title"] == "The lake")
        let found = try scene.program.run(["search", "--json", "herons"]).output
        #expect(found.contains("lake.html"), "\(found)")
        #expect(try scene.program.run(["search", "--json", "hidden"]).output.isEmpty)
    }

    @Test func theEncodingIsThatOfTheAnswer() throws {
        let package = try scene.program.run(["ingest", "--json", address + "/charset"]).receipt.packageID
        #expect(try scene.program.run(["cat", "\(package)/text.txt"]).output == "Zażółć gęślą jaźń\n")
    }

    /// A link whose page cannot be had is captured all the same.
    @Test func aMissingPageIsNoFailure() throws {
        let record = try delivery([address + "/wrong-page"])
        #expect(record.outcome == .delivered)
        #expect(record.products.map(\.name) == ["link.json"])
        #expect(record.metadata?["problem"] == "the page is not saved: the server answers 404")
    }

    /// Whoever names the delivery gets the page that could not be had.
    @Test func aMissingPageIsAskedForAgain() throws {
        let package = try scene.program.run(["ingest", "--json", address + "/later"]).receipt.packageID
        let record = try delivery(of: package)
        #expect(record.metadata?["problem"] == "the page is not saved: the server answers 404")
        #expect(try scene.program.run(["deliver", "--retry", record.id]).status == 0)
        #expect(try delivery(of: package).products.map(\.name).contains("page.txt"))
    }

    @Test func aCanceledDownloadIsNoFailure() throws {
        // A server whose connection breaks is asked again later.
        let end = try scene.program.run(["ingest", "--json", address + "/reset"])
        let package = try end.receipt.packageID
        #expect(try delivery(of: package).outcome == .pending)
        let line = try scene.program.run(["transfers", "--json"]).output
        let id = try #require(JSONValue(json: Array(line.utf8))["id"]?.text, "\(line)")
        #expect(try scene.program.run(["transfers", "cancel", id]).status == 0)
        _ = try scene.program.run(["deliver"])
        let record = try delivery(of: package)
        #expect(record.outcome == .delivered)
        #expect(record.metadata?["problem"] == "the page is not saved: the download was canceled")
    }

    /// Without settings, nothing is asked.
    @Test func itIsOffUntilItIsSet() throws {
        try scene.folder.write("config/sinks/link-capture.json", "{}")
        let record = try delivery([address + "/lake.html"])
        #expect(record.products.map(\.name) == ["link.json"])
        #expect(!FileManager.default.fileExists(atPath: scene.folder["container/transfers.sqlite"].string))
    }

    /// A machine may be offline for longer than all tries last. A host has no address then, or no route.
    @Test(arguments: ["http://example.test", "http://192.0.2.7"])
    func withoutANetworkNoTryCounts(_ host: String) throws {
        let transfer = try offlineTransfer(to: host)
        #expect(transfer["failures"] == 0)
        #expect(transfer["why"]?.text == "\(host):80 cannot be reached: this machine has no route to other networks")
    }

    /// The service is not beyond the network.
    @Test func withoutANetworkARefusalCounts() throws {
        #expect(try offlineTransfer(to: "http://127.0.0.1:9")["failures"] == 1)
    }

    /// Each command says what the content waits for, and names the link.
    @Test func withoutANetworkEachCommandSaysSo() throws {
        let (host, program) = ("http://192.0.2.7", try offline("http://192.0.2.7"))
        let why = "\(host):80 cannot be reached: this machine has no route to other networks"
        let ingest = try program.run(["ingest", host + "/lake.html"]).output
        #expect(ingest.contains("accepted   \(host)/lake.html"))
        let package = try #require(try program.run(["list", "--json"]).messages.compactMap(\.package).first)
        let outputs = [
            ingest, try program.run(["status"]).output, try program.run(["deliver"]).output,
            try program.run(["show", package.id]).output,
        ]
        for output in outputs {
            #expect(output.contains(why))
            #expect(!output.contains("in the background"), "\(output)")
        }
        #expect(outputs[2].hasPrefix("1 delivery: 1 pending\n"), "no line says only that it is on its way")
        let two = try program.run(["ingest", "--json", host + "/river.html"])
        #expect(two.errors.contains("1 delivery waits for link-capture, next try in "))
        #expect(try program.run(["status"]).output.contains("2 deliveries wait for link-capture, next try in "))
        let id = try delivery(of: package.id).id
        let canceled = try program.run(["transfers", "cancel", id]).output
        #expect(canceled.hasPrefix("canceled; sluice deliver"))
        #expect(canceled.hasSuffix("goes on without what it would have fetched\n"))
        let end = try program.run(["deliver"]).output
        #expect(end.contains("delivered    link-capture  \(id.prefix(12))  \(host)/lake.html\n"), "\(end)")
        #expect(end.contains("1 delivery waits for link-capture, next try in "))
    }

    /// The program in a namespace whose only network is loopback.
    private func offline(_ host: String) throws -> Program {
        try scene.folder.write(
            "config/sinks/link-capture.json", #"{"hosts": ["\#(host)"], "config": {"download": true}}"#)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "offline.py").path
        let sluice = Program.folder.appending(path: "sluice").path
        let offline = try scene.folder.write("offline", "#!/bin/sh\nexec python3 '\(script)' '\(sluice)' \"$@\"\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: offline.string)
        var program = scene.program
        program.executable = offline
        return program
    }

    /// The transfer of a page, after the first try in a namespace whose only network is loopback.
    private func offlineTransfer(to host: String) throws -> JSONValue {
        let program = try offline(host)
        let package = try program.run(["ingest", "--json", host + "/lake.html"]).receipt.packageID
        #expect(try delivery(of: package).outcome == .pending)
        return try JSONValue(json: Array(program.run(["transfers", "--json"]).output.utf8))
    }

    /// The process dies in the middle of a download. The next one asks for the rest alone, or the server of the tests would refuse it.
    @Test func aDownloadOutlivesItsProcess() throws {
        let process = try scene.start(["ingest", address + "/stalled"])
        let folder = URL(filePath: scene.folder["container/transfers"].string)
        func arrived() -> Int {
            let files =
                (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
            return files.filter { $0.pathExtension == "download" }
                .compactMap { try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int }.max() ?? 0
        }
        while arrived() == 0, process.isRunning { sched_yield() }
        let channel = ChannelAddress(folder: scene.program.container.appending("run"), name: "transfer")
        kill(try channel.connect().peer.process, SIGKILL)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let end = try scene.program.run(["deliver"])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let package = try #require(try scene.program.run(["list", "--json"]).messages.compactMap(\.package).first)
        let record = try delivery(of: package.id)
        #expect(record.products.map(\.name).contains("page.txt"))
        let page = try scene.program.run(["cat", "\(package.id)/page.txt"]).output
        #expect(page.hasSuffix("to its last."), "\(page)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// The password of a link is nowhere but in the link itself.
    @Test func aLinkWithAPasswordIsNotAsked() throws {
        let place = address.replacing("http://", with: "http://ada:swordfish@")
        let end = try scene.program.run(["ingest", place + "/lake.html"])
        #expect(end.output.contains("the page is not saved: its address has a user or a password, which are not sent"))
        let package = try #require(try scene.program.run(["list", "--json"]).messages.compactMap(\.package).first)
        #expect(try scene.program.run(["cat", package.id]).output == place + "/lake.html")
        let outputs = try [
            ["list"], ["show", package.id], ["show", "--json", package.id], ["search", "lake"],
            ["search", "swordfish"],
            ["transfers", "--all"], ["library"], ["deliver", "--retry", package.id],
        ].map { try scene.program.run($0) }
        for end in outputs { #expect(!(end.output + end.errors).contains("swordfish"), "\(end.output)") }
        let container = URL(filePath: scene.program.container.string)
        let files = FileManager.default.enumerator(at: container, includingPropertiesForKeys: [.isRegularFileKey])
        let holders = (files?.compactMap { $0 as? URL } ?? []).filter { file in
            !file.path.contains("swordfish")
                && (try? Data(contentsOf: file))?.firstRange(of: Data("swordfish".utf8)) != nil
        }
        #expect(holders.count == 1 && holders[0].path.contains("/objects/"), "\(holders)")
    }

    /// A page that has one tag is a page, because the server says so; an empty one is none.
    @Test func aShortPageAndAnEmptyOne() throws {
        let end = try scene.program.run(["ingest", address + "/fragment", address + "/empty"])
        #expect(end.output.contains("/empty → link-capture: the page is empty"), "\(end.output)")
        let found = try scene.program.run(["search", "kingfisher"]).output
        #expect(found.contains("/fragment") && !found.contains("<p>"), "\(found)")
    }
}
