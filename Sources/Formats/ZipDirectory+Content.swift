extension ZipDirectory {
    /// Of one entry no more is read, in bytes as stored.
    private static let storedLimit = 24 << 10
    /// Room for the extra fields of a local header; longer ones cost another read.
    private static let extraRoom = 64

    /// The first bytes of an entry, unpacked, at most `limit`; `nil` where it is encrypted, packed in a rare way, or
    /// not where the directory says. Where the entry is cut or damaged, what stands before that.
    ///
    /// - Throws: when the content cannot be read.
    public func bytes(of entry: Entry, in content: ContentBytes, limit: Int) throws -> [UInt8]? {
        guard !entry.isEncrypted, entry.method == 0 || entry.method == 8 else { return nil }
        // Data that is deflated can be a little longer than what it stands for.
        let wanted = min(entry.compressedSize, limit + 64, Self.storedLimit)
        guard let stored = try stored(entry, in: content, count: wanted) else { return nil }
        return entry.method == 0 ? Array(stored.prefix(limit)) : Inflater.raw(stored, limit: limit)
    }

    /// Where an entry's data begins; `nil` where its local header is not where the directory says.
    ///
    /// - Throws: when the content cannot be read.
    public func dataOffset(of entry: Entry, in content: ContentBytes) throws -> Int64? {
        let header = try content.read(at: entry.headerOffset, count: 30)
        return Self.dataStart(header).map { entry.headerOffset + Int64($0) }
    }

    private func stored(_ entry: Entry, in content: ContentBytes, count: Int) throws -> ArraySlice<UInt8>? {
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
