/// The largest numbers of pixels for a thumbnail.
enum PixelLimits {
    /// If the reader streams the pixels (JPEG, PNG), they cost time: a billion pixels take about ten seconds.
    static let streamed = 1_000_000_000
    /// If the reader holds the picture in memory (progressive JPEG, interlaced PNG, GIF, WebP, TIFF, HEIF), each pixel
    /// costs four to eight bytes.
    static let held = 100_000_000
    /// The longest side, in pixels. The limit exists because every reader holds at least one row of pixels in memory.
    static let side = 200_000

    /// The reason for a missing thumbnail; `nil` if the picture can have one.
    static func refusal(of header: ImageFile.Header) -> String? {
        guard max(header.width, header.height) <= side else {
            return "a side is longer than \(side) pixels"
        }
        let limit = header.streams ? streamed : held
        guard header.width * header.height <= limit else {
            return "\(header.width) × \(header.height) pixels are more than \(limit)"
        }
        return nil
    }
}
