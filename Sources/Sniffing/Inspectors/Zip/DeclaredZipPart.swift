internal import Formats
internal import ShareModel

/// Recognizes documents that declare their type:
/// - In an entry `mimetype`, in any place and compressed or not (ODF 1.3 part 2, section 3.3; OCF 3.3, section 4.3;
///   Adobe's UCF).
/// - In `META-INF/manifest.xml`, by the type of `/` (ODF 1.3 part 2, section 4.8.6).
/// - In `META-INF/container.xml`, by the type of the root file (OCF 3.3, 4.2.6.3.1).
struct DeclaredZipPart: ZipPart {
    /// The largest length of a type, in bytes.
    private static let typeLimit = 255
    /// The part of the two lists that is read, in bytes. The relevant entries are at their beginning.
    private static let listLimit = 8 << 10

    private static let documents: Set<MediaType> = Set(
        [
            "text", "text-template", "text-master", "text-master-template", "text-web", "spreadsheet",
            "spreadsheet-template", "presentation", "presentation-template", "graphics", "graphics-template", "chart",
            "chart-template", "formula", "formula-template", "image", "image-template", "database", "base",
        ].compactMap { MediaType("application/vnd.oasis.opendocument.\($0)") }
            + [
                "writer", "writer.template", "writer.global", "calc", "calc.template", "draw", "draw.template",
                "impress", "impress.template", "math", "base",
            ].compactMap { MediaType("application/vnd.sun.xml.\($0)") })

    private static let others: Set<MediaType> = [
        "application/epub+zip", "application/x-ibooks+zip", "application/x-krita", "image/openraster",
        "application/vnd.adobe.indesign-idml-package", "application/vnd.etsi.asic-e+zip",
        "application/vnd.etsi.asic-s+zip", "application/vnd.recordare.musicxml",
        "application/vnd.openofficeorg.extension",
        "application/vnd.adobe.air-application-installer-package+zip", "application/vnd.adobe.sparkler.project+dcxucf",
        "application/hwp+zip", "application/vnd.scribus", "application/x-pathfinder-map",
        // KOffice 1
        "application/x-karbon", "application/x-kword", "application/x-kspread", "application/x-kpresenter",
        "application/x-kivio", "application/x-kontour", "application/x-kchart", "application/x-kformula",
        "application/x-kugar",
    ]

    private static let byRootFile: [String: MediaType] = [
        "application/oebps-package+xml": "application/epub+zip",
        "application/vnd.recordare.musicxml+xml": "application/vnd.recordare.musicxml",
    ]

    let concludes = documents.union(others)

    func inspect(_ archive: ZipArchive) throws -> Finding? {
        try byName(archive) ?? byManifest(archive) ?? byContainer(archive)
    }

    private func byName(_ archive: ZipArchive) throws -> Finding? {
        guard let bytes = try archive.bytes("mimetype", limit: Self.typeLimit),
            let type = MediaType(String(decoding: TextBytes.utf8(bytes), as: UTF8.self)), concludes.contains(type)
        else { return nil }
        let offset = archive.directory.entry("mimetype")?.headerOffset
        return Finding(type, Evidence("zip", "entry mimetype says \(type)", at: offset))
    }

    private func byManifest(_ archive: ZipArchive) throws -> Finding? {
        guard let list = try archive.bytes("meta-inf/manifest.xml", limit: Self.listLimit) else { return nil }
        for tag in XMLTags(list) where tag.localName == "file-entry" && tag["full-path"] == "/" {
            guard let type = tag["media-type"].flatMap({ MediaType($0) }), Self.documents.contains(type) else { break }
            return Finding(type, Evidence("zip", "META-INF/manifest.xml says \(type)"))
        }
        guard archive.has("description.xml"), XMLTags(list).contains(where: { $0.localName == "manifest" }) else {
            return nil
        }
        return Finding(
            "application/vnd.openofficeorg.extension", Evidence("zip", "entries META-INF/manifest.xml, description.xml")
        )
    }

    private func byContainer(_ archive: ZipArchive) throws -> Finding? {
        guard let list = try archive.bytes("meta-inf/container.xml", limit: Self.listLimit) else { return nil }
        for tag in XMLTags(list) where tag.localName == "rootfile" {
            // Compressed MusicXML may leave out the type; its first file is then the score.
            let path = tag["full-path"] ?? ""
            let isScore =
                tag["media-type"] == nil
                && (path.hasSuffix(".musicxml") || (path.hasSuffix(".xml") && !path.contains("/")))
            let name = isScore ? "application/vnd.recordare.musicxml+xml" : tag["media-type"] ?? ""
            guard let type = Self.byRootFile[name] else { continue }
            return Finding(type, Evidence("zip", "META-INF/container.xml says \(name)"))
        }
        return nil
    }
}

extension XMLProlog.Element {
    /// The value of an attribute, with any prefix.
    subscript(_ name: String) -> String? {
        attributes.first { $0.name == name || $0.name.hasSuffix(":\(name)") }?.value
    }
}
