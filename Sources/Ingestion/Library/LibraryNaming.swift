internal import Foundation
internal import GroupContainer
internal import ShareModel
internal import Sniffing

/// Under which name a person looks for content: by its class, the year that it came in, and its own name, in normal form
/// C, with the ending of its type. Content that came without a name has its package's title, where there is one.
enum LibraryNaming {
    /// The longest name before its number, in bytes.
    private static let nameLimit = 200
    /// The longest ending that is kept, in bytes.
    private static let endingLimit = 32

    static func name(of piece: LibraryPiece) -> LibraryName {
        let (stem, ending) = title(of: piece) ?? ownName(of: piece)
        let isLong = stem.utf8.count + ending.utf8.count > nameLimit
        return LibraryName(
            folders: [folder(ContentClass(of: piece.type)), String(piece.received.prefix(4))],
            stem: isLong ? stem.cut(toBytes: nameLimit - min(ending.utf8.count, endingLimit)) : stem,
            ending: ending.utf8.count > endingLimit ? "" : ending
        ) { $0.lowercased().precomposedStringWithCanonicalMapping }
    }

    private static func ownName(of piece: LibraryPiece) -> (stem: String, ending: String) {
        let name = withEnding(SafeName.make(piece.name.precomposedStringWithCanonicalMapping), of: piece.type)
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// The package's title as a name, for content that came without one: a hundred links called `link` tell nothing.
    private static func title(of piece: LibraryPiece) -> (stem: String, ending: String)? {
        guard [InventedName.of(piece.type), SafeName.fallback].contains(piece.name), let title = piece.title else {
            return nil
        }
        let line = title.precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace)
        let name = SafeName.make(String(line.joined(separator: " ").map { "/\\".contains($0) ? "-" : $0 }))
        guard name != SafeName.fallback else { return nil }
        // What stands behind a dot in a title is no ending, but for the type's own.
        let ending = endings[piece.type.description].map { ".\($0)" } ?? ""
        return (name.lowercased().hasSuffix(ending) ? String(name.dropLast(ending.count)) : name, ending)
    }

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

    /// The name as it is where its ending fits the type, in either's wider sense; else with the type's own behind it.
    private static func withEnding(_ name: String, of type: MediaType) -> String {
        guard let ending = endings[type.description] else { return name }
        let database = SharedMIMEDatabase.system
        let isFit = database.types(forName: name).contains {
            database.conforms($0, to: type) || ($0 != .unknown && database.conforms(type, to: $0))
        }
        return isFit ? name : "\(name).\(ending)"
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
