import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files

/// `sluice gc` removes unreferenced objects and nothing else.
@Suite struct CollectTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws {
        folder = try TestFolder()
        try folder.write("in/letter.txt", "words")
        #expect(try program.ingest(folder["in"]).status == 0)
    }

    private func collect(_ options: String...) throws -> (leftovers: [Leftover], sum: Collected) {
        let end = try program.run(["gc", "--json"] + options)
        #expect(end.status == 0, "\(end.errors)")
        let messages = try end.messages
        return (messages.compactMap(\.leftover), try #require(messages.last?.collected))
    }

    @discardableResult
    private func leave(_ text: String) throws -> FilePath {
        let digest = Digest(of: text)
        return try folder.write("container/objects/\(digest.description.prefix(2))/\(digest)", text, mode: 0o400)
    }

    @Test func leftoversAreRemovedAfterTheirGracePeriod() throws {
        let before = Disk.files(below: folder["container/objects"])
        let leftover = try leave("left behind")
        #expect(try collect().sum.young == 1)
        #expect(try collect("--grace", "1h").sum.files == 0)
        let plan = try collect("--grace", "0s", "--dry-run")
        #expect(plan.leftovers == [Leftover(object: Digest(of: "left behind"), bytes: 11)])
        #expect(try Disk.bytes(leftover) == Array("left behind".utf8))
        let (leftovers, sum) = try collect("--grace", "0s")
        #expect(leftovers == plan.leftovers && sum.files == 1 && sum.bytes == 11)
        #expect(Disk.files(below: folder["container/objects"]) == before)
        #expect(try collect("--grace", "0s").sum == Collected())
    }

    @Test func unreferencedRowsAreRemovedWithTheirFiles() throws {
        let object = try leave("once a product")
        let digest = Digest(of: "once a product")
        try SQL.run(folder["container"], "INSERT INTO object (sha256, size) VALUES (x'\(digest)', 14)")
        #expect(try collect("--dry-run").sum.rows == 1)
        #expect(try collect().sum.rows == 1)
        #expect(!FileManager.default.fileExists(atPath: object.string))
        #expect(try program.run(["verify"]).status == 0)
    }

    @Test func unknownFilesAreNamedAndKept() throws {
        for name in ["note.txt", "ab/.hidden", "ab/\(Digest(of: []))"] {
            try folder.write("container/objects/\(name)", "mine")
        }
        let sum = try collect("--grace", "0s").sum
        #expect(sum.strange == 3 && sum.files == 0)
        #expect(try Disk.bytes(folder["container/objects/note.txt"]) == Array("mine".utf8))
    }

    /// A batch holds a lock while its objects have no rows yet.
    @Test func objectsOfARunningBatchAreKept() throws {
        for number in 0..<400 { try folder.write("many/\(number).txt", "file \(number)") }
        let scratch = try TestFolder()
        let ingest = try program.start(
            ["ingest", "--no-deliver", "--quiet", folder["many"].string], input: scratch.write("input", ""),
            scratch: scratch, output: nil)
        var rounds = 0
        repeat {
            _ = try collect("--grace", "0s")
            rounds += 1
        } while ingest.isRunning
        ingest.waitUntilExit()
        #expect(ingest.terminationStatus == 0 && rounds > 0)
        let end = try program.run(["verify", "--json"])
        #expect(end.status == 0, "\(end.output)")
    }

    @Test(arguments: ["", "h", "-1h", "1.5h", "99999999999999999d"])
    func anInvalidGracePeriodIsRefused(_ grace: String) throws {
        #expect(try program.run(["gc", "--grace=\(grace)"]).status == 64)
    }

    @Test func noContainerIsCreated() throws {
        #expect(try Program(container: folder["nowhere"]).run(["gc"]).status == 2)
        #expect(!FileManager.default.fileExists(atPath: folder["nowhere"].string))
    }
}
