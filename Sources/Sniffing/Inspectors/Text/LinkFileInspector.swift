internal import Formats
internal import ShareModel

/// Recognizes link files with sections and keys. Windows internet shortcuts have `[InternetShortcut]` with `URL=`,
/// perhaps after other sections. Desktop entries start with `[Desktop Entry]`, and must have `Type=` (Desktop Entry
/// Specification 1.5).
struct LinkFileInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, "application/x-wine-extension-ini"]
    let concludes: Set<MediaType> = ["application/x-mswinurl", "application/x-desktop"]

    /// The part that is read, in bytes. The keys that identify a link file are at its beginning.
    private static let window = 8 << 10
    private static let lineLimit = 256

    private enum Section { case none, shortcut, entry, other }

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text(), text.firstWord < text.bytes.count,
            "[#;".utf8.contains(text.bytes[text.firstWord])
        else { return nil }
        var section = Section.none
        for line in TextLines(text.bytes, from: text.firstWord, upTo: Self.window).prefix(Self.lineLimit) {
            let line = line.trimmed
            guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
            if first == UInt8(ascii: "[") {
                section = Self.section(line)
            } else if let (key, _) = line.split(at: UInt8(ascii: "=")), section != .none {
                if let finding = Self.finding(section, key.trimmed) { return finding }
            } else {
                return nil
            }
        }
        return nil
    }

    private static func section(_ line: ArraySlice<UInt8>) -> Section {
        if line.begins(withAnyCase: "[internetshortcut]") { return .shortcut }
        return line.begins(withAnyCase: "[desktop entry]") ? .entry : .other
    }

    private static func finding(_ section: Section, _ key: ArraySlice<UInt8>) -> Finding? {
        if section == .shortcut, key.isWord("url") {
            return Finding("application/x-mswinurl", Evidence("link file", "section [InternetShortcut] with URL"))
        }
        if section == .entry, key.isWord("type") {
            return Finding("application/x-desktop", Evidence("link file", "section [Desktop Entry] with Type"))
        }
        return nil
    }
}
