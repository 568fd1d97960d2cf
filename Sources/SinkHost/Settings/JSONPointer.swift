/// A place in a JSON value (RFC 6901), such as `/album/sizes/0`. It is empty for the whole value.
///
/// Its text is made when it is needed: a check visits every place of a value, and seldom finds a fault.
package struct JSONPointer: Sendable, Equatable, CustomStringConvertible {
    private indirect enum Path: Sendable, Equatable {
        case whole
        case key(String, in: Path)
        case index(Int, in: Path)
    }

    private let path: Path

    /// The place of the whole value.
    package init() { path = .whole }

    private init(_ path: Path) { self.path = path }

    /// The place of a member of this object.
    package func appending(_ key: String) -> JSONPointer { JSONPointer(.key(key, in: path)) }

    /// The place of an element of this array.
    package func appending(_ index: Int) -> JSONPointer { JSONPointer(.index(index, in: path)) }

    /// Whether this is the place of the whole value.
    package var isWhole: Bool { path == .whole }

    package var description: String {
        var (tokens, rest) = ([String](), path)
        while true {
            switch rest {
            case .whole: return tokens.reversed().map { "/" + $0 }.joined()
            case .index(let index, let outer):
                tokens.append("\(index)")
                rest = outer
            case .key(let key, let outer):
                let escaped = key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }
                tokens.append(escaped.joined())
                rest = outer
            }
        }
    }
}
