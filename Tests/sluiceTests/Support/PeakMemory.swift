import Foundation
import SystemPackage
import Testing

/// The memory of the program, from the kernel's own accounting.
enum PeakMemory {
    private static let script = """
        import os, sys
        head, end, megabytes = sys.argv[1].encode(), sys.argv[2].encode(), int(sys.argv[3])
        read, write = os.pipe()
        child = os.posix_spawn(sys.argv[4], sys.argv[4:], os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, read, 0), (os.POSIX_SPAWN_CLOSE, write),
            (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
        os.close(read)
        with os.fdopen(write, "wb") as pipe:
            pipe.write(head)
            for _ in range(megabytes): pipe.write(bytes(1 << 20))
            pipe.write(end)
        _, status, usage = os.wait4(child, 0)
        print(usage.ru_maxrss // 1024 if status == 0 else -1)
        """

    /// The largest resident set of `sluice ingest --no-deliver`, in MiB. Its standard input is a head, then zero bytes,
    /// then an end.
    static func ofIngest(
        _ arguments: [String], into container: FilePath, head: String = "", megabytes: Int = 0, end: String = ""
    ) throws -> Int {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments =
            ["-c", script, head, end, "\(megabytes)", Program.folder.appending(path: "sluice").path, "ingest"]
            + arguments + ["--no-deliver", "--container", container.string]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let peak = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(peak > 0, "the run failed")
        return peak
    }
}
