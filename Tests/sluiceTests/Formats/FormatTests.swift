import Formats
import Testing

@Suite struct ImageSizeTests {
    struct Header: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var size: [Int]

        init(_ name: String, _ size: [Int], _ bytes: [UInt8]...) {
            testDescription = name
            self.size = size
            // A file has more than its header.
            self.bytes = bytes.flatMap { $0 } + [UInt8](repeating: 0, count: 32)
        }
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static let headers = [
        Header(
            "PNG", [258, 3], [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13], text("IHDR"),
            [0, 0, 1, 2, 0, 0, 0, 3]),
        Header("GIF", [258, 3], text("GIF89a"), [2, 1, 3, 0]),
        Header(
            "JPEG", [258, 3], [0xFF, 0xD8], [0xFF, 0xE0, 0, 4, 9, 9], [0xFF, 0xFF, 0xC4, 0, 3, 7],
            [0xFF, 0xC2, 0, 11, 8, 0, 3, 1, 2]),
        Header(
            "WebP, lossy", [258, 3], text("RIFF"), [9, 9, 9, 9], text("WEBPVP8 "),
            [9, 9, 9, 9, 0, 0, 0, 0x9D, 1, 0x2A],
            [2, 0x41, 3, 0x80]),
        Header(
            "WebP, lossless", [258, 3], text("RIFF"), [9, 9, 9, 9], text("WEBPVP8L"), [9, 9, 9, 9, 0x2F],
            [0x01, 0x81, 0, 0]),
        Header(
            "WebP, extended", [258, 3], text("RIFF"), [9, 9, 9, 9], text("WEBPVP8X"), [9, 9, 9, 9, 0, 0, 0, 0],
            [1, 1, 0, 2, 0, 0]),
        Header("BMP", [258, 3], text("BM"), [UInt8](repeating: 9, count: 16), [2, 1, 0, 0, 3, 0, 0, 0]),
        Header("ICO", [256, 32], [0, 0, 1, 0, 1, 0, 0, 32]),
    ]

    @Test(arguments: headers)
    func isReadFromTheHeader(_ header: Header) throws {
        let size = try #require(try ImageSize(ContentBytes(header.bytes)))
        #expect([size.width, size.height] == header.size)
    }

    @Test(arguments: headers)
    func aHeaderCutOffHasNone(_ header: Header) throws {
        let whole = header.bytes.dropLast(32)
        for count in 0..<whole.count { #expect(try ImageSize(ContentBytes(Array(whole.prefix(count)))) == nil) }
    }

    @Test func aJPEGWithoutAFrameEnds() throws {
        let segments = [UInt8]([0xFF, 0xE1, 0, 2]) + [UInt8](repeating: 0xFF, count: 1 << 16)
        #expect(try ImageSize(ContentBytes([0xFF, 0xD8] + segments)) == nil)
    }
}
