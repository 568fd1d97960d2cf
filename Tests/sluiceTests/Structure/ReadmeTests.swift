import Files
import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import SinkHost

/// Runs each example of the README and of the page on the commands.
@Suite(.timeLimit(.minutes(60))) struct ReadmeTests {
    private static let readme = Result { try Readme.load() }

    private let place: TestFolder

    init() throws { place = try TestFolder() }

    private var blocks: Readme { get throws { try Self.readme.get() } }

    /// Lines that begin with `sluice`, in whatever block they stand.
    private static var synopses: [String] {
        let blocks = (try? readme.get().blocks) ?? []
        return blocks.flatMap(\.lines).map { $0.hasPrefix("$ ") ? String($0.dropFirst(2)) : String($0) }
            .filter { $0.hasPrefix("sluice ") }
    }

    @Test(arguments: synopses) func everyCommandAndOptionIsThere(_ line: String) throws {
        let words = line.split(separator: " ").dropFirst().map(String.init)
        var names = Array(words.prefix(1))
        if [["sinks"], ["account"]].contains(names), let second = words.dropFirst().first, second.allSatisfy(\.isLetter)
        {
            names.append(second)
        }
        // `sluice list | show ID` and `sluice sinks list | route X` name two.
        let others = line.matches(of: /\| ([a-z]+)/).map { Array(names.dropLast()) + [String($0.output.1)] }
        for command in [names] + others {
            let help = try Program(container: place["c"]).run(["help"] + command)
            #expect(help.status == 0, "\(command) is no command: \(help.errors)")
            guard others.isEmpty else { continue }
            for option in line.matches(of: /--[a-z-]+/).map({ String($0.output) }) {
                #expect(help.output.contains(option), "\(command) has no option \(option)")
            }
        }
    }

    @Test func everyMakeTargetIsThere() throws {
        let makefile = try String(contentsOf: PackageDump.root.appending(path: "Makefile"), encoding: .utf8)
        let targets = Set(makefile.matches(of: /(?m)^([a-z]+):/).map(\.1))
        let named = try blocks.blocks.flatMap(\.lines).compactMap { $0.firstMatch(of: /^make ([a-z]+)/)?.output.1 }
        #expect(named.contains("test") && named.contains("ingest"))
        #expect(Set(named).subtracting(targets).isEmpty)
    }

    /// What stands below a command is what it prints, but for how long it took.
    @Test func consoleExamplesPrintWhatTheyShow() throws {
        let examples = try blocks.blocks("console")
        #expect(!examples.isEmpty)
        let home = try makeHome()
        for example in examples {
            if !example.before.isEmpty { #expect(try shell(example.before, in: home).status == 0) }
            // One shell for all of them, which stays in the folder that it went to.
            let commands = Self.commands(of: example)
            let script = commands.map { "\($0.command)\nprintf '\\n\u{1}%d\\n' $?" }.joined(separator: "\n")
            let end = try shell(script, in: home)
            let outputs = end.output.split(separator: "\u{1}", omittingEmptySubsequences: false)
            try #require(outputs.count == commands.count + 1, "\(end.output)")
            for (place, shown) in commands.enumerated() where !shown.output.isEmpty {
                // The status of the command before stands on the first line.
                let lines = outputs[place].split(separator: "\n").dropFirst(place == 0 ? 0 : 1)
                let found = lines.map { Self.normal(String($0), home: home) }
                #expect(found == shown.output.map { Self.normal($0, home: "/home/ada") }, "\(shown.command)")
            }
        }
    }

    /// A block of commands that can be run as they stand is run from top to bottom.
    @Test func indentedCommandsRun() throws {
        let blocks = try blocks.blocks("").filter { block in
            block.lines.allSatisfy { $0.hasPrefix("sluice ") }
                && !block.text.contains { "|…[".contains($0) } && block.text.firstMatch(of: /\b[A-Z]{2,}\b/) == nil
        }
        #expect(blocks.contains { $0.text.contains("sluice sinks test") })
        let home = try makeHome()
        for line in blocks.flatMap(\.lines) {
            let command = line.firstRange(of: "   ").map { line[..<$0.lowerBound] } ?? line
            let end = try shell(String(command), in: home)
            #expect(end.status == 0, "\(command): \(end.output)")
        }
    }

    @Test func descriptionsAreAccepted() throws {
        for (place, block) in try blocks.blocks("json").filter({ $0.text.contains("\"items\"") }).enumerated() {
            let share = self.place["\(place).share"]
            try self.place.write("\(place).share/share.json", block.text)
            #expect(try Program(container: self.place["c"]).ingest(share).receipt.outcome == .accepted)
        }
    }

    @Test func theSettingsAreSettings() throws {
        let blocks = try blocks.blocks("json").filter { !$0.text.contains("\"items\"") }
        #expect(!blocks.isEmpty)
        for block in blocks {
            let value = try JSONValue(json: Array(block.text.utf8))
            #expect(JSONSchema.settings.violations(of: value) == [], "\(block.text)")
        }
    }

    /// Builds and runs the Swift package of the README that embeds the pipeline. The first build takes minutes.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SLUICE_EXAMPLES"] == "1", "make examples builds it"))
    func theEmbeddingPackageRuns() throws {
        let swift = try blocks.blocks("swift")
        let parts = (
            package: swift.filter { $0.text.contains(".package(") }.map(\.text).joined(),
            product: swift.filter { $0.text.contains(".product(") }.map(\.text).joined(),
            main: swift.filter { $0.text.contains("import Ingestion") || $0.text.contains("SharingSession(") }
                .map(\.text).joined()
        )
        try #require(!parts.package.isEmpty && !parts.product.isEmpty && !parts.main.isEmpty)
        // In one place, so that a later run builds what changed.
        let folder = PackageDump.root.appending(path: ".build/examples")
        let app = folder.appending(path: "app")
        try FileManager.default.createDirectory(
            at: app.appending(path: "Sources/app"), withIntermediateDirectories: true)
        let link = folder.appending(path: "sluice")
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)) == nil {
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: PackageDump.root)
        }
        try copyEngines(to: app.appending(path: "Sources/engines"))
        try """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "app", dependencies: [\n\(parts.package)\n],
            targets: [
                .executableTarget(name: "app", dependencies: [\n\(parts.product)\n]),
                .executableTarget(
                    name: "engines", dependencies: [
                        .product(name: "GroupContainer", package: "sluice"),
                        .product(name: "SystemPackage", package: "swift-system"),
                    ]),
            ])
        """.write(to: app.appending(path: "Package.swift"), atomically: true, encoding: .utf8)

        try place.write("home/Downloads/notes.txt", "where we meet")
        try install()
        let main = parts.main.replacing("/home/ada", with: place["home"].string)
            .replacing("/usr/local", with: place["local"].string)
        try main.write(to: app.appending(path: "Sources/app/main.swift"), atomically: true, encoding: .utf8)
        let built = try shell(
            "swift build --package-path '\(app.path)' --scratch-path '\(folder.path)/build' 2>&1", in: place.path)
        try #require(built.status == 0, "\(built.output.suffix(4_000))")
        let engines = try shell("'\(folder.path)/build/debug/engines' '\(place.path)'", in: place.path)
        #expect(engines.status == 0 && engines.output.contains("3 bytes are in"), "\(engines.output)")
        let end = try shell("'\(folder.path)/build/debug/app'", in: place.path)
        #expect(end.status == 0 && end.output.contains("1 of 1 packages are in"), "\(end.output)")
        #expect(end.output.contains("is durable, with 3 parts"), "\(end.output)")
        let receipts = try Program(container: place["home/shares"]).run(["list", "--json"])
        #expect(try receipts.messages.compactMap(\.package).map(\.outcome) == [.accepted, .accepted])
        #expect(try Program(container: place["home/shares"]).run(["list", "--quarantined"]).output.isEmpty)
    }

    /// The engines in memory, and a program that gives them to a container. Outside of the package it sees public API only.
    private func copyEngines(to target: URL) throws {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let sources = PackageDump.swiftFiles(below: "Tests/sluiceTests/Container/Memory")
        for source in sources where source.lastPathComponent != "MemoryEngineTests.swift" {
            try Data(contentsOf: source).write(to: target.appending(path: source.lastPathComponent))
        }
        try """
        import ContainerTools
        import GroupContainer
        import ShareModel
        import SystemPackage

        let root = FilePath(CommandLine.arguments[1])
        // The program stores one content, and this is its SHA-256.
        guard let digest = Digest("\(Digest(of: "one"))") else { fatalError() }
        let objects = MemoryObjectStore(folder: root) { _ in digest }
        let container = try Container.open(at: root.appending("engines")) { local in
            var engines = local
            engines.objects = objects
            return engines
        }
        let file = try container.objects.makeStagingArea().makeFile()
        try Array("one".utf8).withUnsafeBytes { try file.append($0) }
        let object = file.finish()
        try container.objects.commit([object])
        let queue = MemoryDeliveryQueue()
        _ = try Container(
            root: root.appending("others"),
            engines: ContainerEngines(
                objects: objects, catalog: MemoryCatalog(queue: queue), deliveries: queue,
                breakers: MemoryCircuitBreakers()))
        let query = try SearchQuery(["one"])
        print("\\(try objects.size(object.digest) ?? 0) bytes are in; \\(query)")
        """.write(to: target.appending(path: "main.swift"), atomically: true, encoding: .utf8)
    }

    // MARK: - Where the examples run

    /// A home with the samples, notes, downloads, and `sluice` in the search path.
    private func makeHome() throws -> FilePath {
        let home = place["home"]
        try place.write("home/notes.txt", "where we meet")
        try place.write("home/Downloads/letter.txt", "a letter")
        try FileManager.default.copyItem(
            atPath: PackageDump.root.appending(path: "Samples").path, toPath: home.appending("Samples").string)
        return home
    }

    /// As `make install PREFIX=…` does, with links.
    private func install() throws {
        let target = place["local/libexec/sluice"]
        for name in [
            "pdf-import", "image-import", "office-import", "text-note", "media-import", "link-capture", "keep",
        ] {
            let sink = target.appending("sinks").appending(name)
            try FileManager.default.createDirectory(atPath: sink.string, withIntermediateDirectories: true)
            let built = Program.folder
            try FileManager.default.copyItem(
                atPath: built.appending(path: name).path, toPath: sink.appending(name).string)
            try FileManager.default.copyItem(
                atPath: built.appending(path: "sluice_\(name).resources/sink.json").path,
                toPath: sink.appending("sink.json").string)
        }
        try FileManager.default.copyItem(
            atPath: Program.folder.appending(path: "sluice-launch").path,
            toPath: target.appending("sluice-launch").string)
    }

    /// Runs a script; standard error comes with standard output, in their order.
    private func shell(_ script: String, in home: FilePath) throws -> (status: Int32, output: String) {
        let output = place["output-\(UUID().uuidString)"]
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = URL(filePath: home.string)
        let environment = ProcessInfo.processInfo.environment
        process.environment = environment.filter { !$0.key.hasPrefix("SLUICE_") && !$0.key.hasPrefix("XDG_") }
            .merging(["HOME": home.string, "PATH": "\(Program.folder.path):\(environment["PATH"] ?? "")"]) { $1 }
        try Data().write(to: URL(filePath: output.string))
        let handle = try FileHandle(forWritingTo: URL(filePath: output.string))
        (process.standardOutput, process.standardError) = (handle, handle)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Disk.bytes(output), as: UTF8.self))
    }

    /// The commands of a console block, each with the lines below it.
    private static func commands(of block: Readme.Block) -> [(command: String, output: [String])] {
        block.lines.reduce(into: []) { commands, line in
            if line.hasPrefix("$ ") {
                commands.append((String(line.dropFirst(2)), []))
            } else if !commands.isEmpty {
                commands[commands.count - 1].output.append(String(line))
            }
        }
    }

    /// A line without its times, and without the home that it was printed in.
    private static func normal(_ line: String, home: String) -> String {
        line.replacing(home, with: "~").replacing(/in (under )?\d+(\.\d+)? s/, with: "in … s")
    }

    private static func normal(_ line: String, home: FilePath) -> String { normal(line, home: home.string) }
}
