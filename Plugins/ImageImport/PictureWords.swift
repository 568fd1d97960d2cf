import SinkKit

/// The words by which a person finds a picture: what its EXIF, IPTC and XMP say about it.
///
/// A value may be in several places, for example the caption in IPTC, XMP and EXIF. The words are those of all places,
/// without repetition, because a person may remember any of them. XMP comes first, because its encoding is sure.
struct PictureWords {
    /// The largest number of keywords in an answer.
    static let maximumKeywords = 100
    /// The largest number of marked faces whose names are read.
    static let maximumFaces = 32

    private let sources: [PictureTags]

    /// - Parameters:
    ///   - exif: reads the block of EXIF in the picture. It is called if exiv2 refuses the whole file, for example because of a broken
    ///     color profile.
    init(_ path: String, sidecars: [String], exif: () -> [UInt8]?) {
        let own = PictureTags(path) ?? exif().flatMap(PictureTags.init(exif:))
        sources = (own.map { [$0] } ?? []) + sidecars.compactMap { PictureTags($0) }
    }

    /// The values that are present, by their names in the answer.
    var metadata: [String: JSONValue] {
        var all: [String: JSONValue] = [:]
        all["title"] = joined(texts(["Xmp.dc.title", "Iptc.Application2.ObjectName"]) + words(["Exif.Image.XPTitle"]))
        all["subject"] = joined(
            texts(["Xmp.photoshop.Headline", "Iptc.Application2.Headline"]) + words(["Exif.Image.XPSubject"]))
        all["description"] = joined(descriptions)
        all["author"] = joined(authors, by: ", ")
        all["place"] = joined(places, by: ", ")
        let keywords = keywords
        if !keywords.isEmpty { all["keywords"] = .array(keywords.map { .string($0) }) }
        all["camera"] = PictureText.device(
            make: first(["Exif.Image.Make", "Xmp.tiff.Make"]), model: first(["Exif.Image.Model", "Xmp.tiff.Model"])
        ).map { .string($0) }
        all["lens"] = lens.map { .string($0) }
        let dates = PictureDates(first: first)
        all["date"] = dates.taken.map { .string($0.text) }
        if let modified = dates.modified, modified != dates.taken { all["modified"] = .string(modified.text) }
        if let position {
            all["latitude"] = .number(position.latitude)
            all["longitude"] = .number(position.longitude)
        }
        return all
    }

    private var descriptions: [String] {
        texts(["Xmp.dc.description", "Iptc.Application2.Caption", "Exif.Image.ImageDescription"])
            + words(["Exif.Photo.UserComment"]).map(PictureText.comment) + texts(["Xmp.exif.UserComment"])
            + words(["Exif.Image.XPComment"])
    }

    private var authors: [String] {
        lists(["Xmp.dc.creator", "Iptc.Application2.Byline"]) + texts(["Exif.Image.Artist"])
            + words(["Exif.Image.XPAuthor"])
    }

    /// From the smallest place to the largest one.
    private var places: [String] {
        let created = "Xmp.iptcExt.LocationCreated[1]/Iptc4xmpExt:"
        let shown = "Xmp.iptcExt.LocationShown[1]/Iptc4xmpExt:"
        return texts([
            "Xmp.iptc.Location", "Iptc.Application2.SubLocation", created + "Sublocation", shown + "Sublocation",
            "Xmp.photoshop.City", "Iptc.Application2.City", created + "City", shown + "City",
            "Xmp.photoshop.State", "Iptc.Application2.ProvinceState", created + "ProvinceState",
            shown + "ProvinceState",
            "Xmp.photoshop.Country", "Iptc.Application2.CountryName", created + "CountryName", shown + "CountryName",
        ])
    }

    /// The keywords, and the names of the people in the picture.
    private var keywords: [String] {
        let windows = words(["Exif.Image.XPKeywords"]).flatMap { $0.split(separator: ";").map(String.init) }
        let all =
            lists(["Xmp.dc.subject", "Iptc.Application2.Keywords"]) + windows
            + lists(["Xmp.iptcExt.PersonInImage"]) + faces
        var seen: Set<String> = []
        let distinct = all.compactMap(PictureText.clean).filter { seen.insert($0.lowercased()).inserted }
        return Array(distinct.prefix(Self.maximumKeywords))
    }

    private var faces: [String] {
        sources.flatMap { tags in
            var names: [String] = []
            while names.count < Self.maximumFaces,
                let name = tags.text("Xmp.mwg-rs.Regions/mwg-rs:RegionList[\(names.count + 1)]/mwg-rs:Name")
            {
                names.append(name)
            }
            return names
        }
    }

    private var lens: String? {
        if let named = first(["Exif.Photo.LensModel", "Xmp.exifEX.LensModel", "Xmp.aux.Lens"]) { return named }
        // Before EXIF had a tag for it, each maker had its own number for each lens.
        // A Canon camera with a fixed lens has a number all the same, and no focal length of an exchangeable one.
        let canon = first(["Exif.CanonCs.Lens"]) == "0 0 0" ? [] : ["Exif.CanonCs.LensType"]
        let numbers =
            canon + [
                "Exif.NikonLd3.LensIDNumber", "Exif.NikonLd2.LensIDNumber",
                "Exif.OlympusEq.LensType", "Exif.Pentax.LensType", "Exif.PentaxDng.LensType", "Exif.Panasonic.LensType",
                "Exif.Sony1.LensID", "Exif.Sony2.LensID",
            ]
        return words(numbers).compactMap(PictureText.clean).first { value in
            // Exiv2 writes a number that it does not know in parentheses.
            !value.hasPrefix("(") && value.contains(where: \.isLetter)
        }
    }

    private var position: PicturePosition? {
        for tags in sources {
            let exif = PicturePosition(
                latitude: PicturePosition.degrees(
                    exif: tags.text("Exif.GPSInfo.GPSLatitude"), direction: tags.text("Exif.GPSInfo.GPSLatitudeRef")),
                longitude: PicturePosition.degrees(
                    exif: tags.text("Exif.GPSInfo.GPSLongitude"), direction: tags.text("Exif.GPSInfo.GPSLongitudeRef")))
            let xmp = PicturePosition(
                latitude: PicturePosition.degrees(xmp: tags.text("Xmp.exif.GPSLatitude")),
                longitude: PicturePosition.degrees(xmp: tags.text("Xmp.exif.GPSLongitude")))
            if let position = exif ?? xmp { return position }
        }
        return nil
    }

    private func texts(_ names: [String]) -> [String] {
        names.flatMap { name in sources.compactMap { $0.text(name) }.flatMap(PictureText.languages) }
    }

    private func words(_ names: [String]) -> [String] {
        names.flatMap { name in sources.compactMap { $0.words(name) } }
    }

    private func lists(_ names: [String]) -> [String] {
        names.flatMap { name in sources.flatMap { $0.list(name) } }
    }

    /// The first value that says something.
    private func first(_ names: [String]) -> String? {
        for name in names {
            for tags in sources {
                if let value = tags.text(name).flatMap(PictureText.clean) { return value }
            }
        }
        return nil
    }

    private func joined(_ texts: [String], by separator: String = "; ") -> JSONValue? {
        PictureText.clean(PictureText.distinct(texts).joined(separator: separator)).map { .string($0) }
    }
}
