import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// A plan decides what a commit decides, and writes nothing.
@Suite struct PackagePlanTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    private var root: FilePath { folder["c"] }

    private func plan(machine: String? = nil) throws -> PackagePlan {
        try PackagePlan(reading: root, SystemFileSystem(), machine: machine)
    }

    @Test func withoutAContainerOnlyThePlanCounts() throws {
        let plan = try plan()
        let first = try plan.decide([
            .accepted("a1", ["one"], path: "/a", sinks: ["keep"]),
            .accepted("a1", ["one"], path: "/b", sinks: ["keep"]),
        ])
        #expect(first.map(\.outcome) == [.accepted, .duplicate])
        #expect(first.map(\.duplicateOf) == [nil, "a1"])
        #expect(first.map(\.storedBytes) == [3, 0])
        #expect(first.map { $0.deliveries.map(\.outcome) } == [[.pending], [.duplicate]])
        // A later batch sees the earlier one.
        let second = try plan.decide([.accepted("b1", ["one", "two"], path: "/c")])
        #expect(second[0].providers.map(\.outcome) == [.duplicate, .stored])
        #expect(Disk.names(in: folder.path).isEmpty)
    }

    @Test func theContainerCounts() throws {
        _ = try Container.open(at: root).catalog.commit([.accepted("a1", ["one"], path: "/a", sinks: ["keep"])])
        let files = try stamps()
        let receipts = try plan().decide([
            .accepted("a1", ["one"], path: "/a", run: "r2", sinks: ["keep", "late"]),
            .accepted("a2", ["two"], path: "/a", run: "r2", sinks: ["keep"]),
        ])
        #expect(receipts.map(\.outcome) == [.duplicate, .accepted])
        #expect(receipts[0].deliveries.map(\.sink) == ["keep", "late"])
        #expect(receipts[1].supersedes == "a1")
        #expect(try stamps() == files)
    }

    @Test func anotherMachineHasOtherPaths() throws {
        _ = try Container.open(at: root, machine: "one").catalog.commit([.accepted("a1", ["one"], path: "/a")])
        let edit = PackageProposal.accepted("a2", ["two"], path: "/a", run: "r2")
        #expect(try plan(machine: "one").decide([edit])[0].supersedes == "a1")
        #expect(try plan(machine: "two").decide([edit])[0].supersedes == nil)
    }

    @Test func aFolderThatIsNoContainerIsRefused() throws {
        try folder.write("c/notes.txt", "mine")
        let error = try #require(throws: ContainerError.self) { try plan() }
        #expect(error.code == .notAContainer)
    }

    @Test func aCatalogOfAnotherEngineIsRefused() throws {
        _ = try Container.open(at: root) { local in
            var engines = local
            engines.catalog = MemoryCatalog(queue: MemoryDeliveryQueue())
            return engines
        }
        let error = try #require(throws: ContainerError.self) { try plan() }
        #expect(error.code == .otherEngines)
    }

    /// Several runs of random packages. Each is planned, then committed, and the receipts are the same.
    @Test(arguments: UInt64(1)...20) func aPlanIsWhatACommitDoes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let container = try Container.open(at: root)
        for run in 1...4 {
            let plan = try plan()
            let batches = (1...3).map { _ in (1...8).map { _ in Self.package(run, &generator) } }
            let planned = try batches.map(plan.decide)
            let committed = try batches.map(container.catalog.commit)
            for (one, other) in zip(planned.joined(), committed.joined()) { #expect(one == other, "run \(run)") }
        }
    }

    /// A package of few senders, paths and contents, so that packages meet. Its identifier and its sinks follow from its
    /// content, as those of the pipeline do. A new sink is there from the third run on.
    private static func package(_ run: Int, _ generator: inout SeededGenerator) -> PackageProposal {
        let number = Int.random(in: 0...3, using: &generator)
        let words = ["one", "two", "three"]
        switch Int.random(in: 0...6, using: &generator) {
        case 0: return .failed("f\(number)", path: FilePath("/failed-\(number)"), run: "r\(run)")
        case 1...3:
            // Within one run, a path yields one content.
            let contents = [words[(run * 7 + number) % 3]] + (number == 1 ? ["two"] : [])
            var package = accepted("", contents, run, path: FilePath("/p\(number)"))
            // A file that has just changed has none.
            if !Bool.random(using: &generator) {
                package.stamp = SourceStamp(device: 1, inode: Int64(number), size: 1, modified: 1, changed: Int64(run))
            }
            return package
        case 4:
            let contents = [words[(run / 2 * 5 + number) % 3]]
            return accepted(number < 2 ? "ada" : "ben", contents, run, path: FilePath("/s\(number)"))
        default:
            let contents = (0...Int.random(in: 0...1, using: &generator)).map { _ in
                words[Int.random(in: 0...2, using: &generator)]
            }
            let lacking = Int.random(in: 0...1, using: &generator)
            return accepted(number < 2 ? "ada" : "ben", contents, run, lacking: lacking)
        }
    }

    private static func accepted(
        _ sender: String, _ contents: [String], _ run: Int, path: FilePath? = nil, lacking: Int = 0
    ) -> PackageProposal {
        let sinks = (contents.contains("two") ? ["also"] : []) + ["keep"] + (run < 3 ? [] : ["late"])
        return .accepted(
            "\(sender)\(contents)\(lacking)", contents, path: path, sender: sender.isEmpty ? nil : sender,
            run: "r\(run)", lacking: lacking, sinks: sinks)
    }

    /// The files of the container, each with its times.
    private func stamps() throws -> [String: [Int64]] {
        let files = Disk.files(below: root).filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
        return try Dictionary(uniqueKeysWithValues: files.map { ($0, try Disk.stamp(root.appending($0))) })
    }
}

extension Receipt {
    fileprivate var deliveries: [DeliveryRecord] { providers.flatMap(\.deliveries) }
}
