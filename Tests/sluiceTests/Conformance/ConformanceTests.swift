import Foundation
import Ingestion
import Synchronization
import SystemPackage
import Testing

@testable import SinkConformance
@testable import SinkHost

/// The conformance suite passes sinks that keep the protocol, and each violation fails the right check.
@Suite(.timeLimit(.minutes(60))) struct ConformanceTests {
    /// A bundled sink: its name, and its folder below `Plugins`.
    static let bundled = [
        ("keep", "Keep"), ("link-capture", "LinkCapture"), ("pdf-import", "PDFImport"), ("image-import", "ImageImport"),
        ("office-import", "OfficeImport"),
        ("text-note", "TextNote"),
    ]

    /// Without ffprobe, its samples have no findings to compare.
    @Test(.needs("ffprobe: install ffmpeg", ConformanceTests.hasFFprobe))
    func mediaImportPassesWithItsSamples() async throws {
        try await aBundledSinkPassesWithItsSamples(sink: "media-import", folder: "MediaImport")
    }

    static var hasFFprobe: Bool {
        ["/usr/local/bin", "/usr/bin", "/bin"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + "/ffprobe")
        }
    }

    /// Documents that LibreOffice itself has saved. The check does not install it: `OldOfficeTests` has the cases that
    /// need none.
    @Test(.enabled(if: ConformanceTests.hasLibreOffice, "needs LibreOffice: install its Writer and Calc"))
    func officeImportReadsOldDocuments() async throws {
        let samples = URL(filePath: #filePath).appending(path: "../../Fixtures/office").standardized
        let results = try await Self.results(of: "office-import", samples: samples, only: ["samples/"])
        #expect(Self.failures(results).isEmpty)
        #expect(results.map(\.name).sorted() == ["samples/doc", "samples/xls"])
    }

    static let hasLibreOffice = FileManager.default.isExecutableFile(atPath: "/usr/bin/soffice")

    @Test(arguments: bundled)
    func aBundledSinkPassesWithItsSamples(sink: String, folder: String) async throws {
        let samples = URL(filePath: #filePath).appending(path: "../../../../Plugins/\(folder)/samples").standardized
        let results = try await Self.results(of: sink, samples: samples)
        #expect(Self.failures(results).isEmpty)
        #expect(results.contains { $0.name.hasPrefix("samples/") && $0.outcome == .passed })
        #expect(results.filter { $0.outcome == .skipped }.allSatisfy { Self.optional.contains($0.name) })
    }

    /// Checks of optional features.
    static let optional: Set<String> = [
        "check/answer", "cancel/open", "request/form", "request/failure", "transfer/end",
        "flight/several", "flight/max-deliveries",
    ]

    /// Ways to keep the protocol.
    static let good: [[String]] = [
        ["good"], ["good", "--in-flight", "4", "--features", "check,cancel"], ["good", "--max-deliveries", "1"],
        ["good", "--max-deliveries", "3", "--in-flight", "2"],
    ]

    @Test(arguments: good, [ContainmentRequirement.preferred, .off])
    func theMockPassesWhileItBehaves(arguments: [String], containment: ContainmentRequirement) async throws {
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        options.containment = containment
        let results = try await Self.results(ofMock: arguments, options)
        #expect(Self.failures(results).isEmpty)
        #expect(results.count > 40)
    }

    /// Behaviors that look odd and are allowed, each with the checks that look at it.
    static let odd: [([String], String)] = [
        (["flood-errors"], "deliver/"), (["hello-and-ready-at-once"], "lines/"), (["fail", "transient"], "deliver/"),
        (["fail", "auth", "1"], "again/"), (["product-missing", "--on", "nowhere"], "products/"),
    ]

    @Test(arguments: odd)
    func whatIsAllowedPasses(arguments: [String], only: String) async throws {
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        options.only = [only]
        let results = try await Self.results(ofMock: arguments, options)
        #expect(Self.failures(results).isEmpty)
        #expect(results.contains { $0.outcome == .passed })
    }

    /// The manifest has no misbehavior: the mock cannot break its rules. The checks of hostile content differ only in their
    /// bytes, and two stand for all.
    @Test func everyCheckHasAMisbehavior() {
        let checks = ConformanceCheck.all.map(\.name).filter {
            $0 != ManifestCheck.name && (!$0.hasPrefix("hostile/") || ["hostile/empty", "hostile/name"].contains($0))
        }
        #expect(Set(checks).subtracting(Misbehavior.all.map(\.check)) == [])
    }

    @Test(arguments: Misbehavior.all)
    func aMisbehaviorFailsItsCheck(_ misbehavior: Misbehavior) async throws {
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        if let stall = misbehavior.stall { options.stall = stall }
        if let startup = misbehavior.startup { options.startup = startup }
        options.grace = misbehavior.grace ?? .seconds(20)
        options.only = [misbehavior.check]
        // The sandbox prevents some of the misbehaviors.
        options.containment = .off
        let results = try await Self.results(ofMock: misbehavior.arguments, options, secrets: misbehavior.secrets)
        let failed = results.filter { $0.outcome == .failed }
        #expect(failed.map(\.name) == [misbehavior.check])
        // Every failure explains itself.
        #expect(failed.allSatisfy { $0.why?.isEmpty == false && $0.rule != nil && $0.remedy != nil })
    }

    /// Any session can break these rules, but only one check reports each of them.
    @Test(arguments: [
        (["garbage"], "output/only-messages"), (["extra-answers"], "deliver/own-id"),
        (["acknowledge-twice"], "deliver/once"),
    ])
    func oneFaultFailsOneCheck(arguments: [String], check: String) async throws {
        let results = try await Self.results(ofMock: arguments, ConformanceOptions(identify: FileSniffer.mediaType))
        #expect(results.filter { $0.outcome == .failed }.map(\.name) == [check])
        #expect(results.contains { $0.outcome == .skipped && $0.why?.hasSuffix("see \(check)") == true })
    }

    /// A host ends the session after such a hello, so no check passes, whichever are chosen.
    @Test(arguments: ["wrong-version", "wrong-id"], ["deliver/answer", "again/", "end/goodbye"])
    func aSinkWithAWrongHelloPassesNoCheck(_ behavior: String, _ only: String) async throws {
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        options.only = [only]
        let results = try await Self.results(ofMock: [behavior], options)
        #expect(!results.contains { $0.outcome == .passed }, "\(results)")
        let failed = try #require(results.first { $0.outcome == .failed })
        #expect(failed.why?.contains("but its sink.json names") == true && failed.rule?.contains("its hello") == true)
    }

    /// This fault breaks an earlier check than its own. The earlier one reports the remedy.
    @Test func anEarlyFaultIsExplained() async throws {
        let results = try await Self.results(
            ofMock: ["garbage-before-hello"], ConformanceOptions(identify: FileSniffer.mediaType))
        let failed = results.filter { $0.outcome == .failed }
        #expect(failed.map(\.name) == ["hello/answer"])
        #expect(failed.allSatisfy { $0.remedy?.contains("standard error") == true })
    }

    @Test(.enabled("needs bubblewrap, and namespaces that it may make") { try await ConfinedSink.hasSandbox() })
    func whoGoesOnInTheSandboxIsFoundToo() async throws {
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        options.only = ["end/"]
        options.containment = .required
        let results = try await Self.results(ofMock: ["grandchild"], options)
        #expect(
            Self.failures(results) == ["end/nothing-left: 2 of the processes that it started still ran after its end"])
    }

    /// The sink delivers only if it sees the paths and limits of the sandbox. Otherwise its sample fails.
    @Test(.enabled("needs bubblewrap, and namespaces that it may make") { try await ConfinedSink.hasSandbox() })
    func theSuiteTestsInTheSandboxOfEveryDelivery() async throws {
        let folder = try TestFolder()
        try folder.write(
            "probe/sink.json",
            """
            {"id": "probe", "version": "1", "protocol": 1, "role": "primary", "command": ["probe"],
             "accepts": [{"type": "text/plain"}], "limits": {"memory_mib": 512}}
            """)
        try folder.write(
            "probe/probe",
            """
            #!/usr/bin/env python3
            import json, os, resource, sys
            for line in sys.stdin:
                message = json.loads(line)
                if "hello" in message: answer = {"hello": {"protocol": 1, "id": "probe", "version": "1"}}
                elif "configure" in message: answer = {"ready": {}}
                elif "deliver" in message:
                    delivery = message["deliver"]
                    path, out = delivery["parts"][0]["path"], delivery["out"]
                    open(out + "/seen", "w").close()
                    inside = path.startswith("/in/") and out.startswith("/out/") and not os.access(path, os.W_OK)
                    limited = resource.getrlimit(resource.RLIMIT_AS)[0] == 512 << 20
                    filtered = ["Seccomp:", "2"] in [line.split() for line in open("/proc/self/status")]
                    status = "delivered" if inside and limited and filtered and open(path).read() else "declined"
                    answer = {"done": {"id": delivery["id"], "status": status, "why": path}}
                else: break
                print(json.dumps(answer), flush=True)
            """, mode: 0o755)
        try folder.write("probe/samples/one/content.txt", "a river")
        try folder.write("probe/samples/one/expected.json", #"{"status": "delivered"}"#)
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        options.startup = .seconds(60)
        options.only = ["samples/"]
        #expect(Self.failures(try await Self.results(of: folder["probe"], options)).isEmpty)
        options.containment = .off
        let failures = Self.failures(try await Self.results(of: folder["probe"], options))
        #expect(failures == ["samples/one: status: expected delivered, got declined"])
    }

    @Test func aBrokenManifestIsTheFirstFailure() async throws {
        let folder = try TestFolder()
        try folder.write("sink.json", #"{"id": "No Name"}"#)
        let results = try await Self.results(of: folder.path)
        #expect(results.map(\.name) == ["manifest/valid"])
        #expect(results.first?.outcome == .failed)
        #expect(throws: SinkHostError.self) {
            try ConformanceSuite(
                sink: folder["nowhere"], options: ConformanceOptions(identify: FileSniffer.mediaType))
        }
    }

    private static func failures(_ results: [ConformanceResult]) -> [String] {
        results.filter { $0.outcome == .failed }.map { "\($0.name): \($0.why ?? "")" }
    }

    /// The results of a bundled sink.
    private static func results(of sink: String, samples: URL, only: [String] = []) async throws -> [ConformanceResult]
    {
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        // The sinks keep the protocol, so no clock runs out.
        (options.startup, options.stall, options.grace) = (.seconds(3600), .seconds(3600), .seconds(3600))
        (options.samples, options.only) = (FilePath(samples.path), only)
        let program = FilePath(try SinkRun.program(sink))
        return try await results(of: program.removingLastComponent().appending("sluice_\(sink).resources"), options)
    }

    private static func results(
        ofMock arguments: [String], _ options: ConformanceOptions = ConformanceOptions(identify: FileSniffer.mediaType),
        secrets: [String] = []
    ) async throws -> [ConformanceResult] {
        var options = options
        // The mock needs longer on a busy machine.
        if options.grace == ConformanceOptions(identify: FileSniffer.mediaType).grace { options.grace = .seconds(20) }
        if options.startup == nil { options.startup = .seconds(60) }
        let folder = try TestFolder(inMemory: true)
        let sinks = try MockSink.install(arguments, in: folder, secrets: secrets)
        return try await results(of: sinks.appending("mock"), options)
    }

    static func results(
        of sink: FilePath, _ options: ConformanceOptions = ConformanceOptions(identify: FileSniffer.mediaType)
    ) async throws -> [ConformanceResult] {
        let told = Told()
        let summary = try await ConformanceSuite(sink: sink, options: options).run { result in
            told.results.withLock { $0.append(result) }
        }
        let results = told.results.withLock { $0 }
        #expect(summary.passed + summary.failed + summary.skipped == results.count)
        return results
    }

    private final class Told: Sendable {
        let results = Mutex<[ConformanceResult]>([])
    }
}
