/// Converts text with two or four bytes for each character to UTF-8: Unicode 15, section 3.10, and section 23.8 for
/// byte order marks.
///
/// Without a mark, the text must start with four characters of ASCII. XML 1.0, appendix F, recognizes `<?xml` in the same way.
/// Three quarters must be ASCII; or one quarter, if the text has some length and the others are of the usual scripts.
struct WideText {
    let encoding: TextHead.Encoding
    /// The text without its byte order mark.
    let utf8: [UInt8]

    /// The smallest number of characters in text without a mark.
    private static let fewestUnmarked = 8
    private static let noncharacters: ClosedRange<UInt32> = 0xFDD0...0xFDEF

    /// `nil` if the bytes have no mark and do not look like such text, or are malformed.
    init?(_ head: [UInt8], isWhole: Bool) {
        // Every form has a zero or a mark in its first two bytes. This check excludes most content at once.
        guard head.count >= 2, head[0] == 0 || head[1] == 0 || head[0] >= 0xFE else { return nil }
        for form in Self.forms where head.starts(with: form.mark) {
            guard let text = Self.transcode(head, from: form.mark.count, form, isWhole) else { continue }
            self.init(encoding: form.encoding, utf8: text.utf8)
            return
        }
        for form in Self.forms where form.width == 2 && Self.looksPlain(head, form) {
            guard !isWhole || head.count % 2 == 0, let text = Self.transcode(head, from: 0, form, isWhole),
                text.count >= Self.fewestUnmarked,
                text.ascii * 4 >= text.count * 3 || text.ascii * 4 >= text.count && Self.isOfScripts(text.utf8)
            else { continue }
            self.init(encoding: form.encoding, utf8: text.utf8)
            return
        }
        return nil
    }

    /// Whether all characters are white space, or printable ones of the usual scripts. About half of all numbers of 16 bits are,
    /// so a few dozen numbers are no such text.
    private static func isOfScripts(_ utf8: [UInt8]) -> Bool {
        let text = String(decoding: utf8, as: UTF8.self).unicodeScalars
        // Samples of a signal may be in any range, and have no spaces.
        return text.count >= fewestOfScripts && text.contains(where: spaces.contains)
            && text.allSatisfy { scalar in scripts.contains { $0.contains(scalar.value) } }
    }

    private static let spaces: Set<Unicode.Scalar> = ["\n", "\r", " ", "\u{3000}"]
    /// The smallest number of characters in such text.
    private static let fewestOfScripts = 48

    /// White space; ASCII; Latin to Arabic; Devanagari to Georgian; more Latin and Greek, punctuation, symbols; kana and signs of
    /// East Asia; Chinese characters; Hangul; full width; pictures.
    private static let scripts: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x7E, 0xA0...0x6FF, 0x900...0x10FF, 0x1E00...0x27BF, 0x3000...0x33FF, 0x4E00...0x9FFF,
        0xAC00...0xD7A3, 0xFE0F...0xFE0F, 0xFF01...0xFFEE, 0x1F300...0x1FAFF,
    ]

    private init(encoding: TextHead.Encoding, utf8: [UInt8]) {
        self.encoding = encoding
        self.utf8 = utf8
    }

    private struct Form {
        let mark: [UInt8]
        let width: Int
        let isBig: Bool
        let encoding: TextHead.Encoding
    }

    // The longer marks come first, because that of UTF-32 starts with that of UTF-16.
    private static let forms = [
        Form(mark: [0xFF, 0xFE, 0, 0], width: 4, isBig: false, encoding: .utf32LittleEndian),
        Form(mark: [0, 0, 0xFE, 0xFF], width: 4, isBig: true, encoding: .utf32BigEndian),
        Form(mark: [0xFF, 0xFE], width: 2, isBig: false, encoding: .utf16LittleEndian),
        Form(mark: [0xFE, 0xFF], width: 2, isBig: true, encoding: .utf16BigEndian),
    ]

    private static func looksPlain(_ head: [UInt8], _ form: Form) -> Bool {
        guard head.count >= fewestUnmarked * 2 else { return false }
        return (0..<4).allSatisfy {
            head[$0 * 2 + (form.isBig ? 0 : 1)] == 0 && head[$0 * 2 + (form.isBig ? 1 : 0)] != 0
        }
    }

    /// The text, the number of its characters, and the number of those that are ASCII.
    private static func transcode(
        _ head: [UInt8], from start: Int, _ form: Form, _ isWhole: Bool
    ) -> (utf8: [UInt8], count: Int, ascii: Int)? {
        var result = (count: 0, ascii: 0, isWellFormed: true)
        let utf8 = [UInt8](unsafeUninitializedCapacity: head.count / form.width * (form.width + 1)) { output, filled in
            head.withUnsafeBufferPointer { input in
                let units = Units(input: input, offset: start, width: form.width, isBig: form.isBig)
                (filled, result) = fill(output, from: units, isWhole)
            }
        }
        return result.isWellFormed && result.count > 0 ? (utf8, result.count, result.ascii) : nil
    }

    private static func fill(
        _ output: UnsafeMutableBufferPointer<UInt8>, from units: Units, _ isWhole: Bool
    ) -> (filled: Int, (count: Int, ascii: Int, isWellFormed: Bool)) {
        var units = units
        var place = 0
        var count = 0
        var ascii = 0
        while true {
            // Most characters of most texts are ASCII; without this loop, a large text takes twice as long.
            while let byte = units.nextASCII() {
                output[place] = byte
                place &+= 1
                ascii &+= 1
            }
            guard let scalar = units.next() else { break }
            if scalar < 0x80 { ascii &+= 1 } else { count &+= 1 }
            place &+= append(scalar, to: output, at: place)
        }
        count &+= ascii
        return (place, (count, ascii, !units.isBroken && (!units.isCut || !isWhole)))
    }

    @inline(__always)
    private static func append(_ scalar: UInt32, to output: UnsafeMutableBufferPointer<UInt8>, at place: Int) -> Int {
        switch scalar {
        case ..<0x80:
            output[place] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case ..<0x800:
            output[place] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
            output[place + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
            return 2
        case ..<0x10000:
            output[place] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
            output[place + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
            output[place + 2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
            return 3
        default:
            output[place] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
            output[place + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F)
            output[place + 2] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
            output[place + 3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
            return 4
        }
    }

    /// Iterates over characters, and stops at the first that is malformed.
    private struct Units {
        let input: UnsafeBufferPointer<UInt8>
        var offset: Int
        let width: Int
        let isBig: Bool
        /// A unit is not a character, or is half of a surrogate pair without the other half.
        var isBroken = false
        /// The text ends inside a surrogate pair.
        var isCut = false

        @inline(__always)
        mutating func nextASCII() -> UInt8? {
            guard width == 2, offset &+ 2 <= input.count, let base = input.baseAddress else { return nil }
            let high = base[offset &+ (isBig ? 0 : 1)]
            let low = base[offset &+ (isBig ? 1 : 0)]
            guard high == 0, low < 0x80 else { return nil }
            offset &+= 2
            return low
        }

        mutating func next() -> UInt32? {
            guard let first = unit() else { return nil }
            if first < 0xD800 { return first }
            let isHalf = first & 0xFFFF_F800 == 0xD800
            let isNone = first > 0x10FFFF || first & 0xFFFE == 0xFFFE || WideText.noncharacters.contains(first)
            guard isHalf || isNone else { return first }
            isBroken = true
            guard width == 2, isHalf, first < 0xDC00 else { return nil }
            guard let second = unit() else {
                isBroken = false
                isCut = true
                return nil
            }
            guard second & 0xFC00 == 0xDC00 else { return nil }
            isBroken = false
            return 0x10000 + (first & 0x3FF) << 10 | (second & 0x3FF)
        }

        @inline(__always)
        private mutating func unit() -> UInt32? {
            guard offset &+ width <= input.count, let base = input.baseAddress else { return nil }
            let raw = UnsafeRawPointer(base)
            let unit: UInt32
            if width == 2 {
                let half = raw.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
                unit = UInt32(isBig ? UInt16(bigEndian: half) : UInt16(littleEndian: half))
            } else {
                let whole = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                unit = isBig ? UInt32(bigEndian: whole) : UInt32(littleEndian: whole)
            }
            offset &+= width
            return unit
        }
    }
}
