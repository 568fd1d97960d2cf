import SQLite
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// A writer waits for the transactions of others, and says what to do if one does not end.
@Suite struct PatienceTests {
    /// No transaction of Sluice lasts a second, so the limit is reached only if a process was stopped within one.
    @Test func theLimitIsManyTransactions() {
        #expect(Patience.limit >= .seconds(300))
        #expect(Patience.shortLimit < Patience.limit)
    }

    /// The pauses have a mean of 5 ms.
    @Test func itEnds() {
        let patience = Patience(index: "/nonexistent/catalog.sqlite-shm")
        let (last, short) = (120_000, 12_000)
        #expect(patience.wait(tries: last - 1))
        #expect(!patience.wait(tries: last))
        patience.shortened {
            #expect(patience.wait(tries: short - 1))
            #expect(!patience.wait(tries: short))
        }
        #expect(patience.wait(tries: short), "the limit is the long one again")
    }

    /// A transaction of another process may be short, and the last commits of a canceled run are worth five seconds. They
    /// begin with the cancellation.
    @Test func aCanceledTaskWaitsFiveSeconds() async {
        let patience = Patience(index: "/nonexistent/catalog.sqlite-shm")
        let task = Task {
            _ = withUnsafeCurrentTask { $0?.cancel() }
            defer { patience.end() }
            return [5_000, 5_999, 6_000, 0, 999, 1_000].map(patience.wait)
        }
        #expect(await task.value == [true, true, false, true, true, false], "the tries of another lock begin at 0")
    }

    @Test func aWaitThatLastsIsAnnouncedUntilItEnds() throws {
        let folder = try TestFolder()
        let index = try folder.write("catalog.sqlite-shm", "")
        func isAnnounced() -> Bool { LockWait.present.contains { $0.path == index } }
        let patience = Patience(index: index)
        #expect(patience.wait(tries: 99) && !isAnnounced())
        #expect(patience.wait(tries: 100) && isAnnounced())
        patience.end()
        #expect(!isAnnounced())
        patience.end()
    }

    @Test func theErrorIsNoFaultOfTheCatalog() {
        let error = ContainerError(DatabaseError(resultCode: .SQLITE_BUSY), "/c/catalog.sqlite")
        #expect(error.code == .busy)
        #expect("\(error)".contains("/c/catalog.sqlite locked; let it go on"))
        #expect(!"\(error)".contains("minute"), "a reader waits less than a writer")
    }

    /// The index of the log cannot grow on a full disk.
    @Test func aFullDiskIsNamed() {
        for code in [ResultCode.SQLITE_FULL, .SQLITE_IOERR_SHMSIZE] {
            #expect(ContainerError(DatabaseError(resultCode: code), "/c").code == .full)
        }
    }
}
