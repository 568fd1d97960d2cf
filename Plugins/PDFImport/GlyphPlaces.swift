import CPoppler

/// The places of a page's characters, which show where a word ends.
///
/// Poppler writes the cells of a row one after the other, without a space: `Data TypeNumeric`.
struct GlyphPlaces {
    /// The longest text whose places are looked at, in bytes. Each character takes 32 bytes more.
    static let maximumBytes = 2 << 20
    /// The smallest gap between two words, as a part of the size of their characters. Poppler itself puts a space into a
    /// gap inside a line, so only the gaps between cells and columns remain.
    static let smallestGap = 0.4

    /// One place for each Unicode scalar of the text.
    let places: UnsafeBufferPointer<PopplerRectangle>

    /// The text with a tab in each gap; unchanged if the places do not fit to it.
    func separate(_ text: String) -> String {
        guard text.unicodeScalars.count == places.count else { return text }
        var separated = String.UnicodeScalarView()
        var previous: (scalar: Unicode.Scalar, place: PopplerRectangle)?
        for (scalar, place) in zip(text.unicodeScalars, places) {
            if let previous, !previous.scalar.properties.isWhitespace, !scalar.properties.isWhitespace,
                Self.isGap(previous.place, place)
            {
                separated.append("\t")
            }
            separated.append(scalar)
            previous = (scalar, place)
        }
        return String(separated)
    }

    /// Whether two characters are too far from each other for one word, in any direction.
    private static func isGap(_ first: PopplerRectangle, _ second: PopplerRectangle) -> Bool {
        let size = min(size(first), size(second))
        let across = max(second.x1 - first.x2, first.x1 - second.x2)
        let down = max(second.y1 - first.y2, first.y1 - second.y2)
        return max(across, down) > smallestGap * size && size > 0
    }

    /// The longer side, which is about the size of the font in horizontal and in vertical text.
    private static func size(_ place: PopplerRectangle) -> Double {
        max(abs(place.x2 - place.x1), abs(place.y2 - place.y1))
    }
}
