/// The members of a JSON object, read by their keys. Other keys are ignored, and `null` counts as absent.
///
/// Foundation's decoder takes several times as long.
package struct JSONMembers {
    private let members: [String: JSONValue]

    /// - Throws: ``JSONMisfit`` for a value that is no object.
    package init(of value: JSONValue) throws(JSONMisfit) {
        guard case .object(let members) = value else { throw JSONMisfit(what: "is \(value.kind), not an object") }
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
        return try Self.read(value, at: key, read)
    }

    /// The value of a key.
    ///
    /// - Throws: ``JSONMisfit`` without one, and as ``optional(_:_:)`` does.
    package func required<Value>(
        _ key: String, _ read: (JSONValue) throws(JSONMisfit) -> Value?
    ) throws(JSONMisfit) -> Value {
        guard let value = try optional(key, read) else { throw JSONMisfit(path: key, what: "is missing") }
        return value
    }

    /// The elements of an array; `nil` without one. Throws as ``optional(_:_:)``, which reads each.
    package func optional<Element>(
        list key: String, _ read: (JSONValue) throws(JSONMisfit) -> Element?
    ) throws(JSONMisfit) -> [Element]? {
        guard let values = try optional(key, { $0.elements }) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (place, value) in values.enumerated() {
            elements.append(try Self.read(value, at: "\(key)[\(place)]", read))
        }
        return elements
    }

    /// The elements of an array. Throws as ``required(_:_:)``, which reads each.
    package func required<Element>(
        list key: String, _ read: (JSONValue) throws(JSONMisfit) -> Element?
    ) throws(JSONMisfit) -> [Element] {
        guard let elements = try optional(list: key, read) else { throw JSONMisfit(path: key, what: "is missing") }
        return elements
    }

    /// - Parameter place: the key or element, which only an error names.
    private static func read<Value>(
        _ value: JSONValue, at place: @autoclosure () -> String, _ read: (JSONValue) throws(JSONMisfit) -> Value?
    ) throws(JSONMisfit) -> Value {
        do throws(JSONMisfit) {
            if let value = try read(value) { return value }
        } catch {
            throw error.below(place())
        }
        throw JSONMisfit(path: place(), what: "has a value that this program does not know")
    }
}

/// JSON of another form than its reader expects.
public struct JSONMisfit: Error, Sendable, CustomStringConvertible {
    /// The place in the document, such as `providers[2].size`; empty for the whole.
    public private(set) var path = ""
    private let what: String

    init(path: String = "", what: String) { (self.path, self.what) = (path, what) }

    /// The place and the error: `providers[2].size is missing`.
    public var description: String { "\(path.isEmpty ? "it" : path) \(what)" }

    fileprivate func below(_ key: String) -> JSONMisfit {
        var whole = self
        whole.path = path.isEmpty ? key : "\(key).\(path)"
        return whole
    }
}

extension JSONValue {
    /// A whole number; `nil` for any other value.
    package var whole: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// A whole number; `nil` for any other value.
    package var int: Int? { whole.flatMap { Int(exactly: $0) } }

    /// The index of an element; `nil` for any other value, and for an index that no list has.
    package var place: Int? { int.flatMap { (0...Int(Int32.max)).contains($0) ? $0 : nil } }

    /// The texts of an array; `nil` for any other value.
    package var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    /// A word of a closed list; `nil` for any other value.
    package func word<Word: RawRepresentable<String>>() -> Word? { text.flatMap { Word(rawValue: $0) } }
}
