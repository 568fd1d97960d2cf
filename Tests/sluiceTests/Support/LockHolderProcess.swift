import Foundation
import SystemPackage
import Testing

/// Another process that holds a lock until it is ended.
final class LockHolderProcess {
    let process = Process()
    private let input = Pipe()

    /// - Parameter path: the lock's file, which is made if it does not exist.
    convenience init(_ path: FilePath) throws {
        try self.init(
            path, "import fcntl, os, sys",
            "fcntl.flock(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX)")
    }

    /// A process within a transaction that writes.
    ///
    /// - Parameters:
    ///   - catalog: the file of the database.
    ///   - emptiesLog: whether it empties the write-ahead log before. A process that opens the catalog then writes.
    convenience init(writingTo catalog: FilePath, emptiesLog: Bool) throws {
        let empties = emptiesLog ? "assert c.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchone()[0] == 0; " : ""
        try self.init(
            catalog, "import sqlite3, sys",
            "c = sqlite3.connect(sys.argv[1], isolation_level=None); \(empties)c.execute('BEGIN IMMEDIATE')")
    }

    private init(_ path: FilePath, _ imports: String, _ takes: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            \(imports)
            \(takes)
            print("held", flush=True)
            sys.stdin.read()
            """, path.string,
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        _ = try #require(try output.fileHandleForReading.read(upToCount: 5), "it has ended before")
    }

    /// Ends the process, which releases the lock, and waits for its end.
    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
