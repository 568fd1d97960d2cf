#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The file name patterns of the shared MIME database, in the form of its file `globs2`: `weight:type:pattern[:flags]`.
struct MIMEGlobs: Sendable {
    private struct Glob {
        var weight: Int
        var type: String
        var pattern: String
        var isCaseSensitive: Bool
    }

    /// Patterns `*.suffix` by their suffix, dot included, in lower case; as bytes, since equal strings can differ in
    /// them.
    private var suffixes: [[UInt8]: [Glob]] = [:]
    private var others: [Glob] = []

    /// Longer names say nothing. No file system has them.
    private static let nameLimit = 1024

    /// Adds a line; one that is malformed is left out.
    mutating func add(_ line: Substring) {
        let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard fields.count >= 3, let weight = Int(fields[0]) else { return }
        let isCaseSensitive = fields.count == 4 && fields[3].split(separator: ",").contains("cs")
        let glob = Glob(
            weight: weight, type: fields[1].lowercased(), pattern: String(fields[2]), isCaseSensitive: isCaseSensitive)
        let suffix = glob.pattern.dropFirst()
        if glob.pattern.hasPrefix("*."), !suffix.contains(where: { "*?[".contains($0) }) {
            suffixes[Self.lowercased(suffix.utf8), default: []].append(glob)
        } else {
            others.append(glob)
        }
    }

    /// The types of the heaviest patterns that match the last part of `name`, the longest among them. The case of
    /// letters counts where the name matches with it, and where the pattern says so.
    func types(for name: String) -> [String] {
        guard name.utf8.count <= Self.nameLimit else { return [] }
        let name = name.split(separator: "/").last.map(String.init) ?? ""
        let found = candidates(for: name).filter { matches($0, name) }
        let exact = found.filter { fnmatch($0.pattern, name, 0) == 0 }
        return Self.best(exact.isEmpty ? found : exact)
    }

    private func candidates(for name: String) -> [Glob] {
        let bytes = Self.lowercased(name.utf8)
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        // No pattern has more than a few dots; the name's last ones decide.
        return dots.suffix(8).flatMap { suffixes[Array(bytes[$0...]), default: []] } + others
    }

    private func matches(_ glob: Glob, _ name: String) -> Bool {
        if fnmatch(glob.pattern, name, 0) == 0 { return true }
        guard !glob.isCaseSensitive else { return false }
        return fnmatch(Self.text(glob.pattern), Self.text(name), 0) == 0
    }

    private static func best(_ globs: [Glob]) -> [String] {
        let weight = globs.map(\.weight).max() ?? 0
        let heaviest = globs.filter { $0.weight == weight }
        let length = heaviest.map(\.pattern.utf8.count).max() ?? 0
        var types: [String] = []
        for glob in heaviest where glob.pattern.utf8.count == length && !types.contains(glob.type) {
            types.append(glob.type)
        }
        return types
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func text(_ name: String) -> String { String(decoding: lowercased(name.utf8), as: UTF8.self) }
}
