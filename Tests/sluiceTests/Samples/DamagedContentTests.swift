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
