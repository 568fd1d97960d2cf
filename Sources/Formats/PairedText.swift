/// Recognizes a few words of East Asian text by its common characters: kana, punctuation, and the frequent half of the
/// ideographs and syllables. EUC and GBK (GB 2312, KS X 1001, JIS X 0208), Shift-JIS (JIS X 0208) and Big5 have lead
/// bytes for these alone.
///
/// Random bytes form such pairs too, but rarely many in a row. Each pair counts the bits that its range is worth: 8 if
/// one of 256 random pairs is in the range. Of random contents of 8 to 31 bytes, about one in two million passes.
enum PairedText {
    /// The bits that make a text. Four ideographs are too few.
    private static let enoughBits = 24
    /// The smallest number of different pairs. Padding repeats one.
    private static let fewestPairs = 4
    /// A rare character is allowed for this number of pairs.
    private static let pairsForARareOne = 8

    private typealias Bits = (_ lead: UInt8, _ trail: UInt8) -> Int?

    static func isPlausible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        isPlausible(bytes, extended) || isPlausible(bytes, shifted) || isPlausible(bytes, big)
    }

    private static func isPlausible(_ bytes: UnsafeBufferPointer<UInt8>, _ bits: Bits) -> Bool {
        var (index, sum, pairs, rare) = (0, 0, 0, 0)
        var kinds: Set<UInt16> = []
        while index < bytes.count {
            let lead = bytes[index]
            index += 1
            guard lead >= 0x80 else { continue }
            guard index < bytes.count, let worth = bits(lead, bytes[index]) else { return false }
            if kinds.count < fewestPairs { kinds.insert(UInt16(lead) << 8 | UInt16(bytes[index])) }
            index += 1
            sum += worth
            pairs += 1
            if worth == 0 { rare += 1 }
        }
        return sum >= enoughBits && kinds.count == fewestPairs && rare * pairsForARareOne <= pairs
    }

    /// EUC and GBK: the rows of GB 2312 with their trail bytes.
    private static func extended(_ lead: UInt8, _ trail: UInt8) -> Int? {
        guard (0xA1...0xFE).contains(trail) else { return nil }
        return switch lead {
        case 0xA1, 0xA3, 0xA4, 0xA5: 8
        case 0xB0...0xD7: 4
        case 0xD8...0xF7: 0
        default: nil
        }
    }

    private static func shifted(_ lead: UInt8, _ trail: UInt8) -> Int? {
        guard (0x40...0xFC).contains(trail), trail != 0x7F else { return nil }
        return switch lead {
        case 0x81: trail <= 0xAC ? 8 : 0
        case 0x82: trail >= 0x9F && trail <= 0xF1 ? 8 : 0
        case 0x83: trail <= 0x96 ? 8 : 0
        case 0x88...0x97: 4
        case 0x98...0x9F, 0xE0...0xEA: 0
        default: nil
        }
    }

    private static func big(_ lead: UInt8, _ trail: UInt8) -> Int? {
        guard (0x40...0x7E).contains(trail) || (0xA1...0xFE).contains(trail) else { return nil }
        return switch lead {
        case 0xA1: 6
        case 0xA4...0xC6: 3
        case 0xC9...0xF9: 0
        default: nil
        }
    }
}
