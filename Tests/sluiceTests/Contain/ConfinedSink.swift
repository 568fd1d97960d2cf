import Foundation
import GroupContainer
import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import SinkHost

/// A script as a sink's program, started as the host starts sinks. Tests look at its output.
final class ConfinedSink {
    let folder: TestFolder
    let launch: SinkLaunch
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// The end of a sink, and the output of the sink and of all processes that held its standard output.
    struct End {
        var status: Int32
        var isSignal: Bool
        var output: String
        var errors: String
    }

    /// Whether bubblewrap works on this machine.
    static func hasSandbox() async throws -> Bool { try await confiner(.sandbox).level == .sandbox }

    /// The levels that work on this machine. If the sandbox does not, ``SandboxTests`` reports that it is skipped.
    static func levels() async throws -> [Containment] { try await hasSandbox() ? [.limits, .sandbox] : [.limits] }

    static func confiner(_ containment: Containment) async throws -> SinkConfiner {
        try await Confiners.shared.confiner(containment)
    }

    /// Each confiner is made once, because it tries the sandbox.
    private actor Confiners {
        static let shared = Confiners()
        private var known: [Containment: Task<SinkConfiner, any Error>] = [:]

        func confiner(_ containment: Containment) async throws -> SinkConfiner {
            let requirement: ContainmentRequirement = containment == .sandbox ? .preferred : .off
            let task = known[containment] ?? Task { try await SinkConfiner(requirement: requirement, program: program) }
            known[containment] = task
            return try await task.value
        }
    }

    /// The program `sluice`. The build puts the launcher beside it.
    static var program: FilePath { FilePath(Program.folder.appending(path: "sluice").path) }

    init(
        _ script: String, _ containment: Containment, arguments: [String] = [], limits: SinkManifest.Limits? = nil,
        network: Bool = false
    ) async throws {
        folder = try TestFolder()
        try folder.write("sinks/probe/probe", script, mode: 0o755)
        for name in ["in", "out"] { try SystemFileSystem().ensureFolders(folder["work/\(name)"]) }
        try folder.write("work/in/part", "the content")
        let sink = InstalledSink(
            manifest: SinkManifest(id: "probe", version: "1", command: ["probe"] + arguments, accepts: []),
            program: folder["sinks/probe/probe"], folder: folder["sinks/probe"])
        launch = try await Self.confiner(containment)
            .launch(sink, folder: folder["work"], network: network, limits: limits, on: SystemFileSystem())
        try #require(launch.containment == containment)
        try launch.give(folder["work/in/part"])
    }

    func start(_ command: [String]? = nil) throws {
        let command = command ?? [launch.executable.string] + launch.arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = launch.environment
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
    }

    /// Waits until the sink has printed a line.
    func waitForLine() throws {
        while true {
            let byte = try #require(try output.fileHandleForReading.read(upToCount: 1)?.first, "it has ended before")
            if byte == UInt8(ascii: "\n") { return }
        }
    }

    /// Waits until every process has closed the sink's standard output, and the supervisor has ended.
    func end() throws -> End {
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let words = try errors.fileHandleForReading.readToEnd() ?? Data()
        return End(
            status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
            output: String(decoding: text, as: UTF8.self), errors: String(decoding: words, as: UTF8.self))
    }

    func run() throws -> End {
        try start()
        return try end()
    }

    /// A sink in Python that runs the code, and prints `allowed`, or `refused` with the name of the error.
    static func attempt(_ code: String) -> String {
        """
        #!/usr/bin/env python3
        import ctypes, errno, os, resource, socket, sys
        libc = ctypes.CDLL(None, use_errno=True)
        def call(result):
            if result == -1: raise OSError(ctypes.get_errno(), "")
        try:
        \(code.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            print("allowed")
        except OSError as error: print("refused", errno.errorcode[error.errno])
        except MemoryError: print("refused memory")
        """
    }
}
