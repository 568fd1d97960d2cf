internal import ShareModel

/// Reads the keywords of a schema, and keeps the limits of ``JSONSchema``.
struct SchemaReader {
    private var schemas = 0
    /// The cost of checking one byte of a value: schemas, listed values, required names, and steps of patterns.
    private var demands = 0
    /// The cost of checking the defaults.
    private var steps = 0

    /// Keywords that describe a schema and demand nothing.
    private static let annotations: Set<String> = [
        "$schema", "$id", "$comment", "title", "description", "default", "examples",
    ]

    mutating func schema(_ value: JSONValue, at place: JSONPointer, depth: Int) throws -> JSONSchema {
        schemas += 1
        guard schemas <= JSONSchema.maximumSchemas, depth <= JSONSchema.maximumDepth else {
            throw JSONSchema.Broken(
                "it has more than \(JSONSchema.maximumSchemas) schemas, or schemas more than "
                    + "\(JSONSchema.maximumDepth) deep", at: place)
        }
        switch value {
        case .bool(let isOpen): return JSONSchema(rules: isOpen ? [] : [.never])
        case .object(let keywords): return try schema(keywords, at: place, depth: depth)
        default: throw JSONSchema.Broken("a schema is an object or a boolean, not \(value.kind)", at: place)
        }
    }

    private mutating func schema(_ keywords: [String: JSONValue], at place: JSONPointer, depth: Int) throws
        -> JSONSchema
    {
        if let dialect = keywords["$schema"], dialect != .string(JSONSchema.dialect) {
            throw JSONSchema.Broken("$schema must be \(JSONSchema.dialect), or left out", at: place)
        }
        let before = demands
        demands += 1
        var rules: [SchemaRule] = []
        // `type` comes first, so that a wrong kind of value is reported first.
        let sorted = keywords.sorted { ($0.key == "type" ? "" : $0.key) < ($1.key == "type" ? "" : $1.key) }
        for (keyword, value) in sorted where !Self.annotations.contains(keyword) {
            do {
                rules += try rule(keyword, value, keywords, at: place.appending(keyword), depth: depth)
            } catch let broken as JSONSchema.Broken where broken.place.isWhole {
                throw JSONSchema.Broken(broken.why, at: place.appending(keyword))
            }
        }
        let title: String? = if case .string(let title) = keywords["title"] { title } else { nil }
        let schema = JSONSchema(rules: rules, fallback: keywords["default"], title: title)
        if let fallback = schema.fallback { try check(fallback, schema, demands - before, at: place) }
        return schema
    }

    private mutating func check(
        _ fallback: JSONValue, _ schema: JSONSchema, _ demands: Int, at place: JSONPointer
    ) throws {
        steps += demands * fallback.canonicalBytes.count
        guard steps <= JSONSchema.maximumDefaultSteps else {
            throw JSONSchema.Broken(
                "its defaults are too large for their schemas; make them smaller", at: place)
        }
        guard let wrong = schema.violations(of: fallback).first else { return }
        throw JSONSchema.Broken("the default does not satisfy its own schema: \(wrong)", at: place)
    }

    private mutating func listed(_ value: JSONValue) throws -> [JSONValue] {
        let values = try Self.values(value)
        demands += values.count
        return values
    }

    private mutating func names(_ value: JSONValue) throws -> [String] {
        guard case .array(let values) = value, values.count <= JSONSchema.maximumList else {
            throw JSONSchema.Broken("it must be an array of at most \(JSONSchema.maximumList) names")
        }
        demands += values.count
        return try values.map(Self.text)
    }

    private mutating func pattern(_ text: String) throws -> SchemaPattern {
        let pattern = try SchemaPattern(text)
        // This counts the limit, because a pattern does not show its number of steps.
        demands += SchemaPattern.maximumSteps
        return pattern
    }

    private mutating func rule(
        _ keyword: String, _ value: JSONValue, _ siblings: [String: JSONValue], at place: JSONPointer, depth: Int
    ) throws -> [SchemaRule] {
        switch keyword {
        case "type": [.type(try Self.kinds(value))]
        case "enum": [.oneOf(try listed(value))]
        case "const": [.oneOf([value])]
        case "properties": [.properties(try schemas(named: value, at: place, depth: depth))]
        case "required": [.required(try names(value))]
        case "additionalProperties":
            [.additional(known: Self.keys(siblings["properties"]), try schema(value, at: place, depth: depth + 1))]
        case "items": [.items(try schema(value, at: place, depth: depth + 1))]
        case "minItems": [.leastItems(try Self.count(value))]
        case "maxItems": [.mostItems(try Self.count(value))]
        case "uniqueItems": try Self.flag(value) ? [.uniqueItems] : []
        case "minLength": [.leastLength(try Self.count(value))]
        case "maxLength": [.mostLength(try Self.count(value))]
        case "pattern":
            [.pattern(try pattern(try Self.text(value)), words: Self.words(siblings, try Self.text(value)))]
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum": [.bound(keyword, try Self.number(value))]
        case "allOf": [.all(try schemas(value, at: place, depth: depth))]
        case "anyOf": [.any(try schemas(value, at: place, depth: depth))]
        case "oneOf": [.exactlyOne(try schemas(value, at: place, depth: depth))]
        case "not": [.not(try schema(value, at: place, depth: depth + 1))]
        default:
            throw JSONSchema.Broken(
                "the keyword is not supported; see the list in the specification")
        }
    }

    private mutating func schemas(_ value: JSONValue, at place: JSONPointer, depth: Int) throws -> [JSONSchema] {
        guard case .array(let values) = value, !values.isEmpty else {
            throw JSONSchema.Broken("it must be an array of at least one schema")
        }
        return try values.enumerated().map { try schema($1, at: place.appending($0), depth: depth + 1) }
    }

    private mutating func schemas(
        named value: JSONValue, at place: JSONPointer, depth: Int
    ) throws -> [(name: String, schema: JSONSchema)] {
        guard case .object(let values) = value else { throw JSONSchema.Broken("it must be an object of schemas") }
        return try values.sorted { $0.key < $1.key }.map { name, value in
            (name, try schema(value, at: place.appending(name), depth: depth + 1))
        }
    }
}

extension SchemaReader {
    private static func kinds(_ value: JSONValue) throws -> [SchemaRule.Kind] {
        let names: [JSONValue] = if case .array(let names) = value { names } else { [value] }
        let kinds = names.compactMap { name -> SchemaRule.Kind? in
            if case .string(let name) = name { SchemaRule.Kind(rawValue: name) } else { nil }
        }
        guard kinds.count == names.count, !kinds.isEmpty, Set(kinds).count == kinds.count else {
            let known = SchemaRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONSchema.Broken("it must be one of \(known), or a list of several without repetition")
        }
        return kinds
    }

    private static func values(_ value: JSONValue) throws -> [JSONValue] {
        guard case .array(let values) = value, (1...JSONSchema.maximumList).contains(values.count) else {
            throw JSONSchema.Broken("it must be an array of 1 to \(JSONSchema.maximumList) values")
        }
        return values
    }

    private static func text(_ value: JSONValue) throws -> String {
        guard case .string(let text) = value else { throw JSONSchema.Broken("it must be a string, not \(value.kind)") }
        return text
    }

    private static func flag(_ value: JSONValue) throws -> Bool {
        guard case .bool(let flag) = value else { throw JSONSchema.Broken("it must be a boolean, not \(value.kind)") }
        return flag
    }

    private static func count(_ value: JSONValue) throws -> Int {
        guard case .integer(let count) = value, count >= 0 else {
            throw JSONSchema.Broken("it must be a whole number of at least 0")
        }
        return Int(count)
    }

    private static func number(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .integer, .number: return value
        default: throw JSONSchema.Broken("it must be a number, not \(value.kind)")
        }
    }

    /// A description of the texts that match a pattern: the schema's title if it has one.
    private static func words(_ siblings: [String: JSONValue], _ pattern: String) -> String {
        if case .string(let title) = siblings["title"] { title } else { "a text that matches the pattern \(pattern)" }
    }

    private static func keys(_ value: JSONValue?) -> Set<String> {
        guard case .object(let values) = value else { return [] }
        return Set(values.keys)
    }
}
