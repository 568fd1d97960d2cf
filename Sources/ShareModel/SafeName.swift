/// Makes a stranger's file name safe to display and to use.
///
/// The result is one path component of at most ``limit`` bytes, never empty. It has no slashes, and no dots or spaces
/// at its ends. It has no control or format characters, so that a right-to-left override cannot disguise a file
/// extension.
public enum SafeName {
    /// The longest name, in bytes of UTF-8: the limit of the file systems of Linux and Apple.
    public static let limit = 255
    /// The result for a name without a usable character.
    public static let fallback = "untitled"
    /// The longest file extension that survives when a name is shortened, in bytes with its dot.
    private static let endingLimit = 32

    /// The safe form of a suggested name. A safe name stays unchanged.
    public static func make(_ suggested: String?) -> String {
        // Most names are plain; this check saves the work below.
        if let suggested, isPlain(suggested.utf8) { return suggested }
        // A backslash separates folders on Windows. Scalars are compared, because a slash and a combining mark after it
        // are one `Character`, which is no slash.
        let parts = (suggested ?? "").unicodeScalars.split { $0 == "/" || $0 == "\\" }
        let last = parts.last?.filter { !isHarmful($0) } ?? []
        let name = shortened(trimmed(String(String.UnicodeScalarView(last))))
        return name.isEmpty ? fallback : name
    }

    /// A name without the dots and spaces at its ends.
    private static func trimmed(_ name: String) -> String {
        let isEdge = { (scalar: Unicode.Scalar) in scalar == "." || scalar.properties.isWhitespace }
        var scalars = name.unicodeScalars[...]
        while let first = scalars.first, isEdge(first) { scalars.removeFirst() }
        while let last = scalars.last, isEdge(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// Whether a name is printable ASCII without slashes, and without dots or spaces at its ends.
    private static func isPlain(_ name: String.UTF8View) -> Bool {
        guard let first = name.first, let last = name.last, name.count <= limit else { return false }
        let isOdd = { (end: UInt8) in end == UInt8(ascii: " ") || end == UInt8(ascii: ".") }
        return !isOdd(first) && !isOdd(last)
            && name.allSatisfy {
                (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
            }
    }

    /// Whether a character is invisible, changes the layout, or has no defined meaning.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        // Joiners are part of emoji and of some scripts; they neither hide nor reorder text.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }

    /// Shortens a name at a character boundary, and keeps its extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > limit else { return name }
        // By bytes: to find the borders of characters from the end is quadratic in a row of flags.
        let dot = name.utf8.suffix(endingLimit).lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let ending = name[dot...]
        let stem = trimmed(String(name[..<dot]).cut(toBytes: limit - ending.utf8.count))
        // One character may be longer than a name, because any number of combining marks belongs to it.
        return (stem.isEmpty ? fallback : stem) + ending
    }
}
