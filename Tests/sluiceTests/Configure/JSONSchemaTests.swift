import Foundation
import ShareModel
import Testing

@testable import Ingestion
@testable import SinkHost

@Suite struct JSONSchemaTests {
    /// The expected results follow draft 2020-12. The Python package `jsonschema` gives the same ones.
    private struct Case: Decodable {
        var schema: JSONValue
        var valid: [JSONValue]
        var invalid: [JSONValue]

        static func all() throws -> [Case] {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../Fixtures/schemas/cases.json").standardized
            return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
        }
    }

    @Test func verdictsAreThoseOfTheDraft() throws {
        let cases = try Case.all()
        #expect(cases.count > 30)
        for one in cases {
            let schema = try JSONSchema(one.schema)
            for value in one.valid { #expect(schema.violations(of: value) == [], "\(one.schema) \(value)") }
            for value in one.invalid { #expect(schema.violations(of: value) != [], "\(one.schema) \(value)") }
        }
    }

    /// The message for one invalid place.
    @Test(arguments: [
        (#"{"type": "integer"}"#, #""x""#, "it must be a whole number, not a string"),
        (#"{"properties": {"a/b": {"items": {"minimum": 3}}}}"#, #"{"a/b": [4, 2]}"#, "/a~1b/1 must be at least 3"),
        (
            #"{"properties": {"album": {}}, "additionalProperties": false}"#, #"{"albun": 1}"#,
            "/albun is not a known key; did you mean 'album'?"
        ),
        (
            #"{"properties": {"album": {}}, "additionalProperties": false}"#, #"{"x": 1}"#,
            "/x is not a known key"
        ),
        (#"{"required": ["a", "b"]}"#, "{}", "it must have 'a', 'b'"),
        (#"{"enum": ["x", 1]}"#, "2", #"it must be one of "x", 1"#),
        (#"{"pattern": "^a", "title": "a word with a"}"#, #""b""#, "it must be a word with a"),
        (
            #"{"oneOf": [{"title": "a name", "type": "string"}, {"type": "integer"}]}"#, "null",
            "it must be exactly one of: a name or form 2; it is 0 of them"
        ),
    ])
    func violationsSayWhereAndWhat(_ schema: String, _ value: String, _ words: String) throws {
        let violations = try JSONSchema(Self.json(schema)).violations(of: Self.json(value))
        #expect(violations.map(\.description) == [words])
    }

    @Test(arguments: [
        ("7", "a schema is an object"), (#"{"$ref": "x"}"#, "/$ref"), (#"{"multipleOf": 2}"#, "/multipleOf"),
        (#"{"properties": {"a": {"format": "date"}}}"#, "/properties/a/format"),
        (#"{"type": "text"}"#, "null, boolean, integer"), (#"{"type": []}"#, "/type"), (#"{"enum": []}"#, "/enum"),
        (#"{"minLength": -1}"#, "/minLength"), (#"{"minimum": "1"}"#, "/minimum"), (#"{"anyOf": []}"#, "/anyOf"),
        (#"{"required": "a"}"#, "/required"), (#"{"uniqueItems": 1}"#, "/uniqueItems"),
        (#"{"pattern": "(a"}"#, "/pattern"), (#"{"pattern": "(?=a)"}"#, "has a lookaround"),
        (##"{"$schema": "http://json-schema.org/draft-07/schema#"}"##, "$schema must be"),
        (#"{"properties": {"n": {"type": "integer", "default": "x"}}}"#, "/properties/n: the default"),
    ])
    func whatIsNotSupportedIsSaid(_ schema: String, _ words: String) throws {
        let value = try Self.json(schema)
        let error = #expect(throws: JSONSchema.Broken.self) { try JSONSchema(value) }
        #expect("\(try #require(error))".contains(words))
    }

    @Test func hostileSchemasAreRefused() {
        var deep: JSONValue = [:]
        for _ in 0..<JSONSchema.maximumDepth { deep = ["not": deep] }
        #expect(throws: JSONSchema.Broken.self) { try JSONSchema(deep) }
        let wide = JSONValue.array(Array(repeating: [:], count: JSONSchema.maximumSchemas))
        #expect(throws: JSONSchema.Broken.self) { try JSONSchema(["anyOf": wide]) }
        #expect(throws: JSONSchema.Broken.self) { try JSONSchema(["pattern": "((a{1000}){1000}){1000}"]) }
        #expect(throws: JSONSchema.Broken.self) { try JSONSchema(["pattern": "(((){1000}){1000}){1000}"]) }
    }

    /// With two checks at each level, these would take hours.
    @Test(.timeLimit(.minutes(60))) func whatIsNestedIsLookedAtOnce() throws {
        let word: JSONValue = ["pattern": "^(a|b)*c$", "title": "a word with c"]
        let text = JSONValue.string(String(repeating: "a", count: 1_000))
        var (schema, value) = (word, text)
        for _ in 0..<(JSONSchema.maximumDepth / 2 - 1) {
            schema = ["items": ["anyOf": [schema]]]
            value = [value]
        }
        let violation = try #require(try JSONSchema(schema).violations(of: value).first)
        #expect(violation.description.hasSuffix("must be a word with c"), "\(violation)")
        schema = word
        for _ in 0..<(JSONSchema.maximumDepth - 2) { schema = ["anyOf": [schema]] }
        #expect(try JSONSchema(schema).violations(of: text).count == 1)
    }

    @Test func largeDefaultsAreRefusedUnchecked() throws {
        let values = JSONValue.array((0..<JSONSchema.maximumList).map { .integer(Int64($0)) })
        let large = JSONValue.array(Array(repeating: 1, count: 20_000))
        let error = #expect(throws: JSONSchema.Broken.self) {
            try JSONSchema(["items": ["enum": values], "default": large])
        }
        #expect("\(try #require(error))".contains("defaults are too large"))
        #expect(try JSONSchema(["items": ["enum": values], "default": [1, 2]]).fallback == [1, 2])
    }

    @Test func requiredNamesCountForDefaults() throws {
        let names = JSONValue.array((0..<JSONSchema.maximumList).map { .string("\($0)") })
        let large: JSONValue = ["a": .string(String(repeating: "x", count: 20_000))]
        let error = #expect(throws: JSONSchema.Broken.self) { try JSONSchema(["required": names, "default": large]) }
        #expect("\(try #require(error))".contains("defaults are too large"))
    }

    @Test func onlySoManyViolationsAreTold() throws {
        let schema = try JSONSchema(["items": ["type": "string"]])
        let values = JSONValue.array(Array(repeating: 1, count: 10_000))
        #expect(schema.violations(of: values).count == JSONSchema.maximumViolations)
    }

    @Test func defaultsFillWhatIsLeftOut() throws {
        let schema = try JSONSchema(
            Self.json(
                """
                {"properties": {"a": {"default": 1}, "b": {"default": {}, "properties": {"c": {"default": [2]}}},
                 "d": {"items": {"properties": {"e": {"default": "x"}}}}, "f": {}}}
                """))
        let filled = schema.filled(try Self.json(#"{"a": 0, "d": [{}, {"e": "y"}], "g": 1}"#))
        #expect(filled == (try Self.json(#"{"a": 0, "b": {"c": [2]}, "d": [{"e": "x"}, {"e": "y"}], "g": 1}"#)))
        #expect(schema.filled(filled) == filled)
    }

    @Test func theSchemasThatAreBuiltInCanBeRead() {
        #expect(JSONSchema.manifest.rules.count > 2 && JSONSchema.settings.rules.count > 2)
    }

    static func json(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }
}
