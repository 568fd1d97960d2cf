/// Bytes divided into the longest runs that are UTF-8 and runs that are not.
struct UTF8Runs {
    enum Run: Equatable {
        case text(String)
        case bytes([UInt8])
    }

    private(set) var runs: [Run] = []

    init(bytes: [UInt8]) {
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let length = Self.scalarLength(bytes[position...])
            if length > 0 {
                text += bytes[position..<position + length]
                position += length
                continue
            }
            append(text: text)
            text = []
            append(byte: bytes[position])
            position += 1
        }
        append(text: text)
    }

    private mutating func append(text: [UInt8]) {
        if !text.isEmpty { runs.append(.text(String(decoding: text, as: UTF8.self))) }
    }

    private mutating func append(byte: UInt8) {
        if case .bytes(let bytes) = runs.last {
            runs[runs.count - 1] = .bytes(bytes + [byte])
        } else {
            runs.append(.bytes([byte]))
        }
    }

    /// The length of the scalar at the start of the bytes; 0 if no scalar starts there.
    private static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 0 }
        return UTF8.width(scalar)
    }
}
