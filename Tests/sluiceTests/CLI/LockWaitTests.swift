import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import sluice

/// A run that waits for a lock says so, and names the process that holds it.
@Suite(.timeLimit(.minutes(60))) struct LockWaitTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The table of proc_locks(5). Process 30 waits for 20, which waits for 10.
    @Test func aProcessThatWaitsItselfIsNotToBlame() {
        let table = LockTable(
            """
            1: FLOCK  ADVISORY  WRITE 20 fe:00:200 0 EOF
            1: -> FLOCK  ADVISORY  WRITE 30 fe:00:200 0 EOF
            2: FLOCK  ADVISORY  READ  10 00:2b:100 0 EOF
            2: FLOCK  ADVISORY  READ  11 00:2b:100 0 EOF
            2: -> FLOCK  ADVISORY  WRITE 20 00:2b:100 0 EOF
            3: POSIX  ADVISORY  WRITE 12 fe:00:100 1073741824 1073742335
            4: OFDLCK ADVISORY  READ  -1 fe:00:100 0 EOF
            5: FLOCK
            """)
        func file(_ device: Substring, _ inode: UInt64) -> LockTable.File { .init(device: device, inode: inode) }
        #expect(table.holders(of: file("fe:00", 200), besides: 30) == [10, 11])
        #expect(table.holders(of: file("00:2b", 100), besides: 10) == [11])
        #expect(table.holders(of: file("fe:00", 100), besides: 10) == [11], "another device, so the inode counts")
        #expect(table.holders(of: file("fe:00", 300), besides: 1) == [])
    }

    @Test func twoThatWaitForEachOtherEndTheSearch() {
        let table = LockTable(
            """
            1: FLOCK  ADVISORY  WRITE 10 fe:00:100 0 EOF
            1: -> FLOCK  ADVISORY  WRITE 20 fe:00:100 0 EOF
            2: FLOCK  ADVISORY  WRITE 20 fe:00:200 0 EOF
            2: -> FLOCK  ADVISORY  WRITE 10 fe:00:200 0 EOF
            """)
        #expect(table.holders(of: .init(device: "fe:00", inode: 100), besides: 30) == [20])
    }

    @Test func aWaitNamesItsHolderUntilItEnds() throws {
        let path = folder["lock"]
        let holder = try LockHolderProcess(path)
        let attempt = try LockAttempt(path, SystemFileSystem())
        #expect(try attempt.take() == nil)
        let wait = try #require(LockWait.present.first { $0.path == path })
        let other = try #require(wait.holders.first)
        #expect(other.process == holder.process.processIdentifier)
        #expect(other.command.contains("fcntl.flock") && !other.isStopped, "\(other)")
        #expect(other.age >= .zero && other.age < .seconds(3_600))
        try holder.end()
        #expect(try attempt.take() != nil)
        #expect(!LockWait.present.contains { $0.path == path })
    }

    @Test func theLineHasTheRemedy() {
        let stopped = LockHolder(process: 712, command: "sluice gc", age: .seconds(185), isStopped: true)
        let line = LockWaitText(lock: Array("objects.lock".utf8), holders: [stopped]).line.rendered(color: false)
        #expect(
            line == "warning: this run waits for objects.lock; process 712 holds it: sluice gc, started 3 min 5 s ago, "
                + "now stopped; continue it with kill -CONT 712, or end it")
        let running = LockHolder(process: 713, command: "x\u{1B}", age: .seconds(20), isStopped: false)
        let two = LockWaitText(lock: [0x6C], holders: [running, stopped]).line.rendered(color: false)
        #expect(two.contains("process 713 and 1 other hold it: x\\u{1B}, started 20 s ago; it goes on when"), "\(two)")
        let unknown = LockWaitText(lock: [0x6C], holders: []).line.rendered(color: false)
        #expect(unknown.contains("another process holds"))
    }

    /// The run continues once the other process lets go.
    @Test func aRunThatWaitsSaysForWhom() throws {
        let program = Program(container: folder["c"])
        let file = try folder.write("note.txt", "Rivers run.")
        #expect(try program.ingest(file).status == 0)
        let holder = try LockHolderProcess(folder["c/run/objects.lock"])
        let (scratch, errors) = (try TestFolder(), Pipe())
        let more = try folder.write("more.txt", "Rivers run on.")
        let run = try program.start(
            ["ingest", more.string], input: scratch.write("input", ""), scratch: scratch, output: nil, errors: errors)
        var words = Data()
        while let byte = try errors.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { words += byte }
        let line = String(decoding: words, as: UTF8.self)
        #expect(line.contains("objects.lock; process \(holder.process.processIdentifier) holds it: "), "\(line)")
        try holder.end()
        run.waitUntilExit()
        #expect(run.terminationStatus == 0)
    }
}
