/// The place of a picture on the earth, in decimal degrees.
struct PicturePosition: Equatable {
    var latitude: Double
    var longitude: Double

    /// `nil` if a value is missing, broken or out of range, or if both are zero, which receivers write without a signal.
    init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0
        else { return nil }
        self.latitude = Self.rounded(latitude)
        self.longitude = Self.rounded(longitude)
    }

    /// The degrees of EXIF: `33/1 30/1 0/1` with the direction `S`.
    static func degrees(exif value: String?, direction: String?) -> Double? {
        guard let value, let direction else { return nil }
        return degrees(fractions(value), direction: direction)
    }

    /// The degrees of XMP: `33,30.0S` or `33,30,0S`.
    static func degrees(xmp value: String?) -> Double? {
        guard let value, let direction = value.last else { return nil }
        return degrees(value.dropLast().split(separator: ",").map { Double($0) }, direction: String(direction))
    }

    /// The numbers of a list of fractions; `nil` for one without a value.
    static func fractions(_ value: String) -> [Double?] {
        value.split(separator: " ").map { fraction in
            let parts = fraction.split(separator: "/").map { Double($0) }
            guard parts.count == 2, let above = parts[0], let below = parts[1] else { return nil }
            return below == 0 ? nil : above / below
        }
    }

    private static func degrees(_ parts: [Double?], direction: String) -> Double? {
        // Minutes and seconds without a value count as zero: programs that know only degrees write 0/0 for them.
        guard (1...3).contains(parts.count), let whole = parts[0], parts.allSatisfy({ ($0 ?? 0) >= 0 }) else {
            return nil
        }
        let degrees = zip(parts.dropFirst(), [60.0, 3600.0]).reduce(whole) { $0 + ($1.0 ?? 0) / $1.1 }
        guard degrees.isFinite else { return nil }
        switch direction.first {
        case "N", "E": return degrees
        case "S", "W": return -degrees
        default: return nil
        }
    }

    /// Rounds to a millionth of a degree, which is a tenth of a meter.
    private static func rounded(_ degrees: Double) -> Double {
        (degrees * 1_000_000).rounded() / 1_000_000
    }
}
