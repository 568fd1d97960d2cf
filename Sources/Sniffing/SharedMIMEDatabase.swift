internal import Formats
public import ShareModel

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The system's shared MIME database: which names are the same type, which type is a kind of another, and what file
/// names claim. Shared MIME-info Database specification 0.21.
///
/// Where there is none, what the specification holds for all types is left: every type conforms to itself, `text/*` to
/// `text/plain`, everything to `application/octet-stream`; and a few names of our own. File names then claim nothing.
public struct SharedMIMEDatabase: Sendable {
    private var aliases: [String: String] = [:]
    private var parents: [String: [String]] = [:]
    private var globs = MIMEGlobs()

    /// A file of the database is no larger, in bytes.
    private static let sizeLimit = 4 << 20
    /// No type has more ancestors.
    private static let ancestorLimit = 256

    /// The system's, read once from the folders of `$XDG_DATA_DIRS`.
    public static let system = SharedMIMEDatabase(dataFolders: systemFolders())

    /// Reads `mime/{aliases,subclasses,globs2}` below each folder, the most important first. What is missing is left
    /// out.
    public init(dataFolders: [String]) {
        for folder in dataFolders.map({ $0 + "/mime/" }) {
            for pair in Self.pairs(folder + "aliases") where aliases[pair.0] == nil { aliases[pair.0] = pair.1 }
            for pair in Self.pairs(folder + "subclasses") { parents[pair.0, default: []].append(pair.1) }
            for line in Self.lines(folder + "globs2") { globs.add(line) }
        }
        aliases.merge(MIMENames.aliases) { known, _ in known }
        for (type, parent) in MIMENames.parents { parents[type, default: []].append(parent) }
    }

    /// The type's preferred name.
    public func canonical(_ type: MediaType) -> MediaType {
        aliases[type.description].flatMap { MediaType($0) } ?? type
    }

    /// Whether each `type` is also an `ancestor`; `image/*` stands for all images. Aliases are the same type.
    public func conforms(_ type: MediaType, to ancestor: MediaType) -> Bool {
        if ancestor == .unknown { return true }
        let wanted = canonical(ancestor)
        return lineage(of: type).contains { candidate in
            candidate == wanted || (wanted.subtype == "*" && (wanted.type == candidate.type || wanted.type == "*"))
        }
    }

    /// What a file name says by the best of its patterns; `nil` where it says nothing, or several things equally well.
    public func type(forName name: String) -> MediaType? {
        let types = types(forName: name)
        return types.count == 1 ? types.first : nil
    }

    /// What a file name says: the types of the patterns with the highest weight, the longest among them.
    public func types(forName name: String) -> [MediaType] {
        globs.types(for: name).compactMap { MediaType($0) }.map(canonical)
    }

    /// The type and all that it conforms to, itself first, each once: a cycle in the database ends.
    private func lineage(of type: MediaType) -> [MediaType] {
        var found = [canonical(type)]
        var next = 0
        while next < found.count, found.count < Self.ancestorLimit {
            let current = found[next]
            next += 1
            var above = parents[current.description, default: []].compactMap { MediaType($0) }.map(canonical)
            if current.type == "text" { above.append(.plainText) }
            for parent in above where !found.contains(parent) { found.append(parent) }
        }
        return found
    }

    // MARK: Files

    private static func systemFolders() -> [String] {
        let value = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
        let folders = value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return folders.isEmpty ? ["/usr/local/share", "/usr/share"] : folders
    }

    /// Lines of two types, in lower case.
    private static func pairs(_ path: String) -> [(String, String)] {
        lines(path).compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 ? (words[0].lowercased(), words[1].lowercased()) : nil
        }
    }

    private static func lines(_ path: String) -> [Substring] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        // A file that cannot be read is as good as none: the database only adds to what is known.
        let bytes = (try? ContentBytes(descriptor: descriptor, size: Int64(sizeLimit), budget: .unlimited).head()) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.first != "#" }
    }
}
