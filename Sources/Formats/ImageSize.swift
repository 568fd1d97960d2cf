/// The width and height in an image's header, for the usual formats of icons.
///
/// PNG (ISO 15948, 11.2.2), GIF (89a, 18), JPEG (ISO 10918-1, B.2.2), WebP (RFC 9649), BMP, ICO. The size is only a
/// claim of the file, because no pixels are decoded.
package struct ImageSize: Sendable, Equatable {
    /// The width in pixels, before any orientation is applied.
    package let width: Int
    /// The height in pixels, before any orientation is applied.
    package let height: Int

    /// The largest number of JPEG segments before the frame header.
    private static let segmentLimit = 200

    /// Reads the header; `nil` for other formats, and if the header is incomplete.
    package init?(_ content: ContentBytes) throws {
        let head = try content.start()
        guard head.count >= 8 else { return nil }
        let size: (Int, Int)? =
            if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                Self.pair(head, at: 16, bytes: 4, isBigEndian: true)
            } else if head.starts(with: Array("GIF8".utf8)) {
                Self.pair(head, at: 6, bytes: 2, isBigEndian: false)
            } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
                try Self.jpeg(content)
            } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
                Self.webP(head)
            } else if head.starts(with: Array("BM".utf8)) {
                Self.pair(head, at: 18, bytes: 4, isBigEndian: false)
            } else if head.starts(with: [0, 0, 1, 0]) {
                Self.icon(head)
            } else {
                nil
            }
        guard let size, size.0 > 0, size.1 > 0 else { return nil }
        (width, height) = size
    }

    private static func pair(_ bytes: [UInt8], at offset: Int, bytes count: Int, isBigEndian: Bool) -> (Int, Int)? {
        guard bytes.count >= offset + 2 * count else { return nil }
        let number = { (start: Int) -> Int in
            let digits = bytes[start..<start + count]
            return (isBigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        return (number(offset), number(offset + count))
    }

    /// Follows the lengths of the segments to the frame header, which has the size.
    private static func jpeg(_ content: ContentBytes) throws -> (Int, Int)? {
        var offset: Int64 = 2
        for _ in 0..<segmentLimit {
            let segment = try content.read(at: offset, count: 9)
            guard segment.count == 9, segment[0] == 0xFF else { return nil }
            let marker = segment[1]
            // 0xC4, 0xC8 and 0xCC are not frame headers: they are tables or reserved.
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            // JPEG stores the height before the width.
            if isFrame { return pair(segment, at: 5, bytes: 2, isBigEndian: true).map { ($0.1, $0.0) } }
            // Fill bytes of 0xFF may precede a marker.
            offset += marker == 0xFF ? 1 : 2 + (Int64(segment[2]) << 8 | Int64(segment[3]))
        }
        return nil
    }

    private static func webP(_ head: [UInt8]) -> (Int, Int)? {
        guard head.count >= 30 else { return nil }
        switch String(decoding: head[12..<16], as: UTF8.self) {
        case "VP8 ":
            return pair(head, at: 26, bytes: 2, isBigEndian: false).map { ($0.0 & 0x3FFF, $0.1 & 0x3FFF) }
        case "VP8L":
            let bits = head[21..<25].reversed().reduce(0) { $0 << 8 | Int($1) }
            return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        case "VP8X":
            return pair(head, at: 24, bytes: 3, isBigEndian: false).map { ($0.0 + 1, $0.1 + 1) }
        default:
            return nil
        }
    }

    /// The size of the first image of an icon. The value 0 stands for 256.
    private static func icon(_ head: [UInt8]) -> (Int, Int) {
        (head[6] == 0 ? 256 : Int(head[6]), head[7] == 0 ? 256 : Int(head[7]))
    }
}
