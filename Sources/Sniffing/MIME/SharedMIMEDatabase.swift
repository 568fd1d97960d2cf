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
/// Below it lies a smaller table that is part of the program (``BundledMIME``): it answers where there is no database,
/// and where the database is silent. Besides, every type conforms to itself, `text/*` to `text/plain`, and everything
/// to `application/octet-stream`.
public final class SharedMIMEDatabase: Sendable {
    private let graph: TypeGraph
    private let globs: MIMEGlobs

    /// A file of the database is no larger, in bytes.
    private static let sizeLimit = 4 << 20

    /// The system's, read once from the folders of `$XDG_DATA_DIRS`.
    public static let system = SharedMIMEDatabase(dataFolders: systemFolders())

    /// Reads `mime/{aliases,subclasses,globs2}` below each folder, the most important first. What is missing is left
    /// out.
    public init(dataFolders: [String]) {
        var globs = MIMEGlobs()
        var relations = TypeRelations()
        for folder in dataFolders.map({ $0 + "/mime/" }) {
            relations.add(aliases: Self.lines(folder + "aliases"))
            relations.add(subclasses: Self.lines(folder + "subclasses"))
            Self.lines(folder + "globs2").forEach { globs.add($0) }
        }
        relations.addBundled { globs.knows($0) }
        self.globs = globs
        graph = relations.graph()
    }

    /// The type's preferred name.
    public func canonical(_ type: MediaType) -> MediaType { graph.canonical(type) }

    /// Whether each `type` is also an `ancestor`; `image/*` stands for all images. Aliases are the same type.
    public func conforms(_ type: MediaType, to ancestor: MediaType) -> Bool {
        if ancestor == .unknown { return true }
        guard ancestor.description.utf8.last == UInt8(ascii: "*"), ancestor.subtype == "*" else {
            return graph.conforms(type, to: ancestor)
        }
        return ancestor.type == "*" || graph.conforms(type, toFamily: ancestor.type)
    }

    /// What a file name says by the best of its patterns; `nil` where it says nothing, or several things equally well.
    public func type(forName name: String) -> MediaType? {
        let types = types(forName: name)
        return types.count == 1 ? types.first : nil
    }

    /// What a file name says: the types of the patterns with the highest weight, the longest among them, by their
    /// preferred names and each once.
    public func types(forName name: String) -> [MediaType] {
        var found = globs.types(for: name)
        if found.isEmpty { found = BundledMIME.globs.types(for: name) }
        var types: [MediaType] = []
        for type in found.map(canonical) where !types.contains(type) { types.append(type) }
        return types
    }

    /// The pattern behind ``types(forName:)``, in words for people: `*.jpg`; `nil` where the name says nothing.
    func pattern(forName name: String) -> String? {
        globs.pattern(for: name) ?? BundledMIME.globs.pattern(for: name)
    }

    // MARK: Files

    private static func systemFolders() -> [String] {
        let value = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
        let folders = value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return folders.isEmpty ? ["/usr/local/share", "/usr/share"] : folders
    }

    private static func lines(_ path: String) -> MIMELines {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return MIMELines([]) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return MIMELines([]) }
        let size = min(Int64(status.st_size), Int64(sizeLimit))
        // A file that cannot be read is as good as none: the database only adds to what is known.
        return MIMELines((try? ContentBytes(descriptor: descriptor, size: size, budget: .unlimited).head()) ?? [])
    }
}
