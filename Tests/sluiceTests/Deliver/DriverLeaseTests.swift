import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer
@testable import Ingestion

/// One process at a time has the lease to drive the sinks, and others wait for it.
@Suite(.timeLimit(.minutes(1))) struct DriverLeaseTests {
    private let folder: TestFolder
    private let container: Container
    private let notices = Notices()

    private final class Notices: Sendable {
        let texts = Mutex<[String]>([])
    }

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    /// - Parameter watches: whether the system can watch the container.
    private func lease(watches: Bool = true) -> DriverLease {
        let notice: @Sendable (String) -> Void = { [notices] text in notices.texts.withLock { $0.append(text) } }
        guard watches else {
            return DriverLease(
                container: container, clock: .system, notice: notice, watch: { _ in throw Errno.tooManyOpenFiles }
            ) {}
        }
        return DriverLease(container: container, clock: .system, notice: notice) {}
    }

    @Test(arguments: [true, false]) func itComesWhenTheOtherProcessLetsGo(watches: Bool) async throws {
        var held: KernelLock? = try container.lock(.deliver, .exclusive)
        let lease = lease(watches: watches)
        async let isOpen = lease.open(for: nil)
        for _ in 0..<1_000 { await Task.yield() }
        withExtendedLifetime(held) {}
        held = nil
        #expect(try await isOpen)
        #expect(try container.tryLock(.deliver, .exclusive) == nil)
        await lease.close()
        // It waits for the lock, because a process that another test forks holds it until its exec.
        _ = try container.lock(.deliver, .exclusive)
        #expect(notices.texts.withLock(\.count) == (watches ? 0 : 1), "one notice")
    }

    @Test(arguments: [true, false]) func aWaitCanBeEnded(watches: Bool) async throws {
        let held = try container.lock(.deliver, .exclusive)
        let lease = lease(watches: watches)
        async let isOpen = lease.open(for: nil)
        for _ in 0..<1_000 { await Task.yield() }
        lease.stopWaiting()
        #expect(try await !isOpen)
        #expect(try await !lease.open(for: nil), "all later waits end too")
        withExtendedLifetime(held) {}
    }

    /// A caller whose deliveries have ended does not need the lease.
    @Test(arguments: [true, false]) func aCallerWithoutOpenDeliveriesDoesNotWait(watches: Bool) async throws {
        let held = try container.lock(.deliver, .exclusive)
        #expect(try await !lease(watches: watches).open(for: ["no-such-package"]))
        withExtendedLifetime(held) {}
    }

    /// Each waiter keeps its lock file open, because closing it would wake the other waiters.
    @Test func severalWaitersFollowOneAnother() async throws {
        var held: KernelLock? = try container.lock(.deliver, .exclusive)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                let lease = lease()
                group.addTask {
                    let isOpen = try await lease.open(for: nil)
                    await lease.close()
                    return isOpen
                }
            }
            withExtendedLifetime(held) {}
            held = nil
            for try await isOpen in group { #expect(isOpen) }
        }
    }
}
