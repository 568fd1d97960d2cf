/// Texts in the tags of pictures, without the values that cameras and programs write into every file.
enum PictureText {
    /// The longest text in an answer, in characters.
    static let maximumLength = 1_000

    /// The text without control characters and surrounding spaces, at most ``maximumLength`` long; `nil` if no letter
    /// or digit is in it, if it is binary data, or if it is a placeholder.
    static func clean(_ text: String) -> String? {
        let head = text.unicodeScalars.prefix(maximumLength * 2)
        let broken = head.count { $0 == "\u{FFFD}" || (isControl($0) && !$0.properties.isWhitespace) }
        // Zero bytes pad a text; more broken characters than this come from data that is no text.
        guard broken * 8 <= head.count else { return nil }
        let words = head.split { $0.properties.isWhitespace || isControl($0) }
        let clean = String(words.map { String($0) }.joined(separator: " ").prefix(maximumLength))
        guard clean.contains(where: { $0.isLetter || $0.isNumber }), !placeholders.contains(clean.lowercased()) else {
            return nil
        }
        return clean
    }

    /// The clean texts in order, without those that an earlier or longer one repeats.
    static func distinct(_ texts: [String]) -> [String] {
        var all: [String] = []
        for text in texts.compactMap(clean) {
            let key = text.lowercased()
            if all.contains(where: { $0.lowercased().contains(key) }) { continue }
            all.removeAll { key.contains($0.lowercased()) }
            all.append(text)
        }
        return all
    }

    /// The texts of an XMP value with languages, which exiv2 writes as `lang="x-default" Sea, lang="de" Meer`.
    static func languages(_ value: String) -> [String] {
        guard value.hasPrefix("lang=\"") else { return [value] }
        return (", " + value).split(separator: ", lang=\"").compactMap { part in
            part.firstIndex(of: "\"").map { String(part[part.index(after: $0)...]) }
        }
    }

    /// The text of an EXIF comment, which exiv2 writes as `charset=Unicode Words`.
    static func comment(_ value: String) -> String {
        guard value.hasPrefix("charset=") else { return value }
        return String(value.drop { $0 != " " })
    }

    /// A model with its make; only the model if that names the make already, as in NIKON CORPORATION, NIKON D300.
    static func device(make: String?, model: String?) -> String? {
        let (make, model) = (make.flatMap(clean), model.flatMap(clean))
        guard let make else {
            // A number alone is more likely the garbage of a broken directory than a camera.
            return model.flatMap { $0.contains(where: \.isLetter) ? $0 : nil }
        }
        guard let model else { return make }
        let first = model.lowercased().split(separator: " ").first ?? ""
        return make.lowercased().split(separator: " ").contains(first) ? model : clean("\(make) \(model)")
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    /// Values that say nothing about one picture, in lower case. Most are the defaults of cameras.
    private static let placeholders: Set<String> = [
        "olympus digital camera", "minolta digital camera", "konica minolta digital camera", "sony dsc",
        "kodak digital still camera", "digital still camera", "digital camera", "samsung digital camera",
        "samsung camera pictures", "hp photosmart", "casio computer", "exif_jpeg_picture", "exif jpeg picture",
        "exif_jpeg_t", "exif jpeg", "jpeg", "lead technologies inc. v1.01", "lead technologies, inc.",
        "created with gimp", "default", "unknown", "untitled", "none", "null", "(null)", "n/a", "undefined",
        "user comments", "comment", "image", "picture", "photo", "dcim", "ascii", "unicode", "photographer",
        "your name",
        "unknown artist", "unknown author", "owner", "picasa", "description", "title", "caption",
        "type your caption here", "0.0 mm f/0.0", "0 mm f/0", "f/0.0",
    ]
}
