import Testing

@testable import GroupContainer

/// A claim counts as an attempt only if the caller gets it.
@Suite struct FailedClaimTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The container, with circuit breakers that cannot end a pause.
    private func openStuck() throws -> Container {
        try Container.open(at: folder["container"]) { local in
            var engines = local
            engines.breakers = StuckBreakers(base: local.breakers)
            return engines
        }
    }

    private func put(_ why: String, _ container: Container) throws {
        _ = try container.catalog.commit([.accepted("a1", ["one"], path: "/in/1", sinks: ["s"])])
        try container.breakers.hold(HeldSink(sink: "s", failures: 0, due: 0, why: why))
    }

    @Test func aFailedClaimRecordsNoAttempt() throws {
        let container = try openStuck()
        try put("no such program", container)
        #expect(throws: ContainerError.self) { try container.claim(sink: "s", now: 0, limit: 9) }
        let claimed = try Container.open(at: folder["container"]).claim(sink: "s", now: 0, limit: 9)
        #expect(claimed.map(\.attempt) == [1])
        #expect(claimed.map(\.isUncertain) == [false])
    }

    @Test func aReasonStaysWhileNothingIsDue() throws {
        let container = try Container.open(at: folder["container"])
        try put("no such program", container)
        #expect(try container.claim(sink: "s", now: -1, limit: 9).isEmpty)
        #expect(try container.breakers.held("s")?.why == "no such program")
    }
}

/// Circuit breakers on a full disk: no pause ends.
private struct StuckBreakers: CircuitBreakerStore {
    let base: any CircuitBreakerStore

    func held(_ sink: String) throws -> HeldSink? { try base.held(sink) }
    func hold(_ sink: HeldSink) throws { try base.hold(sink) }
    func release(sink: String) throws { throw ContainerError(.system, "the disk is full") }
    func release(from time: Int64) throws { throw ContainerError(.system, "the disk is full") }
}
