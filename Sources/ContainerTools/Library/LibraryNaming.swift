package import ShareModel

/// Gives content a name that a person recognizes: `<class>/<year>/<name>`, or in the other layout
/// `<folders of the source>/<name>`.
///
/// - The year is that of the content's date, as ``SearchDate`` finds it: when a photo was taken or a mail was sent; else
///   the time of the file's last change, or of the arrival.
/// - The name is the content's own in normal form C, with the ending of its type. In the layout by class, a mail, and
///   content whose own name is an ``AutomaticName``, has the title of its package instead, or else the title that a sink
///   found. Without a title, it has the date that a sink found before its own name: `2019-07-04 12.31.05 IMG_0013.jpg`. A
///   link without a title has its address.
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
    /// The part of a title that counts, in bytes. Titles come from senders and sinks.
    private static let titleLimit = 1_000

    /// - Parameter fits: whether a file name's ending is usual for a type.
    package init(fits: @escaping (_ name: String, _ type: MediaType) -> Bool) { self.fits = fits }

    /// The name of a piece, before any number. Each of its parts is a safe name.
    package func name(of piece: LibraryPiece, in layout: LibraryLayout) -> LibraryName {
        let lead = piece.lead ?? piece.file
        let own = ownName(of: lead)
        let byClass = [Self.folder(ContentClass(of: lead.type)), Self.year(of: piece, lead)]
        var result = name(in: byClass, leadName(of: piece, lead, own, layout))
        if layout == .source {
            let folders = SourceFolders.of(piece.source.kind, piece.source.path)
            let spare = [SourceFolders.none] + byClass
            (result.folders, result.spareFolders) = (folders.isEmpty ? spare : folders, spare)
        }
        guard piece.lead != nil else { return result }
        let room = max(Self.tailLimit, Self.nameLimit - result.stem.utf8.count)
        result.ending = ending(of: piece.file, behind: own.stem, room: room)
        return result
    }

    private func name(in folders: [String], _ name: (stem: String, ending: String)) -> LibraryName {
        let (stem, ending) = name
        let isLong = stem.utf8.count + ending.utf8.count > Self.nameLimit
        return LibraryName(
            folders: folders,
            stem: isLong ? stem.cut(toBytes: Self.nameLimit - min(ending.utf8.count, Self.endingLimit)) : stem,
            ending: ending.utf8.count > Self.endingLimit ? "" : ending
        ) { $0.lowercased().composed }
    }

    /// What a file has behind the stem of its lead, whose own stem is `stem`, in at most `room` bytes.
    private func ending(of file: LibraryFile, behind stem: String, room: Int) -> String {
        let (own, ending) = ownName(of: file)
        if Self.isUnnamed(file) { return ending }
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
    private static func isUnnamed(_ file: LibraryFile) -> Bool {
        [InventedName.of(file.type), SafeName.fallback].contains(file.name)
    }

    /// The content's own name, split before its ending. A dot at the beginning of a name does not begin an ending.
    private func ownName(of file: LibraryFile) -> (stem: String, ending: String) {
        // Such content has no file name of its own.
        if file.page != nil { return (SafeName.make(file.name.composed), ".html") }
        let name = withEnding(SafeName.make(file.name.composed), of: file.type)
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// The name of the file that leads a group.
    ///
    /// - Parameter own: the file's own name.
    private func leadName(
        of piece: LibraryPiece, _ lead: LibraryFile, _ own: (stem: String, ending: String), _ layout: LibraryLayout
    ) -> (stem: String, ending: String) {
        let isUnnamed = Self.isUnnamed(lead)
        // Beside its neighbors from the same folder, a file is known by the name that it had there.
        let isMeaningless =
            layout == .contentClass && (ContentClass(of: lead.type) == .mail || AutomaticName.matches(own.stem))
        guard isUnnamed || isMeaningless else { return own }
        if let title = Self.title(of: piece) {
            // A title is prose, so the text behind its last dot is an ending only if it is the file's own.
            let hasEnding = !own.ending.isEmpty && title.lowercased().hasSuffix(own.ending.lowercased())
            return (hasEnding ? String(title.dropLast(own.ending.count)) : title, own.ending)
        }
        if let address = lead.page.flatMap({ Self.safe($0.name) }) { return (address, own.ending) }
        guard let date = piece.facts.date.map(Self.words), !Self.has(own.stem, date) else { return own }
        return (isUnnamed ? date : "\(date) \(own.stem)", own.ending)
    }

    /// The title of the package, or else the one that a sink found, as a name; `nil` if there is none.
    private static func title(of piece: LibraryPiece) -> String? {
        // Programs write such titles as "Document1", too. One that a person gave counts as it is.
        let found = piece.facts.title.flatMap(safe).flatMap { AutomaticName.matches($0) ? nil : $0 }
        return piece.title.flatMap(safe) ?? found
    }

    private static func safe(_ title: String) -> String? {
        let text = title.cut(toBytes: titleLimit).composed
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let name = SafeName.make(String(line.map { "/\\".contains($0) ? "-" : $0 }))
        return name == SafeName.fallback ? nil : name
    }

    private static func year(of piece: LibraryPiece, _ lead: LibraryFile) -> String {
        let date = SearchDate.of(piece.facts.date, modified: lead.modified, received: piece.received)
        return SafeName.make(String(date.prefix(4)))
    }

    /// A date of ``SearchDate`` as a part of a name: `2019-07-04 12.31.05`.
    private static func words(_ date: String) -> String {
        date.replacing("T", with: " ").replacing(":", with: ".")
    }

    /// Whether a name has the day of a date already, such as `PXL_20190704_123105`.
    private static func has(_ name: String, _ date: String) -> Bool {
        let day = date.filter(\.isNumber).prefix(8)
        return day.count == 8 && name.filter(\.isNumber).contains(day)
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

    /// The usual endings of types that are shared often, by the names under which the rules conclude the types.
    static let endings = [
        "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp",
        "image/heic": "heic", "image/heif": "heif", "image/avif": "avif", "image/tiff": "tiff", "image/bmp": "bmp",
        "image/svg+xml": "svg", "text/plain": "txt", "text/html": "html", "text/csv": "csv", "text/markdown": "md",
        "text/calendar": "ics", "text/vcard": "vcf", "application/json": "json", "application/xml": "xml",
        "application/rtf": "rtf", "application/epub+zip": "epub", "application/zip": "zip", "application/x-tar": "tar",
        "application/gzip": "gz", "application/x-7z-compressed": "7z", "audio/mpeg": "mp3", "audio/mp4": "m4a",
        "audio/vnd.wave": "wav", "audio/x-flac": "flac", "audio/ogg": "ogg", "video/mp4": "mp4",
        "video/quicktime": "mov", "video/webm": "webm", "video/x-matroska": "mkv", "message/rfc822": "eml",
        "application/x-mswinurl": "url",
        "application/x-webloc": "webloc", "application/msword": "doc", "application/vnd.ms-excel": "xls",
        "application/vnd.ms-powerpoint": "ppt",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
        "application/vnd.oasis.opendocument.text": "odt", "application/vnd.oasis.opendocument.spreadsheet": "ods",
        "application/vnd.oasis.opendocument.presentation": "odp", "application/vnd.oasis.opendocument.graphics": "odg",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "dotx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xltx",
        "application/vnd.openxmlformats-officedocument.presentationml.template": "potx",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow": "ppsx",
        "application/vnd.ms-word.document.macroenabled.12": "docm",
        "application/vnd.ms-excel.sheet.macroenabled.12": "xlsm", "application/vnd.ms-outlook": "msg",
        "application/postscript": "ps", "application/mbox": "mbox", "application/x-rar-compressed": "rar",
        "application/x-xz": "xz", "application/x-bzip2": "bz2", "application/zstd": "zst", "application/x-cpio": "cpio",
        "application/vnd.debian.binary-package": "deb", "application/x-rpm": "rpm",
        "application/x-sqlite3": "sqlite3",
        "application/ogg": "ogx", "application/mxf": "mxf", "video/x-ms-asf": "asf",
        "application/yaml": "yaml", "application/x-shellscript": "sh", "application/x-subrip": "srt",
        "audio/x-aac": "aac", "audio/x-aiff": "aiff", "audio/midi": "mid", "audio/x-ms-wma": "wma", "audio/amr": "amr",
        "image/vnd.adobe.photoshop": "psd", "image/vnd.microsoft.icon": "ico", "image/jxl": "jxl", "image/jp2": "jp2",
        "image/x-adobe-dng": "dng", "image/x-canon-cr2": "cr2", "image/x-nikon-nef": "nef", "image/x-sony-arw": "arw",
        "video/x-msvideo": "avi", "video/mpeg": "mpg", "video/x-flv": "flv", "video/x-ms-wmv": "wmv",
        "video/3gpp": "3gp", "video/ogg": "ogv", "video/mp2t": "mts",
        "application/x-font-ttf": "ttf", "application/x-font-otf": "otf", "font/woff": "woff", "font/woff2": "woff2",
        "text/tab-separated-values": "tsv", "text/x-python": "py", "text/css": "css",
    ]
}
