import Foundation
import Ingestion
import ShareModel
import SystemPackage

/// The built `sluice`, run as a user runs it.
struct Program {
    /// The folder of the built program and its sinks: the tests are beside them.
    static let folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()

    let container: FilePath
    /// Another copy of the program, instead of the one beside the tests.
    var executable: FilePath?
    /// Folders of sinks that are searched before the bundled ones.
    var sinks: FilePath?
    /// The folder of the user's settings; `nil` for settings that only give sinks long clocks.
    var configuration: FilePath?
    /// Variables of the environment that replace those of the tests.
    var variables: [String: String] = [:]

    /// The commands without a container option.
    private static let withoutContainer: Set<String> = ["identify", "sinks", "--version", "help"]

    private func takesContainer(_ arguments: [String]) -> Bool {
        !Self.withoutContainer.contains(arguments[0]) && arguments.prefix(2) != ["account", "add"]
    }

    /// The exit status and the output of a run.
    struct End {
        var status: Int32
        var output: String
        var errors: String

        /// The lines of standard output, each a JSON object with one key.
        var messages: [Message] {
            get throws {
                try output.split(separator: "\n").map { try JSONDecoder().decode(Message.self, from: Data($0.utf8)) }
            }
        }

        var receipts: [Receipt] { get throws { try messages.compactMap(\.receipt) } }

        var summary: Summary {
            get throws {
                guard let summary = try messages.last?.summary else { throw Failure("no summary: \(errors)") }
                return summary
            }
        }

        /// The only receipt.
        var receipt: Receipt {
            get throws {
                let receipts = try receipts
                guard receipts.count == 1 else { throw Failure("\(receipts.count) receipts: \(errors)") }
                return receipts[0]
            }
        }
    }

    /// A line of JSON output; any other line is an error.
    struct Message: Decodable {
        var receipt: Receipt?
        var summary: Summary?
        var package: PackageEntry?
        var delivery: DeliveryRecord?
        var finding: CareFinding?
        var verified: Verified?
        var leftover: Leftover?
        var collected: Collected?
        var forgotten: Forgotten?
        var exported: Exported?
        var backedUp: BackedUp?
        var tagged: TaggedPackage?
        var tag: TagCount?
        var backfill: BackfillReport?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case receipt, summary, package, delivery, finding, verified, leftover, collected, forgotten, exported
            case tagged, tag, backfill
            case backedUp = "backed_up"
            case wouldCollect = "would_collect"
            case wouldForget = "would_forget"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard container.allKeys.count == 1 else {
                throw Failure("a line has \(container.allKeys.count) known keys")
            }
            receipt = try container.decodeIfPresent(Receipt.self, forKey: .receipt)
            package = try container.decodeIfPresent(PackageEntry.self, forKey: .package)
            delivery = try container.decodeIfPresent(DeliveryRecord.self, forKey: .delivery)
            finding = try container.decodeIfPresent(CareFinding.self, forKey: .finding)
            verified = try container.decodeIfPresent(Verified.self, forKey: .verified)
            leftover = try container.decodeIfPresent(Leftover.self, forKey: .leftover)
            collected =
                try container.decodeIfPresent(Collected.self, forKey: .collected)
                ?? container.decodeIfPresent(Collected.self, forKey: .wouldCollect)
            tagged = try container.decodeIfPresent(TaggedPackage.self, forKey: .tagged)
            tag = try container.decodeIfPresent(TagCount.self, forKey: .tag)
            backfill = try container.decodeIfPresent(BackfillReport.self, forKey: .backfill)
            exported = try container.decodeIfPresent(Exported.self, forKey: .exported)
            backedUp = try container.decodeIfPresent(BackedUp.self, forKey: .backedUp)
            forgotten =
                try container.decodeIfPresent(Forgotten.self, forKey: .forgotten)
                ?? container.decodeIfPresent(Forgotten.self, forKey: .wouldForget)
            // The sum of `deliver` has fewer fields than a summary.
            summary = try? container.decodeIfPresent(Summary.self, forKey: .summary)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }

    /// Runs a command on the container and waits for its end.
    func run(_ arguments: [String], input: String = "") throws -> End {
        let scratch = try TestFolder()
        let file = try scratch.write("input", input)
        return try withExtendedLifetime(scratch) { try run(arguments, from: file) }
    }

    /// Runs a command on the container, with a file as its standard input, and waits for its end.
    func run(_ arguments: [String], from input: FilePath) throws -> End {
        let scratch = try TestFolder()
        let process = try start(arguments, input: input, scratch: scratch, output: nil)
        process.waitUntilExit()
        return try end(of: process, scratch)
    }

    /// The exit status and the output of a command that has ended.
    func end(of process: Process, _ scratch: TestFolder) throws -> End {
        End(
            status: process.terminationStatus,
            output: String(decoding: try Disk.bytes(scratch["output"]), as: UTF8.self),
            errors: String(decoding: try Disk.bytes(scratch["errors"]), as: UTF8.self))
    }

    /// `sluice ingest --json` of paths.
    func ingest(_ paths: FilePath..., options: [String] = []) throws -> End {
        try run(["ingest", "--json"] + options + paths.map(\.string))
    }

    /// Starts a command. Its output and its messages go to the given handles or pipes, or to the files `output` and
    /// `errors` of the scratch folder.
    func start(_ arguments: [String], input: FilePath, scratch: TestFolder, output: Any?, errors: Any? = nil) throws
        -> Process
    {
        let process = Process()
        process.executableURL = executable.map { URL(filePath: $0.string) } ?? Self.folder.appending(path: "sluice")
        process.arguments =
            arguments + (takesContainer(arguments) ? ["--container", container.string] : [])
        let places = [
            "SLUICE_SINKS": sinks?.string ?? "",
            "SLUICE_CONFIG": try configuration?.string ?? Self.longClocks.get().string,
            // Only the tests of the agent want one.
            "SLUICE_AGENT": "off", "XDG_DATA_HOME": "/nonexistent",
            "XDG_STATE_HOME": Self.folder.appending(path: "test-state").path,
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(places) { $1 }.merging(variables) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: input.string))
        process.standardOutput = try output ?? handle(scratch, "output")
        process.standardError = try errors ?? handle(scratch, "errors")
        try process.run()
        return process
    }

    /// Settings for the sinks whose clocks no test waits for. On a busy machine a sink may need longer than its manifest
    /// allows.
    private static let longClocks = Result {
        let root = folder.appending(path: "test-settings")
        let sinks = root.appending(path: "sinks")
        try FileManager.default.createDirectory(at: sinks, withIntermediateDirectories: true)
        let limits = Data(#"{"limits": {"startup_s": 3600, "stall_s": 3600, "total_s": 3600}}"#.utf8)
        let bundled = [
            "keep", "link-capture", "pdf-import", "image-import", "office-import", "text-note", "media-import",
        ]
        for id in bundled + ["checksum", "line-count", "word-count", "large"] {
            try limits.write(to: sinks.appending(path: "\(id).json"), options: .atomic)
        }
        return FilePath(root.path)
    }

    private func handle(_ scratch: TestFolder, _ name: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(filePath: scratch.write(name, "").string))
    }
}

extension Summary {
    /// The counts of the receipts.
    init(counting receipts: [Receipt]) {
        self.init()
        receipts.forEach { add($0) }
    }
}
