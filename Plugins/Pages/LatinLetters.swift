internal import SinkTools

/// Chooses between encodings of Latin script by the places of their letters. A line or two say too little to a detector.
enum LatinLetters {
    /// Those of Windows, DOS and the old Macintosh, for Western Europe.
    private static let usual = ["WINDOWS-1252", "IBM850", "MACINTOSH"]
    /// The bytes that are looked at.
    private static let examined = 16 << 10

    /// The detected encoding, unless another one has less than half of its faults.
    static func best(_ bytes: ArraySlice<UInt8>, _ detected: String) -> String {
        guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else { return detected }
        let head = bytes[max(bytes.startIndex, first - 1)...].prefix(examined)
        guard let found = faults(head, detected)?.count, found > 0 else { return detected }
        let others = usual.filter { $0 != detected }.compactMap { encoding in
            faults(head, encoding).map { (encoding: encoding, faults: $0) }
        }
        let best = others.min { ($0.faults.count, $0.faults.strange) < ($1.faults.count, $1.faults.strange) }
        guard let best, best.faults.count * 2 < found else { return detected }
        return best.encoding
    }

    /// The number of bytes that are no character, or one that is out of place in a word: a sign between two letters, or a capital
    /// behind a small letter. And the number of letters that Western Europe does not use. `nil` for an unknown encoding.
    private static func faults(_ bytes: ArraySlice<UInt8>, _ encoding: String) -> (count: Int, strange: Int)? {
        guard let text = Charset.decode(bytes, Encodings.converter(encoding)) else { return nil }
        var (count, strange, high) = (0, 0, 0)
        var (last, middle): (Unicode.Scalar?, Unicode.Scalar?)
        for next in Array(text.unicodeScalars).map(Optional.some) + [nil] {
            if let middle, !middle.isASCII {
                high += 1
                if isFault(middle, after: last, before: next) { count += 1 }
                if middle.value > 0xFF, isLetter(middle), !western.contains(middle) { strange += 1 }
            }
            (last, middle) = (middle, next)
        }
        return (count + max(0, bytes.count { $0 >= 0x80 } - high), strange)
    }

    /// The letters of Western Europe that are not in Latin-1.
    private static let western: Set<Unicode.Scalar> = ["Œ", "œ", "Ÿ", "Š", "š", "Ž", "ž"]

    private static func isFault(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?, before next: Unicode.Scalar?)
        -> Bool
    {
        let properties = scalar.properties
        guard properties.isAlphabetic else {
            return properties.generalCategory == .control
                || !joins.contains(scalar) && isLetter(last) && isLetter(next)
        }
        return properties.isUppercase && last?.properties.isLowercase == true
    }

    private static func isLetter(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isAlphabetic == true }

    /// Signs that stand within words: apostrophes, the soft hyphen, the point of Catalan, and dashes.
    private static let joins: Set<Unicode.Scalar> = [
        "\u{2018}", "\u{2019}", "\u{B4}", "\u{AD}", "\u{B7}", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}",
    ]
}
