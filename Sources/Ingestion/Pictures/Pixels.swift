/// The pixels of a picture: red, green and blue, a byte each, row by row from the top.
package struct Pixels: Sendable, Equatable {
    package let width: Int
    package let height: Int
    package let bytes: [UInt8]

    /// The bytes of a pixel.
    package static let depth = 3

    /// - Returns: `nil` unless both sides are positive, and there are exactly as many bytes as they need.
    package init?(width: Int, height: Int, bytes: [UInt8]) {
        guard width > 0, height > 0, bytes.count / width / height == Self.depth,
            bytes.count == width * height * Self.depth
        else { return nil }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }
}

/// The largest size that a picture may have, in pixels.
package struct PixelBox: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}
