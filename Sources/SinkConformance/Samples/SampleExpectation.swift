internal import Files
internal import FoundationEssentials
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// The contents of a sample's `expected.json`: the names and texts of the delivery, and the expected answer.
struct SampleExpectation: Codable, Equatable {
    /// The type of the content; if absent, identified from its bytes.
    var type: String?
    /// The name of the content; if absent, that of its file.
    var name: String?
    var title: String?
    var text: String?
    /// `delivered`, `duplicate`, `declined` or `fail`.
    var status: String
    /// The class of a failure: `transient`, `permanent` or `auth`.
    var `class`: String?
    /// Compared only if present.
    var why: String?
    /// Compared value by value.
    var metadata: JSONValue?
    /// In order. Only the present keys of each product are compared.
    var products: [Made]?

    struct Made: Codable, Equatable {
        var path: String?
        var role: String
        var type: String
        var size: Int64?
        var sha256: String?
    }

    /// In bytes.
    private static let limit = 16 << 20

    /// Reads a file; `nil` if it does not exist.
    init?(reading path: FilePath) throws {
        do {
            guard let bytes = try SmallFile.read(path, limit: Self.limit) else { return nil }
            self = try JSONLines.decode(Self.self, from: bytes)
        } catch {
            throw SinkHostError(.usage, "\(path) cannot be read: \(error)", remedy: .recordAnswer)
        }
    }

    /// The expectation that this answer meets.
    ///
    /// - Parameters:
    ///   - earlier: the expectation to replace. Its names and texts stay.
    ///   - isFull: whether to include every product's size and digest; otherwise only those that `earlier` has.
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
        // Authors commit this file and review its diff, so an equal answer must give equal bytes.
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try SmallFile.write(Array(encoder.encode(self)) + [UInt8(ascii: "\n")], to: path)
    }

    /// The differences of the answer, one line each.
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
