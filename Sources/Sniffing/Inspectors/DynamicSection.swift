internal import Formats

/// The dynamic section of an ELF file (System V ABI, chapter 5).
enum DynamicSection {
    private static let segmentLimit = 32
    private static let entryLimit = 128
    private static let soname = 14
    private static let flags = 0x6FFF_FFFB
    private static let programFlag = 0x0800_0000

    /// Whether a shared object is a position-independent program. Such a program has the flag `DF_1_PIE`, or it names a
    /// loader but has no name of its own (`DT_SONAME`).
    static func isProgram(_ sample: Sample) throws -> Bool {
        let start = sample.start
        let (isWide, isBig) = (start.big(4, 1) == 2, start.big(5, 1) == 2)
        // The table must begin within the first bytes. This also keeps the sums of offsets below from overflowing.
        guard let first = start.number(isWide ? 32 : 28, isWide ? 8 : 4, isBig: isBig),
            let size = start.number(isWide ? 54 : 42, 2, isBig: isBig),
            let count = start.number(isWide ? 56 : 44, 2, isBig: isBig), first <= start.count, size > 0
        else { return false }
        var hasLoader = false
        var hasName = false
        for index in 0..<min(count, segmentLimit) {
            let place = first + index * size
            switch start.number(place, 4, isBig: isBig) {
            case 3: hasLoader = true
            case 2:
                // A read at a negative offset returns no bytes, so such a section has no entries.
                let offset = start.number(place + (isWide ? 8 : 4), isWide ? 8 : 4, isBig: isBig) ?? -1
                for (tag, value) in try entries(sample, at: offset, isWide: isWide, isBig: isBig) {
                    if tag == flags, value & programFlag != 0 { return true }
                    hasName = hasName || tag == soname
                }
            default: break
            }
        }
        return hasLoader && !hasName
    }

    private static func entries(_ sample: Sample, at offset: Int, isWide: Bool, isBig: Bool) throws -> [(Int, Int)] {
        let width = isWide ? 8 : 4
        let bytes = try sample.content.read(at: Int64(offset), count: entryLimit * 2 * width)
        var found: [(Int, Int)] = []
        for place in stride(from: 0, to: bytes.count - 2 * width + 1, by: 2 * width) {
            guard let tag = bytes.number(place, width, isBig: isBig), tag != 0 else { break }
            found.append((tag, bytes.number(place + width, width, isBig: isBig) ?? 0))
        }
        return found
    }
}
