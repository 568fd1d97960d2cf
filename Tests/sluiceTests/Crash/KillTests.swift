import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// Kills the program with `kill -9` and runs the same command again. The container must end as if nothing had happened.
@Suite struct KillTests {
    /// The moment of the kill, measured by the run's progress and not by a clock.
    enum Moment: Sendable {
        /// A number of files below a folder of the container.
        case files(Int, below: String)
        /// A number of lines on standard output.
        case lines(Int)
    }

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try KillInput.write(into: folder, count: KillInput.count)
    }

    private func program(_ container: String) -> Program { Program(container: folder[container]) }

    private var ingest: [String] { ["ingest", "--json", folder["in"].string] }

    @Test func aKilledRunCanBeRunAgain() throws {
        let undisturbed = program("undisturbed")
        #expect(try undisturbed.run(ingest).status == 0)
        let expected = try ContainerState(undisturbed.container)
        #expect(expected.packages.count > KillInput.count / 2)

        var generator = SeededGenerator(seed: 20_261_121)
        let count = expected.objects.count
        let moments = [
            Moment.files(1, below: "tmp"), .files(count / 3, below: "tmp"), .files(1, below: "objects"),
            .files(count / 2, below: "objects"), .lines(1),
            .lines(.random(in: 1..<KillInput.count, using: &generator)),
            .lines(.random(in: 1..<KillInput.count, using: &generator)),
        ]
        try check("killed-taking-in", ingest, moments, expected)
        #expect(try program("killed-delivering").run(ingest + ["--no-deliver"]).status == 0)
        try check(
            "killed-delivering", ["deliver", "--json"], [.files(1, below: "work"), .lines(1), .lines(10)], expected)
    }

    /// Kills the command once at each moment, then lets it finish. Compares the container with the expected state.
    private func check(
        _ name: String, _ command: [String], _ moments: [Moment], _ expected: ContainerState
    ) throws {
        let program = program(name)
        var kills = 0
        for moment in moments where try interrupt(command, of: program, at: moment) { kills += 1 }
        #expect(kills == moments.count, "\(name): each run must be killed before its end")
        let end = try program.run(command)
        #expect(end.status == 0, "\(name): \(end.errors)")
        let state = try ContainerState(program.container)
        #expect(state.objects == expected.objects, "\(name)")
        #expect(state.packages == expected.packages, "\(name)")
        #expect(state.receipts == expected.receipts, "\(name)")
        #expect(state.leftovers.isEmpty, "\(name)")
    }

    /// Whether the command was killed before its end.
    private func interrupt(_ command: [String], of program: Program, at moment: Moment) throws -> Bool {
        let scratch = try TestFolder()
        let pipe = Pipe()
        let process = try program.start(command, input: scratch.write("input", ""), scratch: scratch, output: pipe)
        try pipe.fileHandleForWriting.close()
        switch moment {
        case .files(let count, let folder):
            let folder = program.container.appending(folder)
            while process.isRunning, Disk.countGrandchildren(of: folder) < count { sched_yield() }
        case .lines(let count):
            var lines = 0
            while lines < count, case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                lines += data.count { $0 == UInt8(ascii: "\n") }
            }
        }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        while !pipe.fileHandleForReading.availableData.isEmpty {}
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }
}

/// The part of a container's state that must not depend on interruptions.
struct ContainerState {
    let objects: [String]
    let packages: [PackageEntry]
    let receipts: [Receipt]
    /// What `library` has, each with the digest of its bytes.
    let library: [String: Digest?]
    /// In `tmp/` and `work/`, and what a run of `library` puts aside.
    let leftovers: [String]

    init(_ container: FilePath) throws {
        objects = Disk.files(below: container.appending("objects"))
        leftovers = ["tmp", "work", "run/library.old"].flatMap { Disk.names(in: container.appending($0)) }
        let library = container.appending("library")
        self.library = Dictionary(
            uniqueKeysWithValues: Disk.files(below: library).map { path in
                (path, (try? Disk.bytes(library.appending(path))).map { Digest(of: $0) })
            })
        let reader = try CatalogReader(reading: container)
        var packages: [PackageEntry] = []
        try reader.forEachPackage { entry in
            var entry = entry
            entry.received = ""
            packages.append(entry)
        }
        self.packages = packages
        receipts = try packages.map { entry in
            var receipt = try reader.receipt(entry.id)
            receipt.received = nil
            for place in receipt.sightings?.indices ?? 0..<0 { receipt.sightings?[place].received = "" }
            // A kill may cost an attempt, and nothing else.
            receipt.changeDeliveries { $0.attempts = 0 }
            return receipt
        }
    }
}

/// A folder of many small files of all kinds, with duplicates, and some shares.
enum KillInput {
    /// The number of files; `$SLUICE_CRASH_FILES` sets it for a long run.
    static let count = ProcessInfo.processInfo.environment["SLUICE_CRASH_FILES"].flatMap { Int($0) } ?? 150

    static func write(into folder: TestFolder, count: Int) throws {
        for index in 0..<count {
            let name = "in/\(index % 8)/\(index)"
            switch index % 12 {
            case 0: try folder.write("\(name).pdf", PDFBuilder(title: "Paper \(index)").data)
            // Bytes after the end of a picture make another file with the same picture.
            case 1: try folder.write("\(name).gif", PictureFixtures.gif + Data("\(index)".utf8))
            case 2: try folder.write("\(name).txt", "the same text in many files")
            case 3: try folder.write("\(name).url", "[InternetShortcut]\nURL=https://example.org/\(index)\n")
            case 4:
                try folder.share(
                    name, id: "share-\(index)", title: "Share \(index)",
                    #"{"representations": [{"text": "shared \#(index)"}]}"#,
                    #"{"representations": [{"link": "https://example.org/\#(index)"}]}"#,
                    #"{"representations": [{"text": "the same text in many files"}]}"#)
            default: try folder.write("\(name).txt", String(repeating: "text \(index) ", count: index + 1))
            }
        }
    }
}
