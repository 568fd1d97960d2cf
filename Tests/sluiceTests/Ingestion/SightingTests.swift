import Foundation
import ShareModel
import SystemPackage
import Testing

/// A package that comes in again from another place, under another name or from another time is recorded, and found by
/// its new name. The same arrival writes nothing.
@Suite struct SightingTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws {
        folder = try TestFolder()
        try folder.write("in/letter.txt", "a letter")
        try folder.share("in/two", id: "two", title: "Two texts", #"{"representations": [{"text": "one"}]}"#)
    }

    private func ingest(_ options: [String] = []) throws -> [Receipt] {
        let end = try program.ingest(folder["in"], options: ["--no-deliver"] + options)
        #expect(end.status == 0, "\(end.errors)")
        return try end.receipts
    }

    /// A second arrival of the letter.
    enum Arrival: CaseIterable {
        case another, touched, attached

        func make(in folder: TestFolder) throws {
            switch self {
            case .another: try folder.write("in/more/copy.txt", "a letter")
            case .touched:
                let time = Date(timeIntervalSince1970: 1_000_000_000)
                try FileManager.default.setAttributes(
                    [.modificationDate: time], ofItemAtPath: folder["in/letter.txt"].string)
            case .attached:
                try folder.write("in/x.share/copy.txt", "a letter")
                try folder.share("in/x", #"{"name": "renamed.txt", "representations": [{"file": "copy.txt"}]}"#)
            }
        }

        /// The end of its path, its names, and a word by which a search finds it.
        var expected: (path: String, names: [String]?, word: String) {
            switch self {
            case .another: ("in/more/copy.txt", nil, "copy")
            case .touched: ("in/letter.txt", nil, "letter")
            case .attached: ("in/x.share", ["renamed.txt"], "renamed")
            }
        }
    }

    @Test(arguments: Arrival.allCases) func anotherArrivalIsRecordedOnce(_ arrival: Arrival) throws {
        let id = try #require(try ingest().first { $0.source.kind == .file }).id
        try arrival.make(in: folder)
        for _ in 1...2 {
            #expect(try ingest().allSatisfy { $0.outcome == .duplicate })
            let receipt = try program.run(["show", "--json", id]).receipt
            let sighting = try #require(receipt.sightings?.first)
            #expect(receipt.sightings?.count == 1)
            #expect(sighting.source.path.hasSuffix(arrival.expected.path))
            #expect(sighting.names == arrival.expected.names)
            if arrival == .touched { #expect(sighting.modified?.description == "2001-09-09T01:46:40Z") }
            let found = try program.run(["search", "--json", arrival.expected.word]).messages.compactMap(\.package?.id)
            #expect(found == [id])
        }
        let story = try program.run(["show", id]).output
        #expect(story.contains("seen again") && story.contains(arrival.expected.path))
        #expect(try program.run(["changes"]).output.split(separator: "\n").filter { $0.contains("sighted") }.count == 1)
    }

    /// The stamps are left out: that of a young file is written by the first run that finds the file quiet.
    private func rows() throws -> [[String]] {
        try ["package", "provider", "sighting", "delivery", "record", "object", "change"].map {
            try SQL.run(folder["container"], "SELECT * FROM \($0)")
        }
    }

    @Test(arguments: [[], ["--reread"]]) func aRerunOverAnUnchangedFolderWritesNothing(_ options: [String]) throws {
        #expect(try ingest().count == 2)
        let before = try rows()
        for _ in 1...2 { #expect(try ingest(options).allSatisfy { $0.outcome == .duplicate }) }
        #expect(try rows() == before)
        #expect(Disk.files(below: folder["container/objects"]).count == 3, "two contents and a description")
    }

    /// Shares with one identifier: one has all, one a part of it, one the same, and one other content.
    @Test func aRerunOverSharesWithOneIdentifierWritesNothing() throws {
        try FileManager.default.removeItem(atPath: folder["in"].string)
        let (one, two) = (#"{"representations": [{"file": "1.txt"}]}"#, #"{"representations": [{"file": "2.txt"}]}"#)
        for (name, files) in [("a", "1"), ("b", "12"), ("c", "12"), ("d", "2"), ("e", "3"), ("f", "12"), ("g", "1")] {
            try folder.share("in/\(name)", id: "same", one, two)
            for file in files { try folder.write("in/\(name).share/\(file).txt", "text \(file)") }
            if files == "3" { try folder.share("in/\(name)", id: "same", #"{"representations": [{"file": "3.txt"}]}"#) }
        }
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
        let before = try rows()
        for _ in 1...2 {
            _ = try program.ingest(folder["in"], options: ["--no-deliver"])
            #expect(try rows() == before)
        }
    }

    /// A known description is not stored a second time, even if parts of it that were not chosen differ.
    @Test func aKnownDescriptionLeavesNoFile() throws {
        for number in 1...3 {
            let share = """
                {"version": 1, "items": [{"attachments": [{"representations": [
                    {"type": "text/plain", "data": "\(Data("the same".utf8).base64EncodedString())"}, {"text": "\(number)"}
                ]}]}]}
                """
            #expect(try program.run(["ingest", "--no-deliver", "-"], input: share).status == 0)
        }
        #expect(try program.run(["list", "--json"]).messages.count == 1)
        let collected = try program.run(["gc", "--grace", "0s", "--json"]).messages.last?.collected
        #expect(collected?.files == 0)
    }
}
