import ShareModel
import Testing

/// A file that has its first content again is a duplicate, and changes which package is current.
@Suite struct CurrentAgainTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    private func ingest(_ text: String, _ options: String...) throws -> Receipt {
        try folder.write("in/notes.txt", text)
        return try program.ingest(folder["in"], options: ["--no-deliver"] + options).receipt
    }

    @Test func theDuplicateNamesWhatItReplaces() throws {
        let (first, second) = (try ingest("one"), try ingest("two, longer"))
        #expect(second.supersedes == first.id)
        let planned = try ingest("one", "--dry-run")
        let again = try ingest("one")
        for receipt in [planned, again] {
            #expect(receipt.outcome == .duplicate && receipt.duplicateOf == first.id)
            #expect(receipt.supersedes == second.id)
            #expect(receipt.reason?.hasSuffix("is current now in place of a later package") == true)
        }
        #expect(try program.run(["show", "--json", second.id]).receipt.supersededBy == first.id)
        // Nothing changes the next time.
        let last = try program.ingest(folder["in"], options: ["--no-deliver", "--reread"]).receipt
        #expect(last.outcome == .duplicate && last.supersedes == nil)
    }

    @Test func theLineNamesItToo() throws {
        let (first, second) = (try ingest("one"), try ingest("two, longer"))
        try folder.write("in/notes.txt", "one")
        let output = try program.run(["ingest", "--no-deliver", folder["in"].string]).output
        #expect(output.contains("same as \(first.id.prefix(12))"))
        #expect(output.contains("is current now, in place of \(second.id.prefix(12))"))
    }

    /// A duplicate that changes something is listed behind any number of those that do not.
    @Test func itIsListedAmongManyDuplicates() throws {
        for number in 10..<25 { try folder.write("in/\(number).txt", "file \(number)") }
        try folder.write("in/notes.txt", "one")
        for text in ["two, longer", "one"] {
            _ = try program.ingest(folder["in"], options: ["--no-deliver"])
            try folder.write("in/notes.txt", text)
        }
        let output = try program.run(["ingest", "--no-deliver", folder["in"].string]).output
        #expect(output.contains("is current now, in place of"))
    }
}
