internal import SinkTools

/// Chooses between encodings of Latin script by the places of their letters. A line or two say too little to a detector.
enum LatinLetters {
    /// Those of Windows, DOS and the old Macintosh, for Western Europe.
    private static let usual = ["WINDOWS-1252", "IBM850", "MACINTOSH"]
    /// The bytes that are looked at.
    private static let examined = 16 << 10

    /// The detected encoding, unless another one has less than half of its faults.
    static func best(_ bytes: ArraySlice<UInt8>, _ detected: String) -> String {
        let first = bytes.firstIndex { $0 >= 0x80 } ?? bytes.startIndex
        let head = bytes[max(bytes.startIndex, first - 1)...].prefix(examined)
        let found = faults(head, detected)
        guard found > 0 else { return detected }
        let others = usual.filter { $0 != detected }.map { (encoding: $0, faults: faults(head, $0)) }
        guard let best = others.min(by: { $0.faults < $1.faults }), best.faults * 2 < found else { return detected }
        return best.encoding
    }

    /// The number of bytes that are no character, or one that is out of place in a word: a sign between two letters, or a capital
    /// behind a small letter.
    private static func faults(_ bytes: ArraySlice<UInt8>, _ encoding: String) -> Int {
        guard let text = Charset.decode(bytes, Encodings.converter(encoding)) else { return .max }
        var (count, high) = (0, 0)
        var (last, middle): (Unicode.Scalar?, Unicode.Scalar?)
        for next in Array(text.unicodeScalars).map(Optional.some) + [nil] {
            if let middle, !middle.isASCII {
                high += 1
                if isFault(middle, after: last, before: next) { count += 1 }
            }
            (last, middle) = (middle, next)
        }
        return count + max(0, bytes.count { $0 >= 0x80 } - high)
    }

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
