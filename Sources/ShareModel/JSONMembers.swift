/// The members of a JSON object, read by their keys. Keys that nobody asks for are ignored, and `null` counts as absent.
///
/// Foundation's decoder takes several times as long.
package struct JSONMembers {
    private let members: [String: JSONValue]

    /// - Throws: ``JSONMisfit`` for a value that is no object.
    package init(of value: JSONValue) throws(JSONMisfit) {
        guard case .object(let members) = value else { throw JSONMisfit("\(value.kind) stands for an object") }
        self.members = members
    }

    /// The value of a key; `nil` without one.
    ///
    /// - Parameter read: returns `nil` for a value of another kind.
    /// - Throws: ``JSONMisfit`` for such a value.
    package func optional<Value>(
        _ key: String, _ read: (JSONValue) throws(JSONMisfit) -> Value?
    ) throws(JSONMisfit) -> Value? {
        guard let value = members[key], value != .null else { return nil }
        guard let value = try read(value) else { throw Self.unknown(key) }
        return value
    }

    /// The value of a key.
    ///
    /// - Throws: ``JSONMisfit`` without one, and as ``optional(_:_:)`` does.
    package func required<Value>(
        _ key: String, _ read: (JSONValue) throws(JSONMisfit) -> Value?
    ) throws(JSONMisfit) -> Value {
        guard let value = try optional(key, read) else { throw Self.missing(key) }
        return value
    }

    /// The elements of an array; `nil` without one. Throws as ``optional(_:_:)``, which reads each.
    package func optional<Element>(
        list key: String, _ read: (JSONValue) throws(JSONMisfit) -> Element?
    ) throws(JSONMisfit) -> [Element]? {
        guard let values = try optional(key, { $0.elements }) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = try read(value) else { throw Self.unknown(key) }
            elements.append(element)
        }
        return elements
    }

    /// The elements of an array. Throws as ``required(_:_:)``, which reads each.
    package func required<Element>(
        list key: String, _ read: (JSONValue) throws(JSONMisfit) -> Element?
    ) throws(JSONMisfit) -> [Element] {
        guard let elements = try optional(list: key, read) else { throw Self.missing(key) }
        return elements
    }

    private static func missing(_ key: String) -> JSONMisfit { JSONMisfit("its '\(key)' is missing") }

    private static func unknown(_ key: String) -> JSONMisfit {
        JSONMisfit("its '\(key)' has a value that this program does not know")
    }
}

/// JSON of another form than its reader expects.
package struct JSONMisfit: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension JSONValue {
    /// A whole number; `nil` for any other value.
    package var whole: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// A whole number; `nil` for any other value.
    package var int: Int? { whole.flatMap { Int(exactly: $0) } }

    /// The texts of an array; `nil` for any other value.
    package var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    /// A word of a closed list; `nil` for any other value.
    package func word<Word: RawRepresentable<String>>() -> Word? { text.flatMap { Word(rawValue: $0) } }
}
