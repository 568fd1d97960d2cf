import GroupContainer
import ShareModel
import SinkKit
import Sniffing
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import Reading
@testable import SinkHost

/// A sink can change its products while the host copies them. The host copies no more than it has checked.
@Suite struct GrowingProductTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func stage(_ name: String, size: Int64) throws -> StagedContent {
        let container = try Container.open(at: folder["container"])
        let stager = Stager(
            area: try container.objects.makeStagingArea(), sniffer: try MagicSniffer(), meter: ProgressMeter())
        return try stager.stage(
            product: .path(FilePath(name)), size: size, claims: TypeClaims(),
            opener: SourceOpener(folder: folder["out"], root: folder.path))
    }

    /// The copy of 300,000 bytes does not fit into the stager's buffer.
    @Test(arguments: [(0, 1), (0, 300_000), (1, 0), (5, 6), (5, 4), (300_000, 300_001)])
    func aProductOfAnotherSizeIsRefused(_ checked: Int64, _ present: Int) throws {
        try folder.write("out/product", [UInt8](repeating: 1, count: present))
        let error = try #require(throws: ReadingError.self) { try stage("product", size: checked) }
        #expect(error.code == .changed && "\(error)".contains("must not change a product"), "\(error)")
    }

    @Test(arguments: [0, 1, 300_000]) func aProductOfTheCheckedSizeIsStaged(_ size: Int) throws {
        let bytes = [UInt8](repeating: 1, count: size)
        try folder.write("out/product", bytes)
        let staged = try stage("product", size: Int64(size))
        #expect(staged.object.size == Int64(size) && staged.object.digest == Digest(of: bytes))
    }

    private func result(_ sizes: [Int]) throws -> HostedOutcome.Result {
        var limits = DeliveryLimits()
        (limits.productBytes, limits.productsBytes) = (10, 20)
        let products = try sizes.enumerated().map { place, size in
            try folder.write("out/\(place)", [UInt8](repeating: 1, count: size))
            return SinkKit.Product(path: "\(place)", role: "blob", type: "text/plain")
        }
        let rules = AnswerRules(limits: limits, redactor: Redactor([]), fileSystem: SystemFileSystem())
        return rules.result(.init(id: "1", status: .delivered, products: products), below: folder["out"])
    }

    @Test func theProductsOfADeliveryHaveALimitTogether() throws {
        guard case .answered(let answer) = try result([10, 10, 0]) else {
            Issue.record("20 bytes are refused")
            return
        }
        #expect(answer.products.map(\.size) == [10, 10, 0] && answer.bytes == 20)
        guard case .refused(let why) = try result([10, 10, 1]) else {
            Issue.record("21 bytes are taken")
            return
        }
        #expect(why.contains("more than 20 bytes together"), "\(why)")
        guard case .refused(let one) = try result([11]) else {
            Issue.record("11 bytes in one product are taken")
            return
        }
        #expect(one.contains("'0' is larger than 10 bytes"), "\(one)")
    }

    /// A short number takes several times its bytes in memory.
    @Test(arguments: [9, 10]) func theValuesOfMetadataAreLimited(_ count: Int) throws {
        var limits = DeliveryLimits()
        limits.metadataValues = 11
        let metadata: JSONValue = ["a": .array(Array(repeating: 1, count: count))]
        #expect(metadata.valueCount == count + 2)
        let rules = AnswerRules(limits: limits, redactor: Redactor([]), fileSystem: SystemFileSystem())
        switch rules.result(.init(id: "1", status: .delivered, metadata: metadata), below: folder["out"]) {
        case .answered: #expect(count == 9)
        case .refused(let why): #expect(count == 10 && why.contains("has 12 values; 11 are allowed"), "\(why)")
        default: Issue.record("no answer")
        }
    }

    /// The sink answers with about 64 MiB of products, and enlarges them to 8 GB while the host copies the first one.
    @Test func aSinkThatEnlargesItsProductsFailsAlone() throws {
        let trial = try DeliveryTrial()
        try trial.install(["product-growing"])
        try trial.writeTexts(1...1)
        try trial.folder.write("in/other.bin", [0, 1, 2, 3])
        let end = try trial.ingest()
        let records = try trial.records()
        let mine = try #require(records["t1.txt"])
        // The host may also be the faster one, and then it has the small products.
        #expect([.failed, .delivered].contains(mine.outcome), "\(mine.why ?? "no reason")")
        #expect(mine.outcome == .failed || mine.products.reduce(0) { $0 + $1.size } == 64 << 20 + 39)
        #expect(records["other.bin"]?.outcome == .delivered)
        try trial.checkLedger(end, "the ledger")
    }
}
