internal import Formats
internal import ShareModel

/// Recognizes sound without a file header by consecutive frames: MPEG audio (ISO 11172-3), AAC (ISO 13818-7), AC-3
/// (ATSC A/52) and DTS (ETSI TS 102 114). It also recognizes sound after an ID3v2 tag (ID3v2.4.0 structure, 3.1), and
/// trusts the size of the tag.
struct AudioFrameInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes = AudioFrameChain.types.union([
        "audio/x-flac", "audio/x-ape", "audio/x-wavpack", "audio/x-tta", "audio/x-musepack",
    ])

    private static let tagLimit = 4
    private static let tagSize = 10
    /// The number of consecutive frames that a search needs, if a tag is longer than it states.
    private static let searchCount = 3
    /// The number of bytes that are read after a tag, enough for several frames.
    private static let blockSize = 8 << 10

    func inspect(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        if start.has("ID3", at: 0), let size = Self.tagSize(start, at: 0) { return try Self.behindTag(sample, size) }
        guard AudioFrame(start, at: 0) != nil else { return nil }
        let chain =
            try AudioFrameChain(start, isWhole: sample.content.size <= Int64(start.count))
            ?? AudioFrameChain(sample.head(), isWhole: sample.content.size <= Int64(sample.content.budget.head))
        return chain?.finding(at: 0)
    }

    private static func behindTag(_ sample: Sample, _ size: Int) throws -> Finding {
        var place = size
        var block: [UInt8] = []
        for _ in 0..<tagLimit {
            block = try sample.content.read(at: Int64(place), count: blockSize)
            guard block.has("ID3", at: 0), let next = tagSize(block, at: 0) else { break }
            place += next
        }
        // Tags often have more padding than they state.
        let padding = block.prefix { $0 == 0 }.count
        if padding > 0, padding < block.count { block.removeFirst(padding) }
        place += padding
        if let type = named(block) {
            return Finding(type, Evidence("ID3v2", "a tag before the sound", at: Int64(place)))
        }
        let isWhole = Int64(place) + Int64(block.count) >= sample.content.size
        if let finding = AudioFrameChain(block, isWhole: isWhole)?.finding(at: place) { return finding }
        if let offset = AudioFrameChain.search(block, count: searchCount) {
            return AudioFrameChain(Array(block[offset...]), isWhole: isWhole)?.finding(at: place + offset)
                ?? Finding("audio/mpeg", Evidence("ID3v2", "a tag", at: 0), .likely)
        }
        return Finding("audio/mpeg", Evidence("ID3v2", "a tag", at: 0), .likely)
    }

    /// Formats with their own signature that also occur after tags.
    private static func named(_ block: [UInt8]) -> MediaType? {
        if block.has("fLaC", at: 0) { return "audio/x-flac" }
        if block.has("MAC ", at: 0) { return "audio/x-ape" }
        if block.has("wvpk", at: 0) { return "audio/x-wavpack" }
        if block.has("TTA1", at: 0) { return "audio/x-tta" }
        return block.has("MPCK", at: 0) || block.has("MP+", at: 0) ? "audio/x-musepack" : nil
    }

    /// The size of a tag with its header and footer, stored in four groups of seven bits.
    private static func tagSize(_ bytes: [UInt8], at place: Int) -> Int? {
        // No byte of the version is 0xFF, and no byte of the size has its highest bit set, so that they cannot look
        // like the syncword of a frame (ID3v2.4.0 structure, 3.1).
        guard bytes.big(place + 3, 1).isIn(2...4), bytes.big(place + 4, 1).isIn(0...0xFE),
            let flags = bytes.big(place + 5, 1), let number = bytes.big(place + 6, 4), number & 0x8080_8080 == 0
        else { return nil }
        let size = (number & 0x7F) | (number & 0x7F00) >> 1 | (number & 0x7F_0000) >> 2 | (number & 0x7F00_0000) >> 3
        return size + tagSize * (flags & 0x10 != 0 ? 2 : 1)
    }
}
