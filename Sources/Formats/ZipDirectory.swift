/// The names inside a zip archive, by its central directory: PKWARE APPNOTE 6.3.10, sections 4.3.12 and 4.3.16.
///
/// Nothing is unpacked. The bytes are hostile: what is read is bounded by the constants here, whatever the directory
/// claims.
public struct ZipDirectory: Sendable {
    /// One file of the archive, as the directory tells it.
    public struct Entry: Sendable, Hashable {
        /// The name, as UTF-8; what is not becomes the replacement character.
        public var name: String
        /// 0 stored, 8 deflated.
        public var method: Int
        /// As stored, in bytes.
        public var compressedSize: Int
        /// Where its local header begins.
        public var headerOffset: Int64
    }

    /// No more entries are listed.
    public static let entryLimit = 1_000
    /// No more of the directory is read, in bytes.
    public static let sizeLimit = 64 << 10
    /// The end record with the longest comment, in bytes.
    private static let tailSize = (64 << 10) + 22

    /// In the order of the directory.
    public var entries: [Entry]
    /// Whether the archive has more than is listed.
    public var isCut: Bool

    /// Reads the directory; `nil` where there is none (no zip, cut short, or one of several volumes).
    ///
    /// - Throws: when the content cannot be read.
    public init?(_ content: ContentBytes) throws {
        let tailStart = max(0, content.size - Int64(Self.tailSize))
        let tail = try content.read(at: tailStart, count: Self.tailSize)
        guard let end = Self.endRecord(tail) else { return nil }
        let count = Self.number(tail, end + 10, 2)
        let size = Self.number(tail, end + 12, 4)
        // The directory ends where the end record begins: right even where something was put in front of the archive.
        let start = tailStart + Int64(end) - Int64(size)
        guard start >= 0 else { return nil }
        let shift = start - Int64(Self.number(tail, end + 16, 4))
        let bytes = try content.read(at: start, count: min(size, Self.sizeLimit))
        entries = Self.entries(bytes, shift: max(0, shift))
        isCut = entries.count < count
        guard !entries.isEmpty else { return nil }
    }

    /// The entry with exactly this name.
    public func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }

    /// The bytes of an entry that is stored without compression, at most `limit`; `nil` for any other.
    ///
    /// - Throws: when the content cannot be read.
    public static func stored(_ entry: Entry, in content: ContentBytes, limit: Int) throws -> [UInt8]? {
        guard entry.method == 0, entry.compressedSize <= limit else { return nil }
        let header = try content.read(at: entry.headerOffset, count: 30)
        guard header.count == 30, header.starts(with: [0x50, 0x4B, 3, 4]) else { return nil }
        let skipped = 30 + number(header, 26, 2) + number(header, 28, 2)
        return try content.read(at: entry.headerOffset + Int64(skipped), count: entry.compressedSize)
    }

    /// The last end record whose comment reaches to the end of the content.
    private static func endRecord(_ tail: [UInt8]) -> Int? {
        var stretch = tail[...]
        while let place = ByteSearch.last([0x50, 0x4B, 5, 6], in: stretch) {
            if tail.count - place >= 22, place + 22 + number(tail, place + 20, 2) <= tail.count { return place }
            stretch = tail[..<place]
        }
        return nil
    }

    private static func entries(_ bytes: [UInt8], shift: Int64) -> [Entry] {
        var found: [Entry] = []
        var place = 0
        while found.count < entryLimit, bytes.count - place >= 46, bytes[place...].starts(with: [0x50, 0x4B, 1, 2]) {
            let nameEnd = place + 46 + number(bytes, place + 28, 2)
            guard nameEnd <= bytes.count else { break }
            found.append(
                Entry(
                    name: String(decoding: bytes[place + 46..<nameEnd], as: UTF8.self),
                    method: number(bytes, place + 10, 2), compressedSize: number(bytes, place + 20, 4),
                    headerOffset: Int64(number(bytes, place + 42, 4)) + shift))
            place = nameEnd + number(bytes, place + 30, 2) + number(bytes, place + 32, 2)
        }
        return found
    }

    /// A little-endian number of at most four bytes. The caller has checked that they are there.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int {
        bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
