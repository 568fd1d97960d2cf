import Foundation
import SystemPackage
import Testing

/// Another process that holds a lock until it is ended.
final class LockHolderProcess {
    let process = Process()
    private let input = Pipe()

    /// - Parameter path: the lock's file, which is made if it does not exist.
    init(_ path: FilePath) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import fcntl, os, sys
            fcntl.flock(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX)
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
