import SinkKit
import SinkTools

/// A size in pixels.
struct PixelBox: Equatable {
    var width: Int32
    var height: Int32
}

/// Decodes thumbnails for a program that shows them, one delivery for each.
///
/// No package is delivered to it: the host starts it by itself, with arguments that no `sink.json` has. It speaks the
/// sink protocol, so it has the limits and the sandbox of a sink. The program that shows the pictures parses none.
struct PixelDecoder: Sink {
    static let id = ImageImport.id
    static let version = ImageImport.version

    static let word = "pixels"
    /// The longest side of a box, in pixels.
    static let longestSide: Int32 = 4_096

    private var box = PixelBox(width: 1, height: 1)

    static var isWanted: Bool { CommandLine.arguments.dropFirst().first == word }

    mutating func configure(_ configuration: JSONValue) throws {
        let sides = CommandLine.arguments.dropFirst(2).map { Int32($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy({ (1...Self.longestSide).contains($0) }) else {
            throw SinkFailure(
                .permanent, "\(Self.word) needs a width and a height of 1 to \(Self.longestSide) pixels")
        }
        box = PixelBox(width: sides[0], height: sides[1])
        try ImageFile.start()
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let file = try ImageFile(delivery.contentFile(for: Self.id).path)
        if let tooLarge = PixelLimits.refusal(of: try file.header()) { throw SinkFailure(.permanent, tooLarge) }
        let (size, product) = try file.pixels(fitting: box, in: delivery.out)
        return .delivered(
            metadata: ["width": .integer(Int64(size.width)), "height": .integer(Int64(size.height))],
            products: [product])
    }
}
