package import ShareModel

/// A JSON Schema in the subset of draft 2020-12 that the specification of the sink protocol lists.
///
/// An unknown keyword is an error and never ignored, because the author relies on it. The time of a check is
/// proportional to the size of the schema times the size of the value.
package struct JSONSchema: Sendable {
    /// The most levels of nested schemas.
    package static let maximumDepth = 24
    /// The most schemas in one, itself included.
    package static let maximumSchemas = 1_000
    /// The most values of an `enum`, and the most names of a `required`.
    package static let maximumList = 1_000
    /// The limit for the cost of checking the defaults: their bytes times the demands on them, which are schemas,
    /// values of an `enum`, names of a `required`, and steps of a `pattern`. Every run reads every manifest, also that of a sink that is
    /// turned off.
    package static let maximumDefaultSteps = 20_000_000
    /// A check reports at most this many violations.
    package static let maximumViolations = 10

    /// The dialect that `$schema` may name.
    package static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// The reason why a schema cannot be used, and the place of the error.
    package struct Broken: Error, Sendable, CustomStringConvertible {
        var place = JSONPointer()
        var why: String

        init(_ why: String, at place: JSONPointer = JSONPointer()) {
            self.place = place
            self.why = why
        }

        package var description: String { place.isWhole ? why : "at \(place): \(why)" }
    }

    /// An unmet demand on a value, and the place of that value.
    package struct Violation: Sendable, Equatable, CustomStringConvertible {
        var place: JSONPointer
        /// The demand, such as `must be a string`.
        var expected: String

        package var description: String { "\(place.isWhole ? "it" : "\(place)") \(expected)" }
    }

    /// A valid value satisfies all of them.
    private(set) var rules: [SchemaRule] = []
    /// The `default`, for a missing value.
    private(set) var fallback: JSONValue?
    /// The `title`, which names this schema in an error.
    private(set) var title: String?

    /// Reads a schema.
    ///
    /// - Throws: ``Broken`` if the value is not a schema, exceeds the subset or a limit, or has a `default` that it
    ///   refuses.
    package init(_ value: JSONValue) throws {
        // A schema inside of another one takes up to two levels of JSON: `properties`, then the name.
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

    /// The violations of a value, in the order of the schema; empty if the value is valid.
    package func violations(of value: JSONValue, at place: JSONPointer = JSONPointer()) -> [Violation] {
        var found: [Violation] = []
        for rule in rules where found.count < Self.maximumViolations { found += rule.violations(of: value, at: place) }
        return Array(found.prefix(Self.maximumViolations))
    }

    /// The value with the `default` of each missing property. It follows `properties` and `items` to any depth.
    package func filled(_ value: JSONValue) -> JSONValue { rules.reduce(value) { $1.filled($0) } }
}
