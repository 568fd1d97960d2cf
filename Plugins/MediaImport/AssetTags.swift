import Glibc
import SinkTools

/// The tags of 3GPP in an ISO media file, which ffprobe does not read: the title of a film from iMovie or a phone.
///
/// They are boxes in `moov/udta` (3GPP TS 26.244, section 8). Each has a version, a language and a text.
enum AssetTags {
    /// The most boxes of a level that are looked at.
    static let maximumBoxes = 1_000
    /// The most bytes of a text.
    static let maximumBytes = 4_096

    /// The boxes, and ffprobe's names for tags of the same meaning.
    private static let names = [
        "titl": "title", "auth": "author", "perf": "artist", "albm": "album", "dscp": "description", "gnre": "genre",
    ]

    /// The tags of an open file; empty if it has none, or if it is not an ISO media file.
    static func read(_ descriptor: Int32) -> [String: String] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return [:] }
        let file = 0..<Int64(status.st_size)
        guard let movie = boxes(descriptor, file).first(where: { $0.name == "moov" }),
            let data = boxes(descriptor, movie.content).first(where: { $0.name == "udta" })
        else { return [:] }
        var tags: [String: String] = [:]
        for box in boxes(descriptor, data.content) {
            guard let name = names[box.name], tags[name] == nil else { continue }
            // The version and the language come first.
            let text = text(bytes(descriptor, box.content.dropFirst(6)))
            if !text.isEmpty { tags[name] = text }
        }
        return tags
    }

    private struct Box {
        var name: String
        var content: Range<Int64>
    }

    /// The boxes in a part of the file, up to the first broken one.
    private static func boxes(_ descriptor: Int32, _ range: Range<Int64>) -> [Box] {
        var boxes: [Box] = []
        var start = range.lowerBound
        while boxes.count < maximumBoxes, range.upperBound - start >= 8 {
            let head = bytes(descriptor, start..<min(start + 16, range.upperBound))
            guard head.count >= 8 else { break }
            var size = Int64(number(head[0..<4]))
            var header: Int64 = 8
            if size == 1 {
                guard head.count == 16, let large = Int64(exactly: number(head[8..<16])) else { break }
                (size, header) = (large, 16)
            } else if size == 0 {
                size = range.upperBound - start
            }
            guard size >= header, size <= range.upperBound - start else { break }
            boxes.append(
                Box(name: String(decoding: head[4..<8], as: UTF8.self), content: start + header..<start + size))
            start += size
        }
        return boxes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The first ``maximumBytes`` of a part of the file.
    private static func bytes(_ descriptor: Int32, _ range: Range<Int64>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(range.count, maximumBytes))
        let count = pread(descriptor, &bytes, bytes.count, off_t(range.lowerBound))
        return Array(bytes.prefix(max(0, count)))
    }

    /// UTF-8, or UTF-16 with a byte order mark; a zero ends it.
    private static func text(_ bytes: [UInt8]) -> String {
        guard bytes.starts(with: [0xFE, 0xFF]) else {
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}
