/// How many pixels a picture may claim and still get a thumbnail.
enum PixelLimits {
    /// Where pixels stream by (JPEG, PNG), time is what they cost: a billion take some ten seconds.
    static let streamed = 1_000_000_000
    /// Where the reader holds the picture whole (progressive JPEG, interlaced PNG, GIF, WebP, TIFF, HEIF), memory is:
    /// four to eight bytes a pixel.
    static let held = 100_000_000
    /// The longest side: a line of pixels is always held whole.
    static let side = 200_000

    /// Why there is no thumbnail of the picture; `nil` where it can have one.
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
