import GroupContainer
import ShareModel
import Sniffing
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import Reading
@testable import SinkHost

/// The memory of a run depends neither on the number of descriptions nor on their size.
@Suite struct HeldMemoryTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Counts packages that were read, and objects that were staged.
    private final class Counter: Sendable {
        struct State {
            var read = 0
            var staged = 0
            /// Each package is staged as two objects: its content and its manifest.
            var mostInHand = 0
        }

        private let counts = Mutex(State())

        var state: State { counts.withLock { $0 } }

        func read() {
            counts.withLock { counts in
                counts.read += 1
                counts.mostInHand = max(counts.mostInHand, counts.read - counts.staged / 2)
            }
        }

        func stage() { counts.withLock { $0.staged += 1 } }
    }

    /// Reads shares, and counts them.
    private struct CountingReader: Reader {
        let name = "counting"
        let kind = PackageSource.Kind.share
        let counter: Counter

        func read(_ input: NamedInput, _ context: ReadingContext) throws(ReadingError) -> ReaderResult? {
            guard let result = try ShareReader().read(input, context) else { return nil }
            counter.read()
            return result
        }
    }

    private func options(_ counter: Counter, jobs: Int = 1) -> IngestOptions {
        var options = IngestOptions(container: folder["container"])
        options.readers = Readers([CountingReader(counter: counter)])
        options.jobs = jobs
        options.limits.batchDuration = .seconds(3_600)
        return options
    }

    private func reader(_ options: IngestOptions, _ counter: Counter) throws -> BatchReader {
        let container = try Container.open(at: folder["container"])
        let composer = PackageComposer(
            router: Router(registry: SinkRegistry(sinks: [])), limits: options.limits, clock: options.clock, run: "r",
            accounts: AccountBook(options, SinkRegistry(sinks: [])))
        let workers = try (0..<options.jobs).map { _ in
            try IntakeWorker(
                area: CountingArea(container.objects.makeStagingArea(), counter), composer: composer, recognizer: nil,
                catalog: nil, known: nil, options: options, meter: ProgressMeter())
        }
        let inputs = RunInputs(.paths([folder["in"]]), options)
        return BatchReader(inputs, workers: workers, limits: options.limits, meter: ProgressMeter()) {
            ScratchArea(fileSystem: SystemFileSystem.system)
        }
    }

    /// The item's text is kept with the receipt.
    private func writeShares(_ count: Int, textBytes: Int) throws {
        for number in 0..<count {
            let text = "\(number) " + String(repeating: "x", count: textBytes)
            try folder.write(
                "in/\(number).share/share.json",
                #"{"version": 1, "items": [{"text": "\#(text)", "attachments": [{"representations": [{"text": "\#(text)"}]}]}]}"#
            )
        }
    }

    @Test(arguments: [1, 3]) func aBatchEndsAtItsMemory(_ jobs: Int) async throws {
        try writeShares(40, textBytes: 100_000)
        let counter = Counter()
        var options = options(counter, jobs: jobs)
        options.limits.batchMemory = 1_000_000
        let reader = try reader(options, counter)
        var sizes: [Int] = []
        var taken = 0
        while let batch = try await reader.next() {
            sizes.append(batch.count)
            taken += batch.count
            #expect(batch.reduce(0) { $0 + $1.memory } < 2_000_000)
            #expect(counter.state.read == taken, "nothing is read ahead")
        }
        #expect(taken == 40 && sizes.count > 3, "\(sizes)")
    }

    /// The workers hold inline data until it is staged. A description beyond the limit is taken alone.
    @Test func inlineDataInHandIsLimited() async throws {
        let data = String(repeating: "QUJD", count: 100_000)
        for number in 0..<12 { try folder.share("in/\(number)", #"{"representations": [{"data": "\#(data)"}]}"#) }
        let counter = Counter()
        var options = options(counter, jobs: 3)
        options.limits.batchMemory = 200_000
        options.limits.chunkBytes = 1
        let reader = try reader(options, counter)
        while let batch = try await reader.next() { batch.forEach { $0.staged.forEach { $0.discard() } } }
        #expect(counter.state.read == 12 && counter.state.mostInHand == 1)
    }

    /// A staging area that counts what is staged.
    private final class CountingArea: StagingArea {
        private let area: any StagingArea
        private let counter: Counter

        init(_ area: any StagingArea, _ counter: Counter) { (self.area, self.counter) = (area, counter) }

        func makeFile(expecting size: Int64) throws -> any StagingFile {
            counter.stage()
            return try area.makeFile(expecting: size)
        }

        func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject {
            // The manifest is staged last.
            defer { counter.stage() }
            return try area.stage(bytes, digest: digest)
        }
    }

    @Test func anEmptyTextIsNotStaged() throws {
        let counter = Counter()
        let area = CountingArea(try Container.open(at: folder["container"]).objects.makeStagingArea(), counter)
        let stager = Stager(area: area, sniffer: try MagicSniffer(), meter: ProgressMeter())
        let selector = ProviderSelector(stager: stager, opener: SourceOpener(folder: nil), words: \.description)
        let empty = Array(repeating: [Representation.Content.text(""), .link(" ")], count: 20)
        let contents = empty.flatMap(\.self) + [.text(" ")]
        let selection = try selector.select(
            ItemProvider(representations: contents.map { Representation(content: $0) }), index: 0)
        #expect(selection.content?.object.size == 1 && counter.state.staged == 1)
        #expect(selection.story.tried.count(where: { $0.why.contains("empty where a") }) == 40)
    }

    /// A bag may have a receipt with long texts in every place.
    @Test func everyTextOfAReceiptCounts() {
        let long = String(repeating: "x", count: 1 << 20)
        var receipt = Receipt(id: "a", source: .init(kind: .file, path: "/in/a"), outcome: .partial)
        let attempt = Receipt.Attempt(representation: 0, form: .file, declared: long, outcome: .failed, why: long)
        var provider = Receipt.Provider(index: 0, name: long, reason: long, tried: [attempt])
        (provider.basis, provider.warnings, provider.suggestedName) = ([long], [long], long)
        (receipt.reason, receipt.warnings, receipt.providers) = (long, [long], [provider])
        receipt.item = Receipt.Item(index: 0, title: long, text: long, rule: long, why: long)
        receipt.groups = [Receipt.Group(rule: long, providers: [0])]
        #expect(Intake(final: receipt).memory > 14 << 20)
    }

    @Test(arguments: [0, 1]) func theRepresentationsOfAPackageHaveALimit(_ more: Int) throws {
        var limits = ReadingLimits()
        limits.packageRepresentations = 6
        let one = #"{"representations": [{"text": "a"}, {"text": "b"}, {"text": "c"}]}"#
        let last = more == 0 ? one : one.replacing("]", with: #", {"text": "d"}]"#)
        try folder.share("in/a", one, last)
        var reader = PackageReader(paths: [folder["in"]], limits: limits)
        switch reader.next() {
        case .package: #expect(more == 0)
        case .failed(_, let error):
            #expect(more == 1 && error.code == .limit && error.message.contains("more than 6 in one package"))
        default: Issue.record("no package")
        }
    }

    /// A run holds receipts without large metadata, and reports them with it: those of new packages and of duplicates.
    @Test func largeMetadataIsReported() throws {
        try folder.write(
            "sinks/large/sink.json",
            #"{"id": "large", "version": "1", "protocol": 1, "command": ["large"], "accepts": [{"type": "text/plain"}], "role": "also"}"#
        )
        try folder.write(
            "sinks/large/large",
            """
            #!/usr/bin/env python3
            import json, sys
            def say(name, **body): print(json.dumps({name: body}), flush=True)
            for line in sys.stdin:
                message = json.loads(line)
                if "hello" in message: say("hello", protocol=1, id="large", version="1")
                elif "configure" in message: say("ready")
                elif "deliver" in message:
                    say("done", id=message["deliver"]["id"], status="delivered", metadata={"text": "x" * 6000})
                elif "goodbye" in message: break

            """, mode: 0o755)
        for number in 0..<2 { try folder.write("in/\(number).txt", "note \(number)") }
        let program = Program(container: folder["container"], sinks: folder["sinks"])
        for outcome in [PackageOutcome.accepted, .duplicate] {
            let receipts = try program.ingest(folder["in"]).receipts
            #expect(receipts.map(\.outcome) == [outcome, outcome])
            for record in receipts.flatMap(\.providers).flatMap(\.deliveries) where record.sink == "large" {
                #expect(record.metadata?["text"] == .string(String(repeating: "x", count: 6_000)))
            }
            #expect(receipts.allSatisfy { $0.providers[0].deliveries.contains { $0.sink == "large" } })
        }
    }
}
