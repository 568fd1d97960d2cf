/// The few colors that stand for all colors of a picture, found by median cut (Heckbert, "Color Image Quantization for Frame
/// Buffer Display", 1982).
package struct Palette: Equatable {
    package struct Color: Hashable {
        package var red: UInt8
        package var green: UInt8
        package var blue: UInt8

        package init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

        fileprivate subscript(_ channel: Int) -> Int { Int(channel == 0 ? red : channel == 1 ? green : blue) }
    }

    /// At most 256.
    package let colors: [Color]

    /// The bits of a channel that count. More would make the table of colors larger than the picture.
    private static let bits = 5

    /// Colors of the picture that are alike, with the number of their pixels.
    private typealias Box = [(color: Color, count: Int)]

    /// - Parameter colors: the most colors, 2 to 256.
    package init(of pixels: Pixels, colors most: Int) {
        var counts: [Color: Int] = [:]
        for place in stride(from: 0, to: pixels.bytes.count, by: Pixels.depth) {
            counts[Self.rounded(pixels.bytes, place), default: 0] += 1
        }
        // Sorted, because a dictionary has another order in each process.
        var boxes: [Box] = [counts.map { ($0.key, $0.value) }.sorted { Self.order($0.color) < Self.order($1.color) }]
        while boxes.count < min(most, 256), let place = Self.largest(boxes) {
            let (first, second) = Self.halves(boxes[place])
            boxes[place] = first
            boxes.append(second)
        }
        colors = boxes.map(Self.mean)
    }

    /// The number of a color for each pixel. Each pixel passes its error on to its neighbors (Floyd and Steinberg, 1976).
    package func indices(of pixels: Pixels) -> [UInt8] {
        var known: [Color: UInt8] = [:]
        var indices: [UInt8] = []
        indices.reserveCapacity(pixels.width * pixels.height)
        // The errors in sixteenths, for this row and the next, with a pixel more at both ends.
        var errors = [Int](repeating: 0, count: (pixels.width + 2) * Pixels.depth)
        var below = errors
        // The color of a pixel with the errors of its neighbors.
        var wanted = [UInt8](repeating: 0, count: Pixels.depth)
        for row in 0..<pixels.height {
            for column in 0..<pixels.width {
                let (source, here) = ((row * pixels.width + column) * Pixels.depth, (column + 1) * Pixels.depth)
                for channel in 0..<Pixels.depth {
                    let value = Int(pixels.bytes[source + channel]) + errors[here + channel] / 16
                    wanted[channel] = UInt8(min(max(value, 0), 255))
                }
                let key = Self.rounded(wanted, 0)
                let index = known[key] ?? nearest(to: key)
                known[key] = index
                indices.append(index)
                for channel in 0..<Pixels.depth {
                    let error = Int(wanted[channel]) - colors[Int(index)][channel]
                    errors[here + Pixels.depth + channel] += error * 7
                    below[here - Pixels.depth + channel] += error * 3
                    below[here + channel] += error * 5
                    below[here + Pixels.depth + channel] += error
                }
            }
            errors = below
            below = [Int](repeating: 0, count: errors.count)
        }
        return indices
    }

    private func nearest(to color: Color) -> UInt8 {
        let distances = colors.map { other in
            (0..<Pixels.depth).reduce(0) { $0 + (color[$1] - other[$1]) * (color[$1] - other[$1]) }
        }
        return UInt8(distances.indices.min { distances[$0] < distances[$1] } ?? 0)
    }

    /// The color of a pixel with fewer bits, spread over all values: black stays black, white stays white.
    private static func rounded(_ bytes: [UInt8], _ place: Int) -> Color {
        let channel = { (value: UInt8) in (value >> (8 - bits)) << (8 - bits) | value >> bits }
        return Color(
            red: channel(bytes[place]), green: channel(bytes[place + 1]), blue: channel(bytes[place + 2]))
    }

    private static func order(_ color: Color) -> Int { color[0] << 16 | color[1] << 8 | color[2] }

    /// The box to divide next: that with the most pixels, of those with several colors.
    private static func largest(_ boxes: [Box]) -> Int? {
        let pixels = boxes.map { box in box.count > 1 ? box.reduce(0) { $0 + $1.count } : 0 }
        return pixels.indices.max { pixels[$0] < pixels[$1] }.flatMap { pixels[$0] > 0 ? $0 : nil }
    }

    /// Divides a box of several colors in its widest channel, where half of its pixels are on each side.
    private static func halves(_ box: Box) -> (Box, Box) {
        let widths = (0..<Pixels.depth).map { channel in
            let values = box.map { $0.color[channel] }
            return (values.max() ?? 0) - (values.min() ?? 0)
        }
        let widest = widths.indices.max { widths[$0] < widths[$1] } ?? 0
        let sorted = box.sorted { ($0.color[widest], order($0.color)) < ($1.color[widest], order($1.color)) }
        let half = sorted.reduce(0) { $0 + $1.count } / 2
        var (sum, cut) = (0, 0)
        while cut < sorted.count - 1, sum + sorted[cut].count <= half || cut == 0 {
            sum += sorted[cut].count
            cut += 1
        }
        return (Array(sorted[..<cut]), Array(sorted[cut...]))
    }

    private static func mean(_ box: Box) -> Color {
        let count = max(box.reduce(0) { $0 + $1.count }, 1)
        let channels = (0..<Pixels.depth).map { channel in
            UInt8((box.reduce(0) { $0 + $1.color[channel] * $1.count } + count / 2) / count)
        }
        return Color(red: channels[0], green: channels[1], blue: channels[2])
    }
}
