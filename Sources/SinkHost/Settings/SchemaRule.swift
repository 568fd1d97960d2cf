package import ShareModel

/// One demand of a schema. By the draft, a demand on one kind of value accepts every value of another kind: `minLength`
/// accepts a number.
package indirect enum SchemaRule: Sendable {
    case never
    case type([Kind])
    case oneOf([JSONValue])
    /// In the order of their names.
    case properties([(name: String, schema: JSONSchema)])
    case required([String])
    case additional(known: Set<String>, JSONSchema)
    case items(JSONSchema)
    case leastItems(Int)
    case mostItems(Int)
    case uniqueItems
    case leastLength(Int)
    case mostLength(Int)
    case pattern(SchemaPattern, words: String)
    case bound(String, JSONValue)
    case all([JSONSchema])
    case any([JSONSchema])
    case exactlyOne([JSONSchema])
    case not(JSONSchema)

    /// The kinds of value that `type` names. An integer is also a number.
    package enum Kind: String, Sendable, CaseIterable {
        case null, boolean, integer, number, string, array, object

        func covers(_ value: JSONValue) -> Bool {
            switch (self, value) {
            case (.null, .null), (.boolean, .bool), (.integer, .integer), (.number, .integer), (.number, .number),
                (.string, .string), (.array, .array), (.object, .object):
                true
            // A whole number that needs more than 64 bits is read as a floating-point number.
            case (.integer, .number(let number)): number.isFinite && number.rounded() == number
            default: false
            }
        }

        var words: String {
            switch self {
            case .null: "null"
            case .boolean: "true or false"
            case .integer: "a whole number"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    /// The violations of this rule by a value.
    package func violations(of value: JSONValue, at place: JSONPointer) -> [JSONSchema.Violation] {
        switch (self, value) {
        case (.properties(let schemas), .object(let members)):
            return schemas.flatMap { name, schema in
                members[name].map { schema.violations(of: $0, at: place.appending(name)) } ?? []
            }
        case (.additional(let known, let schema), .object(let members)):
            return members.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { name, value in
                Self.unknown(name, value, schema, known, at: place)
            }
        case (.items(let schema), .array(let values)):
            return Self.violations(ofItems: values, schema, at: place)
        case (.all(let schemas), _): return schemas.flatMap { $0.violations(of: value, at: place) }
        default: return expectation(of: value).map { [.init(place: place, expected: $0)] } ?? []
        }
    }

    /// Checks each item once. A lazy sequence would check an item again to find its indices, and nested schemas would
    /// multiply that.
    private static func violations(
        ofItems values: [JSONValue], _ schema: JSONSchema, at place: JSONPointer
    ) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        for (index, value) in values.enumerated() where found.count < JSONSchema.maximumViolations {
            found += schema.violations(of: value, at: place.appending(index))
        }
        return Array(found.prefix(JSONSchema.maximumViolations))
    }

    /// The violations of a member that `properties` does not name. If the schema forbids such members, the message
    /// suggests a similar name.
    private static func unknown(
        _ name: String, _ value: JSONValue, _ schema: JSONSchema, _ known: Set<String>, at place: JSONPointer
    ) -> [JSONSchema.Violation] {
        guard case .some(.never) = schema.rules.first else {
            return schema.violations(of: value, at: place.appending(name))
        }
        let hint = NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? ""
        return [.init(place: place.appending(name), expected: "is not a known key\(hint)")]
    }

    /// The unmet demand on the whole value; `nil` if the value meets it.
    private func expectation(of value: JSONValue) -> String? {
        switch (self, value) {
        case (.never, _): return "must be absent"
        case (.type(let kinds), _) where !kinds.contains(where: { $0.covers(value) }):
            return "must be \(kinds.map(\.words).joined(separator: " or ")), not \(value.kind)"
        case (.oneOf(let values), _) where !values.contains(where: { $0.isSame(as: value) }):
            return "must be \(Self.list(values))"
        case (.required(let names), .object(let members)):
            let missing = names.filter { members[$0] == nil }
            return missing.isEmpty ? nil : "must have \(missing.map { "'\($0)'" }.joined(separator: ", "))"
        case (.leastItems(let count), .array(let values)) where values.count < count:
            return "must have at least \(count) items, not \(values.count)"
        case (.mostItems(let count), .array(let values)) where values.count > count:
            return "must have at most \(count) items, not \(values.count)"
        case (.uniqueItems, .array(let values)) where Set(values.map(\.canonicalBytes)).count < values.count:
            return "must have no item twice"
        case (.any(let schemas), _): return Self.expectation(ofAny: schemas, value)
        case (.exactlyOne(let schemas), _):
            let count = schemas.count { $0.violations(of: value).isEmpty }
            return count == 1 ? nil : "must be exactly one of: \(Self.forms(schemas)); it is \(count) of them"
        case (.not(let schema), _) where schema.violations(of: value).isEmpty:
            return "must not have the excluded form"
        default: return expectation(ofScalar: value)
        }
    }

    private func expectation(ofScalar value: JSONValue) -> String? {
        switch (self, value) {
        case (.leastLength(let count), .string(let text)) where text.unicodeScalars.count < count:
            return "must have at least \(count) characters, not \(text.unicodeScalars.count)"
        case (.mostLength(let count), .string(let text)) where text.unicodeScalars.count > count:
            return "must have at most \(count) characters, not \(text.unicodeScalars.count)"
        case (.pattern(let pattern, let words), .string(let text)) where !pattern.matches(text):
            return "must be \(words)"
        case (.bound(let keyword, let bound), .integer), (.bound(let keyword, let bound), .number):
            return Self.expectation(keyword, bound, value)
        default: return nil
        }
    }

    private static func expectation(_ keyword: String, _ bound: JSONValue, _ value: JSONValue) -> String? {
        let order = value.compare(bound)
        let demand: String? =
            switch keyword {
            case "minimum": order < 0 ? "at least" : nil
            case "maximum": order > 0 ? "at most" : nil
            case "exclusiveMinimum": order <= 0 ? "more than" : nil
            default: order >= 0 ? "less than" : nil
            }
        return demand.map { "must be \($0) \(String(decoding: bound.canonicalBytes, as: UTF8.self))" }
    }

    private static func forms(_ schemas: [JSONSchema]) -> String {
        schemas.enumerated().map { $1.title ?? "form \($0 + 1)" }.joined(separator: " or ")
    }

    /// Checks each form once. Checking twice would double the time for every level of nesting.
    private static func expectation(ofAny schemas: [JSONSchema], _ value: JSONValue) -> String? {
        var first = ""
        for (place, schema) in schemas.enumerated() {
            guard let violation = schema.violations(of: value).first else { return nil }
            if place == 0 { first = "\(violation)" }
        }
        return "must be \(forms(schemas)); of the first form, \(first)"
    }

    private static func list(_ values: [JSONValue]) -> String {
        let shown = values.prefix(8).map { String(decoding: $0.canonicalBytes, as: UTF8.self) }
        let more = values.count > shown.count ? [" …"] : []
        return (values.count == 1 ? "" : "one of ") + (shown + more).joined(separator: ", ")
    }

    /// See ``JSONSchema/filled(_:)``.
    package func filled(_ value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.properties(let schemas), .object(var members)):
            for (name, schema) in schemas {
                if let present = members[name] ?? schema.fallback { members[name] = schema.filled(present) }
            }
            return .object(members)
        case (.items(let schema), .array(let values)): return .array(values.map(schema.filled))
        default: return value
        }
    }
}
