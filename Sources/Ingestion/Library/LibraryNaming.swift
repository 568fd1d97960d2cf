internal import Foundation
internal import GroupContainer
internal import ShareModel
internal import Sniffing

/// Under which name a person looks for content: by its class, the year that it came in, and its own name, in normal form
/// C, with the ending of its type.
enum LibraryNaming {
    /// The longest name before its number, in bytes.
    private static let nameLimit = 200

    static func name(of piece: LibraryPiece) -> LibraryName {
        let name = withEnding(SafeName.make(piece.name.precomposedStringWithCanonicalMapping), of: piece.type)
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let ending = String(name[dot...])
        let isLong = name.utf8.count > nameLimit
        return LibraryName(
            folders: [folder(ContentClass(of: piece.type)), String(piece.received.prefix(4))],
            stem: isLong
                ? String(name[..<dot]).cut(toBytes: nameLimit - min(ending.utf8.count, 32)) : String(name[..<dot]),
            ending: ending.utf8.count > 32 ? "" : ending
        ) { $0.lowercased().precomposedStringWithCanonicalMapping }
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
