internal import Formats
internal import ShareModel

/// Recognizes formats without a signature by numbers that must agree with each other and with the size.
///
/// Binary STL has 80 bytes, the number of triangles, and 50 bytes for each. Targa (Truevision's version 2.0) has a
/// header with a color map and a depth that fit the kind of image, and may have a footer. A wireless bitmap has a width
/// and a height.
struct LayoutInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = ["model/stl", "image/x-tga", "image/vnd.wap.wbmp", "application/x-tex-tfm"]

    private static let footerSize: Int64 = 18
    /// The largest number of triangles that a claim may give to a file of another size. Random bytes nearly always say
    /// more.
    private static let mostTriangles = 1 << 24
    /// The smallest side of a wireless bitmap, in pixels. Data that begins with small numbers looks like smaller ones.
    private static let smallestSide: Int64 = 8

    func inspect(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        if let count = start.little(80, 4), count > 0 {
            if sample.content.size == 84 + 50 * Int64(count) {
                return Finding("model/stl", Evidence("layout", "\(count) triangles fill the file", at: 80))
            }
            // A file that was cut off, or that has more behind the triangles.
            if count <= Self.mostTriangles { sample.possible.insert("model/stl") }
        }
        if let size = Self.bitmap(start), size == sample.content.size {
            return Finding("image/vnd.wap.wbmp", Evidence("layout", "a picture of two colors fills the file"), .likely)
        }
        if let words = Self.metric(start), 4 * Int64(words) == sample.content.size {
            return Finding("application/x-tex-tfm", Evidence("layout", "the tables of a font fill the file"))
        }
        guard let size = Self.targa(start) else { return nil }
        let footer = try sample.content.read(at: sample.content.size - Self.footerSize, count: Int(Self.footerSize))
        if footer.has("TRUEVISION-XFILE.", at: 0) {
            return Finding("image/x-tga", Evidence("Targa", "header and footer", at: 0))
        }
        sample.possible.insert("image/x-tga")
        guard
            size.isPacked ? Self.arePackets(sample, size) : sample.content.size == size.image + size.pixels * size.depth
        else { return nil }
        return Finding("image/x-tga", Evidence("Targa", "header, and its image fills the file", at: 0), .likely)
    }

    /// The size of a file with a wireless bitmap of type 0 (WAP-237, 6.4): two zeros, width and height in groups of
    /// seven bits, and a bit for each pixel. `nil` if the bytes are no such header.
    private static func bitmap(_ start: [UInt8]) -> Int64? {
        guard start.isZero(0, 2) else { return nil }
        var place = 2
        var sides: [Int64] = []
        for _ in 0..<2 {
            var (side, isEnd) = (Int64(0), false)
            while !isEnd {
                guard let byte = start.big(place, 1), side < 1 << 14 else { return nil }
                side = side << 7 | Int64(byte & 0x7F)
                isEnd = byte & 0x80 == 0
                place += 1
            }
            guard side >= smallestSide else { return nil }
            sides.append(side)
        }
        return Int64(place) + (sides[0] + 7) / 8 * sides[1]
    }

    /// The size of a font metric of TeX in words of four bytes, which is the sum of its parts (The TeXbook's companion
    /// "TeX: The Program", 540). `nil` if the bytes are no such header.
    private static func metric(_ start: [UInt8]) -> Int? {
        let sizes = (0..<12).compactMap { start.big(2 * $0, 2) }
        guard sizes.count == 12, sizes[0] > 6, sizes[1] >= 2, sizes[3] < 256, sizes[2] <= sizes[3] + 1 else {
            return nil
        }
        let characters = sizes[3] - sizes[2] + 1
        // No font lacks widths, heights, depths and italic corrections.
        guard sizes[4...7].allSatisfy({ $0 > 0 }) else { return nil }
        return sizes[0] == 6 + sizes[1] + characters + sizes[4...].reduce(0, +) ? sizes[0] : nil
    }

    /// The offset of the image, the number of pixels, the bytes of each pixel, and whether they are run-length encoded.
    private struct Targa {
        var image: Int64
        var pixels: Int64
        var depth: Int64
        var isPacked: Bool
    }

    /// Whether packets follow one another: a count, then one pixel or that number of pixels. The packets must give the
    /// number of pixels in the image, as far as the first bytes show.
    private static func arePackets(_ sample: Sample, _ size: Targa) -> Bool {
        var place = size.image
        var pixels: Int64 = 0
        while pixels < size.pixels {
            guard place < sample.start.count else { return pixels > 0 && place < sample.content.size }
            let head = Int64(sample.start[Int(place)])
            let count = (head & 0x7F) + 1
            place += 1 + (head & 0x80 == 0 ? count : 1) * size.depth
            pixels += count
        }
        return pixels == size.pixels && place <= sample.content.size
    }

    /// The values in a header; `nil` if the bytes are not a Targa header.
    private static func targa(_ start: [UInt8]) -> Targa? {
        // Version 2.0, field 5.6: the two highest bits of the descriptor must be zero.
        guard let map = start.big(1, 1), map <= 1, let kind = start.big(2, 1), [1, 2, 3, 9, 10, 11].contains(kind),
            let depth = start.big(16, 1), let width = start.little(12, 2), let height = start.little(14, 2), width > 0,
            height > 0, let flags = start.big(17, 1), flags & 0xC0 == 0
        else { return nil }
        let isMapped = kind & 3 == 1
        let depths = isMapped ? [8, 16] : kind & 3 == 3 ? [8, 16] : [15, 16, 24, 32]
        guard depths.contains(depth), !isMapped || map == 1 else { return nil }
        let mapDepth = start.big(7, 1) ?? 0
        guard map == 0 ? start.isZero(3, 5) : [15, 16, 24, 32].contains(mapDepth) else { return nil }
        let colors = (start.little(5, 2) ?? 0) * ((mapDepth + 7) / 8)
        return Targa(
            image: 18 + Int64(start.big(0, 1) ?? 0) + Int64(colors), pixels: Int64(width) * Int64(height),
            depth: Int64((depth + 7) / 8), isPacked: kind > 8)
    }
}
