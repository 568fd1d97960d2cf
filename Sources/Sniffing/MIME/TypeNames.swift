internal import ShareModel

/// The types in a table, each with a number.
///
/// The names stay bytes, because a process converts only a few of a thousand names to ``MediaType``.
struct TypeNames: Sendable {
    private var keys: ByteKeys

    init(capacity: Int) { keys = ByteKeys(capacity: capacity) }

    /// The number of types. Their numbers are 0 to `count - 1`.
    var count: Int { keys.count }

    /// The number of a type; `nil` if the table does not contain it.
    func find(_ type: MediaType) -> Int? { keys.find(type.description.utf8) }

    /// The number of a type by its name, which must be in lower case.
    func find(_ name: ArraySlice<UInt8>) -> Int? { keys.find(name) }

    /// The number of a type by its name; adds the name if it is new. An invalid name gets a number too, but no
    /// ``MediaType`` has it.
    mutating func insert(_ name: ArraySlice<UInt8>) -> Int {
        if name.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
            return keys.insert(name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 })
        }
        return keys.insert(name)
    }

    /// The type with this number; `nil` if its name is invalid.
    subscript(_ number: Int) -> MediaType? { MediaType(String(decoding: keys[number], as: UTF8.self)) }

    /// Whether the name of a type begins with these bytes, such as `image/`.
    func isType(_ number: Int, of family: some Collection<UInt8>) -> Bool { keys[number].starts(with: family) }
}
