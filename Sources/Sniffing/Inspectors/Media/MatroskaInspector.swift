internal import Formats
internal import ShareModel

/// Recognizes Matroska and WebM by the document type in the header (RFC 8794, 11.2.4; RFC 9559, section 4; WebM's
/// guidelines). If the tracks are near the beginning, their kinds decide between sound and movie (RFC 9559, 5.1.4.1.3).
struct MatroskaInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = ["video/webm", "audio/webm", "video/x-matroska", "audio/x-matroska"]

    private static let elementLimit = 32
    /// The part of a damaged header that is searched for a document type, in bytes.
    private static let damagedWindow = 256
    private static let header = 0x1A45_DFA3
    private static let documentType = 0x4282
    private static let segment = 0x1853_8067
    private static let tracks = 0x1654_AE6B
    private static let track = 0xAE
    private static let trackType = 0x83
    private static let cluster = 0x1F43_B675

    func inspect(_ sample: Sample) throws -> Finding? {
        guard sample.start.big(0, 4) == Self.header, let header = Self.element(sample.start, 0) else { return nil }
        let end = min(header.end, sample.start.count)
        guard let name = Self.first(Self.documentType, sample.start, header.value, end) else {
            return Self.damaged(sample.start)
        }
        let isWeb = sample.start.has("webm", at: name.value)
        guard isWeb || sample.start.has("matroska", at: name.value) else { return nil }
        let evidence = Evidence("Matroska", "document type \(isWeb ? "webm" : "matroska")", at: Int64(name.value))
        if try Self.isSound(sample, from: header.end) {
            return Finding(isWeb ? "audio/webm" : "audio/x-matroska", evidence)
        }
        return Finding(isWeb ? "video/webm" : "video/x-matroska", evidence)
    }

    /// Recognizes a damaged header by a document type near the beginning.
    private static func damaged(_ start: [UInt8]) -> Finding? {
        for (name, type) in [("matroska", "video/x-matroska"), ("webm", "video/webm")] as [(String, MediaType)] {
            let element = [0x42, 0x82, 0x80 | UInt8(name.utf8.count)] + Array(name.utf8)
            guard let place = ByteSearch.first(element, in: start.prefix(damagedWindow)) else { continue }
            return Finding(type, Evidence("Matroska", "document type \(name)", at: Int64(place)), .likely)
        }
        return nil
    }

    /// Whether all tracks are sound; `false` if they are not near the beginning.
    private static func isSound(_ sample: Sample, from place: Int) throws -> Bool {
        guard place < sample.start.count, let segment = element(sample.start, place), segment.id == Self.segment else {
            return false
        }
        var bytes = sample.start
        guard var list = first(tracks, bytes, segment.value, .max) else { return false }
        if list.end > bytes.count {
            bytes = try sample.head()
            guard let whole = first(tracks, bytes, segment.value, .max), whole.end <= bytes.count else { return false }
            list = whole
        }
        var hasSound = false
        var next = list.value
        for _ in 0..<elementLimit {
            guard next < list.end, let entry = element(bytes, next) else { return hasSound && next == list.end }
            if entry.id == track {
                guard let kind = first(trackType, bytes, entry.value, entry.end) else { return false }
                guard bytes.big(kind.value, 1) != 1 else { return false }
                hasSound = hasSound || bytes.big(kind.value, 1) == 2
            }
            next = entry.end
        }
        return false
    }

    /// The first sibling element with this identifier, before the first cluster.
    private static func first(_ id: Int, _ bytes: [UInt8], _ place: Int, _ end: Int) -> Element? {
        var place = place
        for _ in 0..<elementLimit {
            guard place < end, let element = element(bytes, place), element.id != cluster else { return nil }
            if element.id == id { return element }
            place = element.end
        }
        return nil
    }

    private struct Element {
        var id: Int
        var value: Int
        var end: Int
    }

    /// Reads an identifier and a size of variable length (RFC 8794, section 4). A size of all ones means "unknown".
    private static func element(_ bytes: [UInt8], _ place: Int) -> Element? {
        // An identifier has at most four bytes (RFC 8794, `EBMLMaxIDLength`), so one of the four highest bits is set.
        guard let first = bytes.big(place, 1), first >= 0x10 else { return nil }
        // The number of leading zero bits in the first byte gives the width.
        let idWidth = UInt8(first).leadingZeroBitCount + 1
        guard let id = bytes.big(place, idWidth), let second = bytes.big(place + idWidth, 1), second > 0 else {
            return nil
        }
        let width = UInt8(second).leadingZeroBitCount + 1
        guard let raw = bytes.big(place + idWidth, width) else { return nil }
        let mask = (1 << (7 * width)) - 1
        let size = raw & mask
        let value = place + idWidth + width
        // A larger size also counts as unknown, so that sums of offsets cannot overflow.
        guard size != mask, size <= 1 << 48 else { return Element(id: id, value: value, end: 1 << 50) }
        return Element(id: id, value: value, end: value + size)
    }
}
