internal import ShareModel

/// The types that a table speaks of, each with a number.
///
/// They are kept as bytes: of a thousand types, one process is asked for a few.
struct TypeNames: Sendable {
    private var keys: ByteKeys

    init(capacity: Int) { keys = ByteKeys(capacity: capacity) }

    /// How many there are; their numbers are those below.
    var count: Int { keys.count }

    /// The number of a type; `nil` where the table does not speak of it.
    func find(_ type: MediaType) -> Int? { keys.find(type.description.utf8) }

    /// The number of a type by its name in lower case.
    func find(_ name: ArraySlice<UInt8>) -> Int? { keys.find(name) }

    /// The number of a type by its name, which is added where it is new. A name that is no MIME type has one, too, but
    /// no ``MediaType`` finds it.
    mutating func insert(_ name: ArraySlice<UInt8>) -> Int {
        if name.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
            return keys.insert(name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 })
        }
        return keys.insert(name)
    }

    /// A type by its number; `nil` where its name is none.
    subscript(_ number: Int) -> MediaType? { MediaType(String(decoding: keys[number], as: UTF8.self)) }

    /// Whether the name of a type begins with these bytes: `image/`.
    func isType(_ number: Int, of family: some Collection<UInt8>) -> Bool { keys[number].starts(with: family) }
}
