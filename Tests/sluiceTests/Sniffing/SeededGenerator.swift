/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whole words at a time: a debug build needs seconds for some millions of single bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        let words = (0..<(count + 7) / 8).map { _ in next() }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    /// The bytes with one to four changes: a byte changed, dropped or doubled, or the end cut off.
    mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int(next() % 4) where !bytes.isEmpty {
            let place = Int(next() % UInt64(bytes.count))
            switch next() % 8 {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[place], at: place)
            case 2: bytes.removeSubrange(place...)
            case 3: bytes[place] = 0xFF
            default: bytes[place] = UInt8(truncatingIfNeeded: next())
            }
        }
        return bytes
    }
}
