import Foundation
import Testing

@testable import ShareModel

/// A receipt writes its own JSON. It must equal the coder's JSON.
@Suite struct ReceiptJSONTests {
    @Test func eachNumberIsExact() {
        var writer = JSONWriter()
        writer.object {
            $0.field("a", UInt64.max)
            $0.field("b", Int64.min)
            $0.field("c", 7)
        }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text == #"{"a":18446744073709551615,"b":-9223372036854775808,"c":7}"#)
    }

    @Test func everyFieldIsWritten() throws {
        let odd = "a\u{0}\u{1f}\u{7f}\"\\/\n\r\t\u{8}\u{c}é\u{2028}👍🏽"
        let product = DeliveryRecord.Product(
            role: odd, name: "n", type: .plainText, sha256: Digest(bytes: Array(0..<32)), size: .max)
        let delivery = DeliveryRecord(
            id: "d", sink: "s", outcome: .quarantined, why: odd, attempts: 3,
            metadata: ["b": [1, true], "a": .string(odd)], products: [product, product])
        var provider = Receipt.Provider(
            index: 1, name: odd, outcome: .duplicate, reason: "r",
            tried: [.init(representation: 0, form: .link, declared: odd, outcome: .passed, why: "w")])
        provider.suggestedName = odd
        provider.type = .unknown
        provider.sha256 = product.sha256
        provider.size = 0
        provider.modified = Timestamp(nanoseconds: 1)
        provider.basis = [odd, "two"]
        provider.warnings = ["one"]
        provider.chosen = 2
        provider.group = 0
        provider.deliveries = [delivery, .init(id: "e", sink: "t", outcome: .pending)]
        provider.deliveries[1].isUnconfirmed = true
        provider.deliveries[1].login = AccountUser(account: try #require(AccountName("notes")), user: odd)
        var receipt = Receipt(id: "r", source: .init(kind: .bundle, path: "p\u{0}"), outcome: .partial)
        receipt.source.pathBase64 = "//8="
        receipt.reason = odd
        receipt.bytes = .min
        receipt.storedBytes = 7
        receipt.destination = odd
        receipt.duplicateOf = "x"
        receipt.supersedes = "y"
        receipt.supersededBy = "z"
        receipt.received = "2026-01-01T00:00:00Z"
        receipt.sightings = [
            .init(source: receipt.source, names: [odd, ""], modified: Timestamp(nanoseconds: -1), received: odd),
            .init(source: .init(kind: .file, path: "p"), received: "r"),
        ]
        receipt.moreSightings = 2
        receipt.tags = [odd, "two"]
        receipt.kept = [
            .init(sha256: product.sha256, size: 1), .init(sha256: product.sha256, size: 0, path: odd),
        ]
        receipt.unconfirmed = Receipt.BagClaim.allCases
        receipt.warnings = [odd]
        let item = Receipt.Item(index: 0, title: odd, text: "t", rule: "u", why: "v")
        receipt.item = item
        receipt.alternatives = [item, Receipt.Item(index: 1, title: nil, text: nil, rule: "", why: "")]
        receipt.providers = [provider, Receipt.Provider(index: 2, name: "", reason: "", tried: [])]
        receipt.groups = [.init(rule: "single", providers: [1, 2]), .init(rule: "", providers: [])]
        #expect(try receipt.json() == JSONLines.encode(receipt))
    }
}
