/// Reads the headers of netpbm's images (`ppm(5)`): the magic number, then the width, the height and, except in
/// bitmaps, the largest value. The numbers are decimal, with white space between them. A comment is from `#` to the end
/// of its line.
enum Netpbm {
    /// The part that is read for the header, in bytes. A header with longer comments is not recognized.
    private static let headerLimit = 1024
    // Two such numbers and three bytes for each pixel have a product that fits into 64 bits.
    private static let digitLimit = 9
    /// The part of a plain image's samples that is checked, in bytes.
    private static let plainLimit = 64

    /// Whether binary samples follow the header. They are not text, or have exactly the size of the image.
    static func isRaw(_ sample: Sample, numbers: Int) throws -> Bool {
        guard let end = headerEnd(sample.start, numbers: numbers), sample.content.size > Int64(end) else {
            return false
        }
        return try sample.content.size - Int64(end) == rasterSize(sample.start[..<end]) || sample.text() == nil
    }

    /// The size of the samples of an image with at most eight bits each, in bytes.
    private static func rasterSize(_ header: ArraySlice<UInt8>) -> Int64? {
        let numbers = header.dropFirst(2).split { !$0.isDigit }.compactMap(\.number)
        guard numbers.count >= 2 else { return nil }
        let (width, height) = (Int64(numbers[0]), Int64(numbers[1]))
        switch header.dropFirst().first {
        case UInt8(ascii: "4"): return (width + 7) / 8 * height
        case UInt8(ascii: "6"): return width * 3 * height
        default: return width * height
        }
    }

    /// Whether decimal samples follow the header.
    static func isPlain(_ start: [UInt8], numbers: Int) -> Bool {
        guard let end = headerEnd(start, numbers: numbers), end < start.count else { return false }
        var isComment = false
        for byte in start[end..<min(start.count, end + plainLimit)] {
            if byte == UInt8(ascii: "#") { isComment = true }
            if byte == 0x0A { isComment = false }
            guard isComment || byte.isDigit || isSpace(byte) else { return false }
        }
        return true
    }

    /// Whether a width, a height and a scale with its sign follow.
    static func isFloat(_ start: [UInt8]) -> Bool {
        guard let end = headerEnd(start, numbers: 2), let next = start.big(end, 1) else { return false }
        return next == UInt8(ascii: "-") || UInt8(next).isDigit
    }

    /// The offset of the samples; `nil` if the numbers are missing.
    private static func headerEnd(_ start: [UInt8], numbers: Int) -> Int? {
        var place = 2
        guard start.count > place, isSpace(start[place]) || start[place] == UInt8(ascii: "#") else { return nil }
        let end = min(start.count, headerLimit)
        for _ in 0..<numbers {
            while place < end, isSpace(start[place]) || start[place] == UInt8(ascii: "#") {
                if start[place] == UInt8(ascii: "#") {
                    while place < end, start[place] != 0x0A, start[place] != 0x0D { place += 1 }
                } else {
                    place += 1
                }
            }
            let first = place
            while place < end, start[place].isDigit { place += 1 }
            guard place > first, place - first <= digitLimit, place < end, isSpace(start[place]) else { return nil }
        }
        return place + 1
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}
