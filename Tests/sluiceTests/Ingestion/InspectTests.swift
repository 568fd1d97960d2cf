import Foundation
import ShareModel
import SystemPackage
import Testing

/// `inspect` and `ingest --dry-run` show what `ingest` would do, and leave no trace.
@Suite struct InspectTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(
            container: folder["c"], variables: ["TMPDIR": try folder.write("tmp/x", "").removingLastComponent().string])
    }

    private static let samples = FilePath(PackageDump.root.appending(path: "Samples/shares").path)

    /// The receipts of a plan are those of the run, in an empty container and in a full one.
    @Test func aPlanIsWhatTheRunDoes() throws {
        try folder.write("in/a.txt", "one")
        try folder.write("in/b.txt", "one")
        try folder.write("in/c.txt", "three")
        for round in 1...3 {
            if round == 3 { try folder.write("in/c.txt", "an edit of three") }
            let planned = try program.run(["inspect", "--json", Self.samples.string, folder["in"].string])
            let made = try program.run([
                "ingest", "--json", "--reread", "--no-deliver", Self.samples.string, folder["in"].string,
            ])
            #expect(try planned.receipts == made.receipts, "round \(round)")
            #expect(try planned.summary == made.summary, "round \(round)")
        }
    }

    /// Also for what a walk skips because it was forgotten: by the stamp of its file, or by its content.
    @Test(arguments: [[], ["--title", "T"]]) func aPlanKnowsWhatWasForgotten(_ options: [String]) throws {
        try folder.write("in/a.txt", "one")
        let ids = try program.ingest(folder["in"], options: ["--no-deliver", "--title", "new"]).receipts.map(\.id)
        #expect(try program.run(["forget"] + ids).status == 0)
        for round in 1...2 {
            let input = options + [folder["in"].string]
            let planned = try program.run(["ingest", "--json", "--dry-run"] + input)
            let made = try program.run(["ingest", "--json", "--no-deliver"] + input)
            #expect(try planned.receipts.map(\.outcome) == made.receipts.map(\.outcome), "round \(round)")
            #expect(try made.receipts.map(\.outcome) == [.skipped], "round \(round)")
            try folder.write("in/a.txt", "one")
        }
    }

    @Test func aPlanWithoutDeliveriesSaysSo() throws {
        try folder.write("in/a.txt", "one")
        let planned = try program.run(["ingest", "--dry-run", "--no-deliver", folder["in"].string])
        #expect(planned.status == 0 && planned.output.contains("\n1 delivery would stay open\n"), "\(planned)")
        let made = try program.run(["ingest", "--no-deliver", folder["in"].string])
        #expect(planned.output.prefix { $0 != "\n" } == made.output.prefix { $0 != "\n" }, "\(planned)")
    }

    @Test func aSecondCopyIsADuplicate() throws {
        try folder.write("in/a.txt", "one")
        try folder.write("in/b.txt", "one")
        let dry = try program.run(["ingest", "--dry-run", folder["in"].string])
        let lines = dry.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("accepted   a.txt ") == true && lines.first?.hasSuffix("→ text-note") == true)
        #expect(lines.dropFirst().first?.hasPrefix("duplicate  b.txt ") == true)
        #expect(lines.contains("1 delivery would be made"))
        let tree = try program.run(["inspect", folder["in"].string]).output
        #expect(tree.contains("├─ duplicate of  "))
        #expect(!FileManager.default.fileExists(atPath: folder["c"].string))
    }

    /// The lines about packages.
    private func lines(_ arguments: [String]) throws -> [Substring] {
        let end = try program.run(["ingest"] + arguments + [folder["in"].string])
        return end.output.split(separator: "\n").prefix { !$0.contains(" packages in ") }
    }

    /// Takes in files that were cut off; a sink finds damage in them too.
    private func takeInDamagedFiles() throws -> [TypeSample] {
        let cut = TypeSample.all.filter { $0.name.contains("cut-off") }
        for place in 1...3 { for sample in cut { try folder.write("in/\(place)/\(sample.name)", sample.bytes) } }
        #expect(try lines([]).count { $0.contains("! cut off: ") } == 3 * cut.count)
        try SQL.run(
            folder["c"],
            "UPDATE delivery SET outcome = 'delivered', metadata = '{\"damaged\":true,\"problem\":\"no end\"}'")
        return cut
    }

    /// A run does not read a known file again, so it says nothing about its content. A run that reads it and a plan say
    /// as little, and list as few duplicates.
    @Test func aKnownWarningIsNotRepeated() throws {
        _ = try takeInDamagedFiles()
        let expected = try lines([])
        #expect(expected.count == 10 && expected.allSatisfy { $0.hasPrefix("duplicate  ") }, "\(expected)")
        for options in [["--dry-run"], ["--reread"], ["--dry-run", "--reread"], []] {
            #expect(try lines(options) == expected, "\(options)")
        }
    }

    /// A known file has its warnings again under another name, with those of the sink.
    @Test func aPlanWarnsAsTheRunDoes() throws {
        let sample = try #require(try takeInDamagedFiles().first)
        try folder.write("in/a copy", sample.bytes)
        let planned = try lines(["--dry-run"])
        #expect(planned.contains { $0.hasPrefix("duplicate  a copy ") })
        #expect(planned.contains { $0.contains("! cut off: ") })
        #expect(planned.contains { $0.hasSuffix(": the content is damaged: no end") })
        #expect(try lines([]) == planned)
        #expect(try lines([]).allSatisfy { !$0.contains("!") })
    }

    @Test func nothingIsWritten() throws {
        // Larger than what a worker identifies in memory, and packed into one archive.
        let large = [UInt8](repeating: 65, count: 400 << 10)
        try folder.write("in/large.bin", large)
        try folder.write("in/Brief.pages/data.bin", large)
        _ = try program.ingest(folder["in"])
        let before = try stamps()
        try folder.write("in/new.txt", "new")
        for command in [["inspect", "--json"], ["ingest", "--dry-run", "--json"]] {
            let end = try program.run(command + [folder["in"].string])
            #expect(end.status == 0)
            #expect(
                try end.receipts.map(\.outcome).sorted { $0.rawValue < $1.rawValue } == [
                    .accepted, .duplicate, .duplicate,
                ])
        }
        #expect(try stamps() == before)
        #expect(Disk.names(in: folder["tmp"]) == ["x"])
    }

    @Test func aFolderThatIsNoContainerIsRefused() throws {
        try folder.write("c/notes.txt", "mine")
        let end = try program.run(["inspect", folder["c/notes.txt"].string])
        #expect(end.status == 2 && end.errors.contains("not a container"))
    }

    /// SQLite's own files beside the catalog change with each reader.
    private func stamps() throws -> [String: [Int64]] {
        let files = Disk.files(below: folder["c"]).filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
        return try Dictionary(uniqueKeysWithValues: files.map { ($0, try Disk.stamp(folder["c"].appending($0))) })
    }
}
