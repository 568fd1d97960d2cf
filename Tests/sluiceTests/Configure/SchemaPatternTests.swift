import Testing

@testable import Ingestion
@testable import SinkHost

@Suite struct SchemaPatternTests {
    @Test(arguments: [
        ("", "", true), ("", "x", true), ("^$", "", true), ("^$", "x", false), ("a|bc", "xbcx", true),
        ("^(a|b)*c$", "ababc", true), ("^(?:ab)+$", "abab", true), ("^(?:ab)+$", "aba", false),
        ("^a{2,3}$", "a", false), ("^a{2,3}$", "aaa", true), ("^a{2,3}$", "aaaa", false), ("^a{2,}$", "aaaaa", true),
        ("^a{2}?b??$", "aab", true), ("^[^a-c]$", "d", true), ("^[^a-c]$", "b", false), ("^[]$", "a", false),
        ("^[^]$", "\n", true), ("^[a-]$", "-", true), (#"^[\]\\]$"#, "]", true), (#"^[\d-]+$"#, "1-2", true),
        (#"^\w\W\d\D\s\S$"#, "a-1x y", true), (#"^[^\s\d]+$"#, "ab", true), (#"^[\D]$"#, "1", false),
        (#"^\x41\u0042\u{1F600}$"#, "AB😀", true), (#"^\.\/\-$"#, "./-", true), (".", "\n", false), ("^.$", "😀", true),
        ("^é$", "e\u{301}", false), (#"\t\n\r\f\v"#, "\t\n\r\u{C}\u{B}", true), ("a$|^b", "ba", true),
        ("(^a|b)c", "abc", true),
        ("(^a|b)c", "xac", false), ("^(a?){3}$", "aa", true), ("^(|a)+$", "aaa", true),
    ])
    func matches(_ pattern: String, _ text: String, _ isMatch: Bool) throws {
        #expect(try SchemaPattern(pattern).matches(text) == isMatch)
    }

    @Test(arguments: [
        "(", ")", "[a", "*", "a**", "a{2", "a{3,2}", "a{1001}", "a{99999999999999999999}", #"\"#, #"\1"#, #"\b"#,
        #"\p{L}"#,
        #"\k<a>"#, "(?=a)", "(?<n>a)", "(?!a)", "^*", "]", "}", "[z-a]", #"[\d-z]"#, #"\u12"#, #"\u{110000}"#,
        #"\u+123"#,
        #"\uD800"#, String(repeating: "(", count: 500) + String(repeating: ")", count: 500),
        String(repeating: "a", count: SchemaPattern.maximumLength + 1),
    ])
    func whatIsNoneOfTheDialectIsRefused(_ pattern: String) {
        #expect(throws: JSONSchema.Broken.self) { try SchemaPattern(pattern) }
    }

    /// A matcher that backtracks would not end here.
    @Test(arguments: ["^(a*)*b$", "^(a|a)*b$", "^(a|aa)+b$", "^(a?){300}a{90}b$"])
    func noPatternTakesForever(_ pattern: String) throws {
        #expect(try !SchemaPattern(pattern).matches(String(repeating: "a", count: 5_000)))
    }

    /// Random patterns match the same texts as Swift's own `Regex`.
    @Test func randomPatternsMatchAsElsewhere() throws {
        var numbers = SeededGenerator(seed: 5)
        for _ in 0..<400 {
            let pattern = Self.pattern(&numbers, depth: 3)
            let (ours, others) = (try SchemaPattern(pattern), try Regex(pattern))
            for _ in 0..<8 {
                let text = String((0..<numbers.next() % 7).map { _ in numbers.next() % 2 == 0 ? "a" : "b" })
                #expect(try ours.matches(text) == (others.firstMatch(in: text) != nil), "\(pattern) in \(text)")
            }
        }
    }

    private static func pattern(_ numbers: inout SeededGenerator, depth: Int) -> String {
        guard depth > 0 else { return ["a", "b", ".", "[ab]", "[^a]"][Int(numbers.next() % 5)] }
        let (one, other) = (pattern(&numbers, depth: depth - 1), pattern(&numbers, depth: depth - 1))
        return switch numbers.next() % 8 {
        case 0: "(?:\(one))*"
        case 1: "(?:\(one))+"
        case 2: "(?:\(one))?"
        case 3: "(?:\(one)){1,2}"
        case 4: "(?:\(one)|\(other))"
        case 5: "^(?:\(one))"
        case 6: "(?:\(one))$"
        default: one + other
        }
    }
}
