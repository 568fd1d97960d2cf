/// A page's size in points, as the PDF claims it: finite and positive.
struct PageSize: Equatable {
    var width: Double
    var height: Double

    /// `nil` where a side is zero, negative, infinite or not a number.
    init?(width: Double, height: Double) {
        guard width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }
}

/// The pixels of a thumbnail; they depend on the page's shape alone, never on its claimed size.
struct ThumbnailSize: Equatable {
    /// The longest side, in pixels.
    static let longestSide = 256.0

    var width: Int32
    var height: Int32
    /// Pixels for one point.
    var scale: Double

    /// `nil` where the page is too large or too small for the arithmetic.
    init?(of page: PageSize) {
        scale = Self.longestSide / max(page.width, page.height)
        guard scale.isFinite, scale > 0 else { return nil }
        width = Int32(max(1, (page.width * scale).rounded()))
        height = Int32(max(1, (page.height * scale).rounded()))
    }
}
