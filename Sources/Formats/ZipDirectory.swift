/// The names inside a zip archive: PKWARE APPNOTE 6.3.10. They come from the central directory (sections 4.3.12 and
/// 4.3.16, for zip64 4.3.14 and 4.3.15). Without one, they come from the local headers in the first bytes (4.3.7).
///
/// The bytes may be malicious, so the constants here limit the reading. Of a larger directory, only the beginning and
/// the end are listed. Programs put the entries that describe the whole archive there.
package struct ZipDirectory: Sendable {
    /// An entry of the directory.
    package struct Entry: Sendable, Hashable {
        /// The range of the name in ``ZipDirectory/names``.
        var name: Range<Int>
        /// The compression method: 0 is stored, 8 is deflated.
        package var method: Int
        /// Whether reading it needs a password.
        package var isEncrypted: Bool
        /// The stored size in bytes; 0 also if only a descriptor after the data has it.
        package var compressedSize: Int
        /// The offset of its local header.
        package var headerOffset: Int64
    }

    /// The largest part of the directory that is read outside the window at the end, in bytes.
    package static let sizeLimit = 96 << 10
    static let entrySignature: [UInt8] = [0x50, 0x4B, 1, 2]
    static let localSignature: [UInt8] = [0x50, 0x4B, 3, 4]
    static let endSize = 22

    /// The entries, in the order of the directory.
    package internal(set) var entries: [Entry] = []
    /// Whether the archive has more entries than are listed.
    package internal(set) var isCut: Bool
    /// Whether the entries are from the central directory. Local headers can be leftovers, and only those in the window
    /// at the beginning are read.
    package let isCentral: Bool
    /// The bytes with the names, letters in lower case and slashes instead of backslashes.
    var names: [UInt8]

    /// Reads the directory; `nil` if there is none.
    ///
    /// - Throws: an error if the content cannot be read.
    package init?(_ content: ContentBytes) throws {
        if let place = try ZipEnd(content), try !Self.isInside(place, content), let central = try Self(content, place) {
            self = central
        } else if let local = try Self(localHeaders: content) {
            self = local
        } else {
            return nil
        }
    }

    /// Whether the record belongs to an archive inside a truncated one: an archive starts before it, and the record is
    /// not at the end of the content.
    private static func isInside(_ place: ZipEnd, _ content: ContentBytes) throws -> Bool {
        guard place.shift > 0, !place.isLast else { return false }
        return try localStart(content.start()) != nil
    }

    /// Reads the names in the beginning of the content, without a directory.
    private init?(localHeaders content: ContentBytes) throws {
        guard let start = Self.localStart(try content.start()) else { return nil }
        isCentral = false
        isCut = true
        names = try content.head()
        addLocalEntries(from: start)
        guard !entries.isEmpty else { return nil }
    }

    private init?(_ content: ContentBytes, _ place: ZipEnd) throws {
        let (tail, tailStart) = try content.tail()
        let (start, end) = (place.directoryStart, place.directoryEnd)
        let inTail = Array(tail.prefix(Int(max(0, end - tailStart))).dropFirst(Int(max(0, start - tailStart))))
        let missing = max(0, min(end, tailStart) - start)
        let size = Int(min(missing, Int64(Self.sizeLimit)))
        isCentral = true
        isCut = missing > Int64(size)
        names = try content.read(at: start, count: size)
        // The middle of a large directory is not read, so its two ends are parsed separately.
        if isCut {
            addEntries(from: 0, shift: place.shift)
            addLastEntries(inTail, shift: place.shift)
        } else {
            names += inTail
            addEntries(from: 0, shift: place.shift)
        }
        guard !entries.isEmpty else { return nil }
    }

    /// The entry with this name, which must be in lower case. Case does not matter in the archive (ECMA-376, part 2,
    /// section 6.2.2.3).
    package func entry(_ name: StaticString) -> Entry? {
        entries.first { $0.name.count == name.utf8CodeUnitCount && matches(name, at: $0.name.lowerBound) }
    }

    /// The first entry with this prefix and suffix, which must be in lower case.
    package func entry(prefix: StaticString, suffix: StaticString = "") -> Entry? {
        entries.first { has($0, prefix: prefix, suffix: suffix) }
    }

    /// Whether an entry's name has this prefix and suffix, which must be in lower case.
    package func has(_ entry: Entry, prefix: StaticString = "", suffix: StaticString = "") -> Bool {
        entry.name.count >= max(prefix.utf8CodeUnitCount, suffix.utf8CodeUnitCount)
            && matches(prefix, at: entry.name.lowerBound)
            && matches(suffix, at: entry.name.upperBound - suffix.utf8CodeUnitCount)
    }

    /// The bytes of the name, in lower case.
    package func name(_ entry: Entry) -> ArraySlice<UInt8> { names[entry.name] }

    /// The caller must check that the name is long enough.
    private func matches(_ text: StaticString, at place: Int) -> Bool {
        for index in 0..<text.utf8CodeUnitCount where names[place + index] != text.utf8Start[index] { return false }
        return true
    }
}
