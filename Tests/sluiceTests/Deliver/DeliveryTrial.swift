import Foundation
import GroupContainer
import ShareModel
import SinkKit
import SystemPackage
import Testing

/// A container and the mock sink, which gets all plain text. The bundled sinks get everything else.
struct DeliveryTrial {
    let folder: TestFolder
    let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"], sinks: folder["sinks"])
    }

    func install(
        _ arguments: [String], version: String = "1", stall: Int = 120, startup: Int = 120, secrets: [String] = [],
        processor: Int = 600
    ) throws {
        try MockSink.install(
            arguments, version: version, in: folder, stallSeconds: stall, startupSeconds: startup, secrets: secrets,
            processorSeconds: processor)
    }

    /// Writes `t1.txt` and so on, all different.
    func writeTexts(_ numbers: ClosedRange<Int>, deadly: Set<Int> = []) throws {
        for number in numbers {
            try folder.write("in/t\(number).txt", "\(deadly.contains(number) ? "deadly" : "harmless") text \(number)")
        }
    }

    func ingest(_ options: [String] = []) throws -> Program.End {
        try program.ingest(folder["in"], options: options)
    }

    /// The deliveries of the container, as the stored receipts list them.
    func records() throws -> Records {
        let reader = try CatalogReader(reading: program.container)
        var packages: [PackageEntry] = []
        try reader.forEachPackage { packages.append($0) }
        let pairs = try packages.flatMap { entry in
            let name = FilePath(entry.source.path).lastComponent?.string ?? ""
            return try reader.receipt(entry.id).providers.flatMap(\.deliveries).map { (name: name, record: $0) }
        }
        return Records(all: pairs)
    }

    /// Every delivery with the name of its source.
    struct Records {
        let all: [(name: String, record: DeliveryRecord)]

        var count: Int { all.count }
        var values: [DeliveryRecord] { all.map(\.record) }

        /// The only delivery of a source. A second one is recorded as an issue.
        subscript(name: String) -> DeliveryRecord? {
            let found = all.filter { $0.name == name }
            if found.count > 1 { Issue.record("\(name) has \(found.count) deliveries") }
            return found.first?.record
        }

        /// The first delivery of a source to a sink.
        subscript(name: String, of sink: String) -> DeliveryRecord? {
            all.first { $0.name == name && $0.record.sink == sink }?.record
        }
    }

    /// A column of the catalog's table of deliveries, in their order.
    func column(_ name: String) throws -> [Int64] {
        try SQL.run(program.container, "SELECT \(name) FROM delivery WHERE sink = 'mock' ORDER BY seq").compactMap {
            Int64($0)
        }
    }

    /// The file to which the mock appends the messages that it receives, for its option `--record`. It lies outside of
    /// the sandbox, so it needs a run with `--no-sandbox`.
    var record: String { folder["told"].string }

    /// The messages that the mock has received so far.
    func told() throws -> [HostMessage] {
        guard FileManager.default.fileExists(atPath: record) else { return [] }
        return try Disk.bytes(folder["told"]).split(separator: UInt8(ascii: "\n")).map {
            try SinkProtocol.message(HostMessage.self, from: $0)
        }
    }

    /// The number of the mock's processes that received a hello.
    func greetings() throws -> Int {
        try told().count { if case .hello = $0 { true } else { false } }
    }

    /// The deliveries that the mock received, in order.
    func handed() throws -> [Delivery] {
        try told().compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
    }

    /// The keys of the deliveries that the host queried, in order.
    func checked() throws -> [String] {
        try told().compactMap { if case .check(let check) = $0 { check.key } else { nil } }
    }

    /// Compares the receipts and the summary of a run with the container, and checks for leftovers.
    func checkLedger(_ end: Program.End, _ name: Comment) throws {
        let receipts = try end.receipts
        #expect(try end.summary == Summary(counting: receipts), name)
        let reader = try CatalogReader(reading: program.container)
        for receipt in receipts {
            let stored = try reader.receipt(receipt.id)
            for (now, told) in zip(stored.providers, receipt.providers) {
                // The run may have tried a delivery again after it printed the delivery as pending.
                #expect(
                    now.deliveries.filter { $0.outcome != .pending }
                        == told.deliveries.filter { $0.outcome != .pending }, name)
                #expect(now.deliveries.map(\.outcome) == told.deliveries.map(\.outcome), name)
            }
        }
        let troubled = receipts.filter { receipt in
            receipt.providers.flatMap(\.deliveries).contains { [.failed, .quarantined].contains($0.outcome) }
        }
        let listed = try program.run(["list", "--json", "--quarantined"]).messages.compactMap(\.package)
        #expect(Set(listed.map(\.id)) == Set(troubled.map(\.id)), name)
        let verified = try program.run(["verify", "--json"])
        #expect(verified.status == 0, "\(name): \(verified.output)")
        checkLeftovers(name)
    }

    func checkLeftovers(_ name: Comment) {
        for place in ["work", "tmp"] { #expect(Disk.names(in: program.container.appending(place)).isEmpty, name) }
        #expect(Remains.wait(folder).isEmpty, name)
    }
}
