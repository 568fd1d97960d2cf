/// The place of a zip archive's central directory, from the record at the end: PKWARE APPNOTE 6.3.10, section 4.3.16,
/// and for zip64 4.3.14 and 4.3.15.
package struct ZipEnd: Sendable, Hashable {
    /// The offset of the first entry of the directory.
    package var directoryStart: Int64
    /// The offset of the end of the directory.
    package var directoryEnd: Int64
    /// The number of entries that the record claims.
    package var count: Int
    /// The number of bytes that were added before the archive after it was written.
    package var shift: Int64
    /// Whether the record and its comment end at the end of the content.
    package private(set) var isLast = false

    private static let signature: [UInt8] = [0x50, 0x4B, 5, 6]
    private static let locatorSignature: [UInt8] = [0x50, 0x4B, 6, 7]
    private static let wideSignature: [UInt8] = [0x50, 0x4B, 6, 6]
    private static let locatorSize: Int64 = 20
    private static let wideSize = 56
    /// The longest comment after the record, in bytes.
    private static let commentLimit = 0xFFFF

    /// Searches the last bytes for the record; `nil` if no record points to a directory.
    ///
    /// - Throws: an error if the content cannot be read.
    package init?(_ content: ContentBytes) throws {
        let (tail, tailStart) = try content.tail()
        if let place = Self.record(tail),
            let found = try Self(content, Array(tail[place...]), at: tailStart + Int64(place))
        {
            self = found
            return
        }
        // With the longest comments, the record starts just before the window.
        let start = max(0, content.size - Int64(Self.commentLimit + ZipDirectory.endSize))
        guard start < tailStart else { return nil }
        let before = try content.read(at: start, count: Int(tailStart - start) + ZipDirectory.endSize)
        guard let place = Self.record(before, isLast: false) else { return nil }
        try self.init(content, Array(before[place...]), at: start + Int64(place))
    }

    private init?(_ content: ContentBytes, _ record: [UInt8], at place: Int64) throws {
        guard let count = record.little(10, 2), let size = record.little(12, 4), let offset = record.little(16, 4)
        else { return nil }
        self.init(end: place, size: Int64(size), offset: Int64(offset), count: count)
        if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF,
            let wide = try Self.wide(content, before: place)
        {
            self = wide
        }
        guard try adjust(content) else { return nil }
        isLast = place + Int64(ZipDirectory.endSize + (record.little(20, 2) ?? 0)) == content.size
    }

    private init(end: Int64, size: Int64, offset: Int64, count: Int) {
        // The directory ends where the record starts. This is right even if bytes were added before the archive.
        directoryStart = end - size
        directoryEnd = end
        shift = end - size - offset
        self.count = count
    }

    /// The record of an archive that is too large for the usual record.
    private static func wide(_ content: ContentBytes, before place: Int64) throws -> Self? {
        let locator = try content.read(at: place - locatorSize, count: Int(locatorSize))
        guard locator.has(locatorSignature, at: 0), let claimed = locator.little(8, 8) else { return nil }
        // The stated offset is wrong if bytes were added before the archive. The record usually precedes its locator
        // directly.
        for offset in [Int64(claimed), place - locatorSize - Int64(wideSize)] where offset >= 0 {
            let record = try content.read(at: offset, count: wideSize)
            guard record.has(wideSignature, at: 0), let count = record.little(32, 8),
                let size = record.little(40, 8), let start = record.little(48, 8), Int64(size) <= offset
            else { continue }
            return Self(end: offset, size: Int64(size), offset: Int64(start), count: count)
        }
        return nil
    }

    /// Whether there is a directory at this place. If other records stand before the end record, the size leads to the
    /// wrong place, so this tries the stated offset as well.
    private mutating func adjust(_ content: ContentBytes) throws -> Bool {
        let claimed = directoryStart - shift
        if try isDirectory(content, at: directoryStart) { return true }
        guard claimed >= 0, claimed < directoryEnd, try isDirectory(content, at: claimed) else { return false }
        directoryStart = claimed
        shift = 0
        return true
    }

    private func isDirectory(_ content: ContentBytes, at offset: Int64) throws -> Bool {
        guard offset >= 0, offset < directoryEnd else { return false }
        return try content.read(at: offset, count: 4) == ZipDirectory.entrySignature
    }

    /// The last record whose comment does not go beyond the end.
    private static func record(_ bytes: [UInt8], isLast: Bool = true) -> Int? {
        let plain = bytes.count - ZipDirectory.endSize
        if isLast, bytes.has(signature, at: plain) { return plain }
        var stretch = bytes[...]
        while let place = ByteSearch.last(signature, in: stretch) {
            if place <= plain, let comment = bytes.little(place + 20, 2), !isLast || comment <= plain - place {
                return place
            }
            stretch = bytes[..<place]
        }
        return nil
    }
}
