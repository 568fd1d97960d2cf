package import ShareModel

/// One demand of a schema. A demand of another kind of value than the one at hand is satisfied, as the draft has it.
package indirect enum SchemaRule: Sendable {
    case never
    case type([Kind])
    case oneOf([JSONValue])
    case properties([String: JSONSchema])
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

    /// The kinds of value that `type` names; a whole number is also a number.
    package enum Kind: String, Sendable, CaseIterable {
        case null, boolean, integer, number, string, array, object

        func covers(_ value: JSONValue) -> Bool {
            switch (self, value.normal) {
            case (.null, .null), (.boolean, .bool), (.integer, .integer), (.number, .integer), (.number, .number),
                (.string, .string), (.array, .array), (.object, .object):
                true
            // Beyond 64 bits there are whole numbers too.
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

    /// What is wrong with a value by this rule.
    package func violations(of value: JSONValue, at place: JSONPointer) -> [JSONSchema.Violation] {
        switch (self, value) {
        case (.properties(let schemas), .object(let members)):
            return schemas.sorted { $0.key < $1.key }.flatMap { name, schema in
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

    /// Each item is looked at once: a lazy sequence would look again to find its places.
    private static func violations(
        ofItems values: [JSONValue], _ schema: JSONSchema, at place: JSONPointer
    ) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        for (index, value) in values.enumerated() where found.count < JSONSchema.maximumViolations {
            found += schema.violations(of: value, at: place.appending(index))
        }
        return Array(found.prefix(JSONSchema.maximumViolations))
    }

    /// A name that no property has: where nothing else is allowed, the nearest one that has is told.
    private static func unknown(
        _ name: String, _ value: JSONValue, _ schema: JSONSchema, _ known: Set<String>, at place: JSONPointer
    ) -> [JSONSchema.Violation] {
        guard case .some(.never) = schema.rules.first else {
            return schema.violations(of: value, at: place.appending(name))
        }
        let hint = NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? ""
        return [.init(place: place.appending(name), expected: "is not a key that is known\(hint)")]
    }

    /// What a value as a whole is expected to be; `nil` where it is.
    private func expectation(of value: JSONValue) -> String? {
        switch (self, value) {
        case (.never, _): return "must not be there"
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
            return "must not be of the form that is excluded"
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
        let words = String(decoding: bound.canonicalBytes, as: UTF8.self)
        return switch keyword {
        case "minimum": order < 0 ? "must be at least \(words)" : nil
        case "maximum": order > 0 ? "must be at most \(words)" : nil
        case "exclusiveMinimum": order <= 0 ? "must be more than \(words)" : nil
        default: order >= 0 ? "must be less than \(words)" : nil
        }
    }

    private static func forms(_ schemas: [JSONSchema]) -> String {
        schemas.enumerated().map { $1.title ?? "form \($0 + 1)" }.joined(separator: " or ")
    }

    /// Looks at each form once: twice would be twice as much again at each level below.
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
