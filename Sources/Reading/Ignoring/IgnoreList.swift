internal import Files
internal import ShareModel
internal import SystemPackage

/// The patterns of one ignore file, or of a run. The last pattern that fits an entry decides.
struct IgnoreList {
    /// The name of the file in a folder that lists what a walk leaves out there.
    static let fileName: FilePath.Component = ".sluiceignore"

    /// The number of bytes of a path that lie above the list's folder, with the slash behind them.
    let above: Int
    private let patterns: [IgnorePattern]
    /// Where the patterns are, for a reason; empty for those of a run.
    private let place: String

    enum Verdict {
        case taken
        /// Left out, for this reason.
        case skipped(String)
    }

    /// The patterns of a run. They belong to each folder that a walk begins with.
    ///
    /// - Throws: with code `malformed` for a pattern that fits nothing; with code `limit` for one that is too long, and for
    ///   too many.
    init(patterns: [String], limits: ReadingLimits) throws(ReadingError) {
        try Self.check(patterns.count, longest: patterns.map(\.utf8.count).max(), of: "the run", limits)
        var parsed: [IgnorePattern] = []
        for text in patterns {
            guard let pattern = IgnorePattern(Array(text.utf8)) else {
                throw ReadingError(.malformed, "'\(text)' is no pattern of names; write one such as *.tmp or build/")
            }
            // A path as a shell completes it. Git accepts it, and it fits no name.
            guard !text.drop(while: { $0 == "!" }).split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
            else {
                throw ReadingError(
                    .malformed,
                    "the pattern '\(text)' fits no name: it begins at each folder that is taken in; write one such as /build/"
                )
            }
            parsed.append(pattern)
        }
        (self.patterns, above, place) = (parsed, 0, "")
    }

    private init(_ patterns: [IgnorePattern], above: Int, file: FilePath) {
        (self.patterns, self.above, place) = (patterns, above, " in \(file)")
    }

    /// The list of a folder; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - path: of the folder, below the root of the walk.
    ///   - named: the path as the user knows it.
    /// - Throws: if there is one that cannot be read, has a zero byte, or exceeds a limit. To walk on without it would
    ///   take in what a person wants left out.
    static func read(_ folder: Directory, path: FilePath, named: FilePath, limits: ReadingLimits)
        throws(ReadingError) -> IgnoreList?
    {
        let file = named.appending(fileName).string
        let bytes: [UInt8]
        do throws(ReadingError) {
            let descriptor = try Reading.named(file) { () throws(Errno) in try folder.open(fileName) }
            bytes = try OpenedFile(descriptor, name: file).bytes(limit: limits.ignoreBytes)
        } catch {
            guard error.code != .missing else { return nil }
            throw error
        }
        let above = path.bytes.count
        return IgnoreList(
            try patterns(bytes, of: file, limits), above: above == 0 ? 0 : above + 1, file: path.appending(fileName))
    }

    /// The patterns of a file.
    private static func patterns(_ bytes: [UInt8], of file: String, _ limits: ReadingLimits) throws(ReadingError)
        -> [IgnorePattern]
    {
        // No name has a zero byte, so each line with one would fit nothing. UTF-16 has one in each second place.
        guard !bytes.contains(0) else {
            throw ReadingError(.malformed, "\(file) is no text in UTF-8; save it as one, and run again")
        }
        // Git skips the mark too.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
        try check(0, longest: lines.map(\.count).max(), of: file, limits)
        let patterns = lines.compactMap { IgnorePattern(line: $0) }
        try check(patterns.count, longest: nil, of: file, limits)
        return patterns
    }

    private static func check(_ count: Int, longest: Int?, of place: String, _ limits: ReadingLimits)
        throws(ReadingError)
    {
        guard count <= limits.ignorePatterns else {
            throw ReadingError(
                .limit, "\(place) has more than \(limits.ignorePatterns) patterns; write one for several names")
        }
        guard longest ?? 0 <= limits.ignorePatternBytes else {
            throw ReadingError(
                .limit, "\(place) has a pattern longer than \(limits.ignorePatternBytes) bytes; shorten it")
        }
    }

    /// What the list says about an entry; `nil` if no pattern fits.
    ///
    /// - Parameter path: of the entry, below the root of the walk.
    func verdict(on path: [UInt8], isFolder: Bool) -> Verdict? {
        let below = path[above...]
        let name = below[(below.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? below.startIndex)...]
        guard let pattern = patterns.last(where: { $0.fits(path: below, name: name, isFolder: isFolder) }) else {
            return nil
        }
        return pattern.isNegated ? .taken : .skipped("left out by the pattern \(pattern.text)\(place)")
    }
}
