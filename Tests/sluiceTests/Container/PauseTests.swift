import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// A slow caller does not block other processes, because it keeps no snapshot of the catalog and no lock.
@Suite struct PauseTests {
    private let folder: TestFolder
    private let container: Container
    private let root: FilePath

    init() throws {
        folder = try TestFolder()
        root = folder["container"]
        container = try Container.open(at: root)
        let area = try container.objects.makeStagingArea()
        let names = (1...9).map { "a\($0)" }
        try container.store(names.map { try area.stage(Array($0.utf8)) })
        _ = try container.catalog.commit(names.map { .accepted($0, [$0], path: FilePath("/in/\($0)")) })
    }

    /// Commits a package and truncates the write-ahead log, which fails while a reader keeps a snapshot.
    private func write(_ id: String) throws {
        _ = try container.catalog.commit([.accepted(id, [id], path: FilePath("/in/\(id)"))])
        try Observers(opening: root).database.emptyLog()
    }

    @Test func aListingKeepsNoState() throws {
        var ids: [String] = []
        try CatalogReader(reading: root).forEachPackage { entry in
            if ids.isEmpty { try write("b1") }
            ids.append(entry.id)
        }
        #expect(ids == (1...9).map { "a\($0)" }, "the page was read before")
    }

    @Test func aSearchKeepsNoState() throws {
        var count = 0
        let index = try SearchIndex(of: CatalogReader(reading: root))
        try index.update()
        try index.search(SearchQuery(["in"]), limit: 5) { _ in
            if count == 0 { try write("b1") }
            count += 1
        }
        #expect(count == 5)
    }

    /// Exports, and calls `meanwhile` before the fourth package.
    private func export(_ prefixes: [String] = [], meanwhile: () throws -> Void) throws -> (Exported, [CareFinding]) {
        let findings = Findings()
        var count = 0
        let exported = try ContainerMaintenance(reading: root).export(
            to: folder["bag"], prefixes, info: [],
            compose: { package, _, _ in
                count += 1
                if count == 4 { try meanwhile() }
                return package.receipt.providers.compactMap(\.sha256).map {
                    .init(path: "data/\(package.receipt.id)", content: .object($0))
                }
            }, isStopped: { false },
            report: { if case .finding(let finding) = $0 { findings.add(finding) } })
        return (exported, findings.all)
    }

    @Test func anExportHoldsUpNeitherACollectionNorAWriter() throws {
        let area = try container.objects.makeStagingArea()
        try container.store([area.stage(Array("nobody's".utf8))])
        let (exported, findings) = try export {
            var options = CollectOptions()
            options.grace = 0
            let collected = try ContainerMaintenance(opening: root).collect(options, now: .max / 2) { _ in }
            #expect(collected.files == 1)
            try write("b1")
        }
        #expect(exported.packages == 9, "a package that comes in meanwhile waits for the next export")
        #expect(findings.isEmpty)
    }

    /// The page is read before the package is forgotten: `a5` before its turn, `a4` while its files are laid out.
    @Test(arguments: ["a4", "a5"]) func anExportSkipsWhatWasForgottenMeanwhile(_ id: String) throws {
        let (exported, findings) = try export {
            _ = try ContainerMaintenance(opening: root).forget([id])
        }
        #expect(exported.packages == 8)
        #expect(exported.leftOut == 0)
        #expect(exported.receiptsAlone == 0)
        #expect(findings.isEmpty)
        #expect(!Disk.names(in: folder["bag/receipts"]).contains("\(id).json"), "no title or text of it is left")
    }

    /// Content that is lost, in a package that is still there, is a finding.
    @Test func anExportSaysWhatIsMissing() throws {
        let (exported, findings) = try export {
            try SystemFileSystem.system.remove(container.layout.object(Digest(of: "a5")), isFolder: false)
        }
        #expect(exported.packages == 8)
        #expect(exported.leftOut == 1)
        #expect(findings.map(\.kind) == [.missing])
        #expect(findings.map(\.object) == [Digest(of: "a5")])
    }

    @Test func anExportTakesEachNamedPackageOnce() throws {
        let (exported, findings) = try export(["a7", "a2", "a7"]) {}
        #expect(exported.packages == 2)
        #expect(findings.isEmpty)
        #expect(Disk.names(in: folder["bag/data"]) == ["a2", "a7"])
    }
}

/// Findings, from any thread.
private final class Findings: Sendable {
    private let found = Mutex<[CareFinding]>([])

    func add(_ finding: CareFinding) { found.withLock { $0.append(finding) } }

    var all: [CareFinding] { found.withLock { $0 } }
}
