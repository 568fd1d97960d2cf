internal import Files
internal import FoundationEssentials
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// What `expected.json` says of a sample: how it is handed over, and how it must be answered.
struct SampleExpectation: Codable, Equatable {
    /// The type that is handed over; what the bytes say, where absent.
    var type: String?
    /// The name that is handed over; the file's own, where absent.
    var name: String?
    var title: String?
    var text: String?
    /// `delivered`, `duplicate`, `declined` or `fail`.
    var status: String
    /// Of a failure: `transient`, `permanent` or `auth`.
    var `class`: String?
    /// Compared only where it is there.
    var why: String?
    /// Compared value by value.
    var metadata: JSONValue?
    /// In order; of each, what is there is compared.
    var products: [Made]?

    struct Made: Codable, Equatable {
        var path: String?
        var role: String
        var type: String
        var size: Int64?
        var sha256: String?
    }

    /// The largest `expected.json`, in bytes.
    private static let limit = 16 << 20

    /// What a file says; `nil` if there is none.
    init?(reading path: FilePath) throws {
        do {
            guard let bytes = try SmallFile.read(path, limit: Self.limit) else { return nil }
            self = try JSONLines.decode(Self.self, from: bytes)
        } catch {
            throw SinkHostError(.usage, "\(path) cannot be read: \(error)", remedy: .recordAnswer)
        }
    }

    /// What was answered; sizes and digests of products in full, or where `earlier` had them.
    init(_ finding: DeliveryFinding, like earlier: SampleExpectation?, isFull: Bool) {
        (type, name, title, text) = (earlier?.type, earlier?.name, earlier?.title, earlier?.text)
        status = finding.done?.status.rawValue ?? "fail"
        `class` = finding.failure?.class.rawValue
        why = finding.done?.why ?? finding.failure?.why
        metadata = finding.done.map { $0.metadata ?? [:] }
        products = finding.done.map { _ in
            finding.products.enumerated().map { place, made in
                let before = earlier?.products.flatMap { place < $0.count ? $0[place] : nil }
                return Made(
                    path: made.product.path, role: made.product.role, type: made.product.type,
                    size: isFull || before?.size != nil ? made.size : nil,
                    sha256: isFull || before?.sha256 != nil ? made.digest?.description : nil)
            }
        }
    }

    func write(to path: FilePath) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try SmallFile.write(Array(encoder.encode(self)) + [UInt8(ascii: "\n")], to: path)
    }

    /// What of this is not as found, one line each.
    func differences(to found: Self) -> [String] {
        var lines: [String] = []
        func compare(_ place: String, _ expected: String?, _ found: String?) {
            guard let expected, expected != found else { return }
            lines.append("\(place): expected \(expected), got \(found ?? "nothing")")
        }
        compare("status", status, found.status)
        compare("class", `class`, found.class)
        compare("why", why, found.why)
        if let metadata { lines += ValueDifference.between(metadata, found.metadata ?? [:], at: "metadata") }
        guard let products else { return lines }
        compare("products", "\(products.count)", "\(found.products?.count ?? 0)")
        for (place, (expected, found)) in zip(products, found.products ?? []).enumerated() {
            compare("products[\(place)].path", expected.path, found.path)
            compare("products[\(place)].role", expected.role, found.role)
            compare("products[\(place)].type", expected.type, found.type)
            compare("products[\(place)].size", expected.size.map(String.init), found.size.map(String.init))
            compare("products[\(place)].sha256", expected.sha256, found.sha256)
        }
        return lines
    }
}
