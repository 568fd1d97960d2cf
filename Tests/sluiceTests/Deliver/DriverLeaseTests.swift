import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer
@testable import Ingestion

/// One process at a time has the lease to drive the sinks, and others wait for it.
@Suite(.timeLimit(.minutes(60))) struct DriverLeaseTests {
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

    /// A lease, and a stream with an element for each wait that begins: before it, an attempt found the lock taken.
    ///
    /// - Parameter watches: whether the system can watch the container.
    private func lease(watches: Bool = true) -> (DriverLease, waits: AsyncStream<Void>) {
        let (waits, begin) = AsyncStream.makeStream(of: Void.self)
        let notice: @Sendable (String) -> Void = { [notices] text in notices.texts.withLock { $0.append(text) } }
        let lease = DriverLease(
            container: container, clock: .system, notice: notice,
            watch: { [layout = container.layout] forLease in
                if forLease { begin.yield() }
                guard watches else { throw Errno.tooManyOpenFiles }
                return try forLease ? layout.watchChanges(orReleasesOf: .deliver) : layout.watchChanges()
            }
        ) {}
        return (lease, waits)
    }

    @Test(arguments: [true, false]) func itComesWhenTheOtherProcessLetsGo(watches: Bool) async throws {
        var held: KernelLock? = try container.lock(.deliver, .exclusive)
        let (lease, waits) = lease(watches: watches)
        async let isOpen = lease.open(for: nil)
        for await _ in waits { break }
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
        let (lease, waits) = lease(watches: watches)
        async let isOpen = lease.open(for: nil)
        for await _ in waits { break }
        lease.stopWaiting()
        #expect(try await !isOpen)
        #expect(try await !lease.open(for: nil), "all later waits end too")
        withExtendedLifetime(held) {}
    }

    /// A caller whose deliveries have ended does not need the lease.
    @Test(arguments: [true, false]) func aCallerWithoutOpenDeliveriesDoesNotWait(watches: Bool) async throws {
        let held = try container.lock(.deliver, .exclusive)
        #expect(try await !lease(watches: watches).0.open(for: ["no-such-package"]))
        withExtendedLifetime(held) {}
    }

    /// Each waiter keeps its lock file open, because closing it would wake the other waiters.
    @Test func severalWaitersFollowOneAnother() async throws {
        var held: KernelLock? = try container.lock(.deliver, .exclusive)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                let (lease, waits) = lease()
                group.addTask {
                    let isOpen = try await lease.open(for: nil)
                    await lease.close()
                    return isOpen
                }
                for await _ in waits { break }
            }
            withExtendedLifetime(held) {}
            held = nil
            for try await isOpen in group { #expect(isOpen) }
        }
    }
}
