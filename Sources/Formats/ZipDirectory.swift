/// The names inside a zip archive: PKWARE APPNOTE 6.3.10, by its central directory (sections 4.3.12 and 4.3.16, zip64
/// by 4.3.14 and 4.3.15), or where there is none by the local headers in the first bytes (4.3.7).
///
/// The bytes are hostile: what is read is bounded by the constants here, whatever the directory claims. Of a directory
/// that is larger only its beginning and its end are listed: writers put what describes the whole there.
public struct ZipDirectory: Sendable {
    /// One file of the archive, as the directory tells it.
    public struct Entry: Sendable, Hashable {
        /// Where the name is in ``ZipDirectory/names``.
        var name: Range<Int>
        /// 0 stored, 8 deflated.
        public var method: Int
        /// Whether it can only be read with a password.
        public var isEncrypted: Bool
        /// As stored, in bytes; 0 also where only a descriptor behind the data says.
        public var compressedSize: Int
        /// Where its local header begins.
        public var headerOffset: Int64
    }

    /// Beside the window at the end no more of the directory is read, in bytes.
    public static let sizeLimit = 96 << 10
    static let entrySignature: [UInt8] = [0x50, 0x4B, 1, 2]
    static let localSignature: [UInt8] = [0x50, 0x4B, 3, 4]
    static let endSize = 22

    /// In the order of the directory.
    public internal(set) var entries: [Entry] = []
    /// Whether the archive has more than is listed.
    public internal(set) var isCut: Bool
    /// Whether it is the central directory; local headers can be leftovers, and are cut at the head.
    public let isCentral: Bool
    /// The bytes that the names are in, letters made lower case and backslashes slashes.
    var names: [UInt8]

    /// Reads the directory; `nil` where there is none.
    ///
    /// - Throws: when the content cannot be read.
    public init?(_ content: ContentBytes) throws {
        if let place = try ZipEnd(content), try !Self.isInside(place, content), let central = try Self(content, place) {
            self = central
        } else if let local = try Self(localHeaders: content) {
            self = local
        } else {
            return nil
        }
    }

    /// Whether the end is that of an archive inside one which is cut: what stands in front is an archive, too, and the
    /// end is not that of the content.
    private static func isInside(_ place: ZipEnd, _ content: ContentBytes) throws -> Bool {
        guard place.shift > 0, !place.isLast else { return false }
        return try localStart(content.start()) != nil
    }

    /// Reads the names in the beginning of the content without a directory.
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
        if isCut {
            addEntries(from: 0, shift: place.shift)
            addLastEntries(inTail, shift: place.shift)
        } else {
            names += inTail
            addEntries(from: 0, shift: place.shift)
        }
        guard !entries.isEmpty else { return nil }
    }

    /// The entry with exactly this name, which is given in lower case; letters of either case are the same (ECMA-376,
    /// part 2, section 6.2.2.3).
    public func entry(_ name: StaticString) -> Entry? {
        entries.first { $0.name.count == name.utf8CodeUnitCount && matches(name, at: $0.name.lowerBound) }
    }

    /// The first entry whose name begins and ends so, in lower case.
    public func entry(prefix: StaticString, suffix: StaticString = "") -> Entry? {
        entries.first { has($0, prefix: prefix, suffix: suffix) }
    }

    /// Whether an entry's name begins and ends so, in lower case.
    public func has(_ entry: Entry, prefix: StaticString = "", suffix: StaticString = "") -> Bool {
        entry.name.count >= max(prefix.utf8CodeUnitCount, suffix.utf8CodeUnitCount)
            && matches(prefix, at: entry.name.lowerBound)
            && matches(suffix, at: entry.name.upperBound - suffix.utf8CodeUnitCount)
    }

    /// The name's bytes, letters made lower case.
    public func name(_ entry: Entry) -> ArraySlice<UInt8> { names[entry.name] }

    /// The caller has checked that there are as many bytes.
    private func matches(_ text: StaticString, at place: Int) -> Bool {
        for index in 0..<text.utf8CodeUnitCount where names[place + index] != text.utf8Start[index] { return false }
        return true
    }
}
