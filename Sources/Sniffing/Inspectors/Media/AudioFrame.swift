/// The header of an audio frame, in a stream without a file header: the values that all frames share, and the length of
/// the frame.
struct AudioFrame: Equatable {
    enum Format: Equatable { case mpeg, adts, ac3, eac3, dts, loas }

    let format: Format
    /// The length of the frame with its header, in bytes.
    let length: Int
    /// The values that all frames of a stream share: version, layer, rate.
    let kind: Int

    /// Bit rates in kbit/s, by version (1, or 2 and 2.5) and layer (I, II, III): ISO 11172-3, 2.4.2.3, and ISO 13818-3,
    /// 2.4.2.3.
    private static let rates: [[Int]] = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
    private static let frequencies = [44100, 48000, 32000]
    /// Bit rates in kbit/s: ATSC A/52, table 5.18.
    private static let dolbyRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    /// The frame at this offset; `nil` if no frame starts there.
    init?(_ bytes: [UInt8], at place: Int) {
        guard let sync = bytes.big(place, 2) else { return nil }
        let frame: AudioFrame? =
            // ADTS comes first, because its syncword also matches that of MPEG audio. It has the layer 0, which MPEG
            // audio reserves.
            if sync & 0xFFF6 == 0xFFF0 {
                Self.adts(bytes, place)
            } else if sync & 0xFFE0 == 0xFFE0 {
                Self.mpeg(bytes, place)
            } else if sync == 0x0B77 {
                Self.dolby(bytes, place)
            } else if sync == 0x7FFE {
                Self.dts(bytes, place)
            } else if sync & 0xFFE0 == 0x56E0 {
                Self.loas(bytes, place)
            } else {
                nil
            }
        guard let frame else { return nil }
        self = frame
    }

    /// Whether two frames can belong to one stream.
    func isKin(of other: AudioFrame) -> Bool { format == other.format && kind == other.kind }

    private init(_ format: Format, _ length: Int, _ kind: Int) {
        self.format = format
        self.length = length
        self.kind = kind
    }

    private static func mpeg(_ bytes: [UInt8], _ place: Int) -> AudioFrame? {
        guard let header = bytes.big(place, 4) else { return nil }
        let (version, layer) = ((header >> 19) & 3, 4 - (header >> 17) & 3)
        let (rate, frequency) = ((header >> 12) & 15, (header >> 10) & 3)
        // Rate 0 is the free format. Its header does not show the length of the frame.
        guard version != 1, layer != 4, (1...14).contains(rate), frequency != 3, header & 3 != 2 else { return nil }
        let isFirst = version == 3
        let kilobits = rates[isFirst ? layer - 1 : layer == 1 ? 3 : 4][rate]
        let hertz = frequencies[frequency] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        let padding = (header >> 9) & 1
        let length =
            switch (layer, isFirst) {
            case (1, _): (12_000 * kilobits / hertz + padding) * 4
            case (3, false): 72_000 * kilobits / hertz + padding
            default: 144_000 * kilobits / hertz + padding
            }
        return AudioFrame(.mpeg, length, version << 8 | layer << 4 | frequency)
    }

    /// ISO 13818-7, 6.2. The layer is 0, the frequency is a defined one, and the length covers the header.
    private static func adts(_ bytes: [UInt8], _ place: Int) -> AudioFrame? {
        guard let fixed = bytes.big(place, 4), let variable = bytes.big(place + 3, 4) else { return nil }
        let length = (variable >> 13) & 0x1FFF
        let frequency = (fixed >> 10) & 15
        guard frequency < 13, length > 8 else { return nil }
        return AudioFrame(.adts, length, (fixed >> 6) & 0x3FFF)
    }

    /// ATSC A/52, 5.3 and E.2.2.
    private static func dolby(_ bytes: [UInt8], _ place: Int) -> AudioFrame? {
        guard let rates = bytes.big(place + 4, 1), let version = bytes.big(place + 5, 1).map({ $0 >> 3 }) else {
            return nil
        }
        if version > 10 {
            guard version <= 16, let size = bytes.big(place + 2, 2) else { return nil }
            return AudioFrame(.eac3, ((size & 0x7FF) + 1) * 2, version)
        }
        let (frequency, code) = (rates >> 6, rates & 63)
        guard frequency < 3, code < 38 else { return nil }
        let kilobits = dolbyRates[code / 2]
        // At 44.1 kHz the length is no whole number of words, so a frame with an odd code has one more (table 5.18).
        let words = [kilobits * 2, kilobits * 96_000 / 44_100 + (code & 1), kilobits * 3][frequency]
        return AudioFrame(.ac3, words * 2, version << 8 | rates & 0xFE)
    }

    /// ETSI TS 102 114, 5.3.1, in words of 16 bits.
    private static func dts(_ bytes: [UInt8], _ place: Int) -> AudioFrame? {
        guard bytes.big(place, 4) == 0x7FFE_8001, let header = bytes.big(place + 4, 5) else { return nil }
        let length = ((header >> 12) & 0x3FFF) + 1
        let samples = (header >> 26) & 0x7F
        return length >= 96 && samples >= 5 ? AudioFrame(.dts, length, samples) : nil
    }

    /// ISO 14496-3, 1.7.2.
    private static func loas(_ bytes: [UInt8], _ place: Int) -> AudioFrame? {
        guard let header = bytes.big(place, 3) else { return nil }
        let length = header & 0x1FFF
        return length > 4 ? AudioFrame(.loas, length + 3, 0) : nil
    }
}
