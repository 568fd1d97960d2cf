/// A picture in sixels: columns of six pixels, one color after the other (DEC STD 070, "Sixel Graphics Extension").
package enum SixelPicture {
    /// The pixels of a sixel.
    package static let tall = 6

    /// - Parameter colors: the most colors, at least 2.
    /// - Returns: the bytes, and the height in pixels, which is that of whole sixels.
    package static func bytes(_ pixels: Pixels, colors: Int) -> (bytes: [UInt8], height: Int) {
        let palette = Palette(of: pixels, colors: colors)
        let indices = palette.indices(of: pixels)
        // Square pixels; those that are not drawn keep the background.
        var bytes = Array("\u{1B}P0;1q\"1;1;\(pixels.width);\(pixels.height)".utf8)
        for (number, color) in palette.colors.enumerated() {
            let percents = [color.red, color.green, color.blue].map { "\((Int($0) * 100 + 127) / 255)" }
            bytes += "#\(number);2;\(percents.joined(separator: ";"))".utf8
        }
        for top in stride(from: 0, to: pixels.height, by: tall) {
            add(band(top, indices, pixels), width: pixels.width, to: &bytes)
        }
        bytes += "\u{1B}\\".utf8
        return (bytes, (pixels.height + tall - 1) / tall * tall)
    }

    /// The sixels of a band of rows, for each color in it.
    private static func band(_ top: Int, _ indices: [UInt8], _ pixels: Pixels) -> [UInt8: [UInt8]] {
        var band: [UInt8: [UInt8]] = [:]
        for row in top..<min(top + tall, pixels.height) {
            for column in 0..<pixels.width {
                band[indices[row * pixels.width + column], default: Array(repeating: 0, count: pixels.width)][column] |=
                    1 << UInt8(row - top)
            }
        }
        return band
    }

    private static func add(_ band: [UInt8: [UInt8]], width: Int, to bytes: inout [UInt8]) {
        for (place, color) in band.sorted(by: { $0.key < $1.key }).enumerated() {
            bytes += "\(place == 0 ? "" : "$")#\(color.key)".utf8
            // Empty sixels at the end need no bytes.
            let end = (color.value.lastIndex { $0 != 0 } ?? -1) + 1
            var start = 0
            while start < end {
                let sixel = color.value[start]
                let next = color.value[start..<end].firstIndex { $0 != sixel } ?? end
                add(sixel, count: next - start, to: &bytes)
                start = next
            }
        }
        bytes.append(UInt8(ascii: "-"))
    }

    /// A run of equal sixels. From four on, a count is shorter.
    private static func add(_ sixel: UInt8, count: Int, to bytes: inout [UInt8]) {
        let character = UInt8(ascii: "?") + sixel
        if count > 3 {
            bytes += "!\(count)".utf8
            bytes.append(character)
        } else {
            bytes += repeatElement(character, count: count)
        }
    }
}
