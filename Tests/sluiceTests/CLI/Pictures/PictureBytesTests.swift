import Ingestion
import SystemPackage
import Testing

@testable import sluice

/// The bytes of pictures, and their places in a tree.
@Suite struct PictureBytesTests {
    private static let red: [UInt8] = [255, 0, 0]
    private static let blue: [UInt8] = [0, 0, 255]

    private func pixels(_ width: Int, _ height: Int, _ bytes: [UInt8]) throws -> Pixels {
        try #require(Pixels(width: width, height: height, bytes: bytes))
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
    }

    @Test(arguments: [(0, 1, 0), (1, 1, 2), (1, 1, 4), (2, 1, 7), (-1, -1, 3), (Int.max, Int.max, 3)])
    func pixelsHaveTheirBytes(width: Int, height: Int, count: Int) {
        #expect(Pixels(width: width, height: height, bytes: Array(repeating: 0, count: count)) == nil)
    }

    @Test func aSmallKittyPictureIsOnePiece() throws {
        let bytes = KittyPicture.bytes(try pixels(1, 1, Self.red))
        #expect(text(bytes) == #"^_Ga=T,t=d,f=24,s=1,v=1,C=1,q=2,m=0;/wAA^\"#)
    }

    @Test func aLargerKittyPictureHasPieces() throws {
        // 3,072 bytes are 4,096 in base64, which is the most for a piece.
        let whole = KittyPicture.bytes(try pixels(32, 32, Array(repeating: 0, count: 3_072)))
        #expect(text(whole) == "^_Ga=T,t=d,f=24,s=32,v=32,C=1,q=2,m=0;" + String(repeating: "A", count: 4_096) + #"^\"#)
        let two = KittyPicture.bytes(try pixels(32, 33, Array(repeating: 0, count: 3_168)))
        #expect(
            text(two) == "^_Ga=T,t=d,f=24,s=32,v=33,C=1,q=2,m=1;" + String(repeating: "A", count: 4_096) + #"^\"#
                + "^_Gq=2,m=0;" + String(repeating: "A", count: 128) + #"^\"#)
    }

    @Test func aSixelPictureHasALineForEachColor() throws {
        let picture = SixelPicture.bytes(try pixels(2, 1, Self.red + Self.blue), colors: 256)
        #expect(text(picture.bytes) == ##"^P0;1q"1;1;2;1#0;2;0;0;100#1;2;100;0;0#0?@$#1@-^\"##)
        #expect(picture.height == 6)
    }

    @Test func runsAreCountedAndBandsAreSixPixels() throws {
        let picture = SixelPicture.bytes(
            try pixels(5, 7, Array(repeatElement(Self.red, count: 35).joined())), colors: 2)
        #expect(text(picture.bytes) == ##"^P0;1q"1;1;5;7#0;2;100;0;0#0!5~-#0!5@-^\"##)
        #expect(picture.height == 12)
        let short = SixelPicture.bytes(
            try pixels(3, 1, Array(repeatElement(Self.red, count: 3).joined())), colors: 2)
        #expect(text(short.bytes) == ##"^P0;1q"1;1;3;1#0;2;100;0;0#0@@@-^\"##)
    }

    /// A picture with all colors that differ in the upper bits of a channel.
    private func colorful() throws -> Pixels {
        let values = stride(from: UInt8(0), through: 240, by: 16)
        let bytes = values.flatMap { red in values.flatMap { green in values.flatMap { [red, green, $0] } } }
        return try pixels(256, 16, bytes)
    }

    @Test(arguments: [2, 16, 255, 256])
    func aPaletteHasNoMoreColorsThanTheTerminal(most: Int) throws {
        let pixels = try colorful()
        let palette = Palette(of: pixels, colors: most)
        #expect(palette.colors.count == most)
        #expect(palette == Palette(of: pixels, colors: most))
        let indices = palette.indices(of: pixels)
        #expect(indices.count == 256 * 16)
        #expect(Set(indices).count > most / 2 && indices.allSatisfy { $0 < most })
    }

    /// On the whole, a picture keeps its brightness: the errors of pixels go to their neighbors.
    @Test func fewColorsKeepTheBrightness() throws {
        let row = (0..<64).flatMap { Array(repeating: UInt8($0 * 4), count: 3) }
        let pixels = try pixels(64, 64, Array(repeatElement(row, count: 64).joined()))
        let palette = Palette(of: pixels, colors: 2)
        let shown = palette.indices(of: pixels).reduce(0) { $0 + Int(palette.colors[Int($1)].green) }
        let wanted = pixels.bytes.reduce(0) { $0 + Int($1) } / 3
        #expect(abs(shown - wanted) < wanted / 20)
    }

    @Test func aPictureIsBelowItsBranch() throws {
        let picture = TerminalPicture(rows: 2, bytes: [UInt8(ascii: "P")])
        let lines = Tree("a", [Tree("b", [Tree("c")], picture: picture), Tree("d")]).lines
        #expect(lines.map { $0.rendered(color: false) } == ["a", "├─ b", "│  └─ c", "│  ", "│  ", "└─ d"])
        #expect(lines.map { $0.picture != nil } == [false, false, false, false, true, false])
    }

    @Test func thePictureIsDrawnOverItsRows() throws {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        let console = Console(
            output: OutputStream(pipe.writeEnd),
            outputTerminal: Terminal(isTerminal: true, kind: "xterm", noColor: true))
        console.print(Tree("a", [Tree("b", picture: TerminalPicture(rows: 2, bytes: [UInt8(ascii: "P")]))]).lines)
        try pipe.writeEnd.close()
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = try buffer.withUnsafeMutableBytes { try pipe.readEnd.read(into: $0) }
        #expect(text(Array(buffer[..<count])) == "a\n└─ b\n   \n   \n^7^[2A^[3CP^8")
    }
}
