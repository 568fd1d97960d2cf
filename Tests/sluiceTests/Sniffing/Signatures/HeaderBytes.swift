/// Headers as text, separated by spaces: hexadecimal digits are bytes, `'abc'` is ASCII, `*n` is n zeros, `@n` is zeros
/// up to offset n.
func header(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in text.split(separator: " ") {
        let rest = word.dropFirst()
        switch word.first {
        case "'": bytes += Array(rest.dropLast().utf8)
        case "*": bytes += [UInt8](repeating: 0, count: Int(rest) ?? 0)
        case "@": bytes += [UInt8](repeating: 0, count: max(0, (Int(rest) ?? 0) - bytes.count))
        default:
            let digits = Array(word)
            for place in stride(from: 0, to: digits.count - 1, by: 2) {
                bytes.append(UInt8(String(digits[place...place + 1]), radix: 16) ?? 0)
            }
        }
    }
    return bytes
}

/// Whether libmagic or a text inspector gave the evidence.
func isOfText(_ basis: String) -> Bool { basis.hasPrefix("libmagic") || basis.hasPrefix("text") }

/// A frame of MPEG audio (version 1, layer III, 128 kbit/s, 44.1 kHz): 417 bytes.
let audioFrame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
/// A frame of AAC in ADTS: 32 bytes.
let adtsFrame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x04, 0x1F, 0xFC] + [UInt8](repeating: 1, count: 25)
