/// The dates of a picture: when it was taken or made, and when a program changed it.
struct PictureDates {
    /// Returns the first present value of these tags.
    private let first: ([String]) -> String?

    init(first: @escaping ([String]) -> String?) {
        self.first = first
    }

    /// When the picture was taken. If no tag states it: when it was digitized or made, else the time of the satellites.
    var taken: PictureDate? {
        let satellite = satellite
        let exif = [
            ("Exif.Photo.DateTimeOriginal", "Exif.Photo.OffsetTimeOriginal"),
            ("Exif.Image.DateTimeOriginal", "Exif.Photo.OffsetTimeOriginal"),
            ("Exif.Photo.DateTimeDigitized", "Exif.Photo.OffsetTimeDigitized"),
        ]
        for (tag, zone) in exif {
            if let date = date(tag) { return date.inZone(first([zone])).inZone(atUTC: satellite) }
        }
        let date =
            date("Xmp.exif.DateTimeOriginal") ?? date("Xmp.photoshop.DateCreated") ?? iptc
            ?? date("Xmp.xmp.CreateDate")
        return date?.inZone(atUTC: satellite) ?? satellite
    }

    /// When a program last changed the file.
    var modified: PictureDate? {
        date("Exif.Image.DateTime")?.inZone(first(["Exif.Photo.OffsetTime"])) ?? date("Xmp.xmp.ModifyDate")
    }

    private var iptc: PictureDate? {
        guard let day = first(["Iptc.Application2.DateCreated"]) else { return nil }
        guard let time = first(["Iptc.Application2.TimeCreated"]), let date = PictureDate("\(day)T\(time)") else {
            return PictureDate(day)
        }
        // IPTC always has a zone. Programs that do not know it write that of UTC.
        return date.isUTC ? date.withoutZone : date
    }

    /// The time of the satellites, in UTC.
    private var satellite: PictureDate? {
        guard let day = first(["Exif.GPSInfo.GPSDateStamp"]), let time = first(["Exif.GPSInfo.GPSTimeStamp"]) else {
            return nil
        }
        let parts = PicturePosition.fractions(time).map { $0.flatMap { Int(exactly: $0.rounded(.down)) } }
        guard parts.count == 3 else { return nil }
        // The parts are numbers, and a date has two digits of each.
        let digits = parts.compactMap { $0 }.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits.count == 3 ? PictureDate("\(day) \(digits.joined(separator: ":"))Z") : nil
    }

    private func date(_ tag: String) -> PictureDate? {
        first([tag]).flatMap { PictureDate($0) }
    }
}
