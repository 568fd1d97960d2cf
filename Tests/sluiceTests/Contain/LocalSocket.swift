import Foundation

/// A listening socket of the host. If its name begins with NUL, it is an abstract socket.
final class LocalSocket {
    let name: String
    private let process = Process()
    private let input = Pipe()

    init(_ name: String) throws {
        self.name = name
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let code = """
            import socket, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1].replace("@", "\\0"))
            listener.listen()
            print("ready", flush=True)
            sys.stdin.read()
            """
        process.arguments = ["python3", "-c", code, name.replacing("\0", with: "@")]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        guard try output.fileHandleForReading.read(upToCount: 1) != nil else {
            throw Program.Failure("no socket at \(name)")
        }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
