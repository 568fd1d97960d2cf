/// Bytes divided into the longest runs that are UTF-8 and runs that are not.
struct UTF8Runs {
    enum Run: Equatable {
        case text(String)
        case bytes([UInt8])
    }

    private(set) var runs: [Run] = []

    init(bytes: [UInt8]) {
        // The current run: text or other bytes, so one of the two is empty.
        var (text, other): ([UInt8], [UInt8]) = ([], [])
        var position = 0
        while position < bytes.count {
            let length = Self.scalarLength(bytes[position...])
            if length > 0 {
                append(bytes: &other)
                text += bytes[position..<position + length]
            } else {
                append(text: &text)
                other.append(bytes[position])
            }
            position += max(1, length)
        }
        append(text: &text)
        append(bytes: &other)
    }

    private mutating func append(text: inout [UInt8]) {
        if !text.isEmpty { runs.append(.text(String(decoding: text, as: UTF8.self))) }
        text = []
    }

    private mutating func append(bytes: inout [UInt8]) {
        if !bytes.isEmpty { runs.append(.bytes(bytes)) }
        bytes = []
    }

    /// The length of the scalar at the start of the bytes; 0 if no scalar starts there.
    private static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 0 }
        return UTF8.width(scalar)
    }
}
