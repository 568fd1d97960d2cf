import ShareModel
import SystemPackage
import Testing

/// Content that was cut off comes in with a warning that a person sees: in the line of the run, in the receipt, and in
/// `show`.
@Suite struct DamagedContentTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["c"])
    }

    @Test func theLineAndTheReceiptSaySo() throws {
        let cut = TypeSample.all.filter { $0.name.contains("cut-off") }
        #expect(Set(cut.map { $0.name.prefix { $0 != "-" } }) == ["pdf", "png", "jpeg", "zip", "docx", "mp4"])
        for sample in cut { try folder.write("in/\(sample.name)", sample.bytes) }
        let end = try program.run(["ingest", folder["in"].string])
        let lines = end.output.split(separator: "\n").map(String.init)
        for sample in cut {
            let place = try #require(lines.firstIndex { $0.hasPrefix("accepted   \(sample.name) ") }, "\(sample)")
            #expect(lines.dropFirst(place + 1).first?.hasPrefix("           ! cut off: ") == true, "\(end.output)")
        }
        let receipts = try program.ingest(folder["in"], options: ["--reread"]).receipts
        #expect(receipts.count == cut.count)
        for receipt in receipts {
            #expect(receipt.providers[0].warnings.contains { $0.hasPrefix("cut off: ") }, "\(receipt.source)")
        }
        #expect(try program.run(["show", receipts[0].id]).output.contains("! cut off: "))
    }

    /// Twenty copies of whole content and one of each that was cut off: the latter are listed, as duplicates and later.
    @Test func theListFindsThemAgain() throws {
        let cut = TypeSample.all.filter { $0.name.contains("cut-off") }
        for sample in cut { try folder.write("in/\(sample.name)", sample.bytes) }
        for number in 10..<30 { try folder.write("in/\(number).txt", "the same") }
        for sample in cut { try folder.write("in/zz-\(sample.name)", sample.bytes) }
        let end = try program.run(["ingest", "--no-deliver", folder["in"].string])
        for sample in cut { #expect(end.output.contains("\nduplicate  zz-\(sample.name) "), "\(end.output)") }
        let summary = "\(cut.count) packages have a warning; sluice list --warned"
        #expect(end.output.contains("\n\(summary)"), "\(end.output)")
        func warned() throws -> [PackageEntry] {
            try program.run(["list", "--warned", "--json"]).messages.compactMap(\.package)
        }
        #expect(try Set(warned().map(\.source.path)) == Set(cut.map { folder["in/\($0.name)"].string }))
        #expect(try program.run(["list", "--failed", "--json"]).messages.compactMap(\.package).isEmpty)
        // The finding of a sink, and one that only looks like it.
        try SQL.run(folder["c"], "UPDATE delivery SET metadata = '{\"is\":{\"damaged\":true}}'")
        #expect(try warned().count == cut.count)
        try SQL.run(folder["c"], "UPDATE delivery SET metadata = '{\"damaged\":true}'")
        #expect(try warned().count == cut.count + 1)
    }

    @Test func wholeContentHasNoWarning() throws {
        for name in ["pdf", "png", "jpeg", "zip", "docx", "mp4"] {
            let sample = try #require(TypeSample.all.first { $0.name == name })
            try folder.write("in/\(name)", sample.bytes)
        }
        let end = try program.ingest(folder["in"])
        #expect(try end.receipts.map(\.outcome) == Array(repeating: .accepted, count: 6))
        #expect(try end.receipts.flatMap { $0.warnings + $0.providers.flatMap(\.warnings) } == [])
    }
}
