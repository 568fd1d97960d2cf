internal import Formats
internal import ShareModel

/// Allows a claim to make unrecognized bytes plain text if they look like words in EBCDIC (IBM's code page 037).
///
/// Other data can look like it, so it concludes nothing by itself.
struct EBCDICInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = []
    let isLastResort = true

    private static let fewestBytes = 16
    private static let fewestLetters = 8

    func inspect(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        let letters = start.count(where: Self.isCommon)
        let others = start.count { !Self.isCommon($0) && !Self.isRare($0) }
        guard start.count >= Self.fewestBytes, letters * 4 >= start.count * 3, others * 20 <= start.count else {
            return nil
        }
        // Between words there are blanks, and words have different letters.
        let blanks = start.count { $0 == 0x40 }
        guard !Self.hasWideBlanks(start, blanks) else { return nil }
        if blanks * 25 >= start.count, Set(start).count >= Self.fewestLetters { sample.possible = [.plainText] }
        return nil
    }

    /// Whether most blanks are the second bytes of ideographic blanks in Shift JIS (0x81) or Big5 (0xA1). In EBCDIC, these are
    /// words that end with `a` or `~`. Many Italian words do, but then about half of the `a` are second bytes themselves. The
    /// sinks have the same rule in `Plugins/Pages/Encodings.swift`.
    private static func hasWideBlanks(_ bytes: [UInt8], _ blanks: Int) -> Bool {
        var wide = zip(bytes, bytes.dropFirst()).count { $0 == 0xA1 && $1 == 0x40 }
        var place = 0
        while place + 1 < bytes.count {
            let byte = bytes[place]
            if byte == 0x81, bytes[place + 1] == 0x40 { wide += 1 }
            let isFirst = (0x81...0x9F).contains(byte) || (0xE0...0xFC).contains(byte)
            place += isFirst ? 2 : 1
        }
        return wide * 3 > blanks * 2
    }

    /// Blanks, letters and digits.
    private static func isCommon(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x40, 0x81...0x89, 0x91...0x99, 0xA2...0xA9, 0xC1...0xC9, 0xD1...0xD9, 0xE2...0xE9, 0xF0...0xF9: true
        default: false
        }
    }

    /// Ends of lines, tabs, and punctuation.
    private static func isRare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x05, 0x0D, 0x15, 0x25, 0x4A...0x50, 0x5A...0x61, 0x6A...0x6F, 0x79...0x7F: true
        default: false
        }
    }
}
