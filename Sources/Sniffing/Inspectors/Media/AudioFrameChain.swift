internal import Formats
internal import ShareModel

/// Frames of sound that follow one another from the beginning of a block.
struct AudioFrameChain {
    static let types: Set<MediaType> = ["audio/mpeg", "audio/x-aac", "audio/ac3", "audio/eac3", "audio/vnd.dts"]

    private let first: AudioFrame
    private let confidence: Confidence

    /// So many headers in a row are no chance.
    private static let certainCount = 3
    /// A search of this many beginnings has been in vain.
    private static let candidateLimit = 1024

    /// `nil` where no frames follow one another. Where the block is all there is, fewer do, if they fill it, or if the
    /// first says how it was encoded.
    init?(_ block: [UInt8], isWhole: Bool) {
        guard let first = AudioFrame(block, at: 0) else { return nil }
        self.first = first
        var place = first.length
        var count = 1
        while count < Self.certainCount, let next = AudioFrame(block, at: place), next.isKin(of: first) {
            count += 1
            place += next.length
        }
        if count >= Self.certainCount {
            confidence = .certain
        } else if Self.hasEncoderTag(block, first) {
            confidence = count > 1 ? .certain : .likely
        } else if isWhole, count > 1 ? Self.isEnd(block, place) : place == block.count {
            // The last frame may be cut off, or it is the only one.
            confidence = .likely
        } else {
            return nil
        }
    }

    /// Where so many frames that follow one another begin; `nil` where they do not, or after too many beginnings in
    /// vain.
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

    /// What the frames are, of a block that begins at a place.
    func finding(at place: Int) -> Finding {
        let (type, name): (MediaType, String) =
            switch first.format {
            case .mpeg: ("audio/mpeg", "MPEG audio")
            case .adts: ("audio/x-aac", "ADTS")
            case .loas: ("audio/x-aac", "LOAS")
            case .ac3: ("audio/ac3", "AC-3")
            case .eac3: ("audio/eac3", "E-AC-3")
            case .dts: ("audio/vnd.dts", "DTS")
            }
        return Finding(type, Evidence("audio frames", name, at: Int64(place)), confidence)
    }

    /// Whether there is nothing more, but for a tag at the end (ID3v1, APEv2).
    private static func isEnd(_ block: [UInt8], _ place: Int) -> Bool {
        place >= block.count || block.has("TAG", at: place) || block.has("APETAGEX", at: place)
    }

    /// Encoders leave the number of frames in the first one, behind its side information.
    private static func hasEncoderTag(_ block: [UInt8], _ first: AudioFrame) -> Bool {
        guard first.format == .mpeg else { return false }
        return [13, 21, 36].contains { place in
            ["Xing", "Info", "VBRI"].contains { block.has($0, at: place) }
        }
    }
}
