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

    /// SQLite's writers lock the byte 120 of the index of the log, and a recovery more.
    @Test func aWriterOfSQLiteIsFound() {
        let table = LockTable(
            """
            1: POSIX  ADVISORY  WRITE 10 fe:00:100 120 120
            2: POSIX  ADVISORY  WRITE 11 fe:00:100 121 122
            3: POSIX  ADVISORY  READ  12 fe:00:100 120 127
            4: POSIX  ADVISORY  WRITE 13 fe:00:200 120 127
            5: POSIX  ADVISORY  WRITE 14 fe:00:300 0 EOF
            6: POSIX  ADVISORY  WRITE 15 fe:00:300 0 119
            7: POSIX  ADVISORY  WRITE 16 fe:00:300
            """)
        for (inode, holder) in [(100, 10), (200, 13), (300, 14)] as [(UInt64, Int32)] {
            #expect(table.holders(of: .init(device: "fe:00", inode: inode), besides: 1) == [holder])
        }
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
        let stopped = LockHolder(process: 712, command: "sluice gc", start: 1, age: .seconds(185), isStopped: true)
        let line = LockWaitText(lock: Array("objects.lock".utf8), holders: [stopped]).line.rendered(color: false)
        #expect(
            line == "warning: this run waits for objects.lock; process 712 holds it: sluice gc, started 3 min 5 s ago, "
                + "now stopped; continue it with kill -CONT 712, or end it")
        let running = LockHolder(process: 713, command: "x\u{1B}", start: 1, age: .seconds(20), isStopped: false)
        let two = LockWaitText(lock: [0x6C], holders: [running, stopped]).line.rendered(color: false)
        #expect(two.contains("process 713 and 1 other hold it: x\\u{1B}, started 20 s ago; it goes on when"), "\(two)")
        let turn = LockWaitText(lock: Array("deliver.lock".utf8), holders: [running]).line.rendered(color: false)
        #expect(
            turn == "warning: this run waits for its turn to make deliveries (deliver.lock); process 713 holds it: "
                + "x\\u{1B}, started 20 s ago; it goes on when that process has made its own, or ends")
        let unknown = LockWaitText(lock: [0x6C], holders: [])
        #expect(unknown.line.rendered(color: false).contains("another process holds"))
        let end = "ended while it waited for l, which another process holds; run the same command again for the rest"
        #expect(unknown.endLine.rendered(color: false) == "sluice: \(end)")
    }

    /// A run may begin to wait for the same process again and again. During one wait, the lock may pass to another
    /// process, even to one with the same number, and its holder may be stopped.
    @Test func aHolderIsNamedOnceInEachState() {
        var reported = ReportedWaits()
        let looks: [(lock: FilePath, process: Int32?, start: Int64, isStopped: Bool, isNews: Bool)] = [
            ("/c/run/deliver.lock", 712, 1, false, true), ("/c/run/deliver.lock", 712, 1, false, false),
            ("/c/run/objects.lock", 712, 1, false, true), ("/c/run/deliver.lock", 713, 1, false, true),
            ("/c/run/deliver.lock", 712, 1, true, true), ("/c/run/deliver.lock", 712, 1, true, false),
            ("/c/run/deliver.lock", 712, 2, false, true), ("/c/run/deliver.lock", nil, 0, false, true),
            ("/c/run/deliver.lock", nil, 0, false, false),
        ]
        for look in looks {
            let holder = look.process.map {
                LockHolder(process: $0, command: "", start: look.start, age: .zero, isStopped: look.isStopped)
            }
            #expect(reported.isNews(look.lock, holder) == look.isNews, "\(look)")
        }
    }

    /// The run continues once the other process lets go. A process that is stopped meanwhile has another remedy.
    @Test func aRunThatWaitsSaysForWhom() throws {
        let program = Program(container: folder["c"])
        let file = try folder.write("note.txt", "Rivers run.")
        #expect(try program.ingest(file).status == 0)
        let holder = try LockHolderProcess(folder["c/run/objects.lock"])
        let (scratch, errors) = (try TestFolder(), Pipe())
        let more = try folder.write("more.txt", "Rivers run on.")
        let run = try program.start(
            ["ingest", more.string], input: scratch.write("input", ""), scratch: scratch, output: nil, errors: errors)
        let process = holder.process.processIdentifier
        let line = try nextLine(errors)
        #expect(line.contains("objects.lock; process \(process) holds it: "), "\(line)")
        kill(process, SIGSTOP)
        let stopped = try nextLine(errors)
        #expect(stopped.contains("now stopped; continue it with kill -CONT \(process)"), "\(stopped)")
        kill(process, SIGCONT)
        try holder.end()
        run.waitUntilExit()
        #expect(run.terminationStatus == 0)
    }

    /// A process that was stopped within a transaction may never go on. The first Ctrl-C ends the wait for it.
    /// With an empty log it already waits when it opens the catalog.
    @Test(arguments: [false, true], [false, true])
    func aRunThatWaitsForAWriterSaysForWhom(_ isInterrupted: Bool, _ emptiesLog: Bool) throws {
        let program = Program(container: folder["c"])
        #expect(try program.ingest(folder.write("note.txt", "Rivers run.")).status == 0)
        let holder = try LockHolderProcess(writingTo: folder["c/catalog.sqlite"], emptiesLog: emptiesLog)
        let (scratch, errors) = (try TestFolder(), Pipe())
        let more = try folder.write("more.txt", "Rivers run on.")
        let run = try program.start(
            ["ingest", "--no-deliver", more.string], input: scratch.write("input", ""), scratch: scratch, output: nil,
            errors: errors)
        let line = try nextLine(errors)
        #expect(line.contains("catalog.sqlite-shm; process \(holder.process.processIdentifier) holds it: "), "\(line)")
        if isInterrupted { run.interrupt() } else { try holder.end() }
        run.waitUntilExit()
        #expect(run.terminationReason == .exit && run.terminationStatus == (isInterrupted ? 130 : 0))
        if isInterrupted { try holder.end() }
        #expect(try program.run(["list", "--json"]).messages.count == (isInterrupted ? 1 : 2))
    }

    @Test func anInterruptedDeliveryHasNoError() throws {
        let program = Program(container: folder["c"])
        // A delivery is claimed in a transaction.
        let note = try folder.write("note.txt", "Rivers run.")
        #expect(try program.ingest(note, options: ["--no-deliver"]).status == 0)
        let holder = try LockHolderProcess(writingTo: folder["c/catalog.sqlite"], emptiesLog: true)
        let (scratch, errors) = (try TestFolder(), Pipe())
        let run = try program.start(
            ["deliver"], input: scratch.write("input", ""), scratch: scratch, output: nil, errors: errors)
        #expect(try nextLine(errors).contains("holds it: "))
        run.interrupt()
        let rest = try #require(try errors.fileHandleForReading.readToEnd())
        run.waitUntilExit()
        #expect(run.terminationReason == .exit && run.terminationStatus == 130)
        // The claim may go on waiting for a while, and the program ends anyway. That is no error of the catalog.
        let lines = String(decoding: rest, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("sluice:") }
        #expect(lines.allSatisfy { $0.contains("ended while it waited for catalog.sqlite-shm") }, "\(lines)")
        try holder.end()
    }

    /// The next line of messages, which comes after a while.
    private func nextLine(_ errors: Pipe) throws -> String {
        var words = Data()
        while let byte = try errors.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { words += byte }
        return String(decoding: words, as: UTF8.self)
    }

    /// The other process keeps the lock, so only the signal can end the run. It ends with its summary.
    @Test(arguments: ["objects", "setup"], [SIGINT, SIGTERM])
    func aRunThatIsToldToStopDoesNotWaitForEver(_ lock: String, _ signal: Int32) throws {
        let program = Program(container: folder["c"])
        #expect(try program.ingest(folder.write("note.txt", "Rivers run.")).status == 0)
        let holder = try LockHolderProcess(folder["c/run/\(lock).lock"])
        let (scratch, errors) = (try TestFolder(), Pipe())
        let run = try program.start(
            ["ingest", "--no-deliver", folder.write("more.txt", "Rivers run on.").string],
            input: scratch.write("input", ""), scratch: scratch, output: nil, errors: errors)
        let line = try nextLine(errors)
        #expect(line.contains("\(lock).lock; process \(holder.process.processIdentifier) holds it: "), "\(line)")
        kill(run.processIdentifier, signal)
        let rest = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        run.waitUntilExit()
        #expect(run.terminationReason == .exit && run.terminationStatus == 130)
        #expect(!rest.contains("ended while it waited"), "\(rest)")
        try holder.end()
        #expect(try program.run(["list", "--json"]).messages.count == 1)
    }

    /// The worker of a sink does not see the cancellation, so the program ends without it.
    @Test func aRunWhoseWorkerWaitsEndsAnyway() throws {
        let program = Program(container: folder["c"])
        #expect(try program.ingest(folder.write("note.txt", "Rivers run."), options: ["--no-deliver"]).status == 0)
        let holder = try LockHolderProcess(folder["c/run/objects.lock"])
        let (scratch, errors) = (try TestFolder(), Pipe())
        let run = try program.start(
            ["deliver", "--no-sandbox"], input: scratch.write("input", ""), scratch: scratch, output: nil,
            errors: errors)
        let line = try nextLine(errors)
        #expect(line.contains("this run waits for objects.lock"), "\(line)")
        run.interrupt()
        let rest = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        run.waitUntilExit()
        #expect(run.terminationReason == .exit && run.terminationStatus == 130)
        let words = "ended while it waited for objects.lock; process \(holder.process.processIdentifier) holds it: "
        #expect(rest.contains("sluice: \(words)"), "\(rest)")
        try holder.end()
        #expect(try program.run(["deliver", "--no-sandbox"]).status == 0)
    }

    /// A canceled task gives up its wait. The lock is free once its holder has ended, although the wait was abandoned.
    @Test func aCanceledTaskGivesUp() async throws {
        let path = folder["lock"]
        let holder = try LockHolderProcess(path)
        let waiting = Task { try await BlockingCall.run { try KernelLock(path, .exclusive, SystemFileSystem()) } }
        while !LockWait.present.contains(where: { $0.path == path }) { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!LockWait.present.contains { $0.path == path })
        try holder.end()
        _ = try await BlockingCall.run { try KernelLock(path, .exclusive, SystemFileSystem()) }
    }
}
