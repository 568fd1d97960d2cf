import FoundationEssentials
import Ingestion

/// A picture in kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol).
enum KittyPicture {
    /// The most bytes of a piece, as the protocol demands.
    private static let piece = 4_096

    /// Pixels in pieces, which the terminal shows at once and does not answer (`q=2`). The cursor stays (`C=1`).
    static func bytes(_ pixels: Pixels) -> [UInt8] {
        let text = Data(pixels.bytes).base64EncodedData()
        var keys = "a=T,t=d,f=24,s=\(pixels.width),v=\(pixels.height),C=1,q=2,"
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: piece) {
            let end = min(start + piece, text.count)
            bytes += "\u{1B}_G\(keys)m=\(end < text.count ? 1 : 0);".utf8
            bytes += text[start..<end]
            bytes += "\u{1B}\\".utf8
            keys = "q=2,"
        }
        return bytes
    }
}
