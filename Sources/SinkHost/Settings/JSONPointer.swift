/// A place in a JSON value (RFC 6901): `/album/sizes/0`; empty for the whole of it.
package struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    package private(set) var description = ""

    /// The place of a key of the object here, or of a place in the array here.
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
