import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer
@testable import Ingestion

/// A batch is stored before the rows of the previous batch are committed. Content of both is stored once. A batch
/// relies on stored content only while a lock protects it from removal.
@Suite struct StorerTests {
    private let folder: TestFolder
    private let container: Container
    private let area: any StagingArea
    private let storer: Storer

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
        area = try container.objects.makeStagingArea()
        storer = Storer(container: container)
    }

    /// A batch of one package.
    private func batch(_ text: String) throws -> [Intake] {
        [Intake(.accepted(text, [text]), staged: [try area.stage(Array(text.utf8))])]
    }

    /// An intake that relies on the object of a text, and has a text of its own.
    private func intake(_ text: String, on stored: String) throws -> Intake {
        let object = StagedObject(
            digest: Digest(of: stored), size: Int64(stored.utf8.count), place: StoredPlace())
        let proposal = PackageProposal.accepted(text, [stored, text])
        return Intake(proposal, staged: [object, try area.stage(Array(text.utf8))])
    }

    /// A full disk is why content of the container is not staged again. The object may be removed meanwhile.
    @Test func contentThatIsGoneFailsAlone() async throws {
        try container.objects.commit([area.stage(Array("here".utf8))])
        _ = try container.catalog.commit([.accepted("k", ["here", "torn"])])
        let intakes = try [
            intake("a", on: "here"), intake("b", on: "gone"), intake("c", on: "torn"), intake("d", on: "b"),
            intake("e", on: "a"),
        ]
        let stored = try await storer.store(intakes)
        #expect(stored.intakes.map { $0.proposal == nil } == [false, true, true, true, false])
        let reason = "its content was removed from the container while it was taken in; run again"
        for intake in stored.intakes where intake.proposal == nil {
            #expect(intake.receipt.outcome == .failed && intake.receipt.reason == reason && intake.staged.isEmpty)
        }
        #expect(Disk.files(below: folder["container/objects"]).count == 3, "here, a and e")
        #expect(stored.digests == Set(["here", "a", "e"].map { Digest(of: $0) }))
    }

    private func stamp(_ text: String) throws -> [Int64] { try Disk.stamp(folder["container"].object(of: text)) }

    @Test func contentOfThePreviousBatchIsNotStoredAgain() async throws {
        let first = try await storer.store(batch("river"))
        let before = try stamp("river")
        let second = try await storer.store(batch("river"))
        #expect(try stamp("river") == before)
        #expect(second.digests == first.digests)
    }

    /// The previous batch was dropped without a commit, and a collection may have run since.
    @Test func contentOfADroppedBatchIsStoredAgain() async throws {
        _ = try await storer.store(batch("river"))
        let before = try stamp("river")
        _ = try await storer.store(batch("river"))
        #expect(try stamp("river") != before)
    }

    @Test func aStoredBatchHoldsTheObjectsLock() async throws {
        do {
            let stored = try await storer.store(batch("river"))
            #expect(try container.tryLock(.objects, .exclusive) == nil)
            withExtendedLifetime(stored) {}
        }
        #expect(try container.tryLock(.objects, .exclusive) != nil)
    }
}
