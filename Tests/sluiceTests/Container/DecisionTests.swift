import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// The outcomes of a package in a container that holds other packages.
@Suite struct DecisionTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    private func commit(_ proposals: PackageProposal...) throws -> [Receipt] { try container.catalog.commit(proposals) }

    private var supersededBy: [String: String] {
        get throws {
            let entries = try container.catalog.entries().map { ($0.id, $0.supersededBy) }
            return Dictionary(uniqueKeysWithValues: entries).compactMapValues { $0 }
        }
    }

    @Test func anEditedSourceSupersedes() throws {
        _ = try commit(.accepted("a", ["draft"], path: "/in/1"))
        let edited = try commit(.accepted("b", ["final"], path: "/in/1", run: "r2"))
        #expect(edited[0].outcome == .accepted)
        #expect(edited[0].supersedes == "a")
        #expect(edited[0].warnings.isEmpty)
        #expect(try supersededBy == ["a": "b"])

        let back = try commit(.accepted("a", ["draft"], path: "/in/1", run: "r3"))
        #expect(back[0].outcome == .duplicate)
        #expect(try supersededBy == ["b": "a"], "the content that the source yields now is current")
    }

    /// The copy of a file keeps its content current when the file itself changes.
    @Test func aCopyIsCurrentWhileAFileYieldsIt() throws {
        _ = try commit(.accepted("a", ["draft"], path: "/in/1"))
        _ = try commit(.accepted("a", ["draft"], path: "/in/copy", run: "r2"))
        let edited = try commit(.accepted("b", ["final"], path: "/in/1", run: "r3"))
        #expect(edited.map(\.supersedes) == [nil])
        let copy = try commit(.accepted("a", ["draft"], path: "/in/copy", run: "r4"))
        #expect(copy.map(\.duplicateOf) == ["a"])
        #expect(try supersededBy.isEmpty)
        #expect(try container.catalog.receipt("a").sightings?.map(\.source.path) == ["/in/copy"])
        // A failed input replaces nothing: what the copy yielded before is still the best that there is of it.
        _ = try commit(.failed("f", path: "/in/copy", run: "r5"), .accepted("a", ["draft"], path: "/in/1", run: "r5"))
        _ = try commit(.accepted("b", ["final"], path: "/in/1", run: "r6"))
        #expect(try supersededBy.isEmpty)
        _ = try commit(.accepted("b", ["final"], path: "/in/copy", run: "r7"))
        #expect(try supersededBy == ["a": "b", "f": "b"])
    }

    @Test func twoContentsOfASourceInOneRunGiveAWarning() throws {
        let both = try commit(.accepted("a", ["one"], path: "/in/1"), .accepted("b", ["two"], path: "/in/1"))
        #expect(both.map(\.outcome) == [.accepted, .accepted])
        #expect(both[1].supersedes == "a")
        #expect(both[1].warnings.count == 1)
        #expect(both[1].warnings.first?.contains("unstable") == true)
    }

    @Test func aKnownSenderIDWithTheSameContentIsADuplicate() throws {
        _ = try commit(.accepted("a", ["one"], sender: "x"))
        let again = try commit(.accepted("a", ["one"], sender: "x", run: "r2"))
        #expect(again[0].outcome == .duplicate)
        #expect(again[0].duplicateOf == "a")
        #expect(try container.catalog.entries().count == 1)
    }

    @Test func aKnownSenderIDWithOtherContentSupersedesWithAWarning() throws {
        _ = try commit(.accepted("a", ["one"], sender: "x"))
        let other = try commit(.accepted("b", ["two"], sender: "x", run: "r2"))
        #expect(other[0].outcome == .accepted)
        #expect(other[0].supersedes == "a")
        #expect(other[0].warnings.first?.contains("id") == true)
        #expect(try supersededBy == ["a": "b"])
    }

    @Test func contentThatASenderSendsAgainIsCurrentAgain() throws {
        _ = try commit(.accepted("a", ["one"], sender: "x"))
        _ = try commit(.accepted("b", ["two"], sender: "x", run: "r2"))
        let back = try commit(.accepted("a", ["one"], sender: "x", run: "r3"))
        #expect(back[0].outcome == .duplicate)
        #expect(try supersededBy == ["b": "a"])
    }

    @Test func theMissingRestSupersedesThePart() throws {
        _ = try commit(.accepted("a", ["one"], path: "/in/1", lacking: 1))
        let whole = try commit(.accepted("b", ["one", "two"], path: "/in/1", run: "r2"))
        #expect(whole[0].outcome == .accepted)
        #expect(whole[0].supersedes == "a")
        #expect(whole[0].warnings.isEmpty)
        #expect(whole[0].providers.map(\.outcome) == [.duplicate, .stored])
        #expect(whole[0].storedBytes == 3, "the first part is not stored twice")
        #expect(try supersededBy == ["a": "b"])
    }

    @Test(arguments: ["a", "b"])
    func theSamePartAgainIsNoNewPackage(_ id: String) throws {
        _ = try commit(.accepted("a", ["one", "two"], path: "/in/1", lacking: 1))
        let again = try commit(
            .accepted(id, id == "a" ? ["one", "two"] : ["two"], path: "/in/1", run: "r2", lacking: 1))
        #expect(again[0].outcome == .partial)
        #expect(again[0].storedBytes == 0)
        #expect(again[0].duplicateOf == "a")
        #expect(try container.catalog.entries().map(\.id) == ["a"])
    }

    @Test func anUnstablePartGivesAWarning() throws {
        _ = try commit(.accepted("a", ["one"], path: "/in/1", lacking: 1))
        let other = try commit(.accepted("b", ["other", "two"], path: "/in/1", run: "r2"))
        #expect(other[0].warnings.first?.contains("unstable") == true)
    }

    @Test func aRepairedSourceSupersedesItsFailure() throws {
        _ = try commit(.failed("f", path: "/in/1"))
        #expect(try commit(.failed("f", path: "/in/1", run: "r2"))[0].outcome == .failed)
        #expect(try container.catalog.entries().count == 1, "the same failure is stored once")
        let good = try commit(.accepted("a", ["one"], path: "/in/1", run: "r3"))
        #expect(good[0].outcome == .accepted)
        #expect(good[0].warnings.isEmpty)
        #expect(try supersededBy == ["f": "a"])

        _ = try commit(.failed("f", path: "/in/1", run: "r4"))
        #expect(try supersededBy.isEmpty, "the failure is listed again, and replaces no stored package")
        _ = try commit(.accepted("a", ["one"], path: "/in/1", run: "r5"))
        #expect(try supersededBy == ["f": "a"])
    }

    /// The description could not be read, so the failure has no identifier of the sender.
    @Test func aRepairedDescriptionSupersedesItsFailure() throws {
        _ = try commit(.failed("f", path: "/in/1"))
        let good = try commit(.accepted("a", ["one"], path: "/in/1", sender: "x", run: "r2"))
        #expect(good[0].supersedes == "f")
        #expect(try supersededBy == ["f": "a"])
    }

    /// A package that a walk over a folder found shows that the folder can be read again. One that was named does not.
    @Test func aFolderThatCanBeReadAgainIsNoFailure() throws {
        for folder in ["/in/box", "/in/boxes"] as [FilePath] {
            var failure = PackageProposal.failed("f\(folder)", path: folder)
            failure.receipt.source = .init(kind: .other, path: folder)
            _ = try commit(failure)
        }
        func take(_ id: String, _ content: String, _ path: FilePath, walk: FilePath?) throws {
            var found = PackageProposal.accepted(id, [content], path: path, run: id)
            found.walk = walk
            _ = try commit(found)
        }
        try take("a", "one", "/in/other/1", walk: "/in")
        try take("b", "two", "/in/box/deep/2", walk: nil)
        try take("c", "three", "/in/box/deep/3", walk: "/in/box/deep")
        #expect(try supersededBy.isEmpty)
        try take("d", "four", "/in/box/deep/4", walk: "/in/box")
        #expect(try supersededBy == ["f/in/box": "d"])
        #expect(try container.catalog.entries(.troubled).map(\.id) == ["f/in/boxes"])
    }

    /// SQLite's texts end at a NUL. Two identifiers of a sender must not become one.
    @Test func identifiersDifferAfterANUL() throws {
        let all = try commit(
            .accepted("a", ["one"], sender: "x\0one"), .accepted("b", ["two"], sender: "x\0two"),
            .accepted("c", ["three"], sender: "x"))
        #expect(all.map(\.supersedes) == [nil, nil, nil])
        #expect(try commit(.accepted("d", ["four"], sender: "x\0two", run: "r2"))[0].supersedes == "b")
    }

    /// The record of a partial package may be the only copy of what is missing.
    @Test(arguments: ["a", "b"])
    func theRecordOfARepeatedPartIsKept(_ id: String) throws {
        _ = try commit(.accepted("a", ["one", "two"], path: "/in/1", lacking: 1))
        for _ in 1...2 {
            var again = PackageProposal.accepted(
                id, id == "a" ? ["one", "two"] : ["two"], path: "/in/1", run: "r2", lacking: 1)
            again.records = [ObjectRecord(digest: Digest(of: "input"), size: 5)]
            #expect(try commit(again)[0].duplicateOf == "a")
        }
        #expect(try container.catalog.knownObjects(among: [Digest(of: "input")]).count == 1)
        #expect(try SQL.run(folder["container"], "SELECT count(*) FROM record") == ["1"])
    }

    @Test func theSameContentAtTwoPathsIsADuplicate() throws {
        let both = try commit(.accepted("a", ["one"], path: "/in/1"), .accepted("a", ["one"], path: "/in/2"))
        #expect(both.map(\.outcome) == [.accepted, .duplicate])
        #expect(both.map(\.storedBytes) == [3, 0])
        #expect(try supersededBy.isEmpty)
    }

    @Test func theSameContentGoesToASinkOnce() throws {
        let both = try commit(
            .accepted("a", ["one"], path: "/in/1", sinks: ["s"]),
            .accepted("b", ["one"], path: "/in/2", sinks: ["s", "t"]))
        #expect(both[0].providers[0].deliveries.map(\.outcome) == [.pending])
        #expect(both[1].providers[0].deliveries.map(\.outcome) == [.pending, .pending], "the first one may yet fail")
        #expect(try container.claim(sink: "s", now: 0, limit: 9).map(\.id) == ["a-s"])
    }
}
