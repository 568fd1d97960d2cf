/// A position in the form of ISO 6709, such as `+48.2000+016.3700/`, which cameras and phones write.
struct MediaPosition: Equatable {
    /// In decimal degrees, rounded to a ten-millionth, which is a centimeter.
    var latitude: Double
    var longitude: Double

    /// `nil` if the text is no position on the earth, or if both values are zero, which means that none is known.
    init?(_ text: String) {
        var rest = text.prefix(64)
        guard let latitude = Self.degrees(&rest, digits: 2), let longitude = Self.degrees(&rest, digits: 3),
            abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// A signed angle in degrees, in degrees and minutes, or in degrees, minutes and seconds; the last part may have a
    /// fraction. `digits` is the number of digits of the degrees.
    private static func degrees(_ text: inout Substring, digits: Int) -> Double? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        text.removeFirst()
        let whole = text.prefix(while: \.isASCIIDigit)
        text = text.dropFirst(whole.count)
        var fraction: Substring = ""
        if text.first == "." {
            fraction = text.dropFirst().prefix(while: \.isASCIIDigit)
            text = text.dropFirst(fraction.count + 1)
        }
        // Some programs write degrees without leading zeros.
        let sizes =
            whole.count <= digits ? [whole.count] : [digits] + Array(repeating: 2, count: (whole.count - digits) / 2)
        guard !whole.isEmpty, sizes.count <= 3, sizes.reduce(0, +) == whole.count else { return nil }
        var rest = whole
        var value = 0.0
        for (index, size) in sizes.enumerated() {
            let isLast = index == sizes.count - 1
            let part = rest.prefix(size) + (isLast && !fraction.isEmpty ? "." + fraction : "")
            guard let number = Double(part), index == 0 || number < 60 else { return nil }
            value += number / [1, 60, 3600][index]
            rest = rest.dropFirst(size)
        }
        return ((sign == "-" ? -value : value) * 1e7).rounded() / 1e7
    }
}
