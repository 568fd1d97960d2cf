import SystemPackage
import Testing

/// A process that may have too few files, or too little memory, ends with a message. It does not hang or crash later.
@Suite(.timeLimit(.minutes(60))) struct ProcessNeedsTests {
    /// Runs the program with limits of the shell's `ulimit`.
    private func ingest(_ limit: String) throws -> (folder: TestFolder, end: Program.End) {
        let folder = try TestFolder()
        try folder.write("in/note.txt", "Rivers run.")
        var program = Program(container: folder["c"])
        program.executable = try folder.write(
            "limited",
            "#!/bin/sh\nulimit \(limit.replacing(" -s", with: "\nulimit -S -s"))\nexec '\(Program.folder.appending(path: "sluice").path)' \"$@\"\n",
            mode: 0o755)
        return (folder, try program.run(["ingest", folder["in"].string]))
    }

    @Test(arguments: [
        ("-n 4", "open files is 4, and 128 are needed"),
        ("-n 24", "open files is 24, and 128 are needed; raise it: ulimit -n 128"),
        ("-v 300000", "bytes of memory is 307200000, and 1073741824 are needed; raise it: ulimit -v 1048576"),
        // The stacks of the threads do not fit: they have the size of the soft limit of the stack.
        ("-v 1100000 -s 65536", "more threads, and 32 are needed"),
    ])
    func tooLittleIsAnErrorAtOnce(_ limit: String, _ words: String) throws {
        let (folder, end) = try ingest(limit)
        #expect(end.status == 2, "\(end)")
        #expect(end.errors.contains(words), "\(end.errors)")
        #expect(Disk.names(in: folder["c"]).isEmpty, "nothing is made")
    }

    @Test(arguments: ["-n 128", "-v 1048576 -s 8192"]) func theStatedNeedsAreEnough(_ limit: String) throws {
        let (_, end) = try ingest(limit)
        #expect(end.status == 0, "\(end)")
    }
}
