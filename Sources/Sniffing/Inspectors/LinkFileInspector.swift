internal import Formats

/// Link files that are text of sections and keys: Windows internet shortcuts (`[InternetShortcut]` with `URL=`, which
/// other sections may precede) and desktop entries (Desktop Entry Specification 1.5: `[Desktop Entry]` comes first,
/// `Type=` is required).
struct LinkFileInspector: Inspector {
    let starts: Set<String> = ["text/plain", "application/octet-stream", "application/x-wine-extension-ini"]
    let concludes: Set<String> = ["application/x-mswinurl", "application/x-desktop"]

    /// Nothing behind these is read: a link file begins with what makes it one.
    private static let window = 8 << 10
    private static let lineLimit = 256

    func inspect(_ sample: Sample) throws -> Finding? {
        // UTF-16 is known by its byte order mark, as in XML.
        let text = String(decoding: TextBytes.utf8(Array(sample.head.prefix(Self.window))), as: UTF8.self)
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
            return Finding(type: "application/x-mswinurl", basis: "link file: section [InternetShortcut] with URL")
        case ("[desktop entry]", "type"):
            return Finding(type: "application/x-desktop", basis: "link file: section [Desktop Entry] with Type")
        default: return nil
        }
    }
}
