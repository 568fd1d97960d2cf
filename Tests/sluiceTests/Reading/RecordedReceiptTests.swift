import ShareModel
import Testing

@testable import Files
@testable import Reading

/// A receipt of a bag counts as a whole or not at all.
@Suite struct RecordedReceiptTests {
    private static let id = String(repeating: "a", count: 32)

    private static func receipt(_ change: (inout Receipt) -> Void = { _ in }) throws -> [UInt8] {
        var receipt = Receipt(id: id, source: .init(kind: .file, path: "/in/a"), outcome: .accepted)
        receipt.received = "2020-01-01T00:00:00Z"
        change(&receipt)
        return try receipt.json()
    }

    private static func sighting(_ received: String) -> Receipt.Sighting {
        Receipt.Sighting(source: .init(kind: .file, path: "/in/b"), received: received)
    }

    private func read(_ bytes: [UInt8], _ limits: ReadingLimits = ReadingLimits()) throws(ReadingError) -> Receipt {
        try RecordedReceipt(file: "bag/receipts/a.json", limits: limits).receipt(bytes, id: Self.id)
    }

    @Test func aSoundReceiptIsRead() throws {
        let receipt = try read(
            Self.receipt {
                $0.source.machine = "m"
                $0.sightings = [Self.sighting("1970-01-01T00:00:00Z")]
                $0.supersededBy = String(repeating: "b", count: 32)
            })
        #expect(receipt.source.machine == "m" && receipt.sightings?.count == 1)
    }

    static let changes: [@Sendable (inout Receipt) -> Void] = [
        { $0.id = String(repeating: "b", count: 32) }, { $0.received = nil }, { $0.received = "yesterday" },
        { $0.received = "1969-12-31T23:59:59Z" }, { $0.received = "2020-01-01T00:00:00.5Z" },
        { $0.sightings = [sighting("2020-01-01 00:00:00")] }, { $0.source.path = "" }, { $0.source.path = "/in/\0a" },
        { $0.source.path = String(repeating: "x", count: 70_000) }, { $0.source.pathBase64 = "?" },
        { $0.source.pathBase64 = "" }, { $0.source.machine = "" },
        { $0.source.machine = String(repeating: "m", count: 256) }, { $0.supersededBy = "b" },
        { $0.supersedes = String(repeating: "B", count: 32) }, { $0.bytes = -1 }, { $0.bytes = .max },
        { $0.providers = [provider(.max)] }, { $0.providers = [provider(-1)] },
        { $0.providers = [provider(0), provider(0)] }, { $0.groups = [.init(rule: "single", providers: [.max])] },
        { $0.alternatives = [.init(index: .max, title: nil, text: nil, rule: "", why: "")] },
    ]

    private static func provider(_ index: Int) -> Receipt.Provider {
        Receipt.Provider(index: index, name: "a", reason: "", tried: [])
    }

    @Test(arguments: changes.indices) func aWrongValueIsRefused(_ place: Int) throws {
        let bytes = try Self.receipt(Self.changes[place])
        let error = #expect(throws: ReadingError.self) { try read(bytes) }
        #expect(error?.message.hasPrefix("bag/receipts/a.json ") == true)
    }

    @Test func thereAreLimits() throws {
        var limits = ReadingLimits()
        limits.sightings = 1
        let two = try Self.receipt {
            $0.sightings = [Self.sighting("2020-01-01T00:00:00Z"), Self.sighting("2020-01-01T00:00:00Z")]
        }
        #expect(throws: ReadingError.self) { try read(two, limits) }
        limits.sightings = 2
        #expect(try read(two, limits).sightings?.count == 2)
        limits.receiptValues = 10
        #expect(throws: ReadingError.self) { try read(two, limits) }
    }

    @Test func aBagHasLimits() throws {
        let folder = try TestFolder()
        func records(_ limits: ReadingLimits) throws -> BagRecords {
            let lines = try Disk.files(below: folder.path).map { path in
                let digest = Digest(of: try Disk.bytes(folder[path]))
                return (path: Array(path.utf8), digest: Array(digest.description.utf8)[...])
            }
            let tags = BagManifest(root: folder.path, algorithm: .sha256, lines: lines, name: "tags") {
                ManifestHasher(.sha256)
            }
            return BagRecords(tags, limits: limits)
        }
        let bytes = try Self.receipt()
        try folder.write("receipts/\(Self.id).json", bytes)
        for number in 0..<3 { try folder.write("records/\(Self.id)-\(number)", "record \(number)") }
        var limits = ReadingLimits()
        (limits.receiptBytes, limits.records, limits.recordBytes) = (bytes.count, 3, 24)
        #expect(try records(limits).receipt(Self.id)?.id == Self.id)
        #expect(try records(limits).records(Self.id).count == 3)
        limits.receiptBytes -= 1
        #expect(throws: ReadingError.self) { try records(limits).receipt(Self.id) }
        limits.records = 2
        #expect(throws: ReadingError.self) { try records(limits).records(Self.id) }
        (limits.records, limits.recordBytes) = (3, 23)
        #expect(throws: ReadingError.self) { try records(limits).records(Self.id) }
        #expect(try records(ReadingLimits()).receipt("none") == nil)
    }
}
