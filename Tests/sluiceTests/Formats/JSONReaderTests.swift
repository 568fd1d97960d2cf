import FoundationEssentials
import ShareModel
import Testing

@Suite struct JSONReaderTests {
    static func read(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }

    @Test(
        arguments: [
            ("null", .null), (" true ", true), ("[]", []), ("{}", [:]), ("-0", 0),
            ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1e3", 1_000), ("1.0", 1),
            ("1.5", .number(1.5)), ("-9223372036854775808", .integer(.min)),
            ("\"\"", ""), (#""\" \\ \/ \b \f \n \r \t \u00e9 \ud83d\udc4b é""#, "\" \\ / \u{8} \u{C} \n \r \t é 👋 é"),
            (#"{"a": [1, {"b": null}], "": "x"}"#, ["a": [1, ["b": .null]], "": "x"]),
            // Which of them counts must not depend on the reader.
            (#"{"a": 1, "a": 2}"#, ["a": 1]), (#"{"\u0061": 1, "a": 2}"#, ["a": 1]),
        ] as [(String, JSONValue)])
    func aDocumentHasAValue(_ text: String, _ value: JSONValue) throws {
        #expect(try Self.read(text) == value)
        #expect(try JSONLines.decode(JSONValue.self, from: text.utf8) == value)
    }

    /// A whole number that needs more digits than a `Double` has is no integer, unless it is written as one.
    @Test(
        arguments: [
            ("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
            ("9007199254740991.0", 9_007_199_254_740_991),
            ("9007199254740993.0", .number(9_007_199_254_740_992)), ("1e18", .number(1e18)),
            ("1000000000000000001", 1_000_000_000_000_000_001),
        ] as [(String, JSONValue)])
    func aLargeNumberKeepsItsKind(_ text: String, _ value: JSONValue) throws { #expect(try Self.read(text) == value) }

    @Test func aByteOrderMarkIsSkipped() throws {
        #expect(try Self.read("\u{FEFF}[1]") == [1])
        #expect(throws: JSONFault.self) { try Self.read("[\u{FEFF}1]") }
    }

    /// Swift compares texts so, and a reader with another rule could find another value.
    @Test func equivalentKeysAreTheSame() throws {
        #expect(try Self.read("{\"\u{E9}\": 1, \"e\u{301}\": 2}") == ["\u{E9}": 1])
    }

    /// What is accepted after bytes have changed is JSON for Foundation too.
    @Test func foundationAcceptsWhatIsAccepted() throws {
        var random = SeededGenerator(seed: 12)
        let text = Array(#"{"a\u00e9": [1, -0.5e+3, "é\n", true, null, {"b": [], "c": {}}], "d": 12345678901}"#.utf8)
        let others = Array("\"\\{}[],:.eE+-0129utnf \n".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xEF, 0xFF]
        var accepted = 0
        for _ in 0..<5_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = others.randomElement(using: &random) ?? 0
            }
            let value = try? JSONValue(json: bytes)
            #expect((JSONFault.find(in: bytes) == nil) == (value != nil))
            guard value != nil else { continue }
            accepted += 1
            let other = try? JSONLines.decode(JSONValue.self, from: bytes)
            #expect(other != nil, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(accepted > 100)
    }

    /// The same text by both readers, for texts that grow from random parts.
    @Test func foundationReadsTheSame() throws {
        var random = SeededGenerator(seed: 11)
        let scalars = [
            "null", "true", "false", "0", "-1", "0.5", "-2e-3", "1E5", "123456789012", "\"\"", "\"a b\"",
            #""\u00e9\n""#,
            #""\ud83d\udc4b""#, "\"é😀\"",
        ]
        func text(_ depth: Int) -> String {
            let count = Int.random(in: 0...3, using: &random)
            let space = ["", " ", "\n\t"].randomElement(using: &random) ?? ""
            switch depth == 0 ? 0 : Int.random(in: 0...2, using: &random) {
            case 1: return "[" + (0..<count).map { _ in space + text(depth - 1) }.joined(separator: ",") + space + "]"
            case 2:
                let members = (0..<count).map { "\"k\($0)\"" + space + ":" + text(depth - 1) }
                return "{" + members.joined(separator: space + ",") + "}"
            default: return scalars.randomElement(using: &random) ?? "0"
            }
        }
        for _ in 0..<500 {
            let text = text(4)
            #expect(try Self.read(text) == JSONLines.decode(JSONValue.self, from: text.utf8), "\(text)")
        }
    }

    @Test func nestingIsReadUpToItsLimit() throws {
        let depth = JSONFault.depthLimit
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try Self.read(text).depth == depth)
    }

    @Test func aFaultIsThrown() throws {
        let fault = try #require(JSONFault.find(in: Array("[1,]".utf8)))
        #expect(throws: fault) { try Self.read("[1,]") }
    }
}

@Suite struct JSONFaultTests {
    @Test(arguments: [
        ("", 1, 1, "ends"), ("{", 1, 2, "key"), ("[1, 2", 1, 6, "no end"), ("{\"a\" 1}", 1, 6, "colon"),
        ("{\"a\": 1,}", 1, 9, "key"), ("[1,]", 1, 4, "value"), ("{'a': 1}", 1, 2, "key"),
        ("[\n  1\n  2]", 3, 3, "comma"),
        ("nul", 1, 1, "no value"), ("True", 1, 1, "no value"), ("01", 1, 1, "number"), ("1.", 1, 1, "number"),
        ("1.e5", 1, 1, "number"), ("-1.E+2", 1, 1, "number"), ("1e+", 1, 1, "number"), ("-01", 1, 1, "number"),
        ("-", 1, 1, "number"), ("1e", 1, 1, "number"), ("\"a\nb\"", 1, 3, "control"), ("\"\\x\"", 1, 3, "escape"),
        ("\"\\u12G4\"", 1, 4, "hexadecimal"), ("\"\\ud800\"", 1, 8, "surrogate"),
        ("\"\\ud800\\u0041\"", 1, 14, "surrogate"), ("\"\\udc00\"", 1, 8, "surrogate"), ("1e400", 1, 1, "too large"),
        ("\"a", 1, 3, "no end"), ("{} {}", 1, 4, "follows"),
        ("1 // no", 1, 3, "follows"),
    ])
    func isPlacedAndNamed(_ text: String, _ line: Int, _ column: Int, _ word: String) {
        let fault = JSONFault.find(in: Array(text.utf8))
        #expect(fault?.line == line)
        #expect(fault?.column == column)
        #expect(fault?.what.contains(word) == true, "\(fault?.what ?? "none")")
    }

    @Test func bytesThatAreNoTextAreNamed() {
        #expect(JSONFault.find(in: [0x22, 0xFF, 0x22])?.what.contains("UTF-8") == true)
    }

    @Test(arguments: [
        "{}", "[]", " [1, -0.5e+3, \"\\u00e9\\n\", true, false, null, {\"a\": [{}]}] \n", "\"\"", "0", "-1", "1E5",
    ])
    func whatIsJSONHasNone(_ text: String) { #expect(JSONFault.find(in: Array(text.utf8)) == nil) }

    @Test func nestingIsLimited() {
        let nested = { (depth: Int) in [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth) }
        #expect(JSONFault.find(in: nested(512)) == nil)
        #expect(JSONFault.find(in: nested(513))?.what.contains("512") == true)
        #expect(JSONFault.find(in: nested(1_000_000))?.column == 513)
    }

    @Test func theNumberOfValuesIsLimited() {
        let text = Array("[1, {\"a\": 2}, []]".utf8)
        #expect(JSONFault.find(in: text, values: 5) == nil)
        #expect(JSONFault.find(in: text, values: 4)?.what == "it has more than 4 values")
    }
}
