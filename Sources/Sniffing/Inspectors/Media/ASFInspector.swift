internal import Formats
internal import ShareModel

/// Recognizes Windows Media by the streams in the header (Advanced Systems Format 1.20.03, 3.1, 3.3 and 9). A file with
/// only sound is WMA. A movie with a codec of Windows Media is WMV.
struct ASFInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = ["video/x-ms-asf", "video/x-ms-wmv", "audio/x-ms-wma"]

    private static let header: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    /// The first eight bytes of the identifiers, as little-endian numbers.
    private static let streamProperties = 0x11CF_A9B7_B7DC_0791
    private static let sound = 0x11CF_5B4D_F869_9E40
    private static let movie = 0x11CF_5B4D_BC19_EFC0
    private static let objectLimit = 32

    func inspect(_ sample: Sample) throws -> Finding? {
        guard sample.start.starts(with: Self.header) else { return nil }
        let end = sample.start.little(16, 8) ?? 0
        let isNear = end <= sample.start.count
        let (hasSound, hasMovie, hasCodec) = Self.streams(isNear ? sample.start : try sample.head())
        let type: MediaType =
            if hasMovie { hasCodec ? "video/x-ms-wmv" : "video/x-ms-asf" } else if hasSound {
                "audio/x-ms-wma"
            } else { "video/x-ms-asf" }
        return Finding(type, Evidence("ASF", "streams in the header", at: 0))
    }

    private static func streams(_ bytes: [UInt8]) -> (sound: Bool, movie: Bool, codec: Bool) {
        var found = (sound: false, movie: false, codec: false)
        // The header object has 30 bytes of its own before the objects in it (3.1).
        var place = 30
        for _ in 0..<objectLimit {
            // The limit keeps the sum of the sizes from overflowing.
            guard let size = bytes.little(place + 16, 8), size >= 24, size < 1 << 32 else { break }
            if bytes.little(place, 8) == streamProperties {
                switch bytes.little(place + 24, 8) {
                case sound: found.sound = true
                case movie:
                    found.movie = true
                    // Eleven bytes of type-specific data precede a bitmap header, which has the compression at offset
                    // 16.
                    found.codec = found.codec || bytes.has("WMV", at: place + 24 + 54 + 11 + 16)
                default: break
                }
            }
            place += size
        }
        return found
    }
}
