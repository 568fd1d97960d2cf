import Foundation
import Ingestion
import ShareModel
import SystemPackage
import Testing

/// A walk over a folder does not bring a forgotten package back. A person can.
@Suite struct TombstoneTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    /// Ingests without deliveries; returns the outcomes.
    private func ingest(_ arguments: [String], input: String = "") throws -> [PackageOutcome] {
        let end = try program.run(["ingest", "--json", "--no-deliver"] + arguments, input: input)
        #expect(end.status == 0, "\(end.errors)")
        return try end.receipts.map(\.outcome)
    }

    private var objects: [String] { Disk.files(below: folder["container/objects"]) }

    private func forgetAll() throws {
        let ids = try program.run(["list", "--json"]).messages.compactMap(\.package?.id)
        #expect(try program.run(["forget"] + ids).status == 0)
        #expect(objects.isEmpty)
    }

    private static let share = """
        {"version": 1, "items": [{"title": "two", "attachments": [{"representations": [{"text": "t"}]}]}]}
        """

    private func takeInAndForget() throws {
        try folder.write("in/letter.txt", "a letter")
        try folder.write("in/two.share/share.json", Self.share)
        #expect(try ingest([folder["in"].string]) == [.accepted, .accepted])
        try forgetAll()
    }

    /// A change to the letter before the walk.
    enum Change: CaseIterable {
        case nothing, touched, moved, edited

        func make(in folder: TestFolder) throws {
            let path = folder["in/letter.txt"]
            switch self {
            case .nothing: break
            case .touched: try folder.write("in/letter.txt", "a letter")
            case .moved:
                try FileManager.default.moveItem(atPath: path.string, toPath: folder["in/inbox.txt"].string)
            case .edited: try folder.write("in/letter.txt", "another letter")
            }
        }
    }

    @Test(arguments: Change.allCases, [[], ["--reread"]])
    func aWalkSkipsIt(_ change: Change, _ options: [String]) throws {
        try takeInAndForget()
        try change.make(in: folder)
        for _ in 1...2 {
            let outcomes = try ingest([folder["in"].string] + options)
            #expect(outcomes.last == .skipped)
            #expect(change == .edited ? outcomes.first != .skipped : outcomes.first == .skipped)
            #expect(objects.count == (change == .edited ? 1 : 0), "nothing of it is stored")
        }
        #expect(try program.run(["gc", "--grace", "0s", "--json"]).messages.last?.collected?.files == 0)
    }

    /// The identifier of a failure is that of its path. Whatever fails there later is another failure.
    @Test func aForgottenFailureHidesNoLaterOne() throws {
        try folder.write("in/two.share/share.json", "{not json")
        let first = try program.ingest(folder["in"])
        #expect(first.status == 1)
        #expect(try first.receipt.outcome == .failed)
        try forgetAll()
        try folder.write("in/two.share/share.json", "[also broken")
        let second = try program.ingest(folder["in"])
        #expect(second.status == 1)
        #expect(try second.receipt.outcome == .failed)
        try folder.write("in/two.share/share.json", Self.share)
        #expect(try ingest([folder["in"].string]) == [.accepted])
    }

    @Test func aSkippedPackageSaysWhy() throws {
        try takeInAndForget()
        let end = try program.run(["ingest", folder["in"].string])
        #expect(end.status == 0)
        #expect(end.output.split(separator: "\n").filter { $0.contains("it was forgotten; name it") }.count == 2)
    }

    /// A person names the file or the share, or sends it.
    @Test func itComesBackWhenItIsNamed() throws {
        try takeInAndForget()
        #expect(try ingest([folder["in/letter.txt"].string]) == [.accepted])
        #expect(try ingest([folder["in/two.share"].string]) == [.accepted])
        #expect(try ingest([folder["in"].string]) == [.duplicate, .duplicate], "the walk knows both again")
        try forgetAll()
        #expect(try ingest(["-"], input: Self.share) == [.accepted])
        #expect(try ingest([folder["in"].string]) == [.skipped, .duplicate])
        try folder.write("other.txt", "a letter")
        #expect(try ingest([folder["other.txt"].string]) == [.accepted])
        #expect(try ingest([folder["in"].string]) == [.duplicate, .duplicate], "it is no longer forgotten anywhere")
    }

    @Test func aProgramSendsItAgain() async throws {
        try takeInAndForget()
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        let item = ExtensionItem(
            title: "two", attachments: [ItemProvider(representations: [Representation(content: .text("t"))])])
        let package = SharePackage(source: PackageSource(kind: .submitted, path: "share", folder: nil), items: [item])
        #expect(try await Pipeline(options: options).submit(package).outcome == .accepted)
        #expect(try ingest([folder["in"].string]) == [.skipped, .duplicate])
    }

    /// A bag is made to bring its packages back.
    @Test func aBagBringsItBack() throws {
        try folder.write("in/letter.txt", "a letter")
        #expect(try ingest([folder["in"].string]) == [.accepted])
        #expect(try program.run(["export", folder["bag"].string]).status == 0)
        try forgetAll()
        #expect(try ingest([folder["bag"].string]) == [.accepted])
    }

    /// Nothing but a digest and numbers is kept.
    @Test func noNameOfAForgottenFileRemains() throws {
        try folder.write("in/Zephyranthes.txt", "a letter")
        #expect(try ingest([folder["in"].string]) == [.accepted])
        try forgetAll()
        for file in Disk.files(below: folder["container"]) {
            let bytes = try Data(contentsOf: URL(filePath: folder["container"].appending(file).string))
            #expect(bytes.range(of: Data("Zephyranthes".utf8)) == nil, "\(file)")
        }
    }
}
