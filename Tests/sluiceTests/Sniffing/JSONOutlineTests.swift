import Formats
import ShareModel
import Testing

@Suite("Outlines of JSON")
struct JSONOutlineTests {
    private static func outline(_ text: String, isWhole: Bool = true) -> JSONOutline? {
        JSONOutline(Array(text.utf8), isWhole: isWhole)
    }

    private static let document = """
        {"a": [1, -2.5e+3, 0, true, false, null, {}, []], "b\\u00e9\\n": {"c": "d\\"e"},
         "漢": [[["x"]], {"y": {"z": 1E9}}]}
        """

    @Test func keepsTheFirstKeys() throws {
        let bytes = Array(Self.document.utf8)
        let outline = try #require(JSONOutline(bytes, isWhole: true))
        let keys = outline.members.map { String(decoding: bytes[$0.key], as: UTF8.self) }
        #expect(keys == ["a", "b\\u00e9\\n", "漢"])
        #expect(outline.members.map { bytes[$0.value] } == Array("[{[".utf8))
        #expect(outline.isObject)
        #expect(outline.documents == 1)
    }

    @Test(arguments: ["{}", "[]", " \n[1]\n", "{\"a\":{}}", "[\"\\ud83d\\udc4b\"]", document])
    func acceptsPrefixesOfValidTexts(_ text: String) {
        #expect(Self.outline(text) != nil)
        #expect(JSONFault.find(in: Array(text.utf8)) == nil)
        let start = text.utf8.firstIndex { $0 > 0x20 }.map { text.utf8.distance(from: text.startIndex, to: $0) } ?? 0
        for count in (start + 1)...text.utf8.count {
            #expect(JSONOutline(Array(text.utf8.prefix(count)), isWhole: false) != nil)
        }
    }

    @Test(arguments: [
        "", "1", "\"a\"", "null", "[1,]", "{\"a\":1,}", "{a:1}", "{'a':1}", "[01]", "[1.]", "[.5]", "[+1]", "[1e]",
        "[-]",
        "[tru]", "[\"a\nb\"]", "[\"\\x\"]", "[\"\\u12g4\"]", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1] x", "[1] [2]",
        "[1}", "{]", "[1", "// a\n[]", "[/**/]", "{}{}", "[] []", "{\n}\n{\n\"a\":1}",
    ])
    func refusesInvalidTexts(_ text: String) {
        #expect(Self.outline(text) == nil)
    }

    @Test func knowsLines() {
        #expect(Self.outline("{\"a\":1}\n{\"a\":2}\r\n\n{}\n")?.documents == 3)
        #expect(Self.outline("{\"a\":1}\n{\"a\":2}\n{\"a\"", isWhole: false)?.documents == 3)
        #expect(Self.outline("{\"a\":1} {\"a\":2}\n") == nil)
        #expect(Self.outline("{\"a\":1}\n[2]\n") == nil)
    }

    @Test func endsDeepNesting() {
        #expect(Self.outline(String(repeating: "[", count: 512), isWhole: false) != nil)
        #expect(Self.outline(String(repeating: "[", count: 513), isWhole: false) == nil)
    }

    /// A text is invalid for both parsers or for neither.
    @Test func agreesWithTheOtherParser() {
        var generator = SeededGenerator(seed: 12)
        let seed = Array("{\"a\": [1, -2.5e+3, true, null, {}, \"x\\n\"], \"b\": {\"c\": \"d\\\"e\"}}".utf8)
        var taken = 0
        for _ in 0..<6_000 {
            let bytes = generator.mutation(of: seed)
            guard String(validating: bytes, as: UTF8.self) != nil, let outline = JSONOutline(bytes, isWhole: true),
                outline.documents == 1
            else { continue }
            #expect(JSONFault.find(in: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
            taken += 1
        }
        #expect(taken > 100)
    }
}
