import Foundation
import ShareModel
import SystemPackage
import Testing

/// A sink's crash, or content that no message can hold, ends one delivery only. See ``MisbehaviorTests`` for other
/// faults.
@Suite struct SinkFaultTests {
    private let folder: TestFolder
    private var program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    /// The deliveries of a run, by the names of their sources.
    private func deliveries(_ end: Program.End) throws -> [String: DeliveryRecord] {
        let pairs = try end.receipts.flatMap { receipt in
            receipt.providers.flatMap(\.deliveries).map {
                (FilePath(receipt.source.path).lastComponent?.string ?? "", $0)
            }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private mutating func run(_ texts: [String: String], _ behavior: [String]) throws -> Program.End {
        program.sinks = try MockSink.install(behavior, in: folder, stallSeconds: 600)
        for (name, text) in texts { try folder.write("in/\(name)", text) }
        try folder.write("in/other.bin", [0, 1, 2, 3])
        let end = try program.ingest(folder["in"])
        #expect(try end.receipts.allSatisfy { $0.outcome == .accepted })
        let other = try deliveries(end)["other.bin"]
        #expect(other?.sink == "keep")
        #expect(other?.outcome == .delivered, "another sink's delivery")
        #expect(Disk.files(below: program.container.appending("work")).isEmpty)
        #expect(Disk.names(in: program.container.appending("tmp")).isEmpty)
        return end
    }

    @Test mutating func aSinkThatCrashesOnceDeliversEverything() throws {
        let texts = Dictionary(uniqueKeysWithValues: (1...6).map { ("\($0).txt", "text number \($0)") })
        let end = try run(texts, ["die", "9", "--on", "number 3", "--attempt", "1"])
        #expect(try (deliveries(end)["3.txt"]?.attempts ?? 0) > 1, "it did die")
        #expect(end.status == 0)
        for (name, record) in try deliveries(end) where name != "other.bin" {
            #expect(record.sink == "mock")
            #expect(record.outcome == .delivered, "\(name)")
        }
    }

    @Test mutating func contentThatCrashesASinkIsQuarantinedAlone() throws {
        let texts = ["1.txt": "harmless", "2.txt": "a deadly text", "3.txt": "harmless too"]
        let end = try run(texts, ["die", "9", "--on", "deadly"])
        #expect(end.status == 1)
        let records = try deliveries(end)
        #expect(records["1.txt"]?.outcome == .delivered)
        #expect(records["2.txt"]?.outcome == .quarantined)
        #expect(records["2.txt"]?.why?.contains("died of SIGKILL") == true)
        #expect(records["3.txt"]?.outcome == .delivered)

        let id = try #require(records["2.txt"]?.id)
        #expect(
            try program.run(["deliver", "--json"]).messages.compactMap(\.delivery).isEmpty, "it is not tried again")
        try MockSink.install(["good"], in: folder, stallSeconds: 600)
        let retried = try program.run(["deliver", "--json", "--retry", id])
        #expect(try retried.messages.compactMap(\.delivery).map(\.outcome) == [.delivered])
    }

    /// If a line of the protocol cannot hold a delivery, the delivery fails and the run goes on.
    @Test mutating func aDeliveryTooLongForALineFails() throws {
        // Each quote takes two bytes in JSON, and each part has a path.
        let quotes = { (count: Int) in String(repeating: #"\""#, count: count) }
        program = Program(
            container: folder[String(repeating: "c", count: 200) + "/" + String(repeating: "d", count: 150)])
        let parts = (0..<850).map { index in
            #"{"group": "all", "name": "\#(quotes(250))", "representations": [{"text": "part \#(index)"}]}"#
        }
        try folder.write(
            "in/large.share/share.json",
            """
            {"version": 1, "items": [{"title": "\(quotes(1 << 16))", "attachments": [\(parts.joined(separator: ", "))]}]}
            """)
        let end = try run(["1.txt": "some text"], ["good"])
        #expect(end.status == 1)
        let records = try deliveries(end)
        #expect(records["1.txt"]?.outcome == .delivered)
        #expect(records["large.share"]?.outcome == .failed)
        #expect(records["large.share"]?.why?.contains("1048576") == true)
    }
}
