import SystemPackage
import Testing

/// A process that may have too few files, or too little memory, ends with a message. It does not hang or crash later.
@Suite(.timeLimit(.minutes(60))) struct ProcessNeedsTests {
    /// Runs the program with limits of the shell's `ulimit`.
    ///
    /// - Parameter large: the size of a second file, in bytes; 0 for none.
    private func ingest(_ limit: String, large: Int = 0) throws -> (folder: TestFolder, end: Program.End) {
        let folder = try TestFolder()
        try folder.write("in/note.txt", "Rivers run.")
        if large > 0 { try folder.write("in/large.bin", Array(repeating: UInt8(1), count: large)) }
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

    /// The disk has room, so the message must not say that it is full.
    @Test func theLimitOnTheSizeOfAFileIsNamed() throws {
        let folder = try TestFolder()
        var program = Program(container: folder["c"])
        _ = try program.ingest(folder.write("in/0.txt", "first"), options: ["--no-deliver"])
        for number in 1...300 { try folder.write("in/\(number).txt", "text \(number)") }
        // In blocks of 512 bytes. The output goes through a pipe, because the limit holds for the files of the test too.
        program.executable = try folder.write(
            "limited",
            """
            #!/bin/sh
            trap '' XFSZ
            (ulimit -f 512; exec '\(Program.folder.appending(path: "sluice").path)' "$@") 2>&1 | cat
            """, mode: 0o755)
        let words = try program.run(["ingest", "--no-deliver", folder["in"].string]).output
        #expect(words.contains("the limit on the size of a file (ulimit -f) is 262144 bytes"), "\(words)")
        #expect(!words.contains("disk is full"), "\(words)")
    }

    /// The batch goes on without the file. The sinks get what came in.
    @Test func aFileAboveTheLimitFailsAlone() throws {
        // A shell counts in blocks of 512 or 1,024 bytes. The catalog needs less than either.
        let (_, end) = try ingest("-f 8192", large: 9 << 20)
        #expect(end.status == 1, "\(end)")
        let lines = end.output.split(separator: "\n")
        #expect(lines.contains { $0.contains("failed") && $0.contains("large.bin") }, "\(end.output)")
        #expect(end.output.contains(/it is larger than a file may be here: \d+ bytes \(ulimit -f\); raise that limit/))
        #expect(lines.contains { $0.hasPrefix("accepted") && $0.contains("note.txt") }, "\(end.output)")
        #expect(end.errors.contains("1 delivery: 1 delivered") || end.output.contains("1 delivery: 1 delivered"))
    }
}
