/// A place in a JSON value (RFC 6901): `/album/sizes/0`; empty for the whole of it.
struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    private(set) var description = ""

    /// The place of a key of the object here, or of a place in the array here.
    func appending(_ token: some CustomStringConvertible) -> JSONPointer {
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

    init() {}

    init(_ tokens: [any CustomStringConvertible]) {
        self = tokens.reduce(JSONPointer()) { $0.appending($1.description) }
    }
}
