internal import Foundation
package import ShareModel

/// Gives content a name that a person recognizes: `<class>/<year>/<name>`.
///
/// The year is the year in which the package came in. The name is the content's own in normal form C, with the ending
/// of its type. Content without a name of its own gets its package's title.
///
/// The files of a group lie in the folder of its lead, and their names begin with the stem of the lead's: `IMG_1.HEIC`
/// and `IMG_1.MOV`, `page.html` and `page_files.tar`. A file whose own name begins otherwise has it behind a hyphen:
/// `page - icon.png`.
package struct LibraryNaming {
    /// Whether a file name's ending is usual for a type.
    private let fits: (_ name: String, _ type: MediaType) -> Bool

    /// The longest name before its number, in bytes.
    private static let nameLimit = 200
    /// The longest ending that is kept, in bytes.
    private static let endingLimit = 32
    /// The longest text that may follow a lead's stem, however long that stem is, in bytes.
    private static let tailLimit = 40

    /// - Parameter fits: whether a file name's ending is usual for a type.
    package init(fits: @escaping (_ name: String, _ type: MediaType) -> Bool) { self.fits = fits }

    /// The name of a piece, before any number. Each of its parts is a safe name.
    package func name(of piece: LibraryPiece) -> LibraryName {
        guard let lead = piece.lead else { return name(of: piece, Self.title(of: piece) ?? ownName(of: piece)) }
        var leading = piece
        (leading.name, leading.type, leading.lead) = (lead.name, lead.type, nil)
        let whole = Self.title(of: leading) ?? ownName(of: leading)
        var result = name(of: leading, whole)
        let room = max(Self.tailLimit, Self.nameLimit - result.stem.utf8.count)
        result.ending = ending(of: piece, behind: whole.stem, room: room)
        return result
    }

    private func name(of piece: LibraryPiece, _ whole: (stem: String, ending: String)) -> LibraryName {
        let (stem, ending) = whole
        let isLong = stem.utf8.count + ending.utf8.count > Self.nameLimit
        return LibraryName(
            folders: [Self.folder(ContentClass(of: piece.type)), SafeName.make(String(piece.received.prefix(4)))],
            stem: isLong ? stem.cut(toBytes: Self.nameLimit - min(ending.utf8.count, Self.endingLimit)) : stem,
            ending: ending.utf8.count > Self.endingLimit ? "" : ending
        ) { $0.lowercased().precomposedStringWithCanonicalMapping }
    }

    /// What a file has behind the stem of its lead, in at most `room` bytes.
    private func ending(of piece: LibraryPiece, behind stem: String, room: Int) -> String {
        let (own, ending) = ownName(of: piece)
        if Self.isUnnamed(piece) { return ending }
        let name = (own + ending).utf8
        let rest = name.dropFirst(stem.utf8.count)
        // Without regard to case, as groups are found.
        let isAlike = String(Substring(name.prefix(stem.utf8.count))).lowercased() == stem.lowercased()
        if isAlike, rest.first.map(LibraryName.joints.contains) ?? true, rest.count <= room {
            return String(Substring(rest))
        }
        let kept = ending.utf8.count > Self.endingLimit ? "" : ending
        return " - " + own.cut(toBytes: room - 3 - kept.utf8.count) + kept
    }

    /// Whether the content has no name of its own.
    private static func isUnnamed(_ piece: LibraryPiece) -> Bool {
        [InventedName.of(piece.type), SafeName.fallback].contains(piece.name)
    }

    /// The content's own name, split before its ending. A dot at the beginning of a name does not begin an ending.
    private func ownName(of piece: LibraryPiece) -> (stem: String, ending: String) {
        let name = withEnding(SafeName.make(piece.name.precomposedStringWithCanonicalMapping), of: piece.type)
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// The package's title as a name, for content without a name of its own, because a hundred files called `link`
    /// would say nothing; `nil` if the content has a name, or the title gives none.
    private static func title(of piece: LibraryPiece) -> (stem: String, ending: String)? {
        guard isUnnamed(piece), let title = piece.title else { return nil }
        let line = title.precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace)
        let name = SafeName.make(String(line.joined(separator: " ").map { "/\\".contains($0) ? "-" : $0 }))
        guard name != SafeName.fallback else { return nil }
        // A title is prose, so the text behind its last dot is an ending only if it is the type's own.
        let ending = endings[piece.type.description].map { ".\($0)" } ?? ""
        return (name.lowercased().hasSuffix(ending) ? String(name.dropLast(ending.count)) : name, ending)
    }

    /// The folder of a class. Classes that a person does not distinguish share one.
    private static func folder(_ contentClass: ContentClass) -> String {
        switch contentClass {
        case .pdf, .office, .text, .html: "documents"
        case .mail: "mail"
        case .image: "images"
        case .audio: "audio"
        case .video: "videos"
        case .link: "links"
        case .archive: "archives"
        case .font, .binary, .other: "other"
        }
    }

    /// The name unchanged if its ending fits the type; otherwise with the type's own ending added.
    private func withEnding(_ name: String, of type: MediaType) -> String {
        guard let ending = Self.endings[type.description] else { return name }
        return fits(name, type) ? name : "\(name).\(ending)"
    }

    /// The usual endings of types that are shared often.
    private static let endings = [
        "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp",
        "image/heic": "heic", "image/heif": "heif", "image/avif": "avif", "image/tiff": "tiff", "image/bmp": "bmp",
        "image/svg+xml": "svg", "text/plain": "txt", "text/html": "html", "text/csv": "csv", "text/markdown": "md",
        "text/calendar": "ics", "text/vcard": "vcf", "application/json": "json", "application/xml": "xml",
        "application/rtf": "rtf", "application/epub+zip": "epub", "application/zip": "zip", "application/x-tar": "tar",
        "application/gzip": "gz", "application/x-7z-compressed": "7z", "audio/mpeg": "mp3", "audio/mp4": "m4a",
        "audio/x-wav": "wav", "audio/flac": "flac", "audio/ogg": "ogg", "video/mp4": "mp4", "video/quicktime": "mov",
        "video/webm": "webm", "video/x-matroska": "mkv", "message/rfc822": "eml", "application/x-mswinurl": "url",
        "application/x-webloc": "webloc", "application/msword": "doc", "application/vnd.ms-excel": "xls",
        "application/vnd.ms-powerpoint": "ppt",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
        "application/vnd.oasis.opendocument.text": "odt",
    ]
}
