import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer
@testable import Ingestion

/// A batch is stored while the rows of the one before are not in yet: content of both is stored once, and relied on only
/// as long as nobody can remove it.
@Suite struct StorerTests {
    private let folder: TestFolder
    private let container: Container
    private let area: StagingArea
    private let storer: Storer

    init() throws {
        folder = try TestFolder()
        container = try Container(opening: folder["container"])
        area = try container.objects.makeStagingArea()
        storer = Storer(container: container)
    }

    /// A batch of one package.
    private func batch(_ text: String) throws -> [Intake] {
        let receipt = Receipt(id: text, source: .init(kind: .file, path: "file"), outcome: .accepted)
        return [Intake(receipt: receipt, proposal: nil, staged: [try area.stage(Array(text.utf8))])]
    }

    private func stamp(_ text: String) throws -> [Int64] { try Disk.stamp(folder["container"].object(of: text)) }

    @Test func whatTheBatchBeforeHoldsIsNotStoredAgain() async throws {
        let first = try await storer.store(batch("river"))
        let before = try stamp("river")
        let second = try await storer.store(batch("river"))
        #expect(try stamp("river") == before)
        #expect(second.digests == first.digests)
    }

    /// Its rows never came in, and a collection may have been there since.
    @Test func whatNobodyHoldsAnyLongerIsStoredAgain() async throws {
        _ = try await storer.store(batch("river"))
        let before = try stamp("river")
        _ = try await storer.store(batch("river"))
        #expect(try stamp("river") != before)
    }

    @Test func nothingIsRemovedWhileABatchIsHeld() async throws {
        do {
            let stored = try await storer.store(batch("river"))
            #expect(try container.tryLock(.objects, .exclusive) == nil)
            withExtendedLifetime(stored) {}
        }
        #expect(try container.tryLock(.objects, .exclusive) != nil)
    }
}
