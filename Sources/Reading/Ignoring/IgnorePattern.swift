internal import ShareModel

/// A pattern of names that a walk leaves out, in the syntax of git: gitignore(5), "PATTERN FORMAT".
struct IgnorePattern {
    /// The pattern takes names back in that an earlier one leaves out.
    let isNegated: Bool
    /// The beginning of the pattern as written, for messages.
    let text: String
    private let isForFolders: Bool
    /// The pattern has a slash in it, so it is compared with the whole path below its folder, not with a name alone.
    private let isAnchored: Bool
    /// The bytes before the first special one. They are compared as they are.
    private let literal: [UInt8]
    private let wildcards: WildcardPattern

    /// The bytes of ``text``. A list may be one long pattern, and the reason for each skipped name has its text.
    private static let shownBytes = 80

    /// - Parameter line: without its line feed. `nil` for an empty line, a comment, and a pattern that fits nothing.
    init?(line: some Collection<UInt8>) {
        var line = Array(line)
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.first != UInt8(ascii: "#") else { return nil }
        self.init(Self.withoutSpaces(line))
    }

    /// - Parameter bytes: the pattern; `nil` if it fits nothing.
    init?(_ bytes: [UInt8]) {
        let slash = UInt8(ascii: "/")
        var rest = bytes[...]
        isNegated = rest.first == UInt8(ascii: "!")
        if isNegated { rest.removeFirst() }
        isForFolders = rest.last == slash
        if isForFolders { rest.removeLast() }
        isAnchored = rest.contains(slash)
        if rest.first == slash { rest.removeFirst() }
        literal = Array(rest.prefix { !WildcardPattern.isSpecial($0) })
        guard !rest.isEmpty, let wildcards = WildcardPattern(rest.dropFirst(literal.count)) else { return nil }
        self.wildcards = wildcards
        text = String(decoding: bytes, as: UTF8.self).cut(toBytes: Self.shownBytes)
    }

    /// Whether the pattern fits an entry.
    ///
    /// - Parameters:
    ///   - path: of the entry, below the folder that the pattern belongs to.
    ///   - name: the last component of the path.
    func fits(path: ArraySlice<UInt8>, name: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
        guard isFolder || !isForFolders else { return false }
        let text = isAnchored ? path : name
        return text.starts(with: literal) && wildcards.fits(text.dropFirst(literal.count))
    }

    /// Without the spaces at the end, unless a backslash is before them.
    private static func withoutSpaces(_ line: [UInt8]) -> [UInt8] {
        var (index, end) = (0, 0)
        while index < line.count {
            let isEscape = line[index] == UInt8(ascii: "\\")
            let isSpace = line[index] == UInt8(ascii: " ")
            index = min(index + (isEscape ? 2 : 1), line.count)
            if !isSpace { end = index }
        }
        return Array(line.prefix(end))
    }
}
