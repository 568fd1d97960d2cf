package import ShareModel

/// A JSON Schema of the subset of draft 2020-12 that the sink protocol's specification lists, read and bounded: nothing in
/// it is ignored in silence, and checking takes time that is proportional to the schema's size and the value's.
package struct JSONSchema: Sendable {
    /// Schemas within one another.
    package static let maximumDepth = 24
    /// All schemas in one, itself included.
    package static let maximumSchemas = 1_000
    /// Values in an `enum`, and names in a `required`.
    package static let maximumList = 1_000
    /// Bytes of the defaults, each times the demands that it is held against: schemas, values of an `enum`, and the steps of a
    /// `pattern`. A manifest is read in every run, whether its sink is used or not.
    package static let maximumDefaultSteps = 20_000_000
    /// The most violations that are told.
    package static let maximumViolations = 10

    /// The dialect that `$schema` may name.
    package static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// Why a schema cannot be used: where in it, and what is wrong.
    package struct Broken: Error, Sendable, CustomStringConvertible {
        var place = JSONPointer()
        var why: String

        init(_ why: String, at place: JSONPointer = JSONPointer()) {
            self.place = place
            self.why = why
        }

        package var description: String { place.description.isEmpty ? why : "at \(place): \(why)" }
    }

    /// What a value lacks, and where.
    package struct Violation: Sendable, Equatable, CustomStringConvertible {
        var place: JSONPointer
        /// What is expected there: `must be a string`.
        var expected: String

        package var description: String { "\(place.description.isEmpty ? "it" : "\(place)") \(expected)" }
    }

    /// What a value must satisfy, all of it.
    private(set) var rules: [SchemaRule] = []
    /// What stands for a value that is left out.
    private(set) var fallback: JSONValue?
    /// What the schema calls itself, for an error that names several.
    private(set) var title: String?

    /// Reads a schema.
    ///
    /// - Throws: ``Broken`` where it is none, is beyond the subset or a limit, or a `default` does not satisfy it.
    package init(_ value: JSONValue) throws {
        guard value.depth <= Self.maximumDepth * 2 else {
            throw Broken("a schema is at most \(Self.maximumDepth) schemas deep")
        }
        var reader = SchemaReader()
        self = try reader.schema(value, at: JSONPointer(), depth: 1)
    }

    package init(rules: [SchemaRule], fallback: JSONValue? = nil, title: String? = nil) {
        self.rules = rules
        self.fallback = fallback
        self.title = title
    }

    /// What is wrong with a value, in the order of the schema; nothing where it satisfies the schema.
    package func violations(of value: JSONValue, at place: JSONPointer = JSONPointer()) -> [Violation] {
        var found: [Violation] = []
        for rule in rules where found.count < Self.maximumViolations { found += rule.violations(of: value, at: place) }
        return Array(found.prefix(Self.maximumViolations))
    }

    /// The value with the `default` of each property that is left out, as far down as `properties` and `items` lead.
    package func filled(_ value: JSONValue) -> JSONValue { rules.reduce(value) { $1.filled($0) } }
}
