extension ZipDirectory {
    /// The largest part of an entry that is read, in stored bytes.
    private static let storedLimit = 24 << 10
    /// The usual size of the extra fields in a local header. Longer fields cost another read.
    private static let extraRoom = 64

    /// The first bytes of an entry, decompressed, at most `limit`.
    ///
    /// The result is `nil` if the entry is encrypted, uses a rare compression method, or is not at the directory's
    /// offset. If the entry is truncated or damaged, the result ends there.
    ///
    /// - Throws: an error if the content cannot be read.
    package func bytes(of entry: Entry, in content: ContentBytes, limit: Int) throws -> [UInt8]? {
        guard !entry.isEncrypted, entry.method == 0 || entry.method == 8 else { return nil }
        // Deflated data can be slightly longer than the original.
        let wanted = min(entry.compressedSize, limit + 64, Self.storedLimit)
        guard let stored = try stored(entry, in: content, count: wanted) else { return nil }
        return entry.method == 0 ? Array(stored.prefix(limit)) : Inflater.raw(stored, limit: limit)
    }

    /// The offset of an entry's data; `nil` if its local header is not at the directory's offset.
    ///
    /// - Throws: an error if the content cannot be read.
    package func dataOffset(of entry: Entry, in content: ContentBytes) throws -> Int64? {
        let header = try content.read(at: entry.headerOffset, count: 30)
        return Self.dataStart(header).map { entry.headerOffset + Int64($0) }
    }

    private func stored(_ entry: Entry, in content: ContentBytes, count: Int) throws -> ArraySlice<UInt8>? {
        // One read usually covers the header and the data.
        let room = 30 + entry.name.count + Self.extraRoom
        let bytes = try content.read(at: entry.headerOffset, count: room + count)
        guard let start = Self.dataStart(bytes) else { return nil }
        if bytes.count >= start + count { return bytes[start..<start + count] }
        if entry.headerOffset + Int64(bytes.count) >= content.size { return bytes.dropFirst(start) }
        return try content.read(at: entry.headerOffset + Int64(start), count: count)[...]
    }

    private static func dataStart(_ header: [UInt8]) -> Int? {
        guard header.has(localSignature, at: 0), let name = header.little(26, 2), let extra = header.little(28, 2)
        else { return nil }
        return 30 + name + extra
    }
}
