import GRDB
import Testing

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
        let patience = Patience()
        let (last, short) = (120_000, 12_000)
        #expect(patience.wait(tries: last - 1))
        #expect(!patience.wait(tries: last))
        patience.shortened {
            #expect(patience.wait(tries: short - 1))
            #expect(!patience.wait(tries: short))
        }
        #expect(patience.wait(tries: short), "the limit is the long one again")
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
