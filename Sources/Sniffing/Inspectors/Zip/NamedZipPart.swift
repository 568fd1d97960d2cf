internal import Formats
internal import ShareModel

/// Recognizes archives by a set of entries that only one format has:
/// - passes (Apple's Wallet guide: `pass.json`, `manifest.json` and `signature`)
/// - mind maps (XMind), geometry (GeoGebra), models (FreeCAD), drawings (Sketch's file format)
/// - saved sites (WACZ 1.1.1, section 4: `datapackage.json` beside `archive/`)
/// - AutoText (`BlockList.xml` of OpenOffice and LibreOffice), under the name that Apache Tika gave it
/// - tensors (PyTorch's `torch.save`: a folder with `data.pkl` and `version`)
struct NamedZipPart: ZipPart {
    private static let rows: [(names: [StaticString], type: MediaType)] = [
        (["pass.json", "manifest.json", "signature"], "application/vnd.apple.pkpass"),
        (["content.json", "metadata.json", "manifest.json"], "application/vnd.xmind.workbook"),
        (["document.json", "meta.json", "user.json"], "application/vnd.bohemian.sketch"),
        (["geogebra.xml"], "application/vnd.geogebra.file"),
        (["document.xml", "guidocument.xml"], "application/x-extension-fcstd"),
    ]
    private static let passes: MediaType = "application/vnd.apple.pkpasses"
    private static let sites: MediaType = "application/wacz"
    private static let tensors: MediaType = "application/x-pytorch"

    private static let autoText: MediaType = "application/vnd.openofficeorg.autotext"
    private static let blocks = "http://openoffice.org/2001/block-list"
    /// The part of the list of blocks that is read, in bytes.
    private static let blockLimit = 1 << 10

    let concludes = Set(rows.map(\.type)).union([tensors, sites, autoText, passes])

    func inspect(_ archive: ZipArchive) throws -> Finding? {
        if let row = Self.rows.first(where: { $0.names.allSatisfy(archive.has) }) {
            return Finding(row.type, Evidence("zip", "entries \(row.names.map(\.description).joined(separator: ", "))"))
        }
        if let first = archive.directory.entries.first, archive.directory.has(first, suffix: ".pkpass") {
            return Finding(Self.passes, Evidence("zip", "the first entry is a pass"))
        }
        if archive.has("datapackage.json"), archive.has(prefix: "archive/"), archive.has(prefix: "indexes/") {
            return Finding(Self.sites, Evidence("zip", "entries datapackage.json, archive/ and indexes/"))
        }
        // A list of corrections has the same root, under another name.
        if let list = try archive.bytes("blocklist.xml", limit: Self.blockLimit), let root = XMLProlog(list)?.root,
            root.localName == "block-list", root.namespace == Self.blocks
        {
            return Finding(Self.autoText, Evidence("zip", "entry BlockList.xml has root element \(root.name)"))
        }
        guard let folder = archive.directory.entry(prefix: "", suffix: "/data.pkl") else { return nil }
        let prefix = archive.directory.name(folder).dropLast("data.pkl".utf8.count)
        let hasVersion = archive.directory.entries.contains { entry in
            let name = archive.directory.name(entry)
            return name.count == prefix.count + 7 && name.starts(with: prefix)
                && archive.directory.has(entry, suffix: "/version")
        }
        return hasVersion ? Finding(Self.tensors, Evidence("zip", "entries data.pkl and version in one folder")) : nil
    }
}
