internal import Formats
internal import Glibc
package import ShareModel

/// The system's shared MIME database: aliases of types, subtype relations, and the types of file names. Shared
/// MIME-info Database specification 0.21.
///
/// A smaller table of the program, ``BundledMIME``, answers if there is no database, or if the database does not know.
/// In addition, every type conforms to itself, `text/*` conforms to `text/plain`, and every type conforms to
/// `application/octet-stream`.
package final class SharedMIMEDatabase: Sendable {
    private let graph: TypeGraph
    private let globs: MIMEGlobs

    /// The largest file of the database that is read, in bytes.
    private static let sizeLimit = 4 << 20

    /// The system's database. It is read once, from the folders of `$XDG_DATA_DIRS`.
    package static let system = SharedMIMEDatabase(dataFolders: systemFolders())

    /// Reads `mime/{aliases,subclasses,globs2}` in each folder, the most important folder first. Missing files are
    /// ignored.
    package init(dataFolders: [String]) {
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

    /// The preferred name of the type.
    package func canonical(_ type: MediaType) -> MediaType { graph.canonical(type) }

    /// Whether `type` is an `ancestor` or a subtype of it. Aliases are the same type, and `image/*` stands for all
    /// images.
    package func conforms(_ type: MediaType, to ancestor: MediaType) -> Bool {
        if ancestor == .unknown { return true }
        guard ancestor.description.utf8.last == UInt8(ascii: "*"), ancestor.subtype == "*" else {
            return graph.conforms(type, to: ancestor)
        }
        return ancestor.type == "*" || graph.conforms(type, toFamily: ancestor.type)
    }

    /// Whether a file name is usual for a type: a type of the name is a kind of `type`, or `type` is a kind of it.
    package func fits(_ name: String, _ type: MediaType) -> Bool {
        types(forName: name).contains {
            conforms($0, to: type) || ($0 != .unknown && conforms(type, to: $0))
        }
    }

    /// Whether a file name can give this type.
    func names(_ type: MediaType) -> Bool {
        let name = Array(type.description.utf8)[...]
        return globs.knows(name) || BundledMIME.globs.knows(name)
    }

    /// The type of a file name by its best pattern; `nil` if no pattern matches, or if several types fit equally well.
    package func type(forName name: String) -> MediaType? {
        let types = types(forName: name)
        return types.count == 1 ? types.first : nil
    }

    /// The types of the best patterns that match a file name: the highest weight, then the longest. The result has
    /// preferred names, each once.
    package func types(forName name: String) -> [MediaType] {
        var found = globs.types(for: name)
        if found.isEmpty { found = BundledMIME.globs.types(for: name) }
        var types: [MediaType] = []
        for type in found.map(canonical) where !types.contains(type) { types.append(type) }
        return types
    }

    /// The pattern that gave ``types(forName:)``: `*.jpg`; `nil` if none matches.
    func pattern(forName name: String) -> String? {
        globs.pattern(for: name) ?? BundledMIME.globs.pattern(for: name)
    }

    // MARK: Files

    private static func systemFolders() -> [String] {
        let value = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
        // The XDG Base Directory Specification requires programs to ignore relative paths.
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
        // An unreadable file counts as empty, because the database only adds to the program's own tables.
        return MIMELines((try? ContentBytes(descriptor: descriptor, size: size, budget: .unlimited).head()) ?? [])
    }
}
