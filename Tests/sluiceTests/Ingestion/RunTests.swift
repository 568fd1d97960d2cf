import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files

/// Complete runs of the real program with its real sinks.
@Suite struct RunTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    private static let samples = FilePath(PackageDump.root.appending(path: "Samples/shares").path)

    @Test func aSecondRunStoresNothing() throws {
        let first = try program.ingest(Self.samples)
        let objects = try stamps()
        let second = try program.ingest(Self.samples)
        #expect(first.status == 1, "some samples are broken on purpose")
        #expect(second.status == 1)
        #expect(objects.count > 50)
        #expect(try stamps() == objects, "no object was written again, not even in place")
        #expect(try second.summary.storedBytes == 0)
        let (before, after) = try (first.receipts, second.receipts)
        #expect(before.map(\.source) == after.map(\.source))
        for (one, two) in zip(before, after) {
            #expect(two.outcome == (one.outcome == .accepted ? .duplicate : one.outcome), "\(one.source.path)")
            #expect(two.bytes == one.bytes, "\(one.source.path)")
        }
        #expect(Disk.names(in: folder["container/tmp"]).isEmpty)
        #expect(Disk.files(below: folder["container/work"]).isEmpty)
    }

    @Test func theSummaryIsTheSumOfTheReceipts() throws {
        for options in [[], ["--no-deliver"], ["--dry-run"]] {
            let end = try program.ingest(Self.samples, options: options)
            let (summary, receipts) = try (end.summary, end.receipts)
            #expect(summary == Summary(counting: receipts), "\(options)")
            let outcomes = [summary.accepted, summary.partial, summary.duplicate, summary.failed, summary.skipped]
            #expect(summary.packages == outcomes.reduce(0, +))
            #expect(summary.packages == receipts.count)
            for receipt in receipts {
                let sizes = receipt.providers.compactMap(\.size).reduce(0, +)
                #expect(receipt.bytes == sizes, "\(receipt.source.path)")
            }
        }
    }

    /// An attachment comes late and is lost again: the package that had all of the share stays, and a line says so.
    @Test(arguments: [nil, "Two texts"] as [String?], [nil, "two"] as [String?])
    func aPartOfAShareDoesNotReplaceTheWhole(_ title: String?, _ id: String?) throws {
        try folder.share(
            "in/two", id: id, title: title, #"{"representations": [{"file": "1.txt"}]}"#,
            #"{"representations": [{"file": "2.txt"}]}"#)
        try folder.write("in/two.share/1.txt", "one")
        let part = try program.ingest(folder["in"]).receipt
        #expect(part.outcome == .partial)
        try folder.write("in/two.share/2.txt", "two")
        let whole = try program.ingest(folder["in"]).receipt
        #expect(whole.outcome == .accepted && whole.supersedes == part.id)
        try FileManager.default.removeItem(atPath: folder["in/two.share/2.txt"].string)
        for options in [["--dry-run"], [], []] {
            let end = try program.run(["ingest", folder["in"].string] + options)
            #expect(end.status == 1)
            let words = ["the current package has all of this, and stays", "2.txt", "1 partial", "\ncontainer: "]
            for words in words { #expect(end.output.contains(words), "\(end.output)") }
            for words in ["next:", "missing: "] { #expect(!end.output.contains(words), "\(end.output)") }
        }
        let again = try program.ingest(folder["in"]).receipt
        #expect(again.id == part.id && again.addsNothing && again.duplicateOf == whole.id)
        let current = try program.run(["list", "--json"]).messages.compactMap(\.package).filter {
            $0.supersededBy == nil
        }
        #expect(current.map(\.id) == [whole.id])
        #expect(try !program.run(["changes"]).output.contains("sighted"))
    }

    /// The path, inode, size and times of every object; they show whether it was written or replaced.
    private func stamps() throws -> [String: [Int64]] {
        let objects = folder["container/objects"]
        let stamped = try Disk.files(below: objects).map { ($0, try Disk.stamp(objects.appending($0))) }
        return Dictionary(uniqueKeysWithValues: stamped)
    }

    @Test func objectsMatchTheReceipts() throws {
        let end = try program.ingest(Self.samples, options: ["--no-deliver"])
        for provider in try end.receipts.flatMap(\.providers) {
            guard let digest = provider.sha256 else { continue }
            let path = folder["container/objects/\(digest.description.prefix(2))/\(digest)"]
            let bytes = try Disk.bytes(path)
            #expect(Int64(bytes.count) == provider.size)
            #expect(Digest(of: bytes) == digest)
        }
    }

    @Test func standardInputIsAPackage() throws {
        let text = #"{"version": 1, "items": [{"attachments": [{"representations": [{"text": "by pipe"}]}]}]}"#
        let end = try program.run(["ingest", "--json", "-"], input: text)
        #expect(end.status == 0)
        #expect(try end.receipt.outcome == .accepted)
        #expect(try end.receipt.source.path == "-")
    }

    /// The system refuses to read this file's first byte.
    @Test func anInputThatCannotBeReadIsNoFaultOfTheContainer() throws {
        let scratch = try TestFolder()
        let process = try program.start(["ingest", "-"], input: "/proc/self/mem", scratch: scratch, output: nil)
        process.waitUntilExit()
        let errors = String(decoding: try Disk.bytes(scratch["errors"]), as: UTF8.self)
        #expect(process.terminationStatus == 64 && errors.contains("standard input cannot be read"), "\(errors)")
    }

    /// Input from a pipe cannot be read again, so it is stored if a part is missing.
    @Test(arguments: [
        ("{not json", PackageOutcome.failed), (#"{"version": 1, "items": []}"#, .failed),
        (
            #"{"version": 1, "items": [{"attachments": [{"representations": [{"text": "in"}]}, {"representations": []}]}]}"#,
            .partial
        ),
    ])
    func incompleteStandardInputIsStored(_ text: String, _ outcome: PackageOutcome) throws {
        let end = try program.run(["ingest", "--json", "-"], input: text)
        #expect(end.status == 1)
        #expect(try end.receipt.outcome == outcome)
        let digest = Digest(of: text)
        let kept = folder["container/objects/\(digest.description.prefix(2))/\(digest)"]
        #expect(try Disk.bytes(kept) == Array(text.utf8))
    }

    /// A line of `deliver --json`, which names the content of the delivery.
    private struct Named: Decodable {
        let delivery: DeliveryRecord
        let name: String
    }

    @Test func deliveriesCanWait() throws {
        try folder.write("in/letter.txt", "words")
        let first = try program.ingest(folder["in"], options: ["--no-deliver"])
        #expect(first.status == 0)
        #expect(try first.summary.deliveries.pending == 1)
        let later = try program.run(["deliver", "--json"])
        #expect(later.status == 0)
        #expect(try later.messages.compactMap(\.delivery).map(\.outcome) == [.delivered])
        let line = try #require(later.output.split(separator: "\n").first)
        #expect(try JSONDecoder().decode(Named.self, from: Data(line.utf8)).name == "letter.txt")
        let shown = try program.run(["show", "--json", try first.receipt.id])
        #expect(try shown.receipt.providers[0].deliveries.map(\.outcome) == [.delivered])
        #expect(try program.run(["deliver", "--json"]).messages.compactMap(\.delivery).isEmpty)
    }

    /// A run also finishes the open deliveries of earlier runs.
    @Test func aLaterRunDeliversOpenDeliveries() throws {
        try folder.write("in/letter.txt", "words")
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
        let end = try program.ingest(folder["in"])
        #expect(end.status == 0)
        #expect(try end.receipt.outcome == .duplicate)
        #expect(try end.receipt.providers[0].deliveries.map(\.outcome) == [.delivered])
    }

    struct Usage: Sendable {
        var arguments: [String]
        var status: Int32
    }

    @Test(arguments: [
        Usage(arguments: ["ingest", "good.txt"], status: 0), Usage(arguments: ["ingest", "missing.txt"], status: 1),
        Usage(arguments: ["ingest", "good.txt", "missing.txt"], status: 1),
        Usage(arguments: ["ingest", "--nonsense"], status: 64),
        Usage(arguments: ["ingest", "good.txt", "-"], status: 64),
        Usage(arguments: ["ingest", "--jobs", "0", "good.txt"], status: 64), Usage(arguments: ["list"], status: 2),
        Usage(arguments: ["show", "xyz"], status: 64),
    ])
    func exitStatusesTellTheResult(_ usage: Usage) throws {
        try folder.write("good.txt", "good")
        let arguments = usage.arguments.map { $0.hasSuffix(".txt") ? folder[$0].string : $0 }
        let end = try program.run(arguments)
        #expect(end.status == usage.status, "\(end.errors)")
    }

    @Test func aRootMustBeAllowed() throws {
        try folder.write("elsewhere/notes.txt", "outside the package")
        try folder.share("one", #"{"representations": [{"file": "\#(folder["elsewhere/notes.txt"].string)"}]}"#)
        let refused = try program.ingest(folder["one.share"])
        #expect(try refused.receipt.outcome == .failed)
        #expect(try refused.receipt.reason?.contains("--allow-root") == true)
        let allowed = try program.ingest(folder["one.share"], options: ["--allow-root", folder["elsewhere"].string])
        #expect(allowed.status == 0)
        #expect(try allowed.receipt.outcome == .accepted)
    }

    @Test func aWalkNamesWhatItSkips() throws {
        try folder.write("in/a.txt", "a")
        try folder.write("in/.hidden", "h")
        try folder.write("in/movie.mp4.part", "p")
        try folder.write("in/sub/b.txt", "b")
        try FileManager.default.createSymbolicLink(
            atPath: folder["in/link"].string, withDestinationPath: folder["in/a.txt"].string)
        try FileManager.default.createSymbolicLink(atPath: folder["in/loop"].string, withDestinationPath: "..")
        #expect(mkfifo(folder["in/pipe"].string, 0o600) == 0)
        let end = try program.ingest(folder["in"])
        #expect(end.status == 0)
        let told = try end.receipts.map { receipt in
            (String(receipt.source.path.dropFirst(folder["in"].string.count + 1)), receipt.outcome, receipt.reason)
        }
        #expect(told.map(\.0) == [".hidden", "a.txt", "link", "loop", "movie.mp4.part", "pipe", "sub/b.txt"])
        let expected: [PackageOutcome] = [.skipped, .accepted, .skipped, .skipped, .skipped, .skipped, .accepted]
        #expect(told.map(\.1) == expected)
        let words = [".hidden": "hidden", "link": "link", "loop": "link", "movie.mp4.part": "written", "pipe": "FIFO"]
        for (name, word) in words {
            #expect(told.first { $0.0 == name }?.2?.contains(word) == true, "\(name)")
        }
        #expect(try program.run(["list", "--json"]).messages.count == 2, "an input that is left out leaves no row")
    }

    @Test func jsonOutputHasNothingElse() throws {
        try folder.write("in/a.txt", "a")
        let ingested = try program.ingest(folder["in"], folder["missing"])
        let id = try #require(try ingested.receipts.first?.id)
        for command in [
            ["list"], ["show", id], ["deliver"], ["ingest", folder["in"].string], ["inspect", folder["in"].string],
        ] {
            let end = try program.run([command[0], "--json"] + command.dropFirst())
            let lines = end.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count > 1 && lines.last == "", "\(command)")
            #expect(throws: Never.self, "\(command)") {
                for line in lines.dropLast() {
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    #expect(object is [String: Any])
                }
            }
        }
    }

    @Test func aDryRunStoresNothing() throws {
        try folder.write("in/a.txt", "a")
        let end = try program.ingest(folder["in"], options: ["--dry-run"])
        #expect(try end.receipt.outcome == .accepted)
        #expect(!FileManager.default.fileExists(atPath: folder["container"].string))
    }
}
