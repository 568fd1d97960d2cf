internal import Formats
internal import ShareModel

/// Link files that are text of sections and keys: Windows internet shortcuts (`[InternetShortcut]` with `URL=`, which
/// other sections may precede) and desktop entries (Desktop Entry Specification 1.5: `[Desktop Entry]` comes first,
/// `Type=` is required).
struct LinkFileInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, "application/x-wine-extension-ini"]
    let concludes: Set<MediaType> = ["application/x-mswinurl", "application/x-desktop"]

    /// Nothing behind these is read: a link file begins with what makes it one.
    private static let window = 8 << 10
    private static let lineLimit = 256

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let bytes = try sample.text()?.bytes.prefix(Self.window) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        var section = ""
        for line in text.split(maxSplits: Self.lineLimit, whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.isEmpty || line.first == "#" || line.first == ";" { continue }
            if line.first == "[" {
                section = line.prefix { $0 != "]" } + "]"
            } else if let finding = Self.finding(section, line) {
                return finding
            } else if section.isEmpty || !line.contains("=") {
                return nil
            }
        }
        return nil
    }

    private static func finding(_ section: String, _ line: Substring) -> Finding? {
        let key = line.prefix { $0 != "=" }.filter { $0 != " " }.lowercased()
        switch (section.lowercased(), key) {
        case ("[internetshortcut]", "url"):
            return Finding("application/x-mswinurl", Evidence("link file", "section [InternetShortcut] with URL"))
        case ("[desktop entry]", "type"):
            return Finding("application/x-desktop", Evidence("link file", "section [Desktop Entry] with Type"))
        default: return nil
        }
    }
}
