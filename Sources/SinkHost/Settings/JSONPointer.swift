/// A place in a JSON value (RFC 6901), such as `/album/sizes/0`. It is empty for the whole value.
package struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    package private(set) var description = ""

    /// The place of a key of this object, or of an index of this array.
    package func appending(_ token: some CustomStringConvertible) -> JSONPointer {
        var longer = self
        longer.description += "/"
        for character in token.description.unicodeScalars {
            switch character {
            case "~": longer.description += "~0"
            case "/": longer.description += "~1"
            default: longer.description.unicodeScalars.append(character)
            }
        }
        return longer
    }

    package init() {}

    package init(_ tokens: [any CustomStringConvertible]) {
        self = tokens.reduce(JSONPointer()) { $0.appending($1.description) }
    }
}
