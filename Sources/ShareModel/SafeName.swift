/// Makes a stranger's name safe for people and file systems.
///
/// The result is one path component: no slashes, no control or format characters (so that no right-to-left override can
/// disguise an ending), no dots or spaces at its ends, at most ``limit`` bytes, never empty.
public enum SafeName {
    /// The longest name, in bytes of UTF-8: what Linux's and Apple's file systems take.
    public static let limit = 255
    /// What a name without a usable character becomes.
    public static let fallback = "untitled"
    /// The longest ending that survives when a name is cut, in bytes with its dot.
    private static let endingLimit = 32

    /// The safe form of a suggested name. A name that is safe already is returned as it is.
    public static func make(_ suggested: String?) -> String {
        if let suggested, isPlain(suggested.utf8) { return suggested }
        let last = (suggested ?? "").split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let scalars = last.unicodeScalars.filter { !isHarmful($0) }
        var name = String(String.UnicodeScalarView(scalars))
        while let first = name.first, first.isWhitespace || first == "." { name.removeFirst() }
        while let last = name.last, last.isWhitespace || last == "." { name.removeLast() }
        return name.isEmpty ? fallback : shortened(name)
    }

    /// Whether a name is safe at first sight, as most are: printable ASCII without slashes, nothing odd at its ends.
    private static func isPlain(_ name: String.UTF8View) -> Bool {
        guard let first = name.first, let last = name.last, name.count <= limit else { return false }
        let isOdd = { (end: UInt8) in end == UInt8(ascii: " ") || end == UInt8(ascii: ".") }
        return !isOdd(first) && !isOdd(last)
            && name.allSatisfy {
                (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
            }
    }

    /// Control and format characters, line separators, unassigned and private ones.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        // Joiners make up emoji and scripts; they neither hide nor reorder anything.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }

    /// Cuts at a character, keeping the ending.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > limit else { return name }
        let dot = name.lastIndex(of: ".")
        let ending = dot.map { name[$0...] }.flatMap { $0.utf8.count <= endingLimit ? $0 : nil } ?? ""
        var stem = name.dropLast(ending.count)
        while stem.utf8.count + ending.utf8.count > limit { stem.removeLast() }
        return String(stem) + ending
    }
}
