internal import Formats
internal import ShareModel

/// Documents that are zip archives, by the names in the central directory: OPC packages (ECMA-376, part 2) by
/// `[Content_Types].xml` beside the folder of their main part, ODF 1.2 (part 3, section 3.3) and EPUB (OCF 3.3,
/// section 4.3) by a stored entry `mimetype`, wherever in the archive it is.
struct ZipInspector: Inspector {
    let starts: Set<MediaType> = ["application/zip"]
    let concludes = Set(folders.map(\.type)).union(declared)

    private static let contentTypes = "[Content_Types].xml"
    /// A type in `mimetype` is no longer, in bytes.
    private static let typeLimit = 128

    private static let folders: [(prefix: String, type: MediaType)] = [
        ("word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        ("visio/", "application/vnd.ms-visio.drawing.main+xml"),
        ("3D/", "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"),
    ]

    private static let declared: Set<MediaType> = Set(
        ["text", "spreadsheet", "presentation", "graphics", "chart", "formula", "image"].flatMap { kind in
            ["", "-template", "-master"].compactMap { MediaType("application/vnd.oasis.opendocument.\(kind)\($0)") }
        }
    ).union(["application/epub+zip"])

    func inspect(_ sample: Sample) throws -> Finding? {
        guard sample.start.starts(with: [0x50, 0x4B, 3, 4]),
            let directory = try ZipDirectory(sample.content)
        else { return nil }
        if let entry = directory.entry("mimetype"),
            let bytes = try ZipDirectory.stored(entry, in: sample.content, limit: Self.typeLimit),
            let type = MediaType(String(decoding: bytes, as: UTF8.self)), Self.declared.contains(type)
        {
            return Finding(type, Evidence("zip", "entry mimetype says \(type)", at: entry.headerOffset))
        }
        guard directory.entry(Self.contentTypes) != nil else { return nil }
        let folder = Self.folders.first { folder in directory.entries.contains { $0.name.hasPrefix(folder.prefix) } }
        return folder.map { Finding($0.type, Evidence("zip", "entries \(Self.contentTypes) and \($0.prefix)")) }
    }
}
