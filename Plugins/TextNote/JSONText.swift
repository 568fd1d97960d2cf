/// The text of JSON.
enum JSONText {
    /// Replaces the escapes of strings by what they mean, so that their words are whole.
    static func unescaped(_ json: String) -> String {
        guard json.utf8.contains(UInt8(ascii: "\\")) else { return json }
        var result: [UInt8] = []
        result.reserveCapacity(json.utf8.count)
        var rest = Array(json.utf8)[...]
        var units: [UInt16] = []
        func endUnits() {
            if !units.isEmpty { result += Array(String(decoding: units, as: UTF16.self).utf8) }
            units = []
        }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                endUnits()
                result.append(byte)
                continue
            }
            if next == UInt8(ascii: "u"), rest.count >= 5,
                let unit = UInt16(String(decoding: rest.dropFirst().prefix(4), as: UTF8.self), radix: 16)
            {
                units.append(unit)
                rest = rest.dropFirst(5)
                continue
            }
            endUnits()
            rest = rest.dropFirst()
            switch next {
            case UInt8(ascii: "n"), UInt8(ascii: "r"): result.append(0x0A)
            case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): result.append(0x20)
            default: result.append(next)
            }
        }
        endUnits()
        return String(decoding: result, as: UTF8.self)
    }
}
