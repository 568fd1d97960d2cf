internal import Formats
internal import ShareModel

/// Consecutive audio frames at the beginning of a block.
struct AudioFrameChain {
    static let types: Set<MediaType> = [
        "audio/mpeg", "audio/x-aac", "audio/ac3", "audio/eac3", "audio/vnd.dts", "audio/vnd.dts.hd",
    ]

    private let first: AudioFrame
    private let confidence: Confidence
    /// Whether an extension of DTS-HD follows the first frame.
    private let isExtended: Bool

    /// The number of consecutive headers that cannot be a coincidence.
    private static let certainCount = 3
    /// The number of possible first frames after which a search stops.
    private static let candidateLimit = 1024

    /// `nil` if there are no consecutive frames. Fewer frames are enough if they fill the whole content, or if the
    /// first has an encoder's tag.
    init?(_ block: [UInt8], isWhole: Bool) {
        guard let first = AudioFrame(block, at: 0) else { return nil }
        self.first = first
        // ETSI TS 102 114, 7.4.1: the sync word of an extension substream.
        isExtended = first.format == .dts && block.big(first.length, 4) == 0x6458_2025
        var place = first.length
        var count = 1
        while count < Self.certainCount, let next = AudioFrame(block, at: place), next.isKin(of: first) {
            count += 1
            place += next.length
        }
        if count >= Self.certainCount || isExtended {
            confidence = .certain
        } else if Self.hasEncoderTag(block, first) {
            confidence = count > 1 ? .certain : .likely
        } else if isWhole, !block.starts(with: [0xFF, 0xFE]),
            count > 1 ? Self.isEnd(block, place) : place == block.count
        {
            // The last frame may be truncated, or may be the only one. What begins with FF FE is more often a short text in
            // UTF-16 than frames of Layer I.
            confidence = .likely
        } else {
            return nil
        }
    }

    /// The offset of the first `count` consecutive frames; `nil` if there are none, or if too many first frames fail.
    static func search(_ block: [UInt8], count: Int) -> Int? {
        var candidates = 0
        for place in 0..<max(0, block.count - 3) where block[place] == 0xFF && block[place + 1] >= 0xE0 {
            guard let frame = AudioFrame(block, at: place) else { continue }
            candidates += 1
            guard candidates < candidateLimit else { return nil }
            var next = place
            let isChain = (0..<count).allSatisfy { _ in
                guard let header = AudioFrame(block, at: next), header.isKin(of: frame) else { return false }
                next += header.length
                return true
            }
            if isChain { return place }
        }
        return nil
    }

    /// The finding for the frames of a block at this offset.
    func finding(at place: Int) -> Finding {
        let (type, name): (MediaType, String) =
            switch first.format {
            case .mpeg: ("audio/mpeg", "MPEG audio")
            case .adts: ("audio/x-aac", "ADTS")
            case .loas: ("audio/x-aac", "LOAS")
            case .ac3: ("audio/ac3", "AC-3")
            case .eac3: ("audio/eac3", "E-AC-3")
            case .dts: isExtended ? ("audio/vnd.dts.hd", "DTS-HD") : ("audio/vnd.dts", "DTS")
            }
        return Finding(type, Evidence("audio frames", name, at: Int64(place)), confidence)
    }

    /// Whether the content ends here, except for a tag (ID3v1, APEv2).
    private static func isEnd(_ block: [UInt8], _ place: Int) -> Bool {
        place >= block.count || block.has("TAG", at: place) || block.has("APETAGEX", at: place)
    }

    /// Encoders write the number of frames into the first one, after its side information.
    private static func hasEncoderTag(_ block: [UInt8], _ first: AudioFrame) -> Bool {
        guard first.format == .mpeg else { return false }
        // The header has 4 bytes. The side information has 9, 17 or 32, by version and channels (ISO 11172-3, 2.4.1.7).
        return [13, 21, 36].contains { place in
            ["Xing", "Info", "VBRI"].contains { block.has($0, at: place) }
        }
    }
}
