/// The size of a page in points, as the PDF states it; both sides are finite and positive.
struct PageSize: Equatable {
    var width: Double
    var height: Double

    /// `nil` if a side is zero, negative, infinite or not a number.
    init?(width: Double, height: Double) {
        guard width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }
}

/// The size of a thumbnail in pixels. It depends on the shape of the page, not on its stated size.
struct ThumbnailSize: Equatable {
    /// The longest side, in pixels.
    static let longestSide = 256.0

    var width: Int32
    var height: Int32
    /// The number of pixels for one point.
    var scale: Double

    /// The size for a page without a usable size of its own.
    static let square = ThumbnailSize(width: Int32(longestSide), height: Int32(longestSide), scale: 1)

    private init(width: Int32, height: Int32, scale: Double) {
        self.width = width
        self.height = height
        self.scale = scale
    }

    /// `nil` if the page is too large or too small for floating-point arithmetic.
    init?(of page: PageSize) {
        scale = Self.longestSide / max(page.width, page.height)
        guard scale.isFinite, scale > 0 else { return nil }
        width = Int32(max(1, (page.width * scale).rounded()))
        height = Int32(max(1, (page.height * scale).rounded()))
    }
}
