import Foundation
import Testing

@testable import ShareModel

/// A receipt writes its own JSON. It must equal the coder's JSON.
@Suite struct ReceiptJSONTests {
    /// A receipt with a value for each key.
    private static func whole() throws -> Receipt {
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
        return receipt
    }

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
        let receipt = try Self.whole()
        #expect(try receipt.json() == JSONLines.encode(receipt))
        #expect(try Receipt(json: receipt.json()) == receipt)
    }

    /// Each key in turn is removed or gets another value. Such a receipt is read as it stands, or refused with the place.
    @Test func aChangedReceiptIsReadOrRefused() throws {
        let whole = try JSONValue(json: Self.whole().json())
        var (read, refused) = (0, 0)
        let others: [JSONValue?] = [
            nil, .null, "x", 7, -1, .number(1.5), true, [], ["x"], [7], [:], "plain/text",
        ]
        for other in others {
            for changed in Self.changes(of: whole, to: other) {
                do {
                    let receipt = try Receipt(json: JSONLines.encode(changed))
                    #expect(try Receipt(json: receipt.json()) == receipt)
                    read += 1
                } catch {
                    #expect((error as? JSONMisfit)?.path.isEmpty == false, "\(error)")
                    refused += 1
                }
            }
        }
        #expect(read > 100 && refused > 100)
    }

    @Test(arguments: [
        (
            #""form":"link""#, #""form":"hologram""#,
            "providers[0].tried[0].form has a value that this program does not know"
        ),
        (#""representation":0"#, #""representation":-1"#, "providers[0].tried[0].representation has a value"),
        (#""index":1"#, #""index":9223372036854775807"#, "alternatives[1].index has a value"),
        (#""stored_bytes":7,"#, "", "stored_bytes is missing"),
        (#""groups":["#, #""groups":[3,"#, "groups[0] is a number"),
    ])
    func aRefusalNamesThePlace(_ old: String, _ new: String, _ message: String) throws {
        let text = String(decoding: try Self.whole().json(), as: UTF8.self)
        let changed = try #require(text.firstRange(of: old)).lowerBound
        let bytes = Array((text[..<changed] + text[changed...].replacing(old, with: new, maxReplacements: 1)).utf8)
        let error = #expect(throws: JSONMisfit.self) { try Receipt(json: bytes) }
        #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
        #expect(throws: (any Error).self) { try JSONLines.decode(Receipt.self, from: bytes) }
    }

    /// The value with each member and element in turn replaced or removed, at any depth.
    private static func changes(of value: JSONValue, to other: JSONValue?) -> [JSONValue] {
        var changed: [JSONValue] = []
        switch value {
        case .object(let members):
            for (key, member) in members {
                for new in [other] + changes(of: member, to: other) {
                    var copy = members
                    copy[key] = new
                    changed.append(.object(copy))
                }
            }
        case .array(let elements):
            for (place, element) in elements.enumerated() {
                for new in [other] + changes(of: element, to: other) {
                    changed.append(.array(elements[..<place] + [new].compactMap(\.self) + elements[(place + 1)...]))
                }
            }
        default: break
        }
        return changed
    }

    /// The coder's bytes, with keys and numbers of any kind.
    @Test func eachValueIsWritten() throws {
        struct Coded: Encodable {
            let value: JSONValue
            func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }
        var generator = SeededGenerator(seed: 7)
        let letters = Array("aAbBzZ019.-_ \u{e9}\u{e4}e\u{301}\u{df}\u{10400}\"\\/\n\u{1}\u{7f}")
        for _ in 0..<2_000 {
            var members: [String: JSONValue] = [:]
            for _ in 0..<6 {
                let key = String(
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        letters.randomElement(using: &generator) ?? "a"
                    })
                let number = Double(bitPattern: generator.next())
                let values: [JSONValue] = [
                    .null, .bool(.random(using: &generator)), .integer(Int64(bitPattern: generator.next())),
                    .string(key),
                    .number(number.isFinite ? number : 0.1),
                    .number(Double(Int.random(in: -9...9, using: &generator)) * 0x1p60),
                    [.string(key), [:], []], ["b": 1, "a": .string(key)],
                ]
                members[key] = values.randomElement(using: &generator)
            }
            let value = JSONValue.object(members)
            let texts = try [JSONLines.encode(value), JSONLines.encode(Coded(value: value))].map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(texts[0] == texts[1])
        }
        #expect(throws: EncodingError.self) { try JSONLines.encode(JSONValue.number(.nan)) }
    }
}
