internal import Formats
internal import ShareModel

/// Recognizes packages of the Open Packaging Conventions (ECMA-376, part 2) by the content type of their main part.
/// These are office documents (ECMA-376 part 1, section 11.3.10 and similar; [MS-OFFMACRO2] 2.1 with macros), drawings
/// ([MS-VSDX] 2.2), 3MF (core 1.3, section 2) and fixed pages (XPS 1.0 and ECMA-388). Extensions and apps are
/// recognized by their manifest.
struct OPCZipPart: ZipPart {
    private static let contentTypes: StaticString = "[content_types].xml"
    /// The part of the two lists that is decompressed, in bytes.
    private static let listLimit = 64 << 10

    let concludes = Set(mainParts.values).union(folders.map(\.type)).union(manifests.map(\.type)).union([
        "application/oxps", "model/vnd.dwfx+xps",
    ])

    /// Types by the content type of the main part, in lower case.
    private static let mainParts: [String: MediaType] = {
        var table: [String: MediaType] = [
            "application/vnd.ms-word.document.macroenabled.main+xml":
                "application/vnd.ms-word.document.macroenabled.12",
            "application/vnd.ms-word.template.macroenabledtemplate.main+xml":
                "application/vnd.ms-word.template.macroenabled.12",
            "application/vnd.ms-excel.sheet.binary.macroenabled.main":
                "application/vnd.ms-excel.sheet.binary.macroenabled.12",
            "application/vnd.openxmlformats-officedocument.thememanager+xml": "application/vnd.ms-officetheme",
            "application/vnd.ms-office.thememanager+xml": "application/vnd.ms-officetheme",
            "application/vnd.ms-package.3dmanufacturing-3dmodel+xml":
                "application/vnd.ms-package.3dmanufacturing-3dmodel+xml",
            "application/vnd.ms-package.xps-fixeddocumentsequence+xml": xps,
        ]
        for name in [
            "wordprocessingml.document", "wordprocessingml.template", "spreadsheetml.sheet", "spreadsheetml.template",
            "presentationml.presentation", "presentationml.template", "presentationml.slideshow",
        ] {
            let type = "application/vnd.openxmlformats-officedocument.\(name)"
            table["\(type).main+xml"] = MediaType(type)
        }
        for name in [
            "excel.sheet", "excel.template", "excel.addin", "powerpoint.presentation", "powerpoint.template",
            "powerpoint.slideshow", "powerpoint.addin",
        ] {
            let type = "application/vnd.ms-\(name).macroenabled"
            table["\(type).main+xml"] = MediaType("\(type).12")
        }
        for name in ["drawing", "stencil", "template"] {
            for type in ["\(name).main+xml", "\(name).macroenabled.main+xml"] {
                table["application/vnd.ms-visio.\(type)"] = MediaType("application/vnd.ms-visio.\(type)")
            }
        }
        return table
    }()

    private static let mainLengths = Set(mainParts.keys.map(\.utf8.count))
    private static let xps: MediaType = "application/vnd.ms-xpsdocument"

    /// Types by the folder of the main part, for packages whose list of content types cannot be read.
    private static let folders: [(prefix: StaticString, type: MediaType)] = [
        ("word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        ("visio/", "application/vnd.ms-visio.drawing.main+xml"),
        ("3d/", "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"),
    ]

    /// Packages without a main part.
    private static let manifests: [(name: StaticString, type: MediaType)] = [
        ("appxmetadata/appxbundlemanifest.xml", "application/msixbundle"), ("appxmanifest.xml", "application/msix"),
        ("extension.vsixmanifest", "application/vsix"),
    ]

    func inspect(_ archive: ZipArchive) throws -> Finding? {
        let isPackage = archive.has(Self.contentTypes) || archive.has(prefix: "[content_types].xml/")
        guard isPackage || archive.has("_rels/.rels") else { return nil }
        if let main = try mainType(archive) {
            let type = main.type == Self.xps ? try fixedPages(archive) : main.type
            return Finding(type, Evidence("zip", "[Content_Types].xml says \(main.name)"))
        }
        if let row = Self.manifests.first(where: { archive.has($0.name) }) {
            return Finding(row.type, Evidence("zip", "entries [Content_Types].xml and \(row.name)"))
        }
        guard let row = Self.folders.first(where: { archive.has(prefix: $0.prefix) }) else { return nil }
        let name = isPackage ? "[Content_Types].xml" : "_rels/.rels"
        return Finding(row.type, Evidence("zip", "entries \(name) and \(row.prefix)"), .likely)
    }

    /// The type of the main part. If there are several candidates, the package's relationships decide.
    private func mainType(_ archive: ZipArchive) throws -> (name: String, type: MediaType)? {
        let list =
            try archive.bytes(Self.contentTypes, limit: Self.listLimit)
            // ECMA-376, part 2: the list may be interleaved, and then it is stored in pieces.
            ?? archive.bytes("[content_types].xml/[0].piece", limit: Self.listLimit)
        guard let list else { return nil }
        var found: [(part: String, name: String, type: MediaType)] = []
        for tag in XMLTags(list) {
            // A list can have hundreds of parts. The length of a type excludes most of them at low cost.
            guard let name = tag["ContentType"], Self.mainLengths.contains(name.utf8.count),
                let type = Self.mainParts[name.lowercased()]
            else { continue }
            found.append((Self.partName(tag["PartName"] ?? ""), name, type))
        }
        guard let first = found.first else { return nil }
        if found.allSatisfy({ $0.type == first.type }) { return (first.name, first.type) }
        let targets = try mainTargets(archive)
        let chosen = found.first { targets.contains($0.part) } ?? first
        return (chosen.name, chosen.type)
    }

    /// The targets of the package's relationships to a main part: ECMA-376 part 1, section 9.2, and [MS-VSDX] 2.2.
    private func mainTargets(_ archive: ZipArchive) throws -> Set<String> {
        guard let list = try archive.bytes("_rels/.rels", limit: Self.listLimit) else { return [] }
        let kinds = ["/officeDocument", "/relationships/document", "/fixedrepresentation", "/3dmodel"]
        let targets = XMLTags(list).compactMap { tag -> String? in
            guard let kind = tag["Type"], kinds.contains(where: kind.hasSuffix) else { return nil }
            return tag["Target"].map(Self.partName)
        }
        return Set(targets)
    }

    private static func partName(_ name: String) -> String { String(name.lowercased().drop { $0 == "/" || $0 == "." }) }

    /// The variant of fixed pages, by the kind of the relationship to them.
    private func fixedPages(_ archive: ZipArchive) throws -> MediaType {
        guard let list = try archive.bytes("_rels/.rels", limit: Self.listLimit) else { return Self.xps }
        let kinds = XMLTags(list).compactMap { $0["Type"] }
        if kinds.contains(where: { $0.hasPrefix("http://schemas.autodesk.com/dwfx/") }) { return "model/vnd.dwfx+xps" }
        return kinds.contains { $0.hasPrefix("http://schemas.openxps.org/") } ? "application/oxps" : Self.xps
    }
}
